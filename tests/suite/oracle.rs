//! What stands around the oracle: re-checks, the user's hooks and signature, the seal, confinement.

use super::world::{BRANCH, Unit, World, after_shell, good, text, two_units};
use std::os::unix::fs::PermissionsExt;
use std::process::Output;

fn one_unit(session: &str) -> World {
    World::with_units(&[Unit {
        id: "T01",
        front: "max_attempts: 1\n",
        sessions: &[session],
        ..Unit::default()
    }])
}

#[track_caller]
fn expect(output: &Output, exit: i32, says: &str) {
    let said = text(output);
    assert_eq!(output.status.code(), Some(exit), "{said}");
    assert!(said.contains(says), "`{says}` is not in:\n{said}");
}

fn walk(world: &World, more: &[&str]) -> Output {
    let sessions = world.root.join("sessions");
    world.driver(&sessions).args(more).output().unwrap()
}

fn executable(path: &std::path::Path, text: &str) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
#[ignore = "long"]
fn verify_checks_again_what_landed_and_finds_a_forged_record() {
    let world = one_unit(&good("T01"));
    expect(&world.walk(), 0, "");
    for what in ["T01", "FEAT-2026-0001/T01", &format!("{BRANCH}~1")] {
        expect(&world.run(&["verify", what]), 0, "same as on record");
    }
    expect(&world.run(&["verify", "T01", "--attempt", "1"]), 0, "same");
    expect(&world.run(&["verify", "main"]), 3, "landed no unit");
    expect(&world.run(&["verify", "T09"]), 3, "no unit and no commit");
    // From below the root, with edits under way, from another work tree, and without what was pinned.
    world.write("sub/notes.txt", "mine\n");
    world.write(".gatewalk/verification.yml", "code: []\n");
    let run = |dir: std::path::PathBuf| {
        let mut command = world.command(super::world::PROGRAM);
        command.current_dir(dir).args(["verify", "T01"]);
        expect(&command.output().unwrap(), 0, "same as on record");
    };
    run(world.repo().join("sub"));
    world.git(&["worktree", "add", "-q", "../beside", "main"]);
    run(world.root.join("beside"));
    world.git(&["worktree", "remove", "../beside"]);
    world.git(&["checkout", "-q", "."]);
    let json = world.run(&["verify", "T01", "--json"]);
    let value: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!(value["same"], true);
    // The same trailers on other work.
    world.git(&["switch", "-q", "--detach", &format!("{BRANCH}~1")]);
    world.write("T01.txt", "half\n");
    world.git(&["commit", "-q", "--amend", "--no-edit", "-a"]);
    expect(
        &world.run(&["verify", "HEAD"]),
        6,
        "not the tree that was judged",
    );
    // A landing that says another oracle judged it.
    world.git(&["switch", "-q", "--detach", &format!("{BRANCH}~1")]);
    let message = world.git(&["log", "-1", "--format=%B"]);
    let forged = message.replace("Oracle: ", "Oracle: 0");
    world.git(&["commit", "-q", "--amend", "-m", forged.trim()]);
    expect(
        &world.run(&["verify", "HEAD"]),
        6,
        "oracle of the commit before",
    );
}

#[test]
fn the_user_s_hooks_judge_or_are_skipped_aloud() {
    let hook = "#!/bin/sh\necho hook >> \"$0.ran\" 2>/dev/null\ntest -n \"$(git diff --cached --name-only)\" || { echo 'nothing staged'; exit 1; }\n! grep -q TODO T01.txt 2>/dev/null\n";
    let with_todo = good("T01").replace("whole", "whole TODO");
    for (session, exit) in [(&good("T01"), 0), (&with_todo, 11)] {
        let world = one_unit(session);
        executable(&world.repo().join(".git/hooks/pre-commit"), hook);
        expect(&walk(&world, &[]), exit, "pre-commit hook");
    }
    let world = one_unit(&good("T01"));
    let message =
        "#!/bin/sh\ngrep -q '^Feature: FEAT-2026-0001/T01$' \"$1\" && echo 'no ticket' && exit 1\n";
    executable(&world.repo().join(".git/hooks/commit-msg"), message);
    expect(&walk(&world, &[]), 11, "commit-msg hook");
    let known =
        "next: already red before any work, as of the last run: commit-msg hook (it refuses";
    expect(&world.run(&["status"]), 0, known);
    std::fs::remove_file(world.repo().join(".git/hooks/commit-msg")).unwrap();
    expect(&world.run(&["status"]), 0, "next: gatewalk loop");
    let world = one_unit(&with_todo);
    executable(&world.repo().join(".git/hooks/pre-commit"), hook);
    world.write(".gatewalk/config.yml", "hooks: skip\n");
    world.git(&["add", "-A"]);
    world.git(&["commit", "-q", "--no-verify", "-m", "skip"]);
    expect(&world.run(&["status"]), 0, "hooks: skip");
    expect(&walk(&world, &[]), 0, "");
}

