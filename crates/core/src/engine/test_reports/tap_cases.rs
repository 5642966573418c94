//! The Test Anything Protocol, with subtests as Node and Perl write them before their point, and Vitest behind it in braces.

use super::{CaseEnd, ReadReport, TestReport, UnreadableReport, failed_or_broken, unreadable};
use crate::pattern::TextPattern;

static POINT: TextPattern = TextPattern::new(r"^(not )?ok\b(?:\s+(\d+))?(\s+-)?\s*(.*)$");
static PLAN: TextPattern = TextPattern::new(r"^1\.\.(\d+)\b");
/// The line with which `prove -v` begins a file.
static FILE: TextPattern = TextPattern::new(r"^(\S+) \.\.+ *$");
/// How long a case took, which is another the next time.
static TIMING: TextPattern = TextPattern::new(r"\s+in \d+ ?(?:ms|sec)$");

/// One list of test points: the whole, or a subtest.
#[derive(Default)]
struct TapLevel {
    /// What it is called.
    name: Option<String>,
    /// How many points it announces.
    plan: Option<u64>,
    points: u64,
    /// Its cases, and those of its subtests.
    cases: Vec<(String, CaseEnd)>,
}

impl TapLevel {
    fn is_whole(&self) -> bool {
        self.plan == Some(self.points)
    }
}

/// What was read so far.
#[derive(Default)]
struct TapReader {
    /// The whole, and the subtests that are open, the innermost last.
    levels: Vec<TapLevel>,
    /// A comment that names a subtest: how deep it stands, and the name.
    announced: Option<(usize, String)>,
    /// A point that may open a subtest behind it: how deep it stands, and its name without the brace.
    braced: Option<(usize, String)>,
    /// The file that `prove` began.
    file: Option<String>,
    /// The test that a comment of tape names: its points are called after what they assert, which many of them share.
    group: Option<String>,
    /// The cases of lists that are over: a file may hold one after the other.
    over: Vec<(String, CaseEnd)>,
}

pub(super) fn read(text: &str) -> ReadReport {
    let mut reader = TapReader::default();
    // The indentation at which a block of diagnostics ends.
    let mut block: Option<usize> = None;
    for line in text.lines() {
        let rest = line.trim_start();
        let indent = line.len() - rest.len();
        match block {
            Some(at) if rest.trim_end() == "..." && indent == at => {
                block = None;
                continue;
            }
            Some(_) => continue,
            None if rest.trim_end() == "---" && indent > 0 => {
                block = Some(indent);
                continue;
            }
            None => {}
        }
        if rest.starts_with("Bail out!") {
            return unreadable("the run bailed out");
        }
        // What a failing case printed may look like a point, but for its indentation.
        if indent % 4 == 0 {
            reader.take(indent / 4, rest)?;
        }
    }
    if block.is_some() {
        return unreadable("the report ends inside a block");
    }
    reader.finish()
}

impl TapReader {
    fn take(&mut self, depth: usize, rest: &str) -> Result<(), UnreadableReport> {
        if let Some(name) = rest.strip_prefix("# Subtest:") {
            self.open(depth, None)?;
            self.announced = Some((depth, name.trim().to_owned()));
        } else if rest.starts_with("TAP version") && depth == 0 {
            self.next_list(true)?;
            self.group = rest.trim_end().ends_with(" 13").then(String::new);
        } else if let Some(test) = rest.strip_prefix("# ").filter(|_| depth == 0) {
            self.group = self.group.take().map(|_| test.trim().to_owned());
        } else if let Some(file) = FILE.captures(rest).filter(|_| depth == 0) {
            self.begin_file(&file[1])?;
        } else if let Some(plan) = PLAN.captures(rest) {
            self.open(depth, None)?;
            self.next_list(depth == 0 && self.levels[0].plan.is_some())?;
            let level = self.levels.last_mut().expect("a level was just opened");
            level.plan = plan[1].parse().ok();
        } else if let Some(point) = POINT.captures(rest) {
            if depth == 0 && self.ends_file(rest) {
                return Ok(());
            }
            let (mut name, end) = point_of(&point);
            let group = self.group.as_deref().filter(|group| !group.is_empty());
            if let Some(group) = group.filter(|_| depth == 0 && point.get(3).is_none()) {
                name = format!("{group} > {name}");
            }
            self.open(depth, Some(&name))?;
            self.next_list(depth == 0 && self.levels[0].is_whole())?;
            let level = self.levels.last_mut().expect("there is always one");
            level.points += 1;
            let opens = name.ends_with('{') || rest.trim_end().ends_with('{');
            let bare = name.trim_end_matches('{').trim_end().to_owned();
            self.braced = opens.then_some((depth, bare));
            level.cases.push((name, end));
        }
        Ok(())
    }

    /// Takes a line as the beginning of a file where the list before it is whole: a case may have printed it.
    fn begin_file(&mut self, name: &str) -> Result<(), UnreadableReport> {
        self.open(0, None)?;
        let list = &self.levels[0];
        if list.is_whole() || list.points == 0 && list.plan.is_none() {
            self.next_list(true)?;
            self.file = Some(name.to_owned());
        }
        Ok(())
    }

