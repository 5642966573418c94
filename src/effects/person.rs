//! The person's own configuration: `$XDG_CONFIG_HOME/gatewalk/config.yml`. Only it, and the command
//! line, may name programs to run.

use crate::agents::{CommandAgent, PromptVia, takes_program};
use crate::error::{Error, Result};
use crate::model::front::{FromYaml, OneOrMany};
use crate::model::yaml::{self, Node};
use std::ffi::OsString;
use std::path::PathBuf;

/// Returns where the person's configuration is, whether it exists or not.
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

/// Returns the agents the person defined.
pub fn agents(env: &[(OsString, OsString)]) -> Result<Vec<CommandAgent>> {
    let Some(path) = path(env) else {
        return Ok(vec![]);
    };
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(vec![]),
        Err(e) => return Err(Error::io("read", &path, &e)),
    };
    let (root, errors) = yaml::parse(&text, 0);
    let wrong = |what: String| Error::plan(format!("`{}`: {what}", path.display()));
    if let Some(error) = errors.first() {
        let line = text[..error.span.start.min(text.len())]
            .matches('\n')
            .count()
            + 1;
        return Err(wrong(format!("line {line}: {}", error.message)));
    }
    let Some(agents) = root.as_ref().and_then(|r| r.get("agents")) else {
        return Ok(vec![]);
    };
    agents
        .value
        .entries()
        .iter()
        .map(|e| agent(&e.key, &e.value).map_err(&wrong))
        .collect()
}

fn agent(name: &str, node: &Node) -> std::result::Result<CommandAgent, String> {
    let words = |key: &str| -> std::result::Result<Vec<String>, String> {
        let Some(entry) = node.get(key) else {
            return Ok(vec![]);
        };
        let mut notes = Vec::new();
        let list = OneOrMany::<String>::from_yaml(&entry.value, key, &mut notes);
        match (list, notes.first()) {
            (Some(list), None) => Ok(list.0.into_iter().map(|s| s.value).collect()),
            (_, note) => Err(note.map_or_else(String::new, |n| n.message.clone())),
        }
    };
    let argv = words("command")?;
    if argv.is_empty() {
        return Err(format!(
            "agent `{name}` needs `command: [program, argument, …]`"
        ));
    }
    let prompt = match node.get("prompt").and_then(|e| e.value.as_str()) {
        None | Some("stdin") => PromptVia::Stdin,
        Some("argument") => PromptVia::Argument,
        Some("file") => PromptVia::File,
        Some(other) => {
            return Err(format!(
                "agent `{name}`: `prompt` is stdin, argument or file, not `{other}`"
            ));
        }
    };
    let speaks = node
        .get("speaks")
        .map_or(Some("command"), |e| e.value.as_str());
    let adapter = speaks.and_then(takes_program).ok_or_else(|| {
        format!("agent `{name}`: `speaks` is the name of an adapter that takes a program, such as `command`")
    })?;
    Ok(CommandAgent {
        adapter,
        name: name.to_owned(),
        argv,
        prompt,
        env_keep: words("env")?,
    })
}

/// Opens files in the person's editor and waits until they are done.
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
        .map_err(|e| Error::environment(format!("cannot start `{editor}`: {e}")))?;
    if status.success() {
        return Ok(());
    }
    Err(Error::environment(format!("`{editor}` ended with {status}")).hint("nothing was armed"))
}
