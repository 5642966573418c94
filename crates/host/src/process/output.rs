//! Output of any size in bounded memory: lines, head and tail, the capped log.
//!
//! Bytes stay bytes: nothing here assumes UTF-8 or that a line ends.

use super::long_json::LongJson;
use std::fs::File;
use std::io::{self, BufRead, Write};
use std::path::Path;

/// The longest line handed on; the rest of a longer one is dropped and the line marked truncated.
pub const LINE_CAP: usize = 1024 * 1024;

/// The last bytes of a stream.
#[derive(Debug, Clone, Default)]
struct Ring {
    bytes: Vec<u8>,
    capacity: usize,
    /// Where the oldest byte lies once the ring is full.
    oldest: usize,
}

impl Ring {
    fn new(capacity: usize) -> Self {
        Ring {
            bytes: Vec::new(),
            capacity,
            oldest: 0,
        }
    }

    fn push(&mut self, bytes: &[u8]) {
        let bytes = &bytes[bytes.len().saturating_sub(self.capacity)..];
        let (grow, wrap) = bytes.split_at(bytes.len().min(self.capacity - self.bytes.len()));
        self.bytes.extend_from_slice(grow);
        let (first, second) = wrap.split_at(wrap.len().min(self.capacity - self.oldest));
        self.bytes[self.oldest..self.oldest + first.len()].copy_from_slice(first);
        self.bytes[..second.len()].copy_from_slice(second);
        if !wrap.is_empty() {
            self.oldest = (self.oldest + wrap.len()) % self.capacity;
        }
    }

    fn parts(&self) -> (&[u8], &[u8]) {
        let (newer, older) = self.bytes.split_at(self.oldest);
        (older, newer)
    }
}

/// The beginning and the end of a stream, with the number of bytes between.
#[derive(Debug, Clone, Default)]
pub struct HeadTail {
    head: Vec<u8>,
    head_capacity: usize,
    tail: Ring,
    total: u64,
}

impl HeadTail {
    /// Returns an empty capture that keeps at most so many bytes.
    pub(crate) fn new(head: usize, tail: usize) -> Self {
        HeadTail {
            head: Vec::new(),
            head_capacity: head,
            tail: Ring::new(tail),
            total: 0,
        }
    }

    /// Adds bytes at the end.
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        self.total += bytes.len() as u64;
        let (head, rest) = bytes.split_at(bytes.len().min(self.head_capacity - self.head.len()));
        self.head.extend_from_slice(head);
        self.tail.push(rest);
    }

    /// Returns how many bytes were dropped between head and tail.
    pub(crate) fn cut(&self) -> u64 {
        self.total - (self.head.len() + self.tail.bytes.len()) as u64
    }

    /// Returns what was kept, with the cut marked on a line of its own.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.head.clone();
        if self.cut() > 0 {
            bytes.extend_from_slice(&mark(self.cut()));
        }
        let (older, newer) = self.tail.parts();
        bytes.extend_from_slice(older);
        bytes.extend_from_slice(newer);
        bytes
    }

    /// Returns the kept beginning alone, without a mark.
    pub(crate) fn head(&self) -> &[u8] {
        &self.head
    }

    /// Returns the kept end alone, without a mark.
    pub(crate) fn to_tail(&self) -> Vec<u8> {
        let (older, newer) = self.tail.parts();
        [older, newer].concat()
    }

    /// Returns what was kept as text; bytes that are not UTF-8 become replacement characters.
    pub(crate) fn to_text(&self) -> String {
        String::from_utf8_lossy(&self.to_bytes()).into_owned()
    }
}

fn mark(cut: u64) -> Vec<u8> {
    format!("\n… {cut} bytes cut …\n").into_bytes()
}

/// A log file of bounded size: the head is streamed, the tail follows when the run is over.
///
/// A log that cannot be written never fails a run: the first error is kept and writing stops.
#[derive(Debug)]
pub(super) struct CappedLog {
    file: File,
    head_left: usize,
    tail: Ring,
    after_head: u64,
    error: Option<io::Error>,
}

