//! `GW412`. See `edited_event.md`.

use crate::engine::events::line_hash;
use crate::lint::context::FeatureCx;
use crate::lint::sink::Sink;
use crate::model::layout;
use serde::Deserialize;
use std::sync::Arc;

/// The end of the chain in a line; lines of other writers have none.
#[derive(Deserialize)]
struct Link {
    #[serde(default)]
    prev: Option<String>,
}

pub(super) fn check(cx: &FeatureCx<'_>, out: &mut Sink) {
    let Some(log) = cx.feature.others.get(layout::EVENTS) else {
        return;
    };
    let log = String::from_utf8_lossy(log);
    let path: Arc<str> = format!("{}/{}", cx.feature.dir, layout::EVENTS).into();
    let (mut before, mut chained): (Option<&str>, bool) = (None, false);
    let mut at = 0;
    for line in log.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let line = line.trim_end_matches(['\n', '\r']);
        if line.trim().is_empty() {
            continue;
        }
        let prev = line
            .contains("\"prev\":\"")
            .then(|| serde_json::from_str::<Link>(line).ok()?.prev)
            .flatten();
        let fits = match (&prev, before) {
            (Some(prev), Some(before)) => line_hash(before) == *prev,
            (Some(_), None) => false,
            // Once the driver wrote, nobody else does.
            (None, _) => !chained,
        };
        if !fits {
            out.at(
                &path,
                start..start + line.len(),
                "this event was not written after the line before it",
            )
            .help("`git log -p` of the file shows who changed it; take the driver's version back")
            .label("this line, or one before it, was edited, removed or put in");
            return;
        }
        chained |= prev.is_some();
        before = Some(line);
    }
}
