//! Which lines to take back next, given what was missed so far: whole hunks, many of them in groups first, then the
//! parts of a hunk that was missed, so that what is found is as large as it can be and as small as it must be.

use super::blocks::NumberedLines;
use super::product_hunks::{ChangedText, Hunk, TakenLines, hunks, lines_of, without};
use super::quiet_lines::quiet;
use crate::engine::attempt_record::witness_report::UnwitnessedLines;
use crate::engine::evidence::one_line;
use crate::engine::secrets;
use std::collections::{BTreeMap, VecDeque};
use std::ops::Range;

/// From this many hunks on they are taken back in groups first.
const MANY: usize = 8;

/// A group of this size, when it is missed, is asked hunk by hunk.
const SMALL_GROUP: usize = 4;

/// Characters of the first line that are shown.
const SHOWN: usize = 100;

/// What is taken back at once.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Probe {
    Hunks(Range<usize>),
    /// Added lines of one hunk.
    Lines {
        hunk: usize,
        /// The lines of the new text.
        lines: Range<usize>,
    },
}

/// The search over one diff.
#[derive(Debug)]
pub(crate) struct WitnessSearch {
    files: Vec<ChangedText>,
    hunks: Vec<Hunk>,
    queue: VecDeque<Probe>,
    unwitnessed: Vec<Probe>,
    /// Changes that no check could see.
    pub(crate) not_asked: u32,
    /// Probes that were answered.
    pub(crate) asked: u32,
}

/// Lines of a file that no command missed.
struct MissedLines {
    file: usize,
    lines: Range<usize>,
    /// How many old lines they stand for, and those.
    removed: usize,
    old: String,
}

impl WitnessSearch {
    /// Begins a search over the changed files of a product.
    pub(crate) fn new(files: Vec<ChangedText>) -> WitnessSearch {
        let (mut all, mut not_asked) = (Vec::new(), 0);
        for (index, text) in files.iter().enumerate() {
            let (found, others) = hunks(index, text);
            all.extend(found);
            not_asked += others;
        }
        let mut queue = VecDeque::new();
        match all.len() {
            0..MANY => queue.extend((0..all.len()).map(|at| Probe::Hunks(at..at + 1))),
            many => queue.extend(halves(&(0..many))),
        }
        WitnessSearch {
            files,
            hunks: all,
            queue,
            unwitnessed: vec![],
            not_asked,
            asked: 0,
        }
    }

    /// Returns how many hunks there are.
    pub(crate) fn hunks(&self) -> usize {
        self.hunks.len()
    }

    /// Returns how many probes wait.
    pub(crate) fn left(&self) -> usize {
        self.queue.len()
    }

    /// Takes the next probe; it is to be answered.
    pub(crate) fn next(&mut self) -> Option<Probe> {
        self.queue.pop_front()
    }

    /// Returns the changed files with a probe's lines taken back, each path with its text.
    pub(crate) fn texts_without(&self, probe: &Probe) -> Vec<(String, String)> {
        let mut taken: BTreeMap<usize, Vec<TakenLines<'_>>> = BTreeMap::new();
        match probe {
            Probe::Hunks(range) => {
                for hunk in &self.hunks[range.clone()] {
                    taken.entry(hunk.file).or_default().push(TakenLines {
                        lines: hunk.lines.clone(),
                        instead: &hunk.old,
                    });
                }
            }
            Probe::Lines { hunk, lines } => {
                let file = self.hunks[*hunk].file;
                taken.entry(file).or_default().push(TakenLines {
                    lines: lines.clone(),
                    instead: "",
                });
            }
        }
        let text = |(file, taken): (usize, Vec<TakenLines<'_>>)| {
            let file = &self.files[file];
            (file.path.clone(), without(&file.new, &taken))
        };
        taken.into_iter().map(text).collect()
    }

