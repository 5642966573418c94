//! The lines of a text, and which of them hold a word: what is asked of each of thousands of names looks at the lines that hold
//! it, where looking at all of them would take minutes for a bundle of a few megabytes.

use super::text_words::words;
use std::collections::HashMap;

/// A text by its lines and words.
pub(super) struct TextLines<'t> {
    pub(super) text: &'t str,
    pub(super) lines: Vec<&'t str>,
    all: Vec<usize>,
    holding: HashMap<&'t str, Vec<usize>>,
}

impl<'t> TextLines<'t> {
    pub(super) fn of(text: &'t str) -> TextLines<'t> {
        let lines: Vec<&str> = text.lines().collect();
        let mut holding: HashMap<&str, Vec<usize>> = HashMap::new();
        for (at, line) in lines.iter().enumerate() {
            for word in words(line) {
                let places = holding.entry(word).or_default();
                if places.last() != Some(&at) {
                    places.push(at);
                }
            }
        }
        TextLines {
            text,
            all: (0..lines.len()).collect(),
            lines,
            holding,
        }
    }

    /// Returns the lines, in order, that may hold a name: those that hold the longest word of it, and all for a name without one.
    pub(super) fn holding(&self, name: &str) -> &[usize] {
        match words(name).max_by_key(|word| word.len()) {
            Some(word) => self.holding.get(word).map_or(&[], Vec::as_slice),
            None => &self.all,
        }
    }

    /// Returns those of them from one line on, and before another.
    pub(super) fn holding_within(&self, name: &str, from: usize, until: usize) -> &[usize] {
        let holding = self.holding(name);
        let first = holding.partition_point(|at| *at < from);
        let end = holding.partition_point(|at| *at < until);
        &holding[first..end.max(first)]
    }

    /// Returns the text from one line on, and before another.
    pub(super) fn part(&self, from: usize, until: usize) -> &'t str {
        let start = |line: &&str| line.as_ptr().addr() - self.text.as_ptr().addr();
        let end = self.lines.get(until).map_or(self.text.len(), start);
        &self.text[start(&self.lines[from])..end]
    }

    /// Returns the line in which a name stands that was found in the text.
    pub(super) fn line_of(&self, name: &str) -> usize {
        let place = name.as_ptr() as usize;
        let after = self
            .lines
            .partition_point(|line| line.as_ptr() as usize <= place);
        after.saturating_sub(1)
    }
}

/// Splits a file into blocks, each beginning with a line that `starts` accepts.
pub(super) fn blocks(text: &str, starts: impl Fn(&str) -> bool) -> Vec<Vec<&str>> {
    let mut blocks: Vec<Vec<&str>> = vec![vec![]];
    for line in text.lines() {
        if starts(line) {
            blocks.push(vec![]);
        }
        if let (Some(block), false) = (blocks.last_mut(), line.trim().is_empty()) {
            block.push(line.trim_end());
        }
    }
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_looked_for_where_its_longest_word_stands() {
        let lines = TextLines::of("let calls = 0;\n\nthis.calls++; calls\n@größe = 1\n");
        assert_eq!(lines.holding("calls"), [0, 2]);
        assert_eq!(lines.holding("this.calls"), [0, 2]);
        assert_eq!(lines.holding("@größe"), [3]);
        assert_eq!(lines.holding("other"), [0; 0]);
        assert_eq!(lines.holding(""), [0, 1, 2, 3]);
        assert_eq!(lines.holding_within("calls", 1, 3), [2]);
        assert_eq!(lines.holding_within("calls", 3, 1), [0; 0]);
        assert_eq!(lines.part(1, 3), "\nthis.calls++; calls\n");
        assert_eq!(lines.part(3, 9), "@größe = 1\n");
        let second = lines.text.rfind("calls").unwrap();
        assert_eq!(lines.line_of(&lines.text[second..]), 2);
    }
}
