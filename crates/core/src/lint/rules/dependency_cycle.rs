//! `GW301`. See `dependency_cycle.md`.

use crate::lint::context::FeatureCx;
use crate::lint::finding_sink::FindingSink;

pub(super) fn check(cx: &FeatureCx<'_>, out: &mut FindingSink) {
    for cycle in cx.feature.cycles() {
        let edge = |from: &str, to: &str| {
            cx.member(from)
                .and_then(|m| m.node.depends_on.iter().find(|d| d.value == to))
                .map(|d| d.span.clone())
        };
        let spans: Vec<_> = cycle
            .windows(2)
            .filter_map(|pair| Some((edge(&pair[0], &pair[1])?, &pair[0], &pair[1])))
            .collect();
        let Some((first, from, to)) = spans.first() else {
            continue;
        };
        let mut found = out
            .at(
                cx.plan_path(),
                first.clone(),
                format!("these units wait for each other: {}", cycle.join(" → ")),
            )
            .label(format!("`{from}` waits for `{to}`"))
            .help("take out the edge that is not needed");
        for (span, from, to) in &spans[1..] {
            found = found.related(
                cx.plan_path(),
                span.clone(),
                format!("`{from}` waits for `{to}`"),
            );
        }
    }
}
