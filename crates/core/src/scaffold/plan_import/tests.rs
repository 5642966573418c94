use super::*;

fn files(files: &[(&str, &str)]) -> Vec<SourceFile> {
    files
        .iter()
        .map(|(path, text)| SourceFile {
            path: (*path).to_owned(),
            text: (*text).to_owned(),
        })
        .collect()
}

/// Reads some files as what they are; returns the units, each with what it waits for, and what was left out.
fn check(format: ImportFormat, sources: &[(&str, &str)], want: &[&str], left_out: &[&str]) {
    let sources = files(sources);
    assert_eq!(detect(&sources), Some(format));
    let plan = read(format, &sources).unwrap();
    let units: Vec<String> = plan
        .outline
        .units
        .iter()
        .map(|unit| {
            let after: Vec<String> = unit.after.iter().map(|at| (at + 1).to_string()).collect();
            format!("{} <- {}", unit.title, after.join(","))
        })
        .collect();
    assert_eq!(units, want);
    let left: Vec<String> = plan
        .left_out
        .iter()
        .map(|l| format!("{}: {} ({})", l.place, l.text.replace('\n', " "), l.why))
        .collect();
    assert_eq!(left.len(), left_out.len(), "{left:#?}");
    for (found, want) in left.iter().zip(left_out) {
        assert!(found.contains(want), "{found}, not {want}");
    }
    nothing_is_lost(&sources, &plan);
}

/// Every word of the sources is in a unit, in the plan, or listed.
fn nothing_is_lost(sources: &[SourceFile], plan: &ImportedPlan) {
    let outline = &plan.outline;
    let mut all = format!("{} {} ", outline.title, outline.text);
    for unit in &outline.units {
        all.push_str(&format!(
            "{} {} {} ",
            unit.title,
            unit.text,
            unit.criteria.join(" ")
        ));
    }
    for left in &plan.left_out {
        all.push_str(&format!("{} {} {} ", left.place, left.text, left.why));
    }
    let words = |text: &str| -> Vec<String> {
        let cut = text.split(|c: char| !c.is_alphanumeric());
        cut.filter(|w| w.len() > 2).map(str::to_lowercase).collect()
    };
    let known: std::collections::BTreeSet<String> = words(&all).into_iter().collect();
    for source in sources {
        let lost: Vec<String> = words(&source.text)
            .into_iter()
            .filter(|word| !known.contains(word))
            .collect();
        // Words of keys and of the shape itself.
        let shape = [
            "subtasks",
            "status",
            "dependencies",
            "tasks",
            "master",
            "done",
            "tags",
            "ids",
            "true",
            "title",
        ];
        let lost: Vec<&String> = lost
            .iter()
            .filter(|w| !shape.contains(&w.as_str()))
            .collect();
        assert!(lost.is_empty(), "{}: {lost:?}", source.path);
    }
}

const SPEC_KIT: &str = "# Tasks: Photo Albums

**Input**: Design documents from `/specs/001-albums/`

## Phase 1: Setup

- [x] T001 Create project structure per implementation plan
- [ ] T002 Initialize Python project with FastAPI dependencies
- [ ] T003 [P] Configure linting in pyproject.toml

## Phase 2: Tests First
- [ ] T004 [P] [US1] Contract test POST /api/albums in tests/contract/test_albums_post.py
- [ ] T005 [P] [US1] Contract test GET /api/albums in tests/contract/test_albums_get.py

## Phase 3: Core
- [ ] T006 [US1] Album model in src/models/album.py
  - with an owner
  - [ ] migrations run
- [ ] T007 AlbumService in src/services/album_service.py

## Dependencies
- Tests (T004-T005) before implementation (T006-T007)
- T002 blocks T007
- Setup comes first of all

## Notes
- [P] tasks = different files, no dependencies
- Commit after each task
";

#[test]
fn spec_kit_tasks_keep_their_phases_and_their_stated_order() {
    check(
        ImportFormat::SpecKit,
        &[("specs/001-albums/tasks.md", SPEC_KIT)],
        &[
            "Initialize Python project with FastAPI dependencies <- ",
            "Configure linting in pyproject.toml <- 1",
            "Contract test POST /api/albums in tests/contract/test_albums_post.py <- 2",
            "Contract test GET /api/albums in tests/contract/test_albums_get.py <- 2",
            "Album model in src/models/album.py <- 3,4",
            "AlbumService in src/services/album_service.py <- 1,3,4,5",
        ],
        &[
            "specs/001-albums/tasks.md:7: T001 Create project",
            "Setup comes first of all (it names no tasks by number",
        ],
    );
    let plan = read(ImportFormat::SpecKit, &files(&[("tasks.md", SPEC_KIT)])).unwrap();
    assert_eq!(plan.outline.title, "Photo Albums");
    assert_eq!(plan.outline.units[4].criteria, ["migrations run"]);
}

