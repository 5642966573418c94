//! Lenient reading of JSON events: a field of an unexpected type is absent, never an error.
//!
//! Fields stay raw slices of the line until asked for, so a line of megabytes costs no copy.

use super::nested_objects::Nested;
use super::{Reset, Session};
use serde::de::Visitor;
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// One field of an event: a slice of the line until it is asked for.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Field<'a>(Option<&'a RawValue>);

impl<'de: 'a, 'a> Deserialize<'de> for Field<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        <&'a RawValue>::deserialize(deserializer).map(|raw| Field(Some(raw)))
    }
}

impl<'a> Field<'a> {
    /// Returns the field as `T`, or `None` if it is absent or something else.
    pub(super) fn read<T: Deserialize<'a>>(self) -> Option<T> {
        self.0.and_then(|raw| serde_json::from_str(raw.get()).ok())
    }

    /// Returns the field as text.
    pub(super) fn text(self) -> Option<Cow<'a, str>> {
        let raw = self.0?.get();
        // A string without escapes borrows from the line; serde's `Cow` would always copy.
        match raw
            .strip_prefix('"')
            .and_then(|rest| rest.strip_suffix('"'))
        {
            Some(inner) if !inner.contains('\\') => Some(Cow::Borrowed(inner)),
            Some(_) => serde_json::from_str::<AnyText>(raw)
                .ok()
                .map(|text| Cow::Owned(text.0)),
            None => None,
        }
    }

    /// Returns the field as an owned, non-empty text of at most `cap` characters.
    pub(super) fn short(self, cap: usize) -> Option<String> {
        let text = self.text().filter(|text| !text.is_empty())?;
        // A text of fewer bytes has fewer characters, too: nothing to count.
        Some(match text.len() <= cap {
            true => text.into_owned(),
            false => text.chars().take(cap).collect(),
        })
    }

    /// Returns the field as an id; empty where there is none.
    pub(super) fn id(self) -> String {
        self.short(200).unwrap_or_default()
    }

    /// Returns the field as a sentence of a fault; empty where there is none.
    pub(super) fn message(self) -> String {
        self.short(2000).unwrap_or_default()
    }

    /// Returns the field as a whole number, also where it is written as `12.0` or `"12"`.
    pub(super) fn count(self) -> Option<u64> {
        const EXACT: f64 = 9_007_199_254_740_992.0;
        let whole = |number: &f64| (0.0..EXACT).contains(number) && number.fract() == 0.0;
        self.read::<u64>()
            .or_else(|| self.number().filter(whole).map(|number| number as u64))
    }

    /// Returns the field as a number, also where it is written as text.
    pub(super) fn number(self) -> Option<f64> {
        let number = self.read::<f64>();
        let number = number.or_else(|| self.text()?.trim().parse().ok());
        number.filter(|number| number.is_finite())
    }

    /// Returns the field as a moment or a wait, given as a number or as text.
    pub(super) fn moment(self) -> Option<Reset> {
        let raw = self.0.map(RawValue::get);
        let text = self.text().or(raw.map(Cow::Borrowed))?;
        Reset::named(&text)
    }

    /// Returns the field as a list whose elements are read one by one.
    pub(super) fn list(self) -> Vec<Field<'a>> {
        self.read().unwrap_or_default()
    }

    /// Returns the objects of a list, or the field itself where it is one.
    pub(super) fn objects<T: Deserialize<'a>>(self) -> Nested<T> {
        self.read().unwrap_or_default()
    }

    /// Returns whether the field is there and not null.
    pub(super) fn is_some(self) -> bool {
        self.0.is_some_and(|raw| raw.get() != "null")
    }
}

/// A text whose halves of characters, as programs leave them that cut texts by number, are replaced.
struct AnyText(String);

impl<'de> Deserialize<'de> for AnyText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Bytes;
        impl Visitor<'_> for Bytes {
            type Value = AnyText;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a text")
            }

            fn visit_bytes<E>(self, bytes: &[u8]) -> Result<AnyText, E> {
                Ok(AnyText(String::from_utf8_lossy(bytes).into_owned()))
            }
        }
        // As text the whole of it would be refused.
        deserializer.deserialize_bytes(Bytes)
    }
}

/// An object whose fields go by several names, of which a program may write more than one.
#[derive(Deserialize, Debug, Default)]
#[serde(transparent)]
pub(super) struct ManyNames<'a>(#[serde(borrow)] BTreeMap<String, Field<'a>>);

impl<'a> ManyNames<'a> {
    /// Returns the field that goes by the first of these names that is there.
    pub(super) fn field(&self, names: &[&str]) -> Field<'a> {
        let known = names.iter().filter_map(|name| self.0.get(*name));
        let mut known = known.filter(|field| field.is_some());
        known.next().copied().unwrap_or_default()
    }
}

/// Folds one line of a stream of events: `fold` is given a JSON object and says whether it was one.
pub(super) fn fold_line(
    line: &[u8],
    seen: &mut Session,
    fold: impl Fn(&str, &mut Session) -> bool,
) {
    let text = String::from_utf8_lossy(line);
    let json = text.trim();
    let fold = |json: &str, seen: &mut Session| {
        let known = fold(json, seen);
        seen.structured |= known;
        known
    };
    let known = json.starts_with('{') && fold(json, seen) || {
        let objects = objects_in(json, seen.structured);
        objects.iter().filter(|json| fold(json, seen)).count() > 0
    };
    if !known {
        seen.plain_line(&text);
    }
}

/// Returns the JSON objects of a line that is none by itself: several that were written at once, or, in a stream of events,
/// one behind the words of another writer.
fn objects_in(line: &str, in_stream: bool) -> Vec<&str> {
    let first = line
        .find("{\"")
        .filter(|at| *at == 0 || in_stream)
        .unwrap_or(line.len());
    let objects = serde_json::Deserializer::from_str(&line[first..]).into_iter::<&RawValue>();
    let objects: Vec<&str> = objects.map_while(Result::ok).map(RawValue::get).collect();
    match objects.len() {
        1 if first == 0 => Vec::new(),
        _ => objects,
    }
}

/// Counts an event of unknown type; returns whether it belongs to a stream of events at all.
///
/// A program that is not the expected one may print objects of its own: only a stream that was
/// understood has unknown events.
pub(super) fn unknown(seen: &mut Session) -> bool {
    seen.unknown_events += u64::from(seen.structured);
    seen.structured
}

/// Returns the one argument of a tool call that says most about it.
pub(super) fn detail(input: Field<'_>) -> String {
    #[derive(Deserialize, Default)]
    #[serde(default)]
    struct Input<'a> {
        #[serde(borrow)]
        file_path: Field<'a>,
        #[serde(rename = "filePath")]
        camel_path: Field<'a>,
        notebook_path: Field<'a>,
        command: Field<'a>,
        commands: Field<'a>,
        pattern: Field<'a>,
        path: Field<'a>,
        url: Field<'a>,
        query: Field<'a>,
        description: Field<'a>,
    }
    let i: Input<'_> = input.read().unwrap_or_default();
    let first = i.commands.list().first().copied().unwrap_or_default();
    // An editor's `command` is a verb; its path says more.
    [
        i.file_path,
        i.camel_path,
        i.notebook_path,
        i.path,
        i.command,
        first,
        i.pattern,
        i.url,
        i.query,
        i.description,
    ]
    .iter()
    .find_map(|field| field.short(1000))
    .unwrap_or_default()
}
