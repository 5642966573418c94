//! Why a run ended: what happened, where, why, whether the work is safe, and the next command.

use super::Out;
use super::parked_units::needs_human;
use super::unrun_rows::unrun_row;
use gatewalk_core::driver::feature_walk::RunEnd;
use gatewalk_core::engine::action::{BudgetScope, Stop};
use gatewalk_core::engine::broad_report::BroadReport;
use gatewalk_core::engine::coverage::Gap;
use gatewalk_core::engine::evidence::sanitize;
use gatewalk_core::engine::inherited_cases;
use gatewalk_core::engine::next_steps::{FeatureState, after_stop, next_steps};
use gatewalk_core::engine::snapshot::Snapshot;
use gatewalk_core::engine::unrun_commands::UnrunCommand;
use gatewalk_core::exit::Exit;
use gatewalk_core::model::money::usd_of_limit;
use serde_json::{Value, json};

/// Returns the exit code of a reason to stop.
pub(crate) fn exit_of(stop: &Stop) -> Exit {
    match stop {
        Stop::FeatureDone => Exit::Success,
        Stop::AtGate { .. } | Stop::Supervised { .. } => Exit::AtGate,
        Stop::NeedsHuman { .. } | Stop::RedTip { .. } => Exit::NeedsHuman,
        Stop::Budget { .. } => Exit::BudgetReached,
        Stop::NoAgent { .. } => Exit::Environment,
        Stop::Stuck(_) | Stop::NotWalkable(_) => Exit::InvalidPlan,
    }
}

/// A stop in the words people read.
pub(crate) struct StopMessage {
    what: String,
    why: Vec<String>,
}

/// Why a run ended and what to do next.
pub(crate) struct StopReport {
    message: StopMessage,
    next: Vec<String>,
    /// Declared commands that did not run on what landed.
    unrun: Vec<String>,
    /// Cases that fail as they did before the work.
    inherited: Vec<String>,
    json: Value,
}

impl StopReport {
    pub(crate) fn new(end: &RunEnd, exit: Exit, s: &Snapshot) -> StopReport {
        let state = FeatureState::at_rest(&s.feature, &s.attempts);
        let (message, next) = match end {
        RunEnd::Interrupted => (
            StopMessage {
                what: "stopped at your request; the state is saved".to_owned(),
                why: vec!["a session that was running does not count as an attempt; what it left, if anything, is in `gatewalk attempts list`".to_owned()],
            },
            next_steps(&state),
        ),
        RunEnd::Stopped(stop) => (of_stop(stop, s), after_stop(stop, &state)),
    };
        let next: Vec<String> = next.iter().map(ToString::to_string).collect();
        let inherited = inherited_cases::of_feature(&s.feature, &s.verification);
        let json = json!({
            "event": "stopped", "reason": reason(end), "exit": exit.code(), "feature": s.feature.name(),
            "what": message.what, "why": message.why, "next": next, "tip": s.tip,
            "inherited": inherited,
        });
        StopReport {
            message,
            next,
            unrun: vec![],
            inherited: inherited.iter().map(|i| sanitize(&i.to_string())).collect(),
            json,
        }
    }

    /// Returns it with the declared commands that did not run on what landed.
    pub(crate) fn listing(mut self, unrun: &[UnrunCommand]) -> StopReport {
        self.json["not_run"] = unrun.iter().map(unrun_row).collect();
        self.unrun = unrun.iter().map(|u| sanitize(&u.to_string())).collect();
        self
    }

    /// Returns it as `--json` has it.
    pub(crate) fn into_json(self) -> Value {
        self.json
    }

    /// Prints it, as JSON or in words; returns the JSON.
    pub(crate) fn print(self, out: &Out, json: bool) -> Value {
        if json {
            out.json(&self.json);
            return self.json;
        }
        out.note("");
        out.note(&self.message.what);
        for why in &self.message.why {
            out.note(format!("  {why}"));
        }
        for inherited in &self.inherited {
            out.note(format!("  inherited: {inherited}"));
        }
        for unrun in &self.unrun {
            out.note(format!("  not run on the tip: {unrun}"));
        }
        for next in &self.next {
            out.note(format!("  next: {next}"));
        }
        self.json
    }
}

/// Returns a reason to stop in the words people read: what, and why.
pub(crate) fn in_words(stop: &Stop, s: &Snapshot) -> (String, Vec<String>) {
    let StopMessage { what, why } = of_stop(stop, s);
    (what, why)
}

