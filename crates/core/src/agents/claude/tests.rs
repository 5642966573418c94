use super::*;
use crate::agents::{Listener, PromptVia, Reset, ResultBlock};
use crate::model::status_machine::Word;
use std::path::{Path, PathBuf};

static CLAUDE: Claude = Claude;

fn hear(stdout: &[u8], stderr: &[u8]) -> Session {
    let mut listener = Listener::new(&CLAUDE);
    for line in stdout.split_inclusive(|byte| *byte == b'\n') {
        listener.line(line.strip_suffix(b"\n").unwrap_or(line), false);
    }
    listener.stderr(stderr);
    listener.end()
}

fn recorded(case: &str) -> (Vec<u8>, Vec<u8>) {
    let directory = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../tests/fixtures/transcripts/claude")
        .join(case);
    let mut stdout = None;
    for entry in directory.read_dir().expect("the case is recorded") {
        let path = entry.unwrap().path();
        if path.file_stem().is_some_and(|stem| stem == "stdout") {
            stdout = Some(std::fs::read(&path).unwrap());
        }
    }
    (
        stdout.expect("stdout is recorded"),
        std::fs::read(directory.join("stderr.txt")).unwrap_or_default(),
    )
}

/// Renders what was understood on one line: outcome, tokens, cost, tools, retries, last words.
fn golden(exit: ProcessExit, seen: &Session) -> String {
    let count = |n: Option<u64>| n.map_or("?".to_owned(), |n| n.to_string());
    let usage = seen.usage;
    format!(
        "{} | {}+{} tokens, cache {}/{}, ${} | {} tools, {} denied, {} retries | {}",
        CLAUDE.outcome(&exit, seen).class().word(),
        count(usage.input_tokens),
        count(usage.output_tokens),
        count(usage.cache_read),
        count(usage.cache_write),
        seen.cost_usd
            .map_or("?".to_owned(), |cost| format!("{cost:.4}")),
        seen.tool_calls,
        seen.denials,
        seen.retries,
        seen.closing_text().lines().last().unwrap_or("-"),
    )
}

#[test]
fn every_recording_is_understood() {
    let done = "2468+112 tokens, cache 1400/60, $0.0097";
    let none = "0+0 tokens, cache 0/0, $0.0000";
    let rows = [
        ("ok", ProcessExit::Code(0), format!("worked | {done} | 1 tools, 0 denied, 0 retries | wrote hello.txt")),
        ("array", ProcessExit::Code(0), format!("worked | {done} | 1 tools, 0 denied, 0 retries | wrote hello.txt")),
        ("envelope", ProcessExit::Code(0), format!("worked | {done} | 0 tools, 0 denied, 0 retries | wrote hello.txt")),
        ("text", ProcessExit::Code(0), "worked | ?+? tokens, cache ?/?, $? | 0 tools, 0 denied, 0 retries | wrote hello.txt".into()),
        ("shell", ProcessExit::Code(0), format!("worked | {done} | 1 tools, 0 denied, 0 retries | ran shell")),
        ("resumed", ProcessExit::Code(0), "worked | 3702+168 tokens, cache 2100/90, $0.0146 | 0 tools, 0 denied, 0 retries | wrote hello.txt".into()),
        ("denied", ProcessExit::Code(0), format!("worked | {done} | 1 tools, 1 denied, 0 retries | Done")),
        ("max-turns", ProcessExit::Code(1), "worked | 1234+56 tokens, cache 700/30, $0.0049 | 1 tools, 0 denied, 0 retries | I will create the file now.".into()),
        ("limit-passed", ProcessExit::Code(0), format!("worked | {done} | 1 tools, 0 denied, 2 retries | wrote hello.txt")),
        ("auth", ProcessExit::Code(1), format!("auth | {none} | 0 tools, 0 denied, 10 retries | -")),
        ("envelope-auth", ProcessExit::Code(1), format!("auth | {none} | 0 tools, 0 denied, 0 retries | -")),
        ("quota", ProcessExit::Code(1), format!("quota | {none} | 0 tools, 0 denied, 0 retries | -")),
        ("server-error", ProcessExit::Code(1), format!("overloaded | {none} | 0 tools, 0 denied, 10 retries | -")),
        ("overload", ProcessExit::Code(1), format!("overloaded | {none} | 0 tools, 0 denied, 10 retries | -")),
        ("cut", ProcessExit::WallLimit, "network | 1234+56 tokens, cache 700/30, $? | 1 tools, 0 denied, 17 retries | I will create the file now.".into()),
        ("hang", ProcessExit::IdleLimit, "network | ?+? tokens, cache ?/?, $? | 0 tools, 0 denied, 0 retries | -".into()),
        ("hang", ProcessExit::WallLimit, "network | ?+? tokens, cache ?/?, $? | 0 tools, 0 denied, 0 retries | -".into()),
        ("terminated", ProcessExit::Code(143), "crashed | 1234+1 tokens, cache 700/30, $? | 1 tools, 0 denied, 0 retries | Starting a long command.".into()),
        ("terminated", ProcessExit::Cancelled, "cancelled | 1234+1 tokens, cache 700/30, $? | 1 tools, 0 denied, 0 retries | Starting a long command.".into()),
        ("resume-unknown", ProcessExit::Code(1), format!("crashed | {none} | 0 tools, 0 denied, 0 retries | -")),
        ("session-id-taken", ProcessExit::Code(1), "crashed | ?+? tokens, cache ?/?, $? | 0 tools, 0 denied, 0 retries | -".into()),
    ];
    for (case, exit, want) in rows {
        let (stdout, stderr) = recorded(case);
        let whole = hear(&stdout, &stderr);
        assert_eq!(golden(exit, &whole), want, "{case}");
    }
}

