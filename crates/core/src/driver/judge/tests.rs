use super::*;
use crate::agents::prices::Estimate;
use crate::driver::test_machine::MemoryMachine;
use crate::driver::test_run::{ORACLE, check, driver, judgement, machine, run, story};
use crate::engine::test_snapshot::id;

#[test]
fn an_attempt_is_judged_by_its_end_then_its_diff_then_its_commands() {
    check(
        "
        G1: T01                => +a.txt                => landed T01
        G1: T01 max_attempts=1 => +broken               => failed T01#1 verification, parked T01
        G1: T01 max_attempts=2 => +broken; +a.txt       => failed T01#1 verification, landed T01
        // No command is asked where the diff or the end of the session decides.
        G1: T01 max_attempts=1 =>                       => failed T01#1 empty_diff, parked T01
        G1: T01 max_attempts=1 => +broken +Jenkinsfile  => failed T01#1 oracle_modified, parked T01
        G1: T01 max_attempts=1 => +broken rewound       => failed T01#1 history_rewritten, parked T01
        G1: T01 max_attempts=1 => +broken timed-out     => failed T01#1 timed_out, parked T01
        G1: T01 max_attempts=1 => +Jenkinsfile timed-out => failed T01#1 timed_out, parked T01
        G1: T01                => +a.txt blocked=why    => failed T01#1 blocked, parked T01
        // What is nobody's fault is not judged.
        G1: T01                => +broken crashed; +a.txt => kept T01, landed T01
        // The unit's own file is put back before anything looks at it.
        G1: T01 max_attempts=1 => +%/WU-01.md=done      => failed T01#1 empty_diff, parked T01
        G1: T01                => +a.txt -%/WU-01.md    => landed T01
        ",
    );
}

#[test]
fn a_judgement_names_what_the_session_changed_and_not_its_own_file() {
    let machine = machine("G1: T01", ORACLE, "+a.txt +%/WU-01.md=done");
    run(&machine).unwrap();
    let judged = judgement(&machine, "T01");
    assert_eq!(judged.files_touched, ["a.txt"]);
    assert!(judged.passed());
    assert_eq!(judged.commands.len(), 1);
    assert_eq!(judged.at, "2027-01-15T08:00:00Z");
}

#[test]
fn files_that_commands_changed_are_looked_for_once_after_they_ran() {
    let machine = machine("G1: T01", ORACLE, "+a.txt");
    run(&machine).unwrap();
    assert_eq!(machine.world().looks, 1);
}

#[test]
fn what_was_odd_is_shown_with_the_work() {
    let machine = machine("G1: T01", ORACLE, "+src/bаse.txt note=it·left·a·server");
    run(&machine).unwrap();
    let notices = judgement(&machine, "T01").notices;
    assert!(
        notices[0].contains("not what they look like"),
        "{notices:?}"
    );
    assert_eq!(notices[1..], ["it left a server"]);
}

#[test]
fn where_a_figure_comes_from_is_no_oddity_of_the_work() {
    let note = Estimate {
        usd: 0.5,
        date: jiff::civil::date(2026, 1, 1),
    }
    .note(jiff::civil::date(2026, 12, 1));
    let session = format!("+a.txt note={}", note.replace(' ', "·"));
    let machine = machine("G1: T01", ORACLE, &session);
    run(&machine).unwrap();
    assert_eq!(judgement(&machine, "T01").notices, Vec::<String>::new());
    assert!(note.contains("334 days old"), "{note}");
}

#[test]
fn a_session_that_was_stopped_is_told_by_what_stopped_it() {
    let machine = machine("G1: T01 max_attempts=1", ORACLE, "+broken timed-out");
    run(&machine).unwrap();
    let why = judgement(&machine, "T01").evidence().unwrap().to_owned();
    let words = "the session was stopped at its time limit, before it said that it was done";
    assert!(why.contains(words), "{why}");
}

