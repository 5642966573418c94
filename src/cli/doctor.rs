//! `gatewalk doctor`: what is here and what is not, each with its remedy.
//!
//! Invariants: it writes nothing and runs nothing but git, unless it is asked to run the agents'
//! programs (`--ask`), a session (`--probe`) or a runner (`--runner`).

mod agents;
mod probe;
mod repository;
mod run_leftovers;
mod runner_check;
mod unusual_repository;
mod usable_agents;
mod user_hooks;

use super::Context;
use gatewalk_core::engine::evidence::sanitize;
use gatewalk_core::error::Result;
use gatewalk_core::exit::Exit;
use serde_json::{Value, json};
pub(crate) use usable_agents::{KnownAgent, known_agents, try_agent};

#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  gatewalk doctor\n  gatewalk doctor --json\n  gatewalk doctor --probe claude\n  gatewalk doctor --runner big"
)]
pub(crate) struct Args {
    /// Let an agent do a one-file task in a throwaway repository; this costs what a short session costs
    #[arg(long, value_name = "AGENT", conflicts_with = "ask")]
    probe: Option<String>,
    /// Prove a runner of your configuration: what is there, a one-file task, and what survives a kill
    #[arg(long, value_name = "NAME", conflicts_with = "ask")]
    runner: Option<String>,
    /// Put this program where the runner's `program` says before proving it
    #[arg(long, requires = "runner", conflicts_with = "ask")]
    send: bool,
    /// Also run the agents' programs to ask for their versions
    #[arg(long)]
    ask: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// How well a thing is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Level {
    /// As it should be.
    Ok,
    /// Works, but a user should know.
    Warn,
    /// A walk would stop here.
    Fail,
}

impl Level {
    fn word(self) -> &'static str {
        match self {
            Level::Ok => "ok",
            Level::Warn => "warn",
            Level::Fail => "fail",
        }
    }
}

/// One thing that was looked at.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct DoctorCheck {
    name: String,
    level: Level,
    message: String,
    remedy: Option<String>,
    /// What a program wants to know beyond the sentence.
    data: Value,
}

impl DoctorCheck {
    fn new(name: &str, level: Level, message: impl Into<String>, remedy: &str) -> DoctorCheck {
        DoctorCheck {
            name: name.to_owned(),
            level,
            message: message.into(),
            remedy: (!remedy.is_empty()).then(|| remedy.to_owned()),
            data: Value::Null,
        }
    }

    fn ok(name: &str, message: impl Into<String>) -> DoctorCheck {
        DoctorCheck::new(name, Level::Ok, message, "")
    }

    fn warn(name: &str, message: impl Into<String>, remedy: &str) -> DoctorCheck {
        DoctorCheck::new(name, Level::Warn, message, remedy)
    }

    fn fail(name: &str, message: impl Into<String>, remedy: &str) -> DoctorCheck {
        DoctorCheck::new(name, Level::Fail, message, remedy)
    }

    fn with(self, data: Value) -> DoctorCheck {
        DoctorCheck { data, ..self }
    }

    fn to_json(&self) -> Value {
        let mut row = json!({
            "check": self.name,
            "level": self.level.word(),
            "says": self.message,
            "remedy": self.remedy,
        });
        if let (Some(row), Value::Object(data)) = (row.as_object_mut(), &self.data) {
            row.extend(data.clone());
        }
        row
    }
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let checks = match (&args.runner, &args.probe) {
        (Some(runner), agent) => {
            let agent = agent.as_deref();
            let mut checks = runner_check::examine(runner, (agent, args.send), context)?;
            checks.extend(unusual_repository::unsent(context));
            checks
        }
        (None, Some(agent)) => vec![probe::probe_on(Some(agent), None, context)?],
        (None, None) => examine(args, context),
    };
    if args.json {
        let rows: Vec<Value> = checks.iter().map(DoctorCheck::to_json).collect();
        let level = worst(&checks);
        context
            .out
            .json(&json!({"level": level.word(), "checks": rows}));
    } else {
        print(context, &checks);
    }
    Ok(match worst(&checks) {
        Level::Fail => Exit::Environment,
        Level::Ok | Level::Warn => Exit::Success,
    })
}

fn examine(args: &Args, context: &Context) -> Vec<DoctorCheck> {
    let (mut checks, repository) = repository::examine(context);
    checks.extend(agents::examine(args.ask, context, repository.as_ref()));
    checks
}

fn worst(checks: &[DoctorCheck]) -> Level {
    let levels = checks.iter().map(|check| check.level);
    levels.max().unwrap_or(Level::Ok)
}

fn print(context: &Context, checks: &[DoctorCheck]) {
    let out = &context.out;
    for check in checks {
        let colour = match check.level {
            Level::Ok => anstyle::AnsiColor::Green,
            Level::Warn => anstyle::AnsiColor::Yellow,
            Level::Fail => anstyle::AnsiColor::Red,
        };
        let style = colour.on_default();
        out.line(format!(
            "{style}{:<4}{style:#}  {:<11} {}",
            check.level.word(),
            sanitize(&check.name),
            sanitize(&check.message)
        ));
        if let Some(remedy) = &check.remedy {
            out.line(format!("      {:<11} → {}", "", sanitize(remedy)));
        }
    }
    let count = |level| checks.iter().filter(|c| c.level == level).count();
    out.note(format!(
        "{} ok, {} to know, {} to mend",
        count(Level::Ok),
        count(Level::Warn),
        count(Level::Fail)
    ));
}
