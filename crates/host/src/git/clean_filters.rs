//! Filters that a file goes through before it is stored, such as that of git-lfs: what lands went through them, as it does
//! when git adds it.
//!
//! Which path has which filter is read from the base's attributes, and the programs from the user's configuration: a
//! session decides neither.

use super::git_command::{CommandScope, GitCommand};
use super::git_path::nul_separated;
use super::lfs_pointers::{LFS, POINTER_LIMIT};
use super::slot::Slot;
use super::{Change, Git, GitPath, TreeEntry, Version, is_regular, worktree};
use gatewalk_core::engine::large_files;
use gatewalk_core::error::{Error, Result};
use gatewalk_core::object_id::ObjectId;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Read;
use std::path::Path;

/// The largest file of attributes that is read.
const ATTRIBUTES_LIMIT: u64 = 1024 * 1024;

/// What the user's configuration says of a filter.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct FilterSetting {
    /// Nothing may be committed that did not go through it.
    pub(super) required: bool,
    /// There is a program that stores files.
    pub(super) cleans: bool,
}

/// What filters made of changed files.
#[derive(Debug, Default)]
pub(super) struct FilteredFiles {
    pub(super) versions: BTreeMap<GitPath, Version>,
    /// What a user should know of files that are stored as they are.
    pub(super) notes: Vec<String>,
}

/// A file on the disk, what git calls it, and the name of its filter.
struct FilteredFile<'a> {
    file: &'a Path,
    path: &'a GitPath,
    filter: &'a str,
}

impl Git {
    /// Returns the changed files that a filter is for, each as the filter stores it.
    pub(super) fn filtered_versions(
        &self,
        slot: &Slot,
        base: ObjectId,
        changes: &[Change],
    ) -> Result<FilteredFiles> {
        let mut filtered = FilteredFiles::default();
        let files: Vec<(&GitPath, Version)> = changes
            .iter()
            .filter_map(|change| Some((&change.path, change.new?)))
            .filter(|(_, new)| is_regular(new.mode))
            .collect();
        if files.is_empty() || self.filter_names(slot, base)?.is_empty() {
            return Ok(filtered);
        }
        let filters = self.filters_of(base, files.iter().map(|(path, _)| *path))?;
        let stored = self.stored_as_pointers(&files)?;
        let settings = self.filter_settings();
        for ((path, new), filter) in files.into_iter().zip(filters) {
            let (Some(filter), Some(file)) = (filter, worktree::inside(slot.dir(), path)) else {
                continue;
            };
            match settings.get(&filter) {
                Some(_) if stored.contains(path) => {}
                Some(setting) => {
                    let file = FilteredFile {
                        file: &file,
                        path,
                        filter: &filter,
                    };
                    let (oid, complaint) = self.filter_file(&file, base)?;
                    if let (false, Some(why)) = (setting.required, complaint) {
                        filtered.notes.push(format!(
                            "`{path}` is stored as it is, as git does: its filter `{filter}` failed: {why}"
                        ));
                    }
                    filtered.versions.insert(path.clone(), Version { oid, ..new });
                }
                None if filter == LFS && !holds_pointer(&file) => return Err(without_lfs(path)),
                None if filter == LFS => {}
                None => filtered.notes.push(format!(
                    "`{path}` is stored as it is, as git does: its attributes name the filter `{filter}`, and your git has no such filter"
                )),
            }
        }
        Ok(filtered)
    }

    fn filter_settings(&self) -> BTreeMap<String, FilterSetting> {
        let mut settings = self.settings().filters();
        if self.fills_lfs() {
            // On a machine that was sent the files, no configuration says it.
            settings.entry(LFS.to_owned()).or_insert(FilterSetting {
                required: true,
                cleans: true,
            });
        }
        settings
    }

    /// Returns the filters that attributes name, of a commit's files and of the user's own.
    fn filter_names(&self, slot: &Slot, base: ObjectId) -> Result<BTreeSet<String>> {
        let tree = self.tree_of(base)?;
        let known = slot.index_at(base).or_else(|| slot.index_at(tree));
        let Some(index) = known else {
            return self.filters_named_at(&self.list_tree(tree, &GitPath::new(""))?);
        };
        let rules = index.attribute_files();
        let rules = rules.filter(|record| is_rules(&GitPath::new(record.path)));
        let rules: Vec<ObjectId> = rules.map(|record| record.version().oid).collect();
        self.filters_named_in(&rules)
    }

