//! What is said of units that wait for the user.

use super::made_elsewhere::{fetch_them, made_elsewhere};
use gatewalk_core::engine::evidence::{counted, sanitize};
use gatewalk_core::engine::red_command::{self, RedCommand};
use gatewalk_core::engine::snapshot::Snapshot;
use gatewalk_core::model::layout;
use gatewalk_core::model::short_title::short_title;
use gatewalk_core::model::unit::{ParkCause, Unit};

pub(super) fn needs_human(
    s: &Snapshot,
    blocked: &[String],
    human: &[String],
    red_base: &[(String, Vec<RedCommand>)],
) -> Vec<String> {
    let mut why: Vec<String> = blocked.iter().flat_map(|id| parked(s, id)).collect();
    for id in human {
        let unit = s.feature.member(id).and_then(|m| m.unit);
        let title = unit.map(Unit::title).unwrap_or_default();
        why.push(format!(
            "{id} is yours to do: {}",
            sanitize(&short_title(&title))
        ));
    }
    why.extend(red_on_the_base(s, red_base));
    why
}

/// Why a unit is parked, and where its work is kept.
pub(super) fn parked(s: &Snapshot, id: &str) -> Vec<String> {
    let attempts = s.attempts.get(id).map_or(&[][..], |all| all.as_slice());
    if attempts.is_empty() {
        let unit = s.feature.member(id).and_then(|m| m.unit);
        let why = unit.and_then(|u| u.front.escalation_reason.as_ref());
        let why = why.map_or("see its file", |w| ParkCause::meaning_of(&w.value));
        let made = made_elsewhere(unit, attempts);
        let when = made
            .as_ref()
            .map_or("before any attempt".to_owned(), |made| {
                format!("after {made}")
            });
        let mut lines = vec![format!("{id} is parked {when}: {}", sanitize(why))];
        lines.extend(made.map(|_| format!("  {}", fetch_them())));
        return lines;
    }
    let judgement = attempts.last().and_then(|a| a.judgement.as_ref());
    let excerpt = judgement.and_then(|j| j.failure_excerpt());
    let first = excerpt.unwrap_or("see its file").lines().next();
    let attempts = counted(attempts.len(), "attempt");
    vec![
        format!(
            "{id} is parked after {attempts}: {}",
            sanitize(first.unwrap_or_default())
        ),
        format!("  its work is kept under {}{id}/", layout::ATTEMPT_REFS),
    ]
}

/// What is red before any work: each command and its output once, with every unit it keeps from starting.
pub(super) fn red_on_the_base(s: &Snapshot, red_base: &[(String, Vec<RedCommand>)]) -> Vec<String> {
    let evidence = |id: &str| s.base.get(id).map_or("", |report| report.evidence.as_str());
    let mut causes: Vec<(&[RedCommand], &str, Vec<&str>)> = Vec::new();
    for (id, commands) in red_base {
        let cause = (commands.as_slice(), evidence(id));
        match causes.iter_mut().find(|(c, e, _)| (*c, *e) == cause) {
            Some((.., units)) => units.push(id),
            None => causes.push((cause.0, cause.1, vec![id])),
        }
    }
    let mut why = Vec::new();
    for (commands, evidence, units) in causes {
        let were = if units.len() == 1 { "was" } else { "were" };
        let how = match units.iter().any(|id| s.inherited.contains(*id)) {
            true => format!("{were} stopped"),
            false => format!("{were} not started"),
        };
        why.push(format!(
            "{} {how}: already red before any work: {}",
            units.join(", "),
            sanitize(&red_command::listed(commands))
        ));
        let lines = evidence.lines().filter(|l| !l.trim().is_empty()).take(12);
        why.extend(lines.map(|l| format!("    {}", sanitize(l))));
    }
    why
}
