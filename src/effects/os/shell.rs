//! Running the oracle's commands and the project's set-up in a slot.

use super::{Os, log_dir, oid, runtime};
use crate::driver::machine::{Oid, ShellEnd, ShellJob};
use crate::effects::git::GitPath;
use crate::effects::process::{self, Captured, CommandSpec, Ended, Limits, Stdin};
use crate::engine::oracle;
use crate::error::Result;
use std::path::Path;
use std::time::Duration;

/// Wall-clock limit of a project's `setup`.
const SETUP_TIMEOUT: Duration = Duration::from_secs(30 * 60);

/// Files whose change asks for the set-up again.
const LOCK_FILES: &[&str] = &[
    "Cargo.lock",
    "package-lock.json",
    "npm-shrinkwrap.json",
    "pnpm-lock.yaml",
    "yarn.lock",
    "bun.lock",
    "bun.lockb",
    "uv.lock",
    "poetry.lock",
    "Pipfile.lock",
    "requirements.txt",
    "pdm.lock",
    "go.sum",
    "Gemfile.lock",
    "composer.lock",
    "mix.lock",
    "gradle.lockfile",
    "packages.lock.json",
    "flake.lock",
    "pom.xml",
];

/// Caches that tell by themselves when they are stale; everything else that is ignored goes before
/// a verification, so that what one run left cannot let the next one pass.
const CACHES: &[&str] = &[
    "target",
    "node_modules",
    ".venv",
    "venv",
    ".tox",
    ".nox",
    ".gradle",
    ".mypy_cache",
    ".ruff_cache",
    ".turbo",
    ".stack-work",
    "dist-newstyle",
    ".dart_tool",
    "zig-cache",
    ".zig-cache",
    ".bundle",
    "_build",
    "deps",
    "obj",
];

/// The operator's hooks that say whether a commit may be.
const HOOKS: &[&str] = &["pre-commit", "commit-msg"];

