//! What a confined process may see and change, as rules on paths: the longest matching path counts.

use super::known_paths::{
    ACCOUNT_SETTINGS, ACCOUNT_WORDS, CACHES, CLOUD_KEYS, KEYS, MADE_CACHES, SERVICE_SOCKETS,
    SETTINGS, SOCKET_VARIABLES,
};
use super::moved_places::MovedPlaces;
use crate::agent_settings;
use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

/// The mode of a directory that is a slot's own.
pub(crate) const OWN_MODE: u32 = 0o700;

/// What may be done below a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Access {
    /// May be read and changed.
    Write,
    /// May be read, not changed.
    Read,
    /// Read; what is new there is thrown away afterwards, where that is possible.
    Layered,
    /// Changed, in an empty directory of its own that is thrown away, where that is possible.
    Private,
    /// Can be neither read nor changed.
    Hidden,
}

impl Access {
    /// Returns whether a process may write there at all.
    pub(crate) fn is_writable(self) -> bool {
        matches!(self, Access::Write | Access::Private)
    }
}

/// What OpenCode makes first in the directory of its settings.
const MADE_FIRST: &str = ".gitignore";

/// A path and what may be done there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccessRule {
    /// An existing path without links in it.
    pub(crate) path: PathBuf,
    /// What may be done.
    pub(crate) access: Access,
}

/// The bounds of one process.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Bounds {
    rules: BTreeMap<PathBuf, Access>,
    /// What the process needs of directories that are private to it.
    shown: BTreeSet<PathBuf>,
    /// Where the user lets processes reach whoever listens.
    let_reach: BTreeSet<PathBuf>,
    /// The directories that stand in the place of private ones.
    backing: BTreeMap<PathBuf, PathBuf>,
    /// Whether the network is reachable.
    pub(crate) network: bool,
    /// The program that keeps a process from abstract sockets, where something else than that confines.
    scope_with: Option<PathBuf>,
}

impl Bounds {
    /// Keeps the process from abstract sockets, by this program.
    pub(crate) fn scope_with(&mut self, own_program: &Path) {
        self.show(own_program);
        self.scope_with = Some(own_program.to_path_buf());
    }

    /// Returns the program that keeps the process from abstract sockets, where it has to be: the machine's network has them in it.
    pub(crate) fn scoper(&self) -> Option<&Path> {
        self.scope_with.as_deref().filter(|_| self.network)
    }

    /// Returns bounds that allow reading everything and nothing else.
    pub(crate) fn reading(network: bool) -> Bounds {
        Bounds {
            network,
            ..Bounds::default()
        }
    }

    /// Lets the process see a path also where it has a private directory.
    pub(crate) fn show(&mut self, path: &Path) {
        self.shown.insert(path.to_path_buf());
    }

    /// Opens what the user names: files, directories, and sockets in them.
    pub(crate) fn open_named(&mut self, paths: &[PathBuf]) {
        for path in paths {
            self.add(path, Access::Write);
            self.let_reach.extend(path.canonicalize());
        }
    }

    /// Returns whether a process sees a path although the user does not let it reach who listens there.
    pub(super) fn lets_see(&self, path: &Path) -> bool {
        let ruled = |outer: &&Path| self.rules.contains_key(*outer);
        let shown = match path.ancestors().find(ruled) {
            Some(outer) if self.rules[outer] == Access::Private => {
                let shown = self.shown_in(outer);
                shown.iter().any(|entry| path.starts_with(entry))
            }
            Some(outer) => self.rules[outer] != Access::Hidden,
            None => true,
        };
        shown && !path.ancestors().any(|outer| self.let_reach.contains(outer))
    }

    /// Keeps what is private to the process on disk, below a directory that the caller removes, instead of in memory.
    pub(crate) fn keep_private_in(&mut self, directory: &Path) {
        let private = self.rules.iter().filter(|(_, a)| **a == Access::Private);
        for (path, _) in private.filter(|(path, _)| !path.starts_with("/dev")) {
            let name = path.to_string_lossy().replace('/', "-");
            let backing = directory.join(name.trim_start_matches('-'));
            let made = std::fs::DirBuilder::new().mode(OWN_MODE).create(&backing);
            // What cannot be made is in memory.
            if made.is_ok() || backing.is_dir() {
                self.backing.insert(path.clone(), backing);
            }
        }
    }

    /// Returns the directory that stands in a private one's place.
    pub(crate) fn backing(&self, path: &Path) -> Option<&Path> {
        self.backing.get(path).map(PathBuf::as_path)
    }

    /// Returns what stands in them for what is visible of the private ones.
    pub(super) fn mount_points(&self) -> BTreeSet<PathBuf> {
        let points = |(private, backing): (&PathBuf, &PathBuf)| {
            let shown = self.shown_in(private).into_iter();
            let names = shown.filter_map(|entry| Some(backing.join(entry.file_name()?)));
            names.collect::<Vec<_>>()
        };
        self.backing.iter().flat_map(points).collect()
    }

