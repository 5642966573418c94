//! What agents do to a walk, and what a user sees of it: recordings, the live view, outcomes.

use crate::world::{PROGRAM, Unit, World, ended, good, text};
use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

#[test]
#[ignore = "long"]
fn a_recorded_feature_walks_again_to_the_same_history() {
    let first = World::example();
    let fresh = first.fork();
    let walk = |world: &World, sessions: &std::path::Path| {
        for _ in 0..8 {
            let output = world.driver(sessions).output().unwrap();
            match output.status.code() {
                Some(10) => assert!(world.run(&["arm"]).status.success()),
                Some(0) => return,
                _ => panic!("{}", text(&output)),
            }
        }
        panic!("the feature never ended");
    };
    walk(&first, &first.root.join("answered"));
    let tape = first.root.join("tape");
    let feature = "FEAT-2026-0001";
    let record = [
        "attempts",
        "record",
        "--feature",
        feature,
        "--to",
        tape.to_str().unwrap(),
    ];
    let output = first.run(&record);
    assert!(output.status.success(), "{}", text(&output));
    let again = first.run(&record);
    assert_eq!(
        again.status.code(),
        Some(2),
        "nothing is overwritten: {}",
        text(&again)
    );
    walk(&fresh, &tape);
    // The commits, and every file of the last one but those that hold times and the agent's name.
    let landed = |world: &World| {
        let branch = crate::world::BRANCH;
        let subjects = world.git(&["log", "--format=%s", branch]);
        let tree = world.git(&["ls-tree", "-r", branch]);
        let files: Vec<&str> = tree
            .lines()
            .map(|line| {
                // What holds seconds differs from walk to walk; that it is there does not.
                let timed = ["events.jsonl", "/WU-", "RETROSPECTIVE.md"];
                match timed.iter().any(|name| line.contains(name)) {
                    true => line.split('\t').next_back().unwrap_or(line),
                    false => line,
                }
            })
            .collect();
        format!("{subjects}{}", files.join("\n"))
    };
    assert_eq!(landed(&fresh), landed(&first));
}

#[test]
#[ignore = "long"]
fn every_kind_of_change_survives_a_recording() {
    let shell = "printf 'whole\\n' > T01.txt; printf 'a\\377\\000' > binary; mkdir -p deep/er; \
                 printf 'no newline' > 'deep/er/with space'; ln -s ../T01.txt deep/link; chmod +x run.sh; \
                 rm README.md; mkdir README.md; printf '%s\\n' '  : odd' '' > README.md/inside; \
                 rm -r directory; printf 'file\\n' > directory; printf 'text\\n' > link; \
                 awk 'BEGIN { for (i = 0; i < 9000; i++) print \"long line \" i }' > large";
    let session = format!(
        "steps:\n  - shell: {}\nresult: complete\n",
        serde_json::to_string(&format!("rm link; {shell}")).unwrap()
    );
    let world = World::with_units(&[Unit {
        id: "T01",
        sessions: &[&session],
        ..Unit::default()
    }]);
    world.write("run.sh", "#!/bin/sh\n");
    world.write("directory/one", "1\n");
    std::os::unix::fs::symlink("run.sh", world.repo().join("link")).unwrap();
    world.git(&["add", "-A"]);
    world.git(&["commit", "-qm", "more"]);
    let fresh = world.fork();
    let output = world.walk();
    assert!(output.status.success(), "{}", text(&output));
    let tape = world.root.join("tape");
    let output = world.run(&[
        "attempts",
        "record",
        "T01",
        "--feature",
        "FEAT-2026-0001",
        "--to",
        tape.to_str().unwrap(),
    ]);
    assert!(output.status.success(), "{}", text(&output));
    let output = fresh.driver(&tape).output().unwrap();
    assert!(output.status.success(), "{}", text(&output));
    let files = |world: &World| {
        let branch = crate::world::BRANCH;
        world.git(&[
            "ls-tree",
            "-r",
            branch,
            "--",
            "T01.txt",
            "binary",
            "deep",
            "run.sh",
            "README.md",
            "directory",
            "link",
            "large",
        ])
    };
    assert_eq!(files(&fresh), files(&world));
    assert_eq!(files(&world).lines().count(), 9);
}

