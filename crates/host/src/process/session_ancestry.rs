//! Whether this process was started by a session or a command of an attempt, however it came about.

use super::{MARKER_VARIABLE, Marker};
use crate::procfs;

/// Most processes between this one and the first.
const MOST_ANCESTORS: usize = 512;

/// Returns whether this process, or one it descends from, runs for an attempt of a driver that is known by its owner's
/// name, or descends from the driver itself.
pub fn is_inside_run(owner: &str, driver: Option<u32>) -> bool {
    let own = i32::try_from(std::process::id()).unwrap_or_default();
    let driver = driver.and_then(|pid| i32::try_from(pid).ok());
    let mut pid = own;
    for _ in 0..MOST_ANCESTORS {
        // The variable may be taken out of an environment, the tag hardly.
        let marker = procfs::variable(pid, MARKER_VARIABLE);
        let tag = procfs::tag(pid);
        if marker.is_some_and(|value| Marker::names_owner(&value, owner))
            || tag.is_some_and(|tag| Marker::new(owner, "").owns_tag(tag))
        {
            return true;
        }
        if pid != own && Some(pid) == driver {
            return true;
        }
        match procfs::stat(pid) {
            Some(stat) if stat.parent > 0 => pid = stat.parent,
            _ => return false,
        }
    }
    false
}
