//! The real machine: git, slots, processes and the clock behind [`Machine`].

mod confine;
mod link;
mod runtime;
mod session;
mod shell;
mod sink;
mod slots;
mod voice;
mod watched;

pub use runtime::{log_dir, read_in_flight};
pub use session::{KEEP_KEYS, login_file};

use super::git::{self, Git, GitPath, MODE_EXECUTABLE, MODE_FILE, Oid as GitOid, Slot, Stamp};
use super::isolation::Layer;
use super::lock::FamilyLock;
use super::process::Marker;
use super::signals::StopFlag;
use crate::agents::CommandAgent;
use crate::driver::machine::{
    AgentEnd, AgentJob, Captured, Followed, InFlight, Machine, Merged, Oid, Pin, PutBack, ShellEnd,
    ShellJob, Survey, TreeEdit,
};
use crate::driver::news::Watcher;
use crate::engine::guards::{Change, ChangeKind};
use crate::error::{Error, Result};
use crate::model::config::SandboxPolicy;
use crate::model::layout::{self, Layout};
use crate::model::workspace::FileSet;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock};

/// The largest file whose definitions are looked at.
const SURVEY_LIMIT: u64 = 64 * 1024;

/// What the person has and allows on this machine: environment and own configuration.
#[derive(Debug, Clone, Default)]
pub struct Host {
    /// The environment this program was started with.
    pub env: Vec<(OsString, OsString)>,
    /// Programs the person defined as agents.
    pub agents: Vec<CommandAgent>,
    /// Where relative paths on the command line start.
    pub cwd: PathBuf,
    /// This program.
    pub own_program: PathBuf,
    /// How strictly the person's own configuration confines attempts.
    pub sandbox: Option<SandboxPolicy>,
    /// What the person said for this run.
    pub sandbox_now: Option<SandboxPolicy>,
    /// More paths that attempts may change, from the person's own configuration.
    pub writable: Vec<PathBuf>,
    /// Whether a unit may ask to run unconfined.
    pub allow_unsandboxed: bool,
}

/// The real machine.
pub struct Os<'w> {
    git: Git,
    stop: StopFlag,
    host: Host,
    family: Option<FamilyLock>,
    watcher: &'w dyn Watcher,
    slots: PathBuf,
    opened: Mutex<Vec<Option<Slot>>>,
    /// What a slot holds, where that is known: nothing ran in it since somebody looked.
    holds: Mutex<BTreeMap<usize, slots::Held>>,
    /// Agents about whose environment the person has been told.
    told: Mutex<BTreeSet<String>>,
    /// Ignored paths verification keeps, as the project says.
    caches: Mutex<Vec<String>>,
    /// What confines attempts, once it was asked.
    layer: OnceLock<Layer>,
    /// The branch that is driven, once a slot was prepared for it.
    driven: OnceLock<String>,
    /// Commits this run landed itself.
    landed: Mutex<BTreeSet<GitOid>>,
}

impl Host {
    /// Returns a variable of the person's environment, if it is set and not empty.
    pub fn var(&self, name: &str) -> Option<&OsString> {
        let found = self.env.iter().find(|(n, _)| n == name);
        found
            .map(|(_, value)| value)
            .filter(|value| !value.is_empty())
    }
}

impl<'w> Os<'w> {
    /// Returns the machine of one repository. `family` is what the families of attempts inherit.
    pub fn new(
        git: Git,
        stop: StopFlag,
        host: Host,
        family: Option<FamilyLock>,
        watcher: &'w dyn Watcher,
    ) -> Result<Os<'w>> {
        let slots = slots_root(&git, &host)?;
        Ok(Os {
            git,
            stop,
            host,
            family,
            watcher,
            slots,
            opened: Mutex::default(),
            holds: Mutex::default(),
            told: Mutex::default(),
            caches: Mutex::default(),
            layer: OnceLock::new(),
            driven: OnceLock::new(),
            landed: Mutex::default(),
        })
    }

    /// Returns the folder of the repository's runtime state.
    fn state(&self) -> PathBuf {
        self.git.state_dir()
    }

    fn marker(&self, run: &str) -> Marker {
        Marker::new(&owner(&self.git), run)
    }

    fn stamp(&self) -> Stamp {
        let now = jiff::Zoned::now();
        Stamp {
            seconds: now.timestamp().as_second(),
            offset_minutes: now.offset().seconds() / 60,
        }
    }

    /// Returns the environment every process of an attempt may see.
    fn env(
        &self,
        extra: &[&str],
        unit: &str,
        feature_dir: Option<&Path>,
    ) -> Vec<(OsString, OsString)> {
        let mut env = super::process::env::allowed(&self.host.env, extra);
        env.push(("GATEWALK_UNIT".into(), unit.into()));
        env.push(("GATEWALK_BIN".into(), self.host.own_program.clone().into()));
        if let Some(dir) = feature_dir {
            env.push(("GATEWALK_FEATURE_DIR".into(), dir.into()));
        }
        env
    }
}

