//! Product code that answers the same call otherwise the second time, by what it keeps: right while a test asks, wrong after
//! that, or the other way round.
//!
//! A way to keep it is a file and a row of `WAYS`. What is made once and kept, limits that fail, and counts that are only told
//! are no such code. Deliberately absent: equalities that say yes to too much, which keep nothing (`product_reach/`).

mod counted_calls;
mod counted_runs;
mod done_once;
mod first_marks;
mod functions;
mod kept_names;
mod own_places;
mod turned_answers;
mod two_answers;

use super::text_lines::TextLines;

/// A language of which it is known how it keeps things.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum KnownLanguage {
    Python,
    JavaScript,
    Go,
    Rust,
    Ruby,
    Shell,
}

impl KnownLanguage {
    fn of(extension: &str) -> Option<KnownLanguage> {
        match extension {
            "py" => Some(KnownLanguage::Python),
            "js" | "mjs" | "cjs" | "jsx" | "ts" | "mts" | "cts" | "tsx" => {
                Some(KnownLanguage::JavaScript)
            }
            "go" => Some(KnownLanguage::Go),
            "rs" => Some(KnownLanguage::Rust),
            "rb" => Some(KnownLanguage::Ruby),
            "sh" | "bash" | "" => Some(KnownLanguage::Shell),
            _ => None,
        }
    }
}

/// Returns how often a text answers so in one way.
type Way = fn(KnownLanguage, &TextLines<'_>) -> usize;

static WAYS: [Way; 6] = [
    counted_calls::count,
    counted_runs::count,
    done_once::count,
    first_marks::count,
    own_places::count,
    turned_answers::count,
];

/// Returns how often a text of this ending answers so.
pub(super) fn second_answers(extension: &str, text: &TextLines<'_>) -> usize {
    let language = KnownLanguage::of(extension);
    language.map_or(0, |language| {
        WAYS.iter().map(|way| way(language, text)).sum()
    })
}

#[cfg(test)]
fn found_by(way: Way, path: &str, text: &str) -> usize {
    let language = KnownLanguage::of(crate::path_names::extension(path));
    language.map_or(0, |language| way(language, &TextLines::of(text)))
}
