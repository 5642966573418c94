//! What a run starts, seen from outside: nothing outlives it, nothing holds it up, whatever ends it.

use super::world::{BRANCH, PROGRAM, Unit, World, after_shell, good, text, two_units_with};
use rustix::process::{Pid, Signal, kill_process};
use std::path::Path;
use std::process::{Child, Output, Stdio};
use std::time::{Duration, Instant};

/// Far longer than anything here takes.
const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) fn eventually(what: &str, holds: impl FnMut() -> bool) {
    eventually_within(PATIENCE, what, holds);
}

/// As `eventually`, for what takes longer.
pub(crate) fn eventually_within(patience: Duration, what: &str, mut holds: impl FnMut() -> bool) {
    let give_up = Instant::now() + patience;
    while !holds() {
        assert!(Instant::now() < give_up, "never: {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn is_alive(pid: &str) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let state = stat.rsplit(')').next().unwrap_or_default();
    !state.is_empty() && !state.trim_start().starts_with(['Z', 'X'])
}

/// A unit whose first session does this, its second the work, and a second unit.
fn world(first: &str) -> World {
    let world = two_units_with(&[&after_shell("T01", first), &good("T01")]);
    let again = world.root.join("again");
    std::fs::create_dir(&again).unwrap();
    for id in ["T01", "T02"] {
        std::fs::write(again.join(format!("{id}.yml")), good(id)).unwrap();
    }
    world
}

fn pids(world: &World) -> Vec<String> {
    let text = std::fs::read_to_string(world.root.join("pids")).unwrap_or_default();
    text.split_whitespace().map(str::to_owned).collect()
}

/// A shell text that starts a daemon, a deaf child and a plain one, writes their pids down beside the
/// repository, and stays.
fn family(root: &Path) -> String {
    format!(
        "p='{}/pids'; echo half > T01.txt; \
         setsid sh -c 'echo $$ > \"$0.1\"; exec sleep 600' \"$p\" & \
         sh -c 'trap \"\" TERM INT HUP; echo $$ > \"$0.2\"; while :; do sleep 0.1; done' \"$p\" & \
         sh -c 'echo $$ > \"$0.3\"; exec sleep 600' \"$p\" & \
         until [ -s \"$p.1\" ] && [ -s \"$p.2\" ] && [ -s \"$p.3\" ]; do sleep 0.01; done; \
         cat \"$p\".? > \"$p.all\"; mv \"$p.all\" \"$p\"; wait",
        root.display()
    )
}

/// A world whose first session starts a family and waits, and a driver in the middle of it.
fn in_the_middle() -> (World, Child) {
    let world = world("true");
    let session = after_shell("T01", &family(&world.root));
    std::fs::write(world.root.join("sessions/T01.1.yml"), session).unwrap();
    let driver = world
        .unconfined(&world.root.join("sessions"))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    eventually("the family is complete", || pids(&world).len() == 3);
    (world, driver)
}

fn send(driver: &Child, signal: Signal) {
    kill_process(Pid::from_child(driver), signal).unwrap();
}

/// Runs again as a user would, and expects that the whole job is done, with nothing charged for
/// what was cut short.
#[track_caller]
fn goes_on(world: &World) -> String {
    let output = world
        .unconfined(&world.root.join("again"))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    let unit = world.git(&[
        "show",
        &format!("{BRANCH}:.gatewalk/features/FEAT-2026-0001-greetings/WU-T01.md"),
    ]);
    assert!(unit.contains("attempts: 1\n"), "{unit}");
    let kept = world.git(&[
        "show",
        "refs/gatewalk/uncharged/FEAT-2026-0001/T01/1:T01.txt",
    ]);
    assert_eq!(kept, "half\n", "what it left is kept");
    assert_eq!(world.git(&["status", "--porcelain"]), "");
    text(&output)
}

#[test]
fn what_a_run_inherits_it_keeps_to_itself() {
    let world = world("true");
    let seen = world.root.join("seen");
    let look = format!(
        "for fd in /proc/$$/fd/*; do readlink \"$fd\"; done > '{}'; echo hello > T01.txt",
        seen.display()
    );
    std::fs::write(
        world.root.join("sessions/T01.1.yml"),
        after_shell("T01", &look),
    )
    .unwrap();
    let run = world.unconfined(&world.root.join("sessions"));
    let output = world
        .command("sh")
        .args(["-c", "exec 9>>../held; exec \"$0\" \"$@\""])
        .arg(run.get_program())
        .args(run.get_args())
        .output()
        .unwrap();
    assert!(world.root.join("held").exists(), "{}", text(&output));
    let seen = std::fs::read_to_string(seen).unwrap();
    assert!(seen.contains("pipe:") && !seen.contains("/held"), "{seen}");
}

/// As in a container, where the first processes are of a session that began outside and has the number zero.
#[test]
fn a_run_whose_own_session_has_no_number_ends_what_a_session_left() {
    let world = world("setsid sleep 600 & sleep 600 &");
    let Some(mut container) = world.bubblewrap() else {
        return;
    };
    let run = world.unconfined(&world.root.join("sessions"));
    let look = "cut -d' ' -f6 /proc/self/stat > ../session; \"$0\" \"$@\"; code=$?; \
                for at in /proc/[0-9]*; do tr '\\0' ' ' < $at/cmdline; echo; done > ../alive; exit $code";
    let output = container
        .args(["--unshare-pid", "--proc", "/proc", "sh", "-c", look])
        .arg(run.get_program())
        .args(run.get_args())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    let read = |name: &str| std::fs::read_to_string(world.root.join(name)).unwrap();
    assert_eq!(read("session"), "0\n");
    assert!(!read("alive").contains("sleep"), "{}", read("alive"));
}

#[test]
fn a_killed_driver_leaves_no_agent_at_work() {
    let (world, mut driver) = in_the_middle();
    driver.kill().unwrap();
    driver.wait().unwrap();
    for pid in pids(&world) {
        eventually("nobody is left, though no other run was started", || {
            !is_alive(&pid)
        });
    }
    let said = goes_on(&world);
    assert!(said.contains("was interrupted"), "{said}");
}

#[test]
fn the_next_start_ends_exactly_what_a_killed_driver_and_its_watchdog_left() {
    let (world, mut driver) = in_the_middle();
    let mut bystander = world.command("sleep").arg("600").spawn().unwrap();
    let own = driver.id().to_string();
    for child in children(&own) {
        let line = std::fs::read(format!("/proc/{child}/cmdline")).unwrap_or_default();
        if line.windows(12).any(|w| w == b"watch-driver") {
            kill_process(Pid::from_raw(child.parse().unwrap()).unwrap(), Signal::KILL).unwrap();
        }
    }
    driver.kill().unwrap();
    driver.wait().unwrap();
    assert!(
        pids(&world).iter().any(|pid| is_alive(pid)),
        "without the watchdog a daemon lives on"
    );
    let said = goes_on(&world);
    assert!(
        said.contains("ended ") && said.contains("left behind"),
        "{said}"
    );
    for pid in pids(&world) {
        assert!(!is_alive(&pid), "{pid}");
    }
    assert!(
        bystander.try_wait().unwrap().is_none(),
        "a stranger is left alone"
    );
    bystander.kill().unwrap();
    bystander.wait().unwrap();
}

pub(crate) fn children(pid: &str) -> Vec<String> {
    let tasks = std::fs::read_dir(format!("/proc/{pid}/task")).unwrap();
    tasks
        .filter_map(|task| std::fs::read_to_string(task.ok()?.path().join("children")).ok())
        .flat_map(|text| {
            text.split_whitespace()
                .map(str::to_owned)
                .collect::<Vec<_>>()
        })
        .collect()
}

/// Whether this process was started with the signal ignored, as `nohup` does, which all it starts inherit.
fn is_ignored(signal: Signal) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|l| l.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|hex| u64::from_str_radix(hex.trim(), 16).ok());
    mask.is_some_and(|bits| bits >> (signal.as_raw() - 1) & 1 == 1)
}

