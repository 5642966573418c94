//! Tools that judge text: linters, type checkers, coverage. Where the oracle runs one, its settings judge, and what silences
//! it is refused.

use super::super::guards::{self, PathGlobs};
use super::{ChangedFile, ChangedPathKind, manifests, typescript_settings, widened_types};
use crate::pattern;
use regex::Regex;
use serde_json::{Map, Value};
use std::sync::{LazyLock, OnceLock};

/// One kind of tool.
struct JudgingTool {
    /// What a command that runs it is found by.
    runs: &'static str,
    /// Globs of its own settings.
    settings: &'static [&'static str],
    /// Sections of shared settings, and keys of `package.json`, that are its own.
    sections: &'static [&'static str],
    /// Extensions of what it reads, and what silences it there.
    mutes: (&'static [&'static str], &'static str),
    /// What of that names, one by one, rules about form: nothing wrong hides behind it. Empty where there are none.
    of_form: &'static str,
}

const PYTHON: &[&str] = &["py", "pyi"];
const SCRIPT: &[&str] = &["js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts", "vue"];

const TOOLS: &[JudgingTool] = &[
    JudgingTool {
        runs: "ruff|flake8|pylint|pycodestyle|bandit",
        settings: &["**/{ruff.toml,.ruff.toml,.flake8,.pylintrc,pylintrc,.bandit}"],
        sections: &[
            "tool.ruff",
            "tool.pylint",
            "flake8",
            "pylint",
            "pycodestyle",
            "tool.bandit",
        ],
        mutes: (
            PYTHON,
            r"#\s*(?:(?:ruff:|flake8:)?\s*noqa|pylint:\s*(?:disable|skip-file)|nosec)\b",
        ),
        of_form: r"(?mx)\#\s*noqa:\s*(?:E[1-7]\d*|W\d+|D\d+|N8\d+|C901|I\d+|PL[CR]\d+|ANN\d+|ARG\d+|COM\d+|ERA\d+|F401|FBT\d+|Q\d+|SIM\d+|T20\d|UP\d+)(?:\s*,\s*(?:E[1-7]\d*|W\d+|D\d+|N8\d+|C901|I\d+|PL[CR]\d+|ANN\d+|ARG\d+|COM\d+|ERA\d+|F401|FBT\d+|Q\d+|SIM\d+|T20\d|UP\d+))*\s*(?:$|\#|-|\() | \#\s*pylint:\s*disable=(?:too-(?:many|few)-[\w-]+|missing-[\w-]*docstring|invalid-name|line-too-long|unused-argument|import-outside-toplevel|wrong-import-\w+|fixme)(?:\s*,\s*(?:too-(?:many|few)-[\w-]+|missing-[\w-]*docstring|invalid-name|line-too-long|unused-argument|import-outside-toplevel|wrong-import-\w+|fixme))*\s*(?:$|\#)",
    },
    JudgingTool {
        runs: "mypy|dmypy|pyright|basedpyright|pyre",
        settings: &["**/{mypy.ini,.mypy.ini,pyrightconfig.json,mypy-baseline.txt}"],
        sections: &["tool.mypy", "mypy", "tool.pyright", "tool.basedpyright"],
        mutes: (
            PYTHON,
            r"#\s*(?:type:\s*ignore|mypy:|pyright:|pyre-ignore)|@(?:typing\.)?no_type_check\b",
        ),
        of_form: r"(?m)#\s*type:\s*ignore\[import(?:-untyped|-not-found)?\]|#\s*pyright:\s*ignore\[report(?:MissingImports|MissingTypeStubs|MissingModuleSource)\]",
    },
    JudgingTool {
        runs: "eslint|biome|oxlint|xo|standard",
        settings: &[
            "**/{.eslintrc,.eslintrc.*,.eslintignore,eslint.config.*,eslint-suppressions.json}",
            "**/{biome.json,biome.jsonc,.oxlintrc.json}",
        ],
        sections: &["eslintConfig", "eslintIgnore", "xo", "standard"],
        mutes: (
            SCRIPT,
            r"\b(?:eslint|oxlint)-disable|\bbiome-ignore\b|/\*\s*eslint\s",
        ),
        of_form: r"(?mx)\beslint-disable-(?:next-)?line\s+(?:max-[\w-]+|prefer-[\w-]+|no-console|camelcase|complexity|class-methods-use-this|no-param-reassign|no-plusplus|no-underscore-dangle|no-await-in-loop|import/prefer-default-export)(?:\s*,\s*(?:max-[\w-]+|prefer-[\w-]+|no-console|camelcase|complexity|class-methods-use-this|no-param-reassign|no-plusplus|no-underscore-dangle|no-await-in-loop|import/prefer-default-export))*\s*(?:$|--|\*/)",
    },
    JudgingTool {
        runs: "tsc|vue-tsc",
        settings: &[],
        sections: &[],
        mutes: (SCRIPT, r"@ts-(?:ignore|nocheck|expect-error)\b"),
        of_form: "",
    },
    JudgingTool {
        runs: "clippy",
        settings: &["**/{clippy.toml,.clippy.toml}"],
        sections: &["lints", "workspace.lints"],
        mutes: (
            &["rs"],
            r"#!?\[(?:cfg_attr\([^\n]*)?\s*(?:allow|expect)\s*\(",
        ),
        of_form: r#"(?x)\#\[(?:allow|expect)\(\s*(?:dead_code|missing_docs|non_(?:snake_case|camel_case_types|upper_case_globals)|unreachable_pub|clippy::(?:too_many_\w+|too_long_\w+|type_complexity|cognitive_complexity|module_\w+|large_\w+|needless_\w+|new_without_default|similar_names|wrong_self_convention|should_implement_trait|upper_case_acronyms|enum_variant_names))(?:\s*,\s*(?:dead_code|missing_docs|non_(?:snake_case|camel_case_types|upper_case_globals)|unreachable_pub|clippy::(?:too_many_\w+|too_long_\w+|type_complexity|cognitive_complexity|module_\w+|large_\w+|needless_\w+|new_without_default|similar_names|wrong_self_convention|should_implement_trait|upper_case_acronyms|enum_variant_names)))*\s*(?:,\s*reason\s*=\s*"[^"\n]*"\s*)?,?\s*\)\]"#,
    },
    JudgingTool {
        runs: "--cov|coverage|c8|nyc|jest|vitest",
        settings: &[],
        sections: &[],
        mutes: (
            &["py", "js", "jsx", "mjs", "cjs", "ts", "tsx"],
            r"#\s*pragma:\s*no\s*cover|/\*\s*(?:istanbul|c8|v8)\s+ignore",
        ),
        of_form: r"(?m)^\s*(?:if\s+__name__\s*==|if\s+(?:typing\.)?TYPE_CHECKING\b|raise\s+NotImplementedError\b)[^\n]*#\s*pragma:\s*no\s*cover",
    },
    JudgingTool {
        runs: "shellcheck",
        settings: &["**/.shellcheckrc"],
        sections: &[],
        mutes: (&["sh", "bash", ""], r"#\s*shellcheck\s+disable="),
        of_form: r"(?m)#\s*shellcheck\s+disable=SC109[01](?:,SC109[01])*\s*(?:$|#)",
    },
    JudgingTool {
        runs: "golangci-lint|staticcheck",
        settings: &["**/.golangci.{yml,yaml,toml,json}", "**/staticcheck.conf"],
        sections: &[],
        mutes: (&["go"], r"//\s*(?:nolint|lint:ignore|lint:file-ignore)\b"),
        of_form: r"(?mx)//\s*nolint:(?:cyclop|dupl|funlen|gochecknoglobals|gocognit|gocyclo|lll|mnd|nestif|revive|stylecheck|wsl)(?:,(?:cyclop|dupl|funlen|gochecknoglobals|gocognit|gocyclo|lll|mnd|nestif|revive|stylecheck|wsl))*\s*(?:$|//)",
    },
    JudgingTool {
        runs: "rubocop",
        settings: &["**/{.rubocop.yml,.rubocop_todo.yml}"],
        sections: &[],
        mutes: (&["rb"], r"#\s*rubocop:(?:disable|todo)\b"),
        of_form: r"(?mx)\#\s*rubocop:(?:disable|todo)\s+(?:Layout|Metrics|Naming|Style)/\w+(?:\s*,\s*(?:Layout|Metrics|Naming|Style)/\w+)*\s*(?:$|\#|--)",
    },
    JudgingTool {
        runs: "phpstan|psalm",
        settings: &["**/{phpstan*.neon,phpstan*.neon.dist,psalm.xml,psalm-baseline.xml}"],
        sections: &[],
        mutes: (&["php"], r"@phpstan-ignore|@psalm-suppress"),
        of_form: "",
    },
];

