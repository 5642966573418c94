//! Every example of every page is linted; fixing is tried on all of them.

mod cost_of_findings;
mod example_plan;
mod fuzz;

use super::{Options, fix, rules, run};
use crate::diagnostic::{Diagnostic, Fix, Severity};
use crate::model::layout::Layout;
use crate::model::workspace::{FileSet, Workspace};
use example_plan::{Case, Verdict};
use std::collections::BTreeMap;

fn lint(files: &FileSet) -> Vec<Diagnostic> {
    run(
        &Workspace::parse(Layout::Gatewalk, files),
        &Options::default(),
    )
}

fn show(found: &[Diagnostic]) -> String {
    let line = |d: &Diagnostic| {
        format!(
            "  {} {:?} {} {:?}: {}\n",
            d.code, d.severity, d.primary.path, d.primary.span, d.message
        )
    };
    found.iter().map(line).collect()
}

fn all_cases() -> Vec<(&'static str, Case)> {
    rules::TABLE
        .iter()
        .flat_map(|rule| {
            example_plan::cases(rule.page)
                .into_iter()
                .map(|case| (rule.code, case))
        })
        .collect()
}

#[test]
fn the_base_of_all_examples_is_clean() {
    let found = lint(&example_plan::base());
    assert!(
        found.iter().all(|d| d.severity == Severity::Info),
        "{}",
        show(&found)
    );
}

