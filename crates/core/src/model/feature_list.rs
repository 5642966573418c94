//! The features of a state directory, in an order that lets a copy share what is alike.
//!
//! A plan is copied with every landing, and thousands of finished features may lie beside the one that changed: to copy a
//! shared pointer to each would write into the memory of all of them.

use super::feature::Feature;
use std::ops::Index;
use std::sync::Arc;

/// How many features are shared as one.
const PART: usize = 64;

/// Features by directory name.
#[derive(Debug, Clone, Default)]
pub struct FeatureList {
    /// None of them is empty.
    parts: Vec<Arc<Vec<Arc<Feature>>>>,
}

impl FeatureList {
    /// Returns how many there are.
    pub fn len(&self) -> usize {
        self.parts.iter().map(|part| part.len()).sum()
    }

    /// Returns whether there is none.
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// Returns the features, by directory name.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Arc<Feature>> {
        self.parts.iter().flat_map(|part| part.iter())
    }

    /// Returns the first one.
    pub fn first(&self) -> Option<&Arc<Feature>> {
        self.iter().next()
    }

    /// Returns the one in a directory.
    pub(super) fn in_directory(&self, dir: &str) -> Option<&Arc<Feature>> {
        let (part, at) = self.place(dir);
        self.parts.get(part)?.get(at.ok()?)
    }

    /// Returns the one in a directory, to be changed; what other lists have of it stays.
    pub(super) fn in_directory_mut(&mut self, dir: &str) -> Option<&mut Feature> {
        let (part, at) = self.place(dir);
        let part = Arc::make_mut(self.parts.get_mut(part)?);
        part.get_mut(at.ok()?).map(Arc::make_mut)
    }

    /// Puts a feature in a directory's place, or takes it out.
    pub(super) fn replace(&mut self, dir: &str, feature: Option<Arc<Feature>>) {
        match (self.place(dir), feature) {
            ((part, Ok(at)), Some(feature)) => Arc::make_mut(&mut self.parts[part])[at] = feature,
            ((part, Ok(at)), None) => {
                Arc::make_mut(&mut self.parts[part]).remove(at);
                self.parts.retain(|part| !part.is_empty());
            }
            ((part, Err(at)), Some(feature)) => match self.parts.get_mut(part) {
                Some(part) => Arc::make_mut(part).insert(at, feature),
                None => self.parts.push(Arc::new(vec![feature])),
            },
            ((_, Err(_)), None) => {}
        }
    }

    /// Adds one that no directory has, after all others.
    pub fn push(&mut self, feature: Arc<Feature>) {
        match self.parts.last_mut().filter(|part| part.len() < PART) {
            Some(part) => Arc::make_mut(part).push(feature),
            None => self.parts.push(Arc::new(vec![feature])),
        }
    }

    /// Returns the part that a directory's feature is in, or would be, and where in it.
    fn place(&self, dir: &str) -> (usize, Result<usize, usize>) {
        let begins_after =
            |part: &Arc<Vec<Arc<Feature>>>| part.first().is_none_or(|f| *f.dir > *dir);
        let after = self.parts.partition_point(|part| !begins_after(part));
        let part = after.saturating_sub(1);
        let at = match self.parts.get(part) {
            Some(part) => part.binary_search_by(|feature| (*feature.dir).cmp(dir)),
            None => Err(0),
        };
        (part, at)
    }
}

impl PartialEq for FeatureList {
    fn eq(&self, other: &FeatureList) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Index<usize> for FeatureList {
    type Output = Arc<Feature>;

    fn index(&self, index: usize) -> &Arc<Feature> {
        let mut before = 0;
        for part in &self.parts {
            if index < before + part.len() {
                return &part[index - before];
            }
            before += part.len();
        }
        panic!("there are {before} features, none has the number {index}")
    }
}

impl FromIterator<Arc<Feature>> for FeatureList {
    fn from_iter<I: IntoIterator<Item = Arc<Feature>>>(features: I) -> FeatureList {
        let mut list = FeatureList::default();
        for feature in features {
            list.push(feature);
        }
        list
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::layout::Layout;
    use crate::model::workspace::{FileSet, Workspace};

    /// Features in some directories, each with an empty plan.
    fn features(names: &[String]) -> FeatureList {
        let plan = |name: &String| {
            let path = format!(".gatewalk/features/{name}/PLAN.md");
            (path, b"".as_slice().into())
        };
        let files: FileSet = names.iter().map(plan).collect();
        Workspace::parse(Layout::Gatewalk, &files).features
    }

    fn dir(name: &str) -> String {
        format!(".gatewalk/features/{name}")
    }

    #[test]
    fn features_are_found_replaced_added_and_taken_out() {
        let names: Vec<String> = (0..200).map(|n| format!("f{:03}", n * 2)).collect();
        let before = features(&names);
        let mut list = before.clone();
        let mut wanted: Vec<String> = names.iter().map(|name| dir(name)).collect();
        let mut numbers: Vec<usize> = (0..400).chain([999]).collect();
        numbers.rotate_left(137);
        for number in numbers {
            let name = format!("f{number:03}");
            let at = wanted.binary_search(&dir(&name));
            assert_eq!(
                list.in_directory(&dir(&name)).is_some(),
                at.is_ok(),
                "{name}"
            );
            match at {
                Ok(at) => {
                    list.replace(&dir(&name), None);
                    wanted.remove(at);
                }
                Err(at) => {
                    list.replace(
                        &dir(&name),
                        features(std::slice::from_ref(&name)).first().cloned(),
                    );
                    wanted.insert(at, dir(&name));
                }
            }
            let found: Vec<&str> = list.iter().map(|feature| &*feature.dir).collect();
            assert_eq!(found, wanted, "{name}");
            assert_eq!(list.len(), wanted.len());
        }
        assert_eq!(before, features(&names));
        for name in wanted {
            list.replace(&name, None);
        }
        assert!(list.is_empty());
    }

    #[test]
    fn a_copy_shares_all_but_what_is_changed() {
        let names: Vec<String> = (0..200).map(|n| format!("f{n:03}")).collect();
        let before = features(&names);
        let mut after = before.clone();
        let changed = after.in_directory_mut(&dir("f070")).expect("a feature");
        changed
            .others
            .insert("log".into(), b"more".as_slice().into());
        let shared = before.parts.iter().zip(&after.parts);
        let shared = shared.filter(|(old, new)| Arc::ptr_eq(old, new));
        assert_eq!((shared.count(), after.parts.len()), (3, 4));
        let alike = before.iter().zip(after.iter());
        assert_eq!(
            alike.filter(|(old, new)| Arc::ptr_eq(old, new)).count(),
            199
        );
        assert!(before[70].others.is_empty());
        assert_eq!(&*after[199].dir, dir("f199"));
    }
}
