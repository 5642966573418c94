//! Attempts that a unit's file counts and this clone keeps nothing of: their refs are where they were made.

use gatewalk_core::engine::attempt_record::AttemptRecord;
use gatewalk_core::engine::evidence::counted;
use gatewalk_core::model::layout;
use gatewalk_core::model::unit::Unit;

/// Returns in words how many attempts this clone keeps nothing of; nothing where what was tried is here.
pub(crate) fn made_elsewhere(unit: Option<&Unit>, here: &[AttemptRecord]) -> Option<String> {
    let counted_there = unit.map_or(0, Unit::attempts_counted);
    let missing = here.is_empty() && counted_there > 0;
    missing.then(|| {
        format!(
            "{}, of which this clone keeps nothing",
            counted(counted_there as usize, "attempt")
        )
    })
}

/// Returns how what they left is brought here.
pub(crate) fn fetch_them() -> String {
    let refs = layout::ATTEMPT_REFS;
    format!("what they left is in the clone that ran them: git fetch ITS-PATH '{refs}*:{refs}*'")
}
