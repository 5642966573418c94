//! Tools that judge text: linters, type checkers, coverage. Where the oracle runs one, its settings judge, and what silences
//! it is refused.

mod compilers;
mod judging_tools;

use super::{manifests, typescript_settings, widened_types};
use crate::engine::changed_file::{ChangedFile, ChangedPathKind};
use crate::path_names::{extension, file_name};
use compilers::Compiler;
use judging_tools::{JudgingTool, TOOLS, TypedLanguage};
use serde_json::{Map, Value};

/// The tools that the oracle runs.
#[derive(Debug, Default)]
pub(super) struct Linters {
    tools: Vec<&'static JudgingTool>,
    compilers: Vec<&'static Compiler>,
}

impl Linters {
    /// Adds the tools that a command runs.
    pub(super) fn run_by(&mut self, text: &str) {
        self.tools
            .extend(TOOLS.iter().filter(|tool| tool.runs.is_match(text)));
        self.compiled_by(text);
    }

    /// Adds the compilers that a command, or the variables of a build, ask to refuse more than they do by themselves.
    pub(super) fn compiled_by(&mut self, text: &str) {
        self.compilers.extend(compilers::run_by(text));
    }

    /// Returns whether there are any.
    pub(super) fn are_run(&self) -> bool {
        !self.tools.is_empty()
    }

    /// Returns whether a file of this path holds nothing but settings of one of them.
    pub(super) fn has_settings(&self, path: &str) -> bool {
        self.tools.iter().any(|tool| tool.settings.is_match(path))
    }

    /// Returns whether a change silences one of them: by a comment that no other file of the diff lost, or by its section
    /// of shared settings.
    pub(super) fn are_silenced(&self, pair: &ChangedFile<'_>, pairs: &[ChangedFile<'_>]) -> bool {
        let mut compilers = self.compilers.iter();
        compilers.any(|compiler| compiler.refuses_less(pair, pairs))
            || self.tools_are_silenced(pair, pairs)
    }

    fn tools_are_silenced(&self, pair: &ChangedFile<'_>, pairs: &[ChangedFile<'_>]) -> bool {
        let path = &pair.change.path;
        let name = file_name(path);
        self.tools.iter().any(|tool| {
            let more = |pair: &ChangedFile<'_>| mutes(tool, pair.new) > mutes(tool, pair.old);
            let sum = |new: bool| -> usize {
                let read = pairs.iter().filter(|pair| is_read(tool, &pair.change.path));
                read.map(|pair| mutes(tool, if new { pair.new } else { pair.old }))
                    .sum()
            };
            let names = tool.sections;
            let loosened = match tool.types_of {
                Some(TypedLanguage::TypeScript) => typescript_settings::loosened(pair),
                Some(TypedLanguage::Python) => is_own_stub(pair),
                None => false,
            };
            loosened
                || is_read(tool, path) && more(pair) && sum(true) > sum(false)
                || tool.types_of.is_some() && is_read(tool, path) && widened_types::widened(pair)
                || section(name, names, pair.old) != section(name, names, pair.new)
        })
    }
}

/// Returns whether a new stub may stand before the module beside it; those of libraries have places of their own.
fn is_own_stub(pair: &ChangedFile<'_>) -> bool {
    let path = &pair.change.path;
    let of_others = |part: &str| part.contains("stubs") || matches!(part, "typings" | "@types");
    pair.change.kind == ChangedPathKind::Added
        && path.ends_with(".pyi")
        && !path.split('/').any(of_others)
}

/// Returns whether a tool reads a file of this path.
fn is_read(tool: &JudgingTool, path: &str) -> bool {
    tool.reads.contains(&extension(path))
}

/// Returns how often a text silences a tool about more than form.
fn mutes(tool: &JudgingTool, bytes: Option<&[u8]>) -> usize {
    let text = String::from_utf8_lossy(bytes.unwrap_or_default());
    let of_form = tool.of_form.as_ref();
    let of_form = of_form.map_or(0, |of_form| of_form.find_iter(&text).count());
    tool.mutes.find_iter(&text).count().saturating_sub(of_form)
}

