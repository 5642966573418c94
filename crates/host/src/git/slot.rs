//! Slots: private directories outside the repository where attempts run.
//!
//! Invariants: after `Git::prepare_tree` a slot's files are the commit's, plus ignored ones; everything that reads the slot
//! goes through the trusted git directory and a private index that is not in the slot; no symbolic link is followed out
//! of it.

use super::directory_marks::DirectoryMarks;
use super::git_command::CommandScope;
use super::index::IndexFile;
use super::private_index::PrivateIndex;
use super::sealed_features::SealedFeatures;
use super::shown_index::ShownIndex;
use super::{Git, GitPath};
use gatewalk_core::error::{Error, Result};
use gatewalk_core::object_id::ObjectId;
use gatewalk_core::parallel::locked;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// A slot: its work tree and the private index that describes it. Clones are the same slot.
#[derive(Debug, Clone)]
pub struct Slot {
    dir: PathBuf,
    state: PathBuf,
    index: Arc<PrivateIndex>,
    /// The only ignored paths that stay when the slot is prepared; `None`: all of them do.
    kept: Option<Arc<Vec<String>>>,
    written: Arc<Mutex<Written>>,
}

/// What was last written into a slot, to detect what an agent did.
#[derive(Debug, Clone, Default)]
pub(super) struct Written {
    /// The commit or tree the files were prepared from, and what the index had then.
    prepared: Option<(ObjectId, Arc<IndexFile>)>,
    /// The submodules whose files are here.
    submodules: Arc<Vec<FilledSubmodule>>,
    /// The places of submodules whose files are nowhere on this machine.
    absent: Vec<GitPath>,
    /// The directories with tracked files in which there was no `.git`.
    without_git: Arc<DirectoryMarks>,
    /// The directories, as they were when the slot was last swept, if there was nothing but tracked files in them.
    swept: Arc<DirectoryMarks>,
    /// What all that ran here could not write.
    sealed: Option<SealedFeatures>,
    /// The index in its git directory.
    shown: Option<ShownIndex>,
    /// How many commands run here now.
    running: usize,
}

impl Slot {
    /// Returns the same slot, where preparing removes every ignored path but these.
    #[must_use]
    pub(crate) fn keeping_only(mut self, kept: Vec<String>) -> Slot {
        self.kept = Some(Arc::new(kept));
        self
    }

    /// Returns the directory an attempt works in.
    pub(crate) fn dir(&self) -> &Path {
        &self.dir
    }

    /// Returns the private index.
    pub(super) fn index(&self) -> &PrivateIndex {
        &self.index
    }

