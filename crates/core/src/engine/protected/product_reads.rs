//! How the product speaks for a file: by its name, by a directory that it is in, by its kind, or from where it lies.

use super::code_paths::{OF_PRODUCT, SETTINGS, is_code};
use super::judging_chain::stem;
use super::name_pattern::{NamePattern, TextWords};
use super::run_targets::joined;
use super::{Policy, build_files, manifests};
use crate::path_names::{MAKEFILES, extension, file_name, is_below, parent};
use crate::pattern::TextPattern;
use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::HashSet;

/// By what a source of the product may come by a file.
#[derive(Debug)]
pub(crate) struct ProductReads {
    path: String,
    /// Its own name.
    named: NamePattern,
    /// One of its directories.
    placed: Option<NamePattern>,
    /// What settings say that have its directory for a value.
    value: Option<NamePattern>,
    /// Its ending, where all of a kind are read.
    kind: Option<NamePattern>,
}

impl ProductReads {
    pub(super) fn of(path: &str) -> ProductReads {
        let mut named = format!("(?m){}", imports(path));
        let mut names = imported_names(path).to_vec();
        if !is_code(path) {
            named.push('|');
            named.push_str(&whole_name(path));
            names.push(file_name(path));
        }
        ProductReads {
            path: path.to_owned(),
            named: NamePattern::new(named, names),
            placed: of_directories(path, |above| {
                format!(
                    r#"(?m)(?:^|[^\w.-])(?:{above})(?:/|\.["'`{{]|["'`]\s*(?:[,\])/+;]|\.|$))|go:embed[^\n]*[\s:](?:{above})\s*$"#
                )
            }),
            value: of_directories(path, |above| {
                format!(r#"(?m)[:=]\s*["']?(?:\./)?(?:{above})["']?\s*$"#)
            }),
            kind: kind(path),
        }
    }

    /// Likewise where only this pattern stands for the file.
    pub(super) fn by(path: &str, named: NamePattern) -> ProductReads {
        ProductReads {
            path: path.to_owned(),
            named,
            placed: None,
            value: None,
            kind: None,
        }
    }

    /// Returns whether this text of the product names the file or its directory, or reads what is beside itself.
    pub(super) fn is_named_in(&self, source: &ProductText<'_>) -> bool {
        self.is_called_in(source) || self.is_place_read_in(source)
    }

    /// Returns whether it says the file's own name, or reads all of its kind.
    #[cfg(test)]
    pub(super) fn is_read_in(&self, source: &ProductText<'_>) -> bool {
        self.is_called_in(source) || self.is_kind_read_in(source)
    }

    /// Returns whether it says the file's own name.
    pub(super) fn is_called_in(&self, source: &ProductText<'_>) -> bool {
        source.holds(&self.named)
    }

    /// Returns the names of which a text that says the file's own name holds one.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.named.names()
    }

    /// Returns the directory and the ending that it shares with others: `is_kind_read_in` says the same of all of them.
    pub(super) fn shared_kind(&self) -> Option<(&str, &str)> {
        (self.placed.is_some() || self.kind.is_some()).then(|| place_and_kind(&self.path))
    }

    /// Returns whether a text reads files where this one is, or all of its ending.
    pub(super) fn is_kind_read_in(&self, source: &ProductText<'_>) -> bool {
        let kind = self.kind.as_ref();
        self.is_place_read_in(source) || kind.is_some_and(|kind| source.holds(kind))
    }

    fn is_place_read_in(&self, source: &ProductText<'_>) -> bool {
        let placed = self.placed.as_ref();
        let value = self.value.as_ref().filter(|_| !is_code(source.path));
        placed.is_some_and(|placed| source.holds(placed))
            || value.is_some_and(|value| source.holds(value))
            || !is_code(&self.path) && self.is_beside(source.path) && source.looks_around()
    }

    fn is_beside(&self, source: &str) -> bool {
        let directory = source.rsplit_once('/').map(|(at, _)| at);
        directory.is_some_and(|at| is_below(&self.path, at))
    }
}

/// A source of the product that many files are looked for in.
pub(crate) struct ProductText<'a> {
    path: &'a str,
    text: &'a str,
    said: OnceCell<Cow<'a, str>>,
    words: TextWords<'a>,
    looks_around: OnceCell<bool>,
}

impl<'a> ProductText<'a> {
    pub(crate) fn new(path: &'a str, text: &'a str) -> Self {
        ProductText {
            path,
            text,
            said: OnceCell::new(),
            words: TextWords::new(text),
            looks_around: OnceCell::new(),
        }
    }

