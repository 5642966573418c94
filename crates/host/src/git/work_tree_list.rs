//! The work trees of a repository, as `git worktree list` tells them.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

/// The arguments of `git worktree` for a listing that is read here.
pub(super) const LIST: [&str; 3] = ["list", "--porcelain", "-z"];

/// A work tree that git knows of. Its directory may be gone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ListedWorkTree {
    pub(super) path: PathBuf,
    /// The full name of the ref that it has checked out; none where it is detached or bare.
    pub(super) branch: Option<String>,
}

/// Reads a listing.
pub(super) fn read(listing: &[u8]) -> Vec<ListedWorkTree> {
    let mut found: Vec<ListedWorkTree> = Vec::new();
    for line in listing.split(|byte| *byte == 0) {
        if let Some(path) = line.strip_prefix(b"worktree ") {
            found.push(ListedWorkTree {
                path: PathBuf::from(OsStr::from_bytes(path)),
                branch: None,
            });
        } else if let Some(branch) = line.strip_prefix(b"branch ")
            && let Some(work_tree) = found.last_mut()
        {
            work_tree.branch = Some(String::from_utf8_lossy(branch).into_owned());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_listing_tells_each_work_tree_and_its_branch() {
        let listing = b"worktree /bare\0bare\0\0\
            worktree /a\nb\xff\0HEAD 0123\0branch refs/heads/main\0\0\
            worktree /gone\0HEAD 0123\0detached\0prunable gitdir file points to non-existent location\0\0";
        let found = read(listing);
        let found: Vec<(&[u8], Option<&str>)> = found
            .iter()
            .map(|w| (w.path.as_os_str().as_bytes(), w.branch.as_deref()))
            .collect();
        let wanted: [(&[u8], Option<&str>); 3] = [
            (b"/bare", None),
            (b"/a\nb\xff", Some("refs/heads/main")),
            (b"/gone", None),
        ];
        assert_eq!(found, wanted);
        assert_eq!(read(b""), []);
    }
}