#[test]
fn a_hook_that_refuses_one_units_message_is_known_before_its_session_and_the_cure_is_named() {
    let world = two_units();
    let hook = "#!/bin/sh\ngrep -q 'FEAT-2026-0001/T01' \"$1\" && exit 0\ngrep -q '^feat: ' \"$1\" || { echo 'no type' >&2; exit 1; }\n";
    executable(&world.repo().join(".git/hooks/commit-msg"), hook);
    let output = walk(&world, &[]);
    expect(&output, 11, "red before any work: commit-msg hook");
    let unit = ".gatewalk/features/FEAT-2026-0001-greetings/WU-T02.md";
    expect(
        &output,
        11,
        &format!("is the unit's title, which you change in `{unit}`"),
    );
    let sessions = world.git(&["for-each-ref", "refs/gatewalk/attempts/FEAT-2026-0001/T02"]);
    assert_eq!(sessions, "");
    // The cure that was named.
    let text = world.read(unit);
    let title = text.lines().find(|line| line.starts_with("# ")).unwrap();
    let better = title.replacen("# ", "# feat: ", 1);
    world.write(unit, text.replacen(title, &better, 1));
    world.git(&["commit", "-qam", "a title", "--no-verify"]);
    expect(&walk(&world, &[]), 0, "");
}

#[test]
#[ignore = "long"]
fn a_hook_that_can_never_pass_is_known_before_a_session() {
    for (name, body) in [
        ("pre-commit", "echo 'no such formatter' >&2; exit 1"),
        (
            "commit-msg",
            "grep -q JIRA \"$1\" || { echo 'no ticket' >&2; exit 1; }",
        ),
    ] {
        let world = one_unit(&good("T01"));
        let hook = world.repo().join(".git/hooks").join(name);
        executable(&hook, &format!("#!/bin/sh\n{body}\n"));
        let said = walk(&world, &[]);
        expect(&said, 11, &format!("red before any work: {name} hook"));
        assert_eq!(world.git(&["for-each-ref", "refs/gatewalk"]), "");
        // A unit whose job it is may start.
        let unit = ".gatewalk/features/FEAT-2026-0001-greetings/WU-T01.md";
        let text = world.read(unit);
        let front = format!("expects_red: [{name} hook]\nstatus: pending\n");
        world.write(unit, text.replacen("status: pending\n", &front, 1));
        world.git(&["commit", "-qam", "expect it", "--no-verify"]);
        let said = walk(&world, &[]);
        expect(&said, 11, "is parked after 1 attempt:");
        // Once it passes, so does the unit.
        executable(&hook, "#!/bin/sh\ntrue\n");
        world.run(&["unblock", "T01", "--reason", "mended"]);
        std::fs::write(world.root.join("sessions/T01.2.yml"), good("T01")).unwrap();
        expect(&walk(&world, &[]), 10, &format!("pass {name} hook"));
    }
}

#[test]
fn a_red_base_is_reported_once_with_every_unit_it_stops() {
    let front = "max_attempts: 1\n";
    let units = ["T01", "T02", "T03"].map(|id| Unit {
        id,
        front,
        ..Unit::default()
    });
    let world = World::with_units(&units);
    world.write("check.sh", "echo 'all is broken'; exit 1\n");
    world.git(&["commit", "-qam", "break"]);
    for more in [&[][..], &["--jobs", "3"]] {
        let output = walk(&world, more);
        let said = text(&output);
        let ids = ["T01", "T02", "T03"].map(|id| format!("FEAT-2026-0001/{id}"));
        expect(
            &output,
            11,
            &format!("{} were not started: already red", ids.join(", ")),
        );
        assert_eq!(said.matches("all is broken").count(), 1, "{said}");
    }
    for (verb, says) in [
        (
            &["status"][..],
            "next: already red before any work, as of the last run: check\n  next: fix the base",
        ),
        (&["why", "T01"], "ready, but no run starts it before"),
    ] {
        expect(&world.run(verb), 0, says);
    }
    world.write("check.sh", "exit 0\n");
    world.git(&["commit", "-qam", "mend"]);
    expect(&world.run(&["status"]), 0, "next: gatewalk loop");
}

