//! What people do to a plan: every verb from every status, in one commit, with plan, gate, unit and
//! roadmap in step; and the examples of the reference, run.

use crate::cycle::Stage;
use std::os::unix::fs::PermissionsExt;

const DIR: &str = ".gatewalk/features/FEAT-2026-0001-a";

/// A feature with one unit, each in a status of choice.
fn feature(stage: &Stage, status: &str, unit_status: &str, unit_type: &str) {
    stage.write(
        ".gatewalk/verification.yml",
        "code:\n  - name: tests\n    command: test -f README.md\n",
    );
    stage.write(
        ".gatewalk/roadmap.md",
        &format!("# Roadmap\n\n| Feature | Title | Status |\n|---|---|---|\n| FEAT-2026-0001 | A | {status} |\n"),
    );
    stage.write(
        &format!("{DIR}/PLAN.md"),
        &format!(
            "---\nfeature_id: FEAT-2026-0001\ntitle: A\nbranch: feat/FEAT-2026-0001-a\nroadmap_goal: It is there\nstatus: {status}\n---\n\n# A\n\nIt is there.\n\n```yaml\ngates:\n  - gate: 1\n    file: GATE-01.md\n    work_units:\n      - id: FEAT-2026-0001/T01\n        file: WU-01-a.md\n        depends_on: []\n```\n"
        ),
    );
    stage.write(
        &format!("{DIR}/GATE-01.md"),
        "---\ngate: 1\nstatus: open\n---\n\n# Gate 1\n\n## Definition of done\n\n- It is there.\n",
    );
    stage.write(
        &format!("{DIR}/WU-01-a.md"),
        &format!(
            "---\nid: FEAT-2026-0001/T01\ntype: {unit_type}\nstatus: {unit_status}\n---\n\n# A\n\n## Context\n\n`README.md` is missing.\n\n## Acceptance criteria\n\n1. `README.md` is there.\n\n## Do not touch\n\n- Nothing else.\n\n## Verification\n\n- `test -f README.md`\n\n## Escalation triggers\n\n- It is there already.\n"
        ),
    );
    stage.commit(&format!("{status} {unit_status}"));
}

#[test]
fn every_verb_moves_a_unit_only_from_where_it_may() {
    let statuses = ["draft", "pending", "blocked_human", "done", "abandoned"];
    let verbs: [(&[&str], &[&str], &str); 4] = [
        (
            &["arm", "T01", "--feature", "FEAT-2026-0001"],
            &["draft"],
            "pending",
        ),
        (
            &["unblock", "T01", "--reason", "so"],
            &["blocked_human"],
            "pending",
        ),
        (&["done", "T01", "--evidence", "see"], &["pending"], "done"),
        (
            &["abandon", "T01", "--reason", "so"],
            &["draft", "pending", "blocked_human", "done"],
            "abandoned",
        ),
    ];
    for from in statuses {
        let stage = Stage::empty();
        feature(&stage, "active", from, "human");
        for (args, legal, to) in verbs {
            let before = stage.git(&["rev-parse", "HEAD"]);
            let out = stage.run_with(args, &[]);
            let said = String::from_utf8_lossy(&out.stderr).into_owned();
            let unit = stage.read(&format!("{DIR}/WU-01-a.md"));
            if legal.contains(&from) {
                assert_eq!(out.status.code(), Some(0), "{args:?} from {from}: {said}");
                assert!(
                    unit.contains(&format!("\nstatus: {to}\n")),
                    "{args:?} from {from}: {unit}"
                );
                let subjects =
                    stage.git(&["rev-list", "--count", &format!("{}..HEAD", before.trim())]);
                assert_eq!(subjects.trim(), "1", "one commit: {args:?} from {from}");
                stage.run(0, &["lint"]);
                stage.git(&["reset", "--quiet", "--hard", before.trim()]);
            } else {
                assert_eq!(out.status.code(), Some(3), "{args:?} from {from}: {said}");
                assert!(
                    said.contains(&format!("what is `{from}`; ")),
                    "{args:?} from {from}: {said}"
                );
                let named = if from == "abandoned" {
                    "nothing moves it"
                } else {
                    "what moves it from there: `gatewalk "
                };
                assert!(said.contains(named), "{args:?} from {from}: {said}");
                assert_eq!(stage.git(&["rev-parse", "HEAD"]), before);
                assert!(unit.contains(&format!("\nstatus: {from}\n")));
            }
            assert_eq!(
                stage.git(&["status", "--porcelain"]),
                "",
                "{args:?} from {from}"
            );
        }
    }
}

