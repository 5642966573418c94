//! Files of the base that may judge although no name says so: data that no source of the product names, however tests come
//! by it, scripts that decide and that only a chain of others leads to, helpers that compare. What changes of them lands, and
//! vouches for nobody: what was green must be so with the base's.

use super::super::guards::ChangedPathKind;
use super::judge_references::{self, OF_PRODUCT, is_code};
use super::judging_chain::stem;
use super::{ChangedFile, Policy, build_files, judging_content, manifests};
use crate::pattern::{self, TextPattern};
use regex::Regex;
use std::collections::BTreeSet;

/// Why a file may judge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DoubtKind {
    /// Data in a directory of its own: tests may walk there, or put its name together.
    PlacedData,
    /// Data beside everything else: it judges where it lists what does.
    RootData,
    /// Source code that decides by how it ends, and maybe compares for others.
    Script,
    /// Source code that compares for others, or that holds nothing but values.
    Helper,
}

/// A changed file that may judge.
#[derive(Debug)]
pub(crate) struct DoubtedFile {
    pub(crate) path: String,
    pub(crate) kind: DoubtKind,
    text: String,
    named: Regex,
    /// How a source of the product says that it reads it.
    read: Regex,
    run_beside: Option<Regex>,
}

impl DoubtedFile {
    /// Returns what there is to ask of a change; nothing where nothing is.
    pub(crate) fn of(policy: &Policy, pair: &ChangedFile<'_>) -> Option<DoubtedFile> {
        let path = pair.change.path.as_str();
        if pair.change.kind == ChangedPathKind::Added || policy.covers(path) {
            return None;
        }
        let text = String::from_utf8_lossy(pair.old?).into_owned();
        let kind = kind_of(path, &text)?;
        let name = path.rsplit('/').next().unwrap_or(path);
        let [name, stem] = [name, stem(path)].map(regex::escape);
        let directory = path.rsplit_once('/').map(|(directory, _)| directory);
        let last = directory.map(|d| regex::escape(d.rsplit('/').next().unwrap_or(d)));
        let placed = last.as_ref().map_or(String::new(), |last| {
            format!(r#"|(?:^|[^\w.-]){last}(?:/|["'`])"#)
        });
        let end = path.rsplit_once('.').map(|(_, end)| regex::escape(end));
        let by_end = end.map_or(String::new(), |end| format!(r#"|["'`*]\.{end}\b"#));
        let imported = format!(
            r#"(?m)["'`/]{stem}["'`.]|^\s*(?:import|from|use|mod|pub mod|export|source|\.)\s[^\n]*\b{stem}\b|\b(?:require|import|include)\w*!?\s*\(?[^)\n]*\b{stem}\b"#
        );
        let whole = format!(r"(?:^|[^\w.-]){name}(?:[^\w-]|$)");
        let read = match is_code(path) {
            true => imported.clone(),
            false => format!("{imported}|{whole}{placed}{by_end}"),
        };
        Some(DoubtedFile {
            path: path.to_owned(),
            kind,
            text,
            named: pattern::constant(&format!("{imported}|{whole}")),
            read: pattern::constant(&read),
            run_beside: last.map(|last| {
                pattern::constant(&format!(r#"(?:^|[^\w.-]){last}(?:/[*$]|["'`\s]|$)"#))
            }),
        })
    }

    /// Returns whether a source of the product reads it.
    pub(crate) fn is_read_in(&self, source: &str) -> bool {
        self.read.is_match(source)
    }

    /// Returns whether a judge names it.
    pub(crate) fn is_named_in(&self, judge: &str) -> bool {
        self.named.is_match(judge)
    }

    /// Returns whether what judges runs all that is where it is.
    pub(crate) fn is_run_beside(&self, chain: &str) -> bool {
        let beside = self.run_beside.as_ref();
        beside.is_some_and(|beside| beside.is_match(chain))
    }

    /// Returns whether it compares for others, or holds values for them: tests may be those.
    pub(crate) fn may_help(&self) -> bool {
        judging_content::compares_in(&self.path, &self.text) || holds_values(&self.path, &self.text)
    }

    /// Returns whether it names a source of the product, other than itself.
    pub(crate) fn names_other(&self, sources: &BTreeSet<&str>) -> bool {
        let mut others = sources.clone();
        others.remove(stem(&self.path));
        judge_references::names_one(&self.text, &others)
    }
}

fn kind_of(path: &str, text: &str) -> Option<DoubtKind> {
    let mut directories: Vec<&str> = path.split('/').collect();
    let name = directories.pop().unwrap_or_default();
    let of_product = directories
        .iter()
        .any(|part| OF_PRODUCT.contains(part) || *part == "bin");
    if is_code(path) {
        let decides = judging_content::decides(text) && !directories.is_empty() && !of_product;
        let helps = judging_content::compares_in(path, text) || holds_values(path, text);
        return match (decides, helps) {
            _ if is_said_elsewhere(name) => None,
            (true, _) => Some(DoubtKind::Script),
            (false, true) => Some(DoubtKind::Helper),
            (false, false) => None,
        };
    }
    if of_product || is_shown(name) || is_said_elsewhere(name) {
        return None;
    }
    if manifests::is_manifest(path) || build_files::is_lock_file(path) || name.starts_with('.') {
        return None;
    }
    Some(match directories.is_empty() {
        true => DoubtKind::RootData,
        false => DoubtKind::PlacedData,
    })
}

/// Returns whether a file of this name says what stands elsewhere, too: a version, a licence, settings of tools.
fn is_said_elsewhere(name: &str) -> bool {
    static SAID: TextPattern = TextPattern::new(
        r"(?i)version|changelog|licen[cs]e|notice|authors|readme|release|^requirements|tsconfig|config\.|rc\.json$|dockerfile|compose\.ya?ml$",
    );
    SAID.is_match(name)
}

/// Returns whether a file of this name is prose, a picture, or written in a language that tools turn into the product.
fn is_shown(name: &str) -> bool {
    const ENDINGS: &[&str] = &[
        "md", "rst", "adoc", "proto", "graphql", "gql", "sql", "thrift", "fbs", "css", "scss",
        "sass", "less", "html", "htm", "hbs", "ejs", "j2", "jinja", "jinja2", "tmpl", "tpl",
        "mustache", "erb", "haml", "svg", "png", "jpg", "jpeg", "gif", "ico", "webp", "woff",
        "woff2", "ttf", "pdf", "tf", "nix", "ipynb", "po", "pot", "strings", "xib", "plist",
    ];
    let end = name.rsplit_once('.').map_or("", |(_, end)| end);
    ENDINGS.contains(&end.to_ascii_lowercase().as_str())
}

/// Returns whether source code is nothing but values by names.
fn holds_values(path: &str, text: &str) -> bool {
    static ACTIVE: TextPattern = TextPattern::new(
        r"(?m)\b(?:def|class|lambda|import|from|require|function|export\s+\*|fn|func|return|if|sub)\b|=>|\w\(",
    );
    static VALUES: TextPattern = TextPattern::new(r"(?m)=\s*(?:[\[{(]|r?[\x22']|[0-9])");
    let end = path.rsplit_once('.').map_or("", |(_, end)| end);
    ["py", "js", "mjs", "cjs", "ts", "rb"].contains(&end)
        && VALUES.is_match(text)
        && !ACTIVE.is_match(text)
}

#[cfg(test)]
mod tests {
    use super::super::tests::change;
    use super::super::{ChangedFile, Declared};
    use super::*;

    fn doubted(path: &str, old: &str) -> Option<DoubtedFile> {
        let change = change(path, Some(old), Some("new"));
        let pair = ChangedFile {
            change: &change,
            old: Some(old.as_bytes()),
            new: Some(b"new"),
        };
        DoubtedFile::of(&Policy::new(&[], Declared::default(), &[]), &pair)
    }

    #[test]
    fn what_may_judge_although_no_name_says_so_is_known() {
        let of = |path: &str, old: &str| doubted(path, old).map(|file| file.kind);
        for (path, old, want) in [
            ("vectors/sums.v1", "1", Some(DoubtKind::PlacedData)),
            ("steps/one", "pass", Some(DoubtKind::PlacedData)),
            ("all.lst", "a", Some(DoubtKind::RootData)),
            ("VERSION", "1.2", None),
            ("pkg/tsconfig.build.json", "{}", None),
            ("config/limits.toml", "a = 1", None),
            ("db/0001.sql", "x", None),
            ("proofs/a.sh", "[ x = y ]\n", Some(DoubtKind::Script)),
            ("bin/a.sh", "[ x = y ]\n", None),
            ("main.sh", "[ x = y ] || exit 1\n", None),
            (
                "same.py",
                "if a != b:\n    raise AssertionError(a)\n",
                Some(DoubtKind::Helper),
            ),
            ("sums.py", "SUMS = [(1, 2, 3)]\n", Some(DoubtKind::Helper)),
            ("_version.py", "VALUE = '1.2'\n", None),
            ("calc.py", "def add(a, b):\n    return a + b\n", None),
        ] {
            assert_eq!(of(path, old), want, "{path}");
        }
    }

    #[test]
    fn what_the_product_reads_is_its_own() {
        for (path, old, text, want) in [
            ("data/de.json", "{}", "open('data/' + lang)", true),
            ("data/de.json", "{}", "files.endswith('.json')", true),
            ("data/de.json", "{}", "load('de')", true),
            ("data/de.json", "{}", "open('config.json')", false),
            ("sums.py", "A = [1]", "from sums import A", true),
            ("sums.py", "A = [1]", "# returns sums\n", false),
            (
                "lib/same.js",
                "if (a !== b) throw e",
                "require('./same')",
                true,
            ),
        ] {
            let file = doubted(path, old).unwrap();
            assert_eq!(file.is_read_in(text), want, "{path}: {text}");
        }
        let file = doubted("proofs/a.sh", "[ x = y ]\n").unwrap();
        for (chain, want) in [
            ("for f in proofs/*.sh; do", true),
            ("find proofs -name x", true),
            ("sh proofs/b.sh", false),
            ("waterproofs/*", false),
        ] {
            assert_eq!(file.is_run_beside(chain), want, "{chain}");
        }
    }
}
