use super::*;
use crate::model::status_machine::Word;

fn error(kind: &str) -> ApiError {
    let (kind, status) = kind.split_once(':').unwrap_or((kind, ""));
    ApiError {
        status: status.parse().ok(),
        kind: Some(kind.to_owned()),
        ..ApiError::default()
    }
}

fn exit(text: &str) -> ProcessExit {
    match text.split_once(' ').unwrap_or((text, "")) {
        ("code", code) => ProcessExit::Code(code.parse().unwrap()),
        ("signal", signal) => ProcessExit::Signal(signal.parse().unwrap()),
        ("wall", _) => ProcessExit::WallLimit,
        ("idle", _) => ProcessExit::IdleLimit,
        ("budget", _) => ProcessExit::Budget,
        ("cancelled", _) => ProcessExit::Cancelled,
        ("missing", _) => ProcessExit::Missing,
        other => panic!("unknown exit {other:?}"),
    }
}

/// Reads what was seen of a session; `_` stands for a space.
fn session(words: &str) -> Session {
    let mut seen = Session {
        structured: words.contains("structured"),
        ..Session::default()
    };
    let say = |seen: &mut Session, text: &str| match seen.structured {
        true => seen.say(text),
        false => seen.plain_line(text),
    };
    let block = |body: String| format!("```result\n{body}\n```");
    for word in words.split_whitespace() {
        let (key, value) = word.split_once('=').unwrap_or((word, ""));
        let value = &value.replace('_', " ");
        match key {
            "structured" => {}
            "finished" => seen.finished = true,
            "failed" => seen.is_error = Some(true),
            "ended" => seen.terminal_reason = Some(value.replace(' ', "_")),
            "succeeded" => seen.is_error = Some(false),
            "error" => seen.fail(error(&value.replace(' ', "_"))),
            "retry" => seen.retry(error(&value.replace(' ', "_"))),
            "stderr" => seen.stderr.push_line(value),
            "tokens" => seen.usage.output_tokens = value.parse().ok(),
            "tools" => seen.tool_calls = value.parse().unwrap(),
            "says" => say(&mut seen, value),
            "complete" => say(&mut seen, &block("status: complete\nsummary: ok".into())),
            "blocked" => say(
                &mut seen,
                &block(format!("status: blocked\nblocked_reason: {value}")),
            ),
            other => panic!("unknown word {other}"),
        }
    }
    seen
}

/// Holds every line, `exit | session => outcome`.
fn check(table: &str) {
    for row in table.lines().map(str::trim).filter(|row| !row.is_empty()) {
        let (given, want) = row.split_once("=> ").expect(row);
        let (end, words) = given.split_once('|').expect(row);
        let outcome = fallback_outcome(&exit(end.trim()), &session(words));
        let got = match &outcome {
            Outcome::Blocked(reason) => format!("blocked, {reason}"),
            other => other.class().to_string(),
        };
        assert_eq!(got, want, "{row}");
    }
}

#[test]
fn a_session_that_ended_by_itself_worked_unless_it_shows_otherwise() {
    check(
        "
        code 0 |                                 => worked
        code 0 | says=done                       => worked
        code 0 | tokens=0                        => empty
        code 0 | tokens=0 tools=1                => worked
        code 0 | tokens=1                        => worked
        code 0 | blocked=no_key                  => blocked, no key
        code 0 | succeeded                       => worked
        code 0 | structured finished             => worked
        code 0 | structured finished tokens=0    => empty
        code 0 | structured finished blocked=why => blocked, why
        code 0 | structured says=half            => protocol
        code 0 | structured complete             => worked
        code 0 | structured blocked=why          => blocked, why
        code 1 | structured finished             => worked
        signal 9 | structured finished           => worked
        ",
    );
}

#[test]
fn a_program_that_never_began_is_classed_by_what_it_printed() {
    let agent = crate::agents::by_name("codex").unwrap();
    for (end, words, want) in [
        ("code 0", "", "protocol"),
        ("code 1", "", "crashed"),
        ("code 1", "says=Unauthorized:_invalid_api_key", "auth"),
        ("code 0", "says=Unauthorized:_invalid_api_key", "auth"),
        ("code 0", "stderr=Unauthorized", "auth"),
        (
            "code 1",
            "says=Unauthorized stderr=Too_many_requests",
            "limit",
        ),
        // Words beside events are the model's.
        ("code 1", "structured says=Unauthorized", "crashed"),
    ] {
        let outcome = agent.outcome(&exit(end), &session(words));
        assert_eq!(outcome.class().word(), want, "{end} | {words}");
    }
}

