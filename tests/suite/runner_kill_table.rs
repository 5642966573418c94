//! The kill table: who dies, or stops answering, and when. Nothing is lost that had come home, nothing is charged, nothing
//! lives on after the stated time, no unit lands twice, and a run that nobody disturbed makes the same commits.

use super::killed::{alive, family, mark};
use super::processes::{eventually, eventually_within};
use super::runner_places::{LEASE_SECONDS, Places};
use super::sample::asked_share;
use super::world::{World, after_shell, expect_same, text, two_units, without_isolation};
use rustix::process::{Pid, Signal, kill_process};
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

/// Who is killed, or stopped.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Victim {
    Driver,
    Client,
    FarEnd,
    FarEndAndWatchdog,
    /// Nothing passes in either direction.
    Network,
    /// Everything there is stopped, and continued once home has gone on without it.
    Host,
}

/// When.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Moment {
    /// The engine has the command and has not begun it.
    Queued,
    /// The commit is on its way there.
    PackTravels,
    Session,
    /// What the session left is on its way home.
    WorkTravels,
    /// Home judges what came.
    Judging,
    /// A runner judges what came from home.
    JudgingThere,
}

pub(crate) const VICTIMS: &[Victim] = &[
    Victim::Driver,
    Victim::Client,
    Victim::FarEnd,
    Victim::FarEndAndWatchdog,
    Victim::Network,
    Victim::Host,
];

pub(crate) const MOMENTS: &[Moment] = &[
    Moment::Queued,
    Moment::PackTravels,
    Moment::Session,
    Moment::WorkTravels,
    Moment::Judging,
    Moment::JudgingThere,
];

/// A place whose runner is tried.
pub(crate) struct KillPlace<'a> {
    pub(crate) name: &'a str,
    /// The program that carries the pipe, as its process is called; the shell itself where nothing else does.
    pub(crate) carrier: &'a str,
    /// The shell line that begins the far end, whose words are `$@`, with the home that is named here.
    pub(crate) line: &'a (dyn Fn(&World, &Path) -> String + Sync),
    /// Cuts the network, or joins it again; without it the carrier is stopped.
    pub(crate) cut: Option<&'a (dyn Fn(bool) + Sync)>,
}

/// A row of the table, before it is tried.
pub(crate) type Row = (Moment, Victim);

/// The longest until nothing of a session is alive: the lease, the end in order, and a busy machine.
pub(crate) const GONE_WITHIN: Duration = Duration::from_secs(LEASE_SECONDS + 5 + 10);

/// The longest that a run takes after it was struck: it waits for an engine, and tries again, beside a table of others.
const RUN_ENDS_WITHIN: Duration = Duration::from_secs(300);

/// So many bytes are let through before the pipe stays: past the greeting and in the middle of what travels.
const LET_THROUGH: usize = 30_000;

/// Returns whether there is such a victim at such a moment.
pub(crate) fn is_there((moment, victim): &Row) -> bool {
    match moment {
        Moment::Queued => matches!(victim, Victim::Driver | Victim::Client | Victim::Network),
        // The far end has said goodbye.
        Moment::Judging => matches!(victim, Victim::Driver),
        _ => true,
    }
}

/// Returns every row there is, or those of the part that is asked for.
pub(crate) fn rows() -> Vec<Row> {
    let all = MOMENTS
        .iter()
        .flat_map(|moment| VICTIMS.iter().map(|victim| (*moment, *victim)));
    asked_share(all.filter(is_there).collect())
}

fn signal(pid: &str, signal: Signal) {
    let pid = Pid::from_raw(pid.parse().unwrap()).unwrap();
    // It may be gone: on one machine the driver ends what it can see.
    let _ = kill_process(pid, signal);
}

fn pids() -> impl Iterator<Item = String> {
    let all = std::fs::read_dir("/proc").unwrap().filter_map(Result::ok);
    let names = all.filter_map(|entry| entry.file_name().into_string().ok());
    names.filter(|name| name.bytes().all(|b| b.is_ascii_digit()))
}

fn command_line(pid: &str) -> Vec<u8> {
    std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default()
}

