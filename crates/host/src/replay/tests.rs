use super::*;
use gatewalk_core::agents::{Listener, Outcome, ProcessExit, Session, by_name};
use std::os::unix::fs::{PermissionsExt, symlink};

struct Slot {
    home: tempfile::TempDir,
}

impl Slot {
    fn new() -> Self {
        let home = tempfile::tempdir().unwrap();
        fs::create_dir(home.path().join("slot")).unwrap();
        Slot { home }
    }

    fn path(&self, path: &str) -> PathBuf {
        self.home.path().join("slot").join(path)
    }

    fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).unwrap_or_else(|error| format!("({:?})", error.kind()))
    }

    /// Replays the recordings at `script` and returns the outcome with what its adapter understood.
    fn run(&self, script: &Path, unit: &str, attempt: u32) -> (Outcome, Session) {
        let mut out = Vec::new();
        let code = replay(
            &ReplayedSession {
                script,
                unit,
                attempt,
            },
            &self.path(""),
            &mut out,
        )
        .unwrap();
        let agent = by_name("script").unwrap();
        let mut listener = Listener::new(agent);
        String::from_utf8_lossy(&out)
            .lines()
            .for_each(|line| listener.line(line.as_bytes(), false));
        let seen = listener.end();
        assert_eq!(
            seen.noise_lines + seen.unknown_events,
            0,
            "{}",
            String::from_utf8_lossy(&out)
        );
        (agent.outcome(&ProcessExit::Code(code), &seen), seen)
    }

    fn play(&self, recording: &str) -> (Outcome, Session) {
        let script = self.home.path().join("recording.yml");
        fs::write(&script, recording).unwrap();
        self.run(&script, "FEAT-2026-0042/T01", 1)
    }
}

fn message(seen: &Session) -> &str {
    seen.errors.back().map_or("", |error| &error.message)
}

#[test]
fn every_step_does_what_is_written() {
    let slot = Slot::new();
    fs::write(slot.path("old"), "x").unwrap();
    fs::create_dir_all(slot.path("dir/sub")).unwrap();
    fs::create_dir(slot.home.path().join("beside")).unwrap();
    fs::write(slot.home.path().join("beside/blob"), [b'a', 0xff, 0]).unwrap();
    let (outcome, seen) = slot.play(
        "steps:
  - say: Here I go.
  - write: src/deep/a.rs
    content: one two
  - append: src/deep/a.rs
    content: \" three\"
  - append: new.md
    content: first
  - replace: src/deep/a.rs
    from: two
    to: 2
  - delete: old
  - delete: dir
  - mkdir: made/here
  - chmod: new.md
    mode: '755'
  - symlink: links/to-nowhere
    target: ../../nowhere
  - delete: links/to-nowhere
  - symlink: links/a
    target: ../src/deep/a.rs
  - write: WU-90.md
    content: \"---\\nverdict: not_met # yet\\n---\\n\"
  - frontmatter: WU-90.md
    key: verdict
    value: met
  - write: copied
    file: beside/blob
  - shell: printf made > by-shell
  - sleep: 1
usage: {input_tokens: 10, output_tokens: 4, cost_usd: 0.5}
result: {status: complete, summary: All done}
",
    );
    assert_eq!((&outcome, message(&seen)), (&Outcome::Worked, ""));
    assert_eq!(slot.read("src/deep/a.rs"), "one 2 three");
    assert_eq!(slot.read("links/a"), "one 2 three");
    assert_eq!(slot.read("new.md"), "first");
    assert_eq!(
        fs::metadata(slot.path("new.md"))
            .unwrap()
            .permissions()
            .mode()
            & 0o777,
        0o755
    );
    assert_eq!(slot.read("WU-90.md"), "---\nverdict: met # yet\n---\n");
    assert_eq!(fs::read(slot.path("copied")).unwrap(), [b'a', 0xff, 0]);
    assert_eq!(slot.read("by-shell"), "made");
    assert!(slot.path("made/here").is_dir());
    assert!(!slot.path("old").exists() && !slot.path("dir").exists());
    assert_eq!(
        seen.closing_text(),
        "Here I go.\n```result\nstatus: \"complete\"\nsummary: \"All done\"\n```\n"
    );
    assert_eq!(
        (seen.usage.output_tokens, seen.cost_usd, seen.tool_calls),
        (Some(4), Some(0.5), 16)
    );
}

#[test]
fn ends_are_rehearsed() {
    let rows = [
        ("steps: []", Outcome::Worked),
        ("usage: {output_tokens: 0}", Outcome::Empty),
        ("result: complete", Outcome::Worked),
        (
            "result: {status: blocked, blocked_reason: 'no: rights'}",
            Outcome::Blocked("no: rights".into()),
        ),
        ("exit: 1", Outcome::Crashed),
        (
            "error: {status: 429, reset_after: 30}",
            Outcome::Limit {
                reset: Some(Reset::After(30)),
            },
        ),
        (
            "error: {status: 429, reset_at: 1778565600}",
            Outcome::Limit {
                reset: Some(Reset::At(1_778_565_600)),
            },
        ),
        ("error: {status: 401}\nexit: 0", Outcome::Auth),
        ("error: {kind: overloaded_error}", Outcome::Overloaded),
        ("nonsense: 1", Outcome::Protocol),
    ];
    for (recording, want) in rows {
        assert_eq!(Slot::new().play(recording).0, want, "{recording}");
    }
}

