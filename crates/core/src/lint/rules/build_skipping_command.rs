//! `GW604`. See `build_skipping_command.md`.

use crate::lint::context::WorkspaceCx;
use crate::lint::finding_sink::FindingSink;
use crate::lint::shells;

const FLAGS: [&str; 14] = [
    "--collect-only",
    "--list",
    "--listTests",
    "surefire:test",
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

pub(super) fn check(cx: &WorkspaceCx<'_>, out: &mut FindingSink) {
    for shell in shells::live(cx.ws) {
        let words = || {
            shell
                .text
                .split(|c: char| c.is_whitespace() || matches!(c, '=' | ';' | '&' | '|'))
        };
        let excludes = || {
            let mut words = words();
            words.by_ref().any(|w| w == "-x")
                && words.next().is_some_and(|task| {
                    let task = task.to_ascii_lowercase();
                    shell.text.contains("gradle")
                        && ["test", "compile", "check", "build"]
                            .iter()
                            .any(|t| task.contains(t))
                })
        };
        let flag = FLAGS.iter().find(|flag| words().any(|w| w == **flag));
        if let Some(flag) = flag.or_else(|| excludes().then_some(&"-x")) {
            out.at(
                shell.path,
                shell.span.clone(),
                format!("`{flag}` leaves out what it should prove"),
            )
            .help("let the command build and run what it judges");
        }
    }
}
