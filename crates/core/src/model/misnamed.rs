//! PURE. Files of a state directory that nobody reads because their names are not quite those that are read.

use super::layout::{self, Layout};
use crate::path_names::{extension, file_name};
use std::collections::{BTreeMap, BTreeSet};

/// A file, or a directory, with a name that is near one that is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MisnamedFile {
    /// Its path, relative to the repository root.
    pub(crate) path: String,
    /// The name that is read.
    pub(crate) meant: String,
    /// Whether what has that name is there too.
    pub(crate) beside: bool,
}

/// The files at the top of a state directory.
const FILES: [&str; 4] = [
    layout::VERIFICATION,
    layout::CONFIG,
    layout::ROADMAP,
    layout::LEARNINGS,
];

/// The directories there that are read.
const DIRECTORIES: [&str; 3] = [layout::FEATURES, layout::RULES, layout::RULES_LOCAL];

/// Returns the files and directories whose names were meant for others, whatever is in them.
pub(crate) fn find<C>(layout: Layout, files: &BTreeMap<String, C>) -> Vec<MisnamedFile> {
    let top = layout.path("");
    let mut found = Vec::new();
    let mut directories = BTreeSet::new();
    for path in files.keys() {
        let Some(rest) = path.strip_prefix(&top) else {
            continue;
        };
        let (place, meant) = match rest.split_once('/') {
            None => (path.as_str(), near(rest, &FILES).map(str::to_owned)),
            Some((directory, below)) if directory == layout::FEATURES => {
                match below.split_once('/') {
                    Some((_, name)) if !name.contains('/') => (path.as_str(), of_feature(name)),
                    _ => continue,
                }
            }
            Some((directory, _)) if directories.insert(directory) => (
                &path[..top.len() + directory.len()],
                near(directory, &DIRECTORIES).map(str::to_owned),
            ),
            Some(_) => continue,
        };
        let Some(meant) = meant else { continue };
        let beside = format!("{}{meant}", &place[..place.len() - file_name(place).len()]);
        let below = format!("{beside}/");
        let is_there = files.contains_key(&beside)
            || files
                .range(below.clone()..)
                .next()
                .is_some_and(|(p, _)| p.starts_with(&below));
        found.push(MisnamedFile {
            path: place.to_owned(),
            meant,
            beside: is_there,
        });
    }
    found
}

/// A name as it compares to another: small letters, one kind of mark between words, one ending of each kind.
fn plain(name: &str) -> String {
    let name = name.to_lowercase().replace(['_', ' '], "-");
    let stem = |ending: &str| &name[..name.len() - ending.len()];
    match extension(&name) {
        ending @ "yaml" => format!("{}yml", stem(ending)),
        ending @ ("markdown" | "mdown" | "mkd") => format!("{}md", stem(ending)),
        _ => name,
    }
}

/// Returns the one of some names that a name differs from by its letters' case, its marks, its ending or a plural.
fn near(name: &str, known: &[&'static str]) -> Option<&'static str> {
    if known.contains(&name) {
        return None;
    }
    let plain_name = plain(name);
    let bare = |name: &str| {
        let name = plain(name);
        let (stem, ending) = name.rsplit_once('.').unwrap_or((&name, ""));
        format!("{}.{ending}", stem.trim_end_matches('s'))
    };
    let mut known = known.iter().copied();
    known.find(|known| plain(known) == plain_name || bare(known) == bare(name))
}

/// Returns the name that is read in a feature's directory, where this is nearly one.
fn of_feature(name: &str) -> Option<String> {
    if name == layout::PLAN || layout::is_unit_file(name) || layout::gate_number(name).is_some() {
        return None;
    }
    if !extension(name).starts_with(['m', 'M']) {
        return None;
    }
    let plain = plain(name);
    let stem = plain.strip_suffix(".md")?;
    if stem == "plan" {
        return Some(layout::PLAN.to_owned());
    }
    if stem.starts_with("wu-") {
        let own_stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        let rest = own_stem.get(3..).unwrap_or_default();
        let id = rest
            .strip_prefix('t')
            .filter(|id| id.starts_with(|c: char| c.is_ascii_digit()));
        return Some(match id {
            Some(id) => format!("WU-T{id}.md"),
            None => format!("WU-{rest}.md"),
        });
    }
    let number = stem
        .strip_prefix("gate")
        .map(|n| n.trim_start_matches('-'))?;
    let number = number.parse().ok()?;
    Some(layout::gate_file(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_nearly_read_are_found() {
        for (path, meant) in [
            ("verification.yaml", Some("verification.yml")),
            ("Verification.yml", Some("verification.yml")),
            ("verifications.yml", Some("verification.yml")),
            ("LEARNING.md", Some("LEARNINGS.md")),
            ("config.yaml", Some("config.yml")),
            ("Roadmap.md", Some("roadmap.md")),
            ("learnings.md", Some("LEARNINGS.md")),
            ("README.md", None),
            ("notes.md", None),
            ("config.md", None),
            ("feature/FEAT-2026-0001-a/PLAN.md", Some("features")),
            ("Features/FEAT-2026-0001-a/PLAN.md", Some("features")),
            ("rules_local/own.md", Some("rules-local")),
            ("templates/PLAN.md", None),
            ("features/FEAT-2026-0001-a/plan.md", Some("PLAN.md")),
            ("features/FEAT-2026-0001-a/Plan.markdown", Some("PLAN.md")),
            ("features/FEAT-2026-0001-a/gate_1.md", Some("GATE-01.md")),
            ("features/FEAT-2026-0001-a/GATE-01-REVIEW.md", None),
            ("features/FEAT-2026-0001-a/GATE-1.md", None),
            (
                "features/FEAT-2026-0001-a/wu_01-Names.md",
                Some("WU-01-Names.md"),
            ),
            ("features/FEAT-2026-0001-a/WU-01.markdown", Some("WU-01.md")),
            ("features/FEAT-2026-0001-a/wu-t01.md", Some("WU-T01.md")),
            ("features/FEAT-2026-0001-a/Wu-İİ.md", Some("WU-İİ.md")),
            ("features/FEAT-2026-0001-a/plan.png", None),
            ("features/FEAT-2026-0001-a/notes/plan.md", None),
        ] {
            let files = BTreeMap::from([(format!(".gatewalk/{path}"), ())]);
            let found = find(Layout::Gatewalk, &files);
            let found: Vec<&str> = found.iter().map(|f| f.meant.as_str()).collect();
            assert_eq!(found, meant.into_iter().collect::<Vec<_>>(), "{path}");
        }
    }
}
