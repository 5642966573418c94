//! Refs: moved only by compare-and-swap, several in one transaction; and the pins that keep attempts reachable.

use super::git_command::{CommandScope, GitCommand};
use super::{Git, RefFormat, ref_files};
use gatewalk_core::driver::ports::Pin;
use gatewalk_core::error::{Error, Result};
use gatewalk_core::object_id::ObjectId;
use std::collections::BTreeMap;

/// Refs that no session may change: branches, tags, what changes how they are read, the stash, and records of attempts.
const WATCHED: [&str; 6] = [
    "refs/heads",
    "refs/tags",
    "refs/replace",
    "refs/notes",
    "refs/stash",
    "refs/gatewalk/attempts",
];

/// With more names than this, those without a file or a line are not asked of git: a feature that never ran has no branch, and
/// git looks for each missing name in a dozen places.
const MANY_NAMES: usize = 32;

/// One ref of a transaction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RefUpdate {
    /// The full name, `refs/…`.
    pub(crate) name: String,
    /// What it becomes; `None` deletes it.
    pub(crate) new: Option<ObjectId>,
    /// What it must be: `None` for anything, the zero id for nothing.
    pub(crate) expected: Option<ObjectId>,
}

impl Git {
    /// Moves several refs, all or none. `false`: one was not what was expected, and nothing moved.
    pub(crate) fn update_refs(&self, updates: &[RefUpdate]) -> Result<bool> {
        let mut script = Vec::new();
        for update in updates {
            if !update.name.starts_with("refs/") || update.name.contains('\0') {
                return Err(Error::internal(format!(
                    "`{}` is not a full ref name",
                    update.name
                )));
            }
            let expected = update.expected.map(|oid| oid.hex()).unwrap_or_default();
            let line = match update.new {
                Some(new) => format!("update {}\0{new}\0{expected}\0", update.name),
                None => format!("delete {}\0{expected}\0", update.name),
            };
            script.extend_from_slice(line.as_bytes());
        }
        let known = &self.shared.known.ref_files;
        let Err(error) = self.ref_transaction(&script) else {
            for update in updates {
                update.new.inspect(|new| known.note(&update.name, *new));
            }
            return Ok(true);
        };
        // Git's wording is not asked: whether a ref moved is seen from the refs.
        for update in updates {
            let now = self.ref_value(&update.name)?;
            let expected = update
                .expected
                .map(|oid| if oid.is_zero() { None } else { Some(oid) });
            if expected.is_some_and(|expected| expected != now) {
                return Ok(false);
            }
        }
        Err(error)
    }

    /// Moves one ref from `old` (`None`: it must not exist) to `new`. `false`: it was something else and did not move.
    pub fn cas_ref(&self, name: &str, new: ObjectId, old: Option<ObjectId>) -> Result<bool> {
        let expected = Some(old.unwrap_or(self.object_format().zero()));
        self.update_refs(&[RefUpdate {
            name: name.to_owned(),
            new: Some(new),
            expected,
        }])
    }

    /// Deletes one ref if it is still `old`; `false` if it is not.
    pub fn delete_ref(&self, name: &str, old: ObjectId) -> Result<bool> {
        self.update_refs(&[RefUpdate {
            name: name.to_owned(),
            new: None,
            expected: Some(old),
        }])
    }

    /// Returns the object a full ref name holds, tags not followed.
    pub fn ref_value(&self, name: &str) -> Result<Option<ObjectId>> {
        let values = self.ref_values(&[name.to_owned()])?;
        Ok(values.into_iter().flatten().next())
    }

    /// Keeps a tree reachable: commits it and sets the ref to that commit, whatever it was.
    pub(crate) fn pin(&self, name: &str, new: super::NewCommit<'_>) -> Result<ObjectId> {
        let commit = self.commit(new)?;
        self.update_refs(&[RefUpdate {
            name: name.to_owned(),
            new: Some(commit),
            expected: None,
        }])?;
        Ok(commit)
    }

