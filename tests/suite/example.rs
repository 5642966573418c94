//! The worked example against its own recordings.

use gatewalk_core::model::unit::Unit;
use gatewalk_core::scaffold::example::{FEATURE, FILES, SESSIONS};
use gatewalk_host::replay::{ReplayedSession, replay};
use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

fn on_disk(directory: &str) -> BTreeSet<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/two-gates");
    let files = walkdir::WalkDir::new(root.join(directory))
        .into_iter()
        .map(|entry| entry.expect("readable"));
    let files = files.filter(|entry| entry.file_type().is_file());
    files
        .map(|entry| {
            entry
                .path()
                .strip_prefix(&root)
                .expect("below")
                .to_str()
                .expect("UTF-8")
                .to_owned()
        })
        .collect()
}

#[test]
fn the_tables_hold_every_file_of_the_example() {
    let table = |rows: &[(&str, &str)]| {
        rows.iter()
            .map(|(path, _)| (*path).to_owned())
            .collect::<BTreeSet<_>>()
    };
    let all: BTreeSet<String> = table(FILES).union(&table(SESSIONS)).cloned().collect();
    assert_eq!(all, on_disk("."), "a file was added or renamed");
    assert_eq!(table(SESSIONS), on_disk("sessions"));
}

/// A scratch copy of the project with the sessions beside it.
struct Copy {
    directory: tempfile::TempDir,
}

impl Copy {
    fn new() -> Self {
        let copy = Copy {
            directory: crate::scratch::scratch(),
        };
        for (path, content) in FILES {
            write(&copy.project().join(path), content);
        }
        for (path, content) in SESSIONS {
            write(&copy.directory.path().join(path), content);
        }
        copy
    }

    fn project(&self) -> std::path::PathBuf {
        self.directory.path().join("project")
    }

    /// Plays one recorded session; returns what it printed.
    fn play(&self, unit: &str, attempt: u32) -> String {
        let mut out = Vec::new();
        let id = format!("{FEATURE}/{unit}");
        let session = ReplayedSession {
            script: &self.directory.path().join("sessions"),
            unit: &id,
            attempt,
        };
        let status = replay(&session, &self.project(), &mut out);
        let out = String::from_utf8(out).expect("UTF-8");
        assert_eq!(
            status.expect("it can be played"),
            0,
            "{unit} {attempt}: {out}"
        );
        out
    }

    fn passes(&self, command: &str) -> bool {
        let mut shell = Command::new("sh");
        shell.args(["-c", command]).current_dir(self.project());
        shell
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        shell.status().expect("sh runs").success()
    }

    /// Returns the unit's checks that are red now.
    fn red(&self, file: &str) -> Vec<String> {
        let path = format!(".gatewalk/features/FEAT-2026-0001-greetings/{file}");
        let bytes = std::fs::read(self.project().join(&path)).expect("the unit is there");
        let unit = Unit::parse(Arc::from(path), &bytes);
        let checks: Vec<_> = unit.front.checks.expect("it has checks").value;
        let text = |value: Option<gatewalk_core::model::frontmatter::Spanned<String>>| {
            value.expect("required").value
        };
        let checks = checks
            .into_iter()
            .map(|check| (text(check.value.name), text(check.value.run)));
        checks
            .filter(|(_, run)| !self.passes(run))
            .map(|(name, _)| name)
            .collect()
    }

    fn tests_pass(&self) -> bool {
        self.passes("sh -n greet.sh && sh tests/run.sh")
    }

    /// Goes back to another copy's files, as a restarted attempt does.
    fn restart_from(&self, paths: &[(&str, Option<&str>)]) {
        for (path, content) in paths {
            match content {
                Some(content) => write(&self.project().join(path), content),
                None => std::fs::remove_file(self.project().join(path)).expect("it was written"),
            }
        }
    }

    fn text(&self, path: &str) -> String {
        std::fs::read_to_string(self.project().join(path)).expect("readable")
    }
}

fn write(path: &Path, content: &str) {
    std::fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
    std::fs::write(path, content).expect("written");
}

#[test]
fn the_sessions_tell_the_story_and_the_checks_see_it() {
    let copy = Copy::new();
    assert!(copy.tests_pass(), "the base is green");
    assert_eq!(copy.red("WU-01-several-names.md"), ["two-names-two-lines"]);
    copy.play("T01", 1);
    assert!(copy.tests_pass() && copy.red("WU-01-several-names.md").is_empty());

    assert_eq!(
        copy.red("WU-02-unknown-options.md"),
        ["unknown-option-ends-with-2", "nothing-on-standard-output"]
    );
    let base = copy.text("greet.sh");
    copy.play("T02", 1);
    assert!(
        copy.tests_pass(),
        "the first attempt's own test agrees with it"
    );
    assert_eq!(
        copy.red("WU-02-unknown-options.md"),
        ["nothing-on-standard-output"]
    );
    copy.restart_from(&[
        ("greet.sh", Some(&base)),
        ("tests/test_unknown_option.sh", None),
    ]);
    copy.play("T02", 2);
    assert!(copy.tests_pass() && copy.red("WU-02-unknown-options.md").is_empty());

    assert_eq!(copy.red("WU-03-french.md"), ["french-greeting"]);
    assert!(copy.play("T03", 1).contains("blocked"));
    copy.restart_from(&[("tests/test_french.sh", None)]);
    copy.play("T03", 2);
    assert!(copy.tests_pass() && copy.red("WU-03-french.md").is_empty());

    copy.play("G1-CLOSE-INTERMEDIATE", 1);
    copy.play("G1-PLAN", 1);
    let dir = ".gatewalk/features/FEAT-2026-0001-greetings";
    assert!(
        copy.text(&format!("{dir}/WU-90-gate-1-close.md"))
            .contains("\nverdict: met\n")
    );
    assert!(
        copy.text(&format!("{dir}/GATE-02-REVIEW.md"))
            .starts_with("# Review of gate 2\n")
    );

    assert_eq!(copy.red("WU-04-help.md"), ["help-on-standard-output"]);
    copy.play("T04", 1);
    assert!(copy.tests_pass() && copy.red("WU-04-help.md").is_empty());
    copy.play("G2-CLOSE", 1);
    assert!(
        copy.text(&format!("{dir}/RETROSPECTIVE.md"))
            .contains("## Gate 2\n")
    );
}
