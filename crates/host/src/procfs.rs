//! What Linux knows about processes: `/proc`, parsed.
//!
//! Every function answers "nothing" for a process that is gone or not ours to read. On other
//! systems all of them return nothing, and a process tree is only its process group.

use rustix::fs::{CWD, Mode, OFlags};
use std::path::Path;

/// The fields of `/proc/<pid>/stat` that identify and place a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stat {
    pub(crate) pid: i32,
    pub(crate) state: u8,
    pub(crate) parent: i32,
    /// Zero where its leader is outside the pid namespace, as a container's first processes may have it; so is `session`.
    pub(crate) group: i32,
    pub(crate) session: i32,
    /// CPU time of the process and of the children it waited for, in clock ticks.
    pub(crate) cpu: u64,
    threads: u64,
    /// Clock ticks since boot when it started: with the pid, its identity.
    pub(crate) start: u64,
}

impl Stat {
    /// Returns whether the process still runs: a zombie does not, unless only its main thread ended.
    pub(crate) fn is_alive(&self) -> bool {
        !matches!(self.state, b'Z' | b'X' | b'x') || self.threads > 1
    }
}

/// Returns the stat of a process.
pub(crate) fn stat(pid: i32) -> Option<Stat> {
    parse_stat(&read(pid, "stat")?)
}

/// Returns the stat of this process.
///
/// What the system calls say of our group and session is zero in some containers, which a [`Pid`](rustix::process::Pid) cannot be.
pub(crate) fn own() -> Option<Stat> {
    stat(rustix::process::getpid().as_raw_pid())
}

/// Returns when a process started, in clock ticks since boot; none when it is gone or cannot be asked.
pub(crate) fn start_of(pid: u32) -> Option<u64> {
    stat(i32::try_from(pid).ok()?)
        .filter(Stat::is_alive)
        .map(|stat| stat.start)
}

/// Parses a stat line; the command name may hold spaces, parentheses and any byte.
fn parse_stat(line: &[u8]) -> Option<Stat> {
    let open = line.iter().position(|&b| b == b'(')?;
    let close = line.iter().rposition(|&b| b == b')')?;
    let pid = std::str::from_utf8(&line[..open])
        .ok()?
        .trim()
        .parse()
        .ok()?;
    let rest = std::str::from_utf8(line.get(close + 1..)?).ok()?;
    let fields: Vec<&str> = rest.split_ascii_whitespace().collect();
    // `fields[0]` is field 3 of proc(5).
    let number = |field: usize| fields.get(field - 3)?.parse::<i64>().ok();
    let ticks = |field: usize| number(field).map(|n| n.max(0).unsigned_abs());
    Some(Stat {
        pid,
        state: *fields.first()?.as_bytes().first()?,
        parent: i32::try_from(number(4)?).ok()?,
        group: i32::try_from(number(5)?).ok()?,
        session: i32::try_from(number(6)?).ok()?,
        cpu: ticks(14)? + ticks(15)? + ticks(16)? + ticks(17)?,
        threads: ticks(20)?,
        start: ticks(22)?,
    })
}

/// Returns, for each thread, its time on a processor and in the queue for one; none where the kernel does not count it.
pub(crate) fn wanted(pid: i32) -> Vec<(i32, std::time::Duration)> {
    let Ok(tasks) = std::fs::read_dir(format!("/proc/{pid}/task")) else {
        return Vec::new();
    };
    let of_thread = |task: std::fs::DirEntry| {
        let times = std::fs::read_to_string(task.path().join("schedstat")).ok()?;
        let times = times.split_ascii_whitespace().take(2);
        let nanos = times.filter_map(|time| time.parse::<u64>().ok()).sum();
        let thread = task.file_name().to_str()?.parse().ok()?;
        Some((thread, std::time::Duration::from_nanos(nanos)))
    };
    tasks.flatten().filter_map(of_thread).collect()
}

/// Returns the pids of the children of a process.
pub(crate) fn children(pid: i32) -> Vec<i32> {
    let Ok(tasks) = std::fs::read_dir(format!("/proc/{pid}/task")) else {
        return Vec::new();
    };
    let mut pids = Vec::new();
    for task in tasks.flatten() {
        match read_file(&task.path().join("children")) {
            Some(list) => pids.extend(
                String::from_utf8_lossy(&list)
                    .split_ascii_whitespace()
                    .filter_map(|p| p.parse::<i32>().ok()),
            ),
            // The thread ended: its children moved to a thread that is still listed.
            None if !task.path().exists() => {}
            // A kernel built without the list.
            None => return children_by_scan(pid),
        }
    }
    pids
}

fn children_by_scan(parent: i32) -> Vec<i32> {
    all()
        .into_iter()
        .filter(|&pid| stat(pid).is_some_and(|s| s.parent == parent))
        .collect()
}

/// Returns the pids of all processes; none where there is no `/proc`.
pub(crate) fn all() -> Vec<i32> {
    let Ok(entries) = std::fs::read_dir("/proc") else {
        return Vec::new();
    };
    entries
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .collect()
}

