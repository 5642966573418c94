//! What the model tells a user by a tool of the program's, which nobody answers here: a plan to be approved, a question with
//! choices. It is the model's word like any other, so that a stop can show it.

use crate::agents::lenient_json::Field;
use crate::agents::nested_objects::Nested;
use serde::Deserialize;

/// A plan is kept like other words: its end says little, so it is cut.
const LONGEST: usize = 4000;

#[derive(Deserialize, Default)]
#[serde(default)]
struct UserCall<'a> {
    #[serde(borrow)]
    plan: Field<'a>,
    questions: Nested<PutQuestion<'a>>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct PutQuestion<'a> {
    #[serde(borrow)]
    question: Field<'a>,
    options: Nested<Choice<'a>>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Choice<'a> {
    #[serde(borrow)]
    label: Field<'a>,
}

/// Returns what a tool call says to a user; `None` where it does not speak to one.
pub(super) fn words(tool: &str, input: Field<'_>) -> Option<String> {
    match tool {
        "ExitPlanMode" | "exit_plan_mode" => input.read::<UserCall<'_>>()?.plan.short(LONGEST),
        "AskUserQuestion" | "ask_user_question" => {
            let input: UserCall<'_> = input.read()?;
            let asked = input.questions.many().filter_map(asked);
            Some(asked.collect::<Vec<_>>().join("\n\n")).filter(|asked| !asked.is_empty())
        }
        _ => None,
    }
}

fn asked(question: &PutQuestion<'_>) -> Option<String> {
    let mut text = question.question.short(LONGEST)?;
    let labels = question.options.many();
    for label in labels.filter_map(|choice| choice.label.short(200)) {
        text.push_str(&format!("\n- {label}"));
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use crate::agents::{Session, messages};

    /// The last words of a session that says something and calls a tool.
    fn last_words(tool: &str, input: &str) -> String {
        let mut seen = Session::default();
        let line = format!(
            r#"{{"type":"assistant","message":{{"id":"m","content":[{{"type":"text","text":"I looked at it."}},{{"type":"tool_use","id":"t","name":"{tool}","input":{input}}}]}}}}"#
        );
        messages::read(line.as_bytes(), &mut seen);
        seen.closing_text().trim_end().to_owned()
    }

    #[test]
    fn what_is_put_to_a_user_by_a_tool_is_said() {
        let question = r#"{"questions":[{"question":"Which one?","header":"Base","options":[{"label":"Postgres"},{"label":"SQLite","description":"a file"}]}]}"#;
        let asked = "I looked at it.\n\nWhich one?\n- Postgres\n- SQLite";
        for (tool, input, want) in [
            ("AskUserQuestion", question, asked),
            ("ask_user_question", question, asked),
            (
                "ExitPlanMode",
                r#"{"plan":"1. Write it."}"#,
                "I looked at it.\n\n1. Write it.",
            ),
            ("exit_plan_mode", r#"{"plan":7}"#, "I looked at it."),
            ("AskUserQuestion", r#"{"questions":"?"}"#, "I looked at it."),
            ("Write", r#"{"plan":"x"}"#, "I looked at it."),
        ] {
            assert_eq!(last_words(tool, input), want, "{tool} {input}");
        }
    }
}
