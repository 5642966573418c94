//! What is known of the places where sandboxes wait.

use super::prepared_sandbox::{PreparedSandbox, StandbyOrder, StandbyPlace};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

pub(super) type StandbyPlaces = BTreeMap<StandbyPlace, PlaceState>;

/// What is known of a place.
#[derive(Debug, Default)]
pub(super) struct PlaceState {
    pub(super) waiting: StandbyState,
    /// What stands in directories of the slot's own for the mounts of what waits, or is being started.
    pub(super) mount_points: BTreeSet<PathBuf>,
    /// Whether a mount of what waits may have gone as it was made.
    pub(super) is_disturbed: bool,
    pub(super) misses: u32,
}

#[derive(Debug, Default)]
pub(super) enum StandbyState {
    #[default]
    Nothing,
    Ordered(Box<StandbyOrder>),
    Starting,
    Ready(Box<PreparedSandbox>),
}