    pub(super) fn words(&self) -> &HashSet<&'a str> {
        self.words.set()
    }

    /// Returns whether the whole text holds a pattern, remarks and all.
    pub(super) fn says(&self, pattern: &NamePattern) -> bool {
        pattern.is_match_among(&self.words, self.text)
    }

    fn holds(&self, pattern: &NamePattern) -> bool {
        pattern.is_match_among(&self.words, self.without_remarks())
    }

    fn looks_around(&self) -> bool {
        let around = || looks_around(self.without_remarks());
        *self.looks_around.get_or_init(around)
    }

    /// Returns the text without its lines of remarks: they read nothing.
    fn without_remarks(&self) -> &str {
        static REMARK: TextPattern =
            TextPattern::new(r"(?m)^[ \t]*(?:#(?:[ \t#]|$)|//[ \t/!]|--[ \t]|\*[ \t]).*$");
        self.said.get_or_init(|| REMARK.replace_all(self.text, ""))
    }
}

/// Returns the directory of a file and its ending.
pub(super) fn place_and_kind(path: &str) -> (&str, &str) {
    let directory = parent(path);
    (directory, extension(path))
}

/// Returns what imports a file, or names it in quotes without its ending.
pub(super) fn imports(path: &str) -> String {
    let [whole, first] = imported_names(path).map(regex::escape);
    let stem = match first == whole {
        true => whole,
        false => format!("(?:{whole}|{first})"),
    };
    format!(
        r#"["'`/]{stem}["'`.]|^\s*(?:import|from|use|mod|pub mod|export|source|\.)\s[^\n]*\b{stem}\b|\b(?:require|import|include)\w*!?\s*\(?[^)\n]*\b{stem}\b"#
    )
}

/// Returns what imports a file, to be looked for.
pub(super) fn import_pattern(path: &str) -> NamePattern {
    NamePattern::new(format!("(?m){}", imports(path)), imported_names(path))
}

/// Returns the names of which what imports a file holds one: all before its last ending, and all before its first.
pub(super) fn imported_names(path: &str) -> [&str; 2] {
    let whole = stem(path);
    let first = whole.split('.').next().filter(|first| !first.is_empty());
    [whole, first.unwrap_or(whole)]
}

/// Returns what names a file with its ending, and no longer name.
pub(super) fn whole_name(path: &str) -> String {
    let name = regex::escape(file_name(path));
    format!(r"(?:^|[^\w.-]){name}(?:[^\w-]|$)")
}

/// Returns a pattern for the directories above a file, where there are any.
fn of_directories(path: &str, pattern: impl Fn(&str) -> String) -> Option<NamePattern> {
    let (above, _) = path.rsplit_once('/')?;
    let escaped: Vec<String> = above.split('/').map(regex::escape).collect();
    Some(NamePattern::new(
        pattern(&escaped.join("|")),
        above.split('/'),
    ))
}

/// Returns what says that all files of a kind are read.
fn kind(path: &str) -> Option<NamePattern> {
    let (end, names) = match extension(path) {
        "" => return None,
        "yml" | "yaml" => (
            r"(?:yml|yaml|ya\?ml)".to_owned(),
            vec!["yml", "yaml", "ya?ml"],
        ),
        end => (regex::escape(end), vec![end]),
    };
    let alone = match end.len() > 2 {
        true => format!(r#"|["'`]{end}["'`]"#),
        false => String::new(),
    };
    let pattern = format!(r#"(?:["'`*}})\\]|%[sdv]|\$\w+)\.{end}\b{alone}"#);
    (!is_code(path)).then(|| NamePattern::new(pattern, names))
}

/// Returns whether a source reads what lies where it lies itself.
fn looks_around(text: &str) -> bool {
    static AROUND: TextPattern = TextPattern::new(
        r"__(?:file|dirname|filename|package|path|DIR)__|__(?:dirname|filename)\b|\bimport\.meta\b|go:embed|\binclude_(?:str|bytes|dir)!|\bimportlib[. ]|\bpkgutil\b|BASH_SOURCE|\$0\b|\bgetResource",
    );
    AROUND.is_match(text)
}

/// Returns which part of a text that is no source code speaks for the product; nothing where none does.
pub(crate) fn speaking_part<'t>(
    policy: &Policy,
    path: &str,
    text: &'t str,
) -> std::borrow::Cow<'t, str> {
    match file_name(path) {
        name if MAKEFILES.contains(&name) => rules_of_sources(policy, path, text).into(),
        name if !name.contains('.') && !text.starts_with("#!") => "".into(),
        _ => text.into(),
    }
}