#[test]
fn a_session_that_failed_is_classed_by_its_newest_error() {
    check(
        "
        code 0 | failed                              => crashed
        code 0 | failed finished error=auth          => auth
        code 0 | failed error=auth error=rate_limit  => limit
        code 1 | failed error=odd                    => crashed
        code 1 |                                     => crashed
        code 1 | structured says=half                => crashed
        code 1 | error=rate_limit                    => limit
        code 1 | retry=connection_error              => network
        code 1 | error=rate_limit retry=connection   => limit
        code 1 | blocked=why                         => blocked, why
        code 1 | error=auth blocked=why              => auth
        code 1 | stderr=error:_429_too_many_requests => limit
        code 1 | error=auth stderr=error:_429_too_many_requests => auth
        signal 9 |                                   => crashed
        code 127 |                                   => missing
        code 126 |                                   => missing
        code 127 | structured                        => crashed
        code 1 | structured finished failed error=odd ended=max_turns        => worked
        code 1 | structured finished failed error=odd ended=error            => crashed
        code 1 | structured finished failed error=odd ended=budget_exhausted => budget
        ",
    );
}

#[test]
fn a_session_that_was_stopped_is_classed_by_what_kept_it() {
    check(
        "
        missing | finished                          => missing
        cancelled | finished                        => cancelled
        budget | finished                           => budget
        cancelled | failed error=auth               => cancelled
        wall |                                      => timed_out
        idle |                                      => idle
        wall | structured finished                  => worked
        wall | structured says=half                 => timed_out
        idle | structured says=half                 => idle
        wall | structured tools=1                   => timed_out
        wall | structured                           => network
        idle | structured                           => network
        wall | structured says=half retry=rate_limit => limit
        wall | structured says=half retry=odd       => timed_out
        idle | structured says=half retry=odd       => idle
        wall | structured retry=overloaded          => overloaded
        wall | failed structured says=half          => timed_out
        idle | failed structured says=half          => idle
        wall | failed error=auth                    => auth
        ",
    );
}

#[test]
fn an_error_is_classed_by_its_money_then_its_status_then_its_kind() {
    for (kind, want) in [
        ("insufficient_quota:429", "quota"),
        ("billing_error:400", "quota"),
        (":402", "quota"),
        (":401", "auth"),
        (":403", "auth"),
        (":429", "limit"),
        (":500", "overloaded"),
        (":529", "overloaded"),
        (":408", "network"),
        (":400", "protocol"),
        (":404", "protocol"),
        ("rate_limit_error:401", "auth"),
        ("rate_limit_error:403", "limit"),
        ("oauth", "auth"),
        ("Rate_Limit_Error", "limit"),
        ("overloaded_error", "overloaded"),
        ("invalid_request", "protocol"),
        ("connect_timeout", "network"),
        // A status was received, so there is a network.
        ("timeout:302", "crashed"),
        ("", "crashed"),
    ] {
        assert_eq!(class_of_error(&error(kind)).class().word(), want, "{kind}");
    }
}

#[test]
fn an_outcome_costs_an_attempt_passes_by_itself_or_needs_a_user() {
    let limit = Outcome::Limit { reset: None };
    let blocked = Outcome::Blocked("why".to_owned());
    for (outcome, class, costs, passes, sentence) in [
        (Outcome::Worked, "worked", true, false, "ended"),
        (blocked, "blocked", true, false, "is blocked: why"),
        (Outcome::TimedOut, "timed_out", true, false, "time limit"),
        (Outcome::Idle, "idle", true, false, "long silence"),
        (Outcome::Budget, "budget", true, false, "budget"),
        (Outcome::Empty, "empty", false, false, "without producing"),
        (limit, "limit", false, true, "usage limit"),
        (Outcome::Quota, "quota", false, false, "no credit"),
        (Outcome::Auth, "auth", false, false, "not logged in"),
        (Outcome::Overloaded, "overloaded", false, true, "overloaded"),
        (
            Outcome::Network,
            "network",
            false,
            true,
            "cannot be reached",
        ),
        (Outcome::Missing, "missing", false, false, "is missing"),
        (
            Outcome::Crashed,
            "crashed",
            false,
            false,
            "without an explanation",
        ),
        (
            Outcome::Protocol,
            "protocol",
            false,
            false,
            "refused the request",
        ),
        (
            Outcome::Cancelled,
            "cancelled",
            false,
            false,
            "was cancelled",
        ),
    ] {
        assert_eq!(outcome.class().word(), class);
        assert_eq!(!outcome.is_infra(), costs, "{class}");
        assert_eq!(outcome.passes_by_itself(), passes, "{class}");
        assert!(outcome.to_string().contains(sentence), "{outcome}");
    }
}
