//! A repository, its slots and its sessions in memory, for tests of single decisions of the driver.
//!
//! A session does what the test wrote for it, in words: `+path=text` and `-path` change files, `user+path=text` is a
//! commit of the user's meanwhile, `user~path` is one that adds an empty line, `rewound` rewrites the slot's history, `blocked=why`, `timed-out`, `crashed` and
//! `cancelled` are ends, `note=text` is a note, `stop` asks the driver to stop. In a text `·` is a space and `¶` ends a line.
//!
//! A command is `has path`, `lacks path` or `holds path text` (where there is such a file), also with a colon between, looks
//! only at the files of its slot, and litters; `misses path text` wants another text; `lacks-one a b` wants not all of them; what
//! stands behind ` unless ` makes it good, and what behind ` and ` is wanted, too. `heals path` writes a file and is good, `prints path` prints a file and is bad where that holds `not ok`,
//! `prints-flaky path` leaves the `not` out the second time, `meets` waits until another such runs beside it, `stops` also
//! asks the driver to stop, `moves by path` is a commit of the user's with `path`, once the slot has `by`.

use super::driver_event::{DriverEvent, Watcher};
use super::ports::{
    AgentEnd, AgentJob, CapturedTree, CheckoutUpdate, Clock, CommandRunner, CommitRequest,
    FarPlace, History, InFlight, MergeOutcome, Pin, RunNotes, SessionRunner, SetUp, ShellEnd,
    ShellJob, SlotContent, SlotId, TreeListing, TreeWrite, Workspaces,
};
use crate::agents::{AnswersShow, Outcome, ProcessExit, Session};
use crate::engine::changed_file::{ChangedPath, ChangedPathKind};
use crate::engine::command_end::CommandEnd;
use crate::error::{Error, Result};
use crate::model::layout::Layout;
use crate::model::workspace::{FileSet, keep_one_feature};
use crate::object_id::ObjectId;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Condvar, Mutex, MutexGuard};
use std::time::Duration;

/// The one branch there is.
pub(crate) const BRANCH: &str = "x";

/// A commit in memory.
#[derive(Clone)]
pub(crate) struct MemoryCommit {
    pub(crate) tree: ObjectId,
    pub(crate) parent: Option<ObjectId>,
    pub(crate) message: String,
}

/// What a run finds and leaves.
#[derive(Default)]
pub(crate) struct MemoryWorld {
    trees: BTreeMap<ObjectId, FileSet>,
    pub(crate) commits: BTreeMap<ObjectId, MemoryCommit>,
    pub(crate) refs: BTreeMap<String, ObjectId>,
    slots: BTreeMap<SlotId, FileSet>,
    /// What each slot was prepared with.
    prepared: BTreeMap<SlotId, FileSet>,
    rewound: bool,
    pub(crate) in_flight: BTreeMap<SlotId, InFlight>,
    cached: BTreeMap<String, i32>,
    /// What the next sessions do.
    pub(crate) sessions: VecDeque<String>,
    /// What each session was given to read.
    pub(crate) prompts: Vec<String>,
    /// What becomes of the checkout when the branch moves, and when a run starts.
    pub(crate) follows: CheckoutUpdate,
    /// What is odd about every capture.
    pub(crate) capture_notes: Vec<String>,
    pub(crate) stopping: bool,
    /// How many verifications may run at once; none for as many as there are.
    pub(crate) verifications_at_once: usize,
    /// How many commands wait, or waited, for another one.
    meeting: usize,
    /// Whether two of them ran beside each other.
    pub(crate) met_in_time: bool,
    /// The commands that were run: the slot and the command.
    pub(crate) ran: Vec<(SlotId, String)>,
    /// How often a slot was looked at for files that commands changed.
    pub(crate) looks: usize,
    /// How often the whole state directory was read.
    pub(crate) whole_reads: usize,
    /// What the driver reported.
    pub(crate) events: Vec<DriverEvent>,
}

fn name_of(kind: char, value: impl Hash) -> ObjectId {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    let hex = format!("{:016x}{:024x}", hasher.finish(), kind as u32);
    ObjectId::parse(hex.as_bytes()).expect("forty digits")
}