#[test]
fn a_session_can_be_followed_while_it_runs_and_read_afterwards() {
    let session = "steps:\n  - say: I begin.\n  - shell: while ! test -e $HOME/../go; do sleep 0.05; done\n  - write: T01.txt\n    content: |\n      whole\n  - say: I am done.\nresult: complete\n";
    let world = World::with_units(&[Unit {
        id: "T01",
        sessions: &[session],
        ..Unit::default()
    }]);
    let go = world.root.join("go");
    let mut driver = world.driver(&world.root.join("sessions"));
    let mut driver = driver
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut news = BufReader::new(driver.stderr.take().unwrap()).lines();
    let shell = news.find(|line| line.as_ref().unwrap().contains("… shell"));
    assert!(shell.is_some(), "the session never began");
    let follow = |world: &World| {
        let mut command = world.command(PROGRAM);
        command
            .args(["attempts", "show", "T01", "--follow"])
            .stdout(Stdio::piped());
        command
    };
    let mut follower = follow(&world).spawn().unwrap();
    let mut lines = BufReader::new(follower.stdout.take().unwrap()).lines();
    assert_eq!(lines.next().unwrap().unwrap(), "I begin.");
    assert!(lines.next().unwrap().unwrap().contains("→ shell while"));
    std::fs::File::create(&go).unwrap().write_all(b"x").unwrap();
    let rest: Vec<String> = lines.map(Result::unwrap).collect();
    assert!(rest.iter().any(|line| line == "I am done."), "{rest:?}");
    assert!(follower.wait().unwrap().success());
    news.for_each(drop);
    assert!(driver.wait().unwrap().success());
    let output = follow(&world)
        .args(["--feature", "FEAT-2026-0001"])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        output.status.success() && said.starts_with("I begin.\n") && said.contains("I am done."),
        "{said}"
    );
}

#[test]
fn what_a_session_does_is_one_timestamped_line_with_its_figures() {
    let session = good("T01").replacen("steps:\n", "steps:\n  - shell: sleep 1\n", 1);
    let world = World::with_units(&[Unit {
        id: "T01",
        sessions: &[&session],
        ..Unit::default()
    }]);
    let output = world.walk();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let line = regex::Regex::new(r"(?m)^\d\d:\d\d:\d\d  T01  … shell sleep 1 \(\ds\)$").unwrap();
    assert!(line.is_match(&said), "{said}");
    assert!(
        !said.contains('\x1b'),
        "no escapes without a terminal: {said}"
    );
}

/// Makes a program of this name, found before all others, that runs a shell script.
pub(crate) fn program(world: &World, name: &str, script: &str) {
    use std::os::unix::fs::PermissionsExt;
    let dir = world.root.join("bin");
    std::fs::create_dir_all(&dir).unwrap();
    let path = dir.join(name);
    std::fs::write(&path, format!("#!/bin/sh\ncat >/dev/null\n{script}\n")).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
}

/// Two units that may go in any order.
pub(crate) fn two_units(front: &str) -> World {
    let unit = |id| Unit {
        id,
        front,
        ..Unit::default()
    };
    World::with_units(&[unit("T01"), unit("T02")])
}

/// A loop in which only this world's own programs and the system's are found.
pub(crate) fn own_loop(world: &World) -> std::process::Command {
    let mut command = world.command(PROGRAM);
    let path = format!("{}:/usr/bin:/bin", world.root.join("bin").display());
    command.env("PATH", path).args(["loop", "--json"]);
    command
}

/// What a loop said: its exit, and its events.
pub(crate) fn said(output: &std::process::Output) -> (Option<i32>, Vec<serde_json::Value>) {
    let lines = String::from_utf8_lossy(&output.stdout).into_owned();
    let events = lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("{}", text(output))))
        .collect();
    (output.status.code(), events)
}