#[test]
fn a_refusal_names_its_paths_and_is_the_same_for_the_same_paths() {
    let signature = |session: &str| {
        let machine = machine("G1: T01 max_attempts=1 produces=[b.txt]", ORACLE, session);
        run(&machine).unwrap();
        let judged = judgement(&machine, "T01");
        let evidence = judged.evidence().unwrap();
        assert!(evidence.contains("`Jenkinsfile`"), "{evidence}");
        assert!(evidence.contains("missing_deliverable"), "{evidence}");
        judged.failure_signature().unwrap().to_owned()
    };
    let first = signature("+Jenkinsfile");
    assert_eq!(
        first,
        "guards:missing_deliverable:b.txt;oracle_modified:Jenkinsfile"
    );
    assert_eq!(first, signature("+Jenkinsfile +c.txt"));
    assert_ne!(first, signature("+Jenkinsfile +.gitmodules"));
}

#[test]
fn a_judgement_that_was_cut_short_proves_nothing() {
    let machine = machine(
        "G1: T01 | base_check=lazy",
        "code:\n  - {name: work, command: stops}\n",
        "+a.txt",
    );
    run(&machine).unwrap();
    assert_eq!(story(&machine), "");
    let world = machine.world();
    let pinned = &world.refs[&attempt_ref(&id("T01"), 1)];
    let record = AttemptRecord::from_message(&world.commits[pinned].message).unwrap();
    assert_eq!(record.judgement, None);
}

#[test]
fn a_failed_attempt_that_removed_a_test_names_the_test_that_was_kept() {
    let evidence = |session: &str| {
        let machine = machine("G1: T01 max_attempts=1", ORACLE, session);
        let test = "def test_a():\n    assert work() == 1\n";
        machine.world().user_commits("tests/test_a.py", test);
        run(&machine).unwrap();
        let judged = judgement(&machine, "T01");
        (
            judged.failure_class().cloned(),
            judged.evidence().unwrap_or_default().to_owned(),
        )
    };
    let (class, kept) = evidence("-tests/test_a.py +broken");
    assert_eq!(class, Some(FailureClass::TestsWeakened.into()));
    assert!(kept.ends_with("tests/test_a.py"), "{kept}");
    let (class, plain) = evidence("+broken");
    assert_eq!(class, Some(FailureClass::Verification.into()));
    assert!(!plain.contains(protected::KEPT), "{plain}");
    let (class, passed) = evidence("-tests/test_a.py +a.txt");
    assert_eq!((class, passed.as_str()), (None, ""));
}

#[test]
fn what_is_refused_is_shown_as_the_session_left_it() {
    let machine = machine(
        "G1: T01 max_attempts=1",
        ORACLE,
        "-tests/test_a.py +Jenkinsfile",
    );
    let test = "def test_a():\n    assert work() == 1\n";
    machine.world().user_commits("tests/test_a.py", test);
    run(&machine).unwrap();
    let judged = judgement(&machine, "T01");
    assert_eq!(
        judged.failure_class().cloned(),
        Some(FailureClass::OracleModified.into())
    );
    assert_eq!(judged.files_touched, ["Jenkinsfile", "tests/test_a.py"]);
}

#[test]
fn a_failure_beside_the_bases_judges_is_blamed_on_what_was_kept() {
    for (session, class) in [
        ("+broken", FailureClass::TestsWeakened),
        ("+Jenkinsfile", FailureClass::OracleModified),
    ] {
        let machine = machine("G1: T01 max_attempts=1", ORACLE, session);
        run(&machine).unwrap();
        let mut judged = judgement(&machine, "T01");
        let mut inspected = InspectedChanges::of_no_unit();
        let kept = ("tests/a.py".to_owned(), Restoration::Base);
        inspected.kept.push(kept);
        blame_kept(&mut judged, &inspected);
        let evidence = judged.evidence().unwrap();
        let words = format!("\n\n{}: tests/a.py", protected::KEPT);
        assert!(evidence.ends_with(&words), "{evidence}");
        assert_eq!(judged.failure_class(), Some(&class.into()));
    }
}

