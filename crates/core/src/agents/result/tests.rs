use super::*;

fn block(body: &str) -> String {
    format!("I did it.\n\n```result\n{body}\n```\n")
}

/// Renders what was read on one line.
fn read(text: &str) -> String {
    match ResultBlock::last_in(text) {
        (Some(b), None) => format!(
            "{:?} [{}] files={:?} criteria={:?} reason={:?} next={:?}",
            b.status,
            b.summary,
            b.files_changed,
            b.acceptance_criteria,
            b.blocked_reason,
            b.follow_ups
        ),
        (None, Some(note)) => note,
        other => panic!("a block and a note, or neither: {other:?}"),
    }
}

#[test]
fn a_whole_block_is_read() {
    let text = block(
        "status: complete\nsummary: Added the endpoint.\nfiles_changed:\n  - src/a.rs\n  - src/b.rs\nacceptance_criteria:\n  - criterion: exports\n    met: true\n  - \"quoted: yes\"\nblocked_reason: null\nfollow_ups: []",
    );
    assert_eq!(
        read(&text),
        r#"Complete [Added the endpoint.] files=["src/a.rs", "src/b.rs"] criteria=["criterion: exports; met: true", "quoted: yes"] reason=None next=[]"#
    );
}

#[test]
fn near_misses_are_read() {
    let complete = r#"Complete [ok] files=[] criteria=[] reason=None next=[]"#;
    let rows = [
        "```RESULT\nstatus: complete\nsummary: ok\n```",
        "```yaml result\nstatus: complete\nsummary: ok\n```",
        "```yaml {.result}\nstatus: complete\nsummary: ok\n```",
        "```result yaml\nstatus: complete\nsummary: ok\n```",
        "~~~ result\nstatus: complete\nsummary: ok\n~~~",
        "````result\nstatus: complete\nsummary: ok\n````",
        "```yaml\nstatus: complete\nsummary: ok\n```",
        "```\nstatus: complete\nsummary: ok\n```",
        "```result\nresult:\n  status: complete\n  summary: ok\n```",
        "```json result\n{\"status\": \"complete\", \"summary\": \"ok\"}\n```",
        "```result\nstatus: Completed.\nsummary: ok",
        "- done:\n  ```result\n  status: complete\n  summary: ok\n  ```\n",
        "```result\r\nstatus: complete\r\nsummary: ok\r\n```\r\n",
        "```result\nStatus: done\nSummary: ok\n```\nThat is all.",
        "```\na stray fence\n\n```result\nstatus: complete\nsummary: ok\n```",
        "```result\nstatus: blocked\nblocked_reason: was, earlier\n```\n```result\nstatus: complete\nsummary: ok\n```",
        "```result\nstatus: complete\nsummary: ok\n```\n```sh\necho status: blocked\n```",
    ];
    for text in rows {
        assert_eq!(read(text), complete, "{text}");
    }
}

#[test]
fn a_reason_over_several_lines_is_read_whole() {
    let want =
        |reason: &str| format!("Blocked [] files=[] criteria=[] reason=Some({reason:?}) next=[]");
    let rows = [
        (
            "status: blocked\nblocked_reason: |\n  No schema.\n  status: complete is not true",
            "No schema.\nstatus: complete is not true",
        ),
        (
            "status: blocked\nblocked_reason: >-\n  No schema\n  anywhere.",
            "No schema anywhere.",
        ),
        (
            "status: 'blocked'\nblocked_reason: plain\n  goes on",
            "plain goes on",
        ),
        // Not YAML: two colons in one plain line.
        (
            "status: blocked\nblocked_reason: Missing: the schema: all of it\n  and more",
            "Missing: the schema: all of it\nand more",
        ),
        ("status: blocked\nblocked-reason: no rights", "no rights"),
        ("status: blocked\nreason: no rights", "no rights"),
        ("status: blocked\nBlocker: no rights", "no rights"),
    ];
    for (body, reason) in rows {
        assert_eq!(read(&block(body)), want(reason), "{body}");
    }
}

#[test]
fn what_is_no_block_is_noted() {
    let rows = [
        ("".to_owned(), "no result block"),
        ("status: blocked\n".into(), "no result block"),
        ("```yaml\nstatus: pending\n```".into(), "no result block"),
        ("```rust\nfn main() {}\n```".into(), "no result block"),
        (
            block("status: complete | blocked"),
            "the result block's status is still `complete | blocked`",
        ),
        (
            block("status: failed"),
            "the result block's status is `failed`, neither complete nor blocked",
        ),
        (
            block("status: incomplete"),
            "the result block's status is `incomplete`, neither complete nor blocked",
        ),
        (
            block("status: not blocked"),
            "the result block's status is `not blocked`, neither complete nor blocked",
        ),
        (block("summary: hm"), "the result block has no status"),
        (block(""), "the result block has no status"),
        (block("[[[[["), "the result block has no status"),
    ];
    for (text, note) in rows {
        assert_eq!(read(&text), note, "{text}");
    }
    let quoted = "````md\n```result\nstatus: blocked\n```\n````\n";
    assert_eq!(read(quoted), "no result block");
}

#[test]
fn a_blocked_session_always_has_a_reason() {
    let rows = [
        (block("status: blocked\nblocked_reason: why"), Some("why")),
        (block("status: blocked\nsummary: because"), Some("because")),
        (block("status: blocked"), Some("no reason given")),
        (block("status: complete\nblocked_reason: why"), None),
        ("no block".into(), None),
    ];
    for (text, reason) in rows {
        assert_eq!(blocked_reason(&text).as_deref(), reason, "{text}");
    }
}

#[test]
fn hostile_text_is_read_in_bounds() {
    for text in [
        "```result\n".repeat(20_000),
        "`".repeat(300_000),
        format!("```result\n{}\n```", "[".repeat(200_000)),
    ] {
        assert_eq!(ResultBlock::last_in(&text).0, None);
    }
}
