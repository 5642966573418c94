//! Where code decides by a value, and which name it gives it to, as the families of languages write that.

use crate::engine::protected::text_words::{is_of_word, words};
use crate::pattern::TextPattern;
use std::ops::Range;

/// Languages that write their conditions alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LanguageFamily {
    Python,
    Braces,
    /// Where a question mark is no condition.
    Rust,
    Shell,
    /// Where a condition may follow what it is about.
    Words,
}

impl LanguageFamily {
    pub(super) fn of(extension: &str) -> LanguageFamily {
        match extension {
            "py" | "pyx" => LanguageFamily::Python,
            "rs" => LanguageFamily::Rust,
            "sh" | "bash" | "" => LanguageFamily::Shell,
            "rb" | "pl" | "pm" => LanguageFamily::Words,
            _ => LanguageFamily::Braces,
        }
    }

    pub(super) fn is_remark(self, code: &str) -> bool {
        match self {
            LanguageFamily::Python | LanguageFamily::Shell | LanguageFamily::Words => {
                code.starts_with('#')
            }
            LanguageFamily::Braces | LanguageFamily::Rust => {
                code.starts_with("//") || code.starts_with("* ")
            }
        }
    }

    /// Returns where a line uses a name.
    pub(super) fn uses(self, line: &str, name: &str) -> Vec<Range<usize>> {
        if name.is_empty() {
            return vec![];
        }
        let spans = line.match_indices(name).filter_map(|(at, _)| {
            let (before, after) = (&line[..at], &line[at + name.len()..]);
            let is_whole = !(name.starts_with(is_of_word) && before.ends_with(is_of_word)
                || name.ends_with(is_of_word) && after.starts_with(is_of_word));
            let start = match self {
                LanguageFamily::Shell => {
                    let sign = before.strip_suffix('#').unwrap_or(before);
                    let sign = sign.strip_suffix(['{', '(']).unwrap_or(sign);
                    sign.strip_suffix('$')?.len()
                }
                LanguageFamily::Words => before.strip_suffix(['$', '@']).unwrap_or(before).len(),
                _ => at,
            };
            // What begins a string is text, unless it is all of it: a member may be named so.
            let quote = before
                .chars()
                .next_back()
                .filter(|c| matches!(c, '"' | '\''));
            let is_text = quote.is_some_and(|quote| !after.starts_with(quote));
            let is_text = is_text && self != LanguageFamily::Shell;
            (is_whole && !is_text).then_some(start..at + name.len())
        });
        spans.collect()
    }

    /// Returns whether what follows is what a function returns.
    pub(super) fn returns(self, before: &str) -> bool {
        match self {
            LanguageFamily::Shell => before.contains("echo ") || before.contains("printf "),
            LanguageFamily::Python | LanguageFamily::Braces => {
                before.contains("return") || before.contains("=>")
            }
            // The last value of a block is returned.
            LanguageFamily::Rust | LanguageFamily::Words => !before.contains('='),
        }
    }
}

/// What stands between a value and what is done with it.
static BEHIND: TextPattern = TextPattern::new(
    r#"^(?:['\x22]\]?)?(?:\.\w+|\?\.\w+|::<[^;=]*?>|\((?:[^()]|\([^()]*\))*\)|\[[^\]]*\]|\{["'][^"'{}\n]*["']\}|\)|[ \t])*"#,
);
static COMPARED: TextPattern = TextPattern::new(
    r"^(?:===?|[=!]~[^;]*\s(?:\?|&&|\|\||and|or)\s|!==?|<=?|>=?|[*%&^]|//?|&&|is\b|in\b|and\b|(?:eq|ne|cmp)\b|-(?:eq|ne|gt|lt|ge|le)\b)",
);
static ABSENT: TextPattern = TextPattern::new(
    r#"^(?:===?|!==?|is(?:\s+not)?)\s*(?:None|null|undefined|nil|NULL|nullptr)(?:\W|$)"#,
);
static WORD: TextPattern =
    TextPattern::new(r"===?|!==?|<=|>=|:=|=>|->|&&|\|\||\w+|[=<>!?:;{}\[\](),|]");
