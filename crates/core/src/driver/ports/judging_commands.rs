//! Where an attempt is judged: the commands of the oracle and the user's own hooks. As for sessions, a slot is named by
//! its id, and only plain data goes in and comes out.

use super::SlotId;
use crate::engine::command_end::CommandEnd;
use crate::error::Result;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// A command of the oracle, ready to run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShellJob {
    /// The slot it runs in.
    pub slot: SlotId,
    /// The unit it judges.
    pub unit: String,
    /// The attempt's number; 0 on the base.
    pub number: u32,
    /// Its name, for the log.
    pub name: String,
    /// What `sh -c` is given.
    pub shell: String,
    /// The feature's directory relative to the slot.
    pub feature_dir: String,
    /// Wall-clock limit, at which its process tree is ended.
    pub timeout: Duration,
    /// Whether it may reach the network, where that can be kept from it.
    pub network: bool,
    /// What it usually takes, for whoever waits for it.
    pub usual: Option<Duration>,
}

/// How a command ended, and what it printed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShellEnd {
    /// How it ended: by itself, or by whom.
    pub ended: CommandEnd,
    /// Wall-clock time from start to end.
    pub duration: Duration,
    /// First bytes of stdout.
    pub stdout_head: Vec<u8>,
    /// Last bytes of stdout.
    pub stdout_tail: Vec<u8>,
    /// Bytes of stdout between them.
    pub stdout_omitted: u64,
    /// First bytes of stderr.
    pub stderr_head: Vec<u8>,
    /// Last bytes of stderr.
    pub stderr_tail: Vec<u8>,
    /// Bytes of stderr between them.
    pub stderr_omitted: u64,
}

/// The place where judging commands run.
pub trait CommandRunner: Sync {
    /// Runs a command of the oracle to its end; nothing it started is alive afterwards.
    fn run_command(&self, job: &ShellJob) -> Result<ShellEnd>;
    /// Returns how many verifications may run at once without one making the other slower.
    fn verifications_at_once(&self) -> usize {
        usize::MAX
    }
    /// Returns the runner that a slot's commands ran on; none for the user's own machine.
    fn judging_runner(&self, _slot: SlotId) -> Option<String> {
        None
    }
    /// Makes the commands of a slot, from now on, such as [`CommandRunner::interrupt`] ends.
    fn make_interruptible(&self, _slot: SlotId) {}
    /// Ends what runs in such a slot, and what starts there later, and nothing else.
    fn interrupt(&self, _slot: SlotId) {}
    /// Returns the names of the user's own hooks that belong to verification.
    fn hook_names(&self) -> Vec<String> {
        vec![]
    }
    /// Returns those hooks, ready to run in a prepared slot: a name and a shell text each.
    /// `message` is what the commit would say.
    fn hooks(&self, _slot: SlotId, _message: &str) -> Result<Vec<(String, String)>> {
        Ok(vec![])
    }
}
