//! What looks like a secret in an attempt's files and was not there before.

use super::UnitDiff;
use crate::driver::run_loop::Driver;
use crate::engine::changed_file::ChangedFile;
use crate::engine::changed_file::ChangedPathKind;
use crate::engine::evidence::one_line;
use crate::engine::failure_class::FailureClass;
use crate::engine::guards::{Report, Violation};
use crate::engine::secrets::{self, Finding};
use crate::error::Result;
use crate::model::layout::Layout;
use crate::object_id::ObjectId;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The largest file that secrets are looked for in.
const LARGEST_FILE: usize = 48 * 1024 * 1024;

impl Driver<'_> {
    /// Returns a file that is too large to be looked at with the others.
    fn large_file(&self, tree: &ObjectId, path: &String) -> Result<Option<Arc<[u8]>>> {
        let mut found = self
            .machine
            .contents(tree, std::slice::from_ref(path), LARGEST_FILE)?;
        Ok(found.pop().flatten())
    }

    pub(super) fn find_secrets(
        &self,
        diff: &UnitDiff<'_>,
        pairs: &[ChangedFile<'_>],
        report: &mut Report,
    ) -> Result<()> {
        let mut found = NewSecrets::default();
        let mut baseline = None;
        for pair in pairs {
            if pair.change.kind == ChangedPathKind::Deleted {
                continue;
            }
            let large = match pair.new {
                Some(_) => None,
                None => self.large_file(diff.tree, &pair.change.path)?,
            };
            let Some(new) = pair.new.or(large.as_deref()) else {
                found.unread.push(one_line(&pair.change.path));
                continue;
            };
            // One byte that is no text hides nothing.
            let (refused, let_by) = secrets::find_all(&String::from_utf8_lossy(new));
            if refused.is_empty() && let_by.is_empty() {
                continue;
            }
            if baseline.is_none() {
                baseline = Some(self.secrets_allowed(diff.plan)?);
            }
            let known = baseline.as_deref().unwrap_or("");
            found.places.extend(added_to(pair, known, &refused));
            found.marked.extend(added_to(pair, known, &let_by));
        }
        found.report_to(report, self.layout);
        Ok(())
    }
}

/// What looks like a secret and was not there before.
#[derive(Default)]
struct NewSecrets {
    places: Vec<String>,
    /// Those that a mark lets by.
    marked: Vec<String>,
    /// Files that could not be looked through.
    unread: Vec<String>,
}

impl NewSecrets {
    fn report_to(self, report: &mut Report, layout: Layout) {
        if !self.unread.is_empty() {
            report.notices.push(format!(
                "not looked through for secrets, being too large or of a name that cannot be read: {}",
                self.unread.join(", ")
            ));
        }
        if !self.marked.is_empty() {
            report.notices.push(format!(
                "what looks like a secret is let by with a mark that the session itself wrote: {}",
                one_line(&self.marked.join(", "))
            ));
        }
        if !self.places.is_empty() {
            report.violations.push(Violation {
                class: FailureClass::Secret,
                message: format!(
                    "the diff holds what looks like a secret; read it from the environment instead. A user may allow one with `{}` on its line, or its rule and digest in `{}/{}`",
                    secrets::ALLOWANCE, layout.dir(), secrets::BASELINE
                ),
                paths: self.places,
            });
        }
    }
}

/// Returns the places of findings that neither the baseline nor the file as it was has.
fn added_to(pair: &ChangedFile<'_>, baseline: &str, found: &[Finding]) -> Vec<String> {
    if found.is_empty() {
        return vec![];
    }
    let before = pair
        .old
        .map(|bytes| secrets::find_all(&String::from_utf8_lossy(bytes)))
        .unwrap_or_default();
    let before: BTreeSet<String> = [before.0, before.1]
        .into_iter()
        .flatten()
        .map(|f| f.digest)
        .collect();
    let new = secrets::outside(baseline, found).into_iter();
    new.filter(|f| !before.contains(&f.digest))
        .map(|f| {
            format!(
                "{}:{} ({}, digest {})",
                pair.change.path, f.line, f.rule, f.digest
            )
        })
        .collect()
}
