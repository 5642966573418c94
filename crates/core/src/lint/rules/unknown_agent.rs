//! `GW125`. See `unknown_agent.md`.

use crate::agents;
use crate::diagnostic::Span;
use crate::lint::context::WorkspaceCx;
use crate::lint::finding_sink::FindingSink;
use crate::model::agent_entry::AgentEntry;
use crate::model::frontmatter::{OneOrMany, Spanned};
use std::sync::Arc;

/// The agents that run what their name goes on with, which only the command line may say.
const UNNAMED: [&str; 3] = ["acp", "command", "script"];

pub(super) fn check(cx: &WorkspaceCx<'_>, out: &mut FindingSink) {
    let config = &cx.ws.config;
    names(&config.path, &config.front.agent, out);
    for feature in cx.ws.features.iter() {
        names(&feature.plan.doc.path, &feature.plan.front.agent, out);
        for unit in feature.units.particular() {
            if !unit.status().is_settled() {
                names(unit.path(), &unit.front.agent, out);
            }
        }
    }
}

fn names(path: &Arc<str>, list: &Option<Spanned<OneOrMany<AgentEntry>>>, out: &mut FindingSink) {
    for name in list.iter().flat_map(|list| &list.value.0) {
        // A name of the user's own configuration is not known here; one that is nearly a known one is a slip.
        let name = &name.value;
        let kind = name.agent.split(':').next().unwrap_or_default();
        if UNNAMED.contains(&kind) {
            let message = format!("a plan cannot say what the `{kind}` agent runs");
            out.at(path, name.name_span.clone(), message).help(
                "define the program under `agents:` of your own configuration and name that, or run with `--agent` on the command line",
            );
            continue;
        }
        if let Some(list) = several(&name.agent) {
            let message = format!("`{}` is one name with a comma in it", name.agent);
            let write = format!("write a list: `agent: [{list}]`");
            out.at(path, name.name_span.clone(), message).help(write);
            continue;
        }
        let near = agents::nearest(&name.agent).filter(|near| *near != name.agent);
        if let Some(near) = near {
            report(path, &name.name_span, (&name.agent, near), out);
        }
    }
}

/// Returns the names that were written as one, as the items of a list.
fn several(name: &str) -> Option<String> {
    let parts: Vec<&str> = name.split(',').map(str::trim).collect();
    let is_list = parts.len() > 1 && parts.iter().all(|part| !part.is_empty());
    is_list.then(|| parts.join(", "))
}

fn report(path: &Arc<str>, span: &Span, (name, near): (&str, &str), out: &mut FindingSink) {
    out.at(path, span.clone(), format!("no agent is called `{name}`"))
        .help(format!("did you mean `{near}`?"))
        .unsafe_fix(
            format!("write `{near}`"),
            vec![(span.clone(), near.to_owned())],
        );
}
