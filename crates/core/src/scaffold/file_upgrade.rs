//! Laying newer scaffold files over an existing state directory, by the manifest of what was shipped.
//!
//! Only a file that is still byte for byte what some version shipped is replaced. Edited ones are kept
//! and listed, added ones are never looked at, removed ones stay removed; `rules-local/` is nobody's but
//! the user's. Deliberately not here: running by itself, at the start of a loop or anywhere.

use super::Write;
use super::initial_files::{CONFIG, SHIPPED_FILES, hash, manifest};
use super::stack::split_caches;
use crate::model::layout::MANIFEST;
use std::collections::BTreeMap;

/// What an upgrade has to know.
#[derive(Debug, Clone, Copy)]
pub struct UpgradeInput<'a> {
    /// The state directory's name.
    pub state_dir: &'a str,
    /// The texts of its files, by path relative to it.
    pub files: &'a BTreeMap<String, String>,
    /// The version that the files are upgraded to.
    pub version: &'a str,
}

/// What an upgrade does.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Upgrade {
    /// The files to write or to remove.
    pub writes: Vec<Write>,
    /// Untouched files that get a newer text.
    pub updated: Vec<String>,
    /// Files that are new in this version.
    pub added: Vec<String>,
    /// Edited files that stay as they are although a newer text is shipped.
    pub kept: Vec<String>,
    /// Shipped files that the user removed; they stay away.
    pub removed: Vec<String>,
    /// The version that wrote the files, where it is newer than [`UpgradeInput::version`]: nothing is planned then.
    pub newer: Option<String>,
}

/// Plans an upgrade: files that the user changed stay.
pub fn plan(inputs: &UpgradeInput<'_>) -> Upgrade {
    let old = inputs.files.get(MANIFEST);
    let newer = old
        .and_then(|text| version_of(text))
        .filter(|version| numbers(version) > numbers(inputs.version));
    if newer.is_some() {
        return Upgrade {
            newer,
            ..Upgrade::default()
        };
    }
    let shipped_before = old.map(|text| hashes(text)).unwrap_or_default();
    let mut upgrade = Upgrade::default();
    for (name, text) in SHIPPED_FILES {
        let path = format!("{}/{name}", inputs.state_dir);
        let name = (*name).to_owned();
        let was = shipped_before.get(&name);
        match inputs.files.get(&name) {
            Some(there) => {
                // The caches of the stack are the user's, whatever else is shipped.
                let (there, caches) = match name == CONFIG {
                    true => split_caches(there),
                    false => (there.as_str(), ""),
                };
                if there == *text {
                } else if was == Some(&hash(there)) {
                    let newer = format!("{text}{caches}");
                    upgrade.writes.push(Write::replace(path, newer));
                    upgrade.updated.push(name);
                } else {
                    upgrade.kept.push(name);
                }
            }
            None if was.is_some() => upgrade.removed.push(name),
            None => {
                upgrade.writes.push(Write::create(path, *text));
                upgrade.added.push(name);
            }
        }
    }
    let new = manifest(inputs.version);
    let path = format!("{}/{MANIFEST}", inputs.state_dir);
    match old {
        Some(old) if *old == new => {}
        Some(_) => upgrade.writes.push(Write::replace(path, new)),
        None => upgrade.writes.push(Write::create(path, new)),
    }
    upgrade
}

/// Returns the version that a manifest names.
fn version_of(text: &str) -> Option<String> {
    let value: serde_json::Value = serde_json::from_str(text).ok()?;
    value.get("version")?.as_str().map(str::to_owned)
}

/// Returns the three numbers of a version; what is none of them counts as 0.
fn numbers(version: &str) -> [u64; 3] {
    let core = version.split(['-', '+']).next().unwrap_or_default();
    let mut parts = core.split('.').map(|part| part.parse().unwrap_or(0));
    std::array::from_fn(|_| parts.next().unwrap_or(0))
}

