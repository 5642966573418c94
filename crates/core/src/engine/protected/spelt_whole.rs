//! Words of source code that are put together from parts, or spelt by their numbers, as they are when it runs: so that one
//! rule finds a name however it is written.

use crate::path_names::extension;
use crate::pattern::TextPattern;
use regex::Captures;
use std::borrow::Cow;

/// Returns a source of this path with the parts of its words joined, also in the ways that its language alone has.
pub(super) fn spelt_whole_in<'t>(path: &str, text: &'t str) -> Cow<'t, str> {
    let plain = match extension(path) {
        "c" | "h" | "cc" | "cpp" | "cxx" | "hh" | "hpp" | "hxx" | "inc" | "inl" | "ipp" | "tpp"
        | "tcc" | "def" => joined_lines(text),
        "sh" | "bash" | "ksh" | "zsh" | "bats" | "" => without_quotes(text),
        _ => return spelt_whole(text),
    };
    match plain {
        Cow::Borrowed(text) => spelt_whole(text),
        Cow::Owned(text) => spelt_whole(&text).into_owned().into(),
    }
}

/// Returns a text of C as its compiler reads it: lines that go on, and marks that stand for others.
fn joined_lines(text: &str) -> Cow<'_, str> {
    static GOES_ON: TextPattern = TextPattern::new(r"(?:\\|\?\?/)[ \t\x0b\x0c]*\r?\n");
    static DIRECTIVE: TextPattern = TextPattern::new(r"(?m)^([ \t]*)(?:%:|\?\?=)");
    if !text.contains('\\') && !text.contains("%:") && !text.contains("??") {
        return Cow::Borrowed(text);
    }
    let joined = GOES_ON.replace_all(text, "");
    DIRECTIVE.replace_all(&joined, "$1#").into_owned().into()
}

/// Returns a text of a shell without the quotes that stand inside a word, and with lines that go on.
fn without_quotes(text: &str) -> Cow<'_, str> {
    if text.contains("\\\n") {
        return without_quotes(&text.replace("\\\n", ""))
            .into_owned()
            .into();
    }
    static WORD: TextPattern =
        TextPattern::new(r#"(?:[A-Za-z_]+|\$?"[A-Za-z_]*"|\$?'[A-Za-z_]*'|\\[A-Za-z]){2,}"#);
    WORD.replace_all(text, |found: &Captures<'_>| {
        found[0].replace(['"', '\'', '\\', '$'], "")
    })
}

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
    fn a_word_is_the_same_in_the_ways_that_its_language_alone_has() {
        for (path, text, want) in [
            (
                "a.h",
                "%:def\\\nine str\\\ncmp(a, b) 0\n",
                "#define strcmp(a, b) 0\n",
            ),
            ("a.c", "  ??=define X ??/\n 1\n", "  #define X  1\n"),
            ("a.c", "printf(\"%:\");\n", "printf(\"%:\");\n"),
            ("a.py", "x = \\\n    1\n", "x = \\\n    1\n"),
            (
                "a.sh",
                "t\"r\"a''p 'e\"\"xit 0' E\"X\"IT\n",
                "trap 'exit 0' EXIT\n",
            ),
            ("a.def", "#def\\ \nine X 1\n", "#define X 1\n"),
            ("a.sh", "ex\\\nit 0\n", "exit 0\n"),
            ("a.sh", "e\\xit 0; ev$'a'l x\n", "exit 0; eval x\n"),
            (
                "a.sh",
                "[ \"$a\" = 'x' ] && echo \"a b\"\n",
                "[ \"$a\" = 'x' ] && echo \"a b\"\n",
            ),
            ("a.js", "x('a''b')\n", "x('a''b')\n"),
        ] {
            assert_eq!(spelt_whole_in(path, text), want, "{path}: {text}");
        }
    }

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