#[test]
fn commits_are_signed_where_the_user_signs_and_nothing_starts_where_that_fails() {
    for (program, exit) in [
        ("exit 1", 5),
        (
            "cat > /dev/null; echo '[GNUPG:] SIG_CREATED ' >&2; echo '-----BEGIN PGP SIGNATURE-----'; echo x; echo '-----END PGP SIGNATURE-----'",
            0,
        ),
    ] {
        let world = one_unit(&good("T01"));
        let gpg = world.root.join("gpg");
        executable(&gpg, &format!("#!/bin/sh\n{program}\n"));
        world.git(&["config", "commit.gpgSign", "true"]);
        world.git(&["config", "gpg.program", &gpg.to_string_lossy()]);
        let output = walk(&world, &[]);
        if exit == 0 {
            expect(&output, 0, "");
            let raw = world.git(&["cat-file", "commit", BRANCH]);
            assert!(raw.contains("BEGIN PGP SIGNATURE"), "{raw}");
        } else {
            expect(&output, exit, "signing does not work");
            assert_eq!(world.git(&["for-each-ref", "refs/gatewalk"]), "");
        }
    }
}

#[test]
fn changed_git_settings_and_hooks_are_put_back_and_the_run_stops() {
    let plant = "git -C ../../../../../../repo config core.fsmonitor evil; git -C ../../../../../../repo branch -D kept; mkdir -p \"$HOME/.claude/commands\"; echo x > \"$HOME/.claude/commands/x.md\"; echo x > \"$HOME/.npmrc\"";
    let world = one_unit(&good("T01"));
    let repo = world.repo();
    let plant = plant.replace("../../../../../../repo", &repo.to_string_lossy());
    std::fs::write(
        world.root.join("sessions/T01.1.yml"),
        after_shell("T01", &plant),
    )
    .unwrap();
    world.git(&["branch", "kept"]);
    let before = std::fs::read(repo.join(".git/config")).unwrap();
    expect(&walk(&world, &["--sandbox", "off"]), 6, ".git/config");
    assert_eq!(std::fs::read(repo.join(".git/config")).unwrap(), before);
    // So is everything else, for the next run would take it for the user's.
    for left in [".claude/commands/x.md", ".npmrc"] {
        assert!(!world.root.join("home").join(left).exists(), "{left}");
    }
    world.git(&["rev-parse", "kept"]);
    let kept: Vec<_> = walkdir::WalkDir::new(repo.join(".git/gatewalk/tampered"))
        .into_iter()
        .map(|e| e.unwrap())
        .filter(|e| e.file_type().is_file())
        .collect();
    let text = |entry: &walkdir::DirEntry| std::fs::read_to_string(entry.path()).unwrap();
    assert!(kept.iter().any(|entry| text(entry).contains("evil")));
    // What the session left is kept, and the next run goes on.
    std::fs::write(world.root.join("sessions/T01.1.yml"), good("T01")).unwrap();
    expect(&walk(&world, &["--sandbox", "off"]), 0, "");
}

#[test]
fn only_the_user_weakens_confinement() {
    let world = one_unit(&good("T01"));
    world.write(".gatewalk/config.yml", "sandbox: off\n");
    world.git(&["add", "-A"]);
    world.git(&["commit", "-qm", "off"]);
    expect(
        &walk(&world, &[]),
        0,
        "`sandbox: off` in the project's config.yml is not heeded",
    );
    let log = world.git(&[
        "show",
        &format!("{BRANCH}:.gatewalk/features/FEAT-2026-0001-greetings/events.jsonl"),
    ]);
    assert!(
        log.contains("\"isolation\":\"bubblewrap\"") || log.contains("\"isolation\":\"landlock\""),
        "{log}"
    );
    let world = one_unit(&good("T01"));
    expect(&walk(&world, &["--sandbox", "off"]), 0, "isolation: none");
    let own = world.root.join("home/.config/gatewalk");
    std::fs::create_dir_all(&own).unwrap();
    std::fs::write(own.join("config.yml"), "sandbox: nonsense\n").unwrap();
    assert_eq!(walk(&world, &[]).status.code(), Some(3));
}

