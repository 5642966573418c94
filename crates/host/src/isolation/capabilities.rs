//! What user 0 may do beside what files allow: a confined process keeps files, users and signals, not the machine.

use rustix::thread::{CapabilitySet, remove_capability_from_bounding_set};

/// What decides who a process is, and which files and processes it reaches; the rules on paths hold for all of it.
const KEPT: CapabilitySet = CapabilitySet::CHOWN
    .union(CapabilitySet::DAC_OVERRIDE)
    .union(CapabilitySet::DAC_READ_SEARCH)
    .union(CapabilitySet::FOWNER)
    .union(CapabilitySet::FSETID)
    .union(CapabilitySet::KILL)
    .union(CapabilitySet::SETGID)
    .union(CapabilitySet::SETUID)
    .union(CapabilitySet::SETFCAP)
    .union(CapabilitySet::SYS_CHROOT)
    .union(CapabilitySet::NET_BIND_SERVICE)
    .union(CapabilitySet::AUDIT_WRITE);

/// Lets the program that this process becomes have none but these. Who has none to give away has none to lose.
pub(super) fn drop_unneeded() {
    for capability in CapabilitySet::all().difference(KEPT).iter() {
        // A kernel that does not know one cannot give it either.
        let _unknown = remove_capability_from_bounding_set(capability);
    }
}
