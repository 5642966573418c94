//! The machine of a user: what is there and allowed, and the name under which a repository is known on it.

use super::git::Git;
use super::process::Resources;
use super::runner_definition::RunnerDefinition;
use gatewalk_core::agents::CommandAgent;
use gatewalk_core::agents::prices::PriceList;
use gatewalk_core::engine::oracle::hex;
use gatewalk_core::engine::runner_slots::RunnerSlots;
use gatewalk_core::error::{Error, Result};
use gatewalk_core::model::config::SandboxPolicy;
use sha2::{Digest, Sha256};
use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

/// What the user has and allows on this machine: environment and own configuration.
#[derive(Debug, Clone, Default)]
pub struct Host {
    /// The environment this program was started with.
    pub env: Vec<(OsString, OsString)>,
    /// Programs the user defined as agents.
    pub agents: Vec<CommandAgent>,
    /// Where relative paths on the command line start.
    pub cwd: PathBuf,
    /// The file of this program, which starts helpers of its own.
    pub own_program: PathBuf,
    /// How strictly the user's own configuration confines attempts.
    pub sandbox: Option<SandboxPolicy>,
    /// What the user said for this run.
    pub sandbox_now: Option<SandboxPolicy>,
    /// More paths that attempts may change, from the user's own configuration.
    pub writable: Vec<PathBuf>,
    /// Whether a unit may ask to run unconfined.
    pub allow_unsandboxed: bool,
    /// What each process of an attempt may use.
    pub resources: Resources,
    /// What tokens cost, where a program names no cost.
    pub prices: PriceList,
    /// Variables of the environment that sessions see beside those their agents do.
    pub session_variables: Vec<String>,
    /// The runners that the user defined.
    pub runners: Vec<RunnerDefinition>,
    /// Which slots of this run are on them.
    pub far: Vec<RunnerSlots>,
}

impl Host {
    /// Returns a variable of the user's environment, if it is set and not empty.
    pub(crate) fn var(&self, name: &str) -> Option<&OsString> {
        let found = self.env.iter().find(|(n, _)| n == name);
        found
            .map(|(_, value)| value)
            .filter(|value| !value.is_empty())
    }

    /// Returns the directory of this program's caches.
    pub(crate) fn cache_root(&self) -> Result<PathBuf> {
        let absolute = |name: &str| {
            self.var(name)
                .map(PathBuf::from)
                .filter(|p| p.is_absolute())
        };
        let cache = absolute("XDG_CACHE_HOME").or_else(|| Some(absolute("HOME")?.join(".cache")));
        let cache = cache.ok_or_else(|| {
            Error::environment("there is no directory for caches there")
                .hint("set HOME or XDG_CACHE_HOME where the runner's command starts the far end")
        })?;
        Ok(cache.join("gatewalk"))
    }
}

/// Returns the name under which a repository's processes are known on this machine.
pub fn owner(git: &Git) -> String {
    let hash = Sha256::digest(git.git_dir().as_os_str().as_bytes());
    format!("gw{}", &hex(&hash)[..16])
}
