//! `GW103`. See `invalid_yaml.md`.

use crate::lint::context::FileCx;
use crate::lint::finding_sink::FindingSink;
use crate::model::document::ProblemKind;
use crate::model::look_alikes;
use crate::model::yaml::YamlErrorKind;

pub(super) fn check(file: &FileCx<'_>, out: &mut FindingSink) {
    for (kind, message, span) in &file.yaml {
        if matches!(kind, YamlErrorKind::Syntax | YamlErrorKind::TooDeep) {
            out.at(
                &file.path,
                span.clone(),
                format!("not readable as YAML: {message}"),
            )
            .help(advice(file.text, span.start, message));
        }
    }
    for problem in file.doc.iter().flat_map(|d| &d.problems) {
        if problem.kind == ProblemKind::FrontNotMapping {
            out.at(&file.path, problem.span.clone(), &*problem.message)
                .help("every line is `key: value`; mind the space behind the colon");
        }
    }
}

/// Where a reader of YAML stopped.
struct Broken<'t> {
    line: &'t str,
    /// With the line before: the parser often stops on the line behind the one that is wrong.
    lines: [&'t str; 2],
    /// The line behind: a tab there ends what stands before it.
    next: &'t str,
    /// What stands behind their colons.
    values: Vec<&'t str>,
    message: &'t str,
}

impl<'t> Broken<'t> {
    fn new(text: &'t str, at: usize, message: &'t str) -> Broken<'t> {
        let at = (0..=at.min(text.len()))
            .rev()
            .find(|at| text.is_char_boundary(*at));
        let start_of_line = |end: usize| text[..end].rfind('\n').map_or(0, |n| n + 1);
        let line = |from: usize| text[from..].lines().next().unwrap_or_default();
        let start = start_of_line(at.unwrap_or(0));
        let lines = [line(start), line(start_of_line(start.saturating_sub(1)))];
        let values = lines.iter().filter_map(|line| line.split_once(": "));
        Broken {
            line: lines[0],
            lines,
            next: text[start..].lines().nth(1).unwrap_or_default(),
            values: values.map(|(_, value)| value.trim()).collect(),
            message,
        }
    }

    fn any_value(&self, is_so: impl Fn(&str) -> bool) -> bool {
        self.values.iter().any(|value| is_so(value))
    }

    fn goes_on_behind(&self, quote: char) -> bool {
        self.any_value(|value| {
            let rest = value.strip_prefix(quote);
            let inner = rest.and_then(|rest| rest.split_once(quote));
            inner.is_some_and(|(_, behind)| !behind.is_empty())
        })
    }

    fn leaves_quotes_open(&self) -> bool {
        let odd = |value: &str, mark| value.matches(mark).count() % 2 == 1;
        self.any_value(|value| {
            ['"', '\'']
                .iter()
                .any(|mark| value.starts_with(*mark) && odd(value, *mark))
        })
    }

    fn leaves_open(&self, from: char, to: char) -> bool {
        let mut lines = self.lines.iter();
        lines.any(|line| line.matches(from).count() != line.matches(to).count())
    }

    fn is_indented_by_tabs(&self) -> bool {
        let mut lines = self.lines.iter().chain([&self.next]);
        lines.any(|line| line.trim_start_matches(' ').starts_with('\t'))
    }
}

type YamlAdvice = (fn(&Broken<'_>) -> bool, &'static str);

/// What most likely is wrong, and what mends it; the first that is so is said.
const ADVICE: [YamlAdvice; 12] = [
    (
        |at| at.message.contains("escape"),
        "put it in single quotes: in double ones a backslash begins an escape",
    ),
    (
        |at| at.goes_on_behind('"'),
        "the quotes end before the value does: put all of it in single quotes",
    ),
    (
        |at| at.goes_on_behind('\''),
        "the quotes end before the value does: put all of it in double quotes",
    ),
    (
        |at| at.any_value(behind_bracket),
        "put the whole value in quotes: its bracket begins a list, and the value goes on behind it",
    ),
    (
        |at| is_without_space(at.line),
        "put a space behind the colon: `key: value`",
    ),
    (
        |at| {
            let key = at.line.split_once('=');
            key.is_some_and(|(key, _)| is_key(key.trim()))
        },
        "write a colon and a space, not `=`: `key: value`",
    ),
    (
        |at| at.is_indented_by_tabs(),
        "indent with spaces: YAML takes no tabs there",
    ),
    (
        |at| at.leaves_quotes_open(),
        "close the quotes, or take the opening one out",
    ),
    (
        |at| at.leaves_open('[', ']') || at.leaves_open('{', '}'),
        "close the bracket, or put the value in quotes",
    ),
    (
        |at| at.any_value(|v| v.starts_with(['@', '`', '%', '*', '&', '!', '|', '>'])),
        "put the value in quotes: it begins with a character that means something to YAML",
    ),
    (
        |at| at.any_value(|v| v.contains(": ")),
        "put the value in quotes: it holds `: `",
    ),
    (
        |at| at.message.contains("indent") || at.lines.iter().any(|l| l.starts_with(' ')),
        "check the indentation: keys of one table begin in one column, and a list's items too",
    ),
];

/// Returns what most likely mends a line that is no YAML.
fn advice(text: &str, at: usize, message: &str) -> String {
    let broken = Broken::new(text, at, message);
    if let Some(advice) = look_alikes::advice(broken.line) {
        return advice;
    }
    let found = ADVICE.iter().find(|(is_so, _)| is_so(&broken));
    let advice = found.map_or(
        "every line is `key: value` or `- item`; a value with `: ` or ` #` in it goes in quotes",
        |(_, advice)| advice,
    );
    advice.to_owned()
}

/// Returns whether a value begins as a list or a mapping and goes on behind it.
fn behind_bracket(value: &str) -> bool {
    let closing = match value.chars().next() {
        Some('[') => ']',
        Some('{') => '}',
        _ => return false,
    };
    value.rfind(closing).is_some_and(|at| at + 1 < value.len())
}

/// Returns whether a line is a known form of key, a colon and a value, without a space between.
fn is_without_space(line: &str) -> bool {
    let line = line.trim_start_matches([' ', '-']);
    line.split_once(':')
        .is_some_and(|(key, value)| is_key(key) && !value.starts_with(' ') && !value.is_empty())
}

fn is_key(word: &str) -> bool {
    let letters = |b: u8| b.is_ascii_lowercase() || b == b'_';
    !word.is_empty() && word.bytes().all(letters)
}
