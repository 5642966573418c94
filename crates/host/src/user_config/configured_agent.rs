//! An agent of the user's own configuration: what it speaks, how it is started, and what it is given.

use gatewalk_core::agents::{self, Agent, CommandAgent, Login, PromptVia, ToolServer, by_name};
use gatewalk_core::model::frontmatter::{FromYaml, OneOrMany, nearest};
use gatewalk_core::model::yaml::{self, Node};
use std::ffi::OsString;

/// What an entry may say.
const KEYS: &[&str] = &[
    "speaks", "command", "args", "env", "set", "model", "mcp", "prompt",
];

/// Reads one entry of `agents`.
pub(super) fn agent(
    name: &str,
    node: &Node,
    env: &[(OsString, OsString)],
) -> std::result::Result<CommandAgent, String> {
    let agent = adapter(name, node)?;
    let argv = command(node, env)?;
    if argv.is_empty() && agent.takes_program() {
        return Err(format!(
            "agent `{name}` needs `command: [program, argument, …]`"
        ));
    }
    let mut notes = Vec::new();
    let model = node
        .get("model")
        .and_then(|e| String::from_yaml(&e.value, "model", &mut notes));
    if let Some(note) = notes.first() {
        return Err(note.message.clone());
    }
    let (set, lacking) = settings(name, node, env)?;
    let own = CommandAgent {
        adapter: agent.name(),
        name: name.to_owned(),
        argv,
        args: words(node, "args")?,
        set,
        lacking,
        tool_servers: tool_servers(name, node)?,
        model,
        prompt: prompt_via(name, node)?,
        env_keep: words(node, "env")?,
    };
    fits(&own, agent)?;
    Ok(own)
}

/// Returns the adapter that an entry speaks; refuses keys that mean nothing.
fn adapter(name: &str, node: &Node) -> std::result::Result<&'static dyn Agent, String> {
    let other = node
        .entries()
        .iter()
        .find(|entry| !KEYS.contains(&&*entry.key));
    if let Some(entry) = other {
        let near = nearest(&entry.key, KEYS.iter().copied());
        let hint = near.map_or_else(
            || format!("its keys: {}", KEYS.join(", ")),
            |near| format!("did you mean `{near}`?"),
        );
        return Err(format!(
            "agent `{name}`: unknown key `{}`; {hint}",
            entry.key
        ));
    }
    let spoken = match node.get("speaks") {
        None => "command",
        Some(entry) => entry.value.as_str().unwrap_or_default(),
    };
    let found = by_name(spoken).filter(|agent| agent.takes_program() || agent.probe().is_some());
    let Some(agent) = found else {
        let hint = agents::nearest(spoken).map_or_else(
            || "it is one such as `claude` or `command`".to_owned(),
            |near| format!("did you mean `{near}`?"),
        );
        return Err(format!(
            "agent `{name}`: no adapter is called `{spoken}` (`speaks`); {hint}"
        ));
    };
    // A record that names the one would mean the other.
    match by_name(name) {
        Some(built_in) if built_in.name() != agent.name() => Err(format!(
            "agent `{name}` is built in and may speak nothing else than `speaks: {name}`; give this one a name of its own"
        )),
        _ => Ok(agent),
    }
}

/// Refuses settings that the adapter has no use for, or that would send a login elsewhere.
fn fits(own: &CommandAgent, agent: &dyn Agent) -> std::result::Result<(), String> {
    let name = &own.name;
    if !own.tool_servers.is_empty() && !agent.takes_tool_servers() {
        return Err(format!(
            "agent `{name}`: `{}` cannot be given tool servers for a session",
            agent.name()
        ));
    }
    let lonely = agent
        .login()
        .and_then(|login| login.address_without_key(&own.account_names()));
    match lonely {
        Some(address) => Err(format!(
            "agent `{name}` sets {address} without a key for it: the login would be sent there"
        )),
        None => Ok(()),
    }
}

/// Reads `command`; a word that begins with `~/` begins at the home directory, as a shell has it.
fn command(node: &Node, env: &[(OsString, OsString)]) -> std::result::Result<Vec<String>, String> {
    let path = |word| super::in_home(word, env).to_string_lossy().into_owned();
    Ok(words(node, "command")?.into_iter().map(path).collect())
}

