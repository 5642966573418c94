//! Whose account a session uses: what the machine shows, given to [`Login::payment`].

use super::{Host, Os};
use crate::process::env::matches;
use gatewalk_core::agents::{
    AccountFacts, AccountSource, Agent, AgentSelection, CommandAgent, Login, Payer, Payment,
    ProgramSettings, ProviderAccounts, SourcePlace,
};
use gatewalk_core::driver::driver_event::DriverEvent;
use gatewalk_core::error::{Error, Result};
use gatewalk_core::parallel::locked;
use std::path::{Path, PathBuf};

/// Lets every account variable pass, whoever then pays.
const KEEP_KEYS: &str = "GATEWALK_KEEP_KEYS";

/// Returns who pays for a session of an agent that lets `keep` pass, and where its requests go; `own` is
/// the user's profile of it.
pub fn payment(
    agent: &dyn Agent,
    keep: &[String],
    host: &Host,
    own: Option<&CommandAgent>,
) -> Payment {
    let login = agent.login();
    let host = &own.map_or_else(|| host.clone(), |own| with_set(host, own));
    let mut facts = facts(login.as_ref(), host, own);
    if let Some(login) = login {
        return login.payment(&facts);
    }
    let named = own.into_iter().flat_map(CommandAgent::named_agents);
    let sources = std::iter::once(agent.accounts()).chain(named.map(|agent| agent.accounts()));
    facts.providers = providers(sources.flatten(), host);
    let named = own.map(|own| own.env_keep.as_slice()).unwrap_or_default();
    let keep = keep.iter().chain(&host.session_variables).chain(named);
    let keep = keep.chain(&facts.profile);
    Payment::of_providers(&facts, |name| {
        let mut keep = keep.clone();
        keep.any(|pattern| matches(pattern, name.as_bytes()))
    })
}

/// Returns what a program's files hold of accounts, but for those of a checkout.
fn providers<'a>(
    sources: impl Iterator<Item = &'a AccountSource>,
    host: &Host,
) -> ProviderAccounts {
    let mut found = ProviderAccounts::default();
    for source in sources {
        let path = |path: PathBuf| std::fs::read_to_string(path).ok();
        let below =
            |name: &str, directory: &str| Some(PathBuf::from(host.var(name)?).join(directory));
        let text = match source.place {
            SourcePlace::Checkout(_) => None,
            SourcePlace::Value(name) => host
                .var(name)
                .and_then(|text| text.to_str().map(str::to_owned)),
            SourcePlace::Named(name) => host.var(name).map(PathBuf::from).and_then(path),
            SourcePlace::File {
                root,
                otherwise,
                path: file,
            } => root
                .and_then(|root| below(root, ""))
                .or_else(|| below("HOME", otherwise))
                .and_then(|directory| path(directory.join(file))),
        };
        if let Some(text) = text {
            found.add((source.read)(&text));
        }
    }
    found
}

/// Returns what the machine shows of a program's account; `host` is as its profile sees it.
fn facts(login: Option<&Login>, host: &Host, own: Option<&CommandAgent>) -> AccountFacts {
    let variables = host.env.iter().filter_map(|(name, value)| {
        let name = name.to_str()?.to_owned();
        Some((name, value.to_string_lossy().into_owned()))
    });
    AccountFacts {
        login_file: login.and_then(|login| login_file(login, host)).is_some(),
        variables: variables.collect(),
        profile: own.map(CommandAgent::account_names).unwrap_or_default(),
        settings: login.map(|login| settings(login, host)).unwrap_or_default(),
        providers: ProviderAccounts::default(),
        keep_all: host.var(KEEP_KEYS).is_some(),
    }
}

/// What a program's account is, before any session.
pub(super) struct FoundAccount {
    pub(super) payer: Payer,
    /// Whether its settings keep the login in a key ring.
    pub(super) key_ring: bool,
    /// The model that its settings choose.
    pub(super) model: Option<String>,
    /// The tool servers that its settings name.
    pub(super) tool_servers: Vec<String>,
}

/// Returns what the account of a program with this login is; `own` is the user's profile of it.
pub(super) fn account(login: &Login, host: &Host, own: Option<&CommandAgent>) -> FoundAccount {
    let seen = &own.map_or_else(|| host.clone(), |own| with_set(host, own));
    let settings = settings(login, seen);
    let facts = facts(Some(login), seen, own);
    FoundAccount {
        payer: login.payment(&facts).payer,
        key_ring: settings.key_ring,
        model: settings.model,
        tool_servers: settings.tool_servers,
    }
}

/// Returns the host as a profile's program sees it.
pub(super) fn with_set(host: &Host, own: &CommandAgent) -> Host {
    let mut host = host.clone();
    for (name, value) in &own.set {
        host.env.retain(|(n, _)| n != name.as_str());
        host.env.push((name.into(), value.into()));
    }
    host
}

/// Returns the file that holds a program's login, if there is one.
pub fn login_file(login: &Login, host: &Host) -> Option<PathBuf> {
    let mut files = login
        .files
        .iter()
        .filter_map(|file| place(login, file, host));
    files.find(|path| path.is_file())
}

/// Returns where a file of the program's own directory is.
fn place(login: &Login, file: &str, host: &Host) -> Option<PathBuf> {
    let own = login.home.and_then(|name| host.var(name));
    match (own, file.split_once('/')) {
        (Some(own), Some((_, rest))) => Some(PathBuf::from(own).join(rest)),
        _ => Some(PathBuf::from(host.var("HOME")?).join(file)),
    }
}

