//! What a failed command shows: its ends, its error lines, and a fingerprint of the failure.
//!
//! The fingerprint leaves out what changes from run to run (numbers, times, hashes, places,
//! temporary names), so the same failure twice is recognised, and keeps names and messages, so
//! different failures are not taken for one. Deliberately absent: any verdict. Exit codes decide;
//! this only explains.

use super::command_end::CommandEnd;
use crate::pattern::TextPattern;
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;

const HEAD_BYTES: usize = 2 * 1024;
const TAIL_BYTES: usize = 6 * 1024;
const LINE_CHARS: usize = 300;
/// Error lines kept from the start: a cascade's cause comes first.
const FIRST_LINES: usize = 28;
/// Error lines kept from the end: runners print their summary last.
const LAST_LINES: usize = 12;

/// What was kept of one output stream. With nothing omitted, `head` then `tail` is all of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct StreamExcerpt<'a> {
    /// The first bytes of the output.
    pub(crate) head: &'a [u8],
    /// Its last bytes, none of them in `head`.
    pub(crate) tail: &'a [u8],
    /// Bytes between the two.
    pub(crate) omitted: u64,
}

/// A failure, ready for a prompt or a terminal: control characters are already escaped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evidence {
    /// The command as written.
    pub(crate) command: String,
    /// How the command ended.
    pub(crate) ended: CommandEnd,
    /// How the output begins; empty if the tail is all of it.
    pub(crate) head: String,
    /// How the output ends.
    pub(crate) tail: String,
    /// The lines that name what is wrong, each once.
    pub(crate) error_lines: Vec<String>,
    /// The same for the same failure.
    pub(crate) fingerprint: String,
}

/// Returns what the output of a failed command shows.
pub(crate) fn distill(
    command: &str,
    ended: CommandEnd,
    stdout: &StreamExcerpt<'_>,
    stderr: &StreamExcerpt<'_>,
) -> Evidence {
    let (out, err) = (readable(stdout), readable(stderr));
    let all = match (out.trim().is_empty(), err.trim().is_empty()) {
        (_, true) => out,
        (true, false) => err,
        (false, false) => format!("{}\n{err}", out.trim_end()),
    };
    let error_lines = error_lines(&all);
    let fingerprint = fingerprint(command, &ended, &error_lines, &all);
    let (head, tail) = ends(&all);
    Evidence {
        command: sanitize(command),
        ended,
        head,
        tail,
        error_lines,
        fingerprint,
    }
}

/// Escapes everything that could act on a terminal or reorder what is read: control characters,
/// escape sequences, bidirectional and invisible marks. Line ends and tabs stay.
pub fn sanitize(text: &str) -> String {
    if is_plain(text) {
        return text.to_owned();
    }
    let mut clean = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\t' => clean.push(c),
            c if c.is_control() || is_deceptive(c) => clean.extend(c.escape_unicode()),
            c => clean.push(c),
        }
    }
    clean
}

/// Returns whether a text is printable ASCII on any number of lines, in which nothing can act: nearly all of many are.
pub fn is_plain(text: &str) -> bool {
    text.bytes()
        .all(|byte| matches!(byte, b'\n' | b'\t' | b' '..=b'~'))
}

/// Returns a number of things in words: `1 attempt`, `2 attempts`.
pub fn counted(count: usize, thing: &str) -> String {
    match count {
        1 => format!("1 {thing}"),
        _ => format!("{count} {thing}s"),
    }
}

/// How many names a sentence has, where nothing speaks for another number.
pub(crate) const NAMED: usize = 8;

/// Returns the first of some names, each on one line, and how many more there are: `a, b and 3 more`.
pub fn first_named<T: AsRef<str>>(names: &[T], most: usize) -> String {
    let first = names.iter().take(most).map(|name| one_line(name.as_ref()));
    let first = first.collect::<Vec<String>>().join(", ");
    match names.len().saturating_sub(most) {
        0 => first,
        more => format!("{first} and {more} more"),
    }
}

/// Escapes likewise what has to stay on one line, such as a path: a line end in it would begin a line of its own.
pub fn one_line(text: &str) -> String {
    sanitize(text).replace('\n', "\\n").replace('\t', "\\t")
}

/// Returns a text with plain line ends, without terminal sequences, and with the rest of what could act escaped: for words of
/// strangers that go into a prompt or a name.
pub fn plain(text: &str) -> String {
    sanitize(&TERMINAL.replace_all(&text.replace("\r\n", "\n"), ""))
}

/// Returns whether a character is invisible or changes the order of its neighbours.
fn is_deceptive(c: char) -> bool {
    matches!(c,
        '\u{061c}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// Returns a stream as text: colours gone, overwritten progress lines gone, the rest escaped.
fn readable(stream: &StreamExcerpt<'_>) -> String {
    let mut bytes = stream.head.to_vec();
    if stream.omitted > 0 {
        bytes.extend(format!("\n[… {} bytes left out …]\n", stream.omitted).into_bytes());
    }
    bytes.extend_from_slice(stream.tail);
    let text = String::from_utf8_lossy(&bytes);
    let plain = TERMINAL.replace_all(&text, "");
    let lines = plain.lines().map(|line| {
        line.trim_end_matches('\r')
            .rsplit('\r')
            .next()
            .unwrap_or_default()
    });
    sanitize(&lines.collect::<Vec<_>>().join("\n"))
}

/// Returns how a text begins and ends, cut at line ends where there are any.
fn ends(text: &str) -> (String, String) {
    let text = text.trim_end();
    if text.len() <= HEAD_BYTES + TAIL_BYTES {
        return (String::new(), text.to_owned());
    }
    let boundary = |at: usize| (at..text.len()).find(|at| text.is_char_boundary(*at));
    let head = &text[..boundary(HEAD_BYTES).unwrap_or(text.len())];
    let head = head.rfind('\n').map_or(head, |end| &head[..end]);
    let tail = &text[boundary(text.len() - TAIL_BYTES).unwrap_or(text.len())..];
    let tail = tail.find('\n').map_or(tail, |start| &tail[start + 1..]);
    (head.to_owned(), tail.to_owned())
}

/// Returns the distinct lines that name what is wrong, in order.
fn error_lines(text: &str) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let mut found: Vec<String> = Vec::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        if !ERROR.is_match(line) || HARMLESS.is_match(line) {
            continue;
        }
        // A panic says where on its own line and what on the next.
        let next = line
            .contains("panicked at")
            .then(|| lines.peek().copied())
            .flatten();
        for line in [Some(line), next].into_iter().flatten() {
            let line: String = line.trim().chars().take(LINE_CHARS).collect();
            if !line.is_empty() && seen.insert(line.clone()) {
                found.push(line);
            }
        }
    }
    if found.len() > FIRST_LINES + LAST_LINES {
        found.drain(FIRST_LINES..found.len() - LAST_LINES);
    }
    found
}

