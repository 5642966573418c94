//! The world's clock, and what a run notes beside its repository.

use super::Sim;
use gatewalk_core::driver::ports::{Clock, InFlight, RunNotes, SlotId};
use gatewalk_core::error::Result;

impl Clock for Sim<'_> {
    fn now(&self) -> jiff::Timestamp {
        jiff::Timestamp::from_second(1_800_000_000 + self.world().clock).expect("in range")
    }

    fn sleep_until(&self, until: jiff::Timestamp) -> bool {
        self.effect(|w| {
            w.clock = w.clock.max(until.as_second() - 1_800_000_000 + 1);
            Ok(())
        })
        .is_ok()
    }

    fn stopping(&self) -> bool {
        let life = self.life.lock().unwrap();
        life.stop_at.is_some_and(|at| life.effects >= at)
    }
}

impl RunNotes for Sim<'_> {
    fn note_in_flight(&self, note: &InFlight) -> Result<()> {
        self.effect(|w| {
            w.in_flight.insert(note.slot, note.clone());
            Ok(())
        })
    }

    fn in_flight(&self) -> Result<Vec<InFlight>> {
        self.read(|w| Ok(w.in_flight.values().cloned().collect()))
    }

    fn clear_in_flight(&self, slot: SlotId) -> Result<()> {
        self.effect(|w| {
            w.in_flight.remove(&slot);
            Ok(())
        })
    }

    fn cached_result(&self, key: &str) -> Option<i32> {
        self.world().remembered.get(key).copied()
    }

    fn cache_result(&self, key: &str, exit: i32) {
        let key = key.to_owned();
        drop(self.effect(|w| {
            w.remembered.insert(key, exit);
            Ok(())
        }));
    }

    fn keep_log(&self, _: (&str, u32), _: &str, _: &str) {}

    fn attempt_id(&self) -> String {
        "ATTEMPT".to_owned()
    }
}
