//! Open questions: in the plan, in the review of a drafted gate, and in a parked unit whose session asked. One that is
//! `blocking:` stops arming until the user answers it.

use crate::model::document::Document;
use crate::model::feature::Feature;
use crate::model::layout;
use crate::model::status_machine::UnitStatus;
use std::sync::Arc;

/// One question nobody has answered yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// Where it stands, relative to the repository root.
    pub path: String,
    /// The question, as one line.
    pub text: String,
    /// Whether arming waits for it.
    pub blocking: bool,
    /// The parked unit that waits for the answer.
    pub unit: Option<String>,
    /// Bytes of its bullet.
    span: std::ops::Range<usize>,
    file: String,
}

/// The section that holds them.
const SECTION: &str = "Open questions";

/// Returns the open questions of a feature: of its plan, of the reviews of gates not passed, and of parked units.
pub fn open(feature: &Feature) -> Vec<Question> {
    let mut all = of_doc(&feature.plan.doc);
    let current = feature.current_gate().map(|g| feature.gate_number(g));
    for gate in 0..feature.plan.gates.len() {
        let number = feature.gate_number(gate);
        let name = layout::review_file(number);
        let Some(bytes) = feature.others.get(&name) else {
            continue;
        };
        if current.is_some_and(|c| number >= c) {
            all.extend(of_doc(&Document::parse(
                Arc::from(feature.path(&name)),
                bytes,
            )));
        }
    }
    let parked = feature
        .members()
        .filter(|m| m.status() == UnitStatus::BlockedHuman);
    for member in parked {
        let asked = member
            .unit
            .map(|unit| of_doc(&unit.doc))
            .unwrap_or_default();
        all.extend(asked.into_iter().map(|question| Question {
            unit: Some(member.id().to_owned()),
            ..question
        }));
    }
    all
}

/// Returns a unit's text with a question of its session's added to those that are open.
pub(crate) fn asked(text: &str, question: &str) -> String {
    let bullet = format!("- [ ] {question}\n");
    let doc = Document::parse(Arc::from(""), text.as_bytes());
    if of_doc(&doc).iter().any(|open| open.text == question) {
        return text.to_owned();
    }
    let bullets = doc.bullets_under(SECTION);
    let line_end = |at: usize| text[at..].find('\n').map_or(text.len(), |end| at + end + 1);
    match bullets.iter().map(|bullet| bullet.span.end).max() {
        Some(end) => {
            let end = line_end(end.saturating_sub(1));
            format!("{}{bullet}{}", &text[..end], &text[end..])
        }
        None => format!("{}\n\n## {SECTION}\n\n{bullet}", text.trim_end()),
    }
}

fn of_doc(doc: &Document) -> Vec<Question> {
    let bullets = doc.bullets_under(SECTION);
    bullets
        .into_iter()
        .filter(|b| b.checked == Some(false))
        .map(|b| {
            let text = b.text.trim();
            Question {
                path: doc.path.to_string(),
                text: text.to_owned(),
                blocking: text.to_lowercase().starts_with("blocking:"),
                unit: None,
                span: b.span.clone(),
                file: doc.text.to_string(),
            }
        })
        .collect()
}

/// Returns the file with a question checked and its answer behind it.
pub fn answered(question: &Question, answer: &str) -> Option<(String, String)> {
    let bullet = question.file.get(question.span.clone())?;
    let open = bullet.find("[ ]")?;
    let body = bullet.trim_end();
    let indent: String = question.file[..question.span.start]
        .chars()
        .rev()
        .take_while(|c| *c == ' ')
        .collect();
    let new = format!(
        "{}[x]{}\n{indent}  Answer: {answer}{}",
        &bullet[..open],
        &body[open + 3..],
        &bullet[body.len()..]
    );
    let text = format!(
        "{}{new}{}",
        &question.file[..question.span.start],
        &question.file[question.span.end..]
    );
    Some((question.path.clone(), text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_of_a_session_is_added_once_and_can_be_answered() {
        for (text, want) in [
            (
                "---\nid: x\n---\n\n# Title\n\nText.\n",
                "---\nid: x\n---\n\n# Title\n\nText.\n\n## Open questions\n\n- [ ] Which?\n",
            ),
            (
                "# Title\n\n## Open questions\n\n- [x] Old?\n  Answer: yes\n\n## More\n",
                "# Title\n\n## Open questions\n\n- [x] Old?\n  Answer: yes\n- [ ] Which?\n\n## More\n",
            ),
            (
                "## Open questions\n\n- [ ] Which?\n",
                "## Open questions\n\n- [ ] Which?\n",
            ),
        ] {
            let got = asked(text, "Which?");
            assert_eq!(got, want);
            assert_eq!(asked(&got, "Which?"), got, "twice");
            let doc = Document::parse(Arc::from("WU-01.md"), got.as_bytes());
            let open = of_doc(&doc);
            assert_eq!(open.len(), 1, "{got}");
            let (_, answered) = answered(&open[0], "this").expect("a box");
            assert!(
                answered.contains("- [x] Which?\n  Answer: this\n"),
                "{answered}"
            );
        }
    }

    #[test]
    fn an_answer_checks_the_box_and_stands_behind_the_question() {
        let rows = [
            (
                "## Open questions\n\n- [ ] blocking: which?\n- [x] old\n",
                "## Open questions\n\n- [x] blocking: which?\n  Answer: this\n- [x] old\n",
                true,
            ),
            (
                "## Open questions\n\n- [ ] a long\n  question\n\n## More\n",
                "## Open questions\n\n- [x] a long\n  question\n  Answer: this\n\n## More\n",
                false,
            ),
        ];
        for (text, want, blocking) in rows {
            let doc = Document::parse(Arc::from("PLAN.md"), text.as_bytes());
            let questions = of_doc(&doc);
            assert_eq!(questions.len(), 1, "{text}");
            assert_eq!(questions[0].blocking, blocking);
            let (_, got) = answered(&questions[0], "this").expect("a box");
            assert_eq!(got, want);
        }
    }
}