impl Os<'_> {
    fn setup_stamp(&self, slot: usize) -> std::path::PathBuf {
        self.state()
            .join("slots")
            .join(slot.to_string())
            .join("setup")
    }

    /// Makes the set-up run again in a slot that was built anew.
    pub(super) fn forget_setup(&self, slot: usize) {
        // A stamp that cannot be removed is caught by the set-up's own products being absent.
        drop(std::fs::remove_file(self.setup_stamp(slot)));
    }

    /// Returns the ignored paths that verification's slot keeps: caches, links, what set-up made.
    pub(super) fn kept_in(&self, slot: usize) -> Vec<String> {
        let mut kept: Vec<String> = CACHES.iter().map(|c| (*c).to_owned()).collect();
        let caches = self
            .caches
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        kept.extend(caches.iter().cloned());
        let made = self.setup_stamp(slot).with_extension("made");
        let made = std::fs::read_to_string(made).unwrap_or_default();
        kept.extend(
            made.lines()
                .map(|path| format!("/{}", path.trim_end_matches('/'))),
        );
        kept
    }

    /// Returns the names of the operator's hooks that judge.
    pub(super) fn operator_hook_names(&self) -> Vec<String> {
        let there = HOOKS.iter().filter(|name| self.git.hook(name).is_some());
        there.map(|name| format!("{name} hook")).collect()
    }

    /// Returns the operator's own hooks as shell texts: run where they are, not where a session could
    /// have written, on the files to be committed.
    pub(super) fn operator_hooks(
        &self,
        slot: usize,
        message: &str,
    ) -> Result<Vec<(String, String)>> {
        let quoted = |path: &Path| oracle::shell_quote(&path.to_string_lossy());
        let mut hooks = Vec::new();
        for name in HOOKS {
            let Some(hook) = self.git.hook(name) else {
                continue;
            };
            let mut shell = quoted(&hook);
            if *name == "commit-msg" {
                let file = self.slot(slot)?.dir().join(".git").join("COMMIT_EDITMSG");
                write_anew(&file, message)?;
                shell = format!("{shell} {}", quoted(&file));
            }
            hooks.push((format!("{name} hook"), shell));
        }
        Ok(hooks)
    }

    fn note_made(&self, slot: usize) -> Result<()> {
        let place = self.slot(slot)?;
        let ignored = self.git.ignored_in(&place)?;
        let lines: Vec<_> = ignored
            .iter()
            .filter_map(GitPath::as_str)
            .filter(|p| !p.contains('\n'))
            .collect();
        let path = self.setup_stamp(slot).with_extension("made");
        runtime::make_parent(&path)?;
        // Losing it only means that the set-up's products go and the set-up runs again.
        drop(std::fs::write(path, lines.join("\n")));
        Ok(())
    }

    pub(super) fn shell(&self, job: &ShellJob) -> Result<ShellEnd> {
        let slot = self.slot(job.slot)?;
        let feature_dir = slot.dir().join(&job.feature_dir);
        let shell = oracle::substitute(&job.shell, &feature_dir.to_string_lossy());
        let name: String = job
            .name
            .chars()
            .map(|c| {
                if c.is_ascii_alphanumeric() || c == '-' {
                    c
                } else {
                    '_'
                }
            })
            .collect();
        let log = log_dir(&self.state(), &job.unit, job.number).join(format!("verify-{name}.log"));
        runtime::make_parent(&log)?;
        let run = format!("{}-{}-verify", job.unit, job.number);
        let env = self.env(&[], &job.unit, Some(&feature_dir));
        let sh = || {
            let bounds = (job.timeout, job.network);
            self.sh(&shell, slot.dir(), env, &run, bounds, &log)
        };
        if job.number == 0 {
            // The operator's own commit, or a record once more: nothing a session left runs for the first time.
            return Ok(end_of(&sh(), job.timeout));
        }
        let (ran, tampered) = self.watched_command(&job.unit, sh)?;
        let mut end = end_of(&ran, job.timeout);
        if tampered.is_some() {
            end.exit = None;
            end.why = tampered;
        }
        Ok(end)
    }

    fn sh(
        &self,
        shell: &str,
        cwd: &Path,
        env: Vec<(std::ffi::OsString, std::ffi::OsString)>,
        run: &str,
        (timeout, network): (Duration, bool),
        log: &Path,
    ) -> Captured {
        let spec = CommandSpec {
            program: "sh".into(),
            args: vec!["-c".into(), shell.into()],
            cwd: cwd.to_path_buf(),
            env,
            stdin: Stdin::Null,
            marker: self.marker(run),
            inherit: self
                .family
                .as_ref()
                .map(crate::effects::lock::FamilyLock::file),
        };
        let limits = Limits {
            wall: Some(timeout),
            resources: self.host.resources,
            ..Limits::default()
        };
        let spec = self.confine_command(spec, network);
        process::run_capture(&spec, &limits, Some(log), &self.stop)
    }

    /// Runs the set-up unless it succeeded in this slot for the same lock files.
    pub(super) fn run_setup(
        &self,
        slot: usize,
        tree: &Oid,
        setup: &str,
    ) -> Result<Option<ShellEnd>> {
        let stamp = self.setup_stamp(slot);
        let wanted = self.setup_inputs(tree, setup)?;
        if std::fs::read_to_string(&stamp).is_ok_and(|had| had == wanted) {
            return Ok(None);
        }
        let slot_dir = self.slot(slot)?;
        let log = self.state().join("logs").join("setup.log");
        runtime::make_parent(&log)?;
        let env = self.env(&[], "", None);
        let run = format!("setup-{slot}");
        let end = end_of(
            &self.sh(
                setup,
                slot_dir.dir(),
                env,
                &run,
                (SETUP_TIMEOUT, true),
                &log,
            ),
            SETUP_TIMEOUT,
        );
        if end.exit == Some(0) {
            self.note_made(slot)?;
            runtime::make_parent(&stamp)?;
            // A lost stamp only means that the set-up runs again.
            drop(std::fs::write(&stamp, wanted));
        }
        Ok(Some(end))
    }

    fn setup_inputs(&self, tree: &Oid, setup: &str) -> Result<String> {
        let mut inputs = format!("{setup}\n");
        for entry in self.git.list_tree(oid(tree)?, &GitPath::new(Vec::new()))? {
            let path = entry.path.to_text();
            if LOCK_FILES.contains(&path.rsplit('/').next().unwrap_or_default()) {
                inputs.push_str(&format!("{} {path}\n", entry.oid));
            }
        }
        Ok(inputs)
    }
}

/// Writes a file where commands of the work ran before: what they left there, a link above all, is not written through.
fn write_anew(file: &Path, text: &str) -> Result<()> {
    use std::io::Write;
    let folder = file.parent().unwrap_or(Path::new("."));
    let failed = |e: &std::io::Error| crate::error::Error::io("write", file, e);
    let meta = std::fs::symlink_metadata(folder).map_err(|e| failed(&e))?;
    if !meta.is_dir() {
        return Err(failed(&std::io::Error::other("its folder is a link")));
    }
    match std::fs::remove_file(file) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => return Err(failed(&e)),
        _ => {}
    }
    let mut new = std::fs::File::create_new(file).map_err(|e| failed(&e))?;
    new.write_all(text.as_bytes()).map_err(|e| failed(&e))
}

fn end_of(ran: &Captured, timeout: Duration) -> ShellEnd {
    let (exit, why) = match &ran.outcome.ended {
        Ended::Exited(code) => (Some(*code), None),
        Ended::Signaled(signal) => (None, Some(format!("signal {signal}"))),
        Ended::WallLimit | Ended::IdleLimit | Ended::LimitHit(_) => (
            None,
            Some(format!(
                "timed out after {}",
                crate::model::front::show_duration(timeout)
            )),
        ),
        Ended::Cancelled => (None, Some("cancelled".to_owned())),
        Ended::SpawnFailed { message, .. } => (None, Some(format!("not started: {message}"))),
    };
    ShellEnd {
        exit,
        why,
        duration: ran.outcome.duration,
        stdout_head: ran.stdout.head().to_vec(),
        stdout_tail: ran.stdout.to_tail(),
        stdout_omitted: ran.stdout.cut(),
        stderr_head: ran.stderr.head().to_vec(),
        stderr_tail: ran.stderr.to_tail(),
        stderr_omitted: ran.stderr.cut(),
    }
}
