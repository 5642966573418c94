//! `GW903`. See `limit_under_median.md`.

use crate::lint::context::UnitCx;
use crate::lint::finding_sink::FindingSink;
use crate::model::frontmatter::show_duration;
use crate::model::status_machine::Word;
use std::time::Duration;

pub(super) fn check(cx: &UnitCx<'_>, out: &mut FindingSink) {
    let Some(limit) = cx.unit.front.timeout.as_ref().filter(|_| cx.is_prompt()) else {
        return;
    };
    let word = cx.unit.unit_type().word();
    let Some(median) = cx.f.ws.history().median_seconds(word) else {
        return;
    };
    if limit.value.as_secs_f64() < median {
        let usual = show_duration(Duration::from_secs(median as u64));
        out.at(
            cx.path(),
            limit.span.clone(),
            format!("half of the `{word}` attempts of this repository took {usual} or longer"),
        )
        .help("a session that is ended too early is paid for and thrown away");
    }
}
