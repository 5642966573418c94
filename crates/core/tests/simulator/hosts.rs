//! The machines that sessions run on beside the user's own: each may lose, delay, repeat or make up what a session did.

use super::machine::Files;
use super::scenario::Dice;
use gatewalk_core::driver::ports::SlotId;
use gatewalk_core::engine::runner_slots::{RunnerSlots, runner_of};

/// What a host sends of a session's work.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Brought {
    Nothing,
    Half,
    Work,
    /// The files of some session before.
    Older,
}

/// What becomes of a session on a host.
pub(super) struct HostFate {
    pub(super) brings: Brought,
    /// How long it takes.
    pub(super) seconds: i64,
    /// Whether home never hears how it ended.
    pub(super) lost: bool,
}

const fn fate(brings: Brought, seconds: i64, lost: bool) -> HostFate {
    HostFate {
        brings,
        seconds,
        lost,
    }
}

/// It works, late or not; it vanishes before the session, within it, and once its work is home; it stalls for a lease.
const FAITHFUL: [HostFate; 7] = [
    fate(Brought::Work, 60, false),
    fate(Brought::Work, 7200, false),
    fate(Brought::Nothing, 0, true),
    fate(Brought::Half, 40, true),
    fate(Brought::Work, 60, true),
    fate(Brought::Nothing, 30, true),
    fate(Brought::Work, 7200, true),
];
/// It says that the session worked and sends nothing, or what it sent before.
const LYING: [HostFate; 2] = [
    fate(Brought::Nothing, 1, false),
    fate(Brought::Older, 1, false),
];
/// Sessions of an attempt that may be lost: a run gives a unit up after five.
const LOSSES: u32 = 4;

/// The hosts of a scenario.
#[derive(Default)]
pub(super) struct Hosts {
    pub(super) slots: Vec<RunnerSlots>,
    /// Whether some make up what they send.
    pub(super) lie: bool,
    pub(super) salt: u64,
}

impl Hosts {
    pub(super) fn new(hosts: usize, slots: usize) -> Hosts {
        let host = |number| RunnerSlots {
            runner: format!("host-{number}"),
            slots,
            judges: false,
        };
        Hosts {
            slots: (0..hosts).map(host).collect(),
            ..Hosts::default()
        }
    }

    /// Returns the host of a slot and what becomes of a session there, of which so many ran before; none for the user's own
    /// machine.
    pub(super) fn fate(
        &self,
        slot: SlotId,
        (unit, number, before): (&str, u32, u32),
    ) -> Option<(&str, &'static HostFate)> {
        let SlotId::Session(at) = slot else {
            return None;
        };
        let host = runner_of(&self.slots, at)?;
        let words = unit
            .bytes()
            .map(u64::from)
            .chain([u64::from(number), u64::from(before)]);
        let mut dice = Dice::new(words.fold(self.salt, |all, word| all.wrapping_mul(31) + word));
        let of = |fates: &'static [HostFate], dice: &mut Dice| {
            &fates[dice.below(fates.len() as u64) as usize]
        };
        let fate = match self.lie && dice.one_in(6) {
            true => of(&LYING, &mut dice),
            false if before >= LOSSES => &FAITHFUL[0],
            false => of(&FAITHFUL, &mut dice),
        };
        Some((host, fate))
    }
}

/// Returns what half of a session leaves.
pub(super) fn half(files: &mut Files) {
    files.insert("half.txt".to_owned(), b"hal".as_slice().into());
}

/// Puts the files of a session before in place of these; what the user committed meanwhile is not a session's.
pub(super) fn older(files: &mut Files, older: &Files) {
    let of_user = |path: &str| path.starts_with("user-");
    files.retain(|path, _| of_user(path));
    let before = older.iter().filter(|(path, _)| !of_user(path));
    files.extend(before.map(|(path, bytes)| (path.clone(), bytes.clone())));
}
