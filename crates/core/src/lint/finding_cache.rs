//! What the rules about single files found, kept from one keystroke to the next.
//!
//! Such a rule sees nothing but its file, so what it found holds until the text or the standing of
//! the file changes. Only an editor's server keeps it; a run from the command line asks once.

use super::context::FileCx;
use super::finding_sink::FindingSink;
use super::rule::{Rule, RuleCheck};
use super::{Options, rules};
use crate::diagnostic::Diagnostic;
use std::collections::HashMap;
use std::sync::Arc;

/// Findings of the rules about single files, by file.
#[derive(Debug, Default)]
pub struct FindingCache(HashMap<Arc<str>, CachedFindings>);

#[derive(Debug)]
struct CachedFindings {
    /// Held, so that its address means this text and no later one.
    text: Arc<str>,
    settled: bool,
    live: bool,
    found: Vec<Diagnostic>,
}

/// A rule about single files, with its question.
type FileRule = (&'static Rule, fn(&FileCx<'_>, &mut FindingSink));

/// Runs the rules about single files, and keeps what they found if there is a cache.
pub(super) fn check_files(
    files: &[FileCx<'_>],
    options: &Options,
    cache: Option<&mut FindingCache>,
    out: &mut FindingSink,
) {
    let asked: Vec<FileRule> = rules::TABLE
        .iter()
        .filter(|rule| options.asks(rule))
        .filter_map(|rule| match rule.check {
            RuleCheck::File(check) => Some((rule, check)),
            _ => None,
        })
        .collect();
    let check_file = |file: &FileCx<'_>, out: &mut FindingSink| {
        for (rule, check) in &asked {
            rule.speaks(out);
            check(file, out);
        }
    };
    let Some(cache) = cache else {
        return files.iter().for_each(|file| check_file(file, out));
    };
    for file in files {
        let holds = |r: &&CachedFindings| {
            let same = file.doc.is_some_and(|doc| Arc::ptr_eq(&doc.text, &r.text));
            same && r.settled == file.settled && r.live == file.live
        };
        if let Some(cached) = cache.0.get(&file.path).filter(holds) {
            out.repeat(&cached.found);
            continue;
        }
        let before = out.len();
        check_file(file, out);
        if let Some(doc) = file.doc {
            let cached = CachedFindings {
                text: doc.text.clone(),
                settled: file.settled,
                live: file.live,
                found: out.since(before).to_vec(),
            };
            cache.0.insert(file.path.clone(), cached);
        }
    }
}
