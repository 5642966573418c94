//! The user's own configuration: `$XDG_CONFIG_HOME/gatewalk/config.yml`. Only it, and the command
//! line, may name programs to run.

use super::process::Resources;
use super::user_config_file::UserConfigFile;
use gatewalk_core::agents::prices::PriceList;
use gatewalk_core::agents::{Agent, CommandAgent, PromptVia, ToolServer, by_name};
use gatewalk_core::error::{Error, Result};
use gatewalk_core::model::config::SandboxPolicy;
use gatewalk_core::model::frontmatter::{FromYaml, OneOrMany};
use gatewalk_core::model::yaml::{self, Node};
use std::ffi::OsString;
use std::path::PathBuf;

/// Returns where the user's configuration is, whether it exists or not.
pub fn path(env: &[(OsString, OsString)]) -> Option<PathBuf> {
    let var = |name: &str| {
        env.iter()
            .find(|(n, _)| n == name)
            .map(|(_, v)| PathBuf::from(v))
    };
    let base = var("XDG_CONFIG_HOME")
        .filter(|p| p.is_absolute())
        .or_else(|| Some(var("HOME")?.join(".config")))?;
    Some(base.join("gatewalk").join("config.yml"))
}

/// How the user confines attempts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Confinement {
    /// `sandbox`: how much is confined, if the user set it.
    pub policy: Option<SandboxPolicy>,
    /// `sandbox_writable`: more paths that attempts may change.
    pub writable: Vec<PathBuf>,
    /// `allow_unsandboxed`: whether a unit may ask to run unconfined.
    pub allow_unsandboxed: bool,
    /// `limits`: what each process of an attempt may use.
    pub resources: Resources,
}

/// Returns the error for a file of the configuration.
pub(crate) fn wrong(path: &std::path::Path, what: &str) -> Error {
    Error::plan(format!("`{}`: {what}", path.display()))
}

/// Returns how the user confines attempts.
pub fn confinement(env: &[(OsString, OsString)]) -> Result<Confinement> {
    let Some(file) = UserConfigFile::read(env)? else {
        return Ok(Confinement::default());
    };
    let root = &file.root;
    let mut notes = Vec::new();
    let policy = root
        .get("sandbox")
        .and_then(|e| SandboxPolicy::from_yaml(&e.value, "sandbox", &mut notes));
    let writable = root
        .get("sandbox_writable")
        .and_then(|e| OneOrMany::<String>::from_yaml(&e.value, "sandbox_writable", &mut notes));
    let allow = root
        .get("allow_unsandboxed")
        .and_then(|e| bool::from_yaml(&e.value, "allow_unsandboxed", &mut notes));
    if let Some(note) = notes.first() {
        return Err(file.wrong(note.span.start, &note.message));
    }
    let resources = match root.get("limits") {
        Some(entry) => {
            limits(&entry.value).map_err(|what| file.wrong(entry.key_span.start, &what))?
        }
        None => Resources::GENEROUS,
    };
    Ok(Confinement {
        policy,
        writable: writable
            .into_iter()
            .flat_map(|list| list.0)
            .map(|s| in_home(s.value, env))
            .collect(),
        allow_unsandboxed: allow.unwrap_or(false),
        resources,
    })
}

/// Returns the repositories that `serve` shows where it is started in none: `repositories`.
pub fn repositories(env: &[(OsString, OsString)]) -> Result<Vec<PathBuf>> {
    let Some(file) = UserConfigFile::read(env)? else {
        return Ok(vec![]);
    };
    let mut notes = Vec::new();
    let listed = file
        .root
        .get("repositories")
        .and_then(|e| OneOrMany::<String>::from_yaml(&e.value, "repositories", &mut notes));
    if let Some(note) = notes.first() {
        return Err(file.wrong(note.span.start, &note.message));
    }
    let all = listed.into_iter().flat_map(|list| list.0);
    Ok(all.map(|text| in_home(text.value, env)).collect())
}

/// Returns a path of the configuration, in which `~/` is the user's home.
fn in_home(text: String, env: &[(OsString, OsString)]) -> PathBuf {
    let home = env.iter().find(|(n, _)| n == "HOME").map(|(_, v)| v);
    match (text.strip_prefix("~/"), home) {
        (Some(rest), Some(home)) => PathBuf::from(home).join(rest),
        _ => PathBuf::from(text),
    }
}

