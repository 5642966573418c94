//! Options that make no sense together: refused as such, before anything is looked at, so that none is passed over in silence.

use crate::world::{Unit, World, ended, good};

/// Each with what the refusal says.
const PAIRS: &[(&str, &str)] = &[
    // A number of features beside one, which also excludes what that number needs.
    ("loop --wip 1", "--all"),
    ("loop FEAT-2026-0001 --wip 1", "--wip"),
    ("loop --feature FEAT-2026-0001 --wip 1", "--wip"),
    ("loop --commit-plan --wip 1", "--wip"),
    ("loop --all --feature FEAT-2026-0001", "--all"),
    ("loop --all --commit-plan", "--all"),
    ("doctor --send", "--runner"),
    ("doctor --send --ask", "--send"),
    ("doctor --send --probe claude", "--runner"),
    ("learnings --paths a", "`--add` or `--accept`"),
    ("learnings --suggest --paths a", "--suggest"),
    ("learnings --suggest --text x", "--text"),
    ("learnings --add x --text y", "--text"),
    ("learnings --add x --accept 1", "--add"),
    ("upgrade --show roadmap.md --json", "--json"),
    ("upgrade --show roadmap.md --dry-run", "--dry-run"),
    ("sync --release --for 8h", "--release"),
    ("lint --statistics --json", "--statistics"),
    ("lint --statistics --output-format junit", "--statistics"),
    ("lint --diff --json", "--diff"),
    ("lint --diff --output-format sarif", "--diff"),
    ("lint --diff --statistics", "--diff"),
    ("lint --diff --baseline b", "--diff"),
    (
        "lint --stdin-filename .gatewalk/config.yml --unsafe-fixes",
        "--unsafe-fixes",
    ),
    ("lint --closing --statistics", "--closing"),
    ("lint --closing --staged", "--closing"),
    ("lint --closing --diff", "--closing"),
    ("lint --closing --unsafe-fixes", "--closing"),
    ("lint --closing --select GW1", "--closing"),
    ("lint --closing --ignore GW1", "--closing"),
    ("lint --closing --fail-on never", "--closing"),
    ("lint --closing --output-format json", "--closing"),
];

#[test]
fn options_that_exclude_one_another_are_refused_and_nothing_is_done() {
    let world = World::with_units(&[Unit::with("T01", &[&good("T01")])]);
    let before = world.git(&["for-each-ref"]);
    for (args, says) in PAIRS {
        let args: Vec<&str> = args.split(' ').collect();
        ended(&world.run(&args), 2, says);
    }
    assert_eq!(world.git(&["for-each-ref"]), before);
    assert_eq!(world.git(&["status", "--porcelain"]), "");
    // What only a first `init` does is not passed over where the plans are there already.
    for more in [
        &["--try"][..],
        &["--default-agent", "claude"],
        &["--feature", "Greet"],
    ] {
        let args = [&["init", "--agent", "claude"], more].concat();
        ended(&world.run(&args), 3, "exists already; nothing was written");
    }
    assert_eq!(world.git(&["status", "--porcelain"]), "");
    ended(
        &world.run(&["init", "--agent", "claude", "--no-try"]),
        0,
        "CLAUDE.md",
    );
}
