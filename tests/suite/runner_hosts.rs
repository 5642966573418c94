//! Sessions on hosts with a network of their own, in jobs of a real Slurm, and in containers. `tests/places/*.sh` makes such places and
//! names them in the environment; without them these tests say that they tried nothing.

use super::killed::{alive, family, mark};
use super::processes::eventually;
use super::runner_kill_table::{GONE_WITHIN, KillPlace, Moment, Row, Victim, rows, table};
use super::runner_places::Places;
use super::runners::two_gates;
use super::world::{
    BRANCH, PROGRAM, Unit, World, after_shell, ended, expect_same, two_units, without_isolation,
};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::Instant;

/// Returns what a script of `tests/places` names.
fn place(variable: &str, script: &str) -> Option<String> {
    let value = std::env::var(variable).ok();
    if value.is_none() {
        println!(
            "SKIPPED: `tests/places/{script}.sh cargo test --test suite runner_hosts` makes the place"
        );
    }
    value
}

fn walk(world: &World, runners: &str) -> Output {
    let mut driver = world.driver(&world.root.join("sessions"));
    driver.args(["--runner", runners]).output().unwrap()
}

/// Returns a world that stays in the middle of its first session until somebody says `go`.
fn staying() -> World {
    let world = two_units();
    std::fs::create_dir(world.root.join("flags")).unwrap();
    let family = family(&mark(&world));
    let stay = format!("[ -e $HOME/../flags/go ] || {{ {family}; }}");
    let session = after_shell("T01", &format!("echo half > T01.txt; {stay}"));
    std::fs::write(world.root.join("sessions/T01.1.yml"), session).unwrap();
    world
}

fn start(world: &World, runners: &str) -> Child {
    let mut driver = world.driver(&world.root.join("sessions"));
    driver.args(["--runner", runners]);
    driver.stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = driver.spawn().unwrap();
    eventually("at work", || {
        let slots = walkdir::WalkDir::new(&world.root).into_iter();
        let mut entries = slots.filter_map(Result::ok);
        entries.any(|entry| entry.file_name() == "at-work")
    });
    child
}

/// Says `go`, and waits until a unit landed once, charged once, and nothing of the first session is alive.
fn goes_on(name: &str, world: &World, driver: Child) {
    let struck = Instant::now();
    std::fs::write(world.root.join("flags/go"), "").unwrap();
    eventually(&format!("{name}: nobody is left"), || {
        alive(&mark(world)).is_empty()
    });
    let gone = struck.elapsed();
    assert!(gone < GONE_WITHIN, "{name}: {gone:?}");
    let said = ended(&driver.wait_with_output().unwrap(), 0, "is done");
    let unit = world.read(".gatewalk/features/FEAT-2026-0001-greetings/WU-T01.md");
    assert!(unit.contains("attempts: 1\n"), "{name}: charged: {said}");
    println!(
        "{name:<36} landed once, charged once; nothing alive after {:.1} s",
        gone.as_secs_f64()
    );
}

/// Adds the two hosts; each has a home, and so a machine, of its own.
fn hosts<'w>(world: &'w World, config: &str, of_two: &str) -> Places<'w> {
    let mut places = Places::of(world);
    for (host, more) in [("one", ""), ("two", of_two)] {
        let home = places.home(host).display().to_string();
        let command = format!("[ssh, -F, {config}, {host}, \"HOME={home} {{far}}\"]");
        places = places.runner(host, &command, more);
    }
    places
}

/// Adds the jobs of a Slurm.
fn jobs<'w>(places: Places<'w>, config: &str, more: &str) -> Places<'w> {
    let home = places.home("hpc").display().to_string();
    let command = format!(
        "[env, SLURM_CONF={config}, HOME={home}, srun, --quiet, -n1, \"-c{{cpus}}\", \"--mem={{memory_mb}}M\", \"-t{{minutes}}\", \"--export=HOME,PATH,USER\", --job-name=gatewalk]"
    );
    places.runner("hpc", &command, more)
}

/// Adds containers of podman.
fn containers<'w>(places: Places<'w>, (program, world): (&str, &World), more: &str) -> Places<'w> {
    let home = places.home("box").display().to_string();
    let command = boxed(program, world).join(", ");
    places.runner("box", &format!("[{command}, env, \"HOME={home}\"]"), more)
}

/// Walks the example's two gates, each on the runner of that name, or here where there is none.
fn journey(name: &str, define: &dyn Fn(&World), runners: [&str; 2]) {
    let recorded = World::example();
    let here = two_gates(&recorded.fork(), &recorded, ["", ""]);
    let world = recorded.fork();
    define(&world);
    let there = two_gates(&world, &recorded, runners);
    expect_same(name, &without_isolation(&there), &without_isolation(&here));
    println!("{name:<36} identical to the local run");
}

