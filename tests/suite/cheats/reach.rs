//! What a session reaches beside its slot: the user's verbs, what their own agents will run, other agents' logins, words
//! that look like others.

use super::super::world::{BRANCH, PROGRAM, World, text};
use super::{Case, FEATURE, Want, world};
use std::process::{Output, Stdio};

/// A home with agents in it.
const HOME: &str = "H=../home; mkdir -p $H/.claude $H/.codex $H/.aws $H/.docker/run; echo '{}' > $H/.claude/settings.json; echo mine > $H/.claude/CLAUDE.md; echo login > $H/.codex/auth.json; echo key > $H/.aws/credentials; echo key > $H/.pgpass; echo '//r/:_authToken=key' > $H/.npmrc; echo ls > $H/.bash_history";
const WORK: &str = "mkdir -p src; echo 42 > src/answer.txt; echo 'expect src/answer.txt 42' > tests/test_answer.py";

fn run(session: &str, sandbox: &str) -> (World, Output) {
    run_on(HOME, session, &["--sandbox", sandbox])
}

fn run_on(base: &str, session: &str, options: &[&str]) -> (World, Output) {
    let case = Case {
        name: "",
        front: "",
        base: base.to_owned().leak(),
        session: session.to_owned().leak(),
        want: Want::Done,
    };
    let world = world(&case);
    let mut path = world.root.join("bin").into_os_string();
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap_or_default());
    let agent = format!("command:sh {}", world.root.join("agent.sh").display());
    let mut command = world.command(PROGRAM);
    command
        .env("PATH", path)
        .args(["loop", "--agent", &agent])
        .args(options)
        .stdin(Stdio::null());
    let output = command.output().unwrap();
    (world, output)
}

fn unit(world: &World) -> String {
    world.git(&["show", &format!("{BRANCH}:{FEATURE}/WU-01-answer.md")])
}

#[test]
fn a_session_makes_none_of_the_users_decisions() {
    // However it hides where it comes from.
    for how in [
        "\"$GATEWALK_BIN\"",
        "env -i PATH=\"$PATH\" HOME=\"$HOME\" \"$GATEWALK_BIN\"",
        "setsid -w \"$GATEWALK_BIN\"",
    ] {
        let verb = format!(
            "( cd @REPO@; {how} abandon FEAT-2026-0001 --reason so > @ROOT@/said 2>&1 )\n{WORK}"
        );
        let (world, output) = run(&verb, "off");
        let said = std::fs::read_to_string(world.root.join("said")).unwrap_or_default();
        assert!(
            said.contains("is a decision of the user's"),
            "{how}: {said}"
        );
        let plan = world.git(&["show", &format!("{BRANCH}:{FEATURE}/PLAN.md")]);
        assert!(
            plan.contains("\nstatus: done\n"),
            "{how}: {}",
            text(&output)
        );
    }
}

#[test]
fn what_the_users_own_agents_run_and_read_stays_as_it_is() {
    let plants = "H=@ROOT@/home; for f in .claude/settings.local.json .claude/commands/x.md .claude/hooks/x.sh .codex/prompts/x.md .gemini/GEMINI.md .config/opencode/AGENTS.md; do mkdir -p $H/$(dirname $f); echo evil > $H/$f; done; echo evil >> $H/.claude/CLAUDE.md; mkdir -p @REPO@/.claude; echo evil > @REPO@/.claude/settings.local.json";
    for sandbox in ["off", "auto"] {
        let (world, output) = run(&format!("( {plants} ) 2>/dev/null\n{WORK}"), sandbox);
        let found = world
            .command("grep")
            .args(["-rl", "evil"])
            .arg(world.root.join("home"))
            .arg(world.repo().join(".claude"))
            .args(["--exclude-dir=.cache"])
            .output()
            .unwrap();
        assert!(
            found.stdout.is_empty(),
            "{sandbox}: {}{}",
            text(&found),
            text(&output)
        );
        let mine = std::fs::read_to_string(world.root.join("home/.claude/CLAUDE.md"));
        assert_eq!(mine.unwrap(), "mine\n", "{sandbox}");
        assert!(
            unit(&world).contains("\nstatus: done\n"),
            "{}",
            text(&output)
        );
        if sandbox == "off" {
            let log = world.git(&["show", &format!("{BRANCH}:{FEATURE}/events.jsonl")]);
            assert!(log.contains("instructions of agents changed"), "{log}");
        }
    }
}

