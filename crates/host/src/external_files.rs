//! Files outside every slot that verification reads all the same: the user's settings of tools, and what tools find
//! by going up from where they run.
//!
//! Deliberately absent: what is inside a slot (the guards look at it), git's own settings (`config_snapshot`).

use crate::agent_settings;
use crate::isolation::MovedPlaces;
use crate::place_list::PlaceList;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Settings of tools below the home.
const USER_FILES: &[&str] = &[
    ".cargo/config.toml",
    ".cargo/config",
    ".cargo/env",
    ".config/cargo-nextest/config.toml",
    ".npmrc",
    ".yarnrc",
    ".yarnrc.yml",
    ".bunfig.toml",
    ".config/pnpm/rc",
    ".pip/pip.conf",
    ".config/pip/pip.conf",
    ".config/uv/uv.toml",
    ".config/pypoetry/config.toml",
    ".pydistutils.cfg",
    ".config/go/env",
    ".m2/settings.xml",
    ".m2/extensions.xml",
    ".mavenrc",
    ".gradle/gradle.properties",
    ".gradle/init.gradle",
    ".gradle/init.gradle.kts",
    ".gradle/init.d",
    ".nuget/NuGet/NuGet.Config",
    ".config/NuGet/NuGet.Config",
    ".bundle/config",
    ".gemrc",
    ".rspec",
    ".config/rspec/options",
    ".composer/config.json",
    ".config/composer/config.json",
    ".ctestrc",
    ".proverc",
    // What linters and type checkers go by where a project says nothing.
    ".flake8",
    ".config/flake8",
    ".config/pycodestyle",
    ".pylintrc",
    ".config/pylintrc",
    ".mypy.ini",
    ".config/mypy/config",
    ".config/ruff",
    ".shellcheckrc",
    ".config/shellcheckrc",
    ".rubocop.yml",
    ".config/rubocop/config.yml",
    ".config/yamllint/config",
    ".perlcriticrc",
    ".golangci.yml",
    ".golangci.yaml",
    ".config/git/ignore",
    ".config/hatch/config.toml",
    ".ivy2/.credentials",
    ".sbt/repositories",
    ".node_modules",
    ".node_libraries",
    ".jq",
    ".sqliterc",
    ".psqlrc",
    ".my.cnf",
    ".curlrc",
    ".wgetrc",
    ".Rprofile",
    ".Renviron",
    ".julia/config/startup.jl",
    ".erlang",
    ".octaverc",
    // What a shell reads that a command starts as one of login or for a terminal.
    ".profile",
    ".bash_profile",
    ".bash_login",
    ".bashrc",
    ".zshenv",
    ".zprofile",
    ".zshrc",
    ".zlogin",
    ".kshrc",
    ".config/fish/config.fish",
    ".config/fish/conf.d",
];

/// What tools look for in the directories above.
const ABOVE: &[&str] = &[
    ".cargo",
    "Cargo.toml",
    "rust-toolchain",
    "rust-toolchain.toml",
    "clippy.toml",
    ".clippy.toml",
    "rustfmt.toml",
    ".rustfmt.toml",
    "conftest.py",
    "pytest.ini",
    ".pytest.ini",
    "pyproject.toml",
    "setup.cfg",
    "setup.py",
    "tox.ini",
    "package.json",
    "node_modules",
    ".npmrc",
    ".yarnrc.yml",
    ".pnp.cjs",
    ".pnp.js",
    ".pnpmfile.cjs",
    "pnpm-workspace.yaml",
    "babel.config.js",
    "babel.config.json",
    ".babelrc",
    ".babelrc.json",
    "jest.config.js",
    "jest.config.ts",
    "jest.config.json",
    "vitest.config.js",
    "vitest.config.ts",
    "vite.config.js",
    "vite.config.ts",
    "tsconfig.json",
    ".mocharc.js",
    ".mocharc.json",
    ".mocharc.yml",
    ".eslintrc",
    ".eslintrc.js",
    ".eslintrc.json",
    "eslint.config.js",
    ".editorconfig",
    "deno.json",
    "bunfig.toml",
    "go.mod",
    "go.work",
    "Gemfile",
    ".rspec",
    ".bundle",
    ".ruby-version",
    ".python-version",
    ".node-version",
    ".nvmrc",
    ".tool-versions",
    "mise.toml",
    ".mise.toml",
    ".envrc",
    ".env",
    "global.json",
    "Directory.Build.props",
    "Directory.Build.targets",
    "Directory.Packages.props",
    "NuGet.config",
    "nuget.config",
    "pom.xml",
    ".mvn",
    "settings.gradle",
    "settings.gradle.kts",
    "build.gradle",
    "gradle.properties",
    "phpunit.xml",
    "phpunit.xml.dist",
    "composer.json",
    "WORKSPACE",
    "MODULE.bazel",
    ".bazelrc",
    ".git",
    ".gitattributes",
    ".gitignore",
];

