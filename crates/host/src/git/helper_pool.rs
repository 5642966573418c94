//! Long-lived git processes for what is asked often: reading objects, writing objects, moving refs.
//!
//! A spawn costs more than most answers, so each of these is started once, on first use, and spoken to through pipes.
//! Invariants: every exchange has a deadline; a process that fails is ended and the next exchange starts a fresh one.

use super::Git;
use super::cache::{BlobContent, CachedObject};
use super::git_command::{CommandScope, GitCommand};
use super::helper_process::HelperProcess;
use super::loose_object::WrittenKind;
use super::tree_object::TreeObject;
use crate::crash;
use gatewalk_core::error::{Error, Result};
use gatewalk_core::object_id::ObjectId;
use gatewalk_core::parallel::locked;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// The processes of one repository handle, none of them started until needed.
#[derive(Default)]
pub(super) struct Helpers {
    pub(super) read: Mutex<Option<HelperProcess>>,
    tree: Mutex<Option<ObjectWriter>>,
    blob: Mutex<Option<ObjectWriter>>,
    commit: Mutex<Option<ObjectWriter>>,
    refs: Mutex<Option<HelperProcess>>,
}

/// Runs an exchange with a helper, starting it if needed and dropping it if the exchange fails.
///
/// When a helper that was already running fails, the exchange is tried once more with a fresh one: it may have been
/// killed from outside. That is right only for exchanges that can be repeated.
pub(super) fn exchange<H, T>(
    slot: &Mutex<Option<H>>,
    start: impl Fn() -> Result<H>,
    repeatable: bool,
    talk: impl Fn(&mut H) -> Result<T>,
) -> Result<T> {
    let mut guard = locked(slot);
    let reused = guard.is_some();
    for attempt in 0..2 {
        let mut running = match guard.take() {
            Some(running) => running,
            None => start()?,
        };
        match talk(&mut running) {
            Ok(value) => {
                *guard = Some(running);
                return Ok(value);
            }
            Err(_) if attempt == 0 && reused && repeatable => {}
            Err(error) => return Err(error),
        }
    }
    Err(Error::internal(
        "a git helper failed twice without an error",
    ))
}

impl Git {
    /// Writes one tree as git stores it, and returns its id.
    pub(super) fn write_tree(&self, tree: &TreeObject) -> Result<ObjectId> {
        let oid = self.write_object(WrittenKind::Tree, tree.raw())?;
        self.keep_written(oid, &tree.into());
        Ok(oid)
    }

    /// Writes a blob and returns its id.
    pub(crate) fn write_blob(&self, content: &[u8]) -> Result<ObjectId> {
        self.write_shared_blob(&content.into())
    }

    /// Writes a blob, of which no copy is made to keep it.
    pub(super) fn write_shared_blob(&self, content: &BlobContent) -> Result<ObjectId> {
        let oid = self.write_object(WrittenKind::Blob, content)?;
        let blob = CachedObject::new(WrittenKind::Blob.name(), content.clone());
        self.keep_written(oid, &blob);
        Ok(oid)
    }

    /// Writes a commit from its raw bytes and returns its id.
    pub(super) fn write_raw_commit(&self, content: &[u8]) -> Result<ObjectId> {
        self.write_object(WrittenKind::Commit, content)
    }

    fn write_object(&self, kind: WrittenKind, content: &[u8]) -> Result<ObjectId> {
        let write = || match self.write_loose(kind, content)? {
            Some(oid) => Ok(oid),
            None => self.write_through_file(kind, content),
        };
        crash::around(kind.name(), write).inspect(|oid| self.note_written(*oid))
    }

    /// Hands content to `hash-object --stdin-paths` through a file, which the helper's lock protects.
    fn write_through_file(&self, kind: WrittenKind, content: &[u8]) -> Result<ObjectId> {
        let helpers = &self.shared.known.helpers;
        let helper = match kind {
            WrittenKind::Blob => &helpers.blob,
            WrittenKind::Tree => &helpers.tree,
            WrittenKind::Commit => &helpers.commit,
        };
        exchange(
            helper,
            || ObjectWriter::start(self, kind),
            true,
            |writer| writer.write(content, Instant::now() + self.shared.deadline),
        )
    }