#[test]
#[ignore = "long"]
fn every_verb_moves_a_feature_and_its_row_together() {
    let verbs: [(&str, &[&str], &str); 5] = [
        ("activate", &["planned"], "active"),
        ("block", &["planned", "active"], "blocked"),
        ("defer", &["planned", "active", "blocked"], "deferred"),
        ("reopen", &["blocked", "deferred", "abandoned"], "active"),
        (
            "abandon",
            &["planned", "active", "blocked", "deferred"],
            "abandoned",
        ),
    ];
    for from in [
        "planned",
        "active",
        "blocked",
        "deferred",
        "done",
        "abandoned",
    ] {
        let stage = Stage::empty();
        let unit = if from == "done" { "done" } else { "draft" };
        feature(&stage, from, unit, "implementation");
        for (verb, legal, to) in verbs {
            let before = stage.git(&["rev-parse", "HEAD"]);
            let out = stage.run_with(&[verb, "FEAT-2026-0001", "--reason", "so"], &[]);
            let said = String::from_utf8_lossy(&out.stderr).into_owned();
            let now = if legal.contains(&from) { to } else { from };
            let code = if legal.contains(&from) { 0 } else { 3 };
            assert_eq!(out.status.code(), Some(code), "{verb} from {from}: {said}");
            assert!(
                stage
                    .read(&format!("{DIR}/PLAN.md"))
                    .contains(&format!("\nstatus: {now}\n")),
                "{verb} from {from}"
            );
            assert!(
                stage
                    .read(".gatewalk/roadmap.md")
                    .contains(&format!("| A | {now} |")),
                "{verb} from {from}"
            );
            if code == 3 {
                assert!(
                    said.contains(&format!("cannot {verb} what is `{from}`; ")),
                    "{said}"
                );
                for other in verbs.iter().filter(|(_, legal, _)| legal.contains(&from)) {
                    assert!(
                        said.contains(other.0),
                        "{verb} from {from} does not name {}: {said}",
                        other.0
                    );
                }
            } else {
                let log = stage.read(&format!("{DIR}/events.jsonl"));
                assert!(
                    log.contains("\"feature_moved\"") && log.contains("\"so\""),
                    "{log}"
                );
                stage.run(0, &["lint"]);
                let (board, _) = stage.run(0, &["board"]);
                assert_eq!(board.contains("/T01"), to == "active", "{board}");
                stage.git(&["reset", "--quiet", "--hard", before.trim()]);
            }
        }
        // What is over takes no unit either.
        if matches!(from, "done" | "abandoned" | "blocked" | "deferred") {
            let (_, said) = stage.run(3, &["arm", "FEAT-2026-0001"]);
            assert!(said.contains(&format!("what is `{from}`; ")), "{said}");
        }
        if matches!(from, "done" | "abandoned") {
            for args in [
                ["unblock", "T01", "--reason", "so"],
                ["abandon", "T01", "--reason", "so"],
                ["done", "T01", "--evidence", "so"],
            ] {
                let (_, said) = stage.run(
                    3,
                    &[
                        args[0],
                        args[1],
                        args[2],
                        args[3],
                        "--feature",
                        "FEAT-2026-0001",
                    ],
                );
                assert!(
                    said.contains(&format!("FEAT-2026-0001 is `{from}`")),
                    "{args:?}: {said}"
                );
            }
        }
    }
    let stage = Stage::empty();
    feature(&stage, "active", "draft", "implementation");
    for verb in ["block", "defer", "reopen", "abandon"] {
        stage.run(2, &[verb, "FEAT-2026-0001"]);
    }
}

