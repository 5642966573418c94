//! Kiro: `kiro-cli chat --no-interactive`, which prints text.
//!
//! Written from its documentation, <https://kiro.dev/docs/cli/headless/>, and not yet tried on the program. It exits 1
//! when it is not logged in or fails; what it prints on standard error says why. By the Agent Client Protocol,
//! `acp:kiro-cli acp`, it reports what it does as well.

use super::descriptor::{AgentProgram, Descriptor, Remedies};
use super::payment::Login;
use super::{Session, error_text};

pub(super) static KIRO: Descriptor = Descriptor {
    name: "kiro",
    program: AgentProgram::Named("kiro-cli"),
    state: &[".kiro", ".local/share/kiro-cli"],
    login: Some(Login {
        files: &[".local/share/kiro-cli/data.sqlite3"],
        keys: &["KIRO_API_KEY"],
        ..Login::BASE
    }),
    args: &[
        "chat",
        "--no-interactive",
        "--trust-all-tools",
        "--wrap",
        "never",
    ],
    keep_env: &["KIRO_API_KEY"],
    streams: false,
    tells_apart: false,
    end,
    remedies: Some(Remedies {
        missing: "install Kiro's command line (https://kiro.dev/docs/cli/installation)",
        auth: "run `kiro-cli login`, or set KIRO_API_KEY",
        quota: "add credits to the account, or name another agent",
    }),
    ..Descriptor::BASE
};

/// A session that said nothing failed by what standard error tells, whatever its exit.
fn end(seen: &mut Session) {
    if seen.plain.as_str().trim().is_empty()
        && let Some(fault) = error_text::in_stderr(seen.stderr.as_str())
    {
        seen.fail_for_good(fault);
    }
}