impl MemoryWorld {
    pub(crate) fn put_tree(&mut self, files: FileSet) -> ObjectId {
        let oid = name_of('t', &files);
        self.trees.insert(oid, files);
        oid
    }

    pub(crate) fn files(&self, oid: &ObjectId) -> Result<&FileSet> {
        let tree = self.commits.get(oid).map_or(oid, |commit| &commit.tree);
        let missing = || Error::internal(format!("no object {oid}"));
        self.trees.get(tree).ok_or_else(missing)
    }

    pub(crate) fn commit(&mut self, name: &str, tree: &ObjectId, message: &str) -> ObjectId {
        let parent = self.refs.get(name).copied();
        let oid = self.put_commit(tree, parent, message);
        self.refs.insert(name.to_owned(), oid);
        oid
    }

    fn put_commit(&mut self, tree: &ObjectId, parent: Option<ObjectId>, message: &str) -> ObjectId {
        let oid = name_of('c', (tree, &parent, message));
        let commit = MemoryCommit {
            tree: *tree,
            parent,
            message: message.to_owned(),
        };
        self.commits.insert(oid, commit);
        oid
    }

    pub(crate) fn tip(&self) -> &ObjectId {
        &self.refs[&format!("refs/heads/{BRANCH}")]
    }

    /// Commits files of the user's on the branch.
    pub(crate) fn user_commits(&mut self, path: &str, text: &str) {
        let tip = *self.tip();
        let mut files = self.files(&tip).unwrap().clone();
        files.insert(path.to_owned(), text.as_bytes().into());
        let tree = self.put_tree(files);
        self.commit(&format!("refs/heads/{BRANCH}"), &tree, "The user's own\n");
    }

    /// Adds an empty line to a file on the branch.
    fn user_appends(&mut self, path: &str) {
        let text = self.files(self.tip()).unwrap()[path].to_vec();
        let text = String::from_utf8(text).unwrap() + "\n";
        self.user_commits(path, &text);
    }

    fn session(&mut self, slot: SlotId) -> AgentEnd {
        let script = self.sessions.pop_front().unwrap_or_default();
        let mut end = AgentEnd {
            place: None,
            exit: ProcessExit::Code(0),
            session: Session::default(),
            outcome: Outcome::Worked,
            duration: Duration::from_secs(1),
            strays: 0,
            remedy: None,
            answers_show: AnswersShow::Unknown,
            notes: vec![],
        };
        for word in script.split_whitespace() {
            let (key, text) = word.split_once('=').unwrap_or((word, ""));
            let text = text.replace('·', " ").replace('¶', "\n");
            let files = self.slots.get_mut(&slot).unwrap();
            match key {
                "rewound" => self.rewound = true,
                "blocked" => end.outcome = Outcome::Blocked(text),
                "timed-out" => end.outcome = Outcome::TimedOut,
                "crashed" => end.outcome = Outcome::Crashed,
                "cancelled" => end.outcome = Outcome::Cancelled,
                "lost" | "absent" => {
                    end.outcome = match key {
                        "lost" => Outcome::RunnerLost,
                        _ => Outcome::Missing,
                    };
                    end.place = Some(FarPlace {
                        runner: "a".to_owned(),
                        isolation: String::new(),
                        waited: Duration::ZERO,
                    });
                }
                "fix" => end.remedy = Some(text),
                "note" => end.notes.push(text),
                "stop" => self.stopping = true,
                _ if key.starts_with("user+") => self.user_commits(&key[5..], &text),
                _ if key.starts_with("user~") => self.user_appends(&key[5..]),
                _ if key.starts_with('-') => drop(files.remove(&key[1..])),
                _ => drop(files.insert(key[1..].to_owned(), text.into_bytes().into())),
            }
        }
        end
    }
}

/// A machine that lives in memory.
pub(crate) struct MemoryMachine {
    world: Mutex<MemoryWorld>,
    /// Two commands `meets` run at the same time.
    met: Condvar,
}

impl MemoryMachine {
    /// Returns a machine whose repository holds some files, and whose sessions do what is written.
    pub(crate) fn new(files: FileSet, sessions: &[&str]) -> MemoryMachine {
        let mut world = MemoryWorld {
            sessions: sessions.iter().map(|s| (*s).to_owned()).collect(),
            ..MemoryWorld::default()
        };
        let tree = world.put_tree(files);
        world.commit(&format!("refs/heads/{BRANCH}"), &tree, "start\n");
        MemoryMachine {
            world: Mutex::new(world),
            met: Condvar::new(),
        }
    }