#[test]
fn unblock_keeps_what_a_unit_cost_and_asks_what_changed() {
    let stage = Stage::empty();
    feature(&stage, "active", "pending", "implementation");
    let path = format!("{DIR}/WU-01-a.md");
    stage.write(
        &path,
        &stage.read(&path).replace(
            "status: pending\n",
            "status: pending\nexpects_red: [tests]\n",
        ),
    );
    stage.commit("the unit turns it green");
    stage.session("T01", "steps:\n  - write: other.txt\n    content: x\nusage: {cost_usd: 0.25}\nresult: {status: complete, summary: x}\n");
    stage.walk(11, &[]);
    let unit = stage.read(&format!("{DIR}/WU-01-a.md"));
    assert!(
        unit.contains("status: blocked_human") && unit.contains("cost_usd: 0.5\n"),
        "twice the same is enough: {unit}"
    );
    let (why, _) = stage.run(0, &["why", "T01"]);
    for part in [
        "what was tried",
        "what failed",
        "what you can do",
        "--changed",
        "refs/gatewalk/attempts/FEAT-2026-0001/T01/2",
    ] {
        assert!(why.contains(part), "{part}: {why}");
    }
    stage.run(2, &["unblock", "T01"]);
    stage.run(2, &["unblock", "T01", "--reason", "  "]);
    let (_, said) = stage.run(3, &["unblock", "T01", "--reason", "again"]);
    assert!(
        said.contains("failed 2 times in the same way") && said.contains("--changed"),
        "{said}"
    );
    stage.run(
        0,
        &[
            "unblock",
            "T01",
            "--reason",
            "again",
            "--changed",
            "the disk is bigger",
        ],
    );
    let unit = stage.read(&format!("{DIR}/WU-01-a.md"));
    assert!(
        unit.contains("cumulative_cost_usd: 0.5\n") && unit.contains("re_arm_count: 1\n"),
        "{unit}"
    );
    assert!(
        unit.contains("the disk is bigger") && !unit.contains("escalation_"),
        "{unit}"
    );
    let (prompt, _) = stage.run(0, &["prompt", "T01"]);
    assert!(
        prompt.contains("again; changed: the disk is bigger"),
        "{prompt}"
    );
    let (stats, _) = stage.run(0, &["stats"]);
    assert!(
        stats.contains("$0.50") && stats.contains("verification"),
        "{stats}"
    );
    // A unit that was changed needs no such word.
    stage.walk(11, &[]);
    let path = format!("{DIR}/WU-01-a.md");
    stage.write(
        &path,
        &stage.read(&path).replace(
            "`README.md` is missing.",
            "`README.md` is missing, in English.",
        ),
    );
    stage.run(
        0,
        &["unblock", "T01", "--reason", "clearer", "--commit-plan"],
    );
    assert!(
        stage.read(&path).contains("cumulative_cost_usd: 1.0\n"),
        "{}",
        stage.read(&path)
    );
}

#[test]
fn arming_takes_what_is_named_and_remembers_what_it_was() {
    let stage = Stage::empty();
    feature(&stage, "planned", "draft", "implementation");
    stage.run(0, &["new", "unit", "Another"]);
    let other = std::fs::read_dir(stage.repository.join(DIR)).expect("a directory");
    let other = other
        .map(|e| {
            e.expect("readable")
                .file_name()
                .into_string()
                .expect("text")
        })
        .find(|n| n.starts_with("WU-02"))
        .expect("a unit");
    let other = format!("{DIR}/{other}");
    let text = stage.read(&other);
    let filled = regex_free_fill(&text);
    stage.write(&other, &filled);
    stage.commit("another");
    let (said, _) = stage.run(0, &["arm", "FEAT-2026-0001/T01"]);
    assert!(said.contains("T01 pending, feature active"), "{said}");
    assert!(
        stage.read(&other).contains("status: draft"),
        "only what is named"
    );
    let unit = stage.read(&format!("{DIR}/WU-01-a.md"));
    let armed = unit
        .lines()
        .find(|l| l.starts_with("armed: "))
        .expect("a hash");
    let hash = armed.trim_start_matches("armed: ").trim_matches('"');
    let is_hash = |part: &str| part.len() == 16 && part.bytes().all(|b| b.is_ascii_hexdigit());
    assert!(hash.split(['+', '.']).all(is_hash), "{armed}");
    stage.run(2, &["arm", "T02", "--all"]);
    // The editor's save is what is armed.
    let editor = stage.home.join("bin/edit");
    std::fs::create_dir_all(editor.parent().expect("a directory")).expect("a directory");
    std::fs::write(
        &editor,
        "#!/bin/sh\nfor f in \"$@\"; do printf '\\nSaved.\\n' >> \"$f\"; done\n",
    )
    .expect("written");
    std::fs::set_permissions(&editor, std::fs::Permissions::from_mode(0o755)).expect("executable");
    let out = stage.run_with(&["arm", "--edit"], &[("EDITOR", "edit")]);
    assert_eq!(
        out.status.code(),
        Some(0),
        "{}",
        String::from_utf8_lossy(&out.stderr)
    );
    let text = stage.read(&other);
    assert!(
        text.ends_with("\nSaved.\n") && text.contains("status: pending"),
        "{text}"
    );
    // A contract changed behind the user's back is told.
    stage.write(
        &format!("{DIR}/WU-01-a.md"),
        &stage
            .read(&format!("{DIR}/WU-01-a.md"))
            .replace("is there.", "is there, somehow."),
    );
    stage.commit("a change");
    let (review, _) = stage.run(0, &["review"]);
    assert!(review.contains("T01 is not what was armed"), "{review}");
    // Armed by name once more, it is what they saw; and then there is nothing left to arm.
    stage.run(0, &["arm", "FEAT-2026-0001/T01"]);
    let (review, _) = stage.run(0, &["review"]);
    assert!(!review.contains("is not what was armed"), "{review}");
    assert!(
        stage
            .read(&format!("{DIR}/WU-01-a.md"))
            .contains("status: pending")
    );
    let (_, said) = stage.run(3, &["arm", "FEAT-2026-0001/T01"]);
    assert!(said.contains("cannot arm what is `pending`"), "{said}");
}

