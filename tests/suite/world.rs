//! A repository with a plan, a home of its own and recorded sessions: what the tests of the real
//! binary start from. Every test gets its own copy.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The binary under test.
pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_gatewalk");

/// The feature of the worked example.
pub(crate) const BRANCH: &str = "feat/FEAT-2026-0001-greetings";

/// A repository and what surrounds it.
pub(crate) struct World {
    _dir: Option<tempfile::TempDir>,
    pub(crate) root: PathBuf,
}

/// Makes a home whose owner lets sessions write beside the repository: there they tell the tests what they saw.
fn make_home(root: &Path) {
    let config = root.join("home/.config/gatewalk/config.yml");
    std::fs::create_dir_all(config.parent().unwrap()).unwrap();
    let text = format!("sandbox_writable: {}\n", root.display());
    std::fs::write(config, text).unwrap();
}

impl World {
    /// Returns the worked example, committed: a unit that passes, one that needs a retry, one that
    /// asks a user, a gate, and a second gate.
    pub(crate) fn example() -> World {
        let dir = crate::scratch::scratch();
        let root = dir.path().canonicalize().unwrap();
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/two-gates");
        copy(&from, &root.join("repo"));
        std::fs::rename(root.join("repo/sessions"), root.join("sessions")).unwrap();
        let world = World {
            _dir: Some(dir),
            root,
        };
        make_home(&world.root);
        world.git(&["init", "-q", "-b", "main"]);
        world.git(&["add", "-A"]);
        world.git(&["commit", "-qm", "start"]);
        // After the answer the recorded second session is what happens.
        copy(&world.root.join("sessions"), &world.root.join("answered"));
        let answered = world.root.join("answered");
        std::fs::copy(answered.join("T03.2.yml"), answered.join("T03.1.yml")).unwrap();
        world
    }

    /// Returns places and nothing in them.
    pub(crate) fn bare() -> World {
        let dir = crate::scratch::scratch();
        let root = dir.path().canonicalize().unwrap();
        make_home(&root);
        std::fs::create_dir(root.join("repo")).unwrap();
        World {
            _dir: Some(dir),
            root,
        }
    }

