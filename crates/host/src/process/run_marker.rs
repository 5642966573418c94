//! The name of a run that each of its processes carries.

use sha2::{Digest, Sha256};

/// Names a run, so that a later driver too can recognise its processes among all others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Marker {
    pub(super) owner: String,
    pub(super) run: String,
}

impl Marker {
    /// Returns the marker of a run; `owner` identifies the repository, on this machine, for good.
    pub fn new(owner: &str, run: &str) -> Self {
        let clean = |text: &str| {
            text.chars()
                .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
                .collect()
        };
        Marker {
            owner: clean(owner),
            run: clean(run),
        }
    }

    /// Returns the marker as it stands in the environment.
    pub(crate) fn value(&self) -> String {
        format!("{}.{}", self.owner, self.run)
    }

    /// Returns the tag of the process tree: 40 bits for the owner, 20 for the run.
    pub(super) fn tag(&self) -> u64 {
        Self::owner_tag(&self.owner) | hash(&self.run) & 0xf_ffff
    }

    /// Returns whether a tag belongs to any run of this marker's owner.
    pub(super) fn owns_tag(&self, tag: u64) -> bool {
        tag & !0xf_ffff == Self::owner_tag(&self.owner)
    }

    pub(super) fn owner_tag(owner: &str) -> u64 {
        1 << 61 | (hash(owner) & 0xff_ffff_ffff) << 20
    }

    /// Returns whether the variable's value lists a run of this owner.
    pub(super) fn names_owner(value: &[u8], owner: &str) -> bool {
        let head = format!("{owner}.");
        value
            .split(|&b| b == b',')
            .any(|one| one.starts_with(head.as_bytes()))
    }

    /// Returns whether the variable's value lists this marker: a driver inside a run appends its own.
    pub(super) fn names(value: &[u8], marker: &str) -> bool {
        value
            .split(|&b| b == b',')
            .any(|one| one == marker.as_bytes())
    }
}

fn hash(text: &str) -> u64 {
    let digest = Sha256::digest(text.as_bytes());
    digest
        .iter()
        .take(8)
        .fold(0, |sum, &byte| sum << 8 | u64::from(byte))
}