/// Returns the name under which a repository's processes are known on this machine.
pub fn owner(git: &Git) -> String {
    use sha2::{Digest, Sha256};
    use std::os::unix::ffi::OsStrExt;
    let hash = Sha256::digest(git.git_dir().as_os_str().as_bytes());
    format!("gw{}", &crate::engine::oracle::hex(&hash)[..16])
}

/// Returns where a repository's slots are: outside every work tree.
pub fn slots_root(git: &Git, host: &Host) -> Result<PathBuf> {
    let var = |name: &str| {
        host.env
            .iter()
            .find(|(n, _)| n == name)
            .map(|(_, v)| PathBuf::from(v))
            .filter(|p| p.is_absolute())
    };
    let cache = var("XDG_CACHE_HOME").or_else(|| var("HOME").map(|h| h.join(".cache")));
    let candidates = [cache, Some(std::env::temp_dir())];
    let outside = |p: &PathBuf| {
        !p.starts_with(git.work_tree()) && !git.work_tree().starts_with(p.join("gatewalk"))
    };
    candidates
        .into_iter()
        .flatten()
        .map(|p| std::fs::canonicalize(&p).unwrap_or(p))
        .find(outside)
        .map(|p| p.join("gatewalk").join("slots").join(owner(git)))
        .ok_or_else(|| {
            Error::environment("there is no folder outside the repository for slots")
                .hint("set XDG_CACHE_HOME to a folder outside the repository")
        })
}

fn oid(text: &str) -> Result<GitOid> {
    GitOid::parse(text.as_bytes())
        .ok_or_else(|| Error::internal(format!("`{text}` is no object id")))
}

fn full(branch: &str) -> String {
    format!("refs/heads/{branch}")
}

fn change(c: &git::Change) -> Change {
    let regular = c
        .new
        .is_some_and(|v| v.mode == MODE_FILE || v.mode == MODE_EXECUTABLE);
    let kind = match c.kind() {
        git::ChangeKind::Added => ChangeKind::Added,
        git::ChangeKind::Deleted => ChangeKind::Deleted,
        git::ChangeKind::Modified | git::ChangeKind::TypeChanged => ChangeKind::Modified,
    };
    Change {
        path: c.path.to_text().into_owned(),
        kind,
        regular,
    }
}

fn followed(f: git::Followed) -> Followed {
    Followed {
        kept: f.kept.iter().map(|p| p.to_text().into_owned()).collect(),
        not_followed: f.problem,
    }
}

