//! `GW120`. See `unknown_rule.md`.

use crate::lint::context::WorkspaceCx;
use crate::lint::finding_sink::FindingSink;
use crate::lint::rules;

pub(super) fn check(cx: &WorkspaceCx<'_>, out: &mut FindingSink) {
    for (word, severity) in &cx.severities.0 {
        if !rules::TABLE.iter().any(|rule| rule.is_called(word)) {
            let help = rules::nearest(word).map(|near| format!("did you mean `{near}`?"));
            out.at(
                &cx.ws.config.path,
                severity.span.clone(),
                format!("there is no rule `{word}`"),
            )
            .maybe_help(help);
        }
    }
}
