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

impl PageDecision {
    /// Reads a form.
    ///
    /// # Errors
    /// What is missing or unknown, in a sentence.
    pub(super) fn read(form: &Fields) -> Result<PageDecision, String> {
        let text = |name: &str| -> Result<String, String> {
            let given = form.get(name);
            given
                .map(str::to_owned)
                .ok_or_else(|| format!("The field `{name}` is empty."))
        };
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
                number: text("number")?
                    .parse()
                    .map_err(|_| "`number` is not a number.")?,
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
                attempt: text("attempt")?
                    .parse()
                    .map_err(|_| "`attempt` is not a number.")?,
                at: text("at")?,
                text: text("text")?,
            },
            _ => return Err("The form asks for nothing that is known here.".to_owned()),
        })
    }

    /// Returns the command that it equals. What was typed is never read as an option.
    pub(super) fn words(&self) -> Vec<String> {
        let option = |name: &str, value: &str| format!("--{name}={value}");
        let word = |text: &str| text.to_owned();
        let commit = |wanted: bool| wanted.then(|| word("--commit-plan"));
        match self {
            PageDecision::Arm {
                feature,
                accept,
                commit_plan,
                ..
            } => {
                let accept = accept.then(|| word("--accept"));
                let words = [word("arm"), option("feature", feature)].into_iter();
                words.chain(accept).chain(commit(*commit_plan)).collect()
            }
            PageDecision::Unblock {
                unit,
                reason,
                changed,
                widen,
                commit_plan,
            } => {
                let changed = changed.as_ref().map(|text| option("changed", text));
                let widen = widen.then(|| word("--widen"));
                let words = [word("unblock"), option("reason", reason)];
                let words = words.into_iter().chain(changed).chain(widen);
                let words = words.chain(commit(*commit_plan));
                words.chain([word("--"), word(unit)]).collect()
            }
            PageDecision::Done { unit, evidence } => {
                vec![
                    word("done"),
                    option("evidence", evidence),
                    word("--"),
                    word(unit),
                ]
            }
            PageDecision::Answer {
                feature,
                number,
                answer,
                ..
            } => vec![
                word("answer"),
                option("feature", feature),
                word("--"),
                number.to_string(),
                word(answer),
            ],
            PageDecision::Abandon { name, reason } => {
                vec![
                    word("abandon"),
                    option("reason", reason),
                    word("--"),
                    word(name),
                ]
            }
            PageDecision::Run {
                feature,
                commit_plan,
            } => {
                let words = [word("loop"), option("feature", feature)].into_iter();
                words.chain(commit(*commit_plan)).collect()
            }
            PageDecision::Stop => vec![word("stop")],
            PageDecision::Comment {
                unit,
                attempt,
                at,
                text,
            } => vec![
                word("comment"),
                option("attempt", &attempt.to_string()),
                option("at", at),
                word("--"),
                word(unit),
                word(text),
            ],
        }
    }

    /// Returns the command as it is typed.
    pub(super) fn line(&self) -> String {
        shell_line(&self.words())
    }
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
