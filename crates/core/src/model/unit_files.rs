//! The unit files of a feature, by file name. A plan is copied with every landing: copies share every unit that is alike.

use super::status_machine::UnitStatus;
use super::unit::Unit;
use std::sync::Arc;

/// Unit files by file name.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct UnitFiles {
    /// Sorted by name.
    files: Vec<UnitFile>,
}

#[derive(Debug, Clone, PartialEq)]
struct UnitFile {
    name: Arc<str>,
    unit: Arc<Unit>,
    /// The unit's: each step asks all units of a gate, of which hundreds stand anywhere in memory.
    status: UnitStatus,
    /// Whether it is one of [`UnitFiles::particular`]: said here, it is known without a look at the unit.
    is_particular: bool,
}

impl UnitFile {
    fn new(name: Arc<str>, unit: Unit) -> UnitFile {
        let front = &unit.front;
        UnitFile {
            is_particular: front.agent.is_some()
                || front.checks.is_some()
                || front.extra_gates.is_some()
                || front.timeout.is_some()
                || front.idle_timeout.is_some(),
            name,
            status: unit.status(),
            unit: Arc::new(unit),
        }
    }
}

impl UnitFiles {
    /// Returns how many there are.
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// Returns the files, by name.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (&str, &Unit)> {
        self.files.iter().map(|file| (&*file.name, &*file.unit))
    }

    /// Returns the names, sorted.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.iter().map(|(name, _)| name)
    }

    /// Returns the units, by the names of their files.
    pub fn values(&self) -> impl Iterator<Item = &Unit> {
        self.iter().map(|(_, unit)| unit)
    }

    /// Returns the units that say something of their own of agents, commands, sets or limits of time (`agent`, `checks`,
    /// `extra_gates`, `timeout`, `idle_timeout`). Most say nothing, and rules about those keys ask of every feature at each keystroke.
    pub(crate) fn particular(&self) -> impl Iterator<Item = &Unit> {
        let particular = self.files.iter().filter(|file| file.is_particular);
        particular.map(|file| &*file.unit)
    }

    /// Returns the unit of a file.
    pub fn get(&self, name: &str) -> Option<&Unit> {
        let at = self.place(name).ok()?;
        Some(&self.files[at].unit)
    }

    /// Returns whether there is a file with this name.
    pub fn contains_key(&self, name: &str) -> bool {
        self.place(name).is_ok()
    }

    /// Puts a unit in a file's place.
    pub fn insert(&mut self, name: &str, unit: Unit) {
        match self.place(name) {
            Ok(at) => self.files[at] = UnitFile::new(self.files[at].name.clone(), unit),
            Err(at) => self.files.insert(at, UnitFile::new(name.into(), unit)),
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
        self.files.binary_search_by(|file| (*file.name).cmp(name))
    }
}

impl FromIterator<(String, Unit)> for UnitFiles {
    fn from_iter<I: IntoIterator<Item = (String, Unit)>>(files: I) -> UnitFiles {
        let files = files.into_iter();
        let files = files.map(|(name, unit)| UnitFile::new(name.into(), unit));
        let mut files: Vec<UnitFile> = files.collect();
        files.sort_by(|a, b| a.name.cmp(&b.name));
        files.dedup_by(|next, kept| next.name == kept.name);
        UnitFiles { files }
    }
}

/// Finds one file after another: a graph mostly lists them in the order of their names.
pub(super) struct UnitSearch<'u> {
    units: &'u UnitFiles,
    /// The files after the one that was found last.
    rest: &'u [UnitFile],
}

impl<'u> UnitSearch<'u> {
    /// Returns the unit of a file, and its status.
    pub(super) fn find(&mut self, name: &str) -> Option<(&'u Unit, UnitStatus)> {
        if self.rest.first().is_none_or(|file| *file.name != *name) {
            let at = self.units.place(name).ok()?;
            self.rest = &self.units.files[at..];
        }
        let (file, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some((&file.unit, file.status))
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
        units.insert("WU-03", unit("changed"));
        // A copy keeps what it has.
        assert_eq!(before.get("WU-03"), Some(&unit("WU-03")));
        assert_eq!((before.len(), before.contains_key("WU-01")), (3, true));
        let mut search = units.search();
        for name in ["WU-00", "WU-02", "WU-03", "WU-00", "WU-01", "WU-03"] {
            let unit = units.get(name);
            assert_eq!(
                search.find(name),
                unit.map(|unit| (unit, unit.status())),
                "{name}"
            );
        }
    }
    #[test]
    fn what_says_something_of_its_own_is_known_whenever_it_came() {
        let with = |key: &str| {
            let text = format!("---\nstatus: draft\n{key}\n---\n");
            Unit::parse("WU-01-a.md".into(), text.as_bytes())
        };
        let count = |units: &UnitFiles| units.particular().count();
        let mut units: UnitFiles = [("WU-00".to_owned(), with(""))].into_iter().collect();
        assert_eq!(count(&units), 0);
        for key in [
            "agent: codex",
            "checks:\n  - {name: a, run: b}",
            "extra_gates: slow",
            "timeout: 1m",
            "idle_timeout: 1m",
        ] {
            units.insert("WU-00", with(key));
            assert_eq!(count(&units), 1, "{key}");
            let read: UnitFiles = [("WU-00".to_owned(), with(key))].into_iter().collect();
            assert_eq!(read, units);
            units.insert("WU-00", with("type: implementation"));
            assert_eq!(count(&units), 0, "{key}");
        }
    }
}
