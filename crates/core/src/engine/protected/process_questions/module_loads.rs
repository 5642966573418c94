//! Which changed files load which others: by the names that they say where something is loaded.

use super::is_of_word;
use crate::engine::changed_file::ChangedFile;
use crate::engine::protected::{is_test, process_facts};
use crate::path_names::{extension, file_name};
use crate::pattern::TextPattern;
use std::collections::{BTreeSet, HashMap};

/// A module of a work: what its files are loaded by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct LoadedModule(usize);

/// The loads of a work.
pub(super) struct ModuleLoads {
    /// The module that each file is; none where it is no code.
    modules: Vec<Option<LoadedModule>>,
    /// The modules that each file loads.
    loaded: Vec<BTreeSet<LoadedModule>>,
    /// Who loads each module.
    loaders: Vec<ModuleLoaders>,
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
            let name = module_name(&pair.change.path)?;
            let names = names.entry(extension(&pair.change.path)).or_default();
            let words = name.split(|c: char| !is_of_word(c));
            names.longest = names
                .longest
                .max(words.filter(|word| !word.is_empty()).count());
            let module = names.modules.entry(name).or_insert_with(|| {
                count += 1;
                LoadedModule(count - 1)
            });
            Some(*module)
        });
        let modules = modules.collect();
        let mut loaders = vec![ModuleLoaders::default(); count];
        let mut loaded = Vec::new();
        for (at, pair) in pairs.iter().enumerate() {
            let names = names.get(extension(&pair.change.path));
            let loads = names
                .map(|names| names.loaded_by(pair.new))
                .unwrap_or_default();
            for module in &loads {
                loaders[module.0].note(at, !is_test(&pair.change.path));
            }
            loaded.push(loads);
        }
        ModuleLoads {
            modules,
            loaded,
            loaders,
        }
    }

    /// Returns the module that a file is, where another one loads it.
    pub(super) fn loaded_module(&self, at: usize) -> Option<LoadedModule> {
        let module = self.modules[at]?;
        let mut loaders = self.loaders[module.0].any.iter();
        loaders.any(|loader| *loader != at).then_some(module)
    }

    /// Returns whether another file of the product loads one.
    pub(super) fn is_loaded_by_product(&self, at: usize) -> bool {
        self.modules[at].is_some_and(|module| {
            let mut loaders = self.loaders[module.0].of_product.iter();
            loaders.any(|loader| *loader != at)
        })
    }

    /// Returns the modules that a file loads.
    pub(super) fn loaded_by(&self, at: usize) -> impl Iterator<Item = LoadedModule> {
        self.loaded[at].iter().copied()
    }
}

impl ModuleNames<'_> {
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

/// Returns what the module that a file is, is loaded by.
fn module_name(path: &str) -> Option<&str> {
    process_facts::of(extension(path))?;
    let stem = file_name(path).trim_start_matches('.').split('.').next();
    let stem = stem.unwrap_or_default().trim_matches(|c| !is_of_word(c));
    (!stem.is_empty()).then_some(stem)
}

/// Returns what is said on each line behind a word that loads something.
fn said_where_loaded(text: &str) -> impl Iterator<Item = &str> {
    static LOADS: TextPattern = TextPattern::new(
        r"^\s*(?:from|import|use|pub use|mod|source|\.)\b|\b(?:require|import|from)\b",
    );
    text.lines()
        .filter_map(|line| Some(&line[LOADS.find(line)?.end()..]))
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
