//! `gatewalk report`: one file that stands alone, true to the log, and safe to open.

use crate::world::World;
use serde_json::Value;

const BRANCH: &str = "feat/FEAT-2026-0001-greetings";

#[test]
fn a_feature_is_one_file_that_loads_nothing_and_says_what_happened() {
    let world = World::example();
    assert_eq!(world.walk().status.code(), Some(11));
    let run = world.run(&["report", "--output", "../report.html"]);
    assert!(run.status.success());
    let page = std::fs::read_to_string(world.root.join("report.html")).unwrap();
    // T01 passed at once, T02 at the second attempt, T03 waits for an answer.
    assert_eq!(page.matches("<rect class=\"pass\"").count(), 2, "{page}");
    assert_eq!(page.matches("<rect class=\"fail\"").count(), 2, "{page}");
    // Which commands saw which commit.
    let landed = world.git(&[
        "log",
        "--format=%h",
        "--abbrev=10",
        "--grep=^Attempt-Id:",
        BRANCH,
    ]);
    let landed: Vec<&str> = landed.lines().collect();
    assert_eq!(landed.len(), 2, "{landed:?}");
    for part in [
        "<code>two-names-two-lines</code> pass",
        &format!("commit <code>{}</code>", landed[0]),
        &format!("commit <code>{}</code>", landed[1]),
        "every name on the command line is greeted",
        "<small>T01: landed</small>",
        "<small>T03: not landed</small>",
        "Cost, by what it went to",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    for outside in ["<script", "src=", "href=", "url(", "@import"] {
        assert!(!page.contains(outside), "{outside}");
    }
    let report: Value = serde_json::from_slice(&world.run(&["report", "--json"]).stdout).unwrap();
    let feature = &report["features"][0];
    assert_eq!(
        (
            &feature["figures"]["all"]["attempts"],
            &feature["figures"]["passed"]
        ),
        (&4.into(), &2.into())
    );
    let stats: Value = serde_json::from_slice(&world.run(&["stats", "--json"]).stdout).unwrap();
    assert_eq!(
        feature["figures"]["all"]["cost_usd"],
        stats["total"]["all"]["cost_usd"]
    );
}

#[test]
fn markup_in_titles_and_logs_is_text() {
    let world = World::example();
    let plan = ".gatewalk/features/FEAT-2026-0001-greetings/PLAN.md";
    let text = world.read(plan);
    let title = text
        .lines()
        .find(|line| line.starts_with("title:"))
        .unwrap();
    let hostile = "title: \"<script>alert(1)</script><img src=x onerror=alert(2)>\"";
    world.write(plan, text.replace(title, hostile));
    world.write(
        ".gatewalk/features/FEAT-2026-0001-greetings/events.jsonl",
        "{\"timestamp\":\"2026-06-07T00:00:00Z\",\"correlation_id\":\"FEAT-2026-0001/T01\",\"event_type\":\"attempt_outcome\",\"payload\":{\"attempt\":1,\"outcome\":\"failed\",\"failure_class\":\"</svg><script>\\u202e\",\"cost_usd\":null}}\n",
    );
    world.git(&["add", "-A"]);
    world.git(&["commit", "-qm", "hostile"]);
    let page = String::from_utf8(world.run(&["report"]).stdout).unwrap();
    assert!(page.contains("&lt;script&gt;alert(1)"), "{page}");
    assert!(
        !page.contains("<script") && !page.contains("<img") && !page.contains('\u{202e}'),
        "{page}"
    );
    assert!(
        page.contains("unknown") && !page.contains("$0.00"),
        "{page}"
    );
}

#[test]
fn a_report_is_markdown_too_and_names_the_features_that_were_asked_for() {
    let world = World::example();
    assert_eq!(world.walk().status.code(), Some(11));
    let out = world.run(&["report", "--format", "md", "FEAT-2026-0001", "greetings"]);
    let text = String::from_utf8(out.stdout).unwrap();
    assert_eq!(
        text.matches("# Greetings for everyone").count(),
        2,
        "{text}"
    );
    for part in [
        "## Gate 1: open",
        "two-names-two-lines pass",
        "| Cost | $0.21 |",
        "ends with status 0. (T04: not landed)",
        "## Cost, by what it went to",
        "| verification | $0.05 |",
    ] {
        let escaped = part.replace('_', "\\_");
        assert!(text.contains(&escaped), "{part}: {text}");
    }
    let json = world.run(&["report", "--format", "json"]).stdout;
    assert_eq!(json, world.run(&["report", "--json"]).stdout);
    let refused = world.run(&["report", "FEAT-2026-0099"]);
    assert!(!refused.status.success());
}

#[test]
#[ignore = "long"]
fn what_was_waited_for_is_drawn_by_cause() {
    let world = World::example();
    assert_eq!(world.walk().status.code(), Some(11));
    assert!(world.run(&["answer", "1", "LC_ALL"]).status.success());
    assert_eq!(
        world
            .driver(&world.root.join("answered"))
            .output()
            .unwrap()
            .status
            .code(),
        Some(10)
    );
    let page = String::from_utf8(world.run(&["report"]).stdout).unwrap();
    assert!(
        page.contains("Waiting, by cause") && page.contains("<rect class=\"bar\""),
        "{page}"
    );
    assert!(page.contains("agent blocked"), "{page}");
}
