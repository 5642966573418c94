//! Any program: prompt in, text out. Defined by the user, never by the repository.

use super::descriptor::{AgentProgram, Descriptor, PromptArguments};
use super::{Agent, AgentCommand, Definition, PromptVia, Request};
use crate::error::Result;

pub(super) struct CommandAdapter;

static DESCRIPTOR: Descriptor = Descriptor {
    name: "command",
    program: AgentProgram::Defined,
    model: None,
    prompt: PromptArguments::Defined,
    streams: false,
    ..Descriptor::BASE
};

impl Agent for CommandAdapter {
    fn descriptor(&self) -> &Descriptor {
        &DESCRIPTOR
    }

    fn command(&self, request: &Request<'_>) -> Result<AgentCommand> {
        let mut command = DESCRIPTOR.command(request)?;
        match (command.prompt, request.definition) {
            (PromptVia::Argument, _) => command.args.push(request.prompt.to_owned()),
            (PromptVia::File, Some(Definition::Command(own)))
                if !own.argv.iter().any(|word| word.contains("{prompt_file}")) =>
            {
                let file = request.prompt_file.to_string_lossy();
                command.args.push(file.into_owned());
            }
            _ => {}
        }
        Ok(command)
    }
}

#[cfg(test)]
mod tests;
