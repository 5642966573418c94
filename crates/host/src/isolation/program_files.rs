//! What a command needs to find its program: everything on the way to it, through links, interpreters and wrappers.
//!
//! A version manager's shim, a package's `bin` link or a wrapper of the user's may lie in a directory of which a sandbox
//! shows nothing, or lead there. A link or script that the command itself could have written leads nowhere.

use super::bounds::{Access, Bounds};
use super::find_program;
use crate::inode_state::InodeState;
use crate::path_links::{self, MOST_LINKS};
use crate::process::CommandSpec;
use gatewalk_core::parallel::locked;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ffi::OsString;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// As much of a script as is looked at, in bytes: a wrapper is short, and where it is not, it begins with what it starts.
const SCRIPT_HEAD: u64 = 1 << 16;
/// Where the system keeps programs; their links stay there.
const SYSTEM: &[&str] = &["/usr", "/bin", "/sbin"];

/// Puts in place of each directory on the `PATH` that is hidden the one it leads to: version managers keep a link for each
/// shell where sockets of services are.
pub(super) fn with_visible_path(mut spec: CommandSpec, bounds: &Bounds) -> CommandSpec {
    let visible = |directory: PathBuf| visible_directory(&directory, bounds).unwrap_or(directory);
    let path = spec.env.iter_mut().find(|(name, _)| name == "PATH");
    if let Some((_, value)) = path
        && let Ok(joined) = std::env::join_paths(std::env::split_paths(value).map(visible))
    {
        *value = joined;
    }
    let program = Path::new(&spec.program);
    if let (true, Some(parent), Some(name)) =
        (program.is_absolute(), program.parent(), program.file_name())
        && let Some(directory) = visible_directory(parent, bounds)
    {
        spec.program = directory.join(name).into();
    }
    spec
}

/// Returns where a hidden directory leads, if that can be seen.
fn visible_directory(directory: &Path, bounds: &Bounds) -> Option<PathBuf> {
    if bounds.access(directory) != Access::Hidden {
        return None;
    }
    let real = directory.canonicalize().ok()?;
    (bounds.access(&real) != Access::Hidden).then_some(real)
}

/// Returns bounds in which a command finds its program, and what it names in its arguments and its environment.
pub(super) fn showing_named(bounds: &Bounds, spec: &CommandSpec, program: &Path) -> Bounds {
    let mut shown = ProgramSearch::new(bounds, &spec.env);
    shown.directories_on_path();
    shown.bounds.show(&spec.cwd);
    shown.program(program);
    // A program's own files may lie where it has a directory of its own; a directory named in its environment is more likely one to fill.
    let named = spec.env.iter().map(|(_, value)| PathBuf::from(value));
    let named = spec
        .args
        .iter()
        .map(|arg| match arg.to_str().and_then(|a| a.split_once('=')) {
            Some((_, value)) if value.starts_with('/') => PathBuf::from(value),
            _ => PathBuf::from(arg),
        })
        .chain(named.filter(|path| path.is_absolute() && path.is_file()));
    for path in named.filter(|path| path.is_absolute()) {
        shown.path(&path);
    }
    shown.bounds
}

/// Bounds that grow by what is found on the way to a program.
struct ProgramSearch<'a> {
    bounds: Bounds,
    env: &'a [(OsString, OsString)],
    /// What was followed already.
    seen: BTreeSet<PathBuf>,
    /// What was found to be no link.
    plain: HashSet<PathBuf>,
}

/// What the directories of a `PATH` added to bounds.
struct PathSearch {
    path: OsString,
    before: Bounds,
    after: Bounds,
    at: Instant,
}

/// The searches that still count.
static SEARCHED: Mutex<Vec<PathSearch>> = Mutex::new(Vec::new());

/// How long a search counts: a unit asks for the same twice, and a user changes links less often.
const SEARCH_COUNTS: Duration = Duration::from_secs(1);

impl<'a> ProgramSearch<'a> {
    fn new(bounds: &Bounds, env: &'a [(OsString, OsString)]) -> Self {
        ProgramSearch {
            bounds: bounds.clone(),
            env,
            seen: BTreeSet::new(),
            plain: HashSet::new(),
        }
    }

    /// Shows a path and what each link in it leads to; returns where it ends.
    fn path(&mut self, path: &Path) -> PathBuf {
        let mut path = path.to_path_buf();
        self.bounds.show(&path);
        for _ in 0..MOST_LINKS {
            match self.next(&path) {
                Some(next) => path = next,
                None => break,
            }
            self.bounds.show(&path);
        }
        path
    }

    /// Returns a path with its first link followed.
    fn next(&mut self, path: &Path) -> Option<PathBuf> {
        let link = path_links::first_link(path, &mut self.plain)?;
        // What the command may write, an earlier one may have linked to somewhere.
        if self.bounds.access(link) == Access::Write {
            return None;
        }
        path_links::followed(path, link)
    }

    /// Shows a program, what runs it, and what it starts in its turn, where it is a script.
    fn program(&mut self, program: &Path) {
        let mut open = vec![program.to_path_buf()];
        while let Some(program) = open.pop() {
            if self.seen.len() > MOST_LINKS || !self.seen.insert(program.clone()) {
                continue;
            }
            let real = self.path(&program);
            if self.bounds.access(&real) != Access::Write {
                open.extend(named_by_script(&real, self.env));
            }
        }
    }

