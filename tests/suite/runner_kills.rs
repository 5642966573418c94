//! The kill table: who dies, or stops answering, while a session runs on a runner. Nothing is lost that had come home,
//! nothing is charged, nothing lives on after the stated time, no unit lands twice, and a run that nobody disturbed makes
//! the same commits.

use super::killed::{alive, family, mark};
use super::processes::{children, eventually};
use super::runner_places::{Carrier, LEASE_SECONDS, Places, Sshd};
use super::world::{World, after_shell, expect_same, text, two_units};
use rustix::process::{Pid, Signal, kill_process};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

/// Who is killed, or stopped.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Victim {
    Driver,
    Client,
    FarEnd,
    FarEndAndWatchdog,
    /// Stopped, and continued once home has gone on without it.
    FrozenFarEnd,
    /// The client is stopped: nothing passes in either direction.
    CutNetwork,
}

/// The longest until nothing of a session is alive: the lease, the end in order, and a busy machine.
const GONE_WITHIN: Duration = Duration::from_secs(LEASE_SECONDS + 5 + 10);

fn pid(text: &str) -> Pid {
    Pid::from_raw(text.parse().unwrap()).unwrap()
}

/// Returns the processes of a world whose command line ends so.
fn processes(world: &World, ending: &str) -> Vec<String> {
    let home = format!("HOME={}/far-", world.root.display());
    let all = std::fs::read_dir("/proc").unwrap().filter_map(Result::ok);
    let pids = all.filter_map(|entry| entry.file_name().into_string().ok());
    pids.filter(|pid| {
        let read = |name: &str| std::fs::read(format!("/proc/{pid}/{name}")).unwrap_or_default();
        let (line, env) = (read("cmdline"), read("environ"));
        line.ends_with(ending.as_bytes()) && env.windows(home.len()).any(|w| w == home.as_bytes())
    })
    .collect()
}

/// Returns the far end's own process.
fn far_end(world: &World) -> String {
    let found = processes(world, "gatewalk\0far-end\0");
    assert_eq!(found.len(), 1, "{found:?}");
    found[0].clone()
}

/// Returns the command that the driver started for the runner.
fn client(driver: &Child) -> String {
    let all = children(&driver.id().to_string());
    let line = |pid: &String| std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    let named = |pid: &&String| {
        let line = line(pid);
        line.windows(7).any(|w| w == b"far-end") && !line.ends_with(b"gatewalk\0far-end\0")
    };
    all.iter().find(named).expect("it has a client").clone()
}

fn is_at_work(world: &World) -> bool {
    is_at_work_on(world, "big")
}

fn is_at_work_on(world: &World, runner: &str) -> bool {
    let slots = walkdir::WalkDir::new(world.root.join(format!("far-{runner}/.cache/gatewalk")));
    let mut entries = slots.into_iter().filter_map(Result::ok);
    entries.any(|entry| entry.file_name() == "at-work")
}

/// A world that stays in the middle of its first session as long as nobody says `go`.
fn staying() -> World {
    let world = two_units();
    std::fs::create_dir(world.root.join("flags")).unwrap();
    let stay = format!(
        "[ -e $HOME/../flags/go ] || {{ {}; }}",
        family(&mark(&world))
    );
    let session = after_shell("T01", &format!("echo half > T01.txt; {stay}"));
    std::fs::write(world.root.join("sessions/T01.1.yml"), session).unwrap();
    world
}

fn strike(world: &World, driver: &mut Child, victim: Victim) {
    let send = |pid: Pid, signal| kill_process(pid, signal).unwrap();
    match victim {
        Victim::Driver => driver.kill().unwrap(),
        Victim::Client => send(pid(&client(driver)), Signal::KILL),
        Victim::CutNetwork => send(pid(&client(driver)), Signal::STOP),
        Victim::FarEnd => send(pid(&far_end(world)), Signal::KILL),
        Victim::FrozenFarEnd => send(pid(&far_end(world)), Signal::STOP),
        Victim::FarEndAndWatchdog => {
            let far = far_end(world);
            for child in children(&far) {
                let line = std::fs::read(format!("/proc/{child}/cmdline")).unwrap_or_default();
                if line.windows(12).any(|w| w == b"watch-driver") {
                    send(pid(&child), Signal::KILL);
                }
            }
            send(pid(&far), Signal::KILL);
        }
    }
}

/// Returns the commits of a world, wherever it is.
fn commits(world: &World) -> String {
    let root = world.root.display().to_string();
    world.history().replace(&root, "WORLD")
}

/// Returns the commits of a run that nobody disturbs.
fn undisturbed(world: &World) -> String {
    std::fs::write(world.root.join("flags/go"), "").unwrap();
    let output = world.walk();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    commits(world)
}

