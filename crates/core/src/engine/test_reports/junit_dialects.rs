//! Habits of the runners that write JUnit's XML: what they write in the place of a case, and what no XML may hold.

use crate::pattern::TextPattern;
use regex::Captures;
use roxmltree::Node;
use std::borrow::Cow;

/// Letters that no XML may hold, and references to them: what a failing case printed in colour.
static NO_XML: TextPattern =
    TextPattern::new(r"[\x00-\x08\x0b\x0c\x0e-\x1f\u{FFFE}\u{FFFF}]|&#(?:[0-9]+|x[0-9a-fA-F]+);");
/// The name of a suite of unittest-xml-reporting, which ends in the moment it ran.
static TIMED_SUITE: TextPattern = TextPattern::new(r"-\d{14}$");

/// Names under which a class or a package stands that could not be built or set up.
const NAMES: [&str; 3] = ["[build failed]", "[setup failed]", "initializationError"];
/// Classes of what stands for a file that could not be loaded, or for the set-up of one.
const CLASSES: [&str; 3] = [
    "Test suite failed to run",
    "unittest.loader._FailedTest",
    "unittest.suite._ErrorHolder",
];

/// Returns the text with what no XML may hold replaced: several runners write what a case printed as it is.
pub(super) fn readable_xml(text: &str) -> Cow<'_, str> {
    NO_XML.replace_all(text, |found: &Captures<'_>| {
        let reference = found[0].trim_start_matches("&#").trim_end_matches(';');
        let number = match reference.strip_prefix('x') {
            Some(hex) => u32::from_str_radix(hex, 16).ok(),
            None => reference.parse().ok(),
        };
        match number.and_then(char::from_u32) {
            Some(letter)
                if found[0].starts_with('&')
                    && !NO_XML.is_match(letter.encode_utf8(&mut [0; 4])) =>
            {
                found[0].to_owned()
            }
            _ => '\u{FFFD}'.to_string(),
        }
    })
}

/// Whether a failing entry stands for something around the cases: once that is mended, the runner names it no more.
pub(super) fn no_case(case: Node<'_, '_>) -> bool {
    let of = |node: Node<'_, '_>, key: &str| node.attribute(key).unwrap_or_default().to_owned();
    let (class, name) = (of(case, "classname"), of(case, "name"));
    let suite = case
        .parent()
        .map_or(String::new(), |suite| of(suite, "name"));
    let mut marks = case.children().filter(|n| n.has_tag_name("error"));
    // pytest's file that it could not load.
    class.is_empty() && marks.any(|mark| mark.attribute("message") == Some("collection failure"))
        || name.is_empty()
        || NAMES.contains(&name.as_str())
        || CLASSES.contains(&class.as_str())
        // Vitest's file that it could not load.
        || class == name && name == suite
        // A part of a case, which is named only where it fails.
        || TIMED_SUITE.is_match(&suite) && name.ends_with([')', ']']) && name.contains([' ', '['])
}

/// Whether a suite is of pytest.
pub(super) fn of_pytest(suite: Node<'_, '_>) -> bool {
    let teardown = |n: Node<'_, '_>| {
        let message = n.attribute("message").unwrap_or_default();
        n.has_tag_name("error") && message.starts_with("failed on ")
    };
    suite.attribute("name") == Some("pytest")
        || suite
            .children()
            .any(|case| case.has_tag_name("testcase") && case.children().any(teardown))
}