impl CappedLog {
    /// Creates the file, readable by its owner only: output may hold secrets.
    pub(super) fn create(path: &Path, head: usize, tail: usize) -> io::Result<Self> {
        use std::os::unix::fs::OpenOptionsExt;
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent)?;
        }
        let file = File::options()
            .write(true)
            .create(true)
            .truncate(true)
            .mode(0o600)
            .open(path)?;
        Ok(CappedLog {
            file,
            head_left: head,
            tail: Ring::new(tail),
            after_head: 0,
            error: None,
        })
    }

    pub(super) fn push(&mut self, bytes: &[u8]) {
        let (head, rest) = bytes.split_at(bytes.len().min(self.head_left));
        self.head_left -= head.len();
        self.write(head);
        self.after_head += rest.len() as u64;
        self.tail.push(rest);
    }

    /// Writes the mark and the tail, and returns the first error there was.
    pub(super) fn finish(mut self) -> Option<io::Error> {
        let tail = std::mem::take(&mut self.tail);
        let cut = self.after_head - tail.bytes.len() as u64;
        if cut > 0 {
            self.write(&mark(cut));
        }
        let (older, newer) = tail.parts();
        self.write(older);
        self.write(newer);
        self.error
    }

    fn write(&mut self, bytes: &[u8]) {
        if self.error.is_none() && !bytes.is_empty() {
            self.error = self.file.write_all(bytes).err();
        }
    }
}

/// Cuts a stream into lines without their newline.
#[derive(Debug, Default)]
pub(super) struct LineSplitter {
    partial: Vec<u8>,
    truncated: bool,
    /// A line of JSON that is longer than what is kept of one.
    long: Option<LongJson>,
}

impl LineSplitter {
    /// Hands every line that is complete now to `line`, with whether its end was dropped.
    pub(super) fn push(&mut self, mut bytes: &[u8], mut line: impl FnMut(&[u8], bool)) {
        while let Some(end) = newline(bytes) {
            if self.partial.is_empty() && self.long.is_none() && end <= LINE_CAP {
                line(&bytes[..end], false);
            } else {
                self.keep(&bytes[..end]);
                self.hand_on(&mut line);
            }
            bytes = &bytes[end + 1..];
        }
        self.keep(bytes);
    }

    /// Hands on a last line that has no newline.
    pub(super) fn finish(mut self, mut line: impl FnMut(&[u8], bool)) {
        if !self.partial.is_empty() || self.long.is_some() {
            self.hand_on(&mut line);
        }
    }

    fn hand_on(&mut self, line: &mut impl FnMut(&[u8], bool)) {
        match self.long.take().map(LongJson::finish) {
            Some((long, truncated)) => line(&long, truncated),
            None => line(&self.partial, self.truncated),
        }
        self.partial.clear();
        self.truncated = false;
    }

    fn keep(&mut self, bytes: &[u8]) {
        let room = LINE_CAP - self.partial.len();
        if bytes.len() > room && self.long.is_none() && !self.truncated {
            self.partial.extend_from_slice(&bytes[..room]);
            self.long = LongJson::new(&self.partial, LINE_CAP);
            match self.long.is_some() {
                true => self.partial = Vec::new(),
                false => self.truncated = true,
            }
            return self.keep(&bytes[room..]);
        }
        if let Some(long) = &mut self.long {
            return long.push(bytes);
        }
        self.truncated |= bytes.len() > room;
        self.partial
            .extend_from_slice(&bytes[..bytes.len().min(room)]);
    }
}

