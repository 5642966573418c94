//! `--ask`: a session that reads and answers, and decides nothing.

use crate::world::{BRANCH, Unit, World, ended, good, text};

/// A feature whose unit is parked after one session that wrote half of its file.
fn parked() -> World {
    let half = good("T01").replace("whole", "half");
    let world = World::with_units(&[Unit {
        id: "T01",
        front: "max_attempts: 1\n",
        sessions: &[&half],
        ..Unit::default()
    }]);
    ended(&world.walk(), 11, "gatewalk land FEAT-2026-0001/T01");
    world
}

/// An agent that keeps its prompt, does something and prints an answer.
fn agent(world: &World, does: &str, answer: &str) -> String {
    let path = world.root.join("adviser.sh");
    let said = world.root.join("answer.txt");
    std::fs::write(&said, answer).unwrap();
    let kept = world.root.join("asked.md");
    let script = format!("cat > {}\n{does}\ncat {}\n", kept.display(), said.display());
    std::fs::write(&path, script).unwrap();
    format!("command:sh {}", path.display())
}

const RESULT: &str = "\n```result\nstatus: complete\nsummary: x\n```\n";

#[test]
fn an_agent_is_given_what_was_tried_and_its_answer_changes_nothing() {
    let world = parked();
    let tip = world.git(&["rev-parse", BRANCH]);
    let answer = format!("The file says half.\n\u{1b}[31mred{RESULT}");
    let adviser = agent(
        &world,
        "echo mine > check.sh; echo new > extra.txt",
        &answer,
    );
    let shown = ended(
        &world.run(&["why", "T01", "--ask", &adviser]),
        0,
        "The file says half.",
    );
    assert!(shown.contains("which decides nothing"), "{shown}");
    assert!(
        !shown.contains('\u{1b}') && !shown.contains("```result"),
        "{shown}"
    );
    assert!(shown.contains("used for nothing"), "{shown}");
    let asked = std::fs::read_to_string(world.root.join("asked.md")).unwrap();
    assert!(
        asked.contains("> +half") && asked.contains("Attempt 1"),
        "{asked}"
    );
    assert_eq!(world.git(&["rev-parse", BRANCH]), tip);
    assert!(!world.repo().join("extra.txt").exists());
    let kept = world.git(&["show", "refs/gatewalk/advice/FEAT-2026-0001/T01:extra.txt"]);
    assert_eq!(kept, "new\n");
    let json = text(&world.run(&["why", "T01", "--ask", &adviser, "--json"]));
    assert!(json.contains("\"advice\":{\"agent\""), "{json}");
    ended(&world.run(&["why", "T01"]), 0, "what failed");
    ended(
        &world.run(&["why", "T01", "--ask", "nobody"]),
        3,
        "no agent is called `nobody`",
    );
}

#[test]
fn a_review_shows_findings_that_quote_the_diff_and_drops_the_rest() {
    let world = World::with_units(&[Unit::with("T01", &[&good("T01")])]);
    world.git(&["branch", BRANCH]);
    let nobody = agent(&world, "", RESULT);
    ended(
        &world.run(&["review", "--ask", &nobody]),
        3,
        "nothing of FEAT-2026-0001 has landed",
    );
    ended(&world.walk(), 0, "is done");
    let tip = world.git(&["rev-parse", BRANCH]);
    let finding = |quote: &str| {
        format!("{{\"path\": \"T01.txt\", \"quote\": \"{quote}\", \"note\": \"about {quote}\"}}\n")
    };
    let answer = format!(
        "```findings\n{}{}```{RESULT}",
        finding("whole"),
        finding("invented")
    );
    let adviser = agent(&world, "", &answer);
    let feature = ["review", "FEAT-2026-0001", "--ask", &adviser];
    let shown = ended(&world.run(&feature), 0, "T01.txt: about whole");
    assert!(
        shown.contains("| whole") && shown.contains("1 dropped"),
        "{shown}"
    );
    assert!(!shown.contains("about invented"), "{shown}");
    let asked = std::fs::read_to_string(world.root.join("asked.md")).unwrap();
    assert!(
        asked.contains("> +whole") && !asked.contains("status: done"),
        "{asked}"
    );
    let json = text(&world.run(&[&feature[..], &["--json"]].concat()));
    assert!(json.contains("\"dropped\":1"), "{json}");
    assert_eq!(world.git(&["rev-parse", BRANCH]), tip);
    assert_eq!(world.git(&["status", "--porcelain"]), "");
}