/// Replaces what a template leaves open.
fn regex_free_fill(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("<fill in") {
        let end = rest[at..].find('>').map_or(rest.len(), |i| at + i + 1);
        out.push_str(&rest[..at]);
        out.push_str("It is written down");
        rest = &rest[end..];
    }
    out.push_str(rest);
    out
}

#[test]
fn a_blocking_question_stops_arming_until_it_is_answered() {
    let stage = Stage::empty();
    feature(&stage, "planned", "draft", "implementation");
    let plan = format!("{DIR}/PLAN.md");
    stage.write(&plan, &stage.read(&plan).replace("It is there.\n", "It is there.\n\n## Open questions\n\n- [ ] blocking: which language?\n- [ ] a small one\n"));
    stage.commit("a question");
    let (_, said) = stage.run(3, &["arm", "FEAT-2026-0001"]);
    assert!(
        said.contains("which language?") && said.contains("gatewalk answer"),
        "{said}"
    );
    let (list, _) = stage.run(0, &["answer", "--feature", "FEAT-2026-0001"]);
    assert!(
        list.contains("1  blocking: which language?") && list.contains("2  a small one"),
        "{list}"
    );
    stage.run(2, &["answer", "3", "x", "--feature", "FEAT-2026-0001"]);
    stage.run(
        0,
        &["answer", "1", "English", "--feature", "FEAT-2026-0001"],
    );
    assert!(
        stage
            .read(&plan)
            .contains("- [x] blocking: which language?\n  Answer: English\n- [ ] a small one\n"),
        "{}",
        stage.read(&plan)
    );
    stage.run(0, &["arm", "FEAT-2026-0001"]);
}

#[test]
#[ignore = "long"]
fn auto_arms_only_when_nothing_gives_a_user_a_reason_to_look() {
    for (question, exit) in [(false, 0), (true, 10)] {
        let stage = Stage::two_gates();
        let dir = ".gatewalk/features/FEAT-2026-0001-greetings";
        let plan = format!("{dir}/PLAN.md");
        stage.write(
            &plan,
            &stage
                .read(&plan)
                .replace("autonomy_default: review\n", "")
                .replacen(
                    "status: active\n",
                    "status: active\nautonomy_default: auto\n",
                    1,
                ),
        );
        stage.commit("auto");
        // Without the unit that asks a user and without the planner's reshaping.
        stage.session(
            "T03.1",
            &std::fs::read_to_string(stage.sessions.join("T03.2.yml")).expect("there"),
        );
        let review = "steps:\n  - write: REVIEW\n    content: |\n      # Review of gate 2\n\n      Nothing to doubt.\nQuestion\nusage: {cost_usd: 0.05}\nresult: {status: complete, summary: x}\n";
        let asked = if question {
            "\n      ## Open questions\n\n      - [ ] which words?\n"
        } else {
            ""
        };
        stage.session(
            "G1-PLAN",
            &review
                .replace("REVIEW", &format!("{dir}/GATE-02-REVIEW.md"))
                .replace("Question\n", asked),
        );
        let (_, said) = stage.walk(exit, &[]);
        let tags = stage.git(&["tag", "--list"]);
        if question {
            assert!(
                said.contains("needs your review") && said.contains("questions: which words?"),
                "{said}"
            );
            assert_eq!(tags, "");
            continue;
        }
        assert_eq!(
            tags, "gatewalk/before-arm/FEAT-2026-0001-gate-2\n",
            "{said}"
        );
        let armed = stage.git(&["log", "--format=%s%n%P", "--grep", "automatically", "-1"]);
        let parent = stage.git(&["rev-parse", "gatewalk/before-arm/FEAT-2026-0001-gate-2"]);
        assert!(
            armed.contains(parent.trim()),
            "the tag is the commit before: {armed}"
        );
    }
}

#[test]
#[ignore = "long"]
fn coverage_shows_what_the_checks_of_requirements_say_on_the_tip() {
    let stage = Stage::two_gates();
    stage.walk(11, &[]);
    let (before, _) = stage.run(0, &["status", "--coverage"]);
    assert!(before.contains("REQ-GREET-1    "), "{before}");
    let (now, _) = stage.run(0, &["status", "--coverage", "--run"]);
    assert!(
        now.contains("REQ-GREET-1    covered") && now.contains("REQ-GREET-4    not covered"),
        "{now}"
    );
    // Its unit stays done; what it showed is gone.
    stage.write("greet.sh", "exit 0\n");
    stage.commit("break it");
    let (json, _) = stage.run(0, &["status", "--coverage", "--json"]);
    assert!(!json.contains("\"covered\":true"), "{json}");
    let (broken, _) = stage.run(0, &["status", "--coverage", "--run"]);
    assert!(
        broken.contains("REQ-GREET-1    not covered") && broken.contains("fail at "),
        "{broken}"
    );
}

