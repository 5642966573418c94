//! One Markdown file: frontmatter as a YAML tree, body as sections, fenced blocks and bullets.
//!
//! Parsing never fails: it returns a document and its problems. Every span is in bytes of the
//! whole file. The frontmatter is cut off by bytes, not by the Markdown parser, which would take
//! a `---` block in the middle of a file for frontmatter and miss one behind a byte order mark.
//! Whether a problem matters, and what a key or a section means, is for the callers to say.

mod outline;

use crate::diagnostic::Span;
use crate::model::yaml::{self, Kind, Node, YamlErrorKind};
use outline::Outline;
use std::sync::{Arc, OnceLock};

/// The largest file that is parsed.
pub const MAX_FILE_BYTES: usize = 512 << 10;

const BOM: &str = "\u{feff}";

/// One Markdown file, read.
#[derive(Debug, Clone)]
pub struct Document {
    /// Path relative to the repository root, with `/`.
    pub path: Arc<str>,
    /// The whole file; with replacement characters if it is not UTF-8, empty if it is too large.
    pub text: Arc<str>,
    /// The frontmatter, unless it is missing or unreadable.
    pub front: Option<Front>,
    /// The bytes behind the frontmatter.
    pub(crate) body: Span,
    /// What is wrong with the file as a file.
    pub(crate) problems: Vec<Problem>,
    /// Made when first asked for: many callers want the frontmatter only.
    outline: OnceLock<Outline>,
}

/// The frontmatter of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Front {
    /// The bytes between the `---` lines.
    pub span: Span,
    /// Where the line of the closing `---` ends, its newline included.
    pub(crate) fence_end: usize,
    /// Always a mapping; an empty one if nothing is there.
    pub root: Node,
}

/// One thing wrong with a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Problem {
    /// What is wrong, for a program.
    pub(crate) kind: ProblemKind,
    /// What is wrong, for a user: a lowercase fragment.
    pub(crate) message: String,
    /// Bytes in the file.
    pub(crate) span: Span,
}

/// The kinds of problems a file can have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ProblemKind {
    /// Not UTF-8; spans behind the first wrong byte are those of the repaired text.
    NotUtf8,
    /// More than [`MAX_FILE_BYTES`]; nothing of it was parsed.
    TooLarge,
    /// The first line is not `---`.
    NoFrontmatter,
    /// The second `---` is missing: where the body begins is unknown.
    Unterminated,
    /// The frontmatter is YAML, but not a mapping.
    FrontNotMapping,
    /// The frontmatter's YAML is wrong.
    Yaml(YamlErrorKind),
}

/// A part of the body under an ATX heading or a bold lead-in (`**Context.** …`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// Its name as written, markup, outer spaces and a last `.` or `:` removed.
    pub name: String,
    /// The heading, or the bold text.
    pub heading: Span,
    /// Everything up to the next heading of the same or a higher level, or, for a lead-in, up to
    /// the next lead-in.
    pub content: Span,
    /// 1 to 6; 0 for a bold lead-in.
    pub level: u8,
    /// Whether the content is more than blank lines, comments and headings.
    pub(crate) has_text: bool,
}

/// A fenced code block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodeBlock {
    /// All that stands behind the opening fence.
    pub(crate) info: String,
    /// The lines between the fences.
    pub span: Span,
    /// Those lines as they stand in the file, indentation included, so that offsets into it agree
    /// with `span`.
    pub(crate) text: String,
    /// Whether there is a closing fence.
    pub(crate) closed: bool,
}

/// One item of a bullet list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Bullet {
    /// Its own text without markup, lines joined by spaces, nested items left out.
    pub(crate) text: String,
    /// The item from its marker on, nested items included.
    pub(crate) span: Span,
    /// Whether its box is checked, if it has one.
    pub(crate) checked: Option<bool>,
    /// 1 for an item of an outer list.
    pub(crate) depth: usize,
}

/// Two documents are the same when their file and text are: the rest follows from those.
impl PartialEq for Document {
    fn eq(&self, other: &Self) -> bool {
        self.path == other.path && self.text == other.text
    }
}

