//! What a repository is that a slot or a run has to know: submodules, filters, objects that only a remote has.

use super::git_command::{CommandScope, GitCommand};
use super::{Git, GitPath, MODE_GITLINK, clean_filters};
use gatewalk_core::error::{Error, ErrorCause, Result};
use gatewalk_core::object_id::ObjectId;
use std::collections::BTreeMap;
use std::path::Path;

/// What is out of the ordinary about a repository.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RepositoryTraits {
    /// The places of its submodules.
    pub submodules: Vec<String>,
    /// The places of those whose commit no checkout on this machine has.
    pub absent_submodules: Vec<String>,
    /// The filters that must have run on what is committed.
    pub required_filters: Vec<String>,
    /// The filters that attributes name and the user's git does not have.
    pub unknown_filters: Vec<String>,
    /// Whether slots hold the files of git-lfs whole.
    pub whole_large_files: bool,
    /// Whether it was cloned without some of its objects.
    pub partial: bool,
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
    /// Returns what is out of the ordinary about the repository at a commit.
    pub fn traits_at(&self, commit: ObjectId) -> Result<RepositoryTraits> {
        let entries = self.list_tree(commit, &GitPath::new(Vec::new()))?;
        let links = entries.iter().filter(|entry| entry.mode == MODE_GITLINK);
        let links: Vec<_> = links.collect();
        let rules = entries
            .iter()
            .find(|entry| entry.path.as_bytes() == b".gitmodules");
        let names = match rules.filter(|_| !links.is_empty()) {
            Some(rules) => self.submodule_names(rules.oid)?,
            None => BTreeMap::new(),
        };
        let mut absent = Vec::new();
        for link in &links {
            if self
                .submodule_with(&link.path, names.get(&link.path), link.oid)?
                .is_none()
            {
                absent.push(link.path.to_shown());
            }
        }
        let named = self.filters_named_at(&entries)?;
        let filters = self.settings().filters();
        let required = filters.iter().filter(|(_, setting)| setting.required);
        Ok(RepositoryTraits {
            submodules: links.iter().map(|link| link.path.to_shown()).collect(),
            absent_submodules: absent,
            required_filters: required.map(|(name, _)| name.clone()).collect(),
            unknown_filters: named
                .into_iter()
                .filter(|name| !filters.contains_key(name))
                .collect(),
            whole_large_files: self.fills_lfs(),
            partial: self.settings().promisor().is_some(),
        })
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
