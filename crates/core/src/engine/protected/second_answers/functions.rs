//! Functions in the lines of a text: found by what opens one in each language, and by how far lines stand in.

use super::KnownLanguage;
use crate::engine::protected::additions::indent;
use crate::engine::protected::text_lines::TextLines;
use crate::engine::protected::text_words::words;
use crate::pattern::{TextPattern, constant};

/// A method of a class, by its name and what it is given.
static METHOD: TextPattern = TextPattern::new(
    r"^\s+(?:(?:static|async|get|public|private)\s+)*(\w+)\(([^()]*)\)\s*(?::\s*[\w<>\[\] ]+)?\{",
);

/// What opens a block just as a method does, and is none.
const NO_FUNCTIONS: [&str; 5] = ["if", "for", "while", "switch", "catch"];

/// A function around a line.
pub(super) struct Function {
    pub(super) from: usize,
    pub(super) until: usize,
    pub(super) given: Vec<String>,
}

impl Function {
    pub(super) fn around(lines: &[&str], at: usize) -> Option<Function> {
        let mut heads = enclosing(lines, at).filter_map(|at| Some((at, given_by(lines[at])?)));
        let (from, given) = heads.next()?;
        let depth = indent(lines[from]);
        let inside = |line: &&&str| line.trim().is_empty() || indent(line) > depth;
        let until = from + 1 + lines[from + 1..].iter().take_while(inside).count();
        Some(Function {
            from,
            until,
            given: names(given),
        })
    }

    /// Returns whether what has a name is there before the function begins, and when it ends.
    pub(super) fn outlives(
        &self,
        name: &str,
        language: KnownLanguage,
        all: &TextLines<'_>,
    ) -> bool {
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
        match language {
            KnownLanguage::Python => {
                is_in_body(r"\b(?:global|nonlocal)\b[^\n]*\b@\b")
                    || is_before(r"^@\s*(?::[^=]+)?=[^=]")
                        && !is_in_body(r"^\s*@\s*=[^=]|\bfor\b[^\n]*\b@\b|\bas\s+@\b")
            }
            KnownLanguage::Ruby => root.starts_with(char::is_uppercase),
            _ => {
                is_in_body(r"^func\s*\(\s*@\b")
                    || is_before(r"\b(?:let|var|const|static)\s+(?:mut\s+)?@\b|^\t@\s+\S")
                        && !is_in_body(r"\b(?:let|var|const)\b[^=\n]*\b@\b|\b@\b[^=\n]*:=")
            }
        }
    }
}

/// Returns whether the last of some lines is in a function, one that is not handed to another where it stands.
pub(super) fn is_in_function(lines: &[&str]) -> bool {
    // Whatever it is given, which may stand on lines of its own.
    static OPENS: TextPattern = TextPattern::new(
        r"(?x)^\s*(?:async\s+)?def\b | \b(?:fn|func)\s | (?:^|[=:;]|\b(?:export|default|return|async))\s*function\b |
        (?:[=:]|\b(?:return|default))\s*(?:async\s*)?(?:\([^()]*\)|\w+)\s*(?::\s*\w+\s*)?=>",
    );
    let opens = |line: &str| match METHOD.captures(line) {
        Some(found) => !NO_FUNCTIONS.contains(&&found[1]),
        None => OPENS.is_match(line),
    };
    let last = lines.len().checked_sub(1);
    last.is_some_and(|last| enclosing(lines, last).any(|at| opens(lines[at])))
}

/// Returns what the function is given whose head is the nearest above the end of some lines, however far in they stand: where
/// braces say what is inside, nothing else has to.
pub(super) fn given_above(lines: &[&str]) -> Vec<String> {
    let near = lines.iter().rev().take(12);
    near.copied().find_map(given_in_head).map_or(vec![], names)
}

/// Returns what a function or method is given whose head a line holds, as it stands there.
fn given_by(line: &str) -> Option<&str> {
    let Some(found) = METHOD.captures(line) else {
        return given_in_head(line);
    };
    let given = found.get(2)?.as_str();
    (!NO_FUNCTIONS.contains(&&found[1])).then_some(given)
}

