//! Proposing a unit's `touches`: from the paths its text names, else from its words, else from where the sources are.
//!
//! A proposal names the product only. Tests that join are inside any scope, and those that are there judge: to open
//! them is the author's word. Deliberately absent: reading files.

use super::diff_scope::{self, DiffScope};
use super::repository_map::{is_source, paths_in};
use super::{guards, protected};
use crate::model::edit;
use crate::model::unit::{Unit, UnitType};
use crate::path_names::{is_below, parent};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Most files that words may point at; where they fit more, they say nothing.
const FILES: usize = 5;

/// Most globs of a proposal.
const GLOBS: usize = 12;

/// Sections whose paths are not what the unit is to change.
const OTHER_SECTIONS: [&str; 2] = ["do not touch", "escalation triggers"];

/// Directories that hold no product.
const ASIDE: &[&str] = &[
    "docs",
    "doc",
    "examples",
    "example",
    "benches",
    "benchmarks",
    "scripts",
    "ci",
    "vendor",
    "third_party",
    "node_modules",
    "target",
    "dist",
    "build",
];

/// Words of titles that say nothing about a place.
const PLAIN_WORDS: &[&str] = &[
    "with", "from", "into", "that", "this", "when", "then", "than", "them", "they", "more", "must",
    "have", "make", "makes", "made", "add", "adds", "added", "fix", "fixes", "new", "use", "uses",
    "the", "and", "for", "not", "all", "one", "two", "can", "may", "test", "tests", "file",
    "files", "code", "unit", "support", "allow", "print", "show", "main", "index", "init", "mod",
    "lib", "src", "app",
];

/// Returns the globs that a unit's text suggests for `touches`, given the paths of the repository; empty where there is
/// nothing to go by.
pub fn propose(unit: &Unit, paths: &[String]) -> Vec<String> {
    let kept_out = guards::set(&Unit::list(&unit.front.do_not_touch));
    let shielded = named_in(unit, |section| section == OTHER_SECTIONS[0]);
    let allowed = |path: &str| {
        !path.starts_with('.')
            && !path.starts_with(['/', '~'])
            && !path.split('/').any(|part| part == "..")
            && !kept_out.is_match(path)
            && !shielded.iter().any(|other| other == path)
            && !guards::is_control(path)
            && !protected::is_test(path)
            && !protected::steers(path)
    };
    let product: BTreeSet<&str> = paths
        .iter()
        .map(String::as_str)
        .filter(|p| allowed(p))
        .collect();
    let mut globs = named(unit, &product, &allowed);
    if globs.is_empty() {
        globs = by_words(&unit.title(), &product);
    }
    if globs.is_empty() {
        globs = sources(&product);
    }
    globs.truncate(GLOBS);
    globs
}

/// Returns a unit's file with the proposal in it; nothing where it says what it touches, is no work on the product, or
/// there is nothing to propose.
pub fn into_unit(text: &str, paths: &[String]) -> Option<String> {
    let unit = Unit::parse(Arc::from(""), text.as_bytes());
    if !is_wanted(&unit) {
        return None;
    }
    let globs = propose(&unit, paths);
    if globs.is_empty() {
        return None;
    }
    edit::set_raw(text, "touches", &diff_scope::as_yaml(&globs)).ok()
}

/// Returns whether a unit works on the product and does not say where.
pub fn is_wanted(unit: &Unit) -> bool {
    unit.unit_type() == UnitType::Implementation && DiffScope::of(unit) == DiffScope::Unstated
}

/// Returns the paths in code spans of the sections that `is_meant` accepts, without line numbers.
fn named_in(unit: &Unit, is_meant: impl Fn(&str) -> bool) -> Vec<String> {
    let sections = unit.doc.sections();
    let meant = sections
        .iter()
        .enumerate()
        .filter(|(_, s)| is_meant(&s.name.to_lowercase()));
    let texts = meant.filter_map(|(at, section)| {
        // What is below a heading of its own is that section's.
        let next = sections
            .get(at + 1)
            .map_or(usize::MAX, |next| next.content.start);
        let range = section.content.start..section.content.end.min(next);
        unit.doc.text.get(range)
    });
    let found = texts.flat_map(paths_in);
    let plain = found.map(|path| {
        let end = path.find(':').unwrap_or(path.len());
        path[..end].trim_end_matches('/').to_owned()
    });
    plain.filter(|path| !path.is_empty()).collect()
}

/// Returns what the text names: files and directories that are there, and files that are to be.
fn named(unit: &Unit, product: &BTreeSet<&str>, allowed: &dyn Fn(&str) -> bool) -> Vec<String> {
    let mut globs = Vec::new();
    let mut add = |glob: String| {
        if !globs.contains(&glob) {
            globs.push(glob);
        }
    };
    let produces = Unit::list(&unit.front.produces)
        .into_iter()
        .map(str::to_owned);
    let spans = named_in(unit, |section| !OTHER_SECTIONS.contains(&section));
    for path in produces.chain(spans) {
        let inside = format!("{path}/");
        let is_directory = product
            .range(&*inside..)
            .next()
            .is_some_and(|p| p.starts_with(&inside));
        let mut same_name = product
            .iter()
            .filter(|p| p.rsplit('/').next() == Some(&*path));
        if product.contains(&*path) {
            add(path);
        } else if is_directory {
            add(format!("{path}/**"));
        } else if let (Some(only), None) = (same_name.next(), same_name.next()) {
            add((*only).to_owned());
        } else if allowed(&path) && is_a_new_file(&path, product) {
            indexes(&path, product).for_each(&mut add);
            add(path);
        }
    }
    globs
}

