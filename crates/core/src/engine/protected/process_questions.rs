//! Product code that decides by the process that it runs in: how that was started, who calls it, what is loaded beside it, how
//! deep and how long it runs. Whoever answers by that may answer otherwise to a test. What a name was given from such a fact
//! counts as the fact; entry points may ask how they were started.

mod code_lines;
mod deciding_places;
mod plain_text;

use self::code_lines::{CodeLine, code_lines, is_for_readers};
use self::deciding_places::{LanguageFamily, counts, decides, given_names, looks_for};
use self::plain_text::{named_plainly, without_own_variables};
use super::process_facts::{self, ProcessFacts, RUNNERS_OWN, TESTS_BESIDE};
use super::spelt_whole::spelt_whole;
use super::{ChangedFile, ChangedPathKind, is_test};
use crate::path_names::{extension, file_name};
use crate::pattern::TextPattern;
use regex::{Captures, Regex};

/// How often a name is followed to the next one.
const STEPS: usize = 3;
/// Most names that are followed, and the longest line in which they are: what programs wrote in one line uses each of its
/// names a thousand times.
const MOST_NAMES: usize = 100;
const LONGEST_LINE: usize = 2000;

/// Returns whether a file of the product decides by its process in more places than before.
pub(super) fn asks(pair: &ChangedFile<'_>, pairs: &[ChangedFile<'_>]) -> bool {
    let path = &pair.change.path;
    let Some(facts) = process_facts::of(extension(path)) else {
        return false;
    };
    let Some(new) = pair.new.filter(|new| !new.contains(&0)) else {
        return false;
    };
    let source = AskingSource {
        facts,
        family: LanguageFamily::of(extension(path)),
        name: file_name(path),
        is_entry: is_entry(pair, pairs),
    };
    let given = given_elsewhere(pair, pairs);
    let count = |bytes: &[u8]| questions(&source, &String::from_utf8_lossy(bytes), &given);
    let found = count(new);
    // What only moved asks no more than it did.
    let moved = pairs
        .iter()
        .filter(|p| p.change.kind == ChangedPathKind::Deleted);
    let moved = moved.filter(|p| extension(&p.change.path) == extension(path));
    let before = || {
        let old = moved.chain([pair]).filter_map(|p| p.old);
        old.map(count).max().unwrap_or(0)
    };
    found > 0 && found > before()
}

/// Returns whether a file of this path holds code that can ask.
pub(super) fn is_asked(path: &str) -> bool {
    process_facts::of(extension(path)).is_some()
}

/// Returns whether a file is there to be started, by its place or by what it was before.
fn is_entry(pair: &ChangedFile<'_>, pairs: &[ChangedFile<'_>]) -> bool {
    static BY_TEXT: TextPattern = TextPattern::new(
        r#"(?x)\A\#! | (?m)^if\s+__name__\s*== | ^package\s+main\b | ^\s*(?:import|from)\s+(?:argparse|click|typer|optparse|getopt|docopt|fire)\b |
        ["'](?:node:)?(?:yargs|commander|minimist|meow|cac|arg)["'] | \bparseArgs\b | \.listen\(\s*(?:\w*[Pp]ort\b|PORT\b|process\.|\d) | \buse\s+(?:clap|structopt|lexopt|pico_args|argh|bpaf)\b | \bint\s+main\s*\("#,
    );
    const PLACES: [&str; 9] = [
        "bin", "scripts", "script", "tools", "cmd", "cli", "commands", "examples", "benches",
    ];
    const NAMES: [&str; 17] = [
        "main",
        "__main__",
        "cli",
        "cmd",
        "command",
        "commands",
        "manage",
        "setup",
        "server",
        "console",
        "args",
        "argv",
        "arguments",
        "options",
        "opts",
        "launcher",
        "version",
    ];
    let path = &pair.change.path;
    let name = file_name(path);
    let stem = name.split('.').next().unwrap_or_default();
    let added = pair.change.kind == ChangedPathKind::Added;
    let text = if added { pair.new } else { pair.old };
    let text = String::from_utf8_lossy(text.unwrap_or_default());
    let asked =
        |text: &str| process_facts::of(extension(path)).is_some_and(|f| f.own.is_match(text));
    // A new file that nothing loads is started, if anything.
    let placed =
        asked(&text) || NAMES.contains(&stem) || path.split('/').any(|part| PLACES.contains(&part));
    (placed || BY_TEXT.is_match(&text)) && !(added && is_loaded(pair, stem, pairs))
}

/// Returns whether another file of the work loads a new one.
fn is_loaded(pair: &ChangedFile<'_>, stem: &str, pairs: &[ChangedFile<'_>]) -> bool {
    loads(stem).is_some_and(|loads| {
        pairs.iter().any(|other| {
            let text = String::from_utf8_lossy(other.new.unwrap_or_default());
            other.change.path != pair.change.path
                && !is_test(&other.change.path)
                && extension(&other.change.path) == extension(&pair.change.path)
                && loads.is_match(&text)
        })
    })
}

