//! PURE. How each agent is started and understood; one file an agent.
//!
//! An adapter turns a `Request` into argv, folds the program's output into a `Session`, and
//! says what its end means as an `Outcome`. Nothing here spawns, waits, retries, reads a file or
//! asks the time: the host crate does that once for all agents.
//!
//! Invariants: `read` never fails and keeps memory bounded whatever is printed; an outcome comes
//! from exit status and typed events, never from words in the transcript.
//!
//! Adding an agent: one file, its `mod` line, one line in `ALL`, one directory of transcripts.

use crate::error::{Error, Result};
use crate::model::frontmatter;
use descriptor::{AgentProgram, SessionOutput, Silence};
use std::path::Path;

// The adapters, as in `ALL`.
mod acp;
mod aider;
mod amp;
mod claude;
mod cline;
mod cn;
mod codex;
mod command;
mod copilot;
mod cursor_agent;
mod droid;
mod gemini;
mod goose;
mod kiro;
/// Objects of JSON, one or many.
mod nested_objects;
mod opencode;
mod qwen;
/// The built-in agent that replays recorded sessions.
pub mod script;

// What they share.
mod conversation;
mod descriptor;
mod error_text;
mod fault_kind;
mod futile_retry;
mod lenient_json;
mod listener;
mod messages;
mod outcome;
mod payment;
/// The dated list of prices.
pub mod prices;
mod readiness;
/// The format that `script` replays.
pub mod recording;
mod reported_outcome;
mod reset;
mod result;
mod selection;
mod session;
mod silence_limits;
mod terminal_codes;
mod tool_servers;

pub use conversation::Conversation;
pub use descriptor::{AnswersShow, Descriptor};
pub use futile_retry::{end_with_futile_retry, futile_retry};
pub use listener::Listener;
pub use outcome::{Outcome, ProcessExit, SessionClass};
pub use payment::{
    AccountFacts, AccountSource, Login, Payer, Payment, ProgramSettings, ProviderAccounts,
    SourcePlace,
};
pub use readiness::{AccountFile, Needs, Unready};
pub(crate) use reported_outcome::{class_of_error, fallback_outcome, fault_of};
pub use reset::{ClockTime, Reset};
pub use result::{ResultBlock, ResultStatus};
pub use selection::{
    AgentSelection, AgentWord, CommandAgent, Definition, UserAgents, chain_of_word, choose,
    choose_planned, takes_program,
};
pub use session::{Activity, ApiError, MessageUsage, Session, Tail, Usage};
pub use silence_limits::grace;
pub use tool_servers::ToolServer;

/// Everything an adapter may need to start one session.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// The file that holds the whole prompt; outside the slot, readable by the session.
    pub prompt_file: &'a Path,
    /// The same prompt, for programs that take it only as an argument.
    pub prompt: &'a str,
    /// The model, passed through as the user wrote it.
    pub model: Option<&'a str>,
    /// `low`, `medium`, `high`, `xhigh` or `max`; left out where the program has no such switch.
    pub effort: Option<&'a str>,
    /// The unit's id in full, `FEAT-2026-0001/T01`.
    pub unit: &'a str,
    /// The attempt's number, from 1.
    pub attempt: u32,
    /// What the session may cost, for programs that can stop themselves.
    pub budget_usd: Option<f64>,
    /// Where the session runs; the driver makes it the working directory.
    pub slot: &'a Path,
    /// What `command` and `script` run.
    pub definition: Option<&'a Definition>,
    /// Whether the session runs as user 0: some programs refuse that unless they know it is contained.
    pub root: bool,
    /// This program's own path, for agents that are built in.
    pub own_program: &'a Path,
}

/// The process to start: argv, environment, and how the prompt reaches it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentCommand {
    /// Looked up on `PATH` unless it has a slash.
    pub program: String,
    /// Without the program itself; the prompt is already in it where `prompt` says so.
    pub args: Vec<String>,
    /// Variables to set; they win over everything inherited.
    pub env: Vec<(String, String)>,
    /// Names to let through besides the driver's own allow-list; a trailing `*` stands for any
    /// rest.
    pub keep_env: Vec<String>,
    /// Names never let through, even if a pattern above matches: nested-session markers.
    pub drop_env: &'static [&'static str],
    /// What to connect to standard input.
    pub prompt: PromptVia,
    /// How many of the last arguments are the prompt, or introduce it.
    pub(crate) prompt_args: usize,
}

