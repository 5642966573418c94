//! Which requirement is proven by what: covered means that a named check passed on the tree at the
//! tip, never that its unit is done.

use super::closing;
use crate::model::feature::Feature;
use crate::model::unit::Unit;

/// What a check said on the tree at the tip.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Said {
    /// It exits 0.
    Passes,
    /// It does not.
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
    /// The check's name.
    pub check: String,
    /// Its command.
    pub run: String,
    /// What it said on the tip.
    pub said: Said,
}

/// A requirement with all that proves it.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Row {
    /// Its id.
    pub requirement: String,
    /// Its text.
    pub text: String,
    /// Units that say they cover it, those without a check for it included.
    pub units: Vec<String>,
    /// The checks that name it.
    pub proofs: Vec<Proof>,
    /// Whether at least one check names it and every one of them passes on the tip.
    pub covered: bool,
}

/// Returns every requirement that is not deferred; `said` tells what a command says on the tip.
pub fn of_feature(feature: &Feature, said: impl Fn(&str) -> Said) -> Vec<Row> {
    let requirements = closing::requirements(feature);
    requirements
        .into_iter()
        .map(|requirement| {
            let mut row = Row {
                requirement: requirement.id,
                text: requirement.text,
                units: vec![],
                proofs: vec![],
                covered: false,
            };
            for member in feature.members() {
                let Some(unit) = member.unit else { continue };
                let of_unit = Unit::list(&unit.front.covers);
                let by_unit = of_unit.contains(&row.requirement.as_str());
                let before = row.proofs.len();
                for check in unit.front.checks.iter().flat_map(|c| &c.value) {
                    let (Some(name), Some(run)) = (&check.value.name, &check.value.run) else {
                        continue;
                    };
                    let own = Unit::list(&check.value.covers);
                    // A check that names nothing stands for all its unit covers.
                    let names_it = own.contains(&row.requirement.as_str());
                    if names_it || (own.is_empty() && by_unit) {
                        row.proofs.push(Proof {
                            unit: member.id().to_owned(),
                            status: member.status().to_string(),
                            check: name.value.clone(),
                            run: run.value.clone(),
                            said: said(&run.value),
                        });
                    }
                }
                if by_unit || row.proofs.len() > before {
                    row.units.push(member.id().to_owned());
                }
            }
            row.covered =
                !row.proofs.is_empty() && row.proofs.iter().all(|p| p.said == Said::Passes);
            row
        })
        .collect()
}
