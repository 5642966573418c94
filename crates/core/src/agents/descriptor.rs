//! What is data about an agent, and the process that follows from it and a request.

use super::futile_retry::RepeatedFault;
use super::payment::{AccountSource, Login};
use super::readiness::Needs;
use super::reported_outcome::{class_of_error, fallback_outcome, fault_of};
use super::tool_servers::ToolServersVia;
use super::{AgentCommand, Outcome, ProcessExit, PromptVia, Request, Session};
use crate::error::{Error, Result};

/// Which program an agent runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AgentProgram {
    /// One that is looked up on `PATH` and prints its version for `--version`.
    Named(&'static str),
    /// The one that the user defined: `name:PROGRAM ARGS…`.
    Defined,
    /// This program itself, by a hidden subcommand.
    BuiltIn,
}

/// How an effort reaches the program.
#[derive(Debug, Clone, Copy)]
pub(super) enum EffortVia {
    /// Not at all: the program has no such switch.
    Nothing,
    /// The value of a switch.
    Switch(&'static str),
    /// The value of a variable.
    Variable(&'static str),
    /// `-c KEY="…"`, on a scale that ends at `xhigh`.
    Setting(&'static str),
    /// The value of a switch, on a scale that ends at `xhigh`.
    SwitchToXhigh(&'static str),
}

/// How the prompt stands on the command line.
#[derive(Debug, Clone, Copy)]
pub(super) enum PromptArguments {
    /// It is standard input; these arguments tell the program so.
    Stdin(&'static [&'static str]),
    /// The last argument is the prompt.
    Last,
    /// The value of this switch is the prompt's file.
    File(&'static str),
    /// The adapter converses with the program.
    Conversation,
    /// As the user defined the program.
    Defined,
}

/// What a session waits for that is silent for too long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Silence {
    /// The program does not show it.
    Unknown,
    /// The model's server, unless a tool call that began is not over.
    BetweenCalls,
    /// The model's server: what it runs has limits of its own.
    Always,
}

/// How it shows that the model of a session answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnswersShow {
    /// Nobody knows: the program is none that this one drives by name.
    Unknown,
    /// Whatever the program prints may be an answer.
    ByOutput,
    /// By words, calls and figures that the program tells apart.
    ByEvents,
}

/// How standard output is folded into a session.
#[derive(Debug, Clone, Copy)]
pub(super) enum SessionOutput {
    /// Each JSON object by this function, which returns whether it was an event; other lines are
    /// plain text.
    Events(fn(&str, &mut Session) -> bool),
    /// Each line by this function.
    Lines(fn(&[u8], &mut Session)),
}

/// What a user can do where the session could not work, a sentence each.
#[derive(Debug, Clone, Copy)]
pub(super) struct Remedies {
    pub(super) missing: &'static str,
    pub(super) auth: &'static str,
    pub(super) quota: &'static str,
}

/// How a program is asked, after a session, for figures that it printed nowhere.
#[derive(Debug, Clone, Copy)]
pub struct RecordedFigures {
    /// Returns the arguments, where there is something to ask for.
    pub ask: fn(&Session) -> Option<Vec<String>>,
    /// Takes the figures of a line that the program printed; other lines are passed over.
    pub read: fn(&str, &mut Session),
}

/// Everything about an agent that is no logic.
#[derive(Debug, Clone, Copy)]
pub struct Descriptor {
    pub(super) name: &'static str,
    pub(super) program: AgentProgram,
    /// Where the program keeps logins and sessions, below the home directory.
    pub(super) state: &'static [&'static str],
    /// Directories outside of these, below the home directory, without which it does not start where it cannot make them.
    pub(super) makes: &'static [&'static str],
    pub(super) login: Option<Login>,
    /// Where the program keeps accounts, if it speaks to many providers.
    pub(super) accounts: &'static [AccountSource],
    pub(super) needs: Needs,
    /// The arguments that every session begins with.
    pub(super) args: &'static [&'static str],
    /// The switch in front of the model.
    pub(super) model: Option<&'static str>,
    pub(super) effort: EffortVia,
    pub(super) prompt: PromptArguments,
    pub(super) env: &'static [(&'static str, &'static str)],
    /// Names to let through, as in [`AgentCommand::keep_env`].
    pub(super) keep_env: &'static [&'static str],
    /// Names never let through: a session must not take itself for one inside another.
    pub(super) drop_env: &'static [&'static str],
    /// Whether a session that went well has printed events.
    pub(super) streams: bool,
    /// Whether what the model says is told apart from what the program prints of its own.
    pub(super) tells_apart: bool,
    /// How a profile's tool servers reach the program.
    pub(super) tool_servers: ToolServersVia,
    /// What it means that the session is silent for too long.
    pub(super) silence: Silence,
    pub(super) output: SessionOutput,
    /// The fault that it meets again and again while it runs.
    pub(super) repeated_fault: fn(&Session) -> Option<RepeatedFault>,
    /// What only the end of the output makes clear.
    pub(super) end: fn(&mut Session),
    /// Where the program keeps figures that it does not print.
    pub(super) recorded: Option<RecordedFigures>,
    pub(super) remedies: Option<Remedies>,
}