#[test]
fn backlog_tasks_wait_for_what_their_frontmatter_names() {
    check(
        ImportFormat::Backlog,
        &[
            (
                "backlog/tasks/task-10 - Later.md",
                "---\nid: task-10\ntitle: Later\nstatus: To Do\ndependencies: [task-2, task-99]\n---\n\n## Description\n\nAfter the others.\n",
            ),
            (
                "backlog/tasks/task-2 - Login.md",
                "---\nid: task-2\ntitle: 'Login: the page'\nstatus: In Progress\nassignee:\n  - '@sara'\nlabels: [web]\npriority: high\ndependencies:\n  - task-1\n---\n\n## Description\n\nA login page.\n\n## Acceptance Criteria\n<!-- AC:BEGIN -->\n- [x] #1 Has a form\n- [ ] #2 Wrong passwords are refused\n<!-- AC:END -->\n",
            ),
            (
                "backlog/tasks/task-1 - Setup.md",
                "---\nid: task-1\ntitle: Setup\nstatus: Done\n---\n",
            ),
        ],
        &["Login: the page <- ", "Later <- 1"],
        &[
            "task-1 - Setup.md: Setup (its status is `Done`)",
            "task-10 waits for task-99",
        ],
    );
}

#[test]
fn task_master_lists_are_read_with_and_without_tags() {
    let tasks = r#"[
  {"id": 1, "title": "Setup", "status": "done", "dependencies": []},
  {"id": 3, "title": "Cart", "description": "A cart", "details": "In src/cart.js", "testStrategy": "Unit tests of totals", "status": "pending", "dependencies": [2, 9], "priority": "high",
   "subtasks": [{"id": 1, "title": "Model", "status": "pending", "dependencies": []}, {"id": 2, "title": "View", "status": "done"}]},
  {"id": 2, "title": "Catalog", "status": "in-progress", "dependencies": [1]}
]"#;
    let tagged = format!("{{\"master\": {{\"tasks\": {tasks}}}, \"later\": {{\"tasks\": []}}}}");
    let plain = format!("{{\"tasks\": {tasks}}}");
    let want = ["Catalog <- ", "Cart <- 1"];
    let done = "tasks.json: task 1: Setup (its status is `done`)";
    let unknown = "tasks.json: task 3: it waits for 9";
    let format = ImportFormat::TaskMaster;
    check(
        format,
        &[("tasks.json", &tagged)],
        &want,
        &["the tag `later`", done, unknown],
    );
    check(format, &[("tasks.json", &plain)], &want, &[done, unknown]);
    let plan = read(format, &files(&[("tasks.json", &plain)])).unwrap();
    assert_eq!(
        plan.outline.units[1].criteria,
        ["Model", "Unit tests of totals"]
    );
    assert!(read(format, &files(&[("tasks.json", "[")])).is_err());
    assert!(read(format, &files(&[("tasks.json", "{}")])).is_err());
}

#[test]
fn an_openspec_change_has_a_unit_for_each_section_of_its_tasks() {
    check(
        ImportFormat::OpenSpec,
        &[
            (
                "openspec/changes/add-2fa/proposal.md",
                "## Why\nPasswords leak.\n\n## What Changes\n- Two factors\n",
            ),
            (
                "openspec/changes/add-2fa/tasks.md",
                "## 1. Database Setup\n- [x] 1.1 Add OTP secret column\n- [ ] 1.2 Create verification logs table\n\n## 2. Backend\n- [ ] 2.1 Add OTP generation endpoint\n- [ ] 2.2 Modify login flow\n",
            ),
            (
                "openspec/changes/add-2fa/specs/auth/spec.md",
                "## ADDED Requirements\n### Requirement: Two factors\nThe system SHALL ask.\n\n#### Scenario: OTP\n- WHEN valid\n",
            ),
        ],
        &["Database Setup <- ", "Backend <- 1"],
        &["tasks.md:2: 1.1 Add OTP secret column (it is ticked)"],
    );
}