/// Reads `limits`: a number each, or `none`.
fn limits(node: &Node) -> std::result::Result<Resources, String> {
    let mut found = Resources::GENEROUS;
    for entry in node.entries() {
        let (field, unit) = match &*entry.key {
            "processes" => (&mut found.processes, 1),
            "file_gb" => (&mut found.file_bytes, 1 << 30),
            "cpu_hours" => (&mut found.cpu_seconds, 60 * 60),
            "memory_gb" => (&mut found.memory_bytes, 1 << 30),
            "core_mb" => (&mut found.core_bytes, 1 << 20),
            other => {
                return Err(format!(
                    "`limits` has processes, file_gb, cpu_hours, memory_gb and core_mb, not `{other}`"
                ));
            }
        };
        let mut notes = Vec::new();
        let number = f64::from_yaml(&entry.value, "limits", &mut notes);
        *field = match (number, entry.value.as_str()) {
            (Some(number), _) if number >= 0.0 => Some((number * f64::from(unit as u32)) as u64),
            (None, Some("none")) => None,
            _ => return Err(format!("`limits`: `{}` is a number or `none`", entry.key)),
        };
    }
    Ok(found)
}

/// Returns the prices of `prices.yml` beside the configuration, before those that are built in.
pub fn prices(env: &[(OsString, OsString)]) -> Result<PriceList> {
    let Some(path) = path(env).map(|config| config.with_file_name("prices.yml")) else {
        return Ok(PriceList::default());
    };
    match std::fs::read_to_string(&path) {
        Ok(text) => PriceList::parse(&text).map_err(|what| wrong(&path, &what)),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(PriceList::default()),
        Err(e) => Err(Error::io("read", &path, &e)),
    }
}

/// Returns the agents the user defined.
pub fn agents(env: &[(OsString, OsString)]) -> Result<Vec<CommandAgent>> {
    let Some(file) = UserConfigFile::read(env)? else {
        return Ok(vec![]);
    };
    let Some(agents) = file.root.get("agents") else {
        return Ok(vec![]);
    };
    agents
        .value
        .entries()
        .iter()
        .map(|e| agent(&e.key, &e.value, env).map_err(|what| file.wrong(e.key_span.start, &what)))
        .collect()
}

fn agent(
    name: &str,
    node: &Node,
    env: &[(OsString, OsString)],
) -> std::result::Result<CommandAgent, String> {
    let adapter = node
        .get("speaks")
        .map_or(Some("command"), |e| e.value.as_str());
    let agent = adapter
        .and_then(by_name)
        .filter(|agent| agent.takes_program() || agent.probe().is_some())
        .ok_or_else(|| {
            format!(
                "agent `{name}`: `speaks` is the name of an adapter, such as `claude` or `command`"
            )
        })?;
    let argv = words(node, "command")?;
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
    let own = CommandAgent {
        adapter: agent.name(),
        name: name.to_owned(),
        argv,
        args: words(node, "args")?,
        set: settings(name, node, env)?,
        tool_servers: tool_servers(name, node)?,
        model,
        prompt: prompt_via(name, node)?,
        env_keep: words(node, "env")?,
    };
    fits(&own, agent)?;
    Ok(own)
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

/// Reads `set`: a value each; `~/` begins at the home directory, and `$NAME` is the variable's value.
fn settings(
    name: &str,
    node: &Node,
    env: &[(OsString, OsString)],
) -> std::result::Result<Vec<(String, String)>, String> {
    let variable = |name: &str| {
        let found = env.iter().find(|(n, _)| n == name);
        found.map(|(_, value)| value.to_string_lossy().into_owned())
    };
    let mut set = Vec::new();
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
            (Some(other), _) => variable(other),
            (None, Some(rest)) => variable("HOME").map(|home| format!("{home}/{rest}")),
            (None, None) => Some(value.to_owned()),
        };
        set.extend(value.map(|value| (entry.key.clone(), value)));
    }
    Ok(set)
}

/// Opens files in the user's editor and waits until they are done.
pub fn edit(files: &[std::path::PathBuf]) -> Result<()> {
    let editor = ["VISUAL", "EDITOR"]
        .into_iter()
        .find_map(|name| std::env::var(name).ok().filter(|v| !v.trim().is_empty()));
    let Some(editor) = editor else {
        return Err(Error::environment("neither `VISUAL` nor `EDITOR` is set")
            .hint("edit the drafts by hand, then `gatewalk arm --commit-plan`"));
    };
    if files.is_empty() {
        return Ok(());
    }
    // The variable may hold arguments, so a shell reads it, as git does.
    let status = std::process::Command::new("sh")
        .args(["-c", &format!("{editor} \"$@\""), "sh"])
        .args(files)
        .status()
        .map_err(|e| Error::environment(format!("cannot start `{editor}`")).with_source(e))?;
    if status.success() {
        return Ok(());
    }
    Err(Error::environment(format!("`{editor}` ended with {status}")).hint("nothing was armed"))
}