    pub(crate) fn world(&self) -> MutexGuard<'_, MemoryWorld> {
        self.world.lock().unwrap()
    }
}

impl Watcher for MemoryMachine {
    fn report(&self, event: &DriverEvent) {
        self.world().events.push(event.clone());
    }
}

fn diff(old: &FileSet, new: &FileSet) -> Vec<ChangedPath> {
    let paths: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    let change = |path: &String| {
        let kind = match (old.get(path), new.get(path)) {
            (before, after) if before == after => return None,
            (None, _) => ChangedPathKind::Added,
            (_, None) => ChangedPathKind::Deleted,
            _ => ChangedPathKind::Modified,
        };
        Some(ChangedPath {
            path: path.clone(),
            kind,
            regular: new.contains_key(path),
            unstartable: false,
        })
    };
    paths.into_iter().filter_map(change).collect()
}

impl History for MemoryMachine {
    fn state_files(&self, commit: &ObjectId, layout: Layout) -> Result<FileSet> {
        self.world().whole_reads += 1;
        let mut files = self.world().files(commit)?.clone();
        files.retain(|path, _| path.starts_with(layout.dir()));
        Ok(files)
    }

    fn plan_files(&self, commit: &ObjectId, layout: Layout, feature_dir: &str) -> Result<FileSet> {
        let mut files = self.world().files(commit)?.clone();
        files.retain(|path, _| path.starts_with(layout.dir()));
        keep_one_feature(&mut files, layout, feature_dir);
        Ok(files)
    }

    fn file_at(&self, tree: &ObjectId, path: &str) -> Result<Option<Vec<u8>>> {
        Ok(self.world().files(tree)?.get(path).map(|b| b.to_vec()))
    }

    fn paths(&self, tree: &ObjectId) -> Result<Vec<String>> {
        Ok(self.world().files(tree)?.keys().cloned().collect())
    }

    fn list_tree(
        &self,
        tree: &ObjectId,
        choose: &dyn Fn(&[String]) -> Vec<String>,
    ) -> Result<TreeListing> {
        let paths = self.paths(tree)?;
        let content = |path: String| {
            let bytes = self.file_at(tree, &path)?.unwrap_or_default();
            Ok((path, bytes))
        };
        let chosen = choose(&paths).into_iter().map(content);
        let chosen = chosen.collect::<Result<_>>()?;
        Ok(TreeListing { paths, chosen })
    }

    fn tip(&self, branch: &str) -> Result<Option<ObjectId>> {
        let name = format!("refs/heads/{branch}");
        Ok(self.world().refs.get(&name).copied())
    }

    fn tree_of(&self, commit: &ObjectId) -> Result<ObjectId> {
        Ok(self.world().commits[commit].tree)
    }

    fn tree_key(&self, tree: &ObjectId, without: &str) -> Result<String> {
        let mut files = self.world().files(tree)?.clone();
        files.retain(|path, _| !path.starts_with(without));
        Ok(name_of('k', files).hex())
    }

    fn diff(&self, old: &ObjectId, new: &ObjectId) -> Result<Vec<ChangedPath>> {
        let world = self.world();
        Ok(diff(world.files(old)?, world.files(new)?))
    }

    fn edit_tree(&self, tree: &ObjectId, edits: &[TreeWrite]) -> Result<ObjectId> {
        let mut world = self.world();
        let mut files = world.files(tree)?.clone();
        for (path, content) in edits {
            match content {
                Some(bytes) => drop(files.insert(path.clone(), bytes.clone())),
                None => drop(files.remove(path)),
            }
        }
        Ok(world.put_tree(files))
    }

