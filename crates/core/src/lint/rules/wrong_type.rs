//! `GW107`. See `wrong_type.md`.

use crate::lint::context::FileCx;
use crate::lint::finding_sink::FindingSink;
use crate::model::frontmatter::{NoteKind, Owner, Shape};

pub(super) fn check(file: &FileCx<'_>, out: &mut FindingSink) {
    for note in file.notes.iter().filter(|n| n.kind == NoteKind::WrongType) {
        let driver = file
            .keys
            .iter()
            .any(|k| k.name == note.key && k.owner == Owner::Driver);
        out.at(&file.path, note.span.clone(), &*note.message)
            .maybe_help(note.help.clone().or_else(|| advice(file, &note.key)))
            .only_warn_if(file.settled || driver);
    }
}

/// Returns how a key's value is written.
fn advice(file: &FileCx<'_>, key: &str) -> Option<String> {
    let known = file.keys.iter().find(|known| known.name == key)?;
    Some(match &known.shape {
        Shape::Text => format!("write one line of text: `{key}: \"…\"`"),
        Shape::Integer => format!("write digits alone, without a unit: `{key}: 3`"),
        Shape::Number => {
            format!("write a number alone, without a unit or a sign of money: `{key}: 1.50`")
        }
        Shape::Bool => format!("write `{key}: true` or `{key}: false`"),
        Shape::Duration => format!("write hours, minutes and seconds, as in `{key}: 1h30m`"),
        Shape::OneOf(words) => format!("write one of {}", words().join(", ")),
        Shape::Agent | Shape::OneOrMany(Shape::Agent) => format!(
            "write an agent, or a list of them: `{key}: [{{claude: opus}}, {{codex: gpt-5-codex, effort: high}}]`"
        ),
        Shape::List(_) | Shape::OneOrMany(_) => {
            format!("write a list: `{key}: [one, two]`, or a line `- one` for each below the key")
        }
        Shape::Table(_) | Shape::Map(_) => {
            format!("write `name: value` lines below `{key}:`, each two spaces further in")
        }
        Shape::Any => return None,
    })
}
