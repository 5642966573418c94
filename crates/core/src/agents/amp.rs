//! Amp: `amp --execute --stream-json`, which prints Claude Code's events.

use super::descriptor::{AgentProgram, Descriptor, Remedies, SessionOutput, Silence};
use super::messages;
use super::readiness::{AccountFile, Needs};

pub(super) static AMP: Descriptor = Descriptor {
    name: "amp",
    program: AgentProgram::Named("amp"),
    state: &[".local/share/amp", ".config/amp"],
    needs: Needs {
        account_files: Some(&[
            AccountFile::any(".local/share/amp/secrets.json"),
            AccountFile::telling(".config/amp/settings.json", &["piKey", "ecret"]),
        ]),
        account_variables: &["AMP_API_KEY", "AMP_SETTINGS_FILE"],
        ..Needs::BASE
    },
    args: &["--execute", "--stream-json", "--dangerously-allow-all"],
    // It picks models by mode: `smart`, `rush` …
    model: Some("--mode"),
    env: &[("AMP_SKIP_UPDATE_CHECK", "1")],
    keep_env: &["AMP_*"],
    drop_env: &["AMP_THREAD_ID", "AMP_CURRENT_THREAD_ID"],
    output: SessionOutput::Lines(messages::read),
    remedies: Some(Remedies {
        missing: "install Amp (`npm install -g @sourcegraph/amp`)",
        auth: "run `amp login`, or set AMP_API_KEY",
        quota: "add credit to the account, or name another agent",
    }),
    silence: Silence::BetweenCalls,
    ..Descriptor::BASE
};
