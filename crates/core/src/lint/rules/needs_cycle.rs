//! `GW606`. See `needs_cycle.md`.

use crate::lint::context::WorkspaceCx;
use crate::lint::finding_sink::FindingSink;
use crate::model::unit::Unit;
use crate::model::verification::Set;

pub(super) fn check(cx: &WorkspaceCx<'_>, out: &mut FindingSink) {
    let verification = &cx.ws.verification;
    for set in &verification.sets {
        let stuck = stuck(set);
        let Some(first) = stuck.first() else { continue };
        let names: Vec<&str> = stuck
            .iter()
            .map(|index| set.commands[*index].value.name())
            .collect();
        let command = &set.commands[*first];
        let span = command
            .value
            .needs
            .as_ref()
            .map_or(command.span.clone(), |n| n.span.clone());
        out.at(
            &verification.path,
            span,
            format!(
                "the commands of `{}` need each other: {}",
                set.name.value,
                names.join(", ")
            ),
        )
        .help("`needs` lists what runs before: remove one of them");
    }
}

/// The commands that never become ready, by index.
fn stuck(set: &Set) -> Vec<usize> {
    let mut left: Vec<usize> = (0..set.commands.len()).collect();
    loop {
        let names: Vec<&str> = left.iter().map(|i| set.commands[*i].value.name()).collect();
        let ready = |i: &usize| {
            !Unit::list(&set.commands[*i].value.needs)
                .iter()
                .any(|need| names.contains(need))
        };
        match left.iter().position(ready) {
            Some(position) => left.remove(position),
            None => return left,
        };
    }
}
