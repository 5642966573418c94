//! A secret that lets in who was given it: made by the system's generator, kept in memory alone.

use gatewalk_core::error::{Error, Result};
use sha2::{Digest, Sha256};
use std::io::Read;
use std::path::Path;

/// Where the system hands out chance.
const SOURCE: &str = "/dev/urandom";

/// A secret of 128 bits, as 32 hexadecimal digits.
#[derive(Clone)]
pub struct AccessToken(String);

impl AccessToken {
    /// Makes a new one.
    pub fn new() -> Result<AccessToken> {
        let mut bytes = [0; 16];
        let source = Path::new(SOURCE);
        std::fs::File::open(source)
            .and_then(|mut file| file.read_exact(&mut bytes))
            .map_err(|e| Error::io("read", source, &e))?;
        Ok(AccessToken(hex(&bytes)))
    }

    /// Returns what is printed in a link.
    pub fn text(&self) -> &str {
        &self.0
    }

    /// Returns a second secret for another use, from which this one cannot be found.
    #[must_use]
    pub fn derived(&self, used_for: &str) -> AccessToken {
        let mut hasher = Sha256::new();
        hasher.update(used_for);
        hasher.update([0]);
        hasher.update(&self.0);
        AccessToken(hex(&hasher.finalize()[..16]))
    }

    /// Returns whether a text is this secret; how long that takes says nothing of it.
    pub fn is(&self, text: &str) -> bool {
        Sha256::digest(text) == Sha256::digest(&self.0)
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_differ_and_know_themselves() {
        let (one, two) = (AccessToken::new().unwrap(), AccessToken::new().unwrap());
        assert_eq!(one.text().len(), 32);
        assert!(one.is(one.text()) && !one.is(two.text()) && !one.is(""));
        let cookie = one.derived("cookie");
        assert!(!one.is(cookie.text()) && cookie.is(one.derived("cookie").text()));
        assert!(!cookie.is(one.derived("form").text()));
    }
}
