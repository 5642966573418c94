//! Sessions that an engine takes back, or that are heard of no more: what is said of them, what it costs, and that the work
//! lands once. The engines are stand-ins that print what real ones do.

use super::processes::eventually;
use super::runner_places::{LEASE_SECONDS, Places};
use super::world::{World, after_shell, ended, two_units};
use std::process::{Command, Output, Stdio};

/// Returns a walk on `big` and here, where the first session is ended on `big` by a signal and its engine prints a line.
fn taken_back(signal: &str, line: &str) -> (World, Output) {
    let world = two_units();
    let shell = format!("case $HOME in */far-big) kill -{signal} $PPID; sleep 60 ;; esac");
    let session = after_shell("T01", &shell);
    std::fs::write(world.root.join("sessions/T01.1.yml"), session).unwrap();
    let places = Places::of(&world);
    let home = places.home("big");
    let engine = format!(
        "[sh, -c, \"HOME={} {{far}}; echo '{line}' >&2; exit 9\"]",
        home.display()
    );
    places.runner("big", &engine, "").define();
    let mut driver = world.driver(&world.root.join("sessions"));
    let walked = driver.args(["--runner", "big", "--jobs", "1"]).output();
    (world, walked.unwrap())
}

fn charged_once(world: &World, said: &str) {
    let unit = world.read(".gatewalk/features/FEAT-2026-0001-greetings/WU-T01.md");
    assert!(unit.contains("attempts: 1\n"), "charged: {said}");
}

#[test]
#[ignore = "long"]
fn what_an_engine_took_back_is_told_with_its_words_and_with_what_to_do() {
    let cancelled = "slurmstepd-n1: error: *** STEP 4.0 ON n1 CANCELLED AT 2026-11-26T19:07:52";
    for (signal, line, why, remedy) in [
        (
            "TERM",
            format!("{cancelled} DUE TO TIME LIMIT ***"),
            "the time it was granted there was over: slurmstepd-n1",
            "; ask for more time: `minutes` in the unit",
        ),
        (
            "KILL",
            "slurmstepd: error: Detected 1 oom_kill event in StepId=4.0.".to_owned(),
            "it took more memory than it was granted there: slurmstepd",
            "; ask for more memory: `memory` in the unit",
        ),
        (
            "TERM",
            format!("{cancelled} DUE TO PREEMPTION ***"),
            "its engine gave its place there to another job",
            "; it goes elsewhere, uncharged",
        ),
        (
            "TERM",
            format!("{cancelled} ***"),
            "by signal 15",
            "; it goes elsewhere, uncharged",
        ),
    ] {
        let (world, walked) = taken_back(signal, &line);
        let said = ended(&walked, 0, why);
        let told = said.split(why).nth(1).unwrap_or_default();
        let told = told.lines().next().unwrap_or_default();
        assert!(told.contains(remedy), "{line}: {said}");
        charged_once(&world, &said);
    }
}

#[test]
#[ignore = "long"]
fn a_session_that_is_heard_of_no_more_shows_how_long_it_was() {
    let world = two_units();
    std::fs::create_dir(world.root.join("flags")).unwrap();
    let stay = "touch $HOME/../flags/at-work; until [ -e $HOME/../flags/go ]; do sleep 0.1; done";
    let session = after_shell("T01", stay);
    std::fs::write(world.root.join("sessions/T01.1.yml"), session).unwrap();
    let places = Places::of(&world);
    let (home, pid) = (places.home("big"), world.root.join("pid"));
    let command = format!(
        "[sh, -c, \"echo $$ > {}; HOME={} exec {{far}}\"]",
        pid.display(),
        home.display()
    );
    places.runner("big", &command, "").define();
    let mut driver = world.driver(&world.root.join("sessions"));
    driver.args(["--runner", "big", "--jobs", "1"]);
    let driver = driver
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    eventually("it is at work", || {
        world.root.join("flags/at-work").exists()
    });
    let far = std::fs::read_to_string(&pid).unwrap();
    let frozen = Command::new("kill").args(["-STOP", far.trim()]).status();
    assert!(frozen.unwrap().success());
    std::fs::write(world.root.join("flags/go"), "").unwrap();
    let silent = format!("nothing was heard of it for {LEASE_SECONDS} s");
    let said = ended(&driver.wait_with_output().unwrap(), 0, &silent);
    let after = said.split("runner_lost on big after ").nth(1);
    let after = after.and_then(|rest| rest.split('s').next()?.parse::<f64>().ok());
    let least = f64::from(u32::try_from(LEASE_SECONDS).unwrap());
    assert!(after.is_some_and(|after| after >= least), "{said}");
    charged_once(&world, &said);
}