    /// Runs one transaction of ref updates; git's own refusal comes back as `Err`.
    pub(super) fn ref_transaction(&self, commands: &[u8]) -> Result<()> {
        self.flush_objects()?;
        crash::point("move a ref");
        let moved = exchange(
            &self.shared.known.helpers.refs,
            || start_ref_writer(self),
            false,
            |talk| {
                let deadline = Instant::now() + self.shared.deadline;
                let mut script = b"start\0".to_vec();
                script.extend_from_slice(commands);
                script.extend_from_slice(b"prepare\0commit\0");
                talk.send(&script, deadline)?;
                for expected in ["start: ok", "prepare: ok", "commit: ok"] {
                    let line = talk.line(deadline)?;
                    if line != expected {
                        return Err(talk.garbled(&line));
                    }
                }
                Ok(())
            },
        );
        crash::point("move a ref");
        moved
    }
}

/// Has git store trees uncompressed, as they are written without it.
const UNCOMPRESSED: [(&str, &str); 3] = [
    ("GIT_CONFIG_COUNT", "1"),
    ("GIT_CONFIG_KEY_0", "core.looseCompression"),
    ("GIT_CONFIG_VALUE_0", "0"),
];

/// A `git hash-object`, and the file it reads. The file is written over each time: a disk that gives its place back and takes
/// a new one for every object pays for both.
struct ObjectWriter {
    process: HelperProcess,
    file: File,
    path: PathBuf,
}

impl Drop for ObjectWriter {
    fn drop(&mut self) {
        // Left behind it is only a stray file in the scratch directory.
        let _ = std::fs::remove_file(&self.path);
    }
}

impl ObjectWriter {
    fn start(git: &Git, kind: WrittenKind) -> Result<ObjectWriter> {
        static STARTED: AtomicUsize = AtomicUsize::new(0);
        let number = STARTED.fetch_add(1, Ordering::Relaxed);
        let name = format!("{}-{number}-{}", kind.name(), std::process::id());
        let path = git.scratch_dir()?.join(name);
        let process = start_object_writer(git, kind)?;
        let file = File::create(&path).map_err(|e| Error::io("create", &path, &e))?;
        Ok(ObjectWriter {
            process,
            file,
            path,
        })
    }

    /// Stores an object and returns its id.
    fn write(&mut self, content: &[u8], deadline: Instant) -> Result<ObjectId> {
        self.fill(content)
            .map_err(|e| Error::io("write", &self.path, &e))?;
        // By a name without directories: whatever the repository's path holds, nothing needs quoting.
        let name = self.path.file_name().unwrap_or_default();
        let mut line = name.as_encoded_bytes().to_vec();
        line.push(b'\n');
        self.process.send(&line, deadline)?;
        let line = self.process.line(deadline)?;
        ObjectId::parse(line.as_bytes()).ok_or_else(|| self.process.garbled(&line))
    }

    fn fill(&self, content: &[u8]) -> std::io::Result<()> {
        self.file.write_all_at(content, 0)?;
        self.file.set_len(content.len() as u64)
    }
}

fn start_object_writer(git: &Git, kind: WrittenKind) -> Result<HelperProcess> {
    let call = GitCommand::new(git, CommandScope::Repository, "hash-object")
        .args(["-w", "--no-filters", "--stdin-paths", "-t", kind.name()])
        .in_dir(&git.scratch_dir()?);
    let call = match kind {
        // What else stands in a directory is the repository's own: git may not like all of it.
        WrittenKind::Tree => call.arg("--literally").envs(UNCOMPRESSED),
        WrittenKind::Blob | WrittenKind::Commit => call,
    };
    HelperProcess::start(call, "hash-object")
}

fn start_ref_writer(git: &Git) -> Result<HelperProcess> {
    let identity = git.identity()?;
    let call = GitCommand::new(git, CommandScope::Repository, "update-ref")
        .args(["-m", "gatewalk", "--stdin", "-z"])
        .env("GIT_COMMITTER_NAME", &identity.committer.name)
        .env("GIT_COMMITTER_EMAIL", &identity.committer.email)
        .flushed();
    HelperProcess::start(call, "update-ref")
}
