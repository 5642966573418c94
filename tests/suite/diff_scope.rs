//! What a unit may touch: proposed for new units, held, asked for by a session, granted by a user.

use super::world::{BRANCH, Unit, World, good, text};

const FEATURE: &str = ".gatewalk/features/FEAT-2026-0001-greetings";

/// A session that writes its unit's file and one in `docs`, and ends with these lines in its result.
fn reaching(result: &str) -> String {
    format!(
        "steps:\n  - write: T01.txt\n    content: |\n      whole\n  - write: docs/T01.md\n    content: |\n      whole\nresult:\n  status: complete\n  summary: It is there.\n{result}"
    )
}

fn world(front: &str, sessions: &[&str]) -> World {
    World::with_units(&[Unit {
        id: "T01",
        front,
        sessions,
        ..Unit::default()
    }])
}

fn landed(world: &World, path: &str) -> bool {
    world
        .try_git(&["show", &format!("{BRANCH}:{path}")])
        .is_some()
}

#[test]
fn a_diff_outside_is_refused_with_the_words_that_widen_it() {
    let world = world("touches: T01.txt\nmax_attempts: 1\n", &[&reaching("")]);
    let said = text(&world.walk());
    for words in [
        "may touch only T01.txt",
        "`touches: [T01.txt, docs/T01.md]`",
        "`touches: any`",
        "WU-T01.md",
        "--widen",
    ] {
        assert!(said.contains(words), "{words}: {said}");
    }
    assert!(!landed(&world, "T01.txt"), "{said}");
}

#[test]
fn a_unit_without_touches_is_told_its_features_root_and_held_to_it() {
    for (root, is_landed) in [("packages/api", false), ("./docs/", true)] {
        let front = "max_attempts: 1\nproduces: T01.txt\n";
        let world = world(front, &[&reaching("")]);
        let plan = format!("{FEATURE}/PLAN.md");
        let before = world.read(&plan);
        world.write(
            &plan,
            before.replacen("---\n", &format!("---\nroot: {root}\n"), 1),
        );
        world.git(&["commit", "-qam", "root"]);
        let root = root.trim_matches(['.', '/']);
        let prompt = text(&world.run(&["prompt", "T01"]));
        assert!(prompt.contains(&format!("lies in `{root}`")), "{prompt}");
        let said = text(&world.walk());
        let is_refused = said.contains(&format!("may touch only {root}."));
        assert_eq!(is_refused, !is_landed, "{said}");
        assert_eq!(landed(&world, "docs/T01.md"), is_landed, "{said}");
    }
}

#[test]
fn what_a_session_asks_for_is_granted_by_a_user() {
    let session = reaching("  widen_touches: [docs/T01.md]\n");
    let world = world("touches: T01.txt\n", &[&*session; 2]);
    let run = world.walk();
    let said = text(&run);
    assert_eq!(run.status.code(), Some(11), "{said}");
    // One session is enough to ask: another could only ask again.
    assert!(
        said.contains("asks for more than the unit's `touches`: docs/T01.md"),
        "{said}"
    );
    let next = "gatewalk unblock FEAT-2026-0001/T01 --reason \"…\" --widen";
    assert!(said.contains(next), "{said}");
    let unblocked = world.run(&["unblock", "T01", "--reason", "it belongs to it", "--widen"]);
    assert!(unblocked.status.success(), "{}", text(&unblocked));
    let unit = world.git(&["show", &format!("{BRANCH}:{FEATURE}/WU-T01.md")]);
    assert!(
        unit.contains("\ntouches: [T01.txt, docs/T01.md]\n"),
        "{unit}"
    );
    let run = world.walk();
    assert_eq!(run.status.code(), Some(10), "{}", text(&run));
    assert!(landed(&world, "docs/T01.md"), "{}", text(&run));
}

#[test]
fn a_user_names_what_is_granted_and_no_limit_is_a_word() {
    let session = reaching("");
    let sessions = [&*session; 2];
    let world = world("touches: T01.txt\nmax_attempts: 1\n", &sessions);
    world.walk();
    for (path, exit) in [("/etc/passwd", 2), ("../x", 2), ("[", 2), ("docs/**", 0)] {
        let args = ["unblock", "T01", "--reason", "so", "--widen", path];
        let output = world.run(&args);
        assert_eq!(
            output.status.code(),
            Some(exit),
            "{path}: {}",
            text(&output)
        );
    }
    assert_eq!(world.walk().status.code(), Some(10));
    assert!(landed(&world, "docs/T01.md"));
    let free = self::world("touches: any\n", &sessions);
    let run = free.walk();
    assert_eq!(run.status.code(), Some(0), "{}", text(&run));
    assert!(landed(&free, "docs/T01.md"));
}

#[test]
fn tests_that_only_join_are_inside_and_changed_ones_are_not() {
    let adds = good("T01").replacen(
        "steps:\n",
        "steps:\n  - write: tests/test_new.sh\n    content: |\n      true\n",
        1,
    );
    let world = world("touches: T01.txt\nmax_attempts: 1\n", &[&adds]);
    let run = world.walk();
    assert_eq!(run.status.code(), Some(0), "{}", text(&run));
    assert!(landed(&world, "tests/test_new.sh"));
}

#[test]
fn new_units_come_with_a_proposal_and_review_has_one_for_the_others() {
    let world = world("", &[]);
    world.write("src/cart/tax.rs", "pub fn tax() {}\n");
    world.write("src/user.rs", "pub fn user() {}\n");
    let made = world.run(&["new", "unit", "The tax of a cart"]);
    assert!(made.status.success(), "{}", text(&made));
    let unit = std::fs::read_dir(world.repo().join(FEATURE))
        .unwrap()
        .flatten();
    let unit = unit
        .map(|f| f.path())
        .find(|p| p.to_string_lossy().contains("tax"))
        .unwrap();
    let page = std::fs::read_to_string(unit).unwrap();
    assert!(page.contains("\ntouches: [src/cart/tax.rs]\n"), "{page}");
    let shown = text(&world.run(&["review"]));
    assert!(
        shown.contains("T01: `touches: [") && shown.contains("WU-T01.md"),
        "{shown}"
    );
    let asked = text(&world.run(&["lint"]));
    assert_eq!(asked.matches("info[GW715]").count(), 1, "{asked}");
}

#[test]
fn a_root_that_is_no_directory_of_the_checkout_is_a_warning_with_the_one_that_was_meant() {
    for (root, said) in [
        ("packages/apo", "did you mean `packages/api`?"),
        ("services/new", "where the feature's first unit makes it"),
        ("packages/api/file", "is no directory of your checkout"),
        ("./packages/api/", ""),
        (".", ""),
    ] {
        let world = world("produces: T01.txt\n", &[&good("T01")]);
        world.write("packages/api/file", "x");
        let plan = format!("{FEATURE}/PLAN.md");
        let named = format!("---\nroot: {root}\n");
        world.write(&plan, world.read(&plan).replacen("---\n", &named, 1));
        let output = world.run(&["lint"]);
        let shown = text(&output);
        assert_eq!(output.status.code(), Some(0), "{shown}");
        assert!(shown.contains(said), "{root}: {shown}");
        assert_eq!(
            shown.contains("in `root`"),
            !said.is_empty(),
            "{root}: {shown}"
        );
    }
}
