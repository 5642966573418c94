//! Following a move path by path, when the operator has edits that git's whole-tree step refuses to go near.
//!
//! Every replacement is an exchange of names: what was there is looked at after it was taken out of the way, and put
//! back if it is not what was expected. So an edit saved at that very moment survives.

use super::follow::{Followed, LockedIndex};
use super::run::{Call, Scope};
use super::slot_git::quote;
use super::worktree;
use super::{
    Change, Git, GitPath, MODE_EXECUTABLE, MODE_FILE, MODE_GITLINK, MODE_SYMLINK, Version,
};
use crate::error::{Error, Result};
use rustix::fs::{CWD, RenameFlags, renameat_with};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// What the operator's index has at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Indexed {
    version: Version,
    unmerged: bool,
    skip_worktree: bool,
}

/// What lies at a path in the work tree.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Found {
    /// Nothing.
    Nothing,
    /// A file or link: its mode, and a digest of its bytes as they are on disk.
    File { mode: u32, digest: [u8; 32] },
    /// A directory, a special file, or something behind a link: never touched.
    Other,
}

/// What to do at one path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    /// Nothing: the operator staged something else.
    LeaveAll,
    /// Take the new index entry, keep the operator's file.
    IndexOnly,
    /// Take the new index entry; the file already is what it should be.
    AlreadyThere,
    /// Take both.
    Replace,
}

impl Git {
    /// Brings each changed path over where the operator has not edited.
    pub(super) fn follow_paths(&self, index: &LockedIndex, changes: &[Change]) -> Result<Followed> {
        let indexed = self.index_entries(index)?;
        let found: Vec<Found> = changes
            .iter()
            .map(|change| self.look(&change.path))
            .collect();
        let clean = self.clean_versions(index, changes, &found)?;
        let steps: Vec<Step> = changes
            .iter()
            .zip(&found)
            .map(|(change, found)| {
                decide(change, &indexed, found, clean.get(&change.path).copied())
            })
            .collect();
        let staging = index.copy_dir().join("follow");
        worktree::remove(&staging)?;
        let wanted = |step: Step, change: &Change| step == Step::Replace && change.new.is_some();
        let written: Vec<&Change> = changes
            .iter()
            .zip(&steps)
            .filter(|(c, s)| wanted(**s, c))
            .map(|(c, _)| c)
            .collect();
        self.update_index(index, changes, &steps, &indexed)?;
        self.stage_files(index, &staging, &written)?;
        let mut followed = Followed::default();
        // Removals first: a directory may have to make room for a file.
        let mut order: Vec<usize> = (0..changes.len()).collect();
        order.sort_by_key(|at| changes[*at].new.is_some());
        for at in order {
            let (change, step) = (&changes[at], steps[at]);
            let done = match step {
                Step::Replace => self.place(change, &found[at], &staging)?,
                Step::AlreadyThere => true,
                Step::IndexOnly | Step::LeaveAll => false,
            };
            if done {
                &mut followed.updated
            } else {
                &mut followed.kept
            }
            .push(change.path.clone());
        }
        followed.updated.sort();
        followed.kept.sort();
        worktree::remove(&staging)?;
        // Fills in the files' times, so that the next status need not read them. Exit 1: some are edited.
        let call = Call::new(self, Scope::Operator(Some(&index.copy)), "update-index");
        call.args(["-q", "--refresh"]).accept(&[0, 1]).run()?;
        Ok(followed)
    }

    fn index_entries(&self, index: &LockedIndex) -> Result<BTreeMap<GitPath, Indexed>> {
        let mut entries = BTreeMap::new();
        if !index.copy.exists() {
            return Ok(entries);
        }
        let call = Call::new(self, Scope::Operator(Some(&index.copy)), "ls-files")
            .args(["-s", "-t", "-z"]);
        for record in call.run()?.stdout.split(|byte| *byte == 0) {
            // `<tag> <mode> <oid> <stage>\t<path>`
            let Some(tab) = record.iter().position(|byte| *byte == b'\t') else {
                continue;
            };
            let head = String::from_utf8_lossy(&record[..tab]);
            let fields: Vec<&str> = head.split(' ').collect();
            let [tag, mode, oid, stage] = fields[..] else {
                continue;
            };
            let (Ok(mode), Some(oid)) = (
                u32::from_str_radix(mode, 8),
                super::Oid::parse(oid.as_bytes()),
            ) else {
                continue;
            };
            let entry = Indexed {
                version: Version { mode, oid },
                unmerged: stage != "0",
                skip_worktree: tag == "S",
            };
            entries.insert(GitPath::new(&record[tab + 1..]), entry);
        }
        Ok(entries)
    }

