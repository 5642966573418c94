//! `gatewalk attempts --prune`: lets go of old attempts, by age and count.
//!
//! Only of units whose gate is passed: until then attempts count towards a unit's tries and its
//! budget. Invariant: the newest attempts of every unit stay, at least one, whatever their age.

use super::super::Context;
use gatewalk_core::driver::ports::Pin;
use gatewalk_core::engine::attempt_record::AttemptRecord;
use gatewalk_core::engine::evidence::counted;
use gatewalk_core::error::{Error, Result};
use gatewalk_core::exit::Exit;
use gatewalk_core::model::frontmatter::parse_duration;
use gatewalk_core::model::layout;
use gatewalk_core::model::status_machine::GateStatus;
use gatewalk_host::os::log_dir;
use gatewalk_host::state_repository::Repository;
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

#[derive(clap::Args)]
pub(super) struct Prune {
    /// Let go of old attempts of units whose gate is passed
    #[arg(long)]
    pub(super) prune: bool,
    /// Keep so many of each unit, the newest
    #[arg(long, value_name = "N", default_value_t = 3, requires = "prune", value_parser = clap::value_parser!(u16).range(1..))]
    keep: u16,
    /// Let go only of what is older
    #[arg(long, value_name = "TIME", default_value = "30d", requires = "prune", value_parser = time)]
    older_than: Duration,
    /// Only say what would go
    #[arg(long, requires = "prune")]
    dry_run: bool,
    /// Print JSON
    #[arg(long, requires = "prune")]
    json: bool,
}

/// Reads a time; days too, which sessions never take.
pub(crate) fn time(text: &str) -> Result<Duration, String> {
    let days = text
        .strip_suffix('d')
        .and_then(|days| days.parse::<u32>().ok());
    days.map(|days| Duration::from_secs(86_400 * u64::from(days)))
        .or_else(|| parse_duration(text))
        .ok_or_else(|| "it is a time as in `12h` or `30d`".to_owned())
}

struct PinnedAttempt {
    pin: Pin,
    unit: String,
    number: u32,
    started_at: Option<jiff::Timestamp>,
}

pub(super) fn run(args: &Prune, context: &Context) -> Result<Exit> {
    let repository = Repository::open(&context.cwd)?;
    let keep = usize::from(args.keep);
    let names = let_go(&repository, keep, args.older_than, args.dry_run)?;
    if args.json {
        context
            .out
            .json(&json!({"pruned": names, "dry_run": args.dry_run}));
        return Ok(Exit::Success);
    }
    for name in &names {
        context.out.line(name);
    }
    let what = if args.dry_run {
        "would be let go"
    } else {
        "let go"
    };
    let count = counted(names.len(), "attempt");
    context.out.note(format!("{count} {what}"));
    Ok(Exit::Success)
}

/// Lets go of attempts of finished units, all but so many of each, and returns the names of their refs.
pub(crate) fn let_go(
    repository: &Repository,
    keep: usize,
    older_than: Duration,
    dry_run: bool,
) -> Result<Vec<String>> {
    let finished = finished_units(repository)?;
    let pins = repository.git.list_pins(layout::REFS)?;
    let retention = Retention {
        keep,
        older_than,
        now: jiff::Timestamp::now(),
    };
    let old = retention.surplus(pins, &finished);
    if !dry_run {
        for kept in &old {
            release_attempt(repository, kept)?;
        }
    }
    Ok(old.into_iter().map(|kept| kept.pin.name).collect())
}

/// Returns the units that no run will look at again.
fn finished_units(repository: &Repository) -> Result<BTreeSet<String>> {
    let mut finished = BTreeSet::new();
    for selected in repository.features()? {
        let feature = selected.feature();
        for member in feature.members() {
            if feature.gate_status(member.gate) == GateStatus::Passed {
                finished.insert(member.id().to_owned());
            }
        }
    }
    Ok(finished)
}

/// What is kept of the attempts of units that are over.
struct Retention {
    /// How many of each unit, whatever their age.
    keep: usize,
    older_than: Duration,
    now: jiff::Timestamp,
}

impl Retention {
    /// Returns what is too much and too old, of each unit and each kind of ref for itself.
    fn surplus(&self, pins: Vec<Pin>, finished: &BTreeSet<String>) -> Vec<PinnedAttempt> {
        let mut groups: BTreeMap<(String, String), Vec<PinnedAttempt>> = BTreeMap::new();
        for pin in pins {
            let Some(record) = AttemptRecord::from_message(&pin.message) else {
                continue;
            };
            if !finished.contains(&record.unit) {
                continue;
            }
            let kind = pin.name.split('/').nth(2).unwrap_or_default().to_owned();
            let kept = PinnedAttempt {
                unit: record.unit.clone(),
                number: record.number,
                started_at: record.started_at.parse().ok(),
                pin,
            };
            groups.entry((kind, record.unit)).or_default().push(kept);
        }
        let mut old = Vec::new();
        for mut group in groups.into_values() {
            // A time that cannot be read is the newest: nothing is let go of by mistake.
            group.sort_by_key(|kept| kept.started_at.unwrap_or(jiff::Timestamp::MAX));
            let surplus = group.len().saturating_sub(self.keep.max(1));
            let is_old = |kept: &PinnedAttempt| {
                kept.started_at.is_some_and(|at| {
                    let age = self.now.duration_since(at);
                    age.is_positive() && age.unsigned_abs() >= self.older_than
                })
            };
            old.extend(group.into_iter().take(surplus).filter(is_old));
        }
        old
    }
}

fn release_attempt(repository: &Repository, kept: &PinnedAttempt) -> Result<()> {
    if !repository.git.delete_ref(&kept.pin.name, kept.pin.commit)? {
        return Err(Error::integrity(format!(
            "`{}` moved while attempts were let go of",
            kept.pin.name
        ))
        .hint("run it again"));
    }
    if kept.pin.name.starts_with(layout::ATTEMPT_REFS) {
        // A log that stays costs only its room.
        let logs = log_dir(&repository.git.state_dir(), &kept.unit, kept.number);
        drop(std::fs::remove_dir_all(logs));
    }
    Ok(())
}
