//! Names that nothing else has, in the order in which they were made: of attempts, and of what is kept once.

/// Returns 48 bits of time and 80 of chance, in the order they were made.
pub(crate) fn attempt_id() -> String {
    const DIGITS: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
    let millis = jiff::Timestamp::now().as_millisecond().max(0) as u128;
    let mut random = [0u8; 10];
    random_bytes(&mut random);
    let low = random.iter().fold(0u128, |n, b| n << 8 | u128::from(*b));
    let number = (millis & 0xffff_ffff_ffff) << 80 | low;
    (0..26)
        .rev()
        .map(|i| DIGITS[(number >> (i * 5)) as usize & 31] as char)
        .collect()
}

fn random_bytes(bytes: &mut [u8]) {
    use std::hash::{BuildHasher, Hasher};
    // Each `RandomState` is keyed from the system's randomness; uniqueness is all that is needed.
    for chunk in bytes.chunks_mut(8) {
        let mut hasher = std::collections::hash_map::RandomState::new().build_hasher();
        hasher.write_u32(std::process::id());
        let word = hasher.finish().to_le_bytes();
        chunk.copy_from_slice(&word[..chunk.len()]);
    }
}
