//! The plans as the editor shows them: files of the disk, with open buffers in their place.
//!
//! A change parses one file and asks the rules about one feature and what concerns all; findings of
//! the other features are kept.

use super::positions;
use crate::report::lines::Lines;
use gatewalk_core::diagnostic::{Diagnostic, Severity};
use gatewalk_core::lint::context::WorkspaceCx;
use gatewalk_core::lint::finding_cache::FindingCache;
use gatewalk_core::lint::history::AttemptHistory;
use gatewalk_core::lint::{self, Options, rules};
use gatewalk_core::model::feature::Feature;
use gatewalk_core::model::layout::Layout;
use gatewalk_core::model::workspace::{FileSet, Workspace};
use gatewalk_host::state_dir_reader;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// One repository with a state directory.
#[derive(Debug)]
pub(super) struct OpenRepository {
    /// Its root.
    pub root: PathBuf,
    /// Which state directory it has.
    pub layout: Layout,
    /// The files as the editor shows them.
    pub files: FileSet,
    /// Those files, read.
    pub workspace: Workspace,
    history: Arc<AttemptHistory>,
    /// By feature directory; under the empty name, what belongs to no feature.
    found: BTreeMap<Arc<str>, Vec<Diagnostic>>,
    memory: FindingCache,
    /// Directories asked about since the editor was told, and files that changed.
    dirty: BTreeSet<Arc<str>>,
    changed: BTreeSet<String>,
    /// What each directory says about each file, as the editor gets it.
    shown: BTreeMap<Arc<str>, BTreeMap<Arc<str>, Shown>>,
    published: BTreeMap<String, Value>,
}

/// Findings of one file, and what they are in the protocol.
#[derive(Debug)]
struct Shown {
    found: Vec<Diagnostic>,
    values: Vec<Value>,
}

/// Everything the server knows.
#[derive(Debug, Default)]
pub struct State {
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

impl OpenRepository {
    fn load(
        root: PathBuf,
        layout: Layout,
        buffers: &HashMap<PathBuf, String>,
    ) -> Option<OpenRepository> {
        let mut files = state_dir_reader::read_state_dir(&root, layout).ok()?;
        for (path, text) in buffers {
            if let Some(name) = name_in(&root, layout, path) {
                files.insert(name, Arc::from(text.as_bytes()));
            }
        }
        let workspace = Workspace::parse(layout, &files);
        let history = Arc::new(AttemptHistory::of(&workspace));
        let mut this = OpenRepository {
            root,
            layout,
            files,
            workspace,
            history,
            found: BTreeMap::new(),
            memory: FindingCache::default(),
            dirty: BTreeSet::new(),
            changed: BTreeSet::new(),
            shown: BTreeMap::new(),
            published: BTreeMap::new(),
        };
        this.lint_all();
        Some(this)
    }

    fn lint_all(&mut self) {
        let cx = WorkspaceCx::remembering(&self.workspace, self.history.clone());
        let options = Options::default();
        let one = |f: &Feature| {
            (
                Arc::clone(&f.dir),
                lint::remembering(&cx, f, &options, Some(&mut self.memory)),
            )
        };
        let mut found: BTreeMap<_, _> = self.workspace.features.iter().map(one).collect();
        found.insert("".into(), lint::run_rest(&cx, &options));
        let before = std::mem::replace(&mut self.found, found);
        self.dirty.extend(before.into_keys());
        self.dirty.extend(self.found.keys().cloned());
    }

    /// Takes up one file's new content, or that it is gone.
    pub(super) fn replace(&mut self, path: &str, bytes: Option<Arc<[u8]>>) {
        match bytes {
            Some(bytes) => drop(self.files.insert(path.to_owned(), bytes)),
            None => drop(self.files.remove(path)),
        }
        self.changed.insert(path.to_owned());
        match self.workspace.replace_file(&self.files, path) {
            None => self.lint_all(),
            Some(dir) => {
                self.dirty.extend([dir.clone(), "".into()]);
                let cx = WorkspaceCx::remembering(&self.workspace, self.history.clone());
                let options = Options::default();
                match self.workspace.features.iter().find(|f| f.dir == dir) {
                    Some(feature) => drop(self.found.insert(
                        dir,
                        lint::remembering(&cx, feature, &options, Some(&mut self.memory)),
                    )),
                    None => drop(self.found.remove(&dir)),
                }
                self.found.insert("".into(), lint::run_rest(&cx, &options));
            }
        }
    }

    /// Returns all findings.
    pub(super) fn found(&self) -> impl Iterator<Item = &Diagnostic> {
        self.found.values().flatten()
    }

    /// Returns the text of a file.
    pub(super) fn text(&self, path: &str) -> Option<&str> {
        self.files
            .get(path)
            .and_then(|bytes| std::str::from_utf8(bytes).ok())
    }

    /// Returns the address of a file.
    pub(super) fn uri(&self, path: &str) -> String {
        positions::uri_of(&self.root.join(path))
    }