#[test]
fn the_first_event_names_session_model_and_version() {
    let (stdout, stderr) = recorded("ok");
    let seen = hear(&stdout, &stderr);
    assert_eq!(
        seen.session_id.as_deref(),
        Some("ddb5ac10-58e2-402e-83ca-d0e0f4140292")
    );
    assert_eq!(seen.model.as_deref(), Some("claude-sonnet-4-5"));
    assert_eq!(seen.version.as_deref(), Some("2.1.329"));
}

#[test]
fn the_live_view_shows_the_open_tool_and_the_tokens_so_far() {
    let (stdout, _) = recorded("ok");
    let mut listener = Listener::new(&CLAUDE);
    let mut shown = Vec::new();
    for line in stdout
        .strip_suffix(b"\n")
        .unwrap()
        .split(|byte| *byte == b'\n')
    {
        listener.line(line, false);
        let seen = listener.session();
        let now = seen
            .now()
            .map(|now| format!("{} {}", now.tool, now.detail))
            .unwrap_or_default();
        shown.push(format!(
            "{now} {}",
            seen.usage.input_tokens.unwrap_or_default()
        ));
    }
    assert_eq!(
        shown,
        [
            " 0",
            " 1234",
            "Write /repo/hello.txt 1234",
            " 1234",
            " 2468",
            " 2468"
        ]
    );
}

/// Returns the golden line of a made-up output.
fn of(lines: &[&str], exit: ProcessExit) -> String {
    golden(exit, &hear(lines.join("\n").as_bytes(), b""))
}

