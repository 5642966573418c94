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
