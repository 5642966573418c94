//! Units of a feature that are worked side by side and change the same places: reported while sessions still run, and kept
//! for the session that does the later one's work again.

use super::committed_plan::attempt_ref;
use super::driver_event::DriverEvent;
use super::ports::MergeOutcome;
use super::run_loop::Driver;
use crate::engine::attempt_record::{AttemptRecord, Collision};
use crate::error::Result;
use crate::object_id::ObjectId;

impl Driver<'_> {
    /// With `--optimistic`, reports at once with which work that waits to land an attempt's does not fit, by a merge in
    /// memory: nobody has to wait for a verification to learn it.
    pub(super) fn probe_collisions(&self, record: &AttemptRecord) -> Result<()> {
        if !self.options.optimistic {
            return Ok(());
        }
        for other in self.waiting_beside(record)? {
            // The earlier base is the common one: what came between the two is in the later tree.
            let base = match other.started_at <= record.started_at {
                true => other.base,
                false => record.base,
            };
            let merged = self.machine.merge(&base, &other.tree, &record.tree)?;
            if let MergeOutcome::Conflict(paths) = merged {
                self.report(DriverEvent::Collision {
                    unit: record.unit.clone(),
                    with: other.unit,
                    paths,
                });
            }
        }
        Ok(())
    }

    /// Returns the work of other units that is not on the branch and may land.
    fn waiting_beside(&self, record: &AttemptRecord) -> Result<Vec<AttemptRecord>> {
        let plan = self.plan_at(&self.tip()?)?;
        let open = plan
            .feature()
            .members()
            .filter(|m| m.id() != record.unit && !m.status().is_settled() && m.unit.is_some());
        let cache = self.cache();
        let last = open.filter_map(|m| {
            let last = cache.attempts.charged.get(m.id())?.last()?;
            let may_land = last.judgement.as_ref().is_none_or(|j| j.passed());
            (may_land && last.belongs_to(m.unit?)).then(|| last.clone())
        });
        Ok(last.collect())
    }

    /// The branch moved and both sides changed the same place: the attempt is set aside, uncharged, with what it did not
    /// fit.
    pub(super) fn set_aside_collided(
        &self,
        mut record: AttemptRecord,
        tip: &ObjectId,
        paths: Vec<String>,
    ) -> Result<()> {
        let units = self.landed_since(&record.base, tip, &paths)?;
        let with = match &units[..] {
            [] => String::new(),
            units => format!(" (with {})", units.join(", ")),
        };
        let text = format!(
            "{}: the branch moved and both changed {}{with}",
            record.unit,
            paths.join(", ")
        );
        record.collision = Some(Collision { paths, units });
        let number = self.pin_uncharged(&record, None)?.unwrap_or_default();
        let unit = &record.unit;
        self.machine.unpin(&attempt_ref(unit, record.number))?;
        let mut cache = self.cache();
        cache.train.leave(&(unit.clone(), record.number));
        cache.attempts.discharge(unit, record.number);
        drop(cache);
        self.report(DriverEvent::Note {
            text: format!(
                "{text}; the work is kept (`gatewalk attempts show {unit} --uncharged {number}`) and the unit starts again, uncharged"
            ),
        });
        Ok(())
    }

    /// Returns the units that landed between two commits and changed one of these paths.
    fn landed_since(
        &self,
        base: &ObjectId,
        tip: &ObjectId,
        paths: &[String],
    ) -> Result<Vec<String>> {
        let (before, now) = (self.plan_at(base)?, self.plan_at(tip)?);
        let was_settled = |id: &str| {
            before
                .feature()
                .member(id)
                .is_some_and(|m| m.status().is_settled())
        };
        let cache = self.cache();
        let changed = |id: &str| {
            let last = cache.attempts.charged.get(id).and_then(|all| all.last());
            let judgement = last.and_then(|last| last.judgement.as_ref());
            judgement.is_some_and(|j| j.files_touched.iter().any(|path| paths.contains(path)))
        };
        let landed = now
            .feature()
            .members()
            .filter(|m| m.status().is_settled() && !was_settled(m.id()) && changed(m.id()));
        Ok(landed.map(|m| m.id().to_owned()).collect())
    }

    /// Returns what a unit's last session left that did not fit what landed, where nothing was tried since.
    pub(super) fn set_aside_before(
        &self,
        failed: &[&AttemptRecord],
        id: &str,
    ) -> Option<AttemptRecord> {
        let cache = self.cache();
        let aside = cache.attempts.collided.get(id)?;
        let newer = failed
            .last()
            .is_none_or(|f| f.started_at < aside.started_at);
        newer.then(|| aside.clone())
    }
}

#[cfg(test)]
mod tests;
