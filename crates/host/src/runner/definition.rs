//! `runners` in the user's own configuration: a name, and the command that starts the far end there.

use crate::user_config;
use gatewalk_core::engine::runner_line;
use gatewalk_core::error::Result;
use gatewalk_core::model::frontmatter::{FromYaml, Note, OneOrMany};
use gatewalk_core::model::yaml::{Kind, Node};
use std::ffi::OsString;
use std::time::Duration;

/// How long either side may be silent before the lease is over.
const LEASE: Duration = Duration::from_secs(30);
/// The shortest lease: beats need time to travel.
const SHORTEST_LEASE: Duration = Duration::from_secs(2);
/// How long an engine may keep a session in its queue.
const WAIT: Duration = Duration::from_secs(60 * 60);
/// The most sessions on one runner at once.
const MOST_SLOTS: u32 = 1024;

/// The keys of a runner.
const KEYS: &[&str] = &[
    "command", "slots", "env", "program", "lease", "wait", "judges",
];

/// A runner as the user defined it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunnerDefinition {
    /// Its own name, without that of its set.
    pub name: String,
    /// The command line, with placeholders.
    pub command: Vec<String>,
    /// This program there.
    pub program: String,
    /// Sessions at once.
    pub slots: usize,
    /// Variables of the user's environment that are handed over, by name.
    pub env: Vec<String>,
    /// How long either side may be silent.
    pub lease: Duration,
    /// How long its engine may keep a session waiting.
    pub wait: Duration,
    /// Whether the user trusts it to judge what did not run there.
    pub judges: bool,
}

impl RunnerDefinition {
    /// Returns the environment of its command: without what is handed over, which goes through the pipe, for engines
    /// record what they find in their environment.
    pub(crate) fn client_environment(
        &self,
        env: &[(OsString, OsString)],
    ) -> Vec<(OsString, OsString)> {
        let handed = |name: &OsString| self.env.iter().any(|named| name == named.as_str());
        let kept = env.iter().filter(|(name, _)| !handed(name));
        kept.cloned().collect()
    }
}

/// Returns the runners the user defined.
pub fn runners(env: &[(OsString, OsString)]) -> Result<Vec<RunnerDefinition>> {
    let Some((path, root)) = user_config::read(env)? else {
        return Ok(vec![]);
    };
    let Some(runners) = root.get("runners") else {
        return Ok(vec![]);
    };
    let named = matches!(runners.value.kind, Kind::Mapping(_));
    if !named && runners.value.as_str() != Some("") {
        let what = "`runners` has an entry for each, as `big: {command: [ssh, big, \"{far}\"]}`";
        return Err(user_config::wrong(&path, what));
    }
    let entries = runners.value.entries().iter();
    entries
        .map(|e| {
            definition(&e.key, &e.value)
                .map_err(|what| user_config::wrong(&path, &format!("runner `{}`: {what}", e.key)))
        })
        .collect()
}

fn definition(name: &str, node: &Node) -> std::result::Result<RunnerDefinition, String> {
    if let Some(entry) = node.entries().iter().find(|e| !KEYS.contains(&&*e.key)) {
        return Err(format!(
            "unknown key `{}`; it has {}",
            entry.key,
            KEYS.join(", ")
        ));
    }
    let command = words(node, "command")?;
    if command.first().is_none_or(String::is_empty) {
        return Err("it needs `command: [program, argument, …]`".to_owned());
    }
    if let Some(unknown) = runner_line::unknown_placeholders(&command).first() {
        return Err(format!(
            "nothing fills {unknown} in its `command`; there are {{far}}, {{cpus}}, {{memory_mb}}, {{minutes}} and {{gpu}}"
        ));
    }
    let slots: u32 = value(node, "slots")?.unwrap_or(1);
    let judges = value(node, "judges")?.unwrap_or(false);
    if slots > MOST_SLOTS || slots == 0 && !judges {
        return Err(format!(
            "`slots` is a number from 1 to {MOST_SLOTS}, or 0 with `judges: true`: no sessions, only judging"
        ));
    }
    let lease = value(node, "lease")?.unwrap_or(LEASE);
    if lease < SHORTEST_LEASE {
        return Err("`lease` is 2s at least".to_owned());
    }
    let env = words(node, "env")?;
    if let Some(pair) = env
        .iter()
        .find(|name| name.contains('=') || name.is_empty())
    {
        return Err(format!(
            "`env` has names of variables, not `{}`: values come from your environment",
            pair.split('=').next().unwrap_or_default()
        ));
    }
    Ok(RunnerDefinition {
        name: name.to_owned(),
        command,
        program: value(node, "program")?.unwrap_or_else(|| "gatewalk".to_owned()),
        slots: slots as usize,
        env,
        lease,
        wait: value(node, "wait")?.unwrap_or(WAIT),
        judges,
    })
}

fn value<T: FromYaml>(node: &Node, key: &str) -> std::result::Result<Option<T>, String> {
    let mut notes: Vec<Note> = Vec::new();
    let read = node
        .get(key)
        .and_then(|entry| T::from_yaml(&entry.value, key, &mut notes));
    match notes.into_iter().next() {
        Some(note) => Err(note.message),
        None => Ok(read),
    }
}

fn words(node: &Node, key: &str) -> std::result::Result<Vec<String>, String> {
    let list: Option<OneOrMany<String>> = value(node, key)?;
    let list = list.map(|list| list.0).unwrap_or_default();
    Ok(list.into_iter().map(|word| word.value).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> std::result::Result<RunnerDefinition, String> {
        let (root, errors) = gatewalk_core::model::yaml::parse(text, 0);
        assert!(errors.is_empty(), "{errors:?}");
        definition("big", &root.unwrap())
    }

    #[test]
    fn a_runner_has_a_command_and_sensible_rest() {
        let least = read("command: [ssh, big, \"{far}\"]\n").unwrap();
        assert_eq!(least.command, ["ssh", "big", "{far}"]);
        assert_eq!((least.slots, &*least.program), (1, "gatewalk"));
        assert_eq!((least.lease, least.wait), (LEASE, WAIT));
        assert!(!least.judges, "no machine is trusted with that by itself");
        let only = read("command: x\nslots: 0\njudges: true\n").unwrap();
        assert_eq!((only.slots, only.judges), (0, true));
        let all =
            read("command: run\nslots: 8\nenv: [A_KEY]\nprogram: ~/bin/gw\nlease: 5s\nwait: 12h\n")
                .unwrap();
        assert_eq!((all.slots, &*all.program), (8, "~/bin/gw"));
        assert_eq!(all.env, ["A_KEY"]);
        assert_eq!(all.lease, Duration::from_secs(5));
        assert_eq!(all.wait, Duration::from_secs(12 * 60 * 60));
    }

    #[test]
    fn what_cannot_be_meant_is_refused() {
        let rows = [
            ("slots: 2\n", "it needs `command"),
            ("command: []\n", "it needs `command"),
            ("command: [x, \"{mem}\"]\n", "nothing fills {mem}"),
            ("command: x\nslots: 0\n", "from 1 to"),
            ("command: x\nslots: 4096\n", "from 1 to"),
            ("command: x\nlease: 1s\n", "2s at least"),
            ("command: x\nlease: soon\n", "duration"),
            ("command: x\nenv: [A=b]\n", "not `A`"),
            ("command: x\nslot: 2\n", "unknown key `slot`"),
            ("command: x\njudges: maybe\n", "judges"),
        ];
        for (text, want) in rows {
            let error = read(text).unwrap_err();
            assert!(error.contains(want), "{text}: {error}");
            assert!(!error.contains("=b"), "{error}");
        }
    }
}