#[test]
fn a_step_stays_in_the_slot_unless_it_asks_otherwise() {
    let rows = [
        (
            "write: ../out\n    content: x",
            "the path leads out of the slot",
        ),
        (
            "write: a/../../out\n    content: x",
            "the path leads out of the slot",
        ),
        (
            "write: /tmp/gatewalk-never\n    content: x",
            "the path leads out of the slot",
        ),
        (
            "write: ''\n    content: x",
            "the path leads out of the slot",
        ),
        (
            "write: up/out\n    content: x",
            "the path leads out of the slot, or through a broken link",
        ),
        (
            "append: file\n    content: x",
            "the path leads out of the slot, or through a broken link",
        ),
        (
            "write: broken\n    content: x",
            "the path leads out of the slot, or through a broken link",
        ),
        (
            "delete: up/victim",
            "the path leads out of the slot, or through a broken link",
        ),
        (
            "mkdir: up/new",
            "the path leads out of the slot, or through a broken link",
        ),
        (
            "chmod: file\n    mode: '777'",
            "the path leads out of the slot, or through a broken link",
        ),
    ];
    for (step, why) in rows {
        let slot = Slot::new();
        let victim = slot.home.path().join("victim");
        fs::write(&victim, "safe").unwrap();
        symlink("..", slot.path("up")).unwrap();
        symlink("../victim", slot.path("file")).unwrap();
        symlink("../out", slot.path("broken")).unwrap();
        let (outcome, seen) = slot.play(&format!("steps:\n  - {step}\n"));
        assert_eq!(outcome, Outcome::Crashed, "{step}");
        assert!(
            message(&seen).ends_with(&format!(": {why}")),
            "{step}: {}",
            message(&seen)
        );
        assert_eq!(fs::read_to_string(&victim).unwrap(), "safe", "{step}");
        let entries = fs::read_dir(slot.home.path()).unwrap().count();
        assert_eq!(
            entries, 3,
            "{step}: slot, victim and recording, nothing else"
        );
    }
    let slot = Slot::new();
    let (outcome, _) = slot.play("steps:\n  - write: ../out\n    content: x\n    outside: true\n");
    assert_eq!(
        (outcome, slot.read("../out").as_str()),
        (Outcome::Worked, "x")
    );
}

#[test]
fn a_failing_step_ends_the_session_and_is_named() {
    let rows = [
        (
            "replace: a\n    from: x\n    to: y",
            "step 2, replace a: the text to replace is there 2 times, not once",
        ),
        (
            "replace: a\n    from: z\n    to: y",
            "step 2, replace a: the text to replace is there 0 times, not once",
        ),
        ("shell: exit 4", "step 2, shell exit 4: exit status: 4"),
        (
            "frontmatter: a\n    key: k\n    value: v",
            "step 2, frontmatter a: ",
        ),
        ("delete: none", "step 2, delete none: No such file"),
    ];
    for (step, want) in rows {
        let slot = Slot::new();
        let recording = format!(
            "steps:\n  - write: a\n    content: x x\n  - {step}\n  - write: after\n    content: ''\n"
        );
        let (outcome, seen) = slot.play(&recording);
        assert_eq!(outcome, Outcome::Crashed, "{step}");
        assert!(message(&seen).starts_with(want), "{}", message(&seen));
        assert!(!slot.path("after").exists(), "{step}");
    }
}

#[test]
fn a_directory_holds_a_file_for_each_unit_and_attempt() {
    let slot = Slot::new();
    let runs = slot.home.path().join("runs");
    fs::create_dir(&runs).unwrap();
    for (name, text) in [
        ("T01.1.yml", "first"),
        ("T01.yml", "later"),
        ("FEAT-2026-0042-T02.yaml", "other"),
    ] {
        fs::write(runs.join(name), format!("steps: [{{say: {text}}}]")).unwrap();
    }
    let rows = [
        ("FEAT-2026-0042/T01", 1, "first"),
        ("FEAT-2026-0042/T01", 2, "later"),
        ("FEAT-2026-0043/T01", 7, "later"),
        ("FEAT-2026-0042/T02", 1, "other"),
    ];
    for (unit, attempt, text) in rows {
        let (outcome, seen) = slot.run(&runs, unit, attempt);
        assert_eq!(
            (outcome, seen.closing_text().trim()),
            (Outcome::Worked, text),
            "{unit} {attempt}"
        );
    }
    for (script, unit) in [
        (runs.clone(), "FEAT-2026-0043/T02"),
        (runs.join("none"), "FEAT-2026-0042/T01"),
    ] {
        let (outcome, seen) = slot.run(&script, unit, 1);
        assert_eq!(outcome, Outcome::Missing);
        assert!(
            message(&seen).starts_with(&format!("nothing is recorded for {unit}, attempt 1, in "))
        );
    }
}
