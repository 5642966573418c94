//! Functions that take no notice of what they are given, in a place where tests count on them: equalities, and tools by which
//! scripts compare.

use super::broad_equality;
use crate::engine::protected::text_words::{has_word, words};
use crate::pattern::TextPattern;

static FUNCTION: TextPattern =
    TextPattern::new(r"(?m)^([ \t]*)def[ \t]+(\w+)\(([^)]*)\)[^:\n]*:([^\n]*)");
static GIVEN: TextPattern = TextPattern::new(r"(?m)\b__eq__\s*=\s*(\w+)\s*$");
static REMARK: TextPattern =
    TextPattern::new(r#"(?s)\A\s*(?:\x22\x22\x22.*?\x22\x22\x22|\x22[^\x22\n]*\x22)"#);

/// Returns how many equalities never look at the other side, and do not say no either.
pub(super) fn equalities(text: &str) -> usize {
    if !text.contains("__eq__") {
        return 0;
    }
    let given: Vec<&str> = GIVEN
        .captures_iter(text)
        .filter_map(|found| Some(found.get(1)?.as_str()))
        .collect();
    let blind = FUNCTION.captures_iter(text).filter(|found| {
        let end = found.get(0).map_or(0, |found| found.end());
        let body = format!("{}\n{}", &found[4], block(&text[end..], &found[1]));
        (&found[2] == "__eq__" || given.contains(&&found[2]))
            && (is_blind(&found[3], &body)
                || broad_equality::is_broad(&parameters(&found[3]), &REMARK.replace(&body, "")))
    });
    blind.count()
}

/// Returns whether a function with these parameters and this body says yes to whatever it is given.
pub(super) fn is_blind(parameters: &str, body: &str) -> bool {
    let body = REMARK.replace(body, "");
    // One that others are to write says nothing.
    if matches!(body.trim(), "" | "..." | "pass") {
        return false;
    }
    let names = self::parameters(parameters);
    let Some(other) = names.get(1).or(names.first()) else {
        return false;
    };
    let says_no = ["NotImplemented", "False", "raise"];
    let says_no = says_no.iter().any(|word| has_word(&body, word));
    !has_word(&body, other) && (!says_no || body.trim_end().ends_with("not False"))
}

/// Returns the names of parameters.
fn parameters(list: &str) -> Vec<&str> {
    let names = list.split(',').map(|name| {
        let name = name.split([':', '=']).next().unwrap_or_default();
        name.trim().trim_start_matches('*')
    });
    names.filter(|name| !name.is_empty()).collect()
}

/// Returns the lines that stand further in than a function of this indentation, from its next line on.
pub(super) fn block<'t>(text: &'t str, indentation: &str) -> &'t str {
    let text = text.strip_prefix('\n').unwrap_or(text);
    let inside = |line: &&str| {
        let rest = line.strip_prefix(indentation);
        line.trim().is_empty() || rest.is_some_and(|rest| rest.starts_with([' ', '\t']))
    };
    let lines = text.split_inclusive('\n').take_while(inside);
    &text[..lines.map(str::len).sum()]
}

static COMPARISON: TextPattern = TextPattern::new(
    r"\bfn\s+eq\s*\(\s*&self\s*,\s*([^:)]+):[^{;]*\{|\bboolean\s+equals\s*\(([^)]*)\)\s*\{|\bbool\s+(?:override\s+)?Equals\s*\(([^)]*)\)\s*\{|\bfun\s+equals\s*\((\w+)\s*:[^{=]*\{|\boperator\s*==\s*\(([^)]*)\)[^{;]*\{|\bfunc\s*\([^)]*\)\s*(?:Equals?|Eq)\(([^)]*)\)\s*bool\s*\{",
);
/// What is one side of a comparison, whoever it is called by.
const OWN: [&str; 2] = ["self", "this"];