/// Returns a pattern of what loads a file by its name.
fn loads(stem: &str) -> Option<Regex> {
    let stem = regex::escape(stem);
    let pattern = format!(
        r#"(?m)^\s*(?:from|import|use|pub use|mod|source|\.)\b[^\n]*\b{stem}\b|\b(?:require|import|from)\b[^\n]*\b{stem}\b"#
    );
    Regex::new(&pattern).ok()
}

/// A file whose questions are counted.
struct AskingSource<'a> {
    facts: &'static ProcessFacts,
    family: LanguageFamily,
    name: &'a str,
    /// Whether it is there to be started.
    is_entry: bool,
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

/// Returns in how many places a text decides by its process, and the names that it has values from there under.
fn questions(source: &AskingSource<'_>, text: &str, given: &[GivenName]) -> usize {
    let text = named_plainly(&spelt_whole(text));
    let own = format!("\"{}\"", source.name);
    let finds = |line: &&str| {
        let itself = looks_for(line) && line.replace('\'', "\"").contains(&own);
        itself || !source.is_entry && TESTS_BESIDE.is_match(line)
    };
    let own = text.lines().filter(finds).count();
    own + depths(&text) + places(source, &text, given.to_vec()).0.len()
}

/// Returns the lines that decide by the process, and the names that have their values from it.
fn places(
    source: &AskingSource<'_>,
    text: &str,
    mut names: Vec<GivenName>,
) -> (Vec<usize>, Vec<GivenName>) {
    let (facts, family) = (source.facts, source.family);
    let asked =
        facts.own.is_match(text) || facts.around.is_match(text) || RUNNERS_OWN.is_match(text);
    if !asked && names.is_empty() {
        return (vec![], vec![]);
    }
    let text = without_own_variables(family, text);
    let text = facts.usual.replace_all(&text, |found: &Captures<'_>| {
        // What a program starts by is known by its question.
        if found[0].contains("main") {
            "usual_main"
        } else {
            ""
        }
    });
    let lines = code_lines(&text, family);
    let mut found: Vec<usize> = Vec::new();
    let told = is_for_readers(source.name.split('.').next().unwrap_or_default());
    for (at, line) in lines.iter().enumerate() {
        let may_ask = source.is_entry || line.is_in_entry();
        let own = facts.own.find_iter(&line.text).filter(|_| !may_ask);
        let runners = RUNNERS_OWN.find_iter(&line.text);
        let around = facts.around.find_iter(&line.text);
        let around = around.filter(|_| !told && !line.is_for_readers());
        if may_ask
            && !source.is_entry
            && facts.own.is_match(&line.text)
            && family.returns(&line.text)
        {
            // It may ask; who asks it may not.
            let name = line.function_name().unwrap_or_default().to_owned();
            names.push(GivenName {
                name,
                scope: None,
                at: Some(at),
            });
        }
        for span in own.chain(around).chain(runners) {
            if counts(&line.text, &span.range()) {
                found.push(at);
                continue;
            }
            look(family, (at, line), span.range(), (&mut found, &mut names));
        }
    }
    follow(family, &lines, (&mut found, &mut names));
    found.sort_unstable();
    found.dedup();
    (found, names)
}

