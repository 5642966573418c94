//! Open questions: in the plan, and in the review of a drafted gate. One that is `blocking:` stops
//! arming until the user answers it.

use crate::model::document::Document;
use crate::model::feature::Feature;
use crate::model::layout;
use std::sync::Arc;

/// One question nobody has answered yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// Where it stands, relative to the repository root.
    pub path: String,
    /// What is asked.
    pub text: String,
    /// Whether arming waits for it.
    pub blocking: bool,
    /// Bytes of its bullet.
    span: std::ops::Range<usize>,
    file: String,
}

/// Returns the open questions of a feature: of its plan, and of the reviews of gates not passed.
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
    all
}

fn of_doc(doc: &Document) -> Vec<Question> {
    let bullets = doc.bullets_under("Open questions");
    bullets
        .into_iter()
        .filter(|b| b.checked == Some(false))
        .map(|b| {
            let text = b.text.trim();
            Question {
                path: doc.path.to_string(),
                text: text.to_owned(),
                blocking: text.to_lowercase().starts_with("blocking:"),
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