#[test]
#[ignore = "long"]
fn a_lesson_is_proposed_kept_and_told_where_it_concerns() {
    let stage = Stage::two_gates();
    stage.walk(11, &[]);
    let (suggested, _) = stage.run(0, &["learnings", "--suggest"]);
    assert!(
        suggested.contains("1  FEAT-2026-0001/T02: an attempt failed here first (verification)"),
        "{suggested}"
    );
    stage.run(2, &["learnings", "--accept", "9"]);
    let text = "Messages of refusals go to standard error";
    stage.run(0, &["learnings", "--accept", "1", "--text", text]);
    stage.run(
        0,
        &[
            "learnings",
            "--add",
            "Totals are in cents",
            "--paths",
            "billing/**",
        ],
    );
    let file = stage.read(".gatewalk/LEARNINGS.md");
    assert!(
        file.contains(&format!("- L-001: {text} (paths: ")) && file.contains("greet.sh"),
        "{file}"
    );
    assert!(
        file.ends_with("- L-002: Totals are in cents (paths: billing/**; seen: 1)\n"),
        "{file}"
    );
    stage.run(0, &["learnings", "--add", text]);
    let (list, _) = stage.run(0, &["learnings"]);
    assert!(list.contains(&format!("L-001   2×  {text}")), "{list}");
    // T03 touches `greet.sh`: it is told the one lesson and not the other.
    let (prompt, sizes) = stage.run(0, &["prompt", "T03"]);
    assert!(
        prompt.contains(text) && !prompt.contains("Totals are in cents"),
        "{prompt}"
    );
    for section in [
        "contract",
        "unit",
        "neighbours",
        "map",
        "lessons",
        "oracle",
        "all",
    ] {
        assert!(
            sizes
                .lines()
                .any(|l| l.starts_with(section) && l.contains(" tokens")),
            "{section}: {sizes}"
        );
    }
    assert!(
        prompt.contains("# The repository\n") && prompt.contains("greet.sh\n"),
        "{prompt}"
    );
    let before = stage.git(&["for-each-ref"]);
    for args in [
        ["stats", "--json"],
        ["log", "--json"],
        ["review", "--json"],
        ["answer", "--json"],
        ["learnings", "--json"],
    ] {
        let (said, _) = stage.run(0, &args);
        assert!(
            said.starts_with('{') && said.ends_with("}\n"),
            "{args:?}: {said}"
        );
    }
    assert_eq!(
        stage.git(&["for-each-ref"]),
        before,
        "looking changes nothing"
    );
}

#[test]
fn upgrade_keeps_edited_files_and_refuses_those_of_a_newer_version() {
    let stage = Stage::program();
    let rule = ".gatewalk/rules/scope.md";
    stage.run(0, &["init", "--agent", "claude,codex"]);
    assert!(stage.read("CLAUDE.md").contains("gatewalk lint"));
    assert_eq!(stage.read("CLAUDE.md"), stage.read("AGENTS.md"));
    let (again, _) = stage.run(0, &["init", "--agent", "claude"]);
    assert_eq!(again, "");
    stage.run(2, &["init", "--agent", "nobody"]);
    stage.write(rule, "mine\n");
    stage.write(".gatewalk/rules-local/house.md", "ours\n");
    let (said, _) = stage.run(0, &["upgrade", "--dry-run"]);
    assert!(said.contains(&format!("kept   {rule}")), "{said}");
    stage.run(0, &["upgrade"]);
    assert_eq!(stage.read(rule), "mine\n");
    assert_eq!(stage.read(".gatewalk/rules-local/house.md"), "ours\n");
    let (shown, _) = stage.run(0, &["upgrade", "--show", "rules/scope.md"]);
    assert!(shown.contains("Leave alone"), "{shown}");

    // What a newer version wrote is never taken back.
    let manifest = ".gatewalk/manifest.json";
    let newer = stage
        .read(manifest)
        .replace(env!("CARGO_PKG_VERSION"), "99.0.0");
    stage.write(manifest, &newer);
    stage.write(".gatewalk/rules/new.md", "of the newer version\n");
    let (_, refused) = stage.run(3, &["upgrade"]);
    assert!(refused.contains("written by Gatewalk 99.0.0"), "{refused}");
    assert_eq!(stage.read(manifest), newer);
    let (doctor, _) = stage.run(0, &["doctor"]);
    assert!(doctor.contains("written by Gatewalk 99.0.0"), "{doctor}");

    // An older layout moves as it is.
    let old = Stage::empty();
    feature(&old, "active", "pending", "implementation");
    std::fs::rename(
        old.repository.join(".gatewalk"),
        old.repository.join(".specfuse"),
    )
    .expect("moved");
    old.commit("older");
    old.run(3, &["upgrade"]);
    let tree = |name: &str| old.git(&["rev-parse", &format!("HEAD:{name}")]);
    let before = tree(".specfuse");
    old.run(0, &["migrate", "--dry-run"]);
    assert_eq!(old.git(&["status", "--porcelain"]), "");
    old.run(0, &["migrate"]);
    old.commit("moved");
    assert_eq!(tree(".gatewalk"), before, "no content changes");
    old.run(3, &["migrate"]);
    old.run(0, &["status"]);
}

