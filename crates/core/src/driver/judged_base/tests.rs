use crate::driver::committed_plan::{attempt_ref, other_tree_ref};
use crate::driver::land;
use crate::driver::ports::SlotId;
use crate::driver::test_machine::MemoryMachine;
use crate::driver::test_run::{ORACLE, driver, machine, story};
use crate::engine::attempt_record::{AttemptRecord, Judgement};
use crate::engine::test_snapshot::id;

/// Units whose sessions have ended, `how` each, after which the branch moved.
fn ended(how: &[&str], oracle: &str) -> MemoryMachine {
    let unit = |(n, how): (usize, &&str)| format!("T{:02} tried={how}", n + 1);
    let units: Vec<String> = how.iter().enumerate().map(unit).collect();
    let machine = machine(&format!("G1: {}", units.join("; ")), oracle, "");
    machine.world().user_commits("moved.txt", "");
    machine
}

fn record(machine: &MemoryMachine, unit: &str) -> AttemptRecord {
    let world = machine.world();
    let commit = &world.refs[&attempt_ref(&id(unit), 1)];
    AttemptRecord::from_message(&world.commits[commit].message).unwrap()
}

fn judgement(machine: &MemoryMachine, unit: &str) -> Judgement {
    record(machine, unit).judgement.unwrap()
}

#[test]
fn work_stands_on_the_work_ahead_and_on_what_the_branch_became_meanwhile() {
    for (jobs, joins) in [(1, false), (2, true)] {
        let machine = ended(&["open@a", "open@b"], ORACLE);
        let driver = driver(&machine, jobs);
        let first = driver.judged_base(&record(&machine, "T01"));
        assert_eq!(first.unwrap().unwrap().onto(), None);
        machine.world().user_commits("later.txt", "");
        let second = driver.judged_base(&record(&machine, "T02"));
        let second = second.unwrap().unwrap();
        let ahead = second.ahead.as_ref().map(|(unit, _)| unit.clone());
        assert_eq!(ahead, joins.then(|| id("T01")), "{jobs}");
        let world = machine.world();
        let files = world.files(&second.tree).unwrap();
        assert_eq!(files.contains_key("a"), joins, "{jobs}");
        assert!(
            ["b", "moved.txt", "later.txt"]
                .iter()
                .all(|f| files.contains_key(*f))
        );
        let onto = world.files(&second.plan.tree).unwrap();
        assert!(onto.contains_key("later.txt") && !onto.contains_key("b"));
        drop(world);
        // On top of other work it is not worth a word that the branch moved, too.
        let notes = ["again T01, again T02", "again T01"];
        assert_eq!(story(&machine), notes[usize::from(joins)]);
    }
}

#[test]
fn a_queue_of_landings_is_verified_once_a_unit() {
    for (units, at_once) in [(12, 1), (12, 3), (64, 2)] {
        let how: Vec<String> = (1..=units).map(|n| format!("open@f{n}")).collect();
        let how: Vec<&str> = how.iter().map(String::as_str).collect();
        let machine = ended(&how, ORACLE);
        machine.world().verifications_at_once = at_once;
        driver(&machine, units).run().unwrap();
        assert_eq!(story(&machine).matches("landed").count(), units);
        let world = machine.world();
        assert_eq!(world.ran.len(), units, "{at_once} at once");
        let landed = world.files(world.tip()).unwrap();
        assert!((1..=units).all(|n| landed.contains_key(&format!("f{n}"))));
    }
}

#[test]
fn work_that_fails_spoils_nothing_that_was_judged_on_top_of_it() {
    for at_once in [1, 2, 3] {
        let machine = ended(&["open@a", "open@broken", "open@c", "open@d"], ORACLE);
        machine.world().verifications_at_once = at_once;
        machine.world().sessions = ["+b".to_owned()].into();
        driver(&machine, 4).run().unwrap();
        let story = story(&machine);
        for unit in ["T01", "T02", "T03", "T04"] {
            assert_eq!(
                story.matches(&format!("landed {unit}")).count(),
                1,
                "{story}"
            );
        }
        assert_eq!(story.matches("failed").count(), 1, "{story}");
        assert!(story.contains("failed T02#1 verification"), "{story}");
        let world = machine.world();
        let landed = world.files(world.tip()).unwrap();
        assert!(!landed.contains_key("broken"));
        assert!(["a", "b", "c", "d"].iter().all(|f| landed.contains_key(*f)));
        // At worst three meet the failure before it counts, each of them twice: a failure may be flaky.
        assert!(world.ran.len() <= 14, "{}", world.ran.len());
    }
}

#[test]
fn work_that_is_red_on_top_of_what_lands_is_not_verified_again_for_that() {
    for moved in [false, true] {
        let machine = ended(&["open@a", "open@broken"], ORACLE);
        let driver = driver(&machine, 2);
        for unit in ["T01", "T02"] {
            driver.cache().attempts.charge(record(&machine, unit));
        }
        let judge = |unit, slot| driver.judge(&id(unit), 1, SlotId::Session(slot)).unwrap();
        let ran = || machine.world().ran.len();
        judge("T01", 0);
        assert_eq!(ran(), 1);
        // Twice, as a failure may be flaky; it is nobody's yet.
        judge("T02", 1);
        assert_eq!(ran(), 3);
        assert!(record(&machine, "T02").judgement.is_none());
        land::land(&driver, &id("T01"), 1).unwrap();
        if moved {
            machine.world().user_commits("later.txt", "");
        }
        judge("T02", 1);
        assert_eq!(ran(), if moved { 5 } else { 3 });
        let judged = judgement(&machine, "T02");
        assert!(!judged.passed() && judged.onto.is_none());
        assert_eq!(judged.base, driver.tip().unwrap());
    }
}

