//! `gatewalk review`: one screen of what to question before arming.

mod request_comments;
mod review_request;
mod review_sections;
mod unit_sections;

use super::next_commands::Surroundings;
use super::unit_command::{OpenFeature, ViewArgs};
use super::{Context, ask};
use gatewalk_core::driver::committed_plan::Attempts;
use gatewalk_core::engine::attempt_record::AttemptRecord;
use gatewalk_core::engine::evidence::sanitize;
use gatewalk_core::engine::{forecast, limit_windows};
use gatewalk_core::error::{Error, Result};
use gatewalk_core::exit::Exit;
use gatewalk_core::model::layout;
use gatewalk_core::model::status_machine::{GateStatus, Word};
use gatewalk_host::git::GitPath;
use gatewalk_host::state_repository::Selected;
use review_sections as sections;
use serde_json::{Value, json};

/// Most lines of one part; the file has the rest.
const PART_LINES: usize = 8;

/// The `touches` that drafts without one could have.
fn proposed_scope(opened: &OpenFeature<'_>, gate: usize) -> sections::ReviewSection {
    // Without the files of the checkout nothing is proposed.
    let paths = opened.repository.git.working_files().unwrap_or_default();
    unit_sections::proposed_scope(opened.feature(), gate, &paths)
}

/// What the finished units of every feature took, and the usage limits that sessions met.
fn known_work(opened: &OpenFeature<'_>, attempts: &Attempts) -> Result<sections::KnownWork> {
    let all = opened.repository.features()?;
    let units = all.iter().flat_map(|f| forecast::finished(f.feature()));
    let pins = opened.repository.git.list_pins(layout::UNCHARGED_REFS)?;
    let uncharged = pins
        .iter()
        .filter_map(|pin| AttemptRecord::from_message(&pin.message));
    let uncharged: Vec<AttemptRecord> = uncharged.collect();
    let charged = attempts.charged.values().flat_map(|all| all.iter());
    Ok(sections::KnownWork {
        units: units.collect(),
        limits: limit_windows::met(charged.chain(&uncharged)),
    })
}

#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  gatewalk review\n  gatewalk review FEAT-2026-0042 --json\n  gatewalk review FEAT-2026-0042 --pr"
)]
pub(crate) struct Args {
    /// Feature id, directory, path or slug; the one active feature when absent
    name: Option<String>,
    /// Open or update the gate's pull request with `gh`; once it is merged, arm what it showed
    #[arg(long)]
    pr: bool,
    /// With `--pr`: a reviewer's approval arms too, before it is merged
    #[arg(long, requires = "pr")]
    arm_on_approval: bool,
    /// With `--pr`: where the branch is pushed
    #[arg(long, default_value = "origin", value_name = "NAME", requires = "pr")]
    remote: String,
    /// With `--pr`: the branch it goes into; the remote's default when absent
    #[arg(long, value_name = "BRANCH", requires = "pr")]
    base: Option<String>,
    /// Have a session of this agent look at what the feature changed; what it finds decides nothing
    #[arg(long, value_name = "AGENT", conflicts_with = "pr")]
    pub(super) ask: Option<String>,
    #[command(flatten)]
    view: ViewArgs,
}

/// What a review shows.
struct ReviewScreen {
    /// The gate that waits, if one does.
    reviewed: Option<u32>,
    /// The gate that is next.
    gate: u32,
    parts: Vec<sections::ReviewSection>,
}

/// Returns the screen of a feature; none where every gate is passed.
fn screen(opened: &OpenFeature<'_>) -> Result<Option<ReviewScreen>> {
    let feature = opened.feature();
    let attempts = opened.attempts()?;
    let Some(gate) = feature.current_gate() else {
        return Ok(None);
    };

    let reviewed = feature.gate_status(gate) == GateStatus::AwaitingReview;
    let drafts = if reviewed && gate + 1 < feature.plan.gates.len() {
        gate + 1
    } else {
        gate
    };
    let mut parts = vec![];
    if reviewed {
        parts.push(sections::cost(feature, gate));
        parts.push(sections::criteria(feature, gate));
        parts.push(sections::seen(feature, gate, &attempts));
        parts.push(sections::unwitnessed(feature, gate));
        parts.push(sections::follow_ups(feature, gate));
        parts.push(sections::inherited(opened));
        parts.push(sections::unrun(opened));
    }
    parts.extend([
        sections::planner(feature, drafts),
        sections::open_questions(feature),
        sections::changed_contracts(opened),
        unit_sections::units(feature, drafts),
        sections::forecast(
            (feature, &opened.selected.workspace.config),
            drafts,
            &known_work(opened, &attempts)?,
        ),
        proposed_scope(opened, drafts),
        sections::findings(opened, drafts),
    ]);
    parts.retain(|p| !p.lines.is_empty());
    Ok(Some(ReviewScreen {
        reviewed: reviewed.then(|| feature.gate_number(gate)),
        gate: feature.gate_number(drafts),
        parts,
    }))
}

