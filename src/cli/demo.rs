//! `gatewalk demo`: the whole job on a throwaway repository, with recorded sessions, through the
//! real program: every step is a command that a user would type.

use super::Context;
use gatewalk_core::error::{Error, Result};
use gatewalk_core::exit::Exit;
use gatewalk_core::scaffold::{example, initial_files};
use gatewalk_host::process::{self, CommandSpec, Flow, Limits, Marker, Sink, Stdin};
use gatewalk_host::signals;
use std::path::{Path, PathBuf};
use std::time::Duration;

#[derive(clap::Args)]
#[command(after_help = "Example:\n  gatewalk demo --keep /tmp/gatewalk-demo")]
pub(crate) struct Args {
    /// Make the repository here instead of in a new temporary directory
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,
}

/// A step of the story: what it shows, the arguments, the exit code it must have.
struct Act {
    shows: &'static str,
    args: Vec<String>,
    exit: Exit,
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let root = directory(args, context)?;
    let repository = root.join("repository");
    let sessions = root.join("sessions");
    write_files(&repository, &sessions)?;
    let stage = Stage {
        context,
        repository: repository.clone(),
    };
    stage.git(&["init", "--quiet", "--initial-branch=main"])?;
    stage.git(&["config", "user.name", "Demo"])?;
    stage.git(&["config", "user.email", "demo@localhost"])?;
    stage.git(&["add", "--all"])?;
    stage.git(&["commit", "--quiet", "--message=Start the example"])?;
    for act in acts(&sessions) {
        context.out.line(format!("\n── {}", act.shows));
        context
            .out
            .line(format!("$ gatewalk {}", act.args.join(" ")));
        let code = stage.gatewalk(&act.args)?;
        if code != i32::from(act.exit.code()) {
            return Err(Error::internal(format!(
                "the demo expected exit {} and saw {code}",
                act.exit.code()
            ))
            .hint(format!(
                "its repository is kept at {}",
                repository.display()
            )));
        }
    }
    context.out.line("\n── What it left\n$ git log --oneline");
    stage.git(&["--no-pager", "log", "--oneline", "--no-decorate"])?;
    context.out.line("$ git for-each-ref refs/gatewalk");
    stage.git(&["for-each-ref", "--format=%(refname)", "refs/gatewalk"])?;
    context.out.line(format!(
        "\nThe feature is done. Look around in {}",
        repository.display()
    ));
    context
        .out
        .line("  git log --format=full        one commit a unit, with trailers");
    context
        .out
        .line("  gatewalk attempts show T02 1 the attempt that was refused, and why");
    context.out.line("  cat .gatewalk/features/*/PLAN.md");
    Ok(Exit::Success)
}

fn acts(sessions: &Path) -> Vec<Act> {
    let words = |line: &str| {
        line.split_whitespace()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let mut walk = words("loop --agent");
    walk.push(format!("script:{}", sessions.display()));
    let mut unblock = words("unblock");
    unblock.extend([
        example::PARKED.0.to_owned(),
        "--reason".to_owned(),
        example::PARKED.1.to_owned(),
    ]);
    let act = |shows, args, exit| Act { shows, args, exit };
    vec![
        act("Is the plan well formed?", words("lint"), Exit::Success),
        act(
            "Run gate 1: a pass, a retry that passes, a question for you",
            walk.clone(),
            Exit::NeedsHuman,
        ),
        act(
            "Answer the question and send the unit back to work",
            unblock,
            Exit::Success,
        ),
        act(
            "Go on: the unit lands, gate 1 is reached",
            walk.clone(),
            Exit::AtGate,
        ),
        act("Review, then arm gate 2", words("arm"), Exit::Success),
        act("Walk gate 2: the feature is finished", walk, Exit::Success),
        act("Where it stands", words("status"), Exit::Success),
    ]
}

fn directory(args: &Args, context: &Context) -> Result<PathBuf> {
    match &args.keep {
        Some(dir) => {
            let dir = context.cwd.join(dir);
            if dir.exists() {
                return Err(Error::usage(format!("`{}` exists already", dir.display())));
            }
            std::fs::create_dir_all(&dir).map_err(|e| Error::io("create", &dir, &e))?;
            Ok(dir)
        }
        None => tempfile::Builder::new()
            .prefix("gatewalk-demo-")
            .tempdir()
            .map(tempfile::TempDir::keep)
            .map_err(|e| Error::io("create a directory in", &std::env::temp_dir(), &e)),
    }
}

fn write_files(repository: &Path, sessions: &Path) -> Result<()> {
    let write = |path: PathBuf, text: &str| {
        let parent = path.parent().unwrap_or(repository);
        std::fs::create_dir_all(parent)
            .and_then(|()| std::fs::write(&path, text))
            .map_err(|e| Error::io("write", &path, &e))
    };
    for (path, text) in example::FILES {
        write(repository.join(path), text)?;
    }
    for (name, text) in initial_files::SHIPPED_FILES
        .iter()
        .filter(|(name, _)| name.starts_with("rules/"))
    {
        write(repository.join(".gatewalk").join(name), text)?;
    }
    for (path, text) in example::SESSIONS {
        let name = path.strip_prefix("sessions/").unwrap_or(path);
        write(sessions.join(name), text)?;
    }
    Ok(())
}

/// Where the commands of the story run.
struct Stage<'a> {
    context: &'a Context,
    repository: PathBuf,
}

impl Stage<'_> {
    fn gatewalk(&self, args: &[String]) -> Result<i32> {
        let program = self.context.host()?.own_program;
        self.command(
            program.into_os_string(),
            args.iter().map(Into::into).collect(),
        )
    }

    fn git(&self, args: &[&str]) -> Result<()> {
        match self.command("git".into(), args.iter().map(Into::into).collect())? {
            0 => Ok(()),
            code => Err(Error::environment(format!(
                "`git {}` ended with {code}",
                args.join(" ")
            ))),
        }
    }

    /// Runs a program as a family of its own and passes on what it prints.
    fn command(&self, program: std::ffi::OsString, args: Vec<std::ffi::OsString>) -> Result<i32> {
        let env =
            std::env::vars_os().filter(|(name, _)| !name.to_string_lossy().starts_with("GIT_"));
        let spec = CommandSpec {
            program,
            args,
            cwd: self.repository.clone(),
            env: env.collect(),
            stdin: Stdin::Null,
            marker: Marker::new("demo", "act"),
            inherit: None,
            wrapper: None,
        };
        let limits = Limits {
            wall: Some(Duration::from_secs(120)),
            ..Limits::default()
        };
        let mut echo = Echo {
            context: self.context,
        };
        let log = self.repository.with_file_name("stderr.log");
        let ran = process::run(
            &process::ProgramRun {
                spec: &spec,
                limits: &limits,
                log: Some(&log),
                stop: &signals::install()?,
            },
            &mut echo,
        );
        let output = String::from_utf8_lossy(&ran.stderr_tail).into_owned();
        self.context.out.raw(&output);
        match ran.ended {
            process::ProcessEnd::Exited(code) => Ok(code),
            other => Err(Error::environment(format!(
                "a step of the demo ended as {other:?}"
            ))),
        }
    }
}

struct Echo<'a> {
    context: &'a Context,
}

impl Sink for Echo<'_> {
    fn stdout_line(&mut self, line: &[u8], _: bool) -> Flow {
        self.context.out.line(String::from_utf8_lossy(line));
        Flow::Continue
    }
}
