//! What one pass of the Markdown parser over a body finds: sections, fenced blocks, bullets.
//!
//! Setext headings are read as paragraphs: a paragraph followed by a `---` rule is one for the
//! Markdown parser, and would swallow the lead-in that the paragraph starts with.

use super::{Bullet, CodeBlock, Section, line_end};
use crate::diagnostic::Span;
use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

/// The structure of a body.
#[derive(Debug, Clone, Default)]
pub(super) struct Outline {
    pub(super) sections: Vec<Section>,
    pub(super) fenced: Vec<CodeBlock>,
    pub(super) bullets: Vec<Bullet>,
    pub(super) title: Option<(String, Span)>,
}

impl Outline {
    /// Reads the body at that place of a file.
    pub(super) fn of(text: &str, body: Span) -> Outline {
        let source = text.get(body.clone()).unwrap_or_default();
        let mut walk = Walk {
            source,
            base: body.start,
            ..Walk::default()
        };
        let options = Options::ENABLE_TASKLISTS | Options::ENABLE_TABLES;
        for (event, range) in Parser::new_ext(source, options).into_offset_iter() {
            walk.event(event, range);
        }
        walk.finish()
    }
}

/// The beginning of a section; its content is known once all marks are.
struct Mark {
    name: String,
    heading: Span,
    /// Where the content begins.
    content: usize,
    level: u8,
    /// For a lead-in, headings up to this level end it.
    ended_by: u8,
}

#[derive(Default)]
struct Walk<'t> {
    source: &'t str,
    base: usize,
    /// Open block containers and paragraphs.
    depth: usize,
    marks: Vec<Mark>,
    /// The level of the last heading that is not a part of a lead-in; 0 before the first.
    under: u8,
    /// The `ended_by` of the lead-in we are in.
    lead_ended_by: Option<u8>,
    /// A heading or a possible lead-in whose text is being collected.
    collecting: Option<Collecting>,
    /// Whether inline content at the start of a line of a top-level paragraph comes next.
    line_start: LineStart,
    /// Positions in `out.bullets` of the items that are open.
    items: Vec<usize>,
    out: Outline,
}

struct Collecting {
    text: String,
    span: Span,
    /// 0 for a lead-in.
    level: u8,
    /// Whether the lead-in opens its paragraph, and so needs no `.` or `:` to be one.
    opens: bool,
}

#[derive(Default, Clone, Copy, PartialEq)]
enum LineStart {
    #[default]
    No,
    Paragraph,
    Line,
}

