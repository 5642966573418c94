//! Which of a run's slots are on which runner. Slots of runners come first, in the order the user named them; the rest
//! are this machine's.

/// The slots of one runner in a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunnerSlots {
    /// The runner, as the user's configuration names it.
    pub runner: String,
    /// How many sessions it takes at once.
    pub slots: usize,
}

/// Returns the runner that a session's slot is on; none for this machine's.
pub fn runner_of(runners: &[RunnerSlots], slot: usize) -> Option<&str> {
    let mut end = 0;
    runners
        .iter()
        .find(|own| {
            end += own.slots;
            slot < end
        })
        .map(|own| own.runner.as_str())
}

/// Returns the slots of all runners.
pub fn far_slots(runners: &[RunnerSlots]) -> usize {
    runners.iter().map(|own| own.slots).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_of_runners_come_first_and_the_rest_are_local() {
        let of = |runner: &str, slots| RunnerSlots {
            runner: runner.to_owned(),
            slots,
        };
        let runners = [of("big", 2), of("none", 0), of("hpc", 1)];
        let rows = [
            (0, Some("big")),
            (1, Some("big")),
            (2, Some("hpc")),
            (3, None),
            (9, None),
        ];
        for (slot, runner) in rows {
            assert_eq!(runner_of(&runners, slot), runner, "slot {slot}");
        }
        assert_eq!(far_slots(&runners), 3);
        assert_eq!((runner_of(&[], 0), far_slots(&[])), (None, 0));
    }
}
