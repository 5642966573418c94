//! Who dies while a session runs on a runner or while one judges, over a pipe of this machine and over ssh: rows of the kill
//! table. `tests/places` has it whole, for each of the places there.

use super::runner_kill_table::{KillPlace, Moment, Row, VICTIMS, Victim, table};
use super::runner_places::{Places, Sshd};
use super::sample::sample;
use super::world::{World, expect_same, text, two_units};
use std::path::Path;

/// A pipe of this machine, which only the far end's own shell carries.
fn by_pipe(_: &World, home: &Path) -> String {
    format!(
        "sh -c 'HOME={} \"$@\"; exit $?' carry \"$@\"",
        home.display()
    )
}

fn by_ssh(sshd: &Sshd, home: &Path) -> String {
    let config = sshd.dir.join("config");
    format!(
        "ssh -F {} slot \"HOME={} $*\"",
        config.display(),
        home.display()
    )
}

/// Tries a moment's rows with either carrier, all at once.
fn try_both(moment: Moment) {
    let rows = VICTIMS.iter().map(|victim| (moment, *victim));
    let rows: &[Row] = &sample("kills with a runner", rows, 3);
    // Nothing but the far end itself passes anything on, so there is no network to cut.
    let of_pipe: Vec<Row> = rows
        .iter()
        .copied()
        .filter(|(_, v)| *v != Victim::Network)
        .collect();
    let pipe = KillPlace {
        name: "pipe",
        carrier: "sh",
        line: &by_pipe,
        cut: None,
    };
    let sshd = Sshd::start();
    std::thread::scope(|scope| {
        if let Some(sshd) = &sshd {
            scope.spawn(move || {
                let line = |_: &World, home: &Path| by_ssh(sshd, home);
                let place = KillPlace {
                    name: "ssh",
                    carrier: "ssh",
                    line: &line,
                    cut: None,
                };
                table(&place, rows, rows.len());
            });
        }
        table(&pipe, &of_pipe, of_pipe.len());
    });
}

#[test]
#[ignore = "long"]
fn whoever_dies_while_a_session_runs_elsewhere_it_lands_once_and_nothing_lives_on() {
    try_both(Moment::Session);
}

#[test]
#[ignore = "long"]
fn whoever_dies_while_a_runner_judges_the_work_lands_once_and_nothing_lives_on() {
    try_both(Moment::JudgingThere);
}

/// Before the session, while its pack travels, while it hands over: a connection of so many bytes, in one direction.
#[test]
#[ignore = "long"]
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
        for line in sample("connections", there.into_iter().chain(back), 5) {
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
