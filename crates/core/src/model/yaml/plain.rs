//! Reads the YAML that plans are mostly written in, without a parser for all of YAML.
//!
//! Printable ASCII, block mappings and sequences, one-line scalars, flow lists of plain words. What
//! is anything else, or wrong, is not for this reader: it returns nothing and the text is parsed
//! strictly. So it never reports an error, and what it returns is to the byte what the strict
//! parser returns; a property test holds the two together.

use super::{Entry, Kind, MAX_NODES, Node, Style};
use crate::diagnostic::Span;

/// Deeper plans than these are left to the strict parser, which counts its own depth.
const MAX_PLAIN_DEPTH: usize = 16;
/// Longer keys are an error elsewhere.
const MAX_KEY: usize = 128;
/// Keys are compared with each other, so a mapping of more than these is left to the strict parser.
const MAX_KEYS: usize = 256;

/// Returns the tree of a text, if it is as simple as that.
pub(super) fn read(text: &str, base: usize) -> Option<Node> {
    let printable = |b: u8| b == b'\n' || (b' '..=b'~').contains(&b);
    if !text.bytes().all(printable) {
        return None;
    }
    let mut reader = PlainReader {
        text,
        base,
        at: 0,
        nodes: 0,
    };
    let first = reader.line()?;
    let is_root = first.indent == 0 && !first.is_item();
    let root = is_root.then(|| reader.mapping(0, 0, 0))??;
    reader.line().is_none().then_some(root)
}

/// A line that holds something.
#[derive(Clone, Copy)]
struct Line<'t> {
    /// Where it begins, in the text.
    start: usize,
    /// How many spaces it begins with.
    indent: usize,
    /// What it holds behind them, blanks at its end removed.
    content: &'t str,
    /// Where the next line begins.
    next: usize,
}

impl Line<'_> {
    fn is_item(&self) -> bool {
        self.content.starts_with("- ")
    }
}

struct PlainReader<'t> {
    text: &'t str,
    base: usize,
    at: usize,
    nodes: usize,
}