/// Returns the processes that have a home of this world at the far end.
fn there(world: &World) -> Vec<String> {
    let home = format!("HOME={}/far-", world.root.display());
    let is_there = |pid: &String| {
        let env = std::fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        env.windows(home.len()).any(|w| w == home.as_bytes()) && !command_line(pid).is_empty()
    };
    pids().filter(is_there).collect()
}

/// Returns the far end's own processes.
pub(crate) fn far_ends(world: &World) -> Vec<String> {
    let own = |pid: &String| command_line(pid).ends_with(b"gatewalk\0far-end\0");
    there(world).into_iter().filter(own).collect()
}

/// Returns what a process started, and what that did; nothing of one that is gone.
fn descendants(pid: &str) -> Vec<String> {
    let tasks = std::fs::read_dir(format!("/proc/{pid}/task"));
    let tasks = tasks.into_iter().flatten().filter_map(Result::ok);
    let lists = tasks.filter_map(|task| std::fs::read_to_string(task.path().join("children")).ok());
    let direct: Vec<String> = lists
        .flat_map(|list| {
            list.split_whitespace()
                .map(str::to_owned)
                .collect::<Vec<_>>()
        })
        .collect();
    let below: Vec<String> = direct.iter().flat_map(|pid| descendants(pid)).collect();
    direct.into_iter().chain(below).collect()
}

/// Returns the processes below the driver that carry the pipe, as far as they are at home.
fn carriers(world: &World, driver: &Child, carrier: &str) -> Vec<String> {
    let there = there(world);
    let is_carrier = |pid: &String| {
        let name = std::fs::read_to_string(format!("/proc/{pid}/comm")).unwrap_or_default();
        name.trim_end() == carrier && !there.contains(pid)
    };
    let all = descendants(&driver.id().to_string());
    all.into_iter().filter(is_carrier).collect()
}

