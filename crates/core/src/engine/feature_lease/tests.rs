use super::*;
use crate::engine::test_snapshot::snapshot;
use std::collections::BTreeSet;

fn at(seconds: i64) -> Timestamp {
    Timestamp::from_second(seconds).unwrap()
}

fn lease(holder: &str, until: i64) -> FeatureLease {
    FeatureLease {
        feature: "FEAT-2026-0001".to_owned(),
        branch: "feat/a".to_owned(),
        holder: holder.to_owned(),
        name: format!("{holder}@desk"),
        since: at(0),
        until: at(until),
    }
}

#[test]
fn a_record_is_read_as_it_was_written() {
    let one = lease("a", 3600);
    assert_eq!(FeatureLease::parse(&one.message()), Some(one.clone()));
    assert!(
        one.message()
            .starts_with("Lease of FEAT-2026-0001, held by a@desk until 1970-01-01T01:00:00Z\n\n")
    );
    for broken in [
        "",
        "Lease",
        &one.message().replace("Until: ", "Until: x"),
        &one.message().replace("Holder", "H"),
    ] {
        assert_eq!(FeatureLease::parse(broken), None, "{broken}");
    }
    assert_eq!(one.clone().renewed(at(10)).until, at(3600));
    assert_eq!(one.renewed(at(7200)).until, at(7200));
}

#[test]
fn a_clone_stops_at_the_end_and_another_begins_only_well_after_it() {
    use LeaseStand::{Foreign, Free, Own};
    let one = lease("a", 1000);
    for (clone, now, want) in [
        ("a", 999, Own),
        ("a", 1000, Free),
        ("b", 0, Foreign),
        ("b", 1000, Foreign),
        ("b", 1299, Foreign),
        ("b", 1300, Free),
    ] {
        assert_eq!(stand(Some(&one), clone, at(now)), want, "{clone} at {now}");
    }
    assert_eq!(stand(None, "a", at(0)), Free);
    let endless = FeatureLease {
        until: Timestamp::MAX,
        ..one
    };
    assert_eq!(stand(Some(&endless), "b", at(5000)), Foreign);
}

#[test]
fn branches_are_compared_by_what_each_has() {
    for (ours, theirs, want) in [
        (true, true, "same"),
        (true, false, "ahead"),
        (false, true, "behind"),
        (false, false, "diverged"),
    ] {
        assert_eq!(BranchRelation::of(ours, theirs).word(), want);
    }
}

#[test]
fn a_clone_pushes_only_what_it_may_and_joins_only_with_the_lease() {
    use BranchRelation::{Ahead, Behind, Diverged, Same};
    use LeaseStand::{Foreign, Free, Own};
    let pull = |goes_on| SyncMove::Pull { goes_on };
    let join = |takes_lease| SyncMove::Join { takes_lease };
    let push = |branch| SyncMove::Push { branch };
    for (relation, lease, want) in [
        (Behind, Own, pull(true)),
        (Behind, Free, pull(true)),
        (Behind, Foreign, pull(false)),
        (Same, Foreign, SyncMove::Leave),
        (Ahead, Foreign, SyncMove::Leave),
        (Diverged, Foreign, SyncMove::Leave),
        (Diverged, Free, join(true)),
        (Diverged, Own, join(false)),
        (Ahead, Own, push(true)),
        (Ahead, Free, push(true)),
        (Same, Own, push(false)),
        (Same, Free, push(false)),
    ] {
        assert_eq!(next_move(relation, lease), want, "{relation:?}, {lease:?}");
    }
}

#[test]
fn units_that_landed_on_both_sides_are_named_and_others_are_not() {
    let feature = |units: &str| snapshot(&format!("active | G1 open: {units}")).feature;
    let base = feature("T01 done; T02 pending; T03 pending; T04 pending");
    let ours = feature("T01 done; T02 done; T03 done; T04 pending");
    let theirs = feature("T01 done; T02 done; T03 pending; T04 done");
    let twice = landed_twice(Some(&base), &ours, &theirs);
    assert_eq!(twice.len(), 1, "{twice:?}");
    assert!(twice[0].ends_with("/T02"), "{twice:?}");
    assert_eq!(landed_twice(None, &ours, &theirs).len(), 2);
    assert!(landed_twice(Some(&base), &ours, &base).is_empty());
}

#[test]
fn logs_are_joined_by_time_and_no_line_is_lost_or_doubled() {
    let line =
        |at: &str, what: &str| format!("{{\"timestamp\":\"2026-01-01T{at}Z\",\"x\":\"{what}\"}}\n");
    let base = line("00:00:00", "start");
    let ours = base.clone() + &line("01:00:00", "a") + &line("03:00:00", "c");
    let theirs = base.clone() + &line("02:00:00", "b") + &line("03:00:00", "c");
    let want =
        base.clone() + &line("01:00:00", "a") + &line("02:00:00", "b") + &line("03:00:00", "c");
    assert_eq!(join_logs(&base, &ours, &theirs).as_deref(), Some(&*want));
    assert_eq!(join_logs(&base, &base, &theirs).as_deref(), Some(&*theirs));
    assert_eq!(join_logs(&base, &ours, &base).as_deref(), Some(&*ours));
    assert_eq!(join_logs(&base, "rewritten\n", &theirs), None);
    assert_eq!(join_logs(&base, &ours, "cut"), None);
    assert_eq!(join_logs("", "a\n", "b\n").as_deref(), Some("a\nb\n"));
}

