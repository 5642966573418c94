//! Several files of the user's written as one: all of them, or none.
//!
//! Invariants: everything that needs space or permission happens beside the targets first; from then on only names
//! change, and a change of names that fails is undone. A directory that is new appears whole. Absent on purpose: what to
//! write, and a kill between two changes of names, which the next run of the same command adds to.

use super::crash;
use super::files::{TEMPORARY_SUFFIX, bare, flush, resolve, temporary_prefix};
use gatewalk_core::error::{Error, Result};
use std::fs::{self, Permissions};
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use tempfile::{Builder, TempDir, TempPath};

/// One file of a set that is written whole or not at all.
#[derive(Debug, Clone, Copy)]
pub struct FileWrite<'a> {
    /// Where, below the root, with `/`.
    pub path: &'a str,
    /// What is there afterwards; none: nothing.
    pub content: Option<&'a [u8]>,
    /// Whether nothing may be there before.
    pub fresh: bool,
}

/// A change of names that is ready.
enum StagedChange {
    /// A new directory, with all that is new in it.
    Directory(TempDir, PathBuf),
    /// A file that is new or takes another's place; the other is kept until all is done.
    File(TempPath, PathBuf, Option<TempPath>),
    /// A file that goes; kept likewise.
    Gone(PathBuf, TempPath),
}