/// What looks for a file: a program may find others by where it is itself. Perl asks for entries so: `exists $a{b}`.
static FINDS: TextPattern = TextPattern::new(
    r"\bexists(?:[^\s\w]|\s[^$&]|$)|\b(?:is_file|is_dir|isfile|isdir|existsSync|Stat|IsNotExist|file\?)\b",
);

/// What asks only whether a path is whole.
static WHOLE: TextPattern = TextPattern::new(r#"^\}?["']?\s*!?==?\s*["']?/["']?\*\s"#);
/// What asks only whether a file is a link.
static LINK: TextPattern = TextPattern::new(r#"(?:\[\[?|\btest)\s+-[hL]\s+["']?$"#);

/// Returns whether a line looks for a file.
pub(super) fn looks_for(line: &str) -> bool {
    FINDS.is_match(line)
}

/// How far from a value it is looked at what is done with it, in bytes: lines that programs write are long.
const NEAR: usize = 300;

/// Returns what is near a place of a line, and where the place is in it.
fn near<'t>(line: &'t str, span: &Range<usize>) -> (&'t str, Range<usize>) {
    let whole = |at: &usize| line.is_char_boundary(*at);
    let from = (span.start.saturating_sub(NEAR)..=span.start).find(whole);
    let until = (span.end..=line.len().min(span.end + NEAR)).rfind(whole);
    let (from, until) = (from.unwrap_or(span.start), until.unwrap_or(span.end));
    (&line[from..until], span.start - from..span.end - from)
}

/// Returns whether something is decided by the value at a place of a line.
pub(super) fn decides(family: LanguageFamily, line: &str, span: &Range<usize>) -> bool {
    let (line, span) = near(line, span);
    let (before, after) = (&line[..span.start], &line[span.end..]);
    if looks_for(line) {
        return false;
    }
    if family == LanguageFamily::Shell {
        // A script that is started by a link goes along it to find what lies beside it.
        if LINK.is_match(before) || WHOLE.is_match(after) {
            return false;
        }
        return in_test(before) || after.contains("grep -q");
    }
    let after = match line[span.clone()].ends_with('(') {
        true => closed(after),
        false => after,
    };
    let skipped = BEHIND.find(after).map_or(0, |found| found.end());
    let behind = &after[skipped..];
    if ABSENT.is_match(behind) {
        return false;
    }
    let asked = behind.starts_with('?')
        && !behind.starts_with("?.")
        && !behind.starts_with("??")
        && match family {
            LanguageFamily::Braces => true,
            // The first may be part of a name.
            LanguageFamily::Words => behind[1..].starts_with([' ', '?']),
            _ => false,
        };
    asked || COMPARED.is_match(behind) || follows_question(family, before)
}

/// Returns whether a line counts what stands at a place, or goes through it.
pub(super) fn counts(line: &str, span: &Range<usize>) -> bool {
    static COUNTED: TextPattern = TextPattern::new(
        r"^\s*(?:\(\s*\))?(?:\[\d*:\d*\]|\.skip\(\d+\))*\.(?:length|len\(\)|count\(\)|size\(\))",
    );
    static COUNTING: TextPattern = TextPattern::new(
        r"(?:\b(?:len|bool|count)\(|\bfor\s+[\w, ()]+\s+(?:in|of)\s|\brange\s)\s*$",
    );
    // An element that may not be there, and of which nothing becomes.
    static LOST: TextPattern = TextPattern::new(r"^\[[1-9]\d*\]\s*;?\s*$");
    let (line, span) = near(line, span);
    let (before, after) = (&line[..span.start], &line[span.end..]);
    COUNTING.is_match(before)
        || COUNTED.is_match(after)
        || before.trim().is_empty() && LOST.is_match(after)
}

/// Returns what stands behind the end of a call that is open.
fn closed(after: &str) -> &str {
    let mut depth = 1;
    for (at, c) in after.char_indices() {
        depth += i32::from(c == '(') - i32::from(c == ')');
        if depth == 0 {
            return &after[at..];
        }
    }
    ""
}

fn in_test(before: &str) -> bool {
    static TEST: TextPattern = TextPattern::new(
        r"(?:\[\[?|\(\(|\bcase|\btest|\bif|\bwhile)\s[^;\]]*$|\(\([^)]*$|\bcase\s+\x22?\$\([^)]*$",
    );
    TEST.is_match(before)
}

/// Returns whether what stands before a value asks for it.
fn follows_question(family: LanguageFamily, before: &str) -> bool {
    let words: Vec<&str> = WORD.find_iter(before).map(|found| found.as_str()).collect();
    for (at, word) in words.iter().enumerate().rev() {
        match *word {
            "if" | "elif" | "elsif" | "while" | "until" | "unless" | "assert" | "switch"
            | "match" | "when" | "not" | "!" | "bool" | "Boolean" | "is" | "==" | "!=" | "==="
            | "!==" | "<=" | ">=" => {
                return true;
            }
            "<" | ">" => return true,
            "in" | "of" => {
                let loops = words[..at].contains(&"for");
                let counted = ["any", "all", "sum", "next", "len"];
                return !loops || words[..at].iter().any(|word| counted.contains(word));
            }
            "=" | ":=" | "=>" | "->" | "return" | "else" | "lambda" | ";" | "{" | "}" | "yield"
            | "raise" | "let" => {
                return false;
            }
            "?" | ":" if family != LanguageFamily::Rust => return false,
            _ => {}
        }
    }
    false
}

/// Returns the names that a line gives the value at a place to.
pub(super) fn given_names(family: LanguageFamily, line: &str, span: &Range<usize>) -> Vec<String> {
    static GIVEN: TextPattern = TextPattern::new(
        r"^\s*((?:[\w$@%.:*&<>\[\]{}, ]|\t)*?[\w\]}>])\s*(?:[-+|]?=|:=)(?:[^=>~]|$)",
    );
    static NAMED_INSIDE: TextPattern = TextPattern::new(r"\(\s*(\w+)\s*:=\s*$");
    // What is taken from a list of Perl.
    static TAKEN: TextPattern = TextPattern::new(r"\b(?:my|our)\s*\(([^()]*)\)\s*=\s*$");
    static FUNCTION_OF: TextPattern =
        TextPattern::new(r"(\w+)\s*=\s*(?:async\s*)?(?:\([^()]*\)|\w+)\s*=>");
    static TYPED: TextPattern =
        TextPattern::new(r"^(?:export\s+)?(?:const|let|var)\s+(\w+)\s*:[^:]");
    const NO_NAMES: [&str; 30] = [
        "const", "let", "var", "mut", "auto", "final", "val", "static", "int", "char", "bool",
        "size_t", "String", "self", "this", "err", "ok", "_", "local", "export", "pub", "declare",
        "readonly", "my", "our", "exports", "module", "long", "void", "str",
    ];
    let (line, span) = near(line, span);
    let before = &line[..span.start];
    if let Some(found) = NAMED_INSIDE
        .captures(before)
        .or_else(|| FUNCTION_OF.captures(before))
    {
        return vec![found[1].to_owned()];
    }
    let given = TAKEN.captures(before).or_else(|| GIVEN.captures(before));
    let Some(given) = given.and_then(|found| found.get(1)) else {
        return vec![];
    };
    // Not the type of a name.
    let given = given.as_str();
    let given = match family {
        LanguageFamily::Python | LanguageFamily::Rust => {
            given.split(':').next().unwrap_or_default()
        }
        _ => TYPED.captures(given).map_or(given, |found| {
            found.get(1).map_or(given, |name| name.as_str())
        }),
    };
    let names = words(given).filter(|word| !NO_NAMES.contains(word));
    names.map(str::to_owned).collect()
}
