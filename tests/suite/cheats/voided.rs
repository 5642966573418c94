//! A command that reaches for what it must leave alone: said in true words to the user, the log and the next session.

use super::super::world::{BRANCH, PROGRAM, text};
use super::{Case, FEATURE, Want, world};
use std::process::{Output, Stdio};

/// Its tests pass, and set what git runs while they do.
const TAMPERS: Case = Case {
    name: "tampers while it is tested",
    front: "max_attempts: 2\n",
    base: "sed -i '2i [ -f src/hook.sh ] \\&\\& sh src/hook.sh' ../bin/pytest",
    session: "mkdir -p src; echo $$ > src/answer.txt; echo 'git -C @REPO@ config core.fsmonitor evil; true' > src/hook.sh",
    want: Want::Refused,
};

/// The same by what the project's set-up runs.
const SETS_UP: Case = Case {
    name: "tampers while it is set up",
    front: "max_attempts: 2\ntouches_tests: true\n",
    base: "echo true > prepare.sh; echo 1 > requirements.txt; printf 'setup: sh prepare.sh\\ncode:\\n  - name: tests\\n    command: pytest -q\\n' > .gatewalk/verification.yml",
    session: "echo $$ > requirements.txt; echo 'git -C @REPO@ config core.fsmonitor evil; true' > prepare.sh",
    want: Want::Refused,
};

#[test]
fn tampering_by_a_command_is_reported_as_tampering_everywhere() {
    for case in [TAMPERS, SETS_UP] {
        let world = world(&case);
        let root = world.root.display();
        let script = std::fs::read_to_string(world.root.join("agent.sh")).unwrap();
        let script = script.replacen("/dev/null", &format!("{root}/prompt.$$"), 1);
        std::fs::write(world.root.join("agent.sh"), script).unwrap();
        let gatewalk = |args: &[&str]| -> Output {
            let mut path = world.root.join("bin").into_os_string();
            path.push(":");
            path.push(std::env::var_os("PATH").unwrap_or_default());
            let mut command = world.command(PROGRAM);
            command.env("PATH", path).args(args).stdin(Stdio::null());
            command.output().unwrap()
        };
        let agent = format!("command:sh {root}/agent.sh");
        let run = gatewalk(&["loop", "--sandbox", "off", "--agent", &agent]);
        let log = world.git(&["show", &format!("{BRANCH}:{FEATURE}/events.jsonl")]);
        let prompts = std::fs::read_dir(&world.root).unwrap().flatten();
        let prompts = prompts.filter(|f| f.file_name().to_string_lossy().starts_with("prompt."));
        let mut prompts: Vec<String> = prompts
            .map(|file| std::fs::read_to_string(file.path()).unwrap())
            .collect();
        prompts.sort_by_key(|prompt| prompt.contains("attempt"));
        assert_eq!(prompts.len(), 2, "{}", text(&run));
        prompts.retain(|prompt| prompt.contains("tamper"));
        let told = prompts.pop().unwrap_or_default();
        for (place, said) in [
            ("the terminal", text(&run)),
            ("the log", log),
            ("the next session", told),
            ("why", text(&gatewalk(&["why", "T01"]))),
            (
                "attempts",
                text(&gatewalk(&["attempts", "show", "T01", "1"])),
            ),
        ] {
            let true_words = said.contains("voided by tampering")
                && said.contains("what decides what git runs changed")
                && said.contains(".git/config");
            let untrue = ["timed out", "ended with exit 0"];
            let untrue = untrue.iter().any(|words| said.contains(words));
            assert!(true_words && !untrue, "{}, {place}: {said}", case.name);
        }
        let events = world.git(&["show", &format!("{BRANCH}:{FEATURE}/events.jsonl")]);
        assert!(
            events.contains(r#""failure_class":"tampering""#),
            "{events}"
        );
        let config = std::fs::read_to_string(world.repo().join(".git/config")).unwrap();
        assert!(!config.contains("evil"), "{config}");
    }
}
