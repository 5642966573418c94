//! Which files of a work load which others: by the names that they say where something is loaded, or by the folder that they
//! share where that is one module.

use crate::engine::changed_file::ChangedFile;
use crate::engine::protected::is_test;
use crate::engine::protected::process_facts::{self, ProcessFacts};
use crate::engine::protected::text_words::{is_of_word, words};
use crate::path_names::{extension, file_name};
use crate::pattern::TextPattern;
use std::collections::{BTreeSet, HashMap, HashSet};

/// A module of a work: what its files are loaded by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct LoadedModule(usize);

/// The loads of a work.
pub(super) struct ModuleLoads {
    /// The modules that each file is, or is a part of: first the one of its own name. None where it is no code.
    modules: Vec<Vec<LoadedModule>>,
    /// The modules that each file loads.
    loaded: Vec<BTreeSet<LoadedModule>>,
    /// Who loads each module.
    loaders: Vec<ModuleLoaders>,
    /// What each module is loaded by.
    names: Vec<String>,
}

/// The files that load one module. It is asked for those beside one file: two of each kind say that.
#[derive(Default, Clone)]
struct ModuleLoaders {
    any: Vec<usize>,
    of_product: Vec<usize>,
}

/// The names that modules of one language are loaded by.
#[derive(Default)]
struct ModuleNames<'p> {
    modules: HashMap<&'p str, LoadedModule>,
    /// How many words the longest one has.
    longest: usize,
}

impl ModuleLoads {
    pub(super) fn of(pairs: &[ChangedFile<'_>]) -> ModuleLoads {
        let mut names: HashMap<&str, ModuleNames<'_>> = HashMap::new();
        let mut count = 0;
        let modules = pairs.iter().map(|pair| {
            let path = &pair.change.path;
            let names = names.entry(language(path).unwrap_or_default()).or_default();
            let own = module_names(path).map(|name| names.module(name, &mut count));
            own.collect()
        });
        let modules: Vec<Vec<LoadedModule>> = modules.collect();
        let mut loaders = vec![ModuleLoaders::default(); count];
        let mut loaded = Vec::new();
        for (at, pair) in pairs.iter().enumerate() {
            let path = &pair.change.path;
            let names = names.get(language(path).unwrap_or_default());
            let mut loads = names
                .map(|names| names.loaded_by(pair.new))
                .unwrap_or_default();
            for module in &loads {
                loaders[module.0].note(at, !is_test(path));
            }
            let shared = names.and_then(|names| names.modules.get(shared_folder(path)?));
            if let Some(shared) = shared {
                loaders[shared.0].note(at, false);
                loads.insert(*shared);
            }
            loaded.push(loads);
        }
        let mut own_names = vec![String::new(); count];
        for (name, module) in names.values().flat_map(|names| &names.modules) {
            own_names[module.0] = (*name).to_owned();
        }
        ModuleLoads {
            modules,
            loaded,
            loaders,
            names: own_names,
        }
    }

    /// Returns what a module is loaded by.
    pub(super) fn name(&self, module: LoadedModule) -> &str {
        &self.names[module.0]
    }

    /// Returns the modules that a file is, where another one loads them.
    pub(super) fn loaded_modules(&self, at: usize) -> Vec<LoadedModule> {
        let is_loaded = |module: &&LoadedModule| {
            let mut loaders = self.loaders[module.0].any.iter();
            loaders.any(|loader| *loader != at)
        };
        self.modules[at].iter().filter(is_loaded).copied().collect()
    }

    /// Returns whether another file of the product loads one by its name.
    pub(super) fn is_loaded_by_product(&self, at: usize) -> bool {
        self.modules[at].first().is_some_and(|module| {
            let mut loaders = self.loaders[module.0].of_product.iter();
            loaders.any(|loader| *loader != at)
        })
    }

    /// Returns the modules that a file loads.
    pub(super) fn loaded_by(&self, at: usize) -> impl Iterator<Item = LoadedModule> {
        self.loaded[at].iter().copied()
    }
}

impl<'p> ModuleNames<'p> {
    /// Returns the module of a name; a new one has the next number.
    fn module(&mut self, name: &'p str, count: &mut usize) -> LoadedModule {
        self.longest = self.longest.max(words(name).count());
        *self.modules.entry(name).or_insert_with(|| {
            *count += 1;
            LoadedModule(*count - 1)
        })
    }

