use super::*;
use crate::driver::test_machine::{BRANCH, MemoryMachine};
use crate::driver::test_run::{ORACLE, machine};
use crate::engine::feature_draft::DraftSource;
use crate::engine::model_selection::ChainLink;
use crate::model::layout::Layout;

const DIR: &str = ".gatewalk/features/FEAT-2026-0009-bug";

/// Drafts a check with sessions in words, `%` being the directory; returns what came of it.
fn drafted(sessions: &str) -> (MemoryMachine, String) {
    let sessions = sessions.replace('%', DIR);
    let machine = machine("G1: T01 done", ORACLE, &sessions);
    let base = *machine.world().tip();
    let files = machine.world().files(&base).unwrap().clone();
    let workspace = Workspace::parse(Layout::Gatewalk, &files);
    let source = DraftSource {
        name: "a sentence".to_owned(),
        text: "The total is wrong".to_owned(),
    };
    let task = CheckTask {
        assignment: DraftAssignment {
            base,
            id: "FEAT-2026-0009",
            dir: DIR,
            branch: BRANCH,
            source: &source,
            chain: &[ChainLink {
                agent: "a".to_owned(),
                ..ChainLink::default()
            }],
            by_user: false,
            max_attempts: 2,
        },
        workspace: &workspace,
    };
    let said = match run(&machine, &machine, &task).unwrap() {
        Drafted::Ready {
            draft: run,
            attempts,
            ..
        } => format!("{run} after {attempts}"),
        Drafted::Refused { findings, kept } => format!("{} ({kept})", findings.join("; ")),
        Drafted::NoAgent(why) => format!("no agent: {why}"),
        Drafted::Interrupted => "interrupted".to_owned(),
    };
    (machine, said)
}

#[test]
fn a_check_is_taken_when_it_is_red_today_and_the_only_thing_written() {
    let two = "refs/gatewalk/drafts/FEAT-2026-0009/2";
    for (sessions, want) in [
        ("+%/check.sh=has·fixed", "has fixed after 1".to_owned()),
        (
            "+%/check.sh=lacks·broken;+%/check.sh=has·fixed",
            "has fixed after 2".to_owned(),
        ),
        (
            "+%/check.sh=has·fixed +fixed;+%/check.sh=has·fixed -fixed",
            "has fixed after 2".to_owned(),
        ),
        (
            "+%/check.sh=lacks·broken;+%/check.sh=lacks·broken",
            format!("it passes today, so it does not show the bug ({two})"),
        ),
        (
            "+%/check.sh=true;",
            format!("the check cannot fail ({two})"),
        ),
        (
            "blocked=no·such·bug",
            "the session says it is blocked: no such bug (refs/gatewalk/drafts/FEAT-2026-0009/1)"
                .to_owned(),
        ),
        ("crashed", "no agent: crashed".to_owned()),
        ("cancelled", "interrupted".to_owned()),
    ] {
        let (machine, said) = drafted(sessions);
        assert_eq!(said, want, "{sessions}");
        // Whatever a session left is kept.
        let kept = machine
            .world()
            .refs
            .keys()
            .any(|name| name.contains("drafts/FEAT-2026-0009/1"));
        assert!(kept, "{sessions}");
    }
}

fn ended(ended: CommandEnd, stderr: &str) -> ShellEnd {
    ShellEnd {
        ended,
        duration: Duration::from_secs(1),
        stdout_head: vec![],
        stdout_tail: vec![],
        stdout_omitted: 0,
        stderr_head: vec![],
        stderr_tail: stderr.as_bytes().to_vec(),
        stderr_omitted: 0,
    }
}

#[test]
fn a_check_that_fails_for_a_reason_of_the_shell_s_shows_nothing() {
    for (end, want) in [
        (ended(CommandEnd::Exited(1), ""), None),
        (ended(CommandEnd::Exited(2), "assertion failed"), None),
        (ended(CommandEnd::Exited(0), ""), Some("passes today")),
        (
            ended(CommandEnd::Exited(127), "sh: 1: x: not found"),
            Some("is not there"),
        ),
        (ended(CommandEnd::Exited(126), ""), Some("is not there")),
        (
            ended(CommandEnd::Exited(2), "sh: 1: Syntax error: end of file"),
            Some("no shell text"),
        ),
        (
            ended(CommandEnd::TimedOut(Duration::from_secs(60)), ""),
            Some("timed out"),
        ),
    ] {
        match (trial_of("x", &end), want) {
            (CheckTrial::Red(_), None) => {}
            (CheckTrial::Useless(why), Some(want)) => assert!(why.contains(want), "{why}"),
            (found, want) => panic!("{found:?}, not {want:?}"),
        }
    }
}
