//! What stands where a file or a directory of the state directory would be read, and is neither to a run.

/// A kind of entry that no run reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnreadEntry {
    /// A symbolic link: git keeps nothing that lies behind one.
    Link,
    /// A repository of its own, such as a submodule: git keeps no file of one.
    Repository,
    /// A directory. Only where a file would be read is it in the way.
    Directory,
}

impl UnreadEntry {
    /// Returns why nobody reads it, in words that go on with its name.
    pub(crate) fn why(self) -> &'static str {
        match self {
            UnreadEntry::Link => "it is a symbolic link, and no run follows one",
            UnreadEntry::Repository => {
                "it is a repository of its own, and git keeps no file of one"
            }
            UnreadEntry::Directory => "it is a directory, where a file is read",
        }
    }

    /// Returns what mends it.
    pub fn remedy(self) -> &'static str {
        match self {
            UnreadEntry::Link => "put what it leads to in its place",
            UnreadEntry::Repository => {
                "take its `.git` away and what git keeps of it (`git rm --cached`), then add its files"
            }
            UnreadEntry::Directory => "put a file in its place",
        }
    }
}