impl Document {
    /// Reads one file; what does not fit becomes a note.
    pub fn parse(path: Arc<str>, bytes: &[u8]) -> Document {
        let mut problems = Vec::new();
        if bytes.len() > MAX_FILE_BYTES {
            let message = format!("{} bytes, the limit is {MAX_FILE_BYTES}", bytes.len());
            problems.push(Problem {
                kind: ProblemKind::TooLarge,
                message,
                span: 0..0,
            });
            let (text, outline) = (Arc::from(""), OnceLock::new());
            return Document {
                path,
                text,
                front: None,
                body: 0..0,
                problems,
                outline,
            };
        }
        let text: Arc<str> = match std::str::from_utf8(bytes) {
            Ok(text) => text.into(),
            Err(error) => {
                let at = error.valid_up_to();
                let message = format!("byte {at} (0x{:02x}) is not valid UTF-8", bytes[at]);
                let span = at..at + char::REPLACEMENT_CHARACTER.len_utf8();
                problems.push(Problem {
                    kind: ProblemKind::NotUtf8,
                    message,
                    span,
                });
                String::from_utf8_lossy(bytes).into()
            }
        };
        let (front, body, found) = read_front(&text);
        problems.extend(found);
        Document {
            path,
            body: body..text.len(),
            text,
            front,
            problems,
            outline: OnceLock::new(),
        }
    }

    /// Returns where a frontmatter key's value stands, else the first byte of the file.
    pub fn key_span(&self, key: &str) -> Span {
        let entry = self.front.as_ref().and_then(|f| f.root.get(key));
        entry.map_or(0..0, |e| e.value.span.clone())
    }

    /// Returns what is written behind a key, as it is written; empty where nothing is.
    pub(crate) fn front_text(&self, key: &str) -> &str {
        let entry = self.front.as_ref().and_then(|front| front.root.get(key));
        let text = entry.and_then(|entry| self.text.get(entry.value.span.clone()));
        text.unwrap_or_default().trim()
    }

    /// Returns the text behind the frontmatter.
    pub(crate) fn body_text(&self) -> &str {
        self.text.get(self.body.clone()).unwrap_or_default()
    }

    /// Returns the sections of the body in the order of the file.
    pub fn sections(&self) -> &[Section] {
        &self.outline().sections
    }

    /// Returns the fenced blocks whose info string starts with that word.
    pub fn fenced(&self, lang: &str) -> Vec<&CodeBlock> {
        let is_lang = |info: &str| {
            let end = info.find(|c: char| c.is_whitespace() || matches!(c, ',' | '{'));
            info[..end.unwrap_or(info.len())].eq_ignore_ascii_case(lang)
        };
        self.outline()
            .fenced
            .iter()
            .filter(|block| is_lang(&block.info))
            .collect()
    }

    /// Returns every fenced block.
    pub(crate) fn blocks(&self) -> &[CodeBlock] {
        &self.outline().fenced
    }

    /// Returns the first ATX heading of level 1, markup removed, and where it stands.
    pub(crate) fn title(&self) -> Option<(String, Span)> {
        match self.outline.get() {
            Some(outline) => outline.title.clone(),
            None => self.plain_title().or_else(|| self.outline().title.clone()),
        }
    }

    /// Returns a title that the body begins with and that has no markup: lists of units want no more of a body.
    fn plain_title(&self) -> Option<(String, Span)> {
        let text = self.body_text().trim_start_matches(['\r', '\n']);
        let line = text.lines().next()?.trim_end();
        let title = line.strip_prefix("# ")?.trim();
        let is_plain = |c: char| c.is_alphanumeric() || " ,.:;?'\"()/+=%-".contains(c);
        let at = self.body.end - text.len();
        (!title.is_empty() && title.chars().all(is_plain))
            .then(|| (title.to_owned(), at..at + line.len()))
    }

    /// Returns the list items in the section of that name, nested ones included.
    pub(crate) fn bullets_under(&self, heading: &str) -> Vec<&Bullet> {
        let outline = self.outline();
        let Some(section) = find_section(&outline.sections, heading) else {
            return Vec::new();
        };
        let inside = |bullet: &&Bullet| section.content.contains(&bullet.span.start);
        outline.bullets.iter().filter(inside).collect()
    }

