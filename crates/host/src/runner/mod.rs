//! Sessions and judging commands on other machines. A runner is a line of the user's own that starts this program
//! elsewhere with standard input and output connected; everything goes through that pipe. Home decides, judges, pays and
//! lands; the far end ([`far_end`](crate::far_end)) runs what it is given in a slot of its own and hands back bytes. Here is what
//! both say to each other, and home.
//!
//! Invariants: the far end's standard input is its lease, and when that ends, or is silent for too long, everything it
//! started ends; nothing it sends is more than bytes to home; no secret is in an argument. Absent on purpose: engines. Whatever connects two pipes is one.

pub(crate) mod contact_messages;
mod ended_contact;
mod engine_end;
pub(crate) mod frame_fault;
mod frame_kind;
pub(crate) mod frames;
mod home_contact;
mod home_judge;
mod home_report;
mod home_session;
pub(crate) mod judge_messages;
mod lost_contact;
pub(crate) mod pack_delivery;
pub(crate) mod pack_spool;
mod proven;
/// Who hears of a session that runs elsewhere.
mod session_listener;
mod session_stage;
mod start_fault;
mod start_words;

pub use contact_messages::{FarAgent, FarReport};
pub(crate) use contact_messages::{
    LeftTree, SentAgent, SessionEnded, SessionRequest, SetupRequest,
};
pub(crate) use engine_end::{EngineWord, ended_from_outside};
pub(crate) use home_contact::Contact;
pub(crate) use home_judge::{CallFault, JudgeContact, JudgeConversation};
pub use home_report::{RunnerReport, command_line, report, send_program, survivors_of_a_kill};
pub(crate) use home_session::HomeSession;
pub(crate) use judge_messages::{CallAnswer, JudgeCall, JudgeOpening, JudgeTarget};
pub(crate) use lost_contact::Lost;
pub use proven::{RunnerProof, keep_proof, proofs};
pub(crate) use session_listener::{FarRun, SessionListener};
