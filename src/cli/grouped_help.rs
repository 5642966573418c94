//! The program's help: the commands by what they are for, not in one list.

use std::fmt::Write;

/// The widest the list gets, and what it gets where there is no terminal.
const WIDEST: usize = 100;
/// Narrower than this nothing is wrapped any more.
const NARROWEST: usize = 40;

/// Returns the command line with its commands listed under the names of their groups.
pub(super) fn group(command: clap::Command, groups: &[(&str, &[&str])]) -> clap::Command {
    let list = list(&command, groups, columns());
    command.help_template(format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n{list}\nOptions:\n{{options}}"
    ))
}

fn columns() -> usize {
    let from_environment = std::env::var("COLUMNS").ok().and_then(|n| n.parse().ok());
    let size = || rustix::termios::tcgetwinsize(std::io::stdout()).ok();
    let of_terminal = || size().map(|size| usize::from(size.ws_col));
    let columns = from_environment
        .or_else(of_terminal)
        .filter(|columns| *columns > 0);
    columns.unwrap_or(WIDEST).clamp(NARROWEST, WIDEST)
}

fn list(command: &clap::Command, groups: &[(&str, &[&str])], columns: usize) -> String {
    let named = |one: &&clap::Command, variant: &str| {
        one.get_name()
            .replace('-', "")
            .eq_ignore_ascii_case(variant)
    };
    let found = |variant: &&str| command.get_subcommands().find(|one| named(one, variant));
    let mut text = String::new();
    for (name, variants) in groups.iter().filter(|(name, _)| !name.is_empty()) {
        // A string takes every write.
        let _ = write!(text, "\n{name}:\n");
        for one in variants.iter().filter_map(found) {
            // As it is written: it has no styles, and taking none out takes time at every start.
            let about = one.get_about().map(|about| about.ansi().to_string());
            let about = about.unwrap_or_default();
            for (index, line) in wrapped(&about, columns - INDENT).iter().enumerate() {
                let head = if index == 0 { one.get_name() } else { "" };
                let _ = writeln!(text, "  {head:<12}{line}");
            }
        }
    }
    text
}

/// How far in a command's description begins.
const INDENT: usize = 14;

/// Returns the words in lines of at most `width` columns.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let last = lines.last_mut().expect("there is one from the start");
        if !last.is_empty() && last.chars().count() + 1 + word.chars().count() > width {
            lines.push(word.to_owned());
            continue;
        }
        if !last.is_empty() {
            last.push(' ');
        }
        last.push_str(word);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn every_command_is_in_one_group_and_no_line_is_too_long() {
        let cli = super::super::Cli::command();
        let groups = super::super::Command::GROUPS;
        for columns in [NARROWEST, 60, 80, WIDEST] {
            let list = list(&cli, groups, columns);
            let longest = list.lines().map(|l| l.chars().count()).max();
            assert!(longest <= Some(columns), "{list}");
            for command in cli.get_subcommands().filter(|c| !c.is_hide_set()) {
                let head = format!("\n  {:<12}", command.get_name());
                assert_eq!(list.matches(&head).count(), 1, "{}", command.get_name());
            }
            for group in ["Plan", "Run", "Decide", "Look", "Keep"] {
                assert!(list.contains(&format!("\n{group}:\n")), "{list}");
            }
        }
    }
}
