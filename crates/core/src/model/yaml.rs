//! Spanned YAML 1.2 trees, built from granit-parser's events; no other module knows that crate.
//!
//! Scalars keep their text and their notation and are never resolved to numbers or booleans, so
//! that a rule can still see the difference between `no` and `"no"`. Spans are byte offsets into
//! the whole file: the caller passes where the YAML begins. A block scalar's span starts at its
//! `|` or `>` and ends with its last line that holds something; an absent value has an empty span
//! behind its colon.
//!
//! Deliberately absent: anchors, aliases, tags, merge keys, directives and further documents
//! (findings, not features), and serde, which stops at the first error and knows no spans.

mod builder;
mod repair;

use crate::diagnostic::Span;

/// The largest YAML text that is parsed.
pub const MAX_YAML_BYTES: usize = 512 << 10;
/// The deepest nesting of sequences and mappings that is parsed.
pub const MAX_DEPTH: usize = 64;
/// The most nodes, keys included, that one text may hold.
pub(crate) const MAX_NODES: usize = 100_000;

/// How a scalar is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Style {
    /// Without quotes, or absent altogether.
    Plain,
    /// `'…'`
    SingleQuoted,
    /// `"…"`
    DoubleQuoted,
    /// `|` and indented lines.
    Literal,
    /// `>` and indented lines.
    Folded,
}

/// A value and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// Bytes in the file.
    pub span: Span,
    /// What kind of thing it is.
    pub kind: Kind,
}

/// What a node is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// A single value, as text; an absent value is empty and plain.
    Scalar {
        /// The text, escapes and folding undone.
        text: String,
        /// How it is written.
        style: Style,
    },
    /// A list, in block or flow style.
    Sequence(Vec<Node>),
    /// Keys and values, in the order of the file, no key twice.
    Mapping(Vec<Entry>),
}

/// One key of a mapping and its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The key, its quotes removed.
    pub key: String,
    /// Bytes of the key, its quotes included.
    pub key_span: Span,
    /// The value; empty where the file gives none.
    pub value: Node,
}

impl Node {
    /// Returns whether the value is absent, `~` or `null`, unquoted.
    pub(crate) fn is_null(&self) -> bool {
        matches!(&self.kind, Kind::Scalar { text, style: Style::Plain }
            if matches!(text.as_str(), "" | "~" | "null" | "Null" | "NULL"))
    }

    /// Returns the text of a scalar.
    pub fn as_str(&self) -> Option<&str> {
        match &self.kind {
            Kind::Scalar { text, .. } => Some(text),
            _ => None,
        }
    }

    /// Returns the entry of that key, if this is a mapping and has it.
    pub fn get(&self, key: &str) -> Option<&Entry> {
        self.entries().iter().find(|entry| entry.key == key)
    }

    /// Returns the entries of a mapping; of anything else, none.
    pub fn entries(&self) -> &[Entry] {
        match &self.kind {
            Kind::Mapping(entries) => entries,
            _ => &[],
        }
    }

    /// Returns the items of a sequence; of anything else, none.
    pub fn items(&self) -> &[Node] {
        match &self.kind {
            Kind::Sequence(items) => items,
            _ => &[],
        }
    }

    /// Returns whether both hold the same data in the same notation, wherever they stand.
    pub(crate) fn same(&self, other: &Node) -> bool {
        match (&self.kind, &other.kind) {
            (Kind::Sequence(a), Kind::Sequence(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.same(b))
            }
            (Kind::Mapping(a), Kind::Mapping(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.same(b))
            }
            (a, b) => a == b,
        }
    }
}

impl Entry {
    /// Returns whether both hold the same key and the same value, wherever they stand.
    pub(crate) fn same(&self, other: &Entry) -> bool {
        self.key == other.key && self.value.same(&other.value)
    }
}

/// What is wrong with a YAML text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum YamlErrorKind {
    /// It is not YAML.
    Syntax,
    /// An unquoted value holds what only a quoted one may, such as `: `. It is read as it was
    /// meant, up to the end of its line.
    NeedsQuotes,
    /// A mapping has a key twice; the first one counts.
    DuplicateKey {
        /// Bytes of the first one.
        first: Span,
    },
    /// YAML that plans do without, named.
    Unsupported(&'static str),
    /// More than [`MAX_YAML_BYTES`], or more nodes than are read.
    TooLarge,
    /// Nested deeper than [`MAX_DEPTH`].
    TooDeep,
}

/// One thing wrong with a YAML text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct YamlError {
    /// What is wrong, for a program.
    pub(crate) kind: YamlErrorKind,
    /// What is wrong, for a user: a lowercase fragment.
    pub message: String,
    /// Bytes in the file.
    pub span: Span,
}

/// Parses one YAML text that starts at byte `base` of its file.
///
/// A text that is broken, too large or too deep has no tree: half of a plan is no plan. One with
/// a duplicate key, an unsupported feature or a value that needs quotes has a tree and errors. An
/// empty text has neither.
pub fn parse(text: &str, base: usize) -> (Option<Node>, Vec<YamlError>) {
    let mut parsed = builder::build(text, base);
    if let Some(repaired) = repair::repair(text, base, &parsed) {
        parsed = repaired;
    }
    (parsed.root, parsed.errors)
}

/// Returns the offset behind the colon that follows a key, or `end` where there is none.
pub(super) fn after_colon(text: &str, end: usize) -> usize {
    let rest = text.get(end..).unwrap_or_default();
    let spaces = rest.len() - rest.trim_start().len();
    if rest[spaces..].starts_with(':') {
        end + spaces + 1
    } else {
        end
    }
}

#[cfg(test)]
mod tests;