    /// Notes whether any command missed what a probe took back.
    pub(crate) fn answer(&mut self, probe: Probe, missed: bool) {
        self.asked += 1;
        if !missed {
            self.unwitnessed.push(probe);
            return;
        }
        match probe {
            Probe::Hunks(range) if range.len() > SMALL_GROUP => self.queue.extend(halves(&range)),
            Probe::Hunks(range) if range.len() > 1 => {
                self.queue.extend(range.map(|at| Probe::Hunks(at..at + 1)));
            }
            Probe::Hunks(range) => {
                let lines = self.hunks[range.start].lines.clone();
                self.split(range.start, &lines);
            }
            Probe::Lines { hunk, lines } => self.split(hunk, &lines),
        }
    }

    fn split(&mut self, hunk: usize, lines: &Range<usize>) {
        let file = &self.files[self.hunks[hunk].file];
        let text = lines_of(&file.new);
        let quiet = quiet(&file.path, &text);
        let numbered = NumberedLines {
            text: &text,
            quiet: &quiet,
        };
        let parts = numbered.parts(lines);
        let probe = |lines| Probe::Lines { hunk, lines };
        self.queue.extend(parts.into_iter().map(probe));
    }

    /// Returns the lines that nobody missed, in the order of the files.
    pub(crate) fn unwitnessed(&self) -> Vec<UnwitnessedLines> {
        let mut found: Vec<MissedLines> = Vec::new();
        for probe in &self.unwitnessed {
            let whole = |hunk: &Hunk| MissedLines {
                file: hunk.file,
                lines: hunk.lines.clone(),
                removed: hunk.removed,
                old: hunk.old.clone(),
            };
            match probe {
                Probe::Hunks(range) => found.extend(self.hunks[range.clone()].iter().map(whole)),
                Probe::Lines { hunk, lines } => {
                    found.push(MissedLines {
                        file: self.hunks[*hunk].file,
                        lines: lines.clone(),
                        removed: 0,
                        old: String::new(),
                    });
                }
            }
        }
        found.sort_by_key(|missed| (missed.file, missed.lines.start));
        let mut merged: Vec<MissedLines> = Vec::new();
        for next in found {
            match merged.last_mut() {
                Some(last)
                    if last.file == next.file
                        && !next.lines.is_empty()
                        && last.lines.end == next.lines.start =>
                {
                    last.lines.end = next.lines.end;
                    last.removed += next.removed;
                }
                _ => merged.push(next),
            }
        }
        merged.iter().map(|missed| self.shown(missed)).collect()
    }

    fn shown(&self, missed: &MissedLines) -> UnwitnessedLines {
        let (file, lines) = (&self.files[missed.file], &missed.lines);
        let text = lines_of(&file.new);
        let trimmed: Vec<usize> = lines
            .clone()
            .filter(|at| !text[*at].trim().is_empty())
            .collect();
        let (first, last) = match (trimmed.first(), trimmed.last()) {
            (Some(first), Some(last)) => (*first + 1, *last + 1),
            // Lines that are gone stood after this one.
            _ => (lines.start.max(1), lines.start.max(1)),
        };
        let quiet = quiet(&file.path, &text);
        let said = trimmed.iter().find(|at| !quiet[**at]).or(trimmed.first());
        let line = said.map_or(missed.old.lines().next(), |at| Some(text[*at]));
        let line = secrets::redact(line.unwrap_or_default());
        let shown: String = one_line(line.trim()).chars().take(SHOWN).collect();
        UnwitnessedLines {
            path: file.path.clone(),
            first: first as u32,
            last: last as u32,
            added: trimmed.len() as u32,
            removed: missed.removed as u32,
            text: shown,
        }
    }
}

/// Returns the two halves of a group, each a group.
fn halves(range: &Range<usize>) -> [Probe; 2] {
    let middle = range.start + range.len() / 2;
    [
        Probe::Hunks(range.start..middle),
        Probe::Hunks(middle..range.end),
    ]
}
