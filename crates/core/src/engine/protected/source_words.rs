//! Words of a source by which it may do something: what it does is shown by a run.

use super::is_test;
use super::spelt_whole::spelt_whole_in;
use crate::engine::changed_file::ChangedFile;
use crate::pattern::TextPattern;

/// Returns the words for a source of the product by its path; nothing where it is not known how such a file does it.
pub(crate) type SourceWords = fn(&str) -> Option<&'static TextPattern>;

/// Endings of files, and the words in such.
pub(super) type WordTable = [(&'static [&'static str], TextPattern)];

/// Returns the words for a file of an ending, where it is no test.
pub(super) fn words_in(
    table: &'static WordTable,
    path: &str,
    ending: &str,
) -> Option<&'static TextPattern> {
    let mut languages = table.iter().filter(|_| !is_test(path));
    languages.find_map(|(ends, words)| ends.contains(&ending).then_some(words))
}

/// Returns whether a change brings more such words than there were.
pub(crate) fn brings_more(words: SourceWords, pair: &ChangedFile<'_>) -> bool {
    let count = |bytes: Option<&[u8]>| {
        let text = String::from_utf8_lossy(bytes.unwrap_or_default());
        let path = &pair.change.path;
        words(path).map_or(0, |words| {
            words.find_iter(&spelt_whole_in(path, &text)).count()
        })
    };
    count(pair.new) > count(pair.old)
}
