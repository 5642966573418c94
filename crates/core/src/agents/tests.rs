use super::*;
use crate::model::status_machine::Word;

#[test]
fn every_agent_is_found_by_its_own_name_alone() {
    for agent in ALL {
        assert_eq!(
            by_name(agent.name()).map(|found| found.name()),
            Some(agent.name())
        );
        assert_eq!(nearest(agent.name()), Some(agent.name()));
    }
    assert!(by_name("Claude").is_none());
}

#[test]
fn only_a_slip_of_the_pen_is_near() {
    let rows = [
        ("claud", Some("claude")),
        ("Claude", Some("claude")),
        ("scirpt", Some("script")),
        ("x", None),
        ("gandalf", None),
    ];
    for (name, want) in rows {
        assert_eq!(nearest(name), want, "{name}");
    }
}

#[test]
fn errors_are_classed_by_status_and_kind() {
    let rows = [
        (Some(401), "", "auth"),
        (Some(403), "permission_error", "auth"),
        (Some(402), "", "quota"),
        (Some(429), "rate_limit_error", "limit"),
        (Some(429), "insufficient_quota", "quota"),
        (Some(400), "billing_error", "quota"),
        (Some(400), "invalid_request_error", "protocol"),
        (Some(404), "not_found_error", "protocol"),
        (Some(500), "api_error", "overloaded"),
        (Some(529), "overloaded_error", "overloaded"),
        (None, "authentication_failed", "auth"),
        (None, "rate_limit", "limit"),
        (None, "overloaded_error", "overloaded"),
        (None, "connection_error", "network"),
        (None, "unknown", "network"),
        (None, "invalid_request", "protocol"),
        (None, "error_during_execution", "crashed"),
        (None, "", "crashed"),
    ];
    for (status, kind, want) in rows {
        let error = ApiError {
            status,
            kind: Some(kind.into()),
            ..ApiError::default()
        };
        assert_eq!(
            class_of_error(&error).class().word(),
            want,
            "{status:?} {kind}"
        );
    }
}

#[test]
fn a_tail_keeps_the_end_at_a_character() {
    for cap in 1..12 {
        let mut tail = Tail::new(cap);
        let mut all = String::new();
        for piece in ["aé", "日本語", "", "x", "👩‍👧 and more", "ß"] {
            tail.push(piece);
            all.push_str(piece);
            let kept = tail.as_str();
            assert!(
                all.ends_with(kept) && kept.len() <= cap,
                "{kept:?} of {all:?} at {cap}"
            );
            assert!(
                kept.len() + 4 > cap.min(all.len()),
                "{kept:?} of {all:?} at {cap}"
            );
        }
    }
}

#[test]
fn a_character_cut_between_two_reads_of_stderr_is_whole() {
    for size in 1..6 {
        let mut listener = Listener::new(by_name("command").unwrap());
        "è vero: 日本\u{1F600}"
            .as_bytes()
            .chunks(size)
            .for_each(|bytes| listener.stderr(bytes));
        listener.stderr(b"\xff.\xe6");
        assert_eq!(
            listener.end().stderr.as_str(),
            "è vero: 日本\u{1F600}\u{fffd}.\u{fffd}"
        );
    }
}
