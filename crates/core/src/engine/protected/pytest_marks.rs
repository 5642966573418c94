//! The marks that pytest's tests may bear: a list of them chooses no test.

use crate::pattern::TextPattern;

/// Returns the text of a section of a manifest without that list.
pub(super) fn without(heading: &str, text: &str) -> String {
    static MARKS: TextPattern = TextPattern::new(
        r#"(?m)^markers[ \t]*=[ \t]*\[\s*"[^"\n\\]*"(?:\s*,\s*"[^"\n\\]*")*\s*,?\s*\][ \t]*$\n?"#,
    );
    match heading {
        "tool.pytest.ini_options" => MARKS.replace_all(text, "").trim_end().to_owned(),
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_plain_list_of_marks_is_left_out() {
        const SECTION: &str = "tool.pytest.ini_options";
        for (heading, text, want) in [
            (SECTION, "a = 1\nmarkers = [\"slow: long\"]\n", "a = 1"),
            (
                SECTION,
                "markers = [\n    \"a\",\n    \"b\",\n]\nb = 1",
                "b = 1",
            ),
            (SECTION, "a = 1\n", "a = 1"),
            ("tool.poe.tasks", "markers = [\"a\"]", "markers = [\"a\"]"),
            (
                SECTION,
                "markers = [\"\"\"a\", \"]\"]\nb = 1",
                "markers = [\"\"\"a\", \"]\"]\nb = 1",
            ),
        ] {
            assert_eq!(without(heading, text), want, "{text}");
        }
    }
}