#[test]
fn each_slot_verifies_in_a_slot_of_its_own() {
    let machine = machine(
        "G1: T01; T02 | base_check=lazy",
        "code:\n  - {name: work, command: meets}\n",
        "+a.txt;+b.txt",
    );
    driver(&machine, 2).run().unwrap();
    let world = machine.world();
    let used = |slot| world.ran.iter().any(|(at, _)| *at == slot);
    assert!(used(SlotId::Verification(0)) && used(SlotId::Verification(1)));
}

#[test]
fn the_last_unit_of_a_gate_is_judged_by_the_broad_tier_too() {
    let machine = machine(
        "G1: T01; T02 after=T01 expects_red=[all]",
        "code:\n  - {name: work, command: lacks broken}\n  - {name: all, command: has b.txt, tier: broad}\n",
        "+a.txt;+b.txt",
    );
    run(&machine).unwrap();
    assert_eq!(story(&machine), "landed T01, landed T02, gate 1 passed");
    let names = |short| -> Vec<String> {
        let commands = judgement(&machine, short).commands;
        commands.into_iter().map(|c| c.name).collect()
    };
    assert_eq!(names("T01"), ["work"]);
    assert_eq!(names("T02"), ["work", "all"]);
}

#[test]
fn a_planner_that_drafts_nothing_is_refused() {
    let machine = machine(
        "G1: T01 done; G1-PLAN plan-next max_attempts=1 | G2: T02 draft",
        "code:\n  - {name: work, command: lacks broken}\nplannext:\n  - {name: plan, command: lacks broken}\n",
        "+%/GATE-02-REVIEW.md",
    );
    run(&machine).unwrap();
    let story = story(&machine);
    assert!(story.starts_with("failed G1-PLAN#1 "), "{story}");
    assert!(!story.contains("oracle_modified"), "{story}");
}

/// A gate whose requirement is shown by a file `x`, and a session that closes it as met.
const CLOSING: [&str; 2] = [
    "active auto_close_disabled=true requires=REQ-A-1 | G1: T01 done covers=[REQ-A-1] checks=[{\"name\":c,\"run\":\"has:x\",\"expect_base\":any}]; G1-CLOSE close max_attempts=1",
    "+%/WU-02.md=---¶id:·FEAT-2026-0001/G1-CLOSE¶type:·close¶status:·pending¶max_attempts:·1¶verdict:·met¶---¶ \
     +%/RETROSPECTIVE.md=#·Retrospective¶¶##·Gate·1¶¶It·went·well.¶ \
     +%/GATE-01-CRITERIA.md=#·Criteria¶¶###·REQ-A-1¶¶-·state:·met¶-·shown·by:·x¶",
];

const CLOSING_ORACLE: &str = "code:\n  - {name: work, command: lacks broken}\ndoc:\n  - {name: doc, command: lacks broken}\n";

#[test]
fn a_gate_is_closed_as_met_only_where_its_requirements_are_shown_on_what_was_left() {
    let [situation, session] = CLOSING;
    let without = machine(situation, CLOSING_ORACLE, session);
    run(&without).unwrap();
    assert_eq!(
        story(&without),
        "failed G1-CLOSE#1 requirement_not_covered, parked G1-CLOSE"
    );
    let shown = machine(situation, CLOSING_ORACLE, &format!("{session} +x"));
    run(&shown).unwrap();
    assert_eq!(story(&shown), "landed G1-CLOSE, gate 1 passed");
}

#[test]
fn only_who_closes_the_last_gate_has_its_requirements_asked() {
    let machine = machine(
        "active requires=REQ-A-1 | G1: T01 done covers=[REQ-A-1] checks=[{\"name\":c,\"run\":\"has:x\"}]; T02; T03 blocked",
        ORACLE,
        "+a.txt",
    );
    run(&machine).unwrap();
    assert_eq!(story(&machine), "landed T02");
    let world = machine.world();
    assert!(
        world.ran.iter().all(|(_, shell)| shell != "has:x"),
        "{:?}",
        world.ran
    );
}

