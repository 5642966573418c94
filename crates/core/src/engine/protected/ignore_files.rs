//! Files that say what is not looked at, by git and by tools that go by it: where they name what is in the tree, that is
//! no longer looked at either.

use super::super::guards;
use super::Policy;
use crate::engine::changed_file::{ChangedFile, ChangedPathKind};
use crate::path_names::file_name;

/// Returns whether a path is of such a file.
pub(crate) fn is_one(path: &str) -> bool {
    let name = file_name(path);
    name.starts_with('.') && name.ends_with("ignore")
}

impl Policy {
    /// Returns whether the oracle runs something that goes by such files.
    pub(crate) fn goes_by_ignore_files(&self) -> bool {
        const TOOLS: [&str; 7] = ["rg", "ag", "fd", "fdfind", "codespell", "typos", "treefmt"];
        self.runs_linters()
            || TOOLS.iter().any(|tool| self.programs.contains(*tool))
            || self.asks_git()
    }

    /// Returns whether the oracle asks git what changed, or what is there: it says nothing of what is ignored and not its own.
    fn asks_git(&self) -> bool {
        let asks = ["diff", "status", "ls-files", "diff-index", "diff-files"];
        self.words.contains("git") && asks.iter().any(|word| self.words.contains(*word))
    }
}

/// Returns the files that are no longer there, where the oracle asks git what changed: what is ignored may be made again, and
/// nobody compares it.
pub(crate) fn gone(policy: &Policy, pairs: &[ChangedFile<'_>]) -> Vec<String> {
    let gone = pairs.iter().filter(|pair| pair.new.is_none());
    let gone =
        gone.filter(|pair| pair.change.kind == ChangedPathKind::Deleted && policy.asks_git());
    gone.map(|pair| pair.change.path.clone()).collect()
}

/// Returns the changed ones that now hide files of a tree with these paths.
pub(crate) fn hiding(policy: &Policy, pairs: &[ChangedFile<'_>], paths: &[String]) -> Vec<String> {
    let hides = |pair: &&ChangedFile<'_>| {
        let path = &pair.change.path;
        let place = path.strip_suffix(file_name(path)).unwrap_or_default();
        let (old, new) = (lines(pair.old), lines(pair.new));
        let joined = new.iter().filter(|line| !old.contains(line));
        let globs: Vec<String> = joined.flat_map(|line| globs(place, line)).collect();
        let globs: Vec<&str> = globs.iter().map(String::as_str).collect();
        let set = guards::set(&globs);
        !globs.is_empty() && paths.iter().any(|path| set.is_match(path))
    };
    let asked = pairs.iter().filter(|pair| is_one(&pair.change.path));
    let found = asked.filter(|pair| !policy.declares_part(&pair.change.path));
    let found = found.filter(hides);
    found.map(|pair| pair.change.path.clone()).collect()
}

fn lines(bytes: Option<&[u8]>) -> Vec<String> {
    let text = String::from_utf8_lossy(bytes.unwrap_or_default());
    let lines = text.lines().map(str::trim_end);
    let rules = lines.filter(|line| !line.is_empty() && !line.starts_with(['#', '!']));
    rules.map(str::to_owned).collect()
}

/// Returns globs of what a line names: from its own directory where it has a slash, else anywhere below.
fn globs(place: &str, line: &str) -> [String; 2] {
    let name = line.trim_end_matches('/');
    let anchored = name.contains('/');
    let name = name.trim_start_matches('/');
    let glob = match anchored {
        true => format!("{place}{name}"),
        false => format!("{place}**/{name}"),
    };
    [format!("{glob}/**"), glob]
}

#[cfg(test)]
mod tests {
    use super::super::Declared;
    use super::super::tests::change;
    use super::*;

    #[test]
    fn what_is_gone_is_asked_for_where_git_is_asked_what_changed() {
        let change = change("fields.txt", Some("id\n"), None);
        let pair = ChangedFile {
            change: &change,
            old: Some(b"id\n"),
            new: None,
        };
        for (command, want) in [
            ("sh generate.sh && git diff --exit-code", 1),
            ("test -z \"$(git status --porcelain)\"", 1),
            ("sh generate.sh", 0),
        ] {
            let policy = Policy::new(&[], Declared::default(), &[command]);
            assert_eq!(gone(&policy, &[pair]).len(), want, "{command}");
        }
    }

    #[test]
    fn what_hides_files_of_the_tree_is_found() {
        let paths = ["pkg/calc.py", "pkg/sub/more.py", "a.txt"].map(str::to_owned);
        for (path, old, new, want) in [
            (".gitignore", "", "pkg/\n", true),
            (".gitignore", "", "*.py\n", true),
            (".gitignore", "", "/pkg/sub\n", true),
            ("pkg/.ignore", "", "sub\n", true),
            (".gitignore", "pkg/\n", "pkg/\ndist/\n", false),
            (
                ".gitignore",
                "",
                "dist/\n.venv\n*.pyc\n# pkg\n!pkg\n",
                false,
            ),
            ("pkg/.gitignore", "", "/pkg\n", false),
            ("notes.txt", "", "pkg\n", false),
        ] {
            let change = change(path, Some(old), Some(new));
            let pair = ChangedFile {
                change: &change,
                old: Some(old.as_bytes()),
                new: Some(new.as_bytes()),
            };
            let policy = Policy::new(&[], Declared::default(), &["ruff check ."]);
            assert!(policy.goes_by_ignore_files());
            let found = hiding(&policy, &[pair], &paths);
            assert_eq!(!found.is_empty(), want, "{path}: {new}");
        }
    }
}
