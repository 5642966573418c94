//! `GW101`. See `missing_frontmatter.md`.

use crate::lint::context::FileCx;
use crate::lint::finding_sink::FindingSink;
use crate::model::document::ProblemKind;

pub(super) fn check(file: &FileCx<'_>, out: &mut FindingSink) {
    for problem in file.doc.iter().flat_map(|d| &d.problems) {
        if problem.kind == ProblemKind::NoFrontmatter {
            out.at(
                &file.path,
                problem.span.clone(),
                "no frontmatter: the first line is not `---`",
            )
            .help("start the file with `---`, the keys, and another `---`");
        }
    }
}
