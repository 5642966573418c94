//! Task lists of other tools become features that lint, and nothing of them is lost silently.

use crate::world::{Unit, World, ended};

fn world() -> World {
    let world = World::with_units(&[Unit {
        id: "T01",
        ..Unit::default()
    }]);
    let oracle = world.read(".gatewalk/verification.yml");
    let doc = "doc:\n  - name: files\n    command: sh check.sh\n";
    world.write(".gatewalk/verification.yml", oracle + doc);
    world
}

/// Imports files of a tool; returns what was said. The feature has no error, and is written out.
fn imported(format: &str, files: &[(&str, &str)], named: &str) -> String {
    let world = world();
    for (path, content) in files {
        world.write(path, content);
    }
    let dry = ended(
        &world.run(&["import", named, "--dry-run"]),
        0,
        "nothing was written",
    );
    assert!(dry.contains(&format!("read as {format}")), "{dry}");
    // What a tool plans with is not where the work is done.
    world.write(
        "openspec/changes/archive/login/design.md",
        "login index form\n",
    );
    world.git(&["add", "-A"]);
    let all = ended(
        &world.run(&["import", named]),
        0,
        &format!("read as {format}"),
    );
    ended(&world.run(&["lint", "--fail-on", "error"]), 0, "");
    let written = world.git(&["status", "--porcelain", "-uall", ".gatewalk/features"]);
    assert!(
        written.contains("/PLAN.md") && written.contains("/WU-01-"),
        "{written}"
    );
    for path in written.lines().filter_map(|l| l.strip_prefix("?? ")) {
        let page = world.read(path.trim_matches('"'));
        assert!(!page.contains("<fill in"), "{path}: {page}");
        assert!(!page.contains("touches: [openspec"), "{path}: {page}");
    }
    all
}

#[test]
fn each_tools_list_is_recognised_and_becomes_a_plan() {
    for (format, files, named, left_out) in [
        (
            "spec-kit",
            &[(
                "specs/001/tasks.md",
                "# Tasks: Albums\n\n## Phase 1\n- [x] T001 Create the project\n- [ ] T002 [P] Model in src/album.py\n- [ ] T003 [P] Page in src/page.py\n- [ ] T004 Wire both\n\n## Dependencies\n- All models before all pages\n",
            )][..],
            "specs/001/tasks.md",
            "All models before all pages",
        ),
        (
            "backlog",
            &[
                ("backlog/config.yml", "project_name: x\n"),
                (
                    "backlog/tasks/task-1 - Login.md",
                    "---\nid: task-1\ntitle: Login\nstatus: To Do\nassignee: []\nlabels: []\ndependencies: []\n---\n\n## Description\n\nA login page.\n\n## Acceptance Criteria\n- [ ] #1 `sh check.sh` ends with 0\n",
                ),
            ],
            "backlog",
            "backlog/config.yml: the whole file (it is neither Markdown nor JSON)",
        ),
        (
            "task-master",
            &[(
                ".taskmaster/tasks/tasks.json",
                "{\"master\":{\"tasks\":[{\"id\":1,\"title\":\"Setup\",\"status\":\"done\",\"dependencies\":[]},{\"id\":2,\"title\":\"Cart\",\"description\":\"A cart\",\"details\":\"\",\"testStrategy\":\"Unit tests\",\"status\":\"pending\",\"dependencies\":[1],\"subtasks\":[]}]}}",
            )],
            ".taskmaster/tasks/tasks.json",
            "task 1: Setup (its status is `done`)",
        ),
        (
            "openspec",
            &[
                (
                    "openspec/changes/add-2fa/proposal.md",
                    "# Change: Two factors\n\n## Why\nSafety.\n",
                ),
                (
                    "openspec/changes/add-2fa/tasks.md",
                    "## 1. Table\n- [x] 1.1 Column\n- [ ] 1.2 Index\n\n## 2. Page\n- [ ] 2.1 Form\n",
                ),
                (
                    "openspec/changes/add-2fa/specs/auth/spec.md",
                    "## ADDED Requirements\n### Requirement: Two factors\nIt SHALL ask.\n",
                ),
            ],
            "openspec/changes/add-2fa",
            "1.1 Column (it is ticked)",
        ),
        (
            "bmad",
            &[
                (
                    "docs/stories/1.1.story.md",
                    "# Story 1.1: Setup\n\n## Status\n\nDone\n",
                ),
                (
                    "docs/stories/1.2.story.md",
                    "# Story 1.2: Login\n\n## Status\n\nApproved\n\n## Acceptance Criteria\n\n1. `sh check.sh` ends with 0\n",
                ),
            ],
            "docs/stories",
            "Setup (its status is `Done`)",
        ),
        (
            "checklist",
            &[(
                "TODO.md",
                "# Launch\n\n---\nfeature_id: FEAT-2026-9999\n---\n\n- [ ] \"Landing\": page # one\n  ```yaml\n  gates: []\n  ```\n- [x] Domain\n- [ ] B\n- [ ] C\n- [ ] D\n- [ ] E\n",
            )],
            "TODO.md",
            "Domain (it is ticked)",
        ),
    ] {
        let all = imported(format, files, named);
        assert!(all.contains(left_out), "no `{left_out}`: {all}");
    }
}

#[test]
fn a_file_that_is_no_task_list_is_refused_and_nothing_is_written() {
    let world = world();
    world.write("notes.md", "# Notes\n\nNothing to do.\n");
    let before = world.git(&["status", "--porcelain", "-uall"]);
    ended(
        &world.run(&["import", "notes.md"]),
        3,
        "no task list of a known tool",
    );
    ended(&world.run(&["import", "gone.md"]), 5, "gone.md");
    ended(
        &world.run(&["import", "notes.md", "--format", "jira"]),
        2,
        "none of spec-kit",
    );
    let forced = ["import", "notes.md", "--format", "checklist"];
    ended(&world.run(&forced), 3, "no open task was found");
    assert_eq!(world.git(&["status", "--porcelain", "-uall"]), before);
    std::fs::write(world.repo().join("latin.md"), b"- [ ] caf\xe9\n").unwrap();
    ended(&world.run(&["import", "latin.md"]), 3, "it is not UTF-8");
    for (name, content) in [
        ("TODO.txt", "- [ ] first\n- [ ] second\n"),
        ("TODO.MD", "\u{feff}- [ ] first\n- [ ] second\n"),
    ] {
        world.write(name, content);
        ended(
            &world.run(&["import", name, "--dry-run"]),
            0,
            "2 draft units",
        );
    }
    world.write("TODO.md", "- [ ] a\n");
    let json = ended(
        &world.run(&["import", "TODO.md", "--json"]),
        0,
        "\"format\":\"checklist\"",
    );
    assert!(json.contains("\"written\":true"), "{json}");
}
