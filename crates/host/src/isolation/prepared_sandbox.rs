//! One sandbox that was set up ahead, and whether it still is what would be set up now.

use super::bounds::Bounds;
use super::bubblewrap::{self, WrapperLine};
use super::stand_ins::{SlotStandIns, StandInLease};
use super::{CONFINE, SOCKETS, STANDBY};
use crate::process::standby::{Standby, StandbyStart};
use crate::process::{Marker, Resources};
use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// Where one waits: the directory it starts in, and whether the network is to be reached.
pub(super) type StandbyPlace = (PathBuf, bool);

/// Where the kernel lists the mounts around.
const MOUNTS: &str = "/proc/self/mountinfo";

/// What is needed to set a sandbox up.
#[derive(Debug)]
pub(super) struct StandbyOrder {
    pub(super) bwrap: PathBuf,
    pub(super) bounds: Bounds,
    pub(super) cwd: PathBuf,
    pub(super) slot: SlotSandbox,
}

/// What the sandboxes of a slot are set up with.
#[derive(Debug)]
pub(crate) struct SlotSandbox {
    /// What stands in the place of homes; none where that is in memory.
    pub(crate) stand_ins: Option<SlotStandIns>,
    /// This program, which waits in them.
    pub(crate) own_program: PathBuf,
    /// The name of what waits.
    pub(crate) marker: Marker,
    /// The limits of what runs in them.
    pub(crate) resources: Resources,
}

impl StandbyOrder {
    /// Returns where a sandbox for it waits.
    pub(super) fn place(&self) -> StandbyPlace {
        (self.cwd.clone(), self.bounds.network)
    }

    /// Returns the command line of bubblewrap's that it means now.
    pub(super) fn line(&self) -> WrapperLine {
        bubblewrap::command_line(&self.bounds, &self.cwd, self.slot.stand_ins.as_ref())
    }
}

/// One that waits, and what it was started with.
#[derive(Debug)]
pub(super) struct PreparedSandbox {
    pub(super) standby: Standby,
    line: Vec<OsString>,
    leases: Vec<StandInLease>,
    meaning: LineMeaning,
    /// The mounts in it.
    mounts: Option<Vec<u8>>,
}

/// What a command line meant when it was used.
#[derive(Debug, PartialEq, Eq)]
struct LineMeaning {
    /// Device and number of what is at each path; none where nothing is.
    files: Vec<Option<(u64, u64)>>,
    mounts: Vec<u8>,
}

impl LineMeaning {
    #[allow(
        clippy::unnecessary_cast,
        reason = "the field differs in type from system to system"
    )]
    fn of(line: &[OsString]) -> Option<LineMeaning> {
        let paths = line.iter().filter(|word| word.as_bytes().starts_with(b"/"));
        let files = paths.map(|path| {
            let stat = rustix::fs::stat(Path::new(path)).ok()?;
            Some((stat.st_dev as u64, stat.st_ino))
        });
        Some(LineMeaning {
            files: files.collect(),
            mounts: std::fs::read(MOUNTS).ok()?,
        })
    }
}

impl PreparedSandbox {
    /// Starts one; none where that fails, or something changes meanwhile.
    pub(super) fn start(order: &StandbyOrder) -> Option<PreparedSandbox> {
        let built = order.line();
        let meaning = LineMeaning::of(&built.arguments)?;
        let mut args = built.arguments.clone();
        args.extend(["--".into(), order.slot.own_program.clone().into()]);
        args.extend([CONFINE, STANDBY].map(OsString::from));
        if order.bounds.scoper().is_some() {
            args.push(SOCKETS.into());
        }
        let standby = Standby::start(&StandbyStart {
            wrapper: order.bwrap.as_os_str(),
            args: &args,
            cwd: &order.cwd,
            marker: order.slot.marker.clone(),
            resources: order.slot.resources,
        });
        let standby = standby.ok()?;
        if LineMeaning::of(&built.arguments).as_ref() != Some(&meaning) {
            standby.discard();
            return None;
        }
        Some(PreparedSandbox {
            mounts: standby.mounts(),
            standby,
            line: built.arguments,
            leases: built.leases,
            meaning,
        })
    }

    /// Returns the command line that an order means now, and whether that would set this very sandbox up.
    pub(super) fn compared(&mut self, order: &StandbyOrder) -> (WrapperLine, bool) {
        // They are to be had for the line.
        self.leases.clear();
        let built = order.line();
        let is_same = self.line == built.arguments
            && LineMeaning::of(&built.arguments).as_ref() == Some(&self.meaning)
            && self.standby.mounts() == self.mounts;
        (built, is_same)
    }
}
