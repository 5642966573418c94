//! What a decision is about: the review of what is armed, the question that is answered.
//!
//! It is shown with the question whether the command may run, and must be the same once the user agreed: an agent can change
//! a plan while its user reads.

use gatewalk_core::engine::evidence::one_line;
use gatewalk_host::own_program::{OwnProgram, OwnRunTerms};
use serde_json::Value;
use std::path::Path;
use std::time::Duration;

/// How long reading it may take.
const TERMS: OwnRunTerms = OwnRunTerms {
    limit: Duration::from_secs(60),
    yields: false,
};
/// The most lines of it that are shown, and the most characters of each.
const MOST_LINES: usize = 24;
const LONGEST_LINE: usize = 200;

/// Which part of the plan a decision is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DecisionSubject {
    /// The review of what is about to be armed.
    Review,
    /// The open question that is about to be answered.
    Question,
}

/// What a call is about, as it stood when it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SubjectText {
    /// All that matters of it.
    whole: String,
    /// What of it is shown.
    pub(super) lines: Vec<String>,
}

/// Reads what a call is about.
#[derive(Debug, Clone)]
pub(super) struct SubjectReader {
    pub(super) subject: DecisionSubject,
    /// The arguments of the call.
    pub(super) given: Value,
}

impl SubjectReader {
    /// Reads it; none where it cannot be read, which the command itself will say.
    pub(super) fn read(&self, program: &OwnProgram, cwd: &Path) -> Option<SubjectText> {
        let printed = |words: Vec<String>| {
            let done = program.run(cwd, &words, TERMS).ok()?;
            let good = done.code == Some(0);
            good.then(|| serde_json::from_slice::<Value>(&done.stdout).ok())?
        };
        let found = self.commands().into_iter().find_map(printed)?;
        self.text_of(&found)
    }

    /// Returns the commands of which the first that succeeds prints it: the name to arm may be a feature's, or a unit's with or
    /// without its feature.
    fn commands(&self) -> Vec<Vec<String>> {
        let (verb, name) = match self.subject {
            DecisionSubject::Review => ("review", self.argument("name")),
            DecisionSubject::Question => ("answer", self.argument("feature")),
        };
        let feature = name.split_once('/').map(|(feature, _)| feature.to_owned());
        let named = [Some(name), feature].into_iter().flatten();
        let features = named.filter(|name| !name.is_empty()).map(Some);
        let command = |feature: Option<String>| {
            let option = feature.map(|feature| format!("--feature={feature}"));
            let words = [verb, "--json"].map(str::to_owned).into_iter();
            words.chain(option).collect()
        };
        features.chain([None]).map(command).collect()
    }

    fn argument(&self, name: &str) -> String {
        match &self.given[name] {
            Value::String(text) => text.trim().to_owned(),
            Value::Null => String::new(),
            other => other.to_string(),
        }
    }

    fn text_of(&self, printed: &Value) -> Option<SubjectText> {
        let rows =
            |value: &'_ Value, name: &str| value[name].as_array().cloned().unwrap_or_default();
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let (whole, lines) = match self.subject {
            DecisionSubject::Review => {
                let parts = rows(printed, "parts").into_iter();
                let lines = parts.flat_map(|part| {
                    let own = rows(&part, "lines");
                    let own = own.iter().map(|line| format!("  {}", text(line)));
                    [text(&part["title"])]
                        .into_iter()
                        .chain(own)
                        .collect::<Vec<_>>()
                });
                (printed.to_string(), lines.collect())
            }
            DecisionSubject::Question => {
                let wanted: Option<u64> = self.argument("number").parse().ok();
                let asked = rows(printed, "questions");
                let asked = asked
                    .iter()
                    .find(|row| wanted.is_some() && row["number"].as_u64() == wanted)?;
                let question = text(&asked["question"]);
                (question.clone(), vec![question])
            }
        };
        Some(SubjectText {
            whole,
            lines: shown(&lines),
        })
    }
}

/// Returns lines as they are shown: nothing in them moves or hides what stands beside them.
fn shown(lines: &[String]) -> Vec<String> {
    let cut = |line: &String| -> String {
        let line = one_line(line);
        match line.chars().nth(LONGEST_LINE) {
            Some(_) => line.chars().take(LONGEST_LINE - 1).chain(['…']).collect(),
            None => line,
        }
    };
    let mut shown: Vec<String> = lines.iter().take(MOST_LINES).map(cut).collect();
    if lines.len() > MOST_LINES {
        shown.push(format!("… and {} more lines", lines.len() - MOST_LINES));
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn reader(subject: DecisionSubject, given: Value) -> SubjectReader {
        SubjectReader { subject, given }
    }

    #[test]
    fn what_is_armed_is_looked_for_under_each_name_it_can_have() {
        let commands = |given| {
            let reader = reader(DecisionSubject::Review, given);
            let joined = |words: &Vec<String>| words[2..].join(" ");
            reader.commands().iter().map(joined).collect::<Vec<_>>()
        };
        assert_eq!(commands(json!({})), [""]);
        assert_eq!(commands(json!({"name": "T01"})), ["--feature=T01", ""]);
        assert_eq!(
            commands(json!({"name": "F/T01"})),
            ["--feature=F/T01", "--feature=F", ""]
        );
    }

    #[test]
    fn a_question_is_known_by_its_words_and_a_review_by_all_of_it() {
        let printed = json!({"questions": [{"number": 1, "question": "a"}, {"number": 2, "question": "b\u{202e}\nc"}]});
        let asked = |number: Value| {
            let reader = reader(DecisionSubject::Question, json!({"number": number}));
            reader.text_of(&printed).map(|found| found.lines)
        };
        assert_eq!(asked(json!("1")), Some(vec!["a".to_owned()]));
        let safe = asked(json!(2)).unwrap();
        assert!(!safe[0].contains(['\n', '\u{202e}']), "{safe:?}");
        assert_eq!(asked(json!("3")), None);

        let review = |plan: &str| {
            let lines: Vec<String> = (0..40).map(|n| format!("{n}{}", "x".repeat(300))).collect();
            let parts = json!({"plan": plan, "parts": [{"title": "Drafts", "lines": lines}]});
            let reader = reader(DecisionSubject::Review, json!({}));
            reader.text_of(&parts).unwrap()
        };
        assert_ne!(review("one"), review("two"));
        let lines = review("one").lines;
        assert_eq!((lines.len(), &*lines[0]), (MOST_LINES + 1, "Drafts"));
        assert!(
            lines
                .iter()
                .all(|line| line.chars().count() <= LONGEST_LINE)
        );
    }
}
