//! Comparing memory in a program that is linked with musl, whose own comparison goes byte by byte: ids of units and paths of
//! their files begin alike for dozens of bytes, and are most of what a long walk compares.
//!
//! It takes the place of musl's by its name; no library that is kept offers that. Elsewhere the system's own is as quick.
#![cfg(any(target_env = "musl", test))]

use std::ffi::c_int;

/// Compares two stretches of memory as C's `memcmp` does (C11, 7.24.4.1).
///
/// # Safety
///
/// So many bytes can be read behind each pointer.
#[cfg_attr(target_env = "musl", unsafe(no_mangle))]
unsafe extern "C" fn memcmp(left: *const u8, right: *const u8, length: usize) -> c_int {
    macro_rules! compare {
        ($word:ty, $at:expr) => {
            // SAFETY: by the caller: the word ends where the stretches do, or before.
            let (one, other) = unsafe {
                (
                    left.add($at).cast::<$word>().read_unaligned(),
                    right.add($at).cast::<$word>().read_unaligned(),
                )
            };
            if one != other {
                return <$word>::from_be(one).cmp(&<$word>::from_be(other)) as c_int;
            }
        };
    }
    // The last word of each length may begin in what was compared before.
    match length {
        16.. => {
            let (mut at, last) = (0, length - 16);
            while at < last {
                compare!(u128, at);
                at += 16;
            }
            compare!(u128, last);
        }
        8.. => {
            compare!(u64, 0);
            compare!(u64, length - 8);
        }
        4.. => {
            compare!(u32, 0);
            compare!(u32, length - 4);
        }
        2.. => {
            compare!(u16, 0);
            compare!(u16, length - 2);
        }
        1 => {
            compare!(u8, 0);
        }
        0 => {}
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_of_every_length_is_compared_as_slices_are() {
        let sign = |one: &[u8], other: &[u8]| {
            // SAFETY: both are as long.
            let order = unsafe { memcmp(one.as_ptr(), other.as_ptr(), one.len()) };
            order.signum()
        };
        for length in 0..70_usize {
            for start in 0..4 {
                let one: Vec<u8> = (0..start + length).map(|n| n as u8 ^ 0x5a).collect();
                let one = &one[start..];
                assert_eq!(sign(one, one), 0);
                for changed in 0..length {
                    for byte in [0, 1, 0x7f, 0x80, 0xff] {
                        let mut other = one.to_vec();
                        other[changed] = byte;
                        // What follows does not decide.
                        let end = other.last_mut().filter(|_| changed + 1 < length);
                        end.into_iter().for_each(|end| *end ^= 0xff);
                        let expected = one.cmp(&other) as c_int;
                        assert_eq!(sign(one, &other), expected, "{length} {changed} {byte}");
                    }
                }
            }
        }
    }
}
