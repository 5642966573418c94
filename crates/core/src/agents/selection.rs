//! Which agent a word means, and who may say it.
//!
//! A plan may name agents; only the user may say which programs they are. So `command:…` and
//! `script:…` are read from the command line and the user's own configuration, never from the
//! repository.

use super::{ALL, Agent, AgentCommand, PromptVia, Request, ToolServer, by_name, nearest};
use crate::error::{Error, Result};
use crate::path_names::file_name;
use std::path::{Path, PathBuf};

/// The adapter that replays recorded sessions.
const SCRIPT: &str = "script";

/// An agent of the user's own: a program, or a profile of an adapter's program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandAgent {
    /// The name plans use.
    pub name: String,
    /// Program and arguments; `{model}` and `{prompt_file}` are filled in. Empty for a profile that runs the
    /// adapter's program as it is found.
    pub argv: Vec<String>,
    /// More arguments for the adapter's program.
    pub args: Vec<String>,
    /// Variables to set; with them the account that the profile uses.
    pub set: Vec<(String, String)>,
    /// The model, whatever the plan asks other agents for.
    pub model: Option<String>,
    /// How the prompt reaches it.
    pub prompt: PromptVia,
    /// Variables it may see, besides the driver's allow-list.
    pub env_keep: Vec<String>,
    /// Tool servers that its sessions have.
    pub tool_servers: Vec<ToolServer>,
    /// The adapter that speaks with it.
    pub adapter: &'static str,
    /// A key that it sets to the value of a variable that is not set here: its sessions would be paid by another account.
    pub lacking: Option<String>,
}

/// What `command` and `script` run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Definition {
    /// A program that the user defined, with how it takes its prompt.
    Command(CommandAgent),
    /// A recorded session: a file, or a directory of them.
    Script(PathBuf),
}

/// An agent picked by name.
#[derive(Clone)]
pub struct AgentSelection {
    /// What to call it in logs, events and trailers.
    pub name: String,
    /// The adapter that starts the program and reads its output.
    pub agent: &'static dyn Agent,
    /// What it runs, where the adapter alone does not say.
    pub definition: Option<Definition>,
}

impl std::fmt::Debug for AgentSelection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Choice")
            .field("name", &self.name)
            .field("definition", &self.definition)
            .finish_non_exhaustive()
    }
}

impl AgentSelection {
    /// Returns the user's own agent, where it is one.
    pub fn own(&self) -> Option<&CommandAgent> {
        match &self.definition {
            Some(Definition::Command(own)) => Some(own),
            _ => None,
        }
    }

    /// Returns the process that starts a session for `request`, as the profile wants it.
    ///
    /// Fails where the agent has no program or no recording to run.
    pub fn command(&self, request: &Request<'_>) -> Result<AgentCommand> {
        let own = self.own();
        let model = own.and_then(|own| own.model.as_deref());
        let request = Request {
            model: model.or(request.model),
            ..*request
        };
        let mut command = self.agent.command(&request)?;
        let servers = own.map_or(&[][..], |own| &own.tool_servers);
        let via = self.agent.descriptor().tool_servers;
        let Some(own) = own else {
            via.pass(servers, &mut command);
            return Ok(command);
        };
        command.env.extend(own.set.iter().cloned());
        if self.agent.takes_program() {
            return Ok(command);
        }
        via.pass(servers, &mut command);
        command.keep_env.extend(own.env_keep.iter().cloned());
        // Behind what every session begins with: a subcommand stays the first.
        let base = self.agent.descriptor().args.len();
        command.args.splice(base..base, own.args.iter().cloned());
        if let Some((program, first)) = own.argv.split_first() {
            command.program.clone_from(program);
            command.args.splice(0..0, first.iter().cloned());
        }
        Ok(command)
    }
}

impl CommandAgent {
    /// Returns the variables whose values are the profile's own: those it sets and those it names in full.
    pub fn account_names(&self) -> Vec<String> {
        let named = self.env_keep.iter().filter(|name| !name.ends_with('*'));
        let set = self.set.iter().map(|(name, _)| name);
        set.chain(named).cloned().collect()
    }