#[test]
fn every_example_shows_what_its_page_describes() {
    let mut wrong = String::new();
    for (code, case) in all_cases() {
        let found = lint(&case.files);
        let hit = found.iter().any(|d| d.code == code);
        let errors: Vec<_> = found
            .iter()
            .filter(|d| d.severity == Severity::Error)
            .cloned()
            .collect();
        match case.verdict {
            Verdict::Bad if !hit => {
                wrong += &format!(
                    "{code}: a bad example is not found:\n{}{}\n",
                    case.text,
                    show(&found)
                )
            }
            Verdict::Good if hit => {
                wrong += &format!(
                    "{code}: a good example is found:\n{}{}\n",
                    case.text,
                    show(&found)
                )
            }
            Verdict::Good if !errors.is_empty() => {
                wrong += &format!(
                    "{code}: a good example has errors:\n{}{}\n",
                    case.text,
                    show(&errors)
                )
            }
            _ => {}
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

const SETTINGS: [&str; 3] = ["", "severity: {all: error}\n", "severity: {all: off}\n"];

/// Expects that who asks for the errors of an example finds those among all of its findings.
fn expect_its_errors(code: &str, mut case: Case, setting: &str) {
    if !setting.is_empty() {
        let setting = setting.as_bytes().into();
        case.files
            .insert(".gatewalk/config.yml".to_owned(), setting);
    }
    let workspace = Workspace::parse(Layout::Gatewalk, &case.files);
    for feature in workspace.features() {
        let mut all = super::run_feature(&workspace, feature);
        all.retain(|d| d.severity == Severity::Error);
        let errors = super::feature_errors(&workspace, feature);
        assert_eq!(
            show(&errors),
            show(&all),
            "{code} {setting}:\n{}",
            case.text
        );
    }
}

#[test]
fn asking_for_errors_finds_the_errors_of_all_rules() {
    for ((code, case), setting) in std::iter::zip(all_cases(), SETTINGS.into_iter().cycle()) {
        expect_its_errors(code, case, setting);
    }
}

#[test]
#[ignore = "long"]
fn asking_for_errors_finds_those_of_every_example_whatever_is_set() {
    for setting in SETTINGS {
        for (code, case) in all_cases() {
            expect_its_errors(code, case, setting);
        }
    }
}

#[test]
fn every_page_has_its_parts() {
    for rule in rules::TABLE {
        let page = rule.page;
        assert!(
            page.starts_with(&format!("# {} ({})\n", rule.name(), rule.code)),
            "{}",
            rule.code
        );
        let mut at = 0;
        for heading in [
            "## What it does",
            "## Why is this bad",
            "## Examples",
            "## How to fix",
        ] {
            let found = page[at..].find(heading);
            at += found.unwrap_or_else(|| panic!("{} lacks or misplaces `{heading}`", rule.code));
        }
        let cases = example_plan::cases(page);
        assert!(
            cases.iter().any(|c| c.verdict == Verdict::Bad),
            "{} has no bad example",
            rule.code
        );
        assert!(
            cases.iter().any(|c| c.verdict == Verdict::Good),
            "{} has no good example",
            rule.code
        );
        assert!(rule.summary().len() > 20, "{}", rule.code);
    }
}

#[test]
fn codes_rise_and_names_are_unique() {
    let codes: Vec<_> = rules::TABLE.iter().map(|r| r.code).collect();
    assert!(codes.windows(2).all(|pair| pair[0] < pair[1]), "{codes:?}");
    let names: std::collections::BTreeSet<_> =
        rules::TABLE.iter().map(super::rule::Rule::name).collect();
    assert_eq!(names.len(), codes.len());
}

fn by_code(found: &[Diagnostic]) -> BTreeMap<&'static str, usize> {
    found.iter().fold(BTreeMap::new(), |mut counts, d| {
        *counts.entry(d.code).or_default() += 1;
        counts
    })
}

#[test]
fn fixing_every_example_twice_equals_once_and_adds_no_finding() {
    for (code, case) in all_cases() {
        let found = lint(&case.files);
        let fixes: Vec<&Fix> = found.iter().filter_map(|d| d.fix.as_ref()).collect();
        for also_unsafe in [false, true] {
            // With nothing to do it does nothing, and what is safe was done before.
            if !fixes.iter().any(|fix| fix.safe != also_unsafe) {
                continue;
            }
            let options = Options::default();
            let fixed = fix::fix(Layout::Gatewalk, &case.files, &options, |_, fix| {
                fix.safe || also_unsafe
            });
            let mut once = case.files.clone();
            once.extend(fixed.files);
            let again = fix::fix(Layout::Gatewalk, &once, &options, |_, fix| {
                fix.safe || also_unsafe
            });
            assert!(
                again.files.is_empty(),
                "{code}: fixing again changes {:?}",
                again.files.keys()
            );
            let (before, after) = (by_code(&found), by_code(&lint(&once)));
            for (found, count) in after {
                let had = before.get(found).copied().unwrap_or(0);
                assert!(
                    also_unsafe || count <= had,
                    "{code}: fixing adds {found}:\n{}",
                    case.text
                );
            }
        }
    }
}

#[test]
fn findings_stay_inside_their_files() {
    for (code, case) in all_cases() {
        for d in lint(&case.files) {
            let places = std::iter::once(&d.primary).chain(&d.related);
            for place in places {
                let Some(bytes) = case.files.get(&*place.path) else {
                    assert_eq!(place.span, 0..0, "{code}: {} is not there", place.path);
                    continue;
                };
                let text = String::from_utf8_lossy(bytes);
                assert!(
                    text.get(place.span.clone()).is_some(),
                    "{code}: {} {:?} of {}",
                    place.path,
                    place.span,
                    text.len()
                );
            }
        }
    }
}

const UNIT_PATH: &str = ".gatewalk/features/FEAT-2026-0001-export/WU-01-export.md";

/// Returns the codes found in the base's unit, its bytes replaced.
fn codes_in_unit(bytes: Vec<u8>) -> Vec<&'static str> {
    let mut files = example_plan::base();
    files.insert(UNIT_PATH.to_owned(), bytes.into());
    let found = lint(&files);
    found
        .iter()
        .filter(|d| &*d.primary.path == UNIT_PATH && d.severity > Severity::Info)
        .map(|d| d.code)
        .collect()
}

#[test]
fn an_unreadable_file_is_one_finding_that_names_its_cause() {
    let base = example_plan::base();
    let text = String::from_utf8_lossy(&base[UNIT_PATH]).into_owned();
    let utf16 = |mark: &[u8], text: &str| {
        let units = text.encode_utf16().flat_map(u16::to_le_bytes);
        mark.iter().copied().chain(units).collect::<Vec<u8>>()
    };
    let conflict = text.replacen(
        "status: pending\n",
        "<<<<<<< HEAD\nstatus: pending\n=======\nstatus: draft\n>>>>>>> topic\n",
        1,
    );
    let broken = text.replacen("status: pending", "statsu: [pending", 1);
    for (bytes, want) in [
        (utf16(&[0xff, 0xfe], &text), "GW112"),
        (utf16(&[], &text), "GW112"),
        (conflict.into_bytes(), "GW124"),
        (broken.into_bytes(), "GW103"),
        (text.replacen("---\n", "", 1).into_bytes(), "GW101"),
    ] {
        let head = String::from_utf8_lossy(&bytes[..60]).into_owned();
        assert_eq!(codes_in_unit(bytes), [want], "{head}");
    }
}

#[test]
fn only_what_a_change_brought_is_held_against_it() {
    let with = |edits: &[(&str, &str)]| {
        let mut files = example_plan::base();
        let mut text = String::from_utf8_lossy(&files[UNIT_PATH]).into_owned();
        for (old, new) in edits {
            assert!(text.contains(old));
            text = text.replacen(old, new, 1);
        }
        files.insert(UNIT_PATH.to_owned(), text.into_bytes().into());
        Workspace::parse(Layout::Gatewalk, &files)
    };
    let slip = ("status: pending", "status: pending\nattempts: many");
    let other = ("type: implementation", "type: implementing");
    let before = with(&[slip]);
    let errors = |after: &Workspace| {
        let found = super::changed_feature_errors(after, &before.features[0], &after.features[0]);
        found.iter().map(|d| d.code).collect::<Vec<_>>()
    };
    assert!(
        lint(&example_plan::base())
            .iter()
            .all(|d| d.severity < Severity::Error)
    );
    let known = run(&before, &Options::default());
    assert!(known.iter().any(|d| d.code == "GW107"), "{}", show(&known));
    assert_eq!(errors(&with(&[slip])), [""; 0]);
    assert_eq!(errors(&with(&[slip, other])), ["GW108"]);
}

#[test]
fn unreadable_commands_are_not_missed_by_the_units() {
    let path = ".gatewalk/verification.yml";
    let unit = "code:\n  - {name: t, command: \"a\" b}\n";
    let mut files = example_plan::base();
    files.insert(path.to_owned(), unit.as_bytes().into());
    let found = lint(&files);
    let errors = found.iter().filter(|d| d.severity == Severity::Error);
    let errors: Vec<_> = errors.map(|d| (d.code, &*d.primary.path)).collect();
    assert_eq!(errors, [("GW103", path)]);
    // Readable, they are.
    files.insert(path.to_owned(), (*b"doc: []\n").into());
    assert!(lint(&files).iter().any(|d| d.code == "GW601"));
}

#[test]
fn a_line_that_is_no_yaml_comes_with_what_mends_it() {
    let base = example_plan::base();
    let text = String::from_utf8_lossy(&base[UNIT_PATH]).into_owned();
    for (line, want) in [
        ("touches: [src/a.rs", "bracket"),
        ("model: \"fast", "close the quotes"),
        ("model: \"a\" b", "single quotes"),
        ("model: 'a' b", "double quotes"),
        ("model: [ -f a ] && b", "whole value"),
        ("model:fast", "space behind the colon"),
        ("model = fast", "not `=`"),
        ("model:\u{a0}fast", "plain space"),
        ("model: @fast", "quotes"),
        ("checks:\n\t- name: a", "tabs"),
        ("model fast", "`key: value`"),
    ] {
        let mut files = example_plan::base();
        let text = text.replacen(
            "status: pending\n",
            &format!("status: pending\n{line}\n"),
            1,
        );
        files.insert(UNIT_PATH.to_owned(), text.into_bytes().into());
        let found = lint(&files);
        let helps: Vec<_> = found
            .iter()
            .filter(|d| &*d.primary.path == UNIT_PATH)
            .map(|d| {
                format!(
                    "{} {} {}",
                    d.code,
                    d.message,
                    d.help.as_deref().unwrap_or_default()
                )
            })
            .collect();
        assert!(
            helps.iter().any(|help| help.contains(want)),
            "{line}: {helps:#?}"
        );
    }
}

#[test]
fn what_has_one_meaning_is_mended_safely_and_what_guesses_is_not() {
    for (old, new, want) in [
        (
            "status: pending",
            "status: Pending",
            Some("status: pending"),
        ),
        (
            "status: pending",
            "Status: pending",
            Some("status: pending"),
        ),
        (
            "status: pending",
            "status: pending\nplanned-cost-usd: 2",
            None,
        ),
        (
            "status: pending",
            "status: pending\ntouches: [\u{201c}src/**\u{201d}]",
            Some("touches: [\"src/**\"]"),
        ),
        ("status: pending", "status: pendign", None),
        ("status: pending", "status: pending\nagent: cluade", None),
    ] {
        let mut files = example_plan::base();
        let text = String::from_utf8_lossy(&files[UNIT_PATH]).into_owned();
        let text = text.replacen(old, new, 1);
        files.insert(UNIT_PATH.to_owned(), text.clone().into_bytes().into());
        let fixed = fix::fix(Layout::Gatewalk, &files, &Options::default(), |_, fix| {
            fix.safe
        });
        let now = fixed.files.get(UNIT_PATH);
        let now = now.map(|bytes| String::from_utf8_lossy(bytes).into_owned());
        match want {
            Some(want) => assert!(
                now.as_ref().is_some_and(|now| now.contains(want)),
                "{new}: {now:?}"
            ),
            None => assert_eq!(now, None, "{new}"),
        }
    }
}

/// A hand's slip in the example plan: the file's end, what was there, what is there, and the code of the first finding with
/// a part of its advice.
const SLIPS: &[(&str, &str, &str, &str, &str)] = &[
    (UNIT, "---\nid", "\n---\nid", "GW101", "blank lines"),
    (
        UNIT,
        "status: pending",
        "status:pending",
        "GW103",
        "space behind",
    ),
    (
        UNIT,
        "    run: cargo test csv",
        "\trun: cargo test csv",
        "GW103",
        "YAML takes no tabs there",
    ),
    (
        PLAN,
        "feature_id: FEAT-2026-0001",
        "feature_id: feat-2026-0001",
        "GW201",
        "did you mean `FEAT-2026-0001`",
    ),
    (UNIT, "## Context", "##Context", "GW115", "is `##Context`"),
    (
        UNIT,
        "id: FEAT-2026-0001/T01",
        "id: T1",
        "GW201",
        "`FEAT-2026-0001/T01`",
    ),
    (
        UNIT,
        "cost_usd: 2.00",
        "cost_usd: $2",
        "GW107",
        "number alone",
    ),
    (
        UNIT,
        "[REQ-EXPORT-1]",
        "[req-export-1]",
        "GW612",
        "did you mean `REQ-EXPORT-1`",
    ),
    (
        UNIT,
        "    run: cargo test csv",
        "    command: cargo test csv",
        "GW105",
        "did you mean `run`",
    ),
    (
        UNIT,
        "run: cargo test csv",
        "run: [ -f a ]",
        "GW107",
        "in quotes",
    ),
    (
        UNIT,
        "status: pending",
        "status: in-progress",
        "GW108",
        "did you mean `pending`",
    ),
    (
        UNIT,
        "status: pending",
        "status: completed",
        "GW108",
        "did you mean `done`",
    ),
    (PLAN, "```yaml", "```yml", "GW310", "its language is yml"),
    (
        PLAN,
        "work_units:",
        "units:",
        "GW105",
        "did you mean `work_units`",
    ),
    (
        PLAN,
        "- REQ-EXPORT-1:",
        "- REQ-EXPORT-1",
        "GW612",
        "of PLAN.md names it",
    ),
    (
        PLAN,
        "WU-01-export.md",
        "./WU-01-export.md",
        "GW702",
        "without a path",
    ),
    (
        PLAN,
        "WU-01-export.md",
        "WU-01-exprot.md",
        "GW306",
        "did you mean `WU-01-export.md`",
    ),
    (
        PLAN,
        "work_units:",
        "x:",
        "GW106",
        "`work_units:` and below it",
    ),
    (
        PLAN,
        "file: GATE-01.md",
        "x: GATE-01.md",
        "GW106",
        "lies beside PLAN.md",
    ),
    (
        VERIFICATION,
        "code:",
        "code: cargo test\nother:",
        "GW107",
        "`name: …` and `command: …`",
    ),
    (
        VERIFICATION,
        "code:",
        "cod:",
        "GW622",
        "did you mean `code`",
    ),
    (
        VERIFICATION,
        "code:",
        "tests:",
        "GW622",
        "did you mean `code`",
    ),
    (
        UNIT,
        "status: pending",
        "status: pending\ndepends_on: [FEAT-2026-0001/T02]",
        "GW105",
        "in the graph of `PLAN.md`",
    ),
    (
        UNIT,
        "status: pending",
        "status: pending\ncost_budget_usd: 4",
        "GW105",
        "a key of `GATE-NN.md`",
    ),
    (
        UNIT,
        "status: pending",
        "status: pending\nroadmap_goal: orders",
        "GW105",
        "a key of `PLAN.md`",
    ),
    (
        UNIT,
        "run: cargo test csv",
        "run: [cargo, test, csv]",
        "GW107",
        "`run: cargo test csv`",
    ),
    (
        UNIT,
        "## Context",
        "```\n## Context",
        "GW115",
        "opens a block of code",
    ),
    (
        PLAN,
        "      - id: FEAT-2026-0001/T01\n        file: WU-01-export.md\n        depends_on: []\n",
        "      - FEAT-2026-0001/T01\n",
        "GW107",
        "`id: …`, `file: …`",
    ),
    (
        PLAN,
        "depends_on: []",
        "needs: []",
        "GW105",
        "did you mean `depends_on`",
    ),
    (
        VERIFICATION,
        "code:",
        "setup: [npm ci, npm run build]\ncode:",
        "GW107",
        "`setup: npm ci && npm run build`",
    ),
    (
        VERIFICATION,
        "code:",
        "code:\n  - {name: a, command: make a, env: {A: 1}}",
        "GW105",
        "`NAME=value make test`",
    ),
    (
        VERIFICATION,
        "code:",
        "code:\n  - {name: a, command: make a, retries: 3}",
        "GW105",
        "its keys: name, command",
    ),
];
const UNIT: &str = "/WU-01-export.md";
const PLAN: &str = "/PLAN.md";
const VERIFICATION: &str = "/verification.yml";

/// Returns the example plan with a requirement that its unit covers.
fn covering() -> FileSet {
    let mut files = example_plan::base();
    for (path, bytes) in &mut files {
        let text = String::from_utf8_lossy(bytes).into_owned();
        let text = match path {
            path if path.ends_with(UNIT) => {
                let checks =
                    "checks:\n  - name: csv\n    run: cargo test csv\n    covers: REQ-EXPORT-1\n";
                let keys = format!("covers: [REQ-EXPORT-1]\n{checks}status:");
                text.replacen("status:", &keys, 1)
            }
            path if path.ends_with(PLAN) => {
                text + "\n## Requirements\n\n- REQ-EXPORT-1: orders come out\n"
            }
            _ => continue,
        };
        *bytes = text.into_bytes().into();
    }
    files
}

#[test]
fn the_first_finding_after_a_slip_is_its_cause_and_says_what_to_write() {
    for (end, old, new, code, advice) in SLIPS {
        let mut files = covering();
        let path = files.keys().find(|path| path.ends_with(end)).cloned();
        let path = path.expect("the example has it");
        let text = String::from_utf8_lossy(&files[&path]).into_owned();
        assert!(text.contains(old), "{old} is not in {path}:\n{text}");
        files.insert(path, text.replacen(old, new, 1).into_bytes().into());
        let found = lint(&files);
        let first = found.iter().find(|d| d.severity > Severity::Info);
        let first = first.unwrap_or_else(|| panic!("{new}: nothing is found"));
        let help = first.help.as_deref().unwrap_or_default();
        assert_eq!(first.code, *code, "{new}:\n{}", show(&found));
        assert!(help.contains(advice), "{new}: {help}");
    }
}