    /// Returns the modules that a text loads.
    fn loaded_by(&self, text: Option<&[u8]>) -> BTreeSet<LoadedModule> {
        let text = String::from_utf8_lossy(text.unwrap_or_default());
        let mut loaded = BTreeSet::new();
        for said in said_where_loaded(&text) {
            each_name(said, self.longest, |name| {
                loaded.extend(self.modules.get(name))
            });
        }
        loaded
    }
}

impl ModuleLoaders {
    fn note(&mut self, at: usize, of_product: bool) {
        let kinds = [
            Some(&mut self.any),
            of_product.then_some(&mut self.of_product),
        ];
        for loaders in kinds
            .into_iter()
            .flatten()
            .filter(|loaders| loaders.len() < 2)
        {
            loaders.push(at);
        }
    }
}

/// Returns what names the language of a file of code.
fn language(path: &str) -> Option<&'static str> {
    process_facts::of(extension(path)).map(ProcessFacts::language)
}

/// Returns what a file is loaded by: its name, that of the folder that it stands for, and the folder that is one module.
fn module_names(path: &str) -> impl Iterator<Item = &str> {
    const OF_FOLDER: [&str; 4] = ["index", "__init__", "mod", "init"];
    let stem = file_name(path).trim_start_matches('.').split('.').next();
    let stem = stem.unwrap_or_default().trim_matches(|c| !is_of_word(c));
    let shared = shared_folder(path);
    let folder = path.rsplit('/').nth(1);
    let folder = folder.filter(|_| shared.is_some() || OF_FOLDER.contains(&stem));
    let names = [Some(stem), folder].into_iter().flatten();
    let names = names.filter(|name| !name.is_empty()).chain(shared);
    names.filter(move |_| language(path).is_some())
}

/// Returns the folder of a file where those in one folder need not load one another, with the `/` at its end.
fn shared_folder(path: &str) -> Option<&str> {
    matches!(language(path)?, "go" | "java").then(|| path.rfind('/').map_or("/", |at| &path[..=at]))
}

/// Returns the unchanged files that changed ones load, of these paths; not more than can be looked at in a moment.
pub(in crate::engine::protected) fn loaded_beside<'t>(
    pairs: &[ChangedFile<'_>],
    paths: &'t [String],
) -> Vec<&'t str> {
    const MOST: usize = 64;
    let changed: BTreeSet<&str> = pairs.iter().map(|pair| pair.change.path.as_str()).collect();
    let mut names: HashMap<&str, ModuleNames<'_>> = HashMap::new();
    let mut files: Vec<Vec<&str>> = Vec::new();
    let loading = pairs.iter().filter(|pair| !is_test(&pair.change.path));
    let loading: Vec<&ChangedFile<'_>> = loading.collect();
    let languages = loading
        .iter()
        .filter_map(|pair| language(&pair.change.path));
    let languages: HashSet<&str> = languages.collect();
    let others = paths.iter().map(String::as_str);
    for path in others.filter(|path| !changed.contains(path)) {
        let Some(language) = language(path).filter(|one| languages.contains(one)) else {
            continue;
        };
        let names = names.entry(language).or_default();
        for name in module_names(path) {
            let module = names.module(name, &mut files.len());
            files.resize(files.len().max(module.0 + 1), vec![]);
            files[module.0].push(path);
        }
    }
    let mut loaded = BTreeSet::new();
    for pair in loading {
        let path = &pair.change.path;
        let names = language(path).and_then(|language| names.get(language));
        if let Some(names) = names {
            loaded.extend(names.loaded_by(pair.new));
            loaded.extend(shared_folder(path).and_then(|shared| names.modules.get(shared)));
        }
    }
    let found = loaded.into_iter().flat_map(|module| &files[module.0]);
    let found: BTreeSet<&str> = found.copied().filter(|path| !is_test(path)).collect();
    found.into_iter().take(MOST).collect()
}

/// Returns what is said on each line that loads something, from the word that does.
fn said_where_loaded(text: &str) -> impl Iterator<Item = &str> {
    static LOADS: TextPattern = TextPattern::new(
        r#"(?x)^\s*(?:from|import|(?:pub(?:\([^)]*\))?\s+)?(?:use|mod)|source|\.)(?:\s|\b) |
        \b(?:require(?:_relative)?|import(?:_module)?|__import__|from|include)\b |
        \b(?:crate|super|self):: | ^\s*(?:[\w.]+\s+)?"[\w./-]+"\s*$"#,
    );
    text.lines()
        .filter_map(|line| Some(&line[LOADS.find(line)?.start()..]))
}

/// Gives all that may be a name in a line: what begins and ends with a word, and has no more words than the longest name.
fn each_name<'t>(line: &'t str, longest: usize, mut each: impl FnMut(&'t str)) {
    let mut starts: Vec<usize> = Vec::new();
    let mut from = 0;
    for word in line.split(|c: char| !is_of_word(c)) {
        if !word.is_empty() {
            starts.push(from);
            let first = starts.len().saturating_sub(longest);
            for start in &starts[first..] {
                each(&line[*start..from + word.len()]);
            }
        }
        from += word.len()
            + line[from + word.len()..]
                .chars()
                .next()
                .map_or(0, char::len_utf8);
    }
}
