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
#[ignore = "long"]
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
fn only_the_notices_that_are_asked_for_are_sent() {
    let world = World::example();
    wants(
        &world,
        &format!("{}  events: [gate, finished]\n", listener(&world)),
    );
    assert_eq!(world.walk().status.code(), Some(11));
    assert_eq!(received(&world), Vec::<Value>::new());
}

#[test]
#[ignore = "long"]
fn a_notice_that_fails_fails_no_run() {
    let world = World::example();
    wants(&world, "  command: exit 3\n");
    let run = world.walk();
    let said = String::from_utf8_lossy(&run.stderr).into_owned();
    assert_eq!(run.status.code(), Some(11), "{said}");
    assert!(said.contains("this stop was not reported"), "{said}");
}

#[test]
fn a_mistake_in_the_notice_settings_is_reported_before_the_work() {
    for (mistake, named) in [("  comand: cat\n", "comand"), ("  events: [gat]\n", "gat")] {
        let world = World::example();
        wants(&world, mistake);
        let run = world.walk();
        let said = String::from_utf8_lossy(&run.stderr).into_owned();
        assert_eq!(run.status.code(), Some(3), "{said}");
        assert!(said.contains(&format!("`{named}`")), "{said}");
    }
}

/// Answers every request, and keeps what was posted.
struct Listener {
    address: std::net::SocketAddr,
    posted: std::sync::Arc<std::sync::Mutex<Vec<String>>>,
}

impl Listener {
    fn start() -> Listener {
        let socket = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let address = socket.local_addr().unwrap();
        let posted = std::sync::Arc::<std::sync::Mutex<Vec<String>>>::default();
        let kept = posted.clone();
        std::thread::spawn(move || {
            for stream in socket.incoming() {
                let body = Listener::answer(&mut stream.unwrap());
                kept.lock().unwrap().push(body);
            }
        });
        Listener { address, posted }
    }

    fn answer(stream: &mut std::net::TcpStream) -> String {
        use std::io::{BufRead, BufReader, Read, Write};
        let mut reader = BufReader::new(stream);
        let mut length = 0;
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).unwrap();
            if let Some(number) = line.to_lowercase().strip_prefix("content-length:") {
                length = number.trim().parse().unwrap();
            }
            if line.trim().is_empty() {
                break;
            }
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body).unwrap();
        let stream = reader.into_inner();
        stream
            .write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            .unwrap();
        String::from_utf8(body).unwrap()
    }

    fn posted(&self) -> Vec<String> {
        self.posted.lock().unwrap().clone()
    }
}

fn walk_with(world: &World, name: &str, value: &str) -> std::process::Output {
    let mut driver = world.driver(&world.root.join("sessions"));
    driver.env(name, value).output().unwrap()
}

#[test]
#[ignore = "long"]
fn a_webhook_gets_a_stop_once_across_a_kill_and_a_rerun() {
    let world = World::example();
    let hook = Listener::start();
    let both = format!(
        "{}  webhook: MY_HOOK\n  template: slack\n",
        listener(&world)
    );
    wants(&world, &both);
    let address = format!("http://{}/secret-path", hook.address);
    let run = |kill: Option<&str>| {
        let mut driver = world.driver(&world.root.join("sessions"));
        if let Some(point) = kill {
            driver.env("GATEWALK_TEST_KILL_AT", point);
        }
        driver.env("MY_HOOK", &address).output().unwrap()
    };
    if cfg!(debug_assertions) {
        assert_eq!(run(Some("40")).status.code(), None, "it was to be killed");
        assert_eq!(hook.posted(), Vec::<String>::new());
    }
    for _ in 0..3 {
        let stopped = run(None);
        let said = String::from_utf8_lossy(&stopped.stderr).into_owned();
        assert_eq!(stopped.status.code(), Some(11), "{said}");
        assert!(!said.contains("secret-path"), "{said}");
    }
    let posted = hook.posted();
    assert_eq!(posted.len(), 1, "{posted:?}");
    let body: Value = serde_json::from_str(&posted[0]).unwrap();
    let text = body["text"].as_str().unwrap();
    assert!(text.contains("FEAT-2026-0001 needs you"), "{text}");
    assert!(text.contains("next: gatewalk "), "{text}");
    assert_eq!(received(&world).len(), 1);
}

