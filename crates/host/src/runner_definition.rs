//! `runners` in the user's own configuration: a name, and the command that starts the far end there.

use crate::user_config_file::UserConfigFile;
use gatewalk_core::engine::{runner_line, runner_pipe};
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

/// The longest name.
const NAME: usize = 40;
/// Variables by which the command itself is found and finds its way; a machine has its own.
const OF_A_MACHINE: &[&str] = &["PATH", "HOME", "SSH_AUTH_SOCK"];

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
    pub(crate) command: Vec<String>,
    /// This program there.
    pub program: String,
    /// Sessions at once.
    pub slots: usize,
    /// Variables of the user's environment that are handed over, by name.
    pub(crate) env: Vec<String>,
    /// How long either side may be silent.
    pub lease: Duration,
    /// How long its engine may keep a session waiting.
    pub wait: Duration,
    /// Whether the user trusts it to judge what did not run there.
    pub judges: bool,
}

impl RunnerDefinition {
    /// Returns a runner with nothing but its name.
    #[cfg(test)]
    pub(crate) fn named(name: &str) -> RunnerDefinition {
        RunnerDefinition {
            name: name.to_owned(),
            command: vec![],
            program: "gatewalk".to_owned(),
            slots: 1,
            env: vec![],
            lease: SHORTEST_LEASE,
            wait: SHORTEST_LEASE,
            judges: false,
        }
    }

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
    let Some(file) = UserConfigFile::read(env)? else {
        return Ok(vec![]);
    };
    let Some(runners) = file.root.get("runners") else {
        return Ok(vec![]);
    };
    let named = matches!(runners.value.kind, Kind::Mapping(_));
    if !named && runners.value.as_str() != Some("") {
        let what = "`runners` has an entry for each, as `big: {command: [ssh, big, \"{far}\"]}`";
        return Err(file.wrong(runners.key_span.start, what));
    }
    let entries = runners.value.entries().iter();
    entries
        .map(|e| {
            definition(&e.key, &e.value).map_err(|fault| {
                let at = fault.at.unwrap_or(e.key_span.start);
                file.wrong(at, &format!("runner `{}`: {}", e.key, fault.what))
            })
        })
        .collect()
}

/// What is wrong with a runner, and at which byte of the file; the runner's name where that is not known closer.
#[derive(Debug)]
struct DefinitionFault {
    at: Option<usize>,
    what: String,
}

type Defined<T> = std::result::Result<T, DefinitionFault>;

fn definition(name: &str, node: &Node) -> Defined<RunnerDefinition> {
    refuse(!is_name(name), (node, ""), || {
        format!(
            "a name has up to {NAME} letters, digits, `-`, `_` and `.`: `--runner` and plans name it"
        )
    })?;
    if let Some(entry) = node.entries().iter().find(|e| !KEYS.contains(&&*e.key)) {
        return Err(DefinitionFault {
            at: Some(entry.key_span.start),
            what: format!("unknown key `{}`; it has {}", entry.key, KEYS.join(", ")),
        });
    }
    let slots: u32 = value(node, "slots")?.unwrap_or(1);
    let judges = value(node, "judges")?.unwrap_or(false);
    refuse(
        slots > MOST_SLOTS || slots == 0 && !judges,
        (node, "slots"),
        || {
            format!(
                "`slots` is a number from 1 to {MOST_SLOTS}, or 0 with `judges: true`: no sessions, only judging"
            )
        },
    )?;
    let lease = value(node, "lease")?.unwrap_or(LEASE);
    refuse(lease < SHORTEST_LEASE, (node, "lease"), || {
        "`lease` is 2s at least".to_owned()
    })?;
    let wait = value(node, "wait")?.unwrap_or(WAIT);
    refuse(wait < SHORTEST_LEASE, (node, "wait"), || {
        "`wait` is 2s at least: nothing starts in less".to_owned()
    })?;
    let program = value(node, "program")?.unwrap_or_else(|| "gatewalk".to_owned());
    let more = program.ends_with(" far-end");
    refuse(program.trim().is_empty() || more, (node, "program"), || {
        "`program` is the name or the path of this program there, and nothing else".to_owned()
    })?;
    Ok(RunnerDefinition {
        name: name.to_owned(),
        command: command(node)?,
        program,
        slots: slots as usize,
        env: handed_over(node)?,
        lease,
        wait,
        judges,
    })
}

