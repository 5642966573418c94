//! Everything the driver needs of the world, one narrow trait a subject.
//!
//! Every method is one effect: a crash before or after any of them must be harmless, which is what the simulator and
//! the crash matrix check.

mod branch_history;
mod judging_commands;
mod run_notes;
mod session_runs;
mod slot_id;
mod wall_clock;
mod workspaces;

pub use branch_history::{
    CheckoutUpdate, CommitRequest, History, MergeOutcome, Pin, RestoredFile, TreeListing, TreeWrite,
};
pub use judging_commands::{CommandRunner, ShellEnd, ShellJob};
pub use run_notes::{InFlight, RunNotes};
pub use session_runs::{AgentEnd, AgentJob, FarPlace, SessionRunner};
pub use slot_id::SlotId;
pub use wall_clock::Clock;
pub use workspaces::{CapturedTree, NamedBytes, SetUp, SlotContent, Workspaces};

/// The world as the driver sees it: the sum of its ports, used from several threads at once.
pub trait Machine: History + Workspaces + SessionRunner + CommandRunner + Clock + RunNotes {}

impl<T: History + Workspaces + SessionRunner + CommandRunner + Clock + RunNotes> Machine for T {}