/// Returns the value of a variable in the environment the process was started with.
pub(crate) fn variable(pid: i32, name: &str) -> Option<Vec<u8>> {
    let environment = read(pid, "environ")?;
    environment.split(|&b| b == 0).find_map(|entry| {
        let value = entry.strip_prefix(name.as_bytes())?.strip_prefix(b"=")?;
        Some(value.to_vec())
    })
}

/// Returns the tag of a process tree: the hard limit on real-time CPU time, see `process_tree`.
pub(crate) fn tag(pid: i32) -> Option<u64> {
    parse_tag(std::str::from_utf8(&read(pid, "limits")?).ok()?)
}

fn parse_tag(limits: &str) -> Option<u64> {
    let line = limits
        .lines()
        .find_map(|line| line.strip_prefix("Max realtime timeout"))?;
    line.split_ascii_whitespace().nth(1)?.parse().ok()
}

/// Returns whether a process holds a shared lock on the file with this device and inode.
///
/// Having it open is not enough: somebody may just be asking whether it is locked.
pub(crate) fn holds(pid: i32, (device, inode): (u64, u64)) -> bool {
    use std::os::unix::fs::MetadataExt;
    let Ok(entries) = std::fs::read_dir(format!("/proc/{pid}/fd")) else {
        return false;
    };
    entries.flatten().any(|entry| {
        let same =
            std::fs::metadata(entry.path()).is_ok_and(|m| m.dev() == device && m.ino() == inode);
        same && read(pid, &format!("fdinfo/{}", entry.file_name().display()))
            .is_some_and(|info| String::from_utf8_lossy(&info).lines().any(is_shared_lock))
    })
}

fn is_shared_lock(line: &str) -> bool {
    line.starts_with("lock:") && line.contains("FLOCK") && line.contains("READ")
}

/// Returns the owner of a process.
pub(crate) fn user(pid: i32) -> Option<u32> {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata(format!("/proc/{pid}"))
        .ok()
        .map(|m| m.uid())
}

/// Returns the signals this process ignores, as a mask with signal 1 in bit 0.
pub(crate) fn ignored_signals() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .unwrap_or(0)
}

fn read(pid: i32, file: &str) -> Option<Vec<u8>> {
    read_file(Path::new(&format!("/proc/{pid}/{file}")))
}

/// Reads a file that is short and whose size the system does not say: some hundred a unit, so nothing else is asked of it.
fn read_file(path: &Path) -> Option<Vec<u8>> {
    let file =
        rustix::fs::openat(CWD, path, OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty()).ok()?;
    let (mut content, mut buffer) = (Vec::new(), [0; 4096]);
    loop {
        match rustix::io::read(&file, &mut buffer) {
            Ok(0) => return Some(content),
            Ok(read) => content.extend_from_slice(&buffer[..read]),
            Err(rustix::io::Errno::INTR) => {}
            Err(_) => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_name_may_hold_anything() {
        let line =
            b"42 (a) R (b\xff) S 7 40 39 0 -1 4194560 1 2 3 4 10 20 30 40 20 0 3 0 987 1 2\n";
        let want = Stat {
            pid: 42,
            state: b'S',
            parent: 7,
            group: 40,
            session: 39,
            cpu: 100,
            threads: 3,
            start: 987,
        };
        assert_eq!(parse_stat(line), Some(want));
        assert_eq!(parse_stat(b"42 (x"), None);
        assert_eq!(parse_stat(b""), None);
    }

    #[test]
    fn a_zombie_whose_threads_run_is_alive() {
        let of = |state, threads| Stat {
            pid: 1,
            state,
            parent: 0,
            group: 0,
            session: 0,
            cpu: 0,
            threads,
            start: 0,
        };
        for (state, threads, alive) in [
            (b'S', 1, true),
            (b'T', 1, true),
            (b'Z', 1, false),
            (b'Z', 2, true),
            (b'X', 1, false),
        ] {
            assert_eq!(
                of(state, threads).is_alive(),
                alive,
                "{} with {threads} threads",
                state as char
            );
        }
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_thread_that_spins_wants_a_processor() {
        let own = i32::try_from(std::process::id()).unwrap();
        let most = || wanted(own).into_iter().map(|(_, time)| time).max();
        let Some(before) = most().filter(|time| !time.is_zero()) else {
            println!("skipped: this kernel does not count it");
            return;
        };
        while most() < Some(before + std::time::Duration::from_millis(50)) {}
    }

    #[test]
    fn the_tag_is_the_hard_limit() {
        let limits = "Max realtime priority     0                    0                    \n\
                      Max realtime timeout      17                   4611686018427387904  us        \n";
        assert_eq!(parse_tag(limits), Some(4_611_686_018_427_387_904));
        assert_eq!(
            parse_tag("Max realtime timeout      unlimited            unlimited            us"),
            None
        );
        assert_eq!(parse_tag(""), None);
    }
}
