//! Everything the driver needs of the world, as one small interface.
//!
//! Ids of commits, trees and blobs are opaque text. Every method is one effect: a crash before or
//! after any of them must be harmless, which is what the simulator and the crash matrix check.

use super::budget::SessionBudget;
use crate::agents::ProcessExit;
use crate::agents::Session;
use crate::engine::guards::ChangedPath;
use crate::error::Result;
use crate::model::layout::Layout;
use crate::model::workspace::FileSet;
use std::time::Duration;

/// The id of a commit, tree or blob.
pub type ObjectId = String;

/// One pinned commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pin {
    /// The ref's full name.
    pub name: String,
    /// The commit.
    pub commit: ObjectId,
    /// Its tree.
    pub tree: ObjectId,
    /// Its message.
    pub message: String,
}

/// What a slot held when it was captured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CapturedTree {
    /// Its files as a tree.
    pub tree: ObjectId,
    /// Whether its history still descended from the base.
    pub history_ok: bool,
    /// Anything odd: nested repositories, sockets.
    pub notes: Vec<String>,
}

/// What a merge of two trees gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MergeOutcome {
    /// A tree that holds both.
    Clean(ObjectId),
    /// Paths that both changed.
    Conflict(Vec<String>),
}

/// What happened to the user's checkout when the branch moved.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CheckoutUpdate {
    /// Paths that kept the user's version although the branch changed them.
    pub kept: Vec<String>,
    /// Why the checkout was not updated, when it was not.
    pub not_followed: Option<String>,
}

/// What the driver wrote down before it started a session in a slot.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct InFlight {
    /// The slot.
    pub slot: usize,
    /// The unit.
    pub unit: String,
    /// The attempt's number.
    pub number: u32,
    /// The commit it started from.
    pub base: ObjectId,
    /// What was in the slot when the session started.
    pub tree: ObjectId,
    /// The agent.
    pub agent: String,
    /// RFC 3339, UTC.
    pub started_at: String,
}

/// What to run as a session.
#[derive(Debug, Clone)]
pub struct AgentJob {
    /// The slot it runs in.
    pub slot: usize,
    /// The unit.
    pub unit: String,
    /// The attempt since it was armed, from 1.
    pub nth: u32,
    /// Names the attempt's log.
    pub number: u32,
    /// The agent, in the user's or the plan's words.
    pub agent: String,
    /// Whether the user named it, so that it may define a program.
    pub by_user: bool,
    /// The prompt.
    pub prompt: String,
    /// The model, when named.
    pub model: Option<String>,
    /// The effort, when named.
    pub effort: Option<String>,
    /// Wall-clock limit.
    pub timeout: Duration,
    /// Silence after which it is ended.
    pub idle_timeout: Duration,
    /// What it may still cost, in US dollars.
    pub budget_usd: Option<f64>,
    /// Its part of what it spends together with the sessions beside it.
    pub share: Option<SessionBudget>,
    /// Runs it without confinement, as its unit declares.
    pub unsandboxed: bool,
}

/// How a session ended.
#[derive(Debug, Clone)]
pub struct AgentEnd {
    /// How the process ended.
    pub exit: ProcessExit,
    /// What was seen of the session.
    pub session: Session,
    /// What the adapter makes of it.
    pub outcome: crate::agents::Outcome,
    /// Wall clock.
    pub duration: Duration,
    /// Processes it left behind, ended by the driver.
    pub strays: usize,
    /// What a user can do about a failure outside the work.
    pub remedy: Option<String>,
    /// Anything a user should know.
    pub notes: Vec<String>,
}

/// What prepares a slot beside its files.
#[derive(Debug, Clone, Copy)]
pub struct SetUp<'a> {
    /// The tree in the slot.
    pub tree: &'a ObjectId,
    /// The tree the work started from.
    pub base: &'a ObjectId,
    /// The project's `setup`.
    pub shell: Option<&'a str>,
    /// The project's `link`.
    pub link: &'a [String],
    /// The state directory, which says nothing about the product.
    pub state_dir: &'a str,
}

