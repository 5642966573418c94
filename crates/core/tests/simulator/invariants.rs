//! What must hold after every effect, at every landing and when a run is over.

use super::agent;
use super::machine::{BRANCH, Files, World};
use super::scenario::{Scenario, branch, dir};
use gatewalk_core::engine::action::Stop;
use gatewalk_core::object_id::ObjectId;
use std::collections::BTreeMap;

/// Returns the status of each unit of a feature, as the files say.
pub(super) fn statuses(files: &Files, feature: usize) -> BTreeMap<String, String> {
    let dir = dir(feature);
    let units = files
        .iter()
        .filter(|(path, _)| path.starts_with(&dir) && path.contains("/WU-"));
    let field = |text: &str, key: &str| {
        let prefix = format!("{key}: ");
        text.lines()
            .find_map(|line| line.strip_prefix(&prefix))
            .unwrap_or_default()
            .to_owned()
    };
    units
        .map(|(_, bytes)| String::from_utf8_lossy(bytes).into_owned())
        .map(|text| (field(&text, "id"), field(&text, "status")))
        .collect()
}

/// After every effect.
pub(super) fn after_effect(world: &mut World, scenario: &Scenario) {
    let pinned = |id: &str| {
        let prefix = format!("refs/gatewalk/attempts/{id}/");
        let from = world.refs.range(prefix.clone()..);
        from.take_while(|(name, _)| name.starts_with(&prefix))
            .count() as u32
    };
    let mut wrong = None;
    for unit in &scenario.units {
        let (count, seen) = (
            pinned(&unit.id),
            world
                .charged
                .range((unit.id.clone(), 0)..=(unit.id.clone(), u32::MAX))
                .count(),
        );
        if count > unit.max_attempts {
            wrong = Some(format!(
                "{} has {count} attempts of {}",
                unit.id, unit.max_attempts
            ));
        } else if count as usize > seen {
            wrong = Some(format!(
                "{} is charged {count} attempts, but only {seen} sessions ended",
                unit.id
            ));
        }
    }
    if let Some(wrong) = wrong {
        world.blame(wrong);
    }
}

/// When the branch moved to a commit of the driver's.
pub(super) fn landed(world: &mut World, scenario: &Scenario, (on, commit): (&str, &ObjectId)) {
    let feature = (0..scenario.features).find(|f| branch(*f) == on);
    let Some(feature) = feature else {
        return world.blame(format!("{commit} landed on {on}"));
    };
    let dir = dir(feature);
    let parent = world.commits[commit]
        .parent
        .expect("the driver makes no root");
    let (Ok(before), Ok(after)) = (world.files(&parent), world.files(commit)) else {
        return world.blame("a commit without its files");
    };
    let (was, is) = (statuses(&before, feature), statuses(&after, feature));
    for (id, status) in &is {
        if status == "done" && was.get(id).is_some_and(|w| w != "done") {
            let name = id.rsplit('/').next().unwrap_or_default();
            let mut commands = vec!["sim all".to_owned()];
            let text = |f: &Files| {
                f.get(&format!("{dir}/WU-{name}.md"))
                    .map(|b| String::from_utf8_lossy(b).into_owned())
            };
            if text(&before).is_some_and(|t| t.contains("checks:")) {
                commands.push(format!("sim has {name}.txt"));
            }
            for command in commands {
                if !agent::oracle(&command, &after).is_success() {
                    world.blame(format!(
                        "{id} is done in {commit}, where `{command}` does not pass"
                    ));
                }
            }
        }
        if was.get(id).is_some_and(|w| w == "done") && status != "done" {
            world.blame(format!("{id} was done and is {status}"));
        }
    }
    for unit in scenario.units_of(feature) {
        if !is.contains_key(&unit.id) {
            world.blame(format!("{} lost its file in {commit}", unit.id));
        }
    }
    if after.contains_key("litter.log") {
        world.blame(format!("what the oracle littered is in {commit}"));
    }
    for other in (0..scenario.features).filter(|f| *f != feature) {
        if statuses(&before, other) != statuses(&after, other) {
            world.blame(format!("{commit} on {on} changes another feature"));
        }
    }
    if after.get(".gatewalk/verification.yml") != before.get(".gatewalk/verification.yml") {
        world.blame(format!("the oracle changed in {commit}"));
    }
    // You commit on the branch that is checked out.
    let user = if on == BRANCH {
        world.user.clone()
    } else {
        vec![]
    };
    for (path, content) in user {
        if after
            .get(&path)
            .is_none_or(|bytes| **bytes != *content.as_bytes())
        {
            world.blame(format!("the user's `{path}` is lost in {commit}"));
        }
    }
}

