use super::*;
use crate::agents::{ApiError, ProcessExit, Session};

fn ended(outcome: Outcome, session: Session) -> AgentEnd {
    AgentEnd {
        exit: ProcessExit::Code(1),
        session,
        outcome,
        duration: std::time::Duration::ZERO,
        strays: 0,
        remedy: None,
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
    for (outcome, session, refuses, dead) in [
        (Outcome::Protocol, refused(404), true, false),
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
    let mut talking = Session::default();
    talking.say("I begin.");
    for (agent, outcome, session, want) in [
        (
            "continue",
            Outcome::Idle,
            Session::default(),
            Some(Outcome::Network),
        ),
        (
            "gemini",
            Outcome::TimedOut,
            Session::default(),
            Some(Outcome::Network),
        ),
        ("gemini", Outcome::Idle, talking, None),
        ("my-own", Outcome::Idle, Session::default(), None),
        ("aider", Outcome::Worked, Session::default(), None),
    ] {
        assert_eq!(
            without_a_trace(agent, &ended(outcome, session)),
            want,
            "{agent}"
        );
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

/// `next` in the chain, and the seconds until then; `None` for at once.
fn check(outcome: Outcome, tries: u32, chain: usize, want: (usize, Option<(i64, i64)>)) {
    let now: Timestamp = NOW.parse().unwrap();
    let got = after(
        &outcome,
        tries,
        ChainPlace {
            agent: 0,
            agents: chain,
        },
        now,
    );
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
        check(outcome, tries, chain, want);
    }
}
