//! A title of hundreds of lines is a line in every view; pages keep the whole where one points at it.

use crate::serve::Server;
use crate::world::World;
use regex::Regex;

const DIRECTORY: &str = ".gatewalk/features/FEAT-2026-0001-greetings";

/// Words that can be told apart, each on a line of its own.
fn words(name: &str, between: &str) -> String {
    let words: Vec<String> = (1..=400).map(|n| format!("{name}{n:03}")).collect();
    words.join(between)
}

/// Returns the example with a feature of 400 lines as its title, and a unit of as many words.
fn with_long_titles() -> World {
    let world = World::example();
    for (file, old, new) in [
        (
            "PLAN.md",
            "title: ",
            format!("title: |\n  {}\n", words("feature", "\n  ")),
        ),
        (
            "WU-01-several-names.md",
            "# ",
            format!("# {}\n", words("unit", " ")),
        ),
    ] {
        let path = format!("{DIRECTORY}/{file}");
        let text = world.read(&path);
        let line = text.lines().find(|line| line.starts_with(old)).unwrap();
        world.write(&path, text.replacen(&format!("{line}\n"), &new, 1));
    }
    world.git(&["add", "-A"]);
    world.git(&["commit", "-qm", "long titles"]);
    world
}

#[test]
fn no_view_is_taller_for_a_title_of_hundreds_of_lines() {
    let world = with_long_titles();
    // A drawing has an element for it.
    let pointed_at = Regex::new("title=\"[^\"]*\"|<title>[^<]*</title>").unwrap();
    let check = |view: &str, shown: &str, names: &[&str]| {
        for name in names {
            let first = format!("{name}001");
            assert!(shown.contains(&first), "{view}: {shown}");
        }
        assert!(shown.contains('…'), "{view}: {shown}");
        for name in ["feature", "unit"] {
            let late = format!("{name}100");
            assert!(!shown.contains(&late), "{view} has {late}: {shown}");
        }
    };
    let both = ["feature", "unit"];
    for (args, names) in [
        (&["status", "FEAT-2026-0001"][..], &both[..]),
        (&["board"], &["unit"]),
        (&["loop", "--dry-run"], &["unit"]),
        (&["report", "--format", "md"], &both),
        (&["pr", "--json", "FEAT-2026-0001"], &both),
    ] {
        let out = world.run(args);
        check(
            &args.join(" "),
            &String::from_utf8_lossy(&out.stdout),
            names,
        );
    }
    let report = world.run(&["report"]).stdout;
    let report = String::from_utf8_lossy(&report).into_owned();
    let server = Server::new(&world, &["--read-only"]);
    for (view, page, names) in [
        ("report", report, &both[..]),
        ("home", server.get("/").body, &["feature"]),
        (
            "feature",
            server.get("/feature?id=FEAT-2026-0001").body,
            &both,
        ),
        (
            "unit",
            server.get("/unit?id=FEAT-2026-0001/T01").body,
            &["unit"],
        ),
    ] {
        for name in names {
            let whole = words(name, " ");
            assert!(page.contains(&whole), "{view} has not the whole: {page}");
        }
        let page = page
            .split("What its first session will read")
            .next()
            .unwrap();
        check(view, &pointed_at.replace_all(page, ""), names);
    }
}
