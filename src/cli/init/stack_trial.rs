//! Running what `init` proposes once: in a slot, on what is committed, confined as the loop will run it.

use crate::cli::Context;
use crate::cli::rerun::recheck_locks;
use crate::cli::watch::Printer;
use gatewalk_core::driver::case_report::ReportPlace;
use gatewalk_core::driver::ports::{
    CommandRunner, History, SetUp, ShellEnd, ShellJob, SlotContent, SlotId, Workspaces,
};
use gatewalk_core::engine::command_end::CommandEnd;
use gatewalk_core::engine::evidence::{one_line, plain, sanitize};
use gatewalk_core::engine::{network_need, unproven};
use gatewalk_core::error::Result;
use gatewalk_core::model::verification::DEFAULT_COMMAND_TIMEOUT;
use gatewalk_core::object_id::ObjectId;
use gatewalk_core::scaffold::initial_files::STATE_DIR;
use gatewalk_core::scaffold::stack::{CaseForm, Stack, StackCommand, StackTrial, TrialOutcome};
use gatewalk_host::git::Git;
use gatewalk_host::os::Os;
use gatewalk_host::signals;

/// Letters of a commit's id that are shown.
const SHORT: usize = 7;

/// Letters of the line that says why a command failed.
const REASON: usize = 160;

/// Runs the stacks in turn until the tests of one pass, and returns that one with what was shown;
/// the first of them whose runner is installed where none does.
pub(super) fn first_proven(
    context: &Context,
    git: &Git,
    commit: ObjectId,
    stacks: &[Stack],
) -> Result<Stack> {
    let (_lock, family) = recheck_locks(git, "a trial of the commands")?;
    let stop = signals::install()?;
    let watcher = Printer::new(context.out.clone(), false);
    let machine = Os::new(git, context.host()?, &watcher)?.for_run(stop, family);
    let (mut best, mut without_runner): (Option<Stack>, Option<Stack>) = (None, None);
    for stack in stacks {
        let trial = run(context, &machine, commit, stack)?;
        let (shown, lacks_runner) = (trial.shows_tests(stack), trial.lacks_runner());
        let tried = stack.clone().tried(trial);
        if shown || !lacks_runner && best.is_none() {
            best = Some(tried);
        } else {
            without_runner.get_or_insert(tried);
        }
        if shown {
            break;
        }
    }
    machine.empty_slot(SlotId::Recheck)?;
    // What a stop cut short says nothing of the commands.
    signals::end_if_stopped();
    Ok(best.or(without_runner).unwrap_or_default())
}

fn run(context: &Context, machine: &Os<'_>, commit: ObjectId, stack: &Stack) -> Result<StackTrial> {
    let mut trial = StackTrial {
        commit: commit.hex().chars().take(SHORT).collect(),
        ..StackTrial::default()
    };
    let tree = machine.tree_of(&commit)?;
    machine.empty_slot(SlotId::Recheck)?;
    machine.prepare_slot(&SlotContent {
        slot: SlotId::Recheck,
        commit,
        tree,
        branch: "main",
    })?;
    if let Some(setup) = &stack.setup {
        context.out.note(format!("set-up  {setup}"));
    }
    let set_up = machine.set_up(
        SlotId::Recheck,
        &SetUp {
            tree: &tree,
            base: &tree,
            shell: stack.setup.as_deref(),
            link: &stack.link,
            state_dir: STATE_DIR,
        },
    )?;
    let broken = set_up
        .filter(|end| !end.ended.is_success())
        .map(|end| reason(&end));
    if let Some(why) = &broken {
        context.out.note(format!("red     set-up: {why}"));
    }
    for command in stack.code.iter().chain(&stack.suggested) {
        let outcome = match &broken {
            Some(why) => TrialOutcome::Failed(format!("the set-up failed: {why}")),
            None => match run_once(context, machine, command)? {
                (failed @ TrialOutcome::Failed(_), end) => {
                    failing_cases(context, machine, (command, &end))?.unwrap_or(failed)
                }
                (outcome, _) => outcome,
            },
        };
        trial.outcomes.insert(command.name.clone(), outcome);
    }
    Ok(trial)
}

fn run_once(
    context: &Context,
    machine: &Os<'_>,
    command: &StackCommand,
) -> Result<(TrialOutcome, ShellEnd)> {
    let end = run_shell(context, machine, (&command.name, &command.run))?;
    let output = text_of(&end);
    let unproven = match end.ended.is_success() {
        true if command.tests => unproven::why(&command.run, &output),
        true => None,
        false => Some(reason(&end)),
    };
    let seconds = end.duration.as_secs_f64();
    let outcome = match unproven {
        None => {
            let run = &command.run;
            context.out.note(format!("green   {run} ({seconds:.1}s)"));
            TrialOutcome::Passed
        }
        Some(why) => {
            context.out.note(format!("red     {}: {why}", command.run));
            match is_not_installed(&end, &output) {
                true => TrialOutcome::NotInstalled(why),
                false => TrialOutcome::Failed(why),
            }
        }
    };
    Ok((outcome, end))
}