pub(crate) fn classes(events: &[serde_json::Value]) -> Vec<&str> {
    events
        .iter()
        .filter(|e| e["event"] == "session_ended")
        .map(|e| e["class"].as_str().unwrap())
        .collect()
}

pub(crate) const BEGIN: &str = r#"say() { printf '%s\n' "$1"; }
say '{"type":"system","subtype":"init","session_id":"s","model":"claude-sonnet-4-5"}'
write() { for unit in T01 T02; do case "$GATEWALK_UNIT" in *$unit) echo whole > $unit.txt;; esac; done; }
claim() { say '{"type":"assistant","message":{"id":"m","content":[{"type":"text","text":"Done.\n```result\nstatus: complete\nsummary: all of it\n```"}]}}'; }
fail() { say "{\"type\":\"result\",\"subtype\":\"success\",\"is_error\":true,\"api_error_status\":$1,\"result\":\"$2\"}"; }
"#;

#[test]
#[ignore = "long"]
fn what_a_program_claims_never_wins_over_how_it_ends() {
    // What the program does; the loop's exit; the class of every session, in order.
    let rows: [(&str, i32, &[&str]); 5] = [
        ("write; claim; exit 1", 5, &["crashed"]),
        (
            "write; claim; fail 400 'too long'; exit 0",
            5,
            &["protocol"],
        ),
        ("write; claim; fail 401 'invalid key'; exit 1", 5, &["auth"]),
        ("write; claim; fail 402 'no credit'; exit 0", 5, &["quota"]),
        ("exit 0", 5, &["protocol"]),
    ];
    for (script, exit, kinds) in rows {
        let world = two_units("agent: claude\n");
        program(&world, "claude", &format!("{BEGIN}{script}"));
        let output = own_loop(&world).output().unwrap();
        let (code, events) = said(&output);
        assert_eq!(code, Some(exit), "{script}: {}", text(&output));
        let mut seen = classes(&events);
        seen.dedup();
        assert_eq!(seen, kinds, "{script}: {}", text(&output));
        assert!(!events.iter().any(|e| e["event"] == "landed"), "{script}");
        let pins = world.git(&["for-each-ref", "refs/gatewalk/attempts"]);
        assert_eq!(pins, "", "{script} cost an attempt");
    }
}

#[test]
fn a_missing_program_stops_with_the_remedy_and_no_attempt() {
    let world = two_units("agent: codex\n");
    let output = own_loop(&world).output().unwrap();
    let (code, events) = said(&output);
    assert_eq!(code, Some(5), "{}", text(&output));
    let started = classes(&events);
    assert!(started.is_empty(), "nothing is started: {started:?}");
    let stopped = events.last().unwrap();
    assert_eq!(stopped["reason"], "no_agent");
    assert!(
        stopped["why"]
            .to_string()
            .contains("npm install -g @openai/codex"),
        "{stopped}"
    );
}

#[test]
fn without_an_account_the_chain_takes_over_at_once_and_for_every_unit() {
    let world = two_units("agent: [claude, codex]\n");
    program(
        &world,
        "claude",
        &format!("{BEGIN}fail 401 'invalid key'; exit 1"),
    );
    let codex = r#"printf '%s\n' '{"type":"thread.started","thread_id":"t"}'
write; printf '%s\n' '{"type":"turn.completed","usage":{"input_tokens":10,"cached_input_tokens":0,"output_tokens":5}}'"#;
    let begin = BEGIN.replace("say '{", ": '{");
    program(&world, "codex", &format!("{begin}{codex}"));
    let output = own_loop(&world).output().unwrap();
    let (code, events) = said(&output);
    assert_eq!(code, Some(0), "{}", text(&output));
    assert_eq!(
        classes(&events),
        ["auth", "worked", "worked"],
        "{}",
        text(&output)
    );
    let agents =
        |branch: &str| world.git(&["log", "--format=%(trailers:key=Agent,valueonly)", branch]);
    assert_eq!(
        agents(crate::world::BRANCH)
            .split_whitespace()
            .collect::<Vec<_>>(),
        ["codex", "codex"]
    );
}