#[test]
fn bmad_stories_follow_each_other() {
    check(
        ImportFormat::Bmad,
        &[
            (
                "docs/stories/1.10.story.md",
                "# Story 1.10: Export\n\n**Status:** Approved\n\n## Acceptance Criteria\n\n1. A file\n",
            ),
            (
                "docs/stories/1.2.story.md",
                "# Story 1.2: Login\n\n## Status\n\nDraft\n\n## Story\n\n**As a** user,\n**I want** to log in\n\n## Acceptance Criteria\n\n1. The form asks for a name\n   and a password\n2. Wrong ones are refused\n\n## Tasks / Subtasks\n\n- [ ] Form (AC: 1)\n",
            ),
            (
                "docs/stories/1.1.story.md",
                "# Story 1.1: Setup\n\n## Status: Done\n\nStatus: Done\n",
            ),
        ],
        &["Login <- ", "Export <- 1"],
        &["1.1.story.md: Setup (its status is `Done`)"],
    );
}

#[test]
fn a_checklist_s_open_items_are_units_with_what_stands_below_them() {
    let list = "# Launch\n\nBefore June.\n\n## Web\n\n* [ ] **Landing** page\n  with a form\n\n  - [ ] a button\n  - [x] a logo\n* [x] Domain\n\n```\n- [ ] no item\n```\n\n1. [ ] Mail\n- plain words\n";
    check(
        ImportFormat::Checklist,
        &[("TODO.md", list)],
        &["Landing page <- ", "Mail <- "],
        &["TODO.md:12: Domain (it is ticked)"],
    );
    let plan = read(ImportFormat::Checklist, &files(&[("TODO.md", list)])).unwrap();
    assert_eq!(plan.outline.title, "Launch");
    assert_eq!(plan.outline.units[0].criteria, ["a button"]);
    assert!(plan.outline.text.contains("- plain words"));
}

#[test]
fn nothing_to_plan_and_too_much_are_refused() {
    let done = files(&[("a.md", "- [x] over\n")]);
    let why = read(ImportFormat::Checklist, &done)
        .unwrap_err()
        .to_string();
    assert!(why.contains("no open task"), "{why}");
    let many: String = (0..90).map(|n| format!("- [ ] task {n}\n")).collect();
    let why = read(ImportFormat::Checklist, &files(&[("a.md", &many)])).unwrap_err();
    assert!(why.to_string().contains("90 open tasks are more"), "{why}");
    let just: String = (0..89).map(|n| format!("- [ ] task {n}\n")).collect();
    assert!(read(ImportFormat::Checklist, &files(&[("a.md", &just)])).is_ok());
    assert_eq!(detect(&files(&[("a.md", "# Nothing\n")])), None);
}

#[test]
fn a_long_title_is_cut_at_a_word() {
    let long = "word ".repeat(30);
    let title = checklist::title_of(&long);
    assert!(
        title.ends_with("word …") && title.chars().count() <= 74,
        "{title}"
    );
    assert_eq!(checklist::title_of("`a` **b**"), "a b");
}

#[test]
fn a_box_that_is_neither_empty_nor_ticked_is_open_work() {
    check(
        ImportFormat::Checklist,
        &[(
            "TODO.md",
            "- [~] Began\n- [/] Half\n- [>] Later\n- [!] Urgent\n- [X] Over\n- [-] Dropped\n- [ ] Plain\n",
        )],
        &[
            "Began <- ",
            "Half <- ",
            "Later <- ",
            "Urgent <- ",
            "Plain <- ",
        ],
        &[
            "TODO.md:5: Over (it is ticked)",
            "TODO.md:6: Dropped (it is struck out)",
        ],
    );
}

#[test]
fn spec_kit_tasks_wait_for_what_their_own_line_names() {
    let tasks = "# Tasks: X\n- [ ] T001 [P] First\n- [ ] T002a [P] Later (depends on T001)\n- [ ] **T003**: [P] Bold (after T001-T002)\n- [ ] T004 [P] Free (see T001)\n- [ ] T005 [P] One (requires T002)\n- [ ] T006 [P] Early (needs T007)\n- [ ] T007 [P] Last (blocked by: T002a, T005)\n";
    check(
        ImportFormat::SpecKit,
        &[("tasks.md", tasks)],
        &[
            "First <- ",
            "Later (depends on T001) <- 1",
            "Bold (after T001-T002) <- 1,2",
            "Free (see T001) <- ",
            "One (requires T002) <- ",
            "Early (needs T007) <- ",
            "Last (blocked by: T002a, T005) <- 2,5",
        ],
        &["tasks.md:7: T006 [P] Early (needs T007) (tasks run in the order of the list"],
    );
}

