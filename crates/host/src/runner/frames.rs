//! The framing: a kind, a length, that many bytes, a line end. Either side writes frames whole and reads them in pieces of
//! any size. The line end is for engines that pass output on line by line: what does not end one would wait for ever.

use super::frame_fault::FrameFault;
pub(crate) use super::frame_kind::{FrameKind, PROTOCOL};
use std::io::{self, Read, Write};

/// What the far end writes first, so that whatever an engine or a shell prints before it is passed over.
pub(crate) const PREAMBLE: &[u8] = b"gatewalk far-end 1\n";
/// What the far ends of all versions begin that with.
const NAME: &[u8] = b"gatewalk far-end ";
/// How much may stand before the preamble: shells and their modules greet at length, what never ends is no greeting.
const NOISE: usize = 16 << 20;
/// How much of either end of that is kept, for whoever set the runner up; the first words may begin in it.
const SHOWN: usize = 400;
/// How home's own first words begin, after the head of their frame.
const HOMES_WORDS: &[u8] = br#"{"protocol":"#;
/// The longest frame.
pub(crate) const LONGEST: usize = 16 << 20;
/// How long a piece of a pack is.
pub(crate) const PIECE: usize = 64 * 1024;
/// Bytes before a frame's content.
const HEADER: usize = 5;
/// What ends a frame.
const END: &[u8] = b"\n";

/// One frame.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Frame {
    pub(crate) kind: FrameKind,
    pub(crate) content: Vec<u8>,
}

impl Frame {
    pub(crate) fn new(kind: FrameKind, content: impl Into<Vec<u8>>) -> Frame {
        Frame {
            kind,
            content: content.into(),
        }
    }

    /// Returns a frame with a value as JSON.
    pub(crate) fn json(kind: FrameKind, value: &impl serde::Serialize) -> Frame {
        Frame::new(kind, serde_json::to_vec(value).expect("plain data"))
    }

    /// Reads the value of a JSON frame.
    pub(crate) fn read<T: serde::de::DeserializeOwned>(&self) -> Result<T, FrameFault> {
        serde_json::from_slice(&self.content).map_err(|_| FrameFault::Content(self.kind))
    }
}

/// Writes a frame.
pub(crate) fn write(out: &mut dyn Write, kind: FrameKind, content: &[u8]) -> io::Result<()> {
    let length = u32::try_from(content.len()).map_err(|_| io::ErrorKind::InvalidInput)?;
    let mut header = [kind as u8, 0, 0, 0, 0];
    header[1..].copy_from_slice(&length.to_be_bytes());
    out.write_all(&header)?;
    out.write_all(content)?;
    out.write_all(END)?;
    out.flush()
}

/// Cuts bytes into frames.
#[derive(Debug, Default)]
pub(crate) struct FrameParser {
    buffer: Vec<u8>,
    /// Whether the preamble was passed.
    begun: bool,
    /// Whether there was a frame, or none had to prove anything.
    heard: bool,
    /// How the noise before it begins.
    greeting: Vec<u8>,
    /// How much of the noise is no longer in the buffer.
    passed: usize,
}

impl FrameParser {
    /// Returns a parser for the side that is sent no preamble.
    pub(crate) fn begun() -> FrameParser {
        FrameParser {
            begun: true,
            heard: true,
            ..FrameParser::default()
        }
    }

    /// Returns whether the far end has spoken.
    pub(crate) fn has_begun(&self) -> bool {
        self.begun
    }

    /// Returns how what was printed in place of a far end's words begins and ends.
    pub(crate) fn noise(&self) -> Vec<u8> {
        if self.begun {
            return vec![];
        }
        let tail = self.buffer.len().saturating_sub(SHOWN);
        let mut noise = self.greeting.clone();
        if self.passed == 0 {
            noise.extend_from_slice(&self.buffer[..tail.min(SHOWN)]);
        }
        if self.passed > 0 || tail > SHOWN {
            // What stands between is left out, and with it parts of lines.
            noise.push(b'\n');
        }
        noise.extend_from_slice(&self.buffer[tail..]);
        noise
    }

