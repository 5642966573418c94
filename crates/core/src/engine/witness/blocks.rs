//! What a run of lines consists of, by its indentation: so that less and less of it can be taken back.

use super::quiet_lines::only_closes;
use std::ops::Range;

/// The lines of a file, and which of them no check could see.
#[derive(Debug, Clone, Copy)]
pub(super) struct NumberedLines<'t> {
    pub(super) text: &'t [&'t str],
    pub(super) quiet: &'t [bool],
}

impl NumberedLines<'_> {
    /// Returns whether taking these lines back could be seen by a check.
    pub(super) fn can_be_missed(&self, lines: &Range<usize>) -> bool {
        lines
            .clone()
            .any(|at| !self.quiet[at] && !only_closes(self.text[at]))
    }

    fn depth(&self, at: usize) -> usize {
        let indentation = self.text[at].chars().take_while(|c| c.is_whitespace());
        indentation.map(|c| if c == '\t' { 8 } else { 1 }).sum()
    }

    fn is_blank(&self, at: usize) -> bool {
        self.text[at].trim().is_empty()
    }

    /// Whether a line only goes on with the block before it, or belongs to what comes after it.
    fn leads(&self, at: usize) -> bool {
        let text = self.text[at].trim_start();
        self.quiet[at] || text.starts_with('@') || text.starts_with("#[")
    }

    fn continues(&self, at: usize) -> bool {
        let text = self.text[at].trim_start();
        let first = text.trim_start_matches(['}', ')', ']']).trim_start();
        let word = first.split(|c: char| !c.is_alphanumeric()).next();
        let words = [
            "else", "elif", "elseif", "elsif", "except", "rescue", "catch", "finally", "ensure",
        ];
        only_closes(text)
            || text.starts_with(['}', ')', ']'])
            || word.is_some_and(|w| words.contains(&w))
    }

    /// Returns where each block of the lines begins.
    fn starts(&self, lines: &Range<usize>, depth: usize) -> Vec<usize> {
        let mut starts = vec![lines.start];
        let mut leading = true;
        for at in lines.clone() {
            if self.is_blank(at) || self.depth(at) > depth {
                continue;
            }
            if !leading && !self.continues(at) {
                starts.push(at);
                leading = true;
            }
            leading &= self.leads(at);
        }
        starts.dedup();
        starts
    }

    /// Returns smaller runs of lines than these: the halves of their blocks, or what their only block holds; nothing
    /// where there is nothing smaller that could be missed.
    pub(super) fn parts(&self, lines: &Range<usize>) -> Vec<Range<usize>> {
        let filled = |at: &usize| !self.is_blank(*at);
        let (Some(first), Some(last)) =
            (lines.clone().find(filled), lines.clone().rev().find(filled))
        else {
            return vec![];
        };
        let lines = first..last + 1;
        let depth = lines.clone().filter(filled).map(|at| self.depth(at)).min();
        let depth = depth.unwrap_or_default();
        let starts = self.starts(&lines, depth);
        let parts = match starts.len() {
            1 => self.inside(&lines, depth),
            _ => {
                let middle = lines.start + lines.len() / 2;
                let cut = starts[1..].iter().min_by_key(|at| at.abs_diff(middle));
                let cut = *cut.expect("more than one block");
                vec![lines.start..cut, cut..lines.end]
            }
        };
        let mut smaller: Vec<_> = parts
            .into_iter()
            .filter(|p| self.can_be_missed(p))
            .collect();
        // The same lines but for what nobody could miss: asked already.
        match smaller.pop() {
            Some(only) if smaller.is_empty() && starts.len() > 1 => self.parts(&only),
            last => {
                smaller.extend(last);
                smaller
            }
        }
    }

    /// Returns the runs of deeper lines of one block.
    fn inside(&self, lines: &Range<usize>, depth: usize) -> Vec<Range<usize>> {
        let mut runs: Vec<Range<usize>> = Vec::new();
        for at in lines.clone() {
            let deeper = self.is_blank(at) || self.depth(at) > depth;
            match runs.last_mut() {
                _ if !deeper => {}
                Some(run) if run.end == at => run.end = at + 1,
                _ => runs.push(at..at + 1),
            }
        }
        if runs.is_empty() {
            // What ends it may end what began before it.
            let closes = |at: &usize| only_closes(self.text[*at]);
            let end = lines.clone().rev().find(|at| !closes(at));
            let own = lines.start..end.map_or(lines.end, |at| at + 1);
            runs.extend((own.end < lines.end).then_some(own));
        }
        runs
    }
}