#[test]
fn a_diff_can_be_looked_at_without_judging_it() {
    let machine = machine("G1: T01", ORACLE, "");
    let (tip, tree) = {
        let mut world = machine.world();
        let tip = *world.tip();
        let mut files = world.files(&tip).unwrap().clone();
        files.insert("Jenkinsfile".to_owned(), (*b"").into());
        (tip, world.put_tree(files))
    };
    let report = driver(&machine, 1)
        .guards_at(&tip, &tree, &id("T01"))
        .unwrap();
    assert_eq!(report.violations[0].class.to_string(), "oracle_modified");
}

#[test]
fn each_command_runs_on_exactly_the_tree_that_lands() {
    let oracle = |second: &str| {
        format!(
            "code:\n  - {{name: first, command: heals broken.txt}}\n  - {{name: second, command: {second}}}\n"
        )
    };
    // What the first one leaves is gone before the second, and in the files of the work it counts.
    let litter = machine("G1: T01", &oracle("lacks litter.log"), "+a.txt");
    run(&litter).unwrap();
    assert_eq!(story(&litter), "landed T01, gate 1 passed");
    for session in ["+broken.txt", "+a.txt +broken.txt"] {
        let healed = machine("G1: T01 max_attempts=1", &oracle("lacks x"), session);
        run(&healed).unwrap();
        assert_eq!(
            story(&healed),
            "failed T01#1 verification, parked T01",
            "{session}"
        );
    }
    let declared = machine(
        "G1: T01 generated_surfaces=[broken.txt]",
        &oracle("lacks x"),
        "+a.txt +broken.txt",
    );
    run(&declared).unwrap();
    // What the work brought of it is not what was judged: that is shown.
    let shown = "landed T01, gate 1 awaiting_review, gate 1 waits, for a landing was unusual: T01: the commands make other generated files than the work brings, and judged theirs: broken.txt";
    assert!(story(&declared).starts_with(shown), "{}", story(&declared));
}

#[test]
fn a_requirement_is_not_shown_by_a_check_that_mends_the_product_itself() {
    let closing = |run: &str| {
        let situation = CLOSING[0].replace("has:x", run);
        let machine = machine(&situation, CLOSING_ORACLE, &format!("{} +x", CLOSING[1]));
        run_to_end(&machine)
    };
    assert_eq!(closing("has:x"), "landed G1-CLOSE, gate 1 passed");
    assert_eq!(
        closing("heals:x"),
        "failed G1-CLOSE#1 requirement_not_covered, parked G1-CLOSE"
    );
}

fn run_to_end(machine: &MemoryMachine) -> String {
    run(machine).unwrap();
    story(machine)
}

#[test]
fn a_removed_comment_with_a_reason_holds_the_gate() {
    for (session, want) in [
        ("+sum.rs=let·a", "landed T01, gate 1 awaiting_review"),
        (
            "+sum.rs=let·a·//·INVARIANT:·sums·match",
            "landed T01, gate 1 passed",
        ),
        (
            "-sum.rs +total.rs=//·INVARIANT:·sums·match",
            "landed T01, gate 1 passed",
        ),
    ] {
        let machine = machine("G1: T01", ORACLE, session);
        machine
            .world()
            .user_commits("sum.rs", "// INVARIANT: sums match\nlet b;\n");
        run(&machine).unwrap();
        let story = story(&machine);
        assert!(story.starts_with(want), "{session}: {story}");
        let held = want.ends_with("awaiting_review");
        assert_eq!(
            story.contains("`INVARIANT: sums match` is gone"),
            held,
            "{story}"
        );
    }
}

#[test]
fn what_the_unit_declares_of_what_judges_stands_in_its_judgement() {
    let declared = |session: &str| {
        let machine = machine("G1: T01 touches_tests=true", ORACLE, session);
        let test = "def test_a():\n    assert work() == 1\n";
        machine.world().user_commits("tests/test_a.py", test);
        run(&machine).unwrap();
        judgement(&machine, "T01").declared
    };
    assert_eq!(declared("+a.txt +tests/test_a.py"), ["tests/test_a.py"]);
    assert!(declared("+a.txt").is_empty());
}