#[test]
fn an_editor_that_fails_or_breaks_the_file_arms_and_commits_nothing() {
    for (editor, code, said) in [
        ("false", 5, "nothing was armed"),
        ("no-such-editor", 5, "nothing was armed"),
        ("breaking", 3, "not readable as YAML"),
        ("titling", 0, "pending"),
    ] {
        let stage = Stage::program();
        feature(&stage, "active", "draft", "human");
        for (name, script) in [
            ("breaking", "s/^type: .*/type: [oops/"),
            ("titling", "s/^# A$/# B/"),
        ] {
            let path = stage.home.join("bin").join(name);
            let text = format!("#!/bin/sh\nfor f; do sed -i '{script}' \"$f\"; done\n");
            std::fs::write(&path, text).expect("written");
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("ours");
        }
        let before = stage.git(&["rev-parse", "HEAD"]);
        let out = stage.run_with(&["arm", "FEAT-2026-0001", "--edit"], &[("EDITOR", editor)]);
        let text = format!(
            "{}{}",
            String::from_utf8_lossy(&out.stdout),
            String::from_utf8_lossy(&out.stderr)
        );
        assert_eq!(out.status.code(), Some(code), "{editor}: {text}");
        assert!(text.contains(said), "{editor}: {text}");
        let unit = stage.read(&format!("{DIR}/WU-01-a.md"));
        if code == 0 {
            assert!(
                unit.contains("# B") && unit.contains("\nstatus: pending\n"),
                "{unit}"
            );
            continue;
        }
        // What was typed stays in the file, for mending; the branch does not have it.
        assert!(unit.contains("\nstatus: draft\n"), "{editor}: {unit}");
        assert_eq!(unit.contains("[oops"), editor == "breaking");
        assert_eq!(stage.git(&["rev-parse", "HEAD"]), before, "{editor}");
    }
}

/// A feature with two gates: the first gate's unit is settled, the second's is a draft.
fn two_gates(stage: &Stage, first: &str, second: &str, second_unit: &str) {
    feature(stage, "active", "done", "implementation");
    let plan = stage.read(&format!("{DIR}/PLAN.md"));
    let more = "        depends_on: []\n  - gate: 2\n    file: GATE-02.md\n    work_units:\n      - id: FEAT-2026-0001/T02\n        file: WU-02-b.md\n        depends_on: []\n```";
    stage.write(
        &format!("{DIR}/PLAN.md"),
        &plan.replace("        depends_on: []\n```", more),
    );
    let unit = stage.read(&format!("{DIR}/WU-01-a.md"));
    let unit = unit
        .replace("/T01", "/T02")
        .replace("status: done", &format!("status: {second_unit}"));
    stage.write(&format!("{DIR}/WU-02-b.md"), &unit);
    let gate = stage.read(&format!("{DIR}/GATE-01.md"));
    let with = |number: &str, status: &str| {
        gate.replace("gate: 1", &format!("gate: {number}"))
            .replace("Gate 1", &format!("Gate {number}"))
            .replace("status: open", &format!("status: {status}"))
    };
    stage.write(&format!("{DIR}/GATE-02.md"), &with("2", second));
    stage.write(&format!("{DIR}/GATE-01.md"), &with("1", first));
    let landed = |unit: &str| {
        format!(
            "{{\"timestamp\":\"2026-01-01T00:00:00Z\",\"correlation_id\":\"FEAT-2026-0001/{unit}\",\"event_type\":\"task_completed\",\"payload\":{{}}}}\n"
        )
    };
    let mut log = landed("T01");
    if second_unit == "done" {
        log.push_str(&landed("T02"));
    }
    stage.write(&format!("{DIR}/events.jsonl"), &log);
    stage.commit("two gates");
}

