//! What a user decides on a page: each is a command of this program, shown before it runs and run as it is shown.

use super::http_request::Fields;
use crate::mcp::shell_line;

/// A decision, with what the form gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum PageDecision {
    /// `seen` stands for the review that was shown.
    Arm {
        feature: String,
        accept: bool,
        seen: String,
        commit_plan: bool,
    },
    Unblock {
        unit: String,
        reason: String,
        changed: Option<String>,
        widen: bool,
        commit_plan: bool,
    },
    Done {
        unit: String,
        evidence: String,
    },
    /// `question` is what stood beside the form: numbers move when another question is answered.
    Answer {
        feature: String,
        number: u32,
        question: String,
        answer: String,
    },
    Abandon {
        name: String,
        reason: String,
    },
    Run {
        feature: String,
        commit_plan: bool,
    },
    Stop,
    Comment {
        unit: String,
        attempt: u32,
        at: String,
        text: String,
    },
}

/// The words of a command, as they are put together.
struct CommandWords(Vec<String>);

impl CommandWords {
    fn of(verb: &str) -> CommandWords {
        CommandWords(vec![verb.to_owned()])
    }

    /// Adds an option that has a value.
    fn option(mut self, name: &str, value: Option<&str>) -> CommandWords {
        self.0
            .extend(value.map(|value| format!("--{name}={value}")));
        self
    }

    fn flag(mut self, flag: &str, wanted: bool) -> CommandWords {
        self.0.extend(wanted.then(|| flag.to_owned()));
        self
    }

    /// Ends a command that is about nothing else.
    fn alone(self) -> Vec<String> {
        self.0
    }

    /// Ends a command with what it is about, none of which is read as an option.
    fn about(mut self, names: &[&str]) -> Vec<String> {
        self.0.push("--".to_owned());
        self.0.extend(names.iter().map(|&name| name.to_owned()));
        self.0
    }
}

impl PageDecision {
    /// Reads a form.
    ///
    /// # Errors
    /// What is missing or unknown, in a sentence.
    pub(super) fn read(form: &Fields) -> Result<PageDecision, String> {
        let text = |name: &str| text(form, name);
        let commit_plan = form.get("commit_plan").is_some();
        Ok(match form.get("action") {
            Some("arm") => PageDecision::Arm {
                commit_plan,
                feature: text("feature")?,
                accept: form.get("accept").is_some(),
                seen: text("seen")?,
            },
            Some("done") => PageDecision::Done {
                unit: text("unit")?,
                evidence: text("evidence")?,
            },
            Some("unblock") => PageDecision::Unblock {
                commit_plan,
                unit: text("unit")?,
                reason: text("reason")?,
                changed: form.get("changed").map(str::to_owned),
                widen: form.get("widen").is_some(),
            },
            Some("answer") => PageDecision::Answer {
                feature: text("feature")?,
                number: number(form, "number")?,
                question: text("question")?,
                answer: text("answer")?,
            },
            Some("abandon") => PageDecision::Abandon {
                name: text("name")?,
                reason: text("reason")?,
            },
            Some("run") => PageDecision::Run {
                commit_plan,
                feature: text("feature")?,
            },
            Some("stop") => PageDecision::Stop,
            Some("comment") => PageDecision::Comment {
                unit: text("unit")?,
                attempt: number(form, "attempt")?,
                at: text("at")?,
                text: text("text")?,
            },
            _ => return Err("The form asks for nothing that is known here.".to_owned()),
        })
    }