struct CompiledTool {
    settings: PathGlobs,
    mutes: Regex,
    of_form: Option<Regex>,
}

static RUNS: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    let found_by = |row: &JudgingTool| {
        let runs = row.runs;
        pattern::constant(&format!(r"(?m)(?:^|[\s/;&|(])(?:{runs})(?:[\s=:)]|$)"))
    };
    TOOLS.iter().map(found_by).collect()
});

/// Returns the patterns of a tool, compiled when it is first asked about: an oracle runs few of them.
fn compiled(tool: usize) -> &'static CompiledTool {
    static COMPILED: [OnceLock<CompiledTool>; TOOLS.len()] =
        [const { OnceLock::new() }; TOOLS.len()];
    COMPILED[tool].get_or_init(|| {
        let row = &TOOLS[tool];
        CompiledTool {
            settings: guards::set(row.settings),
            mutes: pattern::constant(row.mutes.1),
            of_form: (!row.of_form.is_empty()).then(|| pattern::constant(row.of_form)),
        }
    })
}

/// The tools that the oracle runs.
#[derive(Debug, Default)]
pub(super) struct Linters(Vec<usize>);

impl Linters {
    /// Adds the tools that a command runs.
    pub(super) fn run_by(&mut self, text: &str) {
        let found = RUNS.iter().enumerate();
        let found = found.filter(|(_, runs)| runs.is_match(text));
        self.0.extend(found.map(|(index, _)| index));
    }