#[test]
fn arm_passes_a_gate_only_from_its_review() {
    for (first, second, unit, code, gates, said) in [
        (
            "awaiting_review",
            "open",
            "draft",
            0,
            ["passed", "open"],
            "gate 1 passed, FEAT-2026-0001/T02 pending",
        ),
        (
            "awaiting_review",
            "open",
            "pending",
            0,
            ["passed", "open"],
            "gate 1 passed",
        ),
        (
            "passed",
            "open",
            "draft",
            0,
            ["passed", "open"],
            "FEAT-2026-0001/T02 pending",
        ),
        (
            "passed",
            "awaiting_review",
            "done",
            0,
            ["passed", "passed"],
            "gate 2 passed, feature done",
        ),
        // Nothing to arm, and nothing to pass: what moves the gate from there is said.
        (
            "open",
            "open",
            "draft",
            3,
            ["open", "open"],
            "cannot pass what is `open`; what moves it from there: `gatewalk loop`",
        ),
        (
            "passed",
            "open",
            "pending",
            3,
            ["passed", "open"],
            "cannot pass what is `open`; what moves it from there: `gatewalk loop`",
        ),
        (
            "passed",
            "passed",
            "done",
            3,
            ["passed", "passed"],
            "cannot pass what is `passed`; nothing moves it from there",
        ),
    ] {
        let stage = Stage::empty();
        two_gates(&stage, first, second, unit);
        let out = stage.run_with(&["arm", "FEAT-2026-0001"], &[]);
        let text = format!(
            "{}{}",
            String::from_utf8_lossy(&out.stdout),
            String::from_utf8_lossy(&out.stderr)
        );
        let case = format!("{first} {second} {unit}: {text}");
        assert_eq!(out.status.code(), Some(code), "{case}");
        assert!(text.contains(said), "{case}");
        for (file, want) in [("GATE-01.md", gates[0]), ("GATE-02.md", gates[1])] {
            let gate = stage.read(&format!("{DIR}/{file}"));
            assert!(
                gate.contains(&format!("\nstatus: {want}\n")),
                "{case}: {gate}"
            );
        }
        assert_eq!(stage.git(&["status", "--porcelain"]), "", "{case}");
        if code == 0 {
            // Plan, gate, unit and roadmap stay in step.
            stage.run(0, &["lint"]);
        }
    }
}

/// Returns the commands of the reference's examples.
fn examples() -> Vec<String> {
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/cli.md"))
        .expect("a page");
    let blocks = text
        .split("```sh\n")
        .skip(1)
        .filter_map(|b| b.split("```").next());
    blocks
        .flat_map(|b| {
            b.lines()
                .filter(|l| l.starts_with("gatewalk "))
                .map(str::to_owned)
                .collect::<Vec<_>>()
        })
        .collect()
}

#[test]
#[ignore = "long"]
fn the_examples_of_the_command_reference_work() {
    let examples = examples();
    for command in gatewalk::cli::definition().get_subcommands() {
        // `lsp` waits for an editor to speak, `mcp` for an agent, `serve` for a browser; their own tests do.
        let name = command.get_name();
        let shown = examples
            .iter()
            .any(|e| e.split_whitespace().nth(1) == Some(name));
        assert!(
            shown
                || ["lsp", "mcp", "serve"].contains(&name)
                || command.is_hide_set()
                || name == "help",
            "docs/cli.md has no example of `gatewalk {name}`"
        );
    }
    let (begun, walked) = (Stage::program(), Stage::two_gates());
    walked.walk(11, &[]);
    for example in &examples {
        let verb = example.split_whitespace().nth(1).expect("a verb");
        // Waits for a browser; tells its whole story in a test of its own.
        if ["serve", "demo"].contains(&verb) {
            continue;
        }
        let stage = begun.fork();
        match verb {
            "init" => {}
            "migrate" => {
                std::fs::rename(
                    stage.repository.join(".gatewalk"),
                    stage.repository.join(".specfuse"),
                )
                .expect("moved");
                stage.commit("older");
            }
            // What stands where a newcomer begins is enough.
            "upgrade" | "new" | "lint" | "explain" | "schema" | "completions" | "demo"
            | "doctor" => {}
            "verify" | "attempts" | "witness" | "comment" => {
                succeeds(&walked.fork(), example);
                continue;
            }
            "draft" => {
                // Nobody is there to draft: the example is understood, and says so.
                let out = stage.shell(example);
                assert_eq!(
                    out.status.code(),
                    Some(5),
                    "{example}: {}",
                    String::from_utf8_lossy(&out.stderr)
                );
                continue;
            }
            "import" => stage.write("TODO.md", "# Launch\n\n- [ ] A page\n"),
            "fix" => {
                stage.write("tests/empty_cart.sh", "exit 1\n");
                stage.commit("a check that shows a bug");
            }
            "sync" => {
                prepare(&stage, verb, example);
                stage.shell("git branch feat/FEAT-2026-0001-a && git init -q --bare ../shared.git && git remote add origin ../shared.git");
            }
            "attach" => {
                prepare(&stage, verb, example);
                stage.shell("git branch feat/FEAT-2026-0001-a");
            }
            "check" | "land" => {
                prepare(&stage, verb, example);
                stage.shell("git branch feat/FEAT-2026-0001-a");
                stage.write("README.md", "It is there.\n");
                stage.commit("work by hand");
            }
            _ => prepare(&stage, verb, example),
        }
        succeeds(&stage, example);
    }
}