    /// Returns what of a private directory is visible nevertheless: the entries on the way to what has a rule or is needed.
    pub(crate) fn shown_in(&self, directory: &Path) -> BTreeSet<PathBuf> {
        let needed = self.rules.keys().chain(&self.shown);
        needed
            .filter_map(|path| path.strip_prefix(directory).ok()?.components().next())
            .map(|first| directory.join(first))
            .collect()
    }

    /// Adds a rule; what is not there needs none. A later rule for the same path replaces an earlier one.
    pub(crate) fn add(&mut self, path: &Path, access: Access) {
        // Most of what has a rule is absent in most homes: one look says so, where resolving asks for each part of the path.
        if path.exists()
            && let Ok(path) = std::fs::canonicalize(path)
            && path != Path::new("/")
        {
            self.rules.insert(path, access);
        }
    }

    /// Adds what holds for every process: temporary directories and caches open, services and keys hidden.
    pub(crate) fn add_common(&mut self, moved: &MovedPlaces, temporary: Option<&Path>) {
        for (path, access) in [
            ("/tmp", Access::Private),
            ("/var/tmp", Access::Private),
            ("/dev/shm", Access::Private),
        ] {
            self.add(Path::new(path), access);
        }
        for socket in SERVICE_SOCKETS {
            self.add(Path::new(socket), Access::Hidden);
        }
        for (path, access) in moved.ruled().below_home() {
            self.add(path, access);
        }
        if let Some(temporary) = temporary.filter(|t| t.is_absolute()) {
            // One that holds the home too is no place for temporary files.
            let holds = |home: &Path| temporary != Path::new("/tmp") && home.starts_with(temporary);
            if !moved.home().is_some_and(holds) {
                self.add(temporary, Access::Private);
            }
        }
    }

    /// Adds what holds for every process where variables put things: caches open, settings in them and keys not.
    pub(crate) fn add_moved(&mut self, moved: &MovedPlaces) {
        for (names, access) in [
            (CACHES, Access::Write),
            (SETTINGS, Access::Read),
            (KEYS, Access::Hidden),
        ] {
            for name in names {
                for path in moved.elsewhere(name) {
                    self.add(&path, access);
                }
            }
        }
        for path in SOCKET_VARIABLES
            .iter()
            .filter_map(|name| moved.socket(name))
        {
            self.add(&path, Access::Hidden);
        }
    }

    /// Hides settings of package managers that hold an account; returns whether one of npm's is among them.
    pub(crate) fn hide_accounts(&mut self, moved: &MovedPlaces) -> bool {
        let mut npm = false;
        for name in ACCOUNT_SETTINGS {
            for path in moved.all(name) {
                let text = std::fs::read_to_string(&path).unwrap_or_default();
                if ACCOUNT_WORDS.iter().any(|word| text.contains(word)) {
                    self.add(&path, Access::Hidden);
                    npm |= *name == ".npmrc";
                }
            }
        }
        npm
    }

    /// Lets a session keep its own agent's logins and logs, but not change the agent's settings.
    pub(crate) fn open_agent(&mut self, moved: &MovedPlaces, state: &[&str]) {
        let settings = agent_settings::read_only();
        let own = settings.filter(|name| state.iter().any(|own| Path::new(name).starts_with(own)));
        let own: Vec<&str> = own.collect();
        for (names, access) in [(state, Access::Write), (&own[..], Access::Read)] {
            for path in names.iter().flat_map(|name| moved.all(name)) {
                self.add(&path, access);
            }
        }
    }

    /// Lets a session make new files where its agent keeps state. The rules of a kernel cannot leave a file out of a directory in
    /// which new ones may be made, so this takes in the agent's settings there. Directories that the session could not make
    /// are made here: of the state, and those in `more`.
    pub(crate) fn open_whole_state(&mut self, moved: &MovedPlaces, state: &[&str], more: &[&str]) {
        let is_directory = |name: &&&str| Path::new(name).extension().is_none();
        for name in state.iter().filter(is_directory).chain(more) {
            let place = moved.all(name).pop();
            // Where it cannot be made, the program fails by itself, and says why.
            if let Some(place) = place {
                drop(std::fs::create_dir_all(place));
            }
        }
        let places = state.iter().flat_map(|name| moved.all(name));
        for path in places.filter_map(|path| path.canonicalize().ok()) {
            self.add(&path, Access::Write);
            self.rules
                .retain(|rule, access| *access != Access::Read || !rule.starts_with(&path));
        }
    }

