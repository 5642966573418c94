//! The words of a text: what names are made of, in every language that is looked at.

/// Returns the words of a text, in order.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c| !is_of_word(c));
    words.filter(|word| !word.is_empty())
}

/// Returns the words of a text, in order, with what hyphens join as one.
pub(super) fn hyphenated(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c| !is_of_word(c) && c != '-');
    words.filter(|word| !word.is_empty())
}

/// Returns whether a character is part of a word.
pub(super) fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Returns whether a text holds a word.
pub(super) fn has_word(text: &str, word: &str) -> bool {
    words(text).any(|found| found == word)
}

/// Returns whether a text holds one of some words.
pub(super) fn has_one_of(text: &str, wanted: &[String]) -> bool {
    words(text).any(|found| wanted.iter().any(|word| word == found))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_found_where_it_stands_whole() {
        for (text, word, want) in [
            ("a + b_1", "b_1", true),
            ("a + b_1", "b", false),
            ("größe-1", "größe", true),
            ("größe-1", "gr", false),
            ("a  b", "", false),
        ] {
            assert_eq!(has_word(text, word), want, "{word} in {text}");
            let wanted = ["other".to_owned(), word.to_owned()];
            assert_eq!(has_one_of(text, &wanted), want, "{word} in {text}");
        }
        let joined: Vec<&str> = hyphenated("is a-b, c_d").collect();
        assert_eq!(joined, ["is", "a-b", "c_d"]);
    }
}
