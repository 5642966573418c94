//! Lessons: the bullets of `LEARNINGS.md`, which of them concern a unit, and which the logs suggest.
//!
//! A bullet reads `- L-003: text (paths: src/cart/**, tests/**; seen: 2)`. Older bullets without
//! all of that are read as far as they go. The file only grows; a count is the one thing that is
//! changed in place.

use super::log_reader::{Log, LoggedAttempt};
use super::repository_map::{Scope, paths_in};
use crate::model::document::Document;
use crate::model::feature::Feature;
use crate::model::layout;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The most lessons a prompt has.
pub(crate) const HANDFUL: usize = 5;

/// One lesson of LEARNINGS.md, with where it applies.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Lesson {
    /// `L-003`; empty for a bullet that has none.
    pub id: String,
    /// What was learned, one sentence.
    pub text: String,
    /// Globs it is about.
    pub paths: Vec<String>,
    /// How often it was met.
    pub seen: u32,
    #[serde(skip)]
    span: std::ops::Range<usize>,
}

/// Returns the lessons of a file, in order.
pub fn lessons(text: &str) -> Vec<Lesson> {
    let doc = Document::parse(Arc::from(layout::LEARNINGS), text.as_bytes());
    let mut all = Vec::new();
    let mut start = doc.body.start;
    while start < doc.text.len() {
        let rest = &doc.text[start..];
        let end = start + bullet_end(rest);
        let block = doc.text[start..end].to_owned();
        if let Some(body) = block
            .strip_prefix("- ")
            .or_else(|| block.strip_prefix("* "))
        {
            all.extend(lesson(body, start..start + block.trim_end().len()));
        }
        start = end;
    }
    all
}

/// Returns where the next top-level line begins.
fn bullet_end(rest: &str) -> usize {
    let mut end = 0;
    for (i, line) in rest.split_inclusive('\n').enumerate() {
        if i > 0 && !line.starts_with([' ', '\t']) {
            return end;
        }
        end += line.len();
    }
    end
}

fn lesson(body: &str, span: std::ops::Range<usize>) -> Option<Lesson> {
    let flat = body.split_whitespace().collect::<Vec<_>>().join(" ");
    if flat.is_empty() {
        return None;
    }
    let (flat, tail) = match flat.rfind("(paths:") {
        Some(at) => (
            flat[..at].trim().to_owned(),
            flat[at + 1..].trim_end_matches([')', '.']).to_owned(),
        ),
        None => match flat.rfind("(seen:") {
            Some(at) => (
                flat[..at].trim().to_owned(),
                flat[at + 1..].trim_end_matches([')', '.']).to_owned(),
            ),
            None => (flat, String::new()),
        },
    };
    let mut paths = Vec::new();
    let mut seen = 1;
    for part in tail.split(';') {
        match part.trim().split_once(':') {
            Some(("paths", list)) => paths.extend(
                list.split(',')
                    .map(|p| p.trim().trim_matches('`').to_owned())
                    .filter(|p| !p.is_empty()),
            ),
            Some(("seen", count)) => seen = count.trim().trim_end_matches('×').parse().unwrap_or(1),
            _ => {}
        }
    }
    if paths.is_empty() {
        paths = paths_in(&flat);
    }
    let (id, text) = match flat.split_once(':') {
        Some((id, text)) if is_id(id.trim_matches('*')) => (
            id.trim_matches('*').to_owned(),
            text.trim_start_matches('*').trim().to_owned(),
        ),
        _ => (String::new(), flat),
    };
    Some(Lesson {
        id,
        text,
        paths,
        seen,
        span,
    })
}

fn is_id(text: &str) -> bool {
    let digits = text.strip_prefix("L-").unwrap_or_default();
    !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())
}

/// Returns the lessons a unit's session gets: those whose paths meet its scope, most seen first.
pub(crate) fn for_scope(text: &str, scope: &Scope) -> Vec<Lesson> {
    let mut meeting: Vec<Lesson> = lessons(text)
        .into_iter()
        .filter(|l| l.paths.iter().any(|p| scope.meets(p)))
        .collect();
    meeting.sort_by_key(|l| std::cmp::Reverse(l.seen));
    meeting.truncate(HANDFUL);
    meeting
}

