//! `gatewalk attach`: a user's own program in a slot with a unit's prompt; what it left is judged and lands as their work.

use super::Context;
use super::land_::{enter, print_landing, refuse_unready};
use super::plan_check::ChangedUnits;
use super::run_guards::guarded_family;
use super::unit_command::{Common, OpenFeature};
use super::watch::Printer;
use gatewalk_core::driver::hand_slot::HandSlot;
use gatewalk_core::driver::hand_work::HandWork;
use gatewalk_core::driver::ports::SlotId;
use gatewalk_core::engine::evidence::one_line;
use gatewalk_core::engine::model_selection::DEFAULT_AGENT;
use gatewalk_core::engine::snapshot::RunOptions;
use gatewalk_core::error::{Error, Result};
use gatewalk_core::exit::Exit;
use gatewalk_core::model::config::SandboxPolicy;
use gatewalk_host::interactive::{self, InteractiveCall};
use gatewalk_host::lock::ProcessTreeLock;
use gatewalk_host::os::Os;
use gatewalk_host::signals;
use gatewalk_host::stop_flag::StopFlag;
use std::path::Path;

/// The slot it happens in.
const SLOT: SlotId = SlotId::Session(0);

#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  gatewalk attach T03\n  gatewalk attach T03 --with bash\n  gatewalk attach T03 --with 'codex \"$(cat \"$GATEWALK_PROMPT\")\"'"
)]
pub(crate) struct Args {
    /// The unit: its id, or `T03` with one active feature
    unit: String,
    /// The program, a text for `sh`; the unit's agent when absent. `$GATEWALK_PROMPT` is the file with the prompt
    #[arg(long, value_name = "COMMAND")]
    with: Option<String>,
    /// Confine the commands: `auto`, `require` or `off`, in place of your configuration
    #[arg(long, value_name = "MODE", value_parser = super::loop_::sandbox_word)]
    sandbox: Option<SandboxPolicy>,
    #[command(flatten)]
    common: Common,
}

/// How an agent is started so that it talks to a user, given the prompt.
fn interactive_command(agent: &str) -> String {
    const PROMPT: &str = "\"$(cat \"$GATEWALK_PROMPT\")\"";
    match agent {
        "claude" | "codex" | "droid" => format!("{agent} {PROMPT}"),
        "cursor" => format!("cursor-agent {PROMPT}"),
        "gemini" | "qwen" => format!("{agent} -i {PROMPT}"),
        "opencode" => format!("{agent} --prompt {PROMPT}"),
        other => other.strip_prefix("command:").unwrap_or(other).to_owned(),
    }
}

/// Returns what is to be started: what the user named, else the agent of the unit, of the plan, of the project.
fn program(args: &Args, opened: &OpenFeature<'_>, id: &str) -> Result<String> {
    if let Some(command) = &args.with {
        return Ok(command.clone());
    }
    let member = opened.unit(id)?;
    let own = member.unit.and_then(|unit| unit.front.agent.as_ref());
    let plan = opened.feature().plan.front.agent.as_ref();
    let config = opened.selected.workspace.config.front.agent.as_ref();
    let first = own.or(plan).or(config);
    let first = first.and_then(|list| list.value.0.first());
    let agent = first.map_or(DEFAULT_AGENT, |entry| entry.value.agent.as_str());
    Ok(interactive_command(agent))
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let host = context.host()?;
    let mut opened = OpenFeature::open(context, &args.common, Some(&args.unit))?;
    let id = refuse_unready(&opened, &args.unit)?;
    let shell = program(args, &opened, &id)?;
    opened.refuse_findings(ChangedUnits::Refused)?;
    let (_locks, family_path) = enter(&mut opened)?;
    let slot = prepared(&opened, args, (&family_path, &id))?;
    let (git, env) = (&opened.repository.git, host.env.clone());
    let prompt = git.state_dir().join("attach-prompt.md");
    std::fs::write(&prompt, &slot.prompt).map_err(|e| Error::io("write", &prompt, &e))?;
    let prompt_path = prompt.to_string_lossy();
    context.out.note(format!(
        "{id} in {}: `{}`; the prompt is {prompt_path}; it is judged when that ends",
        slot.dir,
        one_line(&shell)
    ));
    let ended = interactive::run(&InteractiveCall {
        shell: &shell,
        cwd: Path::new(&slot.dir),
        env: &env,
        more: &[
            ("GATEWALK_PROMPT", &prompt_path),
            ("GATEWALK_ATTACHED", &id),
        ],
    })?;
    if ended == Some(127) {
        return Err(
            Error::environment(format!("`{}` is not installed", one_line(&shell)))
                .hint("`--with COMMAND` names another program; nothing was changed"),
        );
    }
    judge(&opened, args, (&family_path, &id, &slot))
}

/// Prepares the slot. Ctrl-C ends that at once: there is nothing yet to keep.
fn prepared(
    opened: &OpenFeature<'_>,
    args: &Args,
    (family_path, id): (&Path, &str),
) -> Result<HandSlot> {
    let mut host = opened.context.host()?;
    host.sandbox_now = args.sandbox;
    let git = &opened.repository.git;
    let family = ProcessTreeLock::acquire(family_path)?;
    let watcher = Printer::new(opened.context.out.clone(), false);
    let machine = Os::new(git, host, &watcher)?.for_run(StopFlag::new()?, family);
    machine.require_isolation(opened.selected.workspace.config.sandbox())?;
    machine.try_signing(opened.selected.commit)?;
    let layout = opened.repository.layout;
    let driver = machine.driver(layout, &opened.selected, RunOptions::default());
    let slot = driver.open_hand_slot(id, SLOT)?;
    watcher.finish();
    Ok(slot)
}

/// Judges what is in the slot, and lands it where it passes.
fn judge(
    opened: &OpenFeature<'_>,
    args: &Args,
    (family_path, id, slot): (&Path, &str, &HandSlot),
) -> Result<Exit> {
    let mut host = opened.context.host()?;
    host.sandbox_now = args.sandbox;
    let git = &opened.repository.git;
    let (family, _watchdog) =
        guarded_family(opened.context, &opened.repository, &host, family_path)?;
    let stop = signals::install()?;
    let watcher = Printer::new(opened.context.out.clone(), false);
    let machine = Os::new(git, host, &watcher)?.for_run(stop.clone(), family);
    let layout = opened.repository.layout;
    let driver = machine.driver(layout, &opened.selected, RunOptions::default());
    let (tree, kept) = driver.take_hand_slot(slot, (id, SLOT))?;
    let work = HandWork {
        unit: id,
        fork: slot.tip,
        began: None,
        tree,
        in_checkout: false,
    };
    let landing = driver.land_work(&work)?;
    watcher.finish();
    let Some(landing) = landing else {
        let out = &opened.context.out;
        out.note(format!("what you did is kept under {kept}"));
        out.note(format!("next: gatewalk land {id} --from {kept}"));
        return Ok(stop.exit().unwrap_or(Exit::Interrupted));
    };
    Ok(print_landing(opened, args.common.json, (id, &landing)))
}

#[cfg(test)]
mod tests {
    use super::interactive_command;

    #[test]
    fn agents_are_started_with_the_prompt_where_they_take_one() {
        for (agent, want) in [
            ("claude", "claude \"$(cat \"$GATEWALK_PROMPT\")\""),
            ("gemini", "gemini -i \"$(cat \"$GATEWALK_PROMPT\")\""),
            ("command:sh x.sh", "sh x.sh"),
            ("goose", "goose"),
        ] {
            assert_eq!(interactive_command(agent), want);
        }
    }
}