    /// Returns the agents whose programs its command line names.
    pub fn named_agents(&self) -> impl Iterator<Item = &'static dyn Agent> {
        let words = self.argv.iter().flat_map(|arg| arg.split_whitespace());
        let named: Vec<&str> = words.map(file_name).collect();
        let agents = ALL.iter().copied();
        agents.filter(move |agent| {
            agent
                .probe()
                .is_some_and(|(program, _)| named.contains(&program))
        })
    }

    /// Returns the program it runs.
    pub fn program(&self) -> Option<&str> {
        let adapters = || by_name(self.adapter)?.probe().map(|(program, _)| program);
        self.argv.first().map(String::as_str).or_else(adapters)
    }
}

/// What the user has set up on this machine.
#[derive(Debug, Clone, Copy)]
pub struct UserAgents<'a> {
    /// Programs from their own configuration.
    pub defined: &'a [CommandAgent],
    /// The directory that relative paths on the command line start from.
    pub cwd: &'a Path,
}

/// What a word for an agent names, before anything is looked up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AgentWord<'w> {
    /// Recorded sessions, in a file or a directory.
    Script(&'w str),
    /// A program with its arguments, spoken with by an adapter that takes any.
    Program {
        /// The name of that adapter.
        adapter: &'static str,
        /// The program and its arguments.
        line: &'w str,
    },
    /// An adapter, or an agent of the user's own.
    Name(&'w str),
}

impl<'w> AgentWord<'w> {
    /// Reads a word of the command line, the plan or a record.
    pub(crate) fn parse(word: &'w str) -> AgentWord<'w> {
        let Some((head, rest)) = word.split_once(':') else {
            return AgentWord::Name(word);
        };
        match takes_program(head) {
            Some(adapter) => AgentWord::Program {
                adapter,
                line: rest,
            },
            None if head == SCRIPT => AgentWord::Script(rest),
            None => AgentWord::Name(word),
        }
    }
}

/// Returns the chain that a word of the command line names, the first preferred, with the model of each:
/// `claude:opus,codex`. What names a program or a path goes on to the end of the word.
pub fn chain_of_word(word: &str) -> Vec<(&str, Option<&str>)> {
    let mut chain = Vec::new();
    let mut rest = word;
    loop {
        rest = rest.trim_start();
        let AgentWord::Name(names) = AgentWord::parse(rest) else {
            chain.push((rest, None));
            return chain;
        };
        let (first, more) = names
            .split_once(',')
            .map_or((names, None), |(first, more)| (first, Some(more)));
        let (agent, model) = first
            .split_once(':')
            .map_or((first, None), |(agent, model)| (agent, Some(model.trim())));
        chain.push((agent.trim(), model.filter(|model| !model.is_empty())));
        match more {
            Some(more) => rest = more,
            None => return chain,
        }
    }
}

/// Returns the agent the user means: a name, `script:PATH`, or `ADAPTER:PROGRAM ARGS…` for the
/// adapters that take one.
///
/// A word that names nothing is the fault of the command line (`usage`), an unknown name that of the plan.
pub fn choose(word: &str, user: &UserAgents<'_>) -> Result<AgentSelection> {
    let (adapter, line) = match AgentWord::parse(word) {
        AgentWord::Program { adapter, line } => (adapter, line),
        AgentWord::Script("") => {
            return Err(without_recording());
        }
        AgentWord::Script(path) => {
            let path = user.cwd.join(path);
            return built(SCRIPT.into(), SCRIPT, Some(Definition::Script(path)));
        }
        AgentWord::Name(name) => match bare(name, user) {
            Some(error) => return Err(error),
            None => return choose_planned(name, user),
        },
    };
    let argv = split_words(line)?;
    let Some(program) = argv.first() else {
        return Err(without_program(&format!("{adapter}:"), adapter));
    };
    let name = Path::new(program)
        .file_name()
        .map_or(program.clone(), |name| name.to_string_lossy().into_owned());
    let definition = CommandAgent {
        name: name.clone(),
        argv,
        prompt: PromptVia::Stdin,
        args: Vec::new(),
        set: Vec::new(),
        model: None,
        tool_servers: Vec::new(),
        env_keep: Vec::new(),
        adapter,
        lacking: None,
    };
    built(name, adapter, Some(Definition::Command(definition)))
}

/// Returns the error for a word of the command line that names nothing, or an adapter without what it is to run.
fn bare(name: &str, user: &UserAgents<'_>) -> Option<Error> {
    if name.is_empty() {
        let known: Vec<&str> = known(user).collect();
        let error = Error::plan("the name of an agent is empty");
        return Some(error.hint(format!("known agents: {}", known.join(", "))));
    }
    if user.defined.iter().any(|agent| agent.name == name) {
        return None;
    }
    match takes_program(name) {
        Some(adapter) => Some(without_program(adapter, adapter)),
        None => (name == SCRIPT).then(without_recording),
    }
}

fn without_program(word: &str, adapter: &str) -> Error {
    Error::usage(format!("`{word}` alone names no program"))
        .hint(format!("write it as `--agent '{adapter}:my-agent --flag'`"))
}

fn without_recording() -> Error {
    Error::usage("`script:` needs a file or a directory").hint("write it as `--agent script:PATH`")
}

/// Returns the names of all agents, the user's own last.
fn known<'a>(user: &UserAgents<'a>) -> impl Iterator<Item = &'a str> {
    let own = user.defined.iter().map(|agent| agent.name.as_str());
    ALL.iter().map(|agent| agent.name()).chain(own)
}

