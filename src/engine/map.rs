//! A map of the repository for a prompt: folders by size, and the heads of what is near the unit.
//!
//! Made from git's file list and the first lines of definitions, without a model, and never longer
//! than [`LIMIT`]. Deliberately absent: reading files; whoever asks brings the ones [`wanted`] names.

use super::guards;
use crate::model::unit::Unit;
use std::collections::BTreeMap;

/// The most bytes a map has.
pub const LIMIT: usize = 8 * 1024;

/// The most files whose heads are looked at.
const HEADS: usize = 60;

/// The most patterns of a scope: a body may name any number of paths.
const PATTERNS: usize = 100;

/// The most definitions that are shown of a file.
const SYMBOLS: usize = 12;

/// The longest definition line that is shown, in characters.
const LINE: usize = 96;

/// What a unit is about: the globs of its frontmatter, and the paths its text names.
///
/// Compiled once: it is asked about every path of the repository.
#[derive(Debug, Clone, Default)]
pub struct Scope {
    patterns: Vec<Pattern>,
}

#[derive(Debug, Clone)]
struct Pattern {
    text: String,
    /// The folder it stays inside.
    fixed: String,
    matcher: Option<globset::GlobMatcher>,
}

impl Pattern {
    /// Returns true for a path inside; a folder named without a slash means all of it.
    fn covers(&self, path: &str) -> bool {
        if !path.starts_with(self.fixed.as_str()) {
            return false;
        }
        let named = path
            .strip_prefix(self.text.as_str())
            .is_some_and(|r| r.is_empty() || r.starts_with('/'));
        // Without a wildcard the text is all there is, and a glob need not be asked.
        named || self.matcher.as_ref().is_some_and(|m| m.is_match(path))
    }
}

impl Scope {
    /// Returns the scope of a unit.
    pub fn of(unit: &Unit) -> Scope {
        let front = &unit.front;
        let mut patterns: Vec<String> = [&front.touches, &front.produces]
            .into_iter()
            .flat_map(Unit::list)
            .map(str::to_owned)
            .collect();
        patterns.extend(paths_in(unit.doc.body_text()));
        Scope::of_patterns(&patterns)
    }

    /// Returns a scope of given paths and globs.
    pub fn of_patterns(patterns: &[String]) -> Scope {
        let mut known: Vec<&str> = Vec::new();
        for pattern in patterns {
            let pattern = pattern.trim_start_matches("./").trim_end_matches('/');
            if !known.contains(&pattern) && known.len() < PATTERNS {
                known.push(pattern);
            }
        }
        let patterns = known.into_iter().map(|text| Pattern {
            text: text.to_owned(),
            fixed: fixed_part(text),
            matcher: text
                .contains(['*', '?', '[', '{'])
                .then(|| guards::glob(text))
                .flatten(),
        });
        Scope {
            patterns: patterns.collect(),
        }
    }

    /// Returns how near a path is: 3 inside, 2 beside, 1 under the same top folder, 0 elsewhere.
    pub fn weight(&self, path: &str) -> u8 {
        let of = |pattern: &Pattern| -> u8 {
            let fixed = pattern.fixed.as_str();
            if pattern.covers(path) {
                3
            } else if !fixed.is_empty() && folder(path) == fixed {
                2
            } else if !fixed.is_empty() && top(path) == fixed.split('/').next() {
                1
            } else {
                0
            }
        };
        self.patterns.iter().map(of).max().unwrap_or(0)
    }

    /// Returns true when something can lie inside both this scope and a glob.
    pub fn meets(&self, glob: &str) -> bool {
        let Some(other) = guards::glob(glob) else {
            return false;
        };
        self.patterns
            .iter()
            .any(|own| own.covers(glob) || other.is_match(&own.text) || nested(&own.text, glob))
    }
}

/// Returns true when the fixed part of one glob lies under the fixed part of the other, and the
/// other goes on from there.
fn nested(one: &str, other: &str) -> bool {
    let under = |outer: &str, inner: &str| {
        let fixed = fixed_part(outer);
        outer.contains(['*', '?', '['])
            && (fixed.is_empty() || inner == fixed || inner.starts_with(&format!("{fixed}/")))
            && (outer.ends_with("**") || outer.ends_with("**/*"))
    };
    under(one, &fixed_part(other)) || under(other, &fixed_part(one))
}

/// Returns the folder a pattern stays inside: what is before its first wildcard, or its folder.
fn fixed_part(pattern: &str) -> String {
    let end = pattern.find(['*', '?', '[', '{']).unwrap_or(pattern.len());
    let end = pattern[..end].rfind('/').unwrap_or(0);
    pattern[..end].to_owned()
}

fn folder(path: &str) -> &str {
    path.rfind('/').map_or("", |at| &path[..at])
}

fn top(path: &str) -> Option<&str> {
    path.split_once('/')
        .map(|(top, _)| top)
        .filter(|t| !t.is_empty())
}

