//! Any program: prompt in, text out. Defined by the person, never by the repository.

use super::{Agent, AgentCommand, Definition, PromptVia, Request, Session};
use crate::error::{Error, Result};

/// The adapter.
pub(super) struct Command;

impl Agent for Command {
    fn name(&self) -> &'static str {
        "command"
    }

    fn probe(&self) -> Option<(&'static str, &'static [&'static str])> {
        None
    }

    fn command(&self, request: &Request<'_>) -> Result<AgentCommand> {
        let Some(Definition::Command(definition)) = request.definition else {
            return Err(Error::internal(
                "the `command` agent was started without a definition",
            ));
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
        let mut args: Vec<String> = args.iter().map(fill).collect();
        match definition.prompt {
            PromptVia::Stdin => {}
            PromptVia::Argument => args.push(request.prompt.to_owned()),
            PromptVia::File
                if definition
                    .argv
                    .iter()
                    .any(|word| word.contains("{prompt_file}")) => {}
            PromptVia::File => args.push(file.into_owned()),
        }
        Ok(AgentCommand {
            program: program.clone(),
            args,
            env: Vec::new(),
            keep_env: definition.env_keep.clone(),
            drop_env: &[],
            prompt: definition.prompt,
        })
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