/// A command of the oracle, ready to run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShellJob {
    /// The slot it runs in.
    pub slot: usize,
    /// The unit it judges.
    pub unit: String,
    /// The attempt's number; 0 on the base.
    pub number: u32,
    /// Its name, for the log.
    pub name: String,
    /// The shell text.
    pub shell: String,
    /// The feature's directory relative to the slot.
    pub feature_dir: String,
    /// Wall-clock limit.
    pub timeout: Duration,
    /// Whether it may reach the network, where that can be kept from it.
    pub network: bool,
}

/// How a command ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShellEnd {
    /// Its exit code; none when it was ended.
    pub exit: Option<i32>,
    /// Why there is no exit code: `timed out after 15m`, `ended by signal 9`, `cancelled`.
    pub why: Option<String>,
    /// Wall clock.
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

/// The paths of a tree, and the content of some of them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TreeListing {
    /// Every regular file.
    pub paths: Vec<String>,
    /// Those that were chosen, in the order chosen.
    pub chosen: Vec<(String, Vec<u8>)>,
}

/// New content of a path of a tree; none removes it.
pub type TreeWrite = (String, Option<Vec<u8>>);

/// Slots from this number on are verification's own: no session ever works in one, so nothing a
/// session left in ignored files can judge its work.
pub const VERIFICATION_SLOTS: usize = 64;

/// What is put back for a second look: a path, and its text; none for what the other tree has there.
pub type RestoredFile = (String, Option<String>);

/// The world as the driver sees it. Slots may be worked in from several threads at once.
pub trait Machine: Sync {
    /// Returns the files of the state directory at a commit.
    fn state_files(&self, commit: &ObjectId, layout: Layout) -> Result<FileSet>;
    /// Returns one file of a commit or tree.
    fn file_at(&self, tree: &ObjectId, path: &str) -> Result<Option<Vec<u8>>>;
    /// Returns every path of a commit or tree that is a regular file.
    fn paths(&self, tree: &ObjectId) -> Result<Vec<String>>;
    /// Returns every path of a commit or tree that is a regular file, and of those that `choose`
    /// picks the content; what is large comes empty.
    fn survey(
        &self,
        tree: &ObjectId,
        choose: &dyn Fn(&[String]) -> Vec<String>,
    ) -> Result<TreeListing>;
    /// Returns the commit a branch points at.
    fn tip(&self, branch: &str) -> Result<Option<ObjectId>>;
    /// Returns the tree of a commit.
    fn tree_of(&self, commit: &ObjectId) -> Result<ObjectId>;
    /// Returns a name for a tree's content outside one top-level directory.
    fn tree_key(&self, tree: &ObjectId, without: &str) -> Result<String>;
    /// Returns every pinned attempt.
    fn pins(&self) -> Result<Vec<Pin>>;
    /// Pins a tree with a message under a ref, replacing what the ref held.
    fn pin(&self, name: &str, tree: &ObjectId, parent: &ObjectId, message: &str) -> Result<()>;
    /// Removes a pin that was moved elsewhere.
    fn unpin(&self, name: &str) -> Result<()>;
    /// Returns what changed between two trees or commits.
    fn diff(&self, old: &ObjectId, new: &ObjectId) -> Result<Vec<ChangedPath>>;
    /// Returns a tree with some files replaced.
    fn edit_tree(&self, tree: &ObjectId, edits: &[TreeWrite]) -> Result<ObjectId>;
    /// Returns the contents of paths of a tree, in the order asked; none for what is not there or is
    /// larger than the limit.
    fn contents(
        &self,
        tree: &ObjectId,
        paths: &[String],
        limit: usize,
    ) -> Result<Vec<Option<Vec<u8>>>> {
        let one = |path: &String| {
            Ok(self
                .file_at(tree, path)?
                .filter(|bytes| bytes.len() <= limit))
        };
        paths.iter().map(one).collect()
    }
    /// Returns a tree with some paths as another tree has them, or with the text given.
    fn put_back(
        &self,
        tree: &ObjectId,
        from: &ObjectId,
        paths: &[RestoredFile],
    ) -> Result<ObjectId> {
        let edits: Result<Vec<TreeWrite>> = paths
            .iter()
            .map(|(path, text)| match text {
                Some(text) => Ok((path.clone(), Some(text.clone().into_bytes()))),
                None => Ok((path.clone(), self.file_at(from, path)?)),
            })
            .collect();
        self.edit_tree(tree, &edits?)
    }
    /// Merges two trees that come from a common one.
    fn merge(&self, base: &ObjectId, ours: &ObjectId, theirs: &ObjectId) -> Result<MergeOutcome>;
    /// Commits a tree on the tip of a branch by the user's identity, moves the branch if it still
    /// is where it was (the only commit point there is), and brings the user's checkout along,
    /// except where they edited. Returns nothing when the branch had moved.
    fn land(
        &self,
        branch: &str,
        tip: &ObjectId,
        tree: &ObjectId,
        message: &str,
    ) -> Result<Option<(ObjectId, CheckoutUpdate)>>;
    /// Brings the user's checkout along where a crash left it behind.
    fn catch_up(&self) -> Result<CheckoutUpdate>;

