//! The real driver loop in a simulated world: seeded, with sessions that misbehave in every way of
//! the table in `agent`, a user who commits meanwhile, and a driver that dies before or after
//! any effect. `GATEWALK_SEED=<n>` replays one seed; `GATEWALK_SEEDS=<n>` sets how many.
//!
//! It stands beside the core, which is all that it needs, so that it can be optimised without the program.

#![allow(clippy::unwrap_used, reason = "a helper of a test fails its test")]
#![allow(
    clippy::print_stdout,
    reason = "figures that CI shows, and what happens when a seed is replayed"
)]
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "the user chooses the seeds by variables, and a run says how long it took"
)]

mod agent;
mod hosts;
mod invariants;
mod machine;
mod scenario;
mod shared;

use gatewalk_core::driver::driver_event::{DriverEvent, Watcher};
use gatewalk_core::driver::feature_walk::{self, FeatureEnd, WalkLimits};
use gatewalk_core::driver::run_loop::{DrivenFeature, Driver};
use gatewalk_core::engine::action::Stop;
use gatewalk_core::engine::runner_slots::{SessionPlaces, far_slots};
use gatewalk_core::engine::snapshot::RunOptions;
use gatewalk_core::error::Result;
use gatewalk_core::model::layout::Layout;
use machine::{Death, Sim, World};
use scenario::{Dice, Scenario, branch, dir};
use std::cell::OnceCell;
use std::ops::Range;
use std::panic::AssertUnwindSafe;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// Prints what happens when one seed is replayed.
struct Trace;

impl Watcher for Trace {
    fn report(&self, event: &DriverEvent) {
        if number("GATEWALK_SEED").is_some() {
            println!("  {}", serde_json::to_string(event).unwrap_or_default());
        }
    }
}

/// How each feature of a run ended.
type Ends = Vec<FeatureEnd>;

fn drive(sim: &Sim<'_>) -> Result<Ends> {
    let runners = &sim.scenario.hosts.slots;
    let jobs = sim.scenario.jobs + far_slots(runners);
    let mut drivers: Vec<Driver<'_>> = Vec::new();
    for feature in 0..sim.scenario.features {
        let options = RunOptions {
            jobs,
            runners: runners.clone(),
            places: SessionPlaces::Anywhere,
            agent: None,
            force_full_close: false,
            // What is found out early about work side by side changes nothing of what comes of it. It looks at each two
            // of them, which is not for hundreds.
            optimistic: jobs > 1 && sim.scenario.units.len() < 40,
            budget_usd: None,
        };
        let feature = DrivenFeature {
            layout: Layout::Gatewalk,
            branch: &branch(feature),
            dir: &dir(feature),
        };
        let driver = Driver::new(sim, &Trace, &feature, options);
        drivers.push(match drivers.first() {
            Some(first) => driver.beside(first),
            None => driver,
        });
    }
    let drivers: Vec<&Driver<'_>> = drivers.iter().collect();
    let limits = WalkLimits { jobs, wip: 2 };
    feature_walk::walk(&drivers, limits, &|_, _| Ok(false))
}

/// Drives until the driver stops by itself: dead and interrupted ones are followed by another.
fn to_the_end(
    scenario: &Scenario,
    mut world: World,
    dice: &mut Dice,
    crashes: bool,
) -> (World, Result<Ends>) {
    for life in 0..200 {
        let span = 20 + 30 * scenario.units.len() as u64;
        let death = (crashes && life < 12 && !dice.one_in(4)).then(|| Death {
            effect: 1 + dice.below(span),
            after: dice.one_in(2),
        });
        let stop = (crashes && life < 12 && dice.one_in(10)).then(|| 1 + dice.below(span));
        let user = if scenario.user && life < 3 {
            vec![1 + dice.below(span), 1 + dice.below(span)]
        } else {
            vec![]
        };
        let sim = Sim::new(scenario, world)
            .dying(death)
            .with_user_at(user)
            .stopping_at(stop);
        let end = drive(&sim);
        let (dead, effects) = (sim.is_dead(), sim.effects());
        if number("GATEWALK_SEED").is_some() {
            println!("life {life}: {death:?}, stop at {stop:?}, {effects} effects: {end:?}");
        }
        world = sim.into_world();
        if world.wrong.is_some() {
            return (world, end);
        }
        if effects > 5_000.max(100 * scenario.units.len() as u64) {
            world.blame("a run of more effects than its units can want");
            return (world, end);
        }
        let unfinished = |end: &FeatureEnd| {
            matches!(
                end,
                FeatureEnd::Interrupted | FeatureEnd::Stopped(Stop::NoAgent { .. })
            )
        };
        let again = dead || end.as_ref().is_ok_and(|ends| ends.iter().any(unfinished));
        if !again {
            return (world, end);
        }
    }
    world.blame("it did not come to an end in 200 lives");
    (world, Ok(vec![FeatureEnd::Interrupted]))
}

