//! Keeping what runs in a slot from the directories of other features, so that nobody need look there again.

use super::Os;
use crate::git::{GitPath, Seal, Slot};
use crate::isolation::{Access, Bounds, Layer};
use gatewalk_core::driver::ports::SlotId;
use gatewalk_core::parallel::locked;
use std::sync::atomic::Ordering;

impl Os<'_> {
    /// Makes other features' directories read-only to what is about to run in a slot for a feature, where mounts confine it
    /// and many files are in them. Whatever else runs there may change anything.
    pub(super) fn seal_features(&self, slot: SlotId, own: Option<&str>, bounds: &mut Bounds) {
        let Ok(slot) = self.slot(slot) else {
            return;
        };
        match own.and_then(|own| self.seal(&slot, own)) {
            Some(seal) => {
                bounds.add(&seal.features, Access::Read);
                bounds.add(&seal.own, Access::Write);
            }
            None => slot.unseal(),
        }
    }

    fn seal(&self, slot: &Slot, own: &str) -> Option<Seal> {
        if !matches!(self.layer(), Layer::Bubblewrap(_)) {
            return None;
        }
        let seal = slot.seal(&GitPath::from(own))?;
        let is_inside = |path: &std::path::PathBuf| {
            let real = path.canonicalize();
            real.is_ok_and(|real| real.starts_with(slot.dir()))
        };
        // What nothing confines, or the user opens, is not kept from anything.
        let open = self.host.writable.iter().any(is_inside);
        (!open && !self.exposed.load(Ordering::SeqCst)).then_some(seal)
    }

    /// Takes note that something runs, or ran, that reaches every slot.
    pub(super) fn unseal_slots(&self) {
        locked(&self.opened).values().for_each(Slot::unseal);
    }
}