fn succeeds(stage: &Stage, example: &str) {
    let out = stage.shell(example);
    assert_eq!(
        out.status.code(),
        Some(0),
        "{example}\n{}{}",
        String::from_utf8_lossy(&out.stdout),
        String::from_utf8_lossy(&out.stderr)
    );
}

/// Brings a feature where an example can be run.
fn prepare(stage: &Stage, verb: &str, example: &str) {
    let (status, unit, kind) = match verb {
        "arm" | "activate" | "review" => ("planned", "draft", "implementation"),
        "reopen" => ("blocked", "draft", "implementation"),
        "unblock" => ("active", "blocked_human", "implementation"),
        "done" => ("active", "pending", "human"),
        "wrap" | "pr" => ("done", "done", "implementation"),
        _ => ("active", "pending", "implementation"),
    };
    feature(stage, status, unit, kind);
    let named = example
        .split_whitespace()
        .find(|w| w.len() == 3 && w.starts_with('T'))
        .unwrap_or("T01");
    for file in ["PLAN.md", "WU-01-a.md"] {
        let path = format!("{DIR}/{file}");
        let text = stage
            .read(&path)
            .replace("FEAT-2026-0001/T01", &format!("FEAT-2026-0001/{named}"));
        stage.write(
            &path,
            &text.replace(
                "It is there.\n",
                "It is there.\n\n## Open questions\n\n- [ ] which?\n",
            ),
        );
    }
    if kind == "implementation" && named != "T01" {
        std::fs::rename(
            stage.repository.join(DIR).join("WU-01-a.md"),
            stage
                .repository
                .join(DIR)
                .join(format!("WU-{}-a.md", &named[1..])),
        )
        .expect("moved");
        let plan = format!("{DIR}/PLAN.md");
        stage.write(
            &plan,
            &stage
                .read(&plan)
                .replace("WU-01-a.md", &format!("WU-{}-a.md", &named[1..])),
        );
    }
    stage.commit("as the example says");
}

#[test]
fn a_session_reads_byte_for_byte_what_prompt_prints() {
    let stage = Stage::two_gates();
    let seen = stage.home.join("seen");
    std::fs::create_dir_all(&seen).expect("a directory");
    let agent = stage.home.join("catcher");
    let text = format!(
        "#!/bin/sh\nn=$(ls '{0}' | wc -l)\ncat > '{0}'/$n\n",
        seen.display()
    );
    std::fs::write(&agent, text).expect("written");
    std::fs::set_permissions(&agent, std::fs::Permissions::from_mode(0o755)).expect("ours");
    let named = format!("command:{}", agent.display());
    let walk = ["loop", "--sandbox", "off", "--agent", &named];
    let (printed, sizes) = stage.run(0, &["prompt", "T01"]);
    assert!(sizes.contains("unit"), "the sizes are apart: {sizes}");
    stage.run(11, &walk);
    let read = |n: usize| std::fs::read_to_string(seen.join(n.to_string())).expect("a session");
    assert_eq!(printed, read(0));
    assert_ne!(printed, read(1), "a retry is told what failed");
    // After a user's answer the next session is told that, too.
    let reason = [
        "unblock",
        "T01",
        "--reason",
        "again",
        "--changed",
        "the agent",
    ];
    stage.run(0, &reason);
    let sessions = std::fs::read_dir(&seen).expect("readable").count();
    let (printed, _) = stage.run(0, &["prompt", "T01"]);
    stage.run(11, &walk);
    assert_eq!(printed, read(sessions));
}

#[test]
fn a_feature_where_a_unit_is_wanted_is_called_one() {
    let stage = Stage::two_gates();
    let feature = "FEAT-2026-0001";
    for verb in [
        &["why"][..],
        &["prompt"],
        &["check"],
        &["unblock", "--reason", "r"],
        &["done", "--evidence", "e"],
    ] {
        let (_, said) = stage.run(3, &[verb, &[feature]].concat());
        let wanted = format!("`{feature}` is a feature, and this is about one of its units");
        assert!(said.contains(&wanted), "{verb:?}: {said}");
        assert!(
            said.contains(&format!("its units: {feature}/T01")),
            "{said}"
        );
    }
    let (whole, _) = stage.run(0, &["log"]);
    assert_eq!(stage.run(0, &["log", feature]).0, whole);
}
