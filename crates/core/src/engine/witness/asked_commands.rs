//! Which of a unit's commands are asked whether they miss something: those that see behaviour, the quick ones.

use crate::engine::oracle::{CommandSource, OracleCommand};
use crate::path_names::file_name;
use std::time::Duration;

/// A command that takes longer is not asked while there is a quicker one.
const SLOW: f64 = 60.0;

/// The least time a command gets on a changed tree.
const LEAST: Duration = Duration::from_secs(20);

/// How many times its usual time a command gets: what takes longer hangs.
const PATIENCE: u32 = 5;

/// A command and how long it took on the unit's work.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TimedCommand {
    pub(crate) command: OracleCommand,
    /// Seconds of wall clock.
    pub(crate) seconds: f64,
}

/// Returns the commands to ask, the one that answers soonest first.
pub(crate) fn choose(commands: Vec<TimedCommand>) -> Vec<TimedCommand> {
    let sees = |c: &TimedCommand| !sees_form_only(&c.command.shell);
    let mut chosen = commands;
    if chosen.iter().any(sees) {
        chosen.retain(sees);
    }
    let order = |c: &TimedCommand| !matches!(c.command.source, CommandSource::Check(_));
    chosen.sort_by(|a, b| {
        let quick = a.seconds.total_cmp(&b.seconds);
        order(a).cmp(&order(b)).then(quick)
    });
    if chosen.iter().any(|c| c.seconds <= SLOW) {
        chosen.retain(|c| c.seconds <= SLOW);
    } else {
        chosen.sort_by(|a, b| a.seconds.total_cmp(&b.seconds));
        chosen.truncate(1);
    }
    chosen
}

/// Returns how long a command may take on a changed tree.
pub(crate) fn allowance(timed: &TimedCommand) -> Duration {
    let usual = Duration::from_secs_f64(timed.seconds.max(0.0));
    (usual * PATIENCE).max(LEAST).min(timed.command.timeout)
}

/// Programs that look at the form of a text, never at what it does.
const FORM: &[&str] = &[
    "rustfmt",
    "gofmt",
    "goimports",
    "golangci-lint",
    "staticcheck",
    "black",
    "ruff",
    "flake8",
    "pylint",
    "isort",
    "mypy",
    "pyright",
    "basedpyright",
    "bandit",
    "pycodestyle",
    "pydocstyle",
    "yapf",
    "autopep8",
    "codespell",
    "typos",
    "eslint",
    "prettier",
    "biome",
    "tsc",
    "standard",
    "stylelint",
    "xo",
    "oxlint",
    "dprint",
    "shellcheck",
    "shfmt",
    "yamllint",
    "markdownlint",
    "markdownlint-cli2",
    "actionlint",
    "hadolint",
    "taplo",
    "clang-format",
    "clang-tidy",
    "cppcheck",
    "rubocop",
    "standardrb",
    "phpstan",
    "psalm",
    "php-cs-fixer",
    "ktlint",
    "detekt",
    "swiftlint",
    "swiftformat",
    "tflint",
    "hlint",
    "ormolu",
    "pre-commit",
    "lint",
    "fmt",
    "format",
    "typecheck",
    "type-check",
    "check-types",
    "format-check",
    "fmt-check",
];

/// Programs of which some verbs do.
const FORM_VERBS: &[(&str, &[&str])] = &[
    (
        "cargo",
        &[
            "fmt", "clippy", "deny", "audit", "machete", "check", "build", "doc",
        ],
    ),
    ("go", &["vet", "fmt", "build"]),
    ("dart", &["format", "analyze"]),
    ("mix", &["format", "credo", "dialyzer", "compile"]),
    ("terraform", &["fmt", "validate"]),
    ("git", &["diff"]),
];

/// Words before the program that is meant.
const WRAPPERS: &[&str] = &[
    "npx", "bunx", "uvx", "npm", "pnpm", "yarn", "bun", "uv", "poetry", "pdm", "hatch", "pipenv",
    "run", "exec", "bundle", "python", "python3", "env", "nice", "time", "make", "just", "task",
];

/// Returns whether every command of a shell text looks at the form only.
fn sees_form_only(shell: &str) -> bool {
    let parts = shell
        .split(['\n', ';', '|'])
        .flat_map(|part| part.split("&&"));
    let mut programs = parts.filter_map(program).peekable();
    programs.peek().is_some() && programs.all(|(program, verb)| is_form(program, verb))
}

/// Returns the program that a part of a shell text is about, and its first word.
fn program(part: &str) -> Option<(&str, &str)> {
    let mut words = part
        .split_whitespace()
        .map(|word| word.trim_matches(['\'', '"', '(', ')', '{', '}', '&']))
        .skip_while(|word| {
            let name = file_name(word);
            word.is_empty()
                || word.starts_with('-')
                || word.contains('=')
                || WRAPPERS.contains(&name)
        });
    let first = words.next()?;
    if matches!(first, "cd" | "set" | "export" | "true" | ":") {
        return None;
    }
    let name = file_name(first);
    let verb = words.find(|w| !w.starts_with(['-', '+']));
    Some((name, verb.unwrap_or_default()))
}

fn is_form(program: &str, verb: &str) -> bool {
    let verbs = FORM_VERBS.iter().find(|(name, _)| *name == program);
    FORM.contains(&program) || verbs.is_some_and(|(_, verbs)| verbs.contains(&verb))
}

#[cfg(test)]
mod tests;
