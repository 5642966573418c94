//! What settings and comments leave of findings. A comment reads `<!-- gatewalk: allow GW204 reason -->`, `# gatewalk: allow …`.
//!
//! A comment behind something allows findings of its line; one that has its line alone, those of the
//! next line that holds something; `allow-file`, those of the whole file. Errors cannot be allowed.

use super::context::FileCx;
use super::finding_sink::{FindingBuilder, FindingSink};
use super::{Options, rule::Rule, rules};
use crate::diagnostic::{Diagnostic, Severity, Span};
use crate::model::config::SeverityMap;
use std::sync::Arc;

/// A comment that allows findings, with where it holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Suppression {
    /// The rules it names, as written, each with its place.
    pub(crate) rules: Vec<(String, Span)>,
    pub(crate) reason: String,
    /// Bytes of the whole comment.
    pub(crate) span: Span,
    /// The bytes whose findings it allows.
    pub(crate) reach: Span,
}

const MARK: &str = "gatewalk: allow";

/// How many comments of a file are read: each is held against every finding.
const MAX_COMMENTS: usize = 1_000;

/// Finds the comments of a text.
pub(crate) fn find(text: &str) -> Vec<Suppression> {
    let mut next = 0..0;
    memchr::memmem::find_iter(text.as_bytes(), MARK)
        .take(MAX_COMMENTS)
        .filter_map(|at| read(text, at, &mut next))
        .collect()
}

/// Reads one comment; `next` is the line that the one before it reaches, in a block of them the same.
fn read(text: &str, at: usize, next: &mut Span) -> Option<Suppression> {
    let line_start = text[..at].rfind('\n').map_or(0, |n| n + 1);
    let line_end = text[at..].find('\n').map_or(text.len(), |n| at + n);
    let before = text[line_start..at].trim_end();
    let (open, close) = if before.ends_with("<!--") {
        ("<!--", Some("-->"))
    } else if before.ends_with('#') {
        ("#", None)
    } else {
        return None;
    };
    let start = line_start + before.len() - open.len();
    let end = match close {
        Some(close) => at + text[at..line_end].find(close)? + close.len(),
        None => line_start + text[line_start..line_end].trim_end().len(),
    };
    let inside = end - close.map_or(0, str::len);
    let mut from = at + MARK.len();
    let whole_file = text[from..inside].starts_with("-file");
    from += if whole_file { "-file".len() } else { 0 };
    let (named, from) = named_rules(text, from..inside);
    let reason = text[from..inside]
        .trim()
        .trim_start_matches([':', '-', '—'])
        .trim()
        .to_owned();
    let alone = text[line_start..start].trim().is_empty() && text[end..line_end].trim().is_empty();
    let reach = if whole_file {
        0..text.len() + 1
    } else if alone {
        if next.start <= line_end {
            *next = next_line(text, line_end);
        }
        next.clone()
    } else {
        line_start..line_end + 1
    };
    Some(Suppression {
        rules: named,
        reason,
        span: start..end,
        reach,
    })
}

/// Returns the rules that a part of a comment begins with, each with its place, and where they end.
fn named_rules(text: &str, part: Span) -> (Vec<(String, Span)>, usize) {
    let (mut named, mut from) = (Vec::new(), part.start);
    while let Some((word, span)) = next_word(text, from, part.end) {
        let bare = word.trim_end_matches(',');
        let looks_like_a_rule = |w: &str| {
            (w.starts_with("GW") && w.len() > 2 && w[2..].bytes().all(|b| b.is_ascii_digit()))
                || rules::by_name(w).is_some()
        };
        if !looks_like_a_rule(bare) && !named.is_empty() {
            break;
        }
        named.push((bare.to_owned(), span.start..span.start + bare.len()));
        from = span.end;
    }
    (named, from)
}

fn next_word(text: &str, from: usize, end: usize) -> Option<(&str, Span)> {
    let rest = text.get(from..end)?;
    let start = from + (rest.len() - rest.trim_start().len());
    let word = text[start..end].split_whitespace().next()?;
    Some((word, start..start + word.len()))
}

/// The next line that holds something other than such a comment.
fn next_line(text: &str, mut at: usize) -> Span {
    while at < text.len() {
        let start = at + 1;
        let end = text
            .get(start..)
            .and_then(|rest| rest.find('\n'))
            .map_or(text.len(), |n| start + n);
        let line = text.get(start..end).unwrap_or_default();
        if !line.trim().is_empty() && !line.contains(MARK) {
            return start..end + 1;
        }
        at = end.max(start);
    }
    at..at + 1
}

