//! Product code that decides by the process that it runs in: how that was started, who calls it, what is loaded beside it, how
//! deep and how long it runs. Whoever answers by that may answer otherwise to a test. What a name was given from such a fact
//! counts as the fact; entry points may ask how they were started.

mod code_alone;
mod code_lines;
mod deciding_places;
mod entry_points;
mod followed_names;
mod module_loads;
mod plain_text;

use self::code_alone::code_alone;
use self::deciding_places::{LanguageFamily, looks_for};
use self::entry_points::is_entry;
use self::followed_names::{GivenName, places};
use self::module_loads::{LoadedModule, ModuleLoads};
use self::plain_text::named_plainly;
use super::process_facts::{self, ProcessFacts, TESTS_BESIDE};
use super::spelt_whole::spelt_whole;
use super::{ChangedFile, ChangedPathKind, is_test};
use crate::path_names::{extension, file_name};
use crate::pattern::TextPattern;
use std::collections::{HashMap, HashSet};

/// What all changed files have from their process, found in one pass: a large change has many files that load one another.
pub(super) struct ProcessQuestions<'p> {
    pairs: &'p [ChangedFile<'p>],
    loads: ModuleLoads,
    /// The names that have their values from the process, by the module that gives them, and the files they are given in.
    given: HashMap<LoadedModule, HashMap<String, Vec<usize>>>,
    /// The deleted files, by their ending.
    gone: HashMap<&'p str, Vec<GoneFile<'p>>>,
}

/// A deleted file: what only moved asks no more than it did.
struct GoneFile<'p> {
    old: &'p [u8],
    /// How often it asks, as what is there to be started and as what is not.
    asks: [usize; 2],
}

impl<'p> ProcessQuestions<'p> {
    pub(super) fn of(pairs: &'p [ChangedFile<'p>]) -> ProcessQuestions<'p> {
        let loads = ModuleLoads::of(pairs);
        let mut questions = ProcessQuestions {
            pairs,
            loads,
            given: HashMap::new(),
            gone: HashMap::new(),
        };
        for (at, pair) in pairs.iter().enumerate() {
            let path = pair.change.path.as_str();
            let Some(facts) = process_facts::of(extension(path)) else {
                continue;
            };
            if let Some(module) = questions.loads.loaded_module(at).filter(|_| !is_test(path)) {
                questions.note_given(at, module, facts);
            }
            if let Some(old) = pair
                .old
                .filter(|_| pair.change.kind == ChangedPathKind::Deleted)
            {
                let asks = [false, true].map(|is_entry| {
                    let source = AskingSource {
                        is_entry,
                        ..AskingSource::of(path, facts)
                    };
                    questions_in(&source, old, &[])
                });
                questions
                    .gone
                    .entry(extension(path))
                    .or_default()
                    .push(GoneFile { old, asks });
            }
        }
        questions
    }

    /// Notes the names that a module of this place in the work gives to those that load it.
    fn note_given(&mut self, at: usize, module: LoadedModule, facts: &'static ProcessFacts) {
        let source = AskingSource {
            name: "",
            ..AskingSource::of(&self.pairs[at].change.path, facts)
        };
        let text = plain(source.family, self.pairs[at].new.unwrap_or_default());
        let given = places(&source, &text, vec![]).1;
        for name in given.into_iter().filter(|given| given.scope.is_none()) {
            self.given
                .entry(module)
                .or_default()
                .entry(name.name)
                .or_default()
                .push(at);
        }
    }

    /// Returns whether the file at a place of the work decides by its process in more places than before.
    pub(super) fn asks(&self, at: usize) -> bool {
        let pair = &self.pairs[at];
        let path = &pair.change.path;
        let Some(facts) = process_facts::of(extension(path)) else {
            return false;
        };
        let Some(new) = pair.new.filter(|new| !new.contains(&0)) else {
            return false;
        };
        let is_entry = is_entry(pair, || self.loads.is_loaded_by_product(at));
        let source = AskingSource {
            is_entry,
            ..AskingSource::of(path, facts)
        };
        let new = plain(source.family, new);
        let given = self.given_to(at, &new);
        let found = questions(&source, &new, &given);
        found > 0 && found > self.asked_before(pair, &source, (&given, found))
    }

    /// Returns what other files of the work, which this one loads, have from the process.
    fn given_to(&self, at: usize, text: &str) -> Vec<GivenName> {
        let modules: Vec<_> = self
            .loads
            .loaded_by(at)
            .filter_map(|module| self.given.get(&module))
            .collect();
        if modules.is_empty() {
            return vec![];
        }
        // By the words of the text: of what a thousand modules give it uses a few.
        let words: HashSet<&str> = text
            .split(|c: char| !is_of_word(c))
            .chain(text.split(|c: char| !is_of_word(c) && c != '-'))
            .collect();
        let mut names: Vec<&str> = words
            .into_iter()
            .filter(|word| {
                let givers = modules.iter().filter_map(|module| module.get(*word));
                givers
                    .into_iter()
                    .any(|givers| givers.iter().take(2).any(|giver| *giver != at))
            })
            .collect();
        names.sort_unstable();
        let names = names.into_iter().map(str::to_owned);
        names
            .map(|name| GivenName {
                name,
                scope: None,
                at: None,
            })
            .collect()
    }

    /// Returns how often a file, or what it may have been moved from, asked; no more than is found now has to be counted.
    fn asked_before(
        &self,
        pair: &ChangedFile<'_>,
        source: &AskingSource<'_>,
        (given, found): (&[GivenName], usize),
    ) -> usize {
        let own = pair.old.map_or(0, |old| questions_in(source, old, given));
        let gone = self
            .gone
            .get(extension(&pair.change.path))
            .map_or(&[][..], Vec::as_slice);
        let moved = gone
            .iter()
            .map(|gone| gone.asks[usize::from(source.is_entry)])
            .max();
        let known = own.max(moved.unwrap_or(0));
        if known >= found || given.is_empty() {
            return known;
        }
        let uses = |text: &str| given.iter().any(|given| text.contains(&given.name));
        let using = gone
            .iter()
            .filter(|gone| uses(&String::from_utf8_lossy(gone.old)));
        let mut counted = using.map(|gone| questions_in(source, gone.old, given));
        if counted.any(|count| count >= found) {
            found
        } else {
            known
        }
    }
}

