//! Which commands may need the network.

use crate::path_names::file_name;

/// Programs that may fetch something when they run; everything else is expected to do without.
const FETCHERS: &[&str] = &[
    "cargo",
    "npm",
    "npx",
    "pnpm",
    "yarn",
    "bun",
    "bunx",
    "deno",
    "pip",
    "pip3",
    "uv",
    "uvx",
    "poetry",
    "pdm",
    "pipenv",
    "hatch",
    "tox",
    "nox",
    "conda",
    "go",
    "mvn",
    "mvnw",
    "gradle",
    "gradlew",
    "sbt",
    "dotnet",
    "nuget",
    "bundle",
    "gem",
    "composer",
    "mix",
    "rebar3",
    "stack",
    "cabal",
    "nix",
    "bazel",
    "bazelisk",
    "make",
    "just",
    "task",
    "docker",
    "podman",
    "compose",
    "curl",
    "wget",
    "ssh",
    "git",
    "gh",
    "terraform",
    "helm",
    "kubectl",
    "pre-commit",
    "playwright",
    "cypress",
];

/// Returns whether a command may need the network. One with a switch for working offline does not.
pub fn may_fetch(shell: &str) -> bool {
    let words = || shell.split(|c: char| c.is_whitespace() || "\"';&|()`$".contains(c));
    let offline = words().any(|w| matches!(w, "--offline" | "--frozen" | "-o" | "--no-network"));
    !offline && words().any(|w| FETCHERS.contains(&file_name(w)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_programs_that_may_fetch_something_get_the_network() {
        for (shell, want) in [
            ("cargo test", true),
            ("cargo test --offline", false),
            ("cargo test --frozen", false),
            ("mvn -o verify", false),
            ("/usr/bin/npm ci", true),
            ("cd web && npm test", true),
            ("(npm test)", true),
            ("sh -c 'go test ./...'", true),
            ("pytest -q", false),
            ("./cargo.sh", false),
            ("test -f Cargo.toml", false),
        ] {
            assert_eq!(may_fetch(shell), want, "{shell}");
        }
    }
}
