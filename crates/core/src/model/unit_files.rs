//! The unit files of a feature, by file name. A plan is copied with every landing: copies share every unit that is alike.

use super::unit::Unit;
use std::sync::Arc;

/// Unit files by file name.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct UnitFiles {
    /// Sorted by name.
    files: Vec<(Arc<str>, Arc<Unit>)>,
}

impl UnitFiles {
    /// Returns how many there are.
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// Returns the files, by name.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (&str, &Unit)> {
        self.files.iter().map(|(name, unit)| (&**name, &**unit))
    }

    /// Returns the names, sorted.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.iter().map(|(name, _)| name)
    }

    /// Returns the units, by the names of their files.
    pub fn values(&self) -> impl Iterator<Item = &Unit> {
        self.iter().map(|(_, unit)| unit)
    }

    /// Returns the unit of a file.
    pub fn get(&self, name: &str) -> Option<&Unit> {
        let at = self.place(name).ok()?;
        Some(&self.files[at].1)
    }

    /// Returns the unit of a file, to be changed; what copies have of it stays.
    pub fn get_mut(&mut self, name: &str) -> Option<&mut Unit> {
        let at = self.place(name).ok()?;
        Some(Arc::make_mut(&mut self.files[at].1))
    }

    /// Returns whether there is a file with this name.
    pub fn contains_key(&self, name: &str) -> bool {
        self.place(name).is_ok()
    }

    /// Puts a unit in a file's place.
    pub fn insert(&mut self, name: &str, unit: Unit) {
        match self.place(name) {
            Ok(at) => self.files[at].1 = Arc::new(unit),
            Err(at) => self.files.insert(at, (name.into(), Arc::new(unit))),
        }
    }

    /// Takes a file out.
    pub fn remove(&mut self, name: &str) {
        if let Ok(at) = self.place(name) {
            self.files.remove(at);
        }
    }

    /// Returns a search for one file after another.
    pub(super) fn search(&self) -> UnitSearch<'_> {
        UnitSearch {
            units: self,
            rest: &self.files,
        }
    }

    fn place(&self, name: &str) -> Result<usize, usize> {
        self.files.binary_search_by(|(own, _)| (**own).cmp(name))
    }
}

impl FromIterator<(String, Unit)> for UnitFiles {
    fn from_iter<I: IntoIterator<Item = (String, Unit)>>(files: I) -> UnitFiles {
        let files = files.into_iter();
        let files = files.map(|(name, unit)| (name.into(), Arc::new(unit)));
        let mut files: Vec<(Arc<str>, Arc<Unit>)> = files.collect();
        files.sort_by(|(a, _), (b, _)| a.cmp(b));
        files.dedup_by(|(next, _), (kept, _)| next == kept);
        UnitFiles { files }
    }
}

/// Finds one file after another: a graph mostly lists them in the order of their names.
pub(super) struct UnitSearch<'u> {
    units: &'u UnitFiles,
    /// The files after the one that was found last.
    rest: &'u [(Arc<str>, Arc<Unit>)],
}

impl<'u> UnitSearch<'u> {
    /// Returns the unit of a file.
    pub(super) fn find(&mut self, name: &str) -> Option<&'u Unit> {
        if self.rest.first().is_none_or(|(own, _)| **own != *name) {
            let at = self.units.place(name).ok()?;
            self.rest = &self.units.files[at..];
        }
        let ((_, unit), rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(unit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unit(word: &str) -> Unit {
        let text = format!("---\nstatus: draft\n---\n\n# {word}\n");
        Unit::parse("WU-01-a.md".into(), text.as_bytes())
    }

    #[test]
    fn files_are_found_replaced_added_and_taken_out() {
        let names = ["WU-03", "WU-01", "WU-02"];
        let files = names.map(|name| (name.to_owned(), unit(name)));
        let mut units: UnitFiles = files.into_iter().collect();
        let before = units.clone();
        assert!(units.keys().eq(["WU-01", "WU-02", "WU-03"]));
        units.insert("WU-02", unit("other"));
        units.insert("WU-00", unit("WU-00"));
        units.remove("WU-01");
        units.remove("WU-09");
        assert!(units.keys().eq(["WU-00", "WU-02", "WU-03"]));
        assert_eq!(units.get("WU-02"), Some(&unit("other")));
        *units.get_mut("WU-03").unwrap() = unit("changed");
        // A copy keeps what it has.
        assert_eq!(before.get("WU-03"), Some(&unit("WU-03")));
        assert_eq!((before.len(), before.contains_key("WU-01")), (3, true));
        let mut search = units.search();
        for name in ["WU-00", "WU-02", "WU-03", "WU-00", "WU-01", "WU-03"] {
            assert_eq!(search.find(name), units.get(name), "{name}");
        }
    }
}
