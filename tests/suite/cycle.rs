//! The whole gate cycle through the program: a user's commands, recorded sessions, real git.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A copy of the worked example in a repository of its own.
pub(crate) struct Stage {
    _root: tempfile::TempDir,
    pub(crate) repository: PathBuf,
    pub(crate) sessions: PathBuf,
    pub(crate) home: PathBuf,
}

fn copy(from: &Path, to: &Path) {
    for entry in walkdir::WalkDir::new(from)
        .into_iter()
        .map(|e| e.expect("readable"))
    {
        let target = to.join(entry.path().strip_prefix(from).expect("below"));
        if entry.file_type().is_dir() {
            std::fs::create_dir_all(&target).expect("a directory");
        } else {
            std::fs::copy(entry.path(), &target).expect("copied");
        }
    }
}

impl Stage {
    fn directories() -> Stage {
        let root = crate::scratch::scratch();
        let path = root.path().canonicalize().expect("real");
        let stage = Stage {
            repository: path.join("repository"),
            sessions: path.join("sessions"),
            home: path.join("home"),
            _root: root,
        };
        for directory in [&stage.repository, &stage.sessions, &stage.home] {
            std::fs::create_dir_all(directory).expect("a directory");
        }
        stage
    }

    /// Returns a copy of the repository, its sessions and its stubs, with a cache of its own.
    pub(crate) fn fork(&self) -> Stage {
        let stage = Stage::directories();
        copy(&self.repository, &stage.repository);
        copy(&self.sessions, &stage.sessions);
        let bin = self.home.join("bin");
        if bin.is_dir() {
            copy(&bin, &stage.home.join("bin"));
        }
        stage
    }

    /// An empty repository.
    pub(crate) fn empty() -> Stage {
        let stage = Stage::directories();
        stage.git(&["init", "--quiet", "--initial-branch=main"]);
        stage
    }

    /// The two-gate example, committed.
    pub(crate) fn two_gates() -> Stage {
        let stage = Stage::empty();
        let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/two-gates");
        copy(&example, &stage.repository);
        std::fs::rename(stage.repository.join("sessions"), stage.home.join("old")).expect("moved");
        copy(&stage.home.join("old"), &stage.sessions);
        stage.commit("start");
        stage
    }

    pub(crate) fn commit(&self, message: &str) {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--message", message]);
    }

    pub(crate) fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        let bin = self.home.join("bin");
        let path = std::env::var("PATH").expect("a PATH");
        command
            .current_dir(&self.repository)
            .env_clear()
            .env("PATH", format!("{}:{path}", bin.display()))
            .env("HOME", &self.home)
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .envs([
                ("GIT_AUTHOR_NAME", "T"),
                ("GIT_AUTHOR_EMAIL", "t@localhost"),
            ])
            .envs([
                ("GIT_COMMITTER_NAME", "T"),
                ("GIT_COMMITTER_EMAIL", "t@localhost"),
            ]);
        command
    }

    pub(crate) fn git(&self, args: &[&str]) -> String {
        let out = self.command("git").args(args).output().expect("git runs");
        assert!(
            out.status.success(),
            "git {args:?}: {}",
            String::from_utf8_lossy(&out.stderr)
        );
        String::from_utf8(out.stdout).expect("UTF-8")
    }

    /// Runs the program; `env` holds more variables.
    pub(crate) fn run_with(&self, args: &[&str], env: &[(&str, &str)]) -> Output {
        let mut command = self.command(env!("CARGO_BIN_EXE_gatewalk"));
        command
            .args(args)
            .envs(env.iter().copied())
            .output()
            .expect("it runs")
    }

    /// Runs the program and expects an exit code; returns stdout and stderr.
    pub(crate) fn run(&self, exit: i32, args: &[&str]) -> (String, String) {
        let out = self.run_with(args, &[]);
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
        let (stdout, stderr) = (text(out.stdout), text(out.stderr));
        assert_eq!(
            out.status.code(),
            Some(exit),
            "gatewalk {args:?}\n{stdout}\n{stderr}"
        );
        (stdout, stderr)
    }

    /// Runs a shell line in which `gatewalk` is this program.
    pub(crate) fn shell(&self, line: &str) -> Output {
        let program = env!("CARGO_BIN_EXE_gatewalk");
        let mut command = self.command("sh");
        command.args(["-c", &line.replacen("gatewalk", program, 1)]);
        command.stdin(std::process::Stdio::null());
        command.output().expect("it runs")
    }

    /// Walks with the recorded sessions.
    pub(crate) fn walk(&self, exit: i32, more: &[&str]) -> (String, String) {
        let agent = format!("script:{}", self.sessions.display());
        let mut args = vec!["loop", "--agent", &agent];
        args.extend_from_slice(more);
        self.run(exit, &args)
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.repository.join(path);
        std::fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
        std::fs::write(path, text).expect("written");
    }

    pub(crate) fn read(&self, path: &str) -> String {
        std::fs::read_to_string(self.repository.join(path))
            .unwrap_or_else(|e| panic!("{path}: {e}"))
    }
}

const DIR: &str = ".gatewalk/features/FEAT-2026-0001-greetings";

/// Brings the example to the review of gate 2's draft.
fn at_gate_one() -> Stage {
    let stage = Stage::two_gates();
    stage.walk(11, &[]);
    stage.run(0, &["unblock", "T03", "--reason", "LC_ALL wins over LANG"]);
    stage.walk(10, &[]);
    stage
}