#[test]
fn an_order_that_cannot_be_kept_is_listed() {
    let tasks = "# Tasks: X\n- [ ] T001 First thing\n- [ ] T002 Second thing\n\n## Dependencies\n- T002 before T001\n";
    check(
        ImportFormat::SpecKit,
        &[("tasks.md", tasks)],
        &["First thing <- ", "Second thing <- 1"],
        &["T002 before T001 (tasks run in the order of the list"],
    );
    let circle = r#"{"tasks":[{"id":1,"title":"One","status":"pending","dependencies":[2]},{"id":2,"title":"Two","status":"pending","dependencies":[1]}],"metadata":{"projectName":"Shop"}}"#;
    let plan = read(ImportFormat::TaskMaster, &files(&[("tasks.json", circle)])).unwrap();
    assert_eq!(plan.left_out.len(), 1, "{:?}", plan.left_out);
    assert!(plan.left_out[0].why.contains("in a circle"));
    assert!(plan.outline.text.contains("Shop"), "{}", plan.outline.text);
    let circle = [
        (
            "b/task-1.md",
            "---\nid: task-1\ntitle: One\nstatus: To Do\ndependencies: [task-2]\n---\n",
        ),
        (
            "b/task-2.md",
            "---\nid: task-2\ntitle: Two\nstatus: To Do\ndependencies: [task-1]\n---\n",
        ),
        ("b/note.md", "---\ntitle: A decision\n---\n\nWe use it.\n"),
    ];
    check(
        ImportFormat::Backlog,
        &circle,
        &["One <- ", "Two <- 1"],
        &[
            "b/note.md: the whole file",
            "task-1 waits for task-2 (the tasks wait for each other",
        ],
    );
}

#[test]
fn a_dependency_on_a_part_is_one_on_its_task() {
    let tasks = r#"{"tasks":[{"id":"1","title":"One","status":"pending","dependencies":["2.3"]},{"id":2,"title":"","status":"review","dependencies":["2.1"]}]}"#;
    check(
        ImportFormat::TaskMaster,
        &[("tasks.json", tasks)],
        &["Task 2 <- ", "One <- 1"],
        &[],
    );
    let beside = [
        (".taskmaster/config.json", "{\"models\":{\"main\":\"big\"}}"),
        (".taskmaster/tasks/tasks.json", tasks),
    ];
    let plan = read(ImportFormat::TaskMaster, &files(&beside)).unwrap();
    assert_eq!(plan.outline.units.len(), 2);
    assert_eq!(plan.left_out[0].place, ".taskmaster/config.json");
    assert_eq!(plan.quoted, [".taskmaster/config.json"]);
}

#[test]
fn openspec_tasks_under_no_heading_are_units_by_themselves() {
    check(
        ImportFormat::OpenSpec,
        &[
            (
                "changes/tracking/proposal.md",
                "# Better tracking\n\n## Why\nSafety.\n",
            ),
            (
                "changes/tracking/tasks.md",
                "- [ ] The ledger, and what writes it\n- [x] A name for it\n- [ ] Reconciliation at the start\n",
            ),
        ],
        &[
            "The ledger, and what writes it <- ",
            "Reconciliation at the start <- 1",
        ],
        &["changes/tracking/tasks.md:2: A name for it (it is ticked)"],
    );
}

#[test]
fn several_openspec_changes_are_several_features() {
    let two = [
        ("changes/a/proposal.md", "# Change: A\n"),
        ("changes/a/tasks.md", "- [ ] a\n"),
        ("changes/b/tasks.md", "- [ ] b\n"),
    ];
    let why = read(ImportFormat::OpenSpec, &files(&two)).unwrap_err();
    assert!(why.to_string().contains("2 changes"), "{why}");
    let one = [
        ("changes/a/proposal.md", "## Why\nx\n"),
        (
            "changes/a/tasks.md",
            "## 2. 3D views\n- [ ] 2.1 Draw\n\n## 2FA login\n- [ ] 3.1 Ask\n\n## 4) Docs\n- [ ] 4.1 Write\n",
        ),
    ];
    check(
        ImportFormat::OpenSpec,
        &one,
        &["3D views <- ", "2FA login <- 1", "Docs <- 2"],
        &[],
    );
}

