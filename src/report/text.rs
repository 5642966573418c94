//! What a user reads in a terminal: full findings, one line a finding, a table, a diff.
//!
//! The text has colours in it; the stream it is written to takes them out where they are not wanted.

use super::lines::Places;
use super::{rule_of, severity_word};
use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Renderer, Snippet};
use gatewalk_core::diagnostic::{Diagnostic, Label, Severity, Span};
use gatewalk_core::lint::Sources;
use gatewalk_core::{line_diff, parallel};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;

const BOM: &str = "\u{feff}";

/// How many bytes of a line are shown behind what is marked in it, at most.
const BEHIND: usize = 400;

/// Below this many findings a second thread costs more than it saves.
const FINDINGS_PER_THREAD: usize = 128;

/// What is left of a template: the finding names the lines, and each says itself what it asks for.
const NAMES_ITS_LINES: &str = "GW111";

/// The source line, a caret, what is related, and help.
pub(super) fn full(found: &[Diagnostic], sources: &Sources) -> String {
    let places = Places::new(sources);
    let render = |found: &[Diagnostic]| {
        let renderer = Renderer::styled();
        let mut text = String::new();
        for finding in found {
            if finding.code == NAMES_ITS_LINES {
                text.push_str(&concise(std::slice::from_ref(finding), &places));
            } else {
                text.push_str(&renderer.render(&[group(finding, sources)]));
                text.push('\n');
            }
            text.push('\n');
        }
        text
    };
    parallel::share(found, FINDINGS_PER_THREAD, render).concat()
}

fn group<'a>(finding: &'a Diagnostic, sources: &'a Sources) -> Group<'a> {
    let level = match finding.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Info => Level::INFO,
    };
    let mut labels: BTreeMap<&Arc<str>, Vec<(&Label, AnnotationKind)>> = BTreeMap::new();
    for label in &finding.related {
        labels
            .entry(&label.path)
            .or_default()
            .push((label, AnnotationKind::Context));
    }
    let own = labels.remove(&finding.primary.path).unwrap_or_default();
    let own = std::iter::once((&finding.primary, AnnotationKind::Primary)).chain(own);
    let mut group = level
        .primary_title(finding.message.as_str())
        .id(finding.code)
        .element(snippet(&finding.primary.path, own, sources));
    for (path, others) in labels {
        group = group.element(snippet(path, others.into_iter(), sources));
    }
    if let Some(help) = &finding.help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    if let Some(fix) = &finding.fix {
        let flag = if fix.safe { "--fix" } else { "--unsafe-fixes" };
        group = group.element(Level::HELP.message(format!("`{flag}` does it: {}", fix.title)));
    }
    let name = rule_of(finding).map_or_else(String::new, gatewalk_core::lint::rule::Rule::name);
    let url = rule_of(finding)
        .and_then(gatewalk_core::lint::rule::Rule::url)
        .map_or_else(String::new, |url| format!(", {url}"));
    group.element(Level::NOTE.message(format!("{name}: `gatewalk explain {}`{url}", finding.code)))
}

fn snippet<'a>(
    path: &'a str,
    labels: impl Iterator<Item = (&'a Label, AnnotationKind)>,
    sources: &'a Sources,
) -> Snippet<'a, Annotation<'a>> {
    let text = sources.get(path).map_or("", |text| &**text);
    // The mark is no column, and the renderer would count it as one.
    let skipped = if text.starts_with(BOM) { BOM.len() } else { 0 };
    let source = &text[skipped..];
    let labels: Vec<(&Label, AnnotationKind)> = labels.collect();
    let spans: Vec<Span> = labels
        .iter()
        .map(|(l, _)| shown(l, source, skipped))
        .collect();
    // The renderer looks through all it is given, so it gets the lines it needs.
    let first = spans.iter().map(|span| span.start).min().unwrap_or(0);
    let last = spans.iter().map(|span| span.end).max().unwrap_or(0);
    let from = source[..first].rfind('\n').map_or(0, |newline| newline + 1);
    let to = source[last..]
        .find('\n')
        .map_or(source.len(), |newline| last + newline + 1);
    // It cuts a long line by its width, which letters that nobody sees do not have.
    let mut behind = (last + BEHIND).min(source.len())..=source.len();
    let to = to.min(behind.find(|at| source.is_char_boundary(*at)).unwrap_or(to));
    // Behind the last newline there is no line of its own to cut out.
    let from = if from == source.len() { 0 } else { from };
    let line = source[..from].bytes().filter(|byte| *byte == b'\n').count() + 1;
    let annotations = labels.iter().zip(spans).map(|((label, kind), span)| {
        let annotation = kind.span(span.start - from..span.end - from);
        if label.message.is_empty() {
            annotation
        } else {
            annotation.label(label.message.as_str())
        }
    });
    Snippet::source(&source[from..to])
        .line_start(line)
        .path(path)
        .annotations(annotations)
}