impl AgentCommand {
    fn of(program: &str) -> AgentCommand {
        AgentCommand {
            program: program.into(),
            args: Vec::new(),
            env: Vec::new(),
            keep_env: Vec::new(),
            drop_env: &[],
            prompt: PromptVia::Stdin,
            prompt_args: 0,
        }
    }

    /// Adds the arguments that keep out tool servers.
    pub fn keep_out_tool_servers(&mut self, args: Vec<String>) {
        let at = self.before_prompt();
        self.args.splice(at..at, args);
    }

    /// Returns where an argument goes that is no part of the prompt.
    fn before_prompt(&self) -> usize {
        self.args.len().saturating_sub(self.prompt_args)
    }

    /// Returns the start of the program that the user defined.
    fn defined(request: &Request<'_>) -> Result<AgentCommand> {
        let Some(Definition::Command(definition)) = request.definition else {
            return Err(Error::plan("this agent needs a program")
                .hint("define one in your own configuration, or pass it with `--agent`"));
        };
        let Some((program, args)) = definition.argv.split_first() else {
            return Err(Error::plan(format!(
                "agent `{}` has an empty command",
                definition.name
            )));
        };
        let file = request.prompt_file.to_string_lossy();
        let fill = |word: &String| {
            word.replace("{model}", request.model.unwrap_or_default())
                .replace("{prompt_file}", &file)
        };
        Ok(AgentCommand {
            args: args.iter().map(fill).collect(),
            keep_env: definition.env_keep.clone(),
            prompt: definition.prompt,
            ..AgentCommand::of(program)
        })
    }
}

/// The longest prompt passed as an argument: the system refuses 128 KiB.
const ARGUMENT_CAP: usize = 100_000;

impl Request<'_> {
    /// Returns the prompt as an argument: itself, or where to read it if it is too long for one.
    fn prompt_argument(&self) -> String {
        if self.prompt.len() <= ARGUMENT_CAP {
            // A prompt must not be taken for an option.
            let start = if self.prompt.starts_with('-') {
                "\n"
            } else {
                ""
            };
            return format!("{start}{}", self.prompt);
        }
        format!(
            "Read the file {} from its beginning to its end: it is your task. Do exactly what it says.",
            self.prompt_file.display()
        )
    }
}

/// How the prompt reaches the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PromptVia {
    /// Standard input is the prompt file.
    Stdin,
    /// An argument holds the prompt; standard input is null.
    Argument,
    /// An argument holds the prompt file's path; standard input is null.
    File,
    /// The adapter writes to the program's standard input and answers what it prints: a [`Conversation`].
    Conversation,
}

/// One kind of agent.
pub trait Agent: Sync {
    /// Returns what is data about it.
    fn descriptor(&self) -> &Descriptor;