/// Returns the part of a prompt with a unit's lessons.
pub(crate) fn section(lessons: &[Lesson]) -> String {
    if lessons.is_empty() {
        return String::new();
    }
    let lines: Vec<String> = lessons.iter().map(|l| format!("- {}\n", l.text)).collect();
    format!("# What was learned here before\n\n{}", lines.concat())
}

/// Returns the file with one lesson more, and the lesson's id; one that is there is counted again.
pub fn with_lesson(old: &str, text: &str, paths: &[String]) -> (String, String) {
    let all = lessons(old);
    if let Some(same) = all.iter().find(|l| l.text == text) {
        let bullet = old.get(same.span.clone()).unwrap_or_default();
        let count = format!("seen: {}", same.seen);
        let more = format!("seen: {}", same.seen + 1);
        let new = if bullet.contains(&count) {
            bullet.replacen(&count, &more, 1)
        } else {
            format!("{bullet} ({more})")
        };
        return (
            format!("{}{new}{}", &old[..same.span.start], &old[same.span.end..]),
            same.id.clone(),
        );
    }
    let highest = all
        .iter()
        .filter_map(|l| l.id.strip_prefix("L-")?.parse::<u32>().ok())
        .max()
        .unwrap_or(0);
    let id = format!("L-{:03}", highest + 1);
    let about = if paths.is_empty() {
        String::new()
    } else {
        format!("paths: {}; ", paths.join(", "))
    };
    let mut new = old.to_owned();
    if !new.is_empty() && !new.ends_with('\n') {
        new.push('\n');
    }
    new.push_str(&format!("- {id}: {text} ({about}seen: 1)\n"));
    (new, id)
}

/// A lesson that a log suggests.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Proposal {
    /// The unit whose attempt went red and then green.
    pub unit: String,
    /// What failed in the attempt before.
    pub text: String,
    /// What the passing attempt touched.
    pub paths: Vec<String>,
}

/// Returns what attempts that went red and then green suggest, in order.
pub fn proposals(feature: &Feature) -> Vec<Proposal> {
    let mut red: BTreeMap<String, LoggedAttempt> = BTreeMap::new();
    let mut found = Vec::new();
    for tried in attempts(feature) {
        if !tried.passed {
            red.insert(tried.unit.clone(), tried);
            continue;
        }
        let Some(failed) = red.remove(&tried.unit) else {
            continue;
        };
        let first = failed
            .excerpt
            .as_deref()
            .and_then(|e| e.lines().find(|l| !l.trim().is_empty()));
        let cause = failed.cause.as_deref().unwrap_or("failed");
        found.push(Proposal {
            unit: tried.unit.clone(),
            text: format!(
                "an attempt failed here first ({cause}): {}",
                first.unwrap_or("see the log").trim()
            ),
            paths: tried.files.clone(),
        });
    }
    found
}

fn attempts(feature: &Feature) -> Vec<LoggedAttempt> {
    let log = feature.others.get(layout::EVENTS);
    log.map_or_else(Vec::new, |bytes| Log::parse(bytes).attempts())
}

/// Failures that look the same.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Cluster {
    /// The failure made comparable.
    pub(crate) signature: String,
    /// The class its reasons share.
    pub cause: String,
    /// How many attempts failed so.
    pub attempts: u32,
    /// The units, in order.
    pub units: Vec<String>,
    /// What they cost, of what is known, in US dollars.
    pub cost_usd: Option<f64>,
    /// What one of them found.
    pub excerpt: String,
    /// The paths they touched.
    pub(crate) paths: Vec<String>,
}

