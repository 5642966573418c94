//! Two clones of one repository for a hundred simulated hours: each walks by the real driver and shares what landed by the rules
//! of the lease. A driver may die anywhere, a clone may be cut off from the remote, its clock may be off, and the other one may
//! be faster.

mod branches;

use super::drive;
use super::invariants::statuses;
use super::machine::{BRANCH, Death, Sim, World};
use super::scenario::{Dice, Scenario};
use branches::{chain, chain_base, files, merge, relation, twice};
use gatewalk_core::driver::feature_walk::FeatureEnd;
use gatewalk_core::engine::feature_lease::{
    FeatureLease, LeaseStand, SKEW, SyncMove, next_move, stand,
};
use gatewalk_core::object_id::ObjectId;
use jiff::{SignedDuration, Timestamp};
use std::collections::{BTreeMap, BTreeSet};

const HOURS: i64 = 100;
const TERM: SignedDuration = SignedDuration::from_mins(60);

fn head() -> String {
    format!("refs/heads/{BRANCH}")
}

/// What both can reach. Its objects are those of the world that pushed last.
#[derive(Clone)]
struct Remote {
    objects: World,
    tip: ObjectId,
    lease: Option<FeatureLease>,
}

struct CloneHere {
    name: &'static str,
    world: World,
    /// How far its clock is ahead.
    skew: SignedDuration,
    /// The lease as it was last seen.
    seen: Option<FeatureLease>,
    /// Until when its run lasts, by the true time.
    runs_until: Option<Timestamp>,
    /// Until when the remote is out of reach.
    cut_off: Timestamp,
    /// Everything its branch ever was.
    tips: BTreeSet<ObjectId>,
    /// The run came to an end of its own.
    over: bool,
}

/// What happened in all.
#[derive(Debug, Default)]
struct Tally {
    features: usize,
    runs: usize,
    pulls: usize,
    joins: usize,
    settled: usize,
    handed_on: usize,
}

impl CloneHere {
    fn clock(&self, now: Timestamp) -> Timestamp {
        now + self.skew
    }

    fn tip(&self) -> ObjectId {
        self.world.tip()
    }

    fn set_tip(&mut self, tip: ObjectId) {
        self.tips.insert(tip);
        self.world.refs.insert(head(), tip);
        self.world.checkout = Some(tip);
    }

    /// The user commits a file of their own on the branch.
    fn write_by_hand(&mut self) {
        let mut files = (*files(&self.world, self.tip())).clone();
        let path = format!("{}-{}.txt", self.name, self.tips.len());
        files.insert(path, b"mine\n".as_slice().into());
        let tree = self.world.put_tree(files);
        let tip = self.world.put_commit(&tree, Some(&self.tip()), "By hand\n");
        self.set_tip(tip);
    }

    fn take_objects(&mut self, other: &World) {
        let (trees, commits) = (other.trees.clone(), other.commits.clone());
        self.world.trees.extend(trees);
        self.world.commits.extend(commits);
    }

    /// Keeps a side that the branch left under a ref of its own, as a user would.
    fn keep(&mut self, tip: ObjectId) {
        let name = format!("refs/kept/{}", self.world.refs.len());
        self.world.refs.insert(name, tip);
    }

    /// Fetches, joins, takes or renews the lease and pushes, as the program does. `race` may move the remote before a push.
    fn sync(
        &mut self,
        remote: &mut Remote,
        (now, release): (Timestamp, bool),
        (race, tally): (&mut dyn FnMut(&mut Remote), &mut Tally),
    ) {
        if now < self.cut_off {
            return;
        }
        for _ in 0..6 {
            let found = remote.clone();
            self.take_objects(&found.objects);
            self.seen.clone_from(&found.lease);
            let clock = self.clock(now);
            let mine = stand(found.lease.as_ref(), self.name, clock);
            match next_move(relation(&self.world, self.tip(), found.tip), mine) {
                SyncMove::Pull { goes_on } => {
                    tally.pulls += 1;
                    self.set_tip(found.tip);
                    if !goes_on {
                        return;
                    }
                }
                SyncMove::Leave => return,
                SyncMove::Join { takes_lease: true } => {
                    race(remote);
                    let lease = self.lease(&found, clock + TERM, clock);
                    push(remote, &found, (None, lease), &self.world);
                }
                SyncMove::Join { takes_lease: false } => self.join(&found, tally),
                SyncMove::Push { branch } => {
                    race(remote);
                    let until = if release { clock - SKEW } else { clock + TERM };
                    let lease = self.lease(&found, until, clock);
                    let tip = branch.then(|| self.tip());
                    if push(remote, &found, (tip, lease), &self.world) {
                        self.seen.clone_from(&remote.lease);
                        return;
                    }
                }
            }
        }
    }