    fn outline(&self) -> &Outline {
        self.outline
            .get_or_init(|| Outline::of(&self.text, self.body.clone()))
    }
}

/// Finds a section by name, without regard to case.
///
/// A section that is called exactly so is preferred to one whose name goes on behind it, as
/// `Context (why)` does for `Context`.
pub(crate) fn find_section<'s>(sections: &'s [Section], name: &str) -> Option<&'s Section> {
    let name = name.trim();
    let goes_on = |section: &&Section| {
        let head = section.name.get(..name.len());
        let next = section
            .name
            .get(name.len()..)
            .and_then(|rest| rest.chars().next());
        head.is_some_and(|head| same_name(head, name)) && next.is_some_and(|c| !c.is_alphanumeric())
    };
    let exact = sections
        .iter()
        .find(|section| same_name(&section.name, name));
    exact.or_else(|| sections.iter().find(goes_on))
}

/// Whether two names differ in case at most; nearly all are ASCII, and need no copies.
fn same_name(one: &str, other: &str) -> bool {
    one.eq_ignore_ascii_case(other)
        || (!one.is_ascii() || !other.is_ascii()) && one.to_lowercase() == other.to_lowercase()
}

/// Returns the frontmatter's keys: none where it is empty; nothing where it is no mapping.
fn mapping(root: Option<Node>, start: usize, problems: &mut Vec<Problem>) -> Option<Node> {
    match root {
        Some(root) if matches!(root.kind, Kind::Mapping(_)) => Some(root),
        Some(root) if !root.is_null() => {
            problems.push(Problem {
                kind: ProblemKind::FrontNotMapping,
                message: "the frontmatter is not a mapping of keys to values".into(),
                span: root.span,
            });
            None
        }
        None if !problems.is_empty() => None,
        _ => Some(Node {
            span: start..start,
            kind: Kind::Mapping(Vec::new()),
        }),
    }
}

/// Cuts off and parses the frontmatter; returns it, where the body begins, and the problems.
pub(super) fn read_front(text: &str) -> (Option<Front>, usize, Vec<Problem>) {
    let start = if text.starts_with(BOM) { BOM.len() } else { 0 };
    let none = |kind, message: &str, span| {
        let problem = Problem {
            kind,
            message: message.into(),
            span,
        };
        (None, start, vec![problem])
    };
    let opening = line_end(text, start);
    if !is_fence(&text[start..opening]) {
        let message = "no frontmatter: the first line is not `---`";
        return none(ProblemKind::NoFrontmatter, message, start..start);
    }
    let Some(closing) = find_fence(text, opening) else {
        let message = "the frontmatter has no closing `---` line";
        return none(ProblemKind::Unterminated, message, start..start + 3);
    };
    let (span, fence_end) = (opening..closing, line_end(text, closing));
    let (root, errors) = yaml::parse(&text[span.clone()], span.start);
    let mut problems: Vec<Problem> = errors
        .into_iter()
        .map(|e| Problem {
            kind: ProblemKind::Yaml(e.kind),
            message: e.message,
            span: e.span,
        })
        .collect();
    let front = mapping(root, span.start, &mut problems).map(|root| Front {
        span,
        fence_end,
        root,
    });
    (front, fence_end, problems)
}

/// Returns where the line that holds `at` starts.
pub(crate) fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |newline| newline + 1)
}

/// Returns where the line that holds `at` ends, its newline included.
pub(crate) fn line_end(text: &str, at: usize) -> usize {
    text[at..]
        .find('\n')
        .map_or(text.len(), |newline| at + newline + 1)
}

fn find_fence(text: &str, from: usize) -> Option<usize> {
    let mut at = from;
    while at < text.len() {
        let end = line_end(text, at);
        if is_fence(&text[at..end]) {
            return Some(at);
        }
        at = end;
    }
    None
}

fn is_fence(line: &str) -> bool {
    line.strip_prefix("---")
        .is_some_and(|rest| rest.trim_matches([' ', '\t', '\r', '\n']).is_empty())
}

#[cfg(test)]
mod tests;