#[test]
fn landlock_keeps_the_repository_where_bubblewrap_is_missing() {
    let world = one_unit(&good("T01"));
    let repo = world.repo().to_string_lossy().into_owned();
    let plant = format!("echo x > {repo}/planted; echo x >> {repo}/.git/config; true");
    std::fs::write(
        world.root.join("sessions/T01.1.yml"),
        after_shell("T01", &plant),
    )
    .unwrap();
    // A PATH with everything but bubblewrap.
    let bin = world.root.join("bin");
    std::fs::create_dir(&bin).unwrap();
    for dir in std::env::split_paths(&std::env::var_os("PATH").unwrap()) {
        for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
            if entry.file_name() != "bwrap" {
                drop(std::os::unix::fs::symlink(
                    entry.path(),
                    bin.join(entry.file_name()),
                ));
            }
        }
    }
    let sessions = world.root.join("sessions");
    let output = world.driver(&sessions).env("PATH", &bin).output().unwrap();
    if text(&output).contains("isolation: none") {
        // This kernel has no Landlock.
        return;
    }
    expect(&output, 0, "");
    assert!(!world.repo().join("planted").exists());
    assert!(!world.read(".git/config").contains("\nx\n"));
}

#[test]
fn landlock_leaves_a_command_that_needs_no_network_the_servers_under_test() {
    use gatewalk_host::isolation::landlock_has;
    let bash = std::path::Path::new("/bin/bash");
    let (true, true) = (landlock_has().0, bash.exists()) else {
        println!("no Landlock that knows of the network, or no bash to ask with");
        return;
    };
    // One that the kernel gives out, and one it does not.
    let given = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let Some(other) = (2100..2999).find_map(|p| std::net::TcpListener::bind(("127.0.0.1", p)).ok())
    else {
        return;
    };
    let reaches = |offline: bool, server: &std::net::TcpListener| {
        let port = server.local_addr().unwrap().port();
        let mut command = std::process::Command::new(super::world::PROGRAM);
        command.args(["confine", "--read", "/", "--write", "/dev"]);
        if offline {
            command.arg("--offline");
        }
        let asks = format!("exec 3<>/dev/tcp/127.0.0.1/{port}");
        command.arg("--").arg(bash).args(["-c", &asks]);
        command.output().unwrap().status.success()
    };
    for (offline, server, want) in [
        (false, &given, true),
        (false, &other, true),
        (true, &given, true),
        (true, &other, false),
    ] {
        assert_eq!(reaches(offline, server), want, "offline: {offline}");
    }
}

#[test]
fn what_a_command_may_use_is_bounded_and_only_the_user_says_how() {
    let row = |limits: &str, says: &str, exit: i32| {
        let world = one_unit(&good("T01"));
        let own = world.root.join("home/.config/gatewalk");
        std::fs::create_dir_all(&own).unwrap();
        std::fs::write(own.join("config.yml"), limits).unwrap();
        world.write(
            "check.sh",
"test -f T01.txt || exit 0\nhead -c 3000000 /dev/zero > big 2>&1\nc=$?\necho \"core $(ulimit -c), cpu $(ulimit -t)\" >&2\ntest $c = 0 && exit 3\nexit 4\n",
        );
        world.git(&["commit", "-qam", "look"]);
        let output = walk(&world, &[]);
        expect(&output, exit, says);
        // How a shell ends that may not write on is its own affair.
        assert_eq!(text(&output).contains("exit 3: core 0"), limits == "{}\n");
    };
    row("{}\n", "exit 3: core 0, cpu 86400", 11);
    row(
        "limits: {file_gb: 0.001, cpu_hours: 1}\n",
        "the only attempt failed",
        11,
    );
    row("limits: {fork: 1}\n", "not `fork`", 3);
    row("limits: {file_gb: much}\n", "is a number or `none`", 3);
}

