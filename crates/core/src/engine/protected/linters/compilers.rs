//! Compilers as judges: what a source asks its own to refuse, and what takes that back. A build by them is a check of it.

use super::section;
use crate::engine::changed_file::ChangedFile;
use crate::path_names::{extension, file_name};
use crate::pattern::TextPattern;

/// A compiler that refuses more than its language does, where it is asked to.
#[derive(Debug)]
pub(super) struct Compiler {
    /// What a command that runs it so is found by.
    runs: TextPattern,
    /// Extensions of what it reads.
    reads: &'static [&'static str],
    /// What asks it to refuse more, there; its first group lists what.
    demands: TextPattern,
    /// What takes back what the command asks for.
    mutes: Option<TextPattern>,
    /// What of both is about form only.
    of_form: TextPattern,
    /// Tables of the manifest that ask, too.
    sections: &'static [&'static str],
}

static ALL: [Compiler; 3] = [
    Compiler {
        runs: TextPattern::new(r"(?m)(?:^|[\s/;&|(])(?:cargo|rustc)(?:\s|$)"),
        reads: &["rs"],
        demands: TextPattern::new(
            r"#!?\[\s*(?:cfg_attr\([^\]\n]*?,\s*)?(?:deny|forbid)\s*\(([^)]*)\)",
        ),
        mutes: None,
        of_form: TextPattern::new(
            r"^(?:missing_\w+|non_\w+|dead_code|unused(?:_(?:imports|variables|mut|macros|doc_comments|qualifications|extern_crates))?|unreachable_pub|rust_2018_idioms|single_use_lifetimes|trivial_\w+|reason\b.*|(?:clippy|rustdoc)::\w+|)$",
        ),
        sections: &["lints", "workspace.lints"],
    },
    Compiler {
        runs: TextPattern::new(r"(?:^|\s)(?:-Werror\b|/WX\b)"),
        reads: &["c", "h", "cc", "cpp", "cxx", "hh", "hpp", "inc"],
        demands: TextPattern::new(
            r#"#\s*pragma\s+(?:GCC|clang)\s+diagnostic\s+(?:error|fatal)\s+"-W([\w-]+)""#,
        ),
        mutes: Some(TextPattern::new(
            r#"(?:#\s*pragma\s+|_Pragma\(\s*")(?:(?:GCC|clang)\s+(?:diagnostic\s+(?:ignored|warning)\s+\\?"-W([\w-]+)|(system_header))|warning\s*\(\s*disable\s*:\s*(\d+))"#,
        )),
        of_form: TextPattern::new(
            r"^(?:unused[\w-]*|missing-(?:prototypes|declarations|braces|field-initializers|noreturn|variable-declarations)|deprecated[\w-]*|pedantic|unknown-[\w-]+|long-long|overlength-strings|variadic-macros|padded|redundant-decls|shadow|documentation[\w-]*)$",
        ),
        sections: &[],
    },
    Compiler {
        runs: TextPattern::new(r"(?m)(?:^|[\s/;&|(])(?:tsc|vue-tsc)(?:\s|$)"),
        reads: &["js", "jsx", "mjs", "cjs"],
        demands: TextPattern::new(r"(?m)^\s*//\s*(@ts-check)\b"),
        mutes: None,
        of_form: TextPattern::new(r"^$"),
        sections: &[],
    },
];

/// Returns the compilers that a text of commands runs so.
pub(super) fn run_by(text: &str) -> impl Iterator<Item = &'static Compiler> + '_ {
    ALL.iter().filter(|compiler| compiler.runs.is_match(text))
}

impl Compiler {
    /// Returns whether a change has it refuse less: what it asks no longer, or takes back, moved to no other file of the diff.
    pub(super) fn refuses_less(&self, pair: &ChangedFile<'_>, pairs: &[ChangedFile<'_>]) -> bool {
        if pair.new.is_none() {
            return false;
        }
        if file_name(&pair.change.path) == "Cargo.toml" {
            return self.denied(pair.new) < self.denied(pair.old);
        }
        if !self.reads(pair) {
            return false;
        }
        let read = || pairs.iter().filter(|pair| self.reads(pair));
        let all = |pattern| read().map(|pair| self.more(pattern, pair)).sum::<isize>();
        let demands = &self.demands;
        let muted = |mutes| self.more(mutes, pair) > 0 && all(mutes) > 0;
        self.more(demands, pair) < 0 && all(demands) < 0 || self.mutes.as_ref().is_some_and(muted)
    }

    /// Returns how much more a changed file names so.
    fn more(&self, pattern: &TextPattern, pair: &ChangedFile<'_>) -> isize {
        self.named(pattern, pair.new) - self.named(pattern, pair.old)
    }

    fn reads(&self, pair: &ChangedFile<'_>) -> bool {
        self.reads.contains(&extension(&pair.change.path))
    }

    /// Returns how much that is not of form a text names so.
    fn named(&self, pattern: &TextPattern, bytes: Option<&[u8]>) -> isize {
        let text = String::from_utf8_lossy(bytes.unwrap_or_default());
        let lists = pattern.captures_iter(&text);
        let lists = lists.filter_map(|found| Some(found.iter().skip(1).flatten().next()?.as_str()));
        let names = lists.flat_map(|list| list.split(',')).map(str::trim);
        let named = names.filter(|name| !self.of_form.is_match(name));
        isize::try_from(named.count()).unwrap_or(isize::MAX)
    }

    /// Returns how often a manifest denies something to the code.
    fn denied(&self, bytes: Option<&[u8]>) -> usize {
        let said = section("Cargo.toml", self.sections, bytes).join("\n");
        let denies = |line: &&str| {
            let (name, level) = line.split_once('=').unwrap_or_default();
            let name = name.trim().trim_matches(['"', '\'']);
            ["deny", "forbid"].iter().any(|word| level.contains(word))
                && !self.of_form.is_match(name)
        };
        said.lines().filter(denies).count()
    }
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
