//! Product code that decides by the process that it runs in: how that was started, who calls it, what is loaded beside it, how
//! deep and how long it runs. Whoever answers by that may answer otherwise to a test. What a name was given from such a fact
//! counts as the fact; entry points may ask how they were started.

mod code_alone;
mod code_lines;
mod deciding_places;
mod elsewhere_names;
mod entry_points;
mod followed_names;
mod module_loads;
mod plain_text;

use self::code_alone::code_alone;
use self::deciding_places::{LanguageFamily, looks_for};
use self::elsewhere_names::ElsewhereNames;
use self::entry_points::is_entry;
use self::followed_names::{GivenName, STEPS, places};
use self::module_loads::{LoadedModule, ModuleLoads};
use self::plain_text::named_plainly;
pub(super) use self::plain_text::sets_above;
use super::process_facts::{self, ProcessFacts, TESTS_BESIDE};
use super::spelt_whole::spelt_whole;
use super::text_words::{hyphenated, words};
use super::{ChangedFile, ChangedPathKind, is_test};
use crate::path_names::{extension, file_name};
use crate::pattern::TextPattern;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;

/// What all changed files have from their process, found in one pass: a large change has many files that load one another.
pub(super) struct ProcessQuestions<'p> {
    /// The changed files, then the unchanged ones that they load.
    pairs: Vec<ChangedFile<'p>>,
    loads: ModuleLoads,
    /// The names that have their values from the process, by the module that gives them, and the files they are given in.
    given: HashMap<LoadedModule, GivenNames>,
    /// The deleted files, by their language.
    gone: HashMap<&'static str, Vec<GoneFile<'p>>>,
}

/// Names that a module gives, each by the files that it is given in, and whether it tells there how the process was started.
type GivenNames = HashMap<String, BTreeMap<usize, bool>>;

/// How many modules a name goes through, the one it is given in with them.
const HANDED_ON: usize = 2;
/// Names that functions of many files and types have, so that they say nothing of whose they are.
const COMMON: [&str; 10] = [
    "new", "default", "from", "get", "init", "create", "main", "run", "parse", "build",
];
/// Most names of a module that are handed on as they are.
const MOST_HANDED_ON: usize = 100;

/// A deleted file: what only moved asks no more than it did.
struct GoneFile<'p> {
    old: &'p [u8],
    /// How often it asks, as what is there to be started and as what is not.
    asks: [usize; 2],
}

