//! An entry of a fallback chain: an agent's name, with the model and the effort that it alone is asked for.

use super::frontmatter::{FromYaml, Note, NoteKind, Shape, word_from_yaml, wrong_type};
use super::status_machine::words;
use super::yaml::{Kind, Node};
use crate::diagnostic::Span;

/// `codex`, `{codex: gpt-5-codex}`, `{codex: gpt-5-codex, effort: high}` or
/// `{agent: codex, effort: high}`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentEntry {
    /// The agent as the plan or the user names it.
    pub agent: String,
    /// Where the name stands.
    pub(crate) name_span: Span,
    /// The model, in the agent's own words.
    pub model: Option<ModelName>,
    /// How much thought the session is asked for.
    pub effort: Option<Effort>,
}

/// How much thought a session is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Effort {
    /// The least that the program offers.
    Low,
    /// What is usual for the program.
    Medium,
    /// More than is usual for it.
    High,
    /// Much more than is usual for it.
    Xhigh,
    /// All that the program offers.
    Max,
}

words!(Effort {
    "low" => Effort::Low,
    "medium" => Effort::Medium,
    "high" => Effort::High,
    "xhigh" => Effort::Xhigh,
    "max" => Effort::Max,
});

word_from_yaml!(Effort);

/// The name of a model, in an agent's own words. A program is handed it behind an option, and some take what begins with a dash
/// there for another option, which a repository may not give.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelName(String);

impl std::ops::Deref for ModelName {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl FromYaml for ModelName {
    const SHAPE: Shape = Shape::Text;

    fn from_yaml(node: &Node, key: &str, notes: &mut Vec<Note>) -> Option<Self> {
        let name = text_of(node, key, notes)?;
        if name.starts_with('-') {
            return wrong_type(
                node,
                key,
                "the name of a model, which begins with no dash",
                notes,
            );
        }
        Some(ModelName(name))
    }
}

/// Reads a name, which says something.
fn text_of(node: &Node, key: &str, notes: &mut Vec<Note>) -> Option<String> {
    let text = String::from_yaml(node, key, notes)?;
    if text.trim().is_empty() {
        notes.push(Note {
            kind: NoteKind::WrongType,
            key: key.to_owned(),
            message: format!("`{key}` is empty"),
            help: Some("name one, or leave the key out for the default".to_owned()),
            span: node.span.clone(),
        });
        return None;
    }
    Some(text)
}

impl FromYaml for AgentEntry {
    const SHAPE: Shape = Shape::Agent;

    fn from_yaml(node: &Node, key: &str, notes: &mut Vec<Note>) -> Option<Self> {
        let Kind::Mapping(_) = node.kind else {
            return Some(AgentEntry {
                agent: text_of(node, key, notes)?,
                name_span: node.span.clone(),
                model: None,
                effort: None,
            });
        };
        let (mut name, mut model, mut effort) = (None, None, None);
        for entry in node.entries() {
            let value = &entry.value;
            match &*entry.key {
                "effort" => effort = Effort::from_yaml(value, "effort", notes),
                "model" => model = ModelName::from_yaml(value, "model", notes),
                "agent" if name.is_none() => {
                    let agent = text_of(value, "agent", notes)?;
                    name = Some((agent, value.span.clone()));
                }
                agent if name.is_none() => {
                    name = Some((agent.to_owned(), entry.key_span.clone()));
                    // `{codex: , effort: high}` names no model.
                    if !value.is_null() {
                        model = ModelName::from_yaml(value, agent, notes);
                    }
                }
                _ => name = None,
            }
            if name.is_none() && !matches!(&*entry.key, "effort" | "model") {
                break;
            }
        }
        let Some((agent, name_span)) = name else {
            let want = "an agent, or `{agent: model, effort: high}` of one agent";
            return wrong_type(node, key, want, notes);
        };
        Some(AgentEntry {
            agent,
            name_span,
            model,
            effort,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::frontmatter::OneOrMany;
    use crate::model::yaml;

    #[test]
    fn an_entry_is_a_name_or_a_name_with_what_it_is_asked_for() {
        for (text, want) in [
            ("claude", "claude - -"),
            ("[claude, codex]", "claude - -, codex - -"),
            ("{claude: opus}", "claude opus -"),
            (
                "[{claude: opus}, {codex: gpt-5-codex, effort: high}]",
                "claude opus -, codex gpt-5-codex high",
            ),
            ("[{effort: low, codex: x}]", "codex x low"),
            ("[{codex: null, effort: max}]", "codex - max"),
            ("[{agent: codex, effort: max}]", "codex - max"),
            ("[{agent: codex, model: x}]", "codex x -"),
            ("[{claude: 5}]", "claude 5 -"),
            ("[{claude: opus, codex: x}]", "! must be an agent"),
            ("[{effort: high}]", "! must be an agent"),
            ("[{claude: [a]}]", "claude - - !"),
            ("[{claude: --help}]", "claude - - !"),
            ("[{claude: opus, effort: hig}]", "claude opus - !"),
            ("[[claude]]", "!"),
        ] {
            let (node, errors) = yaml::parse(text, 0);
            assert!(errors.is_empty(), "{text}");
            let mut notes = Vec::new();
            let node = node.expect("a value");
            let list = OneOrMany::<AgentEntry>::from_yaml(&node, "agent", &mut notes);
            let entries = list.into_iter().flat_map(|list| list.0).map(|entry| {
                let effort = entry.value.effort.map_or("-".to_owned(), |e| e.to_string());
                let model = entry.value.model.map_or("-".to_owned(), |m| m.to_string());
                format!("{} {model} {effort}", entry.value.agent)
            });
            let mut got = entries.collect::<Vec<_>>().join(", ");
            got += if notes.is_empty() { "" } else { " !" };
            match want.split_once("! ") {
                Some(("", message)) => {
                    assert!(notes[0].message.contains(message), "{text}: {notes:?}");
                }
                _ => assert_eq!(got.trim(), want, "{text}: {notes:?}"),
            }
        }
    }

    #[test]
    fn a_name_is_found_where_it_stands() {
        let text = "[{codex: gpt-5, effort: high}]";
        let (node, _) = yaml::parse(text, 0);
        let list =
            OneOrMany::<AgentEntry>::from_yaml(&node.unwrap(), "agent", &mut vec![]).unwrap();
        assert_eq!(&text[list.0[0].value.name_span.clone()], "codex");
    }
}
