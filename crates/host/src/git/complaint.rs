//! What git complains of, recognised once where its output is read: nothing else decides by git's words.
//!
//! Every call runs with `LC_ALL=C` and without `LANGUAGE`, so the phrases below are git's own in every locale.

use gatewalk_core::error::{Error, ErrorCause};

/// What a complaint is about, where something is decided by it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ComplaintKind {
    /// No repository is there, or none that git recognises.
    NotARepository,
    /// The repository belongs to another user.
    ForeignOwner,
    /// There is a repository, but no work tree.
    NoWorkTree,
    /// No space is left, or a quota is used up.
    NoSpace,
    /// Something may not be written or read.
    Permission,
    /// An object is damaged or missing.
    DamagedObject,
    /// Another git holds a lock, or left one.
    Locked,
}

use ComplaintKind::{
    DamagedObject, ForeignOwner, Locked, NoSpace, NoWorkTree, NotARepository, Permission,
};

/// Phrases in git's messages and what they mean; the first row of which all phrases are found counts. What could not
/// be written for want of space or permission looks damaged too.
const PHRASES: &[(ComplaintKind, &[&str])] = &[
    (NotARepository, &["not a git repository"]),
    (ForeignOwner, &["dubious ownership"]),
    (NoWorkTree, &["must be run in a work tree"]),
    (NoSpace, &["No space left on device"]),
    (NoSpace, &["uota exceeded"]),
    (NoSpace, &["Out of diskspace"]),
    // Git gives no reason; what could be opened and written to meets the end of the space when it is closed.
    (NoSpace, &["couldn't close '"]),
    (Permission, &["ermission denied"]),
    (Permission, &["ead-only file system"]),
    (Permission, &["insufficient permission"]),
    // Git gives no reason here either; a file in the way has words of its own.
    (Permission, &["unable to create directory for"]),
    (DamagedObject, &["is corrupt"]),
    (DamagedObject, &["corrupt loose object"]),
    (DamagedObject, &["bad object"]),
    (DamagedObject, &["bad tree object"]),
    (DamagedObject, &["unable to read tree"]),
    (DamagedObject, &["unable to read sha1 file"]),
    (DamagedObject, &["missing blob"]),
    (DamagedObject, &["missing tree"]),
    (DamagedObject, &["inflate: data stream error"]),
    (DamagedObject, &["garbage at end of loose object"]),
    (DamagedObject, &["Could not read"]),
    (DamagedObject, &["failed to read object"]),
    (DamagedObject, &["object file", "is empty"]),
    (Locked, &["Unable to create '", "': File exists"]),
    (Locked, &["cannot lock ref '", "': File exists"]),
];

/// The first part of what git wrote to standard error.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Complaint {
    kind: Option<ComplaintKind>,
    text: String,
}

impl Complaint {
    /// Reads what a call wrote to standard error.
    pub(super) fn read(stderr: &[u8]) -> Complaint {
        let text = String::from_utf8_lossy(stderr).into_owned();
        let words: Vec<String> = text.lines().map(without_quoted).collect();
        let has = |phrase: &&str| words.iter().any(|line| line.contains(phrase));
        let known = PHRASES.iter().find(|(_, phrases)| phrases.iter().all(has));
        Complaint {
            kind: known.map(|(kind, _)| *kind),
            text,
        }
    }

    pub(super) fn kind(&self) -> Option<ComplaintKind> {
        self.kind
    }

    /// Returns whether `git add` says that it left out paths it was given, because they are ignored.
    pub(super) fn is_of_ignored_paths(&self) -> bool {
        self.text.starts_with("The following paths are ignored")
    }

    pub(super) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Returns the lines worth showing, without git's prefixes.
    pub(super) fn excerpt(&self) -> String {
        let lines = self
            .text
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty() && !line.starts_with("hint:"))
            // What follows is general advice, and longer than what is kept.
            .take_while(|line| !line.starts_with("Another git process seems to be running"));
        let kept: Vec<&str> = lines
            .take(4)
            .map(|line| {
                line.trim_start_matches("fatal: ")
                    .trim_start_matches("error: ")
            })
            .collect();
        kept.join("; ")
    }

    /// Returns the error of the call `git NAME` that ended with this exit code.
    pub(super) fn to_error(&self, name: &str, code: i32) -> Error {
        let message = match self.excerpt() {
            excerpt if excerpt.is_empty() => {
                format!("`git {name}` failed with exit code {code}")
            }
            excerpt => format!("`git {name}` failed: {excerpt}"),
        };
        match self.kind {
            Some(DamagedObject) => Error::integrity(message).because(ErrorCause::DamagedObject),
            Some(NoSpace) => Error::environment(message).because(ErrorCause::NoSpace),
            Some(Permission) => Error::environment(message).because(ErrorCause::Permission),
            Some(Locked) => Error::environment(message).hint(
                "another git command is running, or one was killed: remove the lock file it names if none is",
            ),
            Some(NotARepository | ForeignOwner | NoWorkTree) | None => Error::environment(message),
        }
    }
}

