//! Names that have their values from the process, followed to where something is decided by them.

use super::AskingSource;
use super::code_lines::{CodeLine, code_lines, is_for_readers};
use super::deciding_places::{LanguageFamily, counts, decides, given_names};
use super::elsewhere_names::ElsewhereNames;
use super::plain_text::without_own_variables;
use crate::engine::protected::process_facts::RUNNERS_OWN;
use regex::Captures;
use std::ops::Range;
use std::rc::Rc;

/// How often a name is followed to the next one.
pub(super) const STEPS: usize = 3;
/// Most names that are followed, and the longest line in which they are: what programs wrote in one line uses each of its
/// names a thousand times.
const MOST_NAMES: usize = 100;
const LONGEST_LINE: usize = 2000;

/// Functions that many types of Rust have: another type's is another one.
const OF_TYPES: [&str; 10] = [
    "new",
    "default",
    "from",
    "into",
    "fmt",
    "next",
    "clone",
    "eq",
    "write_str",
    "from_str",
];

/// A name that has its value from the process.
#[derive(Clone)]
pub(super) struct GivenName {
    pub(super) name: String,
    /// The function that it is known in; everywhere without one.
    pub(super) scope: Option<usize>,
    pub(super) at: Option<usize>,
    /// Whether it tells how the process was started: entry points may decide by it.
    pub(super) is_own: bool,
    /// What is called otherwise than here where another file gives it; nothing where that can be any word.
    pub(super) elsewhere: Option<Rc<ElsewhereNames>>,
}

/// Returns the lines that decide by the process, and the names that have their values from it.
pub(super) fn places(
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
            "usual_main".to_owned()
        } else if is_asked_for_its_name(&text, found) {
            found[0].to_owned()
        } else {
            String::new()
        }
    });
    let lines = code_lines(&text, family);
    let mut found: Vec<usize> = Vec::new();
    let told = is_for_readers(source.name.split('.').next().unwrap_or_default());
    for (at, line) in lines.iter().enumerate() {
        let may_ask = source.is_entry || line.is_in_entry();
        let own = facts.own.find_iter(&line.text).filter(|_| !may_ask);
        let own = own.map(|found| (found.range(), true));
        let runners = RUNNERS_OWN.find_iter(&line.text);
        let around = facts.around.find_iter(&line.text);
        let around = around.filter(|_| !told && !line.is_for_readers());
        let around = around.chain(runners).map(|found| (found.range(), false));
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
                is_own: true,
                elsewhere: None,
            });
        }
        for (span, is_own) in own.chain(around) {
            if counts(&line.text, &span) {
                found.push(at);
                continue;
            }
            look(family, (at, line), (span, is_own), (&mut found, &mut names));
        }
    }
    follow(source, &lines, (&mut found, &mut names));
    found.sort_unstable();
    found.dedup();
    (found, names)
}

/// Returns whether a set of flags, which has the program's name, is asked for it: at once, or somewhere in the file.
fn is_asked_for_its_name(text: &str, found: &Captures<'_>) -> bool {
    let behind = found.get(0).map_or("", |whole| &text[whole.end()..]);
    let behind = behind.trim_start().strip_prefix(')').map(str::trim_start);
    found[0].contains("NewFlagSet")
        && (text.contains(".Name()") || behind.is_some_and(|rest| rest.starts_with('.')))
}

type FollowedFacts<'a> = (&'a mut Vec<usize>, &'a mut Vec<GivenName>);

/// Notes what a line does with a fact: it decides by it, or gives it to a name.
fn look(
    family: LanguageFamily,
    (at, line): (usize, &CodeLine<'_>),
    (span, is_own): (Range<usize>, bool),
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
    let function = function.map(|name| match line.type_name() {
        Some(of) if OF_TYPES.contains(&name) => format!("{of}::{name}"),
        _ => name.to_owned(),
    });
    for (name, scope) in given.chain(function.map(|name| (name, None))) {
        let known = |known: &GivenName| known.name == name && known.scope == scope;
        if !names.iter().any(known) {
            names.push(GivenName {
                name,
                scope,
                at: Some(at),
                is_own,
                elsewhere: None,
            });
        }
    }
}

/// Follows names to where something is decided by them.
fn follow(source: &AskingSource<'_>, lines: &[CodeLine<'_>], (found, names): FollowedFacts<'_>) {
    let family = source.family;
    let mut from = 0;
    for _ in 0..source.steps {
        let until = names.len();
        for index in from..until {
            let GivenName {
                name,
                scope,
                at: given,
                is_own,
                elsewhere,
            } = names[index].clone();
            for (at, line) in lines.iter().enumerate() {
                let seen = scope.is_none() || line.scope() == scope;
                let may_ask = is_own && (source.is_entry || line.is_in_entry());
                if !seen
                    || may_ask
                    || given == Some(at)
                    || line.text.len() > LONGEST_LINE
                    || line.is_for_readers()
                {
                    continue;
                }
                let uses = family.uses(&line.text, &name).into_iter();
                let is_meant = |span: &Range<usize>| {
                    let names = elsewhere.as_deref();
                    names.is_none_or(|names| names.means(&line.text[..span.start], &name))
                };
                for span in uses.filter(is_meant) {
                    look(family, (at, line), (span, is_own), (found, names));
                }
            }
        }
        from = until;
    }
}
