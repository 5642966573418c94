//! What the client sends, a line at a time.

use std::io::{BufRead, Read, Result};

/// The longest message that is read, in bytes.
const LONGEST: u64 = 4 << 20;

/// A line of the client.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum ReadLine {
    Text(Vec<u8>),
    /// It was longer than any message that is read, and is passed over.
    TooLong,
}

/// Reads the next line that is not blank; none at the end.
pub(super) fn next_line(input: &mut impl BufRead) -> Result<Option<ReadLine>> {
    line_of(input, LONGEST)
}

fn line_of(input: &mut impl BufRead, longest: u64) -> Result<Option<ReadLine>> {
    loop {
        let mut line = Vec::new();
        if input.by_ref().take(longest).read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        if line.len() as u64 == longest && line.last() != Some(&b'\n') {
            input.skip_until(b'\n')?;
            return Ok(Some(ReadLine::TooLong));
        }
        if !line.trim_ascii().is_empty() {
            return Ok(Some(ReadLine::Text(line)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_is_too_long_is_passed_over_and_the_next_one_read() {
        let mut input = &b"\n \nabcd\nabcdefghij\nab\nlast"[..];
        let mut seen = Vec::new();
        while let Some(line) = line_of(&mut input, 5).unwrap() {
            seen.push(line);
        }
        let text = |text: &str| ReadLine::Text(text.into());
        let want = [
            text("abcd\n"),
            ReadLine::TooLong,
            text("ab\n"),
            text("last"),
        ];
        assert_eq!(seen, want);
    }
}