#[test]
fn what_was_refused_before_any_command_counts_whatever_is_ahead() {
    let machine = machine("G1: T01", ORACLE, "+a.txt");
    run(&machine).unwrap();
    let driver = driver(&machine, 2);
    let passed = judgement(&machine, "T01");
    let record = crate::engine::test_snapshot::record(&id("T01"), 1, "fail");
    let refused = Judgement::unproven(passed.tree, passed.base, String::new());
    let mut by_commands = refused.clone();
    by_commands.commands.clone_from(&passed.commands);
    for (what, judged, ahead, want) in [
        ("refused", &refused, true, true),
        ("refused", &refused, false, true),
        ("by its commands", &by_commands, true, false),
        ("by its commands", &by_commands, false, true),
        ("passed, and not to land", &passed, true, false),
    ] {
        assert_eq!(
            driver.counts(ahead, &record, judged),
            want,
            "{what} {ahead}"
        );
    }
}

#[test]
fn git_attributes_that_git_does_nothing_by_land_and_others_are_refused() {
    let sized = |bytes: usize| format!("+docs/.gitattributes={}", "#".repeat(bytes));
    let (largest, too_large) = (sized(64 * 1024), sized(64 * 1024 + 1));
    for (session, lands) in [
        ("+.gitattributes=*.sh·eol=lf¶x.py·linguist-generated", true),
        ("+docs/.gitattributes=x.md·linguist-documentation", true),
        ("+.gitattributes=*.sh·eol=crlf", false),
        ("-.gitattributes", false),
        ("+docs/.gitattributes=x.md·filter=x", false),
        // Each file is judged by what it was itself.
        (
            "+.gitattributes=*.sh·eol=lf¶#·Why. +docs/.gitattributes=*.sh·eol=lf",
            false,
        ),
        (&largest, true),
        (&too_large, false),
    ] {
        let machine = machine(
            "G1: T01 max_attempts=1",
            ORACLE,
            &format!("+a.txt {session}"),
        );
        machine
            .world()
            .user_commits(".gitattributes", "*.sh eol=lf\n");
        run(&machine).unwrap();
        let story = story(&machine);
        let session: String = session.chars().take(70).collect();
        let want = if lands {
            "landed T01"
        } else {
            "failed T01#1 oracle_modified"
        };
        assert!(story.starts_with(want), "{session}: {story}");
    }
}

#[test]
fn what_becomes_of_units_that_were_planned_before_stands_in_a_planners_judgement() {
    let revisions = |session: &str| {
        let machine = machine(
            "G1: T01 done; G1-PLAN plan-next max_attempts=1 | G2: T02 draft",
            "plannext:\n  - {name: plan, command: lacks broken}\n",
            session,
        );
        run(&machine).unwrap();
        judgement(&machine, "G1-PLAN").revisions
    };
    assert!(revisions("+%/GATE-02-REVIEW.md").is_empty());
    let revised = revisions("+%/GATE-02-REVIEW.md -%/WU-03.md");
    let revised: Vec<String> = revised.iter().map(ToString::to_string).collect();
    assert_eq!(
        revised,
        ["reshaped: FEAT-2026-0001/T02 was planned before and is different now"]
    );
}

#[test]
fn a_command_that_is_asked_about_some_paths_judges_no_others() {
    let oracle = "code:\n  - {name: work, command: lacks bad}\n  - {name: docs, command: lacks broken, when: [docs/**]}\n";
    for (session, want) in [
        ("+a.txt +broken", "landed T01"),
        ("+docs/a.md +broken", "failed T01#1 verification"),
        ("+docs/a.md", "landed T01"),
    ] {
        let machine = machine("G1: T01 max_attempts=1", oracle, session);
        run(&machine).unwrap();
        let story = story(&machine);
        assert!(story.starts_with(want), "{session}: {story}");
    }
}
