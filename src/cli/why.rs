//! `gatewalk why`: why a unit stands where it stands, and what you can do about it.

mod attempt_lines;
mod unit_standing;

use self::attempt_lines::{attempt_line, failures};
use super::Context;
use super::ask::{self, AdviceAnswer};
use super::made_elsewhere::{fetch_them, made_elsewhere};
use super::next_commands::Surroundings;
use super::unit_command::{OpenFeature, ViewArgs};
use gatewalk_core::diagnostic::Diagnostic;
use gatewalk_core::driver::committed_plan::attempt_ref;
use gatewalk_core::engine::attempt_record::AttemptRecord;
use gatewalk_core::engine::auto_close;
use gatewalk_core::engine::evidence::sanitize;
use gatewalk_core::engine::next_steps::NextStep;
use gatewalk_core::error::Result;
use gatewalk_core::exit::Exit;
use gatewalk_core::model::feature::{Feature, PlannedUnit};
use gatewalk_core::model::status_machine::UnitStatus;
use gatewalk_core::model::unit::UnitType;
use serde_json::json;
use std::sync::Arc;
use unit_standing::UnitStanding;

/// The finding that nothing shows how a unit that is done landed.
const DONE_WITHOUT_LANDING: &str = "GW410";

#[derive(clap::Args)]
#[command(after_help = "Example:\n  gatewalk why T03")]
pub(crate) struct Args {
    /// The unit: its id, or `T03` with one active feature
    unit: String,
    /// Give a session of this agent everything that was tried and show its answer, which decides nothing
    #[arg(long, value_name = "AGENT")]
    pub(super) ask: Option<String>,
    #[command(flatten)]
    view: ViewArgs,
}

/// Why a unit stands where it stands.
#[derive(Debug, Default, serde::Serialize)]
struct UnitExplanation {
    what: String,
    tried: Vec<String>,
    failed: Vec<String>,
    waits: Vec<String>,
    options: Vec<String>,
    /// What decides whether the gate closes without this unit's session.
    conditions: Vec<String>,
    next: Option<String>,
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let opened = OpenFeature::read(context, args.view.feature.as_deref(), Some(&args.unit))?;
    let member = opened.unit(&args.unit)?;
    let attempts = opened.attempts()?;
    let tried = attempts
        .charged
        .get(member.id())
        .map_or(&[][..], |all| all.as_slice());
    let around = Surroundings::look_beside(&opened.repository, &opened.selected)?;
    let here = (context, &opened.repository);
    let steps = around.of_unit(here, &opened.selected, (&attempts, &member));
    let standing = standing(&opened, &member, &around, &steps);
    let mut explanation = explanation(opened.feature(), (&member, &standing), tried);
    explanation.conditions = conditions(&opened, &member)?;
    let (commands, words): (Vec<_>, Vec<_>) = steps.iter().partition(|step| step.is_command());
    let words = words.iter().map(ToString::to_string);
    explanation.options.splice(0..0, words);
    explanation.next = match standing {
        UnitStanding::Unproven(_) => Some(format!("gatewalk lint {}", opened.selected.dir)),
        _ => commands.last().map(ToString::to_string),
    };
    let answer = match &args.ask {
        None => None,
        Some(agent) => {
            let words = explanation.lines(member.id()).join("\n");
            let answer = ask::why(&opened, agent, (member.id(), &words), tried)?;
            match answer {
                None => return Ok(Exit::Interrupted),
                answer => answer,
            }
        }
    };
    print(args, context, &member, (&explanation, answer.as_ref()));
    // The process ends here: giving back what was read of thousands of units would take longer than reading some of it.
    std::mem::forget(Arc::clone(&opened.selected.workspace));
    Ok(Exit::Success)
}

fn print(
    args: &Args,
    context: &Context,
    member: &PlannedUnit<'_>,
    (explanation, answer): (&UnitExplanation, Option<&AdviceAnswer>),
) {
    let out = &context.out;
    if args.view.json {
        let mut shown = json!({"unit": member.id(), "status": member.status().to_string(), "brief": explanation});
        if let Some(answer) = answer {
            shown["advice"] = answer.json();
        }
        out.json(&shown);
        return;
    }
    explanation
        .lines(member.id())
        .iter()
        .for_each(|line| out.line(line));
    if let Some(answer) = answer {
        answer.print(context);
    }
    if let Some(next) = &explanation.next {
        out.line(format!("\nnext: {next}"));
    }
}

