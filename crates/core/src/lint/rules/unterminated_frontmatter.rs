//! `GW102`. See `unterminated_frontmatter.md`.

use crate::lint::context::FileCx;
use crate::lint::finding_sink::FindingSink;
use crate::model::document::ProblemKind;

pub(super) fn check(file: &FileCx<'_>, out: &mut FindingSink) {
    for problem in file.doc.iter().flat_map(|d| &d.problems) {
        if problem.kind == ProblemKind::Unterminated {
            out.at(
                &file.path,
                problem.span.clone(),
                "the frontmatter has no closing `---` line",
            )
            .label("opened here")
            .help("put a line with only `---` behind the last key");
        }
    }
}
