//! What an interrupted run left: sessions that were running, a checkout that was to follow.

use super::driver_event::DriverEvent;
use super::land;
use super::ports::InFlight;
use super::run_loop::Driver;
use crate::agents::SessionClass;
use crate::engine::attempt_record::{
    AttemptRecord, FORMAT, SessionEnd, SessionFigures, SessionNote,
};
use crate::error::Result;

impl Driver<'_> {
    /// Puts in order what an earlier run left. Doing it twice is doing it once.
    pub(super) fn recover(&self) -> Result<()> {
        self.cache().walking = true;
        self.read_attempts()?;
        for note in self.machine.in_flight()? {
            self.salvage(&note)?;
            self.machine.clear_in_flight(note.slot)?;
        }
        self.catch_up()?;
        self.judge_anew()
    }

    /// Takes up what earlier runs left to land as if nobody had judged it, on the branch as it is now: a judgement that is
    /// written down proves nothing, for an unconfined session can write it too.
    fn judge_anew(&self) -> Result<()> {
        let tip = self.tip()?;
        let plan = self.plan_at(&tip)?;
        let waiting: Vec<AttemptRecord> = {
            let cache = self.cache();
            let members = plan
                .feature()
                .members()
                .filter(|m| !m.status().is_settled());
            let last = members.filter_map(|m| {
                let last = cache.attempts.charged.get(m.id())?.last()?;
                last.belongs_to(m.unit?).then_some(last)
            });
            last.filter(|record| record.judgement.as_ref().is_none_or(|j| j.passed()))
                .cloned()
                .collect()
        };
        for record in waiting {
            land::judge_again(self, record);
        }
        Ok(())
    }

    /// Lets the checkout follow what it could not follow before.
    pub(super) fn catch_up(&self) -> Result<()> {
        let followed = self.machine.finish_checkout_update()?;
        if let Some(why) = followed.not_followed {
            self.report(DriverEvent::Note {
                text: format!("your checkout stays as it is: {why}"),
            });
        }
        Ok(())
    }

    /// Pins what an interrupted session left in its slot; it is charged to nobody.
    fn salvage(&self, note: &InFlight) -> Result<()> {
        let pinned = self.cache().attempts.get(&note.unit, note.number).is_some();
        if pinned {
            // The crash came between the pin and the note's removal.
            return Ok(());
        }
        let Ok(captured) = self.machine.capture(note.slot, &note.base) else {
            self.report(DriverEvent::Recovered {
                what: format!("the slot of {} is gone; it starts again", note.unit),
            });
            return Ok(());
        };
        let record = AttemptRecord {
            format: FORMAT,
            unit: note.unit.clone(),
            number: note.number,
            attempt_id: self.machine.attempt_id(),
            re_arm: 0,
            armed: None,
            base: note.base,
            tree: captured.tree,
            history_ok: captured.history_ok,
            agent: note.agent.clone(),
            model: None,
            effort: None,
            isolation: String::new(),
            runner: note.runner.clone(),
            queued_seconds: None,
            started_at: note.started_at.clone(),
            figures: SessionFigures::default(),
            session: SessionEnd {
                notes: captured.notes.into_iter().map(SessionNote::Odd).collect(),
                ..SessionEnd::without_report(SessionClass::Interrupted)
            },
            judgement: None,
            by_hand: false,
            collision: None,
        };
        let unit = &note.unit;
        let left = match self.pin_uncharged(&record, Some(&note.tree))? {
            Some(number) => format!(
                "what it left is kept (`gatewalk attempts show {unit} --uncharged {number}`)"
            ),
            None => "it had written nothing".to_owned(),
        };
        self.report(DriverEvent::Recovered {
            what: format!("{unit} was interrupted; {left}; it starts again and is charged nothing"),
        });
        Ok(())
    }
}

#[cfg(test)]
mod tests;
