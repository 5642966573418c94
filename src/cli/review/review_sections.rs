//! The parts of a review: what a gate cost, what is not met, what was noticed, and the drafts of the next gate.

mod likely;

use crate::cli::contract_changes;
use crate::cli::unit_command::OpenFeature;
use crate::cli::unrun_rows::unrun_commands;
use gatewalk_core::diagnostic::Severity;
use gatewalk_core::driver::committed_plan::Attempts;
use gatewalk_core::engine::attempt_record::SessionNote;
use gatewalk_core::engine::auto_close::COST_FACTOR;
use gatewalk_core::engine::closing::{self, CriterionState};
use gatewalk_core::engine::witness::witness_record;
use gatewalk_core::engine::{feature_stats, gate_criteria, handover, inherited_cases, questions};
use gatewalk_core::model::document::Document;
use gatewalk_core::model::feature::{Feature, PlannedUnit};
use gatewalk_core::model::id::short_id;
use gatewalk_core::model::layout;
use gatewalk_core::model::money::{KnownCost, usd, usd_of_limit};
use gatewalk_core::model::status_machine::UnitStatus;
use gatewalk_core::model::unit::{Unit, UnitType};
use gatewalk_core::path_names::file_name;
pub(super) use likely::{KnownWork, forecast};
use std::sync::Arc;

/// One thing to question, or to know.
#[derive(serde::Serialize)]
pub(super) struct ReviewSection {
    pub(super) title: String,
    pub(super) lines: Vec<String>,
}

pub(super) fn open_questions(feature: &Feature) -> ReviewSection {
    let open = questions::open(feature).into_iter();
    ReviewSection {
        title: "Open questions".to_owned(),
        lines: open.map(|q| q.text).collect(),
    }
}

pub(super) fn cost(feature: &Feature, gate: usize) -> ReviewSection {
    let mut lines = Vec::new();
    let spent = feature_stats::gate_cost(feature, gate);
    let units = feature.members_of(gate).filter_map(|m| m.unit);
    let planned = KnownCost::sum(
        units
            .filter_map(|u| u.front.planned_cost_usd.as_ref())
            .map(|p| Some(p.value)),
    );
    if !spent.is_empty() || planned.usd.is_some() {
        lines.push(spent_of_planned(spent, planned.usd));
    }
    for m in feature.members_of(gate) {
        let count = m.unit.map_or(0, Unit::re_arm_count);
        if count > 0 {
            lines.push(format!("{} was sent back to work {count}×", m.id()));
        }
    }
    ReviewSection {
        title: format!("What gate {} cost", feature.gate_number(gate)),
        lines,
    }
}

fn spent_of_planned(spent: KnownCost, planned: Option<f64>) -> String {
    let (Some(sum), Some(planned)) = (spent.usd, planned) else {
        let planned = planned.map_or("no planned cost".to_owned(), |p| {
            format!("planned {}", usd(p))
        });
        return format!("{spent}, {planned}");
    };
    let at_least = if spent.unknown > 0 { "≥" } else { "" };
    let over = match planned > 0.0 && sum > planned * COST_FACTOR {
        true => ", more than 1.5 × the plan",
        false => "",
    };
    let (sum, planned) = usd_of_limit(sum, planned);
    format!("{at_least}{sum} of planned {planned}{over}")
}

pub(super) fn criteria(feature: &Feature, gate: usize) -> ReviewSection {
    let name = gate_criteria::criteria_file(feature.gate_number(gate));
    let text = feature
        .others
        .get(&name)
        .map(|b| String::from_utf8_lossy(b).into_owned())
        .unwrap_or_default();
    let open = closing::entries(&text)
        .into_iter()
        .filter(|e| e.state != CriterionState::Met);
    let lines = open.map(|e| {
        format!(
            "{}: {}",
            e.id,
            if e.follow_up.is_empty() {
                "not looked at"
            } else {
                &e.follow_up
            }
        )
    });
    ReviewSection {
        title: "Criteria that are not met".to_owned(),
        lines: lines.collect(),
    }
}

/// What guards and sessions said although the work passed.
pub(super) fn seen(feature: &Feature, gate: usize, attempts: &Attempts) -> ReviewSection {
    let mut lines = Vec::new();
    for member in feature.members_of(gate) {
        let Some(last) = attempts.charged.get(member.id()).and_then(|all| all.last()) else {
            continue;
        };
        let notices = last
            .judgement
            .iter()
            .flat_map(|j| &j.notices)
            .map(String::as_str)
            .chain(last.session.notes.iter().map(SessionNote::text));
        lines.extend(notices.map(|n| format!("{}: {n}", local(&member))));
    }
    ReviewSection {
        title: "What was noticed although it passed".to_owned(),
        lines,
    }
}

