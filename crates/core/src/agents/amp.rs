//! Amp: `amp --execute --stream-json`, which prints Claude Code's events.

use super::descriptor::{AgentProgram, Descriptor, Remedies};
use super::{Agent, Session, messages};

pub(super) struct Amp;

static DESCRIPTOR: Descriptor = Descriptor {
    name: "amp",
    program: AgentProgram::Named("amp"),
    state: &[".local/share/amp", ".config/amp"],
    args: &["--execute", "--stream-json", "--dangerously-allow-all"],
    // It picks models by mode: `smart`, `rush` …
    model: Some("--mode"),
    env: &[("AMP_SKIP_UPDATE_CHECK", "1")],
    keep_env: &["AMP_*"],
    drop_env: &["AMP_THREAD_ID", "AMP_CURRENT_THREAD_ID"],
    remedies: Some(Remedies {
        missing: "install Amp (`npm install -g @sourcegraph/amp`)",
        auth: "run `amp login`, or set AMP_API_KEY",
        quota: "add credit to the account, or name another agent",
    }),
    ..Descriptor::BASE
};

impl Agent for Amp {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn read(&self, line: &[u8], seen: &mut Session) {
        messages::read(line, seen);
    }

    fn end(&self, seen: &mut Session) {
        messages::end(seen);
    }
}