/// Returns the findings in files with the severities the repository wants, without those that comments allow, and reports
/// comments that allow nothing, say no reason or name no rule.
pub(super) fn apply(
    found: FindingSink,
    files: &[FileCx<'_>],
    options: &Options,
    wanted: &SeverityMap,
) -> Vec<Diagnostic> {
    let mut found = at_wanted_severities(found, wanted);
    let mut out = FindingSink::new();
    for file in files {
        for comment in find(file.text) {
            let mut report = CommentReport {
                path: &file.path,
                options,
                out: &mut out,
            };
            judge(&comment, &mut found, &mut report);
        }
    }
    found.extend(at_wanted_severities(out, wanted));
    found
}

/// Settings may raise anything, and lower or switch off what is not an error.
fn at_wanted_severities(found: FindingSink, wanted: &SeverityMap) -> Vec<Diagnostic> {
    let mut found = found.into_findings();
    found.retain_mut(|d| {
        let Some(word) = wanted_severity(wanted, d.code) else {
            return true;
        };
        match word {
            _ if d.severity == Severity::Error => {}
            "off" => return false,
            "error" => d.severity = Severity::Error,
            "warning" => d.severity = Severity::Warning,
            _ => d.severity = Severity::Info,
        }
        true
    });
    found
}

/// Returns what the settings say about a rule: its code and its name before the head of a code.
fn wanted_severity<'m>(wanted: &'m SeverityMap, code: &str) -> Option<&'m str> {
    if wanted.0.is_empty() {
        return None;
    }
    let rule = rules::TABLE.iter().find(|rule| rule.code == code)?;
    let named = wanted.0.iter().filter(|(word, _)| rule.is_called(word));
    // The longer word is the more exact one: `GW301` goes before `GW3`.
    named
        .max_by_key(|(word, _)| (word.as_str() != "all", word.len()))
        .map(|(_, v)| v.value.as_str())
}

/// Reports what is wrong with the comments of one file.
struct CommentReport<'a> {
    path: &'a Arc<str>,
    options: &'a Options,
    out: &'a mut FindingSink,
}

impl CommentReport<'_> {
    /// Reports a finding of the rule of a module, unless the user does not ask for it.
    fn add(&mut self, module: &str, span: &Span, message: String) -> Option<FindingBuilder<'_>> {
        let rule = rules::by_name(module).filter(|rule| self.options.asks(rule))?;
        rule.speaks(self.out);
        Some(self.out.at(self.path, span.clone(), message))
    }
}

fn judge(comment: &Suppression, found: &mut Vec<Diagnostic>, report: &mut CommentReport<'_>) {
    if comment.reason.is_empty() {
        let help = "give the reason behind the code: `allow GW204 the name is fixed by a partner`";
        let message = "this comment allows a finding without saying why".to_owned();
        let finding = report.add("reasonless_suppression", &comment.span, message);
        finding.map(|finding| finding.help(help));
    }
    for (word, span) in &comment.rules {
        let Some(rule) = rule_called(word) else {
            let help = rules::nearest(word).map(|near| format!("did you mean `{near}`?"));
            let finding = report.add("unknown_rule", span, format!("there is no rule `{word}`"));
            finding.map(|finding| finding.maybe_help(help));
            continue;
        };
        if !report.options.asks(rule) {
            continue;
        }
        let hit = |d: &Diagnostic| {
            d.code == rule.code
                && *d.primary.path == **report.path
                && comment.reach.contains(&d.primary.span.start)
        };
        let before = found.len();
        let blocked = found
            .iter()
            .any(|d| hit(d) && d.severity == Severity::Error);
        found.retain(|d| !(hit(d) && d.severity != Severity::Error));
        if before == found.len() {
            report.add("unused_suppression", span, unused(rule, blocked));
        }
    }
}

fn rule_called(word: &str) -> Option<&'static Rule> {
    rules::TABLE
        .iter()
        .find(|r| r.code == word || r.is_called(word) && r.name() == word)
}

fn unused(rule: &Rule, blocked: bool) -> String {
    if blocked {
        format!(
            "`{}` is an error here, and errors cannot be allowed",
            rule.code
        )
    } else {
        format!(
            "nothing here breaks `{}`: the comment is not needed",
            rule.code
        )
    }
}
