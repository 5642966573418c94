//! Why a run ended: what happened, where, why, whether the work is safe, and the next command.

use super::Out;
use gatewalk_core::driver::run_loop::RunEnd;
use gatewalk_core::engine::action::Stop;
use gatewalk_core::engine::coverage::Gap;
use gatewalk_core::engine::evidence::sanitize;
use gatewalk_core::engine::snapshot::Snapshot;
use gatewalk_core::exit::Exit;
use gatewalk_core::model::layout;
use gatewalk_core::model::unit::Unit;
use serde_json::{Value, json};

/// Returns the exit code of a reason to stop.
pub(crate) fn exit_of(stop: &Stop) -> Exit {
    match stop {
        Stop::FeatureDone => Exit::Success,
        Stop::AtGate { .. } => Exit::AtGate,
        Stop::NeedsHuman { .. } => Exit::NeedsHuman,
        Stop::Budget { .. } => Exit::BudgetReached,
        Stop::NoAgent { .. } => Exit::Environment,
        Stop::Stuck(_) | Stop::NotWalkable(_) => Exit::InvalidPlan,
    }
}

/// A stop in the words people read.
pub(crate) struct StopMessage {
    what: String,
    why: Vec<String>,
    next: Vec<String>,
}

/// Prints why the run ended.
pub(crate) fn print(out: &Out, json: bool, end: &RunEnd, exit: Exit, s: &Snapshot) {
    let brief = match end {
        RunEnd::Interrupted => StopMessage {
            what: "stopped at your request; the state is saved".to_owned(),
            why: vec!["a running attempt is kept and does not count".to_owned()],
            next: vec![format!("gatewalk loop --feature {}", s.feature.name())],
        },
        RunEnd::Stopped(stop) => of_stop(stop, s),
    };
    if json {
        out.json(&to_json(&brief, exit, end, s));
        return;
    }
    out.note("");
    out.note(&brief.what);
    for why in &brief.why {
        out.note(format!("  {why}"));
    }
    for next in &brief.next {
        out.note(format!("  next: {next}"));
    }
}

fn to_json(brief: &StopMessage, exit: Exit, end: &RunEnd, s: &Snapshot) -> Value {
    let reason = match end {
        RunEnd::Interrupted => "interrupted",
        RunEnd::Stopped(Stop::FeatureDone) => "feature_done",
        RunEnd::Stopped(Stop::AtGate { .. }) => "at_gate",
        RunEnd::Stopped(Stop::NeedsHuman { .. }) => "needs_human",
        RunEnd::Stopped(Stop::Budget { .. }) => "budget",
        RunEnd::Stopped(Stop::NoAgent { .. }) => "no_agent",
        RunEnd::Stopped(Stop::Stuck(_)) => "stuck",
        RunEnd::Stopped(Stop::NotWalkable(_)) => "not_walkable",
    };
    json!({
        "event": "stopped", "reason": reason, "exit": exit.code(), "feature": s.feature.name(),
        "what": brief.what, "why": brief.why, "next": brief.next,
    })
}

/// Returns a reason to stop in the words people read.
pub(crate) fn of_stop(stop: &Stop, s: &Snapshot) -> StopMessage {
    let feature = s.feature.name();
    match stop {
        Stop::FeatureDone => StopMessage {
            what: format!("{feature} is done: every gate passed"),
            why: vec![format!(
                "the work is on `{}`",
                s.feature.plan.branch().unwrap_or_default()
            )],
            next: vec![],
        },
        Stop::AtGate {
            gate, uncovered, ..
        } if !uncovered.is_empty() => not_covered(s, *gate, uncovered),
        Stop::AtGate { gate, drafts, .. } => StopMessage {
            what: format!("gate {gate} of {feature}: review it and arm the next"),
            why: drafts.iter().map(|d| format!("draft: {d}")).collect(),
            next: vec![
                format!("gatewalk review {feature}"),
                format!("gatewalk arm {feature}"),
            ],
        },
        Stop::NeedsHuman {
            blocked,
            human,
            red_base,
        } => needs_human(s, blocked, human, red_base),
        Stop::Budget {
            whose,
            spent,
            budget,
        } => StopMessage {
            what: format!(
                "{whose} has used ${spent:.2} of its ${budget:.2} budget; nothing new is started"
            ),
            why: vec!["everything you paid for is judged and kept".to_owned()],
            next: vec![
                "raise the budget in the plan, commit, and run `gatewalk loop` again".to_owned(),
            ],
        },
        Stop::NoAgent { unit, why } => StopMessage {
            what: format!("no agent can work on {unit}"),
            why: vec![
                sanitize(why),
                "this does not count as an attempt".to_owned(),
            ],
            next: vec![
                "gatewalk doctor".to_owned(),
                format!("gatewalk loop --feature {feature} --agent NAME"),
            ],
        },
        Stop::Stuck(why) => StopMessage {
            what: format!("{feature} cannot go on, and it is not complete"),
            why: why.iter().map(|w| sanitize(w)).collect(),
            next: vec![
                "fix the graph in PLAN.md, or `gatewalk abandon` the units that can never start"
                    .to_owned(),
            ],
        },
        Stop::NotWalkable(status) => StopMessage {
            what: format!("{feature} is {status}: nothing runs"),
            why: vec![],
            next: vec![],
        },
    }
}

