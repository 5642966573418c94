//! The body of a test: where a name of its own is known, and what it gives a value itself.

use super::additions::{OPENING, indent};
use super::text_words::has_word;
use crate::path_names::extension;
use crate::pattern::TextPattern;

/// The head of what is run as one test: what has a name in it is known in it alone.
pub(super) static BODY: TextPattern =
    TextPattern::new(r"^\s*(?:(?:async )?def |func |(?:await )?(?:t\.)?(?:it|test)(?:\.\w+)*\()");

/// Lines of the base around a place in a body.
pub(super) struct OwnBody<'t> {
    /// From the head of the body to its end.
    whole: Vec<&'t str>,
    /// From the place on.
    later: Vec<&'t str>,
    /// From the head to the place.
    earlier: Vec<&'t str>,
}

impl<'t> OwnBody<'t> {
    /// Returns the lines around a place where code stands at some indent: all of the text where its end is not certain.
    pub(super) fn of(path: &str, (old, at): (&[&'t str], usize), level: usize) -> OwnBody<'t> {
        let head = |line: &&str| indent(line) < level && BODY.is_match(line);
        let ends = |line: &&str| indent(line) < level && closes(path, line);
        let from = old[..at].iter().rposition(head);
        let to = old[at..].iter().position(ends);
        let to = to.map_or(old.len(), |to| at + to);
        let lines = &old[from.unwrap_or(0)..to];
        if lines.iter().any(|line| opens_string(path, line)) {
            return OwnBody::unknown(old);
        }
        OwnBody {
            whole: lines.to_vec(),
            later: old[at..to].to_vec(),
            earlier: from.map_or_else(Vec::new, |from| old[from..at].to_vec()),
        }
    }

    /// Returns all of a text, any line of which may belong to the body.
    pub(super) fn unknown(old: &[&'t str]) -> OwnBody<'t> {
        OwnBody {
            whole: old.to_vec(),
            later: old.to_vec(),
            earlier: vec![],
        }
    }

    /// Returns whether nothing of the body has this name.
    pub(super) fn is_new(&self, name: &str) -> bool {
        is_new(name, &self.whole)
    }

    /// Returns whether nothing of the body has this name from the place on.
    pub(super) fn is_new_later(&self, name: &str) -> bool {
        is_new(name, &self.later)
    }

    /// Returns whether the body, or what is added to it, gives a name its value: nobody else has what it stands for.
    pub(super) fn makes(&self, path: &str, name: &str, added: &[String]) -> bool {
        let says = |line: &&str| line.contains("global ") || line.contains("nonlocal ");
        let Some(head) = self
            .earlier
            .first()
            .filter(|_| !self.earlier.iter().any(says))
        else {
            return false;
        };
        let inside = self.earlier[1..].iter().map(|line| indent(line)).min();
        let lines = self.earlier[1..]
            .iter()
            .filter(|l| Some(indent(l)) == inside);
        let lines = lines.map(|line| line.trim());
        // What is given to it from outside is none of its own.
        is_new(name, &[head])
            && lines
                .chain(added.iter().map(String::as_str))
                .any(|line| made(path, line).any(|made| made == name))
    }
}

/// Returns the names that a statement gives a value that it has made: what a call or brackets come to.
fn made<'t>(path: &str, line: &'t str) -> impl Iterator<Item = &'t str> {
    static PYTHON: TextPattern = TextPattern::new(
        r"^((?:\w+, )*\w+) = (?:(?:await )?[\w.]*\(|[(\[{])|^with [^\n]*\bas (\w+):$",
    );
    static GO: TextPattern = TextPattern::new(r"^((?:\w+, )*\w+) := (?:[&*]?[\w.\[\]]*[({])");
    let pattern = match extension(path) {
        "go" => &GO,
        _ => &PYTHON,
    };
    let found = pattern.captures(line).filter(|_| !line.contains("getattr"));
    let found = found.and_then(|found| found.get(1).or(found.get(2)));
    found.map_or("", |names| names.as_str()).split(", ")
}

/// Returns whether nothing of a text has this name.
pub(super) fn is_new(name: &str, old: &[&str]) -> bool {
    !name.is_empty() && !old.iter().any(|line| has_word(line, name))
}

/// Returns whether a line that stands further out ends a body: inside of strings and remarks any line may.
fn closes(path: &str, line: &str) -> bool {
    match extension(path) {
        "py" => OPENING.is_match(line) || line.trim_start().starts_with('@'),
        _ => line.trim_start().starts_with('}'),
    }
}

/// Returns whether a string that begins or ends in a line goes over lines.
fn opens_string(path: &str, line: &str) -> bool {
    let odd = |mark: &str| line.matches(mark).count() % 2 == 1;
    match extension(path) {
        "py" => odd("\"\"\"") || odd("'''") || line.ends_with('\\'),
        _ => odd("`"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_goes_on_through_its_strings_and_labels() {
        let go = [
            "var limit = 1",
            "func TestA(t *testing.T) {",
            "\tcheck(1)",
            "next:",
            "\tcheck(limit)",
            "}",
        ];
        assert!(!OwnBody::of("a_test.go", (&go, 3), 1).is_new_later("limit"));
        let text = [
            "func TestA(t *testing.T) {",
            "\tcheck(`",
            "}`, 1)",
            "\tcheck(limit)",
            "}",
        ];
        assert!(!OwnBody::of("a_test.go", (&text, 1), 1).is_new_later("limit"));
        let apart = [
            "func TestA(t *testing.T) {",
            "\tcheck(limit)",
            "\tcheck(1)",
            "}",
            "var limit = 1",
        ];
        let body = OwnBody::of("a_test.go", (&apart, 2), 1);
        assert!(body.is_new_later("limit") && !body.is_new("limit"));
    }

    #[test]
    fn what_a_body_makes_is_told_from_what_it_is_given() {
        let old = [
            "def test_a(client):",
            "    a = calc(1)",
            "    b = CASES",
            "    if c:",
            "        d = calc(2)",
        ];
        let body = OwnBody::of("test_a.py", (&old, 5), 4);
        let added = ["e = []".to_owned()];
        for (name, want) in [
            ("a", true),
            ("e", true),
            ("b", false),
            ("client", false),
            ("d", false),
        ] {
            assert_eq!(body.makes("test_a.py", name, &added), want, "{name}");
        }
    }
}