/// Finds a newline; the standard reader's search is much faster than a loop over the bytes.
fn newline(bytes: &[u8]) -> Option<usize> {
    let mut rest = bytes;
    let read = rest.skip_until(b'\n').unwrap_or(0);
    (read > 0 && bytes[read - 1] == b'\n').then(|| read - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_head_tail(head: usize, tail: usize, pushes: &[&str], want: &str) {
        let mut capture = HeadTail::new(head, tail);
        for push in pushes {
            capture.push(push.as_bytes());
        }
        assert_eq!(
            capture.to_text(),
            want,
            "head {head} tail {tail} pushes {pushes:?}"
        );
        assert_eq!(
            capture.total,
            pushes.iter().map(|p| p.len() as u64).sum::<u64>()
        );

        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("deep/run.log");
        let mut log = CappedLog::create(&path, head, tail).unwrap();
        for push in pushes {
            log.push(push.as_bytes());
        }
        assert!(log.finish().is_none());
        assert_eq!(
            std::fs::read_to_string(&path).unwrap(),
            want,
            "the log agrees with the capture"
        );
    }

    #[test]
    fn head_and_tail_are_kept_and_the_cut_is_marked() {
        check_head_tail(4, 4, &[], "");
        check_head_tail(4, 4, &["abc"], "abc");
        check_head_tail(4, 4, &["abcdefgh"], "abcdefgh");
        check_head_tail(4, 4, &["abcdefghi"], "abcd\n… 1 bytes cut …\nfghi");
        check_head_tail(
            4,
            4,
            &["ab", "cd", "ef", "gh", "ij", "k"],
            "abcd\n… 3 bytes cut …\nhijk",
        );
        check_head_tail(
            2,
            3,
            &["0123456789", "abc", "d"],
            "01\n… 9 bytes cut …\nbcd",
        );
        check_head_tail(0, 3, &["abcd"], "\n… 1 bytes cut …\nbcd");
        check_head_tail(3, 0, &["abcd"], "abc\n… 1 bytes cut …\n");
        check_head_tail(0, 0, &["ab"], "\n… 2 bytes cut …\n");
    }

    #[test]
    fn a_log_that_cannot_be_written_reports_and_goes_on() {
        if !Path::new("/dev/full").exists() {
            return;
        }
        let mut log = CappedLog::create(Path::new("/dev/full"), 8, 8).unwrap();
        log.push(b"x");
        log.push(b"y");
        assert!(log.finish().is_some());
    }

    fn check_lines(pushes: &[&[u8]], want: &[(&[u8], bool)]) {
        let mut got = Vec::new();
        let mut lines = LineSplitter::default();
        for push in pushes {
            lines.push(push, |line, cut| got.push((line.to_vec(), cut)));
        }
        lines.finish(|line, cut| got.push((line.to_vec(), cut)));
        let want: Vec<_> = want
            .iter()
            .map(|(line, cut)| (line.to_vec(), *cut))
            .collect();
        assert!(got == want, "{} lines instead of {}", got.len(), want.len());
    }

    #[test]
    fn lines_are_cut_at_newlines_only_and_capped() {
        check_lines(&[], &[]);
        check_lines(&[b"a\nb"], &[(b"a", false), (b"b", false)]);
        check_lines(
            &[b"a", b"b\n", b"\n", b"c\r\n"],
            &[(b"ab", false), (b"", false), (b"c\r", false)],
        );
        check_lines(&[b"\xc3", b"\xa4\0\n"], &[(b"\xc3\xa4\0", false)]);
        let long = vec![b'x'; LINE_CAP];
        check_lines(&[&long, b"\nb\n"], &[(&long, false), (b"b", false)]);
        check_lines(&[&long, b"y", b"\nb\n"], &[(&long, true), (b"b", false)]);
        let mut one = long.clone();
        one.extend_from_slice(b"yy\nb\n");
        check_lines(&[&one], &[(&long, true), (b"b", false)]);
    }

    #[test]
    fn an_event_that_is_longer_than_a_line_is_handed_on_whole() {
        let event = format!("{{\"a\":\"{}end\"}}", "x".repeat(3 * LINE_CAP));
        let mut lines = LineSplitter::default();
        let mut got = Vec::new();
        for piece in event
            .as_bytes()
            .chunks(65_536)
            .chain([&b"\n{\"b\":1}\n"[..]])
        {
            lines.push(piece, |line, cut| got.push((line.to_vec(), cut)));
        }
        let [(long, false), (short, false)] = &got[..] else {
            panic!("{} lines", got.len());
        };
        assert!(long.len() < LINE_CAP && long.ends_with(b"end\"}"));
        assert_eq!(short, b"{\"b\":1}");
    }
}