fn settings(login: &Login, host: &Host) -> ProgramSettings {
    let Some(file) = login.settings else {
        return ProgramSettings::default();
    };
    let text = place(login, file.path, host).and_then(|path| std::fs::read_to_string(path).ok());
    text.map(|text| (file.read)(&text)).unwrap_or_default()
}

/// Refuses a checkout that itself decides who pays or where requests go: programs read such settings in their
/// working directory and would send the login there. `is_own` says what of the slot is the user's own, which may decide it.
pub(super) fn refuse_repository(
    choice: &AgentSelection,
    slot: &Path,
    is_own: &dyn Fn(&str) -> bool,
) -> Result<()> {
    let named = choice
        .own()
        .into_iter()
        .flat_map(CommandAgent::named_agents);
    let mut agents = std::iter::once(choice.agent).chain(named);
    agents.try_for_each(|agent| refuse_settings(agent, slot, is_own))
}

fn refuse_settings(agent: &dyn Agent, slot: &Path, is_own: &dyn Fn(&str) -> bool) -> Result<()> {
    let text = |name: &str| std::fs::read_to_string(slot.join(name)).unwrap_or_default();
    let settings = agent.login().and_then(|login| login.settings);
    let settings = settings.into_iter().flat_map(|file| {
        let local = file.path.replace("settings.json", "settings.local.json");
        [file.path.to_owned(), local].map(|name| {
            let decides = (file.read)(&text(&name)).decides();
            (name, decides)
        })
    });
    let sources = agent
        .accounts()
        .iter()
        .filter_map(|source| match source.place {
            SourcePlace::Checkout(name) => {
                Some((name.to_owned(), (source.read)(&text(name)).decides()))
            }
            _ => None,
        });
    let mut deciding = settings.chain(sources).filter(|(_, decides)| *decides);
    match deciding.find(|(name, _)| !is_own(name)) {
        None => Ok(()),
        Some((name, _)) => Err(Error::plan(format!(
            "the repository's `{name}` decides where the agent's requests go or who pays"
        ))
        .hint("only you may: move it into a profile of your own configuration (`agents:`), or into the program's own settings")),
    }
}

/// Refuses a profile whose account the program's own settings would replace.
pub(super) fn refuse_replaced(own: &CommandAgent, payment: &Payment) -> Result<()> {
    let mut names = own.set.iter().map(|(name, _)| name);
    match names.find(|name| payment.withheld.contains(name)) {
        None => Ok(()),
        Some(name) => Err(Error::environment(format!(
            "agent `{}` sets {name}, but its program would pay with {payment}",
            own.name
        ))
        .hint("give the profile a directory of its own for the program's settings, or take the account out of them")),
    }
}

impl Os<'_> {
    /// Reports once what a session does not get, and who pays.
    pub(super) fn note_withheld(&self, choice: &AgentSelection, payment: &Payment) {
        if payment.withheld.is_empty() {
            return;
        }
        let mut reported = locked(&self.reported);
        if reported.insert(choice.name.clone()) {
            self.watcher.report(&DriverEvent::Note {
                text: format!(
                    "{}: kept {} from the session, which would change who pays or where requests go; it pays with {payment} ({KEEP_KEYS}=1 lets everything pass)",
                    choice.name,
                    payment.withheld.join(", ")
                ),
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repository_does_not_decide_who_is_paid_or_where() {
        let opencode =
            |options: &str| format!(r#"{{"provider": {{"openai": {{"options": {options}}}}}}}"#);
        let at = r#"{"baseURL": "http://elsewhere"}"#;
        for (agent, file, text, is_refused) in [
            ("opencode", "opencode.json", opencode(at), true),
            ("opencode", ".opencode/opencode.jsonc", format!("// ours\n{}", opencode(at)), true),
            ("opencode", "opencode.json", opencode(r#"{"apiKey": "k"}"#), true),
            ("opencode", "opencode.json", r#"{"model": "openai/gpt-5"}"#.to_owned(), false),
            ("aider", ".aider.conf.yml", "openai-api-base: http://elsewhere\n".to_owned(), true),
            ("aider", ".env", "OPENAI_API_KEY=k\n".to_owned(), true),
            ("aider", ".env", "COLOR=1\n".to_owned(), false),
            ("qwen", ".qwen/settings.json", r#"{"modelProviders": {"openai": [{"id": "m", "baseUrl": "http://elsewhere", "envKey": "OPENAI_API_KEY"}]}}"#.to_owned(), true),
            ("claude", ".claude/settings.local.json", r#"{"env": {"ANTHROPIC_BASE_URL": "http://elsewhere"}}"#.to_owned(), true),
            ("claude", ".claude/settings.json", r#"{"env": {"COLOR": "1"}}"#.to_owned(), false),
        ] {
            let slot = tempfile::tempdir().unwrap();
            let path = slot.path().join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, &text).unwrap();
            let agents = gatewalk_core::agents::ALL;
            let agent = agents.iter().find(|known| known.name() == agent).unwrap();
            let refused = refuse_settings(*agent, slot.path(), &|_| false);
            assert_eq!(refused.is_err(), is_refused, "{}: {file}: {text}", agent.name());
            let refused = refuse_settings(*agent, slot.path(), &|name| name == file);
            assert!(refused.is_ok(), "{file} is the user's own");
        }
    }
}
