//! Bytes to lines and columns: both from 1, columns in characters, a byte order mark not counted.

use gatewalk_core::diagnostic::{Label, Span};
use gatewalk_core::lint::Sources;
use std::collections::HashMap;
use std::sync::{Arc, RwLock};

/// A place people can find.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct LineColumn {
    /// Line, counted from 1.
    pub(crate) line: usize,
    /// In characters, from 1.
    pub(crate) column: usize,
}

/// Where the lines of a text begin.
#[derive(Debug, Clone)]
pub(crate) struct Lines {
    starts: Vec<usize>,
}

impl Lines {
    /// Finds the lines of a text.
    pub(crate) fn new(text: &str) -> Lines {
        let breaks = text
            .bytes()
            .enumerate()
            .filter(|(_, b)| *b == b'\n')
            .map(|(at, _)| at + 1);
        Lines {
            starts: std::iter::once(0).chain(breaks).collect(),
        }
    }

    /// Returns the number of a byte's line, from 0, and where that line begins.
    pub(crate) fn line(&self, at: usize) -> (usize, usize) {
        let line = self
            .starts
            .partition_point(|start| *start <= at)
            .saturating_sub(1);
        (line, self.starts[line])
    }

    /// Returns where a line begins, from 0; behind the last one, nothing.
    pub(crate) fn start(&self, line: usize) -> Option<usize> {
        self.starts.get(line).copied()
    }

    /// Returns the place of a byte.
    pub(crate) fn place(&self, text: &str, at: usize) -> LineColumn {
        let mut at = at.min(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        let (line, start) = self.line(at);
        let before = text.get(start..at).unwrap_or_default();
        let before = before
            .strip_prefix('\u{feff}')
            .filter(|_| start == 0)
            .unwrap_or(before);
        LineColumn {
            line: line + 1,
            column: before.chars().count() + 1,
        }
    }
}

/// The lines of every file findings point into, found when first asked for.
#[derive(Debug)]
pub(crate) struct Places<'s> {
    sources: &'s Sources,
    known: RwLock<HashMap<Arc<str>, Arc<Lines>>>,
}

impl<'s> Places<'s> {
    /// Returns the places of these texts.
    pub(crate) fn new(sources: &'s Sources) -> Self {
        Places {
            sources,
            known: RwLock::default(),
        }
    }

    /// Returns where a span begins and ends.
    pub(crate) fn of(&self, path: &Arc<str>, span: &Span) -> (LineColumn, LineColumn) {
        let text = self.sources.get(path).map_or("", |text| &**text);
        let lines = self.lines(path, text);
        (lines.place(text, span.start), lines.place(text, span.end))
    }

    /// Returns where a label begins and ends.
    pub(crate) fn label(&self, label: &Label) -> (LineColumn, LineColumn) {
        self.of(&label.path, &label.span)
    }

    fn lines(&self, path: &Arc<str>, text: &str) -> Arc<Lines> {
        if let Some(lines) = self
            .known
            .read()
            .ok()
            .and_then(|known| known.get(path).cloned())
        {
            return lines;
        }
        let lines = Arc::new(Lines::new(text));
        if let Ok(mut known) = self.known.write() {
            known.insert(path.clone(), lines.clone());
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_characters_whatever_stands_before_them() {
        let check = |text: &str, needle: &str, line: usize, column: usize| {
            let at = text.find(needle).unwrap();
            assert_eq!(
                Lines::new(text).place(text, at),
                LineColumn { line, column },
                "{text:?}"
            );
        };
        check("abc", "c", 1, 3);
        check("a\nbc", "c", 2, 2);
        check("a\r\nbc", "c", 2, 2);
        check("\u{feff}abc", "c", 1, 3);
        check("\u{feff}a\nbc", "c", 2, 2);
        check("äöü x", "x", 1, 5);
        check("\t\tx", "x", 1, 3);
        check("日本\n語 x", "x", 2, 3);
        check("👩‍👩 x", "x", 1, 5);
    }

    #[test]
    fn a_place_behind_the_end_is_the_end() {
        assert_eq!(
            Lines::new("ab\n").place("ab\n", 99),
            LineColumn { line: 2, column: 1 }
        );
        assert_eq!(
            Lines::new("").place("", 0),
            LineColumn { line: 1, column: 1 }
        );
    }
}
