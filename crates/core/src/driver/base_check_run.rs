//! One look at what the base says of commands.

use super::run_loop::Driver;
use super::verification_request::VerificationSlot;
use super::verification_turns::VerificationTurn;
use crate::engine::red_command::{RedCause, RedCommand};
use crate::engine::snapshot::BaseReport;
use crate::error::Result;

/// A unit's oracle being tried on the tip.
pub(super) struct BaseCheckRun<'p> {
    /// The slot that its commands run in.
    pub(super) slot: VerificationSlot<'p>,
    /// Stands for the product's files.
    pub(super) tree_key: String,
    pub(super) report: BaseReport,
    pub(super) prepared: bool,
    /// Whose turn to verify it runs in.
    pub(super) turn: BaseCheckTurn<'p>,
}

/// Whose turn to verify a base check runs in.
pub(super) enum BaseCheckTurn<'p> {
    /// The caller has one already.
    Callers,
    /// Its own, taken once something is to run.
    Own(Option<VerificationTurn<'p>>),
}

impl<'p> BaseCheckRun<'p> {
    /// Returns a trial in which nothing ran yet, in the caller's turn.
    pub(super) fn new(driver: &Driver<'_>, slot: VerificationSlot<'p>) -> Result<Self> {
        let (machine, state_dir) = (driver.machine, driver.layout.dir());
        Ok(BaseCheckRun {
            tree_key: machine.tree_key(&slot.plan.tree, state_dir)?,
            slot,
            report: BaseReport::default(),
            prepared: false,
            turn: BaseCheckTurn::Callers,
        })
    }

    /// Adds what should be green and is not to the report.
    pub(super) fn is_red(&mut self, name: &str, cause: RedCause) {
        self.report.red.push(RedCommand {
            name: name.to_owned(),
            cause,
        });
    }
}

/// A command that is being run on the base; it ends with the value, however that comes about.
pub(super) struct AskedOnBase<'d> {
    driver: &'d Driver<'d>,
    key: String,
}

impl<'d> AskedOnBase<'d> {
    /// Returns nothing where another asks already.
    pub(super) fn begin(driver: &'d Driver<'_>, key: &str) -> Option<AskedOnBase<'d>> {
        let new = driver.cache().asking.insert(key.to_owned());
        new.then(|| AskedOnBase {
            driver,
            key: key.to_owned(),
        })
    }
}

impl Drop for AskedOnBase<'_> {
    fn drop(&mut self) {
        self.driver.cache().asking.remove(&self.key);
        self.driver.answered.notify_all();
    }
}
