//! Which of a run's slots are on which runner, and where the work of each is judged. Slots of runners come first, in the
//! order the user named them; the rest are this machine's.

/// The slots of one runner in a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunnerSlots {
    /// The runner, as the user's configuration names it.
    pub runner: String,
    /// How many sessions it takes at once.
    pub slots: usize,
    /// Whether the user trusts it to judge.
    pub judges: bool,
}

/// Where the sessions of one feature may run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum SessionPlaces {
    /// In any slot of the run.
    #[default]
    Anywhere,
    /// On these runners, for its plan names them.
    Runners(Vec<String>),
    /// On this machine: the plan of another feature named the runners.
    Here,
}

impl SessionPlaces {
    /// Returns whether a slot on this runner, or on this machine, is one of them.
    pub(crate) fn include(&self, runner: Option<&str>) -> bool {
        match (self, runner) {
            (SessionPlaces::Anywhere, _) | (SessionPlaces::Here, None) => true,
            (SessionPlaces::Runners(named), Some(runner)) => named.iter().any(|n| n == runner),
            (SessionPlaces::Runners(_), None) | (SessionPlaces::Here, Some(_)) => false,
        }
    }
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

/// Returns the runner that judges what a slot's sessions left, `resting` ones left out; none where home does. A session is
/// never judged on the runner that it ran on.
pub fn judge_of<'r>(
    runners: &'r [RunnerSlots],
    slot: usize,
    resting: &dyn Fn(&str) -> bool,
) -> Option<&'r str> {
    let own = runner_of(runners, slot);
    let may = |of: &&RunnerSlots| {
        of.judges && Some(of.runner.as_str()) != own && !resting(of.runner.as_str())
    };
    let judges: Vec<&RunnerSlots> = runners.iter().filter(may).collect();
    let chosen = judges.get(slot.checked_rem(judges.len())?)?;
    Some(chosen.runner.as_str())
}

/// Returns how many verifications run on runners without one making the other slower: as many as sessions would, and at
/// least one on each that judges.
pub fn judging_slots(runners: &[RunnerSlots]) -> usize {
    let judges = runners.iter().filter(|own| own.judges);
    judges.map(|own| own.slots.max(1)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judging(runner: &str, slots: usize, judges: bool) -> RunnerSlots {
        RunnerSlots {
            runner: runner.to_owned(),
            slots,
            judges,
        }
    }

    #[test]
    fn work_is_judged_where_the_user_trusts_the_machine_and_its_session_did_not_run() {
        let runners = [
            judging("a", 2, true),
            judging("b", 1, false),
            judging("c", 0, true),
            judging("d", 1, true),
        ];
        let rows = [
            (0, Some("c"), "two may, and the number of the slot decides"),
            (1, Some("d"), "the other one"),
            (2, Some("d"), "b does not judge"),
            (3, Some("c"), "d's own work goes to a or c"),
            (4, Some("c"), "what ran here is judged there, too"),
        ];
        for (slot, want, why) in rows {
            assert_eq!(judge_of(&runners, slot, &|_| false), want, "{slot}: {why}");
        }
        assert_eq!(judge_of(&runners[..1], 0, &|_| false), None, "home does");
        assert_eq!(judge_of(&runners[..1], 2, &|_| false), Some("a"));
        assert_eq!(judge_of(&runners[..1], 2, &|name| name == "a"), None);
        assert_eq!(judge_of(&runners, 0, &|name| name == "c"), Some("d"));
        assert_eq!(judge_of(&[], 0, &|_| false), None);
        assert_eq!(judging_slots(&runners), 2 + 1 + 1);
        assert_eq!(judging_slots(&runners[1..2]), 0);
    }

    #[test]
    fn a_feature_goes_where_its_plan_sends_it_and_no_other_goes_there() {
        let named = SessionPlaces::Runners(vec!["a".to_owned(), "b".to_owned()]);
        let rows = [
            (SessionPlaces::Anywhere, [true, true, true]),
            (named, [true, false, false]),
            (SessionPlaces::Here, [false, false, true]),
        ];
        for (places, want) in rows {
            let found = [Some("a"), Some("c"), None].map(|place| places.include(place));
            assert_eq!(found, want, "{places:?}");
        }
    }

    #[test]
    fn slots_of_runners_come_first_and_the_rest_are_local() {
        let of = |runner: &str, slots| judging(runner, slots, false);
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