/// Returns the word of a reason to stop, as `--json` has it.
pub(crate) fn reason(end: &RunEnd) -> &'static str {
    match end {
        RunEnd::Interrupted => "interrupted",
        RunEnd::Stopped(Stop::FeatureDone) => "feature_done",
        RunEnd::Stopped(Stop::AtGate { .. }) => "at_gate",
        RunEnd::Stopped(Stop::NeedsHuman { .. }) => "needs_human",
        RunEnd::Stopped(Stop::RedTip { .. }) => "red_tip",
        RunEnd::Stopped(Stop::Budget { .. }) => "budget",
        RunEnd::Stopped(Stop::NoAgent { .. }) => "no_agent",
        RunEnd::Stopped(Stop::Supervised { .. }) => "supervised",
        RunEnd::Stopped(Stop::Stuck(_)) => "stuck",
        RunEnd::Stopped(Stop::NotWalkable(_)) => "not_walkable",
    }
}

/// Returns whether a gate, by its number, is the one that ends the feature.
fn is_last(s: &Snapshot, gate: u32) -> bool {
    let last = s.feature.terminal_gate();
    last.is_some_and(|last| s.feature.gate_number(last) == gate)
}

const UNCHARGED: &str = "this does not count as an attempt";

/// Returns a reason to stop in the words people read.
fn of_stop(stop: &Stop, s: &Snapshot) -> StopMessage {
    let feature = s.feature.name();
    let branch = s.feature.plan.branch().unwrap_or_default();
    let (what, why) = match stop {
        Stop::FeatureDone => (
            format!("{feature} is done: every gate passed"),
            vec![format!("the work is on `{branch}`")],
        ),
        Stop::AtGate {
            gate,
            drafts,
            uncovered,
            ..
        } => at_gate(s, *gate, drafts, uncovered),
        Stop::NeedsHuman {
            blocked,
            human,
            red_base,
        } => (
            format!("{feature} needs you"),
            needs_human(s, blocked, human, red_base),
        ),
        Stop::RedTip { gate, report } => (
            format!("gate {gate} of {feature} cannot close: its broad commands need you"),
            red_tip(s, report),
        ),
        Stop::Budget {
            whose,
            spent,
            budget,
        } => (
            over_budget(*whose, *spent, *budget),
            vec!["everything you paid for is judged and kept".to_owned()],
        ),
        Stop::NoAgent {
            unit, why, runner, ..
        } => (
            match runner {
                Some(name) => format!("runner {name} cannot run a session of {unit}"),
                None => format!("no agent can work on {unit}"),
            },
            vec![sanitize(why), UNCHARGED.to_owned()],
        ),
        Stop::Supervised { landed } => (
            format!("{feature} is supervised: look at what landed, then run it on"),
            landed.iter().map(|id| format!("landed: {id}")).collect(),
        ),
        Stop::Stuck(why) => (
            format!("{feature} cannot go on, and it is not complete"),
            why.iter().map(|w| sanitize(w)).collect(),
        ),
        Stop::NotWalkable(status) => (format!("{feature} is {status}: nothing runs"), vec![]),
    };
    StopMessage { what, why }
}

/// A gate at its end: its requirements that are not proven, or else the drafts behind it.
fn at_gate(s: &Snapshot, gate: u32, drafts: &[String], uncovered: &[Gap]) -> (String, Vec<String>) {
    let name = format!("gate {gate} of {}", s.feature.name());
    if !uncovered.is_empty() {
        let what = format!("{name} is the last one, and not every requirement is proven");
        return (what, uncovered.iter().map(gap_line).collect());
    }
    if drafts.is_empty() && is_last(s, gate) {
        let what = format!("{name} is the last one: review it, and arming finishes the feature");
        return (what, vec![]);
    }
    let what = format!("{name}: review it and arm the next");
    (what, drafts.iter().map(|d| format!("draft: {d}")).collect())
}

/// The commands that run once a gate did not pass on what landed.
fn red_tip(s: &Snapshot, report: &BroadReport) -> Vec<String> {
    let branch = s.feature.plan.branch().unwrap_or_default();
    let mut why = vec![format!(
        "every unit landed, but on `{branch}` as it is these did not pass: {}",
        report.red.join(", ")
    )];
    let lines = report.evidence.lines().filter(|l| !l.trim().is_empty());
    why.extend(lines.take(12).map(|l| format!("    {}", sanitize(l))));
    why
}

fn gap_line(gap: &Gap) -> String {
    sanitize(&format!("{} is not covered: {}", gap.requirement, gap.why))
}

fn over_budget(whose: BudgetScope, spent: f64, budget: f64) -> String {
    let (spent, budget) = usd_of_limit(spent, budget);
    format!("{whose} has used {spent} of its {budget} budget; nothing new is started")
}
