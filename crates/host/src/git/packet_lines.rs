//! The frames of git's protocols: four digits of a length, then as many bytes less four; a length of zero ends a list
//! (gitprotocol-common(5), "pkt-line Format").

use std::io::{self, ErrorKind, Read, Write};

/// The most bytes of a frame beside its length.
const MOST_BYTES: usize = 65_516;

/// The bytes of a length.
const LENGTH_DIGITS: usize = 4;

/// Returns the next frame's bytes; `None` for the end of a list. An error at the end of the input, of the kind
/// `UnexpectedEof`.
fn read_frame(input: &mut impl Read) -> io::Result<Option<Vec<u8>>> {
    let mut digits = [0; LENGTH_DIGITS];
    input.read_exact(&mut digits)?;
    let length = std::str::from_utf8(&digits)
        .ok()
        .and_then(|digits| usize::from_str_radix(digits, 16).ok());
    match length {
        Some(0) => Ok(None),
        Some(length) if length >= LENGTH_DIGITS => {
            let mut bytes = vec![0; length - LENGTH_DIGITS];
            input.read_exact(&mut bytes)?;
            Ok(Some(bytes))
        }
        _ => Err(io::Error::new(
            ErrorKind::InvalidData,
            "no length of a frame",
        )),
    }
}

/// Returns the lines of a list, or `None` where the input is at its end.
pub(super) fn read_list(input: &mut impl Read) -> io::Result<Option<Vec<Vec<u8>>>> {
    let mut lines = Vec::new();
    loop {
        match read_frame(input) {
            Ok(Some(line)) => lines.push(line.strip_suffix(b"\n").unwrap_or(&line).to_vec()),
            Ok(None) => return Ok(Some(lines)),
            Err(error) if error.kind() == ErrorKind::UnexpectedEof && lines.is_empty() => {
                return Ok(None);
            }
            Err(error) => return Err(error),
        }
    }
}

/// Returns the content that the frames up to the end of a list hold.
pub(super) fn read_bytes(input: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut content = Vec::new();
    while let Some(bytes) = read_frame(input)? {
        content.extend(bytes);
    }
    Ok(content)
}

/// Writes one line of a list.
pub(super) fn write_line(output: &mut impl Write, line: &str) -> io::Result<()> {
    write_frame(output, format!("{line}\n").as_bytes())
}

fn write_frame(output: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
    write!(output, "{:04x}", bytes.len() + LENGTH_DIGITS)?;
    output.write_all(bytes)
}

/// Writes content as frames.
pub(super) fn write_reader(output: &mut impl Write, content: &mut impl Read) -> io::Result<()> {
    let mut bytes = vec![0; MOST_BYTES];
    loop {
        match content.read(&mut bytes) {
            Ok(0) => return Ok(()),
            Ok(read) => write_frame(output, &bytes[..read])?,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// Ends a list.
pub(super) fn write_flush(output: &mut impl Write) -> io::Result<()> {
    output.write_all(b"0000")
}
