//! Where this program came from, and the command that would bring a newer one. The program never updates itself.

/// How the program got to where it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InstallOrigin {
    /// A file of the Debian package.
    Debian,
    /// Installed by Homebrew: the file is in its cellar.
    Homebrew,
    /// A global npm package.
    NpmGlobal,
    /// An npm package of a project.
    NpmProject,
    /// The cache of `npx`.
    Npx,
    /// A tool environment of uv.
    UvTool,
    /// The cache of `uvx`.
    Uvx,
    /// An environment of pipx.
    Pipx,
    /// A wheel in some other Python environment.
    Wheel,
    /// The directory where Cargo installs programs.
    Cargo,
    /// Installed by the release's shell installer.
    Installer,
    /// A build directory of a checkout.
    Checkout,
    /// Anything else: an unpacked archive, a copy.
    Copied,
}

/// What is known about the running program's file.
#[derive(Debug, Clone, Copy, Default)]
pub struct ProgramFacts<'a> {
    /// Its path, with `/`, links resolved.
    pub path: &'a str,
    /// Whether it lies in the `bin` of a Python environment.
    pub in_python_environment: bool,
    /// Who made that environment, by the record that is left in it: its place can be anybody's choice.
    pub environment_of: Option<InstallOrigin>,
    /// Whether Debian's package database lists it.
    pub in_debian_package: bool,
    /// Whether the shell installer left its record beside it.
    pub has_installer_record: bool,
    /// The directory where Cargo installs programs, when it is known.
    pub cargo_bin: Option<&'a str>,
}

/// Parts of a path that name who put the program there, the narrowest first.
const PLACES: &[(&str, InstallOrigin)] = &[
    ("/_npx/", InstallOrigin::Npx),
    ("/lib/node_modules/", InstallOrigin::NpmGlobal),
    ("/node_modules/", InstallOrigin::NpmProject),
    ("/uv/tools/", InstallOrigin::UvTool),
    ("/uv/archive-v", InstallOrigin::Uvx),
    ("/pipx/venvs/", InstallOrigin::Pipx),
    ("/Cellar/", InstallOrigin::Homebrew),
    ("/.cargo/bin/", InstallOrigin::Cargo),
];

/// Files that tools leave in the Python environments they make.
pub const ENVIRONMENT_RECORDS: [(&str, InstallOrigin); 2] = [
    ("pipx_metadata.json", InstallOrigin::Pipx),
    ("uv-receipt.toml", InstallOrigin::UvTool),
];

/// Directories in which Cargo builds.
const BUILD_DIRECTORIES: [&str; 2] = ["/debug/gatewalk", "/release/gatewalk"];

impl InstallOrigin {
    /// Returns the origin that the facts speak for.
    pub fn of(facts: &ProgramFacts<'_>) -> InstallOrigin {
        let by_path = PLACES
            .iter()
            .find(|(part, _)| facts.path.contains(part))
            .map(|(_, origin)| *origin);
        if let Some(origin) = by_path {
            return origin;
        }
        let cargo_bin = |bin: &str| facts.path.starts_with(&format!("{bin}/"));
        let is_build = BUILD_DIRECTORIES
            .iter()
            .any(|end| facts.path.ends_with(end));
        if facts.in_debian_package {
            InstallOrigin::Debian
        } else if facts.in_python_environment {
            facts.environment_of.unwrap_or(InstallOrigin::Wheel)
        } else if facts.cargo_bin.is_some_and(cargo_bin) {
            InstallOrigin::Cargo
        } else if facts.has_installer_record {
            InstallOrigin::Installer
        } else if is_build {
            InstallOrigin::Checkout
        } else {
            InstallOrigin::Copied
        }
    }