/// Returns what a function is given that a word or an arrow makes one.
fn given_in_head(line: &str) -> Option<&str> {
    static HEAD: TextPattern = TextPattern::new(
        r"\b(?:def|func|fn|function)\s*(?:\([^()]*\)\s*)?[\w.]*\s*\(([^()]*)\)|\(([^()]*)\)\s*(?::\s*\w+\s*)?=>",
    );
    let found = HEAD.captures(line)?;
    Some(found.iter().skip(1).flatten().next()?.as_str())
}

/// Returns the names in what a function is given.
fn names(given: &str) -> Vec<String> {
    let names = words(given).filter(|word| *word != "self");
    names.map(str::to_owned).collect()
}

/// Returns the lines that a line stands in, from itself on outwards.
fn enclosing(lines: &[&str], at: usize) -> impl Iterator<Item = usize> {
    std::iter::successors(Some(at), |at| {
        // Nothing is around a line at the margin, and above it there may be a whole bundle.
        let depth = Some(indent(lines[*at])).filter(|depth| *depth > 0)?;
        let mut above = (0..*at).rev();
        above.find(|at| !lines[*at].trim().is_empty() && indent(lines[*at]) < depth)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_is_told_from_what_opens_a_block_as_one_does() {
        // What the line that says `here` stands in: what that function is given, and whether it is handed to nothing.
        for (text, given, is_own) in [
            ("def add(a, b):\n    here\n", Some("a b"), true),
            ("def add(a,\n        b):\n    here\n", None, true),
            (
                "class A:\n    def add(self, a):\n        if a:\n\n            here\n",
                Some("a"),
                true,
            ),
            (
                "fn add(a: i32) -> i32 {\n    here\n}\n",
                Some("a i32"),
                true,
            ),
            (
                "func (c *Calc) Add(a int) int {\n\there\n}\n",
                Some("a int"),
                true,
            ),
            ("exports.add = (a, b) => {\n  here\n};\n", Some("a b"), true),
            (
                "exports.add = function (a) {\n  here\n};\n",
                Some("a"),
                true,
            ),
            (
                "files.forEach((file) => {\n  here\n});\n",
                Some("file"),
                false,
            ),
            ("class A {\n  add(a) {\n    here\n  }\n}\n", Some("a"), true),
            (
                "class A {\n  add(a) {\n    if (a) {\n      here\n    }\n  }\n}\n",
                Some("a"),
                true,
            ),
            ("{\n  if (a) {\n    here\n  }\n}\n", None, false),
            (
                "{\n  for (const a of all) {\n    here\n  }\n}\n",
                None,
                false,
            ),
            (
                "{\n  add(a): Map<string> {\n    here\n  }\n}\n",
                Some("a"),
                true,
            ),
            ("exports.add = (a) => here;\n", Some("a"), true),
            ("def add(a):\n    return a\n\nhere\n", None, false),
            ("here\n", None, false),
        ] {
            let lines: Vec<&str> = text.lines().collect();
            let at = lines.iter().position(|line| line.contains("here")).unwrap();
            let around = Function::around(&lines, at);
            let found = around.as_ref().map(|function| function.given.join(" "));
            assert_eq!(found.as_deref(), given, "{text}");
            assert_eq!(is_in_function(&lines[..=at]), is_own, "{text}");
            assert!(around.is_none_or(|function| (function.from..function.until).contains(&at)));
        }
        assert!(!is_in_function(&[]));
    }

    #[test]
    fn the_nearest_head_above_says_what_is_given_however_lines_stand() {
        let given = |text: &str| given_above(&text.lines().collect::<Vec<_>>()).join(" ");
        assert_eq!(given("exports.add = (a, b) => {\n"), "a b");
        assert_eq!(given("def one(a):\ndef two(self, b):\n"), "b");
        assert_eq!(given(&format!("def one(a):\n{}", "\n".repeat(11))), "a");
        assert_eq!(given(&format!("def one(a):\n{}", "\n".repeat(12))), "");
    }
}
