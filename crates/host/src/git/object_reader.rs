//! Reading objects by name, through one long-lived `git cat-file`.

use super::Git;
use super::checkout_objects::id_of;
use super::git_command::{CommandScope, GitCommand};
use super::helper_pool::exchange;
use super::helper_process::HelperProcess;
use gatewalk_core::error::{Error, Result};
use gatewalk_core::object_id::ObjectId;
use std::time::Instant;

/// The largest content that is hashed to verify its name: plans, commands and settings are far below.
const VERIFIED_LIMIT: usize = 1024 * 1024;

/// What a reader of objects gets for one name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Object {
    /// The object's id, also when it was asked for by a ref's name.
    pub(crate) oid: ObjectId,
    /// `blob`, `tree`, `commit` or `tag`.
    pub(crate) kind: String,
    /// The content; `None` when it is larger than the limit given.
    pub(crate) content: Option<Vec<u8>>,
    /// The content's size in bytes.
    pub(crate) size: u64,
}

/// How many objects are asked for before the answers are read: few enough that the questions fit a pipe.
const BATCH: usize = 200;

impl Git {
    /// Reads objects by name (an id, a full ref name, or `<name>^{tree}`), in order; `None` where there is none.
    ///
    /// Content beyond `limit` bytes is read and dropped, so that memory stays bounded. Git trusts the name of an
    /// object's file; here what is not large is hashed again.
    pub(crate) fn read_objects(&self, names: &[String], limit: u64) -> Result<Vec<Option<Object>>> {
        let found = self.ask("contents", names, limit)?;
        let format = self.object_format();
        for object in found.iter().flatten() {
            let small = object
                .content
                .as_ref()
                .filter(|c| c.len() <= VERIFIED_LIMIT);
            if small.is_some_and(|c| id_of(&object.kind, c, format) != object.oid) {
                let error = format!(
                    "the object {} of the repository is not what its name says",
                    object.oid
                );
                return Err(Error::integrity(error).hint(
                    "it was tampered with, or the disk is damaged: `git fsck` names what else is",
                ));
            }
        }
        Ok(found)
    }

    /// Returns the id and kind of objects by name, without their content.
    pub(crate) fn object_info(&self, names: &[String]) -> Result<Vec<Option<Object>>> {
        self.ask("info", names, 0)
    }

    fn ask(&self, verb: &str, names: &[String], limit: u64) -> Result<Vec<Option<Object>>> {
        if names.iter().any(|name| name.contains(['\n', '\0'])) {
            return Err(Error::internal("an object name with a newline"));
        }
        exchange(
            &self.shared.known.helpers.read,
            || start_reader(self),
            true,
            |talk| {
                let deadline = Instant::now() + self.shared.deadline;
                let mut found = Vec::with_capacity(names.len());
                for chunk in names.chunks(BATCH) {
                    let mut question = String::new();
                    for name in chunk {
                        question.push_str(&format!("{verb} {name}\n"));
                    }
                    talk.send(question.as_bytes(), deadline)?;
                    for _ in chunk {
                        found.push(answer(talk, verb == "contents", limit, deadline)?);
                    }
                }
                Ok(found)
            },
        )
    }
}

fn answer(
    talk: &mut HelperProcess,
    with_content: bool,
    limit: u64,
    deadline: Instant,
) -> Result<Option<Object>> {
    let line = talk.line(deadline)?;
    if line.ends_with(" missing") || line.ends_with(" ambiguous") {
        return Ok(None);
    }
    let Some(mut object) = header(&line) else {
        return Err(talk.garbled(&line));
    };
    if with_content {
        object.content = talk.bytes(object.size, limit, deadline)?;
        // A write that failed inside git leaves a hole, after which nothing stands where it should.
        if talk.bytes(1, 1, deadline)?.as_deref() != Some(b"\n") {
            return Err(talk.garbled(&line));
        }
    }
    Ok(Some(object))
}

/// Reads `<oid> <type> <size>`, the header of an answer (git-cat-file(1), "Batch output").
fn header(line: &str) -> Option<Object> {
    let words: Vec<&str> = line.split(' ').collect();
    let [oid, kind, size] = words[..] else {
        return None;
    };
    Some(Object {
        oid: ObjectId::parse(oid.as_bytes())?,
        kind: kind.to_owned(),
        content: None,
        size: size.parse().ok()?,
    })
}

pub(super) fn start_reader(git: &Git) -> Result<HelperProcess> {
    // Not `--buffer`: git does not notice when flushing its buffer fails, and we would wait for what it lost.
    HelperProcess::start(
        GitCommand::new(git, CommandScope::Repository, "cat-file").args(["--batch-command"]),
        "cat-file",
    )
}