#[test]
fn a_limit_is_waited_for_in_the_open_and_ctrl_c_ends_the_wait() {
    let world = two_units("agent: claude\n");
    let reset = jiff::Timestamp::now().as_second() + 3600;
    let limit = format!(
        "say '{{\"type\":\"rate_limit_event\",\"rate_limit_info\":{{\"status\":\"rejected\",\"resetsAt\":{reset}}}}}'\nfail 429 'limit reached'\nexit 1"
    );
    program(&world, "claude", &format!("{BEGIN}{limit}"));
    let mut driver = own_loop(&world)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(driver.stdout.take().unwrap()).lines();
    let mut sessions = 0;
    let waiting: serde_json::Value = lines
        .by_ref()
        .map(|line| serde_json::from_str(&line.unwrap()).unwrap())
        .inspect(|event: &serde_json::Value| {
            sessions += u32::from(event["event"] == "session_ended")
        })
        .find(|event| event["event"] == "waiting")
        .expect("it never said that it waits");
    assert_eq!(sessions, 1, "the other unit met the limit as well");
    let until: jiff::Timestamp = waiting["until"].as_str().unwrap().parse().unwrap();
    assert!(
        (reset..reset + 10).contains(&until.as_second()),
        "{waiting}"
    );
    assert!(
        waiting["why"].as_str().unwrap().contains("usage limit"),
        "{waiting}"
    );
    let pid = rustix::process::Pid::from_child(&driver);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    let last = lines.last().unwrap().unwrap();
    assert_eq!(driver.wait().unwrap().code(), Some(130), "{last}");
    assert!(last.contains("interrupted"), "{last}");
    assert_eq!(world.git(&["for-each-ref", "refs/gatewalk/attempts"]), "");
}

#[test]
fn a_budget_ends_a_session_while_it_runs() {
    // By the dated list 100,000 tokens in cost $0.30; the session would go on for ever.
    let spend = r#"n=0; while :; do n=$((n + 1))
say "{\"type\":\"assistant\",\"message\":{\"id\":\"m$n\",\"model\":\"claude-sonnet-4-5\",\"usage\":{\"input_tokens\":100000,\"output_tokens\":0},\"content\":[]}}"
sleep 0.1; done"#;
    for (place, exit) in [("unit", 11), ("gate", 12), ("feature", 12)] {
        let front = if place == "unit" {
            "agent: claude\nbudget_usd: 1\n"
        } else {
            "agent: claude\n"
        };
        let world = two_units(front);
        program(&world, "claude", &format!("{BEGIN}{spend}"));
        let dir = ".gatewalk/features/FEAT-2026-0001-greetings";
        let raise = |file: &str, key: &str| {
            let path = format!("{dir}/{file}");
            let edited = world
                .read(&path)
                .replacen("status:", &format!("{key}: 1\nstatus:"), 1);
            world.write(&path, edited);
            world.git(&["commit", "-qam", "budget"]);
        };
        match place {
            "gate" => raise("GATE-01.md", "cost_budget_usd"),
            "feature" => raise("PLAN.md", "budget_usd"),
            _ => {}
        }
        let output = own_loop(&world).output().unwrap();
        let (code, events) = said(&output);
        assert_eq!(code, Some(exit), "{place}: {}", text(&output));
        let ended = events
            .iter()
            .find(|e| e["event"] == "session_ended")
            .unwrap();
        assert_eq!(ended["class"], "budget", "{place}: {}", text(&output));
        let cost = ended["cost_usd"].as_f64().unwrap();
        assert!(cost > 1.0 && cost < 3.0, "{place}: {cost}");
    }
}

