//! Which requirement is proven by what: covered means that a named check passed on the tree at the
//! tip, never that its unit is done.

use super::failure_class::CommandVerdict;
use crate::model::feature::{Feature, PlannedUnit};
use crate::model::recorded_word::RecordedWord;
use crate::model::requirements;
use crate::model::status_machine::UnitStatus;
use crate::model::unit::Unit;

/// How a check ended on the tree at the tip.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckResult {
    /// It exited with 0.
    Passes,
    /// It ended in any other way.
    Fails,
    /// It was not run on this tree.
    NotRun,
}

/// One check that proves something of a requirement.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Proof {
    /// The unit that has it.
    pub unit: String,
    /// The unit's status; advice only.
    pub status: String,
    /// The check's name, unique in its unit.
    pub check: String,
    /// Its shell text, `{feature_dir}` not yet replaced.
    pub run: String,
    /// How it ended on the tip.
    #[serde(rename = "said")]
    pub result: CheckResult,
    /// How it ended when an attempt was judged last.
    pub last: Option<Last>,
}

/// How a check ended in an attempt.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Last {
    /// What it came to.
    pub verdict: RecordedWord<CommandVerdict>,
    /// The attempt's number, from 1.
    pub(crate) attempt: u32,
    /// The attempt's random name, which its landing commit carries.
    pub attempt_id: String,
}

/// A requirement with all that proves it.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct RequirementCoverage {
    /// The id as the plan writes it.
    pub requirement: String,
    /// The text as the file has it.
    pub text: String,
    /// Units that claim to cover it, those without a check for it included.
    pub units: Vec<String>,
    /// The checks that name it.
    pub proofs: Vec<Proof>,
    /// Whether at least one check names it and every one of them passes on the tip.
    pub covered: bool,
}

/// A requirement that is not shown, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gap {
    /// The id as the plan writes it.
    pub requirement: String,
    /// How its checks ended instead, or that there is none.
    pub why: String,
}

impl RequirementCoverage {
    /// Returns how its checks ended, in a few words.
    pub(crate) fn summary(&self) -> String {
        if self.covered {
            return "covered".to_owned();
        }
        if self.units.is_empty() {
            return "no unit covers it".to_owned();
        }
        if self.proofs.is_empty() {
            return "no check names it".to_owned();
        }
        let word = |result| match result {
            CheckResult::Passes => "passes",
            CheckResult::Fails => "FAILS",
            CheckResult::NotRun => "was not run",
        };
        let proofs: Vec<String> = self
            .proofs
            .iter()
            .map(|p| format!("`{}` of {} {}", p.check, p.unit, word(p.result)))
            .collect();
        proofs.join(", ")
    }

    /// Returns true when one of its checks did not run on these files.
    pub fn is_not_run(&self) -> bool {
        self.proofs.iter().any(|p| p.result == CheckResult::NotRun)
    }
}

impl From<&RequirementCoverage> for Gap {
    fn from(row: &RequirementCoverage) -> Gap {
        Gap {
            requirement: row.requirement.clone(),
            why: row.summary(),
        }
    }
}

/// Returns the requirements whose own checks do not show them, or that nobody worked on: these keep a feature from its
/// end. One that a unit covers and no check names is reported by lint and `status --coverage`, and is yours to judge.
pub fn gaps(rows: &[RequirementCoverage]) -> Vec<Gap> {
    let open = rows
        .iter()
        .filter(|r| !r.covered && (!r.proofs.is_empty() || is_forgotten(r, rows)));
    open.map(Gap::from).collect()
}

/// Returns whether no unit covers a requirement in a plan whose units say what they cover: it came later, or was missed.
pub(crate) fn is_forgotten(row: &RequirementCoverage, rows: &[RequirementCoverage]) -> bool {
    row.units.is_empty() && rows.iter().any(|other| !other.units.is_empty())
}

/// Returns the requirements that no check could show, whatever it found: what is known without
/// running anything.
pub fn without_check(feature: &Feature) -> Vec<Gap> {
    let rows = of_feature(feature, |_| CheckResult::Passes);
    rows.iter().filter(|r| !r.covered).map(Gap::from).collect()
}

/// Returns the part of a prompt that lists what is shown and what is not.
pub(crate) fn section(rows: &[RequirementCoverage]) -> String {
    let mut text = String::from(
        "# The requirements\n\nHow their checks end on the files you start from; a unit that is done proves nothing:\n\n",
    );
    for row in rows {
        text.push_str(&format!(
            "- {}: {} [{}]\n",
            row.requirement,
            row.text,
            row.summary()
        ));
    }
    text
}

/// Returns every requirement that is not deferred; `result` returns how a command ended on the tip.
pub(crate) fn of_feature(
    feature: &Feature,
    result: impl Fn(&str) -> CheckResult,
) -> Vec<RequirementCoverage> {
    let requirements = requirements::due(&feature.plan);
    requirements
        .into_iter()
        .map(|requirement| {
            let mut row = RequirementCoverage {
                requirement: requirement.id,
                text: requirement.text,
                units: vec![],
                proofs: vec![],
                covered: false,
            };
            for member in feature.members() {
                add_proofs(&mut row, &member, &result);
            }
            row.covered = !row.proofs.is_empty()
                && row.proofs.iter().all(|p| p.result == CheckResult::Passes);
            row
        })
        .collect()
}

