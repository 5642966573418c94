//! A map of the repository for a prompt: directories by size, and the heads of what is near the unit.
//!
//! Made from git's file list and the first lines of definitions, without a model, and never longer
//! than `LIMIT`. Deliberately absent: reading files; whoever asks brings the ones `wanted` names.

mod scope;
mod symbols;

use std::collections::BTreeMap;

use scope::directory;
pub(crate) use scope::{Scope, paths_in};
use symbols::language;
pub(crate) use symbols::symbols;

/// The most bytes a map has.
pub(crate) const LIMIT: usize = 8 * 1024;

/// The most files whose heads are looked at.
const HEADS: usize = 60;

/// Returns the files whose heads the map shows, nearest first.
pub(crate) fn wanted(paths: &[String], scope: &Scope) -> Vec<String> {
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

/// Returns whether a file holds definitions that a map can show.
pub(crate) fn is_source(path: &str) -> bool {
    language(path).is_some()
}

/// Returns the map; `heads` holds the files of [`wanted`] in its order.
pub(crate) fn render(paths: &[String], heads: &[(String, Vec<u8>)], scope: &Scope) -> String {
    if paths.is_empty() {
        return String::new();
    }
    let mut text = String::from("# The repository\n\n");
    let mut directories: BTreeMap<&str, (usize, u8)> = BTreeMap::new();
    for path in paths.iter().filter(|p| !hidden(p)) {
        let entry = directories.entry(directory(path)).or_default();
        entry.0 += 1;
        entry.1 = entry.1.max(scope.weight(path));
    }
    let mut order: Vec<(&str, usize, u8)> = directories
        .into_iter()
        .map(|(f, (n, w))| (f, n, w))
        .collect();
    order.sort_by(|a, b| {
        b.2.cmp(&a.2)
            .then(depth(a.0).cmp(&depth(b.0)))
            .then(a.0.cmp(b.0))
    });
    // Directories get at most a third, so that definitions of what is near always have room.
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
            text.push_str(&format!("- … and {} more directories\n", all - i));
            return;
        }
        text.push_str(&line);
    }
}

fn depth(directory: &str) -> usize {
    directory.matches('/').count()
}

/// The state directories and dotted directories: no work happens there.
fn hidden(path: &str) -> bool {
    path.starts_with('.')
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