#[test]
fn sessions_side_by_side_spend_of_one_budget() {
    // Each reports $0.30 a second; alone either would go on beyond $1.
    let spend = r#"n=0; while :; do n=$((n + 1))
say "{\"type\":\"assistant\",\"message\":{\"id\":\"m$n\",\"model\":\"claude-sonnet-4-5\",\"usage\":{\"input_tokens\":100000,\"output_tokens\":0},\"content\":[]}}"
sleep 1; done"#;
    for (file, key) in [("GATE-01.md", "cost_budget_usd"), ("PLAN.md", "budget_usd")] {
        let world = two_units("agent: claude\n");
        program(&world, "claude", &format!("{BEGIN}{spend}"));
        let path = format!(".gatewalk/features/FEAT-2026-0001-greetings/{file}");
        let edited = world.read(&path);
        let edited = edited.replacen("status:", &format!("{key}: 1\nstatus:"), 1);
        world.write(&path, edited);
        world.git(&["commit", "-qam", "budget"]);
        let output = own_loop(&world).args(["--jobs", "2"]).output().unwrap();
        let (code, events) = said(&output);
        assert_eq!(code, Some(12), "{file}: {}", text(&output));
        let ended = events.iter().filter(|e| e["event"] == "session_ended");
        let spent: f64 = ended.clone().filter_map(|e| e["cost_usd"].as_f64()).sum();
        assert!(
            ended.clone().all(|e| e["class"] == "budget"),
            "{file}: {}",
            text(&output)
        );
        // More than $1 each, were they not to see each other.
        assert!(
            spent > 1.0 && spent < 2.2,
            "{file}: {spent}: {}",
            text(&output)
        );
    }
}

#[test]
fn a_limit_that_one_session_met_is_known_to_every_unit() {
    let unit = |id| Unit {
        id,
        front: "agent: claude\n",
        ..Unit::default()
    };
    let world = World::with_units(&[unit("T01"), unit("T02"), unit("T03")]);
    let (begun, go) = (world.root.join("begun"), world.root.join("go"));
    let reset = jiff::Timestamp::now().as_second() + 3600;
    let script = format!(
        r#"case "$GATEWALK_UNIT" in
*T02) while ! test -e '{1}'; do sleep 0.05; done; write
  say '{{"type":"result","is_error":false,"usage":{{"input_tokens":1,"output_tokens":1}}}}' ;;
*) while ! test -e '{0}'; do sleep 0.05; done
  say '{{"type":"rate_limit_event","rate_limit_info":{{"status":"rejected","resetsAt":{reset}}}}}'
  fail 429 'limit reached'; exit 1 ;;
