//! How a language says a number or a string in other words, and where in a test that can be done without another meaning.

use crate::path_names::{extension, file_name};
use crate::pattern::TextPattern;
use regex::Captures;
use std::ops::Range;

/// A language of tests.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Wording {
    Python,
    Script,
    /// Where a type may be one string.
    TypedScript,
    Go,
    Rust,
    C,
    Java,
    Ruby,
    Perl,
    Shell,
}

/// What a line has that compares; or it is a row of a table of cases.
static COMPARES: TextPattern = TextPattern::new(
    r"(?i)assert|expect|equal|should|[=!]=|\b(?:is|isnt|ok|is_deeply|cmp_ok|deepStrictEqual)\s*\(|parametrize|^\s*[(\[{]",
);
/// What needs the words as they are.
static LITERAL: TextPattern = TextPattern::new(
    r"(?i)snapshot|\bmock\b|\bmock\(|\bmatches!|\bexpect!|\brequire\b|\bimport\b|\binclude|\bconcat!|\bcase\b|\bqw\b|%[wi]\W|^\s*#|^\s*//|^\s*\*",
);

impl Wording {
    /// Returns that of a file of tests.
    pub(super) fn of(path: &str, text: &str) -> Option<Wording> {
        Some(match extension(path) {
            "py" => Wording::Python,
            "js" | "mjs" | "cjs" | "jsx" => Wording::Script,
            "ts" | "mts" | "cts" | "tsx" => Wording::TypedScript,
            "go" => Wording::Go,
            "rs" => Wording::Rust,
            "c" | "cc" | "cpp" | "cxx" => Wording::C,
            "java" => Wording::Java,
            "rb" => Wording::Ruby,
            "t" | "pl" => Wording::Perl,
            "sh" | "bash" | "bats" => Wording::Shell,
            _ if !file_name(path).contains('.')
                && text.starts_with("#!")
                && text.lines().next()?.contains("sh") =>
            {
                Wording::Shell
            }
            _ => return None,
        })
    }

    /// Returns a text in which what it compares with is said otherwise.
    pub(super) fn reworded(self, text: &str) -> String {
        self.with_lines(text, |line| match self {
            Wording::Shell => shell_line(line),
            _ if COMPARES.is_match(line) => self.line(line),
            _ => line.to_owned(),
        })
    }

    /// Returns a text with those of its lines edited that need no words as they are.
    pub(super) fn with_lines(self, text: &str, edited: impl Fn(&str) -> String) -> String {
        let mut open = LongText::default();
        let lines = text.split_inclusive('\n').map(|line| {
            let stays = open.holds(self, line) || LITERAL.is_match(line);
            match self {
                _ if stays => line.to_owned(),
                // Between single quotes is a text of another language.
                Wording::Shell if line.contains('\'') => line.to_owned(),
                _ => edited(line),
            }
        });
        lines.collect()
    }

    /// Returns the name of a file in such words that does nothing, and its text; beside another one with this text.
    pub(super) fn idle(self, beside: &str) -> Option<(&'static str, String)> {
        let (stem, line) = match self {
            Wording::Python => ("other_words", "_ = (0 + 1, 'a' 'b')"),
            Wording::Script | Wording::TypedScript => ("other_words", "void (0 + 1, 'a' + 'b');"),
            Wording::Go => {
                let mut lines = beside.lines();
                let package = lines.find(|line| line.starts_with("package "))?;
                let text = format!("{package}\n\nvar _ = 0 + 1\n");
                return Some(("other_words_test", text));
            }
            Wording::Rust => ("other_words", "const _: i32 = 0 + 1;"),
            Wording::C => ("other_words", "enum { other_words = 0 + 1 };"),
            Wording::Java | Wording::Ruby | Wording::Perl | Wording::Shell => return None,
        };
        Some((stem, format!("{line}\n")))
    }

    /// Returns whether what stands between slashes may be a pattern.
    fn has_patterns(self) -> bool {
        use Wording::{Perl, Ruby, Script, TypedScript};
        [Script, TypedScript, Ruby, Perl].contains(&self)
    }

    /// Returns a line in other words.
    fn line(self, line: &str) -> String {
        let mut new = String::with_capacity(line.len());
        let mut done = 0;
        for (at, other) in self.values(line) {
            new.push_str(&line[done..at.start]);
            new.push_str(&other);
            done = at.end;
        }
        new + &line[done..]
    }

    /// Returns where in a line the numbers and strings are that stand as values, each in other words.
    pub(super) fn values(self, line: &str) -> Vec<(Range<usize>, String)> {
        let mut values = Vec::new();
        let mut at = 0;
        while let Some(c) = line[at..].chars().next() {
            let rest = &line[at..];
            let whole = match c {
                // A pattern may look like anything.
                '/' if self.has_patterns() => return vec![],
                '"' | '\'' => string(rest, c),
                '0'..='9' => word(rest),
                c if c == '_' || c.is_alphanumeric() => word(rest),
                c => &rest[..c.len_utf8()],
            };
            let end = at + whole.len();
            if let Some(other) = self.other_words(&line[..at], whole, &line[end..]) {
                values.push((at..end, other));
            }
            at = end;
        }
        values
    }