    /// Adds bytes.
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        self.buffer.extend_from_slice(bytes);
    }

    /// Returns the next whole frame, if there is one.
    pub(crate) fn next(&mut self) -> Result<Option<Frame>, FrameFault> {
        if !self.begun && !self.pass_preamble()? {
            return Ok(None);
        }
        let Some((header, rest)) = self.buffer.split_at_checked(HEADER) else {
            return Ok(None);
        };
        let kind = FrameKind::of(header[0]).ok_or(match self.heard {
            _ if NAME.starts_with(header) => FrameFault::Twice,
            true => FrameFault::Kind(header[0]),
            // The first words stand in the program itself, for whoever prints that.
            false => FrameFault::NoFarEnd,
        })?;
        let length = header[1..]
            .iter()
            .fold(0usize, |n, b| n << 8 | usize::from(*b));
        if length > LONGEST {
            return Err(FrameFault::Length(length));
        }
        let Some((content, rest)) = rest.split_at_checked(length) else {
            return Ok(None);
        };
        if rest.is_empty() {
            return Ok(None);
        }
        if !rest.starts_with(END) {
            return Err(FrameFault::Content(kind));
        }
        let content = content.to_vec();
        self.buffer.drain(..HEADER + length + END.len());
        self.heard = true;
        Ok(Some(Frame { kind, content }))
    }

    fn pass_preamble(&mut self) -> Result<bool, FrameFault> {
        if let Some(at) = memchr::memmem::find(&self.buffer, PREAMBLE) {
            self.buffer.drain(..at + PREAMBLE.len());
            self.begun = true;
            return Ok(true);
        }
        if memchr::memmem::find(&self.buffer, HOMES_WORDS).is_some() {
            return Err(FrameFault::Echo);
        }
        match named_protocol(&self.buffer) {
            // The very words, but for what a terminal makes of a line end.
            Some(PROTOCOL) => Err(FrameFault::Terminal),
            Some(protocol) => Err(FrameFault::Protocol(protocol)),
            None if self.passed + self.buffer.len() > NOISE => Err(FrameFault::NoFarEnd),
            None => {
                self.drop_noise();
                Ok(false)
            }
        }
    }

    /// Keeps no more of the noise than the beginning of a far end's words may stand in.
    fn drop_noise(&mut self) {
        let old = self.buffer.len().saturating_sub(2 * SHOWN);
        if self.passed == 0 && old > 0 {
            self.greeting = self.buffer[..SHOWN].to_vec();
        }
        self.passed += old;
        self.buffer.drain(..old);
    }
}

/// Returns the version that a far end names in words that are not quite its first.
fn named_protocol(bytes: &[u8]) -> Option<u32> {
    memchr::memmem::find_iter(bytes, NAME).find_map(|at| {
        let rest = bytes.get(at + NAME.len()..)?;
        let (version, _) = rest.split_at_checked(memchr::memchr(b'\n', rest)?)?;
        std::str::from_utf8(version).ok()?.trim().parse().ok()
    })
}

