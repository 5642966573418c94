//! A pack on its way through the pipe: spooled in a file without a name in the run's own scratch directory, or cut into
//! pieces.

use super::frames::PIECE;
use gatewalk_core::error::{Error, Result};
use std::io::{Read, Seek, Write};
use std::path::Path;

/// The most of a pack that is taken; no work of a session is larger.
const MOST: u64 = 16 << 30;

/// A pack that is being received, or about to be sent.
#[derive(Debug)]
pub(crate) struct PackSpool {
    file: tempfile::NamedTempFile,
    bytes: u64,
}

impl PackSpool {
    /// Returns an empty one; `directory` is made where it is not there.
    pub(crate) fn new(directory: &Path) -> Result<PackSpool> {
        let failed = |e: &std::io::Error| Error::io("create a file in", directory, e);
        std::fs::create_dir_all(directory).map_err(|e| failed(&e))?;
        let file = tempfile::Builder::new()
            .prefix("pack-")
            .tempfile_in(directory)
            .map_err(|e| failed(&e))?;
        Ok(PackSpool { file, bytes: 0 })
    }

    /// Returns the file to be written by somebody else.
    pub(crate) fn file(&self) -> &std::fs::File {
        self.file.as_file()
    }

    pub(crate) fn path(&self) -> &Path {
        self.file.path()
    }

    /// Returns whether nothing was received.
    pub(crate) fn is_empty(&self) -> bool {
        self.bytes == 0
    }

    /// Adds a received piece.
    pub(crate) fn push(&mut self, piece: &[u8]) -> Result<()> {
        self.bytes += piece.len() as u64;
        if self.bytes > MOST {
            return Err(Error::environment(format!(
                "it sends more than {} GiB",
                MOST >> 30
            )));
        }
        let path = self.file.path().to_path_buf();
        let written = self.file.write_all(piece);
        written.map_err(|e| Error::io("write", &path, &e))
    }

    /// Hands the content on in pieces.
    pub(crate) fn pieces(
        &self,
        each: impl FnMut(&[u8]) -> std::io::Result<()>,
    ) -> std::io::Result<()> {
        let mut file = self.file.reopen()?;
        file.rewind()?;
        pieces_of(file, each)
    }
}

/// Hands the content of an opened file on in pieces.
pub(crate) fn pieces_of(
    mut file: std::fs::File,
    mut each: impl FnMut(&[u8]) -> std::io::Result<()>,
) -> std::io::Result<()> {
    let mut piece = vec![0; PIECE];
    loop {
        match file.read(&mut piece)? {
            0 => return Ok(()),
            n => each(&piece[..n])?,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_spooled_comes_back_in_pieces_and_leaves_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let scratch = dir.path().join("tmp");
        let mut spool = PackSpool::new(&scratch).unwrap();
        assert!(spool.is_empty());
        let sent = vec![7u8; PIECE + 1];
        spool.push(&sent).unwrap();
        let mut sizes = Vec::new();
        spool
            .pieces(|piece| {
                sizes.push(piece.len());
                Ok(())
            })
            .unwrap();
        assert_eq!(sizes, [PIECE, 1]);
        drop(spool);
        assert_eq!(std::fs::read_dir(&scratch).unwrap().count(), 0);
    }
}