/// Reads a key that holds one word or several.
fn words(node: &Node, key: &str) -> std::result::Result<Vec<String>, String> {
    let Some(entry) = node.get(key) else {
        return Ok(vec![]);
    };
    let mut notes = Vec::new();
    let list = OneOrMany::<String>::from_yaml(&entry.value, key, &mut notes);
    match (list, notes.first()) {
        (Some(list), None) => Ok(list.0.into_iter().map(|s| s.value).collect()),
        (_, note) => Err(note.map_or_else(String::new, |n| n.message.clone())),
    }
}

fn prompt_via(name: &str, node: &Node) -> std::result::Result<PromptVia, String> {
    match node.get("prompt").and_then(|e| e.value.as_str()) {
        None | Some("stdin") => Ok(PromptVia::Stdin),
        Some("argument") => Ok(PromptVia::Argument),
        Some("file") => Ok(PromptVia::File),
        Some(other) => Err(format!(
            "agent `{name}`: `prompt` is stdin, argument or file, not `{other}`"
        )),
    }
}

/// Reads `mcp`: a server each, with its `command` or its `url`, and `env`, the variables it may see.
fn tool_servers(name: &str, node: &Node) -> std::result::Result<Vec<ToolServer>, String> {
    let entries = node.get("mcp").map(|e| e.value.entries());
    let server = |entry: &yaml::Entry| {
        let words = |key: &str| -> Vec<String> {
            let mut notes = Vec::new();
            let list = entry.value.get(key);
            let list = list.and_then(|e| OneOrMany::<String>::from_yaml(&e.value, key, &mut notes));
            list.into_iter()
                .flat_map(|list| list.0)
                .map(|s| s.value)
                .collect()
        };
        let url = entry.value.get("url").and_then(|e| e.value.as_str());
        let server = ToolServer {
            name: entry.key.clone(),
            command: words("command"),
            url: url.map(str::to_owned),
            env_keep: words("env"),
        };
        let plain = server
            .name
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'));
        match server.command.is_empty() == server.url.is_none() || !plain {
            true => Err(format!(
                "agent `{name}`: `mcp` names servers as `NAME: {{command: [program, argument]}}` or `NAME: {{url: https://…}}`"
            )),
            false => Ok(server),
        }
    };
    entries.unwrap_or_default().iter().map(server).collect()
}

/// What `set` gives a session, by variable, and which of them has no value in this environment, in words.
type ProfileVariables = (Vec<(String, String)>, Option<String>);

/// Reads `set`: a value each; `~/` begins at the home directory, and `$NAME` is the variable's value. Says which key has
/// none in this environment, which stands in the way of nothing but a session of this agent.
fn settings(
    name: &str,
    node: &Node,
    env: &[(OsString, OsString)],
) -> std::result::Result<ProfileVariables, String> {
    let variable = |name: &str| {
        let found = env.iter().find(|(n, _)| n == name);
        found.map(|(_, value)| value.to_string_lossy().into_owned())
    };
    let (mut set, mut lacking) = (Vec::new(), None);
    for entry in node
        .get("set")
        .map(|e| e.value.entries())
        .unwrap_or_default()
    {
        let Some(value) = entry.value.as_str() else {
            return Err(format!(
                "agent `{name}`: `set` needs a text for {}",
                entry.key
            ));
        };
        let value = match (value.strip_prefix('$'), value.strip_prefix("~/")) {
            (Some(other), _) if variable(other).is_none() && Login::is_key(&entry.key) => {
                let why = format!("{} is to be `${other}`, which is not set", entry.key);
                lacking = lacking.or(Some(why));
                Some(String::new())
            }
            (Some(other), _) => variable(other),
            (None, Some(rest)) => variable("HOME").map(|home| format!("{home}/{rest}")),
            (None, None) => Some(value.to_owned()),
        };
        set.extend(value.map(|value| (entry.key.clone(), value)));
    }
    Ok((set, lacking))
}
