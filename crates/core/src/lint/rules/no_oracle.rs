//! `GW601`. See `no_oracle.md`.

use crate::lint::context::UnitCx;
use crate::lint::finding_sink::FindingSink;
use crate::model::status_machine::Word;
use crate::model::unit::{Unit, UnitType};
use crate::model::verification::Tier;

pub(super) fn check(cx: &UnitCx<'_>, out: &mut FindingSink) {
    let verification = &cx.f.ws.ws.verification;
    let (Some(member), true, true) = (cx.member, cx.is_prompt(), verification.exists) else {
        return;
    };
    let own = cx.unit.unit_type().verification_set();
    let sets = std::iter::once(own).chain(Unit::list(&cx.unit.front.extra_gates));
    let closing = cx.unit.unit_type().is_closing();
    let judged = sets
        .filter_map(|name| verification.set(name))
        .flat_map(|s| &s.commands)
        .any(|c| closing || c.value.tier() == Tier::Narrow);
    let checks = cx
        .unit
        .front
        .checks
        .as_ref()
        .is_some_and(|c| !c.value.is_empty());
    let oracle =
        cx.f.feature
            .gate(member.gate)
            .is_some_and(|g| g.front.feature_oracle.is_some());
    // A unit's own checks show its own work; that nothing else broke, only the project's commands show.
    let unguarded = cx.unit.unit_type() == UnitType::Implementation
        && verification.set(own).is_none_or(|s| s.commands.is_empty());
    if unguarded || !(judged || checks || oracle) {
        let word = Word::word(cx.unit.unit_type());
        out.at(
            cx.path(),
            cx.unit.span_of("type"),
            format!("nothing would prove this `{word}` unit: the set `{own}` has no command"),
        )
        .help(match unguarded {
            true => format!("add a command to `{own}` in {}", verification.path),
            false => format!(
                "add a command to `{own}` in {}, or `checks` to the unit",
                verification.path
            ),
        });
    }
}
