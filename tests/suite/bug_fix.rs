//! A bug from a sentence to a commit: with the user's check, with a session's, from an issue.

use crate::world::{BRANCH, PROGRAM, Unit, World, ended, text};

const MENDED: &str = "steps:\n  - write: total.sh\n    content: echo 3\nusage: {input_tokens: 1, output_tokens: 1, cost_usd: 0.01}\nresult: {status: complete, summary: x}\n";

/// A repository with a bug: `total.sh` prints 2.
fn world() -> World {
    let world = World::with_units(&[Unit {
        id: "T01",
        front: "",
        sessions: &[],
        ..Unit::default()
    }]);
    world.write("total.sh", "echo 2\n");
    world.write("check.sh", "sh total.sh >/dev/null\n");
    world.git(&["rm", "-qr", "--cached", ".gatewalk/features"]);
    std::fs::remove_dir_all(world.repo().join(".gatewalk/features")).unwrap();
    world.git(&["add", "-A"]);
    world.git(&["commit", "-qm", "a bug"]);
    world.git(&["branch", "-q", BRANCH]);
    world
}

/// Records a session of the feature's: of its check, or of its unit.
fn record(world: &World, name: &str, text: &str) {
    std::fs::write(world.root.join("sessions").join(name), text).unwrap();
}

fn feature(world: &World) -> String {
    let heads = world.git(&["for-each-ref", "--format=%(refname:short)", "refs/heads"]);
    let mut heads = heads.lines().filter_map(|l| l.strip_prefix("feat/FEAT-"));
    let year = |head: &&str| !head.ends_with("greetings");
    let head = heads.find(year).expect("a branch of the fix");
    format!("FEAT-{}", &head[..9])
}

#[test]
fn a_sentence_and_a_check_are_a_bug_s_whole_plan() {
    let world = world();
    let check = "test \"$(sh total.sh)\" = 3";
    let sentence = "The \"total\" is: wrong";
    let fix = world.run(&["fix", sentence, "--check", check, "--touches", "total.sh"]);
    ended(&fix, 0, "one unit, whose check fails today");
    let id = feature(&world);
    let lint = world.run(&["lint", "--fail-on", "warning"]);
    ended(&lint, 0, "");
    let shown = ended(&world.run(&["status", &id]), 0, "pending");
    assert!(!shown.contains("CLOSE"), "{shown}");
    record(&world, "T01.1.yml", MENDED);
    ended(&world.walk(), 0, &id);
    let log = world.git(&["log", "--all", "--format=%s%n%b"]);
    assert!(log.contains(&format!("Feature: {id}/T01")), "{log}");
    assert_eq!(world.read("total.sh").trim(), "echo 3");
}

#[test]
fn a_check_that_shows_nothing_is_refused_and_nothing_is_written() {
    let world = world();
    let before = world.git(&["for-each-ref", "refs/heads"]);
    for (check, why) in [
        ("sh total.sh", "it passes today"),
        ("sh total.sh || true", "it cannot fail"),
        ("no-such-program", "something it starts is not there"),
        ("if then", "no shell text"),
    ] {
        let fix = world.run(&["fix", "The total is wrong", "--check", check]);
        let all = ended(&fix, 3, why);
        assert!(all.contains("nothing was written"), "{all}");
    }
    assert_eq!(world.git(&["for-each-ref", "refs/heads"]), before);
    let dry = world.run(&["fix", "x is wrong", "--check", "false", "--dry-run"]);
    ended(&dry, 0, "would prepare .gatewalk/features/FEAT-");
    assert_eq!(world.git(&["for-each-ref", "refs/heads"]), before);
    ended(&world.run(&["fix"]), 2, "required");
}

#[test]
fn a_session_drafts_nothing_but_the_check_and_the_user_arms_it() {
    let world = world();
    let year = text(&world.run(&["fix", "x", "--check", "false", "--dry-run"]));
    let at = year.find("features/").unwrap() + "features/".len();
    let dir = year[at..]
        .split('/')
        .next()
        .unwrap()
        .replace("-x", "-the-total-is-wrong");
    let session = |run: &str, more: &str| {
        format!(
            "steps:\n  - write: .gatewalk/features/{dir}/check.sh\n    content: {run:?}\n{more}usage: {{input_tokens: 1, output_tokens: 1, cost_usd: 0.01}}\nresult: {{status: complete, summary: x}}\n"
        )
    };
    // The first one mends the bug, too, and the second shows nothing; the third is taken.
    let check = "test \"$(sh total.sh)\" = 3";
    record(
        &world,
        "CHECK.1.yml",
        &session(check, "  - write: total.sh\n    content: echo 3\n"),
    );
    record(
        &world,
        "CHECK.2.yml",
        &session(
            "sh total.sh",
            "  - write: total.sh\n    content: \"echo 2\\n\"\n",
        ),
    );
    record(&world, "CHECK.3.yml", &session(check, ""));
    let agent = format!("script:{}", world.root.join("sessions").display());
    let mut command = world.command(PROGRAM);
    command.args(["fix", "The total is wrong", "--agent", &agent]);
    let all = ended(&command.output().unwrap(), 0, "read it before you arm it");
    assert!(all.contains("`total.sh` is not yours to change"), "{all}");
    assert!(
        all.contains("it passes today") && all.contains(check),
        "{all}"
    );
    let id = feature(&world);
    ended(&world.run(&["lint", "--fail-on", "warning"]), 0, "");
    ended(&world.run(&["status", &id]), 0, "draft");
    ended(&world.run(&["arm", &id]), 0, "pending");
    record(&world, "T01.1.yml", MENDED);
    ended(&world.walk(), 0, &id);
}

#[test]
fn an_issue_of_this_repository_is_read_and_adopted() {
    let world = world();
    let bin = world.root.join("home/bin");
    std::fs::create_dir_all(&bin).unwrap();
    let stub = "#!/bin/sh\n[ \"$1 $2 $3\" = 'issue view 812' ] || exit 0\ncase \"$*\" in *--repo*) exit 1;; esac\ncat <<'END'\n{\"title\": \"The total is wrong\", \"body\": \"---\\n# It prints 2\", \"url\": \"https://github.com/acme/shop/issues/812\"}\nEND\n";
    std::fs::write(bin.join("gh"), stub).unwrap();
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(bin.join("gh"), mode).unwrap();
    let path = std::env::var("PATH").unwrap_or_default();
    let mut command = world.command(PROGRAM);
    command
        .env("PATH", format!("{}:{path}", bin.display()))
        .args([
            "fix",
            "--issue",
            "812",
            "--check",
            "test \"$(sh total.sh)\" = 3",
        ]);
    ended(&command.output().unwrap(), 0, "is planned");
    let plan = world.git(&["log", "--all", "-p", "--format=%B"]);
    assert!(
        plan.contains("acme/shop#812") && plan.contains("> # It prints 2"),
        "{plan}"
    );
    ended(&world.run(&["lint", "--fail-on", "warning"]), 0, "");
}