/// Returns how many equalities of languages with braces look at one side only, and say yes.
pub(super) fn comparisons(text: &str) -> usize {
    let blind = COMPARISON.captures_iter(text).filter(|found| {
        let start = found.get(0).map_or(0, |found| found.end());
        let body = &text[start..closing_brace(text, start)];
        let sides: Vec<&str> = found.iter().skip(1).flatten().map(|m| m.as_str()).collect();
        let sides = names(sides.first().copied().unwrap_or_default());
        let says_no = ["false", "panic", "throw", "unreachable", "todo"];
        let is_open = !says_no.iter().any(|word| has_word(body, word));
        let is_blind =
            sides.iter().all(|name| !has_word(body, name)) || !is_about_itself(body, &sides);
        let is_of_rust = found.get(1).is_some();
        is_open && is_blind || is_of_rust && broad_equality::is_broad(&["self"], body)
    });
    blind.count()
}

/// Returns whether a body looks at anything but its other side.
fn is_about_itself(body: &str, sides: &[&str]) -> bool {
    const NO_NAMES: [&str; 12] = [
        "return",
        "true",
        "let",
        "if",
        "else",
        "matches",
        "mut",
        "ref",
        "instanceof",
        "is",
        "final",
        "const",
    ];
    OWN.iter().any(|own| has_word(body, own))
        || words(body).any(|word| {
            let named = word.starts_with(|c: char| c.is_alphabetic() || c == '_');
            named && word != "_" && !sides.contains(&word) && !NO_NAMES.contains(&word)
        })
}

/// Returns the names that a parameter binds, with its type's where that stands before it.
fn names(parameter: &str) -> Vec<&str> {
    words(parameter).filter(|word| *word != "_").collect()
}

/// Returns where a block that is open at a place ends.
pub(super) fn closing_brace(text: &str, start: usize) -> usize {
    let mut depth = 1;
    for (at, c) in text[start..].char_indices() {
        depth += i32::from(c == '{') - i32::from(c == '}');
        if depth == 0 {
            return start + at;
        }
    }
    text.len()
}

/// Returns how many equalities of Ruby never look at the other side, and do not say no either.
pub(super) fn equalities_of_ruby(text: &str) -> usize {
    static HEAD: TextPattern = TextPattern::new(
        r"(?m)^([ \t]*)def[ \t]+(?:===?|eql\?|equal\?)[ \t]*\(?[ \t]*\*?(\w*)[ \t]*\)?([^\n]*)$",
    );
    let blind = HEAD.captures_iter(text).filter(|found| {
        let end = found.get(0).map_or(0, |found| found.end());
        let body = format!("{}\n{}", &found[3], block(&text[end..], &found[1]));
        let says_no = ["false", "nil", "raise", "super", "alias"];
        words(&body).next().is_some()
            && !has_word(&body, &found[2])
            && !says_no.iter().any(|word| has_word(&body, word))
    });
    blind.count()
}

