//! Typed frontmatter: one declaration of a key gives its field, its type, its owner and its page.
//!
//! `front!` turns a list of keys into a struct of optional spanned values, a table of `Key`s
//! (what lint, completion, hover and the JSON schemas read) and the reader that fills it. Reading
//! never fails: what does not fit becomes a `Note` with a span and the field stays empty.

mod nearest;
mod reading_note;
mod scalars;
mod word_synonyms;

use super::look_alikes;
use super::status_machine::Word;
use super::yaml::{Kind, Node};
use crate::diagnostic::Span;
pub(in crate::model) use nearest::meant;
pub use nearest::nearest;
pub use reading_note::{Note, NoteKind};
pub use scalars::{Raw, parse_duration, show_duration};
pub(in crate::model) use word_synonyms::meant_word;

/// A value with the bytes it stands in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spanned<T> {
    /// The value as read.
    pub value: T,
    /// Bytes of the value in its file.
    pub span: Span,
}

/// Who may write a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Owner {
    /// The user who plans.
    Author,
    /// The session of the unit, in its own file.
    Session,
    /// The driver, in a landing or bookkeeping commit.
    Driver,
}

/// What a value looks like: for messages, completion and the JSON schemas.
#[derive(Debug, Clone, Copy)]
pub enum Shape {
    /// Any scalar, read as text.
    Text,
    /// A whole number, zero or more.
    Integer,
    /// A finite number.
    Number,
    /// `true` or `false`.
    Bool,
    /// `90s`, `15m`, `1h30m`.
    Duration,
    /// One of these words.
    OneOf(fn() -> Vec<&'static str>),
    /// A list of these.
    List(&'static Shape),
    /// One, or a list of them.
    OneOrMany(&'static Shape),
    /// A mapping with these keys.
    Table(fn() -> &'static [Key]),
    /// A mapping from names the author chooses to values of one shape.
    Map(&'static Shape),
    /// An agent, alone or with what it is asked for.
    Agent,
    /// Anything: the key is kept, not read.
    Any,
}

/// One key of frontmatter or of a YAML file.
#[derive(Debug, Clone, Copy)]
pub struct Key {
    /// As written in the file.
    pub name: &'static str,
    /// What its value may be.
    pub shape: Shape,
    /// Whether a file without it is incomplete.
    pub required: bool,
    /// Who may write it.
    pub owner: Owner,
    /// What it means, one line.
    pub doc: &'static str,
}

/// A type that a YAML node can be read as.
pub trait FromYaml: Sized {
    /// What it looks like.
    const SHAPE: Shape;

    /// Reads it, or notes why not.
    fn from_yaml(node: &Node, key: &str, notes: &mut Vec<Note>) -> Option<Self>;
}

/// Adds a wrong-type note and returns nothing.
pub(crate) fn wrong_type<T>(
    node: &Node,
    key: &str,
    want: &str,
    notes: &mut Vec<Note>,
) -> Option<T> {
    let found = match &node.kind {
        _ if node.is_null() => "nothing".to_owned(),
        Kind::Scalar { text, .. } => format!("`{}`", shorten(text)),
        Kind::Sequence(_) => "a list".to_owned(),
        Kind::Mapping(_) => "a mapping".to_owned(),
    };
    notes.push(Note {
        kind: NoteKind::WrongType,
        key: key.to_owned(),
        message: format!("`{key}` must be {want}, found {found}"),
        help: None,
        span: node.span.clone(),
    });
    None
}

fn shorten(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    if line.chars().count() <= 40 {
        return line.to_owned();
    }
    line.chars().take(39).chain(['…']).collect()
}

impl<T: FromYaml> FromYaml for Vec<Spanned<T>> {
    const SHAPE: Shape = Shape::List(&T::SHAPE);

    fn from_yaml(node: &Node, key: &str, notes: &mut Vec<Note>) -> Option<Self> {
        match &node.kind {
            Kind::Sequence(items) => {
                let items = within(items, node, key, notes);
                if let Some(item) = items.iter().find(|i| is_no_table(i, &T::SHAPE)) {
                    return wrong_type(item, key, "a list of mappings", notes);
                }
                Some(read_items(items, key, notes))
            }
            _ => wrong_type(node, key, "a list", notes),
        }
    }
}

/// One value, or a list of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OneOrMany<T>(pub Vec<Spanned<T>>);

impl<T: FromYaml> FromYaml for OneOrMany<T> {
    const SHAPE: Shape = Shape::OneOrMany(&T::SHAPE);

    fn from_yaml(node: &Node, key: &str, notes: &mut Vec<Note>) -> Option<Self> {
        Some(OneOrMany(match &node.kind {
            Kind::Sequence(items) => read_items(within(items, node, key, notes), key, notes),
            Kind::Mapping(_) if matches!(T::SHAPE, Shape::Text) => {
                return wrong_type(node, key, "text, or a list of it", notes);
            }
            _ => read_items(std::slice::from_ref(node), key, notes),
        }))
    }
}

/// Returns whether an item of a list of mappings is none.
fn is_no_table(item: &Node, shape: &Shape) -> bool {
    matches!(shape, Shape::Table(_)) && !matches!(item.kind, Kind::Mapping(_))
}

/// The most values of one list that are read; each may be held against every other.
pub(crate) const MAX_ITEMS: usize = 256;

/// Returns as much of a list as is read, and notes the rest.
pub(super) fn within<'n>(
    items: &'n [Node],
    node: &Node,
    key: &str,
    notes: &mut Vec<Note>,
) -> &'n [Node] {
    if items.len() > MAX_ITEMS {
        notes.push(Note {
            kind: NoteKind::WrongType,
            key: key.to_owned(),
            message: format!(
                "`{key}` has {} values, the limit is {MAX_ITEMS}",
                items.len()
            ),
            help: None,
            span: node.span.start..node.span.start,
        });
    }
    &items[..items.len().min(MAX_ITEMS)]
}

fn read_items<T: FromYaml>(items: &[Node], key: &str, notes: &mut Vec<Note>) -> Vec<Spanned<T>> {
    items
        .iter()
        .filter_map(|item| {
            let value = T::from_yaml(item, key, notes)?;
            Some(Spanned {
                value,
                span: item.span.clone(),
            })
        })
        .collect()
}

/// Reads a word of a closed set.
pub(crate) fn read_word<W: Word>(node: &Node, key: &str, notes: &mut Vec<Note>) -> Option<W> {
    let Some(text) = node.as_str().filter(|_| !node.is_null()) else {
        return wrong_type(
            node,
            key,
            &format!("one of {}", W::words().join(", ")),
            notes,
        );
    };
    W::from_word(text).or_else(|| {
        notes.push(Note {
            kind: NoteKind::UnknownWord,
            key: key.to_owned(),
            message: format!("`{}` is not a value of `{key}`", shorten(text)),
            // Of words that mean the same, only the first is ever written.
            help: Some(match meant_word(text, &W::words()).and_then(W::from_word) {
                Some(meant) => format!("did you mean `{}`?", meant.word()),
                None => format!("use one of {}", W::words().join(", ")),
            }),
            span: node.span.clone(),
        });
        None
    })
}

/// Makes a set of words readable from YAML.
macro_rules! word_from_yaml {
    ($($type:ty),+ $(,)?) => {$(
        impl $crate::model::frontmatter::FromYaml for $type {
            const SHAPE: $crate::model::frontmatter::Shape = $crate::model::frontmatter::Shape::OneOf(
                <$type as $crate::model::status_machine::Word>::words,
            );

            fn from_yaml(
                node: &$crate::model::yaml::Node,
                key: &str,
                notes: &mut Vec<$crate::model::frontmatter::Note>,
            ) -> Option<Self> {
                $crate::model::frontmatter::read_word(node, key, notes)
            }
        }
    )+};
}
pub(crate) use word_from_yaml;

word_from_yaml!(
    super::status_machine::UnitStatus,
    super::status_machine::GateStatus,
    super::status_machine::FeatureStatus
);

/// Notes every entry of a mapping whose key nobody knows.
pub(crate) fn note_unknown_keys(node: &Node, keys: &[Key], kept: &[&str], notes: &mut Vec<Note>) {
    for entry in node.entries() {
        if keys.iter().any(|k| k.name == entry.key) || kept.contains(&entry.key.as_str()) {
            continue;
        }
        // Nobody means twenty thousand keys: behind the first hundred there is no guessing.
        let guess = || meant(&entry.key, keys.iter().map(|k| k.name));
        let words = |near| format!("did you mean `{near}`?");
        let help = || guess().map(words).or_else(|| listed(keys));
        notes.push(Note {
            kind: NoteKind::UnknownKey,
            key: entry.key.clone(),
            message: format!("unknown key `{}`", look_alikes::shown(&shorten(&entry.key))),
            help: (notes.len() < 100).then(help).flatten(),
            span: entry.key_span.clone(),
        });
    }
}

/// Returns what the keys of a small table are.
fn listed(keys: &[Key]) -> Option<String> {
    let names: Vec<&str> = keys.iter().map(|key| key.name).collect();
    (names.len() <= 12).then(|| format!("its keys: {}", names.join(", ")))
}

/// Declares a mapping: fields, key table and reader in one place.
///
/// `name = "written_name": Type [Owner]` or `[Owner required]`; the doc comment is the key's page.
macro_rules! front {
    (
        $(#[$meta:meta])*
        pub struct $struct:ident keeps $kept:expr => {
            $( #[doc = $doc:literal] $field:ident = $name:literal : $type:ty [$owner:ident $($required:ident)?] , )*
        }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Default, PartialEq)]
        pub struct $struct {
            $( #[doc = $doc] pub $field: Option<$crate::model::frontmatter::Spanned<$type>>, )*
        }

        impl $struct {
            /// Every key, in the order of the reference.
            pub const KEYS: &'static [$crate::model::frontmatter::Key] = &[$(
                $crate::model::frontmatter::Key {
                    name: $name,
                    shape: <$type as $crate::model::frontmatter::FromYaml>::SHAPE,
                    required: $crate::model::frontmatter::front!(@required $($required)?),
                    owner: $crate::model::frontmatter::Owner::$owner,
                    doc: $doc.trim_ascii(),
                },
            )*];

            /// Reads the mapping; what does not fit is noted.
            pub fn read(
                node: &$crate::model::yaml::Node,
                notes: &mut Vec<$crate::model::frontmatter::Note>,
            ) -> Self {
                let mut this = Self::default();
                for entry in node.entries() {
                    match entry.key.as_str() {
                        $( $name => {
                            this.$field = <$type as $crate::model::frontmatter::FromYaml>::from_yaml(
                                &entry.value, $name, notes,
                            )
                            .map(|value| $crate::model::frontmatter::Spanned {
                                value,
                                span: entry.value.span.clone(),
                            });
                        } )*
                        _ => {}
                    }
                }
                $crate::model::frontmatter::note_unknown_keys(node, Self::KEYS, $kept, notes);
                $crate::model::frontmatter::note_missing_keys(node, Self::KEYS, notes);
                this
            }
        }
    };
    (@required required) => { true };
    (@required) => { false };
}
pub(crate) use front;

/// Notes every required key that is absent, or holds an empty text.
pub(crate) fn note_missing_keys(node: &Node, keys: &[Key], notes: &mut Vec<Note>) {
    for key in keys
        .iter()
        .filter(|k| k.required && node.get(k.name).is_none())
    {
        notes.push(Note {
            kind: NoteKind::MissingKey,
            key: key.name.to_owned(),
            message: format!("missing key `{}`", key.name),
            help: Some(key.doc.to_owned()),
            span: node.span.start..node.span.start,
        });
    }
    let required = |name: &str| keys.iter().find(|k| k.required && k.name == name);
    for entry in node.entries() {
        let value = &entry.value;
        let is_empty =
            !value.is_null() && value.as_str().is_some_and(|text| text.trim().is_empty());
        if let Some(key) = required(&entry.key).filter(|_| is_empty) {
            notes.push(Note {
                kind: NoteKind::MissingKey,
                key: key.name.to_owned(),
                message: format!("`{}` is empty", key.name),
                help: Some(key.doc.to_owned()),
                span: value.span.clone(),
            });
        }
    }
}

/// Makes a struct made by `front!` usable as a nested value.
macro_rules! table_from_yaml {
    ($($struct:ty),+ $(,)?) => {$(
        impl $crate::model::frontmatter::FromYaml for $struct {
            const SHAPE: $crate::model::frontmatter::Shape =
                $crate::model::frontmatter::Shape::Table(|| <$struct>::KEYS);

            fn from_yaml(
                node: &$crate::model::yaml::Node,
                key: &str,
                notes: &mut Vec<$crate::model::frontmatter::Note>,
            ) -> Option<Self> {
                match &node.kind {
                    $crate::model::yaml::Kind::Mapping(_) => Some(<$struct>::read(node, notes)),
                    _ => $crate::model::frontmatter::wrong_type(node, key, "a mapping", notes),
                }
            }
        }
    )+};
}
pub(crate) use table_from_yaml;
