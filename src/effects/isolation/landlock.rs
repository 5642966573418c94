//! Landlock: the kernel's own file rules, for machines without bubblewrap.
//!
//! The rules are applied by this program itself, started as `gatewalk confine`, right before it becomes the
//! program it confines. Rules only ever allow, so what is shut inside what is open is left out of what
//! is allowed. The network stays as it is.

use super::CONFINE;
use super::bounds::{Access, Bounds};
use crate::error::{Error, Result};
use landlock::{
    ABI, Access as _, AccessFs, BitFlags, PathBeneath, PathFd, Ruleset, RulesetAttr,
    RulesetCreatedAttr, RulesetStatus,
};
use std::ffi::OsString;
use std::path::PathBuf;

/// The newest rules this program knows; older kernels apply what they have.
const KNOWN: ABI = ABI::V5;

/// Returns whether this kernel has any of it.
pub(super) fn works() -> bool {
    // The file is absent where security modules cannot be listed; then only trying tells.
    let modules = std::fs::read_to_string("/sys/kernel/security/lsm");
    if let Ok(modules) = modules
        && !modules.split(',').any(|m| m.trim() == "landlock")
    {
        return false;
    }
    // A kernel without Landlock refuses the rule set when it must not be lenient.
    use landlock::{CompatLevel, Compatible};
    Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessFs::from_all(ABI::V1))
        .and_then(Ruleset::create)
        .is_ok()
}

/// Returns the arguments up to the program.
pub(super) fn arguments(bounds: &Bounds) -> Vec<OsString> {
    let mut args: Vec<OsString> = vec![CONFINE.into()];
    for path in bounds.covering(|access| access != Access::Hidden) {
        args.extend(["--read".into(), path.into()]);
    }
    for path in bounds.covering(Access::is_writable) {
        args.extend(["--write".into(), path.into()]);
    }
    for device in ["/dev/null", "/dev/zero", "/dev/full", "/dev/tty", "/proc"] {
        args.extend(["--write".into(), device.into()]);
    }
    args
}

/// Confines this process.
pub(super) fn apply(read: &[PathBuf], write: &[PathBuf]) -> Result<()> {
    let all = AccessFs::from_all(KNOWN);
    let failed = |what: &str, error: &dyn std::fmt::Display| {
        Error::environment(format!("Landlock: cannot {what}: {error}"))
    };
    let mut rules = Ruleset::default()
        .handle_access(all)
        .and_then(Ruleset::create)
        .map_err(|e| failed("make rules", &e))?;
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
    let status = rules.restrict_self().map_err(|e| failed("begin", &e))?;
    match status.ruleset {
        RulesetStatus::NotEnforced => Err(Error::environment("Landlock does not work here")),
        _ => Ok(()),
    }
}