/// Strikes while a session runs.
fn check((carrier, victim): (Carrier, Victim), undisturbed: &str, sshd: Option<&Sshd>) -> String {
    let name = format!("{carrier:?}: {victim:?}");
    let world = staying();
    match (carrier, sshd) {
        (Carrier::Ssh, Some(sshd)) => Places::of(&world).ssh("big", sshd, "").define(),
        _ => Places::of(&world).pipe("big", "").define(),
    }
    let (mark, sessions) = (mark(&world), world.root.join("sessions"));
    let mut command = world.driver(&sessions);
    command.args(["--runner", "big"]);
    let mut driver = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    eventually(&format!("{name}: at work"), || is_at_work(&world));
    let frozen = (victim == Victim::FrozenFarEnd).then(|| far_end(&world));
    strike(&world, &mut driver, victim);
    let struck = Instant::now();
    std::fs::write(world.root.join("flags/go"), "").unwrap();
    let first = driver.wait_with_output().unwrap();
    if let Some(frozen) = frozen {
        // It may be ended already, by the driver on the same machine.
        let _ = kill_process(pid(&frozen), Signal::CONT);
    }
    let second = (victim == Victim::Driver).then(|| command.output().unwrap());
    let output = second.as_ref().unwrap_or(&first);
    let said = text(output);
    assert_eq!(output.status.code(), Some(0), "{name}: {said}");
    eventually(&format!("{name}: nobody is left"), || {
        alive(&mark).is_empty() && processes(&world, "gatewalk\0far-end\0").is_empty()
    });
    let gone = struck.elapsed();
    let unit = world.read(".gatewalk/features/FEAT-2026-0001-greetings/WU-T01.md");
    assert!(unit.contains("attempts: 1\n"), "{name}: charged: {unit}");
    expect_same(&name, &commits(&world), undisturbed);
    assert_eq!(world.git(&["status", "--porcelain"]), "", "{name}: {said}");
    format!(
        "{name:<24} landed once, charged once, identical; over after {:.1} s",
        gone.as_secs_f64()
    )
}

/// Waits for what a victim leaves at the far end, without a driver that could end it.
fn left_alone(victim: Victim, sshd: &Sshd) -> String {
    let world = staying();
    Places::of(&world).ssh("big", sshd, "").define();
    let (mark, sessions) = (mark(&world), world.root.join("sessions"));
    let mut command = world.driver(&sessions);
    command.args(["--runner", "big"]);
    let mut driver = command
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    eventually("at work", || is_at_work(&world));
    assert!(alive(&mark).len() >= 3);
    strike(&world, &mut driver, victim);
    let struck = Instant::now();
    eventually(&format!("{victim:?}: nobody is left"), || {
        alive(&mark).is_empty()
    });
    let gone = struck.elapsed();
    assert!(gone < GONE_WITHIN, "{victim:?}: {gone:?}");
    let _ = driver.kill();
    driver.wait().unwrap();
    format!(
        "Ssh: {victim:?}, nobody comes back: nothing of it alive after {:.1} s",
        gone.as_secs_f64()
    )
}

#[test]
fn whoever_dies_while_a_session_runs_elsewhere_it_lands_once_and_nothing_lives_on() {
    let sshd = Sshd::start();
    let alone = undisturbed(&staying());
    let victims = [
        Victim::Driver,
        Victim::Client,
        Victim::FarEnd,
        Victim::FarEndAndWatchdog,
        Victim::FrozenFarEnd,
        Victim::CutNetwork,
    ];
    let carriers = [Some(Carrier::Pipe), sshd.as_ref().map(|_| Carrier::Ssh)];
    let rows = std::thread::scope(|scope| {
        let mut rows = Vec::new();
        for carrier in carriers.into_iter().flatten() {
            let (sshd, alone) = (sshd.as_ref(), &alone);
            // Over a pipe of this machine nothing but the far end itself passes anything on: there is no network to cut.
            let may = |victim: &Victim| carrier == Carrier::Ssh || *victim != Victim::CutNetwork;
            let victims = victims.into_iter().filter(may);
            rows.extend(
                victims.map(|victim| scope.spawn(move || check((carrier, victim), alone, sshd))),
            );
        }
        if let Some(sshd) = &sshd {
            let alone = [
                Victim::Driver,
                Victim::Client,
                Victim::FarEnd,
                Victim::CutNetwork,
            ];
            rows.extend(alone.map(|victim| scope.spawn(move || left_alone(victim, sshd))));
        }
        let rows: Vec<_> = rows.into_iter().map(|row| row.join()).collect();
        rows.into_iter()
            .map(|row| row.expect("said above"))
            .collect::<Vec<_>>()
    });
    println!("{}", rows.join("\n"));
    assert!(rows.len() >= victims.len() - 1);
}

/// A world whose oracle stays in the middle of the first landing as long as nobody says `go`.
fn staying_judge() -> World {
    let world = two_units();
    std::fs::create_dir(world.root.join("flags")).unwrap();
    // How it stays names its world, and is no part of what lands.
    std::fs::write(world.root.join("flags/stay"), family(&mark(&world))).unwrap();
    let stay = "[ ! -e T01.txt ] || [ -e $HOME/../flags/go ] || . $HOME/../flags/stay";
    let check = world.read("check.sh");
    world.write("check.sh", format!("{stay}\n{check}"));
    world.git(&["commit", "-qam", "an oracle that stays"]);
    world
}