    /// Returns the filters that the files of attributes among a tree's name, and the user's own.
    pub(super) fn filters_named_at(&self, entries: &[TreeEntry]) -> Result<BTreeSet<String>> {
        let rules = entries.iter().filter(|entry| is_rules(&entry.path));
        let rules: Vec<ObjectId> = rules.map(|entry| entry.oid).collect();
        self.filters_named_in(&rules)
    }

    /// Returns the filters that files of attributes name: those with these ids, and the user's own.
    fn filters_named_in(&self, rules: &[ObjectId]) -> Result<BTreeSet<String>> {
        let mut texts: Vec<Vec<u8>> = Vec::new();
        let committed = self.read_blobs(rules, ATTRIBUTES_LIMIT)?;
        texts.extend(committed.into_iter().flatten());
        for own in self.user_attributes() {
            texts.extend(fs::read(own));
        }
        let mut names = BTreeSet::new();
        for text in texts {
            names.extend(named_filters(&String::from_utf8_lossy(&text)));
        }
        Ok(names)
    }

    /// Returns the filter of each path, by the attributes of a commit and the user's own.
    pub(super) fn filters_of<'p>(
        &self,
        base: ObjectId,
        paths: impl Iterator<Item = &'p GitPath>,
    ) -> Result<Vec<Option<String>>> {
        let names = nul_separated(paths);
        let output = GitCommand::new(self, CommandScope::User(None), "check-attr")
            .args(["-z", "--stdin", "filter"])
            .env("GIT_ATTR_SOURCE", base.hex())
            .input(&names)
            .run()?;
        // Each answer is a path, the attribute's name and its value.
        let fields: Vec<&[u8]> = output.stdout.split(|byte| *byte == 0).collect();
        let values = fields.chunks_exact(3).map(|answer| answer[2]);
        let named = |value: &[u8]| match value {
            b"unspecified" | b"unset" | b"set" => None,
            name => Some(String::from_utf8_lossy(name).into_owned()),
        };
        Ok(values.map(named).collect())
    }

    /// Stores a file through its filter; returns what git complained of beside.
    fn filter_file(
        &self,
        FilteredFile { file, path, filter }: &FilteredFile<'_>,
        base: ObjectId,
    ) -> Result<(ObjectId, Option<String>)> {
        let mut named = std::ffi::OsString::from("--path=");
        named.push(path.as_path());
        let call = GitCommand::new(self, CommandScope::User(None), "hash-object")
            .args(["-w", "-t", "blob"])
            .arg(named)
            .arg("--")
            .arg(file)
            .env("GIT_ATTR_SOURCE", base.hex());
        let output = call.run().map_err(|error| {
            Error::environment(format!("`{path}` must go through the filter `{filter}` before it can be committed, and that failed")).with_source(error)
            .hint(format!(
                "make the program of `git config filter.{filter}.clean` work (for `lfs`: install git-lfs), then run again"
            ))
            .hint("what the session left is kept in its slot, and nothing of it landed")
        })?;
        let complaint = output.complaint.excerpt();
        let complaint = (!complaint.is_empty()).then_some(complaint);
        ObjectId::parse(output.stdout.trim_ascii())
            .map(|oid| (oid, complaint))
            .ok_or_else(|| Error::internal("git hash-object answered without an id"))
    }
}

fn is_rules(path: &GitPath) -> bool {
    path.as_path().ends_with(".gitattributes")
}

/// Returns the filters that a file of attributes names.
pub(super) fn named_filters(text: &str) -> BTreeSet<String> {
    let lines = text
        .lines()
        .filter(|line| !line.trim_start().starts_with('#'));
    let words = lines.flat_map(str::split_whitespace);
    let names = words.filter_map(|word| word.strip_prefix("filter="));
    names.map(str::to_owned).collect()
}

fn holds_pointer(file: &Path) -> bool {
    let mut start = Vec::new();
    let opened = fs::File::open(file);
    let read = opened.and_then(|file| file.take(POINTER_LIMIT).read_to_end(&mut start));
    read.is_ok() && large_files::is_pointer(&start)
}

fn without_lfs(path: &GitPath) -> Error {
    Error::environment(format!(
        "`{path}` belongs to git-lfs by the repository's attributes, and git-lfs is not set up here: the file itself would be committed instead of its pointer"
    ))
    .hint("install git-lfs, then: git lfs install")
    .hint("what the session left is kept in its slot, and nothing of it landed; run again and it goes on from there")
}
