//! `gatewalk verify`: run the recorded oracle on the recorded tree again, and compare the results.

use super::rerun::{self, RerunEnd};
use super::unit_command::{OpenFeature, ViewArgs};
use super::{Context, landings};
use gatewalk_core::driver::ports::History;
use gatewalk_core::driver::recheck::{CommandComparison, Recheck, RecheckSubject};
use gatewalk_core::engine::attempt_record::AttemptRecord;
use gatewalk_core::engine::evidence::{one_line, sanitize};
use gatewalk_core::engine::trailers::{self, Trailer};
use gatewalk_core::error::{Error, Result};
use gatewalk_core::exit::Exit;
use gatewalk_core::model::config::SandboxPolicy;
use gatewalk_core::model::recorded_word::RecordedWord;
use gatewalk_core::object_id::ObjectId;
use gatewalk_host::os::Os;
use serde_json::json;

#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  gatewalk verify T03\n  gatewalk verify HEAD~2\n  gatewalk verify FEAT-2026-0042/T03 --attempt 1"
)]
pub(crate) struct Args {
    /// A unit, or the commit that landed one
    what: String,
    /// One attempt of the unit, landed or not
    #[arg(long, value_name = "N")]
    attempt: Option<u32>,
    /// Confine the commands: `auto`, `require` or `off`, in place of your configuration
    #[arg(long, value_name = "MODE", value_parser = super::loop_::sandbox_word)]
    sandbox: Option<SandboxPolicy>,
    #[command(flatten)]
    view: ViewArgs,
}

/// A landing, or an attempt, as it is on record.
struct VerifySubject {
    unit: String,
    commit: Option<ObjectId>,
    base: ObjectId,
    oracle: Option<String>,
    record: Option<AttemptRecord>,
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let opened = landings::open_feature_of(&args.what, args.view.feature.as_deref(), context)?;
    let found = find(args, &opened)?;
    let dir = opened.repository.layout.dir();
    let ended = rerun::with_driver(context, &opened, args.sandbox, |driver, machine| {
        let judgement = found.record.as_ref().and_then(|r| r.judgement.as_ref());
        let (tree, altered) = judged_tree(&found, machine, dir)?;
        let recorded = RecheckSubject {
            unit: &found.unit,
            base: judgement.map_or_else(|| found.base, |j| j.base),
            tree,
            oracle: found.oracle.clone().unwrap_or_default(),
            passed: judgement.is_none_or(|j| j.passed()),
            judgement,
        };
        Ok((driver.recheck(&recorded)?, altered))
    })?;
    let (recheck, altered) = match ended {
        RerunEnd::Finished(found) => found,
        RerunEnd::Stopped(exit) => return Ok(exit),
    };
    let result = RecheckResult {
        unit: &found.unit,
        commit: found.commit,
        recheck,
        altered,
    };
    print(context, args.view.json, &result);
    Ok(result.exit())
}

/// Returns the tree that was judged, and whether what landed is another one.
fn judged_tree(found: &VerifySubject, machine: &Os<'_>, dir: &str) -> Result<(ObjectId, bool)> {
    let judgement = found.record.as_ref().and_then(|r| r.judgement.as_ref());
    let tree = match (judgement, found.commit) {
        (Some(judgement), _) => judgement.tree,
        (None, Some(commit)) => machine.tree_of(&commit)?,
        (None, None) => {
            let what = format!("{}: that attempt was never judged", found.unit);
            return Err(Error::plan(what));
        }
    };
    let altered = match found.commit {
        Some(commit) => machine.tree_key(&commit, dir)? != machine.tree_key(&tree, dir)?,
        None => false,
    };
    Ok((tree, altered))
}

fn find(args: &Args, opened: &OpenFeature<'_>) -> Result<VerifySubject> {
    let attempts = opened.attempts()?;
    let of = |unit: &str| {
        attempts
            .charged
            .get(unit)
            .map_or_else(Vec::new, |all| all.to_vec())
    };
    let is_unit = opened
        .feature()
        .find_unit(&args.what)
        .map(|m| m.id().to_owned());
    if let (Some(unit), Some(number)) = (&is_unit, args.attempt) {
        let record = of(unit).into_iter().find(|a| a.number == number);
        let record =
            record.ok_or_else(|| Error::plan(format!("{unit} has no attempt {number}")))?;
        return Ok(VerifySubject {
            oracle: record.judgement.as_ref().map(|j| j.oracle.clone()),
            unit: unit.clone(),
            commit: None,
            base: record.base,
            record: Some(record),
        });
    }
    let landing = landings::landing(opened, &args.what)?;
    let attempt = trailers::read(&landing.message, Trailer::AttemptId);
    Ok(VerifySubject {
        record: of(&landing.unit)
            .into_iter()
            .find(|a| Some(&a.attempt_id) == attempt.as_ref()),
        oracle: trailers::read(&landing.message, Trailer::Oracle),
        base: landing.base,
        commit: Some(landing.commit),
        unit: landing.unit,
    })
}

/// What running the oracle once more gave, beside what is on record.
struct RecheckResult<'a> {
    unit: &'a str,
    commit: Option<ObjectId>,
    recheck: Recheck,
    /// Whether what landed is another tree than the one that was judged.
    altered: bool,
}

impl RecheckResult<'_> {
    fn is_same(&self) -> bool {
        self.recheck.same && !self.altered
    }

    fn exit(&self) -> Exit {
        match (self.is_same(), self.recheck.oracle_same && !self.altered) {
            (true, _) => Exit::Success,
            (false, true) => Exit::Findings,
            (false, false) => Exit::Integrity,
        }
    }
}

fn print(context: &Context, json: bool, result: &RecheckResult<'_>) {
    let (recheck, same) = (&result.recheck, result.is_same());
    if json {
        context.out.json(&json!({
            "unit": result.unit, "commit": result.commit, "same": same,
            "oracle_same": recheck.oracle_same, "tree_same": !result.altered,
            "commands": recheck.commands, "notices": recheck.notices,
        }));
        return;
    }
    let out = &context.out;
    for CommandComparison { now, then, same } in &recheck.commands {
        out.line(format!(
            "{:<9} {}: {} now, {} then ({:.1}s): {}",
            if *same { "same" } else { "different" },
            sanitize(&now.name),
            now.verdict,
            then.as_ref().map_or("passed", RecordedWord::text),
            now.seconds,
            sanitize(&now.command),
        ));
    }
    for notice in &recheck.notices {
        out.line(format!("see       {}", one_line(notice)));
    }
    if !recheck.oracle_same {
        out.line("different the oracle of the commit before is not the one on record");
    }
    if result.altered {
        out.line("different what landed is not the tree that was judged");
    }
    out.line(format!(
        "{}: {}",
        result.unit,
        if same {
            "same as on record"
        } else {
            "different from what is on record"
        }
    ));
}
