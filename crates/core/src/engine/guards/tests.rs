use super::*;
use crate::model::layout::Layout;

#[test]
fn control_paths_are_known_in_every_spelling() {
    for (path, regular, want) in [
        (".github/workflows/ci.yml", true, true),
        (".GitHub/Workflows/ci.yml", true, true),
        (".github/ISSUE_TEMPLATE/a.md", true, false),
        (".gatewalk/verification.yml", true, true),
        (".GATEWALK/verification.yml", true, true),
        (".gate\u{200c}walk/verification.yml", true, true),
        ("sub/.gatewalk/verification.yml", true, true),
        (".specfuse/verification.yml", true, true),
        (".gаtewalk/verification.yml", true, true),
        ("．gatewalk/verification.yml", true, true),
        (".gitattrіbutes", true, true),
        (".gatewalk", false, true),
        (".github", false, true),
        ("sub/.claude", false, true),
        ("sub/.claude/settings.json", true, true),
        ("docs", false, false),
        (".gitea/workflows/ci.yml", true, true),
        (".gitlab/issue_templates/a.md", true, false),
        (".github/CODEOWNERS", true, true),
        ("CODEOWNERS", true, true),
        ("opencode.json", true, true),
        ("sub/.continue/rules/a.md", true, true),
        (".clinerules", true, true),
        (".vscode/launch.json", true, true),
        (".kiro/hooks/a.json", true, true),
        ("app.code-workspace", true, true),
        ("sub/.gitattributes", true, true),
        ("gatewalk/x", true, false),
        ("src/main.rs", true, false),
    ] {
        let path = folded(path);
        let got = CONTROL_SET.is_match(&path) || !regular && replaces_control_directory(&path);
        assert_eq!(got, want, "{path}");
    }
}

#[test]
fn a_path_is_control_or_not_whatever_it_is_written_like() {
    for (path, want) in [
        (".github/workflows/ci.yml", true),
        (".GitHub/Workflows/ci.yml", true),
        ("src/main.rs", false),
    ] {
        assert_eq!(is_control(path), want, "{path}");
    }
}

#[test]
fn a_glob_stays_inside_a_directory_and_a_directory_means_all_of_it() {
    for (pattern, path, exactly, in_any_case) in [
        ("src/*.rs", "src/a.rs", true, true),
        ("src/*.rs", "src/sub/a.rs", false, false),
        ("src/**", "src/sub/a.rs", true, true),
        ("src", "src/sub/a.rs", true, true),
        ("src/", "src/sub/a.rs", true, true),
        ("./src/", "src/sub/a.rs", true, true),
        ("./a.txt", "a.txt", true, true),
        ("src", "src", true, true),
        ("src", "srcs/a.rs", false, false),
        ("SRC/*.rs", "src/a.rs", false, true),
        ("src", "Src/a.rs", false, true),
        ("[", "a", false, false),
    ] {
        assert_eq!(matches(pattern, path), exactly, "{pattern} {path}");
        assert_eq!(
            exact_set(&[pattern]).is_match(path),
            exactly,
            "{pattern} {path}"
        );
        assert_eq!(
            set(&[pattern]).is_match(path),
            in_any_case,
            "{pattern} {path}"
        );
    }
}

/// What the guards say of a diff of `T01`, in the second of three gates.
///
/// `+` adds a path, `~` changes it, `-` deletes it, `^` moves a submodule; `@` after it: what is there is no regular file. `%` is the
/// feature's directory; `rewritten` says that the slot's history no longer descends from its base.
fn verdict(unit: &str, diff: &str) -> String {
    let unit = unit.replace('%', crate::engine::test_snapshot::DIR);
    let s = crate::engine::test_snapshot::snapshot(&format!(
        "G1 passed: T00 done | G2: T01 {unit}; T02 | G3: T03 draft | protect=[infra/**]"
    ));
    let member = s.feature.members().nth(1).unwrap();
    let protect = Unit::list(&s.config.front.protect);
    let subject = Subject {
        layout: Layout::Gatewalk,
        feature: &s.feature,
        gate: member.gate,
        unit: member.unit.unwrap(),
        protect: &protect,
        idle_attributes: &["idle/.gitattributes".to_owned()],
    };
    let change = |word: &str| {
        let regular = !word[1..].starts_with('@');
        let path = word[1..].trim_start_matches('@');
        let kind = match word.as_bytes()[0] {
            b'+' => ChangedPathKind::Added,
            b'~' => ChangedPathKind::Modified,
            b'^' => ChangedPathKind::Submodule,
            _ => ChangedPathKind::Deleted,
        };
        ChangedPath {
            path: path.replace('%', &s.feature.dir),
            kind,
            regular,
            unstartable: false,
        }
    };
    let words = diff.split_whitespace();
    let changes: Vec<_> = words.filter(|w| *w != "rewritten").map(change).collect();
    let report = inspect(&subject, &changes, !diff.contains("rewritten"));
    let violations = report
        .violations
        .iter()
        .map(|v| format!("{} {}", v.class, v.paths.join(" ")));
    let notices = report.notices.iter().chain(&report.shown).cloned();
    let all: Vec<String> = violations.chain(notices).collect();
    if all.is_empty() {
        return "fine".to_owned();
    }
    let text: Vec<&str> = all.iter().map(|line| line.trim_end()).collect();
    text.join("; ").replace(&*s.feature.dir, "%")
}