    /// Returns other words for a number or a string between two others, where it stands as a value.
    fn other_words(self, before: &str, whole: &str, after: &str) -> Option<String> {
        let (before, after) = (Before(before), after.trim_start());
        if !before.leads_to_value(self) {
            return None;
        }
        if whole.bytes().all(|c| c.is_ascii_digit()) {
            let is_plain = whole == "0" || !whole.starts_with('0');
            let ends =
                after.is_empty() || after.starts_with([')', ',', ']', '}', '{', ';', '&', '|']);
            return (is_plain && ends).then(|| format!("0 + {whole}"));
        }
        let quote = whole.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        let has_chars = [Wording::Go, Wording::Rust, Wording::C, Wording::Java].contains(&self);
        let inside = whole.strip_prefix(quote)?.strip_suffix(quote)?;
        let plain = |c: char| c.is_ascii_alphanumeric() || " ,.:_-".contains(c);
        if has_chars && quote == '\''
            || self == Wording::TypedScript
            || inside.is_empty()
            || !inside.chars().all(plain)
            || !after.starts_with([')', ',', ']', ';', '&', '|'])
        {
            return None;
        }
        let (a, b) = inside.split_at(inside.len() / 2);
        let (a, b) = (format!("{quote}{a}{quote}"), format!("{quote}{b}{quote}"));
        Some(match self {
            Wording::Python | Wording::C | Wording::Ruby => format!("{a} {b}"),
            Wording::Rust => format!("concat!({a}, {b})"),
            Wording::Perl => format!("{a} . {b}"),
            _ => format!("{a} + {b}"),
        })
    }
}

/// What stands before a word.
struct Before<'t>(&'t str);

impl Before<'_> {
    /// Returns whether a value stands behind it.
    fn leads_to_value(&self, wording: Wording) -> bool {
        let trimmed = self.0.trim_end();
        let spaced = trimmed.len() < self.0.len();
        let is_sign = trimmed.ends_with(['(', ',', '[', '=', '<', '>', '{']);
        // Not behind an arrow, or where it is shifted.
        let is_other = ["=>", "->", "<<", ">>"]
            .into_iter()
            .any(|sign| trimmed.ends_with(sign) && wording != Wording::Perl);
        static ASSERTS: TextPattern = TextPattern::new(r"\b(?:assert|refute)_\w+$");
        is_sign && !is_other || wording == Wording::Ruby && spaced && ASSERTS.is_match(trimmed)
    }
}

/// Returns the word that a text begins with, a number with its point and what stands behind that.
fn word(text: &str) -> &str {
    let is_number = text.starts_with(|c: char| c.is_ascii_digit());
    let end = text.char_indices().find(|(at, c)| {
        let point = is_number && *c == '.' && text[at + 1..].starts_with(char::is_alphanumeric);
        !(c.is_alphanumeric() || *c == '_' || point)
    });
    &text[..end.map_or(text.len(), |(at, _)| at)]
}

/// Returns the string that a text begins with, or the quote alone where it does not end.
fn string(text: &str, quote: char) -> &str {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '\\' if !escaped => escaped = true,
            c if c == quote && !escaped => return &text[..=at],
            _ => escaped = false,
        }
    }
    &text[..1]
}

/// Returns a line of shell in other words.
fn shell_line(line: &str) -> String {
    static COMPARED: TextPattern = TextPattern::new(
        r#"((?:\s==?|\s!=|\s-eq|\s-ne)\s+)(?:(0|[1-9][0-9]*)|"(0|[1-9][0-9]*)"|"([A-Za-z0-9_ ,.:-]+)")(\s+\]|\s*\)|\s*$)"#,
    );
    COMPARED
        .replace_all(line, |found: &Captures<'_>| {
            let other = match (found.get(2).or(found.get(3)), found.get(4)) {
                (Some(number), _) => format!("$((0 + {}))", number.as_str()),
                (_, Some(text)) => {
                    let whole = text.as_str();
                    let half = whole.len() / 2;
                    format!("\"{}\"\"{}\"", &whole[..half], &whole[half..])
                }
                _ => return found[0].to_owned(),
            };
            format!("{}{other}{}", &found[1], &found[5])
        })
        .into_owned()
}

/// A text over several lines that a reader of lines is in: what is written there is no test.
#[derive(Default)]
struct LongText {
    /// What ends it.
    end: Option<String>,
}

impl LongText {
    /// Takes the next line; returns whether some of it is in such a text.
    fn holds(&mut self, wording: Wording, line: &str) -> bool {
        static DOCUMENT: TextPattern = TextPattern::new(r#"<<[-~]?["']?([A-Za-z_]\w*)"#);
        if let Some(end) = &self.end {
            let ends = match wording {
                Wording::Shell | Wording::Ruby | Wording::Perl => line.trim() == end,
                _ => line.matches(end.as_str()).count() % 2 == 1,
            };
            if ends {
                self.end = None;
            }
            return true;
        }
        let marks: &[&str] = match wording {
            Wording::Python => &["\"\"\"", "'''"],
            Wording::Script | Wording::TypedScript | Wording::Go => &["`"],
            Wording::Rust | Wording::Java | Wording::C => &["\""],
            Wording::Shell | Wording::Ruby | Wording::Perl => {
                self.end = DOCUMENT.captures(line).map(|found| found[1].to_owned());
                return self.end.is_some();
            }
        };
        let line = line.replace("\\\"", "").replace("'\"'", "");
        let opened = marks
            .iter()
            .find(|mark| line.matches(**mark).count() % 2 == 1);
        self.end = opened.map(|mark| (*mark).to_owned());
        self.end.is_some() || marks[0] != "\"" && marks.iter().any(|mark| line.contains(mark))
    }
}