#[test]
fn one_host_judges_what_another_did_and_a_cut_network_costs_nothing() {
    let Some(config) = place("GATEWALK_SSH_CONFIG", "namespaces") else {
        return;
    };
    let cut = std::env::var("GATEWALK_SSH_CUT").unwrap();
    let cut = |state: &str, host: &str| {
        let done = Command::new(&cut).args([state, host]).status().unwrap();
        assert!(done.success(), "{state} {host}");
    };
    let define = |world: &World| hosts(world, &config, "").define();
    journey("two gates, a host each", &define, ["one", "two"]);
    let world = two_units();
    let here = world.fork();
    let sessions = world.root.join("sessions");
    ended(&here.driver(&sessions).output().unwrap(), 0, "is done");
    hosts(&world, &config, "    slots: 0\n    judges: true\n").define();
    ended(&walk(&world, "one,two"), 0, "is done");
    assert!(world.history() == here.history(), "other commits than here");
    let shown = world.run(&["attempts", "show", "FEAT-2026-0001/T01"]);
    ended(&shown, 0, "judged on two");
    println!(
        "{:<36} identical to the local run",
        "one host works, the other judges"
    );
    let world = staying();
    hosts(&world, &config, "").define();
    let driver = start(&world, "one,two");
    cut("cut", "one");
    goes_on("network of a host cut in a session", &world, driver);
    cut("join", "one");
    ended(&world.run(&["status"]), 0, "done");
}

#[test]
fn a_job_of_slurm_is_a_place_and_a_cancelled_one_costs_nothing() {
    let Some(config) = place("SLURM_CONF", "slurm") else {
        return;
    };
    let define = |world: &World, more: &str| jobs(Places::of(world), &config, more).define();
    let in_jobs = |world: &World| define(world, "");
    journey("two gates, in jobs and here", &in_jobs, ["hpc", ""]);
    let world = two_units();
    let here = world.fork();
    let sessions = world.root.join("sessions");
    ended(&here.driver(&sessions).output().unwrap(), 0, "is done");
    define(&world, "");
    ended(&walk(&world, "hpc"), 0, "on hpc");
    assert!(world.history() == here.history(), "other commits than here");
    println!("{:<36} identical to the local run", "sessions in jobs");
    let judged = two_units();
    define(&judged, "    slots: 0\n    judges: true\n");
    ended(&walk(&judged, "hpc"), 0, "is done");
    ended(
        &judged.run(&["attempts", "show", "FEAT-2026-0001/T01"]),
        0,
        "judged on hpc",
    );
    println!("{:<36} is done", "judging in jobs");
    let world = staying();
    define(&world, "");
    let driver = start(&world, "hpc");
    let mut cancel = Command::new("scancel");
    cancel.env("SLURM_CONF", &config).arg("--name=gatewalk");
    assert!(cancel.status().unwrap().success());
    goes_on("a job cancelled in a session", &world, driver);
}

/// Rows of the kill table that are tried at once: they wait more than they work.
const AT_ONCE: usize = 14;

#[test]
fn whoever_dies_on_a_host_and_whenever_the_work_lands_once() {
    let Some(config) = place("GATEWALK_SSH_CONFIG", "namespaces") else {
        return;
    };
    let cut = std::env::var("GATEWALK_SSH_CUT").unwrap();
    let cut_two = |yes: bool| {
        let state = if yes { "cut" } else { "join" };
        let done = Command::new(&cut).args([state, "two"]).status().unwrap();
        assert!(done.success(), "{state}");
    };
    let line =
        |host: &str, home: &Path| format!("ssh -F {config} {host} \"HOME={} $*\"", home.display());
    // At other moments the client stands still instead: a network that is cut is cut for every session.
    let is_cut = |row: &Row| {
        row.1 == Victim::Network && matches!(row.0, Moment::PackTravels | Moment::Session)
    };
    let (of_network, others): (Vec<Row>, Vec<Row>) = rows().into_iter().partition(is_cut);
    let one = |_: &World, home: &Path| line("one", home);
    let two = |_: &World, home: &Path| line("two", home);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let place = KillPlace {
                name: "host two",
                carrier: "ssh",
                line: &two,
                cut: Some(&cut_two),
            };
            table(&place, &of_network, 1);
        });
        let place = KillPlace {
            name: "host one",
            carrier: "ssh",
            line: &one,
            cut: None,
        };
        table(&place, &others, AT_ONCE);
    });
}

#[test]
fn whoever_dies_with_a_job_and_whenever_the_work_lands_once() {
    let Some(config) = place("SLURM_CONF", "slurm") else {
        return;
    };
    let line = |_: &World, home: &Path| {
        format!(
            "env SLURM_CONF={config} srun --quiet -n1 -c1 --mem=256M -t5 --job-name=gatewalk env HOME={} \"$@\"",
            home.display()
        )
    };
    let place = KillPlace {
        name: "job",
        carrier: "srun",
        line: &line,
        cut: None,
    };
    table(&place, &rows(), AT_ONCE);
}

/// Returns the command that begins a container which shares the worlds and the program with this machine.
fn boxed(program: &str, world: &World) -> Vec<String> {
    let built = Path::new(PROGRAM).parent().unwrap().display().to_string();
    let worlds = world.root.parent().unwrap().display().to_string();
    [program, &worlds, &built, "--"].map(str::to_owned).to_vec()
}

