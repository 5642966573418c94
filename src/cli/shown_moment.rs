//! Moments as people read them.

use gatewalk_core::engine::evidence::sanitize;
use jiff::Timestamp;

/// Returns a recorded moment to the second; what is no moment as it is.
pub(crate) fn whole_seconds(at: &str) -> String {
    let moment = at.parse::<Timestamp>().ok();
    let whole = moment.and_then(|at| Timestamp::from_second(at.as_second()).ok());
    whole.map_or_else(|| sanitize(at), |at| at.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_is_shown_to_the_second() {
        for (at, want) in [
            ("2026-11-24T14:31:18.123456789Z", "2026-11-24T14:31:18Z"),
            ("2026-11-24T14:31:18Z", "2026-11-24T14:31:18Z"),
            ("yesterday", "yesterday"),
        ] {
            assert_eq!(whole_seconds(at), want);
        }
    }
}
