//! Folds the parser's events into a tree, within the limits.

use super::{
    Entry, Kind, MAX_DEPTH, MAX_NODES, MAX_YAML_BYTES, Node, Style, YamlError, YamlErrorKind,
    after_colon,
};
use crate::diagnostic::Span;
use granit_parser::{ErrorKind, Event, Parser, ScalarStyle, ScanError};
use std::collections::HashMap;

/// What one text holds.
pub(super) struct ParsedYaml {
    pub(super) root: Option<Node>,
    pub(super) errors: Vec<YamlError>,
}

/// Parses a text strictly.
pub(super) fn build(text: &str, base: usize) -> ParsedYaml {
    let mut builder = Builder {
        text,
        base,
        ..Builder::default()
    };
    if text.len() > MAX_YAML_BYTES {
        let message = format!(
            "YAML of {} bytes, the limit is {MAX_YAML_BYTES}",
            text.len()
        );
        builder.error(YamlErrorKind::TooLarge, message, 0..0);
    } else if builder.run().is_err() {
        builder.root = None;
    }
    ParsedYaml {
        root: builder.root,
        errors: builder.errors,
    }
}

/// Folds events into a tree; its own spans are offsets into `text`, without `base`.
#[derive(Default)]
struct Builder<'t> {
    text: &'t str,
    base: usize,
    open: Vec<OpenCollection>,
    root: Option<Node>,
    errors: Vec<YamlError>,
    nodes: usize,
    /// Where the last event ended: a block scalar's header lies behind it.
    last_end: usize,
}

/// A collection whose end has not been seen.
struct OpenCollection {
    start: usize,
    /// Whether a bracket delimits it; otherwise it ends with its last child.
    bracketed: bool,
    content: Content,
}

enum Content {
    Sequence(Vec<Node>),
    Mapping {
        entries: Vec<Entry>,
        seen: HashMap<String, Span>,
        key: Pending,
    },
}

/// The key of the value to come.
enum Pending {
    None,
    Key(String, Span),
    /// The key cannot be used: its value is read and dropped.
    Dropped,
}

enum Limit {
    Depth,
    Nodes,
}

/// Reading cannot go on; the error is noted.
struct Stopped;

impl<'t> Builder<'t> {
    fn run(&mut self) -> Result<(), Stopped> {
        let options = granit_parser::options! {
            emit_comments: false,
            emit_anchor_events: true,
            emit_unresolved_aliases: true,
            disallow_directives: true,
            flow_nesting_limit: MAX_DEPTH,
            block_nesting_limit: MAX_DEPTH,
        };
        let mut documents = 0;
        let text: &'t str = self.text;
        for result in Parser::new_from_str_with_options(text, options) {
            let (event, span) = result.map_err(|error| self.scan_error(&error))?;
            let range = span.byte_range().unwrap_or(self.last_end..self.last_end);
            if matches!(event, Event::DocumentStart(..)) {
                documents += 1;
                if documents > 1 {
                    self.unsupported("second document", range);
                    break;
                }
            }
            if let Some(tag) = span.tag_span().and_then(|tag| tag.byte_range()) {
                self.unsupported("tag", tag);
            }
            self.event(event, range.clone())
                .map_err(|limit| self.limit(limit, range))?;
        }
        Ok(())
    }

    fn event(&mut self, event: Event<'_>, range: Span) -> Result<(), Limit> {
        match event {
            Event::Scalar(text, style, ..) => {
                let node = self.scalar(text.into_owned(), style, range.clone());
                self.complete(node)?;
            }
            Event::Alias(_) | Event::UnresolvedAlias(_) => {
                self.unsupported("alias", range.clone());
                let text = self.text.get(range.clone()).unwrap_or_default().to_owned();
                let kind = Kind::Scalar {
                    text,
                    style: Style::Plain,
                };
                self.complete(Node {
                    span: self.shifted(&range),
                    kind,
                })?;
            }
            Event::SequenceStart(..) => self.open(&range, Content::Sequence(Vec::new()))?,
            Event::MappingStart(..) => {
                let (entries, seen) = (Vec::new(), HashMap::new());
                self.open(
                    &range,
                    Content::Mapping {
                        entries,
                        seen,
                        key: Pending::None,
                    },
                )?;
            }
            Event::SequenceEnd | Event::MappingEnd => self.close(&range)?,
            Event::Anchor(..) => {
                // Its range lies before the node just seen, so it must not move `last_end`.
                self.unsupported("anchor", range);
                return Ok(());
            }
            _ => {}
        }
        self.last_end = range.end;
        Ok(())
    }

