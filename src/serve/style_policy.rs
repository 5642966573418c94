//! What a page by itself may load: its own style, known by its hash, and nothing else.

use sha2::{Digest, Sha256};

/// Returns the policy of a page whose only style is this one.
pub(super) fn only(style: &str) -> String {
    let hash = hash_of(style);
    format!(
        "default-src 'none'; style-src '{hash}'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
    )
}

/// Returns the hash of a style, in base 64.
fn hash_of(style: &str) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let digest = Sha256::digest(style);
    let mut text = String::from("sha256-");
    for bytes in digest.chunks(3) {
        let word =
            bytes.iter().fold(0u32, |word, b| word << 8 | u32::from(*b)) << (8 * (3 - bytes.len()));
        for digit in 0..4 {
            text.push(match digit <= bytes.len() {
                true => char::from(DIGITS[(word >> (18 - 6 * digit)) as usize & 63]),
                false => '=',
            });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_style_is_known_by_its_hash() {
        let empty = "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=";
        assert_eq!(hash_of(""), empty);
        assert!(only("").contains(&format!("style-src '{empty}'")));
        assert_ne!(hash_of("a"), hash_of("b"));
    }
}