    fn look(&self, path: &GitPath) -> Found {
        match worktree::inside(self.work_tree(), path) {
            Some(full) => look_at(&full),
            None if worktree::blocked(self.work_tree(), path) => Found::Other,
            None => Found::Nothing,
        }
    }

    /// Returns what git would store for each file that is there, by the operator's own line-ending and filter settings.
    fn clean_versions(
        &self,
        index: &LockedIndex,
        changes: &[Change],
        found: &[Found],
    ) -> Result<HashMap<GitPath, Version>> {
        let mut versions = HashMap::new();
        let mut asked = Vec::new();
        let mut names = Vec::new();
        for (change, found) in changes.iter().zip(found) {
            let Found::File { mode, .. } = found else {
                continue;
            };
            if *mode == MODE_SYMLINK {
                let Ok(target) = fs::read_link(self.work_tree().join(change.path.as_path())) else {
                    continue;
                };
                let oid = self.write_blob(target.as_os_str().as_bytes())?;
                versions.insert(change.path.clone(), Version { mode: *mode, oid });
            } else {
                names.extend_from_slice(&quote(change.path.as_bytes()));
                names.push(b'\n');
                asked.push((change.path.clone(), *mode));
            }
        }
        if asked.is_empty() {
            return Ok(versions);
        }
        let call =
            Call::new(self, Scope::Operator(Some(&index.copy)), "hash-object").arg("--stdin-paths");
        let output = call.input(&names).run()?;
        let oids = output
            .stdout
            .split(|byte| *byte == b'\n')
            .map(super::Oid::parse);
        for ((path, mode), oid) in asked.into_iter().zip(oids) {
            if let Some(oid) = oid {
                versions.insert(path, Version { mode, oid });
            }
        }
        Ok(versions)
    }

    fn update_index(
        &self,
        index: &LockedIndex,
        changes: &[Change],
        steps: &[Step],
        indexed: &BTreeMap<GitPath, Indexed>,
    ) -> Result<()> {
        let mut script = Vec::new();
        let mut sparse = Vec::new();
        let zero = self.object_format().zero();
        let mut taken: Vec<&Change> = changes
            .iter()
            .zip(steps)
            .filter(|(_, step)| **step != Step::LeaveAll)
            .map(|(change, _)| change)
            .collect();
        // Removals first: a directory's entries cannot be beside a file's of the same name.
        taken.sort_by_key(|change| change.new.is_some());
        for change in taken {
            let line = match change.new {
                Some(new) => format!("{:06o} {}\t", new.mode, new.oid),
                None => format!("0 {zero}\t"),
            };
            script.extend_from_slice(line.as_bytes());
            script.extend_from_slice(change.path.as_bytes());
            script.push(0);
            if change.new.is_some()
                && indexed
                    .get(&change.path)
                    .is_some_and(|entry| entry.skip_worktree)
            {
                sparse.extend_from_slice(change.path.as_bytes());
                sparse.push(0);
            }
        }
        let scope = Scope::Operator(Some(&index.copy));
        if !script.is_empty() {
            Call::new(self, scope, "update-index")
                .args(["-z", "--index-info"])
                .input(&script)
                .run()?;
        }
        if !sparse.is_empty() {
            let call =
                Call::new(self, scope, "update-index").args(["--skip-worktree", "-z", "--stdin"]);
            call.input(&sparse).run()?;
        }
        Ok(())
    }

