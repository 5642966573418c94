use super::*;

const WHOLE: &str = r#"
model: rehearsed
steps:
  - say: I add it.
  - write: src/a.rs
    content: |
      pub fn a() {}
  - write: logo.png
    file: T01.1.files/0
  - append: log.md
    content: "- a\n"
  - replace: src/lib.rs
    from: "mod b;"
    to: ""
  - delete: old
  - mkdir: new
  - chmod: run.sh
    mode: "755"
  - symlink: link
    target: ../elsewhere
  - frontmatter: WU-90.md
    key: verdict
    value: met
  - shell: "true"
  - sleep: 20
  - write: /etc/passwd
    content: ""
    outside: true
usage: {input_tokens: 1200, output_tokens: 80, cache_read: 5, cache_write: 6, cost_usd: 0.25}
result:
  status: blocked
  summary: "Half: done"
  files_changed: [src/a.rs]
  blocked_reason: null
error: {status: 429, kind: rate_limit, message: wait, reset_after: 30}
exit: 3
"#;

#[test]
fn every_part_of_a_recording_is_read() {
    let found = parse(WHOLE).unwrap();
    let [found] = found.as_slice() else {
        panic!("one recording: {found:?}")
    };
    let text = |text: &str| text.to_owned();
    let actions: Vec<RecordedAction> = found.steps.iter().map(|step| step.action.clone()).collect();
    assert_eq!(
        actions,
        [
            RecordedAction::Say(text("I add it.")),
            RecordedAction::Write(text("src/a.rs"), text("pub fn a() {}\n")),
            RecordedAction::Copy(text("logo.png"), text("T01.1.files/0")),
            RecordedAction::Append(text("log.md"), text("- a\n")),
            RecordedAction::Replace(text("src/lib.rs"), text("mod b;"), text("")),
            RecordedAction::Delete(text("old")),
            RecordedAction::Mkdir(text("new")),
            RecordedAction::Chmod(text("run.sh"), 0o755),
            RecordedAction::Symlink(text("link"), text("../elsewhere")),
            RecordedAction::Frontmatter(text("WU-90.md"), text("verdict"), text("met")),
            RecordedAction::Shell(text("true")),
            RecordedAction::Sleep(20),
            RecordedAction::Write(text("/etc/passwd"), text("")),
        ]
    );
    let outside: Vec<usize> = (0..13).filter(|n| found.steps[*n].outside).collect();
    assert_eq!(outside, [12]);
    assert_eq!(
        found.result.as_deref(),
        Some(
            "status: \"blocked\"\nsummary: \"Half: done\"\nfiles_changed: [\"src/a.rs\"]\nblocked_reason: null"
        )
    );
    let usage = Usage {
        input_tokens: Some(1200),
        output_tokens: Some(80),
        cache_read: Some(5),
        cache_write: Some(6),
    };
    assert_eq!(
        (found.usage, found.cost_usd, found.exit),
        (usage, Some(0.25), Some(3))
    );
    let error = found.error.clone().unwrap();
    assert_eq!(
        (error.status, error.reset),
        (Some(429), Some(Reset::After(30)))
    );
}

#[test]
fn a_result_may_be_one_word_or_any_text() {
    let rows = [
        ("result: complete", "status: complete"),
        ("result: blocked", "status: blocked"),
        ("result: |\n  status: [broken\n", "status: [broken\n"),
    ];
    for (text, want) in rows {
        assert_eq!(
            parse(text).unwrap()[0].result.as_deref(),
            Some(want),
            "{text}"
        );
    }
}

#[test]
fn what_is_wrong_is_reported_with_its_line() {
    let rows = [
        ("", "the recording is empty"),
        ("- a", "line 1: a recording is a mapping with `steps`"),
        ("steps:\n  - fly: up", "line 2: there is no step `fly`"),
        ("steps:\n  - write: a", "line 2: `write` needs `content`"),
        (
            "steps:\n  - delete: a\n    content: b",
            "line 2: `delete` has no key `content`",
        ),
        (
            "steps:\n  - plain",
            "line 2: a step is a mapping such as `write: PATH`",
        ),
        (
            "steps:\n  - chmod: a\n    mode: rwx",
            "line 2: `mode` is octal, such as \"755\"",
        ),
        (
            "steps:\n  - write: [a]\n    content: b",
            "line 2: `write` is a single value",
        ),
        (
            "steps: []\nresults: complete",
            "line 2: a recording has no key `results`",
        ),
        ("usage: {tokens: 3}", "line 1: `usage` has no key `tokens`"),
        (
            "usage: {output_tokens: many}",
            "line 1: `output_tokens` is a number",
        ),
        ("error: {code: 3}", "line 1: `error` has no key `code`"),
        ("exit: x", "line 1: `exit` is a number"),
        (
            "sessions: []\nexit: 0",
            "`sessions` stands alone: other keys belong inside its items",
        ),
    ];
    for (text, want) in rows {
        assert_eq!(parse(text).unwrap_err(), want, "{text}");
    }
    assert!(parse("a: [").unwrap_err().starts_with("line 1: "));
}

#[test]
fn the_recording_of_the_attempt_comes_before_the_one_for_any() {
    let text = "
sessions:
  - {exit: 9}
  - {unit: T01, exit: 1}
  - {unit: T01, attempt: 2, exit: 2}
  - {unit: FEAT-2026-0042/T02, attempt: 1, exit: 3}
";
    let all = parse(text).unwrap();
    let rows = [
        ("FEAT-2026-0042/T01", 1, Some(1)),
        ("FEAT-2026-0042/T01", 2, Some(2)),
        ("FEAT-2026-0042/T01", 3, Some(1)),
        ("FEAT-2026-0042/T02", 1, Some(3)),
        ("FEAT-2026-0042/T02", 2, Some(9)),
        ("FEAT-2026-0043/T02", 1, Some(9)),
    ];
    for (unit, attempt, want) in rows {
        assert_eq!(
            pick(&all, unit, attempt).and_then(|found| found.exit),
            want,
            "{unit} {attempt}"
        );
    }
    assert_eq!(pick(&all[3..], "FEAT-2026-0042/T01", 1), None);
}

#[test]
fn a_directory_is_searched_from_the_attempts_own_file_to_the_units() {
    let names = file_names("FEAT-2026-0042/T01", 2);
    let yml: Vec<&str> = names
        .iter()
        .filter_map(|name| name.strip_suffix(".yml"))
        .collect();
    assert_eq!(
        yml,
        ["FEAT-2026-0042-T01.2", "T01.2", "FEAT-2026-0042-T01", "T01"]
    );
    assert_eq!(
        file_names("T01", 1),
        ["T01.1.yml", "T01.1.yaml", "T01.yml", "T01.yaml"]
    );
}
