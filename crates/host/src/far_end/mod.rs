//! The far end of a runner's pipe: it runs what home asks for in a slot of its own, and hands back bytes.
//!
//! Invariants: standard input is its lease, and when that ends, or is silent for too long, everything it started ends. Absent
//! on purpose: deciding, judging, paying and landing, which home does.

mod far_contact;
mod far_judge;
mod far_lease;
mod far_opening;
mod far_report;
mod far_service;
mod far_session;
mod far_store;
mod large_file_store;

pub use far_service::serve;