/// A clone in a simulated world: its clock is off, it may be cut off from the remote, and it lands units while it may.
struct SimulatedClone {
    name: String,
    /// Seconds its clock is ahead.
    skew: i64,
    /// What it knows of the lease.
    lease: Option<FeatureLease>,
    landed: Vec<u32>,
    /// The unit it is at, and when that is done.
    at_work: Option<(u32, i64)>,
    offline_until: i64,
}

/// The remote: a lease with the number of its last replacement, and the branch.
#[derive(Default)]
struct SimulatedRemote {
    lease: Option<FeatureLease>,
    version: u64,
    landed: Vec<u32>,
}

struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: u64) -> i64 {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        i64::try_from((self.0 >> 33) % bound).unwrap()
    }
}

impl SimulatedClone {
    /// Fetches, joins, takes or renews the lease and pushes, all by one swap. Another clone may swap in between.
    fn sync(&mut self, remote: &mut SimulatedRemote, (now, raced): (i64, bool)) {
        let clock = at(now + self.skew);
        let seen = remote.version;
        self.lease.clone_from(&remote.lease);
        if stand(self.lease.as_ref(), &self.name, clock) == LeaseStand::Foreign {
            return;
        }
        let missing: Vec<u32> = remote
            .landed
            .iter()
            .copied()
            .filter(|u| !self.landed.contains(u))
            .collect();
        self.landed.extend(missing);
        let term = at(now + self.skew + 1800);
        let own = self.lease.clone().filter(|l| l.holder == self.name);
        let next = own.unwrap_or(lease(&self.name, 0)).renewed(term);
        if raced || remote.version != seen {
            // The swap failed: nothing of it happened.
            return;
        }
        remote.version += 1;
        remote.lease = Some(next.clone());
        remote.landed.clone_from(&self.landed);
        self.lease = Some(next);
    }
}

#[test]
fn two_clones_side_by_side_for_a_hundred_hours_land_no_unit_twice_and_lose_none() {
    for seed in 1..=6 {
        let mut dice = Dice(seed);
        let mut remote = SimulatedRemote::default();
        let mut clones: Vec<SimulatedClone> = ["a", "b"]
            .iter()
            .map(|name| SimulatedClone {
                name: (*name).to_owned(),
                skew: dice.below(240) - 120,
                lease: None,
                landed: vec![],
                at_work: None,
                offline_until: 0,
            })
            .collect();
        let mut changes = 0;
        let mut last = String::new();
        for now in (0..360_000).step_by(20) {
            let mut walking = 0;
            for clone in &mut clones {
                let clock = at(now + clone.skew);
                let may = stand(clone.lease.as_ref(), &clone.name, clock) == LeaseStand::Own;
                if !may {
                    // The run ends with its lease; what was under way does not land.
                    clone.at_work = None;
                }
                let online = now >= clone.offline_until;
                if online && dice.below(2000) == 0 {
                    clone.offline_until = now + 600 + dice.below(20_000);
                }
                match clone.at_work {
                    // It lands where it can push at once: a landing and its push are one step of a run that syncs.
                    Some((unit, end)) if now >= end && online => {
                        assert!(
                            !remote.landed.contains(&unit),
                            "seed {seed}: {unit} a second time"
                        );
                        clone.landed.push(unit);
                        clone.at_work = None;
                        clone.sync(&mut remote, (now, false));
                    }
                    None if may && online && dice.below(10) == 0 => {
                        let unit = (0..).find(|unit| !clone.landed.contains(unit)).unwrap();
                        clone.at_work = Some((unit, now + 60 + dice.below(1500)));
                    }
                    _ => {}
                }
                walking += u32::from(clone.at_work.is_some());
                if online && dice.below(30) == 0 {
                    let raced = dice.below(10) == 0;
                    clone.sync(&mut remote, (now, raced));
                }
            }
            assert!(walking < 2, "seed {seed}: two clones walk at {now}");
            let holder = remote
                .lease
                .as_ref()
                .map(|l| l.holder.clone())
                .unwrap_or_default();
            if holder != last {
                (changes, last) = (changes + 1, holder);
            }
        }
        for clone in &mut clones {
            clone.sync(&mut remote, (10_000_000 + clone.skew, false));
            clone.lease = None;
            remote.lease = None;
        }
        let all: BTreeSet<u32> = remote.landed.iter().copied().collect();
        assert_eq!(all.len(), remote.landed.len(), "seed {seed}: a unit twice");
        for clone in &clones {
            assert!(
                clone.landed.iter().all(|u| all.contains(u)),
                "seed {seed}: something is lost"
            );
        }
        assert!(
            all.len() > 50,
            "seed {seed}: only {} units in a hundred hours",
            all.len()
        );
        assert!(changes > 1, "seed {seed}: the lease never moved");
    }
}