#[test]
fn what_is_red_only_on_top_of_other_work_is_charged_once_that_has_landed() {
    let oracle = "code:\n  - {name: work, command: lacks b unless T}\n";
    // Alone either passes.
    let oracle = oracle.replace("lacks b unless T", "lacks both");
    let machine = ended(&["open@a", "open@both"], &oracle);
    machine.world().verifications_at_once = 2;
    machine.world().sessions = ["+c".to_owned()].into();
    driver(&machine, 2).run().unwrap();
    let story = story(&machine);
    assert_eq!(story.matches("failed").count(), 1, "{story}");
    assert!(
        story.contains("landed T01") && story.contains("landed T02"),
        "{story}"
    );
    let world = machine.world();
    let landed = world.files(world.tip()).unwrap();
    assert!(landed.contains_key("c") && (landed.contains_key("a") != landed.contains_key("b")));
}

#[test]
fn a_failure_on_top_of_a_failure_is_charged_to_the_first_alone() {
    let oracle =
        "code:\n  - {name: both, command: meets}\n  - {name: work, command: lacks broken}\n";
    let machine = ended(&["open@broken", "open@b"], oracle);
    machine.world().verifications_at_once = 2;
    machine.world().sessions = ["+c".to_owned()].into();
    driver(&machine, 2).run().unwrap();
    let story = story(&machine);
    assert_eq!(story.matches("failed").count(), 1, "{story}");
    assert!(story.contains("failed T01#1 verification"), "{story}");
    assert!(
        story.contains("landed T01") && story.contains("landed T02"),
        "{story}"
    );
}

#[test]
fn a_test_of_the_work_ahead_hides_no_fault() {
    let oracle = "code:\n  - {name: work, command: lacks broken unless tests/test_new.py}\n";
    for (ahead, passes) in [("tests/test_new.py", false), ("a", false), ("c", true)] {
        let left = if passes { "open@b" } else { "open@broken" };
        let machine = ended(&[&format!("open@{ahead}"), left], oracle);
        let driver = driver(&machine, 2);
        driver.cache().attempts.charge(record(&machine, "T02"));
        let first = driver.judged_base(&record(&machine, "T01"));
        assert!(first.unwrap().is_some());
        driver.judge(&id("T02"), 1, SlotId::Session(1)).unwrap();
        let judged = record(&machine, "T02").judgement;
        assert_eq!(judged.is_some_and(|j| j.passed()), passes, "{ahead}");
    }
}

#[test]
fn what_no_command_has_to_show_counts_also_on_top_of_other_work() {
    let machine = ended(&["open@a", "open@Jenkinsfile"], ORACLE);
    machine.world().verifications_at_once = 1;
    machine.world().sessions = ["+c".to_owned()].into();
    driver(&machine, 2).run().unwrap();
    let story = story(&machine);
    assert_eq!(
        story.matches("failed T02#1 oracle_modified").count(),
        1,
        "{story}"
    );
    assert!(
        story.contains("landed T01") && story.contains("landed T02"),
        "{story}"
    );
}

#[test]
fn work_on_top_of_other_work_is_compared_with_that() {
    let machine = ended(
        &["open@a", "open@b"],
        "code:\n  - {name: work, command: meets}\n",
    );
    machine.world().verifications_at_once = 2;
    driver(&machine, 2).run().unwrap();
    assert_eq!(machine.world().ran.len(), 2);
    let judged = [judgement(&machine, "T01"), judgement(&machine, "T02")];
    let [first, second] = if judged[0].onto.is_none() {
        ["a", "b"]
    } else {
        ["b", "a"]
    };
    let of = |file: &str| judged.iter().find(|j| j.files_touched == [file]).unwrap();
    let world = machine.world();
    let onto = of(second).onto.unwrap();
    assert_eq!(of(first).onto, None);
    assert!(world.files(&onto).unwrap().contains_key(first));
    assert!(!world.files(&onto).unwrap().contains_key(second));
    for (unit, judged) in [("T01", &judged[0]), ("T02", &judged[1])] {
        let kept = &world.refs[&other_tree_ref(&id(unit), 1, &judged.base)];
        assert_eq!(world.commits[kept].tree, judged.tree);
    }
}

#[test]
fn work_on_the_same_places_waits_for_what_is_ahead() {
    let machine = machine("G1: T01 tried=open@a; T02", ORACLE, "+a=other;+b");
    machine.world().verifications_at_once = 2;
    driver(&machine, 2).run().unwrap();
    let story = story(&machine);
    assert!(
        story.contains("landed T01") && story.contains("landed T02"),
        "{story}"
    );
    let conflicts = story.matches("conflict T02").count();
    assert!(conflicts <= 1, "{story}");
}