impl UnitExplanation {
    /// Returns it as lines, under headings.
    fn lines(&self, id: &str) -> Vec<String> {
        let mut lines = vec![format!("{id}: {}", sanitize(&self.what))];
        for (title, part) in [
            ("what was tried", &self.tried),
            ("what failed", &self.failed),
            ("what waits for it", &self.waits),
            (
                "whether its gate closes without a session",
                &self.conditions,
            ),
            ("what you can do", &self.options),
        ] {
            if !part.is_empty() {
                lines.push(format!("\n{title}"));
                lines.extend(part.iter().map(|line| format!("  {}", sanitize(line))));
            }
        }
        lines
    }
}

/// Returns the conditions of a gate that closes itself, for its closing unit.
fn conditions(opened: &OpenFeature<'_>, member: &PlannedUnit<'_>) -> Result<Vec<String>> {
    let closes = matches!(
        member.unit_type(),
        UnitType::Close | UnitType::CloseIntermediate
    );
    if !closes {
        return Ok(vec![]);
    }
    let snapshot = opened.ask(|driver| driver.snapshot_at(&opened.selected.commit))?;
    let decision = auto_close::decide(&snapshot, member.gate);
    let lines = decision.conditions.iter().map(|c| {
        let mark = if c.holds { "yes" } else { "no " };
        let remedy = c.remedy.map_or_else(String::new, |r| format!("; {r}"));
        format!("{mark} {}: {}{remedy}", c.name, c.detail)
    });
    Ok(lines.collect())
}

/// Returns why a unit that its file calls done is not known to be.
fn unsupported(opened: &OpenFeature<'_>, member: &PlannedUnit<'_>) -> Option<String> {
    let unit = member
        .unit
        .filter(|unit| unit.status() == UnitStatus::Done)?;
    let (workspace, feature) = (&opened.selected.workspace, opened.feature());
    let errors = gatewalk_core::lint::feature_errors(workspace, feature);
    let own = |d: &&Diagnostic| d.code == DONE_WITHOUT_LANDING && d.primary.path == unit.doc.path;
    errors.iter().find(own).map(|d| d.message.clone())
}

/// Returns where a unit stands, as its files and the repository say together.
fn standing(
    opened: &OpenFeature<'_>,
    member: &PlannedUnit<'_>,
    around: &Surroundings,
    steps: &[NextStep],
) -> UnitStanding {
    if let Some(why) = unsupported(opened, member) {
        return UnitStanding::Unproven(why);
    }
    if around.in_flight().iter().any(|unit| unit == member.id()) {
        return UnitStanding::AtWork;
    }
    match UnitStanding::of(opened.feature(), member) {
        UnitStanding::Ready if steps.first().is_some_and(|step| !step.is_run()) => {
            UnitStanding::HeldUp
        }
        standing => standing,
    }
}

fn explanation(
    feature: &Feature,
    (member, standing): (&PlannedUnit<'_>, &UnitStanding),
    tried: &[AttemptRecord],
) -> UnitExplanation {
    let mut explanation = UnitExplanation {
        what: standing.to_string(),
        tried: tried.iter().map(attempt_line).collect(),
        waits: dependents(feature, member.id()),
        ..UnitExplanation::default()
    };
    if member.unit.is_some() && member.status() == UnitStatus::BlockedHuman {
        blocked(member, tried, &mut explanation);
    }
    explanation
}

fn blocked(member: &PlannedUnit<'_>, tried: &[AttemptRecord], explanation: &mut UnitExplanation) {
    let id = member.id();
    if let Some(judgement) = tried.last().and_then(|a| a.judgement.as_ref()) {
        explanation.failed = failures(judgement);
    }
    if let Some(words) = tried.last().and_then(|a| a.session.last_words.as_ref()) {
        explanation.failed.push(format!("its last words: {words}"));
    }
    if let Some(made) = made_elsewhere(member.unit, tried) {
        explanation.tried.push(made);
        explanation.options.push(fetch_them());
    }
    if let Some(last) = tried.last() {
        let number = last.number;
        explanation.options.extend([
            format!("see all of it: gatewalk attempts show {id} {number}"),
            format!("take its work on: gatewalk attempts recover {id} {number} --worktree DIR"),
            format!("its work is safe under {}", attempt_ref(id, number)),
        ]);
    }
    if let Some(unit) = member.unit {
        explanation.options.push(format!(
            "change the unit ({}), commit, then unblock",
            unit.path()
        ));
    }
    explanation
        .options
        .push(format!("give it up: gatewalk abandon {id} --reason \"…\""));
}

/// Returns everything that cannot start before a unit is done.
fn dependents(feature: &Feature, id: &str) -> Vec<String> {
    let after = feature.descendants(id);
    let waiting = feature
        .members()
        .filter(|m| !m.status().is_settled() && after.contains(m.id()));
    waiting.map(|m| m.id().to_owned()).collect()
}