    fn scalar(&mut self, text: String, style: ScalarStyle, range: Span) -> Node {
        let (text, style, range) = match style {
            // The parser writes an absent value as `~` with an empty range.
            ScalarStyle::Plain if range.is_empty() => (String::new(), Style::Plain, range),
            ScalarStyle::Plain => (text, Style::Plain, range),
            ScalarStyle::SingleQuoted => (text, Style::SingleQuoted, range),
            ScalarStyle::DoubleQuoted => (text, Style::DoubleQuoted, range),
            ScalarStyle::Literal => (text, Style::Literal, self.block_scalar(&range)),
            ScalarStyle::Folded => (text, Style::Folded, self.block_scalar(&range)),
        };
        Node {
            span: self.shifted(&range),
            kind: Kind::Scalar { text, style },
        }
    }

    /// Widens the range of a block scalar's content to its header, and drops blank last lines.
    fn block_scalar(&self, content: &Span) -> Span {
        let gap = self
            .text
            .get(self.last_end..content.start)
            .unwrap_or_default();
        let Some(header) = find_block_header(gap) else {
            return content.clone();
        };
        let start = self.last_end + header;
        let mut end = content.end;
        while let Some(line) = self
            .text
            .get(content.start..end)
            .and_then(|t| t.rfind('\n'))
        {
            let newline = content.start + line;
            if !self.text[newline..end].trim().is_empty() {
                break;
            }
            end = newline;
        }
        let body = self.text.get(content.start..end).unwrap_or_default();
        if body.trim().is_empty() {
            let indicators = self.text[start + 1..].bytes();
            let count = indicators
                .take_while(|b| matches!(b, b'0'..=b'9' | b'+' | b'-'))
                .count();
            return start..start + 1 + count;
        }
        start..end - usize::from(body.ends_with('\r'))
    }

    fn open(&mut self, range: &Span, content: Content) -> Result<(), Limit> {
        if self.open.len() >= MAX_DEPTH {
            return Err(Limit::Depth);
        }
        self.open.push(OpenCollection {
            start: range.start,
            bracketed: !range.is_empty(),
            content,
        });
        Ok(())
    }

    fn close(&mut self, range: &Span) -> Result<(), Limit> {
        let Some(open) = self.open.pop() else {
            return Ok(());
        };
        let (kind, last) = match open.content {
            Content::Sequence(items) => {
                let last = items.last().map(|item| item.span.end);
                (Kind::Sequence(items), last)
            }
            Content::Mapping { entries, .. } => {
                let last = entries.last().map(|entry| entry.value.span.end);
                (Kind::Mapping(entries), last)
            }
        };
        let start = open.start + self.base;
        let end = if open.bracketed {
            range.end + self.base
        } else {
            last.unwrap_or(start)
        };
        self.complete(Node {
            span: start..end.max(start),
            kind,
        })
    }

    /// Puts a finished node where it belongs: a key, a value, an item or the root.
    fn complete(&mut self, mut node: Node) -> Result<(), Limit> {
        self.nodes += 1;
        if self.nodes > MAX_NODES {
            return Err(Limit::Nodes);
        }
        let Some(open) = self.open.last_mut() else {
            self.root.get_or_insert(node);
            return Ok(());
        };
        match &mut open.content {
            Content::Sequence(items) => items.push(node),
            Content::Mapping { entries, key, .. } => match std::mem::replace(key, Pending::None) {
                Pending::None => self.key(node),
                Pending::Dropped => {}
                Pending::Key(key, key_span) => {
                    // A list of nothing keeps its place, and its items theirs.
                    if node.span.is_empty() && matches!(node.kind, Kind::Scalar { .. }) {
                        let after = after_colon(self.text, key_span.end - self.base) + self.base;
                        node.span = after..after;
                    }
                    entries.push(Entry {
                        key,
                        key_span,
                        value: node,
                    });
                }
            },
        }
        Ok(())
    }

