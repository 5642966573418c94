//! What a session must not leave for the next one to obey: settings, hooks, skills and instructions of agents, also in the
//! state of its own agent, where it may write.
//!
//! Deliberately absent: logins, transcripts and whatever else an agent keeps there.

use super::Os;
use super::confinement::OwnAccount;
use super::server_guard::NamedServers;
use crate::agent_settings;
use crate::attempt_id::attempt_id;
use crate::config_snapshot::ConfigSnapshot;
use gatewalk_core::engine::evidence::one_line;
use gatewalk_core::error::Result;
use std::collections::BTreeSet;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// As much of a file that appeared as is looked at, in bytes: what a program makes by itself as it starts is short.
const SETTINGS_HEAD: u64 = 1 << 16;

/// The settings of agents, as they were.
pub(super) struct GuardedSettings {
    files: ConfigSnapshot,
    /// Around a session only.
    servers: NamedServers,
}

impl Os<'_> {
    /// Looks at the settings that a session of these agents, or a command, must leave as they are.
    pub(super) fn agent_settings_now(
        &self,
        confined: bool,
        own: Option<&OwnAccount>,
    ) -> GuardedSettings {
        let watched = self.watched_places();
        // In the checkout a confined session reaches nothing.
        let agents = match confined {
            true => &watched.of_agents,
            false => &watched.of_agents_and_checkout,
        };
        let beside = own.map(|own| own.settings(self.moved_places()));
        let beside = beside.unwrap_or_default();
        let named = own
            .into_iter()
            .flat_map(|own| own.naming_servers(self.moved_places()));
        GuardedSettings {
            files: ConfigSnapshot::take_beside(Arc::clone(agents), beside),
            servers: NamedServers::read(named),
        }
    }

    /// Puts back what was changed or left for agents and editors; returns what a user should see of it.
    pub(super) fn agent_settings_again(
        &self,
        GuardedSettings {
            files: before,
            servers,
        }: &GuardedSettings,
        who: &str,
        reached: &dyn Fn(&PathBuf) -> bool,
    ) -> Result<Vec<String>> {
        let mut seen: Vec<String> = Vec::new();
        let named = servers.put_back();
        if !named.is_empty() {
            seen.push(format!(
                "servers of tools that agents start changed while {who} ran, and are as they were before: {}",
                list(named.iter())
            ));
        }
        let broken = before.broken().into_iter();
        let counts = |path: &PathBuf| before.had(path) || !is_empty_directory(path);
        let mine: BTreeSet<PathBuf> = broken.filter(|p| reached(p) && counts(p)).collect();
        if mine.is_empty() {
            return Ok(seen);
        }
        let ordinary = mine
            .iter()
            .all(|path| !before.had(path) && is_ordinary(path));
        let names = list(mine.iter().filter(|path| !path.is_dir()));
        let aside = self.state().join("tampered").join(attempt_id());
        let lost = before.restore(&mine, &aside)?;
        let text = format!(
            "settings, hooks or instructions of agents changed while {who} ran, and are as they were before: {names}; what stood there is in {}",
            aside.display()
        );
        match ordinary && lost.is_empty() {
            // The next session makes the same again.
            true => self.note_once_per_run(&names, &text),
            false => seen.push(text),
        }
        if !lost.is_empty() {
            seen.push(format!("could not be put back: {}", list(lost.iter())));
        }
        Ok(seen)
    }
}

/// Returns whether a program makes what appeared by itself; what is not plain is never that.
fn is_ordinary(path: &Path) -> bool {
    if path.is_dir() && !path.is_symlink() {
        return true;
    }
    let mut text = String::new();
    let plain =
        std::fs::symlink_metadata(path).is_ok_and(|m| m.is_file() && m.len() < SETTINGS_HEAD);
    let file = std::fs::File::open(path);
    let read = file.and_then(|file| file.take(SETTINGS_HEAD).read_to_string(&mut text));
    match read {
        Ok(_) if plain => agent_settings::is_ordinary(path, &text),
        // Pictures and the like.
        _ => agent_settings::is_self_made(path),
    }
}

fn is_empty_directory(path: &Path) -> bool {
    !path.is_symlink() && std::fs::read_dir(path).is_ok_and(|mut inside| inside.next().is_none())
}

/// The most paths that are named in one line.
pub(super) const MOST_NAMED: usize = 20;

/// Returns the names of paths, the first few.
pub(super) fn list<'p>(paths: impl Iterator<Item = &'p PathBuf>) -> String {
    let names: Vec<String> = paths
        .map(|p| one_line(&p.to_string_lossy()))
        .take(MOST_NAMED)
        .collect();
    names.join(", ")
}
