//! One thing that completes what is being written.

use gatewalk_core::model::frontmatter::{Key, Shape};

/// The kinds of the protocol.
pub(super) const PROPERTY: u32 = 10;
pub(super) const VALUE: u32 = 12;
pub(super) const FILE: u32 = 17;
pub(super) const REFERENCE: u32 = 18;

pub(super) struct CompletionItem {
    pub(super) label: String,
    pub(super) kind: u32,
    pub(super) detail: String,
    pub(super) insert: String,
}

impl CompletionItem {
    pub(super) fn plain(kind: u32, label: &str, detail: impl Into<String>) -> CompletionItem {
        CompletionItem {
            label: label.to_owned(),
            kind,
            detail: detail.into(),
            insert: label.to_owned(),
        }
    }

    pub(super) fn key(key: &Key) -> CompletionItem {
        let insert = match key.shape {
            Shape::List(_) | Shape::Table(_) | Shape::Map(_) => format!("{}:", key.name),
            _ => format!("{}: ", key.name),
        };
        let detail = if key.required {
            format!("required: {}", key.doc)
        } else {
            key.doc.to_owned()
        };
        CompletionItem {
            insert,
            ..CompletionItem::plain(PROPERTY, key.name, detail)
        }
    }
}
