//! `lint --closing`: what the driver will ask of a closing session, asked inside it.

use crate::cli::Context;
use gatewalk_core::driver::closing_session;
use gatewalk_core::engine::closing::{ClosingFindings, ClosingReview};
use gatewalk_core::engine::coverage;
use gatewalk_core::engine::evidence::{one_line, sanitize};
use gatewalk_core::error::{Error, Result};
use gatewalk_core::exit::Exit;
use gatewalk_core::model::feature::PlannedUnit;
use gatewalk_core::model::status_machine::Word;
use gatewalk_core::model::workspace::Workspace;
use gatewalk_host::git::Git;
use gatewalk_host::state_dir_reader;
use serde_json::json;

/// Compares the state directory on disk with `HEAD`, for one closing unit.
pub(super) fn run(named: &str, json: bool, context: &Context) -> Result<Exit> {
    let (root, layout) = state_dir_reader::find_root(&context.cwd)
        .ok_or_else(|| super::missing_state_dir::error(&context.cwd))?;
    let git = Git::discover(&root)?;
    let head = git.head()?.commit;
    let head = head.ok_or_else(|| Error::environment("the repository has no commit yet"))?;
    let before = Workspace::parse(layout, &git.files_under(head, layout.dir())?);
    let files = state_dir_reader::read_state_dir(&root, layout)?;
    let after = Workspace::parse(layout, &files);
    let named = match named {
        "" => std::env::var("GATEWALK_UNIT").unwrap_or_default(),
        named => named.to_owned(),
    };
    let found = before
        .features
        .iter()
        .find_map(|f| Some((f, pick(f, &named)?)));
    let Some((feature, member)) = found else {
        return Err(Error::plan("no closing unit is being worked on")
            .hint("name it: `gatewalk lint --closing=FEAT-2026-0042/G1-PLAN`"));
    };
    let Some(unit) = member.unit else {
        return Err(Error::plan(format!("{} has no file", member.id())));
    };
    let own = files
        .get(&**unit.path())
        .map_or_else(String::new, |b| String::from_utf8_lossy(b).into_owned());
    // Nothing is run here: what no check names is known, what a check says the driver finds out.
    let last = feature.terminal_gate() == Some(member.gate);
    let gaps = if last {
        coverage::without_check(feature)
    } else {
        vec![]
    };
    let review = ClosingReview {
        before: feature,
        gate: member.gate,
        unit,
        gaps: &gaps,
    };
    let result = closing_session::inspect(&after, &review, &own);
    print(context, json, member.id(), &result);
    Ok(if result.violations.is_empty() {
        Exit::Success
    } else {
        Exit::Findings
    })
}

fn print(context: &Context, json: bool, id: &str, result: &ClosingFindings) {
    let out = &context.out;
    if json {
        let violations = result.violations.iter();
        let missing = violations
            .map(|v| json!({"class": v.class.word(), "message": v.message, "paths": v.paths}));
        let missing: Vec<_> = missing.collect();
        out.json(&json!({"unit": id, "missing": missing, "notices": result.shown()}));
        return;
    }
    for v in &result.violations {
        let paths = v.paths.join(", ");
        out.line(format!("{paths}: {}: {}", v.class, sanitize(&v.message)));
    }
    for notice in &result.shown() {
        out.line(format!("see: {}", one_line(notice)));
    }
    out.note(match result.violations.len() {
        0 => format!("{id} has everything it must leave"),
        count => format!("{id} lacks {count} of what it must leave"),
    });
}

/// Returns the unit that is named; without a name, the closing unit that is on.
fn pick<'f>(
    feature: &'f gatewalk_core::model::feature::Feature,
    named: &str,
) -> Option<PlannedUnit<'f>> {
    if !named.is_empty() {
        return feature
            .find_unit(named)
            .filter(|m| m.unit_type().is_closing());
    }
    let gate = feature.current_gate()?;
    feature
        .frontier(gate)
        .into_iter()
        .find(|m| m.unit_type().is_closing())
}
