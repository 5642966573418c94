//! `notify` as the user writes it.

use super::Notify;
use super::channels::Channel;
use gatewalk_core::engine::notice::{QuietHours, WebhookTemplate};
use gatewalk_core::model::frontmatter::{FromYaml, OneOrMany};
use gatewalk_core::model::status_machine::Word;
use gatewalk_core::model::yaml::Node;
use std::time::Duration;

/// The keys there are.
const KEYS: &str =
    "command, webhook, template, desktop, terminal, events, remind_after, quiet and long_wait";

/// Returns what the user wants, or what is wrong with it.
pub(super) fn read(node: &Node) -> Result<Notify, String> {
    let mut found = Notify::default();
    let (mut webhook, mut template) = (None, None);
    for entry in node.entries() {
        let value = &entry.value;
        match &*entry.key {
            "command" => found
                .channels
                .push(Channel::Command(get(value, "command")?)),
            "webhook" => webhook = Some(get::<String>(value, "webhook")?),
            "template" => template = Some(word::<WebhookTemplate>(value, "template")?),
            "desktop" if get(value, "desktop")? => found.channels.push(Channel::Desktop),
            "terminal" if get(value, "terminal")? => found.channels.push(Channel::Terminal),
            "desktop" | "terminal" => {}
            "events" => {
                let words: OneOrMany<String> = get(value, "events")?;
                for word in words.0 {
                    found.events.push(named(&word.value, "event")?);
                }
            }
            "remind_after" => found.remind_after = Some(get::<Duration>(value, "remind_after")?),
            "long_wait" => found.long_wait = Some(get::<Duration>(value, "long_wait")?),
            "quiet" => {
                let text: String = get(value, "quiet")?;
                let quiet = QuietHours::parse(&text);
                found.quiet = Some(quiet.ok_or_else(|| {
                    format!(
                        "`notify`: `quiet` is a part of the day such as `22:00-07:00`, not `{text}`"
                    )
                })?);
            }
            other => return Err(format!("`notify` has {KEYS}, not `{other}`")),
        }
    }
    match (webhook, template) {
        (Some(variable), template) => {
            if variable.contains([':', '/']) {
                return Err("`notify`: `webhook` is the name of a variable that holds the address: the address itself is a secret".to_owned());
            }
            found.channels.push(Channel::Webhook {
                variable,
                template: template.unwrap_or_default(),
            });
        }
        (None, Some(_)) => return Err("`notify`: `template` is for a `webhook`".to_owned()),
        (None, None) => {}
    }
    Ok(found)
}

fn get<T: FromYaml>(node: &Node, key: &'static str) -> Result<T, String> {
    let mut notes = Vec::new();
    let value = T::from_yaml(node, key, &mut notes);
    let note = notes.first().map(|note| note.message.clone());
    match (value, note) {
        (Some(value), None) => Ok(value),
        (_, note) => Err(note.unwrap_or_else(|| format!("`notify`: `{key}` cannot be read"))),
    }
}

fn word<T: Word + 'static>(node: &Node, key: &'static str) -> Result<T, String> {
    named(&get::<String>(node, key)?, key)
}

fn named<T: Word + 'static>(text: &str, what: &str) -> Result<T, String> {
    T::from_word(text).ok_or_else(|| {
        let all: Vec<&str> = T::WORDS.iter().map(|(word, _)| *word).collect();
        format!(
            "`notify`: there is no {what} `{text}`; there are {}",
            all.join(", ")
        )
    })
}