/// The last gate with requirements whose checks are red: it cannot be passed as it is.
fn not_covered(s: &Snapshot, gate: u32, uncovered: &[Gap]) -> StopMessage {
    let feature = s.feature.name();
    let why = uncovered
        .iter()
        .map(|gap| sanitize(&format!("{} is not covered: {}", gap.requirement, gap.why)));
    StopMessage {
        what: format!("gate {gate} of {feature} is the last one, and not every requirement is proven"),
        why: why.collect(),
        next: vec![
            format!("gatewalk status --coverage {feature}"),
            format!("gatewalk new gate \"…\" --feature {feature}   (a unit with a check for each)"),
            "or write `(deferred: why)` behind the requirement in PLAN.md, commit, and run `gatewalk arm`".to_owned(),
        ],
    }
}

fn needs_human(
    s: &Snapshot,
    blocked: &[String],
    human: &[String],
    red_base: &[(String, Vec<String>)],
) -> StopMessage {
    let mut why = Vec::new();
    let mut next = Vec::new();
    for id in blocked {
        why.extend(parked(s, id));
        next.push(format!("gatewalk attempts show {id}"));
        next.push(format!("gatewalk unblock {id} --reason \"what changed\""));
    }
    for id in human {
        let unit = s.feature.member(id).and_then(|m| m.unit);
        let title = unit.map(Unit::title).unwrap_or_default();
        why.push(format!("{id} is yours to do: {}", sanitize(&title)));
        next.push(format!("gatewalk done {id} --evidence \"what you did\""));
    }
    why.extend(red_on_the_base(s, red_base));
    if !red_base.is_empty() {
        next.push("fix the base, or name the command in the unit's `expects_red` if turning it green, or writing its first test, is the unit's job".to_owned());
    }
    StopMessage {
        what: format!("{} needs you", s.feature.name()),
        why,
        next,
    }
}

/// Why a unit is parked, and where its work is kept.
fn parked(s: &Snapshot, id: &str) -> [String; 2] {
    let attempts = s.attempts.get(id).map_or(&[][..], Vec::as_slice);
    let judgement = attempts.last().and_then(|a| a.judgement.as_ref());
    let excerpt = judgement.and_then(|j| j.failure_excerpt.as_deref());
    let first = excerpt.unwrap_or("see its file").lines().next();
    let attempts = match attempts.len() {
        1 => "1 attempt".to_owned(),
        n => format!("{n} attempts"),
    };
    [
        format!(
            "{id} is parked after {attempts}: {}",
            sanitize(first.unwrap_or_default())
        ),
        format!("  its work is kept under {}{id}/", layout::ATTEMPT_REFS),
    ]
}

/// What is red before any work: each command and its output once, with every unit it keeps from starting.
fn red_on_the_base(s: &Snapshot, red_base: &[(String, Vec<String>)]) -> Vec<String> {
    let evidence = |id: &str| s.base.get(id).map_or("", |report| report.evidence.as_str());
    let mut causes: Vec<(&[String], &str, Vec<&str>)> = Vec::new();
    for (id, commands) in red_base {
        let cause = (commands.as_slice(), evidence(id));
        match causes.iter_mut().find(|(c, e, _)| (*c, *e) == cause) {
            Some((.., units)) => units.push(id),
            None => causes.push((cause.0, cause.1, vec![id])),
        }
    }
    let mut why = Vec::new();
    for (commands, evidence, units) in causes {
        let were = if units.len() == 1 { "was" } else { "were" };
        why.push(format!(
            "{} {were} not started: already red before any work: {}",
            units.join(", "),
            commands.join(", ")
        ));
        let lines = evidence.lines().filter(|l| !l.trim().is_empty()).take(12);
        why.extend(lines.map(|l| format!("    {}", sanitize(l))));
    }
    why
}
