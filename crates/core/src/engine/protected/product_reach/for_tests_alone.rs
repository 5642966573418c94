//! What a file of Rust has for tests alone, in the place of what the product has.

use crate::engine::protected::text_words;
use crate::pattern::TextPattern;
use std::collections::HashSet;

/// Returns how many functions of a file of Rust are there for tests alone, where others have another one of that name.
pub(super) fn shadowed(text: &str) -> usize {
    static FOR_TESTS: TextPattern = TextPattern::new(
        r"(?m)^#\[cfg\(\s*(?:all\(\s*)?test\b[^\]\n]*\]\s*\n(?:#\[[^\n]*\n)*pub(?:\([^)\n]*\))?\s+(?:(?:const|async|unsafe)\s+)*fn\s+(\w+)",
    );
    let found = FOR_TESTS.captures_iter(text);
    let names = found.filter(|found| {
        let named = format!("fn {}", &found[1]);
        let ends = |(at, _): &(usize, &str)| {
            let rest = &text[at + named.len()..];
            rest.starts_with(['(', '<'])
        };
        text.match_indices(&named).filter(ends).count() > 1
    });
    names.count()
}

/// Returns how many functions of a file of Rust are there for tests alone that its text before asked for and did not have:
/// a test of the base must not get from them what it waits for.
pub(super) fn brought(old: &[u8], text: &str) -> usize {
    static FOR_TESTS: TextPattern = TextPattern::new(
        r"(?m)^\s*#\[cfg\(\s*(?:all\(\s*)?test\b[^\]\n]*\]\s*\n(?:\s*#\[[^\n]*\n)*\s*(?:pub(?:\([^)\n]*\))?\s+)?(?:(?:const|async|unsafe)\s+)*fn\s+(\w+)",
    );
    let mut found = FOR_TESTS.captures_iter(text).peekable();
    if found.peek().is_none() {
        return 0;
    }
    let old = String::from_utf8_lossy(old);
    let words: HashSet<&str> = text_words::words(&old).collect();
    let asked = found.filter(|found| {
        let has = |end: char| old.contains(&format!("fn {}{end}", &found[1]));
        words.contains(&found[1]) && !has('(') && !has('<')
    });
    asked.count()
}
