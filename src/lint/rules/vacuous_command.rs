//! `GW602`. See `vacuous_command.md`.

use crate::lint::context::WorkspaceCx;
use crate::lint::shells;
use crate::lint::sink::Sink;
use crate::model::verification::cannot_fail;

pub(super) fn check(cx: &WorkspaceCx<'_>, out: &mut Sink) {
    for shell in shells::all(cx.ws)
        .into_iter()
        .filter(|s| cannot_fail(s.text))
    {
        out.at(
            shell.path,
            shell.span.clone(),
            "this command cannot fail, so it proves nothing",
        )
        .help("take out `|| true` and the like, or the command")
        .only_warn_if(shell.settled);
    }
}
