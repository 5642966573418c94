//! The broad tier: commands that run once a gate, on the tip, before the gate goes on to its end.

use super::attempt_record::CommandResult;
use super::broad_report::BroadReport;
use super::events;
use super::log_reader::{Log, LoggedEvent};
use super::oracle::{CommandJudge, CommandSource, NoOracle, OracleCommand, ordered};
use super::snapshot::Snapshot;
use crate::model::feature::Feature;
use crate::model::idle_command::cannot_fail;
use crate::model::layout;
use crate::model::unit::Unit;
use crate::model::verification::{Set, Tier, Verification, VerificationCommand};
use serde_json::{Value, json};

/// The event that records what the tier came to.
pub(crate) const EVENT: &str = "broad_tier_checked";

/// What a result of the tier holds for: another gate, product or oracle asks anew.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct BroadSubject {
    /// The gate's number in the plan, which counts from 1.
    pub(crate) gate: u32,
    /// Stands for the product's files.
    pub(crate) product: String,
    /// The hash of the commands.
    pub(crate) oracle: String,
}

/// Returns the broad commands of every set that judges the gate's work, each after those it needs. `when` is not looked
/// at: the gate is all that was done since the last one.
///
/// Fails with the reason for which they would prove nothing.
pub fn commands(
    verification: &Verification,
    feature: &Feature,
    gate: usize,
) -> Result<Vec<OracleCommand>, NoOracle> {
    let mut found: Vec<OracleCommand> = Vec::new();
    let members = feature.members_of(gate).filter_map(|m| m.unit);
    for unit in members.filter(|unit| !unit.unit_type().is_closing()) {
        let own = unit.unit_type().verification_set();
        for name in std::iter::once(own).chain(Unit::list(&unit.front.extra_gates)) {
            let Some(set) = verification.set(name) else {
                continue;
            };
            for command in broad_of(set)? {
                if found.iter().all(|c| c.shell != command.shell()) {
                    found.push(of_set(name, command));
                }
            }
        }
    }
    match found.iter().find(|c| cannot_fail(&c.shell)) {
        Some(idle) => Err(NoOracle::CannotFail {
            name: idle.name.clone(),
        }),
        None => Ok(found),
    }
}

/// The broad commands of a set and all they need, in order.
fn broad_of(set: &Set) -> Result<Vec<&VerificationCommand>, NoOracle> {
    let order = ordered(set)?;
    let mut wanted: Vec<&str> = Vec::new();
    for command in order.iter().rev() {
        if command.tier() == Tier::Broad || wanted.contains(&command.name()) {
            wanted.push(command.name());
            wanted.extend(Unit::list(&command.needs));
        }
    }
    let is_wanted = |c: &&VerificationCommand| wanted.contains(&c.name());
    Ok(order.into_iter().filter(is_wanted).collect())
}

fn of_set(set: &str, command: &VerificationCommand) -> OracleCommand {
    OracleCommand {
        name: command.name().to_owned(),
        shell: command.shell().to_owned(),
        timeout: command.timeout(),
        when: vec![],
        source: CommandSource::Set(set.to_owned()),
        expects_red: false,
        judge: CommandJudge::Exit,
        needs: vec![],
        parallel: false,
        inputs: vec![],
    }
}

/// What stands between a settled gate and its end.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum BroadState<'s> {
    /// Nothing: it passed, there is none, or it is not yet time for it.
    Clear,
    /// It was not asked on these files.
    Unasked,
    /// It did not pass on these files.
    Red(&'s BroadReport),
}

/// Returns how far the tier of a gate is.
pub(crate) fn state(s: &Snapshot, gate: usize) -> BroadState<'_> {
    // The tier is asked once the gate's own work is settled.
    let none = || commands(&s.verification, &s.feature, gate).is_ok_and(|all| all.is_empty());
    if !s.feature.has_settled_substance(gate) || none() {
        return BroadState::Clear;
    }
    match &s.broad {
        None => BroadState::Unasked,
        Some(report) if report.red.is_empty() => BroadState::Clear,
        Some(report) => BroadState::Red(report),
    }
}

/// Returns what the event of a finished check says.
pub(crate) fn payload(commit: &str, subject: &BroadSubject, results: &[CommandResult]) -> Value {
    let passed = results.iter().all(CommandResult::passed);
    json!({
        "gate": subject.gate, "commit": commit, "product_tree": subject.product,
        "oracle": subject.oracle, "passed": passed, "commands": events::ran(results),
    })
}

/// What a log's last check of a gate came to.
pub(crate) struct BroadRecord {
    /// What it holds for.
    pub(crate) subject: BroadSubject,
    /// Whether every command passed.
    pub(crate) passed: bool,
    /// Each command and its verdict.
    verdicts: Vec<(Value, Value)>,
}

impl BroadRecord {
    /// Reads the last check of a gate from the feature's log.
    pub(crate) fn last(feature: &Feature, gate: u32) -> Option<BroadRecord> {
        let log = Log::parse(feature.others.get(layout::EVENTS)?);
        let mut checks = log.events.iter().filter(|e| e.event_type == EVENT);
        let last = checks.rfind(|e| e.payload["gate"] == json!(gate))?;
        BroadRecord::of(last)
    }

    fn of(event: &LoggedEvent) -> Option<BroadRecord> {
        let text = |key: &str| event.payload[key].as_str().map(str::to_owned);
        Some(BroadRecord {
            subject: BroadSubject {
                gate: event.payload["gate"].as_u64()?.try_into().ok()?,
                product: text("product_tree")?,
                oracle: text("oracle")?,
            },
            passed: event.payload["passed"].as_bool()?,
            verdicts: verdicts(&event.payload["commands"]),
        })
    }

    /// Returns whether a check would be written down with the same words: then it need not be.
    pub(crate) fn matches(&self, subject: &BroadSubject, results: &[CommandResult]) -> bool {
        self.subject == *subject && self.verdicts == verdicts(&json!(events::ran(results)))
    }
}

fn verdicts(commands: &Value) -> Vec<(Value, Value)> {
    let each = commands.as_array().into_iter().flatten();
    each.map(|c| (c["name"].clone(), c["verdict"].clone()))
        .collect()
}
