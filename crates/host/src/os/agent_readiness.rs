//! What shows before a first session of an agent that it would be dead: the program, its version, its account.

use super::{Host, Os, accounts};
use crate::installed_programs;
use crate::program_fault::{ProgramFault, startable};
use gatewalk_core::agents::{
    Agent, AgentSelection, CommandAgent, Definition, Outcome, Payer, Unready,
};
use gatewalk_core::error::Error;
use std::path::{Path, PathBuf};

impl Os<'_> {
    /// Returns why an agent cannot work here, as far as that shows without starting it.
    pub(super) fn missing_program(&self, agent: &str, by_user: bool) -> Option<String> {
        let choice = match self.choose(agent, by_user) {
            Ok(choice) => choice,
            Err(error) => return Some(unknown(&error)),
        };
        if let Some(why) = choice.own().and_then(|own| lacks(own, &self.host)) {
            return Some(format!("{agent}: {why}"));
        }
        let program = match &choice.definition {
            Some(Definition::Command(command)) => command.argv.first()?.as_str(),
            Some(Definition::Script(_)) => return None,
            None => choice.agent.probe()?.0,
        };
        // A path is looked up from the slot, which is not there yet.
        if program.contains('/') {
            return None;
        }
        match startable(program, &self.host.env, &self.host.cwd) {
            Err(ProgramFault::Absent(_)) => {
                let remedy = remedy(&choice, &Outcome::Missing);
                Some(format!("{agent}: {}{remedy}", Outcome::Missing))
            }
            Err(fault) => Some(format!("{agent}: {}", in_full(&fault))),
            Ok(path) => unready(choice.agent, choice.own(), &path, &self.host)
                .map(|why| explained(&choice, &why)),
        }
    }
}

/// Returns what to say of a name that means no agent here: often a profile that somebody else has.
fn unknown(error: &Error) -> String {
    format!("{error}; {}", error.hints.join("; "))
}

/// Returns what a profile names and is not here: its key, its program, or that of a tool server.
fn lacks(own: &CommandAgent, host: &Host) -> Option<String> {
    if own.lacking.is_some() {
        return own.lacking.clone();
    }
    let wrong = |program: &String| {
        // From where a relative path is looked up is not there yet.
        let relative = program.contains('/') && !program.starts_with('/');
        let found = || startable(program, &host.env, &host.cwd).err();
        (!relative).then(found)?.map(|fault| in_full(&fault))
    };
    let own_program = own.argv.first();
    // One that is not on PATH is said with what installs it.
    let path = own_program.filter(|program| program.contains(['/', ' ']));
    if let Some(why) = path.and_then(wrong) {
        return Some(format!("its program: {why}"));
    }
    own.tool_servers.iter().find_map(|server| {
        let why = wrong(server.command.first()?)?;
        Some(format!("its tool server `{}`: {why}", server.name))
    })
}

/// Returns a fault with what mends it.
fn in_full(fault: &ProgramFault) -> String {
    match fault.remedy() {
        Some(remedy) => format!("{fault}; {remedy}"),
        None => fault.to_string(),
    }
}

fn explained(choice: &AgentSelection, why: &Unready) -> String {
    let name = &choice.name;
    match why {
        Unready::TooOld { .. } | Unready::TooNew { .. } => {
            format!("{name}: {why}{}", remedy(choice, &Outcome::Missing))
        }
        Unready::NoAccount => {
            let remedy = remedy(choice, &Outcome::Auth);
            format!("{name}: {}: {why}{remedy}", Outcome::Auth)
        }
        Unready::KeyRing(_) => format!("{name}: {why}"),
    }
}

fn remedy(choice: &AgentSelection, outcome: &Outcome) -> String {
    let remedy = choice.agent.remedy(outcome);
    remedy
        .map(|remedy| format!("; {remedy}"))
        .unwrap_or_default()
}

/// Returns why an installed program cannot work: it is too old, or has no account that a session could use, as far as
/// files and the environment show for certain; `own` is the user's profile of it.
pub fn unready(
    agent: &dyn Agent,
    own: Option<&CommandAgent>,
    program: &Path,
    host: &Host,
) -> Option<Unready> {
    // A wrapper may bring an account of its own; a package of the vendor's, or a program that is no script, does not.
    let version = installed_programs::version_of(program);
    if version.is_none() && !installed_programs::is_native(program) {
        return None;
    }
    let other = version.and_then(|version| agent.needs().other_version(&version));
    if other.is_some() || cfg!(target_os = "macos") {
        return other;
    }
    let Some(login) = agent.login().filter(|login| login.file_only) else {
        return without_account(agent, own, host);
    };
    let account = accounts::account(&login, host, own);
    match account.payer {
        Payer::Unknown if account.key_ring => Some(Unready::KeyRing(agent.needs().login_in_file)),
        Payer::Unknown => Some(Unready::NoAccount),
        _ => None,
    }
}

