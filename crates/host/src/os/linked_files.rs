//! Ignored files a slot takes from the checkout: `link` of verification.yml. They are copied: a
//! link would let a session write into the user's checkout. Links inside of them stay links, as package managers make them.

use super::Os;
use crate::git::GitPath;
use gatewalk_core::driver::ports::SlotId;
use gatewalk_core::error::{Error, Result};
use std::fs;
use std::path::{Component, Path};

impl Os<'_> {
    /// Copies what a slot does not have yet; returns whether there was any.
    pub(super) fn update_links(&self, slot: SlotId, link: &[String]) -> Result<bool> {
        let mut linked = false;
        if link.is_empty() {
            return Ok(linked);
        }
        let slot = self.slot(slot)?;
        for path in link {
            let path = path.strip_prefix("./").unwrap_or(path);
            let relative = Path::new(path);
            let inside = relative
                .components()
                .all(|c| matches!(c, Component::Normal(_)));
            if !inside {
                return Err(Error::plan(format!(
                    "`link` names `{path}`, which is not a path inside the repository"
                )));
            }
            let (from, to) = (
                self.git.work_tree().join(relative),
                slot.dir().join(relative),
            );
            let tracked = |p: &str| {
                let head = self.git.head().ok().and_then(|h| h.commit);
                head.is_some_and(|c| {
                    self.git
                        .file_at(c, &GitPath::new(p.as_bytes()))
                        .is_ok_and(|f| f.is_some())
                })
            };
            if from.exists() && fs::symlink_metadata(&to).is_err() && !tracked(path) {
                copy(&from, &to)?;
                linked = true;
            }
        }
        Ok(linked)
    }

    /// Returns whether a file of a slot is the user's own: as it is in the checkout, and nothing of the repository's.
    pub(super) fn is_users_own(&self, slot: SlotId, path: &str) -> bool {
        let Ok(slot) = self.slot(slot) else {
            return false;
        };
        let tracked = self.git.tracked_among(&slot, &[path.to_owned()]);
        let there = fs::read(slot.dir().join(path));
        let own = fs::read(self.git.work_tree().join(path));
        tracked.is_ok_and(|tracked| tracked.is_empty())
            && own.is_ok_and(|own| there.is_ok_and(|there| own == there))
    }
}

/// Copies a file, or all that a directory holds. Where a link stands for it, what it leads to is copied: beside a copy of the
/// link, everything after it would be written through that, over the user's own files.
fn copy(from: &Path, to: &Path) -> Result<()> {
    let from = &fs::canonicalize(from).map_err(|e| Error::io("find", from, &e))?;
    let there = to
        .ancestors()
        .find_map(|outer| fs::canonicalize(outer).ok());
    if there.is_some_and(|there| there.starts_with(from)) {
        let (from, to) = (from.display(), to.display());
        let inside = format!("`link` leads to `{from}`, and the slot `{to}` is inside");
        return Err(Error::plan(inside).hint("name what a session needs of it"));
    }
    for entry in walkdir::WalkDir::new(from).follow_links(false) {
        let entry = entry
            .map_err(|e| Error::environment(format!("cannot read `{}`: {e}", from.display())))?;
        let relative = entry.path().strip_prefix(from).unwrap_or(Path::new(""));
        let target = if relative.as_os_str().is_empty() {
            to.to_path_buf()
        } else {
            to.join(relative)
        };
        let failed = |e: std::io::Error| Error::io("copy", entry.path(), &e);
        if entry.file_type().is_dir() {
            fs::create_dir_all(&target).map_err(failed)?;
        } else {
            super::runtime::make_parent(&target)?;
            if entry.file_type().is_symlink() {
                let pointed = fs::read_link(entry.path()).map_err(failed)?;
                std::os::unix::fs::symlink(pointed, &target).map_err(failed)?;
            } else if entry.file_type().is_file() {
                fs::copy(entry.path(), &target).map_err(failed)?;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn where_a_link_stands_for_a_directory_the_users_files_stay_whole() {
        let dir = tempfile::tempdir().unwrap();
        let at = |path: &str| dir.path().join(path);
        fs::create_dir_all(at("shared/.bin")).unwrap();
        fs::write(at("shared/a.js"), "a").unwrap();
        symlink("../a.js", at("shared/.bin/a")).unwrap();
        symlink(at("shared"), at("modules")).unwrap();
        fs::write(at("key"), "k").unwrap();
        symlink("key", at(".env")).unwrap();
        let inside = copy(dir.path(), &at("slots/0/all")).unwrap_err();
        assert!(inside.to_string().contains("is inside"), "{inside}");
        assert!(!at("slots").exists());
        for linked in ["modules", ".env"] {
            copy(&at(linked), &at("slot").join(linked)).unwrap();
            let made = fs::symlink_metadata(at("slot").join(linked)).unwrap();
            assert!(!made.is_symlink(), "{linked}");
        }
        fs::write(at("slot/modules/a.js"), "b").unwrap();
        for (path, want) in [("shared/a.js", "a"), ("slot/.env", "k"), ("key", "k")] {
            assert_eq!(fs::read_to_string(at(path)).unwrap(), want, "{path}");
        }
        assert!(at("slot/modules/.bin/a").is_symlink());
    }
}