    /// Writes the new files, as the operator's git would check them out, into a directory of ours.
    fn stage_files(&self, index: &LockedIndex, staging: &Path, written: &[&Change]) -> Result<()> {
        let files: Vec<&&Change> = written
            .iter()
            .filter(|c| c.new.is_some_and(|v| v.mode != MODE_GITLINK))
            .collect();
        if files.is_empty() {
            return Ok(());
        }
        fs::create_dir_all(staging).map_err(|e| Error::io("create", staging, &e))?;
        let mut names = Vec::new();
        for change in files {
            names.extend_from_slice(change.path.as_bytes());
            names.push(0);
        }
        let mut prefix = std::ffi::OsString::from("--prefix=");
        prefix.push(staging);
        prefix.push("/");
        let call =
            Call::new(self, Scope::Operator(Some(&index.copy)), "checkout-index").arg(prefix);
        call.args(["-z", "--stdin"]).input(&names).run()?;
        Ok(())
    }

    /// Puts the new file (or nothing) at a path that held `before`; `false` if that changed meanwhile.
    fn place(&self, change: &Change, before: &Found, staging: &Path) -> Result<bool> {
        let target = self.work_tree().join(change.path.as_path());
        match change.new {
            Some(new) if new.mode == MODE_GITLINK => {
                // An empty directory is how a submodule that is not checked out looks.
                Ok(*before == Found::Other || fs::create_dir_all(&target).is_ok())
            }
            Some(_) => {
                let source = staging.join(change.path.as_path());
                if let Some(parent) = target.parent() {
                    fs::create_dir_all(parent).map_err(|e| Error::io("create", parent, &e))?;
                }
                let source = same_file_system(&source, &target)?;
                let placed = match before {
                    Found::Nothing => put_new(&source, &target),
                    _ => exchange(&source, &target, before),
                };
                if source.parent() == target.parent() {
                    worktree::remove(&source)?;
                }
                placed
            }
            None => {
                let taken = staging.join("removed");
                fs::create_dir_all(staging).map_err(|e| Error::io("create", staging, &e))?;
                let removed = take_away(&target, &taken, before)?;
                if removed {
                    prune(self.work_tree(), &target);
                }
                Ok(removed)
            }
        }
    }
}

/// Decides what happens at one path; `clean` is what git would store for the file that is there.
fn decide(
    change: &Change,
    index: &BTreeMap<GitPath, Indexed>,
    found: &Found,
    clean: Option<Version>,
) -> Step {
    let entry = index.get(&change.path);
    if entry.is_some_and(|entry| entry.unmerged) || entry.map(|entry| entry.version) != change.old {
        let same = entry
            .is_some_and(|e| !e.unmerged && Some(e.version) == change.new && clean == change.new);
        return if same {
            Step::AlreadyThere
        } else {
            Step::LeaveAll
        };
    }
    if change.new.is_some() && collides(&change.path, index) {
        return Step::LeaveAll;
    }
    let link =
        |version: Option<Version>| version.is_some_and(|version| version.mode == MODE_GITLINK);
    if link(change.old) || link(change.new) {
        let room = link(change.new) && change.old.is_none() && *found == Found::Nothing;
        return if room { Step::Replace } else { Step::IndexOnly };
    }
    if entry.is_some_and(|entry| entry.skip_worktree) {
        return Step::IndexOnly;
    }
    match (found, change.old, change.new) {
        (Found::Nothing, _, None) => Step::AlreadyThere,
        (Found::Nothing, None, Some(_)) => Step::Replace,
        (Found::File { .. }, _, Some(_)) if clean == change.new => Step::AlreadyThere,
        (Found::File { .. }, Some(_), _) if clean == change.old => Step::Replace,
        _ => Step::IndexOnly,
    }
}

/// Returns whether the index has an entry that is a parent of the path, or something below it.
fn collides(path: &GitPath, index: &BTreeMap<GitPath, Indexed>) -> bool {
    let bytes = path.as_bytes();
    let parents = bytes
        .iter()
        .enumerate()
        .filter(|(_, byte)| **byte == b'/')
        .map(|(at, _)| GitPath::new(&bytes[..at]));
    let below = GitPath::new([bytes, b"/".as_slice()].concat());
    let first_below = index.range(below.clone()..).next();
    parents
        .into_iter()
        .any(|parent| index.contains_key(&parent))
        || first_below.is_some_and(|(entry, _)| entry.as_bytes().starts_with(below.as_bytes()))
}