/// Strikes while a runner judges.
fn check_judging(
    (carrier, victim): (Carrier, Victim),
    undisturbed: &str,
    sshd: Option<&Sshd>,
) -> String {
    let name = format!("{carrier:?}, judging: {victim:?}");
    let world = staying_judge();
    let only_judges = "    slots: 0\n    judges: true\n";
    match (carrier, sshd) {
        (Carrier::Ssh, Some(sshd)) => Places::of(&world).ssh("jury", sshd, only_judges).define(),
        _ => Places::of(&world).pipe("jury", only_judges).define(),
    }
    let (mark, sessions) = (mark(&world), world.root.join("sessions"));
    let mut command = world.driver(&sessions);
    command.args(["--runner", "jury"]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut driver = command.spawn().unwrap();
    eventually(&format!("{name}: at work"), || {
        is_at_work_on(&world, "jury")
    });
    let frozen = (victim == Victim::FrozenFarEnd).then(|| far_end(&world));
    strike(&world, &mut driver, victim);
    let struck = Instant::now();
    std::fs::write(world.root.join("flags/go"), "").unwrap();
    let first = driver.wait_with_output().unwrap();
    if let Some(frozen) = frozen {
        // It may be ended already, by the driver on the same machine.
        let _ = kill_process(pid(&frozen), Signal::CONT);
    }
    let second = (victim == Victim::Driver).then(|| command.output().unwrap());
    let output = second.as_ref().unwrap_or(&first);
    assert_eq!(output.status.code(), Some(0), "{name}: {}", text(output));
    eventually(&format!("{name}: nobody is left"), || {
        alive(&mark).is_empty() && processes(&world, "gatewalk\0far-end\0").is_empty()
    });
    let gone = struck.elapsed();
    let unit = world.read(".gatewalk/features/FEAT-2026-0001-greetings/WU-T01.md");
    assert!(unit.contains("attempts: 1\n"), "{name}: charged: {unit}");
    expect_same(&name, &commits(&world), undisturbed);
    format!(
        "{name:<34} landed once, charged once, identical; over after {:.1} s",
        gone.as_secs_f64()
    )
}

#[test]
fn whoever_dies_while_a_runner_judges_the_work_lands_once_and_nothing_lives_on() {
    let sshd = Sshd::start();
    let rows = [
        (Carrier::Pipe, Victim::Driver),
        (Carrier::Pipe, Victim::Client),
        (Carrier::Pipe, Victim::FarEnd),
        (Carrier::Pipe, Victim::FarEndAndWatchdog),
        (Carrier::Pipe, Victim::FrozenFarEnd),
        (Carrier::Ssh, Victim::Driver),
        (Carrier::Ssh, Victim::Client),
        (Carrier::Ssh, Victim::FarEnd),
        (Carrier::Ssh, Victim::CutNetwork),
    ];
    let may = |(carrier, _): &(Carrier, Victim)| *carrier == Carrier::Pipe || sshd.is_some();
    let alone = &undisturbed(&staying_judge());
    let rows: Vec<String> = std::thread::scope(|scope| {
        let sshd = sshd.as_ref();
        let start = |row| scope.spawn(move || check_judging(row, alone, sshd));
        let running: Vec<_> = rows.into_iter().filter(may).map(start).collect();
        let ended = running.into_iter().map(|row| row.join());
        ended.map(|row| row.expect("said above")).collect()
    });
    println!("{}", rows.join("\n"));
    assert!(rows.len() >= 5);
}

/// Before the session, while its pack travels, while it hands over: a connection of so many bytes, in one direction.
#[test]
fn a_connection_that_ends_after_any_number_of_bytes_costs_nothing() {
    let world = two_units();
    let here = world.fork();
    let sessions = world.root.join("sessions");
    assert_eq!(
        here.driver(&sessions).output().unwrap().status.code(),
        Some(0)
    );
    let here = &here.history();
    let there = [0, 40, 250, 600, 1200, 2500, 4000].map(|n| format!("head -c {n} | {{far}}"));
    let back = [0, 19, 150, 400, 700, 1100].map(|n| format!("{{far}} | head -c {n}"));
    std::thread::scope(|scope| {
        for line in there.into_iter().chain(back) {
            let (world, sessions) = (world.fork(), &sessions);
            scope.spawn(move || {
                let command = format!("[sh, -c, \"{line}\"]");
                // `head` keeps what it reads to itself until it has all of it, as an engine in whose queue nothing moves.
                let more = "    wait: 3s\n";
                Places::of(&world).runner("big", &command, more).define();
                let mut driver = world.driver(sessions);
                driver.args(["--runner", "big", "--jobs", "1"]);
                let output = driver.output().unwrap();
                assert_eq!(output.status.code(), Some(0), "{line}: {}", text(&output));
                expect_same(&line, &world.history(), here);
                println!("{line:<26} landed once, charged once, identical");
            });
        }
    });
}
