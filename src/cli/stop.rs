//! `gatewalk stop`: end the run that is at work, as Ctrl-C in its terminal does.

use super::Context;
use gatewalk_core::error::{Error, Result};
use gatewalk_core::exit::Exit;
use gatewalk_host::lock::DriverLock;
use gatewalk_host::signals;
use gatewalk_host::state_repository::Repository;
use serde_json::json;
use std::time::{Duration, Instant};

/// How long a run may take to put down what it holds.
const PATIENCE: Duration = Duration::from_secs(60);
/// How often is looked whether it has.
const LOOK: Duration = Duration::from_millis(100);

#[derive(clap::Args)]
#[command(after_help = "Example:\n  gatewalk stop")]
pub(crate) struct Args {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let repository = Repository::open(&context.cwd)?;
    let lock = repository.git.state_dir().join("lock");
    let Some(holder) = DriverLock::holder(&lock) else {
        if args.json {
            context.out.json(&json!({"stopped": null}));
        } else {
            context.out.line("no run is at work");
        }
        return Ok(Exit::Success);
    };
    holder.interrupt()?;
    let stop = signals::install()?;
    let began = Instant::now();
    while DriverLock::holder(&lock).is_some_and(|now| now.pid == holder.pid) {
        if began.elapsed() > PATIENCE {
            return Err(Error::environment(format!("process {} was asked to stop and has not yet", holder.pid))
                .hint("it may be waiting for a command to end; `gatewalk status` shows whether it still runs"));
        }
        if let (true, Some(exit)) = (stop.sleep(LOOK), stop.exit()) {
            return Ok(exit);
        }
    }
    if args.json {
        context
            .out
            .json(&json!({"stopped": {"pid": holder.pid, "feature": holder.feature}}));
    } else {
        context.out.line(format!(
            "the run of {} has stopped; nothing is lost",
            holder.feature
        ));
        context.out.note("next: gatewalk loop");
    }
    Ok(Exit::Success)
}
