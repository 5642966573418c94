//! Work by hand in a world in memory.

use super::*;
use crate::driver::ports::History;
use crate::driver::test_machine::MemoryMachine;
use crate::driver::test_run::{driver, machine, story};
use crate::engine::test_snapshot::id;

const ORACLE: &str = "code:\n  - {name: work, command: lacks broken}\n";

/// Hands in `+path` and `-path` of the tip's files; returns what came of it.
fn hand_in(machine: &MemoryMachine, unit: &str, words: &str) -> Result<HandLanding> {
    let unit = id(unit);
    let (fork, tree) = {
        let mut world = machine.world();
        let tip = *world.tip();
        let mut files = world.files(&tip).unwrap().clone();
        for word in words.split_whitespace() {
            let (path, text) = word[1..].split_once('=').unwrap_or((&word[1..], ""));
            match word.starts_with('+') {
                true => drop(files.insert(path.to_owned(), text.as_bytes().into())),
                false => drop(files.remove(path)),
            }
        }
        (tip, world.put_tree(files))
    };
    let work = HandWork {
        unit: &unit,
        fork,
        began: None,
        tree,
        in_checkout: true,
    };
    Ok(driver(machine, 1)
        .land_work(&work)?
        .expect("nobody stops it"))
}

fn text_at_tip(machine: &MemoryMachine, suffix: &str) -> String {
    let world = machine.world();
    let files = world.files(world.tip()).unwrap();
    let found = files.iter().find(|(path, _)| path.ends_with(suffix));
    String::from_utf8(found.expect(suffix).1.to_vec()).unwrap()
}

#[test]
fn work_that_passes_lands_charged_to_nobody() {
    let machine = machine("active | G1: T01 max_attempts=1", ORACLE, "+broken");
    let landing = hand_in(&machine, "T01", "+a.txt").unwrap();
    assert!(landing.commit.is_some() && landing.judged.judgement.passed());
    assert_eq!(landing.kept_at, uncharged_ref(&id("T01"), 1));
    assert_eq!(story(&machine), "landed T01");
    assert!(text_at_tip(&machine, "events.jsonl").contains("\"by_hand\":true"));
    let attempts = Attempts::from_pins(&machine.pins().unwrap());
    assert!(attempts.charged.is_empty() && attempts.inherited.is_empty());
    assert_eq!(attempts.uncharged_cost[&id("T01")], 0.0);
}

#[test]
fn work_that_fails_is_kept_and_leaves_the_unit_as_it_was() {
    let machine = machine("active | G1: T01", ORACLE, "");
    let tip = *machine.world().tip();
    for nth in [1, 2] {
        let landing = hand_in(&machine, "T01", "+broken").unwrap();
        let judgement = &landing.judged.judgement;
        assert_eq!(
            judgement.failure_class().cloned(),
            Some(FailureClass::Verification.into())
        );
        assert_eq!(landing.commit, None);
        assert_eq!(landing.kept_at, uncharged_ref(&id("T01"), nth));
    }
    let refs = machine.world().refs.len();
    let error = hand_in(&machine, "T01", "").unwrap_err();
    assert!(error.to_string().contains("no work to land"), "{error}");
    assert_eq!(machine.world().refs.len(), refs);
    assert_eq!(*machine.world().tip(), tip);
    let attempts = Attempts::from_pins(&machine.pins().unwrap());
    assert!(attempts.inherited.is_empty(), "the base is not what failed");
}

#[test]
fn a_parked_unit_lands_with_what_its_sessions_took_and_without_its_escalation() {
    let situation = "active | G1: T01 blocked escalation_reason=attempts_exhausted tried=fail:x$2";
    let machine = machine(situation, ORACLE, "");
    assert!(hand_in(&machine, "T01", "+a.txt").unwrap().commit.is_some());
    let log = text_at_tip(&machine, "events.jsonl");
    // What was logged at the parking is not logged again.
    assert_eq!(log.matches("attempt_outcome").count(), 1, "{log}");
    assert!(log.contains("\"attempts\":1,"), "{log}");
    assert!(log.contains("\"cost_usd\":2.0"), "{log}");
}

#[test]
fn sessions_of_a_pending_unit_are_logged_with_the_landing() {
    let machine = machine("active | G1: T01 tried=fail:x$2", ORACLE, "");
    assert!(hand_in(&machine, "T01", "+a.txt").unwrap().commit.is_some());
    let log = text_at_tip(&machine, "events.jsonl");
    assert_eq!(log.matches("attempt_outcome").count(), 2, "{log}");
}

#[test]
fn a_red_first_check_must_be_red_on_the_base() {
    for (check, passes) in [("has:a.txt", true), ("lacks:broken", false)] {
        let situation = format!("active | G1: T01 checks=[{{\"name\":\"c\",\"run\":\"{check}\"}}]");
        let machine = machine(
            &situation,
            "code:\n  - {name: work, command: lacks never}\n",
            "",
        );
        let landing = hand_in(&machine, "T01", "+a.txt").unwrap();
        assert_eq!(landing.commit.is_some(), passes, "{check}");
    }
}

#[test]
fn plans_beside_the_work_are_left_out() {
    let machine = machine("active | G1: T01", ORACLE, "");
    let landing = hand_in(&machine, "T01", "+a.txt +.gatewalk/rules/x.md=mine").unwrap();
    assert_eq!(landing.judged.left_out, [".gatewalk/rules/x.md"]);
    assert!(landing.commit.is_some());
    let world = machine.world();
    assert!(
        !world
            .files(world.tip())
            .unwrap()
            .contains_key(".gatewalk/rules/x.md")
    );
}

#[test]
fn what_may_not_land_is_refused_before_anything_runs() {
    let machine = machine("active | G1: T01 draft", ORACLE, "");
    assert!(hand_in(&machine, "T01", "+a.txt").is_err());
    assert!(machine.world().ran.is_empty());
}
