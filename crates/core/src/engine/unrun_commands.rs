//! Which declared commands did not run on what landed: a command that nobody ran says nothing.

use super::broad_tier;
use super::log_reader::{Log, LoggedEvent};
use super::oracle::CommandSource;
use crate::model::feature::Feature;
use crate::model::id::short_id;
use crate::model::layout;
use crate::model::status_machine::UnitStatus;
use crate::model::unit::Unit;
use crate::model::verification::{Tier, Verification};
use serde_json::Value;
use std::fmt;

/// A declared command that did not run on the tip's files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnrunCommand {
    /// Its own name, without that of its set.
    pub name: String,
    /// The set that it is in.
    pub set: String,
    /// Why it did not.
    pub why: UnrunReason,
}

/// Why a declared command did not run on the tip's files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UnrunReason {
    /// It runs once a gate, and the gate is not there yet.
    BeforeGateEnds,
    /// What this unit changed is nothing that it is about.
    Skipped(String),
    /// It ran last when this landed, or was asked of this gate.
    Earlier(String),
    /// No unit that it judges landed yet.
    Never,
}

impl fmt::Display for UnrunReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UnrunReason::BeforeGateEnds => f.write_str("it runs before the gate ends"),
            UnrunReason::Skipped(unit) => write!(f, "{unit} touches nothing it is about"),
            UnrunReason::Earlier(unit) => write!(f, "it ran last for {unit}"),
            UnrunReason::Never => f.write_str("nothing that it judges landed yet"),
        }
    }
}

impl fmt::Display for UnrunCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({}): {}", self.name, self.set, self.why)
    }
}

/// A command that verification.yml or a gate declares for a feature.
struct DeclaredCommand<'a> {
    set: &'a str,
    name: &'a str,
    shell: &'a str,
    tier: Tier,
}

/// One time that commands ran on a product: a landing, or the broad tier.
struct LoggedRun {
    of: String,
    product: Option<String>,
    /// Set, name, and whether it was skipped.
    commands: Vec<(String, String, bool)>,
}

/// Returns the declared commands that did not run on a product; nothing before something landed, and where the log does
/// not say on what its commands ran.
pub fn of_feature(
    verification: &Verification,
    feature: &Feature,
    product: &str,
) -> Vec<UnrunCommand> {
    let runs = logged_runs(feature);
    if runs.iter().all(|run| run.product.is_none()) {
        return vec![];
    }
    let declared = declared(verification, feature);
    let ran = |d: &DeclaredCommand<'_>| {
        let mut here = runs
            .iter()
            .filter(|r| r.product.as_deref() == Some(product));
        here.any(|run| run.skipped(d) == Some(false))
    };
    // What is written in two sets runs once.
    let green: Vec<&str> = declared
        .iter()
        .filter(|d| ran(d))
        .map(|d| d.shell)
        .collect();
    let unrun = declared.iter().filter(|d| !green.contains(&d.shell));
    unrun
        .map(|d| UnrunCommand {
            name: d.name.to_owned(),
            set: d.set.to_owned(),
            why: why(d, &runs),
        })
        .collect()
}

fn why(declared: &DeclaredCommand<'_>, runs: &[LoggedRun]) -> UnrunReason {
    let mut last = runs.iter().rev();
    let last = last.find_map(|run| Some((run.of.clone(), run.skipped(declared)?)));
    match last {
        Some((of, true)) => UnrunReason::Skipped(of),
        Some((of, false)) => UnrunReason::Earlier(of),
        None if declared.tier == Tier::Broad => UnrunReason::BeforeGateEnds,
        None => UnrunReason::Never,
    }
}

/// The commands of every set that judges a unit of the feature, and what its gates add once work began there.
fn declared<'a>(verification: &'a Verification, feature: &'a Feature) -> Vec<DeclaredCommand<'a>> {
    let mut sets: Vec<&str> = Vec::new();
    let units = feature
        .members()
        .filter(|m| m.status() != UnitStatus::Abandoned);
    for unit in units.filter_map(|m| m.unit) {
        let own = unit.unit_type().verification_set();
        sets.extend(std::iter::once(own).chain(Unit::list(&unit.front.extra_gates)));
    }
    let mut found: Vec<DeclaredCommand<'_>> = Vec::new();
    for set in &verification.sets {
        let name = set.name.value.as_str();
        if sets.contains(&name) {
            found.extend(set.commands.iter().map(|command| DeclaredCommand {
                set: name,
                name: command.value.name(),
                shell: command.value.shell(),
                tier: command.value.tier(),
            }));
        }
    }
    let gate = feature.current_gate();
    let oracle = gate.and_then(|gate| feature.gate(gate)?.front.feature_oracle.as_ref());
    found.extend(oracle.map(|shell| DeclaredCommand {
        set: CommandSource::FeatureOracle.word(),
        name: super::oracle::FEATURE_ORACLE,
        shell: &shell.value,
        tier: Tier::Narrow,
    }));
    found
}