fn command(node: &Node) -> Defined<Vec<String>> {
    let bare = |word: &&Node| matches!(word.kind, Kind::Mapping(_));
    let listed = node.get("command").map(|own| own.value.items());
    if let Some(word) = listed.unwrap_or_default().iter().find(bare) {
        return Err(DefinitionFault {
            at: Some(word.span.start),
            what: "what is in braces needs quotes around it, as `\"{far}\"`".to_owned(),
        });
    }
    let command = words(node, "command")?;
    refuse(
        command.first().is_none_or(String::is_empty),
        (node, "command"),
        || "it needs `command: [program, argument, …]`".to_owned(),
    )?;
    let line = |word: &String| word.contains(' ') && !word.starts_with(['/', '.', '~']);
    refuse(
        command.len() == 1 && line(&command[0]),
        (node, "command"),
        || {
            let words = command[0].replace(['"', '\''], " ");
            let quoted = |word: &str| match word.contains('{') {
                true => format!("\"{word}\""),
                false => word.to_owned(),
            };
            let words: Vec<String> = words.split_whitespace().map(quoted).collect();
            let list = words.join(", ");
            format!("no shell reads `command`: write it as a list, as `[{list}]`")
        },
    )?;
    let fars = command.iter().map(|word| word.matches("{far}").count());
    refuse(fars.sum::<usize>() > 1, (node, "command"), || {
        "`{far}` stands once: it is the whole command line of the far end".to_owned()
    })?;
    let pipeless = runner_pipe::pipeless(&command);
    refuse(pipeless.is_some(), (node, "command"), || {
        pipeless.clone().unwrap_or_default()
    })?;
    let unknown = runner_line::unknown_placeholders(&command);
    refuse(!unknown.is_empty(), (node, "command"), || {
        format!(
            "nothing fills {} in its `command`; there are {{far}}, {{cpus}}, {{memory_mb}}, {{minutes}} and {{gpu}}, and `{{ x }}` or `${{x}}` stays as it is",
            unknown[0]
        )
    })?;
    Ok(command)
}

/// Returns the variables whose values go through the pipe.
fn handed_over(node: &Node) -> Defined<Vec<String>> {
    let env = words(node, "env")?;
    let unfit = env.iter().find(|name| !is_variable(name));
    refuse(unfit.is_some(), (node, "env"), || {
        let name = unfit.and_then(|pair| pair.split('=').next());
        format!(
            "`env` has names of variables, not `{}`: values come from your environment",
            name.unwrap_or_default()
        )
    })?;
    let own = env.iter().find(|name| OF_A_MACHINE.contains(&&***name));
    refuse(own.is_some(), (node, "env"), || {
        let name = own.map(String::as_str).unwrap_or_default();
        format!(
            "`env` cannot hand over {name}, which each machine has for itself; `env {name}=… {{far}}` in `command` sets it there"
        )
    })?;
    Ok(env)
}

fn is_name(name: &str) -> bool {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"-_.".contains(&b);
    let first = name
        .bytes()
        .next()
        .is_some_and(|b| b.is_ascii_alphanumeric());
    first && name.len() <= NAME && name.bytes().all(plain)
}

fn is_variable(name: &str) -> bool {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    let first = name.bytes().next().is_some_and(|b| !b.is_ascii_digit());
    first && name.bytes().all(plain)
}

/// Refuses a definition for the value of a key, if it is there.
fn refuse(wrong: bool, (node, key): (&Node, &str), what: impl Fn() -> String) -> Defined<()> {
    match wrong {
        true => Err(DefinitionFault {
            at: node.get(key).map(|entry| entry.value.span.start),
            what: what(),
        }),
        false => Ok(()),
    }
}