    /// Returns the origin in words that follow "from".
    pub fn words(self) -> &'static str {
        match self {
            InstallOrigin::Debian => "the Debian package",
            InstallOrigin::Homebrew => "Homebrew",
            InstallOrigin::NpmGlobal => "npm",
            InstallOrigin::NpmProject => "a project's npm packages",
            InstallOrigin::Npx => "npx",
            InstallOrigin::UvTool => "uv",
            InstallOrigin::Uvx => "uvx",
            InstallOrigin::Pipx => "pipx",
            InstallOrigin::Wheel => "a Python wheel",
            InstallOrigin::Cargo => "Cargo",
            InstallOrigin::Installer => "the shell installer",
            InstallOrigin::Checkout => "a build of a checkout",
            InstallOrigin::Copied => "a copy of the program",
        }
    }

    /// Returns what updates a program of this origin.
    pub fn update(self) -> &'static str {
        match self {
            InstallOrigin::Debian => "apt install ./gatewalk_VERSION_ARCHITECTURE.deb",
            InstallOrigin::Homebrew => "brew upgrade gatewalk",
            InstallOrigin::NpmGlobal => "npm install --global gatewalk@latest",
            InstallOrigin::NpmProject => "npm install gatewalk@latest",
            InstallOrigin::Npx => "npx gatewalk@latest",
            InstallOrigin::UvTool => "uv tool upgrade gatewalk",
            InstallOrigin::Uvx => "uvx gatewalk@latest",
            InstallOrigin::Pipx => "pipx upgrade gatewalk",
            InstallOrigin::Wheel => "pip install --upgrade gatewalk",
            InstallOrigin::Cargo => "cargo install --locked --path . (in a newer checkout)",
            InstallOrigin::Installer => "sh install.sh",
            InstallOrigin::Checkout => "git pull && cargo build --release",
            InstallOrigin::Copied => "replace the file by a newer one",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_names_who_put_the_program_there() {
        for (path, want) in [
            (
                "/usr/lib/node_modules/gatewalk-linux-x64/bin/gatewalk",
                InstallOrigin::NpmGlobal,
            ),
            (
                "/src/shop/node_modules/gatewalk-linux-x64/bin/gatewalk",
                InstallOrigin::NpmProject,
            ),
            (
                "/home/a/.npm/_npx/1f/node_modules/gatewalk-linux-x64/bin/gatewalk",
                InstallOrigin::Npx,
            ),
            (
                "/home/a/.local/share/uv/tools/gatewalk/bin/gatewalk",
                InstallOrigin::UvTool,
            ),
            (
                "/home/a/.cache/uv/archive-v0/x/bin/gatewalk",
                InstallOrigin::Uvx,
            ),
            (
                "/home/a/.local/pipx/venvs/gatewalk/bin/gatewalk",
                InstallOrigin::Pipx,
            ),
            (
                "/opt/homebrew/Cellar/gatewalk/0.1.0/bin/gatewalk",
                InstallOrigin::Homebrew,
            ),
            ("/home/a/.cargo/bin/gatewalk", InstallOrigin::Cargo),
            (
                "/src/gatewalk/target/release/gatewalk",
                InstallOrigin::Checkout,
            ),
            (
                "/src/gatewalk/target/debug/gatewalk",
                InstallOrigin::Checkout,
            ),
            ("/opt/gatewalk", InstallOrigin::Copied),
            ("/opt/release-notes/gatewalk", InstallOrigin::Copied),
        ] {
            let facts = ProgramFacts {
                path,
                ..ProgramFacts::default()
            };
            assert_eq!(InstallOrigin::of(&facts), want, "{path}");
        }
    }

    #[test]
    fn what_only_the_disk_knows_decides_where_the_path_is_silent() {
        let plain = ProgramFacts {
            path: "/a/bin/gatewalk",
            ..ProgramFacts::default()
        };
        for (facts, want) in [
            (
                ProgramFacts {
                    in_debian_package: true,
                    ..plain
                },
                InstallOrigin::Debian,
            ),
            (
                ProgramFacts {
                    in_python_environment: true,
                    ..plain
                },
                InstallOrigin::Wheel,
            ),
            (
                ProgramFacts {
                    in_python_environment: true,
                    environment_of: Some(InstallOrigin::Pipx),
                    ..plain
                },
                InstallOrigin::Pipx,
            ),
            (
                ProgramFacts {
                    has_installer_record: true,
                    ..plain
                },
                InstallOrigin::Installer,
            ),
            (
                ProgramFacts {
                    cargo_bin: Some("/a/bin"),
                    ..plain
                },
                InstallOrigin::Cargo,
            ),
            (
                ProgramFacts {
                    cargo_bin: Some("/a/b"),
                    ..plain
                },
                InstallOrigin::Copied,
            ),
            // A tool's own environment is that tool's, not just any environment.
            (
                ProgramFacts {
                    path: "/home/a/.local/pipx/venvs/gatewalk/bin/gatewalk",
                    in_python_environment: true,
                    ..plain
                },
                InstallOrigin::Pipx,
            ),
        ] {
            assert_eq!(InstallOrigin::of(&facts), want, "{facts:?}");
        }
    }

    #[test]
    fn every_origin_has_words_and_an_update_of_its_own() {
        let all = [
            InstallOrigin::Debian,
            InstallOrigin::Homebrew,
            InstallOrigin::NpmGlobal,
            InstallOrigin::NpmProject,
            InstallOrigin::Npx,
            InstallOrigin::UvTool,
            InstallOrigin::Uvx,
            InstallOrigin::Pipx,
            InstallOrigin::Wheel,
            InstallOrigin::Cargo,
            InstallOrigin::Installer,
            InstallOrigin::Checkout,
            InstallOrigin::Copied,
        ];
        let distinct = |of: fn(InstallOrigin) -> &'static str| {
            let words: std::collections::BTreeSet<&str> = all.map(of).into_iter().collect();
            assert!(words.iter().all(|w| !w.is_empty()), "{words:?}");
            words.len()
        };
        assert_eq!(distinct(InstallOrigin::words), all.len());
        assert_eq!(distinct(InstallOrigin::update), all.len());
    }
}