#[test]
#[ignore = "long"]
fn a_stop_request_saves_and_says_how_to_go_on() {
    for (signal, exit) in [(Signal::INT, 130), (Signal::TERM, 143), (Signal::HUP, 143)] {
        if is_ignored(signal) {
            println!("SKIPPED: {signal:?} is ignored here, and so by the driver");
            continue;
        }
        let (world, driver) = in_the_middle();
        send(&driver, signal);
        let output = driver.wait_with_output().unwrap();
        let said = text(&output);
        assert_eq!(output.status.code(), Some(exit), "{signal:?}: {said}");
        assert!(
            said.contains("next: gatewalk loop --feature FEAT-2026-0001"),
            "{said}"
        );
        for pid in pids(&world) {
            assert!(!is_alive(&pid), "{signal:?}: {pid}");
        }
        let kept = world.git(&["for-each-ref", "refs/gatewalk/uncharged"]);
        assert_eq!(kept.lines().count(), 1, "{signal:?}: kept at once: {kept}");
        assert!(
            said.contains("attempts show FEAT-2026-0001/T01 --uncharged 1"),
            "{said}"
        );
        for args in [
            &["attempts", "list"][..],
            &["attempts", "show", "T01"],
            &["attempts", "show", "FEAT-2026-0001/T01", "--uncharged", "1"],
            &["attempts", "recover", "T01"],
        ] {
            let found = world.run(args);
            let shown = text(&found);
            assert!(
                found.status.success() && shown.contains("uncharged"),
                "{args:?}: {shown}"
            );
        }
        goes_on(&world);
    }
}