/// What is marked of a label's span. A span of many lines would show all of them; its first line
/// says where it is.
fn shown(label: &Label, source: &str, skipped: usize) -> Span {
    let start = label.span.start.saturating_sub(skipped).min(source.len());
    let end = label
        .span
        .end
        .saturating_sub(skipped)
        .clamp(start, source.len());
    match source.get(start..end) {
        Some(span) => start..start + span.find(['\n', '\r']).unwrap_or(span.len()),
        // Not on a character's boundary: nothing can be marked there.
        None => source.len()..source.len(),
    }
}

/// One line a finding.
pub(super) fn concise(found: &[Diagnostic], places: &Places<'_>) -> String {
    let mut text = String::new();
    for finding in found {
        let (start, _) = places.label(&finding.primary);
        let colour = colour(finding.severity);
        let fixable = match &finding.fix {
            Some(fix) if fix.safe => " [*]",
            _ => "",
        };
        let help = finding
            .help
            .as_ref()
            .filter(|h| h.starts_with("did you mean"))
            .map_or_else(String::new, |h| format!("; {h}"));
        let _ = writeln!(
            text,
            "{}:{}:{}: {colour}{}[{}]{colour:#}{fixable} {}{help}",
            finding.primary.path,
            start.line,
            start.column,
            severity_word(finding.severity),
            finding.code,
            finding.message,
        );
    }
    text
}

fn colour(severity: Severity) -> anstyle::Style {
    match severity {
        Severity::Error => anstyle::AnsiColor::Red.on_default().bold(),
        Severity::Warning => anstyle::AnsiColor::Yellow.on_default().bold(),
        Severity::Info => anstyle::AnsiColor::Blue.on_default().bold(),
    }
}

/// One line about all findings.
pub(crate) fn summary(found: &[Diagnostic]) -> String {
    let count = |severity| found.iter().filter(|d| d.severity == severity).count();
    let words: Vec<String> = [
        (Severity::Error, "error"),
        (Severity::Warning, "warning"),
        (Severity::Info, "note"),
    ]
    .into_iter()
    .map(|(severity, word)| (count(severity), word))
    .filter(|(count, _)| *count > 0)
    .map(|(count, word)| format!("{count} {word}{}", if count == 1 { "" } else { "s" }))
    .collect();
    if words.is_empty() {
        return "no findings".to_owned();
    }
    let fixable = found
        .iter()
        .filter(|d| d.fix.as_ref().is_some_and(|f| f.safe))
        .count();
    let fixes = if fixable > 0 {
        format!("; `--fix` repairs {fixable}")
    } else {
        String::new()
    };
    format!("{}{fixes}", words.join(", "))
}

/// How often each rule speaks, most often first.
pub(crate) fn statistics(found: &[Diagnostic]) -> String {
    let mut counts: BTreeMap<&str, (usize, Severity)> = BTreeMap::new();
    for finding in found {
        let entry = counts.entry(finding.code).or_insert((0, finding.severity));
        entry.0 += 1;
        entry.1 = entry.1.max(finding.severity);
    }
    let mut rows: Vec<_> = counts.into_iter().collect();
    rows.sort_by_key(|(code, (count, _))| (std::cmp::Reverse(*count), *code));
    let mut text = String::new();
    for (code, (count, severity)) in rows {
        let name = gatewalk_core::lint::rules::find(code)
            .map_or_else(String::new, gatewalk_core::lint::rule::Rule::name);
        let _ = writeln!(
            text,
            "{count:>6}  {code}  {:<8} {name}",
            severity_word(severity)
        );
    }
    text
}

/// The changes of a file, as `patch` reads them.
pub(crate) fn diff(path: &str, old: &str, new: &str) -> String {
    let (before, after) = (format!("a/{path}"), format!("b/{path}"));
    line_diff::unified((&before, old), (&after, new))
}