    /// Makes the caches that installed programs would make themselves where new ones are allowed. The rules of a kernel cannot
    /// leave what is shut there (the driver's own slots) out of a directory in which new ones may be made.
    pub(crate) fn make_caches(&self, moved: &MovedPlaces, is_installed: impl Fn(&str) -> bool) {
        for (name, program) in MADE_CACHES {
            let Some(place) = moved.all(name).pop() else {
                continue;
            };
            let outer = place.parent().and_then(|outer| outer.canonicalize().ok());
            let open = outer.is_some_and(|outer| self.access(&outer) == Access::Write);
            if open && place.symlink_metadata().is_err() && is_installed(program) {
                // Where it cannot be made, the program fails by itself, and says why.
                drop(std::fs::create_dir(place));
            }
        }
    }

    /// Lets a session make files beside those that are there, where its agent's program does as it starts first and stops if it
    /// cannot. What is there is only read, and what is made is thrown away afterwards. Where the program was before, nothing is
    /// opened: it would fetch again in each session what is thrown away.
    pub(crate) fn layer_made(&mut self, moved: &MovedPlaces, makes: &[&str]) {
        let places = makes.iter().flat_map(|name| moved.all(name));
        for path in places.filter_map(|path| path.canonicalize().ok()) {
            let mut outer = path.ancestors();
            let ruled = outer.find_map(|outer| self.rules.get(outer).copied());
            let only_read = matches!(ruled, None | Some(Access::Read | Access::Layered));
            if path.is_dir() && only_read && !path.join(MADE_FIRST).exists() {
                self.rules.insert(path, Access::Layered);
            }
        }
    }

    /// Hides where agents keep logins and sessions, except what is `open`.
    pub(crate) fn hide_agents(&mut self, moved: &MovedPlaces, open: &[&str]) {
        let open: BTreeSet<PathBuf> = open.iter().flat_map(|name| moved.all(name)).collect();
        let closed = moved.ruled().of_agents().into_iter();
        for path in closed.filter(|path| !open.contains(*path)) {
            self.add(path, Access::Hidden);
        }
    }

    /// Hides keys by which some agents reach their models, except those that `needed` accepts.
    pub(crate) fn hide_clouds(&mut self, moved: &MovedPlaces, needed: impl Fn(&str) -> bool) {
        for name in CLOUD_KEYS.iter().filter(|name| !needed(name)) {
            for path in moved.all(name) {
                self.add(&path, Access::Hidden);
            }
        }
    }

    /// Returns the rules, outer paths before what is inside them.
    pub(crate) fn rules(&self) -> impl Iterator<Item = AccessRule> {
        self.rules.iter().map(|(path, access)| AccessRule {
            path: path.clone(),
            access: *access,
        })
    }

    /// Returns whether what is around a path is hidden with it.
    pub(super) fn is_inside_hidden(&self, path: &Path) -> bool {
        path.parent()
            .is_some_and(|outer| self.access(outer) == Access::Hidden)
    }

    /// Returns the rules for what is inside a path, without one for the path itself.
    pub(super) fn rules_inside<'b>(
        &'b self,
        path: &'b Path,
    ) -> impl Iterator<Item = (&'b Path, Access)> {
        use std::ops::Bound::{Excluded, Unbounded};
        let behind = self.rules.range::<Path, _>((Excluded(path), Unbounded));
        behind
            .map(|(inside, access)| (inside.as_path(), *access))
            .take_while(move |(inside, _)| inside.starts_with(path))
    }

    /// Returns what the innermost rule around a path says.
    pub(super) fn rule_around(&self, path: &Path) -> Option<Access> {
        let mut around = path.ancestors().skip(1);
        around.find_map(|outer| self.rules.get(outer).copied())
    }

    /// Returns what may be done at a path.
    pub(crate) fn access(&self, path: &Path) -> Access {
        path.ancestors()
            .find_map(|p| self.rules.get(p).copied())
            .unwrap_or(Access::Read)
    }

    /// Returns likewise for a path in a directory of which it is known.
    pub(crate) fn access_in(&self, directory: Access, path: &Path) -> Access {
        self.rules.get(path).copied().unwrap_or(directory)
    }

    /// Returns paths that together are everything where `allowed` holds, found by going down only where a
    /// rule inside says otherwise.
    #[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "Landlock's"))]
    pub(crate) fn covering(&self, allowed: impl Fn(Access) -> bool) -> Vec<PathBuf> {
        let mut found = Vec::new();
        let mut open = vec![PathBuf::from("/")];
        while let Some(path) = open.pop() {
            let differs = |rule: &AccessRule| {
                rule.path != path && rule.path.starts_with(&path) && {
                    allowed(rule.access) != allowed(self.access(&path))
                }
            };
            let granted = allowed(self.access(&path));
            if !self.rules().any(|rule| differs(&rule)) {
                if granted {
                    found.push(path);
                }
                continue;
            }
            let Ok(entries) = std::fs::read_dir(&path) else {
                continue;
            };
            // A link is reached through its target, which has rules of its own.
            open.extend(
                entries
                    .filter_map(Result::ok)
                    .filter(|e| e.file_type().is_ok_and(|t| !t.is_symlink()))
                    .map(|e| e.path()),
            );
        }
        found.sort();
        found
    }
}