/// Returns whether a file of this path would be one more of the product.
fn is_a_new_file(path: &str, product: &BTreeSet<&str>) -> bool {
    let has_extension = |path: &str| {
        path.rsplit('/')
            .next()
            .is_some_and(|name| name.contains('.'))
    };
    let extension = path.rsplit_once('.').map(|(_, extension)| extension);
    let alike = |p: &&&str| p.rsplit_once('.').map(|(_, extension)| extension) == extension;
    let plain = !path.contains(['*', '?', '[', '{']);
    plain && has_extension(path) && (path.contains('/') || product.iter().any(|p| alike(&p)))
}

/// Returns the files that name the modules beside a new one.
fn indexes<'p>(path: &str, product: &'p BTreeSet<&str>) -> impl Iterator<Item = String> + 'p {
    const NAMES: [&str; 9] = [
        "lib.rs",
        "main.rs",
        "mod.rs",
        "__init__.py",
        "index.ts",
        "index.tsx",
        "index.js",
        "index.mjs",
        "index.cjs",
    ];
    let directory = parent(path);
    let extension = path
        .rsplit_once('.')
        .map_or("", |(_, extension)| extension)
        .to_owned();
    let slash = if directory.is_empty() { "" } else { "/" };
    let mut candidates: Vec<String> = NAMES
        .map(|name| format!("{directory}{slash}{name}"))
        .to_vec();
    candidates.push(format!("{directory}.rs"));
    candidates.into_iter().filter(move |candidate| {
        product.contains(&**candidate) && candidate.ends_with(&format!(".{extension}"))
    })
}

/// Returns the files whose names fit the words of a title best, if these are few.
fn by_words(title: &str, product: &BTreeSet<&str>) -> Vec<String> {
    let wanted: BTreeSet<String> = words(title)
        .filter(|word| word.len() > 2 && !PLAIN_WORDS.contains(&&**word))
        .collect();
    let score = |path: &str| {
        words(path)
            .filter(|word| wanted.contains(word))
            .collect::<BTreeSet<_>>()
            .len()
    };
    let scored: Vec<(usize, &str)> = product
        .iter()
        .filter(|path| !ASIDE.contains(&top(path)) || wanted.contains(top(path)))
        .map(|path| (score(path), *path))
        .filter(|(score, _)| *score > 0)
        .collect();
    let best = scored.iter().map(|(score, _)| *score).max().unwrap_or(0);
    let found: Vec<&str> = scored
        .iter()
        .filter(|(score, _)| *score == best)
        .map(|(_, path)| *path)
        .collect();
    let shared = found
        .first()
        .and_then(|first| first.rsplit_once('/'))
        .map(|(directory, _)| directory);
    match (found.len(), shared) {
        (0..=FILES, _) => found.into_iter().map(str::to_owned).collect(),
        (_, Some(directory)) if found.iter().all(|path| is_below(path, directory)) => {
            vec![format!("{directory}/**")]
        }
        _ => vec![],
    }
}

/// Returns the words of a text or path, in small letters and without the mark of a plural.
fn words(text: &str) -> impl Iterator<Item = String> + '_ {
    let parts = text.split(|c: char| !c.is_alphanumeric());
    parts.filter(|part| !part.is_empty()).map(|part| {
        let word = part.to_lowercase();
        match word.strip_suffix('s') {
            Some(one) if one.len() > 3 => one.to_owned(),
            _ => word,
        }
    })
}

/// Returns where the sources are: each directory at the top that has some, and those beside them. Pages for readers
/// judge nothing, so work that nothing says more about may write them too.
fn sources(product: &BTreeSet<&str>) -> Vec<String> {
    let mut tops: BTreeMap<String, usize> = BTreeMap::new();
    for path in product
        .iter()
        .filter(|path| is_source(path) && !ASIDE.contains(&top(path)))
    {
        let glob = match (top(path), path.rsplit_once('.')) {
            ("", Some((_, extension))) => format!("*.{extension}"),
            (directory, _) => format!("{directory}/**"),
        };
        *tops.entry(glob).or_default() += 1;
    }
    if tops.is_empty() {
        return vec![];
    }
    let pages = product.iter().any(|path| top(path) == "docs");
    let pages = pages.then(|| "docs/**".to_owned());
    let globs = tops.into_keys().chain(["*.md".to_owned()]).chain(pages);
    globs.collect()
}

fn top(path: &str) -> &str {
    path.split_once('/').map_or("", |(top, _)| top)
}

#[cfg(test)]
mod tests;
