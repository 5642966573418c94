//! `gatewalk verify`: run the recorded oracle on the recorded tree again, and compare the results.

use super::Context;
use super::unit_command::{OpenFeature, ViewArgs};
use super::watch::Printer;
use gatewalk_core::driver::ports::{History, SlotId};
use gatewalk_core::driver::recheck::{CommandComparison, Recheck, RecheckSubject};
use gatewalk_core::engine::attempt_record::AttemptRecord;
use gatewalk_core::engine::evidence::{one_line, sanitize};
use gatewalk_core::engine::snapshot::RunOptions;
use gatewalk_core::engine::trailers::{self, Trailer};
use gatewalk_core::error::{Error, Result};
use gatewalk_core::exit::Exit;
use gatewalk_core::model::config::SandboxPolicy;
use gatewalk_core::model::recorded_word::RecordedWord;
use gatewalk_core::object_id::ObjectId;
use gatewalk_host::lock::{DriverLock, Holder, ProcessTreeLock, RECHECK_LOCK};
use gatewalk_host::os::Os;
use gatewalk_host::signals;
use serde_json::json;

/// Most commits of a branch that are searched for a unit's landing.
const COMMITS_LOOKED_AT: usize = 5_000;

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
    let named = OpenFeature::read(context, args.view.feature.as_deref(), None)
        .ok()
        .filter(|opened| opened.feature().find_unit(&args.what).is_some());
    let opened = match named {
        Some(opened) => opened,
        None => open_feature_of(args, context)?,
    };
    let found = find(args, &opened)?;
    let mut host = context.host()?;
    host.sandbox_now = args.sandbox;
    let git = &opened.repository.git;
    let started = jiff::Timestamp::now().to_string();
    let _lock = DriverLock::acquire(
        &git.state_dir().join(RECHECK_LOCK),
        &Holder::this("a re-check", &started),
    )?;
    let family = ProcessTreeLock::acquire(&git.state_dir().join("family.lock"))?;
    let stop = signals::install()?;
    let watcher = Printer::new(context.out.clone(), false);
    let machine = Os::new(git, host, &watcher)?.for_run(stop.clone(), family);
    machine.require_isolation(None)?;
    machine.empty_slot(SlotId::Recheck)?;
    let driver = machine.driver(
        opened.repository.layout,
        &opened.selected,
        RunOptions::default(),
    );
    let judgement = found.record.as_ref().and_then(|r| r.judgement.as_ref());
    let (tree, altered) = judged_tree(&found, &machine, opened.repository.layout.dir())?;
    let recorded = RecheckSubject {
        unit: &found.unit,
        base: judgement.map_or_else(|| found.base, |j| j.base),
        tree,
        oracle: found.oracle.clone().unwrap_or_default(),
        passed: judgement.is_none_or(|j| j.passed),
        judgement,
    };
    let recheck = driver.recheck(&recorded)?;
    if let Some(exit) = stop.exit() {
        return Ok(exit);
    }
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

/// Finds the feature that a unit's id or a landing's trailer names.
fn open_feature_of<'a>(args: &Args, context: &'a Context) -> Result<OpenFeature<'a>> {
    if gatewalk_core::model::id::UnitId::parse(&args.what).is_some() {
        return OpenFeature::read(context, args.view.feature.as_deref(), Some(&args.what));
    }
    let repository = gatewalk_host::state_repository::Repository::open(&context.cwd)?;
    // A short id where no feature is active, but only one has such a unit.
    let features = repository.features()?;
    let mut having = features
        .iter()
        .filter(|f| f.feature().find_unit(&args.what).is_some());
    if let (Some(one), None) = (having.next(), having.next()) {
        return OpenFeature::read(context, Some(&one.dir), None);
    }
    let commit = repository.git.resolve(&args.what)?.ok_or_else(|| {
        Error::plan(format!(
            "`{}` is no unit and no commit",
            sanitize(&args.what)
        ))
    })?;
    let info = repository.git.read_commits(&[commit])?;
    let unit = info
        .first()
        .and_then(|c| trailers::read(&c.message, Trailer::Feature));
    let unit = unit.ok_or_else(|| {
        Error::plan(format!("`{}` landed no unit", sanitize(&args.what)))
            .hint("a landing has the trailers `Feature:` and `Oracle:`")
    })?;
    OpenFeature::read(context, args.view.feature.as_deref(), Some(&unit))
}

fn find(args: &Args, opened: &OpenFeature<'_>) -> Result<VerifySubject> {
    let git = &opened.repository.git;
    let attempts = opened.attempts()?;
    let of = |unit: &str| attempts.charged.get(unit).cloned().unwrap_or_default();
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
    let (from, wanted) = match is_unit {
        Some(unit) => (
            git.log(None, opened.selected.commit, COMMITS_LOOKED_AT)?,
            Some(unit),
        ),
        None => {
            let commit = git.resolve(&args.what)?.unwrap_or(opened.selected.commit);
            (git.read_commits(&[commit])?, None)
        }
    };
    let landing = from.into_iter().find_map(|c| {
        let unit = trailers::read(&c.message, Trailer::Feature)?;
        let ours = wanted.as_ref().is_none_or(|w| *w == unit)
            && trailers::read(&c.message, Trailer::Oracle).is_some();
        ours.then_some((unit, c))
    });
    let (unit, commit) = landing.ok_or_else(|| {
        Error::plan(format!("`{}` has not landed", sanitize(&args.what)))
            .hint("`gatewalk attempts list` shows what was tried; `--attempt N` checks one of them")
    })?;
    let attempt = trailers::read(&commit.message, Trailer::AttemptId);
    let base = commit.parents.first().copied();
    Ok(VerifySubject {
        record: of(&unit)
            .into_iter()
            .find(|a| Some(&a.attempt_id) == attempt.as_ref()),
        oracle: trailers::read(&commit.message, Trailer::Oracle),
        base: base.ok_or_else(|| Error::integrity("a landing without a parent"))?,
        commit: Some(commit.oid),
        unit,
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