#[test]
fn a_container_is_a_place() {
    let Some(program) = place("GATEWALK_PODMAN", "podman") else {
        return;
    };
    let define =
        |world: &World, more: &str| containers(Places::of(world), (&program, world), more).define();
    let in_boxes = |world: &World| define(world, "");
    journey("two gates, in containers", &in_boxes, ["box", "box"]);
    journey("two gates, in containers and here", &in_boxes, ["box", ""]);
    let judged = two_units();
    define(&judged, "    slots: 0\n    judges: true\n");
    ended(&walk(&judged, "box"), 0, "is done");
    let shown = judged.run(&["attempts", "show", "FEAT-2026-0001/T01"]);
    ended(&shown, 0, "judged on box");
    println!("{:<36} is done", "judging in containers");
}

#[test]
fn whoever_dies_with_a_container_and_whenever_the_work_lands_once() {
    let Some(program) = place("GATEWALK_PODMAN", "podman") else {
        return;
    };
    let line = |world: &World, home: &Path| {
        let command = boxed(&program, world).join(" ");
        format!("{command} env HOME={} \"$@\"", home.display())
    };
    let place = KillPlace {
        name: "container",
        carrier: "podman",
        line: &line,
        cut: None,
    };
    table(&place, &rows(), AT_ONCE);
}

/// Whatever places there are, and a pipe, in one pool: `tests/places/namespaces.sh tests/places/slurm.sh tests/places/podman.sh`
/// makes all of them.
#[test]
fn places_of_every_kind_share_one_run() {
    let [ssh, slurm, podman] = ["GATEWALK_SSH_CONFIG", "SLURM_CONF", "GATEWALK_PODMAN"]
        .map(|variable| std::env::var(variable).ok());
    let ids = ["T01", "T02", "T03", "T04", "T05"];
    // Work lands in the order in which sessions end: each ends once the one before it is judged.
    let waits = |(at, id): (usize, &str)| {
        let before = at.checked_sub(1).map(|before| ids[before]);
        let before =
            before.map(|id| format!("until test -e $HOME/../flags/{id}.txt; do sleep 0.1; done"));
        after_shell(id, before.as_deref().unwrap_or("true"))
    };
    let sessions: Vec<String> = ids.into_iter().enumerate().map(waits).collect();
    let sessions: Vec<[&str; 1]> = sessions.iter().map(|session| [session.as_str()]).collect();
    let units: Vec<Unit<'_>> = std::iter::zip(ids, &sessions)
        .map(|(id, sessions)| Unit::with(id, sessions))
        .collect();
    let world = World::with_units(&units);
    let judged = "for file in T*.txt; do touch \"$HOME/../flags/$file\"; done\n";
    let check = world.read("check.sh");
    world.write("check.sh", format!("{judged}{check}"));
    world.git(&["commit", "-qam", "say what is judged"]);
    std::fs::create_dir(world.root.join("flags")).unwrap();
    let here = world.fork();
    Places::of(&here).define();
    drop(std::fs::create_dir(here.root.join("flags")));
    let places = match &ssh {
        Some(config) => hosts(&world, config, ""),
        None => Places::of(&world),
    };
    let mut places = places.pipe("pipe", "");
    let mut names = vec!["pipe"];
    names.extend(ssh.iter().flat_map(|_| ["one", "two"]));
    if let Some(config) = &slurm {
        places = jobs(places, config, "");
        names.push("hpc");
    }
    if let Some(program) = &podman {
        places = containers(places, (program, &world), "");
        names.push("box");
    }
    let kinds = names.join(",");
    if names.len() == 1 {
        println!("SKIPPED: no place of `tests/places` is here to share a run");
        return;
    }
    places.define();
    ended(
        &here.driver(&world.root.join("sessions")).output().unwrap(),
        0,
        "is done",
    );
    let said = ended(&walk(&world, &kinds), 0, "is done");
    for name in &names {
        assert!(
            said.contains(&format!(" on {name} ")),
            "nothing ran on {name}: {said}"
        );
    }
    // What a landing is beside the others' witnesses differs with who is at work then; the product and its order do not.
    let range = format!("main..{BRANCH}");
    let product = |world: &World| {
        let landed = [
            "log",
            "--reverse",
            "--format=%an %s",
            "--raw",
            "--no-abbrev",
        ];
        world.git(&[&landed[..], &[&range, "--", ":!.gatewalk"]].concat())
    };
    let alone = product(&here);
    assert_eq!(alone.matches(".txt\n").count(), ids.len(), "{alone}");
    expect_same(&kinds, &product(&world), &alone);
    for id in ids {
        let unit = world.read(&format!(
            ".gatewalk/features/FEAT-2026-0001-greetings/WU-{id}.md"
        ));
        assert!(unit.contains("attempts: 1\n"), "{id}: {unit}");
    }
    println!("{kinds:<36} in one run, the product identical to the local run");
}
