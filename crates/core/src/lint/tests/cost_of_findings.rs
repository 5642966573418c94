//! How grave a finding is follows what it would cost, and what costs nothing is none.

use super::{example_plan, lint};
use crate::diagnostic::Severity;

/// Returns the severity of a rule's finding in the base with one text replaced in one file.
fn severity_after(code: &str, file: &str, old: &str, new: &str) -> Option<Severity> {
    let mut files = example_plan::base();
    let (path, text) = files
        .iter()
        .find(|(path, _)| path.ends_with(file))
        .map(|(path, bytes)| (path.clone(), String::from_utf8_lossy(bytes).into_owned()))
        .expect(file);
    assert!(text.contains(old), "{file} has no {old:?}:\n{text}");
    files.insert(path, text.replace(old, new).into_bytes().into());
    let found = lint(&files);
    found.iter().find(|d| d.code == code).map(|d| d.severity)
}

#[test]
fn the_gravity_of_a_finding_follows_what_it_would_cost() {
    let note = ".gatewalk/features/FEAT-2026-0001-export/DESIGN.md";
    let produces = format!("status: pending\nproduces: {note}");
    let touches = format!("status: pending\ntouches: [{note}]");
    let missing = "file: GATE-99.md";
    let blocked = "status: blocked\n# ";
    let unit = "WU-01-export.md";
    for (code, key, want) in [
        ("GW105", "chekcs: []", Severity::Error),
        ("GW105", "bugdet_usd: 3", Severity::Error),
        ("GW105", "modle: fast", Severity::Warning),
        ("GW109", "model: - fast", Severity::Error),
        ("GW109", "model: on", Severity::Warning),
        (
            "GW905",
            "checks: [{name: c, run: test -s x, timeout: 0s}]",
            Severity::Error,
        ),
        ("GW905", "timeout: 1s", Severity::Warning),
        ("GW713", "touches: ANY", Severity::Error),
    ] {
        let new = format!("status: pending\n{key}");
        let got = severity_after(code, unit, "status: pending", &new);
        assert_eq!(got, Some(want), "{key}");
    }
    for (code, file, old, new, want) in [
        (
            "GW714",
            "WU-01-export.md",
            "status: pending",
            &*produces,
            Severity::Error,
        ),
        (
            "GW714",
            "WU-01-export.md",
            "status: pending",
            &*touches,
            Severity::Warning,
        ),
        (
            "GW307",
            "PLAN.md",
            "file: GATE-01.md",
            missing,
            Severity::Error,
        ),
    ] {
        assert_eq!(severity_after(code, file, old, new), Some(want), "{new}");
    }
    let mut files = example_plan::base();
    let path = ".gatewalk/features/FEAT-2026-0001-export/PLAN.md";
    let text = String::from_utf8_lossy(&files[path]).into_owned();
    let text = text.replace("file: GATE-01.md", missing);
    let text = text.replacen("status: ", blocked, 1);
    files.insert(path.to_owned(), text.into_bytes().into());
    let found = lint(&files);
    let gate = found.iter().find(|d| d.code == "GW307");
    assert_eq!(gate.map(|d| d.severity), Some(Severity::Warning));
}

#[test]
fn what_a_file_does_not_say_legibly_is_held_against_no_other() {
    let plan = ".gatewalk/features/FEAT-2026-0001-export/PLAN.md";
    for (status, want) in [("actve", false), ("planned", true), ("active", false)] {
        let mut files = example_plan::base();
        let row = "| FEAT-2026-0001 | Export | active |\n";
        files.insert(".gatewalk/roadmap.md".to_owned(), row.as_bytes().into());
        let text = String::from_utf8_lossy(&files[plan]).into_owned();
        let text = text.replacen("\nstatus: active\n", &format!("\nstatus: {status}\n"), 1);
        files.insert(plan.to_owned(), text.into_bytes().into());
        let found = lint(&files);
        assert_eq!(found.iter().any(|d| d.code == "GW407"), want, "{status}");
    }
}

#[test]
fn settings_that_change_nothing_are_found_and_those_that_do_are_not() {
    for (config, want) in [
        ("sandbox: off\n", true),
        ("sandbox: require\n", false),
        ("severity: {GW602: off}\n", true),
        ("severity: {GW602: error}\n", false),
        ("severity: {GW803: off}\n", false),
        ("severity: {GW8: off}\n", false),
        ("severity: {GW999: off}\n", false),
    ] {
        let mut files = example_plan::base();
        files.insert(".gatewalk/config.yml".to_owned(), config.as_bytes().into());
        let found = lint(&files);
        assert_eq!(found.iter().any(|d| d.code == "GW127"), want, "{config}");
    }
}

#[test]
fn a_command_without_time_is_an_error() {
    let of = |timeout| {
        let set = format!("code:\n  - {{name: t, command: cargo test, timeout: {timeout}}}\n");
        let mut files = example_plan::base();
        files.insert(
            ".gatewalk/verification.yml".to_owned(),
            set.into_bytes().into(),
        );
        let found = lint(&files);
        found.iter().find(|d| d.code == "GW906").map(|d| d.severity)
    };
    assert_eq!((of("0s"), of("1s")), (Some(Severity::Error), None));
}
