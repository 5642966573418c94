//! What every feature of a run wants of the user, in one list: what most units wait for comes first.

use super::{Out, stop_message};
use gatewalk_core::driver::feature_walk::RunEnd;
use gatewalk_core::engine::next_steps::{FeatureState, NextStep, after_stop};
use gatewalk_core::engine::snapshot::Snapshot;
use gatewalk_core::engine::wanted::{Wanted, most_valuable_first};
use gatewalk_core::exit::Exit;
use serde_json::json;

/// One thing that is wanted.
pub(crate) struct WantedRow {
    pub(crate) feature: String,
    pub(crate) reason: &'static str,
    pub(crate) exit: Exit,
    pub(crate) what: String,
    pub(crate) why: Vec<String>,
    pub(crate) unblocks: usize,
    pub(crate) next: Vec<String>,
}

/// Which of several exits a run ends with: what only the user can settle comes first.
const EXITS: [Exit; 6] = [
    Exit::NeedsHuman,
    Exit::AtGate,
    Exit::BudgetReached,
    Exit::Environment,
    Exit::InvalidPlan,
    Exit::Locked,
];

impl WantedRow {
    pub(crate) fn of_stop(wanted: &Wanted, s: &Snapshot) -> WantedRow {
        let end = RunEnd::Stopped(wanted.stop.clone());
        let (what, mut why) = stop_message::in_words(&wanted.stop, s);
        let state = FeatureState::at_rest(&s.feature, &s.attempts);
        let steps = after_stop(&wanted.stop, &state);
        // Every `next` of the list is a command that runs; what only words can say stands above.
        let (next, words): (Vec<_>, Vec<_>) = steps.into_iter().partition(NextStep::is_command);
        why.extend(words.iter().map(ToString::to_string));
        WantedRow {
            feature: s.feature.name(),
            reason: stop_message::reason(&end),
            exit: stop_message::exit_of(&wanted.stop),
            what,
            why,
            unblocks: wanted.unblocks,
            next: next.iter().map(ToString::to_string).collect(),
        }
    }
}

impl WantedRow {
    /// Returns what several features want alike as one row; nothing where none does.
    pub(crate) fn of_all(rows: Vec<WantedRow>) -> Option<WantedRow> {
        let features: Vec<&str> = rows.iter().map(|row| row.feature.as_str()).collect();
        let (feature, unblocks) = (
            features.join(", "),
            rows.iter().map(|row| row.unblocks).sum(),
        );
        let first = rows.into_iter().next()?;
        Some(WantedRow {
            feature,
            unblocks,
            next: vec!["gatewalk loop --all".to_owned()],
            ..first
        })
    }
}

/// Returns the exit code of a run that ended with these.
pub(crate) fn exit_of(rows: &[WantedRow]) -> Exit {
    let found = EXITS
        .into_iter()
        .find(|exit| rows.iter().any(|row| row.exit == *exit));
    found.unwrap_or(Exit::Success)
}

/// Prints what each feature wants of the user, the most valuable first.
pub(crate) fn print(
    out: &Out,
    json: bool,
    rows: Vec<WantedRow>,
    (exit, interrupted): (Exit, bool),
) {
    // What is done waits for nothing but its review.
    let rows = most_valuable_first(rows, |row| (row.unblocks, row.exit != Exit::Success));
    if json {
        let wanted = rows.iter().map(|row| {
            json!({
                "feature": row.feature, "reason": row.reason, "what": row.what, "why": row.why,
                "unblocks": row.unblocks, "next": row.next,
            })
        });
        let wanted: Vec<_> = wanted.collect();
        out.json(&json!({
            "event": "all_stopped", "exit": exit.code(), "interrupted": interrupted, "wanted": wanted,
        }));
        return;
    }
    out.note("");
    if interrupted {
        out.note("stopped at your request; the state is saved");
        out.note("  next: gatewalk loop --all");
    }
    if rows.is_empty() {
        return;
    }
    out.note(match rows.iter().all(|row| row.exit == Exit::Success) {
        true => "nothing is left to run, and nothing waits for you:",
        false => "nothing more runs without you; most units wait for what comes first:",
    });
    for (index, row) in rows.iter().enumerate() {
        let waiting = match row.unblocks {
            0 => String::new(),
            1 => " (1 unit waits for it)".to_owned(),
            n => format!(" ({n} units wait for it)"),
        };
        out.note(format!("{}. {}{waiting}", index + 1, row.what));
        row.why
            .iter()
            .for_each(|why| out.note(format!("    {why}")));
        let next = row.next.iter();
        next.for_each(|next| out.note(format!("    next: {next}")));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(exit: Exit) -> WantedRow {
        WantedRow {
            feature: String::new(),
            reason: "",
            exit,
            what: String::new(),
            why: vec![],
            unblocks: 0,
            next: vec![],
        }
    }

    #[test]
    fn the_exit_is_that_of_what_only_the_user_can_settle() {
        for (exits, want) in [
            (vec![], Exit::Success),
            (vec![Exit::Success], Exit::Success),
            (vec![Exit::Success, Exit::InvalidPlan], Exit::InvalidPlan),
            (
                vec![Exit::InvalidPlan, Exit::Environment],
                Exit::Environment,
            ),
            (
                vec![Exit::Environment, Exit::BudgetReached],
                Exit::BudgetReached,
            ),
            (vec![Exit::BudgetReached, Exit::AtGate], Exit::AtGate),
            (
                vec![Exit::AtGate, Exit::NeedsHuman, Exit::Success],
                Exit::NeedsHuman,
            ),
        ] {
            let rows: Vec<WantedRow> = exits.iter().map(|exit| row(*exit)).collect();
            assert_eq!(exit_of(&rows), want, "{exits:?}");
        }
    }
}
