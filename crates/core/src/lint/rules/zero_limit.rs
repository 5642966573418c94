//! `GW905`. See `zero_limit.md`.

use crate::diagnostic::Severity;
use crate::lint::context::UnitCx;
use crate::lint::finding_sink::FindingSink;

pub(super) fn check(cx: &UnitCx<'_>, out: &mut FindingSink) {
    if !cx.is_dispatchable() {
        return;
    }
    let front = &cx.unit.front;
    for check in front.checks.iter().flat_map(|checks| &checks.value) {
        if let Some(limit) = check.value.timeout.as_ref().filter(|l| l.value.is_zero()) {
            out.at(
                cx.path(),
                limit.span.clone(),
                "`timeout` ends the check before it has begun",
            )
            .severity(Severity::Error)
            .help("leave it out for its default, 15m");
        }
    }
    if let Some(attempts) = front.max_attempts.as_ref().filter(|n| n.value == 0) {
        out.at(
            cx.path(),
            attempts.span.clone(),
            "no attempt at all reads as one attempt",
        )
        .help("a unit that must not run stays a `draft`");
    }
    for (key, limit) in [
        ("timeout", &front.timeout),
        ("idle_timeout", &front.idle_timeout),
    ] {
        if let Some(limit) = limit.as_ref().filter(|l| l.value.as_secs() < 30) {
            out.at(
                cx.path(),
                limit.span.clone(),
                format!("`{key}` ends every session before it has begun"),
            )
            .help("sessions take half a minute to start");
        }
    }
    check_resources(cx, out);
}

fn check_resources(cx: &UnitCx<'_>, out: &mut FindingSink) {
    for asked in cx.unit.front.resources.iter().map(|asked| &asked.value) {
        for (key, number) in [("cpus", &asked.cpus), ("minutes", &asked.minutes)] {
            let Some(number) = number.as_ref().filter(|n| n.value == 0) else {
                continue;
            };
            out.at(
                cx.path(),
                number.span.clone(),
                format!("no engine grants `{key}: 0`"),
            )
            .help("leave it out for its default");
        }
    }
}
