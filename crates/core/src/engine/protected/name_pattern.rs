//! Patterns put together from names of files. A large work has many of them, and hardly one is ever found, so that each is
//! compiled only for a text that holds the words of a name.

use crate::pattern;
use regex::Regex;
use std::cell::OnceCell;
use std::collections::HashSet;
use std::sync::OnceLock;

/// A pattern of which every match holds one of some names as it is spelled, with none of ASCII's letters, digits and `_`
/// beside it.
#[derive(Debug, Clone)]
pub(super) struct NamePattern {
    source: String,
    names: Vec<String>,
    compiled: OnceLock<Regex>,
}

impl NamePattern {
    pub(super) fn new<N: Into<String>>(
        source: String,
        names: impl IntoIterator<Item = N>,
    ) -> NamePattern {
        NamePattern {
            source,
            names: names.into_iter().map(N::into).collect(),
            compiled: OnceLock::new(),
        }
    }

    pub(super) fn is_match(&self, text: &str) -> bool {
        let mut names = self.names.iter();
        names.any(|name| text.contains(name.as_str())) && self.is_found_in(text)
    }

    /// Returns what `is_match` does; `words` are those of the text, or of one that the text is a part of.
    pub(super) fn is_match_among(&self, words: &TextWords<'_>, text: &str) -> bool {
        let mut names = self.names.iter();
        names.any(|name| words.hold(name)) && self.is_found_in(text)
    }

    /// Returns the names of which every match holds one.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }

    fn is_found_in(&self, text: &str) -> bool {
        let compiled = || pattern::constant(&self.source);
        self.compiled.get_or_init(compiled).is_match(text)
    }
}

/// The words of a text, set apart when they are first asked for.
pub(super) struct TextWords<'t> {
    text: &'t str,
    words: OnceCell<HashSet<&'t str>>,
}

impl<'t> TextWords<'t> {
    pub(super) fn new(text: &'t str) -> TextWords<'t> {
        TextWords {
            text,
            words: OnceCell::new(),
        }
    }

    pub(super) fn set(&self) -> &HashSet<&'t str> {
        self.words.get_or_init(|| words_of(self.text).collect())
    }

    fn hold(&self, name: &str) -> bool {
        words_of(name).all(|word| self.set().contains(word))
    }
}

/// Returns what has letters of ASCII, digits and `_` alone, with none of them beside it.
pub(super) fn words_of(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    words.filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_found_by_its_words_as_by_its_pattern() {
        let pattern = NamePattern::new(
            r"\bstep-1(?:[^\w-]|$)|'größe'".to_owned(),
            ["step-1", "größe"],
        );
        for (text, want) in [
            ("run step-1 now", true),
            ("(step-1)", true),
            ("x = 'größe'", true),
            ("step-1-2", false),
            ("xstep-1", false),
            ("1 step", false),
            ("größe", false),
            ("", false),
        ] {
            assert_eq!(pattern.is_match(text), want, "{text}");
            let words = TextWords::new(text);
            assert_eq!(pattern.is_match_among(&words, text), want, "{text}");
        }
    }

    #[test]
    fn nothing_is_compiled_for_a_text_without_the_name() {
        let pattern = NamePattern::new(r"\bstep-1\b".to_owned(), ["step-1"]);
        for text in ["a step", "step_1", "2"] {
            assert!(!pattern.is_match(text));
            assert!(!pattern.is_match_among(&TextWords::new(text), text));
        }
        assert!(pattern.compiled.get().is_none());
        assert!(pattern.is_match("step-1"));
        assert!(pattern.compiled.get().is_some());
    }
}