/// Returns the failures that came back, the most frequent first.
pub fn recurring<'f>(features: impl Iterator<Item = &'f Feature>) -> Vec<Cluster> {
    let mut clusters: BTreeMap<String, Cluster> = BTreeMap::new();
    for tried in features.flat_map(attempts).filter(|t| !t.passed) {
        let Some(signature) = tried.signature else {
            continue;
        };
        let cluster = clusters
            .entry(signature.clone())
            .or_insert_with(|| Cluster {
                signature,
                cause: tried.cause.clone().unwrap_or_default(),
                attempts: 0,
                units: vec![],
                cost_usd: None,
                excerpt: tried.excerpt.clone().unwrap_or_default(),
                paths: vec![],
            });
        cluster.attempts += 1;
        cluster.cost_usd = match (cluster.cost_usd, tried.cost_usd) {
            (Some(a), Some(b)) => Some(a + b),
            (a, b) => a.or(b),
        };
        if !cluster.units.contains(&tried.unit) {
            cluster.units.push(tried.unit);
        }
        for path in tried.files {
            if !cluster.paths.contains(&path) {
                cluster.paths.push(path);
            }
        }
    }
    let mut all: Vec<Cluster> = clusters.into_values().filter(|c| c.attempts > 1).collect();
    all.sort_by(|a, b| {
        b.attempts
            .cmp(&a.attempts)
            .then(a.signature.cmp(&b.signature))
    });
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "# Learnings\n\nWrite only what matters.\n\n- L-001: totals are in cents\n  (paths: src/cart/**; seen: 2)\n- an old one about `src/cart/tax.rs`\n- L-004: elsewhere (paths: docs/**; seen: 9)\n- no path at all\n";

    #[test]
    fn bullets_are_read_as_far_as_they_go() {
        let got: Vec<_> = lessons(FILE)
            .into_iter()
            .map(|l| (l.id, l.text, l.paths, l.seen))
            .collect();
        let row = |id: &str, text: &str, paths: &[&str], seen| {
            (
                id.to_owned(),
                text.to_owned(),
                paths.iter().map(|p| (*p).to_owned()).collect::<Vec<_>>(),
                seen,
            )
        };
        assert_eq!(
            got,
            [
                row("L-001", "totals are in cents", &["src/cart/**"], 2),
                row(
                    "",
                    "an old one about `src/cart/tax.rs`",
                    &["src/cart/tax.rs"],
                    1
                ),
                row("L-004", "elsewhere", &["docs/**"], 9),
                row("", "no path at all", &[], 1),
            ]
        );
    }

    #[test]
    fn a_unit_is_given_what_meets_its_scope_most_seen_first() {
        for (scope, want) in [
            (
                vec!["src/cart/tax.rs"],
                vec!["totals are in cents", "an old one about `src/cart/tax.rs`"],
            ),
            (
                vec!["docs/a.md", "src/cart/x.rs"],
                vec!["elsewhere", "totals are in cents"],
            ),
            (vec!["lib/x.rs"], vec![]),
            (vec![], vec![]),
        ] {
            let patterns: Vec<String> = scope.iter().map(|s| (*s).to_owned()).collect();
            let shown = for_scope(FILE, &Scope::of_patterns(&patterns));
            let got: Vec<_> = shown.iter().map(|l| l.text.as_str()).collect();
            assert_eq!(got, want, "{scope:?}");
        }
        let many: String = (0..20)
            .map(|i| format!("- L-{i:03}: lesson {i} (paths: **; seen: {i})\n"))
            .collect();
        let shown = for_scope(&many, &Scope::of_patterns(&["a.rs".to_owned()]));
        assert_eq!(
            shown.iter().map(|l| l.seen).collect::<Vec<_>>(),
            [19, 18, 17, 16, 15]
        );
    }

    #[test]
    fn a_new_lesson_gets_the_next_id_and_a_known_one_is_counted() {
        let (new, id) = with_lesson(FILE, "new one", &["src/**".to_owned()]);
        assert_eq!(
            (id.as_str(), new),
            (
                "L-005",
                format!("{FILE}- L-005: new one (paths: src/**; seen: 1)\n")
            )
        );
        let (again, id) = with_lesson(FILE, "totals are in cents", &[]);
        assert_eq!(
            (id.as_str(), again),
            ("L-001", FILE.replace("seen: 2", "seen: 3"))
        );
        let (old, _) = with_lesson(FILE, "no path at all", &[]);
        assert_eq!(
            old,
            FILE.replace("- no path at all\n", "- no path at all (seen: 2)\n")
        );
        assert_eq!(lessons(&old)[3].seen, 2);
    }
}
