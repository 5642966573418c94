//! Running the oracle's commands in a slot.

use super::running_reports::RunningReports;
use super::{Os, runtime};
use crate::git::{Git, JUDGING_HOOKS};
use crate::process::kept_verdicts;
use crate::process::{self, CapturedOutput, CommandSpec, Limits, ProcessEnd, Stdin};
use crate::stop_flag::StopFlag;
use gatewalk_core::driver::ports::{ShellEnd, ShellJob, SlotId};
use gatewalk_core::engine::command_end::{CommandEnd, Tampering};
use gatewalk_core::engine::oracle;
use gatewalk_core::error::Result;
use gatewalk_core::parallel::locked;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;
use std::sync::MutexGuard;
use std::time::Duration;

/// One command line for a shell, in a slot.
pub(super) struct ShellCall<'a> {
    pub(super) slot: SlotId,
    pub(super) shell: &'a str,
    pub(super) cwd: &'a Path,
    pub(super) env: Vec<(OsString, OsString)>,
    /// The name of the run, by which its processes are found again.
    pub(super) run: &'a str,
    pub(super) timeout: Duration,
    pub(super) network: bool,
    /// The only feature's directory that it may write in; none where it may write in several.
    pub(super) feature_dir: Option<&'a str>,
    pub(super) log: &'a Path,
    /// Is called again and again with the time that has passed.
    pub(super) running: &'a mut dyn FnMut(Duration),
}

/// What results and `expects_red` call a hook, behind its own name.
const HOOK: &str = " hook";

/// Returns the names of the hooks that would judge, as results and `expects_red` have them.
pub fn judging_hooks() -> Vec<String> {
    let names = JUDGING_HOOKS.iter();
    names.map(|name| format!("{name}{HOOK}")).collect()
}

/// Returns whether a repository has a hook of such a name.
pub fn has_hook(git: &Git, name: &str) -> bool {
    git.hook(name.trim_end_matches(HOOK)).is_some()
}

impl Os<'_> {
    /// Gives a slot a stop of its own, where the system has one left.
    pub(super) fn give_own_stop(&self, slot: SlotId) {
        if let Ok(stop) = StopFlag::new() {
            self.own_stops().insert(slot, stop);
        }
    }

    /// Ends what runs in a slot that has a stop of its own.
    pub(super) fn raise_own_stop(&self, slot: SlotId) {
        if let Some(stop) = self.own_stops().get(&slot) {
            stop.request(rustix::process::Signal::TERM.as_raw());
        }
    }

    fn own_stops(&self) -> MutexGuard<'_, BTreeMap<SlotId, StopFlag>> {
        locked(&self.own_stops)
    }

    /// Returns what ends the commands of a slot.
    pub(super) fn stop_of(&self, slot: SlotId) -> StopFlag {
        let own = self.own_stops().get(&slot).cloned();
        own.unwrap_or_else(|| self.stop.clone())
    }

    /// Returns the names of the user's hooks that judge.
    pub(super) fn user_hook_names(&self) -> Vec<String> {
        let mut names = judging_hooks();
        names.retain(|name| has_hook(&self.git, name));
        names
    }

    /// Returns the user's own hooks as shell texts: run where they are, not where a session could
    /// have written, on the files to be committed.
    pub(super) fn user_hooks(&self, slot: SlotId, message: &str) -> Result<Vec<(String, String)>> {
        let quoted = |path: &Path| oracle::shell_quote(&path.to_string_lossy());
        let mut hooks = Vec::new();
        for name in JUDGING_HOOKS {
            let Some(hook) = self.git.hook(name) else {
                continue;
            };
            let mut shell = quoted(&hook);
            if name == "commit-msg" {
                let file = self.slot(slot)?.dir().join(".git").join("COMMIT_EDITMSG");
                write_anew(&file, message)?;
                shell = format!("{shell} {}", quoted(&file));
            }
            hooks.push((format!("{name} hook"), shell));
        }
        Ok(hooks)
    }

    pub(super) fn shell(&self, job: &ShellJob) -> Result<ShellEnd> {
        let slot = self.slot(job.slot)?;
        let feature_dir = slot.dir().join(&job.feature_dir);
        let shell = oracle::substitute(&job.shell, &feature_dir.to_string_lossy());
        let name = runtime::log_name(&job.name);
        let log = self.command_log(job);
        runtime::make_parent(&log)?;
        // Of its own: what else runs in the slot is not ended with it.
        let run = format!("{}-{}-verify-{name}", job.unit, job.number);
        let mut env = self.env(&[], &job.unit, Some(&feature_dir));
        kept_verdicts::ask_for_none(&mut env);
        let mut reports = RunningReports::of(job, self.watcher);
        let _occupied = slot.occupy();
        let sh = || {
            self.sh(ShellCall {
                running: &mut |elapsed| reports.tick(elapsed),
                slot: job.slot,
                shell: &shell,
                cwd: slot.dir(),
                env,
                run: &run,
                timeout: job.timeout,
                network: job.network,
                feature_dir: Some(&job.feature_dir),
                log: &log,
            })
        };
        if job.number == 0 {
            // The user's own commit, or a record once more: nothing a session left runs for the first time.
            let end = end_of(&self.unwatched(sh), job.timeout, None);
            self.report_costly_command(job.slot, &job.name, end.duration)?;
            return Ok(end);
        }
        let (ran, tampering) = self.watched_command(&job.unit, sh)?;
        let end = end_of(&ran, job.timeout, tampering);
        self.report_costly_command(job.slot, &job.name, end.duration)?;
        Ok(end)
    }

    pub(super) fn sh(&self, call: ShellCall<'_>) -> CapturedOutput {
        let spec = CommandSpec {
            program: "sh".into(),
            args: vec!["-c".into(), call.shell.into()],
            cwd: call.cwd.to_path_buf(),
            env: call.env,
            stdin: Stdin::Null,
            marker: self.marker(call.run),
            inherit: self.inherited(),
            wrapper: None,
        };
        let limits = Limits {
            wall: Some(call.timeout),
            resources: self.host.resources,
            ..Limits::default()
        };
        let spec = self.confine_command(spec, call.network, (call.slot, call.feature_dir));
        let program = process::ProgramRun {
            spec: &spec,
            limits: &limits,
            log: Some(call.log),
            stop: &self.stop_of(call.slot),
        };
        let ran = process::run_capture_watched(&program, call.running);
        runtime::withhold_secrets(call.log);
        ran
    }
}

