//! Plans that the user edits in their checkout while sessions are at work: what the run writes there goes beside it.

use super::meanwhile::{WAIT, act_during};
use super::sample::sample;
use super::world::{Unit, World, after_shell, good, text};

const FEATURE: &str = ".gatewalk/features/FEAT-2026-0001-greetings";

/// What the user does to the plan in their checkout while the second of three units is at work.
struct Row {
    name: &'static str,
    /// In the feature's directory.
    script: &'static str,
    /// All lines in which the checkout's plan then differs from what landed.
    differs: &'static [&'static str],
}

const ROWS: &[Row] = &[
    Row {
        name: "prose of the unit at work",
        script: "echo More. >> WU-T02.md",
        differs: &["+More."],
    },
    Row {
        name: "prose of a unit that landed",
        script: "echo More. >> WU-T01.md",
        differs: &["+More."],
    },
    Row {
        name: "prose of a unit that waits",
        script: "echo More. >> WU-T03.md",
        differs: &["+More."],
    },
    Row {
        name: "another key, right behind the status",
        script: "sed -i '/^status:/a budget_usd: 5' WU-T02.md",
        differs: &["+budget_usd: 5"],
    },
    Row {
        name: "a comment behind the status",
        script: "sed -i 's/^status: pending/status: pending # mine/' WU-T02.md",
        differs: &["-status: done", "+status: done # mine"],
    },
    Row {
        name: "the status in quotes",
        script: "sed -i 's/^status: pending/status: \"pending\"/' WU-T02.md",
        differs: &["-status: done", "+status: \"done\""],
    },
    Row {
        name: "keys in another order",
        script: "sed -i -e '/^status:/d' -e 's/^id:/status: pending\\nid:/' WU-T02.md",
        differs: &["+status: done", "-status: done"],
    },
    Row {
        name: "the status of the unit at work",
        script: "sed -i 's/^status: pending/status: draft/' WU-T02.md",
        differs: &["-status: done", "+status: draft"],
    },
    Row {
        name: "line ends",
        script: "sed -i 's/$/\\r/' WU-T02.md",
        differs: &[],
    },
    Row {
        name: "the feature's prose and the gate's",
        script: "echo More. >> PLAN.md; echo More. >> GATE-01.md",
        differs: &["+More.", "+More."],
    },
    Row {
        name: "a row of the roadmap",
        script: "echo '| FEAT-2026-0002 | Later | planned |' >> ../../roadmap.md",
        differs: &["+| FEAT-2026-0002 | Later | planned |"],
    },
    Row {
        name: "a unit's file under another name",
        script: "mv WU-T02.md WU-T02-second.md; sed -i s/WU-T02.md/WU-T02-second.md/ PLAN.md",
        differs: &[
            "-        file: WU-T02.md",
            "+        file: WU-T02-second.md",
        ],
    },
    Row {
        name: "a unit's file under another name, as git moves it",
        script: "git mv WU-T02.md WU-T02-second.md; sed -i s/WU-T02.md/WU-T02-second.md/ PLAN.md",
        differs: &[
            "-        file: WU-T02.md",
            "+        file: WU-T02-second.md",
        ],
    },
    Row {
        name: "prose that is staged",
        script: "echo More. >> WU-T02.md; git add WU-T02.md",
        differs: &["+More."],
    },
    Row {
        name: "prose in a file that may be run",
        script: "echo More. >> WU-T02.md; chmod +x WU-T02.md",
        differs: &["+More."],
    },
];

/// What the user has staged of the plan when the second of three units lands, and all lines in which a commit of it then
/// differs from what landed.
const STAGED: &[(&str, &str, &[&str])] = &[
    (
        "prose of the unit at work",
        "echo More. >> WU-T02.md; git add WU-T02.md",
        &["+More."],
    ),
    (
        "prose of a unit that landed",
        "echo More. >> WU-T01.md; git add WU-T01.md",
        &["+More."],
    ),
    (
        "prose of a unit that waits",
        "echo More. >> WU-T03.md; git add WU-T03.md",
        &["+More."],
    ),
    (
        "a key, and then another that is not staged",
        "sed -i '/^status:/a budget_usd: 5' WU-T02.md; git add WU-T02.md; echo More. >> WU-T02.md",
        &["+budget_usd: 5"],
    ),
    (
        "what is in the work tree no more",
        "echo More. >> WU-T02.md; git add WU-T02.md; git cat-file -p HEAD:./WU-T02.md > WU-T02.md",
        &["+More."],
    ),
    (
        "the feature's prose",
        "echo More. >> PLAN.md; git add PLAN.md",
        &["+More."],
    ),
    (
        "another name",
        "git mv WU-T02.md WU-T02-second.md; sed -i s/WU-T02.md/WU-T02-second.md/ PLAN.md; git add PLAN.md",
        &[
            "-        file: WU-T02.md",
            "+        file: WU-T02-second.md",
        ],
    ),
    (
        "the status itself",
        "sed -i 's/^status: pending/status: draft/' WU-T02.md; git add WU-T02.md",
        &["-status: done", "+status: draft"],
    ),
];

