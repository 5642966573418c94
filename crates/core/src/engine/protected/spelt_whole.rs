//! Words of source code that are put together from parts, or spelt by their numbers, as they are when it runs: so that one
//! rule finds a name however it is written.

use crate::pattern::TextPattern;
use regex::Captures;
use std::borrow::Cow;

/// Returns a text with the parts of its words joined.
pub(super) fn spelt_whole(text: &str) -> Cow<'_, str> {
    static NUMBER: TextPattern = TextPattern::new(r"\\(?:x|u00|u\{)([2-7][0-9A-Fa-f])\}?");
    static LIST: TextPattern = TextPattern::new(
        r#"\[((?:\s*["'`]\w*["'`]\s*,?){2,8})\]\s*\.(?:join|concat)\(\s*(?:["'`](\W?|_)["'`])?\s*\)"#,
    );
    static JOINED: TextPattern = TextPattern::new(
        r#"["'](\W?|_)["']\.join\(\s*[\[(]((?:\s*["']\w*["']\s*,?){2,8})[\])]\s*\)"#,
    );
    static WORDS: TextPattern = TextPattern::new(
        r#"%w[\[(]\s*(\w+(?:\s+\w+){1,7})\s*[\])]\.join\b(?:\(\s*["'](\W?|_)["']\s*\))?"#,
    );
    static PARTS: TextPattern = TextPattern::new(
        r#""[ \t]*\+[ \t]*"|'[ \t]*\+[ \t]*'|`[ \t]*\+[ \t]*`|"[ \t]*\+[ \t]*'|'[ \t]*\+[ \t]*"|"[ \t]+\.[ \t]+"|'[ \t]+\.[ \t]+'"#,
    );
    if !text.contains('+')
        && !text.contains("\\x")
        && !text.contains("\\u")
        && !text.contains(".join")
        && !text.contains(" . ")
        && !text.contains("concat(")
    {
        return Cow::Borrowed(text);
    }
    let plain = NUMBER.replace_all(text, |found: &Captures<'_>| {
        let number = u8::from_str_radix(&found[1], 16).unwrap_or(b'?');
        char::from(number).to_string()
    });
    let plain = LIST.replace_all(&plain, |found: &Captures<'_>| {
        word(
            &found[1],
            found.get(2).map_or("", |between| between.as_str()),
        )
    });
    let plain = JOINED.replace_all(&plain, |found: &Captures<'_>| word(&found[2], &found[1]));
    let plain = WORDS.replace_all(&plain, |found: &Captures<'_>| {
        let between = found.get(2).map_or("", |between| between.as_str());
        let words: Vec<&str> = found[1].split_whitespace().collect();
        format!("\"{}\"", words.join(between))
    });
    PARTS.replace_all(&plain, "").into_owned().into()
}

/// Returns a list of words as one, in quotes.
fn word(list: &str, between: &str) -> String {
    let parts = list.split(',').map(|part| {
        part.trim()
            .trim_matches(|quote| matches!(quote, '"' | '\'' | '`'))
    });
    let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
    format!("\"{}\"", parts.join(between))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_the_same_however_it_is_put_together() {
        for (text, want) in [
            ("a.startswith(\"te\" + \"st\")", "a.startswith(\"test\")"),
            ("a(\"te\" +\n \"st\")", "a(\"te\" +\n \"st\")"),
            (
                "env[['NODE_TEST', 'CONTEXT'].join('_')]",
                "env[\"NODE_TEST_CONTEXT\"]",
            ),
            ("\"\".join([\"py\", \"test\"]) in x", "\"pytest\" in x"),
            ("%w[Mini test].join", "\"Minitest\""),
            ("%w(a b).join('_')", "\"a_b\""),
            ("%w[a b].map", "%w[a b].map"),
            ("\"i\" . \"s\"", "\"is\""),
            ("contains(\"de\\x70s\")", "contains(\"deps\")"),
            ("a + b, \"c\"", "a + b, \"c\""),
            ("\", \".join(names)", "\", \".join(names)"),
        ] {
            assert_eq!(spelt_whole(text), want, "{text}");
        }
    }
}
