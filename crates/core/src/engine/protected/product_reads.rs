//! How the product speaks for a file: by its name, by a directory that it is in, by its kind, or from where it lies.

use super::judge_references::{OF_PRODUCT, is_code};
use super::judging_chain::stem;
use super::run_targets::joined;
use super::{Policy, build_files, manifests};
use crate::path_names::{MAKEFILES, extension, file_name};
use crate::pattern::{self, TextPattern};
use regex::Regex;
use std::borrow::Cow;
use std::cell::OnceCell;

/// By what a source of the product may come by a file.
#[derive(Debug)]
pub(super) struct ProductReads {
    path: String,
    /// Its name, or that of its directory.
    named: Regex,
    /// What settings say that have its directory for a value.
    value: Option<Regex>,
    /// Its ending, where all of a kind are read.
    kind: Option<Regex>,
}

impl ProductReads {
    pub(super) fn of(path: &str) -> ProductReads {
        let parts: Vec<String> = path.split('/').map(regex::escape).collect();
        let name = regex::escape(file_name(path));
        let above = &parts[..parts.len() - 1];
        let mut named = imports(path);
        if !is_code(path) {
            named.push_str(&format!(r"|(?:^|[^\w.-]){name}(?:[^\w-]|$)"));
        }
        if !above.is_empty() {
            let above = above.join("|");
            named.push_str(&format!(
                r#"|(?:^|[^\w.-])(?:{above})(?:/|\.["'`{{]|["'`]\s*(?:[,\])/+;]|\.|$))|go:embed[^\n]*[\s:](?:{above})\s*$"#
            ));
        }
        let value = format!(
            r#"(?m)[:=]\s*["']?(?:\./)?(?:{})["']?\s*$"#,
            above.join("|")
        );
        ProductReads {
            path: path.to_owned(),
            named: pattern::constant(&format!("(?m){named}")),
            value: (!above.is_empty()).then(|| pattern::constant(&value)),
            kind: kind(path),
        }
    }

    /// Likewise where only this pattern stands for the file.
    pub(super) fn by(path: &str, named: &str) -> ProductReads {
        ProductReads {
            path: path.to_owned(),
            named: pattern::constant(named),
            value: None,
            kind: None,
        }
    }

    /// Returns whether this text of the product names the file or its directory, or reads what is beside itself.
    pub(super) fn is_named_in(&self, source: &ProductText<'_>) -> bool {
        let value = self.value.as_ref().filter(|_| !is_code(source.path));
        let text = source.without_remarks();
        self.named.is_match(text)
            || value.is_some_and(|value| value.is_match(text))
            || !is_code(&self.path) && self.is_beside(source.path) && looks_around(text)
    }

    /// Returns whether it may read the file for another reason: because it reads all of its kind.
    pub(super) fn is_read_in(&self, source: &ProductText<'_>) -> bool {
        let kind = self.kind.as_ref();
        self.is_named_in(source) || kind.is_some_and(|kind| kind.is_match(source.without_remarks()))
    }

    fn is_beside(&self, source: &str) -> bool {
        let directory = |path: &str| path.rsplit_once('/').map(|(at, _)| at.to_owned());
        directory(source).is_some_and(|at| self.path.starts_with(&format!("{at}/")))
    }
}

/// A source of the product that many files are looked for in.
pub(crate) struct ProductText<'a> {
    path: &'a str,
    text: &'a str,
    said: OnceCell<Cow<'a, str>>,
}

impl<'a> ProductText<'a> {
    pub(crate) fn new(path: &'a str, text: &'a str) -> Self {
        ProductText {
            path,
            text,
            said: OnceCell::new(),
        }
    }

    pub(super) fn text(&self) -> &'a str {
        self.text
    }

    /// Returns the text without its lines of remarks: they read nothing.
    fn without_remarks(&self) -> &str {
        static REMARK: TextPattern =
            TextPattern::new(r"(?m)^[ \t]*(?:#(?:[ \t#]|$)|//[ \t/!]|--[ \t]|\*[ \t]).*$");
        self.said.get_or_init(|| REMARK.replace_all(self.text, ""))
    }
}

/// Returns what imports a file, or names it in quotes without its ending.
pub(super) fn imports(path: &str) -> String {
    let whole = regex::escape(stem(path));
    let first = regex::escape(stem(path).split('.').next().unwrap_or_default());
    let stem = match first.is_empty() || first == whole {
        true => whole,
        false => format!("(?:{whole}|{first})"),
    };
    format!(
        r#"["'`/]{stem}["'`.]|^\s*(?:import|from|use|mod|pub mod|export|source|\.)\s[^\n]*\b{stem}\b|\b(?:require|import|include)\w*!?\s*\(?[^)\n]*\b{stem}\b"#
    )
}

/// Returns what says that all files of a kind are read.
fn kind(path: &str) -> Option<Regex> {
    let end = match extension(path) {
        "" => return None,
        "yml" | "yaml" => r"(?:yml|yaml|ya\?ml)".to_owned(),
        end => regex::escape(end),
    };
    let alone = match end.len() > 2 {
        true => format!(r#"|["'`]{end}["'`]"#),
        false => String::new(),
    };
    let pattern = format!(r#"(?:["'`*}})\\]|%[sdv]|\$\w+)\.{end}\b{alone}"#);
    (!is_code(path)).then(|| pattern::constant(&pattern))
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
    const SETTINGS: [&str; 8] = [
        "ini",
        "cfg",
        "conf",
        "toml",
        "yml",
        "yaml",
        "json",
        "properties",
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
    let directory = path.rsplit_once('/').map_or("", |(at, _)| at);
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