esac"#,
        begun.display(),
        go.display()
    );
    program(&world, "claude", &format!("{BEGIN}{script}"));
    let mut driver = own_loop(&world)
        .args(["--jobs", "2"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(driver.stdout.take().unwrap()).lines();
    let mut ended = Vec::new();
    for line in lines.by_ref() {
        let event: serde_json::Value = serde_json::from_str(&line.unwrap()).unwrap();
        let of_second = event["unit"]
            .as_str()
            .is_some_and(|unit| unit.ends_with("T02"));
        if event["event"] == "dispatched" && of_second {
            std::fs::write(&begun, "").unwrap();
        }
        if event["event"] == "session_ended" {
            ended.push(event["class"].as_str().unwrap().to_owned());
            std::fs::write(&go, "").unwrap();
        }
        if event["event"] == "waiting" {
            break;
        }
    }
    assert_eq!(ended, ["limit", "worked"], "the third unit met it, too");
    let pid = rustix::process::Pid::from_child(&driver);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    let rest: Vec<String> = lines.map(Result::unwrap).collect();
    assert!(
        !rest.iter().any(|line| line.contains("\"waiting\"")),
        "told twice: {rest:?}"
    );
    assert_eq!(driver.wait().unwrap().code(), Some(130), "{rest:?}");
}

#[test]
fn variables_that_change_who_pays_or_where_it_runs_never_reach_a_session() {
    let world = two_units("agent: claude\n");
    program(
        &world,
        "claude",
        &format!(
            "{BEGIN}env | cut -d= -f1 >&2; write; say '{{\"type\":\"result\",\"is_error\":false,\"usage\":{{\"input_tokens\":1,\"output_tokens\":1}}}}'"
        ),
    );
    let login = world.root.join("home/.claude");
    std::fs::create_dir(&login).unwrap();
    std::fs::write(login.join(".credentials.json"), "{}").unwrap();
    let run = |keep: bool| {
        let mut command = own_loop(&world);
        for name in [
            "ANTHROPIC_API_KEY",
            "CLAUDECODE",
            "CLAUDE_CODE_ENTRYPOINT",
            "GIT_DIR_OF_A_HOOK",
            "OTHER_SECRET",
        ] {
            command.env(name, "made-up");
        }
        if keep {
            command.env("GATEWALK_KEEP_KEYS", "1");
        }
        command.output().unwrap()
    };
    let output = run(false);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    let log = world.read(".git/gatewalk/logs/FEAT-2026-0001_T01/1/session.log");
    for name in [
        "ANTHROPIC_API_KEY",
        "CLAUDECODE",
        "CLAUDE_CODE_ENTRYPOINT",
        "GIT_DIR_OF_A_HOOK",
        "OTHER_SECRET",
    ] {
        assert!(
            !log.lines().any(|line| line == name),
            "{name} passed:\n{log}"
        );
    }
    assert!(log.lines().any(|line| line == "HOME"), "{log}");
    let note = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        note.contains("kept ANTHROPIC_API_KEY from the session"),
        "{note}"
    );
    assert!(!note.contains("made-up"), "{note}");
}

#[test]
#[ignore = "long"]
fn a_gateways_key_and_address_reach_a_session_together_or_not_at_all() {
    const URL: &str = "ANTHROPIC_BASE_URL";
    const TOKEN: &str = "ANTHROPIC_AUTH_TOKEN";
    for (settings, given, want) in [
        ("{}", &[URL, TOKEN][..], &[TOKEN, URL][..]),
        ("{}", &[URL], &[]),
        ("{}", &[TOKEN], &[]),
        (
            "{\"env\": {\"ANTHROPIC_BASE_URL\": \"http://127.0.0.1:9\", \"ANTHROPIC_AUTH_TOKEN\": \"t\"}}",
            &[TOKEN],
            &[],
        ),
    ] {
        let world = two_units("agent: claude\n");
        let names = "env | cut -d= -f1 | grep ^ANTHROPIC | sort >&2";
        program(
            &world,
            "claude",
            &format!(
                "{BEGIN}{names}; write; say '{{\"type\":\"result\",\"is_error\":false,\"usage\":{{\"input_tokens\":1,\"output_tokens\":1}}}}'"
            ),
        );
        let login = world.root.join("home/.claude");
        std::fs::create_dir(&login).unwrap();
        std::fs::write(login.join(".credentials.json"), "{}").unwrap();
        std::fs::write(login.join("settings.json"), settings).unwrap();
        let mut command = own_loop(&world);
        for name in given {
            command.env(name, "http://127.0.0.1:9/made-up");
        }
        let output = command.output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", text(&output));
        let log = world.read(".git/gatewalk/logs/FEAT-2026-0001_T01/1/session.log");
        let got: Vec<&str> = log.lines().filter(|l| l.starts_with("ANTHROPIC")).collect();
        assert_eq!(got, want, "{given:?} {settings}\n{log}");
    }
}

#[test]
fn a_repository_cannot_decide_where_a_login_goes() {
    let world = two_units("agent: claude\n");
    program(&world, "claude", &format!("{BEGIN}write"));
    world.write(
        ".claude/settings.json",
        "{\"env\": {\"ANTHROPIC_BASE_URL\": \"http://127.0.0.1:9\"}}",
    );
    world.git(&["add", "-A"]);
    world.git(&["commit", "-q", "-m", "Send it elsewhere"]);
    let output = own_loop(&world).output().unwrap();
    assert_ne!(output.status.code(), Some(0), "{}", text(&output));
    let told = text(&output);
    assert!(told.contains(".claude/settings.json"), "{told}");
}