#[test]
fn bmad_s_words_for_done_and_its_headings_differ() {
    for (text, open) in [
        ("# Story 1.2: Login\n\nStatus: ready-for-dev\n", true),
        ("# Story 1.2: Login\n\n## Status: Done\n", false),
        (
            "# Story 1.2: Login\n\n**Status**: ✅ Done (2025-01-02)\n",
            false,
        ),
        ("# Story 1.2: Login\n\n## Status\n\n**Completed**\n", false),
        (
            "# Story 1.2: Login\n\n## Status\n\nReady for Review\n",
            true,
        ),
        ("# User Story 1.2a — Login\n\n- Status: complete\n", false),
    ] {
        let source = files(&[("1.2.story.md", text)]);
        assert_eq!(detect(&source), Some(ImportFormat::Bmad), "{text}");
        assert_eq!(read(ImportFormat::Bmad, &source).is_ok(), open, "{text}");
    }
    let deep = files(&[(
        "1.md",
        "# Story 1.1: A\n\n### Acceptance Criteria (ACs)\n1. **Given** x\n   **Then** y\n2. z\n\n### Tasks\n- [ ] no\n",
    )]);
    let plan = read(ImportFormat::Bmad, &deep).unwrap();
    assert_eq!(
        plan.outline.units[0].criteria,
        ["**Given** x **Then** y", "z"]
    );
}

#[test]
fn boxes_as_people_write_them_are_read_as_boxes() {
    for (what, text, units) in [
        (
            "nothing in the box",
            "- [] One\n- [  ] Two\n",
            &["One", "Two"][..],
        ),
        (
            "no space before it",
            "-[ ] One\n1.[ ] Two\n",
            &["One", "Two"],
        ),
        (
            "in bold",
            "1. **[ ] One** - first\n2. **[x] Two** - over\n",
            &["One - first"],
        ),
        ("in a quote", "> - [ ] One\n>> - [ ] Two\n", &["One", "Two"]),
        (
            "optional",
            "- [ ] 1. One\n- [ ]* 2. Two\n",
            &["1. One", "2. Two"],
        ),
        (
            "in a comment",
            "<!--\n- [ ] Sample\n-->\n- [ ] One\n<!-- a --> <!-- b -->\n- [ ] Two\n",
            &["One", "Two"],
        ),
        ("in code", "```\n<!--\n```\n- [ ] One\n", &["One"]),
        ("a link", "- [x](x.md) link\n- [ ] One\n", &["One"]),
    ] {
        let sources = files(&[("TODO.md", text)]);
        let plan = read(ImportFormat::Checklist, &sources).unwrap();
        let titles: Vec<&str> = plan.outline.units.iter().map(|u| u.title.trim()).collect();
        assert_eq!(titles, units, "{what}");
        nothing_is_lost(&sources, &plan);
    }
}

#[test]
fn what_is_open_below_what_is_done_is_said() {
    let ticked = "# L\n\n- [x] Over\n  - [ ] one\n  - [x] two\n  - [ ] three\n- [ ] Next\n";
    let why =
        "Over   - [ ] one   - [x] two   - [ ] three (it is ticked, but 2 parts of it are open)";
    check(
        ImportFormat::Checklist,
        &[("TODO.md", ticked)],
        &["Next <- "],
        &[why],
    );
    let done = "{\"tasks\":[{\"id\":1,\"title\":\"Over\",\"status\":\"done\",\"subtasks\":[{\"id\":1,\"title\":\"one\",\"status\":\"pending\"},{\"id\":2,\"title\":\"two\",\"status\":\"done\"}]},{\"id\":2,\"title\":\"Next\",\"status\":\"pending\",\"dependencies\":\"1\"},{\"id\":3,\"title\":\"Last\",\"status\":\"pending\",\"dependencies\":2}]}";
    let plan = read(ImportFormat::TaskMaster, &files(&[("tasks.json", done)])).unwrap();
    assert_eq!(
        plan.left_out[0].why,
        "its status is `done`, but 1 part of it is open: one"
    );
    assert_eq!(
        plan.outline.units[1].after,
        [0],
        "one task to wait for needs no list"
    );
}

