//! The requirements of a plan: `- REQ-CART-1: …` under `## Requirements`, ids typed by people.

use crate::diagnostic::Span;
use crate::model::plan::Plan;
use crate::model::unit::Unit;

/// One line of the plan's requirements.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Requirement {
    /// Its id, such as `REQ-CART-1`.
    pub id: String,
    /// Whether `(deferred: …)` says that this feature does without.
    pub(crate) deferred: bool,
    /// What follows the id in its bullet.
    pub text: String,
    /// Where its id stands.
    pub span: Span,
}

/// How many of a plan are read: each is held against every unit. More are an error of the plan.
pub(crate) const MAX_REQUIREMENTS: usize = 1_000;

/// Returns the requirements of a plan that are not deferred, in order.
pub(crate) fn due(plan: &Plan) -> Vec<Requirement> {
    let mut all = of(plan);
    all.retain(|requirement| !requirement.deferred);
    all
}

/// Returns the requirements of a plan, in order.
pub fn of(plan: &Plan) -> Vec<Requirement> {
    let bullets = plan.doc.bullets_under("Requirements");
    bullets
        .into_iter()
        .take(MAX_REQUIREMENTS)
        .filter_map(|bullet| {
            let (id, text) = bullet.text.split_once(':')?;
            let id = id.trim().trim_matches('*').trim();
            if !looks_like_an_id(id) {
                return None;
            }
            let from = plan.doc.text.get(bullet.span.clone())?.find(id)? + bullet.span.start;
            Some(Requirement {
                id: id.to_owned(),
                deferred: is_deferred(text),
                text: text.trim().to_owned(),
                span: from..from + id.len(),
            })
        })
        .collect()
}

/// Only `(deferred: why)` defers, with a reason; a text about deferred payments does not.
fn is_deferred(text: &str) -> bool {
    let lower = text.to_lowercase();
    let why = lower.split_once("(deferred:").map(|(_, rest)| rest);
    why.is_some_and(|rest| !rest.split(')').next().unwrap_or_default().trim().is_empty())
}

/// Returns whether a unit, or a check of it, says that it covers a requirement.
pub(crate) fn covers(unit: &Unit, id: &str) -> bool {
    let checks = unit.front.checks.iter().flat_map(|c| &c.value);
    Unit::list(&unit.front.covers).contains(&id)
        || checks
            .into_iter()
            .any(|c| Unit::list(&c.value.covers).contains(&id))
}

/// Returns whether a word has the form of a requirement's id.
pub fn looks_like_an_id(text: &str) -> bool {
    !text.is_empty()
        && text.len() <= 64
        && text.starts_with(|c: char| c.is_ascii_uppercase())
        && text
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_' || b == b'.')
        && text.contains('-')
        && text.contains(|c: char| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::is_deferred;

    #[test]
    fn only_a_reason_defers() {
        for (text, want) in [
            ("exports (deferred: after the move)", true),
            ("exports (Deferred: later).", true),
            ("exports (deferred)", false),
            ("exports (deferred: )", false),
            ("(deferred payments) are exported", false),
            ("exports", false),
        ] {
            assert_eq!(is_deferred(text), want, "{text}");
        }
    }
}
