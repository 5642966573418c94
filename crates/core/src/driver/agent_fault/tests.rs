use super::*;
use crate::agents::{ApiError, ProcessExit, Reset, Session};

fn ended(outcome: Outcome, session: Session) -> AgentEnd {
    AgentEnd {
        place: None,
        exit: ProcessExit::Code(1),
        session,
        outcome,
        duration: std::time::Duration::ZERO,
        strays: 0,
        remedy: None,
        answers_show: AnswersShow::Unknown,
        notes: vec![],
    }
}

#[test]
fn what_cannot_change_is_not_tried_again() {
    let refused = |status| {
        let mut session = Session::default();
        session.fail(ApiError {
            status: Some(status),
            message: "no such model".into(),
            ..ApiError::default()
        });
        session
    };
    let complains = |stderr| {
        let mut session = Session::default();
        session.stderr.push_line(stderr);
        session
    };
    for (outcome, session, refuses, dead) in [
        (Outcome::Protocol, refused(404), true, false),
        (
            Outcome::Protocol,
            complains("Error: Model \"x\" is not available."),
            true,
            true,
        ),
        (
            Outcome::Protocol,
            complains("Too many requests"),
            false,
            true,
        ),
        (Outcome::Protocol, refused(400), true, false),
        (Outcome::Protocol, Session::default(), false, true),
        (Outcome::Crashed, Session::default(), false, true),
        (Outcome::Overloaded, refused(529), false, false),
    ] {
        let end = ended(outcome, session);
        assert_eq!(
            (is_refused(&end), is_dead(&end)),
            (refuses, dead),
            "{end:?}"
        );
    }
}

#[test]
fn a_server_that_never_answered_is_not_the_units_fault() {
    use AnswersShow::{ByEvents, ByOutput, Unknown};
    let mut talking = Session::default();
    talking.say("I begin.");
    let bare = |text: &str| {
        let mut bare = Session::default();
        bare.plain_line(text);
        bare
    };
    const NOTICE: &str = "Please accept the new terms in the app.";
    const RESULT: &str = "```result\nstatus: complete\n```";
    for (show, outcome, session, want) in [
        // In place of a session, and in place of an answer.
        (
            ByEvents,
            Outcome::Worked,
            bare(NOTICE),
            Some(Outcome::Empty),
        ),
        (ByOutput, Outcome::Worked, bare(NOTICE), None),
        (Unknown, Outcome::Worked, bare(NOTICE), None),
        (ByEvents, Outcome::Worked, bare(RESULT), None),
        (
            ByEvents,
            Outcome::Idle,
            Session::default(),
            Some(Outcome::Network),
        ),
        (
            ByEvents,
            Outcome::TimedOut,
            Session::default(),
            Some(Outcome::Network),
        ),
        (ByEvents, Outcome::Idle, talking, None),
        (Unknown, Outcome::Idle, Session::default(), None),
        (
            ByEvents,
            Outcome::Worked,
            Session::default(),
            Some(Outcome::Empty),
        ),
        (Unknown, Outcome::Worked, Session::default(), None),
    ] {
        let end = AgentEnd {
            answers_show: show,
            ..ended(outcome.clone(), session)
        };
        assert_eq!(without_a_trace(&end), want, "{show:?} {outcome}");
    }
}

#[test]
fn a_program_that_does_not_understand_how_it_was_started_is_not_tried_again() {
    for (stderr, want) in [
        ("error: unexpected argument '--json' found", true),
        ("Error: Cannot find module '/opt/cli.js'", true),
        ("Error loading config.toml: unknown variant `ultra`", true),
        ("Settings file is not valid JSON", true),
        ("thread 'main' panicked", false),
        ("", false),
    ] {
        let mut session = Session::default();
        session.stderr.push(stderr);
        let end = ended(Outcome::Crashed, session.clone());
        assert_eq!(cannot_start(&end), want, "{stderr}");
        // One that has worked understood.
        session.say("I begin.");
        assert!(!cannot_start(&ended(Outcome::Crashed, session)));
    }
}

