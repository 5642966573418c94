//! What a session reaches beside its slot: the user's verbs, what their own agents will run, other agents' logins, words
//! that look like others.

use super::super::world::{BRANCH, PROGRAM, World, text};
use super::{Case, FEATURE, Want, world};
use std::process::{Output, Stdio};

/// A home with agents in it.
const HOME: &str = "H=../home; mkdir -p $H/.claude $H/.codex $H/.aws $H/.docker/run; echo '{}' > $H/.claude/settings.json; echo mine > $H/.claude/CLAUDE.md; echo login > $H/.codex/auth.json; echo key > $H/.aws/credentials; echo key > $H/.pgpass; echo KEY=1 > $H/.env; echo key > $H/.aider.conf.yml; echo '//r/:_authToken=key' > $H/.npmrc; echo ls > $H/.bash_history";
const WORK: &str = "mkdir -p src; echo 42 > src/answer.txt; echo 'expect src/answer.txt 42' > tests/test_answer.py";

fn run(session: &str, sandbox: &str) -> (World, Output) {
    run_on(HOME, session, &["--sandbox", sandbox])
}

fn run_on(base: &str, session: &str, options: &[&str]) -> (World, Output) {
    run_as("", base, session, options)
}

/// Runs a session that has the state of the agents whose programs are named.
fn run_as(agents: &str, base: &str, session: &str, options: &[&str]) -> (World, Output) {
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
    let script = world.root.join("agent.sh");
    let agent = format!("command:sh {} {agents}", script.display());
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

/// Leaves bubblewrap out, by one that does not work.
const NO_BUBBLEWRAP: &str =
    "mkdir -p ../bin; printf '#!/bin/sh\\nexit 1\\n' > ../bin/bwrap; chmod +x ../bin/bwrap";

#[test]
fn a_session_leaves_its_own_agent_nothing_that_the_next_one_obeys() {
    // Where there was something, and where there was nothing; beside it what an agent keeps there.
    let base = "H=../home; mkdir -p $H/.claude/commands $H/.codex $H/.gemini $H/.config/opencode; echo mine > $H/.claude/commands/mine.md; echo '{\"mcpServers\":{\"mine\":{}}}' > $H/.claude.json";
    let plants = ".claude/commands/x.md .claude/agents/x.md .claude/skills/x/SKILL.md .claude/hooks/x.sh .claude/settings.json .codex/prompts/x.md .codex/hooks.json .codex/config.toml .gemini/commands/x.toml .gemini/settings.json .config/opencode/agent/x.md .config/opencode/opencode.json";
    let ordinary = ".claude/.credentials.json .claude/projects/a.jsonl .codex/auth.json .codex/sessions/1.jsonl .gemini/oauth_creds.json";
    let plant = format!(
        "H=@ROOT@/home; for f in {plants}; do mkdir -p $H/$(dirname $f); echo 'command: evil' > $H/$f; done 2>/dev/null; for f in {ordinary}; do mkdir -p $H/$(dirname $f); echo kept > $H/$f; done; echo '{{\"starts\":2,\"mcpServers\":{{\"evil\":{{}}}}}}' > $H/.claude.json"
    );
    for layer in ["true", NO_BUBBLEWRAP] {
        let base = format!("{layer}; {base}");
        let session = format!("{plant}\n{WORK}");
        let agents = "claude codex gemini opencode";
        let (world, output) = run_as(agents, &base, &session, &["--sandbox", "auto"]);
        if text(&output).contains("isolation: none") {
            println!("nothing confines here");
            return;
        }
        let at = |name: &str| world.root.join("home").join(name);
        let has = |name: &str| std::fs::read_to_string(at(name)).ok();
        for name in plants.split(' ') {
            assert_eq!(has(name), None, "{name}: {}", text(&output));
        }
        for name in ordinary.split(' ') {
            assert_eq!(has(name).as_deref(), Some("kept\n"), "{name}");
        }
        assert_eq!(has(".claude/commands/mine.md").as_deref(), Some("mine\n"));
        let state = has(".claude.json").unwrap();
        let is_there = ["mine", "starts", "evil"].map(|word| state.contains(word));
        assert_eq!(is_there, [true, true, false], "{state}");
        let log = world.git(&["show", &format!("{BRANCH}:{FEATURE}/events.jsonl")]);
        assert!(log.contains("instructions of agents changed"), "{log}");
        for name in [
            ".claude/agents/x.md",
            ".codex/config.toml",
            ".gemini/settings.json",
        ] {
            assert!(log.contains(name), "{name}: {log}");
        }
        let unit = unit(&world);
        assert!(unit.contains("\nstatus: done\n"), "{}", text(&output));
    }
}

#[test]
fn by_rules_of_the_kernel_user_0_has_files_and_not_the_machine() {
    // Each line that works adds a word. As another user the kernel refuses the first three by itself.
    let tries = "try() { ( eval \"$2\" ) > /dev/null 2>&1 && echo $1 >> src/tried.txt; }
try setting 'cat /proc/sys/kernel/domainname > /proc/sys/kernel/domainname'
try trigger ': > /proc/sysrq-trigger'
try device 'mknod src/device b 7 99'
try mount 'mount -t tmpfs none src'
[ $(id -u) = 0 ] || echo files >> src/tried.txt
try files 'echo x > other; chown 65534 other; chmod 0 other; cat other; echo y > other; rm other'
[ -e src/device ] && rm src/device";
    for (layer, want) in [(NO_BUBBLEWRAP, true), ("true", false)] {
        let session = format!("{WORK}\n{tries}; true");
        let (world, output) = run_on(layer, &session, &["--sandbox", "auto"]);
        if text(&output).contains("isolation: none") {
            println!("nothing confines here");
            return;
        }
        let tried = world.try_git(&["show", &format!("{BRANCH}:src/tried.txt")]);
        let tried = tried.unwrap_or_default();
        let machine: Vec<&str> = tried.lines().filter(|word| *word != "files").collect();
        assert!(machine.is_empty(), "{layer}: {tried} {}", text(&output));
        // bubblewrap leaves user 0 the files that are its own, and no more.
        assert!(!want || tried == "files\n", "{tried}");
        let unit = unit(&world);
        assert!(unit.contains("\nstatus: done\n"), "{}", text(&output));
    }
}

#[test]
fn what_an_agents_program_makes_as_it_starts_is_no_notice() {
    let made =
        ".codex/skills/.system/x/SKILL.md .config/opencode/opencode.jsonc .copilot/config.json";
    let session = format!(
        "H=@ROOT@/home; for f in {made}; do mkdir -p $H/$(dirname $f); echo '{{}}' > $H/$f; done; mkdir -p $H/.claude/commands\n{WORK}"
    );
    let (world, output) = run_as(
        "codex opencode copilot claude",
        "mkdir -p ../home/.codex ../home/.config/opencode ../home/.copilot ../home/.claude",
        &session,
        &["--sandbox", "auto"],
    );
    for name in made.split(' ') {
        assert!(!world.root.join("home").join(name).exists(), "{name}");
    }
    let log = world.git(&["show", &format!("{BRANCH}:{FEATURE}/events.jsonl")]);
    assert!(!log.contains("of agents changed"), "{log}");
    assert!(
        unit(&world).contains("\nstatus: done\n"),
        "{}",
        text(&output)
    );
}

#[test]
fn settings_that_a_session_makes_in_an_open_cache_are_its_own_doing() {
    let base = "H=../home; mkdir -p $H/.m2 $H/.gradle $H/.bundle";
    for (layer, name, makes) in [
        (
            "true",
            ".m2/settings.xml",
            "echo '<settings/>' > $H/.m2/settings.xml",
        ),
        (
            "true",
            ".gradle/init.d",
            "mkdir $H/.gradle/init.d; echo evil > $H/.gradle/init.d/x.gradle",
        ),
        (
            NO_BUBBLEWRAP,
            ".bundle/config",
            "echo evil > $H/.bundle/config",
        ),
    ] {
        let base = format!("{layer}; {base}");
        let session = format!("H=@ROOT@/home; {makes}\n{WORK}");
        let (world, output) = run_on(&base, &session, &["--sandbox", "auto"]);
        if text(&output).contains("isolation: none") {
            println!("nothing confines here");
            return;
        }
        let said = text(&output);
        assert!(
            !world.root.join("home").join(name).exists(),
            "{name}: {said}"
        );
        assert_eq!(output.status.code(), Some(6), "{name}: {said}");
        assert!(said.contains(name), "{said}");
    }
}

#[test]
fn a_confined_session_reads_no_login_but_its_own() {
    let reads = "for f in .codex/auth.json .aws/credentials .env .pgpass .aider.conf.yml .npmrc .bash_history .claude/settings.json; do [ -n \"$(cat @ROOT@/home/$f 2>/dev/null)\" ] && echo $f >> src/read.txt; done; true";
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
#[ignore = "long"]
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