    fn lease(&self, found: &Remote, until: Timestamp, since: Timestamp) -> FeatureLease {
        let own = found.lease.clone().filter(|l| l.holder == self.name);
        let since = own.filter(|l| since < l.until).map_or(since, |l| l.since);
        FeatureLease {
            feature: "FEAT-2026-0001".to_owned(),
            branch: BRANCH.to_owned(),
            holder: self.name.to_owned(),
            name: self.name.to_owned(),
            since,
            until,
        }
    }

    /// Joins both sides; what landed on both is settled by hand, for the remote's.
    fn join(&mut self, found: &Remote, tally: &mut Tally) {
        let (ours, theirs) = (self.tip(), found.tip);
        self.keep(ours);
        let chain: BTreeSet<ObjectId> = chain(&self.world, ours).into_iter().collect();
        let base = chain_base(&self.world, theirs, &chain);
        let [before, left, right] = [base, ours, theirs].map(|tip| files(&self.world, tip));
        let merged = match twice(&before, &left, &right).is_empty() {
            true => merge(&before, &left, &right),
            false => None,
        };
        let Some(merged) = merged else {
            tally.settled += 1;
            return self.set_tip(theirs);
        };
        tally.joins += 1;
        let tree = self.world.put_tree(merged);
        let joined = self.world.put_commit(&tree, Some(&theirs), "Join\n");
        self.set_tip(joined);
    }

    /// Walks where it may by what it last saw: until its lease ends, or it dies.
    fn walk(&mut self, scenario: &Scenario, now: Timestamp, dice: &mut Dice) {
        let clock = self.clock(now);
        let Some(lease) = self.seen.clone() else {
            return;
        };
        if stand(Some(&lease), self.name, clock) != LeaseStand::Own {
            return;
        }
        let minutes = 5 + dice.below(50);
        let longest = SignedDuration::from_mins(i64::try_from(minutes).expect("few"));
        self.runs_until = Some(now + longest.min(lease.until.duration_since(clock)));
        let span = 10 + 20 * scenario.units.len() as u64;
        let death = dice.one_in(4).then(|| Death {
            effect: 1 + dice.below(span),
            after: dice.one_in(2),
        });
        let ends = dice.one_in(2).then(|| 1 + dice.below(span));
        let mut world = std::mem::take(&mut self.world);
        world.set_clock(now);
        let before = world.tip();
        let sim = Sim::new(scenario, world).dying(death).stopping_at(ends);
        let end = drive(&sim);
        let dead = sim.is_dead();
        self.world = sim.into_world();
        let since = chain(&self.world, self.tip());
        self.tips
            .extend(since.into_iter().take_while(|t| *t != before));
        self.tips.insert(self.tip());
        // A driver that died leaves the checkout to the next one.
        self.over =
            !dead && end.is_ok_and(|ends| ends.iter().all(|e| matches!(e, FeatureEnd::Stopped(_))));
    }
}

/// Swaps the remote's refs, all or none.
fn push(
    remote: &mut Remote,
    found: &Remote,
    (tip, lease): (Option<ObjectId>, FeatureLease),
    objects: &World,
) -> bool {
    let expected = remote.lease == found.lease && remote.tip == found.tip;
    if expected {
        remote.lease = Some(lease);
        if let Some(tip) = tip {
            let onward = chain(objects, tip).contains(&remote.tip);
            assert!(onward, "a push that takes commits off the remote");
            remote.objects = objects.clone();
            remote.tip = tip;
        }
    }
    expected
}

/// Asserts that no unit became done twice on the remote, and that nothing any clone had is lost.
fn settle(remote: &Remote, clones: &[CloneHere; 2], seed: u64) {
    let mut landed: BTreeMap<String, u32> = BTreeMap::new();
    let history = chain(&remote.objects, remote.tip);
    for pair in history.windows(2) {
        let [after, before] = [pair[0], pair[1]].map(|c| statuses(&files(&remote.objects, c), 0));
        for (id, status) in after {
            if status == "done" && before.get(&id).is_none_or(|was| was != "done") {
                *landed.entry(id).or_default() += 1;
            }
        }
    }
    let twice: Vec<&String> = landed
        .iter()
        .filter(|(_, n)| **n > 1)
        .map(|(id, _)| id)
        .collect();
    assert!(twice.is_empty(), "seed {seed}: {twice:?} landed twice");
    for clone in clones {
        let mut reachable: BTreeSet<ObjectId> = history.iter().copied().collect();
        for tip in clone.world.refs.values() {
            reachable.extend(chain(&clone.world, *tip));
        }
        let lost = clone.tips.iter().find(|tip| !reachable.contains(tip));
        assert_eq!(lost, None, "seed {seed}: {} lost a landing", clone.name);
        assert_eq!(clone.world.wrong, None, "seed {seed}, {}", clone.name);
    }
}

