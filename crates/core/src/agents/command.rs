//! Any program: prompt in, text out. Defined by the user, never by the repository.

use super::{Agent, AgentCommand, Definition, PromptVia, Request, Session};
use crate::error::Result;

/// The adapter.
pub(super) struct CommandAdapter;

impl Agent for CommandAdapter {
    fn name(&self) -> &'static str {
        "command"
    }

    fn probe(&self) -> Option<(&'static str, &'static [&'static str])> {
        None
    }

    fn takes_program(&self) -> bool {
        true
    }

    fn command(&self, request: &Request<'_>) -> Result<AgentCommand> {
        let mut command = AgentCommand::defined(request, None)?;
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

    fn streams(&self) -> bool {
        false
    }

    fn read(&self, line: &[u8], seen: &mut Session) {
        seen.plain_line(&String::from_utf8_lossy(line));
    }
}

#[cfg(test)]
mod tests;
