//! Units on the pages of `gatewalk serve`: long diffs file by file, work that only the user can do, and forms that equal
//! what the program proposes.

use crate::serve::Server;
use crate::world::{Unit, World, after_shell, ended, good};
use serde_json::Value;

const T01: &str = "FEAT-2026-0001/T01";

#[test]
#[ignore = "long"]
fn every_file_of_a_long_diff_can_be_read_and_written_on() {
    let write = "for f in 1 2 3; do seq 1 9000 | sed \"s/.*/let x\\0 = \\0; \\/\\/ <b>\\0/\" > \"a $f.rs\"; done";
    let world = World::with_units(&[Unit::with("T01", &[&after_shell("T01", write)])]);
    assert_eq!(world.walk().status.code(), Some(0));
    let server = Server::new(&world, &[]);
    let whole = server.get(&format!("/unit?id={T01}")).body;
    for part in ["Every file (4)", "a 3.rs", "+9000", "is cut here"] {
        assert!(whole.contains(part), "{part}");
    }
    let start = whole
        .find("id=T01")
        .map_or("file=a+3.rs", |_| "file=a+3.rs");
    assert!(whole.contains(start), "a way to the last file");
    let one = server
        .get(&format!(
            "/unit?id={T01}&attempt=1&file=a+3.rs&at=a+3.rs:8999"
        ))
        .body;
    for part in [
        "Only <code>a 3.rs</code> is shown",
        "<i class=\"k\">let</i> x8999 = <i class=\"d\">8999</i>",
        "<i class=\"c\">// &lt;b&gt;8999</i>",
        "id=\"comment\"",
        "gatewalk comment FEAT-2026-0001/T01 --attempt 1 --at a 3.rs:8999",
    ] {
        assert!(one.contains(part), "{part}");
    }
    assert!(!one.contains("a 1.rs"), "only the file that was asked for");
    let none = server.get(&format!("/unit?id={T01}&attempt=1&file=../../etc"));
    assert!(
        none.status == 200 && none.body.contains("Nothing."),
        "{}",
        none.status
    );
    let diff = world.run(&["attempts", "show", "T01", "--diff", "--file", "a 2.rs"]);
    let diff = String::from_utf8(diff.stdout).unwrap();
    assert!(
        diff.starts_with("diff --git a/a 2.rs b/a 2.rs\n"),
        "{diff:.200}"
    );
    assert!(diff.lines().count() > 9000 && !diff.contains("a 1.rs"));
    for file in ["none", "../x", "/etc/passwd", "*.rs"] {
        let refused = world.run(&["attempts", "show", "T01", "--diff", "--file", file]);
        ended(&refused, 2, "did not change");
    }
    let all = world.run(&["attempts", "show", "T01", "--diff"]);
    assert!(String::from_utf8(all.stdout).unwrap().lines().count() > 27_000);
    let shown = world.run(&["attempts", "show", "T01", "--diff", "--json"]);
    let shown: Value = serde_json::from_slice(&shown.stdout).unwrap();
    let files = shown["diff"]["files"].as_array().unwrap();
    assert_eq!(files.len(), 4, "{files:?}");
    assert_eq!(
        (&files[1]["path"], &files[1]["added"]),
        (&"a 1.rs".into(), &9000.into()),
        "{files:?}"
    );
}

#[test]
fn a_human_units_evidence_is_handed_in_on_its_page() {
    let session = good("T02");
    let yours = Unit {
        front: "checks: []\n",
        ..Unit::with("T01", &[])
    };
    let world = World::with_units(&[yours, Unit::with("T02", &[&session])]);
    let file = ".gatewalk/features/FEAT-2026-0001-greetings/WU-T01.md";
    let text = world
        .read(file)
        .replace("type: implementation", "type: human");
    world.write(file, text.replace("checks: []\n", ""));
    world.git(&["commit", "-qam", "Mine"]);
    assert_eq!(world.walk().status.code(), Some(11));
    let server = Server::new(&world, &[]);
    let page = server.get(&format!("/unit?id={T01}")).body;
    assert!(
        page.contains("Hand it in") && page.contains("gatewalk done FEAT-2026-0001/T01"),
        "{page}"
    );
    let form = [
        ("action", "done"),
        ("unit", T01),
        ("evidence", "ticket 812"),
    ];
    let done = server.post(&form);
    assert_eq!(done.status, 303, "{done:?}");
    let page = server.get(done.header("location").unwrap()).body;
    assert!(
        page.contains("class=\"badge done\"") && !page.contains("Hand it in"),
        "{page}"
    );
    let again = server.post(&form);
    assert!(
        again.status == 422 && again.body.contains("gatewalk done"),
        "{again:?}"
    );
}

#[test]
fn the_form_of_a_parked_unit_is_the_command_that_is_proposed() {
    let bad = good("T01").replace("whole", "half");
    let world = World::with_units(&[Unit::with("T01", &[&bad, &bad])]);
    assert_eq!(world.walk().status.code(), Some(11));
    let server = Server::new(&world, &[]);
    let page = server.get(&format!("/unit?id={T01}")).body;
    let line = "gatewalk unblock FEAT-2026-0001/T01 --reason &quot;…&quot; --changed &quot;…&quot;";
    assert!(page.matches(line).count() >= 2, "{page}");
    let home = server.get("/").body;
    assert!(!home.contains("$-"), "{home}");
    let unblock = server.post(&[
        ("action", "unblock"),
        ("unit", T01),
        ("reason", "r"),
        ("changed", "c"),
        ("commit_plan", "yes"),
    ]);
    assert_eq!(unblock.status, 303, "{unblock:?}");
}
