//! What a user decides on a page: each is a command of this program, shown before it runs and run as it is shown.

use super::http_request::Fields;
use crate::mcp::shell_line;

/// A decision: the command that it equals.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PageDecision {
    /// The command; nothing that was typed is read as an option.
    pub(super) words: Vec<String>,
    pub(super) kind: DecisionKind,
}

/// What a decision asks for beside its command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum DecisionKind {
    /// `seen` stands for the review that was shown; it must still be the same.
    Arm { feature: String, seen: String },
    /// `question` is what stood beside the form: numbers move when another question is answered.
    Answer {
        feature: String,
        number: u32,
        question: String,
    },
    /// A run, which goes on when the page is answered.
    Run,
    /// Nothing more.
    Plain,
}

/// The words of a command, as they are put together.
struct CommandWords(Vec<String>);

impl CommandWords {
    fn of(verb: &str) -> CommandWords {
        CommandWords(vec![verb.to_owned()])
    }

    /// Adds an option that has a value.
    fn option(mut self, name: &str, value: &str) -> CommandWords {
        self.0.push(format!("--{name}={value}"));
        self
    }

    /// Adds a flag where the form has a field.
    fn flag(mut self, flag: &str, form: &Fields, field: &str) -> CommandWords {
        let wanted = form.get(field).is_some();
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
        let command = |verb: &str| CommandWords::of(verb);
        let with_plan = |words: CommandWords| words.flag("--commit-plan", form, "commit_plan");
        let kind = kind(form)?;
        let words = match form.get("action").unwrap_or_default() {
            "arm" => {
                let words = command("arm").option("feature", &text("feature")?);
                with_plan(words.flag("--accept", form, "accept")).alone()
            }
            "run" => with_plan(command("loop").option("feature", &text("feature")?)).alone(),
            "stop" => command("stop").alone(),
            "unblock" => {
                let words = command("unblock").option("reason", &text("reason")?);
                let words = match form.get("changed") {
                    Some(changed) => words.option("changed", changed),
                    None => words,
                };
                with_plan(words.flag("--widen", form, "widen")).about(&[&text("unit")?])
            }
            "done" => command("done")
                .option("evidence", &text("evidence")?)
                .about(&[&text("unit")?]),
            "answer" => command("answer")
                .option("feature", &text("feature")?)
                .about(&[&number(form, "number")?.to_string(), &text("answer")?]),
            "abandon" => command("abandon")
                .option("reason", &text("reason")?)
                .about(&[&text("name")?]),
            "comment" => command("comment")
                .option("attempt", &number(form, "attempt")?.to_string())
                .option("at", &text("at")?)
                .about(&[&text("unit")?, &text("text")?]),
            _ => return Err("The form asks for nothing that is known here.".to_owned()),
        };
        Ok(PageDecision { words, kind })
    }

    /// Returns the command as it is typed.
    pub(super) fn line(&self) -> String {
        shell_line(&self.words)
    }
}

fn kind(form: &Fields) -> Result<DecisionKind, String> {
    let text = |name: &str| text(form, name);
    Ok(match form.get("action") {
        Some("arm") => DecisionKind::Arm {
            feature: text("feature")?,
            seen: text("seen")?,
        },
        Some("answer") => DecisionKind::Answer {
            feature: text("feature")?,
            number: number(form, "number")?,
            question: text("question")?,
        },
        Some("run") => DecisionKind::Run,
        _ => DecisionKind::Plain,
    })
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
