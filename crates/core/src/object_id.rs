//! Ids of commits, trees and blobs, of either hash.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use std::fmt;

/// The hash a repository names its objects with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ObjectFormat {
    /// Twenty bytes; nearly every repository.
    Sha1,
    /// SHA-256: thirty-two bytes.
    Sha256,
}

impl ObjectFormat {
    /// Returns the number of bytes in an id.
    pub const fn bytes(self) -> usize {
        match self {
            ObjectFormat::Sha1 => 20,
            ObjectFormat::Sha256 => 32,
        }
    }

    /// Returns the name git's configuration uses.
    pub const fn name(self) -> &'static str {
        match self {
            ObjectFormat::Sha1 => "sha1",
            ObjectFormat::Sha256 => "sha256",
        }
    }

    /// Returns the id that stands for "nothing" in ref updates.
    pub const fn zero(self) -> ObjectId {
        ObjectId {
            raw: [0; 32],
            len: self.bytes() as u8,
        }
    }
}

/// An object id of either format.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ObjectId {
    raw: [u8; 32],
    len: u8,
}

impl ObjectId {
    /// Returns the id written as 40 or 64 hex digits.
    pub fn parse(hex: &[u8]) -> Option<ObjectId> {
        if hex.len() != 40 && hex.len() != 64 {
            return None;
        }
        let mut raw = [0; 32];
        for (byte, pair) in raw.iter_mut().zip(hex.chunks_exact(2)) {
            let high = char::from(pair[0]).to_digit(16)?;
            let low = char::from(pair[1]).to_digit(16)?;
            *byte = u8::try_from(high * 16 + low).ok()?;
        }
        Some(ObjectId {
            raw,
            len: u8::try_from(hex.len() / 2).ok()?,
        })
    }

    /// Returns the id with these raw bytes, as tree and index files store it.
    pub fn from_raw(bytes: &[u8]) -> Option<ObjectId> {
        if bytes.len() != 20 && bytes.len() != 32 {
            return None;
        }
        let mut raw = [0; 32];
        raw[..bytes.len()].copy_from_slice(bytes);
        Some(ObjectId {
            raw,
            len: u8::try_from(bytes.len()).ok()?,
        })
    }

    /// Returns the raw bytes.
    pub fn as_raw(&self) -> &[u8] {
        &self.raw[..usize::from(self.len)]
    }

    /// Returns whether this is the all-zero id.
    pub fn is_zero(&self) -> bool {
        self.raw.iter().all(|byte| *byte == 0)
    }

    /// Returns the hex digits.
    pub fn hex(&self) -> String {
        // Thousands are written for one large directory.
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        let digits = |byte: &u8| [byte >> 4, byte & 15].map(|half| DIGITS[usize::from(half)]);
        self.as_raw()
            .iter()
            .flat_map(digits)
            .map(char::from)
            .collect()
    }

    /// Returns the first ten hex digits, for messages.
    pub fn short(&self) -> String {
        self.hex()[..10].to_owned()
    }
}

impl fmt::Display for ObjectId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.hex())
    }
}

impl fmt::Debug for ObjectId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.short())
    }
}

impl Serialize for ObjectId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for ObjectId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let hex = String::deserialize(deserializer)?;
        ObjectId::parse(hex.as_bytes()).ok_or_else(|| D::Error::custom("no object id"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_round_trip_in_both_formats_and_refuse_everything_else() {
        for len in [40, 64] {
            let hex: String = "0123456789abcdef".chars().cycle().take(len).collect();
            let oid = ObjectId::parse(hex.as_bytes()).expect("valid");
            assert_eq!(oid.hex(), hex);
            assert_eq!(ObjectId::from_raw(oid.as_raw()), Some(oid));
        }
        for bad in ["", "abc", &"g".repeat(40), &"a".repeat(41)] {
            assert_eq!(ObjectId::parse(bad.as_bytes()), None, "{bad}");
        }
    }
}