/// Writes them, or leaves everything as it is.
pub fn apply(root: &Path, changes: &[FileWrite<'_>]) -> Result<()> {
    let mut steps = stage(root, changes).map_err(unchanged)?;
    for done in 0..steps.len() {
        if let Err(error) = steps[done].perform() {
            for step in steps[..done].iter().rev() {
                step.undo();
            }
            return Err(unchanged(error));
        }
    }
    for step in &steps {
        let parent = step.target().parent().unwrap_or(root);
        flush(parent)?;
    }
    // What was kept goes with the steps, and a directory that found its place stays there.
    for step in steps {
        if let StagedChange::Directory(staged, _) = step {
            drop(staged.keep());
        }
    }
    Ok(())
}

fn unchanged(error: Error) -> Error {
    error.hint("nothing was written")
}

/// Prepares every change beside its target, in their order; a new directory where its first file is.
fn stage(root: &Path, changes: &[FileWrite<'_>]) -> Result<Vec<StagedChange>> {
    let mut steps: Vec<StagedChange> = Vec::new();
    for change in changes {
        let path = root.join(change.path);
        let Some(content) = change.content else {
            let kept = keep(&path)?;
            steps.push(StagedChange::Gone(path, kept));
            continue;
        };
        let Some(new) = missing_directory(root, &path) else {
            steps.push(stage_file(path, content, change.fresh)?);
            continue;
        };
        let inside = path.strip_prefix(&new).unwrap_or(&path);
        let known = steps.iter().find_map(|step| match step {
            StagedChange::Directory(staged, to) if *to == new => Some(staged.path().to_path_buf()),
            _ => None,
        });
        let staged = match known {
            Some(staged) => staged,
            None => {
                let parent = new.parent().unwrap_or(root);
                let mut builder = hidden();
                builder.permissions(Permissions::from_mode(0o777));
                let staged = builder.tempdir_in(parent);
                let staged = staged.map_err(|e| Error::io("create", &new, &bare(&e)))?;
                let path = staged.path().to_path_buf();
                steps.push(StagedChange::Directory(staged, new.clone()));
                path
            }
        };
        write_new(&staged.join(inside), &path, content)?;
    }
    Ok(steps)
}

/// Returns the outermost directory on the way to a file that does not exist.
fn missing_directory(root: &Path, path: &Path) -> Option<PathBuf> {
    let directories = path.ancestors().skip(1).take_while(|p| *p != root);
    directories
        .filter(|p| fs::symlink_metadata(p).is_err())
        .last()
        .map(Path::to_path_buf)
}

fn hidden() -> Builder<'static, 'static> {
    let mut builder = Builder::new();
    builder.prefix(temporary_prefix()).suffix(TEMPORARY_SUFFIX);
    builder
}

/// Writes a file into a directory that nobody sees yet.
fn write_new(at: &Path, called: &Path, content: &[u8]) -> Result<()> {
    let failed = |e: std::io::Error| Error::io("write", called, &e);
    crash::point("write");
    let parent = at.parent().unwrap_or(at);
    fs::create_dir_all(parent).map_err(failed)?;
    let mut file = fs::File::create_new(at).map_err(failed)?;
    file.write_all(content).map_err(failed)?;
    file.sync_all().map_err(failed)?;
    flush(parent).map(drop)
}

fn stage_file(path: PathBuf, content: &[u8], fresh: bool) -> Result<StagedChange> {
    let failed = |e: std::io::Error| Error::io("write", &path, &e);
    crash::point("write");
    let target = match fresh {
        true => path.clone(),
        false => resolve(&path).map_err(failed)?,
    };
    let old = fs::metadata(&target).ok().filter(fs::Metadata::is_file);
    let mode = old
        .as_ref()
        .map_or(0o666, |m| m.permissions().mode() & 0o7777);
    let parent = target.parent().unwrap_or(&target);
    let mut staged = hidden()
        .permissions(Permissions::from_mode(mode & 0o777))
        .tempfile_in(parent)
        .map_err(|e| failed(bare(&e)))?;
    if old.is_some() {
        let mode = Permissions::from_mode(mode);
        staged.as_file().set_permissions(mode).map_err(failed)?;
    }
    staged.write_all(content).map_err(failed)?;
    staged.as_file().sync_all().map_err(failed)?;
    let kept = old.map(|_| keep(&target)).transpose()?;
    Ok(StagedChange::File(staged.into_temp_path(), target, kept))
}

/// Gives a file a second name, from which it can be restored without any space.
fn keep(path: &Path) -> Result<TempPath> {
    let failed = |e: std::io::Error| Error::io("replace", path, &e);
    let parent = path.parent().unwrap_or(path);
    let kept = hidden().make_in(parent, |name| {
        // Where there are no second names, a copy does as well.
        fs::hard_link(path, name).or_else(|_| fs::copy(path, name).map(drop))
    });
    kept.map(|k| k.into_temp_path())
        .map_err(|e| failed(bare(&e)))
}

impl StagedChange {
    fn target(&self) -> &Path {
        match self {
            StagedChange::Directory(_, to)
            | StagedChange::File(_, to, _)
            | StagedChange::Gone(to, _) => to,
        }
    }

    fn perform(&mut self) -> Result<()> {
        let done = crash::around("rename", || match &*self {
            StagedChange::Directory(staged, to) => fs::rename(staged.path(), to),
            StagedChange::File(staged, to, _) => fs::rename(staged, to),
            StagedChange::Gone(path, _) => fs::remove_file(path),
        });
        done.map_err(|e| Error::io("write", self.target(), &e))
    }

    /// Takes it back; it has just been done, so that what fails here is not to be helped.
    fn undo(&self) {
        drop(match self {
            StagedChange::Directory(_, to) => fs::remove_dir_all(to),
            StagedChange::File(_, to, None) => fs::remove_file(to),
            StagedChange::File(_, to, Some(kept)) | StagedChange::Gone(to, kept) => {
                fs::rename(kept, to)
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    /// Every file below a directory, with what is in it.
    fn files(root: &Path) -> BTreeMap<String, String> {
        let entries = walkdir::WalkDir::new(root)
            .into_iter()
            .map(std::result::Result::unwrap);
        let name = |p: &Path| p.strip_prefix(root).unwrap().to_string_lossy().into_owned();
        entries
            .filter(|e| e.path() != root)
            .map(|e| {
                let text = fs::read_to_string(e.path()).unwrap_or_default();
                (name(e.path()), text)
            })
            .collect()
    }

    fn new<'a>(path: &'a str, content: &'a str) -> FileWrite<'a> {
        FileWrite {
            path,
            content: Some(content.as_bytes()),
            fresh: true,
        }
    }

    fn start() -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        for (name, text) in [("old", "1"), ("gone", "2"), ("sub/old", "3")] {
            let path = dir.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        dir
    }

    #[test]
    fn all_of_it_is_there_and_nothing_else() {
        let dir = start();
        let replace = FileWrite {
            fresh: false,
            ..new("old", "new")
        };
        let gone = FileWrite {
            path: "gone",
            content: None,
            fresh: false,
        };
        let changes = [
            new("a/b/c", "x"),
            new("a/d", "y"),
            replace,
            new("sub/e", "z"),
            gone,
        ];
        apply(dir.path(), &changes).unwrap();
        let found = files(dir.path());
        let want = [
            ("a", ""),
            ("a/b", ""),
            ("a/b/c", "x"),
            ("a/d", "y"),
            ("old", "new"),
            ("sub", ""),
            ("sub/e", "z"),
            ("sub/old", "3"),
        ];
        let want = want.map(|(n, t)| (n.to_owned(), t.to_owned()));
        assert_eq!(found, BTreeMap::from(want));
        let mode = |name: &str| {
            fs::metadata(dir.path().join(name))
                .unwrap()
                .permissions()
                .mode()
        };
        assert_eq!(mode("a"), mode("sub"), "as any other program makes it");
        assert_eq!(mode("a/d"), mode("sub/old"));
    }

    #[test]
    fn what_fails_early_or_late_leaves_everything_as_it_was() {
        let replace = |path| FileWrite {
            fresh: false,
            ..new(path, "new")
        };
        let gone = |path| FileWrite {
            path,
            content: None,
            fresh: false,
        };
        let rows: [&[FileWrite<'_>]; 4] = [
            // Not even staged.
            &[new("a/b", "x"), replace("old"), gone("missing")],
            &[
                new("a/b", "x"),
                replace("old"),
                new("old/under-a-file", "x"),
            ],
            // Staged, and then a name that cannot be taken.
            &[
                new("n", "x"),
                replace("old"),
                new("a/b", "x"),
                replace("sub"),
            ],
            &[replace("old"), gone("gone"), gone("gone")],
        ];
        for row in rows {
            let dir = start();
            let before = files(dir.path());
            let error = apply(dir.path(), row).unwrap_err();
            assert_eq!(files(dir.path()), before, "{row:?}");
            assert!(
                error.hints.contains(&"nothing was written".to_owned()),
                "{error:?}"
            );
        }
    }
}
