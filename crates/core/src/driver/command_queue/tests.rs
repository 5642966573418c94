use crate::driver::test_machine::MemoryMachine;
use crate::driver::test_run::{machine, run, story};
use crate::engine::test_snapshot::{DIR, FEATURE};

/// A log in which commands took so many seconds.
fn log(took: &[(&str, f64)]) -> String {
    let rows: Vec<String> = took
        .iter()
        .map(|(name, seconds)| {
            format!("{{\"name\":\"{name}\",\"set\":\"code\",\"verdict\":\"pass\",\"seconds\":{seconds}}}")
        })
        .collect();
    format!(
        "{{\"timestamp\":\"x\",\"correlation_id\":\"{FEATURE}/T09\",\"event_type\":\"attempt_outcome\",\"payload\":{{\"commands\":[{}]}}}}\n",
        rows.join(",")
    )
}

fn ran(machine: &MemoryMachine) -> Vec<String> {
    machine
        .world()
        .ran
        .iter()
        .map(|(_, shell)| shell.clone())
        .collect()
}

/// The newest record of an attempt of T01.
fn record(machine: &MemoryMachine) -> String {
    let world = machine.world();
    let name = format!("refs/gatewalk/attempts/{FEATURE}/T01/1");
    world.commits[&world.refs[&name]].message.clone()
}

const TWO: &str =
    "code:\n  - {name: slow, command: lacks gone}\n  - {name: quick, command: lacks broken}\n";

#[test]
fn the_cheapest_command_runs_first_and_its_failure_spares_the_dear_one() {
    let machine = machine("G1: T01 max_attempts=1", TWO, "+broken");
    let events = format!("{DIR}/events.jsonl");
    machine
        .world()
        .user_commits(&events, &log(&[("slow", 60.0), ("quick", 2.0)]));
    run(&machine).unwrap();
    assert_eq!(story(&machine), "failed T01#1 verification, parked T01");
    // On the base in the order of the file; on the work the quick one, and once more as it failed.
    assert_eq!(
        ran(&machine),
        ["lacks gone", "lacks broken", "lacks broken", "lacks broken"]
    );
    let record = record(&machine);
    assert!(record.contains("\"verdict\": \"skipped\""), "{record}");
    assert!(
        record.contains("this one usually takes 60s and was not run"),
        "{record}"
    );
}

#[test]
fn without_a_log_every_command_runs_in_the_order_of_the_file() {
    let machine = machine("G1: T01 max_attempts=1", TWO, "+broken");
    run(&machine).unwrap();
    assert_eq!(
        ran(&machine),
        [
            "lacks gone",
            "lacks broken",
            "lacks gone",
            "lacks broken",
            "lacks broken"
        ]
    );
}

#[test]
fn commands_that_may_share_a_slot_run_at_the_same_time() {
    let oracle = "code:\n  - {name: a, command: meets 1, parallel: true}\n  - {name: b, command: meets 2, parallel: true}\n  - {name: c, command: lacks broken}\n";
    let both = machine("G1: T01 expects_red=[a,b]", oracle, "+a.txt");
    run(&both).unwrap();
    // Alone, the first would have waited for the second in vain.
    assert_eq!(story(&both), "landed T01, gate 1 passed");
    assert!(both.world().met_in_time);
}

#[test]
fn a_failure_among_them_is_looked_at_again_alone() {
    let oracle = "code:\n  - {name: a, command: lacks broken, parallel: true}\n  - {name: b, command: lacks gone, parallel: true}\n";
    let machine = machine("G1: T01 max_attempts=1", oracle, "+broken");
    run(&machine).unwrap();
    assert_eq!(story(&machine), "failed T01#1 verification, parked T01");
    let ran = ran(&machine);
    assert_eq!(
        ran.iter().filter(|s| *s == "lacks broken").count(),
        3,
        "{ran:?}"
    );
    assert_eq!(
        ran.iter().filter(|s| *s == "lacks gone").count(),
        2,
        "{ran:?}"
    );
}

#[test]
fn a_result_is_reused_while_no_input_changes() {
    let oracle = "code:\n  - {name: in, command: lacks broken, inputs: [\"src/**\"]}\n  - {name: all, command: lacks worse}\n";
    let machine = machine(
        "G1: T01 max_attempts=1; T02 max_attempts=1; T03 max_attempts=1",
        oracle,
        "+src/a.txt;+b.txt;+src/c.txt",
    );
    run(&machine).unwrap();
    assert_eq!(
        story(&machine),
        "landed T01, landed T02, landed T03, gate 1 passed"
    );
    let count = |shell: &str| ran(&machine).iter().filter(|s| *s == shell).count();
    // The base, the first unit and the third; the second changes none of its inputs.
    assert_eq!(count("lacks broken"), 3);
    assert_eq!(count("lacks worse"), 4);
    let tip = *machine.world().tip();
    let log = machine.world().files(&tip).unwrap()[&format!("{DIR}/events.jsonl")].to_vec();
    let log = String::from_utf8(log).unwrap();
    assert_eq!(log.matches("\"verdict\":\"reused\"").count(), 1, "{log}");
}
