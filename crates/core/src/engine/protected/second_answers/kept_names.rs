//! The names that a file keeps from one call to the next, by what makes them in each language, and what may be kept in each: a
//! mark, or a count.

use super::KnownLanguage;
use crate::engine::protected::text_lines::TextLines;
use crate::pattern::TextPattern;
use Deciding::{Answered, AnsweredInside, Compared};
use KnownLanguage::{Go, JavaScript, Python, Ruby, Rust};
use std::collections::BTreeSet;

/// What makes a name that outlives a call.
pub(super) struct KeptName {
    language: KnownLanguage,
    /// With its name.
    made: TextPattern,
    kept: KeptValue,
}

/// What is kept by a name.
enum KeptValue {
    /// Yes, no, or nothing as yet.
    Mark,
    Count(CountedBy),
}

/// How a name is counted up and asked. `@` stands for it.
pub(super) struct CountedBy {
    /// What is in a text that counts by it.
    pub(super) hint: &'static str,
    pub(super) counted: &'static str,
    /// How it is asked for its number.
    pub(super) number: &'static str,
    pub(super) decides: Deciding,
}

/// What is a decision by a number.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Deciding {
    /// Any comparison with a number that is said: a counter serves for nothing else.
    Compared,
    /// Where one answer or another depends on it: that much is also kept is usual, and emptied where it becomes too much.
    Answered,
    /// So, too, where it is made in a function around the one that counts.
    AnsweredInside,
}