/// Adds what a unit contributes to a requirement: itself, if it covers it, and its checks for it.
fn add_proofs(
    row: &mut RequirementCoverage,
    member: &PlannedUnit<'_>,
    result: &impl Fn(&str) -> CheckResult,
) {
    // What was given up proves nothing, and what it would have proven is another's.
    let given_up = member.status() == UnitStatus::Abandoned;
    let Some(unit) = member.unit.filter(|_| !given_up) else {
        return;
    };
    let by_unit = Unit::list(&unit.front.covers).contains(&row.requirement.as_str());
    let before = row.proofs.len();
    for check in unit.front.checks.iter().flat_map(|c| &c.value) {
        let (Some(name), Some(run)) = (&check.value.name, &check.value.run) else {
            continue;
        };
        let own = Unit::list(&check.value.covers);
        // A check that names nothing stands for all its unit covers.
        if own.contains(&row.requirement.as_str()) || (own.is_empty() && by_unit) {
            row.proofs.push(Proof {
                unit: member.id().to_owned(),
                status: member.status().to_string(),
                check: name.value.clone(),
                run: run.value.clone(),
                result: result(&run.value),
                last: None,
            });
        }
    }
    if by_unit || row.proofs.len() > before {
        row.units.push(member.id().to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::layout::Layout;
    use crate::model::workspace::{FileSet, Workspace};

    const PLAN: &str = "---\nfeature_id: FEAT-2026-0001\ntitle: A\nbranch: b\nroadmap_goal: g\nstatus: active\n---\n\n## Requirements\n\n- REQ-A-1: one\n- REQ-A-2: two\n- REQ-A-3: three (deferred: later)\n\n```yaml\ngates:\n  - gate: 1\n    file: GATE-01.md\n    work_units:\n      - id: FEAT-2026-0001/T01\n        file: WU-01-a.md\n        depends_on: []\n      - id: FEAT-2026-0001/T02\n        file: WU-02-b.md\n        depends_on: []\n```\n";

    fn unit(id: &str, rest: &str) -> String {
        let status = if rest.contains("status:") {
            ""
        } else {
            "status: done\n"
        };
        format!("---\nid: FEAT-2026-0001/{id}\ntype: implementation\n{status}{rest}---\n")
    }

    #[test]
    fn covered_is_what_every_named_check_proves_on_the_tip() {
        let named = "checks:\n  - name: c\n    run: check-c\n    covers: [REQ-A-1]\n";
        let of_unit = "covers: [REQ-A-2]\nchecks:\n  - name: d\n    run: check-d\n";
        for (first, second, passing, want) in [
            // A done unit without a check for it covers nothing.
            ("covers: [REQ-A-1]\n", "", vec![], [false, false]),
            (named, of_unit, vec!["check-c", "check-d"], [true, true]),
            (named, of_unit, vec!["check-d"], [false, true]),
            (named, of_unit, vec![], [false, false]),
            // What was given up proves nothing.
            (
                named,
                "status: abandoned\nchecks:\n  - name: e\n    run: check-e\n    covers: [REQ-A-1]\n",
                vec!["check-c"],
                [true, false],
            ),
            // Two checks for one requirement: both must pass.
            (
                named,
                "checks:\n  - name: e\n    run: check-e\n    covers: [REQ-A-1]\n",
                vec!["check-c"],
                [false, false],
            ),
        ] {
            let mut files = FileSet::new();
            let dir = ".gatewalk/features/FEAT-2026-0001-a";
            for (name, text) in [
                ("PLAN.md", PLAN.to_owned()),
                ("WU-01-a.md", unit("T01", first)),
                ("WU-02-b.md", unit("T02", second)),
            ] {
                files.insert(format!("{dir}/{name}"), text.into_bytes().into());
            }
            let workspace = Workspace::parse(Layout::Gatewalk, &files);
            let rows = of_feature(&workspace.features[0], |run| {
                if passing.contains(&run) {
                    CheckResult::Passes
                } else {
                    CheckResult::NotRun
                }
            });
            assert_eq!(
                rows.iter()
                    .map(|r| r.requirement.as_str())
                    .collect::<Vec<_>>(),
                ["REQ-A-1", "REQ-A-2"]
            );
            assert_eq!(
                [rows[0].covered, rows[1].covered],
                want,
                "{first}{second}{passing:?}"
            );
        }
    }

    #[test]
    fn what_no_unit_covers_is_forgotten_only_where_units_say_what_they_cover() {
        let row = |id: &str, units: &[&str]| RequirementCoverage {
            requirement: id.to_owned(),
            text: String::new(),
            units: units.iter().map(|unit| (*unit).to_owned()).collect(),
            proofs: vec![],
            covered: false,
        };
        let gaps_of = |rows: &[RequirementCoverage]| {
            let found = gaps(rows).into_iter();
            found
                .map(|gap| (gap.requirement, gap.why))
                .collect::<Vec<_>>()
        };
        let forgotten = ("REQ-A-2".to_owned(), "no unit covers it".to_owned());
        assert_eq!(
            gaps_of(&[row("REQ-A-1", &["T01"]), row("REQ-A-2", &[])]),
            [forgotten]
        );
        assert_eq!(gaps_of(&[row("REQ-A-1", &[]), row("REQ-A-2", &[])]), []);
    }
}