/// Returns the history in words, without what hangs on the time.
fn history(world: &World, scenario: &Scenario) -> Vec<String> {
    let mut lines = Vec::new();
    let branches = (0..scenario.features).map(branch);
    let commits = branches.flat_map(|b| world.branch(&b).into_iter().rev());
    for commit in commits {
        let commit = &world.commits[&commit];
        lines.push(commit.message.clone());
        for (path, bytes) in world.trees[&commit.tree].iter() {
            let text = String::from_utf8_lossy(bytes);
            let text: Vec<String> = text.lines().map(without_time).collect();
            lines.push(format!("{path}\n{}", text.join("\n")));
        }
    }
    lines
}

fn without_time(line: &str) -> String {
    let Ok(mut event) = serde_json::from_str::<serde_json::Value>(line) else {
        return line.to_owned();
    };
    if let Some(event) = event.as_object_mut() {
        event.remove("timestamp");
        event.remove("prev");
        event.remove("hash");
    }
    event.to_string()
}

/// So many seeds in a row share a scenario, and the walk of it that nothing disturbs.
const SHARED: u64 = 4;

/// How a scenario ends and what it leaves when nothing dies.
struct Calm {
    end: Result<Ends>,
    history: Vec<String>,
}

impl Calm {
    fn of(scenario: &Scenario) -> Calm {
        let mut dice = Dice::new(0);
        let (world, end) = to_the_end(scenario, scenario.world(), &mut dice, false);
        let history = history(&world, scenario);
        Calm { end, history }
    }
}

/// Runs one seed; returns what is wrong.
fn check(seed: u64, scenario: &Scenario, calm: &OnceCell<Calm>) -> Option<String> {
    let mut dice = Dice::new(seed);
    let (mut crashed, end) = to_the_end(scenario, scenario.world(), &mut dice, true);
    if crashed.wrong.is_none() {
        invariants::at_rest(&mut crashed);
        for (feature, end) in end.iter().flatten().enumerate() {
            if let FeatureEnd::Stopped(stop) = end {
                invariants::stopped(&mut crashed, scenario, (feature, stop));
            }
        }
    }
    if let Some(wrong) = crashed.wrong {
        return Some(wrong);
    }
    let end = match end {
        Ok(end) => end,
        Err(error) => return Some(format!("it failed: {error}")),
    };
    let (refs, effects) = (crashed.refs.clone(), crashed.effects);
    let sim = Sim::new(scenario, crashed);
    let again = drive(&sim);
    let crashed = sim.into_world();
    if again.as_ref().ok() != Some(&end) || crashed.refs != refs {
        return Some(format!(
            "a second run did something: {end:?}, then {again:?}"
        ));
    }
    // A base that is red is tried again, for the user to see what it says.
    let tries = |end: &FeatureEnd| {
        matches!(
            end,
            FeatureEnd::Stopped(Stop::NeedsHuman { red_base, .. }) if !red_base.is_empty()
        )
    };
    let most = effects + 3 * scenario.features as u64;
    if crashed.effects > most && !end.iter().any(tries) {
        return Some(format!(
            "a second run had {} effects",
            crashed.effects - effects
        ));
    }
    if !scenario.exact {
        return None;
    }
    let calm = calm.get_or_init(|| Calm::of(scenario));
    if calm.end.as_ref().ok() != Some(&end) {
        return Some(format!(
            "crashes changed the end: {:?} became {end:?}",
            calm.end
        ));
    }
    let (want, got) = (&calm.history, history(&crashed, scenario));
    let differs = want.iter().zip(&got).find(|(a, b)| a != b);
    (*want != got).then(|| format!("crashes changed the history: {differs:?}"))
}