#[test]
fn a_second_ctrl_c_does_not_wait() {
    let (world, mut driver) = in_the_middle();
    let asked = Instant::now();
    send(&driver, Signal::INT);
    // Two signals that come before the first is seen are one; a user presses again.
    eventually("it ended", || {
        let ended = driver.try_wait().unwrap().is_some();
        if !ended {
            send(&driver, Signal::INT);
        }
        ended
    });
    assert!(
        asked.elapsed() < Duration::from_secs(4),
        "it waited for the grace"
    );
    assert_eq!(driver.wait_with_output().unwrap().status.code(), Some(130));
    for pid in pids(&world) {
        assert!(!is_alive(&pid), "{pid}");
    }
    goes_on(&world);
}

#[test]
fn nothing_a_session_or_a_command_leaves_behind_lives_on_or_holds_the_run_up() {
    let world = world("true");
    let daemons = format!(
        "setsid sleep 600 & echo $! >> '{0}/pids'; sleep 600 & echo $! >> '{0}/pids'; \
         (setsid sh -c 'echo $$ >> {0}/pids; exec sleep 600' &)",
        world.root.display()
    );
    let session = after_shell("T01", &daemons);
    std::fs::write(world.root.join("sessions/T01.1.yml"), session).unwrap();
    let check = world.read("check.sh");
    world.write("check.sh", format!("{daemons}\n{check}"));
    world.git(&["commit", "-qam", "an oracle that litters"]);
    let started = Instant::now();
    let output = world.walk_unconfined();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    assert!(
        started.elapsed() < Duration::from_secs(45),
        "it was held up"
    );
    assert!(pids(&world).len() >= 6, "{:?}", pids(&world));
    for pid in pids(&world) {
        assert!(!is_alive(&pid), "{pid}");
    }
    let landed = world.git(&["log", "--format=%H", "--grep=^Feature: ", BRANCH]);
    assert_eq!(landed.lines().count(), 2);
}

#[test]
#[ignore = "long"]
fn limits_of_time_end_an_attempt_and_say_so() {
    for (front, shell, says) in [
        (
            "timeout: 1s\nmax_attempts: 1\n",
            "while :; do echo .; sleep 0.05; done",
            "timed_out",
        ),
        ("idle_timeout: 1s\nmax_attempts: 1\n", "sleep 600", "idle"),
        // A command that ignores every request is ended too.
        (
            "timeout: 1s\nmax_attempts: 1\n",
            "trap '' TERM; while :; do echo .; sleep 0.05; done",
            "timed_out",
        ),
    ] {
        let world = World::with_units(&[Unit {
            id: "T01",
            front,
            sessions: &[&after_shell("T01", shell)],
            ..Unit::default()
        }]);
        let output = world.walk_unconfined();
        let said = text(&output);
        assert_eq!(output.status.code(), Some(11), "{said}");
        assert!(said.contains(says), "{says}: {said}");
    }
}

#[test]
fn a_command_of_the_oracle_has_its_limit() {
    let world = world("true");
    let settings = ".gatewalk/verification.yml";
    world.write(settings, world.read(settings).replace("1m", "1s"));
    world.write("check.sh", "[ ! -e T01.txt ] || sleep 600\n");
    world.git(&["commit", "-qam", "an oracle that hangs on the work"]);
    let output = world.walk_unconfined();
    let said = text(&output);
    assert_eq!(output.status.code(), Some(11), "{said}");
    assert!(said.contains("`sh check.sh` timed out"), "{said}");
}

#[test]
#[ignore = "long"]
fn a_closed_or_full_output_does_not_end_a_run() {
    let full = || Stdio::from(std::fs::File::create("/dev/full").unwrap());
    let closed = || {
        let (read, write) = std::io::pipe().unwrap();
        drop(read);
        Stdio::from(write)
    };
    for json in [false, true] {
        for row in 0..4 {
            let world = world("true");
            let mut command = world.unconfined(&world.root.join("sessions"));
            if json {
                command.arg("--json");
            }
            let (out, err) = match row {
                0 => (closed(), closed()),
                1 => (full(), full()),
                2 => (closed(), Stdio::null()),
                _ => (Stdio::null(), full()),
            };
            let status = command.stdout(out).stderr(err).status().unwrap();
            assert_eq!(status.code(), Some(0), "json {json}, row {row}");
            assert_eq!(
                world.git(&["show", &format!("{BRANCH}:T02.txt")]),
                "whole\n"
            );
        }
    }
}

