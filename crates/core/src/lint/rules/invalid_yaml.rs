//! `GW103`. See `invalid_yaml.md`.

use crate::lint::context::FileCx;
use crate::lint::finding_sink::FindingSink;
use crate::model::document::ProblemKind;
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

/// Returns what most likely mends a line that is no YAML.
fn advice(text: &str, at: usize, message: &str) -> &'static str {
    let at = (0..=at.min(text.len()))
        .rev()
        .find(|at| text.is_char_boundary(*at));
    let at = at.unwrap_or(0);
    let start = text[..at].rfind('\n').map_or(0, |n| n + 1);
    let lines = |from: usize| text[from..].lines().next().unwrap_or_default();
    let line = lines(start);
    // The parser often stops on the line behind the one that is wrong.
    let before = text[..start.saturating_sub(1)]
        .rfind('\n')
        .map_or(0, |n| n + 1);
    let lines = [line, lines(before)];
    let value = |line: &str| {
        line.split_once(": ")
            .map(|(_, value)| value.trim().to_owned())
    };
    let values: Vec<String> = lines.iter().filter_map(|line| value(line)).collect();
    let odd = |mark: char| {
        values
            .iter()
            .any(|v| v.starts_with(mark) && v.matches(mark).count() % 2 == 1)
    };
    let open = |from, to| {
        lines
            .iter()
            .any(|l| l.matches(from).count() != l.matches(to).count())
    };
    let behind_quotes = |v: &str, quote: char| {
        let inner = v
            .strip_prefix(quote)
            .and_then(|rest| rest.split_once(quote));
        inner.is_some_and(|(_, behind)| !behind.is_empty())
    };
    if line.contains(['\u{a0}', '\u{3000}', '\u{ff1a}', '\u{2003}', '\u{2009}']) {
        "write a plain space and a plain colon: what stands there only looks like them"
    } else if values.iter().any(|v| behind_quotes(v, '"')) {
        "the quotes end before the value does: put all of it in single quotes"
    } else if values.iter().any(|v| behind_quotes(v, '\'')) {
        "the quotes end before the value does: put all of it in double quotes"
    } else if values.iter().any(|v| behind_bracket(v)) {
        "put the whole value in quotes: its bracket begins a list, and the value goes on behind it"
    } else if is_without_space(line) {
        "put a space behind the colon: `key: value`"
    } else if line
        .split_once('=')
        .is_some_and(|(key, _)| is_key(key.trim()))
    {
        "write a colon and a space, not `=`: `key: value`"
    } else if lines
        .iter()
        .any(|line| line.trim_start_matches(' ').starts_with('\t'))
    {
        "indent with spaces: YAML takes no tabs there"
    } else if odd('"') || odd('\'') {
        "close the quotes, or take the opening one out"
    } else if open('[', ']') || open('{', '}') {
        "close the bracket, or put the value in quotes"
    } else if values
        .iter()
        .any(|v| v.starts_with(['@', '`', '%', '*', '&', '!', '|', '>']))
    {
        "put the value in quotes: it begins with a character that means something to YAML"
    } else if values.iter().any(|v| v.contains(": ")) {
        "put the value in quotes: it holds `: `"
    } else if message.contains("indent") || lines.iter().any(|l| l.starts_with(' ')) {
        "check the indentation: keys of one table begin in one column, and a list's items too"
    } else {
        "every line is `key: value` or `- item`; a value with `: ` or ` #` in it goes in quotes"
    }
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