impl<'t> PlainReader<'t> {
    /// Returns the next line that is not blank and not a comment; does not go on to it.
    fn line(&mut self) -> Option<Line<'t>> {
        loop {
            let rest = self.text.get(self.at..).filter(|rest| !rest.is_empty())?;
            let length = rest.find('\n').unwrap_or(rest.len());
            let line = rest[..length].trim_end_matches(' ');
            let content = line.trim_start_matches(' ');
            let next = (self.at + length + 1).min(self.text.len());
            if content.is_empty() || content.starts_with('#') {
                self.at = next;
                continue;
            }
            let (start, indent) = (self.at, line.len() - content.len());
            return Some(Line {
                start,
                indent,
                content,
                next,
            });
        }
    }

    /// Reads a mapping whose keys stand `indent` spaces from the beginning of their lines; the first
    /// one may stand behind a dash, `skip` bytes into what its line holds.
    fn mapping(&mut self, indent: usize, skip: usize, depth: usize) -> Option<Node> {
        let mut entries: Vec<Entry> = Vec::new();
        let mut skip = skip;
        while let Some(line) = self.line() {
            if line.indent + skip < indent
                || (line.indent + skip == indent && line.is_item() && skip == 0)
            {
                break;
            }
            if line.indent + skip > indent {
                return None;
            }
            let content = &line.content[skip..];
            let start = line.start + line.indent + skip;
            let key = content.bytes().position(|b| !is_key_byte(b))?;
            let is_key = (1..=MAX_KEY).contains(&key) && !content.starts_with('-');
            let rest = content[key..].strip_prefix(':').filter(|_| is_key)?;
            let (name, key_span) = (&content[..key], self.span(start..start + key));
            if entries.len() >= MAX_KEYS || entries.iter().any(|entry| entry.key == name) {
                return None;
            }
            let value = rest.trim_start_matches(' ');
            if value.len() == rest.len() && !rest.is_empty() {
                return None;
            }
            self.at = line.next;
            let value = if value.is_empty() || value.starts_with('#') {
                self.below(indent, start + key + 1, depth)?
            } else {
                let node = self.value(value, start + content.len() - value.len())?;
                self.no_continuation(indent)?;
                node
            };
            self.count()?;
            entries.push(Entry {
                key: name.to_owned(),
                key_span,
                value,
            });
            skip = 0;
        }
        let start = entries.first()?.key_span.start;
        let end = entries.last()?.value.span.end;
        self.count()?;
        Some(Node {
            span: start..end.max(start),
            kind: Kind::Mapping(entries),
        })
    }

    /// Reads what stands on the lines below a key, or nothing.
    fn below(&mut self, indent: usize, after: usize, depth: usize) -> Option<Node> {
        if depth >= MAX_PLAIN_DEPTH {
            return None;
        }
        match self.line() {
            Some(line) if line.is_item() && line.indent >= indent => {
                let mut list = self.sequence(line.indent, depth + 1)?;
                // The strict parser sees no dash where a list stands right below its key.
                if line.indent == indent {
                    list.span.start = list.items().first()?.span.start;
                }
                Some(list)
            }
            Some(line) if line.indent > indent => self.mapping(line.indent, 0, depth + 1),
            _ => {
                self.count()?;
                let kind = Kind::Scalar {
                    text: String::new(),
                    style: Style::Plain,
                };
                let span = self.span(after..after);
                Some(Node { span, kind })
            }
        }
    }

    fn sequence(&mut self, indent: usize, depth: usize) -> Option<Node> {
        let mut items: Vec<Node> = Vec::new();
        let mut start = 0;
        while let Some(line) = self.line() {
            if line.indent < indent || (line.indent == indent && !line.is_item()) {
                break;
            }
            if line.indent > indent {
                return None;
            }
            if items.is_empty() {
                start = line.start + line.indent;
            }
            let item = line.content[1..].trim_start_matches(' ');
            let skip = line.content.len() - item.len();
            if item.starts_with("- ") || item == "-" {
                return None;
            }
            let is_mapping = item
                .bytes()
                .position(|b| !is_key_byte(b))
                .is_some_and(|key| item[key..].starts_with(": ") || &item[key..] == ":");
            items.push(if is_mapping {
                if depth >= MAX_PLAIN_DEPTH {
                    return None;
                }
                self.mapping(indent + skip, skip, depth + 1)?
            } else {
                self.at = line.next;
                let node = self.value(item, line.start + indent + skip)?;
                self.no_continuation(indent)?;
                node
            });
        }
        self.count()?;
        let end = items.last()?.span.end;
        Some(Node {
            span: start + self.base..end,
            kind: Kind::Sequence(items),
        })
    }

    /// A scalar may go on on deeper lines, which is not simple any more.
    fn no_continuation(&mut self, indent: usize) -> Option<()> {
        let line = self.line();
        line.is_none_or(|line| line.indent <= indent).then_some(())
    }

    /// Reads a value that begins and ends on its line; `at` is where it begins.
    fn value(&mut self, text: &str, at: usize) -> Option<Node> {
        self.count()?;
        let quote = text.chars().next()?;
        match quote {
            '"' | '\'' => {
                let inner = &text[1..];
                let end = inner.find(quote)?;
                let (inner, behind) = (&inner[..end], &inner[end + 1..]);
                let rest = behind.trim_start_matches(' ');
                let ends = rest.is_empty() || (rest.starts_with('#') && rest.len() < behind.len());
                if !ends || inner.contains('\\') && quote == '"' {
                    return None;
                }
                let style = match quote {
                    '"' => Style::DoubleQuoted,
                    _ => Style::SingleQuoted,
                };
                Some(self.scalar(inner, style, at..at + end + 2))
            }
            '[' => self.flow_list(text, at),
            _ => {
                let value = match text.find(" #") {
                    Some(comment) => text[..comment].trim_end_matches(' '),
                    None => text,
                };
                let is_plain = !b"-?:,[]{}#&*!|>'\"%@`=".contains(&text.as_bytes()[0])
                    && !value.contains(": ")
                    && !value.ends_with(':');
                is_plain.then(|| self.scalar(value, Style::Plain, at..at + value.len()))
            }
        }
    }

    /// Reads `[a, b.c]` and `[]`.
    fn flow_list(&mut self, text: &str, at: usize) -> Option<Node> {
        let end = text.find(']')?;
        let behind = &text[end + 1..];
        let rest = behind.trim_start_matches(' ');
        if !(rest.is_empty() || (rest.starts_with('#') && rest.len() < behind.len())) {
            return None;
        }
        let mut items = Vec::new();
        let mut from = 1;
        while from < end && !text[from..end].bytes().all(|b| b == b' ') {
            let length = text[from..end].find(',').unwrap_or(end - from);
            let part = &text[from..from + length];
            let word = part.trim_matches(' ');
            let is_word = |b: u8| b.is_ascii_alphanumeric() || b"_./-".contains(&b);
            if word.is_empty() || word.starts_with('-') || !word.bytes().all(is_word) {
                return None;
            }
            let start = at + from + part.find(word)?;
            self.count()?;
            items.push(self.scalar(word, Style::Plain, start..start + word.len()));
            from += length + 1;
        }
        Some(Node {
            span: self.span(at..at + end + 1),
            kind: Kind::Sequence(items),
        })
    }

    fn scalar(&self, text: &str, style: Style, span: Span) -> Node {
        Node {
            span: self.span(span),
            kind: Kind::Scalar {
                text: text.to_owned(),
                style,
            },
        }
    }

    fn span(&self, local: Span) -> Span {
        local.start + self.base..local.end + self.base
    }

    /// Counts a node; as many as are too many are left to the strict parser to refuse.
    fn count(&mut self) -> Option<()> {
        self.nodes += 1;
        (self.nodes < MAX_NODES).then_some(())
    }
}

fn is_key_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}
