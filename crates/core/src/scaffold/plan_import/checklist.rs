//! Markdown lists with boxes to tick; also the lines that other formats build on.

use super::{ImportedPlan, SourceFile, heading};
use crate::pattern::TextPattern;
use crate::scaffold::plan_outline::UnitOutline;

/// Its box may be empty, stand in a quote or in bold, or be marked as optional with a `*`.
static BOX: TextPattern =
    TextPattern::new(r"^[\s>]*(?:[-*+]|\d+[.)])\s*(\**)\[([^\]\s]|\s*)\](\*?)\s+(.*)$");

/// A sign that is a box by itself, behind the mark of a list or, where nobody writes it as a word, alone.
static SIGN: TextPattern = TextPattern::new(
    r"^[\s>]*(?:(?:[-*+]|\d+[.)])\s+(\**)([☐☑☒⬜✅✔✓])|(\**)([☐☑☒⬜✅]))\x{fe0f}?(\**)\s+(.*)$",
);

/// A line that begins with a box.
struct BoxedLine {
    mark: String,
    /// The words behind the box, with the marks that stood before them.
    text: String,
}

impl BoxedLine {
    fn read(line: &str) -> Option<BoxedLine> {
        if let Some(found) = BOX.captures(line) {
            return Some(BoxedLine {
                mark: found[2].to_owned(),
                text: words_of(&found),
            });
        }
        let found = SIGN.captures(line)?;
        let part = |at: usize| found.get(at).map_or("", |part| part.as_str());
        // Bold that ends behind the sign was the sign's.
        let bold = if part(5).is_empty() {
            [part(1), part(3)].concat()
        } else {
            String::new()
        };
        Some(BoxedLine {
            mark: [part(2), part(4)].concat(),
            text: format!("{bold}{}", part(6).trim()),
        })
    }
}

/// An item of a list, with what stands below it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ListItem {
    /// The number of its line, from 1.
    pub(super) line: usize,
    /// Why it is no work any more: `it is ticked`.
    pub(super) over: Option<&'static str>,
    /// What stands in its box.
    pub(super) mark: String,
    pub(super) text: String,
    /// The lines below it, nested items among them, as they stand.
    pub(super) below: Vec<String>,
    /// The open items among them.
    pub(super) open: Vec<String>,
    /// The heading it stands under.
    pub(super) section: String,
}

/// A text as a list of items, and the lines that belong to none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct ReadList {
    pub(super) items: Vec<ListItem>,
    pub(super) rest: String,
}

/// Returns why a box stands for no work. Other marks than these are of work that began, or waits.
fn over(mark: &str) -> Option<&'static str> {
    match mark {
        "x" | "X" | "✓" | "✔" | "✅" | "☑" | "☒" => Some("it is ticked"),
        "-" => Some("it is struck out"),
        _ => None,
    }
}

/// Returns the words behind a box, with the marks that stood before them.
fn words_of(found: &regex::Captures<'_>) -> String {
    let optional = if found[3].is_empty() { "" } else { "* " };
    format!("{}{optional}{}", &found[1], found[4].trim())
}

/// Returns whether the next line stands in a comment: what this one opens last and does not close.
fn in_comment(line: &str, before: bool) -> bool {
    match (line.rfind("<!--"), line.rfind("-->")) {
        (None, None) => before,
        (open, close) => open > close,
    }
}

/// Reads the outermost boxes of a text.
pub(super) fn items(text: &str) -> ReadList {
    let mut list = ReadList::default();
    let mut section = String::new();
    let mut fence = false;
    let mut comment = false;
    // The indentation of the item that is being read.
    let mut inside: Option<usize> = None;
    for (number, line) in text.lines().enumerate() {
        let indent = line.len() - line.trim_start().len();
        let below = inside.is_some_and(|at| indent > at);
        if !fence
            && !comment
            && let Some(found) = BoxedLine::read(line)
        {
            let item = list.items.last_mut().filter(|_| below);
            match item {
                Some(item) => {
                    item.below.push(line.to_owned());
                    if over(&found.mark).is_none() {
                        item.open.push(found.text);
                    }
                }
                None => {
                    inside = Some(indent);
                    list.items.push(ListItem {
                        line: number + 1,
                        over: over(&found.mark),
                        mark: found.mark,
                        text: found.text,
                        below: vec![],
                        open: vec![],
                        section: section.clone(),
                    });
                }
            }
            continue;
        }
        let start = line.trim_start();
        fence ^= !comment && (start.starts_with("```") || start.starts_with("~~~"));
        comment = !fence && in_comment(line, comment);
        let blank = line.trim().is_empty();
        if !blank && !below {
            inside = None;
        }
        if !fence && line.starts_with('#') {
            section = line.trim_start_matches('#').trim().to_owned();
        }
        match list.items.last_mut().filter(|_| below) {
            Some(item) => item.below.push(line.to_owned()),
            None => list.rest.push_str(&format!("{line}\n")),
        }
    }
    list
}

/// Returns what is to be said of open parts of what is over.
pub(super) fn but_open(parts: usize) -> String {
    match parts {
        0 => String::new(),
        1 => ", but 1 part of it is open".to_owned(),
        open => format!(", but {open} parts of it are open"),
    }
}

impl ListItem {
    /// Returns why it is no work any more, and what is open below it all the same.
    pub(super) fn why_over(&self) -> Option<String> {
        Some(format!("{}{}", self.over?, but_open(self.open.len())))
    }

    /// Returns it as it stands, for a quote.
    pub(super) fn quote(&self) -> String {
        match self.section.as_str() {
            "" => self.words(),
            section => format!("{section}\n\n{}", self.words()),
        }
    }

    /// Returns it and what stands below it, without its heading.
    pub(super) fn words(&self) -> String {
        let below: String = self.below.iter().map(|line| format!("\n{line}")).collect();
        format!("{}{below}", self.text)
    }
}

pub(super) fn is_one(text: &str) -> bool {
    text.lines().any(|line| BoxedLine::read(line).is_some())
}

pub(super) fn read(files: &[SourceFile]) -> ImportedPlan {
    let mut plan = ImportedPlan::default();
    for file in files {
        let list = items(&file.text);
        for item in &list.items {
            if let Some(why) = item.why_over() {
                let place = format!("{}:{}", file.path, item.line);
                plan.leave_out(place, &item.words(), &why);
                continue;
            }
            plan.outline.units.push(UnitOutline {
                title: title_of(&item.text),
                text: item.quote(),
                criteria: item.open.clone(),
                ..UnitOutline::default()
            });
        }
        plan.quote(file, &list.rest);
        if plan.outline.title.is_empty() {
            plan.outline.title = heading(&file.text).unwrap_or_default().to_owned();
        }
    }
    plan
}

/// Returns the words of a task that a title has room for, without Markdown's marks.
pub(super) fn title_of(text: &str) -> String {
    let plain: String = text.chars().filter(|c| !matches!(c, '*' | '`')).collect();
    let plain = plain.trim();
    if plain.chars().count() <= 72 {
        return plain.to_owned();
    }
    let cut: String = plain.chars().take(72).collect();
    let whole = cut
        .rsplit_once(' ')
        .map_or(cut.as_str(), |(whole, _)| whole);
    format!("{whole} …")
}