    /// Returns whether a line is the word with which `prove` ends a file whose plan was met.
    fn ends_file(&self, line: &str) -> bool {
        let whole = self.levels.first().is_some_and(TapLevel::is_whole);
        self.file.is_some() && whole && line.trim_end() == "ok"
    }

    /// Makes a level the innermost one. Deeper ones are over, and must have been whole; one without a name has that of the point
    /// that sums it up.
    fn open(&mut self, depth: usize, sum: Option<&str>) -> Result<(), UnreadableReport> {
        if self.levels.is_empty() {
            self.levels.push(TapLevel::default());
        }
        while self.levels.len() > depth + 1 {
            let over = self.levels.pop().expect("there is more than one");
            let own = sum.filter(|_| self.levels.len() == depth + 1);
            if over.name.is_none() && over.plan.is_none() {
                // No subtest: what a failing case printed, indented.
                continue;
            }
            let whole = over.is_whole() || over.points == 0 && over.plan.is_none();
            let name = over.name.or(own.map(str::to_owned)).unwrap_or_default();
            if !whole {
                return unreadable(format!("the subtest `{name}` is not whole"));
            }
            let outer = self.levels.last_mut().expect("the whole is never over");
            outer
                .cases
                .extend(over.cases.into_iter().map(|(case, end)| {
                    let path = match name.is_empty() {
                        true => case,
                        false => format!("{name} > {case}"),
                    };
                    (path, end)
                }));
        }
        while self.levels.len() < depth + 1 {
            self.levels.push(TapLevel::default());
            self.name_braced();
        }
        self.braced = None;
        // The comment stands beside the subtest's point, or already inside the subtest.
        if let Some((at, name)) = self.announced.take() {
            let inner = self.levels.last_mut().expect("a level was just opened");
            let inside = at == depth && depth > 0;
            if (at + 1 == depth || inside) && inner.name.is_none() && inner.points == 0 {
                inner.name = Some(name);
            }
        }
        Ok(())
    }

    /// Gives the innermost level the name of the point whose brace it stands behind.
    fn name_braced(&mut self) {
        let inner = self.levels.len() - 1;
        let Some((at, name)) = self.braced.take() else {
            return;
        };
        if at + 1 == inner {
            if let Some(point) = self.levels[at].cases.last_mut() {
                point.0.clone_from(&name);
            }
            self.levels[inner].name = Some(name);
        }
    }

    /// Begins another list, where the last one is over.
    fn next_list(&mut self, begins: bool) -> Result<(), UnreadableReport> {
        let Some(whole) = self.levels.first().filter(|_| begins) else {
            return Ok(());
        };
        if whole.points == 0 && whole.plan.is_none() {
            return Ok(());
        }
        refuse_cut(whole)?;
        self.end_list();
        Ok(())
    }

    /// Moves the cases of the whole to those that are over, each with the file it was in.
    fn end_list(&mut self) {
        let cases = std::mem::take(&mut self.levels[0]).cases;
        self.over.extend(cases.into_iter().map(|(case, end)| {
            let name = match &self.file {
                Some(file) => format!("{file} > {case}"),
                None => case,
            };
            (name, end)
        }));
    }

    fn finish(mut self) -> ReadReport {
        self.open(0, None)?;
        refuse_cut(&self.levels[0])?;
        self.end_list();
        let mut report = TestReport::default();
        for (name, end) in self.over {
            let end = failed_or_broken(&name, end);
            report.add(name, end);
        }
        Ok(report)
    }
}

fn refuse_cut(whole: &TapLevel) -> Result<(), UnreadableReport> {
    match whole.plan {
        Some(_) if whole.is_whole() => Ok(()),
        Some(plan) => unreadable(format!(
            "the report announces {plan} points and has {}",
            whole.points
        )),
        None => unreadable("the report has no plan line `1..N`"),
    }
}

/// Where the remark behind a description begins: at a number sign that stands by itself and is not escaped.
fn remark_at(text: &str) -> Option<usize> {
    let mut signs = text.match_indices('#').map(|(at, _)| at);
    signs.find(|at| {
        text[..*at]
            .chars()
            .next_back()
            .is_none_or(char::is_whitespace)
    })
}

fn point_of(point: &regex::Captures<'_>) -> (String, CaseEnd) {
    let text = &point[4];
    let (name, directive) = text.split_at(remark_at(text).unwrap_or(text.len()));
    let directive = directive.trim_start_matches('#');
    let directive = directive.trim().to_ascii_uppercase();
    let end = match (point.get(1).is_some(), &directive) {
        (_, word) if word.starts_with("SKIP") => CaseEnd::Skipped,
        // What is yet to be done may fail.
        (_, word) if word.starts_with("TODO") => CaseEnd::Skipped,
        (true, _) => CaseEnd::Failed,
        (false, _) => CaseEnd::Passed,
    };
    let name = TIMING.replace(name.trim(), "");
    let name = name.replace("\\#", "#").replace("\\\\", "\\");
    let name = match name.as_str() {
        "" => format!("#{}", point.get(2).map_or("", |number| number.as_str())),
        name => name.to_owned(),
    };
    (name, end)
}