    fn merge(&self, base: &ObjectId, ours: &ObjectId, theirs: &ObjectId) -> Result<MergeOutcome> {
        let mut world = self.world();
        let (base, theirs) = (world.files(base)?, world.files(theirs)?);
        let mut merged = world.files(ours)?.clone();
        let mut conflicts = vec![];
        for ChangedPath { path, .. } in diff(base, theirs) {
            let (is, wanted) = (merged.get(&path), theirs.get(&path));
            match wanted {
                _ if base.get(&path) != is && is != wanted => conflicts.push(path),
                Some(bytes) => drop(merged.insert(path, bytes.clone())),
                None => drop(merged.remove(&path)),
            }
        }
        if !conflicts.is_empty() {
            return Ok(MergeOutcome::Conflict(conflicts));
        }
        Ok(MergeOutcome::Clean(world.put_tree(merged)))
    }

    fn pins(&self) -> Result<Vec<Pin>> {
        let world = self.world();
        let pins = world.refs.iter();
        let pins = pins.filter(|(name, _)| name.starts_with("refs/gatewalk/"));
        let pin = |(name, oid): (&String, &ObjectId)| Pin {
            name: name.clone(),
            commit: *oid,
            tree: world.commits[oid].tree,
            message: world.commits[oid].message.clone(),
        };
        Ok(pins.map(pin).collect())
    }

    fn pin(&self, name: &str, pinned: &CommitRequest<'_>) -> Result<()> {
        let mut world = self.world();
        let commit = world.put_commit(&pinned.tree, Some(pinned.parent), pinned.message);
        world.refs.insert(name.to_owned(), commit);
        Ok(())
    }

    fn unpin(&self, name: &str) -> Result<()> {
        self.world().refs.remove(name);
        Ok(())
    }

    fn land(
        &self,
        branch: &str,
        landing: &CommitRequest<'_>,
    ) -> Result<Option<(ObjectId, CheckoutUpdate)>> {
        let name = format!("refs/heads/{branch}");
        let mut world = self.world();
        if world.refs.get(&name) != Some(&landing.parent) {
            return Ok(None);
        }
        let commit = world.commit(&name, &landing.tree, landing.message);
        Ok(Some((commit, world.follows.clone())))
    }

    fn finish_checkout_update(&self) -> Result<CheckoutUpdate> {
        Ok(self.world().follows.clone())
    }
}

impl Workspaces for MemoryMachine {
    fn prepare_slot(&self, content: &SlotContent<'_>) -> Result<()> {
        let mut world = self.world();
        let slot = content.slot;
        let files = world.files(&content.tree)?.clone();
        world.prepared.insert(slot, files.clone());
        world.slots.insert(slot, files);
        Ok(())
    }

    fn changed_in_slot(&self, slot: SlotId) -> Result<Vec<String>> {
        let mut world = self.world();
        world.looks += 1;
        let (was, is) = (&world.prepared[&slot], &world.slots[&slot]);
        let changed = was
            .iter()
            .filter(|(path, text)| is.get(*path) != Some(text));
        Ok(changed.map(|(path, _)| path.clone()).collect())
    }

    fn restore_slot(&self, slot: SlotId) -> Result<Vec<String>> {
        let changed = self.changed_in_slot(slot)?;
        let mut world = self.world();
        let files = world.prepared[&slot].clone();
        world.slots.insert(slot, files);
        Ok(changed)
    }

    fn set_up(&self, _: SlotId, _: &SetUp<'_>) -> Result<Option<ShellEnd>> {
        Ok(None)
    }

    fn capture(&self, slot: SlotId, _: &ObjectId) -> Result<CapturedTree> {
        let mut world = self.world();
        let files = world.slots.get(&slot).cloned();
        let files = files.ok_or_else(|| Error::environment("no such slot"))?;
        Ok(CapturedTree {
            tree: world.put_tree(files),
            history_ok: !world.rewound,
            notes: world.capture_notes.clone(),
        })
    }
}

impl SessionRunner for MemoryMachine {
    fn run_session(&self, job: &AgentJob) -> Result<AgentEnd> {
        self.world().prompts.push(job.prompt.clone());
        Ok(self.world().session(job.slot))
    }
}

impl CommandRunner for MemoryMachine {
    fn verifications_at_once(&self) -> usize {
        match self.world().verifications_at_once {
            0 => usize::MAX,
            most => most,
        }
    }