/// Returns the paths a text names in code spans: what has a slash or an extension, and no blank.
pub fn paths_in(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for span in text.split('`').skip(1).step_by(2) {
        let plain = span.trim_end_matches([':', ',', '.']);
        let looks = !plain.is_empty()
            && plain.len() < 200
            && !plain.contains(|c: char| c.is_whitespace() || "(){}<>|&;$\"'=".contains(c))
            && !plain.contains("://")
            && (plain.contains('/') || has_extension(plain));
        if looks && !found.iter().any(|f| f == plain) {
            found.push(plain.trim_start_matches("./").to_owned());
        }
    }
    found
}

fn has_extension(name: &str) -> bool {
    let Some((stem, extension)) = name.rsplit_once('.') else {
        return false;
    };
    !stem.is_empty()
        && (1..=5).contains(&extension.len())
        && extension.bytes().all(|b| b.is_ascii_lowercase())
}

/// Returns the files whose heads the map shows, nearest first.
pub fn wanted(paths: &[String], scope: &Scope) -> Vec<String> {
    let mut near: Vec<(u8, &String)> = paths
        .iter()
        .filter(|p| language(p).is_some() && !hidden(p))
        .map(|p| (scope.weight(p), p))
        .collect();
    near.sort_by(|a, b| {
        b.0.cmp(&a.0)
            .then(a.1.len().cmp(&b.1.len()))
            .then(a.1.cmp(b.1))
    });
    near.into_iter()
        .take(HEADS)
        .map(|(_, p)| p.clone())
        .collect()
}

/// Returns the map; `heads` holds the files of [`wanted`] in its order.
pub fn render(paths: &[String], heads: &[(String, Vec<u8>)], scope: &Scope) -> String {
    if paths.is_empty() {
        return String::new();
    }
    let mut text = String::from("# The repository\n\n");
    let mut folders: BTreeMap<&str, (usize, u8)> = BTreeMap::new();
    for path in paths.iter().filter(|p| !hidden(p)) {
        let entry = folders.entry(folder(path)).or_default();
        entry.0 += 1;
        entry.1 = entry.1.max(scope.weight(path));
    }
    let mut order: Vec<(&str, usize, u8)> =
        folders.into_iter().map(|(f, (n, w))| (f, n, w)).collect();
    order.sort_by(|a, b| {
        b.2.cmp(&a.2)
            .then(depth(a.0).cmp(&depth(b.0)))
            .then(a.0.cmp(b.0))
    });
    // Folders get at most a third, so that definitions of what is near always have room.
    fill(
        &mut text,
        LIMIT / 3,
        order.iter().map(|(f, n, _)| {
            let name = if f.is_empty() { "." } else { f };
            format!("- {name}/ ({n} file{})\n", if *n == 1 { "" } else { "s" })
        }),
    );
    text.push('\n');
    for (path, bytes) in heads {
        let mut part = format!("{path}\n");
        for symbol in symbols(path, bytes) {
            part.push_str(&format!("    {symbol}\n"));
        }
        if text.len() + part.len() > LIMIT {
            break;
        }
        text.push_str(&part);
    }
    text
}

fn fill(text: &mut String, limit: usize, lines: impl ExactSizeIterator<Item = String>) {
    let all = lines.len();
    for (i, line) in lines.enumerate() {
        if text.len() + line.len() > limit {
            text.push_str(&format!("- … and {} more folders\n", all - i));
            return;
        }
        text.push_str(&line);
    }
}

fn depth(folder: &str) -> usize {
    folder.matches('/').count()
}

/// The state directories and dotted folders: no work happens there.
fn hidden(path: &str) -> bool {
    path.starts_with('.')
}

/// How a language begins a definition.
struct Language {
    extensions: &'static [&'static str],
    begins: &'static [&'static str],
}

const LANGUAGES: &[Language] = &[
    Language {
        extensions: &["rs"],
        begins: &[
            "fn ",
            "pub fn ",
            "pub(crate) fn ",
            "async fn ",
            "pub async fn ",
            "struct ",
            "pub struct ",
            "enum ",
            "pub enum ",
            "trait ",
            "pub trait ",
            "impl",
            "mod ",
            "pub mod ",
            "macro_rules!",
        ],
    },
    Language {
        extensions: &["py", "pyi"],
        begins: &["def ", "class ", "async def "],
    },
    Language {
        extensions: &["js", "jsx", "ts", "tsx", "mjs", "cjs"],
        begins: &[
            "export ",
            "function ",
            "async function ",
            "class ",
            "interface ",
            "type ",
        ],
    },
    Language {
        extensions: &["go"],
        begins: &["func ", "type "],
    },
    Language {
        extensions: &["java", "kt", "cs", "scala", "swift", "php"],
        begins: &[
            "public ",
            "protected ",
            "class ",
            "interface ",
            "enum ",
            "fun ",
            "func ",
            "struct ",
            "object ",
            "record ",
            "function ",
        ],
    },
    Language {
        extensions: &["rb", "ex", "exs"],
        begins: &["def ", "class ", "module ", "defmodule "],
    },
    Language {
        extensions: &["c", "h", "cc", "cpp", "hpp"],
        begins: &[
            "struct ",
            "class ",
            "enum ",
            "typedef ",
            "namespace ",
            "template",
            "int ",
            "void ",
            "static ",
            "extern ",
        ],
    },
    Language {
        extensions: &["sh", "bash"],
        begins: &["function "],
    },
    Language {
        extensions: &["sql"],
        begins: &["CREATE ", "create "],
    },
];