    /// Returns the name users write in `agent:` and `--agent`.
    fn name(&self) -> &'static str {
        self.descriptor().name
    }

    /// Returns the program and arguments that print its version, or `None` where that is not one
    /// known program.
    fn probe(&self) -> Option<(&'static str, &'static [&'static str])> {
        match self.descriptor().program {
            AgentProgram::Named(program) => Some((program, &["--version"])),
            AgentProgram::Defined | AgentProgram::BuiltIn => None,
        }
    }

    /// Returns where the program keeps logins and sessions below the home: its confined sessions change them, and no judge sees them.
    fn state(&self) -> &'static [&'static str] {
        self.descriptor().state
    }

    /// Returns what else the program makes below the home directory before it does anything.
    fn makes(&self) -> &'static [&'static str] {
        self.descriptor().makes
    }

    /// Returns whether a profile's tool servers reach the program.
    fn takes_tool_servers(&self) -> bool {
        self.descriptor().tool_servers.takes()
    }

    /// Returns the arguments that keep out tool servers of the program's own settings.
    fn without_tool_servers(&self, own: &[String]) -> Vec<String> {
        self.descriptor().tool_servers.silence(own)
    }

    /// Returns whether an effort reaches the program; one of the user's own is not asked.
    fn takes_effort(&self) -> bool {
        !matches!(self.descriptor().effort, descriptor::EffortVia::Nothing)
            || matches!(
                self.descriptor().prompt,
                descriptor::PromptArguments::Conversation
            )
            || self.descriptor().program == AgentProgram::BuiltIn
    }

    /// Returns where the program keeps its login, if that is known without running it.
    fn login(&self) -> Option<Login> {
        self.descriptor().login
    }

    /// Returns where the program keeps accounts, if it speaks to many providers.
    fn accounts(&self) -> &'static [AccountSource] {
        self.descriptor().accounts
    }

    /// Returns what the program needs before a session can work.
    fn needs(&self) -> Needs {
        self.descriptor().needs
    }

    /// Returns the variables that reach its sessions besides those of every session; a trailing `*` stands for any rest.
    fn variables(&self) -> &'static [&'static str] {
        self.descriptor().keep_env
    }

    /// Returns the process that starts a fresh session for `request`.
    fn command(&self, request: &Request<'_>) -> Result<AgentCommand> {
        self.descriptor().command(request)
    }

    /// Returns our side of the conversation, for programs that must be answered.
    fn conversation(&self, _request: &Request<'_>) -> Option<Box<dyn Conversation>> {
        None
    }

    /// Returns whether the user names the program: `name:PROGRAM ARGS…`.
    fn takes_program(&self) -> bool {
        self.descriptor().program == AgentProgram::Defined
    }

    /// Folds one line of standard output, without its line ending, into what is known.
    fn read(&self, line: &[u8], seen: &mut Session) {
        match self.descriptor().output {
            SessionOutput::Events(fold) => lenient_json::fold_line(line, seen, fold),
            SessionOutput::Lines(read) => read(line, seen),
        }
    }

    /// Returns how it shows that the model of a session answered.
    fn answers_show(&self) -> AnswersShow {
        match self.probe() {
            None => AnswersShow::Unknown,
            Some(_) if self.descriptor().tells_apart => AnswersShow::ByEvents,
            Some(_) => AnswersShow::ByOutput,
        }
    }

    /// Returns whether a session that went well has printed events.
    fn prints_events(&self) -> bool {
        self.descriptor().streams
    }

    /// Folds what only the end of the output makes clear; called once, after the last line.
    fn end(&self, seen: &mut Session) {
        (self.descriptor().end)(seen);
    }

    /// Returns what the end of the process means.
    fn outcome(&self, exit: &ProcessExit, seen: &Session) -> Outcome {
        let waits_for_server = match self.descriptor().silence {
            Silence::Unknown => false,
            Silence::BetweenCalls => seen.structured && seen.open.is_empty(),
            Silence::Always => true,
        };
        match self.read_end(exit, seen) {
            Outcome::Idle if waits_for_server => Outcome::Network,
            outcome => outcome,
        }
    }

    /// Returns what the adapter makes of the end of the process.
    fn read_end(&self, exit: &ProcessExit, seen: &Session) -> Outcome {
        self.descriptor().usual_end(exit, seen)
    }

    /// Returns what a user can do about an outcome, in one sentence.
    fn remedy(&self, outcome: &Outcome) -> Option<&'static str> {
        self.descriptor().remedy(outcome)
    }
}

/// Most agents are no more than their descriptor.
impl Agent for Descriptor {
    fn descriptor(&self) -> &Descriptor {
        self
    }
}

/// Every agent, in the order `doctor` lists them.
pub const ALL: &[&dyn Agent] = &[
    &claude::Claude,
    &codex::CODEX,
    &opencode::OPENCODE,
    &gemini::Gemini,
    &copilot::COPILOT,
    &qwen::QWEN,
    &cline::CLINE,
    &aider::AIDER,
    &amp::AMP,
    &goose::GOOSE,
    &cn::CONTINUE,
    &cursor_agent::CURSOR,
    &droid::DROID,
    &kiro::KIRO,
    &command::CommandAdapter,
    &acp::Acp,
    &script::Script,
];

/// Returns the agent of this name.
pub fn by_name(name: &str) -> Option<&'static dyn Agent> {
    ALL.iter().copied().find(|agent| agent.name() == name)
}

/// Returns the agent's name nearest to `name`, if one is near enough to be a misspelling.
pub fn nearest(name: &str) -> Option<&'static str> {
    frontmatter::nearest(name, ALL.iter().map(|agent| agent.name()))
}

#[cfg(test)]
mod golden;
#[cfg(test)]
mod replayed_faults;
#[cfg(test)]
mod tests;
