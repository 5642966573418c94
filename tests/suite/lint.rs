//! `gatewalk lint`, `explain` and `schema` from outside: the program, its files and its exit codes.

use crate::json_schema::validate;
use assert_cmd::Command;
use serde_json::Value;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

pub(crate) const FEATURE: &str = ".gatewalk/features/FEAT-2026-0001-export";

pub(crate) struct Place {
    pub(crate) dir: TempDir,
}

pub(crate) struct Output {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Place {
    /// A state directory with one clean feature of two units.
    pub(crate) fn clean() -> Place {
        let place = Place {
            dir: crate::scratch::scratch(),
        };
        place.put(
            ".gatewalk/verification.yml",
            "code:\n  - name: tests\n    command: cargo test\n",
        );
        place.put(&format!("{FEATURE}/PLAN.md"), PLAN);
        place.put(
            &format!("{FEATURE}/GATE-01.md"),
            "---\ngate: 1\nstatus: open\n---\n\n# Gate 1\n",
        );
        place.put(&format!("{FEATURE}/WU-01-export.md"), &unit(1));
        place.put(&format!("{FEATURE}/WU-02-import.md"), &unit(2));
        place
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub(crate) fn put(&self, name: &str, text: &str) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    /// Replaces one text in a file.
    pub(crate) fn edit(&self, name: &str, from: &str, to: &str) {
        let text = self.read(name);
        assert!(text.contains(from), "{name} has no {from:?}");
        self.put(name, &text.replacen(from, to, 1));
    }

    pub(crate) fn run(&self, args: &[&str]) -> Output {
        self.run_with(args, "")
    }

    pub(crate) fn run_with(&self, args: &[&str], stdin: &str) -> Output {
        let output = Command::cargo_bin("gatewalk")
            .unwrap()
            .current_dir(self.dir.path())
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.dir.path())
            .args(args)
            .write_stdin(stdin)
            .output()
            .unwrap();
        Output {
            code: output.status.code().unwrap_or(-1),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }

    pub(crate) fn git(&self, args: &[&str]) {
        let config = [
            "-c",
            "user.name=t",
            "-c",
            "user.email=t@t",
            "-c",
            "init.defaultBranch=main",
        ];
        let status = std::process::Command::new("git")
            .args(config)
            .args(args)
            .current_dir(self.dir.path())
            .output()
            .unwrap();
        assert!(
            status.status.success(),
            "{args:?}: {}",
            String::from_utf8_lossy(&status.stderr)
        );
    }
}

const PLAN: &str = "---
feature_id: FEAT-2026-0001
title: Export
branch: feat/export
roadmap_goal: Orders come out.
status: active
---

# Export

```yaml
gates:
  - gate: 1
    file: GATE-01.md
    work_units:
      - id: FEAT-2026-0001/T01
        file: WU-01-export.md
        depends_on: []
      - id: FEAT-2026-0001/T02
        file: WU-02-import.md
        depends_on: [FEAT-2026-0001/T01]
```
";

pub(crate) fn unit(number: u32) -> String {
    format!(
        "---\nid: FEAT-2026-0001/T{number:02}\ntype: implementation\nstatus: pending\nplanned_cost_usd: 2.00\ntouches: any\n---\n\n# Do it\n\n\
         ## Objective\n\nIt is done.\n\n## Context\n\nOrders are in `src/orders.rs`.\n\n## Acceptance criteria\n\n1. `cargo test export` passes.\n\n\
         ## Do not touch\n\n- `src/billing.rs`.\n\n## Verification\n\n- `cargo test`\n\n## Escalation triggers\n\n- No orders.\n"
    )
}

#[test]
fn a_clean_directory_is_silent_and_exits_0() {
    let output = Place::clean().run(&["lint"]);
    assert_eq!(
        (output.code, output.out.as_str(), output.err.as_str()),
        (0, "", "no findings\n")
    );
}

#[test]
fn errors_exit_1_and_say_where() {
    let place = Place::clean();
    place.edit(
        &format!("{FEATURE}/WU-01-export.md"),
        "status: pending",
        "status: panding",
    );
    let output = place.run(&["lint", "--output-format", "concise"]);
    assert_eq!(output.code, 1);
    let line = format!(
        "{FEATURE}/WU-01-export.md:4:9: error[GW108] `panding` is not a value of `status`; did you mean `pending`?\n"
    );
    assert_eq!(output.out, line);
    let full = place.run(&["lint"]);
    for part in [
        "error[GW108]",
        ":4:9",
        "status: panding",
        "^^^^^^^",
        "did you mean `pending`?",
        "gatewalk explain GW108",
    ] {
        assert!(full.out.contains(part), "{part} is not in\n{}", full.out);
    }
    assert!(!full.out.contains('\u{1b}'), "colours in a pipe");
}

#[test]
fn the_threshold_decides_what_fails() {
    let place = Place::clean();
    place.put(&format!("{FEATURE}/WU-07-lost.md"), &unit(7));
    for (fail_on, code) in [("error", 0), ("warning", 1), ("info", 1), ("never", 0)] {
        assert_eq!(
            place.run(&["lint", "--fail-on", fail_on]).code,
            code,
            "{fail_on}"
        );
    }
}

#[test]
fn usage_and_missing_directories_have_their_own_codes() {
    let place = Place::clean();
    assert_eq!(place.run(&["lint", "--select", "GW999"]).code, 2);
    assert_eq!(place.run(&["lint", "--selekt", "x"]).code, 2);
    assert_eq!(place.run(&["lint", "no/such/file"]).code, 2);
    let empty = Place {
        dir: crate::scratch::scratch(),
    };
    let output = empty.run(&["lint"]);
    assert_eq!(output.code, 3);
    assert!(output.err.contains("gatewalk init"), "{}", output.err);
}

#[test]
fn a_misspelt_rule_is_suggested() {
    let output = Place::clean().run(&["lint", "--ignore", "dependency-cycel"]);
    assert!(
        output.err.contains("did you mean `dependency-cycle`?"),
        "{}",
        output.err
    );
}

#[test]
fn a_misspelt_bound_is_an_error_wherever_it_stands() {
    let unit = format!("{FEATURE}/WU-01-export.md");
    let plan = format!("{FEATURE}/PLAN.md");
    for (file, line) in [
        (&unit, "toches: [src/**]"),
        (&unit, "touch: [src/**]"),
        (&unit, "do_not_tuch: [src/**]"),
        (&unit, "prodces: a.txt"),
        (&unit, "chekcs: []"),
        (&unit, "max_attempt: 1"),
        (&unit, "time_out: 5m"),
        (&unit, "idle_timout: 5m"),
        (&unit, "human-only: true"),
        (&unit, "auto_close_disable: true"),
        (&unit, "budget-usd: 1"),
        (&plan, "autonomy_defualt: supervised"),
        (&plan, "rot: src"),
        (&plan, "bsae: main"),
        (&plan, "budget_us: 1"),
    ] {
        let place = Place::clean();
        place.edit(file, "\n---\n", &format!("\n{line}\n---\n"));
        let output = place.run(&["lint", "--output-format", "concise", "--select", "GW105"]);
        assert_eq!(output.code, 1, "{line}: {}", output.out);
        assert!(
            output.out.contains("error[GW105]"),
            "{line}: {}",
            output.out
        );
        assert!(
            output.out.contains("did you mean"),
            "{line}: {}",
            output.out
        );
    }
    for line in [
        "sandbx: require",
        "flakey: fail",
        "netwrok: off",
        "armed-by: approval",
        "sync_: origin",
    ] {
        let place = Place::clean();
        place.put(".gatewalk/config.yml", &format!("{line}\n"));
        let output = place.run(&["lint", "--output-format", "concise", "--select", "GW105"]);
        assert!(
            output.out.contains("error[GW105]"),
            "{line}: {}",
            output.out
        );
    }
}

#[test]
fn six_errors_take_six_lines() {
    let place = Place::clean();
    let file = format!("{FEATURE}/WU-01-export.md");
    place.edit(&file, "type: implementation", "type: implementaton\ntimeout: soon\nidle_timeout: 5\nmax_attempts: many\nproduces: /etc/passwd\nbudget_usd: lots");
    let output = place.run(&["lint", "--output-format", "concise", "--ignore", "GW116"]);
    assert_eq!(output.out.lines().count(), 6, "{}", output.out);
    assert!(output.out.lines().all(|line| line.contains("error[GW")));
}

#[test]
fn paths_choose_what_is_shown_but_not_what_is_seen() {
    let place = Place::clean();
    place.edit(
        &format!("{FEATURE}/PLAN.md"),
        "depends_on: [FEAT-2026-0001/T01]",
        "depends_on: [FEAT-2026-0001/T09]",
    );
    place.edit(
        &format!("{FEATURE}/WU-01-export.md"),
        "status: pending",
        "status: panding",
    );
    let codes = |args: &[&str]| -> Vec<String> {
        let output = place.run(&[&["lint", "--output-format", "jsonl"], args].concat());
        output
            .out
            .lines()
            .map(|l| {
                serde_json::from_str::<Value>(l).unwrap()["code"]
                    .as_str()
                    .unwrap()
                    .to_owned()
            })
            .collect()
    };
    assert_eq!(codes(&[]), ["GW302", "GW108"]);
    assert_eq!(codes(&[FEATURE]), ["GW302", "GW108"]);
    assert_eq!(codes(&[&format!("{FEATURE}/PLAN.md")]), ["GW302"]);
    assert_eq!(
        codes(&[&format!("{FEATURE}/WU-02-import.md")]),
        [] as [&str; 0]
    );
    assert_eq!(codes(&["--select", "GW3"]), ["GW302"]);
    assert_eq!(codes(&["--ignore", "unknown-dependency"]), ["GW108"]);
}

#[test]
fn standard_input_stands_in_for_a_file() {
    let place = Place::clean();
    let name = format!("{FEATURE}/WU-01-export.md");
    let text = unit(1).replace("status: pending", "status: panding");
    let output = place.run_with(
        &[
            "lint",
            "--stdin-filename",
            &name,
            "--output-format",
            "concise",
        ],
        &text,
    );
    assert_eq!(output.code, 1);
    assert!(output.out.contains("GW108"), "{}", output.out);
    assert_eq!(place.run(&["lint"]).code, 0, "the file itself is as it was");
}

#[test]
fn changed_shows_what_the_changes_brought_wherever_it_is() {
    let place = Place::clean();
    place.edit(
        &format!("{FEATURE}/WU-02-import.md"),
        "## Objective",
        "## Objectives of old",
    );
    place.git(&["init", "-q"]);
    place.git(&["add", "-A"]);
    place.git(&["commit", "-q", "-m", "plan"]);
    let concise = ["lint", "--changed", "--output-format", "concise"];
    assert_eq!(place.run(&concise).out, "", "nothing has changed");
    // Taking a unit out of the graph makes a finding in a file that has not changed.
    let plan = format!("{FEATURE}/PLAN.md");
    place.edit(&plan, "      - id: FEAT-2026-0001/T02\n        file: WU-02-import.md\n        depends_on: [FEAT-2026-0001/T01]\n", "");
    let output = place.run(&concise);
    assert!(
        output.out.contains("WU-02-import.md") && output.out.contains("GW313"),
        "{}",
        output.out
    );
    assert!(
        !output.out.contains("GW117"),
        "an old finding of an unchanged file: {}",
        output.out
    );
}

#[test]
fn fixing_writes_what_is_safe_and_twice_is_once() {
    let place = Place::clean();
    let plan = format!("{FEATURE}/PLAN.md");
    place.edit(&plan, "branch: feat/export", "branch: 1.10 # the train");
    place.edit(
        &format!("{FEATURE}/WU-01-export.md"),
        "status: pending",
        "staus: pending",
    );
    let shown = place.run(&["lint", "--fix", "--diff"]);
    assert!(
        shown
            .out
            .contains("-branch: 1.10 # the train\n+branch: \"1.10\" # the train\n"),
        "{}",
        shown.out
    );
    assert!(
        place.read(&plan).contains("branch: 1.10 "),
        "--diff writes nothing"
    );
    place.run(&["lint", "--fix"]);
    let once = place.read(&plan);
    assert!(once.contains("branch: \"1.10\" # the train\n"), "{once}");
    assert!(
        place
            .read(&format!("{FEATURE}/WU-01-export.md"))
            .contains("staus: pending"),
        "renaming a key is not safe"
    );
    place.run(&["lint", "--fix"]);
    assert_eq!(place.read(&plan), once);
    place.run(&["lint", "--unsafe-fixes"]);
    assert!(
        place
            .read(&format!("{FEATURE}/WU-01-export.md"))
            .contains("\nstatus: pending")
    );
    assert_eq!(place.run(&["lint"]).code, 0);
}

#[test]
fn a_baseline_hides_what_was_there_and_nothing_more() {
    let place = Place::clean();
    place.put(&format!("{FEATURE}/WU-07-lost.md"), &unit(7));
    let args = [
        "lint",
        "--baseline",
        "lint-baseline.json",
        "--output-format",
        "concise",
    ];
    assert_eq!(place.run(&args).code, 2, "no baseline yet");
    assert_eq!(
        place.run(&[&args[..], &["--write-baseline"]].concat()).code,
        0
    );
    assert_eq!(place.run(&args).out, "");
    place.edit(
        &format!("{FEATURE}/WU-07-lost.md"),
        "---\nid",
        "---\n# moved down by a line\nid",
    );
    assert_eq!(place.run(&args).out, "", "lines may move");
    place.put(&format!("{FEATURE}/WU-08-lost.md"), &unit(8));
    assert_eq!(place.run(&args).out.lines().count(), 1);
}

#[test]
fn settings_raise_and_lower_but_never_below_error() {
    let place = Place::clean();
    place.put(&format!("{FEATURE}/WU-07-lost.md"), &unit(7));
    place.put(
        ".gatewalk/config.yml",
        "severity:\n  orphan-file: error\n  GW301: off\n",
    );
    let plan = format!("{FEATURE}/PLAN.md");
    place.edit(&plan, "depends_on: []", "depends_on: [FEAT-2026-0001/T02]");
    let output = place.run(&["lint", "--output-format", "concise"]);
    assert!(
        output.out.contains("error[GW313]") && output.out.contains("error[GW301]"),
        "{}",
        output.out
    );
    place.put(".gatewalk/config.yml", "severity:\n  GW313: off\n");
    place.edit(&plan, "depends_on: [FEAT-2026-0001/T02]", "depends_on: []");
    assert_eq!(place.run(&["lint", "--output-format", "concise"]).out, "");
}

#[test]
fn every_format_says_the_same_findings() {
    let place = Place::clean();
    place.edit(
        &format!("{FEATURE}/PLAN.md"),
        "depends_on: []",
        "depends_on: [FEAT-2026-0001/T02]",
    );
    place.edit(
        &format!("{FEATURE}/PLAN.md"),
        "branch: feat/export",
        "branch: \"feat/ex:port, 100%\"",
    );
    place.put(&format!("{FEATURE}/WU-07-<lost> ü.md"), &unit(7));
    let run = |format: &str| place.run(&["lint", "--output-format", format]).out;
    let json: Value = serde_json::from_str(&run("json")).unwrap();
    let findings = json["findings"].as_array().unwrap();
    assert_eq!(
        (json["version"].as_u64(), findings.len()),
        (Some(1), 3),
        "{json:#}"
    );
    let cycle = findings.iter().find(|f| f["code"] == "GW301").unwrap();
    assert_eq!(cycle["start"]["line"], 18);
    assert_eq!(cycle["related"].as_array().unwrap().len(), 1);
    assert_eq!(run("jsonl").lines().count(), 3);
    let github = run("github");
    assert!(
        github
            .lines()
            .all(|l| l.starts_with("::error file=") || l.starts_with("::warning file=")),
        "{github}"
    );
    assert!(github.contains("100%25"), "{github}");
    let junit = run("junit");
    assert_eq!(junit.matches("<failure").count(), 3, "{junit}");
    assert!(junit.contains("WU-07-&lt;lost&gt; ü.md"), "{junit}");
}

#[test]
fn sarif_is_valid_and_complete() {
    let schema: Value =
        serde_json::from_str(include_str!("../fixtures/sarif/sarif-schema-2.1.0.json")).unwrap();
    let place = Place::clean();
    for broken in [false, true] {
        if broken {
            place.edit(
                &format!("{FEATURE}/PLAN.md"),
                "depends_on: []",
                "depends_on: [FEAT-2026-0001/T02, T02]",
            );
            place.edit(
                &format!("{FEATURE}/PLAN.md"),
                "branch: feat/export",
                "branch: 1.10",
            );
            place.put(&format!("{FEATURE}/WU-07 ü#.md"), "\u{feff}no frontmatter");
            place.put(".gatewalk/verification.yml", "code: {");
        }
        let output = place.run(&["lint", "--output-format", "sarif"]);
        let sarif: Value = serde_json::from_str(&output.out).unwrap();
        let wrong = validate(&schema, &sarif);
        assert!(wrong.is_empty(), "{wrong:#?}");
        let results = sarif["runs"][0]["results"].as_array().unwrap();
        assert_eq!(results.is_empty(), !broken);
        let rules = sarif["runs"][0]["tool"]["driver"]["rules"]
            .as_array()
            .unwrap();
        for result in results {
            let index = result["ruleIndex"].as_u64().unwrap() as usize;
            assert_eq!(rules[index]["id"], result["ruleId"]);
        }
        assert!(!broken || results.iter().any(|r| r["fixes"].is_array()));
    }
}

#[test]
fn places_are_right_with_marks_tabs_and_wide_letters() {
    let check = |text: &str, line: usize, column: usize| {
        let place = Place::clean();
        place.put(&format!("{FEATURE}/WU-01-export.md"), text);
        let output = place.run(&["lint", "--output-format", "concise", "--select", "GW108"]);
        let want = format!("WU-01-export.md:{line}:{column}: ");
        assert!(output.out.contains(&want), "{text:?}\n{}", output.out);
        let full = place.run(&["lint", "--select", "GW108"]);
        assert!(
            full.out
                .contains(&format!("WU-01-export.md:{line}:{column}\n")),
            "{text:?}\n{}",
            full.out
        );
    };
    check("---\nstatus: panding\n---\n", 2, 9);
    check("\u{feff}---\nstatus: panding\n---\n", 2, 9);
    check("---\r\nid: a\r\nstatus: panding\r\n---\r\n", 3, 9);
    check("---\n{ title: Größe, status: panding }\n---\n", 2, 25);
    check("---\nstatus:\tpanding\n---\n", 2, 9);
}

#[test]
fn statistics_count_the_findings_of_each_rule() {
    let place = Place::clean();
    place.put(&format!("{FEATURE}/WU-07-lost.md"), &unit(7));
    assert_eq!(
        place.run(&["lint", "--statistics"]).out,
        "     1  GW313  warning  orphan-file\n"
    );
}

#[test]
fn explain_prints_a_page_by_code_and_by_name() {
    let place = Place::clean();
    let by_code = place.run(&["explain", "gw301"]);
    assert!(
        by_code.out.starts_with("# dependency-cycle (GW301)\n"),
        "{}",
        by_code.out
    );
    assert_eq!(place.run(&["explain", "dependency-cycle"]).out, by_code.out);
    let wrong = place.run(&["explain", "dependency-cicle"]);
    assert_eq!(wrong.code, 2);
    assert!(
        wrong.err.contains("did you mean `dependency-cycle`?"),
        "{}",
        wrong.err
    );
}

/// Compares a checked-in file with what the program makes; `GATEWALK_BLESS=1` writes it anew.
fn drift(file: &Path, want: &str) {
    if std::env::var_os("GATEWALK_BLESS").is_some() {
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, want).unwrap();
    }
    let have = std::fs::read_to_string(file).unwrap_or_default();
    assert!(
        have == want,
        "{} is out of date; GATEWALK_BLESS=1 writes it anew",
        file.display()
    );
}

#[test]
fn the_reference_of_rules_is_what_the_program_prints() {
    let place = Place::clean();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    drift(
        &root.join("docs/rules/README.md"),
        &place.run(&["explain", "--all"]).out,
    );
}

#[test]
fn the_schemas_are_what_the_program_prints_and_accept_what_lint_accepts() {
    let place = Place::clean();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for kind in place.run(&["schema"]).out.lines() {
        let schema = place.run(&["schema", kind]);
        drift(
            &root.join(format!("schemas/{kind}.schema.json")),
            &schema.out,
        );
    }
    let schema: Value = serde_json::from_str(&place.run(&["schema", "unit"]).out).unwrap();
    let good = serde_json::json!({
        "id": "FEAT-2026-0001/T01", "type": "implementation", "status": "pending", "timeout": "1h30m",
        "produces": ["a", "b"], "checks": [{ "name": "x", "run": "y", "expect_base": "red" }],
    });
    assert_eq!(validate(&schema, &good), [] as [&str; 0]);
    for (key, value) in [
        ("timeout", serde_json::json!("90")),
        ("status", "panding".into()),
        ("id", "T01".into()),
        ("max_atempts", 3.into()),
    ] {
        let mut bad = good.clone();
        bad[key] = value;
        assert!(!validate(&schema, &bad).is_empty(), "{key}");
    }
}

#[test]
fn lint_writes_nothing() {
    let place = Place::clean();
    place.edit(
        &format!("{FEATURE}/PLAN.md"),
        "branch: feat/export",
        "branch: 1.10",
    );
    let stamp = |place: &Place| {
        let walk = walkdir::WalkDir::new(place.dir.path()).sort_by_file_name();
        walk.into_iter()
            .map(|e| e.unwrap())
            .map(|e| {
                (
                    e.path().to_owned(),
                    e.metadata().unwrap().modified().unwrap(),
                )
            })
            .collect::<Vec<_>>()
    };
    let before = stamp(&place);
    place.run(&["lint"]);
    place.run(&["lint", "--output-format", "sarif"]);
    place.run(&["lint", "--fix", "--diff"]);
    assert_eq!(stamp(&place), before);
}