fn look_at(path: &Path) -> Found {
    let Ok(meta) = fs::symlink_metadata(path) else {
        return Found::Nothing;
    };
    let content = if meta.is_symlink() {
        fs::read_link(path).map(|target| target.as_os_str().as_bytes().to_vec())
    } else if meta.is_file() {
        fs::read(path)
    } else {
        return Found::Other;
    };
    let Ok(content) = content else {
        return Found::Other;
    };
    let executable = meta.permissions().mode() & 0o100 != 0;
    let mode = match (meta.is_symlink(), executable) {
        (true, _) => MODE_SYMLINK,
        (false, true) => MODE_EXECUTABLE,
        (false, false) => MODE_FILE,
    };
    Found::File {
        mode,
        digest: Sha256::digest(&content).into(),
    }
}

/// Returns the staged file, copied beside its target when that is on another file system.
fn same_file_system(source: &Path, target: &Path) -> Result<PathBuf> {
    use std::os::unix::fs::MetadataExt;
    let device = |path: &Path| fs::symlink_metadata(path).map(|meta| meta.dev()).ok();
    let parent = target.parent().unwrap_or(target);
    if device(source) == device(parent) {
        return Ok(source.to_path_buf());
    }
    let beside = parent.join(format!(".gatewalk-{}", std::process::id()));
    let meta = fs::symlink_metadata(source).map_err(|e| Error::io("read", source, &e))?;
    let copied = if meta.is_symlink() {
        fs::read_link(source).and_then(|link| std::os::unix::fs::symlink(link, &beside))
    } else {
        fs::copy(source, &beside).map(|_| ())
    };
    copied.map_err(|e| Error::io("write", &beside, &e))?;
    Ok(beside)
}

/// Moves a file to a name that must be free; `false` if it is not.
fn put_new(source: &Path, target: &Path) -> Result<bool> {
    match renameat_with(CWD, source, CWD, target, RenameFlags::NOREPLACE) {
        Ok(()) => Ok(true),
        Err(rustix::io::Errno::EXIST) => Ok(false),
        // A file system without that kind of rename: a hard link refuses an existing name too.
        Err(_) => match fs::hard_link(source, target) {
            Ok(()) => Ok(true),
            Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => Ok(false),
            Err(e) => Err(Error::io("write", target, &e)),
        },
    }
}

/// Swaps two files, and swaps back if the one taken out is not what was expected.
fn exchange(source: &Path, target: &Path, before: &Found) -> Result<bool> {
    let swap = || renameat_with(CWD, source, CWD, target, RenameFlags::EXCHANGE);
    match swap() {
        Ok(()) if look_at(source) == *before => Ok(true),
        Ok(()) => {
            swap().map_err(|e| {
                Error::environment(format!("cannot put back `{}`: {e}", target.display()))
            })?;
            Ok(false)
        }
        Err(rustix::io::Errno::NOENT) => Ok(false),
        // A file system without exchange: look, then rename at once.
        Err(_) if look_at(target) == *before => {
            fs::rename(source, target).map_err(|e| Error::io("replace", target, &e))?;
            Ok(true)
        }
        Err(_) => Ok(false),
    }
}

/// Moves a file away, and back if it is not what was expected.
fn take_away(target: &Path, taken: &Path, before: &Found) -> Result<bool> {
    worktree::remove(taken)?;
    match fs::rename(target, taken) {
        Ok(()) if look_at(taken) == *before => Ok(true),
        Ok(()) => {
            if !put_new(taken, target)? {
                let kept = taken.display();
                return Err(Error::integrity(format!(
                    "`{}` changed twice at once; kept as `{kept}`",
                    target.display()
                )));
            }
            Ok(false)
        }
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(true),
        // Another file system: look, then remove at once.
        Err(_) if look_at(target) == *before => {
            fs::remove_file(target).map_err(|e| Error::io("remove", target, &e))?;
            Ok(true)
        }
        Err(_) => Ok(false),
    }
}

/// Removes the directories a removal left empty, up to the root.
fn prune(root: &Path, removed: &Path) {
    let mut dir = removed.parent();
    while let Some(path) = dir.filter(|path| *path != root) {
        if fs::remove_dir(path).is_err() {
            return;
        }
        dir = path.parent();
    }
}
