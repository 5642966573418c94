//! `GW103`. See `invalid_yaml.md`.

use crate::lint::context::FileCx;
use crate::lint::finding_sink::FindingSink;
use crate::model::document::ProblemKind;
use crate::model::yaml::YamlErrorKind;

pub(super) fn check(file: &FileCx<'_>, out: &mut FindingSink) {
    for (kind, message, span) in &file.yaml {
        if matches!(kind, YamlErrorKind::Syntax | YamlErrorKind::TooDeep) {
            out.at(
                &file.path,
                span.clone(),
                format!("not readable as YAML: {message}"),
            );
        }
    }
    for problem in file.doc.iter().flat_map(|d| &d.problems) {
        if problem.kind == ProblemKind::FrontNotMapping {
            out.at(&file.path, problem.span.clone(), &*problem.message)
                .help("every line is `key: value`; mind the space behind the colon");
        }
    }
}
