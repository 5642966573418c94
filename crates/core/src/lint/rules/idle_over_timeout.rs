//! `GW904`. See `idle_over_timeout.md`.

use crate::lint::context::UnitCx;
use crate::lint::finding_sink::FindingSink;
use crate::model::frontmatter::show_duration;

pub(super) fn check(cx: &UnitCx<'_>, out: &mut FindingSink) {
    let Some(idle) = cx
        .unit
        .front
        .idle_timeout
        .as_ref()
        .filter(|_| cx.is_prompt())
    else {
        return;
    };
    let wall = cx.unit.timeout();
    if idle.value >= wall {
        out.at(
            cx.path(),
            idle.span.clone(),
            format!(
                "silence is only noticed after {}, and the session ends after {}",
                show_duration(idle.value),
                show_duration(wall)
            ),
        )
        .help("an idle limit is shorter than the limit of the whole session");
    }
}
