//! `GW310`. See `no_graph.md`.

use crate::diagnostic::Span;
use crate::lint::context::{FeatureCx, is_missing};
use crate::lint::finding_sink::FindingSink;
use crate::model::document::{CodeBlock, Document};
use crate::model::plan::GraphProblem;

pub(super) fn check(cx: &FeatureCx<'_>, out: &mut FindingSink) {
    let plan = &cx.feature.plan;
    if plan.graph_problems.contains(&GraphProblem::NoBlock) && !is_missing(&plan.doc) {
        let span = plan
            .doc
            .title()
            .map_or(plan.doc.body.start..plan.doc.body.start, |(_, span)| span);
        let found = out
            .at(
                cx.plan_path(),
                span,
                "no task graph: no fenced `yaml` block has a top-level `gates:`",
            )
            .help("add a ```yaml block that begins with `gates:`")
            .only_warn_if(cx.is_on_hold());
        if let Some((block, label)) = block_of_another_language(&plan.doc) {
            let line = plan.doc.text[..label.start].matches('\n').count() + 1;
            let written = block.info.split_whitespace().next().unwrap_or("none");
            found
                .help(format!(
                    "the block at line {line} has `gates:`, but its language is {written}: write ```yaml there"
                ))
                .safe_fix("call it `yaml`", vec![(label, "yaml".to_owned())]);
        }
    }
}

/// Returns the one block that is a graph but for its language, and where that stands.
fn block_of_another_language(doc: &Document) -> Option<(&CodeBlock, Span)> {
    let is_graph = |block: &&CodeBlock| {
        let mut lines = block.text.lines();
        lines.any(|line| line.trim_end() == "gates:")
    };
    let mut graphs = doc.blocks().iter().filter(is_graph);
    let block = graphs.next().filter(|_| graphs.next().is_none())?;
    let word = block.info.split_whitespace().next().unwrap_or_default();
    let opening = doc
        .text
        .get(..block.span.start)?
        .trim_end_matches(['\n', '\r']);
    let start = opening.rfind('\n').map_or(0, |n| n + 1);
    let fence = opening[start..].trim_start();
    let marks = fence.chars().take_while(|c| "`~".contains(*c)).count();
    let behind = &fence[marks..];
    let at = opening.len() - behind.trim_start().len();
    behind
        .trim_start()
        .starts_with(word)
        .then(|| (block, at..at + word.len()))
}