/// Before a session runs.
pub(super) fn may_run(world: &mut World, scenario: &Scenario, id: &str) {
    let Some(unit) = scenario.unit(id) else {
        return world.blame(format!("a session for {id}, which is no unit"));
    };
    let tip = world.tip_of(&branch(unit.feature));
    let Ok(files) = world.files(&tip) else { return };
    let statuses = statuses(&files, unit.feature);
    for on in &unit.after {
        if statuses.get(on).is_none_or(|s| s != "done") {
            world.blame(format!("{id} runs although {on} is not done"));
        }
    }
    if statuses.get(id).is_none_or(|s| s != "pending") {
        world.blame(format!("{id} runs although it is not pending"));
    }
}

/// When a run is over and nothing was interrupted.
pub(super) fn at_rest(world: &mut World) {
    let reachable = world.reachable();
    let lost: Vec<ObjectId> = world
        .left
        .iter()
        .filter(|tree| !reachable.contains(*tree))
        .cloned()
        .collect();
    if let Some(tree) = lost.first() {
        let files: Vec<String> = world.trees[tree].keys().cloned().collect();
        world.blame(format!(
            "what a session left is in no ref: {tree} with {files:?}"
        ));
    }
    if world.checkout != Some(world.tip()) {
        world.blame("the checkout did not follow the branch");
    }
    for (path, content) in world.user.clone() {
        let tip = world.tip();
        let kept = world
            .files(&tip)
            .is_ok_and(|f| f.get(&path).is_some_and(|b| **b == *content.as_bytes()));
        if !kept {
            world.blame(format!("the user's `{path}` is lost"));
        }
    }
}

/// When a run stopped by itself: its reason is so, and nothing that could run was left.
pub(super) fn stopped(world: &mut World, scenario: &Scenario, (feature, stop): (usize, &Stop)) {
    let Ok(files) = world.files(&world.tip_of(&branch(feature))) else {
        return world.blame("a tip without its files");
    };
    let dir = dir(feature);
    let statuses = statuses(&files, feature);
    let is = |id: &str, status: &str| statuses.get(id).is_some_and(|s| s == status);
    let gate_is = |gate: usize, status: &str| {
        let text = files.get(&format!("{dir}/GATE-0{}.md", gate + 1));
        text.is_some_and(|bytes| {
            String::from_utf8_lossy(bytes).contains(&format!("\nstatus: {status}\n"))
        })
    };
    let gate = (0..scenario.gates).find(|gate| !gate_is(*gate, "passed"));
    let here = || scenario.units_of(feature).filter(|u| Some(u.gate) == gate);
    let parked: Vec<&String> = here()
        .map(|u| &u.id)
        .filter(|id| is(id, "blocked_human"))
        .collect();
    let runnable: Vec<&String> = here()
        .filter(|u| is(&u.id, "pending") && u.after.iter().all(|on| is(on, "done")))
        .map(|u| &u.id)
        .collect();
    let mut red: Vec<&String> = vec![];
    let holds = match stop {
        Stop::FeatureDone => statuses.values().all(|status| status == "done"),
        Stop::AtGate { gate: number, .. } => gate.is_some_and(|gate| {
            gate + 1 == *number as usize
                && gate_is(gate, "awaiting_review")
                && here().all(|u| is(&u.id, "done"))
        }),
        Stop::NeedsHuman {
            blocked,
            human,
            red_base,
        } => {
            red = red_base.iter().map(|(id, _)| id).collect();
            let is_red = !agent::oracle("sim all", &files).is_success();
            human.is_empty()
                && blocked.iter().eq(parked.iter().copied())
                && (red.is_empty() || is_red)
                && !(red.is_empty() && blocked.is_empty())
        }
        // Nobody here gives a unit up, limits what it costs or puts the feature off.
        Stop::RedTip { .. }
        | Stop::Stuck(_)
        | Stop::Budget { .. }
        | Stop::NoAgent { .. }
        | Stop::Supervised { .. }
        | Stop::NotWalkable(_) => false,
    };
    if !holds {
        world.blame(format!(
            "it stopped without a reason: {stop:?}, {statuses:?}"
        ));
    }
    if runnable != red {
        world.blame(format!(
            "it stopped although {runnable:?} could run: {stop:?}"
        ));
    }
    for id in parked {
        let sessions = (id.clone(), 0)..=(id.clone(), u32::MAX);
        if world.sessions.range(sessions).next().is_none() {
            world.blame(format!("{id} was parked before any session tried it"));
        }
    }
}
