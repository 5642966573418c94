//! Landlock: the kernel's own file rules, for machines without bubblewrap.
//!
//! The rules are applied by this program itself, started as `gatewalk confine`, right before it becomes the
//! program it confines. Rules only ever allow, so what is shut inside what is open is left out of what
//! is allowed. A command that needs no network reaches only the ports on which test servers of this machine
//! listen (kernel 6.7); signals and abstract sockets stay inside the process tree (kernel 6.12). Absent on purpose: other
//! protocols than TCP, and addresses, of which the kernel's rules know nothing.

use super::bounds::{Access, Bounds};
use super::{CONFINE, capabilities};
use gatewalk_core::error::{Error, Result};
use landlock::{
    ABI, Access as _, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, NetPort, PathBeneath,
    PathFd, Ruleset, RulesetAttr, RulesetCreatedAttr, RulesetStatus, Scope,
};
use std::ffi::OsString;
use std::path::PathBuf;

/// The newest rules this program knows; older kernels apply what they have.
const KNOWN: ABI = ABI::V6;

/// Ports on which servers under test and databases of this machine usually listen, beside those the kernel gives out.
const LOCAL_PORTS: &[std::ops::RangeInclusive<u16>] = &[
    1080..=1090,
    3000..=3010,
    3306..=3310,
    4000..=4010,
    4200..=4210,
    4321..=4330,
    4566..=4570,
    5000..=5010,
    5170..=5180,
    5432..=5440,
    5672..=5680,
    6006..=6010,
    6379..=6390,
    7000..=7010,
    7687..=7690,
    8000..=8100,
    8443..=8450,
    8880..=8890,
    9000..=9100,
    9200..=9230,
    9515..=9520,
    11211..=11215,
    15672..=15675,
    27017..=27020,
];

/// Returns whether this kernel has any of it.
pub(super) fn works() -> bool {
    // The file is absent where security modules cannot be listed; then only trying shows it.
    let modules = std::fs::read_to_string("/sys/kernel/security/lsm");
    if let Ok(modules) = modules
        && !modules.split(',').any(|m| m.trim() == "landlock")
    {
        return false;
    }
    // A kernel without Landlock refuses the rule set when it must not be lenient.
    Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessFs::from_all(ABI::V1))
        .and_then(Ruleset::create)
        .is_ok()
}

/// Returns whether this kernel can keep commands from the network.
pub(super) fn has_network() -> bool {
    Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessNet::ConnectTcp)
        .and_then(Ruleset::create)
        .is_ok()
}

/// Returns whether this kernel keeps signals and abstract sockets inside the process tree.
pub(super) fn has_scopes() -> bool {
    Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .scope(Scope::from_all(KNOWN))
        .and_then(Ruleset::create)
        .is_ok()
}

/// Returns the ports the kernel gives to servers that ask for any.
fn given_out() -> std::ops::RangeInclusive<u16> {
    let text = std::fs::read_to_string("/proc/sys/net/ipv4/ip_local_port_range");
    let numbers: Vec<u16> = text
        .unwrap_or_default()
        .split_whitespace()
        .filter_map(|n| n.parse().ok())
        .collect();
    match numbers[..] {
        [from, to] if from >= 1024 => from..=to,
        _ => 32768..=60999,
    }
}

/// What programs write to besides files. Without the last two nothing can be run in a terminal of its own, as some agents and
/// tests do.
const DEVICES: [&str; 6] = [
    "/dev/null",
    "/dev/zero",
    "/dev/full",
    "/dev/tty",
    "/dev/ptmx",
    "/dev/pts",
];

/// Returns where processes say how the kernel shall treat them. For user 0 the settings of the whole machine are there, too,
/// and no rule takes them out again: then the program that is confined has its own, and what it starts has none.
fn own_settings() -> &'static str {
    match rustix::process::geteuid().is_root() {
        true => "/proc/self",
        false => "/proc",
    }
}

/// Returns the arguments up to the program.
pub(super) fn arguments(bounds: &Bounds) -> Vec<OsString> {
    let mut args: Vec<OsString> = vec![CONFINE.into()];
    if !bounds.network {
        args.push("--offline".into());
    }
    for path in bounds.covering(|access| access != Access::Hidden) {
        args.extend(["--read".into(), path.into()]);
    }
    for path in bounds.covering(Access::is_writable) {
        args.extend(["--write".into(), path.into()]);
    }
    for device in DEVICES.iter().chain([&own_settings()]) {
        args.extend(["--write".into(), device.into()]);
    }
    args
}

/// Keeps this process and all it will start from abstract sockets of others, and changes nothing else.
pub(super) fn scope_sockets() -> Result<()> {
    let rules = Ruleset::default()
        .scope(Scope::AbstractUnixSocket)
        .and_then(Ruleset::create)
        .and_then(|rules| rules.restrict_self());
    match rules {
        Ok(_) => Ok(()),
        Err(e) => Err(Error::environment(format!("Landlock: cannot begin: {e}"))),
    }
}

/// Confines this process and all it will start, for good.
pub(super) fn apply(read: &[PathBuf], write: &[PathBuf], offline: bool) -> Result<()> {
    let all = AccessFs::from_all(KNOWN);
    let failed = |what: &str, error: &dyn std::fmt::Display| {
        Error::environment(format!("Landlock: cannot {what}: {error}"))
    };
    let mut rules = Ruleset::default()
        .handle_access(all)
        .and_then(|rules| rules.scope(Scope::from_all(KNOWN)))
        .and_then(|rules| match offline {
            true => rules.handle_access(AccessNet::ConnectTcp),
            false => Ok(rules),
        })
        .and_then(Ruleset::create)
        .map_err(|e| failed("make rules", &e))?;
    if offline && has_network() {
        let ports = LOCAL_PORTS.iter().cloned().chain([given_out()]).flatten();
        for port in ports {
            rules = rules
                .add_rule(NetPort::new(port, AccessNet::ConnectTcp))
                .map_err(|e| failed("add a rule", &e))?;
        }
    }
    let groups = [(read, AccessFs::from_read(KNOWN)), (write, all)];
    for (paths, access) in groups {
        for path in paths {
            // What cannot be opened cannot be used either.
            let Ok(handle) = PathFd::new(path) else {
                continue;
            };
            let access: BitFlags<AccessFs> = match path.is_dir() {
                true => access,
                false => access & AccessFs::from_file(KNOWN),
            };
            rules = rules
                .add_rule(PathBeneath::new(handle, access))
                .map_err(|e| failed("add a rule", &e))?;
        }
    }
    capabilities::drop_unneeded();
    let status = rules.restrict_self().map_err(|e| failed("begin", &e))?;
    match status.ruleset {
        RulesetStatus::NotEnforced => Err(Error::environment("Landlock does not work here")),
        _ => Ok(()),
    }
}