    /// Returns a feature with one gate and these units, each in its own file: id suffix, extra
    /// frontmatter lines, sessions by attempt.
    pub(crate) fn with_units(units: &[Unit<'_>]) -> World {
        let dir = crate::scratch::scratch();
        let root = dir.path().canonicalize().unwrap();
        let world = World {
            _dir: Some(dir),
            root,
        };
        make_home(&world.root);
        for directory in ["sessions", "repo"] {
            std::fs::create_dir(world.root.join(directory)).unwrap();
        }
        let feature = ".gatewalk/features/FEAT-2026-0001-greetings";
        let mut nodes = String::new();
        for unit in units {
            let Unit {
                id,
                front,
                after,
                sessions,
            } = unit;
            nodes.push_str(&format!(
                "      - id: FEAT-2026-0001/{id}\n        file: WU-{id}.md\n        depends_on: [{}]\n",
                after.iter().map(|a| format!("FEAT-2026-0001/{a}")).collect::<Vec<_>>().join(", ")
            ));
            world.write(
                &format!("{feature}/WU-{id}.md"),
                format!(
                    "---\nid: FEAT-2026-0001/{id}\ntype: implementation\nstatus: pending\n{front}---\n\n# Unit {id}\n\n## Context\n\nThe file `{id}.txt` is missing.\n\n## Acceptance criteria\n\n1. `sh check.sh` finds every file whole and ends with status 0.\n\n## Do not touch\n\n`check.sh`.\n\n## Verification\n\n`sh check.sh` from the root.\n\n## Escalation triggers\n\nStop if `check.sh` is not there.\n"
                ),
            );
            for (attempt, text) in sessions.iter().enumerate() {
                let name = format!("{id}.{}.yml", attempt + 1);
                std::fs::write(world.root.join("sessions").join(name), text).unwrap();
            }
        }
        world.write(
            &format!("{feature}/PLAN.md"),
            format!(
                "---\nfeature_id: FEAT-2026-0001\ntitle: Files\nbranch: {BRANCH}\nroadmap_goal: Have the files\nstatus: active\nplanned_cost_usd: 1\n---\n\n# Files\n\n```yaml\ngates:\n  - gate: 1\n    file: GATE-01.md\n    work_units:\n{nodes}```\n"
            ),
        );
        world.write(
            &format!("{feature}/GATE-01.md"),
            "---\ngate: 1\nstatus: open\n---\n\n# Gate 1\n\n## Definition of done\n\nEvery file is there.\n",
        );
        world.write(
            ".gatewalk/roadmap.md",
            "# Roadmap\n\n| Feature | Goal | Status |\n|---|---|---|\n| FEAT-2026-0001 | Have the files | active |\n",
        );
        world.write(
            ".gatewalk/verification.yml",
            "code:\n  - name: check\n    command: sh check.sh\n    timeout: 1m\n",
        );
        world.write(
            "check.sh",
            "for file in T*.txt; do\n  [ \"$file\" = 'T*.txt' ] && continue\n  grep -q whole \"$file\" || { echo \"$file is not whole\"; exit 1; }\ndone\n",
        );
        world.write("README.md", "one\ntwo\nthree\n");
        world.git(&["init", "-q", "-b", "main"]);
        world.git(&["add", "-A"]);
        world.git(&["commit", "-qm", "start"]);
        world
    }

    pub(crate) fn repo(&self) -> PathBuf {
        self.root.join("repo")
    }

    pub(crate) fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        let path = self.repo().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    pub(crate) fn read(&self, path: &str) -> String {
        let bytes = std::fs::read(self.repo().join(path)).unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// Returns a copy of the repository with a cache of its own; sessions stay where they are.
    pub(crate) fn fork(&self) -> World {
        let dir = crate::scratch::scratch();
        let root = dir.path().canonicalize().unwrap();
        copy(&self.repo(), &root.join("repo"));
        make_home(&root);
        World {
            _dir: Some(dir),
            root,
        }
    }

    /// Returns a command with a clean environment and this world's home.
    pub(crate) fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        command.env_clear().current_dir(self.repo());
        for (name, value) in [
            ("GIT_AUTHOR_NAME", "Ada"),
            ("GIT_AUTHOR_EMAIL", "ada@example.org"),
            ("GIT_COMMITTER_NAME", "Ada"),
            ("GIT_COMMITTER_EMAIL", "ada@example.org"),
            ("GIT_CONFIG_GLOBAL", "/dev/null"),
            ("GIT_CONFIG_NOSYSTEM", "1"),
        ] {
            command.env(name, value);
        }
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command
            .env("HOME", self.root.join("home"))
            .env("LC_ALL", "C.UTF-8");
        command
    }

    /// Returns the driver, ready to walk with sessions that reach out of their slot on purpose: into the checkout, or
    /// beside it.
    pub(crate) fn unconfined(&self, sessions: &Path) -> Command {
        let mut command = self.driver(sessions);
        command.args(["--sandbox", "off"]);
        command
    }

    /// Returns the driver, ready to walk with these sessions.
    pub(crate) fn driver(&self, sessions: &Path) -> Command {
        let mut command = self.command(PROGRAM);
        command
            .arg("loop")
            .arg("--agent")
            .arg(format!("script:{}", sessions.display()));
        command.stdin(std::process::Stdio::null());
        command
    }

    /// Walks with this world's own sessions.
    pub(crate) fn walk(&self) -> Output {
        self.driver(&self.root.join("sessions")).output().unwrap()
    }

    /// Returns bubblewrap, ready to start something in the repository with all of the machine in reach; nothing where there is none.
    pub(crate) fn bubblewrap(&self) -> Option<Command> {
        let version = Command::new("bwrap").arg("--version").output();
        if !version.is_ok_and(|output| output.status.success()) {
            println!("SKIPPED: there is no bubblewrap here");
            return None;
        }
        let mut command = self.command("bwrap");
        command.args(["--dev-bind", "/", "/", "--chdir"]);
        command.arg(self.repo());
        Some(command)
    }

    /// Walks with this world's own sessions, which may reach out.
    pub(crate) fn walk_unconfined(&self) -> Output {
        self.unconfined(&self.root.join("sessions"))
            .output()
            .unwrap()
    }

    pub(crate) fn run(&self, args: &[&str]) -> Output {
        self.command(PROGRAM).args(args).output().unwrap()
    }

    /// Checks what landed out, beside the repository.
    pub(crate) fn landed(&self) -> PathBuf {
        let tree = self.root.join("landed");
        let path = tree.to_string_lossy();
        self.git(&["worktree", "add", "-q", "--detach", &path, BRANCH]);
        tree
    }

    pub(crate) fn git(&self, args: &[&str]) -> String {
        let mut command = self.command("git");
        // No upkeep behind a commit: it is a process more.
        command.args(["-c", "maintenance.auto=false"]).args(args);
        let output = command.output().unwrap();
        assert!(output.status.success(), "git {args:?}: {}", text(&output));
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// Runs a shell script in the repository, which must succeed; returns what it printed.
    #[track_caller]
    pub(crate) fn sh(&self, script: &str) -> String {
        let output = self.command("sh").args(["-ec", script]).output().unwrap();
        assert!(output.status.success(), "{script}: {}", text(&output));
        text(&output)
    }

    /// Returns what git answers, or nothing when it fails.
    pub(crate) fn try_git(&self, args: &[&str]) -> Option<String> {
        let output = self.command("git").args(args).output().unwrap();
        output
            .status
            .success()
            .then(|| String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// Returns every commit of the branch since `main` as text: message and changed paths, then each changed file as it is
    /// afterwards, without times and what hangs on them.
    pub(crate) fn history(&self) -> String {
        let range = format!("main..{BRANCH}");
        let format = "--format=%n# %an%n%B";
        let log = self.git(&["log", "--reverse", "--raw", "--no-abbrev", format, &range]);
        let (mut text, mut blobs) = (String::new(), String::new());
        for line in log.lines() {
            let fields: Vec<&str> = line.split([' ', '\t']).collect();
            let (":", [_, _, _, blob, kind, path]) =
                (line.get(..1).unwrap_or_default(), &fields[..])
            else {
                text.push_str(&format!("{line}\n"));
                continue;
            };
            text.push_str(&format!("{kind} {path}\n"));
            if *kind != "D" {
                blobs.push_str(&format!("{blob}\n"));
            }
        }
        // In the order of the lines above; no names of objects, which hang on times.
        let contents = self.git_with(&["cat-file", "--batch=%(objecttype)"], &blobs);
        text.push_str(&contents);
        without_noise(&text)
    }

    /// Returns what git answers to this input.
    fn git_with(&self, args: &[&str], input: &str) -> String {
        let file = self.root.join("input");
        std::fs::write(&file, input).unwrap();
        let mut command = self.command("git");
        let output = command
            .args(args)
            .stdin(std::fs::File::open(&file).unwrap())
            .output()
            .unwrap();
        assert!(output.status.success(), "git {args:?}: {}", text(&output));
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// Returns what `git status` shows, untracked files included.
    pub(crate) fn status(&self) -> String {
        self.git(&[
            "status",
            "--porcelain=v2",
            "--untracked-files=all",
            "--branch",
        ])
        .lines()
        .filter(|line| !line.starts_with("# branch.oid"))
        .collect::<Vec<_>>()
        .join("\n")
    }

    /// Returns the lines of `git status` of what is not committed.
    pub(crate) fn uncommitted(&self) -> Vec<String> {
        let status = self.status();
        let lines = status.lines().filter(|line| !line.starts_with('#'));
        lines.map(str::to_owned).collect()
    }
}

/// One unit of [`World::with_units`].
#[derive(Default)]
pub(crate) struct Unit<'a> {
    pub(crate) id: &'a str,
    pub(crate) front: &'a str,
    pub(crate) after: &'a [&'a str],
    pub(crate) sessions: &'a [&'a str],
}

impl<'a> Unit<'a> {
    /// Returns a unit with these sessions; without any, no session does anything.
    pub(crate) fn with(id: &'a str, sessions: &'a [&'a str]) -> Unit<'a> {
        Unit {
            id,
            sessions,
            ..Unit::default()
        }
    }
}

/// Returns a session that writes its unit's file and is done.
pub(crate) fn good(id: &str) -> String {
    format!(
        "steps:\n  - write: {id}.txt\n    content: |\n      whole\nusage: {{input_tokens: 10, output_tokens: 5, cost_usd: 0.01}}\nresult:\n  status: complete\n  summary: {id} is there.\n"
    )
}

/// Returns a session that runs a shell line before it writes its unit's file.
pub(crate) fn after_shell(id: &str, shell: &str) -> String {
    let step = format!(
        "steps:\n  - shell: {}\n",
        serde_json::to_string(shell).unwrap()
    );
    good(id).replacen("steps:\n", &step, 1)
}

fn without_noise(log: &str) -> String {
    let pattern = |p: &str| regex::Regex::new(p).unwrap();
    let mut text = log.to_owned();
    for (find, put) in [
        (r"Attempt-Id: \w+", "Attempt-Id: X"),
        (r#""attempt_id":"\w+""#, r#""attempt_id":"X""#),
        (r#""(timestamp|at)":"[^"]*""#, r#""$1":"T""#),
        (r#""prev":"\w+""#, r#""prev":"H""#),
        (r#""hash":"\w+""#, r#""hash":"H""#),
        (r#"((duration_)?seconds)":\s*[0-9.e-]+"#, r#"$1":0"#),
        (r"duration_seconds: .*", "duration_seconds: 0"),
        // The last column of a retrospective's table of units.
        (r"(?m)^(\| .* \| \$.* \| )\d+ \|$", "${1}0 |"),
        (r"\b\d+(\.\d+)?\s?(ms|s|seconds)\b", "0 s"),
        // What else on this machine put there meanwhile.
        (r#""new programs in your PATH: [^"]*""#, ""),
    ] {
        text = pattern(find).replace_all(&text, put).into_owned();
    }
    text
}

/// Takes out of a history what confined its sessions: a container does not have what this machine has.
pub(crate) fn without_isolation(history: &str) -> String {
    let layer = regex::Regex::new(r#""isolation":"(landlock|bubblewrap)""#).unwrap();
    layer
        .replace_all(history, r#""isolation":"L""#)
        .into_owned()
}

/// Names the first line that differs: whole histories are long.
#[track_caller]
pub(crate) fn expect_same(name: &str, there: &str, here: &str) {
    let pairs = there.lines().zip(here.lines());
    if let Some((there, here)) = pairs.into_iter().find(|(there, here)| there != here) {
        panic!("{name}: other commits than here\n{there}\n{here}");
    }
    assert_eq!(there.lines().count(), here.lines().count(), "{name}");
}

/// Returns everything a program said, for a failed assertion.
pub(crate) fn text(output: &Output) -> String {
    format!(
        "exit {:?}\n{}{}",
        output.status,
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    )
}

/// Returns everything a program printed, once it ended so and printed this.
pub(crate) fn ended(output: &Output, exit: i32, what: &str) -> String {
    let all = text(output);
    assert_eq!(output.status.code(), Some(exit), "{all}");
    assert!(all.contains(what), "no `{what}`: {all}");
    all
}

/// Copies a tree, links as links.
pub(crate) fn copy(from: &Path, to: &Path) {
    for entry in walkdir::WalkDir::new(from) {
        let entry = entry.unwrap();
        let target = to.join(entry.path().strip_prefix(from).unwrap());
        let kind = entry.file_type();
        if kind.is_dir() {
            std::fs::create_dir_all(&target).unwrap();
        } else if kind.is_symlink() {
            std::os::unix::fs::symlink(std::fs::read_link(entry.path()).unwrap(), &target).unwrap();
        } else {
            std::fs::copy(entry.path(), &target).unwrap();
        }
    }
}

/// Two units, one after the other, that pass at once.
pub(crate) fn two_units() -> World {
    two_units_with(&[&good("T01")])
}

/// Two units, one after the other: the first with these sessions, the second passes at once.
pub(crate) fn two_units_with(sessions: &[&str]) -> World {
    two_units_of(Unit::with("T01", sessions))
}

/// Two units, one after the other: the second passes at once.
pub(crate) fn two_units_of(first: Unit<'_>) -> World {
    World::with_units(&[
        first,
        Unit {
            id: "T02",
            after: &["T01"],
            sessions: &[&good("T02")],
            ..Unit::default()
        },
    ])
}
