//! `gatewalk doctor`: each thing that can be wrong, with its level, remedy and exit code, told without
//! writing anything or running anything but git.

use crate::world::{Unit, World, good, text};
use serde_json::Value;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// Makes a program that leaves a mark when anyone runs it.
fn program(world: &World, name: &str, script: &str) {
    let dir = world.root.join("bin");
    std::fs::create_dir_all(&dir).unwrap();
    let path = dir.join(name);
    let mark = world.root.join("was-run");
    std::fs::write(
        &path,
        format!("#!/bin/sh\ntouch {}\n{script}\n", mark.display()),
    )
    .unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
}

fn world(front: &str) -> World {
    World::with_units(&[Unit {
        id: "T01",
        front,
        sessions: &[&good("T01")],
        ..Unit::default()
    }])
}

/// Runs the doctor with only git, the shell's programs and this world's own on PATH.
fn doctor(world: &World, args: &[&str], env: &[(&str, &str)]) -> (Option<i32>, Value) {
    let path = format!("{}:/usr/bin:/bin", world.root.join("bin").display());
    let output = world
        .command(crate::world::PROGRAM)
        .args(["doctor", "--json"])
        .args(args)
        .env("PATH", path)
        .envs(env.iter().copied())
        .output()
        .unwrap();
    let said = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}\n{}", text(&output)));
    (output.status.code(), said)
}

fn row<'a>(said: &'a Value, name: &str) -> &'a Value {
    let rows = said["checks"].as_array().unwrap();
    rows.iter()
        .find(|row| row["check"] == name)
        .unwrap_or_else(|| panic!("no line about {name}: {said}"))
}

/// Everything below a directory with its size and time.
fn files(root: &Path) -> Vec<String> {
    let mut found: Vec<String> = walkdir::WalkDir::new(root)
        .into_iter()
        .filter_map(Result::ok)
        .filter(|entry| entry.file_type().is_file())
        .map(|entry| {
            let meta = entry.metadata().unwrap();
            format!(
                "{} {} {:?}",
                entry.path().display(),
                meta.len(),
                meta.modified().unwrap()
            )
        })
        .collect();
    found.sort();
    found
}

#[test]
fn doctor_writes_nothing_and_runs_nothing_but_git() {
    let world = world("agent: claude\n");
    program(&world, "claude", "echo 2.1.0");
    // Git may refresh the times of its index when it is asked for the status.
    doctor(&world, &[], &[]);
    let before = files(&world.root);
    let (_, said) = doctor(&world, &[], &[]);
    assert_eq!(files(&world.root), before, "{said}");
    assert!(!world.root.join("was-run").exists());
    assert_eq!(row(&said, "claude")["version"], Value::Null);
    let (_, said) = doctor(&world, &["--ask"], &[]);
    assert_eq!(row(&said, "claude")["version"], "2.1.0", "{said}");
    assert!(world.root.join("was-run").exists());
}

#[test]
fn doctor_reports_an_agent_that_prints_no_version() {
    for (script, told) in [
        (":", "it exits 0"),
        ("kill -9 $$", "it is ended by signal 9"),
        (
            "printf '\\033[31mred\\377\\n'; exit 3",
            "it exits 3, and says: [31mred\u{fffd}",
        ),
        (
            "yes garbage | head -c 300 | tr '\\n' ' '",
            "it exits 0, and says: garbage garbage",
        ),
    ] {
        let world = world("agent: claude\n");
        program(&world, "claude", script);
        let (_, said) = doctor(&world, &["--ask"], &[]);
        let row = row(&said, "claude");
        assert_eq!(row["level"], "fail", "{script}: {said}");
        let says = row["says"].as_str().unwrap();
        assert!(says.contains(told), "{script}: {says}");
        let (_, tail) = says.split_once("its version: ").unwrap();
        assert!(tail.chars().count() < 110, "{script}: {says}");
    }
}

#[test]
fn doctor_fails_by_what_the_open_plans_need() {
    // The unit's agent; programs here; environment; exit; the line to look at and its level.
    for (agent, here, env, exit, name, level) in [
        (
            "claude",
            &["claude"][..],
            &[("ANTHROPIC_API_KEY", "x")][..],
            0,
            "claude",
            "ok",
        ),
        ("claude", &["claude"], &[], 0, "claude", "warn"),
        ("claude", &[], &[], 5, "agents", "fail"),
        ("[claude, codex]", &["codex"], &[], 0, "claude", "warn"),
        ("[claude, codex]", &[], &[], 5, "agents", "fail"),
    ] {
        let world = world(&format!("agent: {agent}\n"));
        for name in here {
            program(&world, name, "echo 1.0.0");
        }
        let (code, said) = doctor(&world, &[], env);
        assert_eq!(code, Some(exit), "{agent} {here:?}: {said}");
        let rows = said["checks"].as_array().unwrap();
        let found = rows
            .iter()
            .any(|row| row["check"] == name && row["level"] == level);
        assert!(found, "{agent} {here:?} wants {name} {level}: {said}");
        for row in rows {
            let needs_remedy = row["level"] == "fail" || row["level"] == "warn";
            assert_eq!(needs_remedy, row["remedy"].is_string(), "{row}");
        }
    }
}

