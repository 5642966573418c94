//! Constant patterns, compiled in one place.

use regex::Regex;
use std::ops::Deref;
use std::sync::OnceLock;

/// What stands for a class of Unicode. Its tables take longer to compile than most texts take to be read, and every process
/// compiles what it uses: digits and word boundaries are those of ASCII, and whatever is no ASCII belongs to words, but for
/// the signs and quotes of Latin texts and of East Asian ones.
const CHEAPER: &[(char, &str)] = &[
    ('d', "[0-9]"),
    // Said by what is none: `(?i)` would look up the other case of every character that the class names.
    (
        'w',
        r"[^\x00-/:-@\x5B-\x5E`{-\x{A9}\x{AB}-\x{B1}\x{B4}\x{B6}-\x{B8}\x{BB}\x{BF}\x{D7}\x{F7}\x{2000}-\x{200B}\x{200E}-\x{203E}\x{2041}-\x{2053}\x{2055}-\x{206F}\x{3000}-\x{3004}\x{3008}-\x{3020}]",
    ),
    ('b', r"(?-u:\b)"),
];

/// A pattern that the program's own text states, compiled when it is first used.
#[derive(Debug)]
pub(crate) struct TextPattern {
    source: &'static str,
    compiled: OnceLock<Regex>,
}

impl TextPattern {
    pub(crate) const fn new(source: &'static str) -> TextPattern {
        TextPattern {
            source,
            compiled: OnceLock::new(),
        }
    }
}

impl Deref for TextPattern {
    type Target = Regex;

    fn deref(&self) -> &Regex {
        self.compiled.get_or_init(|| constant(self.source))
    }
}

/// Compiles a pattern that the program's own text states, or puts together with escaped names.
pub(crate) fn constant(source: &str) -> Regex {
    Regex::new(&cheaper(source)).expect("a constant pattern, compiled by the tests")
}

fn cheaper(source: &str) -> String {
    let mut out = String::with_capacity(source.len() * 2);
    let mut characters = source.chars();
    while let Some(c) = characters.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        let escaped = characters.next().unwrap_or_default();
        match CHEAPER.iter().find(|(letter, _)| *letter == escaped) {
            Some((_, class)) => out.push_str(class),
            None => out.extend([c, escaped]),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_those_of_ascii_and_words_hold_every_other_letter() {
        for (pattern, text, found) in [
            (r"\d+", "a12", Some("12")),
            (r"\d", "\u{663}", None),
            (r"\w+", "größe_1-", Some("größe_1")),
            (r"[\w.-]+", "(a.b-c)", Some("a.b-c")),
            (r"[^\w]", "a-", Some("-")),
            (r"[^\w.-]a", "“a”", Some("“a")),
            (r"\w+", "—é—", Some("é")),
            (r"(?i)\w+", "-GRÖẞE_1-", Some("GRÖẞE_1")),
            (r"\bskip\b", "x skip(", Some("skip")),
            (r"\bskip", "xskip", None),
            (r"a\\d", r"a\d", Some(r"a\d")),
            (r"\S+\.", " é. ", Some("é.")),
        ] {
            let matched = constant(pattern).find(text).map(|m| m.as_str());
            assert_eq!(matched, found, "{pattern} in {text}");
        }
    }
}