/// Shows what an agent finds in what the feature changed.
fn asked(opened: &OpenFeature<'_>, agent: &str, json: bool) -> Result<Exit> {
    let Some((answer, read)) = ask::review(opened, agent)? else {
        return Ok(Exit::Interrupted);
    };
    if json {
        let advice = answer.findings_json(&read);
        let shown = json!({"feature": opened.feature().name(), "advice": advice});
        opened.context.out.json(&shown);
    } else {
        answer.print_findings(opened.context, &read);
    }
    Ok(Exit::Success)
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    if args.pr {
        return review_request::run(args, context);
    }
    let named = args.view.feature.as_ref().or(args.name.as_ref());
    let opened = OpenFeature::read(context, named.map(String::as_str), None)?;
    let feature = opened.feature();
    if let Some(agent) = &args.ask {
        return asked(&opened, agent, args.view.json);
    }
    if feature.plan.gates.is_empty() {
        let what = format!(
            "the plan of {} has no gate that can be read",
            feature.name()
        );
        let lint = format!("gatewalk lint {}", opened.selected.dir);
        return Err(Error::plan(what).hint(lint));
    }
    let screen = screen(&opened)?;
    if args.view.json {
        context.out.json(&screen_json(&opened, screen.as_ref())?);
        return Ok(Exit::Success);
    }
    let Some(screen) = screen else {
        let name = feature.name();
        context.out.line(format!("every gate of {name} is passed"));
        return Ok(Exit::Success);
    };
    print(&opened, &screen);
    let attempts = opened.attempts()?;
    let around = Surroundings::look(&opened.repository)?;
    context.out.line("");
    if around.edits_of(&opened.selected) > 0 {
        let words = "the plan has uncommitted edits, which are not shown until they are committed";
        context.out.line(words);
    }
    let own = format!("gatewalk review {}", feature.name());
    for step in around.of_feature((context, &opened.repository), &opened.selected, &attempts) {
        if step.to_string() != own {
            context.out.line(format!("next: {step}"));
        }
    }
    Ok(Exit::Success)
}

/// Returns what stands for the feature's files as they are reviewed.
fn shown_plan(opened: &OpenFeature<'_>) -> Result<Option<String>> {
    let Selected { commit, dir, .. } = &opened.selected;
    let git = &opened.repository.git;
    let plan = git.subtree(*commit, &GitPath::new(dir.as_bytes()))?;
    Ok(plan.map(|plan| plan.to_string()))
}

/// Returns what `--json` shows, with the tree of the plan that was read.
fn screen_json(opened: &OpenFeature<'_>, screen: Option<&ReviewScreen>) -> Result<Value> {
    let armed_by = opened.selected.workspace.config.armed_by().word();
    let (reviewed, gate, parts) = match screen {
        Some(screen) => (screen.reviewed, Some(screen.gate), &screen.parts[..]),
        None => (None, None, &[][..]),
    };
    let plan = shown_plan(opened)?;
    Ok(
        json!({"feature": opened.feature().name(), "reviewed_gate": reviewed, "gate": gate, "armed_by": armed_by, "parts": parts, "plan": plan}),
    )
}

fn print(opened: &OpenFeature<'_>, screen: &ReviewScreen) {
    let out = &opened.context.out;
    let number = screen.gate;
    let stands = match screen.reviewed {
        Some(gate) if gate == number => format!("gate {gate} waits for review"),
        Some(gate) => format!("gate {gate} waits for review; gate {number} is next"),
        None => format!("gate {number} is next"),
    };
    out.line(format!("{}: {stands}", opened.feature().name()));
    for part in &screen.parts {
        out.line(format!("\n{}", part.title));
        for line in part.lines.iter().take(PART_LINES) {
            out.row(format!("  {}", sanitize(line)));
        }
        if part.lines.len() > PART_LINES {
            out.line(format!("  … and {} more", part.lines.len() - PART_LINES));
        }
    }
}
