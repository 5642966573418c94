//! Which gate arming passes and which units it makes pending, or why it cannot.

use gatewalk_core::driver::committed_plan::Attempts;
use gatewalk_core::engine::contract;
use gatewalk_core::error::{Error, Result};
use gatewalk_core::model::feature::Feature;
use gatewalk_core::model::status_machine::{
    FeatureStatus, FeatureVerb, GateStatus, GateVerb, UnitStatus, move_feature, move_gate,
};
use gatewalk_core::model::unit::{UnitType, Verdict};

/// What arming will do.
pub(super) struct ArmPlan {
    pub(super) pass: Option<usize>,
    pub(super) units: Vec<String>,
    pub(super) activate: bool,
    pub(super) finish: bool,
}

/// Units as they were when they were looked at: the branch may move before they are armed.
pub(super) struct ShownUnits(Vec<(String, String)>);

impl ShownUnits {
    /// Takes down what each unit says now.
    pub(super) fn of(feature: &Feature, units: &[String]) -> ShownUnits {
        let words = units.iter().filter_map(|id| {
            let member = feature.member(id)?;
            Some((id.clone(), contract::word(feature, &member)))
        });
        ShownUnits(words.collect())
    }

    /// Refuses to arm what nobody has seen: a unit that another commit changed meanwhile.
    pub(super) fn refuse_changed(&self, feature: &Feature) -> Result<()> {
        let is_as_shown = |(id, word): &&(String, String)| {
            let member = feature.member(id);
            member.is_some_and(|member| contract::is_as(word, feature, &member))
        };
        match self.0.iter().find(|unit| !is_as_shown(unit)) {
            None => Ok(()),
            Some((id, _)) => Err(Error::plan(format!(
                "{id} was changed on the branch while it was being armed"
            ))
            .hint("nothing was armed; the same command shows it as it is now")),
        }
    }
}

pub(super) fn plan(feature: &Feature, named: &[String], attempts: &Attempts) -> Result<ArmPlan> {
    let activate = is_activated(feature)?;
    let current = feature.current_gate();
    let Some((gate, (target, drafts))) = current.zip(contract::drafts_to_arm(feature)) else {
        let last = feature.plan.gates.len().saturating_sub(1);
        return Err(
            Error::plan(format!("every gate of {} is passed", feature.name()))
                .hint(why_not_passed(feature, last)),
        );
    };
    let reviewed = feature.gate_status(gate) == GateStatus::AwaitingReview;
    let terminal = feature.terminal_gate() == Some(gate);
    if reviewed && terminal {
        refuse_not_met(feature, gate)?;
        return Ok(ArmPlan {
            pass: Some(gate),
            units: vec![],
            activate: false,
            finish: true,
        });
    }
    let units: Vec<String> = match named {
        // The drafts, and what changed after it was armed.
        [] => {
            let changed = contract::changed(feature).into_iter();
            let units = drafts.into_iter().chain(changed.map(|(unit, _)| unit));
            units.map(|unit| unit.id().to_owned()).collect()
        }
        named => named.to_vec(),
    };
    let nothing = units.is_empty() && !reviewed && !activate;
    if nothing || (reviewed && feature.members_of(target).next().is_none()) {
        let running = attempts.charged.len();
        return Err(Error::plan(format!(
            "gate {} of {} has no drafts to arm ({running} units have attempts)",
            feature.gate_number(target),
            feature.name(),
        ))
        .hint(why_not_passed(feature, gate))
        .hint("`gatewalk status` shows where it stands"));
    }
    Ok(ArmPlan {
        pass: reviewed.then_some(gate),
        units,
        activate,
        finish: false,
    })
}

/// Refuses a feature that is over or put off, whatever else is to be said of it.
pub(super) fn refuse_at_rest(feature: &Feature) -> Result<()> {
    is_activated(feature).map(drop)
}

