//! `GW114`. See `file_too_large.md`.

use crate::lint::context::FileCx;
use crate::lint::finding_sink::FindingSink;
use crate::model::document::ProblemKind;
use crate::model::yaml::YamlErrorKind;

pub(super) fn check(file: &FileCx<'_>, out: &mut FindingSink) {
    for problem in file.doc.iter().flat_map(|d| &d.problems) {
        if problem.kind == ProblemKind::TooLarge {
            out.at(
                &file.path,
                0..0,
                format!("the file is too large: {}", problem.message),
            );
        }
    }
    for (kind, message, span) in &file.yaml {
        if matches!(kind, YamlErrorKind::TooLarge) {
            out.at(&file.path, span.clone(), format!("too large: {message}"));
        }
    }
}