#[test]
fn an_unexplained_end_quotes_the_end_of_standard_error() {
    let mut session = Session::default();
    session
        .stderr
        .push("starting\nTypeError: x is not a function\n    at main (a.js:1:1)\n\n");
    let told = why("claude", &ended(Outcome::Crashed, session.clone()));
    assert!(told.contains("TypeError: x is not a function"), "{told}");
    let told = why("claude", &ended(Outcome::Network, session));
    assert!(!told.contains("TypeError"), "{told}");
}

const NOW: &str = "2026-11-21T10:00:00.000999Z";

fn place(agent: usize, agents: usize) -> ChainPlace {
    ChainPlace {
        agent,
        agents,
        model: Some("m".into()),
    }
}

fn fault(outcome: &Outcome, tries: u32) -> Fault<'_> {
    let now: Timestamp = NOW.parse().unwrap();
    let stated = match outcome {
        Outcome::Limit { reset } => reset.as_ref().and_then(|reset| reset.wait(now, &|_| None)),
        _ => None,
    };
    Fault {
        outcome,
        tries,
        stated,
        hung: false,
    }
}

/// `next` in the chain, and the seconds until then; `None` for at once.
fn check(fault: &Fault<'_>, chain: usize, want: (usize, Option<(i64, i64)>)) {
    let now: Timestamp = NOW.parse().unwrap();
    let (outcome, tries) = (fault.outcome, fault.tries);
    let got = fault.after(&place(0, chain), now);
    let wait = got.wait_until.map(|at| at.duration_since(now).as_secs());
    assert_eq!(got.next, want.0, "{outcome:?} {tries} {chain}");
    match (wait, want.1) {
        (Some(wait), Some((least, most))) => {
            assert!(
                (least..=most).contains(&wait),
                "{outcome:?} {tries}: {wait}"
            );
        }
        (wait, want) => assert_eq!(wait.is_some(), want.is_some(), "{outcome:?} {tries}"),
    }
}

#[test]
fn a_hang_is_tried_less_often_than_what_fails_at_once() {
    for (tries, next) in [(3, 0), (4, 1), (12, 1)] {
        let hung = Fault {
            hung: true,
            ..fault(&Outcome::Network, tries)
        };
        let wait = (next == 0).then_some((60, 72));
        check(&hung, 1, (next, wait));
    }
}

#[test]
fn what_one_unit_finds_out_is_shared_as_far_as_it_holds() {
    let error = |status: u16, kind: &str| {
        let mut session = Session::default();
        session.fail(ApiError::reported(
            Some(status),
            Some(kind.into()),
            "said so",
        ));
        session
    };
    let limit = Outcome::Limit { reset: None };
    for (outcome, session, want) in [
        (Outcome::Auth, Session::default(), "unusable"),
        (Outcome::Missing, Session::default(), "unusable"),
        (Outcome::Protocol, error(404, "model_not_found"), "refused"),
        (Outcome::Protocol, error(400, "invalid_request"), ""),
        // It never began, and never will.
        (Outcome::Crashed, Session::default(), "unusable"),
        (Outcome::Overloaded, error(529, "overloaded"), ""),
        (limit, Session::default(), "limited"),
    ] {
        let end = ended(outcome.clone(), session);
        let now: Timestamp = NOW.parse().unwrap();
        let fault = fault(&outcome, UNEXPLAINED_LIMIT);
        let trouble = fault.after(&place(0, 1), now);
        let mut shared = SharedTrouble::default();
        let met = MetFault {
            agent: "codex",
            end: &end,
            place: &place(0, 1),
            trouble: &trouble,
            now,
        };
        fault.share(&mut shared, &met);
        let asked = ("codex".to_owned(), Some("m".to_owned()));
        let mut got = Vec::new();
        got.extend(shared.unusable.contains_key("codex").then_some("unusable"));
        got.extend(shared.refused.contains_key(&asked).then_some("refused"));
        got.extend(shared.limited.contains_key(&asked).then_some("limited"));
        assert_eq!(got.join(" "), want, "{outcome}");
    }
}

