//! A function around a line, and the two answers, both worked out from what the function is given, that it chooses between.

use crate::engine::protected::additions::indent;
use crate::engine::protected::text_lines::TextLines;
use crate::engine::protected::text_words::{has_one_of, words};
use crate::pattern::{TextPattern, constant};

/// A function around a line.
pub(super) struct Function {
    pub(super) from: usize,
    pub(super) until: usize,
    pub(super) given: Vec<String>,
}

impl Function {
    pub(super) fn around(lines: &[&str], at: usize) -> Option<Function> {
        static OPENS: TextPattern = TextPattern::new(
            r"\b(?:def|func|fn|function)\s*(?:\([^()]*\)\s*)?[\w.]*\s*\(([^()]*)\)|\(([^()]*)\)\s*(?::\s*\w+\s*)?=>|^\s+(?:(?:static|async|get|public|private)\s+)*(\w+\([^()]*\))\s*(?::\s*[\w<>\[\] ]+)?\{",
        );
        const NO_FUNCTIONS: [&str; 5] = ["if", "for", "while", "switch", "catch"];
        let mut depth = indent(lines[at]) + 1;
        for from in (0..=at).rev() {
            let line = lines[from];
            if line.trim().is_empty() || indent(line) >= depth {
                continue;
            }
            depth = indent(line);
            let Some(found) = OPENS.captures(line) else {
                if depth == 0 {
                    break;
                }
                continue;
            };
            let given = found
                .iter()
                .skip(1)
                .flatten()
                .next()
                .map(|all| all.as_str());
            let given = given.unwrap_or_default();
            let (head, inside) = given.split_once('(').unwrap_or(("", given));
            if NO_FUNCTIONS.contains(&head) {
                continue;
            }
            let given = words(inside).filter(|word| *word != "self");
            let inside = |line: &&&str| line.trim().is_empty() || indent(line) > depth;
            let until = from + 1 + lines[from + 1..].iter().take_while(inside).count();
            return Some(Function {
                from,
                until,
                given: given.map(str::to_owned).collect(),
            });
        }
        None
    }

    /// Returns whether what has a name is there before the function begins, and when it ends.
    pub(super) fn outlives(&self, name: &str, extension: &str, all: &TextLines<'_>) -> bool {
        let root = name.split(['.', '[']).next().unwrap_or_default();
        if root.is_empty() || root.starts_with(['@', '$']) || ["self", "this"].contains(&root) {
            return true;
        }
        if self.given.iter().any(|given| given == root) {
            return false;
        }
        let lines = &all.lines;
        let named = regex::escape(root);
        let depth = indent(lines[self.from]);
        let is_before = |pattern: &str| {
            let made = constant(&pattern.replace('@', &named));
            let mut before = all.holding_within(root, 0, self.from).iter();
            before.any(|at| indent(lines[*at]) <= depth && made.is_match(lines[*at]))
        };
        let is_in_body = |pattern: &str| {
            let made = constant(&pattern.replace('@', &named));
            let mut body = all.holding_within(root, self.from, self.until).iter();
            body.any(|at| made.is_match(lines[*at]))
        };
        match extension {
            "py" => {
                is_in_body(r"\b(?:global|nonlocal)\b[^\n]*\b@\b")
                    || is_before(r"^@\s*(?::[^=]+)?=[^=]")
                        && !is_in_body(r"^\s*@\s*=[^=]|\bfor\b[^\n]*\b@\b|\bas\s+@\b")
            }
            "rb" => root.starts_with(char::is_uppercase),
            _ => {
                is_in_body(r"^func\s*\(\s*@\b")
                    || is_before(r"\b(?:let|var|const|static)\s+(?:mut\s+)?@\b|^\t@\s+\S")
                        && !is_in_body(r"\b(?:let|var|const)\b[^=\n]*\b@\b|\b@\b[^=\n]*:=")
            }
        }
    }
}

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
