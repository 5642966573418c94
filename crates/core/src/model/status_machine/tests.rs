use super::*;

/// Tries every verb on every status: a move of the list leads where it says, and anything else is
/// refused with exactly the commands of the legal ones named.
fn check<S: Word + std::fmt::Debug, V: VerbCommand + std::fmt::Debug>(
    legal: &[(S, V, S)],
    go: fn(S, V) -> Result<S, IllegalMove>,
) {
    let mut all: Vec<S> = Vec::new();
    for (_, status) in S::WORDS {
        if !all.contains(status) {
            all.push(*status);
        }
    }
    let mut refused = 0;
    for from in all {
        let from_here: Vec<&str> = legal
            .iter()
            .filter(|(f, _, _)| *f == from)
            .filter_map(|(_, v, _)| v.command())
            .collect();
        for (_, verb) in V::WORDS {
            let want = legal.iter().find(|(f, v, _)| *f == from && v == verb);
            match (go(from, *verb), want) {
                (Ok(to), Some((_, _, want))) => assert_eq!(to, *want, "{verb:?} from {from:?}"),
                (Err(e), None) => {
                    refused += 1;
                    let mut named = e.legal.clone();
                    named.sort_unstable();
                    let mut legal = from_here.clone();
                    legal.sort_unstable();
                    assert_eq!(named, legal, "{verb:?} from {from:?}");
                    let said = e.to_string();
                    assert!(
                        said.contains(from.word()) && said.contains(verb.word()),
                        "{said}"
                    );
                    assert!(from_here.iter().all(|v| said.contains(v)), "{said}");
                }
                (got, want) => panic!("{verb:?} from {from:?}: {got:?}, wanted {want:?}"),
            }
        }
    }
    assert!(refused > 0);
}

#[test]
fn units_move_as_the_table_allows_and_no_other_way() {
    use UnitStatus::*;
    use UnitVerb::{Abandon, Arm, Complete, Park, Unblock};
    check(
        &[
            (Draft, Arm, Pending),
            (Draft, Abandon, Abandoned),
            (Pending, Complete, Done),
            (Pending, Park, BlockedHuman),
            (Pending, Abandon, Abandoned),
            (BlockedHuman, Unblock, Pending),
            (BlockedHuman, Abandon, Abandoned),
            (Done, Abandon, Abandoned),
        ],
        move_unit,
    );
}

#[test]
fn gates_move_as_the_table_allows_and_no_other_way() {
    use GateStatus::*;
    check(
        &[
            (Open, GateVerb::Reach, AwaitingReview),
            (AwaitingReview, GateVerb::Pass, Passed),
        ],
        move_gate,
    );
}

#[test]
fn features_move_as_the_table_allows_and_no_other_way() {
    use FeatureStatus::*;
    use FeatureVerb::{Abandon, Activate, Block, Defer, Finish, Reopen};
    check(
        &[
            (Planned, Activate, Active),
            (Planned, Block, Blocked),
            (Planned, Defer, Deferred),
            (Planned, Abandon, Abandoned),
            (Active, Finish, Done),
            (Active, Block, Blocked),
            (Active, Defer, Deferred),
            (Active, Abandon, Abandoned),
            (Blocked, Defer, Deferred),
            (Blocked, Abandon, Abandoned),
            (Blocked, Reopen, Active),
            (Deferred, Abandon, Abandoned),
            (Deferred, Reopen, Active),
            (Abandoned, Reopen, Active),
        ],
        move_feature,
    );
}

#[test]
fn words_that_are_only_read_are_never_written() {
    for word in ["ready", "in_progress", "in_review"] {
        assert_eq!(UnitStatus::from_word(word), Some(UnitStatus::Pending));
    }
    assert_eq!(UnitStatus::Pending.word(), "pending");
}

#[test]
fn a_word_stands_for_one_status_and_lists_what_may_become_of_it() {
    for (word, written, settled, dispatchable) in [
        ("draft", "draft", false, true),
        ("pending", "pending", false, true),
        ("ready", "pending", false, true),
        ("blocked_human", "blocked_human", false, false),
        ("done", "done", true, false),
        ("abandoned", "abandoned", true, false),
    ] {
        let status = UnitStatus::from_word(word).unwrap();
        assert_eq!(status.to_string(), written);
        assert_eq!(status.is_settled(), settled, "{word}");
        assert_eq!(status.is_dispatchable(), dispatchable, "{word}");
    }
    assert_eq!(UnitStatus::from_word("finished"), None);
    assert_eq!(GateStatus::words(), ["open", "awaiting_review", "passed"]);
}

#[test]
fn what_nothing_moves_is_reported_as_such() {
    let refused = move_unit(UnitStatus::Abandoned, UnitVerb::Arm).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "cannot arm what is `abandoned`; nothing moves it from there"
    );
}

#[test]
fn what_is_no_status_is_named_where_it_can_be() {
    assert_eq!(no_status(""), "it has no `status` that can be read");
    assert_eq!(no_status("finished"), "`finished` is no status");
}