/// Whether arming makes the feature active, too.
fn is_activated(feature: &Feature) -> Result<bool> {
    match feature.plan.status() {
        FeatureStatus::Active => Ok(false),
        FeatureStatus::Planned => Ok(true),
        other => {
            let legal = move_feature(other, FeatureVerb::Activate);
            let why = legal.map_or_else(|e| e.to_string(), |to| to.to_string());
            Err(Error::plan(format!(
                "{}: there is nothing to arm: {why}",
                feature.name()
            )))
        }
    }
}

/// Says why arming does not pass a gate: from where it stands, only what is named moves it.
fn why_not_passed(feature: &Feature, gate: usize) -> String {
    let number = feature.gate_number(gate);
    match move_gate(feature.gate_status(gate), GateVerb::Pass) {
        Ok(_) => format!("gate {number} is `{}`", feature.gate_status(gate)),
        Err(illegal) => format!("gate {number}: {illegal}"),
    }
}

/// A terminal gate whose closing unit found something missing is not passed by arming it.
fn refuse_not_met(feature: &Feature, gate: usize) -> Result<()> {
    let not_met = feature
        .members_of(gate)
        .filter(|m| m.unit_type() == UnitType::Close && m.status() == UnitStatus::Done)
        .find(|m| {
            m.unit
                .and_then(|u| u.front.verdict.as_ref())
                .is_none_or(|v| v.value == Verdict::NotMet)
        });
    match not_met {
        None => Ok(()),
        Some(unit) => Err(Error::plan(format!("{} found that the feature is not met", unit.id()))
            .hint("give each follow-up a unit in a gate of its own: `gatewalk new gate \"TITLE\"`, then arm")
            .hint("or `gatewalk abandon` the closing unit to finish without it")),
    }
}

pub(super) fn describe(feature: &Feature, plan: &ArmPlan) -> String {
    let mut parts = Vec::new();
    if let Some(gate) = plan.pass {
        parts.push(format!("gate {} passed", feature.gate_number(gate)));
    }
    if plan.finish {
        parts.push("feature done".to_owned());
    }
    match plan.units.len() {
        0 => {}
        1 => parts.push(format!("{} pending", plan.units[0])),
        n => parts.push(format!("{n} units pending")),
    }
    if plan.activate {
        parts.push("feature active".to_owned());
    }
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use gatewalk_core::model::layout::Layout;
    use gatewalk_core::model::workspace::{FileSet, Workspace};

    const PLAN: &str = "---\nfeature_id: FEAT-2026-0001\n---\n```yaml\ngates:\n  - gate: 1\n    file: GATE-01.md\n    work_units:\n      - id: FEAT-2026-0001/T01\n        file: WU-01.md\n```\n";
    const UNIT: &str =
        "---\nid: FEAT-2026-0001/T01\ntype: implementation\nstatus: draft\n---\n# A\n\nOne.\n";

    fn feature(unit: &str) -> Feature {
        let dir = ".gatewalk/features/FEAT-2026-0001-x";
        let files = [("PLAN.md", PLAN), ("WU-01.md", unit)];
        let files = files.map(|(name, text)| (format!("{dir}/{name}"), text.as_bytes().into()));
        let workspace = Workspace::parse(Layout::Gatewalk, &FileSet::from(files));
        (*workspace.features[0]).clone()
    }

    #[test]
    fn what_another_commit_changed_while_a_unit_was_looked_at_is_not_armed() {
        let shown = ShownUnits::of(&feature(UNIT), &["FEAT-2026-0001/T01".to_owned()]);
        for (now, is_refused) in [
            (UNIT.to_owned(), false),
            // What the driver writes is nobody's promise.
            (UNIT.replace("draft", "draft\nattempts: 1"), false),
            (UNIT.replace("One.", "Two."), true),
            (String::new(), true),
        ] {
            let refused = shown.refuse_changed(&feature(&now));
            assert_eq!(refused.is_err(), is_refused, "{now}");
        }
        let none = ShownUnits::of(&feature(UNIT), &[]);
        assert!(none.refuse_changed(&feature("")).is_ok());
    }
}
