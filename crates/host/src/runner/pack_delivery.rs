//! What one side sends the other before it says that all is there: a pack, and behind it the files of git-lfs whose pointers
//! the pack has.

use super::frame_fault::FrameFault;
use super::frames::{Frame, FrameKind};
use super::pack_spool::PackSpool;
use crate::git::Git;
use gatewalk_core::error::{Error, Result};
use std::path::{Path, PathBuf};

/// A pack with what belongs to it, as it is being received.
#[derive(Debug)]
pub(crate) struct PackDelivery {
    scratch: PathBuf,
    pack: PackSpool,
    /// Files of git-lfs by the SHA-256 of their content; pieces belong to the last.
    large_files: Vec<(String, PackSpool)>,
}

impl PackDelivery {
    /// Returns an empty one, spooled in a directory.
    pub(crate) fn new(scratch: &Path) -> Result<PackDelivery> {
        Ok(PackDelivery {
            scratch: scratch.to_owned(),
            pack: PackSpool::new(scratch)?,
            large_files: vec![],
        })
    }

    /// Takes one frame of it.
    pub(crate) fn take(&mut self, frame: &Frame) -> Result<()> {
        match frame.kind {
            FrameKind::LargeFile => {
                let id = String::from_utf8_lossy(&frame.content).into_owned();
                let spool = PackSpool::new(&self.scratch)?;
                self.large_files.push((id, spool));
                Ok(())
            }
            FrameKind::Piece => {
                let last = self.large_files.last_mut().map(|(_, spool)| spool);
                last.unwrap_or(&mut self.pack).push(&frame.content)
            }
            kind => Err(Error::environment(FrameFault::Order(kind).to_string())),
        }
    }

    /// Returns the pack, where there is one.
    pub(crate) fn pack(&self) -> Option<&Path> {
        (!self.pack.is_empty()).then(|| self.pack.path())
    }

    /// Stores the files of git-lfs.
    ///
    /// # Errors
    ///
    /// One is something else than its name says, or cannot be stored.
    pub(crate) fn store_large_files(&self, git: &Git) -> Result<()> {
        let mut files = self.large_files.iter();
        files.try_for_each(|(id, spool)| git.take_large_file(id, spool.path()))
    }
}
