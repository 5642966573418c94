//! `GW623`. See `grown_known_failures.md`.

use crate::engine::inherited_cases;
use crate::lint::context::WorkspaceCx;
use crate::lint::finding_sink::FindingSink;

pub(super) fn check(cx: &WorkspaceCx<'_>, out: &mut FindingSink) {
    let verification = &cx.ws.verification;
    let commands = verification.sets.iter().flat_map(|set| {
        let name = set.name.value.as_str();
        set.commands.iter().map(move |c| (name, &c.value))
    });
    let listed: Vec<_> = commands
        .filter_map(|(set, command)| Some((set, command, command.known_failures.as_ref()?)))
        .collect();
    if listed.is_empty() {
        return;
    }
    let mut earlier = cx.ws.earlier_known.clone();
    for feature in cx.ws.features.iter() {
        earlier.narrow(inherited_cases::lists_of(feature));
    }
    for (set, command, list) in listed {
        for case in &list.value.0 {
            if !earlier.allows(set, command.name(), &case.value) {
                let message = format!(
                    "`known_failures` of `{}` names `{}`, which it did not before: the list may only shrink",
                    command.name(),
                    case.value
                );
                out.at(&verification.path, case.span.clone(), message)
                    .help("take it out and repair the case; if it was only renamed, give the command a new name: its list begins anew");
            }
        }
    }
}