    /// Returns whether a file of this path holds nothing but settings of one of them.
    pub(super) fn has_settings(&self, path: &str) -> bool {
        self.0
            .iter()
            .any(|tool| compiled(*tool).settings.is_match(path))
    }

    /// Returns whether a change silences one of them: by a comment that no other file of the diff lost, or by its section
    /// of shared settings.
    pub(super) fn are_silenced(&self, pair: &ChangedFile<'_>, pairs: &[ChangedFile<'_>]) -> bool {
        let path = &pair.change.path;
        let name = path.rsplit('/').next().unwrap_or(path);
        self.0.iter().any(|&tool| {
            let more = |pair: &ChangedFile<'_>| mutes(tool, pair.new) > mutes(tool, pair.old);
            let sum = |new: bool| -> usize {
                let read = pairs.iter().filter(|pair| is_read(tool, &pair.change.path));
                read.map(|pair| mutes(tool, if new { pair.new } else { pair.old }))
                    .sum()
            };
            let names = TOOLS[tool].sections;
            is_read(tool, path) && more(pair) && sum(true) > sum(false)
                || TOOLS[tool].runs.starts_with("tsc") && typescript_settings::loosened(pair)
                || TOOLS[tool].runs.starts_with("mypy") && is_own_stub(pair)
                || has_types(tool) && is_read(tool, path) && widened_types::widened(pair)
                || section(name, names, pair.old) != section(name, names, pair.new)
        })
    }
}

/// Returns whether a tool checks types.
fn has_types(tool: usize) -> bool {
    ["tsc", "mypy"]
        .iter()
        .any(|name| TOOLS[tool].runs.starts_with(name))
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
fn is_read(tool: usize, path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let extension = name.rsplit_once('.').map_or("", |(_, end)| end);
    TOOLS[tool].mutes.0.contains(&extension)
}

/// Returns how often a text silences a tool about more than form.
fn mutes(tool: usize, bytes: Option<&[u8]>) -> usize {
    let text = String::from_utf8_lossy(bytes.unwrap_or_default());
    let tool = compiled(tool);
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