/// Reads frames from a stream until it ends or says what is no frame. Any byte is a sign of `life`: over a slow line a frame
/// takes its time.
pub(crate) fn read_all(
    stream: &mut dyn Read,
    life: &mut dyn FnMut(),
    heard: &mut dyn FnMut(Frame) -> bool,
) -> Result<(), FrameFault> {
    let mut parser = FrameParser::begun();
    let mut piece = vec![0; PIECE];
    loop {
        match stream.read(&mut piece) {
            Ok(0) => return Ok(()),
            Ok(n) => {
                life();
                parser.push(&piece[..n]);
            }
            Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => return Ok(()),
        }
        while let Some(frame) = parser.next()? {
            if !heard(frame) {
                return Ok(());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(frames: &[(FrameKind, &[u8])]) -> Vec<u8> {
        let mut out = Vec::new();
        for (kind, content) in frames {
            write(&mut out, *kind, content).unwrap();
        }
        out
    }

    #[test]
    fn frames_survive_being_cut_anywhere_and_noise_before_them() {
        let sent = [
            (FrameKind::Hello, &b"{}"[..]),
            (FrameKind::Beat, b""),
            (FrameKind::Line, b"a\nb\0\xff"),
        ];
        let mut stream = b"Last login: today\r\ngatewalk far".to_vec();
        stream.extend_from_slice(PREAMBLE);
        stream.extend(bytes(&sent));
        for step in [1, 2, 7, stream.len()] {
            let mut parser = FrameParser::default();
            let mut seen = Vec::new();
            for piece in stream.chunks(step) {
                parser.push(piece);
                while let Some(frame) = parser.next().unwrap() {
                    seen.push(frame);
                }
            }
            let want: Vec<Frame> = sent.iter().map(|(k, c)| Frame::new(*k, *c)).collect();
            assert_eq!(seen, want, "in pieces of {step}");
            assert!(parser.has_begun());
        }
    }

    #[test]
    fn what_is_no_frame_is_refused() {
        let rows: [(&[u8], FrameFault); 4] = [
            (b"gatewalk far-end 1\n", FrameFault::Twice),
            (b"b\0\0\0\0b", FrameFault::Content(FrameKind::Beat)),
            (b"?\0\0\0\0", FrameFault::Kind(b'?')),
            (b"L\xff\0\0\0", FrameFault::Length(0xff00_0000)),
        ];
        for (sent, fault) in rows {
            let mut parser = FrameParser::begun();
            parser.push(sent);
            assert_eq!(parser.next(), Err(fault));
        }
        let mut parser = FrameParser::default();
        parser.push(b"Permission denied");
        assert_eq!(parser.next(), Ok(None));
        assert_eq!(parser.noise(), b"Permission denied");
        parser.push(&vec![b'x'; NOISE]);
        assert_eq!(parser.next(), Err(FrameFault::NoFarEnd));
        let mut parser = FrameParser::default();
        parser.push(b"motd\ngatewalk far-end 2");
        assert_eq!(
            parser.next(),
            Ok(None),
            "it may become 21, or a line of 1 comes yet"
        );
        parser.push(b"\n");
        assert_eq!(parser.next(), Err(FrameFault::Protocol(2)));
        let mut parser = FrameParser::default();
        parser.push(b"gatewalk far-end 1\r\n");
        assert_eq!(parser.next(), Err(FrameFault::Terminal));
        let damaged = Frame::new(FrameKind::Left, *b"{");
        let read: Result<Vec<u8>, _> = damaged.read();
        assert_eq!(read, Err(FrameFault::Content(FrameKind::Left)));
    }

    #[test]
    fn a_greeting_of_any_length_is_passed_over_and_its_ends_are_kept() {
        for length in [0, 1, SHOWN, 2 * SHOWN, 2 * SHOWN + 1, 300_000, NOISE - 100] {
            let mut greeting = b"first\r\n".to_vec();
            greeting.resize(length.max(7), b'\x1b');
            greeting.extend_from_slice(b"\nlast\n");
            for step in [1000, usize::MAX] {
                let mut parser = FrameParser::default();
                for piece in greeting.chunks(step.min(greeting.len())) {
                    parser.push(piece);
                    assert_eq!(parser.next(), Ok(None), "{length}");
                    assert!(parser.buffer.len() <= 2 * SHOWN);
                }
                let noise = String::from_utf8(parser.noise()).unwrap();
                assert!(noise.starts_with("first\r\n"), "{length}");
                assert!(noise.ends_with("\nlast\n"), "{length}");
                assert!(noise.len() <= greeting.len() + 1 && noise.len() <= 3 * SHOWN);
                parser.push(PREAMBLE);
                parser.push(&bytes(&[(FrameKind::Beat, b"")]));
                let beat = Frame::new(FrameKind::Beat, *b"");
                assert_eq!(parser.next(), Ok(Some(beat)), "{length}");
                assert!(parser.noise().is_empty());
            }
        }
    }

    #[test]
    fn what_comes_back_and_what_a_later_line_names_are_told() {
        let mut sent = Vec::new();
        let hello = br#"{"protocol":1,"version":"0"}"#;
        write(&mut sent, FrameKind::Hello, hello).unwrap();
        let mut parser = FrameParser::default();
        parser.push(&sent);
        assert_eq!(parser.next(), Err(FrameFault::Echo));
        let mut parser = FrameParser::default();
        parser.push(b"\x7fELF gatewalk far-end 1\n/rustc/abc");
        assert_eq!(parser.next(), Err(FrameFault::NoFarEnd));
        let mut parser = FrameParser::default();
        parser.push(b"gatewalk far-end 1\nb\0\0\0\0\n?\0\0\0\0");
        assert!(parser.next().is_ok());
        assert_eq!(parser.next(), Err(FrameFault::Kind(b'?')));
        let mut parser = FrameParser::default();
        parser.push(b"gatewalk far-end is here\ngatewalk far-end 3\n");
        assert_eq!(parser.next(), Err(FrameFault::Protocol(3)));
    }

    #[test]
    fn no_two_kinds_share_a_byte() {
        for byte in 0..=u8::MAX {
            if let Some(kind) = FrameKind::of(byte) {
                assert_eq!(kind as u8, byte);
            }
        }
    }

    #[test]
    fn a_frame_on_a_slow_line_is_heard_of_before_it_is_whole() {
        let (mut seen, mut alive) = (0, 0);
        let sent = bytes(&[(FrameKind::Beat, b""), (FrameKind::Piece, &[7; 3])]);
        let mut line = &sent[..sent.len() - 1];
        let mut slow = iter_read(&mut line);
        let read = read_all(&mut slow, &mut || alive += 1, &mut |_| {
            seen += 1;
            true
        });
        assert_eq!((read, seen, alive), (Ok(()), 1, sent.len() - 1));
    }

    /// Hands over a byte at a time.
    fn iter_read<'a>(line: &'a mut &[u8]) -> impl Read + 'a {
        struct Slow<'a, 'b>(&'a mut &'b [u8]);
        impl Read for Slow<'_, '_> {
            fn read(&mut self, piece: &mut [u8]) -> io::Result<usize> {
                self.0.read(&mut piece[..1])
            }
        }
        Slow(line)
    }
}