static KEPT_NAMES: [KeptName; 23] = [
    mark(
        Python,
        r"(?m)^(\w+)(?:\s*:\s*bool)?\s*=\s*(?:True|False|None)\s*(?:#.*)?$",
    ),
    count(
        Python,
        r"(?m)^(\w+)\s*=\s*(?:\[\s*)?-?\d+\s*\]?\s*(?:#.*)?$",
        CountedBy {
            hint: "@",
            counted: r"\b@(?:\[0\])?\s*\+=\s*1\b",
            number: r"\b@(?:\[0\])?",
            decides: Compared,
        },
    ),
    count(
        Python,
        r"(?m)^(?:def\s+\w+\([^()\n]*?\b)?(\w+)(?:\s*:[^=\n]+)?\s*=\s*(?:\{|dict\(|(?:collections\.)?(?:defaultdict|Counter)\(|(?:types\.)?SimpleNamespace\()",
        CountedBy {
            hint: "@",
            counted: r"\b@(?:\[[^\]\n]+\]|\.\w+)\s*(?:\+=\s*1\b|=[^=\n]*\+\s*1\b)",
            number: r"\b@(?:\[[^\]\n]+\]|\.\w+(?:\([^()\n]*\))?)",
            decides: Answered,
        },
    ),
    count(
        Python,
        r"(?m)^(?:def\s+\w+\([^()\n]*?\b)?(\w+)(?:\s*:[^=\n]+)?\s*=\s*(?:\[|\{\}|list\(|set\(|dict\(|(?:collections\.)?deque\(|bytearray\()",
        CountedBy {
            hint: "len(@)",
            counted: r"\b@(?:\.(?:append|add|appendleft|extend)\(|\s*\+=|\[[^\]\n]+\]\s*=[^=])",
            number: r"\blen\(@\)",
            decides: Answered,
        },
    ),
    count(
        Python,
        r"(?m)^(?:def\s+\w+\([^()\n]*?\b)?(\w+)(?:\s*:[^=\n]+)?\s*=\s*(?:itertools\.)?(?:count|cycle|iter|repeat)\(",
        CountedBy {
            hint: "next(@",
            counted: r"\bnext\(@\b",
            number: r"\bnext\(@[^()\n]*\)",
            decides: Answered,
        },
    ),
    count(
        Python,
        r"(?m)^\s+(\w+)(?:\s*:\s*int)?\s*=\s*-?\d+\s*$",
        CountedBy {
            hint: "cls.@",
            counted: r"\bcls\.@\s*\+=\s*1\b",
            number: r"\bcls\.@",
            decides: Answered,
        },
    ),
    count(
        Python,
        r"(?m)^(\w+)(?:\s*:[^=\n]+)?\s*=\s*(?:contextvars\.)?ContextVar\(",
        CountedBy {
            hint: "@.set(",
            counted: r"\b@\.set\([^\n]*\+\s*1\b",
            number: r"\b@\.get\([^()\n]*\)",
            decides: Answered,
        },
    ),
    count(
        Python,
        r"(?m)^\s+nonlocal\s+(\w+)\s*$",
        CountedBy {
            hint: "@",
            counted: r"\b@\s*\+=\s*1\b",
            number: r"\b@",
            decides: Answered,
        },
    ),
    count(
        Python,
        r"(?m)^(?:async\s+)?def\s+(\w+)\(",
        CountedBy {
            hint: "@.",
            counted: r"\b@\.\w+\s*(?:\+=\s*1\b|=[^=\n]*\+\s*1\b)",
            number: r"\b@\.\w+",
            decides: Answered,
        },
    ),
    mark(
        JavaScript,
        r"(?m)^(?:let|var)\s+(\w+)(?::\s*boolean)?\s*(?:=\s*(?:true|false|null))?\s*;?\s*$",
    ),
    count(
        JavaScript,
        r"(?m)^(?:let|var)\s+(\w+)(?::\s*number)?\s*=\s*-?\d+\s*;?\s*$",
        CountedBy {
            hint: "@",
            counted: r"\b@\s*\+=\s*1\b|\+\+@\b|\b@\+\+",
            number: r"\b@(?:\+\+)?",
            decides: Compared,
        },
    ),
    count(
        JavaScript,
        r"(?m)^(?:export\s+)?(?:const|let|var|function)\s+(\w+)(?::[^=\n]+)?\s*(?:=\s*\{|\()",
        CountedBy {
            hint: "@.",
            counted: r"\b@\.\w+\s*(?:\+=\s*1\b|\+\+|=[^=>\n]*\+\s*1\b)|\+\+@\.\w",
            number: r"\b@\.\w+(?:\+\+)?",
            decides: Answered,
        },
    ),
    count(
        JavaScript,
        r"(?m)^(?:export\s+)?(?:const|let|var)\s+(\w+)(?::[^=\n]+)?\s*=\s*(?:\[|new\s+(?:Set|Map|Array)\b)",
        CountedBy {
            hint: "@.",
            counted: r"\b@\.(?:push|add|set|unshift)\(",
            number: r"\b@\.(?:length|size)|\b@\.(?:push|unshift)\([^()\n]*\)",
            decides: Answered,
        },
    ),
    count(
        JavaScript,
        r"(?m)^[ \t]+(?:let|var)\s+(\w+)(?::\s*number)?\s*=\s*-?\d+\s*;?\s*$",
        CountedBy {
            hint: "@",
            counted: r"\b@\s*\+=\s*1\b|\+\+@\b|\b@\+\+",
            number: r"\b@(?:\+\+)?",
            decides: AnsweredInside,
        },
    ),
    mark(
        Rust,
        r"(?m)^\s*static\s+(\w+)\s*:\s*(?:[\w:]+::)?AtomicBool\s*=",
    ),
    count(
        Rust,
        r"(?m)^\s*static\s+(\w+)\s*:\s*(?:[\w:]+::)?Atomic[UI]\w+\s*=",
        CountedBy {
            hint: "@",
            counted: r"\b@\.fetch_add\(\s*1\b",
            number: r"\b@\.\w+\([^()\n]*\)",
            decides: Compared,
        },
    ),
    count(
        Rust,
        r"(?m)^\s*static\s+(\w+)\s*:\s*(?:[\w:]+::)?(?:Ref)?Cell<",
        CountedBy {
            hint: "@",
            counted: r"\b@\.set\([^;\n]*\+\s*1\b|\b@\.with\(",
            number: r"\b@\.(?:get|take|with)\([^;\n]*\)",
            decides: Answered,
        },
    ),
    count(
        Rust,
        r"(?m)^\s*static\s+(?:mut\s+)?(\w+)\s*:\s*(?:(?:[\w:]+::)?(?:Mutex|RwLock|OnceLock|LazyLock)<|[iu](?:8|16|32|64|128|size)\b)",
        CountedBy {
            hint: "@",
            counted: r"\*?\b@(?:\.\w+\(\)(?:\.unwrap\(\))?)?\s*\+=\s*1\b|\b@\.(?:lock|write)\(",
            number: r"\b@(?:\.\w+\([^()\n]*\))*",
            decides: Answered,
        },
    ),
    mark(
        Go,
        r"(?m)^(?:var\s+|\t)(\w+)\s+bool\s*$|^var\s+(\w+)\s*=\s*(?:true|false)\s*$",
    ),
    count(
        Go,
        r"(?m)^var\s+(\w+)\s+(?:u?int\w*|atomic\.\w+)\s*$|^var\s+(\w+)\s*=\s*\d+\s*$",
        CountedBy {
            hint: "@",
            counted: r"\b@\+\+|\b@\s*\+=\s*1\b|\b@\.Add\(\s*1\b|\bAdd\w+\(\s*&@,\s*1\b",
            number: r"\b@(?:\.\w+\([^()\n]*\))?\)*|\bAdd\w+\(\s*&@,[^()\n]*\)",
            decides: Compared,
        },
    ),
    count(
        Go,
        r"(?m)^var\s+(\w+)\s*=?\s*(?:\[\]|map\[|struct\b|make\()",
        CountedBy {
            hint: "@",
            counted: r"\b@(?:\[[^\]\n]+\]|\.\w+)\s*(?:\+\+|\+=\s*1\b)|\b@\s*=\s*append\(@",
            number: r"\b@(?:\[[^\]\n]+\]|\.\w+)|\blen\(@\)",
            decides: Answered,
        },
    ),
    mark(Ruby, r"(?m)^\s*(@@?\w+|\$\w+)\s*=\s*(?:true|false|nil)\s*$"),
    count(
        Ruby,
        r"(?m)^\s*(@@?\w+|\$\w+)\s*=\s*-?\d+\s*$",
        CountedBy {
            hint: "@",
            counted: r"@\s*\+=\s*1\b",
            number: r"@",
            decides: Answered,
        },
    ),
];