#[test]
fn a_command_whose_shell_got_no_process_is_charged_to_nobody() {
    let world = one_unit(&good("T01"));
    world.write(
        "check.sh",
        "test -f T01.txt || exit 0\necho 'check.sh: 2: Cannot fork' >&2\nexit 2\n",
    );
    world.git(&["commit", "-qam", "a machine without processes"]);
    expect(
        &walk(&world, &[]),
        5,
        "was not started: check.sh: 2: cannot fork",
    );
    expect(&world.run(&["status"]), 0, "pending");
}

#[test]
fn a_log_that_is_not_as_the_driver_wrote_it_is_found_by_lint() {
    let world = super::world::two_units();
    expect(&world.walk(), 0, "");
    world.git(&["switch", "-qf", BRANCH]);
    let path = ".gatewalk/features/FEAT-2026-0001-greetings/events.jsonl";
    let log = world.read(path);
    let lines: Vec<&str> = log.lines().collect();
    let last = lines.len() - 1;
    let with = |change: &dyn Fn(&mut Vec<String>)| {
        let mut lines: Vec<String> = lines.iter().map(|l| (*l).to_owned()).collect();
        change(&mut lines);
        lines.join("\n") + "\n"
    };
    let edit = |line: &str| line.replacen("\"payload\":{", "\"payload\":{\"x\":1,", 1);
    for (what, text) in [
        ("nothing", log.clone()),
        ("the last line edited", with(&|l| l[last] = edit(&l[last]))),
        (
            "its hash taken off",
            with(&|l| {
                let (open, _) = l[last].rsplit_once(",\"hash\"").unwrap();
                l[last] = format!("{}}}", edit(open));
            }),
        ),
        ("the first line edited", with(&|l| l[0] = edit(&l[0]))),
        ("two lines exchanged", with(&|l| l.swap(1, 2))),
        ("the last line twice", with(&|l| l.push(l[last].clone()))),
        ("a line taken out", with(&|l| drop(l.remove(2)))),
        ("the first lines cut off", with(&|l| drop(l.drain(..2)))),
        ("cut short", with(&|l| l.truncate(3))),
        ("emptied but for one", with(&|l| l.truncate(1))),
        (
            "a forged line",
            with(&|l| l.push("{\"seq\":99,\"event_type\":\"task_completed\"}".to_owned())),
        ),
    ] {
        world.write(path, text);
        let output = world.run(&["lint"]);
        let found = super::world::text(&output).contains("GW412");
        assert_eq!(
            found,
            what != "nothing",
            "{what}: {}",
            super::world::text(&output)
        );
    }
}

#[test]
fn a_fault_of_the_machine_before_verification_is_not_the_attempts() {
    let world = one_unit(&good("T01"));
    let verification = world.read(".gatewalk/verification.yml");
    world.write(
        ".gatewalk/verification.yml",
        format!("setup: \"true\"\n{verification}"),
    );
    world.write("requirements.txt", "one\n");
    world.git(&["add", "-A"]);
    world.git(&["commit", "-qm", "set up"]);
    // Where verification writes down what set-up made there is no directory to be had, and the attempt changes a lock file.
    let slots = world.repo().join(".git/gatewalk/slots");
    let block = format!(
        "echo two > requirements.txt; rm -rf {0}/verify-0; echo full > {0}/verify-0",
        slots.display()
    );
    std::fs::write(
        world.root.join("sessions/T01.1.yml"),
        after_shell("T01", &block),
    )
    .unwrap();
    let output = walk(&world, &["--sandbox", "off"]);
    expect(&output, 5, "slots/verify-0");
    assert!(!text(&output).contains("failed ("), "{}", text(&output));
    std::fs::remove_file(slots.join("verify-0")).unwrap();
    expect(&walk(&world, &["--sandbox", "off"]), 0, "");
    let log = world.git(&[
        "show",
        &format!("{BRANCH}:.gatewalk/features/FEAT-2026-0001-greetings/events.jsonl"),
    ]);
    assert_eq!(log.matches("attempt_outcome").count(), 1, "{log}");
    assert!(log.contains(r#""outcome":"passed""#), "{log}");
}