/// Walks one feature to its end by both; returns when that was.
fn share(seed: u64, start: Timestamp, tally: &mut Tally) -> Timestamp {
    let mut dice = Dice::new(seed);
    let scenario = (seed * 1000..)
        .map(Scenario::new)
        .find(|s| s.features == 1 && !s.user)
        .expect("one of many");
    let world = scenario.world();
    let mut remote = Remote {
        tip: world.tip(),
        objects: world.clone(),
        lease: None,
    };
    let mut clones = ["one", "other"].map(|name| CloneHere {
        name,
        world: world.clone(),
        skew: SignedDuration::from_secs(i64::try_from(dice.below(280)).expect("few") - 140),
        seen: None,
        runs_until: None,
        cut_off: start,
        tips: BTreeSet::new(),
        over: false,
    });
    let (mut now, mut last) = (start, "");
    for _ in 0..20_000 {
        now += SignedDuration::from_mins(1);
        let running = clones
            .iter()
            .filter(|c| c.runs_until.is_some_and(|until| now < until));
        assert!(running.count() < 2, "seed {seed}: both walk at {now}");
        let first = usize::from(dice.one_in(2));
        for at in [first, 1 - first] {
            turn(
                &mut clones,
                at,
                (&mut remote, now),
                (&scenario, &mut dice, &mut *tally),
            );
        }
        let holder = remote
            .lease
            .as_ref()
            .map_or("", |l| match l.holder == "one" {
                true => "one",
                false => "other",
            });
        tally.handed_on += usize::from(holder != last && !last.is_empty());
        last = holder;
        let done = clones
            .iter()
            .any(|c| c.over && c.runs_until.is_none() && c.tip() == remote.tip);
        if done {
            tally.features += 1;
            settle(&remote, &clones, seed);
            return now;
        }
    }
    panic!("seed {seed}: no end, {tally:?}")
}

/// One clone's minute: a run of its goes on or ends, or it tries to begin one.
fn turn(
    clones: &mut [CloneHere; 2],
    at: usize,
    (remote, now): (&mut Remote, Timestamp),
    (scenario, dice, tally): (&Scenario, &mut Dice, &mut Tally),
) {
    let [one, two] = clones;
    let (clone, other) = if at == 0 { (one, two) } else { (two, one) };
    if now >= clone.cut_off && dice.one_in(90) {
        let minutes = i64::try_from(10 + dice.below(150)).expect("few");
        clone.cut_off = now + SignedDuration::from_mins(minutes);
    }
    let (races, other_now) = (dice.one_in(10), other.clock(now));
    // The other one takes the lease in between, where it may.
    let mut race = |remote: &mut Remote| {
        let free = stand(remote.lease.as_ref(), other.name, other_now) == LeaseStand::Free;
        if races && free {
            let found = remote.clone();
            let lease = other.lease(&found, other_now + TERM, other_now);
            push(remote, &found, (None, lease), &found.objects);
        }
    };
    match clone.runs_until {
        Some(until) if now < until => {}
        Some(_) => {
            clone.runs_until = None;
            // It may end without another word: killed, or the machine is off.
            if !dice.one_in(3) {
                clone.sync(remote, (now, dice.one_in(2)), (&mut race, &mut *tally));
            }
        }
        None if dice.one_in(8) => {
            if dice.one_in(4) {
                clone.write_by_hand();
            }
            clone.sync(remote, (now, false), (&mut race, &mut *tally));
            clone.over = false;
            clone.walk(scenario, now, dice);
            tally.runs += usize::from(clone.runs_until.is_some());
        }
        None => {}
    }
}

#[test]
fn two_clones_walk_for_a_hundred_hours_and_no_unit_lands_twice_or_is_lost() {
    let start = Timestamp::from_second(1_800_000_000).expect("in range");
    let end = start + SignedDuration::from_hours(HOURS);
    let (mut now, mut tally) = (start, Tally::default());
    for seed in 1.. {
        now = share(seed, now, &mut tally);
        if now >= end {
            break;
        }
    }
    println!("two clones, {HOURS} simulated hours: {tally:?}");
    let counts = [tally.pulls, tally.joins, tally.settled, tally.handed_on];
    assert!(counts.iter().all(|count| *count > 0), "{tally:?}");
    assert!(tally.features > 10, "{tally:?}");
}
