//! The user's own configuration: `$XDG_CONFIG_HOME/gatewalk/config.yml`. Only it, and the command
//! line, may name programs to run.

mod configured_agent;

use super::process::Resources;
pub use super::user_config_file::path;
use super::user_config_file::{UserConfigFile, wrong};
use configured_agent::agent;
use gatewalk_core::agents::CommandAgent;
use gatewalk_core::agents::prices::PriceList;
use gatewalk_core::error::{Error, Result};
use gatewalk_core::model::config::SandboxPolicy;
use gatewalk_core::model::frontmatter::{FromYaml, OneOrMany};
use gatewalk_core::model::yaml::Node;
use std::ffi::OsString;
use std::path::PathBuf;

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
