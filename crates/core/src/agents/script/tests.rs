use super::*;
use crate::agents::Listener;
use std::path::{Path, PathBuf};

#[test]
fn the_session_is_this_programs_own_process() {
    let definition = Definition::Script(PathBuf::from("/runs/--odd name"));
    let request = Request {
        prompt_file: Path::new("/log/prompt.md"),
        prompt: "",
        model: None,
        effort: None,
        unit: "FEAT-2026-0042/T01",
        attempt: 2,
        budget_usd: None,
        slot: Path::new("/slot"),
        definition: Some(&definition),
        root: false,
        own_program: Path::new("/bin/gatewalk"),
    };
    let command = Script.command(&request).unwrap();
    assert_eq!(command.program, "/bin/gatewalk");
    assert_eq!(
        command.args,
        [
            "replay-session",
            "--unit",
            "FEAT-2026-0042/T01",
            "--attempt",
            "2",
            "--",
            "/runs/--odd name"
        ]
    );
    assert!(
        Script
            .command(&Request {
                definition: None,
                ..request
            })
            .is_err()
    );
}

#[test]
fn events_are_folded_and_judged() {
    let text = "{\"event\":\"session\",\"id\":\"s\",\"model\":\"m\"}\n\
        {\"event\":\"tool\",\"id\":\"0\",\"tool\":\"write\",\"detail\":\"a.rs\"}\n\
        a stray line of a child\n\
        {\"event\":\"tool_end\",\"id\":\"0\"}\n\
        {\"event\":\"tool\",\"id\":\"1\",\"tool\":\"shell\",\"detail\":\"make\"}\n\
        {\"event\":\"text\",\"text\":\"```result\\nstatus: complete\\n```\"}\n\
        {\"event\":\"usage\",\"input_tokens\":7,\"output_tokens\":3,\"cost_usd\":0.5}\n";
    let mut listener = Listener::new(&Script);
    text.lines()
        .for_each(|line| listener.line(line.as_bytes(), false));
    assert_eq!(
        listener.session().now().map(|now| now.detail.as_str()),
        Some("make")
    );
    listener.line(b"{\"event\":\"end\"}", false);
    let seen = listener.end();
    assert_eq!(
        (
            seen.usage.input_tokens,
            seen.usage.output_tokens,
            seen.cost_usd
        ),
        (Some(7), Some(3), Some(0.5))
    );
    assert_eq!(
        (seen.tool_calls, seen.noise_lines, seen.finished),
        (2, 0, true)
    );
    assert_eq!(
        (seen.session_id.as_deref(), seen.model.as_deref()),
        (Some("s"), Some("m"))
    );
    assert_eq!(
        Script.outcome(&ProcessExit::Code(0), &seen),
        Outcome::Worked
    );
}
