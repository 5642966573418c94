//! Sockets with a path on which programs outside listen: who connects has them act, unconfined. The kernel lists them.
//!
//! Deliberately absent: abstract sockets (`landlock::scope_sockets`), those of services, which are hidden where they are
//! or not (`known_paths`), and what begins to listen later.

use super::bounds::{Access, Bounds};
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};

/// Where the kernel lists the sockets of a network namespace.
const LIST: &str = "/proc/net/unix";

/// The flag of a socket that accepts connections.
const ACCEPTS: u32 = 0x10000;

/// What the names of the sockets of databases begin with: tests are run against them.
const DATABASES: &[&str] = &[
    ".s.pgsql.",
    "mysql",
    "mariadb",
    "redis",
    "valkey",
    "keydb",
    "mongodb-",
    "memcached",
    "clickhouse",
];

/// Directories of services that look names up, or build for any user in a sandbox of their own.
const LOOK_UPS: &[&str] = &[
    "/nscd/",
    "/unscd/",
    "/nslcd/",
    "/systemd/resolve/",
    "/systemd/userdb/",
    "/avahi-daemon/",
    "/sss/pipes/",
    "/winbindd/",
    "/nix/daemon-socket/",
];

/// Hides the sockets of programs outside that a process in a directory could reach, except those that it may.
pub(super) fn hide(bounds: &mut Bounds, slot: &Path) {
    let list = std::fs::read_to_string(LIST).unwrap_or_default();
    for path in paths(&list).filter(|path| !is_let(path)) {
        let is_socket = |path: &Path| {
            std::fs::symlink_metadata(path).is_ok_and(|meta| meta.file_type().is_socket())
        };
        let Ok(path) = path.canonicalize() else {
            continue;
        };
        if is_socket(&path) && !path.starts_with(slot) && bounds.lets_see(&path) {
            bounds.add(&path, Access::Hidden);
        }
    }
}

/// Returns the paths of a list on which somebody listens.
fn paths(list: &str) -> impl Iterator<Item = PathBuf> {
    list.lines().skip(1).filter_map(|line| {
        let mut rest = line;
        let mut fields = Vec::new();
        // The path is what follows the seventh field, with any spaces in it.
        while fields.len() < 7 {
            let (field, after) = rest.trim_start().split_once(' ')?;
            fields.push(field);
            rest = after;
        }
        let flags = u32::from_str_radix(fields[3], 16).ok()?;
        (flags & ACCEPTS != 0 && rest.starts_with('/')).then(|| PathBuf::from(rest))
    })
}

/// Returns whether a socket is one of those that commands need.
fn is_let(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default();
    let name = name.to_string_lossy().to_lowercase();
    let path = path.to_string_lossy();
    DATABASES.iter().any(|start| name.starts_with(start))
        || LOOK_UPS.iter().any(|inside| path.contains(inside))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_listens_at_a_path_is_read_from_the_kernels_list() {
        let list = "Num       RefCount Protocol Flags    Type St Inode Path
0000000000000000: 00000002 00000000 00010000 0001 01 15442 /run/door
0000000000000000: 00000002 00000000 00010000 0005 01 15443 /run/a b/door
0000000000000000: 00000003 00000000 00000000 0001 03 15444 /run/connected
0000000000000000: 00000002 00000000 00010000 0001 01 15445 @abstract
0000000000000000: 00000002 00000000 00010000 0001 01 15446 relative
0000000000000000: 00000002 00000000 00010000 0001 01 15447
0000000000000000: 00000002 00000000 00000000 0002 01 15448 /run/datagrams
";
        let found: Vec<PathBuf> = paths(list).collect();
        assert_eq!(found, ["/run/door", "/run/a b/door"].map(PathBuf::from));
    }
}