    /// Returns how git sees the slot in a call that may write its index.
    pub(super) fn scope(&self) -> Result<CommandScope<'_>> {
        Ok(CommandScope::Slot(&self.dir, self.index.file()?))
    }

    /// Returns the directory of the slot's own state, inside the repository's git directory.
    pub(super) fn state(&self) -> &Path {
        &self.state
    }

    fn written(&self) -> Written {
        locked(&self.written).clone()
    }

    /// Returns what the index had when this process prepared the slot from this commit or tree.
    pub(super) fn index_at(&self, treeish: ObjectId) -> Option<Arc<IndexFile>> {
        self.written()
            .prepared
            .filter(|(prepared, _)| *prepared == treeish)
            .map(|(_, index)| index)
    }

    /// Returns the tree, or the commit, whose files this process last wrote here.
    pub(crate) fn prepared(&self) -> Option<ObjectId> {
        self.written().prepared.map(|(prepared, _)| prepared)
    }

    /// Returns what the index had when this process last prepared the slot.
    pub(super) fn prepared_index(&self) -> Option<Arc<IndexFile>> {
        self.written().prepared.map(|(_, index)| index)
    }

    /// Returns the index in its git directory, as it was written last.
    pub(super) fn shown(&self) -> Option<ShownIndex> {
        self.written().shown
    }

    /// Returns whether the file system gives each change of a file here a time of its own: then no change hides in the moment of
    /// another.
    pub(super) fn tells_changes_apart(&self) -> bool {
        locked(&self.written).shown.is_some()
    }

    pub(super) fn set_shown(&self, shown: Option<ShownIndex>) {
        self.set_written(|written| written.shown = shown);
    }

    pub(super) fn sealed_features(&self) -> Option<SealedFeatures> {
        self.written().sealed
    }

    pub(super) fn change_sealed_features(&self, change: impl FnOnce(&mut Option<SealedFeatures>)) {
        self.set_written(|written| change(&mut written.sealed));
    }

    pub(super) fn set_prepared(&self, treeish: ObjectId, index: Arc<IndexFile>) {
        self.set_written(|written| written.prepared = Some((treeish, index)));
    }

    /// Returns the only ignored paths that stay when the slot is prepared, unless all do.
    pub(super) fn kept(&self) -> Option<&[String]> {
        self.kept.as_deref().map(Vec::as_slice)
    }

    /// Returns the submodules whose files this process wrote here, and what of each stays when it is prepared.
    pub(super) fn submodules(&self) -> Vec<FilledSubmodule> {
        let written = self.written();
        let own = |filled: &FilledSubmodule| FilledSubmodule {
            slot: self.part(&filled.place, &filled.slot),
            ..filled.clone()
        };
        written.submodules.iter().map(own).collect()
    }

    /// Returns the slot of a submodule, keeping what this slot keeps of it.
    fn part(&self, place: &GitPath, slot: &Slot) -> Slot {
        let kept = self.kept().map(|kept| Arc::new(kept_below(kept, place)));
        Slot {
            kept,
            ..slot.clone()
        }
    }

    /// Returns the slot that a submodule's place of this slot is.
    pub(super) fn at_place(&self, place: &GitPath, dir: PathBuf, state: PathBuf) -> Slot {
        let written = self.written();
        let known = written
            .submodules
            .iter()
            .find(|known| known.place == *place);
        let fresh = || Slot {
            dir,
            index: Arc::new(PrivateIndex::new(state.join("index"))),
            state,
            kept: None,
            written: Arc::default(),
        };
        let slot = known.map_or_else(fresh, |known| known.slot.clone());
        self.part(place, &slot)
    }

    pub(super) fn set_submodules(&self, filled: Vec<FilledSubmodule>, absent: Vec<GitPath>) {
        self.set_written(|written| {
            written.submodules = Arc::new(filled);
            written.absent = absent;
        });
    }

    /// Returns the places of submodules that are empty here, because no checkout on this machine has their files.
    pub(crate) fn absent_submodules(&self) -> Vec<GitPath> {
        self.written().absent
    }

    /// Returns the directories in which there was no `.git`, as they were.
    pub(super) fn without_git(&self) -> Arc<DirectoryMarks> {
        self.written().without_git
    }

    pub(super) fn set_without_git(&self, marks: DirectoryMarks) {
        self.set_written(|written| written.without_git = Arc::new(marks));
    }

    /// Returns the directories in which there was nothing but tracked files, as they were.
    pub(super) fn swept(&self) -> Arc<DirectoryMarks> {
        self.written().swept
    }

    pub(super) fn set_swept(&self, marks: impl Into<Arc<DirectoryMarks>>) {
        self.set_written(|written| written.swept = marks.into());
    }

    /// Counts a command that runs here, until what is returned is dropped.
    pub(crate) fn occupy(&self) -> OccupiedSlot<'_> {
        self.set_written(|written| written.running += 1);
        OccupiedSlot(self)
    }

    /// Returns whether several commands run here side by side.
    pub(super) fn is_shared(&self) -> bool {
        self.written().running > 1
    }

    fn set_written(&self, change: impl FnOnce(&mut Written)) {
        change(&mut locked(&self.written));
    }
}

/// A slot in which a command runs.
pub(crate) struct OccupiedSlot<'s>(&'s Slot);

impl Drop for OccupiedSlot<'_> {
    fn drop(&mut self) {
        self.0.set_written(|written| written.running -= 1);
    }
}

/// A submodule whose files are in a slot.
#[derive(Debug, Clone)]
pub(super) struct FilledSubmodule {
    pub(super) place: GitPath,
    pub(super) commit: ObjectId,
    /// The full name of the ref that its `HEAD` names.
    pub(super) branch: String,
    /// Its repository, as the user's checkout has it.
    pub(super) git: Git,
    /// Its place, as a slot of that repository.
    pub(super) slot: Slot,
}

/// Returns the patterns for what is kept below a directory.
fn kept_below(kept: &[String], place: &GitPath) -> Vec<String> {
    let prefix = format!("/{}/", place.to_text());
    let below = |pattern: &String| match pattern.strip_prefix(&prefix) {
        Some(rest) => Some(format!("/{rest}")),
        None => (!pattern.trim_end_matches('/').contains('/')).then(|| pattern.clone()),
    };
    kept.iter().filter_map(below).collect()
}

impl Git {
    /// Returns the slot called `name` in `dir`, which must be outside the repository's work tree.
    pub(crate) fn slot(&self, name: &str, dir: &Path) -> Result<Slot> {
        if self.work_tree().starts_with(dir)
            || self.git_dir().starts_with(dir)
            || dir.starts_with(self.work_tree())
        {
            return Err(Error::internal(format!(
                "the slot `{}` overlaps the repository",
                dir.display()
            )));
        }
        let state = self.state_dir().join("slots").join(name);
        Ok(Slot {
            dir: dir.to_path_buf(),
            index: Arc::new(PrivateIndex::new(state.join("index"))),
            state,
            kept: None,
            written: Arc::default(),
        })
    }

    /// Returns a slot's index, read again where the file may be another one.
    pub(super) fn index_of(&self, slot: &Slot) -> Result<Arc<IndexFile>> {
        slot.index.read(self.object_format())
    }
}
