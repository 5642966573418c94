//! Manifests that no tool can read: what is proposed was found without them, and says so.

use super::{RepositoryFiles, Top};
use crate::path_names::file_name;
use serde_json::Value;

/// Directories whose projects are not the repository's own work.
pub(super) const NOT_THE_PROJECT: &[&str] = &[
    "benches",
    "benchmark",
    "benchmarks",
    "doc",
    "docs",
    "example",
    "examples",
    "fixtures",
    "node_modules",
    "samples",
    "test",
    "testdata",
    "tests",
    "third_party",
    "vendor",
    "website",
];

/// How deep below the top level manifests are looked at, in directories.
const DEEPEST: usize = 2;

/// How many manifests are looked at.
const MOST: usize = 100;

/// How a manifest is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ManifestSyntax {
    Json,
    Toml,
}

const MANIFESTS: [(&str, ManifestSyntax); 4] = [
    ("package.json", ManifestSyntax::Json),
    ("composer.json", ManifestSyntax::Json),
    ("Cargo.toml", ManifestSyntax::Toml),
    ("pyproject.toml", ManifestSyntax::Toml),
];

/// Returns a sentence for each manifest of the repository's own projects that cannot be read: the place and the reason.
pub(super) fn notes(files: &RepositoryFiles<'_>) -> Vec<String> {
    let top = Top(*files);
    let below = files.paths.iter().map(String::as_str);
    let below = below.filter(|path| path.contains('/') && is_own(path));
    let names = MANIFESTS.iter().map(|(name, _)| *name);
    let known = names.chain(below).filter(|path| syntax_of(path).is_some());
    known
        .take(MOST)
        .filter_map(|path| {
            let why = why_unreadable(syntax_of(path)?, &top.text(path)?)?;
            Some(format!(
                "`{path}` cannot be read: {why}. What is proposed was found without it."
            ))
        })
        .collect()
}

/// Returns what a JSON manifest holds; nothing where it cannot be read.
pub(super) fn json(text: &str) -> Value {
    serde_json::from_str(unmarked(text)).unwrap_or(Value::Null)
}

fn is_own(path: &str) -> bool {
    let directories: Vec<&str> = path.split('/').rev().skip(1).collect();
    let own = |name: &&str| !name.starts_with('.') && !NOT_THE_PROJECT.contains(name);
    directories.len() <= DEEPEST && directories.iter().all(own)
}

fn syntax_of(path: &str) -> Option<ManifestSyntax> {
    let mut rows = MANIFESTS.iter();
    let row = rows.find(|(name, _)| *name == file_name(path));
    row.map(|(_, syntax)| *syntax)
}

/// Package managers take a byte order mark for nothing.
fn unmarked(text: &str) -> &str {
    text.trim_start_matches('\u{feff}')
}

/// Returns what a parser says as part of a comment.
fn one_line(message: &str) -> String {
    let plain = message.replace(|c: char| c.is_control(), " ");
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn why_unreadable(syntax: ManifestSyntax, text: &str) -> Option<String> {
    let text = unmarked(text);
    match syntax {
        ManifestSyntax::Json => match serde_json::from_str::<Value>(text) {
            Ok(Value::Object(_)) => None,
            Ok(_) => Some("it holds no object".to_owned()),
            Err(error) => Some(one_line(&error.to_string())),
        },
        ManifestSyntax::Toml => {
            let error = text.parse::<toml::Table>().err()?;
            let at = error.span().map_or(0, |span| span.start).min(text.len());
            let before = &text.as_bytes()[..at];
            let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
            let column = at
                - before
                    .iter()
                    .rposition(|byte| *byte == b'\n')
                    .map_or(0, |end| end + 1)
                + 1;
            let message = one_line(error.message());
            Some(format!("{message} at line {line} column {column}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manifest_that_cannot_be_read_is_named_with_the_place() {
        for (path, text, wanted) in [
            (
                "package.json",
                "{\n  \"name\": \"x\",\n}\n",
                "line 3 column 1",
            ),
            ("package.json", "<<<<<<< HEAD\n{}\n", "line 1 column 1"),
            ("package.json", "", "line 1 column 0"),
            ("package.json", "[]", "it holds no object"),
            ("api/package.json", "{", "line 1 column 1"),
            ("apps/api/composer.json", "{", "line 1 column 1"),
            ("Cargo.toml", "[package\nname = 'x'\n", "line 1 column 9"),
            ("pyproject.toml", "[a]\nx = 1\nx = 2\n", "line 3 column 1"),
            ("package.json", "\u{feff}{}", ""),
            ("Cargo.toml", "\u{feff}[package]\r\nname = 'x'\r\n", ""),
            ("tests/fixtures/package.json", "{", ""),
            ("vendor/x/Cargo.toml", "[", ""),
            ("a/b/c/package.json", "{", ""),
            ("api/package.json.bak", "{", ""),
        ] {
            let paths = [path.to_owned()];
            let found = notes(&RepositoryFiles {
                read: &|name| (name == path).then(|| text.to_owned()),
                listing: &[],
                paths: &paths,
                is_ignored: &|_| false,
                installs: false,
            });
            let place = format!("`{path}` cannot be read: ");
            match wanted {
                "" => assert_eq!(found, [""; 0], "{path} {text}"),
                wanted => assert!(
                    found.len() == 1 && found[0].starts_with(&place) && found[0].contains(wanted),
                    "{path} {text}: {found:?}"
                ),
            }
        }
    }
}