/// Returns what a file of shared settings says under these names.
fn section(name: &str, names: &[&str], bytes: Option<&[u8]>) -> Vec<String> {
    let text = String::from_utf8_lossy(bytes.unwrap_or_default());
    match name {
        "package.json" => {
            let manifest = serde_json::from_str::<Map<String, Value>>(&text);
            let manifest = manifest.unwrap_or_default();
            let values = names.iter().filter_map(|name| manifest.get(*name));
            values.map(Value::to_string).collect()
        }
        "pyproject.toml" | "setup.cfg" | "tox.ini" | "Cargo.toml" => {
            manifests::sections(&text, names)
        }
        _ => vec![],
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::change;
    use super::*;

    fn linters(command: &str) -> Linters {
        let mut linters = Linters::default();
        linters.run_by(command);
        linters
    }

    fn silenced(command: &str, path: &str, (old, new): (&str, &str)) -> bool {
        let change = change(path, Some(""), Some(""));
        let pair = ChangedFile {
            change: &change,
            old: Some(old.as_bytes()),
            new: Some(new.as_bytes()),
        };
        linters(command).are_silenced(&pair, &[pair])
    }

    #[test]
    fn what_moved_with_its_code_silences_nothing_more() {
        let mute = Some(&b"x  # noqa\n"[..]);
        for (left, want) in [(mute, false), (None, true)] {
            let changes = ["a.py", "b.py"].map(|path| change(path, Some(""), Some("")));
            let pair = |at: usize, old, new| ChangedFile {
                change: &changes[at],
                old,
                new,
            };
            let pairs = [pair(0, left, None), pair(1, None, mute)];
            let silenced = linters("ruff check").are_silenced(&pairs[1], &pairs);
            assert_eq!(silenced, want, "{left:?}");
        }
    }

    #[test]
    fn what_silences_a_tool_that_the_oracle_runs_is_found() {
        for (command, path, new) in [
            ("ruff check .", "a.py", "f(x)  # noqa: F821\n"),
            ("ruff check .", "a.py", "import x  # noqa: F401, F821\n"),
            ("python3 -m flake8", "a.py", "# flake8: noqa\n"),
            ("mypy .", "a.py", "x = f()  # type: ignore[misc]\n"),
            ("mypy .", "a.pyi", "# mypy: ignore-errors\n"),
            ("cargo clippy", "src/a.rs", "#![allow(dead_code)]\n"),
            (
                "eslint .",
                "a.js",
                "// eslint-disable-next-line no-console, no-undef\n",
            ),
            ("npx eslint src", "a.ts", "/* eslint-disable */\n"),
            (
                "node_modules/.bin/eslint .",
                "a.js",
                "x(); // eslint-disable-line\n",
            ),
            ("tsc --noEmit", "a.ts", "// @ts-nocheck\n"),
            (
                "cargo clippy -- -D warnings",
                "src/a.rs",
                "#![allow(warnings)]\n",
            ),
            (
                "cargo clippy",
                "src/a.rs",
                "#[expect(unused_must_use, reason = \"x\")]\n",
            ),
            ("pytest --cov=a", "a.py", "def x():  # pragma: no cover\n"),
            ("c8 node --test", "a.js", "/* c8 ignore next */\n"),
            ("shellcheck *.sh", "a.sh", "# shellcheck disable=SC2086\n"),
            ("golangci-lint run", "a.go", "x() //nolint:errcheck\n"),
            (
                "ruff check",
                "pyproject.toml",
                "[tool.ruff.lint]\nignore = []\n",
            ),
            ("mypy .", "setup.cfg", "[mypy]\nstrict = false\n"),
            (
                "cargo clippy",
                "Cargo.toml",
                "[lints.clippy]\nall = \"allow\"\n",
            ),
            ("eslint .", "package.json", "{\"eslintIgnore\": [\"a.js\"]}"),
        ] {
            assert!(silenced(command, path, ("", new)), "{command}: {new}");
            assert!(!silenced(command, path, (new, new)), "{command}: as it was");
            assert!(!silenced("make check", path, ("", new)), "not run: {new}");
        }
    }

    #[test]
    fn what_only_looks_like_it_or_is_about_form_is_let_by() {
        for (command, path, new) in [
            ("ruff check .", "a.py", "from a import b  # noqa: F401\n"),
            ("ruff check .", "a.py", "x = 1  # noqa: E501, D103\n"),
            (
                "pylint a",
                "a.py",
                "def f():  # pylint: disable=too-many-locals\n",
            ),
            (
                "mypy .",
                "a.py",
                "import x  # type: ignore[import-untyped]\n",
            ),
            (
                "eslint .",
                "a.js",
                "// eslint-disable-next-line no-console -- for people\n",
            ),
            (
                "cargo clippy",
                "src/a.rs",
                "#[allow(clippy::too_many_arguments)]\n",
            ),
            (
                "cargo clippy",
                "src/a.rs",
                "#[expect(dead_code, reason = \"x\")]\n",
            ),
            (
                "pytest --cov=a",
                "a.py",
                "if __name__ == '__main__':  # pragma: no cover\n",
            ),
            ("ruff check .", "notes.md", "use `# noqa`\n"),
            ("ruff check .", "a.py", "x = 1  # no question asked\n"),
            (
                "ruff check .",
                "pyproject.toml",
                "[project]\nname = \"x\"\n",
            ),
            (
                "cargo clippy",
                "src/a.rs",
                "#[derive(Debug)]\n// allow(x)\n",
            ),
            ("sh standards.sh", "package.json", "{\"standard\": {}}"),
            ("grep x mypy.txt", "a.py", "# type: ignore\n"),
        ] {
            assert!(!silenced(command, path, ("", new)), "{command}: {new}");
        }
    }

    #[test]
    fn settings_of_a_tool_judge_where_it_is_run() {
        for (command, path, want) in [
            ("ruff check .", "sub/ruff.toml", true),
            ("ruff check .", "mypy.ini", false),
            ("mypy .", "mypy.ini", true),
            ("eslint .", "src/.eslintrc.json", true),
            ("make check", "ruff.toml", false),
        ] {
            assert_eq!(
                linters(command).has_settings(path),
                want,
                "{command} {path}"
            );
        }
    }
}
