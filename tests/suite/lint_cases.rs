//! `gatewalk lint` in odd places: watching, git's ways of changing a file, names nobody expects.

use crate::lint::{FEATURE, Place, unit};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use std::io::{BufRead, BufReader, Read};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

const CONCISE: [&str; 3] = ["lint", "--output-format", "concise"];

/// A watching `lint`, everything it says in one stream of lines.
struct Watch {
    child: Child,
    lines: Receiver<String>,
}

impl Watch {
    fn start(place: &Place) -> Watch {
        let mut child = Command::new(env!("CARGO_BIN_EXE_gatewalk"))
            .args(CONCISE)
            .arg("--watch")
            .current_dir(place.dir.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let (send, lines) = channel();
        let streams: [Box<dyn Read + Send>; 2] = [
            Box::new(child.stdout.take().unwrap()),
            Box::new(child.stderr.take().unwrap()),
        ];
        for stream in streams {
            let send = send.clone();
            std::thread::spawn(move || {
                let lines = BufReader::new(stream).lines().map_while(Result::ok);
                lines.for_each(|line| drop(send.send(line)));
            });
        }
        Watch { child, lines }
    }

    /// Waits until it says something; what it says before that is passed over.
    fn says(&self, want: &str) {
        let mut said = Vec::new();
        loop {
            match self.lines.recv_timeout(Duration::from_secs(120)) {
                Ok(line) if line.contains(want) => return,
                Ok(line) => said.push(line),
                Err(_) => panic!("never said {want:?}, but {said:#?}"),
            }
        }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

#[test]
fn watching_sees_edits_renames_and_deletions_until_it_is_interrupted() {
    let place = Place::clean();
    let mut watch = Watch::start(&place);
    watch.says("no findings");
    watch.says("watching");
    let file = format!("{FEATURE}/WU-01-export.md");
    place.edit(&file, "status: pending", "status: pendingg");
    watch.says("GW108");
    place.put(&file, &unit(1));
    watch.says("no findings");
    let other = format!("{FEATURE}/WU-01-exports.md");
    std::fs::rename(place.path(&file), place.path(&other)).unwrap();
    watch.says("GW306");
    std::fs::remove_file(place.path(&other)).unwrap();
    watch.says("GW306");
    place.put(&file, &unit(1));
    watch.says("no findings");
    // Without the directory there is nothing to see, and that is said; it may come back.
    let (state, aside) = (place.path(".gatewalk"), place.path("aside"));
    std::fs::rename(&state, &aside).unwrap();
    watch.says("cannot read");
    std::fs::rename(&aside, &state).unwrap();
    watch.says("no findings");
    // A job in a shell's background is started deaf to Ctrl-C, and so is what it starts.
    let signal = if is_deaf_to_interrupts() {
        Signal::TERM
    } else {
        Signal::INT
    };
    kill_process(Pid::from_child(&watch.child), signal).unwrap();
    let status = watch.child.wait().unwrap();
    assert_eq!(status.signal(), Some(signal.as_raw()), "{status:?}");
}

/// Returns whether who started the tests has them pass over Ctrl-C, as a job in the background does.
pub(crate) fn is_deaf_to_interrupts() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|l| l.strip_prefix("SigIgn:"));
    ignored
        .and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .is_some_and(|mask| mask & 2 != 0)
}

#[test]
fn changed_follows_every_way_git_has_of_changing_a_file() {
    type Change = fn(&Place);
    let rows: [(&str, Change, &str); 6] = [
        ("nothing", |_| {}, ""),
        (
            "staged only",
            |p| {
                p.edit(
                    &format!("{FEATURE}/WU-01-export.md"),
                    "type: impl",
                    "tpye: impl",
                );
                p.git(&["add", "-A"]);
            },
            "GW105",
        ),
        (
            "renamed",
            |p| {
                p.git(&[
                    "mv",
                    &format!("{FEATURE}/WU-01-export.md"),
                    &format!("{FEATURE}/WU-01-\u{f6}rt x.md"),
                ])
            },
            "GW306",
        ),
        (
            "deleted in the index",
            |p| p.git(&["rm", "-q", &format!("{FEATURE}/GATE-01.md")]),
            "GW307",
        ),
        (
            "deleted in the directory",
            |p| std::fs::remove_file(p.path(&format!("{FEATURE}/WU-02-import.md"))).unwrap(),
            "GW306",
        ),
        (
            "untracked",
            |p| p.put(&format!("{FEATURE}/WU-07-new.md"), "---\nid: x\n---\n"),
            "GW201",
        ),
    ];
    for (name, change, want) in rows {
        let place = Place::clean();
        place.git(&["init", "-q"]);
        place.git(&["add", "-A"]);
        place.git(&["commit", "-q", "-m", "plan"]);
        change(&place);
        let output = place.run(&["lint", "--changed", "--output-format", "concise"]);
        assert!(
            output.out.contains(want),
            "{name}: {}{}",
            output.out,
            output.err
        );
        assert_eq!(
            output.out.is_empty(),
            want.is_empty(),
            "{name}: {}",
            output.out
        );
    }
}

#[test]
fn changed_works_in_a_linked_worktree() {
    let place = Place::clean();
    place.git(&["init", "-q"]);
    place.git(&["add", "-A"]);
    place.git(&["commit", "-q", "-m", "plan"]);
    place.git(&["worktree", "add", "-q", "linked", "-b", "linked"]);
    let args = [
        "-C",
        "linked",
        "lint",
        "--changed",
        "--output-format",
        "concise",
    ];
    assert_eq!(place.run(&args).out, "");
    place.edit(
        &format!("linked/{FEATURE}/WU-01-export.md"),
        "type: impl",
        "tpye: impl",
    );
    assert!(place.run(&args).out.contains("GW105"));
}

/// Spaces, per cent, markup, letters outside ASCII and outside the first plane; all in one unit.
const ODD: &str = "WU-03-\u{e9} %41#?&<x>'\u{1f600}.md";

fn odd() -> Place {
    let place = Place::clean();
    let text = unit(3).replace(
        "type: implementation",
        "type: implementation\r\n\u{fc}b: \"\u{1f600}\" # <&]]>\r\nstatsu: x",
    );
    place.put(&format!("{FEATURE}/{ODD}"), &text);
    place
}

#[test]
fn odd_names_and_letters_come_through_every_format() {
    let place = odd();
    let path = format!("{FEATURE}/{ODD}");
    for format in [
        "full", "concise", "json", "jsonl", "github", "junit", "sarif",
    ] {
        let output = place.run(&["lint", "--output-format", format]);
        assert_eq!(output.code, 0, "{format}: {}", output.err);
        assert!(output.out.contains("GW105"), "{format}: {}", output.out);
        match format {
            "full" | "concise" => assert!(output.out.contains(&path), "{}", output.out),
            "json" => drop(serde_json::from_str::<Value>(&output.out).unwrap()),
            "jsonl" => output
                .out
                .lines()
                .for_each(|line| drop(serde_json::from_str::<Value>(line).unwrap())),
            "github" => assert!(output.out.contains("%2541#?&<x>"), "{}", output.out),
            "junit" => assert!(output.out.contains("%41#?&amp;&lt;x&gt;"), "{}", output.out),
            _ => sarif(&output.out),
        }
    }
}

fn sarif(text: &str) {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let schema = root.join("tests/fixtures/sarif/sarif-schema-2.1.0.json");
    let schema: Value = serde_json::from_str(&std::fs::read_to_string(schema).unwrap()).unwrap();
    let log: Value = serde_json::from_str(text).unwrap();
    let errors = crate::json_schema::validate(&schema, &log);
    assert!(errors.is_empty(), "{errors:?}");
    let results = log["runs"][0]["results"].as_array().unwrap();
    let place = |result: &Value| result["locations"][0]["physicalLocation"].clone();
    let unknown: Vec<Value> = results
        .iter()
        .filter(|r| r["ruleId"] == "GW105")
        .map(place)
        .collect();
    let uri = "WU-03-%C3%A9%20%2541%23%3F%26%3Cx%3E'%F0%9F%98%80.md";
    let uris: Vec<&str> = unknown
        .iter()
        .filter_map(|p| p["artifactLocation"]["uri"].as_str())
        .collect();
    assert!(
        uris.iter().all(|u| u.replace("%27", "'").ends_with(uri)),
        "{uris:?}"
    );
    // Columns are code points, as the log says it counts.
    let region = &unknown[0]["region"];
    assert_eq!(region["endColumn"], 3, "{region}");
}

#[test]
fn a_diff_of_lines_that_end_in_crlf_behind_a_mark_can_be_applied() {
    let place = Place::clean();
    place.git(&["init", "-q"]);
    place.git(&["config", "core.autocrlf", "false"]);
    let file = format!("{FEATURE}/WU-01-export.md");
    let text = unit(1).replace("type:", "agent: no\noracle_env: 1.10 # keep\ntype:");
    let text = format!("\u{feff}{}", text.replace('\n', "\r\n"));
    place.put(&file, &text);
    let diff = place.run(&["lint", "--fix", "--diff"]);
    assert_eq!(diff.code, 1, "{}", diff.err);
    assert_eq!(place.read(&file), text, "a diff writes nothing");
    place.put("fix.patch", &diff.out);
    place.git(&["apply", "fix.patch"]);
    let applied = place.read(&file);
    let want = text
        .replace("agent: no\r", "agent: \"no\"\r")
        .replace("1.10 # keep", "\"1.10\" # keep");
    assert_eq!(applied, want);
    place.put(&file, &text);
    place.run(&["lint", "--fix"]);
    assert_eq!(place.read(&file), want, "fixing does what the diff says");
    assert_eq!(place.run(&["lint", "--fix", "--diff"]).out, "");
}

#[test]
fn a_path_outside_of_the_state_directory_is_refused() {
    let place = Place::clean();
    place.put("src/notes.md", "# Notes\n");
    for args in [
        &["lint", "src"][..],
        &["lint", "--stdin-filename", "src/new.md"],
    ] {
        let output = place.run(args);
        assert_eq!((output.code, &*output.out), (0, ""), "{args:?}");
        assert!(
            output.err.contains("is not in `.gatewalk`"),
            "{args:?}: {}",
            output.err
        );
    }
    assert_eq!(
        place.run(&["lint", "--stdin-filename", "/etc/new.md"]).code,
        2
    );
}

#[test]
fn a_link_in_the_place_of_a_plan_file_is_the_one_finding() {
    let unit = format!("{FEATURE}/WU-02-import.md");
    let cases = [
        (".gatewalk/verification.yml", "error"),
        (&*format!("{FEATURE}/GATE-01.md"), "error"),
        (&*unit, "error"),
        (FEATURE, "error"),
        (".gatewalk/rules", "warning"),
        (".gatewalk/notes.md", ""),
    ];
    for (path, severity) in cases {
        let place = Place::clean();
        let elsewhere = place.path("elsewhere");
        if std::fs::rename(place.path(path), &elsewhere).is_err() {
            std::fs::write(&elsewhere, "Be brief.\n").unwrap();
        }
        std::os::unix::fs::symlink(&elsewhere, place.path(path)).unwrap();
        let output = place.run(&["lint", "--json"]);
        let found: Value = serde_json::from_str(&output.out).unwrap();
        let found: Vec<_> = found["findings"].as_array().unwrap().iter().collect();
        let told: Vec<_> = found
            .iter()
            .filter(|f| f["severity"] != "info")
            .map(|f| ["code", "path", "severity"].map(|key| f[key].as_str().unwrap_or_default()))
            .collect();
        let want: &[_] = match severity {
            "" => &[],
            _ => &[["GW128", path, severity]],
        };
        assert_eq!(told, want, "{found:#?}");
    }
}

#[test]
fn output_that_is_no_terminal_has_no_colours() {
    let place = odd();
    for format in ["full", "concise"] {
        let output = place.run(&["lint", "--output-format", format]);
        assert!(
            !output.out.contains('\u{1b}') && !output.err.contains('\u{1b}'),
            "{format}"
        );
    }
}

#[test]
fn a_line_of_invisible_characters_is_cut_in_a_finding() {
    for hidden in ["\u{200b}", "\0", "x\u{200b}"] {
        let place = Place::clean();
        place.put(&format!("{FEATURE}/PLAN.md"), &hidden.repeat(60_000));
        let found = place.run(&["lint"]);
        assert_eq!(found.code, 1, "{hidden:?}");
        let findings = found.out.matches("-->").count();
        assert!(findings > 0, "{hidden:?}");
        let each = found.out.len() / findings;
        assert!(each < 4_000, "{hidden:?}: {each} bytes a finding");
    }
}
