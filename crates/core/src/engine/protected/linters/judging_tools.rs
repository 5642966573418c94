//! The tools: how each is recognised, where its settings are, and what silences it.

use crate::engine::guards::{self, PathGlobs};
use crate::pattern::TextPattern;
use std::sync::LazyLock;

/// One kind of tool.
#[derive(Debug)]
pub(super) struct JudgingTool {
    /// What a command that runs it is found by.
    pub(super) runs: TextPattern,
    /// Globs of its own settings.
    pub(super) settings: LazyLock<PathGlobs>,
    /// Sections of shared settings, and keys of `package.json`, that are its own.
    pub(super) sections: &'static [&'static str],
    /// Extensions of what it reads.
    pub(super) reads: &'static [&'static str],
    /// What silences it there.
    pub(super) mutes: TextPattern,
    /// What of that names, one by one, rules about form: nothing wrong hides behind it.
    pub(super) of_form: Option<TextPattern>,
    /// Whose types it checks.
    pub(super) types_of: Option<TypedLanguage>,
}

/// A language whose types are checked by a tool beside its compiler, or without one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TypedLanguage {
    Python,
    TypeScript,
}

/// The pattern of a command that runs one of some programs.
macro_rules! runs {
    ($programs:literal) => {
        TextPattern::new(concat!(
            r"(?m)(?:^|[\s/;&|(])(?:",
            $programs,
            r")(?:[\s=:)]|$)"
        ))
    };
}

const PYTHON: &[&str] = &["py", "pyi"];
const SCRIPT: &[&str] = &["js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts", "vue"];