#[test]
#[ignore = "long"]
fn a_closing_session_starts_from_skeletons_and_mends_what_it_left() {
    let stage = Stage::two_gates();
    // The first session forgets the criteria; the second finds the first one's section still there.
    let sessions =
        std::fs::read_to_string(stage.sessions.join("G1-CLOSE-INTERMEDIATE.yml")).expect("there");
    let write = sessions.find("  - write:").expect("a step");
    let learn = sessions
        .find("  - append: .gatewalk/LEARNINGS.md")
        .expect("a step");
    let forgetful = format!("{}{}", &sessions[..write], &sessions[learn..]);
    let mending = format!(
        "steps:\n{}{}",
        &sessions[write..learn],
        &sessions[sessions.find("usage:").expect("usage")..]
    );
    std::fs::remove_file(stage.sessions.join("G1-CLOSE-INTERMEDIATE.yml")).expect("removed");
    std::fs::write(
        stage.sessions.join("G1-CLOSE-INTERMEDIATE.1.yml"),
        forgetful,
    )
    .expect("written");
    std::fs::write(stage.sessions.join("G1-CLOSE-INTERMEDIATE.2.yml"), mending).expect("written");
    stage.walk(11, &[]);
    stage.run(0, &["unblock", "T03", "--reason", "LC_ALL wins over LANG"]);
    stage.walk(10, &["--force-full-close"]);
    let (shown, _) = stage.run(0, &["attempts", "show", "G1-CLOSE-INTERMEDIATE", "1"]);
    assert!(
        shown.contains("criteria_open: `state` must be `met` or `not_met`: G1.1, G1.2, G1.3"),
        "{shown}"
    );
    let retrospective = stage.read(&format!("{DIR}/RETROSPECTIVE.md"));
    assert!(
        retrospective.starts_with("# Gate 1\n\n## Cost analysis\n"),
        "{retrospective}"
    );
    assert!(
        retrospective.contains("| FEAT-2026-0001/T02 | done | 2 |"),
        "{retrospective}"
    );
    assert!(
        retrospective.contains("## Gate 1: what it means"),
        "{retrospective}"
    );
}

#[test]
#[ignore = "long"]
fn a_feature_is_done_only_when_its_closing_unit_says_met() {
    let armed = at_gate_one();
    armed.run(0, &["arm"]);
    for (verdict, exit, status) in [("met", 0, "done"), ("not_met", 10, "active")] {
        let stage = armed.fork();
        let path = stage.sessions.join("G2-CLOSE.yml");
        let session = std::fs::read_to_string(&path).expect("there");
        let session = match verdict {
            "met" => session,
            _ => session
                .replacen("state: met", "state: not_met", 1)
                .replacen("follow-up:\n", "follow-up: a unit that explains it\n", 1)
                .replace("value: met", "value: not_met"),
        };
        std::fs::write(&path, session).expect("written");
        stage.walk(exit, &["--force-full-close"]);
        let plan = stage.read(&format!("{DIR}/PLAN.md"));
        assert!(
            plan.contains(&format!("\nstatus: {status}\n")),
            "{verdict}: {plan}"
        );
        let roadmap = stage.read(".gatewalk/roadmap.md");
        assert!(
            roadmap.contains(&format!("| {status} |")),
            "{verdict}: {roadmap}"
        );
    }
}

#[test]
#[ignore = "long"]
fn requirements_that_are_not_met_get_a_gate_of_their_own() {
    let stage = at_gate_one();
    stage.run(0, &["arm"]);
    let session = std::fs::read_to_string(stage.sessions.join("G2-CLOSE.yml")).expect("there");
    let session = session
        .replacen("state: met", "state: not_met", 1)
        .replacen("follow-up:\n", "follow-up: a unit that explains it\n", 1)
        .replace("value: met", "value: not_met");
    std::fs::write(stage.sessions.join("G2-CLOSE.yml"), session).expect("written");
    stage.walk(10, &["--force-full-close"]);
    let (why, _) = stage.run(0, &["why", "G2-CLOSE"]);
    assert!(why.contains("yes final_attempts_passed"), "{why}");
    let (_, refused) = stage.run(3, &["arm"]);
    assert!(
        refused.contains("not met") && refused.contains("gatewalk new gate"),
        "{refused}"
    );
    let (status, _) = stage.run(0, &["status"]);
    assert!(status.contains("next: gatewalk new gate"), "{status}");
    let (review, _) = stage.run(0, &["review"]);
    assert!(review.contains("G2.1: a unit that explains it"), "{review}");
    stage.run(0, &["new", "gate", "Explain it"]);
    for name in ["WU-05-explain-it.md", "GATE-03.md"] {
        let path = format!("{DIR}/{name}");
        let text = stage.read(&path);
        let filled: Vec<String> = text
            .split("<fill in")
            .enumerate()
            .map(|(i, part)| {
                if i == 0 {
                    part.to_owned()
                } else {
                    format!(
                        "It is written down{}",
                        part.split_once('>').map_or("", |p| p.1)
                    )
                }
            })
            .collect();
        stage.write(&path, &filled.concat());
    }
    stage.run(0, &["arm", "--commit-plan"]);
    std::fs::write(
        stage.sessions.join("T05.yml"),
        "steps:\n  - write: EXPLAIN.md\n    content: |\n      It greets.\nusage: {cost_usd: 0.01}\nresult: {status: complete, summary: x}\n",
    )
    .expect("written");
    stage.walk(0, &[]);
    assert!(
        stage
            .read(&format!("{DIR}/PLAN.md"))
            .contains("\nstatus: done\n")
    );
}
