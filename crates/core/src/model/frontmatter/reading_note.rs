//! What was wrong with a key or a value that was read.

use crate::diagnostic::Span;

/// Why a value or a key was not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NoteKind {
    /// A required key is missing; the span is the frontmatter's first line.
    MissingKey,
    /// Nobody knows this key.
    UnknownKey,
    /// Nobody knows this key of the graph: what it was to say of gates, units and edges is lost.
    UnknownGraphKey,
    /// The value has another type.
    WrongType,
    /// The word is not one of the known ones.
    UnknownWord,
}

/// What was wrong with one key or value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// What kind of trouble it is.
    pub(crate) kind: NoteKind,
    /// The key concerned, as written.
    pub(crate) key: String,
    /// What is wrong, a lowercase fragment.
    pub message: String,
    /// The nearest known name, or how to write it.
    pub(crate) help: Option<String>,
    /// The place of it in the file.
    pub span: Span,
}

impl Note {
    /// Returns the known name that an unknown key or word means.
    pub(crate) fn meant(&self) -> Option<&str> {
        let help = self.help.as_deref()?.strip_prefix("did you mean `")?;
        help.split('`').next()
    }
}
