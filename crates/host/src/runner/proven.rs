//! What proving a runner came to the last time, kept below the user's cache directory: `status` shows it beside the runner.

use crate::files::write_runtime;
use crate::host::Host;
use crate::runner_definition::RunnerDefinition;
use gatewalk_core::engine::oracle::hex;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// What proving a runner came to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunnerProof {
    /// `ok`, `warn` or `fail`: the worst of its checks.
    pub level: String,
    /// When: RFC 3339, in UTC.
    pub at: String,
    /// The checks that were not in order.
    pub to_mend: Vec<String>,
    /// Stands for the definition that was proven.
    definition: String,
}

impl RunnerProof {
    /// Returns what was just found.
    pub fn now(runner: &RunnerDefinition, level: &str, to_mend: Vec<String>) -> RunnerProof {
        RunnerProof {
            level: level.to_owned(),
            at: jiff::Timestamp::now().to_string(),
            to_mend,
            definition: fingerprint(runner),
        }
    }

    /// Returns whether the runner is still the one that was proven.
    pub fn is_of(&self, runner: &RunnerDefinition) -> bool {
        self.definition == fingerprint(runner)
    }
}

/// Stands for what a runner starts; how many sessions it takes, and how long it may be silent, proves nothing else.
fn fingerprint(runner: &RunnerDefinition) -> String {
    let mut hash = Sha256::new();
    for word in runner
        .command
        .iter()
        .chain([&runner.program])
        .chain(&runner.env)
    {
        hash.update(word);
        hash.update([0]);
    }
    hex(&hash.finalize())[..16].to_owned()
}

fn path(host: &Host) -> Option<PathBuf> {
    Some(host.cache_root().ok()?.join("runners.json"))
}

/// Returns what is known of runners, by name.
pub fn proofs(host: &Host) -> BTreeMap<String, RunnerProof> {
    let bytes = path(host).and_then(|path| std::fs::read(path).ok());
    let known = bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok());
    known.unwrap_or_default()
}

/// Keeps what was found.
pub fn keep_proof(host: &Host, runner: &RunnerDefinition, proof: RunnerProof) {
    let Some(path) = path(host) else { return };
    let mut all = proofs(host);
    all.retain(|name, _| host.runners.iter().any(|own| own.name == *name));
    all.insert(runner.name.clone(), proof);
    let made = path.parent().map(std::fs::create_dir_all);
    if made.is_some_and(|made| made.is_ok()) {
        // A cache: proving it once more is all that is lost.
        drop(write_runtime(
            &path,
            &serde_json::to_vec(&all).expect("plain data"),
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn runner(command: &str) -> RunnerDefinition {
        RunnerDefinition {
            command: vec![command.to_owned()],
            ..RunnerDefinition::named("big")
        }
    }

    #[test]
    fn a_proof_is_kept_for_the_command_it_was_made_with() {
        let home = tempfile::tempdir().unwrap();
        let mut host = Host {
            env: vec![("HOME".into(), home.path().into())],
            runners: vec![runner("ssh")],
            ..Host::default()
        };
        assert!(proofs(&host).is_empty());
        let proof = RunnerProof::now(&host.runners[0], "warn", vec!["clock".to_owned()]);
        keep_proof(&host, &runner("ssh"), proof.clone());
        assert_eq!(proofs(&host)["big"], proof);
        assert!(proof.is_of(&runner("ssh")) && !proof.is_of(&runner("srun")));
        let other = RunnerDefinition {
            name: "box".to_owned(),
            ..runner("podman")
        };
        host.runners = vec![other.clone()];
        keep_proof(&host, &other, proof);
        let names: Vec<String> = proofs(&host).into_keys().collect();
        assert_eq!(names, ["box"], "what is defined no more is forgotten");
    }
}
