//! Files that git-lfs keeps beside git, which stores a pointer of each.

/// How a pointer starts (the specification of git-lfs, "version").
const POINTER_START: &[u8] = b"version https://git-lfs.github.com/spec/";

/// Returns whether what git stores, or the start of it, is a pointer.
pub fn is_pointer(stored: &[u8]) -> bool {
    stored.starts_with(POINTER_START)
}
