//! A one-file task in a throwaway repository, through the real loop: the one proof that an agent
//! works here. It is removed when it worked and kept when it did not.

use super::{Context, DoctorCheck};
use gatewalk_core::agents::{self, UserAgents};
use gatewalk_core::error::{Error, Result};
use gatewalk_host::git::Git;
use gatewalk_host::os::slots_root;
use gatewalk_host::process::{self, CommandSpec, Flow, Limits, Marker, Sink, Stdin};
use gatewalk_host::signals;
use serde_json::{Value, json};
use std::path::Path;
use std::time::Duration;

/// What stands for the exit code of a loop that waits.
const STILL_WAITING: i32 = -1;
/// How long the whole task may take; its session has less.
const PATIENCE: Duration = Duration::from_secs(15 * 60);

const FILES: [(&str, &str); 5] = [
    ("README.md", "# A throwaway repository\n"),
    (
        ".gatewalk/verification.yml",
        "code:\n  - name: readme\n    command: test -s README.md\n    timeout: 1m\n",
    ),
    (
        ".gatewalk/features/FEAT-2026-0001-probe/PLAN.md",
        "---\nfeature_id: FEAT-2026-0001\ntitle: Write one file\nbranch: feat/probe\nroadmap_goal: One file is there\nstatus: active\n---\n\n# Write one file\n\n```yaml\ngates:\n  - gate: 1\n    file: GATE-01.md\n    work_units:\n      - id: FEAT-2026-0001/T01\n        file: WU-01-hello.md\n        depends_on: []\n```\n",
    ),
    (
        ".gatewalk/features/FEAT-2026-0001-probe/GATE-01.md",
        "---\ngate: 1\nstatus: open\n---\n\n# Gate 1: One file\n\n## Definition of done\n\n`hello.txt` is there.\n",
    ),
    (
        ".gatewalk/features/FEAT-2026-0001-probe/WU-01-hello.md",
        "---\nid: FEAT-2026-0001/T01\ntype: implementation\nstatus: pending\nmax_attempts: 1\ntimeout: 10m\nidle_timeout: 3m\nproduces: hello.txt\nchecks:\n  - name: hello\n    run: grep -qx hello hello.txt\n    expect_base: red\n---\n\n# Write `hello.txt`\n\n## Objective\n\nA file `hello.txt` at the root holds the one line `hello`.\n\n## Context\n\nThe repository has nothing but `README.md`. There is nothing to read and nothing to plan.\n\n## Acceptance criteria\n\n1. `hello.txt` holds exactly the line `hello`.\n\n## Do not touch\n\n`README.md`.\n\n## Verification\n\n`grep -qx hello hello.txt`\n\n## Escalation triggers\n\nThe file cannot be written.\n",
    ),
];

/// Does the task itself, where no agent is asked to.
const OWN_AGENT: &str = "command:sh hello.sh";
const OWN_PROGRAM: (&str, &str) = ("hello.sh", "echo hello > hello.txt\n");

/// Makes a directory a repository with one commit of all that is in it.
fn commit_all(repository: &Path, output: &mut ProbeOutput) -> Result<()> {
    for args in [
        &["init", "--quiet", "--initial-branch=main"][..],
        &["config", "user.name", "Probe"],
        &["config", "user.email", "probe@localhost"],
        &["add", "--all"],
        &["commit", "--quiet", "--message=Start"],
    ] {
        let code = run("git", args, repository, output)?;
        if code != 0 {
            return Err(Error::environment(format!(
                "`git {}` ended with {code}",
                args.join(" ")
            )));
        }
    }
    Ok(())
}

/// Runs the task with an agent, or without a model; here, or on a runner.
pub(super) fn probe_on(
    named: Option<&str>,
    runner: Option<&str>,
    context: &Context,
) -> Result<DoctorCheck> {
    let host = context.host()?;
    let agent = named.unwrap_or(OWN_AGENT);
    let user = UserAgents {
        defined: &host.agents,
        cwd: &host.cwd,
    };
    let choice = agents::choose(agent, &user)?;
    let root = tempfile::Builder::new()
        .prefix("gatewalk-probe-")
        .tempdir()
        .map_err(|e| Error::io("create a directory in", &std::env::temp_dir(), &e))?;
    let repository = root.path().join("repository");
    write_files(&repository, named.is_none())?;
    let mut output = ProbeOutput::default();
    commit_all(&repository, &mut output)?;
    let own = host.own_program.clone();
    let word = absolute(agent, context);
    let mut args = vec!["loop", "--json", "--agent", &word];
    args.extend(runner.iter().flat_map(|name| ["--runner", name]));
    let who = named.map_or("a plain program", |_| &choice.name);
    context.out.note(format!("asking {who} for one file …"));
    let code = run(&own, &args, &repository, &mut output)?;
    let slots = Git::discover(&repository).and_then(|git| slots_root(&git, &host));
    if let Ok(slots) = slots {
        // Only the directory of this throwaway repository; a leftover costs a few bytes of cache.
        drop(std::fs::remove_dir_all(slots));
    }
    let check = output.check(named.map_or("task", |_| &choice.name), code);
    // Without a session there is nothing to look at.
    let class = output.session.as_ref().and_then(|s| s.get("class"));
    if code != 0 && class.is_some_and(|class| class != "missing") {
        let kept = root.keep().join("repository");
        return Ok(DoctorCheck {
            message: format!("{}; kept in {}", check.message, kept.display()),
            ..check
        });
    }
    Ok(check)
}