    /// Returns the objects that full ref names hold, tags not followed, in the order asked.
    pub(crate) fn ref_values(&self, names: &[String]) -> Result<Vec<Option<ObjectId>>> {
        // A plan may name any text as its branch: `main~1` is a revision, and git would find one.
        let mut requested: Vec<(usize, String)> = (0..)
            .zip(names.iter().cloned())
            .filter(|(_, name)| can_be_ref(name))
            .collect();
        let known = &self.shared.known.ref_files;
        let mut values = vec![None; names.len()];
        if self.ref_format() == RefFormat::Files {
            requested.retain(|(at, name)| {
                values[*at] = known.noted(self.common_dir(), name);
                values[*at].is_none()
            });
            if requested.len() > MANY_NAMES {
                ref_files::keep_existing(self.common_dir(), &mut requested);
            }
        }
        if requested.is_empty() {
            return Ok(values);
        }
        let (at, requested): (Vec<usize>, Vec<String>) = requested.into_iter().unzip();
        let objects = self.object_info(&requested)?;
        for ((at, name), object) in at.into_iter().zip(&requested).zip(objects) {
            values[at] = object.map(|object| object.oid);
            values[at].inspect(|oid| known.note(name, *oid));
        }
        Ok(values)
    }

    /// Returns the refs that are watched around sessions, with what they hold; tags are not followed.
    pub(crate) fn watched_refs(&self) -> Result<BTreeMap<String, ObjectId>> {
        if self.ref_format() == RefFormat::Files
            && let Some(refs) = self
                .shared
                .known
                .ref_files
                .read(self.common_dir(), &WATCHED)
        {
            return Ok(refs);
        }
        let call = GitCommand::new(self, CommandScope::Repository, "for-each-ref");
        let call = call.arg("--format=%(objectname) %(refname)");
        let output = call.args(WATCHED).run()?;
        let lines = output.stdout.split(|byte| *byte == b'\n');
        Ok(lines.filter_map(ref_files::line).collect())
    }

    /// Returns the refs below a prefix such as `refs/gatewalk/attempts/`, sorted by name, in one call of git.
    pub fn list_pins(&self, prefix: &str) -> Result<Vec<Pin>> {
        let place = prefix.trim_end_matches('/');
        if self.ref_format() == RefFormat::Files && ref_files::none_at(self.common_dir(), place) {
            return Ok(Vec::new());
        }
        let format = "%(refname)%00%(objectname)%00%(tree)%00%(contents)%00";
        let call = GitCommand::new(self, CommandScope::Repository, "for-each-ref")
            .arg(format!("--format={format}"));
        let output = call.arg(place).run()?;
        let fields: Vec<&[u8]> = output.stdout.split(|byte| *byte == 0).collect();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let mut pins = Vec::new();
        for row in fields.chunks_exact(4) {
            // A ref that is not a commit (set by hand) has no tree and is not one of ours.
            let (Some(commit), Some(tree)) = (ObjectId::parse(row[1]), ObjectId::parse(row[2]))
            else {
                continue;
            };
            pins.push(Pin {
                name: text(row[0]).trim_start_matches('\n').to_owned(),
                commit,
                tree,
                message: text(row[3]),
            });
        }
        Ok(pins)
    }

    /// Returns whether a name such as `feature/x` can be a branch.
    pub fn is_branch_name(&self, name: &str) -> Result<bool> {
        if name.starts_with('-') || name.contains('\0') {
            return Ok(false);
        }
        // Nothing that git refuses can be in such a name.
        let plain = |part: &str| {
            !part.is_empty()
                && part
                    .bytes()
                    .all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
        };
        if name.split('/').all(plain) {
            return Ok(true);
        }
        let call = GitCommand::new(self, CommandScope::Repository, "check-ref-format")
            .arg(format!("refs/heads/{name}"));
        Ok(call.accept(&[0, 1]).run()?.code == 0)
    }

    /// Removes lock files that a killed git left on our own refs; only for the holder of the driver's lock.
    pub(super) fn remove_stale_pin_locks(&self) {
        if self.ref_format() == RefFormat::Files {
            remove_locks(&self.common_dir().join("refs/gatewalk"));
        }
    }
}

/// Returns whether a name has nothing that a ref's name cannot have (git-check-ref-format(1)) and a revision may.
fn can_be_ref(name: &str) -> bool {
    let special = |c: char| c.is_control() || " ~^:?*[\\".contains(c);
    !name.contains(special) && !name.contains("..") && !name.contains("@{")
}

fn remove_locks(dir: &std::path::Path) {
    for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
        let path = entry.path();
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            remove_locks(&path);
        } else if path
            .extension()
            .is_some_and(|extension| extension == "lock")
        {
            // What cannot be removed is reported by the update that needs it.
            let _ = std::fs::remove_file(&path);
        }
    }
}
