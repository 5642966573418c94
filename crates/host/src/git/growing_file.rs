//! Compressing a file that grows at its end: each landing stores the event log whole, as git does, and only its last part is
//! new.
//!
//! Parts of one length are compressed each by itself and kept; a deflate stream (RFC 1951) may consist of such, as long
//! as none refers back to another and each ends with a byte.

use miniz_oxide::deflate::core::{
    CompressorOxide, TDEFLFlush, compress_to_output, create_comp_flags_from_zip_params,
};

/// Bytes of a part.
const PART: usize = 32 * 1024;

/// How a zlib stream begins (RFC 1950): a window of 32 KB, no dictionary, and the least effort.
pub(super) const ZLIB_HEADER: [u8; 2] = [0x78, 0x01];

/// A last block, with the fixed codes and nothing in it.
pub(super) const END: [u8; 2] = [0x03, 0x00];

/// The least content that is worth it, in bytes.
pub(super) const LEAST: usize = 4 * PART;

/// The parts of the file that was compressed last.
#[derive(Debug, Default)]
pub(super) struct GrowingFile {
    parts: Vec<FilePart>,
}

#[derive(Debug)]
struct FilePart {
    content: Box<[u8]>,
    compressed: Vec<u8>,
    checksum: u32,
}

impl GrowingFile {
    /// Returns a zlib stream (RFC 1950) of a short head and a file; a part that the last file began with is not compressed
    /// anew. Levels are zlib's.
    pub(super) fn compress(&mut self, head: &[u8], file: &[u8], level: u8) -> Vec<u8> {
        let whole = file.chunks_exact(PART);
        let rest = whole.remainder();
        let known = self.parts.iter().zip(whole.clone());
        let same = known.take_while(|(part, now)| *part.content == **now);
        let same = same.count();
        self.parts.truncate(same);
        let new = whole.skip(same).map(|content| FilePart {
            content: content.into(),
            compressed: compressed(content, level),
            checksum: adler2::adler32_slice(content),
        });
        self.parts.extend(new);
        let mut stream = Vec::with_capacity(file.len() / 2);
        stream.extend(ZLIB_HEADER);
        stream.extend(compressed(head, level));
        for part in &self.parts {
            stream.extend_from_slice(&part.compressed);
        }
        stream.extend(compressed(rest, level));
        stream.extend(END);
        let mut checksum = adler2::adler32_slice(head);
        for part in &self.parts {
            checksum = joined_checksum(checksum, part.checksum, PART);
        }
        checksum = joined_checksum(checksum, adler2::adler32_slice(rest), rest.len());
        stream.extend(checksum.to_be_bytes());
        stream
    }
}

/// Returns the checksum of two texts one after the other (RFC 1950, 8.2): both sums go on where those of the first ended, the
/// second one by the first of them at each byte. The library has no such function.
fn joined_checksum(first: u32, second: u32, second_length: usize) -> u32 {
    const BASE: u64 = 65_521;
    let sums = |checksum: u32| (u64::from(checksum & 0xffff), u64::from(checksum >> 16));
    let ((a, b), (c, d)) = (sums(first), sums(second));
    // Each begins with 1.
    let before = (a + BASE - 1) % BASE;
    let one = (before + c) % BASE;
    let other = (b + d + before * (second_length as u64 % BASE)) % BASE;
    (other as u32) << 16 | one as u32
}

/// Returns blocks that refer to nothing before them and end with a byte; none of them is the last.
fn compressed(content: &[u8], level: u8) -> Vec<u8> {
    /// No header of zlib's, and its usual strategy.
    const RAW: i32 = 0;
    const DEFAULT: i32 = 0;
    let flags = create_comp_flags_from_zip_params(i32::from(level), RAW, DEFAULT);
    let mut blocks = Vec::with_capacity(content.len() / 2);
    compress_to_output(
        &mut CompressorOxide::new(flags),
        content,
        TDEFLFlush::Full,
        |block| {
            blocks.extend_from_slice(block);
            true
        },
    );
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;
    use miniz_oxide::inflate::decompress_to_vec_zlib;

    /// Returns lines as of a log, so many bytes of them.
    fn log(bytes: usize, word: &str) -> Vec<u8> {
        let lines = (0..).map(|n: usize| format!("{{\"id\":{n},\"event\":\"{word}\"}}\n"));
        let mut log = Vec::new();
        for line in lines {
            if log.len() >= bytes {
                break;
            }
            log.extend(line.into_bytes());
        }
        log.truncate(bytes);
        log
    }

    #[test]
    fn what_is_compressed_in_parts_is_read_as_it_was_however_the_file_grew() {
        let mut growing = GrowingFile::default();
        let whole = log(10 * PART, "landed");
        let mut edited = whole.clone();
        edited[PART + 7] = b'!';
        let other = log(3 * PART, "parked");
        let files: [&[u8]; 10] = [
            &whole[..LEAST],
            &whole[..LEAST + 1],
            &whole[..LEAST + PART],
            &whole[..LEAST + PART + 1],
            &whole,
            &edited,
            &whole[..LEAST],
            &other,
            &[],
            &whole,
        ];
        for (n, file) in files.into_iter().enumerate() {
            let stream = growing.compress(b"blob \0", file, 1);
            let read = decompress_to_vec_zlib(&stream).ok();
            assert_eq!(read, Some([b"blob \0", file].concat()), "{n}");
        }
    }

    #[test]
    fn the_checksum_of_two_texts_is_that_of_both_in_one() {
        let text: Vec<u8> = (0..200_000u32).map(|n| (n % 251) as u8).collect();
        for (first, end) in [
            (0, 0),
            (0, 1),
            (1, 1),
            (7, 70_000),
            (65_521, 131_042),
            (PART, 200_000),
        ] {
            let (a, b) = text[..end].split_at(first);
            let joined =
                joined_checksum(adler2::adler32_slice(a), adler2::adler32_slice(b), b.len());
            assert_eq!(
                joined,
                adler2::adler32_slice(&text[..end]),
                "{first} of {end}"
            );
        }
        let all = [0xff; 65_521];
        let of_all = adler2::adler32_slice(&all);
        let twice = adler2::adler32_slice(&[all, all].concat());
        assert_eq!(joined_checksum(of_all, of_all, all.len()), twice);
    }

    #[test]
    fn only_what_is_new_is_compressed() {
        let mut growing = GrowingFile::default();
        let whole = log(6 * PART, "landed");
        growing.compress(b"", &whole[..5 * PART], 1);
        let kept: Vec<*const u8> = growing.parts.iter().map(|p| p.content.as_ptr()).collect();
        growing.compress(b"", &whole, 1);
        let now: Vec<*const u8> = growing.parts.iter().map(|p| p.content.as_ptr()).collect();
        assert_eq!((now.len(), &now[..5]), (6, &kept[..]));
    }
}