#[test]
fn a_profile_brings_its_account_its_model_and_its_arguments() {
    let world = two_units("agent: glm\nmodel: opus\n");
    program(
        &world,
        "claude",
        &format!(
            "{BEGIN}echo \"args $*\" >&2; env | grep -e ^ANTHROPIC -e ^CLAUDE_CONFIG -e ^EXTRA -e ^DOCS | sort >&2; write; say '{{\"type\":\"result\",\"is_error\":false,\"usage\":{{\"input_tokens\":1,\"output_tokens\":1}}}}'"
        ),
    );
    program(&world, "docs-mcp", "");
    let config = world.root.join("home/.config/gatewalk");
    std::fs::create_dir_all(&config).unwrap();
    let write = |set: &str| {
        let profile = format!(
            "agents:\n  glm:\n    speaks: claude\n    args: [--extra, one]\n    env: [EXTRA_*]\n    model: glm-5\n    \
             mcp:\n      docs: {{command: [docs-mcp, --here], env: [DOCS_KEY]}}\n      web: {{url: https://mcp.example}}\n    set: {{{set}}}\n"
        );
        std::fs::write(config.join("config.yml"), profile).unwrap();
    };
    let run = || {
        let mut command = own_loop(&world);
        for name in ["ANTHROPIC_API_KEY", "EXTRA_ONE", "MY_TOKEN", "DOCS_KEY"] {
            command.env(name, "made-up");
        }
        command.output().unwrap()
    };
    write("ANTHROPIC_BASE_URL: http://127.0.0.1:9");
    let output = run();
    assert_ne!(output.status.code(), Some(0), "{}", text(&output));
    assert!(text(&output).contains("without a key"), "{}", text(&output));
    write(
        "ANTHROPIC_BASE_URL: http://127.0.0.1:9, ANTHROPIC_AUTH_TOKEN: $MY_TOKEN, CLAUDE_CONFIG_DIR: ~/.glm",
    );
    let output = run();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    let log = world.read(".git/gatewalk/logs/FEAT-2026-0001_T01/1/session.log");
    for part in [
        "--strict-mcp-config --extra one --model glm-5",
        "ANTHROPIC_AUTH_TOKEN=",
        "ANTHROPIC_BASE_URL=http://127.0.0.1:9",
        "/.glm",
        "EXTRA_ONE=",
        "DOCS_KEY=",
        r#"--mcp-config {"mcpServers":{"docs":{"type":"stdio","command":"docs-mcp","args":["--here"]},"web":{"type":"http","url":"https://mcp.example"}}}"#,
    ] {
        assert!(log.contains(part), "{part} is missing:\n{log}");
    }
    assert!(!log.contains("ANTHROPIC_API_KEY"), "{log}");
}