/// Returns whom it strikes below the driver.
fn victims(world: &World, driver: &Child, (place, row): (&KillPlace<'_>, Row)) -> Vec<String> {
    // In the queue the carrier itself is not begun yet.
    let carrier = match row.0 {
        Moment::Queued => "sh",
        _ => place.carrier,
    };
    match row.1 {
        Victim::Driver => Vec::new(),
        Victim::Client | Victim::Network => carriers(world, driver, carrier),
        Victim::FarEnd | Victim::FarEndAndWatchdog | Victim::Host => far_ends(world),
    }
}

/// Strikes the driver, or those below it; returns who is to be continued afterwards.
fn strike(
    driver: &mut Child,
    below: Vec<String>,
    (place, row): (&KillPlace<'_>, Row),
) -> Vec<String> {
    if row.1 == Victim::Driver {
        return driver.kill().map(|()| Vec::new()).unwrap();
    }
    let watches = |pid: &String| {
        let line = command_line(pid);
        line.windows(12).any(|w| w == b"watch-driver")
    };
    let under = || below.iter().flat_map(|pid| descendants(pid));
    let (signals, all): (Signal, Vec<String>) = match (row.1, place.cut) {
        (Victim::Network, Some(cut)) => {
            cut(true);
            return Vec::new();
        }
        (Victim::Network, None) => (Signal::STOP, below),
        (Victim::Host, _) => (Signal::STOP, under().chain(below.clone()).collect()),
        (Victim::FarEndAndWatchdog, _) => {
            let watchdogs = under().filter(watches);
            (Signal::KILL, watchdogs.chain(below.clone()).collect())
        }
        _ => (Signal::KILL, below),
    };
    all.iter().for_each(|pid| signal(pid, signals));
    let stopped = signals == Signal::STOP;
    all.into_iter().filter(|_| stopped).collect()
}

/// Returns a world that stays at this moment as long as nobody says `go`.
fn staying(moment: Moment) -> World {
    let world = two_units();
    let flags = world.root.join("flags");
    std::fs::create_dir(&flags).unwrap();
    // How it stays names its world, and is no part of what lands.
    std::fs::write(flags.join("stay"), family(&mark(&world))).unwrap();
    let stay = "[ -e $HOME/../flags/go ] || . $HOME/../flags/stay";
    let session = |shell: &str| {
        let session = after_shell("T01", shell);
        std::fs::write(world.root.join("sessions/T01.1.yml"), session).unwrap();
    };
    // Numbers that no packing makes small.
    let numbers =
        "awk 'BEGIN{s=1; for(i=0;i<40000;i++){s=(s*1103515245+12345)%2147483648; print s}}'";
    match moment {
        Moment::Session => session(&format!("echo half > T01.txt; {stay}")),
        Moment::WorkTravels => session(&format!("{numbers} > numbers")),
        Moment::PackTravels => {
            let made = world.command("sh").args(["-c", numbers]).output().unwrap();
            world.write("numbers", made.stdout);
            world.git(&["add", "-A"]);
            world.git(&["commit", "-qm", "numbers"]);
        }
        Moment::Judging | Moment::JudgingThere => {
            let check = world.read("check.sh");
            world.write(
                "check.sh",
                format!("[ ! -e T01.txt ] || {{ {stay}; }}\n{check}"),
            );
            world.git(&["commit", "-qam", "an oracle that stays"]);
        }
        Moment::Queued => {}
    }
    world
}

/// Defines the runner `big` behind a pipe that stays at this moment.
fn define(world: &World, place: &KillPlace<'_>, moment: Moment) {
    let places = Places::of(world);
    let line = (place.line)(world, &places.home("big"));
    let flags = world.root.join("flags").display().to_string();
    let wait = format!("touch {flags}/at-work; until [ -e {flags}/go ]; do sleep 0.05; done");
    let gate = format!("{{ dd bs=1 count={LET_THROUGH} status=none; {wait}; exec cat; }}");
    // A shell knows no other way to keep the input of a process that it starts beside itself.
    let line = match moment {
        Moment::Queued => format!("{wait}\ntouch {flags}/went\nexec {line}"),
        Moment::PackTravels => format!("[ -e {flags}/go ] && exec {line}\n{gate} | {line}"),
        Moment::WorkTravels => format!("[ -e {flags}/go ] && exec {line}\n{line} | {gate}"),
        _ => format!("exec {line}"),
    };
    let script = world.root.join("carry.sh");
    std::fs::write(&script, line + "\n").unwrap();
    // A client that stands still is a queue in which nothing moves, and a far end that is stopped as it begins never speaks.
    let more = match moment {
        Moment::Queued => "    wait: 6s\n",
        Moment::JudgingThere => "    wait: 2m\n    slots: 0\n    judges: true\n",
        _ => "    wait: 2m\n",
    };
    let command = format!("[sh, {}]", script.display());
    places.runner("big", &command, more).define();
}

/// Returns the commits of a world, wherever it is and whatever confined its sessions.
fn commits(world: &World) -> String {
    let root = world.root.display().to_string();
    without_isolation(&world.history().replace(&root, "WORLD"))
}

/// Returns the commits of a run that nobody disturbs.
fn undisturbed(moment: Moment) -> String {
    let world = staying(moment);
    std::fs::write(world.root.join("flags/go"), "").unwrap();
    let output = world.walk();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    commits(&world)
}

fn is_at_work(world: &World) -> bool {
    let entries = walkdir::WalkDir::new(&world.root).into_iter();
    let mut entries = entries.filter_map(Result::ok);
    entries.any(|entry| entry.file_name() == "at-work")
}

/// Waits until none of these is alive; returns how long that took.
fn gone(name: &str, pids: &[(String, Vec<u8>)]) -> Duration {
    let struck = Instant::now();
    // A number may be another's by now.
    let lives = |(pid, line): &(String, Vec<u8>)| !line.is_empty() && command_line(pid) == *line;
    eventually(&format!("{name}: nobody is left"), || {
        !pids.iter().any(lives)
    });
    struck.elapsed()
}

/// Tries a row; returns it with what came of it.
pub(crate) fn check(place: &KillPlace<'_>, (moment, victim): Row, alone: &str) -> String {
    let name = format!("{}, {moment:?}: {victim:?}", place.name);
    let world = staying(moment);
    define(&world, place, moment);
    let mut command = world.driver(&world.root.join("sessions"));
    command.args(["--runner", "big"]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut driver = command.spawn().unwrap();
    eventually(&format!("{name}: at work"), || is_at_work(&world));
    // What travels may wait in the pipe for a far end that is only starting. On a busy machine the lease may run out before
    // anybody strikes, and this is the next contact.
    let mut below = Vec::new();
    eventually(&format!("{name}: there"), || {
        below = victims(&world, &driver, (place, (moment, victim)));
        victim == Victim::Driver || !below.is_empty()
    });
    let with_lines = |pid: String| (pid.clone(), command_line(&pid));
    let then: Vec<_> = there(&world).into_iter().map(with_lines).collect();
    let go = || std::fs::write(world.root.join("flags/go"), "").unwrap();
    // Who stays looks for it no more, and who comes next does so at once; what waits in a pipe goes on by it.
    let waits_in_pipe = matches!(
        moment,
        Moment::Queued | Moment::PackTravels | Moment::WorkTravels
    );
    if !waits_in_pipe {
        go();
    }
    let stopped = strike(&mut driver, below, (place, (moment, victim)));
    if waits_in_pipe {
        go();
    }
    // What is frozen ends once it thaws, and what has no watchdog at the next contact.
    let waits = matches!(victim, Victim::Host | Victim::FarEndAndWatchdog);
    let first = (!waits).then(|| gone(&name, &then));
    if let (Victim::Network, Some(cut)) = (victim, place.cut) {
        let tried = || world.root.join("flags/went").exists();
        let ended = || carriers(&world, &driver, place.carrier).is_empty();
        eventually(&format!("{name}: it is noticed"), || {
            (moment != Moment::Queued || tried()) && ended()
        });
        cut(false);
    }
    let ends = format!("{name}: the run ends");
    eventually_within(RUN_ENDS_WITHIN, &ends, || {
        driver.try_wait().unwrap().is_some()
    });
    let output = driver.wait_with_output().unwrap();
    let output = match victim {
        Victim::Driver => command.output().unwrap(),
        _ => output,
    };
    stopped.iter().for_each(|pid| signal(pid, Signal::CONT));
    let gone = first.unwrap_or_else(|| gone(&name, &then));
    assert!(gone < GONE_WITHIN, "{name}: {gone:?}");
    let said = text(&output);
    assert_eq!(output.status.code(), Some(0), "{name}: {said}");
    eventually(&format!("{name}: nobody comes back"), || {
        alive(&mark(&world)).is_empty() && far_ends(&world).is_empty()
    });
    let unit = world.read(".gatewalk/features/FEAT-2026-0001-greetings/WU-T01.md");
    assert!(unit.contains("attempts: 1\n"), "{name}: charged: {unit}");
    expect_same(&name, &commits(&world), alone);
    assert_eq!(world.git(&["status", "--porcelain"]), "", "{name}: {said}");
    let when = match victim {
        Victim::Host => "after it thawed",
        Victim::FarEndAndWatchdog => "after the run",
        _ => "after",
    };
    format!(
        "{:<10} {:<13} {:<18} landed once, charged once, identical; nothing of it alive {when} {:.1} s",
        place.name,
        format!("{moment:?}"),
        format!("{victim:?}"),
        gone.as_secs_f64()
    )
}

/// Tries rows of a place, so many at once, and prints them.
pub(crate) fn table(place: &KillPlace<'_>, rows: &[Row], at_once: usize) {
    let alone: Vec<(Moment, String)> = MOMENTS
        .iter()
        .filter(|moment| rows.iter().any(|(of, _)| of == *moment))
        .map(|moment| (*moment, undisturbed(*moment)))
        .collect();
    let alone = |moment: Moment| &alone.iter().find(|(of, _)| *of == moment).unwrap().1;
    let next = std::sync::atomic::AtomicUsize::new(0);
    let take = || rows.get(next.fetch_add(1, std::sync::atomic::Ordering::Relaxed));
    std::thread::scope(|scope| {
        let lane = || {
            std::iter::from_fn(take)
                .for_each(|row| println!("{}", check(place, *row, alone(row.0))));
        };
        let lanes: Vec<_> = (0..at_once).map(|_| scope.spawn(lane)).collect();
        lanes
            .into_iter()
            .for_each(|lane| lane.join().expect("said above"));
    });
}