/// Reads a manifest as far as it can be read: what cannot counts as edited.
fn hashes(text: &str) -> BTreeMap<String, String> {
    let value: serde_json::Value = serde_json::from_str(text).unwrap_or_default();
    let files = value.get("files").and_then(|f| f.as_object());
    files
        .into_iter()
        .flatten()
        .filter_map(|(name, hash)| Some((name.clone(), hash.as_str()?.to_owned())))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scaffold::WriteMode;

    #[test]
    fn only_what_nobody_touched_is_replaced() {
        let (name, new) = (
            "rules/scope.md",
            super::super::initial_files::shipped("rules/scope.md"),
        );
        let old_text = "what an older version shipped\n";
        let manifest_of = |text: &str| {
            format!(
                "{{\"version\": \"0.0.1\", \"files\": {{\"{name}\": \"{}\"}}}}",
                hash(text)
            )
        };
        // On disk, in the manifest, then: updated, added, kept, removed.
        for (there, was, want) in [
            (Some(old_text), Some(old_text), [1, 0, 0, 0]),
            (Some("edited"), Some(old_text), [0, 0, 1, 0]),
            (Some(new), Some(old_text), [0, 0, 0, 0]),
            (None, Some(old_text), [0, 0, 0, 1]),
            (None, None, [0, 1, 0, 0]),
            (Some("no manifest"), None, [0, 0, 1, 0]),
        ] {
            let mut files: BTreeMap<String, String> = SHIPPED_FILES
                .iter()
                .filter(|(n, _)| *n != name)
                .map(|(n, t)| ((*n).to_owned(), (*t).to_owned()))
                .collect();
            files.insert("rules-local/house.md".to_owned(), "ours".to_owned());
            files.extend(there.map(|t| (name.to_owned(), t.to_owned())));
            files.extend(was.map(|t| (MANIFEST.to_owned(), manifest_of(t))));
            let upgrade = plan(&UpgradeInput {
                state_dir: ".gatewalk",
                files: &files,
                version: "9",
            });
            let got = [
                &upgrade.updated,
                &upgrade.added,
                &upgrade.kept,
                &upgrade.removed,
            ]
            .map(|list| list.iter().filter(|n| *n == name).count());
            assert_eq!(got, want, "{there:?} {was:?}");
            assert!(
                upgrade
                    .writes
                    .iter()
                    .all(|w| !w.path.contains("rules-local") && w.mode != WriteMode::Remove)
            );
        }
    }

    #[test]
    fn files_of_a_newer_version_are_left_alone() {
        for (there, ours, newer) in [
            ("0.1.0", "0.1.0", false),
            ("0.1.0", "0.1.1", false),
            ("0.1.2", "0.1.1", true),
            ("0.10.0", "0.9.9", true),
            ("1.0.0-rc.1", "0.9.9", true),
            ("unreadable", "0.1.0", false),
        ] {
            let manifest = format!("{{\"version\": \"{there}\", \"files\": {{}}}}");
            let files = BTreeMap::from([(MANIFEST.to_owned(), manifest)]);
            let upgrade = plan(&UpgradeInput {
                state_dir: ".gatewalk",
                files: &files,
                version: ours,
            });
            assert_eq!(upgrade.newer.is_some(), newer, "{there} {ours}");
            assert_eq!(upgrade.writes.is_empty(), newer, "{there} {ours}");
        }
    }

    #[test]
    fn the_caches_of_the_stack_outlive_an_upgrade() {
        let stack = super::super::stack::Stack {
            cache: vec!["target"],
            ..Default::default()
        };
        let shipped = super::super::initial_files::shipped(CONFIG);
        for (old, updated) in [(shipped, 0), ("base_check: lazy\n", 1)] {
            let manifest = format!("{{\"files\": {{\"{CONFIG}\": \"{}\"}}}}", hash(old));
            let files = BTreeMap::from([
                (CONFIG.to_owned(), stack.config(old)),
                (MANIFEST.to_owned(), manifest),
            ]);
            let upgrade = plan(&UpgradeInput {
                state_dir: ".gatewalk",
                files: &files,
                version: "9",
            });
            assert_eq!((upgrade.updated.len(), upgrade.kept.len()), (updated, 0));
            let write = upgrade.writes.iter().find(|w| w.path.ends_with(CONFIG));
            let text = write.map_or_else(|| stack.config(old), |w| w.content.clone());
            assert_eq!(text, stack.config(shipped));
            assert!(text.ends_with("\ncache: [target]\n"), "{text}");
        }
    }

    #[test]
    fn a_second_upgrade_has_nothing_to_do() {
        let mut files: BTreeMap<String, String> = SHIPPED_FILES
            .iter()
            .map(|(n, t)| ((*n).to_owned(), (*t).to_owned()))
            .collect();
        files.insert(MANIFEST.to_owned(), manifest("9"));
        let upgrade = plan(&UpgradeInput {
            state_dir: ".gatewalk",
            files: &files,
            version: "9",
        });
        assert_eq!(upgrade, Upgrade::default());
    }
}
