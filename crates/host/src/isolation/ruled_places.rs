//! What has a rule of its own in every home, most of it absent in most of them: some hundred paths in some twenty
//! directories, and each of those is asked once whether entries came or went since the last process was started.

use super::bounds::Access;
use super::known_paths::{CACHES, KEYS, LAYERED, SETTINGS};
use crate::place_list::PlaceList;
use std::path::{Path, PathBuf};

/// The places of one user.
#[derive(Debug, Default)]
pub(super) struct RuledPlaces {
    /// Below the home, in the order in which rules replace earlier ones.
    below_home: Vec<(PlaceList, Access)>,
    /// Where agents keep logins and sessions.
    of_agents: PlaceList,
}

impl RuledPlaces {
    /// Returns the places below a home, and those of agents, wherever they are.
    pub(super) fn of(home: Option<&Path>, agents: Vec<PathBuf>) -> RuledPlaces {
        let below = |names: &[&str]| -> Vec<PathBuf> {
            let home = home.into_iter();
            home.flat_map(|home| names.iter().map(|name| home.join(name)))
                .collect()
        };
        let kinds = [
            (LAYERED, Access::Layered),
            (CACHES, Access::Write),
            (SETTINGS, Access::Read),
            (KEYS, Access::Hidden),
        ];
        let lists = kinds.map(|(names, access)| (PlaceList::new(below(names)), access));
        RuledPlaces {
            below_home: lists.into(),
            of_agents: PlaceList::new(agents),
        }
    }

    /// Returns what is there below the home, and what may be done there.
    pub(super) fn below_home(&self) -> impl Iterator<Item = (&Path, Access)> {
        let lists = self.below_home.iter();
        lists.flat_map(|(list, access)| list.occupied().into_iter().map(|path| (path, *access)))
    }

    /// Returns the agents' places that are there.
    pub(super) fn of_agents(&self) -> Vec<&Path> {
        self.of_agents.occupied()
    }
}