/// Declared commands that say nothing about what landed, for they did not run on it.
pub(super) fn unrun(opened: &OpenFeature<'_>) -> ReviewSection {
    let unrun = unrun_commands(&opened.repository, &opened.selected);
    ReviewSection {
        title: "Declared commands that did not run on the tip".to_owned(),
        lines: unrun.iter().map(ToString::to_string).collect(),
    }
}

/// Cases that fail as they did before the work.
pub(super) fn inherited(opened: &OpenFeature<'_>) -> ReviewSection {
    let verification = &opened.selected.workspace.verification;
    let inherited = inherited_cases::of_feature(opened.feature(), verification);
    ReviewSection {
        title: "Inherited failures".to_owned(),
        lines: inherited.iter().map(ToString::to_string).collect(),
    }
}

/// What no check sees of a gate's work, and which units were not looked at.
pub(super) fn unwitnessed(feature: &Feature, gate: usize) -> ReviewSection {
    let mut lines = witness_record::unwitnessed_lines(feature, Some(gate));
    let looked_at = witness_record::of_feature(feature);
    let work = feature
        .members_of(gate)
        .filter(|m| m.unit_type() == UnitType::Implementation && m.status() == UnitStatus::Done);
    let unseen = work.filter(|m| !looked_at.contains_key(m.id()));
    let unseen: Vec<&str> = unseen.map(|m| local(&m)).collect();
    if let Some(first) = unseen.first() {
        let all = unseen.join(", ");
        lines.push(format!(
            "not looked at yet: {all} (gatewalk witness {first})"
        ));
    }
    ReviewSection {
        title: "What no check sees of it".to_owned(),
        lines,
    }
}

/// What sessions leave to others, in their own words.
pub(super) fn follow_ups(feature: &Feature, gate: usize) -> ReviewSection {
    let reports = handover::reports(feature);
    let of_gate = feature
        .members_of(gate)
        .filter_map(|m| Some((m, reports.get(m.id())?)));
    let lines = of_gate.flat_map(|(m, report)| {
        let follow_ups = report.follow_ups.iter();
        follow_ups.map(move |f| format!("{}: {f}", local(&m)))
    });
    ReviewSection {
        title: "What its sessions leave to you".to_owned(),
        lines: lines.collect(),
    }
}

/// The planner's own checks: does it still hold, what changed, what to doubt.
pub(super) fn planner(feature: &Feature, gate: usize) -> ReviewSection {
    let name = layout::review_file(feature.gate_number(gate));
    let mut lines = Vec::new();
    if let Some(bytes) = feature.others.get(&name) {
        let doc = Document::parse(Arc::from(feature.path(&name)), bytes);
        for section in doc
            .sections()
            .iter()
            .filter(|s| s.level <= 2 && !s.name.eq_ignore_ascii_case("open questions"))
        {
            let text = doc.text.get(section.content.clone()).unwrap_or_default();
            let quoted: Vec<String> = text
                .lines()
                .take_while(|l| !l.starts_with('#'))
                .filter(|l| !l.trim().is_empty())
                .take(2)
                .map(|l| format!("  {}", l.trim()))
                .collect();
            if !quoted.is_empty() {
                lines.push(format!("{}:", section.name));
                lines.extend(quoted);
            }
        }
    }
    ReviewSection {
        title: format!("The planner's own review ({name})"),
        lines,
    }
}

pub(super) fn changed_contracts(opened: &OpenFeature<'_>) -> ReviewSection {
    let changes = contract_changes::of_feature(&opened.repository, &opened.selected);
    let lines = changes.into_iter().flat_map(|change| {
        let what = format!("{} is not what was armed:", short_id(&change.unit));
        let lines = change.lines.into_iter().map(|line| format!("  {line}"));
        std::iter::once(what).chain(lines).collect::<Vec<_>>()
    });
    ReviewSection {
        title: "Contracts changed since they were armed".to_owned(),
        lines: lines.collect(),
    }
}

pub(super) fn findings(opened: &OpenFeature<'_>, gate: usize) -> ReviewSection {
    let feature = opened.feature();
    let drafts: Vec<&Arc<str>> = feature
        .members_of(gate)
        .filter_map(|m| m.unit)
        .map(Unit::path)
        .collect();
    let found = gatewalk_core::lint::run_feature(&opened.selected.workspace, feature);
    let about = found
        .into_iter()
        .filter(|d| d.severity >= Severity::Warning && drafts.contains(&&d.primary.path));
    let lines = about.map(|d| format!("{} {}: {}", d.code, file_name(&d.primary.path), d.message));
    ReviewSection {
        title: "What the linter finds in them".to_owned(),
        lines: lines.collect(),
    }
}

pub(super) fn local<'a>(member: &PlannedUnit<'a>) -> &'a str {
    short_id(&member.node.id.value)
}