    /// Returns a place for the protocol.
    pub(super) fn location(&self, path: &str, span: &gatewalk_core::diagnostic::Span) -> Value {
        let text = self.text(path).unwrap_or_default();
        json!({ "uri": self.uri(path), "range": positions::range(text, &Lines::new(text), span) })
    }

    /// Returns the files whose findings are not those the editor has, with what they are now.
    fn news(&mut self) -> Vec<(String, Value)> {
        let mut touched: BTreeSet<Arc<str>> = BTreeSet::new();
        for dir in std::mem::take(&mut self.dirty) {
            let mut old = self.shown.remove(&dir).unwrap_or_default();
            let mut by_file: BTreeMap<Arc<str>, Vec<Diagnostic>> = BTreeMap::new();
            for d in self.found.get(&dir).into_iter().flatten() {
                let list = by_file.entry(d.primary.path.clone()).or_default();
                list.push(d.clone());
            }
            let mut new = BTreeMap::new();
            for (path, found) in by_file {
                let same = |shown: &Shown| shown.found == found && !self.changed.contains(&*path);
                let shown = match old.remove(&path) {
                    Some(shown) if same(&shown) => shown,
                    _ => {
                        touched.insert(path.clone());
                        self.show(&path, found)
                    }
                };
                new.insert(path, shown);
            }
            // What is left had findings and has none.
            touched.extend(old.into_keys());
            self.shown.insert(dir, new);
        }
        self.changed.clear();
        let mut news = Vec::new();
        for path in touched {
            let all = self.shown.values().filter_map(|files| files.get(&path));
            let now: Vec<Value> = all.flat_map(|shown| shown.values.clone()).collect();
            let (uri, now) = (self.uri(&path), Value::Array(now));
            if self.published.get(&uri) != Some(&now) {
                news.push((uri.clone(), now.clone()));
                self.published.insert(uri, now);
            }
        }
        news
    }

    fn show(&self, path: &str, found: Vec<Diagnostic>) -> Shown {
        let text = self.text(path).unwrap_or_default();
        let lines = Lines::new(text);
        let values = found.iter().map(|d| self.diagnostic(d, text, &lines));
        let values = values.collect();
        Shown { found, values }
    }

    fn diagnostic(&self, d: &Diagnostic, text: &str, lines: &Lines) -> Value {
        let severity = match d.severity {
            Severity::Error => 1,
            Severity::Warning => 2,
            Severity::Info => 3,
        };
        let message = d.help.as_ref().map_or_else(
            || d.message.clone(),
            |help| format!("{}\n{help}", d.message),
        );
        let related = d.related.iter().map(|label| json!({ "location": self.location(&label.path, &label.span), "message": label.message }));
        let mut value = json!({
            "range": positions::range(text, lines, &d.primary.span),
            "severity": severity,
            "code": d.code,
            "source": "gatewalk",
            "message": message,
            "relatedInformation": related.collect::<Vec<_>>(),
        });
        if let Some(url) = rules::find(d.code).and_then(gatewalk_core::lint::rule::Rule::url) {
            value["codeDescription"] = json!({ "href": url });
        }
        value
    }
}

/// The name of a file from the root, if it is in the state directory.
fn name_in(root: &Path, layout: Layout, path: &Path) -> Option<String> {
    let name = path.strip_prefix(root).ok()?.to_str()?.replace('\\', "/");
    name.strip_prefix(layout.dir())?
        .starts_with('/')
        .then_some(name)
}

impl State {
    /// Reads the repositories of these directories, for the editor that sent these parameters.
    pub fn new(directories: &[PathBuf], params: &Value) -> State {
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
    pub fn open(&mut self, uri: &str, content: &str) {
        let Some(path) = positions::path_of(uri) else {
            return;
        };
        self.buffers.insert(path.clone(), content.to_owned());
        self.find(&path);
        self.take(&path, content);
    }

    /// Takes changes of a buffer.
    pub fn change(&mut self, uri: &str, changes: &[Value]) {
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
    pub fn close(&mut self, uri: &str) {
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
    pub fn reload(&mut self) {
        for repository in &mut self.repositories {
            let fresh =
                OpenRepository::load(repository.root.clone(), repository.layout, &self.buffers);
            if let Some(mut fresh) = fresh {
                fresh.published = std::mem::take(&mut repository.published);
                fresh.shown = std::mem::take(&mut repository.shown);
                fresh.dirty.extend(fresh.shown.keys().cloned());
                fresh.changed = fresh.files.keys().cloned().collect();
                *repository = fresh;
            }
        }
    }

    /// Returns the files whose findings are not those the editor has.
    pub fn news(&mut self) -> Vec<(String, Value)> {
        let repositories = self.repositories.iter_mut();
        repositories.flat_map(OpenRepository::news).collect()
    }

    /// Returns the place that a request with a document and a position asks about.
    pub(super) fn asked(&self, params: &Value) -> Option<CursorRequest<'_>> {
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
