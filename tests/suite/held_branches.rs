//! A branch that git holds for something else is not moved under it: what would land there would be undone.

use super::world::{BRANCH, after_shell, ended, good, text, two_units, two_units_with};

/// Makes the branch, and another one that cannot be rebased onto it, or it onto the other, without a conflict.
const APART: &str = "git checkout -q -b other; echo other > README.md; git commit -qam other; git checkout -q main; git checkout -q -b BRANCH; echo own > README.md; git commit -qam own; git checkout -q main";

/// Starts a rebase that stops at its conflict.
const STARTS: [(&str, &str); 4] = [
    (
        "in another worktree",
        "git worktree add -q ../there BRANCH; cd ../there; ! git rebase -q other",
    ),
    (
        "in another worktree, by patches",
        "git worktree add -q ../there BRANCH; cd ../there; ! git rebase -q --apply other",
    ),
    (
        "in another worktree, of a branch on top of it",
        "git worktree add -q -b top ../there BRANCH; cd ../there; git commit -q --allow-empty -m top; ! git rebase -q --update-refs other",
    ),
    ("here", "git checkout -q BRANCH; ! git rebase -q other"),
];

fn script(text: &str) -> String {
    format!("{{ {} ; }} >/dev/null 2>&1", text.replace("BRANCH", BRANCH))
}

#[test]
#[ignore = "long"]
fn a_branch_that_is_being_rebased_is_not_moved_at_all() {
    for (place, start) in STARTS {
        let world = two_units();
        world.sh(&script(APART));
        world.sh(&script(start));
        let before = world.git(&["rev-parse", BRANCH]);
        let shown = ended(&world.walk(), 5, "a `git rebase` is under way on");
        assert!(shown.contains("rebase --abort"), "{place}: {shown}");
        assert_eq!(world.git(&["rev-parse", BRANCH]), before, "{place}");
        let advice = shown.split("undo it with `").nth(1).unwrap();
        let undo = advice.split('`').next().unwrap();
        world.sh(&format!("{undo} && rm -rf ../there && git worktree prune"));
        assert_eq!(world.walk().status.code(), Some(0), "{place}");
    }
}

#[test]
#[ignore = "long"]
fn a_rebase_that_begins_during_a_session_undoes_nothing_that_landed() {
    for (place, start) in STARTS {
        let world = two_units_with(&["", &good("T01")]);
        world.sh(&script(APART));
        world.sh(&format!(
            "git checkout -q {BRANCH}; git checkout -q --detach"
        ));
        let home = world.repo();
        let start = format!(
            "cd '{}'; export GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME=Ada GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=Ada GIT_COMMITTER_EMAIL=a@b; {}",
            home.display(),
            script(start)
        );
        std::fs::write(
            world.root.join("sessions/T01.1.yml"),
            after_shell("T01", &start),
        )
        .unwrap();
        let before = world.git(&["rev-parse", BRANCH]);
        let output = world.walk_unconfined();
        let shown = ended(&output, 5, "a `git rebase` is under way on");
        assert_eq!(
            world.git(&["rev-parse", BRANCH]),
            before,
            "{place}: {shown}"
        );
        let undo = match place {
            "here" => "git rebase --abort",
            _ => "git -C ../there rebase --abort && rm -rf ../there && git worktree prune",
        };
        world.sh(undo);
        let output = world.walk_unconfined();
        assert_eq!(output.status.code(), Some(0), "{place}: {}", text(&output));
        let landed = world.git(&["show", &format!("{BRANCH}:T01.txt")]);
        assert_eq!(landed, "whole\n", "{place}");
    }
}

#[test]
fn status_and_why_name_what_holds_the_branch_before_what_it_keeps_from_running() {
    let world = two_units();
    world.sh(&script(APART));
    world.sh(&script("git checkout -q BRANCH; ! git merge -q other"));
    for command in [&["status"][..], &["why", "T01"]] {
        let shown = text(&world.run(command));
        let merge = shown.find("finish it with `git merge --continue`");
        let run = shown.find("next: gatewalk loop");
        assert!(merge.is_some() && merge < run, "{shown}");
    }
    world.sh("git merge --abort");
    let shown = text(&world.run(&["status"]));
    assert!(!shown.contains("git merge"), "{shown}");
}