/// Returns 16 hex digits: the same for the same command failing in the same way.
fn fingerprint(command: &str, ended: &CommandEnd, error_lines: &[String], all: &str) -> String {
    // Sorted and each once: tests that run in parallel report in any order.
    let mut lines: BTreeSet<String> = error_lines.iter().map(|line| normal(line)).collect();
    if lines.is_empty() {
        lines = all.lines().rev().take(20).map(normal).collect();
    }
    let ended = match ended {
        // The limit is the plan's, not the failure's.
        CommandEnd::TimedOut(_) => "timed out".to_owned(),
        ended => ended.to_string(),
    };
    let mut hash = Sha256::new();
    hash.update(format!("{command}\n{ended}\n"));
    for line in lines {
        hash.update(line + "\n");
    }
    hash.finalize()
        .iter()
        .take(8)
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// Returns a line without what changes from run to run.
fn normal(line: &str) -> String {
    let line = MOMENT.replace_all(line.trim(), "<time>");
    let line = DURATION.replace_all(&line, "<time>");
    let line = UUID.replace_all(&line, "<id>");
    let line = TEMPORARY.replace_all(&line, "<temp>");
    let line = DIRECTORIES.replace_all(&line, "$1");
    let line = NUMBER.replace_all(&line, "#");
    let line = HEX.replace_all(&line, |found: &regex::Captures<'_>| {
        // `defaced` is a word, `defaced0` is a hash.
        if found[0].contains(|c: char| c.is_ascii_digit()) {
            "<hex>".to_owned()
        } else {
            found[0].to_owned()
        }
    });
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Terminal sequences: CSI, OSC and the like, two-character escapes.
static TERMINAL: TextPattern = TextPattern::new(
    "\x1b(?:\\[[0-?]*[ -/]*[@-~]|[\\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\\\)?|[()*+#%][0-9A-Za-z]|[0-9=>A-Za-z])",
);

/// Lines of common compilers and test runners that name what is wrong.
static ERROR: TextPattern = TextPattern::new(concat!(
    r"(?:\b[Ee]rror\b|\bERROR\b|[A-Za-z](?:Error|Exception)\b|\bFAIL(?:ED|URES?)?\b|\b[Ff]ailed\b|\b[Ff]atal:|\bpanic(?:ked at|:)",
    r"|\b[Aa]ssert|^\s*(?:left|right):|^E\s|^\s*(?:-->|●|✕|✗|×|✘)\s|^\s*(?:Expected|Received|expected|actual|got|want)\b.*[:=]",
    r"|\b(?:undefined|undeclared|unresolved)\b|\bcannot (?:find|open|use)\b|[Nn]o such file|\bnot found\b|Segmentation fault|Traceback",
    r"|^\s*\S+\.[A-Za-z]{1,5}[:(]\d+[:,)].*\S)",
));

/// Lines that the pattern above takes for trouble although all is well.
static HARMLESS: TextPattern = TextPattern::new(
    r"^\s*(?:test .* \.\.\. (?:ok|ignored.*)|test result: ok.*|--- PASS.*|ok\s.*|[✓✔√].*|\S+ PASSED\b.*|\[… .*)$|\b(?:0|no) (?:errors?|failed|failures?)\b[^1-9]*$",
);

static MOMENT: TextPattern = TextPattern::new(
    r"\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?",
);
static DURATION: TextPattern = TextPattern::new(
    r"\b(?:\d+(?:\.\d+)?\s?(?:ns|µs|us|ms|seconds?|secs?|s|minutes?|mins?|m|hours?|h)\s?)+\b",
);
static UUID: TextPattern =
    TextPattern::new(r"\b[0-9A-Fa-f]{8}-(?:[0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}\b");
/// Names that temporary-file makers choose.
static TEMPORARY: TextPattern =
    TextPattern::new(r"\.?\btmp[.-]?[A-Za-z0-9_]{6,}\b|\bpytest-(?:of-\w+|\d+)\b|\bgo-build\d+\b");
/// The directories of an absolute path; its last part stays.
static DIRECTORIES: TextPattern =
    TextPattern::new(r#"(^|[\s'"`(\[=<,]|file://)/(?:[^/\s:'"`()\[\]<>,]+/)+"#);
/// Numbers that stand alone; `case_1` is a name.
static NUMBER: TextPattern = TextPattern::new(r"\b\d+(?:[.,_]\d+)*\b");
static HEX: TextPattern = TextPattern::new(r"\b(?:0x[0-9A-Fa-f]+|[0-9a-f]{7,64})\b");

#[cfg(test)]
mod tests;