fn language(path: &str) -> Option<&'static Language> {
    let extension = path.rsplit('/').next()?.rsplit_once('.')?.1;
    LANGUAGES.iter().find(|l| l.extensions.contains(&extension))
}

/// Returns the first lines of a file's definitions.
pub fn symbols(path: &str, bytes: &[u8]) -> Vec<String> {
    let Some(language) = language(path) else {
        return vec![];
    };
    let text = String::from_utf8_lossy(bytes);
    let shell = language.extensions.contains(&"sh");
    let heads = text.lines().filter(|line| {
        let bare = line.trim_start();
        // Deeper than a method is inside something that is shown already.
        line.len() - bare.len() <= 4
            && (language.begins.iter().any(|b| bare.starts_with(b))
                || (shell
                    && bare
                        .split_once("()")
                        .is_some_and(|(n, _)| !n.is_empty() && !n.contains(' '))))
    });
    heads
        .take(SYMBOLS)
        .map(|line| {
            let line = line.trim().trim_end_matches(['{', ':', ' ']);
            let mut short: String = line
                .chars()
                .filter(|c| !c.is_control())
                .take(LINE)
                .collect();
            if short.len() < line.len() {
                short.push('…');
            }
            short
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scope(patterns: &[&str]) -> Scope {
        Scope::of_patterns(&patterns.iter().map(|p| (*p).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn what_is_near_comes_first_and_the_map_never_grows_past_its_limit() {
        let mut paths: Vec<String> = (0..2_000)
            .map(|i| format!("lib/m{i}/deep/file{i}.rs"))
            .collect();
        paths.push("src/cart/total.rs".to_owned());
        paths.push("src/cart/tax.rs".to_owned());
        paths.push(".gatewalk/roadmap.md".to_owned());
        let scope = scope(&["src/cart/total.rs"]);
        let wanted = wanted(&paths, &scope);
        assert_eq!(wanted[..2], ["src/cart/total.rs", "src/cart/tax.rs"]);
        assert_eq!(wanted.len(), HEADS);
        let body = "pub fn a_function_with_a_long_name(argument: usize) -> usize {\n".repeat(40);
        let heads: Vec<_> = wanted
            .into_iter()
            .map(|p| (p, body.clone().into_bytes()))
            .collect();
        let map = render(&paths, &heads, &scope);
        assert!(map.len() <= LIMIT, "{}", map.len());
        assert!(map.contains("- src/cart/ (2 files)\n"), "{map}");
        assert!(map.contains("src/cart/total.rs\n    pub fn a_function_with_a_long_name(argument: usize) -> usize\n"), "{map}");
        assert!(!map.contains(".gatewalk"), "{map}");
        assert_eq!(render(&[], &[], &scope), "");
    }

    #[test]
    fn definitions_are_known_by_how_a_line_begins() {
        for (path, text, want) in [
            (
                "a.rs",
                "use x;\npub fn f(a: u8) -> u8 {\n    let fn_x = 1;\n        fn deep() {}\n",
                vec!["pub fn f(a: u8) -> u8"],
            ),
            (
                "a.py",
                "import x\nclass A:\n    def f(self):\n        pass\n",
                vec!["class A", "def f(self)"],
            ),
            (
                "a.go",
                "package x\nfunc F() error {\n",
                vec!["func F() error"],
            ),
            ("a.sh", "set -eu\ngreet() {\n", vec!["greet()"]),
            ("a.txt", "fn f()", vec![]),
        ] {
            assert_eq!(symbols(path, text.as_bytes()), want, "{path}");
        }
    }

    #[test]
    fn globs_meet_when_something_can_lie_in_both() {
        for (own, glob, want) in [
            ("src/cart/total.rs", "src/cart/**", true),
            ("src/**", "src/cart/total.rs", true),
            ("src/cart/**", "src/**", true),
            ("src/cart/**", "src/bill/**", false),
            ("src/cart.rs", "docs/**", false),
            ("src/cart.rs", "**", true),
            ("*.md", "src/cart.rs", false),
            ("src/cart", "src/cart/total.rs", true),
            ("src/cart/", "src/cart/total.rs", true),
            ("src/cart", "src/carts.rs", false),
        ] {
            assert_eq!(scope(&[own]).meets(glob), want, "{own} {glob}");
        }
    }

    #[test]
    fn paths_in_code_spans_are_found() {
        let text = "Mend `src/a.rs` and `b.sh`; run `cargo test` with `--flag`, see `https://x.y/z`, `T01`, `./c/d`.";
        assert_eq!(paths_in(text), ["src/a.rs", "b.sh", "c/d"]);
    }
}