/// Returns whether a file that is no source code may speak for the product: programs, pages, settings of it, and rules by
/// which its sources are made.
pub(crate) fn may_speak(path: &str) -> bool {
    const PAGES: [&str; 11] = [
        "html", "htm", "ejs", "hbs", "erb", "j2", "jinja", "jinja2", "tmpl", "tpl", "mustache",
    ];
    let end = extension(path);
    let known = manifests::is_manifest(path) || build_files::is_lock_file(path);
    let mut above = path.split('/').rev().skip(1);
    let placed = above.any(|part| OF_PRODUCT.contains(&part) || part == "etc");
    !file_name(path).contains('.')
        || PAGES.contains(&end)
        || SETTINGS.contains(&end) && placed && !known
}

/// Returns the rules of a makefile by which sources of the product are made.
fn rules_of_sources(policy: &Policy, path: &str, text: &str) -> String {
    static RULE: TextPattern = TextPattern::new(r"^([^\s:=#][^:=#]*?)\s*:(?:[^=]|$)");
    let directory = parent(path);
    let makes_source = |targets: &str| {
        targets.split_whitespace().any(|target| {
            let target = joined(directory, target);
            is_code(&target) && !policy.covers(&target)
        })
    };
    let (mut kept, mut inside) = (String::new(), false);
    for line in text.lines() {
        if let Some(rule) = RULE.captures(line) {
            inside = makes_source(&rule[1]);
        }
        if inside {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::super::Declared;
    use super::*;

    #[test]
    fn what_the_product_reads_is_its_own() {
        for (path, source, text, want) in [
            ("data/de.json", "a.py", "open('data/' + lang)", true),
            (
                "data/de.json",
                "a.py",
                "os.path.join(ROOT, 'data', name)",
                true,
            ),
            ("data/x/de.json", "a.py", "Path('data') / area", true),
            ("words/de", "a.go", "//go:embed all:words\n", true),
            ("words/de", "a.go", "// all of words/\n", false),
            ("words/de", "a.py", "    # reads words/de\n", false),
            ("words/de", "a.c", "#include \"words/de\"\n", true),
            ("words/de", "etc/a.yml", "catalog: words\n", true),
            ("words/de", "a.py", "x = words\n", false),
            (
                "regions/de.py",
                "a.py",
                "import_module(\"regions.\" + c)",
                true,
            ),
            ("words/de", "a.js", "call('words are many')", false),
            ("data/de.json", "a.py", "files.endswith('.json')", true),
            ("data/de.json", "a.py", "open(f'{lang}.json')", true),
            ("data/de.json", "a.py", "open('%s.json' % lang)", true),
            ("data/de.yml", "a.js", r"/\.ya?ml$/.test(f)", true),
            ("u/km.unit", "a.rs", "p.extension() == Some(\"unit\")", true),
            ("data/de.json", "a.py", "load('de')", true),
            ("data/de.json", "a.py", "open('config.json')", false),
            ("rates/eu", "rates/a.py", "os.listdir(HERE)", false),
            (
                "rates/eu",
                "rates/a.py",
                "HERE = dirname(__file__)\nos.listdir(HERE)",
                true,
            ),
            ("rates/eu", "a.py", "HERE = dirname(__file__)", false),
            ("sums.py", "a.py", "from sums import A", true),
            ("sums.py", "a.py", "# returns sums\n", false),
            ("tables/eu.js", "a.js", "require('./tables/' + area)", true),
            ("lib/same.js", "a.js", "require('./same')", true),
        ] {
            let reads = ProductReads::of(path);
            assert_eq!(
                reads.is_read_in(&ProductText::new(source, text)),
                want,
                "{path}: {text}"
            );
        }
    }

    #[test]
    fn rules_speak_for_the_product_where_they_make_its_sources() {
        let policy = Policy::new(&[], Declared::default(), &[]);
        let text = "check: units.h\n\tsh a.sh cases/a\n\nunits.h: t/si.csv\n\tawk 1 $<\ntests/test_x.c: cases/b\n\tcp\n";
        let part = speaking_part(&policy, "Makefile", text);
        assert_eq!(part, "units.h: t/si.csv\n\tawk 1 $<\n");
        for (path, want) in [
            ("bin/app", true),
            ("pages/a.html", true),
            ("etc/app.yml", true),
            ("cases/a.yml", false),
            ("package.json", false),
        ] {
            assert_eq!(may_speak(path), want, "{path}");
        }
        assert_eq!(speaking_part(&policy, "steps/one", "cat cases/a"), "");
    }
}
