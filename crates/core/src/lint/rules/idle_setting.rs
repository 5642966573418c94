//! `GW127`. See `idle_setting.md`.

use crate::diagnostic::Severity;
use crate::lint::context::WorkspaceCx;
use crate::lint::finding_sink::FindingSink;
use crate::lint::rules;
use crate::model::config::SandboxPolicy;

pub(super) fn check(cx: &WorkspaceCx<'_>, out: &mut FindingSink) {
    let config = &cx.ws.config;
    let off = |policy: &SandboxPolicy| *policy == SandboxPolicy::Off;
    if let Some(sandbox) = config.front.sandbox.as_ref().filter(|s| off(&s.value)) {
        let message = "a repository cannot switch the sandbox off: this changes nothing";
        out.at(&config.path, sandbox.span.clone(), message)
            .help("`sandbox: off` in your own configuration, or `loop --sandbox off`");
    }
    for (word, severity) in &cx.severities.0 {
        let mut called = rules::TABLE
            .iter()
            .filter(|rule| rule.is_called(word))
            .peekable();
        let are_errors =
            called.peek().is_some() && called.all(|rule| rule.severity == Severity::Error);
        if are_errors && severity.value != "error" {
            let message = format!("`{word}` stays an error: this changes nothing");
            out.at(&config.path, severity.span.clone(), message)
                .help("mend what it finds: the loop refuses it, whatever a setting says");
        }
    }
}