#[test]
fn numbers_of_spec_kit_are_read_with_the_marks_around_them() {
    check(
        ImportFormat::SpecKit,
        &[(
            "specs/1/tasks.md",
            "# Tasks: X\n\n- [ ] T-001 One\n- [ ] T002. Two\n- [ ] **T003**: Three (depends on T-001)\n- [ ] [P] T004 - Four\n",
        )],
        &[
            "One <- ",
            "Two <- 1",
            "Three (depends on T-001) <- 1,2",
            "Four <- 3",
        ],
        &[],
    );
}

#[test]
fn a_refusal_says_what_to_do_with_the_file_at_hand() {
    let help = |text: &str, name: &str, format| {
        let error = read(format, &files(&[(name, text)])).unwrap_err();
        format!("{error} {error:?}")
    };
    let many: String = (0..100)
        .map(|n| {
            format!(
                "{}- [ ] T{n:03} a\n",
                if n % 50 == 0 {
                    format!("## Part {n}\n")
                } else {
                    String::new()
                }
            )
        })
        .collect();
    let said = help(&many, "tasks.md", ImportFormat::SpecKit);
    assert!(
        said.contains("into a file of its own") && said.contains("(50 tasks)"),
        "{said}"
    );
    let said = help("- [x] a\n- [X] b\n", "TODO.md", ImportFormat::Checklist);
    assert!(
        said.contains("all 2") && !said.contains("--format"),
        "{said}"
    );
    let said = help("1. a\n2. b\n", "TODO.md", ImportFormat::Checklist);
    assert!(said.contains("`- [ ] …`"), "{said}");
    let said = help("Nothing yet.\n", "tasks.md", ImportFormat::OpenSpec);
    assert!(said.contains("`- [ ] …`"), "{said}");
}

#[test]
fn signs_that_are_boxes_are_read_as_such() {
    let list = "# Launch\n\n☐ Alone\n- ☑ Ticked\n* ✅ Over\n- ✔️ Done\n- ⬜ Empty\n  - ☐ a part\n  - ✅ another\n1. **☐** Bold sign\n- ☐ **Bold** words\n☒ Crossed\n✓ prose\n- 🚀 no box\n";
    check(
        ImportFormat::Checklist,
        &[("TODO.md", list)],
        &["Alone <- ", "Empty <- ", "Bold sign <- ", "Bold words <- "],
        &[
            "TODO.md:4: Ticked (it is ticked)",
            "TODO.md:5: Over (it is ticked)",
            "TODO.md:6: Done (it is ticked)",
            "TODO.md:12: Crossed (it is ticked)",
        ],
    );
    let plan = read(ImportFormat::Checklist, &files(&[("TODO.md", list)])).unwrap();
    assert_eq!(plan.outline.units[1].criteria, ["a part"]);
    assert!(
        plan.outline.text.contains("✓ prose"),
        "{}",
        plan.outline.text
    );
    assert!(
        plan.outline.text.contains("🚀 no box"),
        "{}",
        plan.outline.text
    );
    assert_eq!(
        detect(&files(&[("a.md", "- ☐ one\n")])),
        Some(ImportFormat::Checklist)
    );
}

#[test]
fn openspec_tasks_without_boxes_are_all_open_and_said_to_be() {
    let tasks = "# Tasks\n\nIn order.\n\n## 1. Store\n- 1.1 Create the table\n  - with an index\n- 1.2 Write to it\n\n## 2. Show\n2.1 Draw it\n2. Print it\n\n```\n- no task\n```\n";
    let found = files(&[
        ("changes/a/proposal.md", "# Change: A\n"),
        ("changes/a/tasks.md", tasks),
    ]);
    let plan = read(ImportFormat::OpenSpec, &found).unwrap();
    let titles: Vec<&str> = plan
        .outline
        .units
        .iter()
        .map(|u| u.title.as_str())
        .collect();
    assert_eq!(titles, ["Store", "Show"]);
    assert_eq!(
        plan.outline.units[0].criteria,
        ["1.1 Create the table", "1.2 Write to it"]
    );
    assert!(plan.outline.units[0].text.contains("with an index"));
    assert_eq!(
        plan.outline.units[1].criteria,
        ["2.1 Draw it", "2. Print it"]
    );
    assert!(plan.outline.text.contains("In order."));
    assert!(
        plan.left_out[0].why.contains("taken as open"),
        "{:?}",
        plan.left_out
    );
    let none = files(&[
        ("changes/a/proposal.md", "# A\n"),
        ("changes/a/tasks.md", "Later.\n"),
    ]);
    assert!(read(ImportFormat::OpenSpec, &none).is_err());
}
