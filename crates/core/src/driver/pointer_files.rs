//! Files that a repository gives to git-lfs and this machine does not have whole: commands find pointers in their place.

use super::inspect::UnitDiff;
use super::run_loop::Driver;
use crate::engine::changed_file::ChangedFile;
use crate::engine::evidence::{first_named, one_line};
use crate::engine::failure_class::FailureClass;
use crate::engine::guards::{Report, Violation};
use crate::engine::large_files::is_pointer;
use crate::error::Result;
use crate::object_id::ObjectId;

/// The largest pointer that is read, in bytes (the specification of git-lfs, "must be less than 1024 bytes").
const POINTER_LIMIT: usize = 1024;

/// How many files are named.
const NAMED: usize = 5;

impl Driver<'_> {
    /// Returns what to know of a command that is red on a tree where it finds pointers in place of files; nothing where it
    /// finds none.
    pub(super) fn pointers_named(&self, tree: &ObjectId) -> Result<Option<String>> {
        let mut files = self.machine.pointer_files(tree)?;
        let own = (!files.is_empty()).then_some("git lfs pull");
        let below = self.machine.pointer_files_of_submodules(tree)?;
        let theirs =
            (!below.is_empty()).then_some("git submodule foreach --recursive git lfs pull");
        files.extend(below);
        let fetched: Vec<&str> = own.into_iter().chain(theirs).collect();
        Ok((!files.is_empty()).then(|| {
            format!(
                "Commands find the pointers of git-lfs, not its files ({}). To have them here: install git-lfs, then: git lfs install && {}\n",
                first_named(&files, NAMED),
                fetched.join(" && ")
            )
        }))
    }

    /// Reports pointers in place of changed files that this machine does not have whole: nothing could judge those. A
    /// pointer that the base has as well was only moved or copied.
    pub(super) fn find_absent_large_files(
        &self,
        diff: &UnitDiff<'_>,
        pairs: &[ChangedFile<'_>],
        report: &mut Report,
    ) -> Result<()> {
        let is_new =
            |pair: &&ChangedFile<'_>| pair.new.is_some_and(is_pointer) && pair.new != pair.old;
        let written: Vec<&ChangedFile<'_>> = pairs.iter().filter(is_new).collect();
        if written.is_empty() {
            return Ok(());
        }
        let base = &diff.plan.tree;
        let known = self.machine.pointer_files(base)?;
        let known = self.machine.contents(base, &known, POINTER_LIMIT)?;
        let absent = self.machine.pointer_files(diff.tree)?;
        let paths: Vec<String> = written
            .iter()
            .filter(|pair| absent.contains(&pair.change.path))
            .filter(|pair| !known.iter().any(|known| known.as_deref() == pair.new))
            .map(|pair| one_line(&pair.change.path))
            .collect();
        if !paths.is_empty() {
            report.violations.push(Violation {
                class: FailureClass::MissingLargeFile,
                message: "these files belong to git-lfs, and what they hold now is pointers to content that is not here: write the files themselves"
                    .to_owned(),
                paths,
            });
        }
        Ok(())
    }
}
