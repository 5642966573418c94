//! The two answers, both worked out from what a function is given, that it chooses between.

use crate::engine::protected::text_words::has_one_of;
use crate::pattern::{TextPattern, constant};

/// A choice between two answers by a question.
pub(super) struct AnswerChoice {
    is_asked: regex::Regex,
    inline: regex::Regex,
}

impl AnswerChoice {
    pub(super) fn by(asked: &str) -> AnswerChoice {
        let question = format!(
            r"(?:not\s+|!\s*)?\(?(?:{asked})\)?(?:\s*(?:%\s*\d+\s*)?(?:[<>]=?|[!=]==?|is(?:\s+not)?)\s*[\w.-]+)?"
        );
        AnswerChoice {
            is_asked: constant(&format!(
                r"^[\s}}]*(?:else\s+|el)?if\s*\(?{question}\)?\s*(?:[:{{]|return\b|$)|\bif\s+{question}\s+else\b|(?:return|=>|=)\s*\(?\(?{question}\)?\s*\?[^.?]|^\s*{question}\s*\?\s|\bif\s+{question}\s*\{{[^{{}}]*\}}\s*else"
            )),
            inline: constant(&format!(
                r"\breturn\s+(.+?)\s+if\s+{question}\s+else\s+(.+)$|{question}\)?\s*\?\s*([^?:\n]+?)\s*:\s*([^;)\n]+)|\bif\s+{question}\s*\{{\s*([^{{}}\n]+?)\s*\}}\s*else\s*\{{\s*([^{{}}\n]+?)\s*\}}"
            )),
        }
    }

    pub(super) fn is_asked(&self, line: &str) -> bool {
        self.is_asked.is_match(line)
    }

    /// Returns whether the first of some lines chooses between answers that are made of what is given.
    pub(super) fn is_made(&self, lines: &[&str], given: &[String]) -> bool {
        static ANSWER: TextPattern =
            TextPattern::new(r"\breturn\s+([^;}\n]+)|^\s*(\w+\s*[-+*/%&|^]\s*\w+)\s*$");
        if let Some(found) = self.inline.captures(lines[0]) {
            let answers: Vec<&str> = found.iter().skip(1).flatten().map(|m| m.as_str()).collect();
            return are_two(&answers, given);
        }
        let answers = lines.iter().take(12).filter_map(|line| {
            let found = ANSWER.captures(line)?;
            Some(found.iter().skip(1).flatten().next()?.as_str())
        });
        let answers: Vec<&str> = answers.collect();
        let rest = answers.iter().skip(1);
        rest.into_iter()
            .any(|other| are_two(&[answers[0], other], given))
    }
}

/// Returns whether answers are two that differ, both worked out from what is given and from nothing that is called.
pub(super) fn are_two(answers: &[&str], given: &[String]) -> bool {
    static WORKED_OUT: TextPattern = TextPattern::new(r"[\w)]\s*[-+*/%&|^]\s*[\w(]");
    let is_of_given =
        |answer: &str| has_one_of(answer, given) && !answer.contains(['[', '(', '"', '\'', '`']);
    let [first, second] = answers else {
        return false;
    };
    first.trim() != second.trim()
        && is_of_given(first)
        && is_of_given(second)
        && (WORKED_OUT.is_match(first) || WORKED_OUT.is_match(second))
}
