//! Looks at this program's own file: where it came from, and what would update it.

use gatewalk_core::install_origin::{ENVIRONMENT_RECORDS, InstallOrigin, ProgramFacts};
use std::path::{Path, PathBuf};

/// What Debian's package database lists for the package.
const DEBIAN_LIST: &str = "/var/lib/dpkg/info/gatewalk.list";

/// What the shell installer leaves, seen from the directory of the program.
const INSTALLER_RECORD: &str = "../share/gatewalk/installed-by";

/// Where this program came from.
pub(crate) struct ProgramOrigin {
    path: PathBuf,
    origin: InstallOrigin,
}

impl ProgramOrigin {
    /// Looks at the running program.
    pub(crate) fn find() -> ProgramOrigin {
        let path = std::env::current_exe().unwrap_or_default();
        let path = path.canonicalize().unwrap_or(path);
        let directory = path.parent().unwrap_or(Path::new("/"));
        let text = path.to_string_lossy().replace('\\', "/");
        let listed = std::fs::read_to_string(DEBIAN_LIST).unwrap_or_default();
        let cargo_bin = std::env::var("CARGO_HOME").map(|home| format!("{home}/bin"));
        let origin = InstallOrigin::of(&ProgramFacts {
            path: &text,
            in_python_environment: directory.join("../pyvenv.cfg").exists(),
            environment_of: ENVIRONMENT_RECORDS
                .into_iter()
                .find(|(record, _)| directory.join("..").join(record).exists())
                .map(|(_, origin)| origin),
            in_debian_package: listed.lines().any(|line| line == text),
            has_installer_record: directory.join(INSTALLER_RECORD).exists(),
            cargo_bin: cargo_bin.as_deref().ok(),
        });
        ProgramOrigin { path, origin }
    }

    /// Returns what `--version` prints behind the name.
    pub(crate) fn long_version(&self) -> String {
        let built = option_env!("GATEWALK_COMMIT").map(|commit| format!(", built from {commit}"));
        format!(
            "{}\nfrom {}: {}{}\nto update: {}",
            env!("CARGO_PKG_VERSION"),
            self.origin.words(),
            self.path.display(),
            built.unwrap_or_default(),
            self.origin.update()
        )
    }

    /// Returns the sentence of `upgrade` about the program.
    pub(crate) fn sentence(&self) -> String {
        format!(
            "the program is {} from {} and never updates itself; this would: {}",
            env!("CARGO_PKG_VERSION"),
            self.origin.words(),
            self.origin.update()
        )
    }

    /// Returns the same for programs.
    pub(crate) fn to_json(&self) -> serde_json::Value {
        serde_json::json!({
            "version": env!("CARGO_PKG_VERSION"),
            "path": self.path,
            "origin": self.origin.words(),
            "update": self.origin.update(),
        })
    }
}
