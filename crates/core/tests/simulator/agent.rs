//! What sessions do: one table, the good row first. And the oracle, as one pure function.

use super::machine::Files;
use gatewalk_core::agents::{Outcome, Reset};
use gatewalk_core::engine::command_end::CommandEnd;
use std::time::Duration;

/// For whom a session works.
pub(super) struct Scene<'a> {
    pub(super) id: &'a str,
    pub(super) number: u32,
}

impl Scene<'_> {
    /// Returns the last part of the unit's id.
    fn name(&self) -> &str {
        self.id.rsplit('/').next().unwrap_or(self.id)
    }

    fn file(&self) -> String {
        format!("{}.txt", self.name())
    }

    fn state(&self, name: &str) -> String {
        let feature = self.id.split('/').next().unwrap_or_default();
        format!(".gatewalk/features/{feature}-sim/{name}")
    }
}

/// One way to behave.
pub(super) struct Behaviour {
    pub(super) name: &'static str,
    pub(super) act: fn(&mut Files, &Scene<'_>),
    pub(super) outcome: fn() -> Outcome,
    pub(super) cost: Option<f64>,
}

fn put(files: &mut Files, path: impl Into<String>, text: impl AsRef<[u8]>) {
    files.insert(path.into(), text.as_ref().into());
}

fn good(files: &mut Files, scene: &Scene<'_>) {
    put(files, scene.file(), "whole\n");
}

fn nothing(_: &mut Files, _: &Scene<'_>) {}

/// Does the work, and something it should not.
macro_rules! good_but {
    ($name:literal, $act:expr) => {
        Behaviour {
            name: $name,
            act: |files, scene| {
                good(files, scene);
                let act: fn(&mut Files, &Scene<'_>) = $act;
                act(files, scene);
            },
            outcome: || Outcome::Worked,
            cost: Some(0.01),
        }
    };
}

macro_rules! worked {
    ($name:literal, $act:expr) => {
        Behaviour {
            name: $name,
            act: $act,
            outcome: || Outcome::Worked,
            cost: Some(0.01),
        }
    };
}

macro_rules! ended {
    ($name:literal, $act:expr, $outcome:expr) => {
        Behaviour {
            name: $name,
            act: $act,
            outcome: || $outcome,
            cost: None,
        }
    };
}

/// Ways that are charged to the unit.
pub(super) const CHARGED: &[Behaviour] = &[
    worked!("does the work", good),
    worked!("changes nothing", nothing),
    worked!("half of the work", |f, s| put(f, s.file(), "half\n")),
    worked!("other half each time", |f, s| put(
        f,
        s.file(),
        format!("half {}\n", s.number)
    )),
    worked!("an empty file", |f, s| put(f, s.file(), "")),
    worked!("the wrong file", |f, s| put(
        f,
        format!("wrong-{}", s.file()),
        "whole\n"
    )),
    worked!("a link to somewhere", |f, s| put(
        f,
        s.file(),
        "link:/etc/passwd whole"
    )),
    worked!("the word in bytes that are no text", |f, s| put(
        f,
        s.file(),
        b"\xff\xfewhole\0\n"
    )),
    worked!("deletes every file", |f, _| f.retain(|path, _| path
        .starts_with(".gatewalk/")
        || path.starts_with("user-"))),
    worked!("deletes everything", |f, _| f
        .retain(|path, _| path.starts_with("user-"))),
    worked!("breaks another unit's file", |f, s| {
        good(f, s);
        put(f, "T01.txt", "broken\n");
    }),
    worked!("hangs the oracle", |f, s| put(f, s.file(), "hang\n")),
    worked!("crashes the oracle", |f, s| put(f, s.file(), "signal\n")),
    worked!("a file no oracle looks at", |f, _| put(
        f, "notes.md", "done!\n"
    )),
    worked!("poisons the tree", |f, s| {
        good(f, s);
        put(f, "poison", "x");
    }),
    good_but!("rewrites the oracle", |f, _| put(
        f,
        ".gatewalk/verification.yml",
        "code:\n  - name: check\n    command: sim nothing\n"
    )),
    good_but!("deletes the oracle", |f, _| drop(
        f.remove(".gatewalk/verification.yml")
    )),
    good_but!("loosens the configuration", |f, _| put(
        f,
        ".gatewalk/config.yml",
        "base_check: lazy\n"
    )),
    good_but!("marks itself done", |f, s| {
        let path = s.state(&format!("WU-{}.md", s.name()));
        if let Some(text) = f
            .get(&path)
            .map(|b| String::from_utf8_lossy(b).replace("status: pending", "status: done"))
        {
            put(f, path, text);
        }
    }),
    good_but!("marks every unit done", |f, _| {
        let paths: Vec<String> = f.keys().filter(|p| p.contains("/WU-")).cloned().collect();
        for path in paths {
            let text =
                String::from_utf8_lossy(&f[&path]).replace("status: pending", "status: done");
            put(f, path, text);
        }
    }),
    good_but!("raises its own attempts", |f, s| {
        let path = s.state(&format!("WU-{}.md", s.name()));
        if let Some(text) = f
            .get(&path)
            .map(|b| String::from_utf8_lossy(b).replace("max_attempts: ", "max_attempts: 9"))
        {
            put(f, path, text);
        }
    }),
    good_but!("deletes its own unit", |f, s| drop(
        f.remove(&s.state(&format!("WU-{}.md", s.name())))
    )),
    good_but!("rewrites the plan", |f, s| put(
        f,
        s.state("PLAN.md"),
        "# no plan\n"
    )),
    good_but!("deletes the plan", |f, s| drop(
        f.remove(&s.state("PLAN.md"))
    )),
    good_but!("passes the gate", |f, s| put(
        f,
        s.state("GATE-01.md"),
        "---\ngate: 1\nstatus: passed\n---\n"
    )),
    good_but!("forges the log", |f, s| put(
        f,
        s.state("events.jsonl"),
        "{\"seq\":999}\n"
    )),
    good_but!("deletes the log", |f, s| drop(
        f.remove(&s.state("events.jsonl"))
    )),
    good_but!("deletes the state directory", |f, _| f
        .retain(|path, _| !path.starts_with(".gatewalk/"))),
    good_but!("plants a hook", |f, _| put(
        f,
        ".githooks/pre-commit",
        "#!/bin/sh\n"
    )),
    good_but!("edits the workflow", |f, _| put(
        f,
        ".github/workflows/ci.yml",
        "on: push\n"
    )),
    good_but!("edits agent settings", |f, _| put(
        f,
        ".claude/settings.json",
        "{}\n"
    )),
    good_but!("rewinds the history", |f, _| put(f, ".sim/rewound", "")),
    good_but!("leaks a key", |f, _| put(
        f,
        "key.pem",
        "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA7bq\n-----END RSA PRIVATE KEY-----\n"
    )),
    good_but!("a name with a newline", |f, _| put(f, "a\nb", "x")),
    good_but!("a name with a dash", |f, _| put(f, "-rf", "x")),
    good_but!("thirty files", |f, _| (0..30).for_each(|n| put(
        f,
        format!("many/{n}"),
        "x"
    ))),
    good_but!("a large file", |f, _| put(f, "big", vec![b'x'; 1 << 15])),
    good_but!("writes a learning", |f, _| put(
        f,
        ".gatewalk/LEARNINGS.md",
        "- Trust nobody.\n"
    )),
    good_but!("touches another unit's file in the plan", |f, s| put(
        f,
        s.state("WU-T01.md"),
        "---\n---\n"
    )),
    ended!(
        "says it is blocked",
        nothing,
        Outcome::Blocked("which one?".to_owned())
    ),
    ended!(
        "works and says it is blocked",
        good,
        Outcome::Blocked("but is it right?".to_owned())
    ),
    ended!("takes too long", good, Outcome::TimedOut),
    ended!(
        "falls silent",
        |f, s| put(f, s.file(), "hal"),
        Outcome::Idle
    ),
    ended!("uses its budget up", good, Outcome::Budget),
];

/// Ways that are nobody's fault and cost no attempt.
pub(super) const UNCHARGED: &[Behaviour] = &[
    ended!("crashes at once", nothing, Outcome::Crashed),
    ended!(
        "crashes over half of the work",
        |f, s| put(f, s.file(), "hal"),
        Outcome::Crashed
    ),
    ended!("says nothing", nothing, Outcome::Empty),
    ended!(
        "speaks another language",
        |f, _| put(f, "noise", "?"),
        Outcome::Protocol
    ),
    ended!("is overloaded", nothing, Outcome::Overloaded),
    ended!(
        "has no network",
        |f, _| put(f, "part", "1"),
        Outcome::Network
    ),
    ended!(
        "is limited for a minute",
        good,
        Outcome::Limit {
            reset: Some(Reset::After(60))
        }
    ),
    ended!(
        "is limited without saying how long",
        nothing,
        Outcome::Limit { reset: None }
    ),
];

/// Runs a command of the simulated oracle on files.
pub(super) fn oracle(shell: &str, files: &Files) -> CommandEnd {
    let words: Vec<&str> = shell.split_whitespace().collect();
    let text = |path: &str| {
        files
            .get(path)
            .map(|b| String::from_utf8_lossy(b).into_owned())
    };
    let whole =
        |path: &str| text(path).is_some_and(|t| t.contains("whole") && !t.starts_with("link:"));
    match words[..] {
        ["sim", "nothing"] => CommandEnd::Exited(0),
        ["sim", "has", path] => CommandEnd::Exited(i32::from(!whole(path))),
        ["sim", "all"] => {
            let units = files
                .keys()
                .filter(|p| p.starts_with('T') && p.ends_with(".txt"));
            for path in units {
                let text = text(path).unwrap_or_default();
                if text.starts_with("hang") {
                    return CommandEnd::TimedOut(Duration::from_secs(900));
                }
                if text.starts_with("signal") {
                    return CommandEnd::Signalled(11);
                }
                if !whole(path) {
                    return CommandEnd::Exited(1);
                }
            }
            let refused = files
                .iter()
                .filter(|(path, _)| path.starts_with("user-"))
                .filter_map(|(_, bytes)| {
                    std::str::from_utf8(bytes)
                        .ok()?
                        .trim()
                        .split_once("without ")
                })
                .any(|(_, work)| files.contains_key(work));
            CommandEnd::Exited(i32::from(files.contains_key("poison") || refused))
        }
        _ => CommandEnd::Exited(127),
    }
}