    /// Shows the directories of the `PATH`, and what links in them lead to.
    fn directories_on_path(&mut self) {
        let Some((_, path)) = self.env.iter().find(|(name, _)| name == "PATH") else {
            return;
        };
        let mut searched = locked(&SEARCHED);
        searched.retain(|search| search.at.elapsed() < SEARCH_COUNTS);
        let same = |search: &&PathSearch| search.path == *path && search.before == self.bounds;
        if let Some(same) = searched.iter().find(same) {
            self.bounds = same.after.clone();
            return;
        }
        drop(searched);
        let (before, at) = (self.bounds.clone(), Instant::now());
        for directory in std::env::split_paths(path).filter(|path| path.is_absolute()) {
            let real = self.path(&directory);
            if SYSTEM.iter().any(|system| real.starts_with(system)) {
                continue;
            }
            for link in links_in(&real).iter() {
                self.path(link);
            }
        }
        locked(&SEARCHED).push(PathSearch {
            path: path.clone(),
            before,
            after: self.bounds.clone(),
            at,
        });
    }
}

/// A directory as it was listed.
struct ListedLinks {
    /// What it was like before.
    state: InodeState,
    links: Arc<Vec<PathBuf>>,
}

/// The directories of `PATH` that were listed.
static LISTED: Mutex<BTreeMap<PathBuf, ListedLinks>> = Mutex::new(BTreeMap::new());

/// Returns the links in a directory, which is listed again when anything came or went there.
fn links_in(directory: &Path) -> Arc<Vec<PathBuf>> {
    let known = || locked(&LISTED);
    let state = rustix::fs::stat(directory).ok();
    let state = state.as_ref().map(InodeState::of);
    if let Some(listed) = known().get(directory)
        && Some(listed.state) == state
    {
        return Arc::clone(&listed.links);
    }
    let entries = std::fs::read_dir(directory).into_iter().flatten().flatten();
    let links = entries.filter(|e| e.file_type().is_ok_and(|kind| kind.is_symlink()));
    let links = Arc::new(links.map(|link| link.path()).collect());
    if let Some(state) = state.filter(|state| state.is_settled()) {
        let links = Arc::clone(&links);
        known().insert(directory.to_path_buf(), ListedLinks { state, links });
    }
    links
}

/// Returns the programs that a script names: its interpreter, and every absolute path in it; none where it is no script.
fn named_by_script(file: &Path, env: &[(OsString, OsString)]) -> Vec<PathBuf> {
    let Ok(mut file) = std::fs::File::open(file) else {
        return Vec::new();
    };
    let (mut mark, mut head) = ([0; 2], Vec::new());
    let is_script = file.read_exact(&mut mark).is_ok() && mark == *b"#!";
    if !is_script || file.take(SCRIPT_HEAD).read_to_end(&mut head).is_err() {
        return Vec::new();
    }
    let text = String::from_utf8_lossy(&head);
    let first = text.lines().next().unwrap_or_default();
    let words = first.split_whitespace();
    let interpreters = words.filter(|word| !word.starts_with(['-', '/']));
    let interpreters =
        interpreters.filter_map(|name| find_program(name.as_ref(), env, "/".as_ref()));
    let is_separator = |c: char| {
        c.is_whitespace() || matches!(c, '"' | '\'' | '=' | ';' | ':' | '(' | ')' | '`' | '!')
    };
    let paths = text
        .split(is_separator)
        .filter(|word| word.starts_with('/'));
    let files = paths.map(PathBuf::from).filter(|path| path.is_file());
    interpreters.chain(files).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn a_directory_is_listed_once_until_something_changes_in_it() {
        let root = tempfile::tempdir().unwrap();
        let directory = root.path();
        symlink("/bin/sh", directory.join("one")).unwrap();
        let state = || InodeState::of(&rustix::fs::stat(directory).unwrap());
        let before = state();
        let listed = ListedLinks {
            state: before,
            links: Arc::default(),
        };
        LISTED
            .lock()
            .unwrap()
            .insert(directory.to_path_buf(), listed);
        assert!(links_in(directory).is_empty(), "it was listed again");
        let change = |n| symlink("/bin/sh", directory.join(format!("more-{n}")));
        let moved = |n| change(n).is_ok() && state() != before;
        let made = (0..100_000).position(moved);
        let made = made.expect("the clock stands still") + 1;
        assert_eq!(links_in(directory).len(), 1 + made);
    }

    #[test]
    fn a_path_is_searched_once_for_the_same_bounds_and_not_for_long() {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().as_os_str().to_owned();
        let env = [("PATH".into(), path.clone())];
        let (before, mut other, mut known) =
            (Bounds::default(), Bounds::default(), Bounds::default());
        other.add(root.path(), Access::Read);
        known.show(Path::new("/known"));
        let just_now = Instant::now();
        let long_ago = just_now.checked_sub(SEARCH_COUNTS).unwrap();
        for (bounds, at, is_known) in [
            (&before, just_now, true),
            (&other, just_now, false),
            (&before, long_ago, false),
        ] {
            let mut searched = SEARCHED.lock().unwrap();
            searched.retain(|search| search.path != path);
            searched.push(PathSearch {
                path: path.clone(),
                before: before.clone(),
                after: known.clone(),
                at,
            });
            drop(searched);
            let mut search = ProgramSearch::new(bounds, &env);
            search.directories_on_path();
            assert_eq!(search.bounds == known, is_known, "{bounds:?} {at:?}");
        }
    }
}