fn value<T: FromYaml>(node: &Node, key: &str) -> Defined<Option<T>> {
    let mut notes: Vec<Note> = Vec::new();
    let read = node
        .get(key)
        .and_then(|entry| T::from_yaml(&entry.value, key, &mut notes));
    match notes.into_iter().next() {
        Some(note) => Err(DefinitionFault {
            at: Some(note.span.start),
            what: note.message,
        }),
        None => Ok(read),
    }
}

fn words(node: &Node, key: &str) -> Defined<Vec<String>> {
    let list: Option<OneOrMany<String>> = value(node, key)?;
    let list = list.map(|list| list.0).unwrap_or_default();
    Ok(list.into_iter().map(|word| word.value).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(name: &str, text: &str) -> Defined<RunnerDefinition> {
        let (root, errors) = gatewalk_core::model::yaml::parse(text, 0);
        assert!(errors.is_empty(), "{errors:?}");
        definition(name, &root.unwrap())
    }

    fn read(text: &str) -> Defined<RunnerDefinition> {
        named("big", text)
    }

    #[test]
    fn a_name_can_be_named_on_a_command_line_and_in_a_plan() {
        for (name, fits) in [
            ("big", true),
            ("gpu-2.site_a", true),
            ("", false),
            ("-big", false),
            ("a,b", false),
            ("a b", false),
            ("../x", false),
            ("größer", false),
        ] {
            assert_eq!(named(name, "command: x\n").is_ok(), fits, "{name}");
        }
        assert!(named(&"x".repeat(NAME), "command: x\n").is_ok());
        assert!(named(&"x".repeat(NAME + 1), "command: x\n").is_err());
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
            ("slots: 2\n", None, "it needs `command"),
            ("command: []\n", Some("[]"), "it needs `command"),
            (
                "command: [x, \"{mem}\"]\n",
                Some("["),
                "nothing fills {mem}",
            ),
            ("command: x\nslots: 0\n", Some("0"), "from 1 to"),
            ("command: x\nslots: 4096\n", Some("4096"), "from 1 to"),
            ("command: x\nlease: 1s\n", Some("1s"), "2s at least"),
            ("command: x\nwait: 0s\n", Some("0s"), "2s at least"),
            (
                "command: ssh big {far}\n",
                Some("ssh"),
                "as `[ssh, big, \"{far}\"]`",
            ),
            (
                "command: [ssh, big, {far}]\n",
                Some("{far"),
                "needs quotes around it",
            ),
            (
                "command: [ssh, big, \"{far} || {far}\"]\n",
                Some("[ssh"),
                "`{far}` stands once",
            ),
            (
                "command: [ssh, big, \"{Far}\"]\n",
                Some("[ssh"),
                "nothing fills {Far}",
            ),
            (
                "command: [ssh, -N, big, \"{far}\"]\n",
                Some("[ssh"),
                "`ssh -N` starts no command there",
            ),
            ("command: x\nlease: soon\n", Some("soon"), "duration"),
            ("command: x\nenv: [A=b]\n", Some("[A"), "not `A`"),
            ("command: x\nenv: [A B]\n", Some("[A"), "not `A B`"),
            ("command: x\nenv: [2A]\n", Some("[2A"), "not `2A`"),
            ("command: x\nenv: [PATH]\n", Some("[PATH"), "hand over PATH"),
            (
                "command: x\nprogram: \" \"\n",
                Some("\" \""),
                "`program` is",
            ),
            (
                "command: x\nprogram: gw far-end\n",
                Some("gw"),
                "and nothing else",
            ),
            ("command: x\nslot: 2\n", Some("slot"), "unknown key `slot`"),
            ("command: x\njudges: maybe\n", Some("maybe"), "judges"),
        ];
        for (text, at, want) in rows {
            let fault = read(text).unwrap_err();
            assert!(fault.what.contains(want), "{text}: {fault:?}");
            assert!(!fault.what.contains("=b"), "{fault:?}");
            assert_eq!(fault.at, at.and_then(|at| text.find(at)), "{text}");
        }
    }
}
