//! The time, and whether to go on.

/// The clock of a run, and its way to be stopped.
pub trait Clock: Sync {
    /// Returns the time.
    fn now(&self) -> jiff::Timestamp;
    /// Waits; returns false when it was asked to stop.
    fn sleep_until(&self, until: jiff::Timestamp) -> bool;
    /// Returns true when the user or the system asked to stop.
    fn stopping(&self) -> bool;
}
