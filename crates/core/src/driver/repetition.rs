//! What keeps a run from doing the same for ever.

use crate::engine::action::Action;
use crate::engine::snapshot::Snapshot;
use crate::error::{Error, Result};

/// How often one action that commits may come again, each time on a new tip: another's commits may be in its way.
const MOST_REPEATS: u32 = 16;

/// What was done last, and in which situation.
pub(super) struct LastActions {
    snapshot: Snapshot,
    actions: Vec<Action>,
    /// How often the same was decided before.
    repeats: u32,
}

/// Refuses to do the same again in the same situation, and to commit the same over and over: a livelock would spend
/// money.
pub(super) fn no_repetition(
    last: &mut Option<LastActions>,
    mut snapshot: Snapshot,
    actions: &[Action],
) -> Result<()> {
    snapshot.now = jiff::Timestamp::UNIX_EPOCH;
    let before = last.as_ref().filter(|last| last.actions == actions);
    // The short ones first: a feature that was walked far is long to compare.
    let stands = before.is_some_and(|b| b.snapshot.tip == snapshot.tip && b.snapshot == snapshot);
    let repeats = before.map_or(0, |before| before.repeats + 1);
    let commits =
        |action: &Action| !action.runs_commands() && !matches!(action, Action::Wait { .. });
    if stands || repeats > MOST_REPEATS && actions.iter().any(commits) {
        return Err(Error::internal(format!(
            "no progress after {:?}",
            actions.first()
        )));
    }
    *last = Some(LastActions {
        snapshot,
        actions: actions.to_vec(),
        repeats,
    });
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::test_snapshot::snapshot;
    use crate::object_id::ObjectId;

    /// How often the same is done, on the same tip or each time on a new one, before it is refused.
    fn times(action: &Action, moves: bool) -> Option<u8> {
        let mut last = None;
        let actions = [action.clone()];
        (0..100).find(|turn| {
            let mut snapshot = snapshot("active | G1 open: T01");
            if moves {
                snapshot.tip = ObjectId::from_raw(&[*turn; 20]).expect("twenty bytes");
            }
            no_repetition(&mut last, snapshot, &actions).is_err()
        })
    }

    #[test]
    fn the_same_is_not_done_for_ever() {
        let judge = Action::Judge {
            unit: "T01".to_owned(),
            number: 1,
        };
        assert_eq!(times(&Action::Activate, false), Some(1));
        assert_eq!(times(&judge, false), Some(1));
        assert_eq!(times(&Action::Activate, true), Some(17));
        // Others may commit as long as they like while it works.
        assert_eq!(times(&judge, true), None);
    }
}
