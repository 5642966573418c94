//! What the server knows: the editor's open buffers, and the repositories they lie in.

use super::open_repository::{OpenRepository, name_in};
use super::positions;
use crate::report::lines::Lines;
use gatewalk_host::state_dir_reader;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Everything the server knows.
#[derive(Debug, Default)]
pub(crate) struct State {
    repositories: Vec<OpenRepository>,
    /// Open buffers by absolute path.
    buffers: HashMap<PathBuf, String>,
    /// What the editor can do.
    pub(super) client: ClientCapabilities,
}

/// What the editor said it can do.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct ClientCapabilities {
    /// Take edits of several documents in order.
    pub(super) document_changes: bool,
    /// Move a file as part of an edit.
    pub(super) renames_files: bool,
}

impl ClientCapabilities {
    /// Reads the parameters of `initialize`.
    fn of(params: &Value) -> ClientCapabilities {
        let edit = &params["capabilities"]["workspace"]["workspaceEdit"];
        let operations = edit["resourceOperations"].as_array();
        let renames_files = operations.is_some_and(|list| list.contains(&json!("rename")));
        ClientCapabilities {
            // Operations on files come in no other form; some clients say only that they do them.
            document_changes: renames_files || edit["documentChanges"] == json!(true),
            renames_files,
        }
    }
}

/// A place a request asks about.
pub(super) struct CursorRequest<'s> {
    pub(super) repository: &'s OpenRepository,
    /// From the root, with `/`.
    pub(super) path: String,
    pub(super) text: &'s str,
    pub(super) lines: Lines,
    /// The byte under the cursor.
    pub(super) at: usize,
}

impl State {
    /// Reads the repositories of these directories, for the editor that sent these parameters.
    pub(crate) fn new(directories: &[PathBuf], params: &Value) -> State {
        let mut state = State {
            client: ClientCapabilities::of(params),
            ..State::default()
        };
        directories
            .iter()
            .for_each(|directory| state.find(directory));
        state
    }

    fn find(&mut self, start: &Path) {
        let Some((root, layout)) = state_dir_reader::find_root(start) else {
            return;
        };
        if !self.repositories.iter().any(|r| r.root == root) {
            self.repositories
                .extend(OpenRepository::load(root, layout, &self.buffers));
        }
    }

    fn place(&self, path: &Path) -> Option<(usize, String)> {
        let name =
            |(at, r): (usize, &OpenRepository)| Some((at, name_in(&r.root, r.layout, path)?));
        self.repositories.iter().enumerate().find_map(name)
    }

    /// Takes an opened buffer.
    pub(crate) fn open(&mut self, uri: &str, content: &str) {
        let Some(path) = positions::path_of(uri) else {
            return;
        };
        self.buffers.insert(path.clone(), content.to_owned());
        self.find(&path);
        self.take(&path, content);
    }

    /// Takes changes of a buffer.
    pub(crate) fn change(&mut self, uri: &str, changes: &[Value]) {
        let Some(path) = positions::path_of(uri) else {
            return;
        };
        let Some(buffer) = self.buffers.get_mut(&path) else {
            return;
        };
        let new = positions::changed(std::mem::take(buffer), changes);
        buffer.clone_from(&new);
        self.take(&path, &new);
    }

    /// Lets a buffer go: the file on the disk counts again.
    pub(crate) fn close(&mut self, uri: &str) {
        let Some(path) = positions::path_of(uri) else {
            return;
        };
        self.buffers.remove(&path);
        if let Some((at, name)) = self.place(&path) {
            self.repositories[at].replace(&name, std::fs::read(&path).ok().map(Arc::from));
        }
    }

    fn take(&mut self, path: &Path, content: &str) {
        if let Some((at, name)) = self.place(path) {
            let bytes: Arc<[u8]> = Arc::from(content.as_bytes());
            if self.repositories[at].files.get(&name) != Some(&bytes) {
                self.repositories[at].replace(&name, Some(bytes));
            }
        }
    }

    /// Reads everything again; buffers stay in the place of their files.
    pub(crate) fn reload(&mut self) {
        for repository in &mut self.repositories {
            repository.reload(&self.buffers);
        }
    }

    /// Returns the files whose findings are not those the editor has.
    pub(crate) fn updates(&mut self) -> Vec<(String, Value)> {
        let repositories = self.repositories.iter_mut();
        repositories.flat_map(OpenRepository::updates).collect()
    }

    /// Returns the place that a request with a document and a position asks about.
    pub(super) fn request(&self, params: &Value) -> Option<CursorRequest<'_>> {
        let path = positions::path_of(params["textDocument"]["uri"].as_str()?)?;
        let (at, name) = self.place(&path)?;
        let repository = &self.repositories[at];
        let text = repository.text(&name)?;
        let lines = Lines::new(text);
        let at = positions::offset(text, &lines, &params["position"]);
        Some(CursorRequest {
            repository,
            path: name,
            text,
            lines,
            at,
        })
    }
}