/// Runs seeds of one scenario; returns what is wrong with which. A panic is as wrong as anything else.
fn judge(seeds: Range<u64>) -> Vec<(u64, String)> {
    let scenario = Scenario::new(seeds.start / SHARED);
    let calm = OnceCell::new();
    let judge = |seed| {
        let check = AssertUnwindSafe(|| check(seed, &scenario, &calm));
        let wrong = std::panic::catch_unwind(check).unwrap_or_else(|panic| {
            let text = panic.downcast_ref::<String>().cloned();
            let text = text.or_else(|| panic.downcast_ref::<&str>().map(|s| (*s).to_owned()));
            Some(format!("it panicked: {}", text.unwrap_or_default()))
        });
        Some((seed, wrong?))
    };
    seeds.filter_map(judge).collect()
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

#[test]
fn no_seed_breaks_an_invariant() {
    if let Some(seed) = number("GATEWALK_SEED") {
        if let Some((seed, wrong)) = judge(seed..seed + 1).pop() {
            panic!("seed {seed}: {wrong}");
        }
        return;
    }
    let seeds = number("GATEWALK_SEEDS").unwrap_or(100);
    let (next, failures) = (AtomicU64::new(0), Mutex::new(Vec::new()));
    let started = std::time::Instant::now();
    let workers = std::thread::available_parallelism().map_or(2, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(SHARED, Ordering::SeqCst);
                    if seed >= seeds || failures.lock().unwrap().len() > 4 {
                        return;
                    }
                    let wrong = judge(seed..seeds.min(seed + SHARED));
                    failures.lock().unwrap().extend(wrong);
                }
            });
        }
    });
    let failures = failures.into_inner().unwrap();
    println!(
        "simulator: {seeds} seeds in {:.1} s, {} failed",
        started.elapsed().as_secs_f64(),
        failures.len()
    );
    let told: Vec<String> = failures
        .iter()
        .map(|(seed, wrong)| format!("seed {seed}: {wrong}\n  replay: GATEWALK_SEED={seed} cargo test --test suite simulator"))
        .collect();
    assert!(told.is_empty(), "{}", told.join("\n\n"));
}

#[test]
fn the_table_has_enough_ways_to_misbehave_each_with_a_name_of_its_own() {
    let names: std::collections::BTreeSet<&str> = agent::CHARGED
        .iter()
        .chain(agent::UNCHARGED)
        .map(|b| b.name)
        .collect();
    assert_eq!(names.len(), agent::CHARGED.len() + agent::UNCHARGED.len());
    assert!(names.len() > 40, "{}", names.len());
}

/// With `GATEWALK_SEEDS`, four hundred units on a thousand slots.
#[test]
fn hosts_that_vanish_stall_and_return_late_land_every_unit_once() {
    let units = number("GATEWALK_SEEDS").map_or(40, |seeds| seeds.clamp(40, 400)) as usize;
    let slots = match units {
        400 => 100,
        _ => 4,
    };
    let scenario = Scenario::wide(units, slots);
    let started = std::time::Instant::now();
    let (mut world, end) = to_the_end(&scenario, scenario.world(), &mut Dice::new(1), false);
    invariants::at_rest(&mut world);
    assert_eq!(world.wrong, None);
    let end = end.unwrap();
    assert_eq!(end, [FeatureEnd::Stopped(Stop::FeatureDone)]);
    let sessions: u32 = world.sessions.values().sum();
    let lost = world.lost_sessions;
    assert_eq!(
        world.charged.len(),
        units,
        "each is charged for one attempt"
    );
    assert!(lost as usize > units / 4, "{lost} of {sessions} were lost");
    println!(
        "simulator: {units} units on 10 hosts of {slots} slots, {sessions} sessions, {lost} lost: {:.1} s",
        started.elapsed().as_secs_f64()
    );
}