#[test]
#[ignore = "long"]
fn a_channel_that_failed_is_tried_again_and_the_others_are_not() {
    let world = World::example();
    let hook = Listener::start();
    wants(&world, &format!("{}  webhook: MY_HOOK\n", listener(&world)));
    let run = walk_with(&world, "MY_HOOK", "http://127.0.0.1:1/");
    let said = String::from_utf8_lossy(&run.stderr).into_owned();
    assert_eq!(run.status.code(), Some(11), "{said}");
    assert!(said.contains("this stop was not reported"), "{said}");
    let address = format!("http://{}/", hook.address);
    walk_with(&world, "MY_HOOK", &address);
    walk_with(&world, "MY_HOOK", &address);
    assert_eq!(received(&world).len(), 1, "the command took it at once");
    let posted = hook.posted();
    assert_eq!(posted.len(), 1, "{posted:?}");
    let body: Value = serde_json::from_str(&posted[0]).unwrap();
    assert_eq!(body["reason"], "needs_human");
}

#[test]
#[ignore = "long"]
fn quiet_hours_put_off_and_a_reminder_comes_once() {
    let world = World::example();
    let config = world.root.join("home/.config/gatewalk/config.yml");
    let before = std::fs::read_to_string(&config).unwrap();
    let wanted = |more: &str| {
        let text = format!("{before}notify:\n{}{more}", listener(&world));
        std::fs::write(&config, text).unwrap();
        assert_eq!(world.walk().status.code(), Some(11));
        received(&world).len()
    };
    assert_eq!(wanted("  quiet: 00:00-24:00\n"), 0, "not now");
    assert_eq!(wanted(""), 1);
    assert_eq!(wanted("  remind_after: 1h\n"), 1, "not yet");
    let noted = world.repo().join(".git/gatewalk/notices.json");
    let text = std::fs::read_to_string(&noted).unwrap();
    let mut record: Value = serde_json::from_str(&text).unwrap();
    let one = &mut record["FEAT-2026-0001"]["at"];
    *one = (one.as_i64().unwrap() - 3600).into();
    std::fs::write(&noted, record.to_string()).unwrap();
    assert_eq!(wanted("  remind_after: 1h\n"), 2, "the reminder");
    assert_eq!(wanted("  remind_after: 1h\n"), 2, "one is enough");
    let received = received(&world);
    assert_eq!(received[1]["reminder"], true);
    assert_eq!(received[0]["id"], received[1]["id"], "the same thing");
}

#[test]
#[ignore = "long"]
fn the_desktop_shows_what_happened_and_a_budget_that_is_nearly_used_up() {
    let world = World::example();
    let bin = world.root.join("bin");
    std::fs::create_dir(&bin).unwrap();
    let shown = world.root.join("shown");
    let script = format!(
        "#!/bin/sh\nprintf '%s\\n' \"$3\" >> '{}'\n",
        shown.display()
    );
    std::fs::write(bin.join("notify-send"), script).unwrap();
    use std::os::unix::fs::PermissionsExt;
    let mode = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(bin.join("notify-send"), mode).unwrap();
    wants(
        &world,
        "  desktop: true\n  events: [budget_near, needs_you]\n",
    );
    let plan = ".gatewalk/features/FEAT-2026-0001-greetings/PLAN.md";
    let text = world.read(plan);
    world.write(
        plan,
        text.replace(
            "planned_cost_usd: 0.65\n",
            "planned_cost_usd: 0.65\nbudget_usd: 0.25\n",
        ),
    );
    world.git(&["commit", "-qam", "a budget"]);
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    let ran = walk_with(&world, "PATH", &path);
    let said = String::from_utf8_lossy(&ran.stderr).into_owned();
    let shown = std::fs::read_to_string(shown).unwrap_or_default();
    assert!(shown.contains("budget"), "{shown}\n{said}");
    assert_eq!(
        shown.matches("of its $0.25 budget").count(),
        1,
        "{shown}\n{said}"
    );
}

#[test]
#[ignore = "long"]
fn a_run_leaves_a_heartbeat_that_says_that_it_is_over() {
    let world = World::example();
    assert_eq!(world.walk().status.code(), Some(11));
    let text = std::fs::read_to_string(world.repo().join(".git/gatewalk/heartbeat")).unwrap();
    let beat: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(beat["activity"], "stopped", "{beat}");
    for key in ["at", "last_event_at"] {
        let at = beat[key].as_str().unwrap();
        assert!(at.parse::<jiff::Timestamp>().is_ok(), "{at}");
    }
}