    fn key(&mut self, node: Node) {
        let local = node.span.start - self.base..node.span.end - self.base;
        let (pending, error) = match node.kind {
            Kind::Scalar {
                text,
                style: Style::Plain,
            } if text == "<<" => (Pending::Dropped, Some("merge key")),
            Kind::Scalar { .. } if local.is_empty() => (Pending::Dropped, Some("empty key")),
            Kind::Scalar { text, .. } => (Pending::Key(text, node.span), None),
            _ => (Pending::Dropped, Some("non-scalar key")),
        };
        if let Some(what) = error {
            self.unsupported(what, local.clone());
        }
        let Some(Content::Mapping { seen, key, .. }) = self.open.last_mut().map(|o| &mut o.content)
        else {
            return;
        };
        *key = pending;
        let Pending::Key(text, span) = &*key else {
            return;
        };
        if let Some(first) = seen.get(text).cloned() {
            let message = format!("key `{}` is there twice", text.escape_debug());
            *key = Pending::Dropped;
            self.error(YamlErrorKind::DuplicateKey { first }, message, local);
        } else {
            seen.insert(text.clone(), span.clone());
        }
    }

    fn shifted(&self, range: &Span) -> Span {
        range.start + self.base..range.end + self.base
    }

    fn error(&mut self, kind: YamlErrorKind, message: String, range: Span) {
        let span = self.shifted(&range);
        self.errors.push(YamlError {
            kind,
            message,
            span,
        });
    }

    fn unsupported(&mut self, what: &'static str, range: Span) {
        let message =
            match what {
                "second document" => "only one YAML document can stand here".to_owned(),
                "alias" => "a YAML alias cannot be used here: quote a value that starts with `*`"
                    .to_owned(),
                "anchor" => "a YAML anchor cannot be used here: quote a value that starts with `&`"
                    .to_owned(),
                "tag" => {
                    "a YAML tag cannot be used here: quote a value that starts with `!`".to_owned()
                }
                "empty key" => "an empty key cannot be used here".to_owned(),
                _ => format!("a YAML {what} cannot be used here"),
            };
        self.error(YamlErrorKind::Unsupported(what), message, range);
    }

    fn limit(&mut self, limit: Limit, range: Span) -> Stopped {
        let (kind, message) = match limit {
            Limit::Depth => too_deep(),
            Limit::Nodes => (
                YamlErrorKind::TooLarge,
                format!("more than {MAX_NODES} YAML nodes"),
            ),
        };
        self.error(kind, message, range);
        Stopped
    }

    fn scan_error(&mut self, error: &ScanError) -> Stopped {
        let (kind, message) = match error.kind() {
            ErrorKind::RecursionLimitExceeded => too_deep(),
            ErrorKind::DirectiveDisallowed => {
                let message = "a YAML directive cannot be used here".to_owned();
                (YamlErrorKind::Unsupported("directive"), message)
            }
            _ => (YamlErrorKind::Syntax, error.info()),
        };
        let at = error
            .marker()
            .byte_offset()
            .unwrap_or(self.last_end)
            .min(self.text.len());
        let width = self.text.get(at..).and_then(|rest| rest.chars().next());
        let width = width
            .filter(|c| !matches!(c, '\r' | '\n'))
            .map_or(0, char::len_utf8);
        self.error(kind, message, at..at + width);
        Stopped
    }
}

fn too_deep() -> (YamlErrorKind, String) {
    (
        YamlErrorKind::TooDeep,
        format!("nested deeper than {MAX_DEPTH} levels"),
    )
}

/// Finds `|` or `>` in the text between two nodes, comments skipped.
fn find_block_header(gap: &str) -> Option<usize> {
    let (mut comment, mut before) = (false, b' ');
    for (at, byte) in gap.bytes().enumerate() {
        match byte {
            b'\n' => comment = false,
            b'#' if before.is_ascii_whitespace() => comment = true,
            b'|' | b'>' if !comment => return Some(at),
            _ => {}
        }
        before = byte;
    }
    None
}