#[test]
fn a_profile_that_cannot_be_meant_is_refused_before_a_session() {
    const LINE: &str = "config.yml`: line 2: agent `mine`";
    let config = |world: &World| world.root.join("home/.config/gatewalk/config.yml");
    let try_it = |name: &str, profile: &str| {
        let world = two_units(&format!("agent: {name}\n"));
        program(&world, "claude", "exit 1");
        std::fs::create_dir_all(config(&world).parent().unwrap()).unwrap();
        std::fs::write(
            config(&world),
            format!("agents:\n  {name}: {{{profile}}}\n"),
        )
        .unwrap();
        let output = own_loop(&world).output().unwrap();
        assert_ne!(output.status.code(), Some(0), "{profile}");
        text(&output)
    };
    for (profile, wants) in [
        (
            "speaks: gemini, mcp: {docs: {command: [docs-mcp]}}",
            [LINE, "cannot be given tool servers"],
        ),
        (
            "speaks: claude, mcp: {docs: {}}",
            [LINE, "`mcp` names servers as"],
        ),
        (
            "speaks: claude, mcp: {docs: {command: [a], url: b}}",
            [LINE, "`mcp` names servers as"],
        ),
        (
            "speaks: claude, modell: x",
            [LINE, "unknown key `modell`; did you mean `model`?"],
        ),
        (
            "speaks: cluade",
            [
                LINE,
                "no adapter is called `cluade` (`speaks`); did you mean `claude`?",
            ],
        ),
        // These stand in the way of nothing but a session of theirs.
        (
            "speaks: claude, set: {ANTHROPIC_API_KEY: $OTHER_KEY}",
            [
                "mine: ANTHROPIC_API_KEY is to be `$OTHER_KEY`, which is not set",
                "\"exit\":5",
            ],
        ),
        (
            "speaks: claude, command: [~/nowhere/claude]",
            ["/home/nowhere/claude` is not here", "\"exit\":5"],
        ),
        (
            "speaks: claude, mcp: {docs: {command: [no-such-server]}}",
            [
                "its tool server `docs`: `no-such-server` is not on PATH",
                "\"exit\":5",
            ],
        ),
    ] {
        let told = try_it("mine", profile);
        for want in wants {
            assert!(told.contains(want), "{profile}: {want} is missing: {told}");
        }
    }
    let told = try_it("codex", "speaks: claude");
    assert!(told.contains("agent `codex` is built in"), "{told}");
}

#[test]
fn a_retry_climbs_the_ladder_even_when_the_failure_is_the_same() {
    let session = "steps:\n  - write: T01.txt\n    content: |\n      broken\nresult: complete\n";
    let world = World::with_units(&[Unit {
        id: "T01",
        front: "model: small\nladder: [{model: middle}, {model: large, effort: high}]\n",
        sessions: &[session, session, session, session],
        ..Unit::default()
    }]);
    let output = world.walk();
    assert_eq!(output.status.code(), Some(11), "{}", text(&output));
    let events = world.git(&[
        "show",
        &format!(
            "{}:.gatewalk/features/FEAT-2026-0001-greetings/events.jsonl",
            crate::world::BRANCH
        ),
    ]);
    let asked: Vec<String> = events
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap())
        .filter(|event| event["event_type"] == "attempt_outcome")
        .map(|event| {
            format!(
                "{} {}",
                event["payload"]["model"], event["payload"]["effort"]
            )
        })
        .collect();
    assert_eq!(
        asked,
        ["\"small\" null", "\"middle\" null", "\"large\" \"high\""]
    );
}

#[test]
fn an_account_in_a_linked_file_is_the_users_own_until_a_session_changes_it() {
    for (more, exit, words) in [
        ("", 0, "is done: every gate passed"),
        (
            "echo OPENAI_API_BASE=http://elsewhere >> .env",
            3,
            "`.env` decides where the agent's requests go",
        ),
    ] {
        let world = crate::world::two_units();
        world.sh("echo .env >> .gitignore; echo OPENAI_API_KEY=k > .env; sed -i '1i link: [.env]' .gatewalk/verification.yml; git add -A; git commit -qm linked; mkdir ../bin");
        let aider = world.root.join("bin/aider");
        let work = "grep -q OPENAI_API_KEY=k .env; echo whole > \"${GATEWALK_UNIT##*/}.txt\"";
        std::fs::write(
            &aider,
            format!("#!/bin/sh\necho Aider v0.86.0\n{work}\n{more}\n"),
        )
        .unwrap();
        world.sh("chmod +x ../bin/aider");
        let path = std::env::var_os("PATH").unwrap_or_default();
        let path = std::iter::once(world.root.join("bin")).chain(std::env::split_paths(&path));
        let mut walk = world.command(PROGRAM);
        walk.args(["loop", "--agent", "aider"])
            .env("PATH", std::env::join_paths(path).unwrap());
        ended(&walk.output().unwrap(), exit, words);
    }
}