/// Writes a file where commands of the work ran before: what they left there, a link above all, is not written through.
fn write_anew(file: &Path, text: &str) -> Result<()> {
    use std::io::Write;
    let directory = file.parent().unwrap_or(Path::new("."));
    let failed = |e: &std::io::Error| gatewalk_core::error::Error::io("write", file, e);
    let meta = std::fs::symlink_metadata(directory).map_err(|e| failed(&e))?;
    if !meta.is_dir() {
        return Err(failed(&std::io::Error::other("its directory is a link")));
    }
    match std::fs::remove_file(file) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => return Err(failed(&e)),
        _ => {}
    }
    let mut new = std::fs::File::create_new(file).map_err(|e| failed(&e))?;
    new.write_all(text.as_bytes()).map_err(|e| failed(&e))
}

/// Returns what the driver needs of a command that ran, and whether it tampered meanwhile.
pub(super) fn end_of(
    ran: &CapturedOutput,
    timeout: Duration,
    tampering: Option<Tampering>,
) -> ShellEnd {
    let ended = match &ran.outcome.ended {
        _ if tampering.is_some() => CommandEnd::Voided(tampering.unwrap_or_default()),
        ProcessEnd::Exited(code) => {
            CommandEnd::of_exit(*code, ran.stdout.head(), ran.stderr.head())
        }
        ProcessEnd::Signaled(signal) => CommandEnd::Signalled(*signal),
        ProcessEnd::WallLimit | ProcessEnd::IdleLimit | ProcessEnd::LimitHit(_) => {
            CommandEnd::TimedOut(timeout)
        }
        ProcessEnd::Cancelled => CommandEnd::Cancelled,
        ProcessEnd::SpawnFailed { message, .. } => CommandEnd::NotStarted(message.clone()),
    };
    ShellEnd {
        ended,
        duration: ran.outcome.duration,
        stdout_head: ran.stdout.head().to_vec(),
        stdout_tail: ran.stdout.to_tail(),
        stdout_omitted: ran.stdout.cut(),
        stderr_head: ran.stderr.head().to_vec(),
        stderr_tail: ran.stderr.to_tail(),
        stderr_omitted: ran.stderr.cut(),
    }
}