/// Returns why a program that cannot work without an account has none, where nothing shows one.
fn without_account(agent: &dyn Agent, own: Option<&CommandAgent>, host: &Host) -> Option<Unready> {
    let files = agent.needs().account_files?;
    // A profile, and variables that the user lets through, may be an account of any form.
    if own.is_some() || !host.session_variables.is_empty() {
        return None;
    }
    let own = agent.needs().account_variables;
    let of_account = |name: &std::ffi::OsStr| own.iter().any(|own| name == *own);
    // A switch that is off chooses nothing.
    let off = |value: &std::ffi::OsStr| value.is_empty() || value == "0" || value == "false";
    let mut variables = host.env.iter();
    if variables.any(|(name, value)| of_account(name) && !off(value)) {
        return None;
    }
    let home = host.var("HOME").map(PathBuf::from);
    let mut roots = home
        .iter()
        .map(PathBuf::as_path)
        .chain(host.cwd.ancestors());
    let mut key_ring = false;
    let shown = roots.any(|root| {
        files.iter().any(|file| {
            let text = std::fs::read(root.join(file.path)).unwrap_or_default();
            let text = String::from_utf8_lossy(&text);
            key_ring |= file.names_key_ring(&text);
            root.join(file.path).is_file() && file.shows_account(&text)
        })
    });
    match key_ring {
        _ if shown => None,
        true => Some(Unready::KeyRing(agent.needs().login_in_file)),
        false => Some(Unready::NoAccount),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::env::matches;
    use crate::test_files::write_program;
    use gatewalk_core::agents::by_name;

    /// Looks at a package of this version, with these variables and these files at home; returns why it is not ready.
    fn look(agent: &str, version: &str, variables: &[&str], files: &[(&str, &str)]) -> String {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        let program = root.join("node_modules/tool/cli.js");
        write_program(&program, "");
        let package = format!(r#"{{"version": "{version}"}}"#);
        write_program(&root.join("node_modules/tool/package.json"), &package);
        for (path, text) in files {
            write_program(&root.join("home").join(path), text);
        }
        std::fs::create_dir_all(root.join("home")).unwrap();
        let mut env = vec![("HOME".into(), root.join("home").into_os_string())];
        env.extend(variables.iter().map(|name| ((*name).into(), "x".into())));
        let host = Host {
            env,
            cwd: root.join("home"),
            ..Host::default()
        };
        let found = unready(by_name(agent).unwrap(), None, &program, &host);
        found.map_or_else(|| "ready".to_owned(), |why| why.to_string())
    }

    #[test]
    #[cfg_attr(target_os = "macos", ignore = "logins are in the key chain there")]
    fn a_program_without_an_account_is_known_before_it_is_started() {
        const NONE: &str = "no login and no key was found";
        for (agent, variable, file) in [
            ("claude", "ANTHROPIC_API_KEY", ".claude/.credentials.json"),
            ("codex", "CODEX_API_KEY", ".codex/auth.json"),
            ("gemini", "GEMINI_API_KEY", ".gemini/oauth_creds.json"),
            ("qwen", "OPENAI_API_KEY", ".qwen/oauth_creds.json"),
            ("copilot", "GH_TOKEN", ".config/gh/hosts.yml"),
            ("cline", "CLINE_API_KEY", ".cline/data/secrets.json"),
            ("continue", "ANTHROPIC_API_KEY", ".continue/config.yaml"),
            ("amp", "AMP_API_KEY", ".local/share/amp/secrets.json"),
            ("goose", "GOOSE_PROVIDER", ".config/goose/config.yaml"),
            ("cursor", "CURSOR_API_KEY", ".config/cursor/auth.json"),
            ("droid", "FACTORY_API_KEY", ".factory/auth.v2.file"),
        ] {
            assert_eq!(look(agent, "9.0.0", &[], &[]), NONE, "{agent}");
            assert_eq!(look(agent, "9.0.0", &["PAGER"], &[]), NONE, "{agent}");
            assert_eq!(look(agent, "9.0.0", &[variable], &[]), "ready", "{agent}");
            assert_eq!(look(agent, "9.0.0", &[], &[(file, "")]), "ready", "{agent}");
        }
        for (agent, no_account) in [
            ("gemini", "GEMINI_MODEL"),
            ("gemini", "GEMINI_SANDBOX"),
            // An editor's terminal sets it.
            ("gemini", "GEMINI_CLI_IDE_AUTH_TOKEN"),
            // Only by a switch that sends it elsewhere.
            ("gemini", "GOOGLE_API_KEY"),
            ("gemini", "GOOGLE_CLOUD_PROJECT"),
            ("qwen", "QWEN_SANDBOX"),
            ("qwen", "OPENAI_MODEL"),
            ("copilot", "COPILOT_MODEL"),
            ("copilot", "GH_HOST"),
            ("cline", "CLINE_LOG_LEVEL"),
            ("cline", "OPENAI_BASE_URL"),
            ("continue", "CONTINUE_TELEMETRY_ENABLED"),
            ("amp", "AMP_LOG_LEVEL"),
            ("goose", "GOOSE_DISABLE_KEYRING"),
        ] {
            let said = look(agent, "9.0.0", &[no_account], &[]);
            assert_eq!(said, NONE, "{agent} {no_account}");
        }
        for agent in [
            "gemini", "qwen", "copilot", "cline", "continue", "amp", "goose", "cursor", "droid",
        ] {
            let agent = by_name(agent).unwrap();
            let reaches = |own: &&str| {
                agent
                    .variables()
                    .iter()
                    .any(|kept| matches(kept, own.as_bytes()))
            };
            let lost = agent
                .needs()
                .account_variables
                .iter()
                .find(|own| !reaches(own));
            assert_eq!(lost, None, "{}: it reaches no session", agent.name());
        }
        // These work without one.
        assert_eq!(look("opencode", "1.17.17", &[], &[]), "ready");
        assert_eq!(look("aider", "0.86.0", &[], &[]), "ready");
        let new = look("opencode", "2.0.0", &[], &[]);
        assert!(new.contains("only those before 2.0.0"), "{new}");
        let settings = (".gemini/settings.json", "{}");
        assert_eq!(look("gemini", "9.0.0", &[], &[settings]), NONE);
        let old = look("gemini", "0.38.2", &["GEMINI_API_KEY"], &[]);
        assert!(old.contains("0.39.1 is the first"), "{old}");
        let ring = (
            ".codex/config.toml",
            "cli_auth_credentials_store = \"keyring\"\n",
        );
        assert!(look("codex", "9.0.0", &[], &[ring]).contains("key ring"));
        let ring = (
            ".gemini/settings.json",
            r#"{"security": {"auth": {"selectedType": "gemini-api-key"}}}"#,
        );
        assert!(look("gemini", "9.0.0", &[], &[ring]).contains("key ring"));
        for (shown, text) in [
            (".gemini/gemini-credentials.json", ""),
            (".gemini/.env", "GEMINI_API_KEY=x"),
        ] {
            let files = [ring, (shown, text)];
            assert_eq!(look("gemini", "9.0.0", &[], &files), "ready", "{shown}");
        }
        assert_eq!(
            look("gemini", "9.0.0", &["GEMINI_API_KEY"], &[ring]),
            "ready"
        );
        let ring = (".config/goose/config.yaml", "GOOSE_PROVIDER: anthropic\n");
        let said = look("goose", "9.0.0", &[], &[ring]);
        assert!(said.contains("GOOSE_DISABLE_KEYRING=1"), "{said}");
        for ready in [
            (".config/goose/secrets.yaml", "ANTHROPIC_API_KEY: x\n"),
            (".config/goose/config.yaml", "GOOSE_PROVIDER: ollama\n"),
        ] {
            assert_eq!(look("goose", "9.0.0", &[], &[ready]), "ready");
        }
        let ring = (
            ".copilot/config.json",
            r#"{"loggedInUsers": [{"login": "x"}]}"#,
        );
        let said = look("copilot", "9.0.0", &[], &[ring]);
        assert!(
            said.contains("key ring") && said.contains("copilot login"),
            "{said}"
        );
        let file = (
            ".copilot/config.json",
            r#"{"login": "x", "token": "gho_x"}"#,
        );
        assert_eq!(look("copilot", "9.0.0", &[], &[file]), "ready");
        let old = look("claude", "2.0.27", &["ANTHROPIC_API_KEY"], &[]);
        assert!(old.contains("2.0.28 is the first"), "{old}");
    }
}
