//! The user's own `config.yml` as it was read: what is wrong in it is reported with its line.

use gatewalk_core::error::{Error, Result};
use gatewalk_core::model::frontmatter::nearest;
use gatewalk_core::model::yaml::{self, Node};
use std::ffi::OsString;
use std::path::PathBuf;

/// The keys there are.
const KEYS: [&str; 8] = [
    "agents",
    "runners",
    "sandbox",
    "sandbox_writable",
    "allow_unsandboxed",
    "limits",
    "repositories",
    "notify",
];

/// A configuration that could be parsed.
pub(crate) struct UserConfigFile {
    pub(crate) path: PathBuf,
    pub(crate) root: Node,
    text: String,
}

impl UserConfigFile {
    /// Returns the user's configuration; nothing where there is none, or nothing in it.
    pub(crate) fn read(env: &[(OsString, OsString)]) -> Result<Option<UserConfigFile>> {
        let Some(path) = path(env) else {
            return Ok(None);
        };
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(e) => return Err(Error::io("read", &path, &e)),
        };
        let (root, errors) = yaml::parse(&text, 0);
        let Some(root) = root.filter(|_| errors.is_empty()) else {
            let first = errors.into_iter().next();
            return match first {
                Some(error) => Err(wrong(
                    &path,
                    &at_line(&text, error.span.start, &error.message),
                )),
                None => Ok(None),
            };
        };
        let file = UserConfigFile { path, root, text };
        match file.unknown_key() {
            Some(error) => Err(error),
            None => Ok(Some(file)),
        }
    }

    /// Returns the error for the first key that nothing reads: what it was to allow or to forbid would be lost.
    fn unknown_key(&self) -> Option<Error> {
        let mut entries = self.root.entries().iter();
        let entry = entries.find(|entry| !KEYS.contains(&&*entry.key))?;
        let near = nearest(&entry.key, KEYS).map(|near| format!("; did you mean `{near}`?"));
        let what = format!("unknown key `{}`{}", entry.key, near.unwrap_or_default());
        let error = self.wrong(entry.key_span.start, &what);
        Some(error.hint(format!("its keys: {}", KEYS.join(", "))))
    }

    /// Returns the error for what is wrong at a byte of the file.
    pub(crate) fn wrong(&self, at: usize, what: &str) -> Error {
        wrong(&self.path, &at_line(&self.text, at, what))
    }
}

/// Returns what is wrong with the line it is in.
fn at_line(text: &str, at: usize, what: &str) -> String {
    let before = text.as_bytes().get(..at).unwrap_or(text.as_bytes());
    let line = memchr::memchr_iter(b'\n', before).count() + 1;
    format!("line {line}: {what}")
}

/// Returns where the user's configuration is, whether it exists or not.
pub fn path(env: &[(OsString, OsString)]) -> Option<PathBuf> {
    let var = |name: &str| {
        env.iter()
            .find(|(n, _)| n == name)
            .map(|(_, v)| PathBuf::from(v))
    };
    let base = var("XDG_CONFIG_HOME")
        .filter(|p| p.is_absolute())
        .or_else(|| Some(var("HOME")?.join(".config")))?;
    Some(base.join("gatewalk").join("config.yml"))
}

/// Returns the error for a file of the configuration.
pub(crate) fn wrong(path: &std::path::Path, what: &str) -> Error {
    Error::plan(format!("`{}`: {what}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_that_nothing_reads_is_named_with_its_neighbour() {
        for (text, want) in [
            ("sandbox: require\nnotify: {}\n", None),
            (
                "agents: {}\nsandbx: require\n",
                Some("line 2: unknown key `sandbx`; did you mean `sandbox`?"),
            ),
            ("colour: red\n", Some("line 1: unknown key `colour`")),
        ] {
            let root = yaml::parse(text, 0).0.expect("a mapping");
            let file = UserConfigFile {
                path: PathBuf::from("config.yml"),
                root,
                text: text.to_owned(),
            };
            let error = file.unknown_key().map(|e| e.to_string());
            let want = want.map(|want| format!("`config.yml`: {want}"));
            assert_eq!(error, want, "{text}");
        }
    }

    #[test]
    fn what_is_wrong_has_the_line_it_is_in() {
        let text = "a: 1\nb:\n  c: 2\n";
        let rows = [(0, 1), (4, 1), (5, 2), (10, 3), (999, 4)];
        for (at, line) in rows {
            assert_eq!(at_line(text, at, "x"), format!("line {line}: x"), "{at}");
        }
    }
}