/// A recording's path starts where the user stands, not in the throwaway repository.
fn absolute(agent: &str, context: &Context) -> String {
    match agent.strip_prefix("script:") {
        Some(path) => format!("script:{}", context.cwd.join(path).display()),
        None => agent.to_owned(),
    }
}

fn write_files(repository: &Path, without_agent: bool) -> Result<()> {
    let own = without_agent.then_some(OWN_PROGRAM);
    for (path, text) in FILES.into_iter().chain(own) {
        let path = repository.join(path);
        let parent = path.parent().unwrap_or(repository);
        std::fs::create_dir_all(parent)
            .and_then(|()| std::fs::write(&path, text))
            .map_err(|e| Error::io("write", &path, &e))?;
    }
    Ok(())
}

fn run(
    program: impl Into<std::ffi::OsString>,
    args: &[&str],
    cwd: &Path,
    output: &mut ProbeOutput,
) -> Result<i32> {
    let env = std::env::vars_os().filter(|(name, _)| !name.to_string_lossy().starts_with("GIT_"));
    let spec = CommandSpec {
        program: program.into(),
        args: args.iter().map(Into::into).collect(),
        cwd: cwd.to_path_buf(),
        env: env.collect(),
        stdin: Stdin::Null,
        marker: Marker::new("doctor", "probe"),
        inherit: None,
        wrapper: None,
    };
    let limits = Limits {
        wall: Some(PATIENCE),
        ..Limits::default()
    };
    let ran = process::run(
        &process::ProgramRun {
            spec: &spec,
            limits: &limits,
            log: None,
            stop: &signals::install()?,
        },
        output,
    );
    match ran.ended {
        process::ProcessEnd::Exited(code) => Ok(code),
        // It would go on waiting: why, it has reported.
        process::ProcessEnd::LimitHit(process::SinkStop::Waiting) => Ok(STILL_WAITING),
        process::ProcessEnd::Cancelled => Err(Error::environment("the probe was interrupted")),
        other => Err(Error::environment(format!("the probe ended as {other:?}"))),
    }
}

/// What the loop said.
#[derive(Default)]
struct ProbeOutput {
    session: Option<Value>,
    /// The loop found nothing to start a session with.
    has_no_agent: bool,
    why: Option<String>,
}

impl Sink for ProbeOutput {
    fn stdout_line(&mut self, line: &[u8], _: bool) -> Flow {
        let Ok(event) = serde_json::from_slice::<Value>(line) else {
            return Flow::Continue;
        };
        let text = |key: &str| event.get(key).and_then(Value::as_str).map(str::to_owned);
        match text("event").as_deref() {
            Some("session_ended") => self.session = Some(event.clone()),
            Some("failed" | "parked") => self.why = text("why"),
            Some("stopped") => {
                self.has_no_agent = text("reason").as_deref() == Some("no_agent");
                let first = event.pointer("/why/0").and_then(Value::as_str);
                self.why = self.why.take().or(first.map(str::to_owned));
            }
            // The loop waits by itself; here a user waits.
            Some("waiting") => {
                self.why = text("why");
                return Flow::Stop(process::SinkStop::Waiting);
            }
            _ => self.why = text("message").or(text("error")).or(self.why.take()),
        }
        Flow::Continue
    }
}

impl ProbeOutput {
    fn check(&self, agent: &str, code: i32) -> DoctorCheck {
        let session = self.session.clone().unwrap_or_default();
        let data = json!({"agent": agent, "exit": code, "session": session});
        let number = |key: &str| session.get(key).and_then(Value::as_f64);
        if code == 0 {
            let cost = number("cost_usd").map_or("cost unknown".to_owned(), |c| format!("${c:.4}"));
            let tokens = number("output_tokens")
                .map_or("tokens unknown".to_owned(), |t| format!("{t} tokens out"));
            let seconds = number("seconds").unwrap_or_default();
            return DoctorCheck::ok(
                agent,
                format!(
                    "wrote the file and it was verified and landed: {seconds:.1}s, {cost}, {tokens}"
                ),
            )
            .with(data);
        }
        let class = session.get("class").and_then(Value::as_str);
        let class = class.unwrap_or(match self.has_no_agent {
            true => "missing",
            false => "no session",
        });
        let why = self
            .why
            .clone()
            .unwrap_or_else(|| format!("the loop ended with {code}"));
        let remedy = agents::by_name(agent).and_then(|a| {
            let outcome = match class {
                "auth" => agents::Outcome::Auth,
                "quota" => agents::Outcome::Quota,
                "missing" => agents::Outcome::Missing,
                _ => return None,
            };
            a.remedy(&outcome)
        });
        DoctorCheck::fail(
            agent,
            format!("{class}: {why}"),
            remedy.unwrap_or(match class {
                // It may never have begun: then there is no log, and why is all there is.
                "runner_lost" => "mend what the runner reports, then run the same command again",
                _ => "look at the session's log in the kept repository",
            }),
        )
        .with(data)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_that_failed_says_what_to_do_for_its_class() {
        for (agent, class, want) in [
            ("task", "runner_lost", "mend what the runner reports"),
            ("task", "worked", "the session's log"),
            ("claude", "auth", "log in"),
            ("claude", "crashed", "the session's log"),
        ] {
            let output = ProbeOutput {
                session: Some(json!({"class": class})),
                ..ProbeOutput::default()
            };
            let remedy = output.check(agent, 5).remedy.unwrap_or_default();
            assert!(remedy.contains(want), "{agent} {class}: {remedy}");
        }
    }
}
