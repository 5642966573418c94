//! Types of Rust that hold nothing: each of their values equals every other one.

use crate::pattern::TextPattern;
use regex::Regex;

/// Returns how many of them say so by hand.
pub(super) fn count(text: &str) -> usize {
    static EQUAL: TextPattern = TextPattern::new(
        r"\bimpl(?:<[^>{\n]*>)?\s+(?:[\w:]+::)?PartialEq\s+for\s+(\w+)(?:<[^>{\n]*>)?\s*\{\s*(?:#\[inline[^\n]*\s*)?fn\s+eq\(&self,\s*_\w*\s*:[^{};]*\{\s*true\s*\}\s*\}",
    );
    let found = EQUAL.captures_iter(text);
    found.filter(|found| holds_nothing(text, &found[1])).count()
}

/// Returns whether a type of this name is there once, and nothing is in it but marks of types and empty arrays.
fn holds_nothing(text: &str, name: &str) -> bool {
    static NOTHING: TextPattern = TextPattern::new(
        r"(?:::)?(?:\b(?:std|core)::marker::)?\bPhantomData\s*<[^<>;]*(?:<[^<>]*>)?[^<>;]*>|\[\s*\w+\s*;\s*0\s*\]|\bpub(?:\([^)]*\))?|\b_?\w+\s*:|[\s,(){}]",
    );
    static OF_STD: TextPattern =
        TextPattern::new(r"\b(?:std|core)::marker::(?:PhantomData\b|\{[^}]*\bPhantomData\b)");
    static OF_THE_WORK: TextPattern = TextPattern::new(
        r"\b(?:(?:struct|enum|union|type|as)\s+|(?:crate|super|self)::[\w:{, ]*)PhantomData\b",
    );
    let name = regex::escape(name);
    let defined = format!(
        r"\b(?:struct|enum|union|type)\s+{name}\b(?:<[^>{{\n]*>)?(\s*(?:where\b[^;{{]*)?(?:\([^()]*\)\s*;|;|\{{[^}}]*\}}))"
    );
    let Ok(defined) = Regex::new(&defined) else {
        return false;
    };
    let mut found = defined.captures_iter(text);
    let (Some(only), None) = (found.next(), found.next()) else {
        return false;
    };
    let body = only[1].trim_end_matches(';');
    // A type of the work may be called so, too.
    let is_mark = OF_STD.is_match(text) && !OF_THE_WORK.is_match(text);
    let is_known = is_mark || !body.contains("PhantomData");
    only[0].starts_with("struct") && is_known && NOTHING.replace_all(body, "").is_empty()
}
