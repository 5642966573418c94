//! The end of a run is reported where the user wants it: once, as JSON, and never at the price of the run.

use crate::world::World;
use serde_json::Value;

fn wants(world: &World, notify: &str) {
    let path = world.root.join("home/.config/gatewalk/config.yml");
    let before = std::fs::read_to_string(&path).unwrap();
    std::fs::write(path, format!("{before}notify:\n{notify}")).unwrap();
}

fn received(world: &World) -> Vec<Value> {
    let text = std::fs::read_to_string(world.root.join("received")).unwrap_or_default();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn listener(world: &World) -> String {
    let file = world.root.join("received");
    format!(
        "  command: \"cat >> '{0}'; echo >> '{0}'\"\n",
        file.display()
    )
}

#[test]
fn a_stop_is_reported_once_and_the_next_one_again() {
    let world = World::example();
    wants(&world, &listener(&world));
    // T03 asks a question.
    assert_eq!(world.walk().status.code(), Some(11));
    assert_eq!(world.walk().status.code(), Some(11), "nothing to do");
    let stops = received(&world);
    assert_eq!(stops.len(), 1, "{stops:?}");
    assert_eq!(
        (&stops[0]["reason"], &stops[0]["exit"]),
        (&"needs_human".into(), &11.into())
    );
    assert!(
        !stops[0]["next"].as_array().unwrap().is_empty(),
        "{stops:?}"
    );

    let unblocked = world.run(&["unblock", "T03", "--reason", "LC_ALL wins over LANG"]);
    assert!(unblocked.status.success());
    let mut answered = world.driver(&world.root.join("answered"));
    assert_eq!(answered.output().unwrap().status.code(), Some(10));
    let stops = received(&world);
    assert_eq!(stops.len(), 2, "{stops:?}");
    assert_eq!(stops[1]["reason"], "at_gate");
}

#[test]
fn only_what_is_wanted_is_reported() {
    let world = World::example();
    wants(
        &world,
        &format!("{}  events: [gate, finished]\n", listener(&world)),
    );
    assert_eq!(world.walk().status.code(), Some(11));
    assert_eq!(received(&world), Vec::<Value>::new());
}

#[test]
fn a_report_that_fails_fails_no_run() {
    let world = World::example();
    wants(&world, "  command: exit 3\n");
    let run = world.walk();
    let said = String::from_utf8_lossy(&run.stderr).into_owned();
    assert_eq!(run.status.code(), Some(11), "{said}");
    assert!(said.contains("this stop was not reported"), "{said}");
}

#[test]
fn a_mistake_in_what_is_wanted_is_known_before_the_work() {
    for (mistake, named) in [("  comand: cat\n", "comand"), ("  events: [gat]\n", "gat")] {
        let world = World::example();
        wants(&world, mistake);
        let run = world.walk();
        let said = String::from_utf8_lossy(&run.stderr).into_owned();
        assert_eq!(run.status.code(), Some(3), "{said}");
        assert!(said.contains(&format!("`{named}`")), "{said}");
    }
}
