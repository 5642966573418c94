//! In which order passed work lands, when the branch moves under it.

use super::action::Action;
use super::snapshot::Snapshot;

/// Returns the first of the actions that need no slot.
///
/// What was judged on this tip, or on top of what has landed since, lands as it is. Work that was judged on an earlier
/// tip comes after it, for it is judged again: on top of what is to land, so that nothing makes that worthless.
pub(super) fn first(s: &Snapshot, quick: Vec<Action>) -> Option<Action> {
    quick.into_iter().min_by_key(|action| is_behind(s, action))
}

/// Returns whether an action lands work that was judged on another commit than the tip, and on nothing that leads to it.
fn is_behind(s: &Snapshot, action: &Action) -> bool {
    let Action::Land { unit, .. } = action else {
        return false;
    };
    let judged = s.attempts.get(unit.as_str()).and_then(|all| all.last());
    let judgement = judged.and_then(|last| last.judgement.as_ref());
    judgement.is_some_and(|judgement| judgement.base != s.tip) && !s.stands_on.contains_key(unit)
}
