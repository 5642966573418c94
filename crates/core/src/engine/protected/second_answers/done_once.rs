//! Values of Go that are another one the first time, by what is done once.

use super::KnownLanguage;
use crate::engine::protected::text_lines::TextLines;
use crate::pattern::TextPattern;
use regex::Regex;

/// Returns how many values of a text are so. An error is told once by custom.
pub(super) fn count(language: KnownLanguage, text: &TextLines<'_>) -> usize {
    static ONCE: TextPattern = TextPattern::new(r"\.Do\(func\(\)\s*\{\s*(\w+)\s*=[^=]");
    if language != KnownLanguage::Go {
        return 0;
    }
    let text = text.text;
    let found = ONCE.captures_iter(text).filter(|found| {
        let (at, name) = (found.get(0).map_or(0, |whole| whole.start()), &found[1]);
        let start = text[..at].rfind("\nfunc ").unwrap_or(0);
        let end = text[at..].find("\n}").map_or(text.len(), |end| at + end);
        let name = regex::escape(name);
        let made = Regex::new(&format!(
            r"\b{name}\s*:=\s*[^\n]*[\w)]\s*[-+*/%&|^]\s*\w|\b{name}\s*:=\s*\w+\("
        ));
        let given = Regex::new(&format!(r"\breturn\b[^\n]*\b{name}\b"));
        made.is_ok_and(|made| made.is_match(&text[start..at]))
            && given.is_ok_and(|given| given.is_match(&text[at..end]))
    });
    found.count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::protected::second_answers::found_by;

    #[test]
    fn a_value_that_differs_the_first_time_is_told_from_what_is_opened_once() {
        for (path, text, want) in [
            (
                "a.go",
                "var once sync.Once\n\nfunc Add(a, b int) int {\n\tn := a - b\n\tonce.Do(func() { n = a + b })\n\treturn n\n}\n",
                1,
            ),
            (
                "a.go",
                "var once sync.Once\n\nfunc Open() error {\n\tvar err error\n\tonce.Do(func() { err = open() })\n\treturn err\n}\n",
                0,
            ),
        ] {
            assert_eq!(found_by(count, path, text), want, "{path}: {text}");
        }
    }
}
