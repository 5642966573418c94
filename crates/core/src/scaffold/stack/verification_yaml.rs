//! The text of `verification.yml` for a stack.

use super::{CaseForm, Stack, StackCommand};
use crate::scaffold::PLACEHOLDER_OPEN;
use std::fmt::Write as _;

/// What closing and planning units leave must still be a valid plan. The driver names its own
/// executable in the environment, so nothing has to be on PATH.
pub(crate) const PLAN_LINT: &str = r#""${GATEWALK_BIN:-gatewalk}" lint "$GATEWALK_FEATURE_DIR""#;

const HEAD: &str = "\
# The oracle: commands the driver runs itself, by `sh -c` in the slot. Their exit codes, and nothing
# else, decide. Only you change this file: a session that edits it fails.
# Keys of a command: name, command, timeout (15m), needs: [names], when: [globs of the diff],
# tier (narrow: every attempt, broad: once a gate).
";

const UNTRIED: &str = "\
# Nothing here was run yet: a command that is red on your code as it is stops every unit.
";

const KNOWN: &str = "  \
  # Red today: units are judged case by case. What is listed may fail as before, nothing else may, and the
  # list may only shrink.
";

/// What stands before the caches in `config.yml`: why they are there, and their price.
const CACHE: &str = "
# Ignored build output that stays between verifications, so that builds are not cold; what the
# code of one attempt leaves there, the next is judged with. Without the line every build is cold.
cache: ";

/// Returns the text of `config.yml` without the caches `init` found, and those.
pub(crate) fn split_caches(config: &str) -> (&str, &str) {
    config.split_at(config.find(CACHE).unwrap_or(config.len()))
}

impl Stack {
    /// Returns the text of `config.yml`: the shipped one, and what this stack wants kept.
    pub(crate) fn config(&self, shipped: &str) -> String {
        match self.cache.is_empty() {
            true => shipped.to_owned(),
            false => format!("{shipped}{CACHE}[{}]\n", self.cache.join(", ")),
        }
    }

    /// Returns what stands before the sets.
    fn head(&self) -> String {
        let mut text = HEAD.to_owned();
        match self.kinds.is_empty() {
            true => text.push_str("# Detected: nothing this program knows.\n"),
            false => line(
                &mut text,
                format_args!("# Detected: {}.", self.kinds.join(", ")),
            ),
        }
        match &self.trial {
            Some(trial) if !self.code.is_empty() => line(
                &mut text,
                format_args!(
                    "# Each command that is switched on was run once on {} and passed{}.",
                    trial.commit,
                    match self.code.iter().any(|c| !c.known_failures.is_empty()) {
                        true => ", but for the cases it names",
                        false => "",
                    }
                ),
            ),
            None if self.is_tested() => text.push_str(UNTRIED),
            _ => {}
        }
        for note in self.unread.iter().chain(&self.notes) {
            line(&mut text, format_args!("# {note}"));
        }
        text.push('\n');
        if let Some(setup) = &self.setup {
            line(
                &mut text,
                format_args!("# Once per slot, and again when a lock file changes."),
            );
            line(&mut text, format_args!("setup: {}", scalar(setup)));
        }
        if !self.link.is_empty() {
            line(
                &mut text,
                format_args!("# Ignored paths a slot takes from your checkout."),
            );
            line(&mut text, format_args!("link: [{}]", self.link.join(", ")));
        }
        text
    }

    /// Returns the text of `verification.yml`.
    pub(crate) fn verification(&self) -> String {
        let mut text = self.head();
        line(&mut text, format_args!("code:"));
        if !self.is_tested() {
            let found = self.suggested.iter().any(|command| command.tests);
            text.push_str(&missing_tests(found));
        }
        for command in &self.code {
            text.push_str(&entry(command, "  "));
        }
        if !self.suggested.is_empty() {
            text.push_str(match self.trial {
                Some(_) => "  # Not switched on, each with the reason. Red ones would stop every unit.\n",
                None => "  # Green on your code today? Then switch these on; red ones would stop every unit.\n",
            });
        }
        for command in &self.suggested {
            if let Some(why) = &command.unproven {
                line(&mut text, format_args!("  # {}: {why}", command.name));
            }
            text.push_str(&entry(command, "  # "));
        }
        text.push_str("\n# Closing and planning units: what they leave must be a valid plan.\n");
        for set in ["doc", "plannext"] {
            line(&mut text, format_args!("{set}:"));
            text.push_str(&entry(&StackCommand::check("plan-lint", PLAN_LINT), "  "));
        }
        text
    }
}

/// Until someone names the tests nothing can be proven, and the file says so in a form that lint
/// reports and every shell refuses.
fn missing_tests(found: bool) -> String {
    let why = match found {
        true => "No test command is known to pass",
        false => "No test command was found",
    };
    format!(
        "  # {why}. Name one that fails when the code is broken; until then lint\n  \
         # reports this line and no unit can pass.\n  \
         - name: tests\n    command: \"{PLACEHOLDER_OPEN} the command that runs your tests>\"\n"
    )
}

/// What judges a command by its cases, behind `indent`.
fn judged_by_cases(text: &mut String, command: &StackCommand, form: &CaseForm, indent: &str) {
    line(text, format_args!("{indent}  judge: no_new_failures"));
    let path = form.path.as_ref();
    let path = path.map_or_else(String::new, |path| format!(", path: {}", scalar(path)));
    let format = form.format;
    line(
        text,
        format_args!("{indent}  report: {{format: {format}{path}}}"),
    );
    line(text, format_args!("{indent}  known_failures:"));
    for case in &command.known_failures {
        line(text, format_args!("{indent}    - {}", scalar(case)));
    }
}

/// Returns one list entry, each line behind `indent`.
fn entry(command: &StackCommand, indent: &str) -> String {
    let mut text = String::new();
    let form = command.by_cases.as_ref();
    let form = form.filter(|_| !command.known_failures.is_empty());
    if form.is_some() {
        text.push_str(KNOWN);
    }
    line(&mut text, format_args!("{indent}- name: {}", command.name));
    let run = form.map_or(&command.run, |form| &form.run);
    line(
        &mut text,
        format_args!("{indent}  command: {}", scalar(run)),
    );
    if let Some(form) = form {
        judged_by_cases(&mut text, command, form, indent);
    }
    if let Some(timeout) = command.timeout {
        line(&mut text, format_args!("{indent}  timeout: {timeout}"));
    }
    if !command.needs.is_empty() {
        line(
            &mut text,
            format_args!("{indent}  needs: [{}]", command.needs.join(", ")),
        );
    }
    if !command.when.is_empty() {
        let globs: Vec<String> = command.when.iter().map(|glob| scalar(glob)).collect();
        line(
            &mut text,
            format_args!("{indent}  when: [{}]", globs.join(", ")),
        );
    }
    if command.broad {
        line(&mut text, format_args!("{indent}  tier: broad"));
    }
    text
}

/// Returns a one-line text as a quoted YAML scalar, in the style that needs no escapes.
fn scalar(value: &str) -> String {
    match value.contains(['"', '\\']) {
        true => format!("'{}'", value.replace('\'', "''")),
        false => format!("\"{value}\""),
    }
}

fn line(text: &mut String, content: std::fmt::Arguments<'_>) {
    // Writing to a String cannot fail.
    let _ = writeln!(text, "{content}");
}
