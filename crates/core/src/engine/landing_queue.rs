//! In which order passed work lands, when the branch moves under it.

use super::action::Action;
use super::attempt_record::AttemptRecord;
use super::snapshot::Snapshot;

/// Returns the first of the actions that need no slot.
///
/// Work that was judged on an earlier tip is merged with this one and judged again, one unit after the other: whatever
/// lands next would make every other such judgement worthless.
pub(super) fn first(s: &Snapshot, gate: usize, quick: Vec<Action>) -> Option<Action> {
    let (mut behind, mut ready): (Vec<_>, Vec<_>) =
        quick.into_iter().partition(|action| is_behind(s, action));
    if !ready.is_empty() {
        return Some(ready.swap_remove(0));
    }
    let may_merge = !behind.is_empty() && !judges_on_tip(s, gate);
    may_merge.then(|| behind.swap_remove(0))
}

/// Returns whether an action lands work that was judged on another commit than the tip.
fn is_behind(s: &Snapshot, action: &Action) -> bool {
    let Action::Land { unit, .. } = action else {
        return false;
    };
    let judged = s.attempts.get(unit).and_then(|all| all.last());
    judged
        .and_then(|last| last.judgement.as_ref())
        .is_some_and(|judgement| judgement.base != s.tip)
}

/// Returns whether work on the tip is being judged or about to be, or has passed and its worker is not back yet.
fn judges_on_tip(s: &Snapshot, gate: usize) -> bool {
    let open = |id: &str| {
        let last = s.attempts.get(id).and_then(|all| all.last());
        let may_land = |last: &AttemptRecord| last.judgement.as_ref().is_none_or(|j| j.passed);
        last.is_some_and(|last| last.base == s.tip && may_land(last))
    };
    let mut waiting = s.feature.frontier(gate).into_iter();
    s.running.iter().any(|id| open(id)) || waiting.any(|m| open(m.id()))
}
