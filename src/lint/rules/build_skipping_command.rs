//! `GW604`. See `build_skipping_command.md`.

use crate::lint::context::WorkspaceCx;
use crate::lint::shells;
use crate::lint::sink::Sink;

const FLAGS: [&str; 10] = [
    "--no-build",
    "--no-restore",
    "--skip-build",
    "--no-compile",
    "-DskipTests",
    "-Dmaven.test.skip",
    "--no-verify",
    "--no-run",
    "--passWithNoTests",
    "--continue-on-collection-errors",
];

pub(super) fn check(cx: &WorkspaceCx<'_>, out: &mut Sink) {
    for shell in shells::live(cx.ws) {
        let words = || {
            shell
                .text
                .split(|c: char| c.is_whitespace() || matches!(c, '=' | ';' | '&' | '|'))
        };
        if let Some(flag) = FLAGS.iter().find(|flag| words().any(|w| w == **flag)) {
            out.at(
                shell.path,
                shell.span.clone(),
                format!("`{flag}` leaves out what it should prove"),
            )
            .help("let the command build and run what it judges");
        }
    }
}