/// Returns whether a file of this path holds code that can ask.
pub(super) fn is_asked(path: &str) -> bool {
    process_facts::of(extension(path)).is_some()
}

fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Returns a text as it is looked at.
fn plain(family: LanguageFamily, bytes: &[u8]) -> String {
    named_plainly(&spelt_whole(&code_alone(
        family,
        &String::from_utf8_lossy(bytes),
    )))
}

fn questions_in(source: &AskingSource<'_>, bytes: &[u8], given: &[GivenName]) -> usize {
    questions(source, &plain(source.family, bytes), given)
}

/// A file whose questions are counted.
struct AskingSource<'a> {
    facts: &'static ProcessFacts,
    family: LanguageFamily,
    name: &'a str,
    /// Whether it is there to be started.
    is_entry: bool,
}

impl<'a> AskingSource<'a> {
    /// Returns what is known of a file by its path.
    fn of(path: &'a str, facts: &'static ProcessFacts) -> AskingSource<'a> {
        AskingSource {
            facts,
            family: LanguageFamily::of(extension(path)),
            name: file_name(path),
            is_entry: false,
        }
    }
}

/// Returns how often a text counts how deep it may still call itself.
fn depths(text: &str) -> usize {
    static LAST: TextPattern = TextPattern::new(
        r"(?m)^\s*except\b[^\n]*\b(?:RecursionError|RuntimeError)\b[^\n]*\n\s*return\s+([a-z_]\w*)\s*$|\bcatch\s*(?:\([^)]*\)\s*)?\{\s*return\s+([a-z_]\w*)\s*;?\s*\}",
    );
    let names = LAST.captures_iter(text);
    let names = names.filter_map(|found| found.iter().skip(1).flatten().next());
    names
        .filter(|name| text.contains(&format!("({} + 1)", name.as_str())))
        .count()
}

/// Returns in how many places a text decides by its process.
fn questions(source: &AskingSource<'_>, text: &str, given: &[GivenName]) -> usize {
    let own = format!("\"{}\"", source.name);
    let finds = |line: &&str| {
        let itself = looks_for(line) && line.replace('\'', "\"").contains(&own);
        itself || !source.is_entry && TESTS_BESIDE.is_match(line)
    };
    let own = text.lines().filter(finds).count();
    own + depths(text) + places(source, text, given.to_vec()).0.len()
}

#[cfg(test)]
mod tests;