#[test]
fn three_sessions_that_never_began_are_enough_whichever_units_they_were_of() {
    let typed = |kind: &str| {
        let mut session = Session::default();
        session.fail(ApiError::reported(None, Some(kind.into()), "said so"));
        session
    };
    let mut begun = typed("odd");
    begun.say("I begin.");
    let crashed = || ended(Outcome::Crashed, typed("odd"));
    let refused = || ended(Outcome::Protocol, typed("unsupported_value"));
    let too_large = || ended(Outcome::Protocol, typed("context_length_exceeded"));
    let passing = || ended(Outcome::Network, typed("timeout"));
    for (ends, want) in [
        (vec![crashed(), crashed()], ""),
        (vec![crashed(), crashed(), crashed()], "unusable"),
        (vec![crashed(), passing(), crashed(), crashed()], ""),
        (vec![refused(), refused(), refused()], "refused"),
        (vec![too_large(), too_large(), too_large()], ""),
        (
            vec![ended(Outcome::Crashed, begun), crashed(), crashed()],
            "",
        ),
    ] {
        let mut shared = SharedTrouble::default();
        let now: Timestamp = NOW.parse().unwrap();
        for end in &ends {
            // Each is the first of its unit.
            let fault = fault(&end.outcome, 1);
            let trouble = fault.after(&place(0, 1), now);
            let met = MetFault {
                agent: "codex",
                end,
                place: &place(0, 1),
                trouble: &trouble,
                now,
            };
            fault.share(&mut shared, &met);
        }
        let asked = ("codex".to_owned(), Some("m".to_owned()));
        let mut got = Vec::new();
        got.extend(shared.unusable.contains_key("codex").then_some("unusable"));
        got.extend(shared.refused.contains_key(&asked).then_some("refused"));
        assert_eq!(got.join(" "), want, "{}", ends.len());
        shared.worked("codex", now);
        assert!(shared.silent.is_empty());
    }
}

#[test]
fn what_passes_is_waited_for_and_what_lasts_falls_along_the_chain() {
    let limit = |reset| Outcome::Limit { reset };
    let at = |seconds: i64| {
        let now: Timestamp = NOW.parse().unwrap();
        Some(Reset::At(now.as_second() + seconds))
    };
    for (outcome, tries, chain, want) in [
        // A limit: the next agent works meanwhile; alone, wait for the stated moment.
        (limit(at(3600)), 1, 2, (1, None)),
        (limit(at(3600)), 1, 1, (0, Some((3600, 3606)))),
        (limit(Some(Reset::After(90))), 1, 1, (0, Some((90, 96)))),
        (limit(at(-50)), 1, 1, (0, Some((1, 7)))),
        (limit(at(30 * 3600)), 1, 1, (1, None)),
        (limit(Some(Reset::After(u64::MAX))), 1, 1, (1, None)),
        (limit(None), 1, 1, (0, Some((15, 18)))),
        (limit(None), 3, 1, (0, Some((60, 72)))),
        // Back off, bounded in length and in number.
        (Outcome::Overloaded, 1, 2, (0, Some((15, 18)))),
        (Outcome::Network, 2, 1, (0, Some((30, 36)))),
        (Outcome::Network, 12, 1, (0, Some((1800, 2160)))),
        (Outcome::Network, 13, 1, (1, None)),
        (limit(Some(Reset::After(1))), 13, 1, (1, None)),
        // A user or another agent must act: at once.
        (Outcome::Auth, 1, 1, (1, None)),
        (Outcome::Quota, 1, 3, (1, None)),
        (Outcome::Missing, 1, 3, (1, None)),
        // Unexplained: again, a few times.
        (Outcome::Crashed, 1, 2, (0, None)),
        (Outcome::Empty, 2, 2, (0, None)),
        (Outcome::Protocol, 3, 2, (1, None)),
    ] {
        check(&fault(&outcome, tries), chain, want);
    }
}
