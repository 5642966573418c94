//! A sentence as words, without the brackets and quotes around them.

/// Returns the words of a text; what joins date, time and zone stays in them.
pub(super) fn words(text: &str) -> Vec<&str> {
    text.split(|c: char| c.is_whitespace() || "()[]{},;\"`·∙•|=\\".contains(c))
        .map(|word| word.trim_end_matches(['.', '!', '?']))
        .filter(|word| word.chars().any(char::is_alphanumeric))
        .collect()
}