impl LoggedRun {
    fn of(event: &LoggedEvent) -> LoggedRun {
        let payload = &event.payload;
        let commands = payload["commands"].as_array().into_iter().flatten();
        let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let local = short_id(&event.id);
        LoggedRun {
            of: match payload["gate"].as_u64() {
                Some(gate) => format!("gate {gate}"),
                None => local.to_owned(),
            },
            product: payload["product_tree"].as_str().map(str::to_owned),
            commands: commands
                .map(|c| (word(&c["set"]), word(&c["name"]), c["verdict"] == "skipped"))
                .collect(),
        }
    }

    /// Whether a command was skipped here; nothing where it was not asked at all.
    fn skipped(&self, declared: &DeclaredCommand<'_>) -> Option<bool> {
        let mut commands = self.commands.iter();
        let found = commands.find(|(set, name, _)| set == declared.set && name == declared.name);
        found.map(|(.., skipped)| *skipped)
    }
}

/// The runs whose product landed, in order.
fn logged_runs(feature: &Feature) -> Vec<LoggedRun> {
    let Some(log) = feature.others.get(layout::EVENTS) else {
        return vec![];
    };
    let events = Log::select(log, &["attempt_outcome", broad_tier::EVENT]);
    let landed =
        |e: &&LoggedEvent| e.event_type == broad_tier::EVENT || e.payload["outcome"] == "passed";
    events.iter().filter(landed).map(LoggedRun::of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::events::{append, verb};
    use crate::engine::test_snapshot::{FEATURE, snapshot_with};
    use serde_json::json;

    const ORACLE: &str = "code:\n  - {name: tests, command: t}\n  - {name: web, command: w, when: [web/**]}\n  - {name: all, command: a, tier: broad}\ndoc:\n  - {name: plan, command: p}\nextra:\n  - {name: again, command: t}\n  - {name: more, command: m}\n";

    fn landing(unit: &str, product: Option<&str>, commands: Value) -> (String, Value) {
        let mut payload = json!({"outcome": "passed", "commands": commands});
        if let Some(product) = product {
            payload["product_tree"] = product.into();
        }
        (format!("{FEATURE}/{unit}"), payload)
    }

    fn found(situation: &str, log: &[(String, Value)]) -> Vec<String> {
        let snapshot = snapshot_with(situation, ORACLE);
        let mut feature = (*snapshot.feature).clone();
        let events: Vec<_> = log
            .iter()
            .map(|(id, payload)| {
                let kind = match payload["gate"].is_null() {
                    true => "attempt_outcome",
                    false => broad_tier::EVENT,
                };
                verb(id, "t", kind, payload.clone())
            })
            .collect();
        let log = append("", &events).into_bytes();
        feature.others.insert(layout::EVENTS.to_owned(), log.into());
        let unrun = of_feature(&snapshot.verification, &feature, "now");
        unrun.iter().map(UnrunCommand::to_string).collect()
    }

    #[test]
    fn a_command_counts_only_where_it_ran_on_the_same_product() {
        let ran = |name: &str| json!({"set": "code", "name": name, "verdict": "pass"});
        let skipped = |name: &str| json!({"set": "code", "name": name, "verdict": "skipped"});
        let one = "active | G1: T01 done; T02";
        let before = landing("T01", Some("then"), json!([ran("tests"), ran("web")]));
        let now = landing("T02", Some("now"), json!([ran("tests"), skipped("web")]));
        let broad = |product: &str| {
            let payload = json!({"gate": 1, "product_tree": product, "commands": [ran("all")]});
            (FEATURE.to_owned(), payload)
        };
        let due = "all (code): it runs before the gate ends";
        assert_eq!(found(one, &[]), [""; 0]);
        assert_eq!(
            found(one, &[landing("T01", None, json!([ran("tests")]))]),
            [""; 0]
        );
        assert_eq!(
            found(one, std::slice::from_ref(&before)),
            [
                "tests (code): it ran last for T01",
                "web (code): it ran last for T01",
                due
            ]
        );
        assert_eq!(
            found(one, &[before.clone(), now.clone()]),
            ["web (code): T02 touches nothing it is about", due]
        );
        assert_eq!(
            found(one, &[now.clone(), broad("now")]),
            ["web (code): T02 touches nothing it is about"]
        );
        assert_eq!(
            found(one, &[broad("then"), now.clone()])[1],
            "all (code): it ran last for gate 1"
        );
    }

    #[test]
    fn only_sets_that_judge_a_unit_of_the_feature_are_declared_for_it() {
        let now = landing(
            "T01",
            Some("now"),
            json!([{"set": "code", "name": "tests", "verdict": "flaky"}]),
        );
        let rest = |situation: &str| {
            let mut all = found(situation, std::slice::from_ref(&now));
            all.retain(|line| !line.contains("(code)"));
            all
        };
        assert_eq!(rest("active | G1: T01 done"), [""; 0]);
        let never = "nothing that it judges landed yet";
        assert_eq!(
            rest("active | G1: T01 done; G1-CLOSE close"),
            [format!("plan (doc): {never}")]
        );
        assert_eq!(
            rest("active | G1: T01 done; T02 extra_gates=[extra]"),
            [format!("more (extra): {never}")]
        );
        assert_eq!(
            rest("active | G1: T01 done; T02 abandoned extra_gates=[extra]"),
            [""; 0]
        );
        assert_eq!(
            rest("active | G1 feature_oracle=f: T01 done"),
            [format!("feature-oracle (feature_oracle): {never}")]
        );
    }
}
