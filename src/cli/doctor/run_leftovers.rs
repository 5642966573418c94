//! Room for slots, and what runs hold or left behind.

use super::{Context, DoctorCheck};
use gatewalk_host::git::Git;
use gatewalk_host::host::{Host, owner};
use gatewalk_host::installed_programs;
use gatewalk_host::lock::{DriverLock, ProcessTreeLock};
use gatewalk_host::os::{disposable, read_in_flight, slots_root};
use gatewalk_host::process::orphans;
use serde_json::json;

/// Free space under which a walk is likely to stop, and under which a user should know.
const NO_SPACE: u64 = 200 << 20;
const LITTLE_SPACE: u64 = 2 << 30;

pub(super) fn disk(git: &Git, host: &Host) -> DoctorCheck {
    let slots = match slots_root(git, host) {
        Ok(slots) => slots,
        Err(error) => return DoctorCheck::fail("disk", error.to_string(), &error.hints.join("; ")),
    };
    for path in [git.common_dir(), git.git_dir(), &slots] {
        if !installed_programs::is_writable(path) {
            let message = format!("`{}` cannot be written to", path.display());
            return DoctorCheck::fail("disk", message, "make it writable for you");
        }
    }
    let free = [git.common_dir(), &slots]
        .into_iter()
        .filter_map(installed_programs::free_space)
        .min();
    let Some(free) = free else {
        return DoctorCheck::warn("disk", "the free space is unknown", "");
    };
    let message = format!(
        "{:.1} GiB free for slots in {}",
        free as f64 / f64::from(1 << 30),
        slots.display()
    );
    let data = json!({"free_bytes": free, "slots": slots});
    if free < NO_SPACE {
        DoctorCheck::fail("disk", message, "make room").with(data)
    } else if free < LITTLE_SPACE {
        DoctorCheck::warn("disk", message, "make room").with(data)
    } else {
        DoctorCheck::ok("disk", message).with(data)
    }
}

pub(super) fn lock(git: &Git) -> DoctorCheck {
    match DriverLock::holder(&git.state_dir().join("lock")) {
        None => DoctorCheck::ok("lock", "no driver is at work here").with(json!({"held": false})),
        Some(holder) => DoctorCheck::warn(
            "lock",
            format!(
                "a driver is at work: pid {} on {}, {}, since {}",
                holder.pid, holder.host, holder.feature, holder.started_at
            ),
            "wait for it, or stop it with Ctrl-C",
        )
        .with(json!({"held": true, "pid": holder.pid, "host": holder.host})),
    }
}

/// What a driver that died left: processes, and sessions whose slots are not captured yet.
pub(super) fn leftovers(git: &Git, context: &Context) -> DoctorCheck {
    let state = git.state_dir();
    if DriverLock::holder(&state.join("lock")).is_some() {
        return DoctorCheck::ok("orphans", "not looked for while a driver is at work");
    }
    let family = state.join("family.lock");
    let found = orphans::find(&owner(git), Some(&family));
    let sessions = read_in_flight(&state).map_or(0, |notes| notes.len());
    let pids: Vec<i32> = found.iter().map(|orphan| orphan.pid).collect();
    let data = json!({"pids": pids, "interrupted_sessions": sessions});
    if !found.is_empty() || ProcessTreeLock::still_alive(&family) {
        let message = format!("an interrupted run left processes alive: {pids:?}");
        return DoctorCheck::warn(
            "orphans",
            message,
            "`gatewalk loop` ends them when it starts",
        )
        .with(data);
    }
    if sessions > 0 {
        let message = format!("{sessions} interrupted session(s) are still in their slots");
        return DoctorCheck::warn(
            "orphans",
            message,
            "`gatewalk loop` keeps what they left and goes on",
        )
        .with(data);
    }
    let files = context.host().map(|host| disposable::leftovers(git, &host));
    let files = files.unwrap_or_default();
    if !files.is_empty() {
        let paths: Vec<String> = files
            .iter()
            .map(|file| file.path.display().to_string())
            .collect();
        let message = format!("an interrupted run left files behind: {}", paths.join(", "));
        let remedy = "`gatewalk clean` removes them, and so does `gatewalk loop` when it starts";
        return DoctorCheck::warn("orphans", message, remedy).with(data);
    }
    DoctorCheck::ok("orphans", "nothing is left of earlier runs").with(data)
}
