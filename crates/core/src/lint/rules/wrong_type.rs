//! `GW107`. See `wrong_type.md`.

use crate::lint::context::{FileCx, FileKind};
use crate::lint::finding_sink::FindingSink;
use crate::lint::one_meaning;
use crate::model::frontmatter::{Key, NoteKind, Owner, Shape};
use crate::model::verification::{SETTINGS, VerificationCommand};

pub(super) fn check(file: &FileCx<'_>, out: &mut FindingSink) {
    for note in file.notes.iter().filter(|n| n.kind == NoteKind::WrongType) {
        let driver = file
            .keys
            .iter()
            .any(|k| k.name == note.key && k.owner == Owner::Driver);
        let shape = shape_of(file, &note.key);
        let written = file.text.get(note.span.clone()).unwrap_or_default();
        let advice = || shape.and_then(|shape| advice(&note.key, &shape, written));
        let found = out
            .at(&file.path, note.span.clone(), &*note.message)
            .maybe_help(note.help.clone().or_else(advice))
            .only_warn_if(file.settled || driver);
        if let Some(meant) = shape.and_then(|shape| meant(&shape, written)) {
            let edits = vec![(note.span.clone(), meant.clone())];
            found.safe_fix(format!("write `{meant}`"), edits);
        }
    }
}

/// Returns what a key holds: one of the file's own, of a table in it, or of the graph.
fn shape_of(file: &FileCx<'_>, key: &str) -> Option<Shape> {
    fn below(keys: &'static [Key], name: &str) -> Option<Shape> {
        let own = keys.iter().find(|key| key.name == name);
        own.map(|key| key.shape).or_else(|| {
            keys.iter().find_map(|key| match key.shape {
                Shape::List(Shape::Table(inner)) => below(inner(), name),
                Shape::Table(inner) => below(inner(), name),
                _ => None,
            })
        })
    }
    below(file.keys, key).or(match (file.kind, key) {
        (FileKind::Plan, "depends_on") | (FileKind::Verification, "link") => {
            Some(Shape::List(&Shape::Text))
        }
        (FileKind::Plan, "gate") => Some(Shape::Integer),
        (FileKind::Plan, "id" | "file") | (FileKind::Verification, "setup") => Some(Shape::Text),
        (FileKind::Verification, set) if !SETTINGS.contains(&set) => Some(COMMANDS),
        _ => None,
    })
}

/// Keys whose text is a line for a shell.
const SHELL: [&str; 4] = ["command", "feature_oracle", "run", "setup"];

/// What a set of `verification.yml` is.
const COMMANDS: Shape = Shape::List(&Shape::Table(|| VerificationCommand::KEYS));

/// Returns the only thing that a value of another type can mean.
fn meant(shape: &Shape, written: &str) -> Option<String> {
    match shape {
        Shape::Duration => one_meaning::duration(written),
        Shape::Number => one_meaning::dollars(written),
        Shape::Integer => one_meaning::digits(written),
        // The commonest of all: `run: [ -f a.txt ]` is a test of the shell, not a list.
        Shape::Text if is_test_of_the_shell(written) => one_meaning::quoted(written),
        Shape::List(Shape::Text) if is_one_word(written) => Some(format!("[{written}]")),
        _ => None,
    }
}

fn is_test_of_the_shell(written: &str) -> bool {
    written.starts_with("[ ") && written.ends_with(" ]") && !written.contains(',')
}

fn is_one_word(written: &str) -> bool {
    !written.is_empty() && !written.contains([' ', '\n', ',', '[', '{', ':'])
}

/// Returns how a key's value is written.
fn advice(key: &str, shape: &Shape, written: &str) -> Option<String> {
    let is_line = matches!(shape, Shape::Text) && SHELL.contains(&key);
    if let Some(line) = is_line.then(|| one_meaning::joined(written)).flatten() {
        return Some(format!("write one line, as for a shell: `{key}: {line}`"));
    }
    Some(match shape {
        Shape::Text if written.starts_with(['[', '{']) => {
            format!("put the value in quotes, or it begins a list: `{key}: '{written}'`")
        }
        Shape::Text if written.starts_with("- ") => {
            format!("write one line, its parts joined: `{key}: \"first && second\"`")
        }
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
        Shape::List(Shape::Table(keys)) => {
            let needed = keys().iter().filter(|key| key.required);
            let needed: Vec<String> = needed.map(|key| format!("`{}: …`", key.name)).collect();
            format!(
                "write an item for each, `- ` before its first key: {}",
                needed.join(" and ")
            )
        }
        Shape::List(_) | Shape::OneOrMany(_) => {
            format!("write a list: `{key}: [one, two]`, or a line `- one` for each below the key")
        }
        Shape::Table(_) | Shape::Map(_) => {
            format!("write `name: value` lines below `{key}:`, each two spaces further in")
        }
        Shape::Any => return None,
    })
}
