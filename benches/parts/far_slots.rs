//! Slots on runners: what one costs beside a slot here, what a warm one costs beside the first, many on one host, and what
//! many cost home. The far end is this machine behind a pipe, so what is measured is the program and no network; with
//! `tests/places/namespaces.sh cargo bench -- far` it is a host behind ssh as well.

use super::walks::Walk;
use super::{BINARY, Lab, make_executable, row};
use std::process::Command;
use std::time::{Duration, Instant};

/// Units of a walk whose cost is a slope.
const UNITS: usize = 16;
/// Slots that home holds at once.
const MANY: usize = 200;
/// The large repository: so many files of so many bytes that no compression makes smaller.
const LARGE: (usize, usize) = (32, 64 << 20);

/// Prints the figures.
pub(super) fn far_slots() {
    let here = walk(UNITS, "", &Place::Here);
    let there = walk(UNITS, "", &Place::Pipe(1));
    let added = there.cost(UNITS).unit - here.cost(UNITS).unit;
    row(
        "a session on a runner, more than one here",
        added,
        "ms",
        400.0,
    );
    let first = there.first() - here.first();
    row(
        "the first on a host, more than one here",
        first,
        "ms",
        1000.0,
    );
    let mut shell = Command::new("sh");
    row(
        "a shell behind a pipe, for comparison",
        bare(shell.args(["-c", "echo"])),
        "ms",
        20.0,
    );
    if let Ok(config) = std::env::var("GATEWALK_SSH_CONFIG") {
        over_ssh(&config, &here);
    }
    let two_seconds = |units, slots| walk(units, "sleep 2", &Place::Pipe(slots)).milliseconds();
    let (one, many) = (two_seconds(1, 1), two_seconds(64, 64));
    row(
        "64 units of 2 s on 64 slots of a host, of one",
        many / one,
        "x",
        12.0,
    );
    many_slots();
}

/// The same behind ssh, and what ssh alone takes there.
fn over_ssh(config: &str, here: &Walk) {
    let there = walk(UNITS, "", &Place::Ssh(config));
    let added = there.cost(UNITS).unit - here.cost(UNITS).unit;
    row("a session over ssh, more than one here", added, "ms", 800.0);
    let mut ssh = Command::new("ssh");
    let alone = bare(ssh.args(["-F", config, "one", "true"]));
    row("`ssh HOST true`, for comparison", alone, "ms", 400.0);
}

/// What home needs while it holds many sessions that work elsewhere.
fn many_slots() {
    let walk = walk(MANY, "sleep 60", &Place::Pipe(MANY));
    row("memory of home, 200 far slots", walk.peak_mb(), "MB", 300.0);
    let share = walk.own_milliseconds() / walk.milliseconds();
    row("processor of home, 200 far slots", share, "x", 1.0);
}

/// What the second contact sends of a large repository.
pub(super) fn large_repository() {
    let lab = Lab::new();
    lab.agent("");
    lab.feature(1, 2, "active", "pending");
    let mut random = std::fs::File::open("/dev/urandom").unwrap();
    for file in 0..LARGE.0 {
        let path = lab.repo().join(format!("large-{file}.bin"));
        let mut part = std::io::Read::take(&mut random, LARGE.1 as u64);
        std::io::copy(&mut part, &mut std::fs::File::create(path).unwrap()).unwrap();
    }
    lab.commit();
    let sent = lab.root.path().join("sent");
    std::fs::create_dir_all(&sent).unwrap();
    // What goes there is kept on the way; both units have a contact of their own, one after the other.
    let line = format!("[sh, -c, \"tee {}/$$ | {{far}}\"]", sent.display());
    let walk = walk_in(&lab, &line, 1);
    assert_eq!(walk.count("landed"), 2);
    let files = std::fs::read_dir(&sent).unwrap();
    let mut sizes: Vec<f64> = files
        .map(|entry| entry.unwrap().metadata().unwrap().len() as f64)
        .collect();
    sizes.sort_by(f64::total_cmp);
    row(
        "2 GB of files, the first contact sends",
        sizes[1] / 1e6,
        "MB",
        2200.0,
    );
    row(
        "2 GB of files, the second contact sends",
        sizes[0] / 1e3,
        "KB",
        64.0,
    );
}

/// Where a walk's sessions run.
enum Place<'a> {
    Here,
    /// On so many slots behind a pipe.
    Pipe(usize),
    /// On the host `one` of a configuration of ssh.
    Ssh(&'a str),
}

/// Walks units, each of which does `during` first.
fn walk(units: usize, during: &str, place: &Place<'_>) -> Walk {
    let lab = Lab::new();
    lab.agent(during);
    lab.feature(1, units, "active", "pending");
    lab.commit();
    match place {
        Place::Here => {
            let agent = lab.root.path().join("agent.sh");
            make_executable(&agent);
            Walk::start(&lab, &agent, &["--jobs", "1"])
        }
        Place::Pipe(slots) => walk_in(&lab, "[sh, -c, \"{far}\"]", *slots),
        Place::Ssh(config) => {
            let line = format!("[ssh, -F, {config}, one, \"HOME={{home}} {{far}}\"]");
            let home = lab.root.path().join("far").display().to_string();
            walk_in(&lab, &line.replace("{home}", &home), 1)
        }
    }
}

/// Walks a lab's feature on a runner with this command.
fn walk_in(lab: &Lab, command: &str, slots: usize) -> Walk {
    let agent = lab.root.path().join("agent.sh");
    make_executable(&agent);
    let config = lab.root.path().join("home/.config/gatewalk/config.yml");
    std::fs::create_dir_all(config.parent().unwrap()).unwrap();
    std::fs::create_dir_all(lab.root.path().join("far")).unwrap();
    let home = lab.root.path().join("far").display().to_string();
    let far = format!("HOME={home} {{far}}");
    let command = match command.contains("HOME=") {
        true => command.to_owned(),
        false => command.replace("{far}", &far),
    };
    let text = format!(
        "runners:\n  big:\n    command: {command}\n    program: {BINARY}\n    slots: {slots}\n"
    );
    std::fs::write(config, text).unwrap();
    Walk::start(lab, &agent, &["--runner", "big"])
}

/// Returns the least time a command takes, in milliseconds.
fn bare(command: &mut Command) -> f64 {
    let times = (0..15).map(|_| {
        let began = Instant::now();
        assert!(command.output().unwrap().status.success());
        began.elapsed()
    });
    let least = times.min().unwrap_or(Duration::ZERO);
    least.as_secs_f64() * 1000.0
}
