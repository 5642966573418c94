//! A command that is red on the base, and what the user changes so that units can start.

use std::fmt;

/// A command or hook that should pass on the base and does not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RedCommand {
    /// Its name, as `expects_red` gives it.
    pub(crate) name: String,
    /// How it came to be red.
    pub(crate) cause: RedCause,
}

/// How a command came to be red on the base.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum RedCause {
    /// It ended with another exit than 0.
    Failed,
    /// It ended without an exit code, such as at its time limit.
    Ended,
    /// The shell found no such program, or may not run it.
    NotFound,
    /// It passed without running a test.
    NoTest,
    /// Its report cannot be held against the work, with why.
    Cases(String),
    /// A hook of the user's refuses a harmless change.
    Hook,
    /// A hook of the user's refuses what the landing would say.
    Message {
        /// The subject that it refuses.
        subject: String,
        /// The unit's file, whose title that is.
        file: String,
    },
}

impl RedCommand {
    /// Reads how a command that should be green ended, where that is not green.
    pub(crate) fn of_exit(name: &str, exit: i32) -> RedCommand {
        let cause = match exit {
            i32::MIN..0 => RedCause::Ended,
            126 | 127 => RedCause::NotFound,
            _ => RedCause::Failed,
        };
        RedCommand {
            name: name.to_owned(),
            cause,
        }
    }

    /// Returns what the user changes, in words.
    pub(crate) fn remedy(&self) -> String {
        match &self.cause {
            RedCause::Failed | RedCause::NoTest | RedCause::Cases(_) => "fix the base, or name the command in the unit's `expects_red` if turning it green, or writing its first test, is the unit's job, and arm it again".to_owned(),
            RedCause::Ended => format!("give `{}` a longer `timeout` where it is declared, or make it faster", self.name),
            RedCause::NotFound => format!("correct what `{}` starts, or have `setup` in verification.yml install it", self.name),
            RedCause::Hook => format!("mend what the {} refuses, or the hook; `hooks: skip` in config.yml leaves all of them out", self.name),
            RedCause::Message { file, .. } => format!("give the unit a title that the hook takes, in the first heading of `{file}`, and arm it again"),
        }
    }
}

impl fmt::Display for RedCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        match &self.cause {
            RedCause::NoTest => f.write_str(" (exit 0, but no test ran)"),
            RedCause::Cases(why) => write!(f, " ({why})"),
            RedCause::Message { subject, file } => write!(
                f,
                " (it refuses the message `{subject}`: what a landing says is the unit's title, which you change in `{file}`)"
            ),
            RedCause::Failed | RedCause::Ended | RedCause::NotFound | RedCause::Hook => Ok(()),
        }
    }
}

/// Returns red commands in one line.
pub fn listed(red: &[RedCommand]) -> String {
    let red: Vec<String> = red.iter().map(ToString::to_string).collect();
    red.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_red_names_the_change_that_its_cause_asks_for() {
        let hook = |cause| RedCommand {
            name: "pre-commit hook".to_owned(),
            cause,
        };
        let message = RedCause::Message {
            subject: "Do x".to_owned(),
            file: "WU-01.md".to_owned(),
        };
        for (red, want) in [
            (RedCommand::of_exit("tests", 1), "fix the base"),
            (RedCommand::of_exit("tests", 125), "fix the base"),
            (RedCommand::of_exit("tests", 128), "fix the base"),
            (
                RedCommand::of_exit("tests", -1),
                "`tests` a longer `timeout`",
            ),
            (RedCommand::of_exit("tests", 126), "what `tests` starts"),
            (RedCommand::of_exit("tests", 127), "what `tests` starts"),
            (hook(RedCause::NoTest), "expects_red"),
            (hook(RedCause::Cases("no report".to_owned())), "expects_red"),
            (
                hook(RedCause::Hook),
                "mend what the pre-commit hook refuses",
            ),
            (hook(message), "a title that the hook takes"),
        ] {
            assert!(red.remedy().contains(want), "{red}: {}", red.remedy());
        }
    }

    #[test]
    fn red_commands_are_listed_with_what_their_names_leave_out() {
        let red = |name: &str, cause| RedCommand {
            name: name.to_owned(),
            cause,
        };
        let all = [
            red("a", RedCause::Failed),
            red("b", RedCause::NoTest),
            red("c", RedCause::Cases("no report".to_owned())),
        ];
        let want = "a, b (exit 0, but no test ran), c (no report)";
        assert_eq!(listed(&all), want);
    }
}
