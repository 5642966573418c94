//! Plans that the checkout does not have as git does: left out of it, ignored, or behind a link.

use super::world::{ended, text, two_units};

/// Returns what stands behind a marker, to the end of its line.
fn behind<'a>(shown: &'a str, marker: &str) -> &'a str {
    let rest = shown
        .split(marker)
        .nth(1)
        .unwrap_or_else(|| panic!("no `{marker}` in {shown}"));
    rest.lines().next().unwrap()
}

#[test]
fn a_committed_state_directory_that_the_checkout_lacks_is_taken_back_and_never_written_anew() {
    for (lose, marker) in [
        (
            "git sparse-checkout set --no-cone /README.md",
            "take it into the sparse checkout: ",
        ),
        ("rm -r .gatewalk", "take it back: "),
    ] {
        let world = two_units();
        world.sh(lose);
        for command in [
            &["init"][..],
            &["lint"],
            &["new", "feature", "Another one"],
            &["upgrade"],
        ] {
            let shown = ended(
                &world.run(command),
                3,
                "is committed, and your checkout leaves it out",
            );
            assert!(
                !world.repo().join(".gatewalk").exists(),
                "{command:?}: {shown}"
            );
            behind(&shown, marker);
        }
        let shown = text(&world.run(&["init"]));
        world.sh(behind(&shown, marker));
        assert_eq!(world.run(&["lint"]).status.code(), Some(0));
        assert_eq!(world.git(&["status", "--porcelain"]), "");
    }
}

#[test]
fn ids_of_plans_that_only_another_branch_or_the_commit_has_are_taken() {
    let world = two_units();
    world.sh("git checkout -q -b elsewhere; cp -r .gatewalk/features/FEAT-2026-0001-greetings .gatewalk/features/FEAT-2026-0007-later; sed -i s/FEAT-2026-0001/FEAT-2026-0007/ .gatewalk/features/FEAT-2026-0007-later/*; git add -A; git commit -qm later; git checkout -q main",
    );
    let year = &world.sh("date +%Y")[..4];
    let shown = text(&world.run(&["new", "feature", "Third", "--dry-run"]));
    if year == "2026" {
        assert!(shown.contains("FEAT-2026-0008-third"), "{shown}");
    }
    world.sh("git sparse-checkout set --no-cone '/*' '!/.gatewalk/features/FEAT-2026-0001-greetings'; mkdir -p .gatewalk/features",
    );
    let shown = text(&world.run(&["new", "unit", "Third", "--feature", "FEAT-2026-0001"]));
    world.sh(behind(&shown, "take it into the sparse checkout: "));
    let output = world.run(&["new", "unit", "Third", "--feature", "FEAT-2026-0001"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
}

#[test]
fn a_plan_that_nothing_can_commit_is_not_sent_to_be_committed() {
    for (lay, why) in [
        (
            "git rm -rq --cached .gatewalk; echo .gatewalk/ > .gitignore; git add .gitignore; git commit -qm away",
            "git ignores `.gatewalk/features/FEAT-2026-0001-greetings`",
        ),
        (
            "git rm -rq --cached .gatewalk; mv .gatewalk ../elsewhere; ln -s ../elsewhere .gatewalk; git add .gatewalk; git commit -qm away",
            "`.gatewalk` is a symbolic link",
        ),
    ] {
        let world = two_units();
        world.sh(lay);
        for command in [&["status"][..], &["loop"], &["loop", "--commit-plan"]] {
            let shown = text(&world.run(command));
            assert!(shown.contains(why), "{command:?}: {shown}");
            assert!(!shown.contains("git add"), "{command:?}: {shown}");
        }
    }
}

#[test]
fn init_writes_nothing_where_git_would_keep_nothing_of_it() {
    for (lay, why) in [
        (
            "git rm -rq .gatewalk; mkdir ../elsewhere; ln -s ../elsewhere .gatewalk",
            "`.gatewalk` is a symbolic link",
        ),
        (
            "git rm -rq .gatewalk; ln -s ../nowhere .gatewalk",
            "`.gatewalk` is a symbolic link",
        ),
        (
            "git rm -rq .gatewalk; git commit -qm away; echo a > .gatewalk",
            "not a directory",
        ),
    ] {
        let world = two_units();
        world.sh(lay);
        let output = world.run(&["init", "--yes"]);
        let shown = text(&output);
        assert_ne!(output.status.code(), Some(0), "{lay}: {shown}");
        assert!(shown.contains(why), "{lay}: {shown}");
        assert!(shown.contains("nothing was written"), "{lay}: {shown}");
        let elsewhere = world.root.join("elsewhere");
        let written = std::fs::read_dir(elsewhere).into_iter().flatten();
        assert_eq!(written.count(), 0, "{lay}");
    }
}