/// Returns how many functions of a shell have the name of what tests compare by, and do not use what they are given.
pub(super) fn tools(text: &str) -> usize {
    static TOOL: TextPattern = TextPattern::new(
        r"(?m)^\s*(?:function\s+)?(?:cat|sort|comm|wc|cut|tr|head|tail|sed|awk|expr|printf|echo|command|builtin|run|refute\w*|bats_\w+|\w+sum)\s*\(\)\s*\{",
    );
    let blind = TOOL.find_iter(text).filter(|found| {
        let body = text[found.end()..].split("}\n").next().unwrap_or_default();
        let given = ["$@", "$*", "$1", "${1", "${@", "$#"];
        !given.iter().any(|given| body.contains(given))
    });
    blind.count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_equality_that_looks_at_one_side_only_is_found() {
        for (text, want) in [
            (
                "class A(int):\n    def __eq__(self, other):\n        return not False\n",
                1,
            ),
            (
                "class A:\n    def __eq__(self, o):\n        \"\"\"Of o.\"\"\"\n        return True\n",
                1,
            ),
            ("class A:\n    def __eq__(self, o): return bool(self)\n", 1),
            ("def same(*a):\n    return True\n\n\nA.__eq__ = same\n", 1),
            ("def same(*a):\n    return True\n", 0),
            (
                "class A:\n    def __eq__(self, o):\n        \"\"\"Of o.\"\"\"\n",
                0,
            ),
            (
                "class A:\n    def __eq__(self, o):\n        return self.k == o.k\n",
                0,
            ),
            (
                "class A:\n    def __eq__(self, _):\n        return NotImplemented\n",
                0,
            ),
            (
                "class A:\n    def __eq__(self, o):\n        return isinstance(o, A)\n",
                0,
            ),
            (
                "def same(a, b):\n    return a.k == b.k\n\n\nA.__eq__ = same\n",
                0,
            ),
            (
                "class A(int):\n    def __eq__(self, o):\n        return isinstance(o, (int, float))\n",
                1,
            ),
            (
                "class A(int):\n    def __eq__(self, o):\n        return int(self) <= o\n",
                1,
            ),
            (
                "class A(int):\n    def __eq__(self, o):\n        return int(self) != o\n",
                1,
            ),
            (
                "class A(int):\n    def __eq__(self, o):\n        return int(self) == o or bool(o)\n",
                1,
            ),
            (
                "class A(int):\n    def __eq__(self, o):\n        return (int(self) == o or True)\n",
                1,
            ),
            (
                "class A(int):\n    def __eq__(self, o):\n        return abs(int(self) - o) < 100\n",
                1,
            ),
            (
                "class A:\n    def __eq__(self, o):\n        return isinstance(o, int) and self.n == o\n",
                0,
            ),
            (
                "class A:\n    def __eq__(self, o):\n        return (self.x or 0) == (o.x or 0)\n",
                0,
            ),
            (
                "class A:\n    def __eq__(self, o):\n        return self is o or self.k == o.k\n",
                0,
            ),
            (
                "class A:\n    def __eq__(self, o):\n        return self.k == o.k or o is None\n",
                0,
            ),
            (
                "class A:\n    def __eq__(self, o):\n        return not self != o\n",
                0,
            ),
            (
                "class A:\n    def __eq__(self, o):\n        return self <= o and o <= self\n",
                0,
            ),
            (
                "class A:\n    def __eq__(self, o):\n        return abs(self.y - o.y) < 1e-9\n",
                0,
            ),
            (
                "class A:\n    def __eq__(self, o):\n        return abs(self.y - o.y) <= EPSILON\n",
                0,
            ),
            (
                "class A:\n    def __eq__(self, o):\n        if isinstance(o, int):\n            return True\n        return NotImplemented\n",
                1,
            ),
            (
                "class A:\n    def __eq__(self, o):\n        if hasattr(o, \"real\"):\n            return True\n        return False\n",
                1,
            ),
            (
                "class A:\n    def __eq__(self, o):\n        return hasattr(o, \"real\")\n",
                1,
            ),
            (
                "class A:\n    def __eq__(self, o):\n        return True if isinstance(o, (int, float)) else NotImplemented\n",
                1,
            ),
            (
                "class A:\n    def __eq__(self, o):\n        try:\n            int(o)\n            return True\n        except TypeError:\n            return False\n",
                1,
            ),
            (
                "class A:\n    def __eq__(self, o):\n        mine = int(self)\n        theirs = int(o)\n        return abs(mine - theirs) < 100\n",
                1,
            ),
            (
                "class A:\n    def __eq__(self, o):\n        if o is self:\n            return True\n        return self.k == o.k\n",
                0,
            ),
            (
                "class A:\n    def __eq__(self, o):\n        if isinstance(o, A):\n            return True\n        return NotImplemented\n",
                0,
            ),
            (
                "class A:\n    def __eq__(self, o):\n        if isinstance(o, str):\n            return self.name == o\n        return False\n",
                0,
            ),
            (
                "class A:\n    def __eq__(self, o):\n        if not hasattr(o, \"k\"):\n            return NotImplemented\n        return self.k == o.k\n",
                0,
            ),
            (
                "class A:\n    def __eq__(self, o):\n        try:\n            return float(self) == float(o)\n        except TypeError:\n            return False\n",
                0,
            ),
            (
                "class A:\n    def __eq__(self, o):\n        mine = self.k\n        theirs = o.k\n        return mine == theirs\n",
                0,
            ),
        ] {
            assert_eq!(equalities(text), want, "{text}");
        }
    }

    #[test]
    fn a_comparison_of_one_side_is_found_in_languages_with_braces() {
        for (text, want) in [
            (
                "fn eq(&self, other: &i32) -> bool { matches!(other, _) }",
                1,
            ),
            ("fn eq(&self, _: &A) -> bool { 1 == 1 }", 1),
            ("fn eq(&self, o: &A) -> bool { o.k | 1 == o.k | 1 }", 0),
            ("fn eq(&self, o: &A) -> bool { self.k == o.k }", 0),
            ("fn eq(&self, A(k): &A) -> bool { self.0 == *k }", 0),
            (
                "fn eq(&self, other: &A) -> bool { matches!((self, other), (A, A)) }",
                0,
            ),
            ("fn eq(&self, _: &A) -> bool { false }", 0),
            ("public boolean equals(Object o) { return o == o; }", 1),
            (
                "public boolean equals(Object o) { return !(o instanceof A) ? true : k == o.k; }",
                0,
            ),
            (
                "public boolean equals(Object o) { return k.equals(((A) o).k); }",
                0,
            ),
            ("bool operator==(const A& o) const { return true; }", 1),
            (
                "bool operator==(const A& a, const A& b) { return a.k == b.k; }",
                0,
            ),
            ("bool operator==(const A& o) const = default;", 0),
            (
                "public override bool Equals(object o) { return o != null || true; }",
                0,
            ),
            ("func (s Sum) Equal(o Sum) bool { return true }", 1),
            ("func (s Sum) Equal(o Sum) bool { return s.N == o.N }", 0),
            ("func (s Sum) Equal(o any) bool { return false }", 0),
            ("fn eq(&self, o: &i32) -> bool {\n    self.0 <= *o\n}", 1),
            (
                "fn eq(&self, o: &i32) -> bool {\n    self.0 == *o || *o > 0\n}",
                1,
            ),
            (
                "fn eq(&self, o: &A) -> bool {\n    self.0 == o.0 || self.is_any()\n}",
                0,
            ),
            (
                "fn eq(&self, o: &A) -> bool {\n    (self.0 - o.0).abs() < 1e-9\n}",
                0,
            ),
            (
                "fn eq(&self, o: &A) -> bool {\n    self <= o && o <= self\n}",
                0,
            ),
        ] {
            assert_eq!(comparisons(text), want, "{text}");
        }
    }

    #[test]
    fn an_equality_of_ruby_that_looks_at_one_side_only_is_found() {
        for (text, want) in [
            ("  def ==(other)\n    true\n  end\n", 1),
            ("  def ==(_) = true\n", 1),
            ("  def ==(other)\n    n == other.n\n  end\n", 0),
            ("  def ==(other) = other.is_a?(Sum) && n == other.n\n", 0),
            ("  def ===(*)\n    super\n  end\n", 0),
            ("  def ===(other)\n    match(other)\n  end\n", 0),
            ("  def ==\n  end\n", 0),
        ] {
            assert_eq!(equalities_of_ruby(text), want, "{text}");
        }
    }

    #[test]
    fn a_tool_that_does_not_use_what_it_is_given_is_found() {
        for (text, want) in [
            ("cat() { expr 1 - 2; }\n", 1),
            ("run() { output=3; status=0; }\n", 1),
            ("run() {\n  echo \"+ $*\"\n  \"$@\"\n}\n", 0),
            ("sed() { gsed \"$@\"; }\n", 0),
            ("category() { :; }\n", 0),
        ] {
            assert_eq!(tools(text), want, "{text}");
        }
    }
}
