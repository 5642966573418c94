//! Compilers as judges: what a source asks its own to refuse, and what takes that back. A build by them is a check of it.

use crate::engine::changed_file::ChangedFile;
use crate::path_names::{extension, file_name};
use crate::pattern::TextPattern;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// A compiler that refuses more than its language does, where it is asked to.
#[derive(Debug)]
pub(super) struct Compiler {
    /// What a command that runs it so is found by.
    runs: TextPattern,
    /// Extensions of what it reads.
    reads: &'static [&'static str],
    /// What asks it to refuse more, there; its last group lists what, the others say where that holds.
    demands: Option<TextPattern>,
    /// What takes back what the command asks for.
    mutes: Option<TextPattern>,
    /// What of both is about form only.
    of_form: TextPattern,
    /// The manifest that asks, too.
    manifest: Option<&'static str>,
    /// What says nothing to it.
    remarks: Option<&'static TextPattern>,
}

/// Remarks of Rust and of C. One that begins inside a text hides no demand behind it: none stands in the same line.
static REMARKS: TextPattern = TextPattern::new(r"(?s)//[^\n]*|/\*.*?\*/");

static ALL: [Compiler; 6] = [
    Compiler {
        runs: TextPattern::new(r"(?m)(?:^|[\s/;&|(])(?:cargo|rustc)(?:\s|$)"),
        reads: &["rs"],
        demands: Some(TextPattern::new(
            r"#!?\[\s*(cfg_attr\([^\]\n]*?,\s*)?(?:deny|forbid)\s*\(([^)]*)\)",
        )),
        mutes: None,
        of_form: TextPattern::new(
            r"^(?:missing_\w+|non_\w+|dead_code|unused_(?:imports|variables|mut|macros|doc_comments|qualifications|extern_crates)|unreachable_pub|single_use_lifetimes|trivial_\w+|(?:clippy|rustdoc)::\w+|)$",
        ),
        manifest: Some("Cargo.toml"),
        remarks: Some(&REMARKS),
    },
    Compiler {
        runs: TextPattern::new(r#"(?:^|[\s="'])(?:-Werror\b|/WX\b)"#),
        reads: &["c", "h", "cc", "cpp", "cxx", "hh", "hpp", "inc"],
        demands: Some(TextPattern::new(
            r#"#\s*pragma\s+(?:GCC|clang)\s+diagnostic\s+(?:error|fatal)\s+"-W([\w-]+)""#,
        )),
        mutes: Some(TextPattern::new(
            r#"(?:#\s*pragma\s+|_Pragma\(\s*")(?:(?:GCC|clang)\s+(?:diagnostic\s+(?:ignored|warning)\s+\\?"-W([\w-]+)|(system_header))|warning\s*\(\s*disable\s*:\s*(\d+))"#,
        )),
        of_form: TextPattern::new(
            r"^(?:unused(?:-(?:but-set-)?(?:variable|parameter|function|label|macros|const-variable|local-typedefs))?|missing-(?:prototypes|declarations|braces|field-initializers|noreturn|variable-declarations)|deprecated[\w-]*|pedantic|unknown-[\w-]+|long-long|overlength-strings|variadic-macros|padded|redundant-decls|shadow|documentation[\w-]*)$",
        ),
        manifest: None,
        remarks: Some(&REMARKS),
    },
    Compiler {
        runs: TextPattern::new(r"(?m)(?:^|[\s/;&|(])(?:tsc|vue-tsc)(?:\s|$)"),
        reads: &["js", "jsx", "mjs", "cjs"],
        demands: Some(TextPattern::new(r"(?m)^\s*//\s*(@ts-check)\b")),
        mutes: None,
        of_form: TextPattern::new(r"^$"),
        manifest: None,
        remarks: None,
    },
    // A compiler that has what it built look after itself.
    Compiler {
        runs: TextPattern::new(r"(?m)-fsanitize="),
        reads: &["c", "h", "cc", "cpp", "cxx", "hh", "hpp", "inc"],
        demands: None,
        mutes: Some(TextPattern::new(
            r"\b__(?:a|l|m|t|ub)san_(default_options|default_suppressions|is_turned_off)\b|\b_*(no_sanitize\w*)|\b(disable_sanitizer_instrumentation)\b",
        )),
        of_form: TextPattern::new(r"^$"),
        manifest: None,
        remarks: Some(&REMARKS),
    },
    // Interpreters that make errors of warnings.
    Compiler {
        runs: TextPattern::new(
            r"(?m)\b(?:python[\d.]*|pypy[\d.]*|pytest|py\.test|coverage)\b[^\n;|&]*\s-W\s*error\b|\bPYTHONWARNINGS=\W?error\b",
        ),
        reads: &["py"],
        demands: None,
        mutes: Some(TextPattern::new(
            r#"(?m)^(?:warnings\.)?(?:simplefilter|filterwarnings)\(\s*(?:action\s*=\s*)?["'](ignore|once|default|always|module)["']\s*(?:,\s*(?:category\s*=\s*)?\w+\s*)?\)|^warnings\.(?:warn|showwarning|warn_explicit)\s*(=)[^=]|^(?:warnings\.)?(resetwarnings)\("#,
        )),
        of_form: TextPattern::new(r"^$"),
        manifest: None,
        remarks: None,
    },
    Compiler {
        runs: TextPattern::new(r"--(?:throw-deprecation|pending-deprecation)\b"),
        reads: &["js", "mjs", "cjs", "ts", "mts", "cts"],
        demands: None,
        mutes: Some(TextPattern::new(
            r"\bprocess\.(noDeprecation)\s*=[^=]|\bprocess\.(throwDeprecation)\s*=\s*(?:false|0|!1)\b|\bprocess\.(emitWarning)\s*=[^=]",
        )),
        of_form: TextPattern::new(r"^$"),
        manifest: None,
        remarks: Some(&REMARKS),
    },
];

/// Returns the compilers that a text of commands runs so.
pub(super) fn run_by(text: &str) -> impl Iterator<Item = &'static Compiler> + '_ {
    ALL.iter().filter(|compiler| compiler.runs.is_match(text))
}

/// How often each is named.
type Named = BTreeMap<String, isize>;

impl Compiler {
    /// Returns whether a change has it refuse less: what it asks no longer, or takes back, moved to no other file of the diff.
    pub(super) fn refuses_less(&self, pair: &ChangedFile<'_>, pairs: &[ChangedFile<'_>]) -> bool {
        if pair.new.is_none() || !self.reads(pair) {
            return false;
        }
        let sum = |pattern: &TextPattern, name: &str| -> isize {
            let read = pairs.iter().filter(|pair| self.reads(pair));
            read.filter_map(|pair| self.more(pattern, pair).get(name).copied())
                .sum()
        };
        let loses = |pattern: &TextPattern, sign: isize| {
            let mut more = self.more(pattern, pair).into_iter();
            more.any(|(name, more)| more * sign > 0 && sum(pattern, &name) * sign > 0)
        };
        self.demands
            .as_ref()
            .is_some_and(|demands| loses(demands, -1))
            || self.mutes.as_ref().is_some_and(|mutes| loses(mutes, 1))
    }

    /// Returns how much more a changed file names each.
    fn more(&self, pattern: &TextPattern, pair: &ChangedFile<'_>) -> Named {
        let path = &pair.change.path;
        let mut more = self.named(pattern, path, pair.new);
        for (name, count) in self.named(pattern, path, pair.old) {
            *more.entry(name).or_default() -= count;
        }
        more
    }

    fn reads(&self, pair: &ChangedFile<'_>) -> bool {
        let path = &pair.change.path;
        self.reads.contains(&extension(path)) || self.is_manifest(path)
    }

    fn is_manifest(&self, path: &str) -> bool {
        self.manifest == Some(file_name(path))
    }

    /// Returns what a text names so that is not of form.
    fn named(&self, pattern: &TextPattern, path: &str, bytes: Option<&[u8]>) -> Named {
        let text = String::from_utf8_lossy(bytes.unwrap_or_default());
        let mut named = Named::new();
        if self.is_manifest(path) {
            let denied = denied(&text).into_iter();
            let denied = denied.filter(|name| !self.of_form.is_match(name));
            denied.for_each(|name| *named.entry(name).or_default() += 1);
            return named;
        }
        let text = match self.remarks {
            Some(remarks) => remarks.replace_all(&text, " "),
            None => Cow::Borrowed(&*text),
        };
        for found in pattern.captures_iter(&text) {
            let groups: Vec<&str> = found.iter().skip(1).flatten().map(|m| m.as_str()).collect();
            let Some((list, held)) = groups.split_last() else {
                continue;
            };
            let list = list.split("reason").next().unwrap_or_default();
            let names = list.split(',').map(str::trim);
            for name in names.filter(|name| !self.of_form.is_match(name)) {
                *named.entry(held.concat() + name).or_default() += 1;
            }
        }
        named
    }
}

