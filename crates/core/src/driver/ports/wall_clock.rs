//! The time, and whether to go on.

/// The clock of a run, and its way to be stopped.
pub trait Clock: Sync {
    /// Returns the time of day, which may jump.
    fn now(&self) -> jiff::Timestamp;
    /// Returns the time zone of a name, or the one that clocks of this machine show.
    fn zone(&self, name: Option<&str>) -> Option<jiff::tz::TimeZone> {
        name.is_none().then_some(jiff::tz::TimeZone::UTC)
    }
    /// Waits; returns false when it was asked to stop.
    fn sleep_until(&self, until: jiff::Timestamp) -> bool;
    /// Returns true when the user or the system asked to stop.
    fn stopping(&self) -> bool;
}
