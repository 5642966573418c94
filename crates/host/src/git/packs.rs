//! Objects on their way between two repositories: packed against what the other side has, and unpacked with every object
//! and every link checked. Files on the disk, so that memory does not grow with the repository.

use super::complaint::Complaint;
use super::git_command::{CommandScope, GitCommand};
use super::{Git, pipes};
use gatewalk_core::error::{Error, Result};
use gatewalk_core::object_id::ObjectId;
use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;
use std::process::Child;
use std::sync::mpsc;
use std::time::Duration;

/// Packs up to this size become loose objects, as after a fetch: many small packs would slow everything down.
const UNPACKED: u64 = 1 << 20;
/// How long a transfer's git may work in silence.
const SILENCE: Duration = Duration::from_secs(30 * 60);
/// How much standard error is kept.
const COMPLAINT: u64 = 16 * 1024;

/// What goes into a pack.
#[derive(Debug, Clone, Default)]
pub(crate) struct PackContent {
    /// Commits and trees with all they need.
    pub(crate) wanted: Vec<ObjectId>,
    /// What the other side has, with all it needs.
    pub(crate) had: Vec<ObjectId>,
}

/// Makes git store files from this size on as they are, rather than hold each against ten others first: for those of 64 MB that
/// takes minutes, and what is that large is seldom text. Its own limit is 512 MiB.
const WHOLE_WHEN_LARGE: [(&str, &str); 3] = [
    ("GIT_CONFIG_COUNT", "1"),
    ("GIT_CONFIG_KEY_0", "core.bigFileThreshold"),
    ("GIT_CONFIG_VALUE_0", "16m"),
];

impl Git {
    /// Returns those of some commits that are here.
    pub(crate) fn known_commits(&self, ids: &[ObjectId]) -> Result<Vec<ObjectId>> {
        self.ensure_trusted_git_dir()?;
        let mut input = Vec::new();
        for id in ids {
            input.extend_from_slice(format!("{id}\n").as_bytes());
        }
        let output = GitCommand::new(self, CommandScope::Bare, "cat-file")
            .arg("--batch-check=%(objectname) %(objecttype)")
            .input(&input)
            .run()?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let commits = text.lines().filter_map(|line| line.strip_suffix(" commit"));
        Ok(commits
            .filter_map(|hex| ObjectId::parse(hex.as_bytes()))
            .collect())
    }

    /// Writes a thin pack into a file.
    pub(crate) fn write_pack(&self, content: &PackContent, file: &File) -> Result<()> {
        self.ensure_trusted_git_dir()?;
        let mut revs = String::new();
        for id in &content.wanted {
            revs.push_str(&format!("{id}\n"));
        }
        for id in &content.had {
            revs.push_str(&format!("^{id}\n"));
            // With no commit left to send git looks at no edge, and would send a whole tree.
            if content.wanted.contains(id) {
                revs.push_str(&format!("^{id}^{{tree}}\n"));
            }
        }
        let mut child = GitCommand::new(self, CommandScope::Bare, "pack-objects")
            .args(["--revs", "--thin", "--stdout", "--delta-base-offset", "-q"])
            .envs(WHOLE_WHEN_LARGE)
            .spawn()?;
        let mut out = file;
        feed(&mut child, revs.as_bytes());
        let stdout = child.stdout.take();
        let copied = match stdout {
            Some(mut stdout) => std::io::copy(&mut stdout, &mut out).map(drop),
            None => Ok(()),
        };
        let ended = end_of(&mut child, "pack-objects");
        copied.map_err(|e| Error::environment(format!("cannot write a pack: {e}")))?;
        ended
    }

    /// Takes a pack's objects into the object store; refuses a pack with a broken object, or one that names an object
    /// which is neither in it nor here.
    pub(crate) fn take_pack(&self, path: &Path) -> Result<()> {
        self.ensure_trusted_git_dir()?;
        let failed = |e: &std::io::Error| Error::io("read", path, e);
        let mut file = File::open(path).map_err(|e| failed(&e))?;
        let small = file.metadata().map_err(|e| failed(&e))?.len() <= UNPACKED;
        let (name, args): (_, &[&str]) = match small {
            true => ("unpack-objects", &["-q", "--strict"]),
            false => ("index-pack", &["--stdin", "--fix-thin", "--strict"]),
        };
        let mut child = GitCommand::new(self, CommandScope::Bare, name)
            .args(args)
            .flushed()
            .spawn()?;
        let stdin = child.stdin.take();
        let mut stdout = child.stdout.take();
        std::thread::scope(|scope| {
            // The name of the pack; nobody asks for it.
            scope.spawn(move || drop(stdout.as_mut().map(|out| out.read_to_end(&mut Vec::new()))));
            if let Some(mut stdin) = stdin {
                // A git that refuses stops reading; its end says why.
                drop(std::io::copy(&mut file, &mut stdin));
            }
            end_of(&mut child, name)
        })
    }

    /// Makes one pack of all, without what no ref needs.
    pub(crate) fn repack(&self) -> Result<()> {
        let mut child = GitCommand::new(self, CommandScope::Repository, "repack")
            .args(["-a", "-d", "-q"])
            .envs(WHOLE_WHEN_LARGE)
            .spawn()?;
        feed(&mut child, b"");
        drop(child.stdout.take());
        end_of(&mut child, "repack")
    }

    /// Returns whether this names a tree, with all that it needs here.
    pub(crate) fn is_whole_tree(&self, id: ObjectId) -> Result<bool> {
        let output = GitCommand::new(self, CommandScope::Bare, "cat-file")
            .arg("--batch-check=%(objecttype)")
            .input(format!("{id}\n").as_bytes())
            .run()?;
        Ok(output.stdout.trim_ascii() == b"tree" && self.are_whole(&[id]))
    }

    /// Returns whether objects and all that they need are here.
    pub(crate) fn are_whole(&self, ids: &[ObjectId]) -> bool {
        let input: String = ids.iter().map(|id| format!("{id}\n")).collect();
        GitCommand::new(self, CommandScope::Bare, "rev-list")
            .args(["--objects", "--quiet", "--stdin"])
            .input(input.as_bytes())
            .run()
            .is_ok()
    }
}

fn feed(child: &mut Child, input: &[u8]) {
    if let Some(mut stdin) = child.stdin.take() {
        // A git that is gone says so by its end.
        drop(stdin.write_all(input));
    }
}

/// Waits for the end; a git that neither ends nor says anything is ended.
fn end_of(child: &mut Child, name: &str) -> Result<()> {
    let stderr = child.stderr.take();
    let (said, hears) = mpsc::channel();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            let mut text = Vec::new();
            if let Some(stderr) = stderr {
                drop(stderr.take(COMPLAINT).read_to_end(&mut text));
            }
            drop(said.send(text));
        });
        let text = hears.recv_timeout(SILENCE);
        if text.is_err() {
            pipes::end(child);
        }
        let failed = |e| Error::environment(format!("cannot wait for `git {name}`: {e}"));
        let status = child.wait().map_err(failed)?;
        if status.success() {
            return Ok(());
        }
        let text = text.unwrap_or_else(|_| hears.recv().unwrap_or_default());
        Err(Complaint::read(&text).to_error(name, status.code().unwrap_or(-1)))
    })
}