/// Returns what a manifest of Cargo's denies to the code, but for lints of style and of documentation.
fn denied(manifest: &str) -> Vec<String> {
    let Ok(manifest) = manifest.parse::<toml::Table>() else {
        return vec![];
    };
    let of_workspace = manifest.get("workspace");
    let tables = [
        manifest.get("lints"),
        of_workspace.and_then(|w| w.get("lints")),
    ];
    let lints = tables.into_iter().flatten();
    let lints = lints
        .filter_map(|lints| lints.get("rust")?.as_table())
        .flatten();
    let is_denied = |level: &toml::Value| {
        let level = level.get("level").unwrap_or(level).as_str();
        matches!(level, Some("deny" | "forbid"))
    };
    let denied = lints.filter(|(_, level)| is_denied(level));
    denied.map(|(name, _)| name.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::super::super::tests::change;
    use super::*;

    fn less(command: &str, path: &str, (old, new): (&str, &str)) -> bool {
        let change = change(path, Some(""), Some(""));
        let pair = ChangedFile {
            change: &change,
            old: Some(old.as_bytes()),
            new: Some(new.as_bytes()),
        };
        run_by(command).any(|compiler| compiler.refuses_less(&pair, &[pair]))
    }

    #[test]
    fn what_has_a_compiler_refuse_less_is_found() {
        let ignored = "#pragma GCC diagnostic ignored \"-Wreturn-type\"\n";
        for (command, path, old, new, want) in [
            (
                "cargo test",
                "src/lib.rs",
                "#![deny(unused_must_use)]\n",
                "",
                true,
            ),
            (
                "python3 -W error -m unittest",
                "a/__init__.py",
                "",
                "warnings.simplefilter('ignore')\n",
                true,
            ),
            (
                "python3 -m unittest",
                "a/__init__.py",
                "",
                "warnings.simplefilter('ignore')\n",
                false,
            ),
            (
                "python3 -W error -m unittest",
                "a.py",
                "",
                "    warnings.simplefilter('ignore')\nwarnings.filterwarnings('ignore', message='old', module='b')\n",
                false,
            ),
            (
                "node --throw-deprecation a.js",
                "b.js",
                "",
                "process.noDeprecation = true;\n",
                true,
            ),
            (
                "cc -fsanitize=address a.c",
                "a.c",
                "",
                "const char *__asan_default_options(void) { return \"\"; }\n",
                true,
            ),
            (
                "cc -fsanitize=address a.c",
                "a.c",
                "",
                "__attribute__((no_sanitize_address)) void f(void);\n",
                true,
            ),
            (
                "cc a.c",
                "a.c",
                "",
                "__attribute__((no_sanitize_address)) void f(void);\n",
                false,
            ),
            (
                "cargo check",
                "src/a.rs",
                "#![forbid(unsafe_code, unused_must_use)]",
                "#![forbid(unsafe_code)]",
                true,
            ),
            (
                "cargo check",
                "src/a.rs",
                "#![deny(unsafe_code)]",
                "#![forbid(unsafe_code)]",
                false,
            ),
            (
                "cargo test",
                "src/lib.rs",
                "#![deny(missing_docs, clippy::all)]\n",
                "",
                false,
            ),
            (
                "cargo test",
                "src/lib.rs",
                "#![warn(unsafe_code)]\n",
                "",
                false,
            ),
            (
                "make check",
                "src/lib.rs",
                "#![deny(unsafe_code)]\n",
                "",
                false,
            ),
            (
                "cargo test",
                "Cargo.toml",
                "[lints.rust]\nunsafe_code = \"forbid\"\n",
                "[lints.rust]\nunsafe_code = \"allow\"\n",
                true,
            ),
            (
                "cargo test",
                "Cargo.toml",
                "[package]\nname = \"a\"\n",
                "[package]\nname = \"a\"\n[lints.rust]\nunsafe_code = \"forbid\"\n",
                false,
            ),
            (
                "cargo test",
                "src/lib.rs",
                "#![deny(unused_must_use)]\n",
                "// #![deny(unused_must_use)]\n",
                true,
            ),
            (
                "cargo test",
                "src/lib.rs",
                "#![deny(unused_must_use)]\n",
                "#![cfg_attr(any(), deny(unused_must_use))]\n",
                true,
            ),
            (
                "cargo test",
                "src/lib.rs",
                "#![deny(unused_must_use)]\n",
                "#![deny(unused_parens)]\n",
                true,
            ),
            ("cargo test", "src/lib.rs", "#![deny(unused)]\n", "", true),
            (
                "cargo test",
                "src/lib.rs",
                "#![deny(unsafe_code, reason = \"no, never\")]\n",
                "#![deny(unsafe_code)]\n",
                false,
            ),
            (
                "cargo test",
                "Cargo.toml",
                "[lints.rust]\nunsafe_code = { level = \"deny\", priority = 1 }\n",
                "[lints.rust]\nunsafe_code = \"warn\" # deny\n",
                true,
            ),
            (
                "cargo test",
                "Cargo.toml",
                "[lints.clippy]\nunwrap_used = \"deny\"\n",
                "",
                false,
            ),
            ("make CFLAGS='-Werror -O2'", "a.c", "", ignored, true),
            ("CFLAGS=-Werror", "a.c", "", ignored, true),
            (
                "cc -Werror a.c",
                "a.c",
                "",
                "#pragma GCC diagnostic ignored \"-Wunused-result\"\n",
                true,
            ),
            ("cc -Wall -Werror -c a.c", "a.c", "", ignored, true),
            ("cc -Wall -c a.c", "a.c", "", ignored, false),
            (
                "cc -Werror=return-type a.c",
                "a.c",
                "",
                "_Pragma(\"GCC diagnostic ignored \\\"-Wreturn-type\\\"\")\n",
                true,
            ),
            (
                "cc -Werror a.c",
                "a.h",
                "",
                "#pragma GCC system_header\n",
                true,
            ),
            (
                "cc -Werror a.c",
                "a.c",
                "",
                "#pragma GCC diagnostic ignored \"-Wunused-parameter\"\n",
                false,
            ),
            (
                "cc -Werror a.c",
                "a.c",
                "",
                "#pragma once\n#pragma GCC diagnostic push\n",
                false,
            ),
            (
                "tsc --noEmit",
                "a.js",
                "// @ts-check\nx();\n",
                "x();\n",
                true,
            ),
        ] {
            assert_eq!(
                less(command, path, (old, new)),
                want,
                "{command} {path}: {old} {new}"
            );
            assert!(!less(command, path, (new, new)), "as it was: {new}");
        }
    }

    #[test]
    fn what_moves_between_sources_and_manifests_asks_no_less() {
        let sides = [
            ("src/lib.rs", "#![deny(unsafe_code)]\n", ""),
            ("crates/a/Cargo.toml", "", "[lints]\nworkspace = true\n"),
            (
                "Cargo.toml",
                "",
                "[workspace.lints.rust]\nunsafe_code = \"forbid\"\n",
            ),
        ];
        let changes = sides.map(|(path, ..)| change(path, Some(""), Some("")));
        let pairs: Vec<ChangedFile<'_>> = sides
            .iter()
            .zip(&changes)
            .map(|((_, old, new), change)| ChangedFile {
                change,
                old: Some(old.as_bytes()),
                new: Some(new.as_bytes()),
            })
            .collect();
        let less = |pairs: &[ChangedFile<'_>]| {
            run_by("cargo test").any(|compiler| compiler.refuses_less(&pairs[0], pairs))
        };
        assert!(!less(&pairs));
        assert!(less(&pairs[..2]));
    }

    #[test]
    fn what_moves_to_another_file_or_goes_with_it_asks_no_less() {
        let asks = Some(&b"#![deny(unsafe_code)]\n"[..]);
        for (first, second, want) in [
            ((asks, Some(&b""[..])), (None, asks), false),
            ((asks, None), (None, None), false),
            ((asks, Some(&b""[..])), (None, None), true),
        ] {
            let changes = ["src/a.rs", "src/b.rs"].map(|path| change(path, Some(""), Some("")));
            let pairs = [first, second];
            let pairs: Vec<ChangedFile<'_>> = pairs
                .iter()
                .zip(&changes)
                .map(|((old, new), change)| ChangedFile {
                    change,
                    old: *old,
                    new: *new,
                })
                .collect();
            let less = run_by("cargo test").any(|c| c.refuses_less(&pairs[0], &pairs));
            assert_eq!(less, want, "{first:?}");
        }
    }
}
