//! Whole runs in memory, each in a line: what is planned, what sessions do, what comes of it.

use super::committed_plan::attempt_ref;
use super::driver_event::DriverEvent;
use super::feature_walk::RunEnd;
use super::run_loop::{DrivenFeature, Driver};
use super::test_machine::{BRANCH, MemoryMachine};
use crate::engine::attempt_record::{AttemptRecord, Judgement};
use crate::engine::snapshot::RunOptions;
use crate::engine::test_snapshot::{DIR, FEATURE, files, id, snapshot_with};
use crate::error::Result;
use crate::model::layout::Layout;
use crate::object_id::ObjectId;

/// The usual oracle: red where a file `broken` is.
pub(crate) const ORACLE: &str = "code:\n  - {name: work, command: lacks broken}\n";

/// Returns a repository as `situation` says it, in the words of `test_snapshot`, with its attempts pinned: each started
/// from the tip and left a file of its tree's name. Sessions are separated by `;`, and `%` is the feature's directory.
pub(crate) fn machine(situation: &str, oracle: &str, sessions: &str) -> MemoryMachine {
    let sessions = sessions.replace('%', DIR);
    let each: Vec<&str> = sessions.split(';').collect();
    let machine = MemoryMachine::new(files(situation, oracle), &each);
    let snapshot = snapshot_with(situation, oracle);
    let mut world = machine.world();
    let tip = *world.tip();
    for record in snapshot.attempts.values().flat_map(|all| all.iter()) {
        let mut record = record.clone();
        let mut files = world.files(&tip).unwrap().clone();
        files.insert(name_of(&record.tree), (*b"").into());
        record.tree = world.put_tree(files);
        record.base = tip;
        if let Some(judgement) = &mut record.judgement {
            judgement.tree = record.tree;
            judgement.base = tip;
        }
        let name = attempt_ref(&record.unit, record.number);
        let message = record.to_message();
        world.refs.insert(name.clone(), tip);
        world.commit(&name, &record.tree, &message);
    }
    drop(world);
    machine
}

/// Returns the short name that an object id of `test_snapshot` stands for.
fn name_of(oid: &ObjectId) -> String {
    let bytes = oid.as_raw().iter().copied();
    String::from_utf8(bytes.take_while(|byte| *byte != 0).collect()).unwrap()
}

/// Returns a driver of a machine.
pub(crate) fn driver(machine: &MemoryMachine, jobs: usize) -> Driver<'_> {
    let options = RunOptions {
        jobs,
        ..RunOptions::default()
    };
    let feature = DrivenFeature {
        layout: Layout::Gatewalk,
        branch: BRANCH,
        dir: DIR,
    };
    Driver::new(machine, machine, &feature, options)
}

/// Runs until there is a reason to stop.
pub(crate) fn run(machine: &MemoryMachine) -> Result<RunEnd> {
    driver(machine, 1).run()
}

/// Returns what became of the units, in order.
pub(crate) fn story(machine: &MemoryMachine) -> String {
    let lines = machine
        .world()
        .events
        .iter()
        .filter_map(line)
        .collect::<Vec<_>>();
    lines.join(", ").replace(&format!("{FEATURE}/"), "")
}

/// Returns what was found out about a unit's first attempt.
pub(crate) fn judgement(machine: &MemoryMachine, short: &str) -> Judgement {
    let world = machine.world();
    let commit = &world.refs[&attempt_ref(&id(short), 1)];
    let record = AttemptRecord::from_message(&world.commits[commit].message).unwrap();
    record.judgement.unwrap()
}

/// Returns what the commands of a unit's first attempt came to, in order.
pub(crate) fn commands(machine: &MemoryMachine, short: &str) -> String {
    let commands = judgement(machine, short).commands.into_iter();
    let commands = commands.map(|command| format!("{} {}", command.name, command.verdict));
    commands.collect::<Vec<_>>().join(", ")
}

fn line(event: &DriverEvent) -> Option<String> {
    Some(match event {
        DriverEvent::Failed {
            unit,
            attempt,
            class,
            ..
        } => format!("failed {unit}#{attempt} {class}"),
        DriverEvent::Landed { unit, .. } => format!("landed {unit}"),
        DriverEvent::Parked { unit, .. } => format!("parked {unit}"),
        DriverEvent::AutoClosed { unit } => format!("auto-closed {unit}"),
        DriverEvent::Gate { gate, status, .. } => format!("gate {gate} {status}"),
        DriverEvent::Recovered { what } => format!("recovered {}", what.split_once("; ")?.0),
        DriverEvent::Note { text } if text.contains("merged work is verified") => {
            format!("again {}", text.split_once(':')?.0)
        }
        DriverEvent::Note { text } if text.contains("both changed") => {
            format!("conflict {}", text.split_once(':')?.0)
        }
        DriverEvent::Note { text } if text.contains("is kept, uncharged") => {
            format!("kept {}", text.split_once(':')?.0)
        }
        DriverEvent::Note { text } => text.clone(),
        _ => return None,
    })
}

/// Holds every line, `situation => sessions => story`; the gate's own end is left out. `moved` before the sessions: you
/// committed something since the last run.
pub(crate) fn check(table: &str) {
    check_with(ORACLE, table);
}

/// Likewise, with an oracle of choice.
pub(crate) fn check_with(oracle: &str, table: &str) {
    let rows = table.lines().map(str::trim);
    for row in rows.filter(|row| !row.is_empty() && !row.starts_with("//")) {
        let parts: Vec<&str> = row.split("=> ").map(str::trim).collect();
        let [situation, sessions, want] = parts[..] else {
            panic!("three parts: {row}");
        };
        let after_move = sessions.strip_prefix("moved");
        let machine = machine(situation, oracle, after_move.unwrap_or(sessions));
        if after_move.is_some() {
            machine.world().user_commits("moved.txt", "");
        }
        run(&machine).unwrap_or_else(|e| panic!("{row}: {e}"));
        let story = story(&machine);
        let reported: Vec<&str> = story
            .split(", ")
            .filter(|line| !line.starts_with("gate "))
            .collect();
        assert_eq!(reported.join(", "), want, "{row}");
    }
}
