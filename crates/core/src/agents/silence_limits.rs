//! How long a tool call may be silent: an install, a build or a test run prints nothing for minutes
//! and is healthy.

use super::Activity;
use std::time::Duration;

/// Kinds of long work, by words of the command line.
const LONG: &[(&[&str], Duration)] = &[
    // Installs wait for registries and compile from source.
    (
        &[
            "install", "npm ci", "pnpm i", "yarn", "apt", "pip", "uv sync", "bundle", "docker",
            "download", "clone", "fetch",
        ],
        Duration::from_secs(30 * 60),
    ),
    (
        &[
            "build",
            "compile",
            "make",
            "cmake",
            "ninja",
            "bazel",
            "gradle",
            "mvn",
            "cargo",
            "tsc",
            "webpack",
            "xcodebuild",
            "dotnet",
        ],
        Duration::from_secs(40 * 60),
    ),
    (
        &[
            "test",
            "pytest",
            "jest",
            "vitest",
            "playwright",
            "cypress",
            "bench",
            "tox",
            "rspec",
            "ctest",
            "verify",
        ],
        Duration::from_secs(40 * 60),
    ),
];

/// Returns how long this open call may be silent before it counts as a hang, beyond what every
/// silence may last; zero for what should answer at once.
pub fn grace(call: &Activity) -> Duration {
    let command = call.detail.to_ascii_lowercase();
    // A file whose name says `test` is opened in no time: only what runs something is long.
    let tool = call.tool.to_ascii_lowercase();
    let runs = ["bash", "shell", "command", "exec", "terminal"]
        .iter()
        .any(|word| tool.contains(word));
    if !runs {
        return Duration::ZERO;
    }
    let has = |word: &&str| {
        command
            .match_indices(*word)
            .any(|(at, _)| at == 0 || !command.as_bytes()[at - 1].is_ascii_alphanumeric())
    };
    LONG.iter()
        .filter(|(words, _)| words.iter().any(has))
        .map(|(_, grace)| *grace)
        .max()
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_runs_long_work_has_time() {
        for (tool, detail, minutes) in [
            ("Bash", "cargo test --workspace", 40),
            ("shell", "/bin/bash -lc 'npm ci && npm run build'", 40),
            ("run_shell_command", "pip install -r requirements.txt", 30),
            ("exec_command", "cd x; ./gradlew check", 40),
            ("Bash", "sleep 400", 0),
            ("Bash", "cat latest.log", 0),
            ("Write", "/repo/tests/build.rs", 0),
            ("WebFetch", "https://example.org/install", 0),
        ] {
            let call = Activity {
                id: String::new(),
                tool: tool.into(),
                detail: detail.into(),
            };
            assert_eq!(grace(&call).as_secs() / 60, minutes, "{tool} {detail}");
        }
    }
}