/// Files that are no longer what the run could write its keys into.
const LEFT: &[(&str, &str)] = &[
    ("taken away", "rm WU-T02.md"),
    ("taken away, as git does", "git rm -q WU-T02.md"),
    ("emptied", ": > WU-T02.md"),
    ("unreadable", "sed -i 's/^status:.*/status: [/' WU-T02.md"),
    ("without frontmatter", "echo prose > WU-T02.md"),
    ("a link", "mv WU-T02.md ../mine; ln -s ../mine WU-T02.md"),
    (
        "a directory",
        "rm WU-T02.md; mkdir WU-T02.md; echo mine > WU-T02.md/mine",
    ),
    ("not in UTF-8", "printf 'caf\\351\\n' >> WU-T02.md"),
];

fn world() -> World {
    let (first, second, third) = (good("T01"), after_shell("T02", WAIT), good("T03"));
    let unit = |id, after, session| Unit {
        id,
        after,
        sessions: session,
        ..Unit::default()
    };
    World::with_units(&[
        unit("T01", &[], &[&first]),
        unit("T02", &["T01"], &[&second]),
        unit("T03", &["T02"], &[&third]),
    ])
}

/// Lets the user run a script in the feature's directory while the second unit's session is at work; returns what the
/// driver said.
fn edit_during(world: &World, jobs: &str, (name, script): (&str, &str)) -> String {
    let script = format!("cd {FEATURE}; {script}");
    let (output, _) = act_during(world, &["--jobs", jobs], ("T02", &script));
    let said = text(&output);
    assert_eq!(output.status.code(), Some(0), "{name}, jobs {jobs}: {said}");
    said
}

fn check_row(row: &Row, jobs: &str) {
    let world = world();
    let said = edit_during(&world, jobs, (row.name, row.script));
    world.sh("git add -AN .gatewalk");
    let diff = world.git(&[
        "diff",
        "-U0",
        "-M",
        "--ignore-cr-at-eol",
        "HEAD",
        "--",
        ".gatewalk",
    ]);
    assert_eq!(
        changed_lines(&diff),
        row.differs,
        "{}, jobs {jobs}: {diff}\n{said}",
        row.name
    );
}

fn changed_lines(diff: &str) -> Vec<&str> {
    diff.lines()
        .filter(|l| l.starts_with(['+', '-']) && !l.starts_with("+++") && !l.starts_with("---"))
        .collect()
}

fn check_staged((name, script, differs): &(&str, &str, &[&str]), jobs: &str) {
    let world = world();
    let said = edit_during(&world, jobs, (name, script));
    let diff = world.git(&["diff", "--cached", "-U0", "-M", "HEAD"]);
    assert_eq!(
        changed_lines(&diff),
        *differs,
        "{name}, jobs {jobs}: {diff}\n{said}"
    );
}

fn check_left((name, script): &(&str, &str), jobs: &str) {
    let world = world();
    let state = "for f in .gatewalk/features/*/WU-T02.md; do ls -ld \"$f\" | cut -c1-10; tail -n 99 \"$f\" \"$f\"/mine; done 2>/dev/null || :";
    let copy = world.fork();
    copy.sh(&format!("cd {FEATURE}; {script}"));
    let said = edit_during(&world, jobs, (name, script));
    assert_eq!(
        world.sh(state),
        copy.sh(state),
        "{name}, jobs {jobs}: {said}"
    );
    assert!(said.contains("WU-T02.md"), "{name} is not told: {said}");
}

fn all(jobs: &str) {
    let red =
        |check: &dyn Fn()| std::panic::catch_unwind(std::panic::AssertUnwindSafe(check)).is_err();
    let mut failed: Vec<&str> = Vec::new();
    failed.extend(
        sample("edits", ROWS, 3)
            .iter()
            .filter(|row| red(&|| check_row(row, jobs)))
            .map(|row| row.name),
    );
    failed.extend(
        sample("staged edits", STAGED, 2)
            .iter()
            .filter(|row| red(&|| check_staged(row, jobs)))
            .map(|row| row.0),
    );
    failed.extend(
        sample("edits that stay", LEFT, 2)
            .iter()
            .filter(|row| red(&|| check_left(row, jobs)))
            .map(|row| row.0),
    );
    assert!(failed.is_empty(), "{failed:?}");
}

#[test]
#[ignore = "long"]
fn what_a_run_writes_into_an_edited_plan_goes_beside_the_edit() {
    all("1");
}

#[test]
#[ignore = "long"]
fn what_a_run_of_several_jobs_writes_into_an_edited_plan_goes_beside_the_edit() {
    all("3");
}
