//! `GW615`. See `duplicate_command_name.md`.

use crate::lint::context::WorkspaceCx;
use crate::lint::finding_sink::FindingSink;

pub(super) fn check(cx: &WorkspaceCx<'_>, out: &mut FindingSink) {
    for unit in cx.ws.features.iter().flat_map(|f| f.units.particular()) {
        let checks = unit.front.checks.iter().flat_map(|checks| &checks.value);
        let names: Vec<_> = checks.filter_map(|c| c.value.name.as_ref()).collect();
        for (index, name) in names.iter().enumerate() {
            let first = names[..index].iter().find(|n| n.value == name.value);
            if let Some(first) = first.filter(|_| !unit.status().is_settled()) {
                let message = format!("two checks of this unit are called `{}`", name.value);
                out.at(unit.path(), name.span.clone(), message).related(
                    unit.path(),
                    first.span.clone(),
                    "the other one",
                );
            }
        }
    }
    for set in &cx.ws.verification.sets {
        for (index, command) in set.commands.iter().enumerate() {
            let Some(name) = &command.value.name else {
                continue;
            };
            let earlier = set.commands[..index]
                .iter()
                .filter_map(|c| c.value.name.as_ref());
            if let Some(first) = earlier.into_iter().find(|n| n.value == name.value) {
                out.at(
                    &cx.ws.verification.path,
                    name.span.clone(),
                    format!(
                        "two commands of `{}` are called `{}`",
                        set.name.value, name.value
                    ),
                )
                .related(
                    &cx.ws.verification.path,
                    first.span.clone(),
                    "the other one",
                );
            }
        }
    }
}
