//! The arguments as they are read, and what is said of those that cannot be.

use super::program_origin::ProgramOrigin;
use super::{Cli, definition};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, FromArgMatches};
use gatewalk_core::engine::oracle::shell_quote;

/// Parses the arguments. Only a help lists the commands by their groups, so only for one are they put into that list.
pub(super) fn parsed() -> Result<Cli, clap::Error> {
    let read = |definition: clap::Command| {
        let matches = with_long_version(definition).try_get_matches()?;
        Cli::from_arg_matches(&matches)
    };
    read(Cli::command())
        .or_else(|error| match error.kind() {
            ErrorKind::DisplayHelp | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
                read(definition())
            }
            _ => Err(error),
        })
        .map_err(in_plain_words)
}

/// Adds to the long version where the program came from; looked up only where it is asked for.
fn with_long_version(definition: clap::Command) -> clap::Command {
    if std::env::args_os().any(|word| word == "--version") {
        let program = ProgramOrigin::find();
        return definition.long_version(program.long_version());
    }
    definition
}

/// Says of a number that is none what the standard library says of its digits, and of a title alone what it can be of.
fn in_plain_words(mut error: clap::Error) -> clap::Error {
    if let Some(ContextValue::String(title)) = error.get(ContextKind::InvalidSubcommand)
        && error.get(ContextKind::SuggestedSubcommand).is_none()
        && let Some(usage) = error.get(ContextKind::Usage)
        && usage.to_string().contains("gatewalk new ")
    {
        let command = format!(
            "for a feature of that title: gatewalk new feature {}",
            shell_quote(title)
        );
        let tip = ContextValue::StyledStrs(vec![command.into()]);
        error.insert(ContextKind::Suggested, tip);
    }
    let text = error.render().to_string();
    let plain = text.replace("invalid digit found in string", "it is no whole number");
    match plain == text {
        true => error,
        false => clap::Error::raw(error.kind(), plain.trim_start_matches("error: ")),
    }
}
