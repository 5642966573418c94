//! A word of a closed set in a record or an event line: written as its text, and read back even where another version
//! wrote a word that this one does not know.

use super::status_machine::Word;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// A word of a closed set, or one of another version's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RecordedWord<T> {
    /// One that this version writes.
    Known(T),
    /// One that it does not know, as it was written.
    Unknown(String),
}

impl<T: Word> RecordedWord<T> {
    /// Returns the text that stands in the record.
    pub fn text(&self) -> &str {
        match self {
            RecordedWord::Known(word) => word.word(),
            RecordedWord::Unknown(text) => text,
        }
    }

    /// Returns the word, if this version knows it.
    pub fn known(&self) -> Option<T> {
        match self {
            RecordedWord::Known(word) => Some(*word),
            RecordedWord::Unknown(_) => None,
        }
    }
}

impl<T> Default for RecordedWord<T> {
    fn default() -> Self {
        RecordedWord::Unknown(String::new())
    }
}

impl<T: Word> From<T> for RecordedWord<T> {
    fn from(word: T) -> Self {
        RecordedWord::Known(word)
    }
}

impl<T: Word> PartialEq<T> for RecordedWord<T> {
    fn eq(&self, word: &T) -> bool {
        self.known() == Some(*word)
    }
}

impl<T: Word> fmt::Display for RecordedWord<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.text())
    }
}

impl<T: Word> Serialize for RecordedWord<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.text())
    }
}

impl<'de, T: Word> Deserialize<'de> for RecordedWord<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Ok(T::from_word(&text).map_or(RecordedWord::Unknown(text), RecordedWord::Known))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::status_machine::UnitStatus;

    #[test]
    fn every_text_is_written_back_as_it_was_read() {
        for (text, known) in [
            ("\"done\"", Some(UnitStatus::Done)),
            ("\"of_tomorrow\"", None),
            ("\"\"", None),
        ] {
            let word: RecordedWord<UnitStatus> = serde_json::from_str(text).unwrap();
            assert_eq!(word.known(), known);
            assert_eq!(serde_json::to_string(&word).unwrap(), text);
        }
    }
}
