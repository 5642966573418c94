use crate::agents::{Agent, ProcessExit, Reset, Session, acp::Acp};
use crate::model::status_machine::Word;

fn check(lines: &[&str], exit: ProcessExit, class: &str, reset: Option<u64>) {
    let mut seen = Session::default();
    lines
        .iter()
        .for_each(|line| Acp.read(line.as_bytes(), &mut seen));
    Acp.end(&mut seen);
    assert_eq!(
        Acp.outcome(&exit, &seen).class().word(),
        class,
        "{lines:?} {exit:?}"
    );
    let reported = seen.errors.back().and_then(|error| error.reset.clone());
    assert_eq!(reported, reset.map(Reset::After), "{lines:?}");
}

#[test]
fn the_fields_of_a_fault_show_its_class_before_its_words_do() {
    for (error, class, reset) in [
        (
            r#"{"code":-32000,"message":"Authentication required"}"#,
            "auth",
            None,
        ),
        (
            r#"{"code":429,"message":"slow down, the login page may time out"}"#,
            "limit",
            None,
        ),
        (
            r#"{"code":-32603,"message":"Internal error","data":{"status":529,"message":"no rate limit here"}}"#,
            "overloaded",
            None,
        ),
        (
            r#"{"code":-32603,"message":"Internal error","data":{"statusCode":429,"retryAfter":30}}"#,
            "limit",
            Some(30),
        ),
        (
            r#"{"code":-32603,"message":"Internal error","data":{"error":{"type":"rate_limit_error","message":"wait"}}}"#,
            "limit",
            None,
        ),
        (
            r#"{"code":-32603,"message":"Internal error","data":{"details":"402 Insufficient credits"}}"#,
            "quota",
            None,
        ),
        (
            r#"{"code":-32603,"message":"Internal error","data":{"message":"x","codexErrorInfo":"unauthorized"}}"#,
            "auth",
            None,
        ),
        (
            r#"{"code":-32603,"message":"Internal error","data":{"message":"x","codexErrorInfo":{"http_connection_failed":{}}}}"#,
            "network",
            None,
        ),
        (
            r#"{"code":-32603,"message":"Internal error","data":"fetch failed"}"#,
            "network",
            None,
        ),
        (
            r#"{"code":-32603,"message":"Internal error: 401 invalid key"}"#,
            "auth",
            None,
        ),
        (
            r#"{"code":-32602,"message":"Invalid params"}"#,
            "protocol",
            None,
        ),
        (
            r#"{"code":-32601,"message":"Method not found"}"#,
            "protocol",
            None,
        ),
        (
            r#"{"code":-32603,"message":"Internal error"}"#,
            "crashed",
            None,
        ),
        (r#"{"code":"x","message":7,"data":[1]}"#, "crashed", None),
    ] {
        let line = format!(r#"{{"jsonrpc":"2.0","id":3,"error":{error}}}"#);
        for exit in [
            ProcessExit::Code(0),
            ProcessExit::Code(1),
            ProcessExit::Signal(15),
        ] {
            check(&[&line], exit, class, reset);
        }
    }
}

#[test]
fn how_the_turn_stopped_shows_what_it_was() {
    let end = |stop: &str| format!(r#"{{"id":3,"result":{{"stopReason":"{stop}"}}}}"#);
    let say = |text: &str| {
        format!(
            r#"{{"method":"session/update","params":{{"update":{{"sessionUpdate":"agent_message_chunk","content":{{"type":"text","text":"{text}"}}}}}}}}"#
        )
    };
    let tool = r#"{"method":"session/update","params":{"update":{"sessionUpdate":"tool_call","toolCallId":"c","kind":"edit","status":"completed","title":"a"}}}"#;
    let rows: &[(&[&str], ProcessExit, &str)] = &[
        (&[tool, &end("end_turn")], ProcessExit::Code(0), "worked"),
        // It ended at a limit of its own: what it left may well be whole.
        (&[tool, &end("max_tokens")], ProcessExit::Code(0), "worked"),
        (
            &[tool, &end("max_turn_requests")],
            ProcessExit::Code(0),
            "worked",
        ),
        (&[tool, &end("refusal")], ProcessExit::Code(0), "blocked"),
        (&[&end("refusal")], ProcessExit::Code(0), "blocked"),
        (&[tool, &end("cancelled")], ProcessExit::Code(0), "crashed"),
        // It says so because we stopped it.
        (
            &[tool, &end("cancelled")],
            ProcessExit::IdleLimit,
            "network",
        ),
        (
            &[tool, &end("cancelled")],
            ProcessExit::WallLimit,
            "timed_out",
        ),
        (
            &[tool, &end("cancelled")],
            ProcessExit::Cancelled,
            "cancelled",
        ),
        // A fault in the assistant's mouth is no work, nor is a fault read out of it.
        (
            &[&say("Error: 429 rate limit"), &end("end_turn")],
            ProcessExit::Code(0),
            "empty",
        ),
        (
            &[&say("all is well"), &end("end_turn")],
            ProcessExit::Code(0),
            "empty",
        ),
        (
            &[&say("```result\\nstatus: complete\\n```"), &end("end_turn")],
            ProcessExit::Code(0),
            "worked",
        ),
        (
            &[tool, &say("Error: 429 rate limit"), &end("end_turn")],
            ProcessExit::Code(0),
            "worked",
        ),
        (&[tool], ProcessExit::Code(0), "protocol"),
    ];
    for (lines, exit, class) in rows {
        check(lines, *exit, class, None);
    }
}