    /// Returns the command that it equals. What was typed is never read as an option.
    pub(super) fn words(&self) -> Vec<String> {
        match self {
            PageDecision::Arm {
                feature,
                accept,
                commit_plan,
                ..
            } => CommandWords::of("arm")
                .option("feature", Some(feature))
                .flag("--accept", *accept)
                .flag("--commit-plan", *commit_plan)
                .alone(),
            PageDecision::Unblock {
                unit,
                reason,
                changed,
                widen,
                commit_plan,
            } => CommandWords::of("unblock")
                .option("reason", Some(reason))
                .option("changed", changed.as_deref())
                .flag("--widen", *widen)
                .flag("--commit-plan", *commit_plan)
                .about(&[unit]),
            PageDecision::Done { unit, evidence } => CommandWords::of("done")
                .option("evidence", Some(evidence))
                .about(&[unit]),
            PageDecision::Answer {
                feature,
                number,
                answer,
                ..
            } => CommandWords::of("answer")
                .option("feature", Some(feature))
                .about(&[&number.to_string(), answer]),
            PageDecision::Abandon { name, reason } => CommandWords::of("abandon")
                .option("reason", Some(reason))
                .about(&[name]),
            PageDecision::Run {
                feature,
                commit_plan,
            } => CommandWords::of("loop")
                .option("feature", Some(feature))
                .flag("--commit-plan", *commit_plan)
                .alone(),
            PageDecision::Stop => CommandWords::of("stop").alone(),
            PageDecision::Comment {
                unit,
                attempt,
                at,
                text,
            } => CommandWords::of("comment")
                .option("attempt", Some(&attempt.to_string()))
                .option("at", Some(at))
                .about(&[unit, text]),
        }
    }

    /// Returns the command as it is typed.
    pub(super) fn line(&self) -> String {
        shell_line(&self.words())
    }
}

fn text(form: &Fields, name: &str) -> Result<String, String> {
    let given = form.get(name).map(str::to_owned);
    given.ok_or_else(|| format!("The field `{name}` is empty."))
}

fn number(form: &Fields, name: &str) -> Result<u32, String> {
    let given = text(form, name)?.parse();
    given.map_err(|_| format!("`{name}` is not a number."))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(form: &str) -> String {
        match PageDecision::read(&Fields::parse(form.as_bytes())) {
            Ok(decision) => decision.line(),
            Err(why) => format!("refused: {why}"),
        }
    }

    #[test]
    fn a_form_is_a_command_and_what_was_typed_stays_a_word() {
        for (form, want) in [
            ("action=arm&feature=F&seen=1", "gatewalk arm --feature=F"),
            (
                "action=arm&feature=F&seen=1&accept=yes",
                "gatewalk arm --feature=F --accept",
            ),
            (
                "action=arm&feature=F",
                "refused: The field `seen` is empty.",
            ),
            (
                "action=unblock&unit=F/T01&reason=a+b",
                "gatewalk unblock '--reason=a b' -- F/T01",
            ),
            (
                "action=unblock&unit=F/T01&reason=r&changed=c&widen=1",
                "gatewalk unblock --reason=r --changed=c --widen -- F/T01",
            ),
            (
                "action=unblock&unit=F/T01&reason=+",
                "refused: The field `reason` is empty.",
            ),
            (
                "action=unblock&unit=--help&reason=r",
                "gatewalk unblock --reason=r -- --help",
            ),
            (
                "action=answer&feature=F&number=1&question=q&answer=--help",
                "gatewalk answer --feature=F -- 1 --help",
            ),
            (
                "action=answer&feature=F&number=x&question=q&answer=a",
                "refused: `number` is not a number.",
            ),
            (
                "action=abandon&name=--help&reason=r",
                "gatewalk abandon --reason=r -- --help",
            ),
            ("action=run&feature=F", "gatewalk loop --feature=F"),
            (
                "action=run&feature=F&commit_plan=yes",
                "gatewalk loop --feature=F --commit-plan",
            ),
            (
                "action=arm&feature=F&seen=1&commit_plan=yes",
                "gatewalk arm --feature=F --commit-plan",
            ),
            (
                "action=unblock&unit=F/T01&reason=r&commit_plan=yes",
                "gatewalk unblock --reason=r --commit-plan -- F/T01",
            ),
            (
                "action=done&unit=--help&evidence=ticket+1",
                "gatewalk done '--evidence=ticket 1' -- --help",
            ),
            (
                "action=done&unit=F/T01",
                "refused: The field `evidence` is empty.",
            ),
            ("action=stop", "gatewalk stop"),
            (
                "action=comment&unit=F/T01&attempt=2&at=a+b.sh:3&text=--no",
                "gatewalk comment --attempt=2 '--at=a b.sh:3' -- F/T01 --no",
            ),
            (
                "action=wrap",
                "refused: The form asks for nothing that is known here.",
            ),
            ("", "refused: The form asks for nothing that is known here."),
        ] {
            assert_eq!(line(form), want, "{form}");
        }
    }
}
