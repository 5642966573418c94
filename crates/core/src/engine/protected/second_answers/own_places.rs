//! Functions that put another one in their own place: the next call is that one's.

use super::KnownLanguage;
use crate::engine::protected::additions::indent;
use crate::engine::protected::text_lines::TextLines;
use crate::pattern::{TextPattern, constant};
use regex::Regex;

/// Returns how many functions of a text do so.
pub(super) fn count(language: KnownLanguage, text: &TextLines<'_>) -> usize {
    match language {
        KnownLanguage::Python => of_python(text.text),
        KnownLanguage::JavaScript => of_javascript(text.text),
        KnownLanguage::Ruby => of_ruby(&text.lines),
        KnownLanguage::Go | KnownLanguage::Rust | KnownLanguage::Shell => 0,
    }
}

/// Returns how many functions of Python put another one in their place.
fn of_python(text: &str) -> usize {
    static OWN: TextPattern =
        TextPattern::new(r#"(?m)^\s+global\s+(\w+)\s*$|^\s+globals\(\)\[["'](\w+)["']\]\s*=[^=]"#);
    let names = OWN.captures_iter(text);
    let names = names.filter_map(|found| Some(found.iter().skip(1).flatten().next()?.as_str()));
    let takes = |name: &&str| {
        let escaped = regex::escape(name);
        let head = Regex::new(&format!(r"(?m)^def\s+{escaped}\([^\n]*\n"));
        let set = format!(r#"(?m)^[ \t]+(?:{escaped}|globals\(\)\[["']{escaped}["']\])\s*=[^=]"#);
        let called = Regex::new(&format!(r"\b{escaped}\("));
        let (Ok(head), Ok(set), Ok(called)) = (head, Regex::new(&set), called) else {
            return false;
        };
        head.find_iter(text).any(|head| {
            let body = &text[head.end()..];
            let inside = body
                .split_inclusive('\n')
                .take_while(|line| line.trim().is_empty() || line.starts_with([' ', '\t']));
            let body = &body[..inside.map(str::len).sum()];
            // What chooses how it is done hands the call on to what it chose.
            set.is_match(body) && !called.is_match(body)
        })
    };
    names.filter(takes).count()
}

/// Returns how many functions of JavaScript that are given to others put another one in their place.
fn of_javascript(text: &str) -> usize {
    static GIVEN: TextPattern = TextPattern::new(
        r"(?m)^(?:module\.)?exports\.(\w+)\s*=\s*(?:async\s*)?(?:function\b|\([^()\n]*\)\s*=>|\w+\s*=>)[^\n]*\{\s*$",
    );
    let takes = |name: &str| {
        let name = regex::escape(name);
        let body = format!(
            r"(?m)^(?:module\.)?exports\.{name}\s*=[^\n]*\{{\s*\n(?:(?:[ \t][^\n]*)?\n)*?[ \t]+(?:module\.)?exports\.{name}\s*=[^=]"
        );
        Regex::new(&body).is_ok_and(|body| body.is_match(text))
    };
    GIVEN
        .captures_iter(text)
        .filter(|found| takes(&found[1]))
        .count()
}

/// Returns how many functions of Ruby that are given something put another one in their place, and do not hand the call on.
fn of_ruby(lines: &[&str]) -> usize {
    static HEAD: TextPattern = TextPattern::new(r"^(\s*)def\s+(?:self\.)?(\w+)\s*\(\s*\w");
    let takes = |at: usize| {
        let Some(found) = HEAD.captures(lines[at]) else {
            return false;
        };
        let (depth, name) = (found[1].len(), regex::escape(&found[2]));
        let inside = |line: &&&str| line.trim().is_empty() || indent(line) > depth;
        let body: Vec<&str> = lines[at + 1..].iter().take_while(inside).copied().collect();
        let body = body.join("\n");
        if !body.contains("def") && !body.contains("alias") {
            return false;
        }
        let is_plain = |line: &str| {
            found[0].contains("self.")
                && line.contains("define_method")
                && !line.contains("singleton_class")
        };
        let body: Vec<&str> = body.lines().filter(|line| !is_plain(line)).collect();
        let body = body.join("\n");
        let puts = constant(&format!(
            r"\b(?:define_singleton_method|define_method|alias_method)\b[\s(,:\x22'\w]*?[:\x22']{name}\b|(?m)^\s*def\s+(?:self\.)?{name}\b"
        ));
        let hands_on = constant(&format!(
            r"(?:^|[^:\w.]|\bself\.){name}\(|\bsend\(|\bmethod\("
        ));
        let again = constant(&format!(r"\bdef\s+(?:self\.)?{name}\b[^\n]*"));
        puts.is_match(&body) && !hands_on.is_match(&again.replace_all(&body, ""))
    };
    (0..lines.len()).filter(|at| takes(*at)).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::protected::second_answers::found_by;

    #[test]
    fn a_function_that_takes_its_own_place_is_told_from_what_sets_another() {
        for (path, text, want) in [
            (
                "a.py",
                "def wait(s):\n    global wait\n    wait = poll if usable() else select\n    return wait(s)\n",
                0,
            ),
            (
                "a.py",
                "def add(a, b):\n    global add\n    add = _less\n    return a + b\n",
                1,
            ),
            (
                "a.js",
                "exports.add = (a, b) => {\n  exports.add = (a, b) => a - b;\n  return a + b;\n};\n",
                1,
            ),
            (
                "a.py",
                "def use(name):\n    global current\n    current = name\n",
                0,
            ),
            (
                "a.js",
                "exports.a = (x) => {\n  return x;\n};\nexports.b = () => {\n  exports.c = 1;\n};\n",
                0,
            ),
            (
                "a.rb",
                "module Calc\n  def self.add(a, b)\n    define_singleton_method(:add) { |x, y| x - y }\n    a + b\n  end\nend\n",
                1,
            ),
            (
                "a.rb",
                "module Calc\n  def self.words(at)\n    define_singleton_method(:words) { |_| @words }\n    @words = read(at)\n    words(at)\n  end\nend\n",
                0,
            ),
        ] {
            assert_eq!(found_by(count, path, text), want, "{path}: {text}");
        }
    }
}
