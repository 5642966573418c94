//! What a repository is that a slot or a run has to know: submodules, filters, objects that only a remote has.

use super::git_command::{CommandScope, GitCommand};
use super::{Git, GitPath, MODE_GITLINK, clean_filters};
use gatewalk_core::error::{Error, ErrorCause, Result};
use gatewalk_core::object_id::ObjectId;
use std::path::Path;

/// What is out of the ordinary about a repository.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RepositoryTraits {
    /// The places of its submodules.
    pub submodules: Vec<String>,
    /// The places of those whose commit no checkout on this machine has.
    pub absent_submodules: Vec<String>,
    /// The files of git-lfs, of submodules as well, that this machine does not have whole.
    pub absent_large_files: Vec<String>,
    /// The filters that must have run on what is committed.
    pub required_filters: Vec<String>,
    /// The filters that attributes name and the user's git does not have.
    pub unknown_filters: Vec<String>,
    /// Whether slots hold the files of git-lfs whole.
    pub whole_large_files: bool,
    /// Whether it was cloned without some of its objects.
    pub partial: bool,
}

/// The branch that a remote has checked out, as far as this repository was told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RemoteTrunk {
    /// The remote's name.
    pub(crate) remote: String,
    /// The branch, without the remote.
    pub(crate) branch: String,
}

/// Names what a checkout's own files show to be out of the ordinary, without asking git.
pub fn named_in_checkout(root: &Path) -> Vec<String> {
    let read = |path: &str| std::fs::read_to_string(root.join(path)).unwrap_or_default();
    let has = |path: &str, word: &str| read(path).contains(word);
    let mut named = Vec::new();
    if has(".gitmodules", "[submodule ") {
        named.push("submodules".to_owned());
    }
    let filters = clean_filters::named_filters(&read(".gitattributes"));
    if !filters.is_empty() {
        let names: Vec<&str> = filters.iter().map(String::as_str).collect();
        named.push(format!("files with a filter ({})", names.join(", ")));
    }
    if has(".git/config", "promisor = true") || has(".git/config", "partialclone") {
        named.push("only part of its objects (a partial clone)".to_owned());
    }
    named
}

impl Git {
    /// Returns what of a commit or tree is here and no runner is sent, as a sentence.
    pub fn unsent(&self, tree: ObjectId) -> Result<Option<String>> {
        let here = self.submodules_here(tree)?;
        let places: Vec<String> = here.iter().map(|(place, ..)| place.to_shown()).collect();
        Ok((!places.is_empty()).then(|| {
            let places = places.join(", ");
            format!("runners are not sent the files of submodules: {places}")
        }))
    }

    /// Returns what is out of the ordinary about the repository at a commit.
    pub fn traits_at(&self, commit: ObjectId) -> Result<RepositoryTraits> {
        let entries = self.list_tree(commit, &GitPath::new(Vec::new()))?;
        let links = entries.iter().filter(|entry| entry.mode == MODE_GITLINK);
        let links: Vec<&GitPath> = links.map(|entry| &entry.path).collect();
        let here = self.submodules_here(commit)?;
        let is_here = |place: &GitPath| here.iter().any(|(known, ..)| known == place);
        let absent = links.iter().filter(|place| !is_here(place));
        let mut pointers = Vec::new();
        // In a partial clone not every pointer is here to be read.
        if self.settings().promisor().is_none() {
            pointers = self.pointers_in_slots(commit)?;
            pointers.extend(self.submodule_pointers_in_slots(commit)?);
        }
        let named = self.filters_named_at(&entries)?;
        let filters = self.settings().filters();
        let required = filters.iter().filter(|(_, setting)| setting.required);
        Ok(RepositoryTraits {
            submodules: links.iter().map(|place| place.to_shown()).collect(),
            absent_submodules: absent.map(|place| place.to_shown()).collect(),
            absent_large_files: pointers.iter().map(GitPath::to_shown).collect(),
            required_filters: required.map(|(name, _)| name.clone()).collect(),
            unknown_filters: named
                .into_iter()
                .filter(|name| !filters.contains_key(name))
                .collect(),
            whole_large_files: self.fills_lfs(),
            partial: self.settings().promisor().is_some(),
        })
    }

    /// Returns the branches that remotes have checked out, by the files that git keeps of it (gitrepository-layout,
    /// "refs/remotes/name/HEAD"); none where refs are kept otherwise.
    pub(crate) fn remote_trunks(&self) -> Vec<RemoteTrunk> {
        let remotes = std::fs::read_dir(self.common_dir().join("refs/remotes"));
        let remotes = remotes.into_iter().flatten().flatten();
        let trunk = |remote: String| {
            let head = self
                .common_dir()
                .join("refs/remotes")
                .join(&remote)
                .join("HEAD");
            let head = std::fs::read_to_string(head).ok()?;
            let target = head.strip_prefix("ref:")?.trim();
            let branch = target.strip_prefix(&format!("refs/remotes/{remote}/"))?;
            Some(RemoteTrunk {
                branch: branch.to_owned(),
                remote,
            })
        };
        let names = remotes.filter_map(|entry| entry.file_name().into_string().ok());
        names.filter_map(trunk).collect()
    }

    /// Returns the error for an object that should be there.
    pub(super) fn missing(&self, oid: ObjectId) -> Error {
        match self.settings().promisor() {
            Some(remote) => Error::environment(format!(
                "this is a partial clone, and object {oid} is only on `{remote}`"
            ))
            .hint(fetch_missing("--branches", remote)),
            None => Error::integrity(format!("object {oid} is missing from the repository"))
                .because(ErrorCause::DamagedObject),
        }
    }

    /// Refuses a commit of a partial clone whose files are not all here: nothing fetches during a run.
    pub fn refuse_missing_objects(&self, commit: ObjectId, branch: &str) -> Result<()> {
        let Some(remote) = self.settings().promisor() else {
            return Ok(());
        };
        let output = GitCommand::new(self, CommandScope::Repository, "rev-list")
            .args(["--objects", "--missing=print", "--no-walk"])
            .arg(commit.hex())
            .run()?;
        let lines = output.stdout.split(|byte| *byte == b'\n');
        let missing = lines.filter(|line| line.starts_with(b"?")).count();
        if missing == 0 {
            return Ok(());
        }
        let name = if self.ref_value(&format!("refs/heads/{branch}"))?.is_some() {
            branch.to_owned()
        } else {
            commit.hex()
        };
        Err(Error::environment(format!(
            "this is a partial clone, and {missing} of the objects of `{name}` are only on `{remote}`"
        ))
        .hint(fetch_missing(&name, remote))
        .hint("nothing was started and nothing was touched"))
    }
}

/// Returns the command that fetches what commits lack, all of it at once.
fn fetch_missing(commits: &str, remote: &str) -> String {
    format!(
        "fetch what is missing: git rev-list --objects --missing=print --no-walk {commits} | sed -n 's/^?//p' | git fetch --no-tags --no-write-fetch-head --filter=blob:none {remote} --stdin"
    )
}
