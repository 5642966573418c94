//! `GW801`. See `too_many_requirements.md`.

use crate::lint::context::UnitCx;
use crate::lint::finding_sink::FindingSink;

const MANY: usize = 6;

pub(super) fn check(cx: &UnitCx<'_>, out: &mut FindingSink) {
    let Some(covers) = cx.unit.front.covers.as_ref().filter(|_| cx.is_prompt()) else {
        return;
    };
    let count = covers.value.0.len();
    if count > MANY {
        out.at(
            cx.path(),
            covers.span.clone(),
            format!(
                "{count} requirements in one unit; more than {MANY} are seldom met in one session"
            ),
        )
        .help("split the unit");
    }
}