/// Returns the adapter of this name if it takes a program of the user's.
pub fn takes_program(name: &str) -> Option<&'static str> {
    let agent = by_name(name).filter(|agent| agent.takes_program())?;
    Some(agent.name())
}

/// Returns the agent that a plan means: a name, nothing else.
///
/// Fails as a fault of the plan, with the nearest name, where it is unknown or would say what runs.
pub fn choose_planned(name: &str, user: &UserAgents<'_>) -> Result<AgentSelection> {
    if let Some(definition) = user.defined.iter().find(|agent| agent.name == name) {
        return built(
            name.into(),
            definition.adapter,
            Some(Definition::Command(definition.clone())),
        );
    }
    match name.split_once(':').map_or(name, |(head, _)| head) {
        kind if kind == SCRIPT || takes_program(kind).is_some() => Err(Error::plan(format!(
            "a plan cannot say what the `{kind}` agent runs"
        ))
        .hint(
            "define the program under `agents:` of your own configuration and name that, or run with `--agent` on the command line",
        )),
        _ if by_name(name).is_some() => built(name.into(), name, None),
        _ => {
            let error = Error::plan(format!("no agent is called `{name}`"));
            let known: Vec<&str> = known(user).collect();
            let error = match nearest(name) {
                Some(near) => error.hint(format!("did you mean `{near}`?")),
                None => error.hint(format!("known agents: {}", known.join(", "))),
            };
            Err(error.hint("your own configuration may define it under `agents:`"))
        }
    }
}

fn built(name: String, adapter: &str, definition: Option<Definition>) -> Result<AgentSelection> {
    let agent = by_name(adapter)
        .ok_or_else(|| Error::internal(format!("the `{adapter}` adapter is not registered")))?;
    Ok(AgentSelection {
        name,
        agent,
        definition,
    })
}

/// Splits a line into words as a shell would, with quotes and backslashes, expanding nothing.
pub(crate) fn split_words(line: &str) -> Result<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        match c {
            '\'' => loop {
                match chars.next() {
                    Some('\'') => break word.get_or_insert_default(),
                    Some(c) => word.get_or_insert_default().push(c),
                    None => return Err(unclosed(line)),
                }
            },
            '"' => loop {
                match chars.next() {
                    Some('"') => break word.get_or_insert_default(),
                    Some('\\') => match chars.next() {
                        Some(c @ ('"' | '\\' | '$' | '`')) => word.get_or_insert_default().push(c),
                        Some(c) => word.get_or_insert_default().extend(['\\', c]),
                        None => return Err(unclosed(line)),
                    },
                    Some(c) => word.get_or_insert_default().push(c),
                    None => return Err(unclosed(line)),
                }
            },
            '\\' => {
                let next = chars.next().ok_or_else(|| unclosed(line))?;
                word.get_or_insert_default().push(next);
                continue;
            }
            c if c.is_whitespace() => {
                words.extend(word.take());
                continue;
            }
            c => {
                word.get_or_insert_default().push(c);
                continue;
            }
        };
    }
    words.extend(word);
    Ok(words)
}

fn unclosed(line: &str) -> Error {
    Error::usage(format!("a quote or backslash is left open in `{line}`"))
}

#[cfg(test)]
mod tests;