#[test]
fn an_end_is_judged_by_its_typed_signals() {
    const INIT: &str = r#"{"type":"system","subtype":"init","session_id":"s"}"#;
    const SAID: &str = r#"{"type":"assistant","message":{"id":"m","content":[{"type":"text","text":"rate limit reached, 429, not logged in"}],"usage":{"input_tokens":5,"output_tokens":9}}}"#;
    const BLOCKED: &str = r#"{"type":"assistant","message":{"id":"m","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"```result\nstatus: blocked\nblocked_reason: no rights\n```"}]}}"#;
    const OK: &str = r#"{"is_error":false,"result":"","type":"result","usage":{"input_tokens":5,"output_tokens":9}}"#;
    const ZERO: &str = r#"{"is_error":false,"result":"hello","type":"result","usage":{"input_tokens":0,"output_tokens":0}}"#;
    const REJECTED: &str = r#"{"type":"rate_limit_event","rate_limit_info":{"status":"rejected","resetsAt":1778565600}}"#;
    const ALLOWED: &str = r#"{"type":"rate_limit_event","rate_limit_info":{"status":"allowed_warning","resetsAt":1778565600}}"#;
    const E429: &str = r#"{"type":"result","is_error":true,"subtype":"success","api_error_status":429,"api_error_type":"rate_limit_error","result":"You've hit your limit"}"#;
    let rows: &[(&[&str], ProcessExit, &str)] = &[
        (&[INIT, SAID, OK], ProcessExit::Code(0), "worked"),
        (&[INIT, SAID, ALLOWED, OK], ProcessExit::Code(0), "worked"),
        (
            &[INIT, SAID, "noise", "{broken", OK],
            ProcessExit::Code(0),
            "worked",
        ),
        // It said its last event, then hung or died.
        (&[INIT, SAID, OK], ProcessExit::IdleLimit, "worked"),
        (&[INIT, SAID, OK], ProcessExit::Signal(15), "worked"),
        (&[INIT, SAID, OK], ProcessExit::Cancelled, "cancelled"),
        (&[INIT, SAID, OK], ProcessExit::Budget, "budget"),
        (&[INIT, SAID], ProcessExit::Code(0), "protocol"),
        (&[INIT, BLOCKED], ProcessExit::Code(0), "blocked"),
        (&[INIT, BLOCKED, OK], ProcessExit::Code(0), "blocked"),
        (&[INIT, SAID], ProcessExit::Code(1), "crashed"),
        (&[INIT, SAID], ProcessExit::Signal(9), "crashed"),
        (&[INIT, ZERO], ProcessExit::Code(0), "empty"),
        (&[INIT, REJECTED, E429], ProcessExit::Code(1), "limit"),
        (&[INIT, REJECTED], ProcessExit::Code(1), "limit"),
        (
            &[r#"{"type":"result","is_error":true,"subtype":"error_max_budget_usd","result":""}"#],
            ProcessExit::Code(1),
            "budget",
        ),
        (
            &[
                r#"{"type":"result","is_error":true,"api_error_status":400,"result":"prompt is too long"}"#,
            ],
            ProcessExit::Code(1),
            "protocol",
        ),
        (
            &[r#"{"type":"result","subtype":"error_during_execution"}"#],
            ProcessExit::Code(0),
            "crashed",
        ),
        (
            &[r#"{"result":"done","session_id":"s","total_cost_usd":0.5}"#],
            ProcessExit::Code(0),
            "worked",
        ),
        (
            &[
                "[",
                r#"{"type":"result","is_error":true,"api_error_status":401}"#,
                "]",
            ],
            ProcessExit::Code(1),
            "auth",
        ),
        (
            &[
                "{",
                r#"  "type": "result","#,
                r#"  "is_error": true,"#,
                r#"  "api_error_status": 401"#,
                "}",
            ],
            ProcessExit::Code(1),
            "auth",
        ),
        (
            &["I fixed the rate limit (429) handling. Not logged in."],
            ProcessExit::Code(0),
            "worked",
        ),
        (&["Error: rate limit, 401"], ProcessExit::Code(1), "crashed"),
        // The program's own sentence in place of a session.
        (
            &["Claude AI usage limit reached|1778565600"],
            ProcessExit::Code(0),
            "limit",
        ),
        (
            &["Not logged in · Please run /login"],
            ProcessExit::Code(1),
            "auth",
        ),
        (
            &["Your organization has disabled API key authentication."],
            ProcessExit::Code(1),
            "auth",
        ),
        (
            &["You run `/login`: Please run /login", "All tests pass."],
            ProcessExit::Code(0),
            "worked",
        ),
        (
            &["API Error of old: I mended it.", "All tests pass."],
            ProcessExit::Code(0),
            "worked",
        ),
        (
            &[
                "```result",
                "status: blocked",
                "blocked_reason: |",
                "  no",
                "  rights",
                "```",
            ],
            ProcessExit::Code(0),
            "blocked",
        ),
        (
            &["```result", "status: blocked", "```"],
            ProcessExit::Code(1),
            "blocked",
        ),
        (&[], ProcessExit::Code(0), "worked"),
        (
            &["sh: claude: not found"],
            ProcessExit::Code(127),
            "missing",
        ),
        (&[], ProcessExit::Missing, "missing"),
    ];
    for (lines, exit, want) in rows {
        assert_eq!(
            of(lines, *exit).split(" | ").next(),
            Some(*want),
            "{lines:?} {exit:?}"
        );
    }
}

#[test]
fn a_limit_shows_when_it_ends() {
    let rows = [
        (
            r#"{"type":"rate_limit_event","rate_limit_info":{"status":"rejected","resetsAt":1778565600}}"#,
            "You've hit your limit",
        ),
        ("", "Claude AI usage limit reached|1778565600"),
    ];
    for (event, message) in rows {
        let end = format!(
            r#"{{"type":"result","is_error":true,"api_error_status":429,"result":"{message}"}}"#
        );
        let seen = hear(format!("{event}\n{end}\n").as_bytes(), b"");
        let want = Outcome::Limit {
            reset: Some(Reset::At(1_778_565_600)),
        };
        assert_eq!(
            CLAUDE.outcome(&ProcessExit::Code(1), &seen),
            want,
            "{message}"
        );
    }
}

#[test]
fn a_block_of_thinking_hides_neither_text_nor_result() {
    let line = r#"{"type":"assistant","message":{"id":"m","content":[{"type":"thinking","thinking":"t","signature":"x"},{"type":"text","text":"```result\nstatus: complete\nsummary: é\n```"}],"usage":{"input_tokens":1,"output_tokens":2}}}"#;
    let seen = hear(line.as_bytes(), b"");
    assert_eq!(
        ResultBlock::last_in(seen.closing_text())
            .0
            .map(|block| block.summary)
            .as_deref(),
        Some("é")
    );
}

#[test]
fn a_subagents_words_are_not_the_sessions() {
    let line = r#"{"type":"assistant","parent_tool_use_id":"t1","message":{"id":"m","content":[{"type":"text","text":"```result\nstatus: blocked\n```"}]}}"#;
    assert_eq!(hear(line.as_bytes(), b"").closing_text(), "");
}

#[test]
fn running_usage_counts_a_message_once_however_often_it_is_repeated() {
    let line = |id: usize| {
        format!(
            "{{\"type\":\"assistant\",\"message\":{{\"id\":\"m{id}\",\"content\":[],\"usage\":{{\"input_tokens\":10,\"output_tokens\":1}}}}}}\n"
        )
    };
    let text: String = (0..500)
        .flat_map(|id| [line(id), line(id), line(id)])
        .collect();
    let seen = hear(text.as_bytes(), b"");
    assert_eq!(
        (seen.usage.input_tokens, seen.usage.output_tokens),
        (Some(5000), Some(500))
    );
}

/// As Claude Code 2.1.329 ends where a sub-agent works in the background: a result for what came before, one for what its end
/// set off, and in each the figures of all models so far.
#[test]
fn results_of_parts_add_up_to_what_the_models_used_and_no_more() {
    let result = |input: u64, output: u64| {
        format!(
            r#"{{"type":"result","subtype":"success","is_error":false,"result":"Done.","usage":{{"input_tokens":{input},"output_tokens":{output}}},"modelUsage":{{"opus":{{"inputTokens":5000,"outputTokens":250}}}},"total_cost_usd":0.025}}"#
        )
    };
    let both = format!("{}\n{}\n", result(2000, 100), result(1000, 50));
    let seen = hear(both.as_bytes(), b"");
    assert_eq!(seen.usage.input_tokens, Some(5000));
    assert_eq!(seen.usage.output_tokens, Some(250));
    assert_eq!(seen.cost_usd, Some(0.025));
}

#[test]
fn odd_lines_are_counted_and_never_fatal() {
    let lines: [&[u8]; 7] = [
        br#"{"type":"system","subtype":"init"}"#,
        br#"{"type":"news","x":1}"#,
        br#"{"type":"system","subtype":"news"}"#,
        br#"{"type":"assistant","message":null,"error":{"a":1}}"#,
        br#"{"type":"user","message":{"content":"plain"}}"#,
        b"\xff\xfe not text",
        b"[1,2,3]",
    ];
    let seen = hear(&lines.join(&b'\n'), b"");
    assert_eq!((seen.unknown_events, seen.noise_lines), (2, 2));
}

#[test]
fn a_line_too_long_is_counted_and_the_rest_is_read() {
    let mut listener = Listener::new(&CLAUDE);
    listener.line(b"{\"type\":\"user\",\"message\":{\"content\":[", true);
    listener.line(
        b"{\"type\":\"result\",\"is_error\":false,\"result\":\"done\"}\r",
        false,
    );
    let seen = listener.end();
    assert_eq!((seen.truncated_lines, seen.closing_text()), (1, "done\n"));
}

#[test]
fn the_command_line_is_for_unattended_work() {
    let request = Request {
        prompt_file: Path::new("/log/prompt.md"),
        prompt: "-- do it",
        model: Some("opus"),
        effort: Some("high"),
        unit: "FEAT-2026-0042/T01",
        attempt: 2,
        budget_usd: Some(1.5),
        slot: Path::new("/slot"),
        definition: None,
        root: true,
        own_program: Path::new("/bin/gatewalk"),
    };
    let full = CLAUDE.command(&request).unwrap();
    let bare = Request {
        model: None,
        effort: None,
        budget_usd: None,
        root: false,
        ..request
    };
    let bare = CLAUDE.command(&bare).unwrap();
    let line = "-p --output-format stream-json --verbose --dangerously-skip-permissions --strict-mcp-config";
    assert_eq!(bare.args.join(" "), line);
    assert_eq!(
        full.args.join(" "),
        format!("{line} --model opus --max-budget-usd 1.5")
    );
    assert_eq!(full.prompt, PromptVia::Stdin);
    let extra: Vec<_> = full
        .env
        .iter()
        .filter(|pair| !bare.env.contains(pair))
        .map(|(k, v)| format!("{k}={v}"))
        .collect();
    assert_eq!(extra, ["CLAUDE_CODE_EFFORT_LEVEL=high", "IS_SANDBOX=1"]);
    assert!(
        bare.env
            .iter()
            .any(|(name, value)| name == "CLAUDE_CODE_MAX_RETRIES" && value == "2")
    );
}