impl<'p> ProcessQuestions<'p> {
    /// Finds it in the changed files of a work, and in unchanged ones that they load.
    pub(super) fn of(
        pairs: &[ChangedFile<'p>],
        beside: &[ChangedFile<'p>],
    ) -> ProcessQuestions<'p> {
        let pairs = [pairs, beside].concat();
        let loads = ModuleLoads::of(&pairs);
        let mut questions = ProcessQuestions {
            pairs,
            loads,
            given: HashMap::new(),
            gone: HashMap::new(),
        };
        for round in 0..HANDED_ON {
            for at in 0..questions.pairs.len() {
                questions.note_given(at, round > 0);
            }
            if questions.given.is_empty() {
                break;
            }
        }
        questions.note_gone();
        questions
    }

    /// Notes the names that a file gives to those that load it; again, those that it has from others alone.
    fn note_given(&mut self, at: usize, again: bool) {
        let pair = self.pairs[at];
        let path = pair.change.path.as_str();
        let Some(facts) = process_facts::of(extension(path)).filter(|_| !is_test(path)) else {
            return;
        };
        let modules = self.loads.loaded_modules(at);
        if modules.is_empty()
            || again
                && !self
                    .loads
                    .loaded_by(at)
                    .any(|module| self.given.contains_key(&module))
        {
            return;
        }
        // Of an unchanged file, what it says of its process in as many words: what is made of that is half of a program.
        let is_unchanged = pair.old.is_some() && pair.old == pair.new;
        if is_unchanged && again {
            return;
        }
        let source = AskingSource {
            name: "",
            steps: if is_unchanged { 0 } else { STEPS },
            ..AskingSource::of(path, facts)
        };
        let text = plain(source.family, pair.new.unwrap_or_default());
        let mut given = match is_unchanged {
            true => places(&source, &text, vec![]).1,
            false => {
                let mut given = places(&source, &text, self.given_to(at, &text)).1;
                given.extend(self.handed_on(at, &text));
                given
            }
        };
        given.retain(|given| given.scope.is_none() && !COMMON.contains(&&*given.name));
        for module in modules {
            let names = self.given.entry(module).or_default();
            for name in &given {
                let givers = names.entry(name.name.clone()).or_default();
                givers.insert(at, name.is_own);
            }
        }
    }

    /// Returns the names that a file hands on as they are.
    fn handed_on(&self, at: usize, text: &str) -> Vec<GivenName> {
        static HANDS_ON: TextPattern = TextPattern::new(
            r"(?m)\bexport\s*\*|\.\.\.\s*require\(|\bexports\s*=\s*require\(|\bimport\s+\*|\bpub\s+use\b|^\s*#\s*include\b",
        );
        if !HANDS_ON.is_match(text) {
            return vec![];
        }
        let given = self
            .loads
            .loaded_by(at)
            .filter_map(|module| self.given.get(&module));
        let names = given
            .filter(|names| names.len() <= MOST_HANDED_ON)
            .flatten();
        let names = names.map(|(name, givers)| GivenName {
            name: name.clone(),
            scope: None,
            at: None,
            is_own: givers.values().all(|own| *own),
            elsewhere: None,
        });
        names.collect()
    }

    /// Notes how often the deleted files asked.
    fn note_gone(&mut self) {
        for pair in &self.pairs {
            let path = pair.change.path.as_str();
            let gone = pair
                .old
                .filter(|_| pair.change.kind == ChangedPathKind::Deleted);
            let (Some(facts), Some(old)) = (process_facts::of(extension(path)), gone) else {
                continue;
            };
            let asks = [false, true].map(|is_entry| {
                let source = AskingSource {
                    is_entry,
                    ..AskingSource::of(path, facts)
                };
                questions_in(&source, old, &[])
            });
            self.gone
                .entry(facts.language())
                .or_default()
                .push(GoneFile { old, asks });
        }
    }

    /// Returns whether the file at a place of the work, with this change, decides by its process in more places than before.
    pub(super) fn asks(&self, at: usize, pair: &ChangedFile<'_>) -> bool {
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

    /// Returns what a file calls what it has from those that give something.
    fn elsewhere(&self, at: usize, text: &str) -> Option<ElsewhereNames> {
        let language = process_facts::of(extension(&self.pairs[at].change.path));
        let language = language.map(ProcessFacts::language).unwrap_or_default();
        let giving = self.loads.loaded_by(at);
        let giving = giving.filter(|module| self.given.contains_key(module));
        let modules = giving.map(|module| self.loads.name(module)).collect();
        ElsewhereNames::of(language, text, &modules)
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
        let elsewhere = self.elsewhere(at, text).map(Rc::new);
        let words = match &elsewhere {
            Some(names) => names.words(text),
            None => all_words(text),
        };
        let mut names: Vec<GivenName> = words
            .into_iter()
            .filter_map(|word| {
                let givers = modules.iter().filter_map(|module| module.get(word));
                let mut owns = givers.filter_map(|givers| {
                    let mut others = givers.iter().filter(|(giver, _)| **giver != at);
                    others.next().map(|(_, own)| *own)
                });
                let is_own = owns.next()? & owns.all(|own| own);
                Some((word, is_own))
            })
            .flat_map(|(word, is_own)| {
                let others = elsewhere.iter().flat_map(|names| names.other_names(word));
                std::iter::once(word)
                    .chain(others)
                    .map(|name| GivenName {
                        name: name.to_owned(),
                        scope: None,
                        at: None,
                        is_own,
                        elsewhere: elsewhere.clone(),
                    })
                    .collect::<Vec<_>>()
            })
            .collect();
        names.sort_unstable_by(|a, b| a.name.cmp(&b.name));
        names
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
            .get(source.facts.language())
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

/// Returns the unchanged files, of these paths, that what changed may have facts of its process from.
pub(super) fn read_beside<'t>(pairs: &[ChangedFile<'_>], paths: &'t [String]) -> Vec<&'t str> {
    module_loads::loaded_beside(pairs, paths)
}

/// Returns whether a file of this path holds code that can ask.
pub(super) fn is_asked(path: &str) -> bool {
    process_facts::of(extension(path)).is_some()
}

/// Returns all words of a text, with those that are joined by hyphens.
fn all_words(text: &str) -> HashSet<&str> {
    words(text).chain(hyphenated(text)).collect()
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
    /// How often a name is followed to the next one.
    steps: usize,
}

impl<'a> AskingSource<'a> {
    /// Returns what is known of a file by its path.
    fn of(path: &'a str, facts: &'static ProcessFacts) -> AskingSource<'a> {
        AskingSource {
            facts,
            family: LanguageFamily::of(extension(path)),
            name: file_name(path),
            is_entry: false,
            steps: STEPS,
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