/// Every tool that is known.
pub(super) static TOOLS: [JudgingTool; 10] = [
    JudgingTool {
        runs: runs!("ruff|flake8|pylint|pycodestyle|bandit"),
        settings: LazyLock::new(|| {
            guards::set(&["**/{ruff.toml,.ruff.toml,.flake8,.pylintrc,pylintrc,.bandit}"])
        }),
        sections: &[
            "tool.ruff",
            "tool.pylint",
            "flake8",
            "pylint",
            "pycodestyle",
            "tool.bandit",
        ],
        reads: PYTHON,
        mutes: TextPattern::new(
            r"#\s*(?:(?:ruff:|flake8:)?\s*noqa|pylint:\s*(?:disable|skip-file)|nosec)\b",
        ),
        of_form: Some(TextPattern::new(
            r"(?mx)\#\s*noqa:\s*(?:E[1-7]\d*|W\d+|D\d+|N8\d+|C901|I\d+|PL[CR]\d+|ANN\d+|ARG\d+|COM\d+|ERA\d+|F401|FBT\d+|Q\d+|SIM\d+|T20\d|UP\d+)(?:\s*,\s*(?:E[1-7]\d*|W\d+|D\d+|N8\d+|C901|I\d+|PL[CR]\d+|ANN\d+|ARG\d+|COM\d+|ERA\d+|F401|FBT\d+|Q\d+|SIM\d+|T20\d|UP\d+))*\s*(?:$|\#|-|\() | \#\s*pylint:\s*disable=(?:too-(?:many|few)-[\w-]+|missing-[\w-]*docstring|invalid-name|line-too-long|unused-argument|import-outside-toplevel|wrong-import-\w+|fixme)(?:\s*,\s*(?:too-(?:many|few)-[\w-]+|missing-[\w-]*docstring|invalid-name|line-too-long|unused-argument|import-outside-toplevel|wrong-import-\w+|fixme))*\s*(?:$|\#)",
        )),
        types_of: None,
    },
    JudgingTool {
        runs: runs!("mypy|dmypy|pyright|basedpyright|pyre"),
        settings: LazyLock::new(|| {
            guards::set(&["**/{mypy.ini,.mypy.ini,pyrightconfig.json,mypy-baseline.txt}"])
        }),
        sections: &["tool.mypy", "mypy", "tool.pyright", "tool.basedpyright"],
        reads: PYTHON,
        mutes: TextPattern::new(
            r"#\s*(?:type:\s*ignore|mypy:|pyright:|pyre-ignore)|@(?:typing\.)?no_type_check\b",
        ),
        of_form: Some(TextPattern::new(
            r"(?m)#\s*type:\s*ignore\[import(?:-untyped|-not-found)?\]|#\s*pyright:\s*ignore\[report(?:MissingImports|MissingTypeStubs|MissingModuleSource)\]",
        )),
        types_of: Some(TypedLanguage::Python),
    },
    JudgingTool {
        runs: runs!("eslint|biome|oxlint|xo|standard"),
        settings: LazyLock::new(|| {
            guards::set(&[
                "**/{.eslintrc,.eslintrc.*,.eslintignore,eslint.config.*,eslint-suppressions.json}",
                "**/{biome.json,biome.jsonc,.oxlintrc.json}",
            ])
        }),
        sections: &["eslintConfig", "eslintIgnore", "xo", "standard"],
        reads: SCRIPT,
        mutes: TextPattern::new(r"\b(?:eslint|oxlint)-disable|\bbiome-ignore\b|/\*\s*eslint\s"),
        of_form: Some(TextPattern::new(
            r"(?mx)\beslint-disable-(?:next-)?line\s+(?:max-[\w-]+|prefer-[\w-]+|no-console|camelcase|complexity|class-methods-use-this|no-param-reassign|no-plusplus|no-underscore-dangle|no-await-in-loop|import/prefer-default-export)(?:\s*,\s*(?:max-[\w-]+|prefer-[\w-]+|no-console|camelcase|complexity|class-methods-use-this|no-param-reassign|no-plusplus|no-underscore-dangle|no-await-in-loop|import/prefer-default-export))*\s*(?:$|--|\*/)",
        )),
        types_of: None,
    },
    JudgingTool {
        runs: runs!("tsc|vue-tsc"),
        settings: LazyLock::new(|| guards::set(&[])),
        sections: &[],
        reads: SCRIPT,
        mutes: TextPattern::new(r"@ts-(?:ignore|nocheck|expect-error)\b"),
        of_form: None,
        types_of: Some(TypedLanguage::TypeScript),
    },
    JudgingTool {
        runs: runs!("clippy"),
        settings: LazyLock::new(|| guards::set(&["**/{clippy.toml,.clippy.toml}"])),
        sections: &["lints", "workspace.lints"],
        reads: &["rs"],
        mutes: TextPattern::new(r"#!?\[(?:cfg_attr\([^\n]*)?\s*(?:allow|expect)\s*\("),
        of_form: Some(TextPattern::new(
            r#"(?x)\#\[(?:allow|expect)\(\s*(?:dead_code|missing_docs|non_(?:snake_case|camel_case_types|upper_case_globals)|unreachable_pub|clippy::(?:too_many_\w+|too_long_\w+|type_complexity|cognitive_complexity|module_\w+|large_\w+|needless_\w+|new_without_default|similar_names|wrong_self_convention|should_implement_trait|upper_case_acronyms|enum_variant_names))(?:\s*,\s*(?:dead_code|missing_docs|non_(?:snake_case|camel_case_types|upper_case_globals)|unreachable_pub|clippy::(?:too_many_\w+|too_long_\w+|type_complexity|cognitive_complexity|module_\w+|large_\w+|needless_\w+|new_without_default|similar_names|wrong_self_convention|should_implement_trait|upper_case_acronyms|enum_variant_names)))*\s*(?:,\s*reason\s*=\s*"[^"\n]*"\s*)?,?\s*\)\]"#,
        )),
        types_of: None,
    },
    JudgingTool {
        runs: runs!("--cov|coverage|c8|nyc|jest|vitest"),
        settings: LazyLock::new(|| guards::set(&[])),
        sections: &[],
        reads: &["py", "js", "jsx", "mjs", "cjs", "ts", "tsx"],
        mutes: TextPattern::new(r"#\s*pragma:\s*no\s*cover|/\*\s*(?:istanbul|c8|v8)\s+ignore"),
        of_form: Some(TextPattern::new(
            r"(?m)^\s*(?:if\s+__name__\s*==|if\s+(?:typing\.)?TYPE_CHECKING\b|raise\s+NotImplementedError\b)[^\n]*#\s*pragma:\s*no\s*cover",
        )),
        types_of: None,
    },
    JudgingTool {
        runs: runs!("shellcheck"),
        settings: LazyLock::new(|| guards::set(&["**/.shellcheckrc"])),
        sections: &[],
        reads: &["sh", "bash", ""],
        mutes: TextPattern::new(r"#\s*shellcheck\s+disable="),
        of_form: Some(TextPattern::new(
            r"(?m)#\s*shellcheck\s+disable=SC109[01](?:,SC109[01])*\s*(?:$|#)",
        )),
        types_of: None,
    },
    JudgingTool {
        runs: runs!("golangci-lint|staticcheck"),
        settings: LazyLock::new(|| {
            guards::set(&["**/.golangci.{yml,yaml,toml,json}", "**/staticcheck.conf"])
        }),
        sections: &[],
        reads: &["go"],
        mutes: TextPattern::new(r"//\s*(?:nolint|lint:ignore|lint:file-ignore)\b"),
        of_form: Some(TextPattern::new(
            r"(?mx)//\s*nolint:(?:cyclop|dupl|funlen|gochecknoglobals|gocognit|gocyclo|lll|mnd|nestif|revive|stylecheck|wsl)(?:,(?:cyclop|dupl|funlen|gochecknoglobals|gocognit|gocyclo|lll|mnd|nestif|revive|stylecheck|wsl))*\s*(?:$|//)",
        )),
        types_of: None,
    },
    JudgingTool {
        runs: runs!("rubocop"),
        settings: LazyLock::new(|| guards::set(&["**/{.rubocop.yml,.rubocop_todo.yml}"])),
        sections: &[],
        reads: &["rb"],
        mutes: TextPattern::new(r"#\s*rubocop:(?:disable|todo)\b"),
        of_form: Some(TextPattern::new(
            r"(?mx)\#\s*rubocop:(?:disable|todo)\s+(?:Layout|Metrics|Naming|Style)/\w+(?:\s*,\s*(?:Layout|Metrics|Naming|Style)/\w+)*\s*(?:$|\#|--)",
        )),
        types_of: None,
    },
    JudgingTool {
        runs: runs!("phpstan|psalm"),
        settings: LazyLock::new(|| {
            guards::set(&["**/{phpstan*.neon,phpstan*.neon.dist,psalm.xml,psalm-baseline.xml}"])
        }),
        sections: &[],
        reads: &["php"],
        mutes: TextPattern::new(r"@phpstan-ignore|@psalm-suppress"),
        of_form: None,
        types_of: None,
    },
];