/// Whether what a command starts is not there: the shell's exit code for that (POSIX, "Exit Status for Commands"), or all
/// that `python -m` prints then.
fn is_not_installed(end: &ShellEnd, output: &str) -> bool {
    let mut lines = output.lines().filter(|line| !line.trim().is_empty());
    let only = lines.next().filter(|_| lines.next().is_none());
    end.ended == CommandEnd::Exited(127)
        || only.is_some_and(|line| line.contains(": No module named "))
}

/// Returns the cases of a red test command: by a report that its runner is told to write, else by what it printed where
/// that is TAP; nothing where there is nothing to hold units to.
fn failing_cases(
    context: &Context,
    machine: &Os<'_>,
    (command, end): (&StackCommand, &ShellEnd),
) -> Result<Option<TrialOutcome>> {
    let told = match &command.by_cases {
        Some(form) => reported_cases(context, machine, (command, form))?,
        None => None,
    };
    if told.is_some() || !command.tests {
        return Ok(told);
    }
    let form = CaseForm::printed_tap(&command.run);
    let printed = place_of(&form).failing_cases(machine, SlotId::Recheck, end)?;
    Ok(printed.ok().map(|cases| known(context, cases, &form)))
}

/// Runs a red test command so that it reports its cases.
fn reported_cases(
    context: &Context,
    machine: &Os<'_>,
    (command, form): (&StackCommand, &CaseForm),
) -> Result<Option<TrialOutcome>> {
    let place = place_of(form);
    place.clear(machine, SlotId::Recheck)?;
    let end = run_shell(context, machine, (&command.name, &form.run))?;
    Ok(match place.failing_cases(machine, SlotId::Recheck, &end)? {
        Ok(cases) => Some(known(context, cases, form)),
        Err(why) => {
            context.out.note(format!("red     {}: {why}", form.run));
            None
        }
    })
}

fn place_of(form: &CaseForm) -> ReportPlace<'_> {
    ReportPlace {
        format: form.format,
        path: form.path.as_deref(),
    }
}

/// Names the cases that may go on failing.
fn known(context: &Context, cases: Vec<String>, form: &CaseForm) -> TrialOutcome {
    let names: Vec<String> = cases.iter().map(|name| one_line(&sanitize(name))).collect();
    context.out.note(format!(
        "cases   {} known to fail; units are held to the others: {}",
        cases.len(),
        names.join(", ")
    ));
    TrialOutcome::FailsCases(cases, form.clone())
}

/// Runs a command line in the slot, as the loop would.
fn run_shell(context: &Context, machine: &Os<'_>, (name, run): (&str, &str)) -> Result<ShellEnd> {
    context.out.note(format!("trying  {run}"));
    machine.run_command(&ShellJob {
        slot: SlotId::Recheck,
        unit: "init".to_owned(),
        number: 0,
        name: name.to_owned(),
        shell: run.to_owned(),
        feature_dir: STATE_DIR.to_owned(),
        timeout: DEFAULT_COMMAND_TIMEOUT,
        network: network_need::may_fetch(run),
        usual: None,
    })
}

/// Returns how a command ended, with the line that says most about it.
fn reason(end: &ShellEnd) -> String {
    let text = plain(&text_of(end));
    let line: String = one_line(&sanitize(telling_line(&text)))
        .chars()
        .take(REASON)
        .collect();
    format!("{}: {line}", end.ended)
}

/// Returns the line of an output that says most about why a command was red.
fn telling_line(text: &str) -> &str {
    let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty());
    let names_an_error = |line: &&str| {
        let line = line.to_lowercase();
        if line.contains("warn") || line.contains("usage:") {
            return false;
        }
        [
            "error",
            "not found",
            "no module",
            "cannot",
            "failed",
            "missing",
            "not ok",
            "no tests",
        ]
        .iter()
        .any(|word| line.contains(word))
    };
    let line = lines().find(names_an_error);
    // The end of a diff may be a brace.
    let says_something = |line: &&str| line.chars().any(char::is_alphanumeric);
    let line = line.or_else(|| lines().rfind(says_something));
    line.unwrap_or("no output")
}

fn text_of(end: &ShellEnd) -> String {
    let parts = [
        &end.stdout_head,
        &end.stdout_tail,
        &end.stderr_head,
        &end.stderr_tail,
    ];
    let parts = parts.map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    parts.join("\n")
}

#[cfg(test)]
mod tests {
    use super::telling_line;

    #[test]
    fn the_reason_of_a_red_command_is_a_line_that_says_something() {
        for (text, want) in [
            (
                "one\nerror: no such command\ntwo\n",
                "error: no such command",
            ),
            ("warning: error ahead\nthree failed\n", "three failed"),
            (
                "Diff in lib.rs:15:\n-fn a() { b() }\n+fn a() {\n+    b()\n+}\n }\n",
                "+    b()",
            ),
            ("}\n)\n", "no output"),
            ("", "no output"),
        ] {
            assert_eq!(telling_line(text), want, "{text}");
        }
    }
}
