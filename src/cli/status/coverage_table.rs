//! `status --coverage`: requirement, unit, check, and what the check says on the tip.

use super::Args;
use crate::cli::run_guards::Locks;
use crate::cli::watch::Printer;
use crate::cli::{Context, landings};
use gatewalk_core::driver::ports::SlotId;
use gatewalk_core::engine::coverage::{CheckResult, Proof, RequirementCoverage};
use gatewalk_core::engine::evidence::sanitize;
use gatewalk_core::engine::snapshot::RunOptions;
use gatewalk_core::error::Result;
use gatewalk_core::exit::Exit;
use gatewalk_core::model::id::short_id;
use gatewalk_core::model::status_machine::FeatureStatus;
use gatewalk_core::object_id::ObjectId;
use gatewalk_host::lock::ProcessTreeLock;
use gatewalk_host::os::Os;
use gatewalk_host::state_repository::{Repository, Selected};
use gatewalk_host::stop_flag::StopFlag;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Prints the coverage of a feature; `--run` asks first what was not asked yet.
pub(super) fn show(repository: &Repository, context: &Context, args: &Args) -> Result<Exit> {
    let (run, json) = (args.run, args.json);
    let selected = select(repository, args.feature.get())?;
    let tip = selected.commit;
    let watcher = Printer::new(context.out.clone(), json);
    let mut machine = Os::new(&repository.git, context.host()?, &watcher)?;
    // What runs commands holds the lock, as every driver does.
    let _locks = run
        .then(|| Locks::take(repository, &selected))
        .transpose()?;
    if run {
        let lock = repository.git.state_dir().join("family.lock");
        machine = machine.for_run(StopFlag::new()?, ProcessTreeLock::acquire(&lock)?);
    }
    let driver = machine.driver(repository.layout, &selected, RunOptions::default());
    driver.snapshot_at(&tip)?;
    if run {
        driver.run_coverage(&tip, SlotId::Session(0))?;
    }
    let rows = driver.coverage_at(&tip)?;
    let landings = landings::by_attempt(repository, tip)?;
    if json {
        let rows: Vec<Value> = rows.iter().map(|r| as_json(r, tip, &landings)).collect();
        context.out.json(
            &json!({"feature": selected.feature().name(), "commit": tip, "requirements": rows}),
        );
        return Ok(Exit::Success);
    }
    print(context, &selected, &rows, &landings);
    Ok(Exit::Success)
}

/// Without a name: the active feature, else the only one there is.
fn select(repository: &Repository, name: Option<&str>) -> Result<Selected> {
    let found = repository.select(name);
    if name.is_none() && found.is_err() {
        let mut all = repository.features()?;
        all.retain(|f| f.feature().plan.status() != FeatureStatus::Abandoned);
        if all.len() == 1 {
            return Ok(all.remove(0));
        }
    }
    found
}

/// The commit of a check's last result: the tip when it was run on the tip's files, else the landing.
fn last<'l>(
    proof: &'l Proof,
    landings: &BTreeMap<String, ObjectId>,
) -> Option<(&'l str, Option<ObjectId>)> {
    let last = proof.last.as_ref()?;
    Some((last.verdict.text(), landings.get(&last.attempt_id).copied()))
}

fn as_json(
    row: &RequirementCoverage,
    tip: ObjectId,
    landings: &BTreeMap<String, ObjectId>,
) -> Value {
    let proofs: Vec<Value> = row
        .proofs
        .iter()
        .map(|p| {
            let (verdict, commit) = match p.result {
                CheckResult::Passes => (Some("pass"), Some(tip)),
                CheckResult::Fails => (Some("fail"), Some(tip)),
                CheckResult::NotRun => last(p, landings).map_or((None, None), |(v, c)| (Some(v), c)),
            };
            json!({
                "unit": p.unit, "unit_status": p.status, "check": p.check, "run": p.run, "on_tip": p.result,
                "last_result": verdict, "last_commit": commit,
            })
        })
        .collect();
    json!({"requirement": row.requirement, "text": row.text, "covered": row.covered, "units": row.units, "checks": proofs})
}

fn print(
    context: &Context,
    selected: &Selected,
    rows: &[RequirementCoverage],
    landings: &BTreeMap<String, ObjectId>,
) {
    let out = &context.out;
    let name = selected.feature().name();
    if rows.is_empty() {
        out.line(format!("{name} has no requirements; they are bullets `- REQ-NAME-1: …` under `## Requirements` of PLAN.md"));
        return;
    }
    let covered = rows.iter().filter(|r| r.covered).count();
    let tip = selected.commit.short();
    out.line(format!(
        "{name} at {tip}: {covered} of {} requirements covered",
        rows.len()
    ));
    for row in rows {
        let word = if row.covered {
            "covered"
        } else {
            "not covered"
        };
        out.line(format!(
            "{:<14} {word:<12} {}",
            row.requirement,
            sanitize(&row.text)
        ));
        for proof in &row.proofs {
            out.line(proof_line(proof, &tip, landings));
        }
        if row.proofs.is_empty() {
            let units: Vec<&str> = row.units.iter().map(|u| short_id(u)).collect();
            out.line(match &units[..] {
                [] => "    no unit covers it".to_owned(),
                _ => format!("    {} covers it, without a check", units.join(", ")),
            });
        }
    }
    if rows
        .iter()
        .flat_map(|r| &r.proofs)
        .any(|p| p.result == CheckResult::NotRun)
    {
        out.note("`gatewalk status --coverage --run` runs what was not run on these files");
    }
}

fn proof_line(proof: &Proof, tip: &str, landings: &BTreeMap<String, ObjectId>) -> String {
    let result = match (proof.result, last(proof, landings)) {
        (CheckResult::Passes, _) => format!("pass at {tip}"),
        (CheckResult::Fails, _) => format!("fail at {tip}"),
        (CheckResult::NotRun, Some((verdict, commit))) => {
            let at = commit.map_or_else(|| "its attempt".to_owned(), |c| c.short());
            format!("not run at {tip}; {verdict} at {at}")
        }
        (CheckResult::NotRun, None) => "never run".to_owned(),
    };
    let check = sanitize(&proof.check);
    format!("    {:<6} {check:<28} {result}", short_id(&proof.unit))
}
