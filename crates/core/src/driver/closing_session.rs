//! What a closing session left, asked of the closing rules and of the linter. The driver asks after
//! the session, `lint --closing` inside it: the same questions.

use crate::diagnostic::Diagnostic;
use crate::engine::closing::{self, ClosingFindings, ClosingReview};
use crate::engine::evidence::sanitize;
use crate::engine::failure_class::FailureClass;
use crate::engine::guards::Violation;
use crate::lint;
use crate::model::unit::UnitType;
use crate::model::workspace::Workspace;

/// Most findings that are named.
const SHOWN: usize = 20;

/// Looks at a state directory as a closing session left it.
pub fn inspect(after: &Workspace, asked: &ClosingReview<'_>, own_text: &str) -> ClosingFindings {
    let before = asked.before;
    let Some(feature) = after.features.iter().find(|f| f.dir == before.dir) else {
        return ClosingFindings {
            violations: vec![Violation {
                class: FailureClass::OracleModified,
                message: "the feature's directory is gone".to_owned(),
                paths: vec![before.dir.to_string()],
            }],
            ..ClosingFindings::default()
        };
    };
    let mut looked = closing::look(asked, feature, own_text);
    if asked.unit.unit_type() == UnitType::PlanNext {
        // What was wrong before is not what the session drafted.
        let errors = lint::changed_feature_errors(after, before, feature);
        if !errors.is_empty() {
            looked.violations.push(Violation {
                class: FailureClass::PlanInvalid,
                message: format!(
                    "the drafted plan has {} lint errors: {}",
                    errors.len(),
                    errors
                        .iter()
                        .take(SHOWN)
                        .map(|d| sanitize(&format!("{} {}", d.code, d.message)))
                        .collect::<Vec<_>>()
                        .join("; ")
                ),
                paths: paths(&errors),
            });
        }
    }
    looked
}

fn paths(errors: &[Diagnostic]) -> Vec<String> {
    let mut paths: Vec<String> = errors.iter().map(|d| d.primary.path.to_string()).collect();
    paths.sort();
    paths.dedup();
    paths
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::test_snapshot::{DIR, files, id};
    use crate::model::layout::Layout;
    use crate::model::status_machine::Word;
    use crate::model::workspace::FileSet;

    /// Returns what is wrong with what a session left: classes, paths below the feature's directory, messages.
    fn found(unit: &str, session: fn(&mut FileSet)) -> Vec<(&'static str, String, String)> {
        let situation =
            "G1: T01 done; G1-PLAN plan-next; G1-CLOSE close | G2: T02 draft; T03 draft";
        let mut files = files(situation, "");
        let before = Workspace::parse(Layout::Gatewalk, &files);
        session(&mut files);
        let after = Workspace::parse(Layout::Gatewalk, &files);
        let member = before.features[0].member(&id(unit)).unwrap();
        let asked = ClosingReview {
            before: &before.features[0],
            gate: member.gate,
            unit: member.unit.unwrap(),
            gaps: &[],
        };
        let looked = inspect(&after, &asked, "");
        let named = |paths: &[String]| paths.join(" ").replace(DIR, "%");
        looked
            .violations
            .iter()
            .map(|v| (v.class.word(), named(&v.paths), v.message.clone()))
            .filter(|(class, ..)| ["oracle_modified", "plan_invalid"].contains(class))
            .collect()
    }

    #[test]
    fn a_plan_that_a_planner_drafts_has_no_error_and_its_directory_stays() {
        assert_eq!(found("G1-PLAN", |_| {}), []);
        let two_files_fewer = |files: &mut FileSet| {
            files.remove(&format!("{DIR}/WU-04.md"));
            files.remove(&format!("{DIR}/WU-05.md"));
        };
        let message = "the drafted plan has 2 lint errors: GW306 `WU-04.md` is in the graph but not in \
             the directory; GW306 `WU-05.md` is in the graph but not in the directory";
        let invalid = ("plan_invalid", "%/PLAN.md".to_owned(), message.to_owned());
        assert_eq!(found("G1-PLAN", two_files_fewer), [invalid]);
        // Only a planner drafts: what others do to a plan is refused by the guards.
        assert_eq!(found("G1-CLOSE", two_files_fewer), []);
        let gone = (
            "oracle_modified",
            "%".to_owned(),
            "the feature's directory is gone".to_owned(),
        );
        assert_eq!(found("G1-CLOSE", FileSet::clear), [gone]);
    }
}
