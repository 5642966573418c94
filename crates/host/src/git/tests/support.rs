//! A repository to try things on, driven by plain git commands.

use crate::git::{CommitTime, Git, Landed, Landing, NewCommit, Slot, SlotPreparation, SlotTarget};
use gatewalk_core::driver::ports::CheckoutUpdate;
use gatewalk_core::error::Result;
use gatewalk_core::object_id::ObjectId;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// A fixed moment for every commit.
pub(super) const WHEN: CommitTime = CommitTime {
    seconds: 1_700_000_000,
    offset_minutes: 60,
};

pub(super) fn new_commit(tree: ObjectId, parent: ObjectId, message: &str) -> NewCommit<'_> {
    NewCommit {
        tree,
        parent,
        message,
        when: WHEN,
    }
}

/// The branch features land on in these tests.
pub(super) const MAIN: &str = "refs/heads/main";

/// Returns a landing of a tree on the branch, without pins.
pub(super) fn new_landing(tip: ObjectId, tree: ObjectId) -> Landing<'static> {
    Landing {
        branch: MAIN,
        tip,
        tree,
        message: "land",
        when: WHEN,
        pins: &[],
    }
}

/// Lands where nobody else moves the branch.
pub(super) fn land(git: &Git, landing: &Landing<'_>) -> (ObjectId, CheckoutUpdate) {
    match git.land(landing).expect("a landing") {
        Landed::Done {
            commit, followed, ..
        } => (commit, followed),
        Landed::Moved { now } => panic!("moved to {now:?}"),
    }
}

impl Git {
    /// Makes the slot hold exactly the files of `commit`.
    pub(super) fn prepare(
        &self,
        slot: &Slot,
        commit: ObjectId,
        branch: &str,
    ) -> Result<SlotPreparation> {
        let tree = commit;
        self.prepare_tree(
            slot,
            SlotTarget {
                tree,
                commit,
                branch,
            },
        )
    }
}

/// A temporary repository with a slot beside it.
pub(super) struct Repo {
    pub(super) dir: TempDir,
}

impl Repo {
    /// Returns an empty repository made with these options of `git init`.
    pub(super) fn init(options: &[&str]) -> Repo {
        let repo = Repo {
            dir: TempDir::new().expect("a temporary directory"),
        };
        std::fs::create_dir(repo.root()).expect("a work tree");
        repo.git(&[&["init", "-q", "-b", "main"], options].concat());
        repo.git(&["config", "user.name", "Op Erator"]);
        repo.git(&["config", "user.email", "op@example.org"]);
        repo
    }

    /// Returns a repository with one commit of these files.
    pub(super) fn with(files: &[(&str, &str)]) -> Repo {
        let repo = Repo::init(&[]);
        for (path, content) in files {
            repo.write(path, content);
        }
        repo.commit_all("start");
        repo
    }

    pub(super) fn root(&self) -> PathBuf {
        self.dir.path().join("repo")
    }

    pub(super) fn open(&self) -> Git {
        Git::discover(&self.root()).expect("a repository")
    }

    pub(super) fn slot(&self, git: &Git) -> Slot {
        git.slot("1", &self.dir.path().join("slots/1"))
            .expect("a slot outside the repository")
    }

    pub(super) fn write(&self, path: &str, content: &str) {
        write(&self.root().join(path), content);
    }

    /// Leaves these files in the work tree and no others; a script may be run.
    pub(super) fn fill(&self, files: &[(&str, &str)]) {
        for entry in fs::read_dir(self.root()).expect("a directory").flatten() {
            let path = entry.path();
            match entry.file_name() == ".git" {
                true => {}
                false if path.is_dir() => fs::remove_dir_all(path).expect("removed"),
                false => fs::remove_file(path).expect("removed"),
            }
        }
        for (path, text) in files {
            self.write(path, text);
            if text.starts_with("#!") {
                let mode = fs::Permissions::from_mode(0o755);
                fs::set_permissions(self.root().join(path), mode).expect("a mode");
            }
        }
    }

    pub(super) fn read(&self, path: &str) -> Option<String> {
        fs::read_to_string(self.root().join(path)).ok()
    }

    /// Runs git in the work tree and returns what it printed; it must succeed.
    pub(super) fn git(&self, args: &[&str]) -> String {
        git_in(&self.root(), args)
    }

    pub(super) fn commit_all(&self, message: &str) -> ObjectId {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "--allow-empty", "-m", message]);
        self.tip()
    }

    pub(super) fn tip(&self) -> ObjectId {
        self.id("HEAD")
    }

    pub(super) fn id(&self, name: &str) -> ObjectId {
        ObjectId::parse(self.git(&["rev-parse", name]).trim().as_bytes()).expect("an id")
    }
}

pub(super) fn write(path: &Path, content: &str) {
    fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
    fs::write(path, content).expect("a file");
}

pub(super) fn git_in(dir: &Path, args: &[&str]) -> String {
    let mut command = Command::new("git");
    command
        .args(args)
        .current_dir(dir)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null");
    let output = command.output().expect("git runs");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success(),
        "git {args:?} in {}: {stderr}",
        dir.display()
    );
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Commits everything in a work tree, or nothing, as somebody who configured no name.
pub(super) fn commit_in(dir: &Path) {
    git_in(dir, &["add", "-A"]);
    let identity = ["-c", "user.name=a", "-c", "user.email=a@b"];
    let commit = ["commit", "-q", "--allow-empty", "-m", "x"];
    git_in(dir, &[&identity[..], &commit].concat());
}
