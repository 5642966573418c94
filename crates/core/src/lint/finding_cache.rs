//! What the rules about single files found, kept from one keystroke to the next.
//!
//! Such a rule sees nothing but its file, so what it found holds until the text or the standing of
//! the file changes. Only an editor's server remembers; a run from the command line asks once.

use super::Options;
use super::context::FileCx;
use super::finding_sink::FindingSink;
use super::rule::RuleCheck;
use super::rules;
use crate::diagnostic::Diagnostic;
use std::collections::HashMap;
use std::sync::Arc;

/// Findings of the rules about single files, by file.
#[derive(Debug, Default)]
pub struct FindingCache(HashMap<Arc<str>, Remembered>);

#[derive(Debug)]
struct Remembered {
    /// Held, so that its address means this text and no later one.
    text: Arc<str>,
    settled: bool,
    live: bool,
    found: Vec<Diagnostic>,
}

/// Asks the rules about single files about these, and remembers if there is a memory.
pub(super) fn ask(
    files: &[FileCx<'_>],
    options: &Options,
    memory: Option<&mut FindingCache>,
    out: &mut FindingSink,
) {
    let Some(memory) = memory else {
        return files.iter().for_each(|file| ask_one(file, options, out));
    };
    for file in files {
        let holds = |r: &&Remembered| {
            let same = file.doc.is_some_and(|doc| Arc::ptr_eq(&doc.text, &r.text));
            same && r.settled == file.settled && r.live == file.live
        };
        if let Some(remembered) = memory.0.get(&file.path).filter(holds) {
            out.repeat(&remembered.found);
            continue;
        }
        let before = out.len();
        ask_one(file, options, out);
        if let Some(doc) = file.doc {
            let remembered = Remembered {
                text: doc.text.clone(),
                settled: file.settled,
                live: file.live,
                found: out.since(before).to_vec(),
            };
            memory.0.insert(file.path.clone(), remembered);
        }
    }
}

fn ask_one(file: &FileCx<'_>, options: &Options, out: &mut FindingSink) {
    for rule in rules::TABLE.iter().filter(|rule| options.asks(rule)) {
        if let RuleCheck::File(check) = rule.check {
            out.rule(rule);
            check(file, out);
        }
    }
}
