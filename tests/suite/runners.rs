//! Sessions on runners: the same journey through a pipe, by a command of the user's own configuration.

use super::world::{BRANCH, PROGRAM, World, text, two_units};
use std::path::Path;
use std::process::Output;

/// Gives a world's user runners that start the far end here, each with a home of its own.
fn with_runners(world: &World, names: &[&str], more: &str) {
    let mut config = format!("sandbox_writable: {}\nrunners:\n", world.root.display());
    for name in names {
        let home = world.root.join(format!("far-{name}"));
        let settings = home.join(".config/gatewalk");
        std::fs::create_dir_all(&settings).unwrap();
        let writable = format!("sandbox_writable: {}\n", world.root.display());
        std::fs::write(settings.join("config.yml"), writable).unwrap();
        config.push_str(&format!(
            "  {name}:\n    command: [sh, -c, \"HOME={} exec {{far}}\"]\n    program: {PROGRAM}\n    lease: 4s\n{more}",
            home.display()
        ));
    }
    let path = world.root.join("home/.config/gatewalk/config.yml");
    std::fs::write(path, config).unwrap();
}

fn walk_on(world: &World, sessions: &Path, runners: &str) -> Output {
    let mut command = world.driver(sessions);
    command.args(["--runner", runners]);
    command.output().unwrap()
}

#[track_caller]
fn expect(output: &Output, exit: i32) -> String {
    assert_eq!(output.status.code(), Some(exit), "{}", text(output));
    text(output)
}

#[test]
fn units_land_identically_wherever_their_sessions_ran() {
    let world = two_units();
    let here = world.fork();
    expect(
        &here.driver(&world.root.join("sessions")).output().unwrap(),
        0,
    );
    with_runners(&world, &["big"], "");
    expect(&walk_on(&world, &world.root.join("sessions"), "big"), 0);
    assert_eq!(world.history(), here.history());
    let tree = format!("{BRANCH}^{{tree}}");
    let product = |world: &World| world.git(&["ls-tree", &tree, "T01.txt", "T02.txt"]);
    assert_eq!(product(&world), product(&here));
}
