//! The page that every session is given first: what it is to leave, and what it must not touch.

use super::PromptInput;
use crate::engine::diff_scope::DiffScope;
use crate::engine::gate_criteria;
use crate::engine::guards::{CONTROL_PLANE, Subject};
use crate::model::layout;
use crate::model::unit::UnitType;

pub(super) fn contract(brief: &PromptInput<'_>) -> String {
    let id = brief
        .unit
        .id
        .as_ref()
        .map_or_else(String::new, ToString::to_string);
    let writes = writable(brief);
    format!(
        "# Your session\n\n\
         You work on one unit, {id}, in a private copy of the repository: the current directory. \
         Do the unit below, all of it and nothing else, then end. Nobody answers questions.\n\n\
         - Leave the work as files in this directory. Whatever is here when you end is taken; \
         commits, branches and stashes are not needed and not looked at.\n\
         - When you have ended, the driver runs the commands under \"How it is judged\" itself. \
         Only their exit codes count. Run them yourself before you end.\n\
         - Do not change how work is judged: nothing in `{state}/`{writes}, no CI, hook or agent settings \
         ({some}, …). An attempt that does so fails whatever it achieved.\n\
         - If you cannot go on without the user, report blocked and stop: that is a good answer.\n\n\
         End with one fenced block:\n\n\
         ```result\n\
         status: complete        # or blocked\n\
         summary: one or two sentences\n\
         files_changed: [path, …]\n\
         acceptance_criteria: [what you checked and how, …]\n\
         blocked_reason: only when blocked\n\
         follow_ups: [anything the user should know]\n\
         {widen}```",
        widen = match DiffScope::of(brief.unit) {
            DiffScope::Within(_) =>
                "widen_touches: [paths outside the unit's `touches` that the work cannot do without, …]\n",
            DiffScope::Any | DiffScope::Unstated => "",
        },
        state = brief.workspace.layout.dir(),
        some = CONTROL_PLANE
            .iter()
            .take(3)
            .copied()
            .collect::<Vec<_>>()
            .join(", "),
    )
}

/// Returns which plan files a unit of this type is meant to write.
fn writable(brief: &PromptInput<'_>) -> String {
    let unit = brief.unit;
    if !unit.unit_type().is_closing() {
        return String::new();
    }
    let subject = Subject {
        layout: brief.workspace.layout,
        feature: brief.feature,
        gate: brief.gate,
        unit,
        protect: &[],
        idle_attributes: &[],
    };
    let next = brief.feature.gate_number(brief.gate) + 1;
    let candidates = [
        brief.feature.path(layout::RETROSPECTIVE),
        brief.feature.path(&gate_criteria::criteria_file(next - 1)),
        brief.workspace.layout.path(layout::LEARNINGS),
        brief.workspace.layout.path(layout::ROADMAP),
        brief.feature.path(layout::PLAN),
        brief.feature.path(&layout::gate_file(next)),
        brief.feature.path(&layout::review_file(next)),
        brief.feature.path("WU-NN-slug.md"),
    ];
    let mut allowed: Vec<String> = candidates
        .into_iter()
        .filter(|p| subject.may_write(p))
        .map(|p| format!("`{p}`"))
        .collect();
    if matches!(
        unit.unit_type(),
        UnitType::Close | UnitType::CloseIntermediate
    ) {
        allowed.push(format!(
            "the key `verdict: met` or `verdict: not_met` in `{}`",
            unit.path()
        ));
    }
    format!(" except {}", allowed.join(", "))
}
