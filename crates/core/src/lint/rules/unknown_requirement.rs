//! `GW612`. See `unknown_requirement.md`.

use crate::lint::context::FeatureCx;
use crate::lint::finding_sink::FindingSink;
use crate::lint::requirements::{self, Requirement};
use crate::model::frontmatter::{OneOrMany, Spanned, nearest};
use crate::model::plan::Plan;
use crate::model::unit::Unit;

pub(super) fn check(cx: &FeatureCx<'_>, out: &mut FindingSink) {
    let known = requirements::of(&cx.feature.plan);
    let mut guesses = 0;
    for unit in cx.members.iter().filter_map(|m| m.unit) {
        for id in covered(unit).filter(|id| !known.iter().any(|r| r.id == id.value)) {
            guesses += 1;
            // Nobody mistypes a hundred of them: behind those there is no guessing.
            let guess = || nearest(&id.value, known.iter().map(|r| r.id.as_str()));
            let near = (guesses <= 100).then(guess).flatten();
            let written = UnknownId {
                plan: &cx.feature.plan,
                known: &known,
                unit,
                id,
            };
            let found = out
                .at(
                    unit.path(),
                    id.span.clone(),
                    format!("the plan has no requirement `{}`", id.value),
                )
                .only_warn_if(cx.is_settled() || unit.status().is_settled());
            let write = |text: &str| {
                let edits = vec![(id.span.clone(), text.to_owned())];
                (format!("write `{text}`"), edits)
            };
            if let Some(meant) = written.respelt() {
                let (title, edits) = write(&meant);
                found
                    .help(format!("did you mean `{meant}`?"))
                    .safe_fix(title, edits);
            } else if let Some(line) = written.line_of_plan() {
                found.help(format!(
                    "line {line} of PLAN.md names it, but a requirement is a line `- REQ-CART-1: what is true` under \
                     `## Requirements`"
                ));
            } else if let Some(near) = near {
                let (title, edits) = write(near);
                found
                    .help(format!("did you mean `{near}`?"))
                    .unsafe_fix(title, edits);
            } else {
                found.help(
                    "requirements stand in PLAN.md: `- REQ-CART-1: …` under `## Requirements`",
                );
            }
        }
    }
}

/// An id that a unit covers and the plan does not have.
struct UnknownId<'a> {
    plan: &'a Plan,
    known: &'a [Requirement],
    unit: &'a Unit,
    id: &'a Spanned<String>,
}

impl UnknownId<'_> {
    /// Returns known ids in other capitals, or several of them in one text, as they are written.
    fn respelt(&self) -> Option<String> {
        let known = |word: &str| {
            let same = |r: &&Requirement| r.id.eq_ignore_ascii_case(word);
            self.known.iter().find(same).map(|r| r.id.as_str())
        };
        let words = self.id.value.split([',', ' ']);
        let ids: Option<Vec<&str>> = words.filter(|w| !w.is_empty()).map(known).collect();
        let ids = ids.filter(|ids| !ids.is_empty())?;
        let before = self.unit.doc.text.get(..self.id.span.start)?.trim_end();
        let listed = before.ends_with(['[', ',']) || ids.len() == 1;
        let joined = ids.join(", ");
        Some(if listed {
            joined
        } else {
            format!("[{joined}]")
        })
    }

    /// Returns the line of the plan that has the id in a form that is not read.
    fn line_of_plan(&self) -> Option<usize> {
        let wanted = self.id.value.to_lowercase();
        let is_wanted = |word: &str| {
            let word = word.trim_matches(|c: char| !c.is_alphanumeric());
            word.to_lowercase() == wanted
        };
        let named = |line: &str| line.split([' ', ':', '*', '`']).any(is_wanted);
        let line = self.plan.doc.text.lines().position(named)?;
        Some(line + 1)
    }
}

/// Every requirement a unit or one of its checks says it covers.
fn covered(unit: &Unit) -> impl Iterator<Item = &Spanned<String>> {
    let checks = unit
        .front
        .checks
        .iter()
        .flat_map(|c| &c.value)
        .filter_map(|c| c.value.covers.as_ref());
    let own = unit.front.covers.iter();
    own.chain(checks)
        .flat_map(|list: &Spanned<OneOrMany<String>>| &list.value.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_and_their_checks_cover() {
        let text = "---\ncovers: REQ-A-1\nchecks:\n  - name: a\n    run: b\n    covers: [REQ-B-1, REQ-C-1]\n---\n";
        let unit = Unit::parse("WU-01-a.md".into(), text.as_bytes());
        let ids: Vec<_> = covered(&unit).map(|id| id.value.as_str()).collect();
        assert_eq!(ids, ["REQ-A-1", "REQ-B-1", "REQ-C-1"]);
    }
}