fn check(table: &str) {
    let rows = table.lines().map(str::trim);
    for row in rows.filter(|row| !row.is_empty() && !row.starts_with("//")) {
        let (given, want) = row.split_once("=> ").expect(row);
        let (unit, diff) = given.split_once('|').expect(row);
        assert_eq!(verdict(unit, diff), want, "{row}");
    }
}

#[test]
fn a_diff_holds_something_on_top_of_its_base() {
    check(
        "
        | +src/a.rs           => fine
        |                     => empty_diff
        // The unit's own file is put back, so it is no work.
        | ~%/WU-02.md         => empty_diff
        | rewritten           => history_rewritten; empty_diff
        | rewritten +src/a.rs => history_rewritten
        ",
    );
}

#[test]
fn what_judges_is_changed_only_by_a_unit_that_declares_it() {
    check(
        "
        | ~.github/workflows/ci.yml +a => oracle_modified .github/workflows/ci.yml
        | ~.GitHub/workflows/ci.yml    => oracle_modified .GitHub/workflows/ci.yml
        | -Jenkinsfile                 => oracle_modified Jenkinsfile
        | ~infra/main.tf               => oracle_modified infra/main.tf
        | +@.github                    => oracle_modified .github
        | +.github                     => fine
        | +@docs                       => fine
        | +.gitattributes              => oracle_modified .gitattributes
        | +idle/.gitattributes         => git attributes by which pages alone show files: idle/.gitattributes
        | +@idle/.gitattributes        => oracle_modified idle/.gitattributes
        | +@workflows                  => fine
        | +@.other                     => fine
        touches_control_plane=[Jenkinsfile]     | ~Jenkinsfile                => declared control-plane change: Jenkinsfile
        touches_control_plane=[.github/]        | ~.github/workflows/ci.yml   => declared control-plane change: .github/workflows/ci.yml
        touches_control_plane=[infra/main.tf]   | ~infra/main.tf              => declared control-plane change: infra/main.tf
        touches_control_plane=[jenkinsfile]     | ~Jenkinsfile                => oracle_modified Jenkinsfile
        touches_control_plane=[Jenkinsfile]     | ~Jenkinsfile ~infra/main.tf => oracle_modified infra/main.tf; declared control-plane change: Jenkinsfile
        produces=[Jenkinsfile]                  | +Jenkinsfile                => declared control-plane change: Jenkinsfile
        touches_control_plane=[sub/.gatewalk/x] | ~sub/.gatewalk/x            => declared control-plane change: sub/.gatewalk/x
        touches_control_plane=[%/DESIGN.md]     | +%/DESIGN.md                => declared control-plane change: %/DESIGN.md
        produces=[%/DESIGN.md]                  | +%/DESIGN.md                => oracle_modified %/DESIGN.md
        touches_control_plane=[%]               | ~%/GATE-03.md               => oracle_modified %/GATE-03.md
        // No declaration opens what steers a run.
        touches_control_plane=[.gatewalk/**]    | ~.gatewalk/verification.yml => oracle_modified .gatewalk/verification.yml
        touches_control_plane=[.specfuse/**]    | ~.specfuse/verification.yml => oracle_modified .specfuse/verification.yml
        ",
    );
}

#[test]
fn a_submodule_is_left_as_it_is_unless_the_repository_says_otherwise() {
    check(
        "
        | ^lib +src/a.rs    => submodule_changed lib
        | ^lib ^more        => submodule_changed lib more
        | ~lib              => fine
        | ^lib ~.gitmodules => oracle_modified .gitmodules
        touches_control_plane=[.gitmodules] | ^lib ~.gitmodules => declared control-plane change: .gitmodules
        ",
    );
}

#[test]
fn each_type_of_unit_writes_its_own_plan_files() {
    check(
        "
        | ~%/RETROSPECTIVE.md                          => oracle_modified %/RETROSPECTIVE.md
        | ~.gatewalk/LEARNINGS.md                      => oracle_modified .gatewalk/LEARNINGS.md
        human     | ~%/RETROSPECTIVE.md                => oracle_modified %/RETROSPECTIVE.md
        close     | ~%/RETROSPECTIVE.md                => fine
        close     | ~.gatewalk/LEARNINGS.md            => fine
        close     | -.gatewalk/LEARNINGS.md            => fine
        close     | -@.gatewalk/LEARNINGS.md           => fine
        close     | +@.gatewalk/LEARNINGS.md           => oracle_modified .gatewalk/LEARNINGS.md
        close     | ~.GATEWALK/LEARNINGS.md            => oracle_modified .GATEWALK/LEARNINGS.md
        close     | ~.gatewalk/roadmap.md              => fine
        close     | ~.gatewalk/roadmap-archive.md      => fine
        close     | ~.gatewalk/config.yml              => oracle_modified .gatewalk/config.yml
        close     | ~%/GATE-02-CRITERIA.md             => fine
        close     | ~%/WU-CRITERIA.md                  => oracle_modified %/WU-CRITERIA.md
        close     | ~%/GATE-02.md                      => oracle_modified %/GATE-02.md
        close     | ~%/PLAN.md                         => oracle_modified %/PLAN.md
        close     | ~%/WU-09.md                        => oracle_modified %/WU-09.md
        docs      | ~%/RETROSPECTIVE.md                => fine
        plan-next | ~%/RETROSPECTIVE.md                => fine
        plan-next | ~%/PLAN.md                         => fine
        plan-next | +%/GATE-03.md ~%/WU-04.md +%/WU-09.md => fine
        plan-next | +%/GATE-03-REVIEW.md               => fine
        plan-next | +%/GATE-x-REVIEW.md                => oracle_modified %/GATE-x-REVIEW.md
        // Gates that are under way, and their units, are no drafts.
        plan-next | ~%/GATE-01.md                      => oracle_modified %/GATE-01.md
        plan-next | ~%/GATE-02.md                      => oracle_modified %/GATE-02.md
        plan-next | ~%/WU-01.md                        => oracle_modified %/WU-01.md
        plan-next | ~%/WU-03.md                        => oracle_modified %/WU-03.md
        plan-next | +%/notes.txt                       => oracle_modified %/notes.txt
        plan-next | ~.gatewalk/verification.yml        => oracle_modified .gatewalk/verification.yml
        ",
    );
}

#[test]
fn a_diff_stays_out_of_what_its_unit_must_not_touch() {
    check(
        "
        do_not_touch=[src/gen/**]      | +src/a.rs          => fine
        do_not_touch=[src/gen/**]      | +src/a.rs +src/gen/a.rs => out_of_scope src/gen/a.rs
        do_not_touch=[src/gen/**]      | +SRC/Gen/a.rs      => out_of_scope SRC/Gen/a.rs
        // Plan files have rules of their own.
        close do_not_touch=[.gatewalk] | ~.gatewalk/LEARNINGS.md => fine
        ",
    );
}

#[test]
fn what_a_unit_promises_is_in_its_diff_as_a_regular_file() {
    check(
        "
        produces=[a.txt]     | +a.txt      => fine
        produces=[a.txt]     | ~a.txt      => fine
        produces=[./a.txt]   | +a.txt      => fine
        produces=[a.txt,b]   | +c.txt      => missing_deliverable a.txt b
        produces=[a.txt]     | -a.txt +b   => missing_deliverable a.txt
        produces=[a.txt]     | +@a.txt +b  => missing_deliverable a.txt
        // A name with an ending is a file, never a directory of files.
        produces=[a.txt]     | +a.txt/b    => missing_deliverable a.txt
        produces=[out]       | +out/b      => fine
        produces=[docs/.out] | +docs/.out/b => fine
        produces=[out/*.txt] | +out/b.txt  => fine
        produces=[out/*.txt] | +out/b.md   => missing_deliverable out/*.txt
        ",
    );
}

#[test]
fn instructions_for_later_sessions_are_shown() {
    check(
        "
        | ~AGENTS.md      => instructions that later sessions read changed: AGENTS.md
        | +sub/Claude.md  => instructions that later sessions read changed: sub/Claude.md
        | ~docs/agents.md => instructions that later sessions read changed: docs/agents.md
        | ~docs/agent.md  => fine
        ",
    );
}

#[test]
fn paths_that_look_like_others_are_shown() {
    check(
        "
        | +src/bаse.txt    => paths that are not what they look like: src/bаse.txt
        | -src/bаse.txt +a => fine
        | +src/base.txt    => fine
        ",
    );
}