/// Returns what other files of the work, which this one loads, have from the process.
fn given_elsewhere(pair: &ChangedFile<'_>, pairs: &[ChangedFile<'_>]) -> Vec<GivenName> {
    let others = pairs.iter().filter(|other| {
        let path = &other.change.path;
        *path != pair.change.path
            && !is_test(path)
            && extension(path) == extension(&pair.change.path)
    });
    let new = String::from_utf8_lossy(pair.new.unwrap_or_default());
    let mut names = Vec::new();
    for other in others {
        let stem = file_name(&other.change.path)
            .split('.')
            .next()
            .unwrap_or_default();
        let (Some(facts), Some(text)) =
            (process_facts::of(extension(&other.change.path)), other.new)
        else {
            continue;
        };
        // A pattern for each pair of a large change would take minutes.
        if !new.contains(stem) || !loads(stem).is_some_and(|loads| loads.is_match(&new)) {
            continue;
        }
        let source = AskingSource {
            facts,
            family: LanguageFamily::of(extension(&other.change.path)),
            name: "",
            is_entry: false,
        };
        let text = named_plainly(&spelt_whole(&String::from_utf8_lossy(text)));
        let given = places(&source, &text, vec![]).1;
        names.extend(
            given
                .into_iter()
                .filter(|given| given.scope.is_none())
                .map(|given| GivenName { at: None, ..given }),
        );
    }
    names
}

/// A name that has its value from the process.
#[derive(Clone)]
struct GivenName {
    name: String,
    /// The function that it is known in; everywhere without one.
    scope: Option<usize>,
    at: Option<usize>,
}

type FollowedFacts<'a> = (&'a mut Vec<usize>, &'a mut Vec<GivenName>);

/// Notes what a line does with a fact: it decides by it, or gives it to a name.
fn look(
    family: LanguageFamily,
    (at, line): (usize, &CodeLine<'_>),
    span: std::ops::Range<usize>,
    (found, names): FollowedFacts<'_>,
) {
    if decides(family, &line.text, &span) {
        found.push(at);
        return;
    }
    if line.text.len() > LONGEST_LINE || names.len() >= MOST_NAMES {
        return;
    }
    let given = given_names(family, &line.text, &span);
    let returned = family.returns(&line.text[..span.start]);
    let function = line.function_name().filter(|_| returned);
    let given = given.into_iter().map(|name| (name, line.scope()));
    for (name, scope) in given.chain(function.map(|name| (name.to_owned(), None))) {
        let known = |known: &GivenName| known.name == name && known.scope == scope;
        if !names.iter().any(known) {
            names.push(GivenName {
                name,
                scope,
                at: Some(at),
            });
        }
    }
}

/// Follows names to where something is decided by them.
fn follow(family: LanguageFamily, lines: &[CodeLine<'_>], (found, names): FollowedFacts<'_>) {
    let mut from = 0;
    for _ in 0..STEPS {
        let until = names.len();
        for index in from..until {
            let (name, scope, given) = {
                let given = &names[index];
                (regex::escape(&given.name), given.scope, given.at)
            };
            let Ok(pattern) = Regex::new(&family.use_of(&name)) else {
                continue;
            };
            for (at, line) in lines.iter().enumerate() {
                let seen = scope.is_none() || line.scope() == scope;
                if !seen
                    || given == Some(at)
                    || line.text.len() > LONGEST_LINE
                    || line.is_for_readers()
                {
                    continue;
                }
                for span in pattern.find_iter(&line.text) {
                    look(family, (at, line), span.range(), (found, names));
                }
            }
        }
        from = until;
    }
}

#[cfg(test)]
mod tests;
