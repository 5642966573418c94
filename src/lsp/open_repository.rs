//! One repository as the editor shows it: its files, the plan they make, and what the rules find.
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
use gatewalk_core::path_names::is_below;
use gatewalk_host::{absent_roots, plan_history, plan_links, state_dir_reader};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// One repository with a state directory.
#[derive(Debug)]
pub(super) struct OpenRepository {
    pub(super) root: PathBuf,
    pub(super) layout: Layout,
    /// The files as the editor shows them.
    pub(super) files: FileSet,
    pub(super) workspace: Workspace,
    history: Arc<AttemptHistory>,
    /// By feature directory; under the empty name, what belongs to no feature.
    found: BTreeMap<Arc<str>, Vec<Diagnostic>>,
    finding_cache: FindingCache,
    /// Directories asked about since the editor last got findings, and files that changed.
    dirty: BTreeSet<Arc<str>>,
    changed: BTreeSet<String>,
    /// What is found in each directory about each file, as the editor gets it.
    shown: BTreeMap<Arc<str>, BTreeMap<Arc<str>, Shown>>,
    /// The directories in which something is found about a file, by the file.
    shown_in: BTreeMap<Arc<str>, BTreeSet<Arc<str>>>,
    published: BTreeMap<String, Value>,
}

/// Findings of one file, and what they are in the protocol.
#[derive(Debug)]
struct Shown {
    found: Vec<Diagnostic>,
    values: Vec<Value>,
}

impl OpenRepository {
    pub(super) fn load(
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
        let mut workspace = Workspace::parse(layout, &files);
        absent_roots::note(&root, &mut workspace);
        plan_links::note(&root, &mut workspace);
        plan_history::note(&root, &mut workspace);
        let history = Arc::new(AttemptHistory::of(&workspace));
        let mut this = OpenRepository {
            root,
            layout,
            files,
            workspace,
            history,
            found: BTreeMap::new(),
            finding_cache: FindingCache::default(),
            dirty: BTreeSet::new(),
            changed: BTreeSet::new(),
            shown: BTreeMap::new(),
            shown_in: BTreeMap::new(),
            published: BTreeMap::new(),
        };
        this.lint_all();
        Some(this)
    }

    /// Reads everything again; buffers stay in the place of their files.
    pub(super) fn reload(&mut self, buffers: &HashMap<PathBuf, String>) {
        let fresh = OpenRepository::load(self.root.clone(), self.layout, buffers);
        if let Some(mut fresh) = fresh {
            fresh.published = std::mem::take(&mut self.published);
            fresh.shown = std::mem::take(&mut self.shown);
            fresh.shown_in = std::mem::take(&mut self.shown_in);
            fresh.dirty.extend(fresh.shown.keys().cloned());
            fresh.changed = fresh.files.keys().cloned().collect();
            *self = fresh;
        }
    }

    fn lint_all(&mut self) {
        let cx = WorkspaceCx::with_history(&self.workspace, self.history.clone());
        let options = Options::default();
        let one = |f: &Feature| {
            (
                Arc::clone(&f.dir),
                lint::one_feature_cached(&cx, f, &options, Some(&mut self.finding_cache)),
            )
        };
        let mut found: BTreeMap<_, _> = self.workspace.features().map(one).collect();
        found.insert("".into(), lint::run_rest(&cx, &options));
        let before = std::mem::replace(&mut self.found, found);
        self.dirty.extend(before.into_keys());
        self.dirty.extend(self.found.keys().cloned());
    }

    /// Replaces the content of one file, or removes it.
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
                absent_roots::note(&self.root, &mut self.workspace);
                let cx = WorkspaceCx::with_history(&self.workspace, self.history.clone());
                let options = Options::default();
                match self.workspace.features().find(|f| f.dir == dir) {
                    Some(feature) => drop(self.found.insert(
                        dir,
                        lint::one_feature_cached(
                            &cx,
                            feature,
                            &options,
                            Some(&mut self.finding_cache),
                        ),
                    )),
                    None => drop(self.found.remove(&dir)),
                }
                self.found.insert("".into(), lint::run_rest(&cx, &options));
            }
        }
    }

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
    pub(super) fn updates(&mut self) -> Vec<(String, Value)> {
        let mut touched: BTreeSet<Arc<str>> = BTreeSet::new();
        for dir in std::mem::take(&mut self.dirty) {
            let mut old = self.shown.remove(&dir).unwrap_or_default();
            let mut by_file: BTreeMap<&Arc<str>, Vec<&Diagnostic>> = BTreeMap::new();
            for d in self.found.get(&dir).into_iter().flatten() {
                by_file.entry(&d.primary.path).or_default().push(d);
            }
            let mut new = BTreeMap::new();
            for (path, found) in by_file {
                let is_changed = self.changed.contains(&**path);
                let same = |s: &Shown| !is_changed && s.found.iter().eq(found.iter().copied());
                let shown = match old.remove(path) {
                    Some(shown) if same(&shown) => shown,
                    _ => {
                        let shown_in = self.shown_in.entry(path.clone()).or_default();
                        shown_in.insert(dir.clone());
                        touched.insert(path.clone());
                        self.show(path, found.into_iter().cloned().collect())
                    }
                };
                new.insert(path.clone(), shown);
            }
            // What is left had findings and has none.
            for path in old.into_keys() {
                if let Some(shown_in) = self.shown_in.get_mut(&path) {
                    shown_in.remove(&dir);
                }
                touched.insert(path);
            }
            self.shown.insert(dir, new);
        }
        self.changed.clear();
        let mut updates = Vec::new();
        for path in touched {
            let shown_in = self.shown_in.get(&path).into_iter().flatten();
            let all = shown_in.filter_map(|dir| self.shown.get(dir)?.get(&path));
            let now: Vec<Value> = all.flat_map(|shown| shown.values.clone()).collect();
            let (uri, now) = (self.uri(&path), Value::Array(now));
            if self.published.get(&uri) != Some(&now) {
                updates.push((uri.clone(), now.clone()));
                self.published.insert(uri, now);
            }
        }
        updates
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
pub(super) fn name_in(root: &Path, layout: Layout, path: &Path) -> Option<String> {
    let name = path.strip_prefix(root).ok()?.to_str()?.replace('\\', "/");
    is_below(&name, layout.dir()).then_some(name)
}
