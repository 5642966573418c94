//! `GW607`. See `unknown_need.md`.

use crate::lint::context::WorkspaceCx;
use crate::lint::finding_sink::FindingSink;
use crate::model::frontmatter::nearest;
use crate::model::verification::{Tier, VerificationCommand};

pub(super) fn check(cx: &WorkspaceCx<'_>, out: &mut FindingSink) {
    let verification = &cx.ws.verification;
    for set in &verification.sets {
        let names = || set.commands.iter().map(|c| c.value.name());
        let find = |name: &str| {
            set.commands
                .iter()
                .map(|c| &c.value)
                .find(|c| c.name() == name)
        };
        for command in set.commands.iter().map(|c| &c.value) {
            for need in command.needs.iter().flat_map(|n| &n.value.0) {
                let (message, help) = match find(&need.value) {
                    Some(other) if absent(command, other) => (
                        format!(
                            "`{}` runs every attempt, but needs `{}`, which runs only once a gate",
                            command.name(),
                            need.value
                        ),
                        Some("give both the same tier".to_owned()),
                    ),
                    Some(_) => continue,
                    None => (
                        format!(
                            "`{}` needs `{}`, which is not in the set `{}`",
                            command.name(),
                            need.value,
                            set.name.value
                        ),
                        nearest(&need.value, names()).map(|near| format!("did you mean `{near}`?")),
                    ),
                };
                out.at(&verification.path, need.span.clone(), message)
                    .maybe_help(help);
            }
        }
    }
}

fn absent(command: &VerificationCommand, needed: &VerificationCommand) -> bool {
    command.tier() == Tier::Narrow && needed.tier() == Tier::Broad
}
