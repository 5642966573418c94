//! Titles as views show them: a line that can be taken in, whatever was written.

use std::borrow::Cow;

/// The most characters of a title that are shown.
const LONGEST: usize = 100;

/// Returns a title on one line, ended by an ellipsis where it goes on. What is machine-read gets the whole.
pub fn short_title(whole: &str) -> String {
    let words: Vec<&str> = whole.split_whitespace().collect();
    cut_to(&words.join(" "), LONGEST).into_owned()
}

/// Returns at most so many characters of a text, the last of them an ellipsis where it goes on.
pub fn cut_to(text: &str, most: usize) -> Cow<'_, str> {
    if text.chars().nth(most).is_none() {
        return text.into();
    }
    let kept: String = text.chars().take(most.saturating_sub(1)).collect();
    format!("{}…", kept.trim_end()).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_long_is_cut_and_what_fits_stays() {
        for (text, most, want) in [
            ("", 3, ""),
            ("abc", 3, "abc"),
            ("abcd", 3, "ab…"),
            ("ab cd", 4, "ab…"),
            ("äöüß", 3, "äö…"),
            ("ab", 0, "…"),
        ] {
            assert_eq!(cut_to(text, most), want, "{text:?} in {most}");
        }
        assert_eq!(short_title(" a\n  b\tc "), "a b c");
        let long = short_title(&"word\n".repeat(400));
        assert!(
            long.chars().count() <= LONGEST && long.ends_with("word…"),
            "{long}"
        );
    }
}