impl Machine for Os<'_> {
    fn state_files(&self, commit: &Oid, layout: Layout) -> Result<FileSet> {
        self.git.files_under(oid(commit)?, layout.dir())
    }

    fn file_at(&self, tree: &Oid, path: &str) -> Result<Option<Vec<u8>>> {
        self.git.file_at(oid(tree)?, &GitPath::new(path.as_bytes()))
    }

    fn paths(&self, tree: &Oid) -> Result<Vec<String>> {
        let entries = self.git.list_tree(oid(tree)?, &GitPath::new(Vec::new()))?;
        let regular = |mode: u32| mode == MODE_FILE || mode == MODE_EXECUTABLE;
        Ok(entries
            .iter()
            .filter(|e| regular(e.mode))
            .map(|e| e.path.to_text().into_owned())
            .collect())
    }

    fn survey(&self, tree: &Oid, choose: &dyn Fn(&[String]) -> Vec<String>) -> Result<Survey> {
        let entries = self.git.list_tree(oid(tree)?, &GitPath::new(Vec::new()))?;
        let regular = entries
            .iter()
            .filter(|e| e.mode == MODE_FILE || e.mode == MODE_EXECUTABLE);
        let (paths, blobs): (Vec<String>, Vec<_>) = regular
            .map(|e| (e.path.to_text().into_owned(), e.oid))
            .unzip();
        let names = choose(&paths);
        // The listing is sorted by bytes, and text that is no UTF-8 cannot be chosen anyway.
        let found: Vec<(String, _)> = names
            .into_iter()
            .filter_map(|n| {
                let at = paths.iter().position(|p| *p == n)?;
                Some((n, blobs[at]))
            })
            .collect();
        let oids: Vec<_> = found.iter().map(|(_, oid)| *oid).collect();
        let contents = self.git.read_blobs(&oids, SURVEY_LIMIT)?;
        let chosen = found
            .into_iter()
            .zip(contents)
            .map(|((name, _), bytes)| (name, bytes.unwrap_or_default()))
            .collect();
        Ok(Survey { paths, chosen })
    }

    fn tip(&self, branch: &str) -> Result<Option<Oid>> {
        Ok(self.git.ref_value(&full(branch))?.map(|o| o.hex()))
    }

    fn tree_of(&self, commit: &Oid) -> Result<Oid> {
        Ok(self.git.tree_of(oid(commit)?)?.hex())
    }

    fn tree_key(&self, tree: &Oid, without: &str) -> Result<String> {
        self.git.key_without(oid(tree)?, without)
    }

    fn pins(&self) -> Result<Vec<Pin>> {
        let pins = self.git.list_pins(layout::REFS)?;
        Ok(pins
            .into_iter()
            .map(|p| Pin {
                name: p.name,
                commit: p.commit.hex(),
                tree: p.tree.hex(),
                message: p.message,
            })
            .collect())
    }

    fn pin(&self, name: &str, tree: &Oid, parent: &Oid, message: &str) -> Result<()> {
        self.git
            .pin(name, oid(tree)?, oid(parent)?, message, self.stamp())
            .map(drop)
    }

    fn unpin(&self, name: &str) -> Result<()> {
        match self.git.ref_value(name)? {
            Some(value) => self.git.delete_ref(name, value).map(drop),
            None => Ok(()),
        }
    }

    fn diff(&self, old: &Oid, new: &Oid) -> Result<Vec<Change>> {
        Ok(self
            .git
            .diff(oid(old)?, oid(new)?)?
            .iter()
            .map(change)
            .collect())
    }

    fn edit_tree(&self, tree: &Oid, edits: &[TreeEdit]) -> Result<Oid> {
        let edits: Vec<git::TreeEdit> = edits
            .iter()
            .map(|(path, content)| git::TreeEdit {
                path: GitPath::new(path.as_bytes()),
                content: content.clone().map(|bytes| (MODE_FILE, bytes)),
            })
            .collect();
        Ok(self.git.edit_tree(oid(tree)?, &edits)?.hex())
    }

    fn merge(&self, base: &Oid, ours: &Oid, theirs: &Oid) -> Result<Merged> {
        Ok(
            match self.git.merge_trees(oid(base)?, oid(ours)?, oid(theirs)?)? {
                git::Merged::Clean(tree) => Merged::Clean(tree.hex()),
                git::Merged::Conflict(paths) => {
                    Merged::Conflict(paths.iter().map(|p| p.to_text().into_owned()).collect())
                }
            },
        )
    }

    fn land(
        &self,
        branch: &str,
        tip: &Oid,
        tree: &Oid,
        message: &str,
    ) -> Result<Option<(Oid, Followed)>> {
        let landing = git::Landing {
            branch: &full(branch),
            tip: oid(tip)?,
            tree: oid(tree)?,
            message,
            when: self.stamp(),
        };
        Ok(match self.git.land(&landing)? {
            git::Landed::Done {
                commit,
                followed: f,
            } => {
                self.landed
                    .lock()
                    .unwrap_or_else(std::sync::PoisonError::into_inner)
                    .insert(commit);
                Some((commit.hex(), followed(f)))
            }
            git::Landed::Moved { .. } => None,
        })
    }

    fn catch_up(&self) -> Result<Followed> {
        Ok(self.git.recover_follow()?.map(followed).unwrap_or_default())
    }

    fn contents(&self, tree: &Oid, paths: &[String], limit: usize) -> Result<Vec<Option<Vec<u8>>>> {
        // A path with a newline cannot be asked for in one line; it is rare enough to be asked alone.
        let plain: Vec<&String> = paths.iter().filter(|p| !p.contains(['\n', '\0'])).collect();
        let names: Vec<String> = plain.iter().map(|p| format!("{tree}:{p}")).collect();
        let mut found = self.git.read_objects(&names, limit as u64)?.into_iter();
        paths
            .iter()
            .map(|path| {
                if path.contains(['\n', '\0']) {
                    return self.file_at(tree, path);
                }
                let object = found.next().flatten().filter(|o| o.kind == "blob");
                Ok(object.and_then(|o| o.content))
            })
            .collect()
    }

    fn put_back(&self, tree: &Oid, from: &Oid, paths: &[PutBack]) -> Result<Oid> {
        let paths: Vec<(GitPath, Option<Vec<u8>>)> = paths
            .iter()
            .map(|(path, text)| {
                (
                    GitPath::new(path.as_bytes()),
                    text.as_ref().map(|t| t.clone().into_bytes()),
                )
            })
            .collect();
        Ok(self.git.put_back(oid(tree)?, oid(from)?, &paths)?.hex())
    }

    fn prepare_slot(&self, slot: usize, commit: &Oid, tree: &Oid, branch: &str) -> Result<()> {
        self.fill_slot(slot, commit, tree, branch)
    }

    fn changed_in_slot(&self, slot: usize) -> Result<Vec<String>> {
        self.look_for_changes(slot)
    }

    fn keep_caches(&self, paths: &[String]) {
        let mut caches = self
            .caches
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        caches.clear();
        caches.extend_from_slice(paths);
    }

    fn capture(&self, slot: usize, base: &Oid) -> Result<Captured> {
        self.capture_slot(slot, base)
    }

    fn hooks(&self, slot: usize, message: &str) -> Result<Vec<(String, String)>> {
        self.operator_hooks(slot, message)
    }

    fn isolation(&self, unsandboxed: bool) -> String {
        match self.is_confined(unsandboxed) {
            true => self.layer().word().to_owned(),
            false => "none".to_owned(),
        }
    }

    fn note_in_flight(&self, note: &InFlight) -> Result<()> {
        runtime::note_in_flight(&self.state(), note)
    }

    fn in_flight(&self) -> Result<Vec<InFlight>> {
        read_in_flight(&self.state())
    }

    fn clear_in_flight(&self, slot: usize) -> Result<()> {
        runtime::clear_in_flight(&self.state(), slot)
    }

    fn run_agent(&self, job: &AgentJob) -> Result<AgentEnd> {
        self.note_holds(job.slot, None);
        self.session(job)
    }

    fn run_shell(&self, job: &ShellJob) -> Result<ShellEnd> {
        self.note_holds(job.slot, None);
        self.shell(job)
    }

    fn set_up(
        &self,
        slot: usize,
        tree: &Oid,
        setup: Option<&str>,
        link: &[String],
    ) -> Result<Option<ShellEnd>> {
        self.bring_links(slot, link)?;
        match setup {
            Some(setup) => self.run_setup(slot, tree, setup).inspect(|ran| {
                if ran.is_some() {
                    self.note_holds(slot, None);
                }
            }),
            None => Ok(None),
        }
    }

    fn remembered(&self, key: &str) -> Option<i32> {
        runtime::remembered(&self.state(), key)
    }

    fn remember(&self, key: &str, exit: i32) {
        runtime::remember(&self.state(), key, exit);
    }

    fn keep(&self, unit: &str, number: u32, name: &str, text: &str) {
        runtime::keep(&self.state(), unit, number, name, text);
    }

    fn now(&self) -> jiff::Timestamp {
        jiff::Timestamp::now()
    }

    fn sleep_until(&self, until: jiff::Timestamp) -> bool {
        // In short sleeps against the wall clock: a suspended machine wakes up on time.
        while jiff::Timestamp::now() < until {
            let left = until.duration_since(jiff::Timestamp::now());
            let nap = left.unsigned_abs().min(std::time::Duration::from_secs(5));
            if self.stop.sleep(nap) {
                return false;
            }
        }
        true
    }

    fn stopping(&self) -> bool {
        self.stop.is_raised()
    }

    fn attempt_id(&self) -> String {
        runtime::attempt_id()
    }
}
