//! Lenient reading of JSON events: a field of an unexpected type is absent, never an error.
//!
//! Fields stay raw slices of the line until asked for, so a line of megabytes costs no copy.

use serde::Deserialize;
use serde_json::value::RawValue;
use std::borrow::Cow;

/// One field, unread.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Field<'a>(Option<&'a RawValue>);

impl<'de: 'a, 'a> Deserialize<'de> for Field<'a> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
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
            Some(_) => serde_json::from_str::<String>(raw).ok().map(Cow::Owned),
            None => None,
        }
    }

    /// Returns the field as an owned, non-empty text of at most `cap` bytes.
    pub(super) fn short(self, cap: usize) -> Option<String> {
        let text = self.text()?;
        (!text.is_empty()).then(|| text.chars().take(cap).collect())
    }

    /// Returns the field as a whole number.
    pub(super) fn count(self) -> Option<u64> {
        self.read::<u64>()
    }

    /// Returns the field as a number.
    pub(super) fn number(self) -> Option<f64> {
        self.read::<f64>().filter(|number| number.is_finite())
    }

    /// Returns the field as a list whose elements are read one by one.
    pub(super) fn list(self) -> Vec<Field<'a>> {
        self.read().unwrap_or_default()
    }

    /// Returns whether the field is there and not null.
    pub(super) fn is_some(self) -> bool {
        self.0.is_some_and(|raw| raw.get() != "null")
    }
}