    fn run_command(&self, job: &ShellJob) -> Result<ShellEnd> {
        let mut world = self.world();
        let second = world.ran.iter().filter(|(_, s)| *s == job.shell).count() == 1;
        world.ran.push((job.slot, job.shell.clone()));
        if job.shell.starts_with("meets") {
            world.meeting += 1;
            self.met.notify_all();
            let bound = Duration::from_secs(60);
            let alone = |world: &mut MemoryWorld| world.meeting < 2;
            let (woken, late) = self.met.wait_timeout_while(world, bound, alone).unwrap();
            world = woken;
            world.met_in_time |= !late.timed_out();
        }
        let files = world.slots.get_mut(&job.slot);
        let files = files.ok_or_else(|| Error::internal("no slot was prepared"))?;
        // Exports before the command do nothing here.
        let shell = job.shell.rsplit('\n').next().unwrap_or_default();
        let mut printed = format!("`{}` is not so\n", job.shell);
        let mut good = true;
        for clause in shell.split(" and ") {
            let (clause, unless) = clause.split_once(" unless ").unwrap_or((clause, ""));
            good &= is_so(clause, files, second, &mut printed) || files.contains_key(unless);
        }
        files.insert("litter.log".to_owned(), (*b"litter").into());
        world.stopping |= job.shell == "stops";
        if let ["moves", by, path] = shell.split(' ').collect::<Vec<_>>()[..]
            && world.slots[&job.slot].contains_key(by)
            && !world.files(world.tip())?.contains_key(path)
        {
            world.user_commits(path, "");
        }
        Ok(ShellEnd {
            ended: CommandEnd::Exited(i32::from(!good)),
            duration: Duration::from_millis(5),
            stdout_head: vec![],
            stdout_tail: printed.into_bytes(),
            stdout_omitted: 0,
            stderr_head: vec![],
            stderr_tail: vec![],
            stderr_omitted: 0,
        })
    }
}

/// Returns whether a part of a command is so, and takes what it prints.
fn is_so(clause: &str, files: &mut FileSet, second: bool, printed: &mut String) -> bool {
    let text = |path: &str| {
        files
            .get(path)
            .map(|b| String::from_utf8_lossy(b).into_owned())
    };
    match clause.split_once([' ', ':']) {
        Some((verb @ ("prints" | "prints-flaky"), path)) => {
            *printed = text(path).unwrap_or_default();
            if verb == "prints-flaky" && second {
                *printed = printed.replace("not ok", "ok");
            }
            !printed.contains("not ok")
        }
        Some(("has", path)) => files.contains_key(path),
        Some(("lacks", path)) => !files.contains_key(path),
        Some(("lacks-one", paths)) => !paths.split(' ').all(|path| files.contains_key(path)),
        Some(("heals", path)) => {
            files.insert(path.to_owned(), (*b"healed").into());
            true
        }
        Some((verb @ ("holds" | "misses"), what)) => what
            .split_once(' ')
            .and_then(|(path, wanted)| Some(text(path)?.contains(wanted) == (verb == "holds")))
            .unwrap_or(true),
        _ => true,
    }
}

impl Clock for MemoryMachine {
    fn now(&self) -> jiff::Timestamp {
        jiff::Timestamp::from_second(1_800_000_000).expect("in range")
    }

    fn sleep_until(&self, _: jiff::Timestamp) -> bool {
        self.world().stopping = true;
        false
    }

    fn stopping(&self) -> bool {
        self.world().stopping
    }
}

impl RunNotes for MemoryMachine {
    fn note_in_flight(&self, note: &InFlight) -> Result<()> {
        self.world().in_flight.insert(note.slot, note.clone());
        Ok(())
    }

    fn in_flight(&self) -> Result<Vec<InFlight>> {
        Ok(self.world().in_flight.values().cloned().collect())
    }

    fn clear_in_flight(&self, slot: SlotId) -> Result<()> {
        self.world().in_flight.remove(&slot);
        Ok(())
    }

    fn cached_result(&self, key: &str) -> Option<i32> {
        self.world().cached.get(key).copied()
    }

    fn cache_result(&self, key: &str, exit: i32) {
        self.world().cached.insert(key.to_owned(), exit);
    }

    fn keep_log(&self, _: (&str, u32), _: &str, _: &str) {}

    fn attempt_id(&self) -> String {
        "ATTEMPT".to_owned()
    }
}