/// Files of a checkout that steer agents, editors and shells of the user, also where git ignores them.
const CHECKOUT_FILES: &[&str] = &[
    ".claude",
    ".codex",
    ".cursor",
    ".gemini",
    ".qwen",
    ".opencode",
    ".continue",
    ".cline",
    ".clinerules",
    ".amp",
    ".copilot",
    ".kiro",
    ".factory",
    ".roo",
    ".windsurf",
    ".aider.conf.yml",
    ".mcp.json",
    "opencode.json",
    "CLAUDE.local.md",
    ".envrc",
    ".vscode",
    ".devcontainer",
    ".husky",
];

/// What is looked at around every session and command, where this process began: none of it depends on what ran since.
#[derive(Debug)]
pub(crate) struct WatchedPlaces {
    /// Files that steer what runs in the slots.
    pub(crate) around: Arc<PlaceList>,
    /// What a session must not leave for the user's own agents and editors, below the home.
    pub(crate) of_agents: Arc<PlaceList>,
    /// Likewise, and in the checkout.
    pub(crate) of_agents_and_checkout: Arc<PlaceList>,
    /// The directories of `PATH` that are the user's own, not the system's.
    pub(crate) own_programs: Vec<PathBuf>,
}

impl WatchedPlaces {
    /// Returns the places of one user, for slots in a directory and a checkout.
    pub(crate) fn new(
        moved: &MovedPlaces,
        (slots, checkout): (&Path, &Path),
        path: Option<&OsString>,
    ) -> WatchedPlaces {
        let of_home = |name: &str| moved.all(name);
        let of_checkout = CHECKOUT_FILES.iter().map(|name| checkout.join(name));
        let agents = agent_settings::put_back().flat_map(of_home);
        let agents: Vec<PathBuf> = agents.collect();
        let with_checkout = agents.iter().cloned().chain(of_checkout).collect();
        let around = USER_FILES
            .iter()
            .copied()
            .flat_map(of_home)
            .chain(above(slots));
        WatchedPlaces {
            around: Arc::new(PlaceList::new(around.collect())),
            of_agents: Arc::new(PlaceList::new(agents)),
            of_agents_and_checkout: Arc::new(PlaceList::new(with_checkout)),
            own_programs: own_programs(path),
        }
    }
}

/// Returns the files that tools find by going up from a slot.
fn above(slots: &Path) -> impl Iterator<Item = PathBuf> {
    // Where everybody may write, a change proves nothing about a session.
    let shared = |directory: &&Path| {
        use std::os::unix::fs::PermissionsExt;
        std::fs::metadata(directory).is_ok_and(|m| m.permissions().mode() & 0o1000 != 0)
    };
    let directories = slots.ancestors().filter(move |f| !shared(f));
    directories.flat_map(|directory| {
        let inside = [
            ".cargo/config.toml",
            ".cargo/config",
            ".config/nextest.toml",
        ];
        let names = ABOVE.iter().copied().chain(inside);
        names.map(move |name| directory.join(name))
    })
}

/// Returns the directories of `PATH` that are the user's own, not the system's.
fn own_programs(path: Option<&OsString>) -> Vec<PathBuf> {
    let system = |dir: &Path| {
        [
            "/usr", "/bin", "/sbin", "/lib", "/opt", "/snap", "/nix", "/run", "/etc",
        ]
        .iter()
        .any(|root| dir.starts_with(root))
            && !dir.starts_with("/usr/local/bin")
    };
    // Many a `PATH` names a directory twice.
    let own: BTreeSet<PathBuf> = path
        .into_iter()
        .flat_map(std::env::split_paths)
        .filter(|dir| dir.is_absolute() && !system(dir))
        .collect();
    own.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_programs_are_looked_at_once_and_those_of_the_system_never() {
        let path = OsString::from("/home/u/bin:/usr/bin:/usr/local/bin:/home/u/bin:relative:/bin");
        let own = own_programs(Some(&path));
        assert_eq!(own, ["/home/u/bin", "/usr/local/bin"].map(PathBuf::from));
        assert!(own_programs(None).is_empty());
    }
}