#[test]
fn a_confined_session_reads_no_login_but_its_own() {
    let reads = "for f in .codex/auth.json .aws/credentials .pgpass .npmrc .bash_history .claude/settings.json; do [ -n \"$(cat @ROOT@/home/$f 2>/dev/null)\" ] && echo $f >> src/read.txt; done; true";
    let (world, output) = run(&format!("{WORK}; {reads}"), "auto");
    if text(&output).contains("isolation: none") {
        println!("nothing confines here");
        return;
    }
    let read = world.try_git(&["show", &format!("{BRANCH}:src/read.txt")]);
    assert_eq!(read, None, "{}", text(&output));
    assert!(
        unit(&world).contains("\nstatus: done\n"),
        "{}",
        text(&output)
    );
}

#[test]
fn words_that_look_like_others_are_escaped_before_they_are_committed() {
    let session = "printf '\\n```result\\nstatus: blocked\\nblocked_reason: a \\342\\200\\256 b \\342\\201\\246 c \\033[31mred\\n```\\n'; exit 0; )\nexit 0\n(";
    let (world, output) = run(session, "off");
    let log = world.git(&["show", &format!("{BRANCH}:{FEATURE}/events.jsonl")]);
    let unit = unit(&world);
    for (place, said) in [("unit", &unit), ("log", &log), ("terminal", &text(&output))] {
        let hidden = ['\u{202e}', '\u{2066}', '\u{1b}'];
        assert!(!said.contains(hidden), "{place}: {said:?}");
    }
    assert!(unit.contains("blocked_human"), "{unit}");
}

#[test]
fn units_side_by_side_mend_nothing_for_each_other() {
    // The first unit's product runs while the second is judged: it mends the second's file until that was seen.
    let poll = "[ -f src/tool.sh ] && sh src/tool.sh; grep -qx ok src/base.txt && exit 0\nfor want in ok broken; do\n  for i in $(seq 50); do grep -qx $want src/base.txt && break; sleep 0.1; done\n  grep -qx $want src/base.txt || exit 1\ndone\n";
    let base = format!(
        "mkdir qa; cat > qa/poll.sh <<'X'\n{poll}X\nprintf 'code:\\n  - name: tests\\n    command: sh qa/poll.sh\\n    timeout: 1m\\n' > .gatewalk/verification.yml; F={FEATURE}; sed 's/T01/T02/' $F/WU-01-answer.md > $F/WU-02-then.md; sed -i 's/^```$/      - id: FEAT-2026-0001\\/T02\\n        file: WU-02-then.md\\n        depends_on: []\\n```/' $F/PLAN.md"
    );
    let tool = "for i in $(seq 100); do for f in ../verify-*/src/base.txt; do if grep -qx broken $f; then echo ok > $f; sleep 1; echo broken > $f; exit 0; fi; done; sleep 0.1; done";
    let session = format!(
        "if [ \"$GATEWALK_UNIT\" = FEAT-2026-0001/T01 ]; then\ncat > src/tool.sh <<'X'\n{tool}\nX\nelse\necho broken > src/base.txt\nfi"
    );
    let (world, output) = run_on(&base, &session, &["--sandbox", "off", "--jobs", "2"]);
    let landed = world.git(&["show", &format!("{BRANCH}:src/base.txt")]);
    assert_eq!(landed, "ok\n", "{}", text(&output));
    // What was mended is refused as that, or, on top of work that had not landed, verified again alone.
    assert!(text(&output).contains("T02 is parked"), "{}", text(&output));
}
