//! The driver: observe, decide, perform, again. It decides nothing (that is `engine::step`) and
//! touches nothing (that is `machine::Machine`): what runs on a real repository and what runs in
//! the simulator is the same code.

/// The oracle on the base, before a session is spent.
mod base;
/// What a closing session left, asked of the closing rules and of the linter.
pub mod closing;
/// What the tip says to the checks that requirements name.
mod coverage;
/// A session: prompt, slot, agent, capture, pin.
pub mod dispatch;
/// Drafting a feature: sessions until the linter has nothing to refuse.
pub mod draft;
/// The user's own hooks, before a session and after it.
mod hooks;
/// What an attempt's files themselves tell.
mod inspect;
/// Guards and oracle on what an attempt left.
mod judge;
/// Commits: landing, parking, gates, people's verbs.
pub mod land;
/// Everything the driver needs of the world, as one small interface.
pub mod machine;
/// What commands said on trees.
mod memo;
/// What the driver tells whoever watches.
pub mod news;
/// The machine's facts, read into a snapshot.
mod observe;
/// What is read from a commit.
pub mod plan;
/// What the sessions of a run spend together.
pub mod purse;
/// The recorded oracle once more, on the recorded tree.
pub mod recheck;
/// What an interrupted run left.
mod recover;
/// The loop.
pub mod run;
/// What commands said, in the words of records.
mod said;
/// What to do when an agent could not work.
mod trouble;
/// Running the oracle on a tree.
mod verify;