impl Descriptor {
    /// What holds where an adapter states nothing else.
    pub(super) const BASE: Descriptor = Descriptor {
        name: "",
        program: AgentProgram::BuiltIn,
        state: &[],
        makes: &[],
        login: None,
        accounts: &[],
        needs: Needs::BASE,
        args: &[],
        model: Some("--model"),
        effort: EffortVia::Nothing,
        prompt: PromptArguments::Stdin(&[]),
        env: &[],
        keep_env: &[],
        drop_env: &[],
        streams: true,
        tells_apart: true,
        tool_servers: ToolServersVia::Nothing(&[]),
        silence: Silence::Unknown,
        output: SessionOutput::Lines(|line, seen| seen.plain_line(&String::from_utf8_lossy(line))),
        repeated_fault: RepeatedFault::of_events,
        end: |_| {},
        recorded: None,
        remedies: None,
    };

    /// Returns the process that starts a session for `request`.
    pub(super) fn command(&self, request: &Request<'_>) -> Result<AgentCommand> {
        let mut command = match self.program {
            AgentProgram::Named(program) => AgentCommand::of(program),
            AgentProgram::Defined => AgentCommand::defined(request)?,
            AgentProgram::BuiltIn => AgentCommand::of(utf8(request.own_program)?),
        };
        command.drop_env = self.drop_env;
        command.keep_env.extend(owned(self.keep_env));
        let variable = |(name, value): &(&str, &str)| (String::from(*name), String::from(*value));
        command.env.extend(self.env.iter().map(variable));
        command.args.extend(owned(self.args));
        if let (Some(switch), Some(model)) = (self.model, request.model) {
            command.args.extend([switch.into(), model.into()]);
        }
        if let Some(effort) = request.effort {
            self.effort.pass(effort, &mut command);
        }
        let before = command.args.len();
        self.prompt.pass(request, &mut command);
        command.prompt_args = command.args.len() - before;
        Ok(command)
    }

    /// Returns what the end of the process means, for programs with no rules of their own.
    pub(super) fn usual_end(&self, exit: &ProcessExit, seen: &Session) -> Outcome {
        let begun = !self.streams || seen.structured;
        let fault = || fault_of(seen).map(|fault| class_of_error(&fault));
        match fallback_outcome(exit, seen) {
            // Some exit 0 without having begun.
            Outcome::Worked if !begun => fault().unwrap_or(Outcome::Protocol),
            Outcome::Crashed if !begun => fault().unwrap_or(Outcome::Crashed),
            outcome => outcome,
        }
    }

    /// Returns how the program is asked for figures that it did not print.
    pub fn recorded_figures(&self) -> Option<RecordedFigures> {
        self.recorded
    }

    pub(super) fn remedy(&self, outcome: &Outcome) -> Option<&'static str> {
        let remedies = self.remedies?;
        match outcome {
            Outcome::Missing => Some(remedies.missing),
            Outcome::Auth => Some(remedies.auth),
            Outcome::Quota => Some(remedies.quota),
            _ => None,
        }
    }
}

impl EffortVia {
    fn pass(self, effort: &str, command: &mut AgentCommand) {
        match self {
            EffortVia::Nothing => {}
            EffortVia::Switch(switch) => command.args.extend([switch.into(), effort.into()]),
            EffortVia::Variable(name) => command.env.push((name.into(), effort.into())),
            EffortVia::SwitchToXhigh(switch) => {
                let effort = if effort == "max" { "xhigh" } else { effort };
                command.args.extend([switch.into(), effort.into()]);
            }
            EffortVia::Setting(key) => {
                let effort = if effort == "max" { "xhigh" } else { effort };
                command
                    .args
                    .extend(["-c".into(), format!("{key}=\"{effort}\"")]);
            }
        }
    }
}

impl PromptArguments {
    fn pass(self, request: &Request<'_>, command: &mut AgentCommand) {
        command.prompt = match self {
            PromptArguments::Stdin(args) => {
                command.args.extend(owned(args));
                PromptVia::Stdin
            }
            PromptArguments::Last => {
                command.args.push(request.prompt_argument());
                PromptVia::Argument
            }
            PromptArguments::File(switch) => {
                let file = request.prompt_file.to_string_lossy().into_owned();
                command.args.extend([switch.into(), file]);
                PromptVia::File
            }
            PromptArguments::Conversation => PromptVia::Conversation,
            PromptArguments::Defined => return,
        };
    }
}

fn owned(words: &[&str]) -> impl Iterator<Item = String> {
    words.iter().copied().map(String::from)
}

/// Returns a path as an argument.
pub(super) fn utf8(path: &std::path::Path) -> Result<&str> {
    path.to_str()
        .ok_or_else(|| Error::usage(format!("`{}` is not a UTF-8 path", path.display())))
}
