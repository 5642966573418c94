//! `GW901`. See `red_check_names_no_test.md`.

use crate::lint::context::UnitCx;
use crate::lint::finding_sink::FindingSink;
use crate::model::unit::ExpectBase;

/// Runners that run everything when no test is named, with the words that are no names.
const RUNNERS: [&[&str]; 25] = [
    &["npx", "jest"],
    &["npx", "vitest"],
    &["npx", "vitest", "run"],
    &["mvn", "test"],
    &["mvn", "verify"],
    &["gradle", "test"],
    &["./gradlew", "test"],
    &["bundle", "exec", "rspec"],
    &["mix", "test"],
    &["swift", "test"],
    &["bun", "test"],
    &["deno", "test"],
    &["tox"],
    &["cargo", "test"],
    &["cargo", "nextest", "run"],
    &["pytest"],
    &["python", "-m", "pytest"],
    &["python3", "-m", "pytest"],
    &["npm", "test"],
    &["npm", "run", "test"],
    &["yarn", "test"],
    &["pnpm", "test"],
    &["go", "test"],
    &["make", "test"],
    &["dotnet", "test"],
];

pub(super) fn check(cx: &UnitCx<'_>, out: &mut FindingSink) {
    if !cx.is_dispatchable() {
        return;
    }
    for check in cx
        .unit
        .front
        .checks
        .iter()
        .flat_map(|c| &c.value)
        .map(|c| &c.value)
    {
        let red = check
            .expect_base
            .as_ref()
            .is_none_or(|e| e.value == ExpectBase::Red);
        let Some(run) = check
            .run
            .as_ref()
            .filter(|r| red && runs_everything(&r.value))
        else {
            continue;
        };
        out.at(
            cx.path(),
            run.span.clone(),
            "this check must be red before the unit starts, and runs every test there is",
        )
        .help("name the test that the unit brings, or set `expect_base: green`");
    }
}

fn runs_everything(shell: &str) -> bool {
    let words: Vec<&str> = shell.split_whitespace().collect();
    let rest = RUNNERS
        .iter()
        .filter_map(|runner| words.strip_prefix(*runner))
        .min_by_key(|rest| rest.len());
    rest.is_some_and(|rest| {
        rest.iter().all(|w| {
            w.starts_with('-')
                && !w.contains('=')
                && !matches!(
                    *w,
                    "-k" | "-run" | "--test" | "-t" | "-p" | "--filter" | "-E"
                )
                || *w == "./..."
        })
    })
}

#[cfg(test)]
mod tests {
    use super::runs_everything;

    #[test]
    fn a_runner_without_a_name_runs_everything() {
        for (shell, want) in [
            ("cargo test", true),
            ("cargo test --locked", true),
            ("cargo test export::empty", false),
            ("cargo test --test suite", false),
            ("pytest", true),
            ("pytest -q", true),
            ("pytest tests/test_a.py", false),
            ("pytest -k export", false),
            ("go test ./...", true),
            ("go test ./... -run TestExport", false),
            ("npm test", true),
            ("test -f x", false),
            ("make export", false),
            ("mvn test", true),
            ("mvn -q test", false),
            ("mvn test -Dtest=ExportTest", false),
            ("npx vitest run", true),
            ("npx vitest run src/a.test.ts", false),
        ] {
            assert_eq!(runs_everything(shell), want, "{shell}");
        }
    }
}
