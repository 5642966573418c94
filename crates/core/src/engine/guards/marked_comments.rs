//! Comments that say why something must stay as it is: `INVARIANT:` and `WHY:`. One that a diff removes holds the gate, unless
//! the unit's page names it.

use crate::engine::evidence::one_line;
use std::collections::BTreeMap;

/// What such a comment begins with.
const MARKS: [&str; 2] = ["INVARIANT:", "WHY:"];

/// What a line of a comment begins with, in the languages there are.
const COMMENTS: &[&str] = &[
    "//", "#", "--", "/*", "*", ";", "<!--", "%", "\"\"\"", "'''", "{-", "(*",
];

/// What a comment may end with.
const ENDS: [&str; 6] = ["*/", "-->", "\"\"\"", "'''", "-}", "*)"];

/// Returns the marked comments of a text, without what makes them comments.
fn marked(text: &str) -> Vec<String> {
    text.lines().filter_map(of_line).collect()
}

fn of_line(line: &str) -> Option<String> {
    let at = MARKS.iter().filter_map(|mark| line.find(mark)).min()?;
    let before = line[..at].trim();
    // Behind code there is a mark of a comment, too.
    let comment = COMMENTS
        .iter()
        .any(|mark| before.ends_with(mark) || before.starts_with(mark));
    if !comment {
        return None;
    }
    let mut said = line[at..].trim();
    for end in ENDS {
        said = said.trim_end_matches(end).trim_end();
    }
    Some(said.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Returns a notice for each marked comment that is in no changed file any more, and that the unit's page does not name.
/// `files` are the changed ones, each with its path and its text before and after.
pub(crate) fn removed(files: &[(&str, &str, &str)], page: &str) -> Vec<String> {
    let mut now: BTreeMap<String, usize> = BTreeMap::new();
    for comment in files.iter().flat_map(|(_, _, new)| marked(new)) {
        *now.entry(comment).or_default() += 1;
    }
    let page: String = page.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut notices = Vec::new();
    for (path, old, _) in files {
        for comment in marked(old) {
            if let Some(left) = now.get_mut(&comment).filter(|left| **left > 0) {
                *left -= 1;
                continue;
            }
            if page.contains(&comment) {
                continue;
            }
            notices.push(format!(
                "{}: the comment `{}` is gone, and the unit does not name it",
                one_line(path),
                one_line(&comment)
            ));
        }
    }
    notices
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_marked_comment_is_one_in_any_language_and_nothing_else() {
        for (line, want) in [
            ("// INVARIANT: sums  match", Some("INVARIANT: sums match")),
            ("  # WHY: the API is slow", Some("WHY: the API is slow")),
            ("let a = 1; // WHY: b", Some("WHY: b")),
            ("/* INVARIANT: x */", Some("INVARIANT: x")),
            (" * INVARIANT: y", Some("INVARIANT: y")),
            ("<!-- WHY: z -->", Some("WHY: z")),
            ("-- WHY: sql", Some("WHY: sql")),
            ("print(\"WHY: not\")", None),
            ("// because", None),
            ("WHY: a heading", None),
        ] {
            assert_eq!(of_line(line).as_deref(), want, "{line}");
        }
    }

    #[test]
    fn what_is_removed_is_named_unless_it_moved_or_the_unit_names_it() {
        let rule = "// INVARIANT: sums match\n";
        for (files, page, want) in [
            (vec![("a.rs", rule, "")], "", 1),
            (vec![("a.rs", rule, rule)], "", 0),
            (
                vec![("a.rs", rule, "// INVARIANT: sums may differ\n")],
                "",
                1,
            ),
            (vec![("a.rs", rule, ""), ("b.rs", "", rule)], "", 0),
            (vec![("a.rs", rule, ""), ("b.rs", rule, rule)], "", 1),
            (
                vec![("a.rs", rule, "")],
                "Remove `INVARIANT: sums\nmatch`.",
                0,
            ),
            (vec![("a.rs", "let x;\n", "")], "", 0),
        ] {
            let found = removed(&files, page);
            assert_eq!(found.len(), want, "{files:?} {found:?}");
            if want == 1 {
                assert!(
                    found[0].contains("`INVARIANT: sums match` is gone"),
                    "{found:?}"
                );
            }
        }
    }
}
