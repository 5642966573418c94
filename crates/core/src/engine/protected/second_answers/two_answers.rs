//! What a line gives as an answer, and the two answers, both worked out from what a function is given, that it chooses between.

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
        if let Some(found) = self.inline.captures(lines[0]) {
            let answers: Vec<&str> = found.iter().skip(1).flatten().map(|m| m.as_str()).collect();
            return are_two(&answers, given);
        }
        let mut answers = lines.iter().take(12).filter_map(|line| answer(line));
        let first = answers.next();
        first.is_some_and(|first| answers.any(|other| are_two(&[first, other], given)))
    }
}

/// Returns what a line returns.
pub(super) fn returned(line: &str) -> Option<&str> {
    static RETURNED: TextPattern = TextPattern::new(r"\breturn\s+([^;}\n]+)");
    Some(RETURNED.captures(line)?.get(1)?.as_str().trim())
}

/// Returns what a line gives as an answer: what it returns, or what it works out and does nothing with.
pub(super) fn answer(line: &str) -> Option<&str> {
    static WORKED_OUT: TextPattern =
        TextPattern::new(r"^\s*(\(*[\w.]+\)*(?:\s*[-+*/%&|^]\s*\(*[\w.]+\)*)+)\s*$");
    let worked_out = || Some(WORKED_OUT.captures(line)?.get(1)?.as_str());
    returned(line).or_else(worked_out)
}

/// Returns whether an answer is made of what is given, and of nothing that is called, looked up or written out.
pub(super) fn is_made_of(answer: &str, given: &[String]) -> bool {
    has_one_of(answer, given) && !answer.contains(['[', '(', '"', '\''])
}

/// Returns whether answers are two that differ, both worked out from what is given and from nothing that is called.
pub(super) fn are_two(answers: &[&str], given: &[String]) -> bool {
    static WORKED_OUT: TextPattern = TextPattern::new(r"[\w)]\s*[-+*/%&|^]\s*[\w(]");
    // Which of two texts is said is often chosen; a mark that is set has a text count as an answer, too.
    let is_of_given = |answer: &str| is_made_of(answer, given) && !answer.contains('`');
    let [first, second] = answers else {
        return false;
    };
    first.trim() != second.trim()
        && is_of_given(first)
        && is_of_given(second)
        && (WORKED_OUT.is_match(first) || WORKED_OUT.is_match(second))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_line_gives_as_an_answer_is_told_and_whether_it_is_made_of_what_is_given() {
        let given = ["a".to_owned(), "b".to_owned()];
        for (line, want, is_made) in [
            ("    return a - b;", Some("a - b"), true),
            ("    return -b", Some("-b"), true),
            ("  if (used) { return a }", Some("a"), true),
            ("    a + b", Some("a + b"), true),
            ("    a * 3000 / 10", Some("a * 3000 / 10"), true),
            ("    (a - b) * 0.5", Some("(a - b) * 0.5"), false),
            ("    return kept", Some("kept"), false),
            ("    return made(a)", Some("made(a)"), false),
            ("    return table[a]", Some("table[a]"), false),
            ("    a = b", None, false),
            ("    return", None, false),
        ] {
            let found = answer(line);
            assert_eq!(found, want, "{line}");
            let made = found.is_some_and(|answer| is_made_of(answer, &given));
            assert_eq!(made, is_made, "{line}");
        }
        assert!(are_two(&["a - b", "a + b"], &given));
        assert!(!are_two(&["`${a}`", "a + b"], &given));
        assert!(!are_two(&["a", "b"], &given));
    }
}