#[test]
fn a_key_that_would_change_who_pays_is_named_and_its_value_is_not() {
    let world = world("");
    program(&world, "claude", "echo 1.0.0");
    let login = world.root.join("home/.claude");
    std::fs::create_dir(&login).unwrap();
    std::fs::write(login.join(".credentials.json"), "{}").unwrap();
    let (_, said) = doctor(&world, &[], &[("ANTHROPIC_API_KEY", "made-up-value")]);
    let says = row(&said, "claude")["says"].as_str().unwrap();
    assert!(
        says.contains("logged in") && says.contains("ANTHROPIC_API_KEY"),
        "{says}"
    );
    assert!(!said.to_string().contains("made-up-value"));
}

#[test]
fn doctor_reports_the_state_of_the_repository() {
    type Change = fn(&World);
    let rows: [(&str, &str, Change); 9] = [
        ("orphans", "ok", |_| {}),
        ("hooks", "warn", |w| {
            for name in ["pre-commit", "reference-transaction"] {
                w.write(&format!(".git/hooks/{name}"), "#!/bin/sh\n");
                let hook = w.repo().join(".git/hooks").join(name);
                std::fs::set_permissions(hook, std::fs::Permissions::from_mode(0o755)).unwrap();
            }
        }),
        ("checkout", "warn", |w| {
            w.write(
                ".git/MERGE_HEAD",
                format!("{}\n", w.git(&["rev-parse", "HEAD"]).trim()),
            )
        }),
        ("orphans", "warn", |w| {
            let id = w.git(&["rev-parse", "HEAD"]);
            let id = id.trim();
            let note = format!(
                r#"{{"slot":0,"unit":"FEAT-2026-0001/T01","number":1,"base":"{id}","tree":"{id}","agent":"claude","started_at":"2026-11-21T10:00:00Z"}}"#
            );
            w.write(".git/gatewalk/in-flight/0.json", note);
        }),
        ("config", "fail", |w| {
            let dir = w.root.join("home/.config/gatewalk");
            std::fs::create_dir_all(&dir).unwrap();
            std::fs::write(dir.join("config.yml"), "agents:\n  own: {prompt: stdin}\n").unwrap();
        }),
        ("trust", "warn", |w| {
            std::fs::set_permissions(w.repo(), std::fs::Permissions::from_mode(0o777)).unwrap();
        }),
        ("isolation", "warn", |w| {
            let dir = w.root.join("home/.config/gatewalk");
            std::fs::create_dir_all(&dir).unwrap();
            std::fs::write(dir.join("config.yml"), "sandbox: off\n").unwrap();
        }),
        ("repository", "fail", |w| {
            std::fs::remove_dir_all(w.repo().join(".git")).unwrap()
        }),
        // Before `init` nothing is broken.
        ("repository", "warn", |w| {
            w.git(&["rm", "-rq", ".gatewalk"]);
            w.git(&["commit", "-qm", "without plans"]);
        }),
    ];
    for (name, level, change) in rows {
        let world = world("");
        program(&world, "claude", "echo 1.0.0");
        change(&world);
        let (code, said) = doctor(&world, &[], &[]);
        assert_eq!(row(&said, name)["level"], level, "{said}");
        assert_eq!(code, Some(if level == "fail" { 5 } else { 0 }), "{said}");
    }
}

#[test]
fn a_probe_is_a_whole_walk_in_a_throwaway_repository() {
    let world = world("");
    let sessions = world.root.join("probe");
    std::fs::create_dir(&sessions).unwrap();
    let session = "steps:\n  - write: hello.txt\n    content: |\n      hello\nusage: {input_tokens: 10, output_tokens: 5, cost_usd: 0.01}\nresult: complete\n";
    std::fs::write(sessions.join("T01.yml"), session).unwrap();
    let before = files(&world.repo());
    let agent = format!("script:{}", sessions.display());
    let (code, said) = doctor(&world, &["--probe", &agent], &[]);
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(row(&said, "script")["session"]["class"], "worked", "{said}");
    assert_eq!(row(&said, "script")["session"]["cost_usd"], 0.01, "{said}");

    std::fs::write(
        sessions.join("T01.yml"),
        session.replace("      hello", "      wrong"),
    )
    .unwrap();
    let (code, said) = doctor(&world, &["--probe", &agent], &[]);
    assert_eq!(code, Some(5), "{said}");
    let says = row(&said, "script")["says"].as_str().unwrap().to_owned();
    let kept = says.rsplit("kept in ").next().unwrap();
    assert!(Path::new(kept).join(".gatewalk").is_dir(), "{says}");
    std::fs::remove_dir_all(Path::new(kept).parent().unwrap()).unwrap();

    let (code, said) = doctor(&world, &["--probe", "gemini"], &[]);
    assert_eq!(code, Some(5), "{said}");
    let row = row(&said, "gemini");
    assert!(
        row["says"].as_str().unwrap().starts_with("missing"),
        "{row}"
    );
    assert!(row["remedy"].as_str().unwrap().contains("install"), "{row}");
    assert_eq!(
        files(&world.repo()),
        before,
        "a probe never touches your repository"
    );
}