    /// Makes a slot hold exactly a tree, with a fresh throwaway repository at a commit.
    fn prepare_slot(
        &self,
        slot: usize,
        commit: &ObjectId,
        tree: &ObjectId,
        branch: &str,
    ) -> Result<()>;
    /// Returns the tracked files of a prepared slot that are not as the tree has them.
    fn changed_in_slot(&self, _slot: usize) -> Result<Vec<String>> {
        Ok(vec![])
    }
    /// Names the ignored paths that verification's slots keep from run to run.
    fn keep_caches(&self, _paths: &[String]) {}
    /// Returns the names of the user's own hooks that belong to verification.
    fn hook_names(&self) -> Vec<String> {
        vec![]
    }
    /// Returns those hooks, ready to run in a prepared slot: a name and a shell text each.
    /// `message` is what the commit would say.
    fn hooks(&self, _slot: usize, _message: &str) -> Result<Vec<(String, String)>> {
        Ok(vec![])
    }
    /// Returns what confines a session here: `bubblewrap`, `landlock` or `none`.
    fn isolation(&self, _unsandboxed: bool) -> String {
        "none".to_owned()
    }
    /// Captures what is in a slot.
    fn capture(&self, slot: usize, base: &ObjectId) -> Result<CapturedTree>;
    /// Writes down that a session is about to run in a slot.
    fn note_in_flight(&self, note: &InFlight) -> Result<()>;
    /// Returns the sessions that were running when the last driver ended.
    fn in_flight(&self) -> Result<Vec<InFlight>>;
    /// Forgets a session whose tree is pinned.
    fn clear_in_flight(&self, slot: usize) -> Result<()>;

    /// Runs a session to its end; nothing it started is alive afterwards.
    fn run_agent(&self, job: &AgentJob) -> Result<AgentEnd>;
    /// Runs a command of the oracle to its end; nothing it started is alive afterwards.
    fn run_shell(&self, job: &ShellJob) -> Result<ShellEnd>;
    /// Brings linked paths and runs the project's set-up in a slot, unless it ran for the same inputs before.
    fn set_up(&self, slot: usize, asked: &SetUp<'_>) -> Result<Option<ShellEnd>>;

    /// Returns what a command said on a tree before: its exit code.
    fn remembered(&self, key: &str) -> Option<i32>;
    /// Remembers what a command said on a tree. Losing it costs time only.
    fn remember(&self, key: &str, exit: i32);
    /// Keeps a text beside the attempt's log. Losing it costs nothing but the text.
    fn keep(&self, unit: &str, number: u32, name: &str, text: &str);

    /// Returns the time.
    fn now(&self) -> jiff::Timestamp;
    /// Waits; returns false when it was told to stop.
    fn sleep_until(&self, until: jiff::Timestamp) -> bool;
    /// Returns true when the user or the system asked to stop.
    fn stopping(&self) -> bool;
    /// Returns a random name for an attempt.
    fn attempt_id(&self) -> String;
}
