//! Where notices go.

use crate::user_tool::{self, ToolCommand};
use gatewalk_core::engine::notice::{self, WebhookTemplate};
use gatewalk_core::error::{Error, Result};
use serde_json::Value;
use std::ffi::OsString;
use std::io::{IsTerminal, Write};
use std::path::Path;

/// Seconds a webhook may take.
const WEBHOOK_SECONDS: u32 = 20;

/// One way to reach the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Channel {
    /// A shell command that reads the notice as JSON from its standard input.
    Command(String),
    /// An address, as the value of the variable of this name: it is a secret of its own.
    Webhook {
        variable: String,
        template: WebhookTemplate,
    },
    /// A notice of the desktop, by `notify-send`.
    Desktop,
    /// A bell, and a message in terminals that know how.
    Terminal,
}

impl Channel {
    /// Returns the name under which it is noted that it took a notice.
    pub(super) fn name(&self) -> String {
        match self {
            Channel::Command(_) => "command",
            Channel::Webhook { .. } => "webhook",
            Channel::Desktop => "desktop",
            Channel::Terminal => "terminal",
        }
        .to_owned()
    }

    pub(super) fn send(
        &self,
        content: &Value,
        cwd: &Path,
        env: &[(OsString, OsString)],
    ) -> Result<()> {
        let call = |program, args: &[&str], input: &str| {
            user_tool::run(&ToolCommand {
                program,
                args,
                input,
                cwd,
                env,
            })
        };
        match self {
            Channel::Command(command) => call("sh", &["-c", command], &content.to_string())?
                .ok("the command of `notify`")
                .map(drop),
            Channel::Webhook { variable, template } => {
                let (body, kind) = template.body(content);
                let config = curl_config(&address(variable, env)?, &body, kind);
                // The address is a secret: it goes by standard input, for arguments are seen by everyone.
                let limit = WEBHOOK_SECONDS.to_string();
                let answer = ["--output", "/dev/null", "--write-out", "%{http_code}"];
                let args = ["--silent", "--fail", "--max-time", &limit, "--config", "-"];
                let ran = call("curl", &[args.as_slice(), &answer].concat(), &config)?;
                taken(ran.code, ran.stdout.trim())
            }
            Channel::Desktop => {
                let text = notice::text(content);
                let text = text.trim_start_matches("gatewalk: ");
                call(
                    "notify-send",
                    &["--app-name=gatewalk", "gatewalk", text],
                    "",
                )?
                .ok("`notify-send`")
                .map(drop)
            }
            Channel::Terminal => {
                ring(content);
                Ok(())
            }
        }
    }
}

/// Refuses an answer that takes no notice: a redirect is an address that nobody reads.
fn taken(exit: i32, answer: &str) -> Result<()> {
    match exit {
        0 if answer.starts_with('2') => Ok(()),
        0 => Err(Error::environment(format!(
            "the webhook of `notify` answered {answer}: a redirect is not followed, so name the address it leads to"
        ))),
        code => Err(Error::environment(format!(
            "the webhook of `notify` failed (curl: exit {code})"
        ))),
    }
}

fn address(variable: &str, env: &[(OsString, OsString)]) -> Result<String> {
    let value = env.iter().find(|(name, _)| name == variable);
    let value = value
        .and_then(|(_, value)| value.to_str())
        .unwrap_or_default();
    let is_web = value.starts_with("https://") || value.starts_with("http://");
    if !is_web || value.chars().any(|c| c.is_control()) {
        return Err(Error::environment(format!(
            "`webhook` of `notify` names the variable `{variable}`, which holds no web address"
        )));
    }
    Ok(value.to_owned())
}

/// Returns what `curl` reads from standard input.
fn curl_config(address: &str, body: &str, kind: &str) -> String {
    let quoted = |text: &str| {
        let escaped = text
            .replace('\\', "\\\\")
            .replace('"', "\\\"")
            .replace('\n', "\\n")
            .replace('\r', "\\r")
            .replace('\t', "\\t");
        format!("\"{escaped}\"")
    };
    format!(
        "url = {}\nheader = {}\ndata-raw = {}\n",
        quoted(address),
        quoted(&format!("Content-Type: {kind}")),
        quoted(body)
    )
}

/// Rings, and shows a message in terminals that know how (OSC 9, as iTerm2, kitty, WezTerm and others read it).
fn ring(content: &Value) {
    let mut terminal = std::io::stderr().lock();
    if !terminal.is_terminal() {
        return;
    }
    let what: String = content["what"]
        .as_str()
        .unwrap_or_default()
        .chars()
        .filter(|c| !c.is_control())
        .collect();
    // A terminal that is gone has nobody before it.
    drop(write!(terminal, "\u{1b}]9;gatewalk: {what}\u{7}\u{7}"));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_curl_reads_stays_one_value_a_line() {
        let config = curl_config(
            "https://h/a?b=\"c\"",
            "{\"t\":\"a\\nb\"}\nnext",
            "text/plain",
        );
        let want = "url = \"https://h/a?b=\\\"c\\\"\"\nheader = \"Content-Type: text/plain\"\n\
                    data-raw = \"{\\\"t\\\":\\\"a\\\\nb\\\"}\\nnext\"\n";
        assert_eq!(config, want);
    }

    #[test]
    fn only_an_answer_that_takes_the_notice_is_one() {
        for (exit, answer, want) in [
            (0, "200", None),
            (0, "204", None),
            (0, "302", Some("answered 302: a redirect is not followed")),
            (22, "500", Some("curl: exit 22")),
            (28, "000", Some("curl: exit 28")),
        ] {
            let found = taken(exit, answer).err().map(|error| error.to_string());
            assert_eq!(found.is_some(), want.is_some(), "{answer}: {found:?}");
            assert!(found.unwrap_or_default().contains(want.unwrap_or_default()));
        }
    }

    #[test]
    fn an_address_is_a_web_address_in_a_variable() {
        let env = |value: &str| vec![(OsString::from("HOOK"), OsString::from(value))];
        assert_eq!(address("HOOK", &env("https://h/x")).unwrap(), "https://h/x");
        for value in ["", "file:///etc/passwd", "https://h/\nurl = \"x\""] {
            let error = address("HOOK", &env(value)).unwrap_err();
            assert!(error.to_string().contains("`HOOK`"), "{error}");
            assert!(!error.to_string().contains("passwd"), "{error}");
        }
    }
}