impl Walk<'_> {
    fn event(&mut self, event: Event<'_>, range: Span) {
        let at = std::mem::take(&mut self.line_start);
        match event {
            Event::Start(tag) => self.start(tag, range, at),
            Event::End(end) => self.end(end, &range),
            Event::Text(text) | Event::Code(text) => self.text(&text),
            Event::SoftBreak | Event::HardBreak => {
                self.text(" ");
                if self.depth == 1 && self.collecting.is_none() {
                    self.line_start = LineStart::Line;
                }
            }
            Event::TaskListMarker(checked) => {
                if let Some(&item) = self.items.last() {
                    self.out.bullets[item].checked = Some(checked);
                }
            }
            _ => {}
        }
    }

    fn start(&mut self, tag: Tag<'_>, range: Span, at: LineStart) {
        match tag {
            Tag::Heading { level, .. } => {
                self.depth += 1;
                let level = level as u8;
                if self.source[range.start..]
                    .trim_start_matches(' ')
                    .starts_with('#')
                {
                    let text = String::new();
                    self.collecting = Some(Collecting {
                        text,
                        span: range,
                        level,
                        opens: true,
                    });
                } else {
                    self.line_start = LineStart::Paragraph;
                }
            }
            Tag::Paragraph => {
                self.depth += 1;
                self.separate();
                self.line_start = LineStart::Paragraph;
            }
            Tag::Strong => {
                if self.depth == 1 && at != LineStart::No && self.collecting.is_none() {
                    let (text, opens) = (String::new(), at == LineStart::Paragraph);
                    self.collecting = Some(Collecting {
                        text,
                        span: range,
                        level: 0,
                        opens,
                    });
                }
            }
            Tag::CodeBlock(CodeBlockKind::Fenced(info)) => {
                self.depth += 1;
                self.fenced(&info, range);
            }
            Tag::Item => {
                self.depth += 1;
                self.item(&range);
            }
            Tag::Emphasis | Tag::Strikethrough | Tag::Link { .. } | Tag::Image { .. } => {}
            _ => self.depth += 1,
        }
    }

    fn item(&mut self, range: &Span) {
        let (span, depth) = (self.trimmed(range), self.items.len() + 1);
        self.items.push(self.out.bullets.len());
        self.out.bullets.push(Bullet {
            text: String::new(),
            span,
            checked: None,
            depth,
        });
    }

    fn end(&mut self, end: TagEnd, range: &Span) {
        match end {
            TagEnd::Heading(_) => {
                self.depth = self.depth.saturating_sub(1);
                if let Some(found) = self.collecting.take() {
                    self.heading(found);
                }
            }
            TagEnd::Strong => {
                if self
                    .collecting
                    .as_ref()
                    .is_some_and(|c| c.level == 0 && c.span == *range)
                    && let Some(found) = self.collecting.take()
                {
                    self.lead_in(found);
                }
            }
            TagEnd::Item => {
                self.depth = self.depth.saturating_sub(1);
                self.items.pop();
            }
            TagEnd::Emphasis | TagEnd::Strikethrough | TagEnd::Link | TagEnd::Image => {}
            _ => self.depth = self.depth.saturating_sub(1),
        }
    }

    fn text(&mut self, text: &str) {
        if let Some(collecting) = &mut self.collecting {
            collecting.text.push_str(text);
        } else if let Some(&item) = self.items.last() {
            self.out.bullets[item].text.push_str(text);
        }
    }

    /// Keeps the paragraphs of one list item apart.
    fn separate(&mut self) {
        if let Some(&item) = self.items.last() {
            let text = &mut self.out.bullets[item].text;
            if !text.is_empty() {
                text.push(' ');
            }
        }
    }

    fn heading(&mut self, found: Collecting) {
        // A heading in a quotation or a list item structures that, not the file.
        if self.depth > 0 {
            return;
        }
        let heading = self.trimmed(&found.span);
        let level = found.level;
        if level == 1 && self.out.title.is_none() {
            self.out.title = Some((found.text.trim().to_owned(), heading.clone()));
        }
        if self.lead_ended_by.is_none_or(|ended_by| level <= ended_by) {
            self.lead_ended_by = None;
            self.under = level;
        }
        let name = bare_name(&found.text);
        let content = self.base + line_end(self.source, found.span.start);
        let ended_by = level;
        self.marks.push(Mark {
            name,
            heading,
            content,
            level,
            ended_by,
        });
    }

    fn lead_in(&mut self, found: Collecting) {
        let behind = &self.source[found.span.end..];
        let punctuated =
            found.text.trim_end().ends_with(['.', ':']) || behind.starts_with([':', '.']);
        if !found.opens && !punctuated {
            return;
        }
        let skipped = usize::from(behind.starts_with([':', '.']));
        let content = self.base + found.span.end + skipped;
        let heading = self.trimmed(&found.span);
        let name = bare_name(&found.text);
        // It stands one level below the heading it is under, so that deeper headings are parts of
        // it, and those do not change where the next lead-in stands.
        let ended_by = *self.lead_ended_by.get_or_insert(self.under.max(1) + 1);
        self.marks.push(Mark {
            name,
            heading,
            content,
            level: 0,
            ended_by,
        });
    }

    /// The lines between the fences, with whatever indentation they have in the file.
    fn fenced(&mut self, info: &str, range: Span) {
        let block = &self.source[range.clone()];
        let start = line_end(block, 0);
        let fence = block.trim_start().chars().next().unwrap_or('`');
        let last = block
            .trim_end_matches(['\r', '\n'])
            .rfind('\n')
            .map_or(0, |newline| newline + 1);
        let line = block[last..].trim().trim_start_matches(['>', ' ', '\t']);
        let closed = last >= start && line.len() >= 3 && line.chars().all(|c| c == fence);
        let end = if closed { last } else { block.len().max(start) };
        let span = self.base + range.start + start..self.base + range.start + end;
        let (info, text) = (info.trim().to_owned(), block[start..end].to_owned());
        self.out.fenced.push(CodeBlock {
            info,
            span,
            text,
            closed,
        });
    }

    /// Shifts a range to the file and drops the blank end the Markdown parser includes.
    fn trimmed(&self, range: &Span) -> Span {
        let length = self.source[range.clone()].trim_end().len();
        self.base + range.start..self.base + range.start + length
    }

    fn finish(mut self) -> Outline {
        let end_of_body = self.base + self.source.len();
        for (index, mark) in self.marks.iter().enumerate() {
            let ends = |next: &&Mark| match (mark.level, next.level) {
                (0, 0) => true,
                (_, 0) => false,
                (_, next) => next <= mark.ended_by,
            };
            let next = self.marks[index + 1..].iter().find(ends);
            let end = next.map_or(end_of_body, |next| next.heading.start);
            let content = mark.content.min(end)..end;
            let source = &self.source[content.start - self.base..content.end - self.base];
            self.out.sections.push(Section {
                name: mark.name.clone(),
                heading: mark.heading.clone(),
                has_text: has_text(source),
                content,
                level: mark.level,
            });
        }
        for bullet in &mut self.out.bullets {
            let trimmed = bullet.text.trim();
            if trimmed.len() != bullet.text.len() {
                bullet.text = trimmed.to_owned();
            }
        }
        self.out
    }
}

fn bare_name(text: &str) -> String {
    text.trim()
        .trim_end_matches(['.', ':'])
        .trim_end()
        .to_owned()
}

/// Whether anything but comments, headings and rules stands there.
fn has_text(content: &str) -> bool {
    let mut rest = content;
    let mut visible = String::new();
    while let Some(start) = memchr::memmem::find(rest.as_bytes(), b"<!--") {
        visible.push_str(&rest[..start]);
        rest = rest[start..]
            .find("-->")
            .map_or("", |end| &rest[start + end + 3..]);
    }
    visible.push_str(rest);
    visible.lines().map(str::trim).any(|line| {
        let is_heading = line.trim_start_matches('#').len() < line.len()
            && line.trim_start_matches('#').starts_with([' ', '\t']);
        let is_rule = line.chars().all(|c| matches!(c, '-' | '*' | '_' | ' '));
        let is_empty_item = matches!(line, "-" | "*" | "+" | "- [ ]");
        !(is_heading || is_rule || is_empty_item || line.is_empty())
    })
}