#[test]
fn a_look_whose_result_is_lost_is_no_success() {
    let world = world("true");
    for args in [
        &["status"][..],
        &["status", "--json"],
        &["lint", "--format", "sarif"],
        &["report"],
        &["stats", "--json"],
        &["schema", "plan"],
        &["completions", "bash"],
    ] {
        let run = |out: Stdio| world.command(PROGRAM).args(args).stdout(out).output();
        let lost = run(std::fs::File::create("/dev/full").unwrap().into()).unwrap();
        assert_eq!(lost.status.code(), Some(5), "{args:?}: {}", text(&lost));
        let said = String::from_utf8_lossy(&lost.stderr);
        assert!(
            said.contains("the result could not be written: No space"),
            "{args:?}: {said}"
        );
        let (read, write) = std::io::pipe().unwrap();
        drop(read);
        let enough = run(write.into()).unwrap();
        assert_eq!(enough.status.code(), Some(0), "{args:?}: {}", text(&enough));
    }
}

/// 600 MB with `GATEWALK_LARGE=1`, a sixth of it otherwise: the peak does not depend on it.
#[test]
#[ignore = "long"]
fn memory_stays_bounded_whatever_is_printed() {
    let bytes = if std::env::var_os("GATEWALK_LARGE").is_some() {
        600_000_000
    } else {
        100_000_000
    };
    let world = world("true");
    let peak = world.root.join("peak");
    let print = format!(
        "head -c {bytes} /dev/zero; yes 'a line of some length, again and again' | head -c {bytes}; \
         yes | head -c 1000000 >&2"
    );
    // The driver is an ancestor: the first that is called so.
    let look = format!(
        "p=$$; while [ \"$(cat /proc/$p/comm)\" != gatewalk ] || [ \"$(tr '\\0' ' ' < /proc/$p/cmdline | cut -d' ' -f2)\" != loop ]; do \
         p=$(sed -n 's/^PPid:[^0-9]*//p' /proc/$p/status); done; sed -n 's/^VmHWM:[^0-9]*\\([0-9]*\\).*/\\1/p' /proc/$p/status >> '{}'",
        peak.display()
    );
    let session = after_shell("T01", &format!("{print}; {look}"));
    std::fs::write(world.root.join("sessions/T01.1.yml"), session).unwrap();
    let check = world.read("check.sh");
    world.write("check.sh", format!("{print}\n{look}\n{check}"));
    world.git(&["commit", "-qam", "an oracle that talks"]);
    let output = world.walk_unconfined();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    let peaks = std::fs::read_to_string(&peak).unwrap();
    let peaks: Vec<u64> = peaks.lines().map(|line| line.parse().unwrap()).collect();
    assert!(peaks.len() >= 4, "{peaks:?}");
    let highest = peaks.iter().max().unwrap() / 1024;
    println!("{bytes} bytes printed several times: the driver's peak is {highest} MiB");
    assert!(highest < 64, "{highest} MiB");
    let logs = walkdir::WalkDir::new(world.repo().join(".git/gatewalk/logs"));
    for log in logs.into_iter().map(Result::unwrap) {
        assert!(log.metadata().unwrap().len() < 12 << 20, "{log:?}");
    }
}

#[test]
fn a_second_driver_reports_at_once_who_holds_the_lock() {
    let (world, driver) = in_the_middle();
    let asked = Instant::now();
    let output = world.walk_unconfined();
    let waited = asked.elapsed();
    let said = text(&output);
    assert_eq!(output.status.code(), Some(4), "{said}");
    assert!(said.contains(&driver.id().to_string()), "{said}");
    assert!(waited < Duration::from_secs(5), "{waited:?}");
    // In another worktree the branch is what is held.
    let other = world.root.join("other");
    world.git(&["worktree", "add", "-q", "--detach", other.to_str().unwrap()]);
    let output = world
        .command(PROGRAM)
        .current_dir(&other)
        .args(["loop", "--feature", "FEAT-2026-0001"])
        .output()
        .unwrap();
    assert_locked(&output, &driver);
    send(&driver, Signal::INT);
    drop(driver.wait_with_output());
    goes_on(&world);
}

#[track_caller]
fn assert_locked(output: &Output, driver: &Child) {
    let said = text(output);
    assert_eq!(output.status.code(), Some(4), "{said}");
    assert!(said.contains(&driver.id().to_string()), "{said}");
}