const fn mark(language: KnownLanguage, made: &'static str) -> KeptName {
    KeptName {
        language,
        made: TextPattern::new(made),
        kept: KeptValue::Mark,
    }
}

const fn count(language: KnownLanguage, made: &'static str, by: CountedBy) -> KeptName {
    KeptName {
        language,
        made: TextPattern::new(made),
        kept: KeptValue::Count(by),
    }
}

impl KeptName {
    /// Returns the names that it makes in a text, each once, where it is made first.
    pub(super) fn names<'t>(&self, text: &'t str) -> Vec<&'t str> {
        let made = self.made.captures_iter(text);
        let made = made.filter_map(|found| Some(found.iter().skip(1).flatten().next()?.as_str()));
        let mut seen = BTreeSet::new();
        made.filter(|name| seen.insert(*name)).collect()
    }
}

/// Returns the names of marks in a text.
pub(super) fn marks(language: KnownLanguage, text: &str) -> Vec<&str> {
    let rows = KEPT_NAMES.iter().filter(|row| row.language == language);
    let marks = rows.filter(|row| matches!(row.kept, KeptValue::Mark));
    marks.flat_map(|row| row.names(text)).collect()
}

/// Returns what makes names that are counted by, and how.
pub(super) fn counts(
    language: KnownLanguage,
) -> impl Iterator<Item = (&'static KeptName, &'static CountedBy)> {
    let rows = KEPT_NAMES
        .iter()
        .filter(move |row| row.language == language);
    rows.filter_map(|row| match &row.kept {
        KeptValue::Mark => None,
        KeptValue::Count(by) => Some((row, by)),
    })
}

/// Returns whether a file itself gives something to a name: at the margin, in a language that declares it or not.
pub(super) fn is_of_file(name: &str, text: &TextLines<'_>) -> bool {
    static OF_FILE: TextPattern =
        TextPattern::new(r"\A(?:(?:const|let|var|export)\s+)*(\w+)(?:\s*:[^=\n]+)?\s*=");
    const DECLARES: [&str; 4] = ["const", "let", "var", "export"];
    let begins = |at: usize| {
        let above = (0..at).rev().find(|at| !text.lines[*at].trim().is_empty());
        let declaring = above.filter(|at| DECLARES.contains(&text.lines[*at].trim_end()));
        declaring.unwrap_or(at)
    };
    let mut places = text.holding(name).iter().map(|at| (begins(*at), *at));
    places.any(|(from, at)| {
        // No more than it may stand in: what looks for a match takes room for all that it is given.
        let found = OF_FILE.captures(text.part(from, at + 2));
        found.is_some_and(|found| &found[1] == name)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_file_gives_to_a_name_is_told_from_what_a_function_does() {
        for (text, want) in [
            ("a = 0\nn = 1\n", true),
            ("n: int = 1\n", true),
            ("export const n = {};\n", true),
            ("var\n  n = 1;\n", true),
            ("n\n  = 1\n", true),
            ("n.a = 1\n", false),
            ("m = n\n", false),
            ("def f():\n    n = 1\n", false),
        ] {
            assert_eq!(is_of_file("n", &TextLines::of(text)), want, "{text}");
        }
    }

    #[test]
    fn each_name_is_there_once_as_it_is_made_first() {
        let text = "n = 0\nm = 0\nn = 0\n";
        let (row, _) = counts(KnownLanguage::Python).next().unwrap();
        let names = row.names(text);
        assert_eq!(names, ["n", "m"]);
        assert_eq!(TextLines::of(text).line_of(names[0]), 0);
        assert_eq!(
            marks(KnownLanguage::Python, "a = True\nb = 1\na = None\n"),
            ["a"]
        );
    }
}