/// Empties what stands between single quotes: a path or a ref, which may hold any words.
fn without_quoted(line: &str) -> String {
    let mut words = String::new();
    let mut rest = line;
    while let Some(at) = opening_quote(rest) {
        let (before, quoted) = rest.split_at(at + 1);
        let Some(end) = quoted.find('\'') else {
            break;
        };
        words.push_str(before);
        words.push('\'');
        rest = &quoted[end + 1..];
    }
    words + rest
}

/// Returns where a quote opens; the apostrophe in a word such as `can't` does not.
fn opening_quote(text: &str) -> Option<usize> {
    let opens = |(at, _): &(usize, &str)| !text[..*at].ends_with(char::is_alphanumeric);
    text.match_indices('\'').find(opens).map(|(at, _)| at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use gatewalk_core::error::ErrorKind::{Environment, Integrity};

    #[test]
    fn a_complaint_is_known_by_its_words_and_not_by_the_names_in_it() {
        for (stderr, kind) in [
            (
                "fatal: unable to write loose object file: No space left on device",
                Some(NoSpace),
            ),
            (
                "error: unable to write file x: Disk quota exceeded\nfatal: bad object HEAD",
                Some(NoSpace),
            ),
            (
                "fatal: unable to write new index file: Quota exceeded",
                Some(NoSpace),
            ),
            (
                "fatal: sha1 file '/r/.git/index.lock' write error. Out of diskspace",
                Some(NoSpace),
            ),
            (
                "error: insufficient permission for adding an object to repository database .git/objects",
                Some(Permission),
            ),
            (
                "error: unable to open object file: Permission denied",
                Some(Permission),
            ),
            (
                "fatal: cannot create '/r/x': Read-only file system",
                Some(Permission),
            ),
            (
                "fatal: unable to write loose object file: Input/output error",
                None,
            ),
            (
                "error: object file .git/objects/ab/cd is empty",
                Some(DamagedObject),
            ),
            ("error: the index is empty", None),
            (
                "fatal: loose object abcd (stored in .git/objects/ab/cd) is corrupt",
                Some(DamagedObject),
            ),
            ("fatal: bad object HEAD", Some(DamagedObject)),
            ("fatal: not a tree object", None),
            (
                "fatal: not a git repository (or any of the parent directories): .git",
                Some(NotARepository),
            ),
            (
                "warning: unable to access '/root/.gitconfig': Permission denied\nfatal: not a git repository: '/r/.git'",
                Some(NotARepository),
            ),
            (
                "fatal: detected dubious ownership in repository at '/r'",
                Some(ForeignOwner),
            ),
            (
                "fatal: this operation must be run in a work tree",
                Some(NoWorkTree),
            ),
            (
                "fatal: Unable to create '/r/.git/index.lock': File exists.\n\nAnother git process seems to be running",
                Some(Locked),
            ),
            (
                "fatal: Unable to create 'it's/.git/index.lock': File exists.",
                Some(Locked),
            ),
            (
                "error: cannot lock ref 'HEAD': Unable to create '/r/.git/HEAD.lock': File exists.",
                Some(Locked),
            ),
            ("error: couldn't close 'HEAD.lock'", Some(NoSpace)),
            ("fatal: cannot mkdir '/r/a.lock': File exists", None),
            // What a path or a ref is called says nothing.
            (
                "fatal: could not open '/r/bad object/not a git repository': Input/output error",
                None,
            ),
            (
                "error: can't stat 'missing blob' or 'is corrupt': Input/output error",
                None,
            ),
            ("error: can't read 'x': bad object", Some(DamagedObject)),
            ("", None),
        ] {
            assert_eq!(Complaint::read(stderr.as_bytes()).kind(), kind, "{stderr}");
        }
    }

    #[test]
    fn an_error_has_the_cause_and_the_way_out_of_its_complaint() {
        for (stderr, kind, cause, hint) in [
            (
                "fatal: bad object HEAD",
                Integrity,
                Some(ErrorCause::DamagedObject),
                "git fsck",
            ),
            (
                "fatal: x: No space left on device",
                Environment,
                Some(ErrorCause::NoSpace),
                "free some",
            ),
            (
                "fatal: x: Permission denied",
                Environment,
                Some(ErrorCause::Permission),
                "able to write",
            ),
            (
                "fatal: Unable to create 'x.lock': File exists.",
                Environment,
                None,
                "remove the lock file",
            ),
            ("fatal: anything else", Environment, None, ""),
        ] {
            let error = Complaint::read(stderr.as_bytes()).to_error("add", 128);
            assert_eq!((error.kind, error.cause), (kind, cause), "{stderr}");
            let hints = error.hints.join("\n");
            assert!(hints.contains(hint), "{stderr}: {hints}");
            assert_eq!(hints.is_empty(), hint.is_empty(), "{stderr}: {hints}");
        }
    }

    #[test]
    fn an_error_quotes_the_lines_that_matter_or_the_exit_code() {
        for (stderr, message) in [
            (
                "hint: try again\nfatal: one\n\nerror: two\nthree\nfour\nfive\n",
                "`git add` failed: one; two; three; four",
            ),
            ("hint: nothing else\n", "`git add` failed with exit code 3"),
        ] {
            let error = Complaint::read(stderr.as_bytes()).to_error("add", 3);
            assert_eq!(error.to_string(), message);
        }
    }
}
