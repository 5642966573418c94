//! `GW115`. See `missing_section.md`.

use crate::diagnostic::Span;
use crate::lint::context::UnitCx;
use crate::lint::finding_sink::{FindingBuilder, FindingSink};
use crate::model::document::find_section;
use crate::model::frontmatter::nearest;
use crate::model::unit::REQUIRED_SECTIONS;

pub(super) fn check(cx: &UnitCx<'_>, out: &mut FindingSink) {
    if !cx.is_prompt() || cx.unit.doc.front.is_none() {
        return;
    }
    let sections = cx.unit.doc.sections();
    let missing: Vec<&str> = REQUIRED_SECTIONS
        .into_iter()
        .filter(|name| find_section(sections, name).is_none())
        .collect();
    if missing.is_empty() {
        return;
    }
    let body = cx.unit.doc.body.start;
    let span = cx.unit.doc.title().map_or(body..body, |(_, span)| span);
    let plural = if missing.len() == 1 {
        "section"
    } else {
        "sections"
    };
    let found = out
        .at(
            cx.path(),
            span,
            format!("missing {plural}: {}", missing.join(", ")),
        )
        .help("add each as a heading (`## Context`) or a bold lead-in (`**Context.** …`)");
    let text = &cx.unit.doc.text[body..];
    let lookalikes = missing.iter().filter_map(|name| lookalike(text, name));
    let lookalikes: Vec<Lookalike> = lookalikes.collect();
    let swallowed = lookalikes
        .iter()
        .find_map(|one| block_around(cx, body + one.span.start));
    match swallowed {
        Some(line) => drop(found.help(format!(
            "line {line} opens a block of code that takes them in: close it with a line ``` before the first heading"
        ))),
        None => offer_headings(cx, found, lookalikes),
    }
}

/// Returns the line that opens the block of code in which a place is.
fn block_around(cx: &UnitCx<'_>, at: usize) -> Option<usize> {
    let doc = &cx.unit.doc;
    let around = doc.blocks().iter().find(|block| block.span.contains(&at))?;
    Some(doc.text[..around.span.start].matches('\n').count())
}

/// Offers to write what was meant as a heading so that it is one.
fn offer_headings(cx: &UnitCx<'_>, found: FindingBuilder<'_>, lookalikes: Vec<Lookalike>) {
    let body = cx.unit.doc.body.start;
    let text = &cx.unit.doc.text[body..];
    let Some(first) = lookalikes.first() else {
        return;
    };
    let line = cx.unit.doc.text[..body + first.span.start]
        .matches('\n')
        .count()
        + 1;
    let written = text[first.span.clone()].trim_end().replace('\n', " ");
    let found = found.help(format!(
        "line {line} is `{written}`: write `{}`",
        first.heading.trim_end()
    ));
    let is_safe = lookalikes.iter().all(|one| one.is_same_name);
    let edits = lookalikes
        .into_iter()
        .map(|one| (body + one.span.start..body + one.span.end, one.heading))
        .collect();
    match is_safe {
        true => found.safe_fix("write the heading so that it is read", edits),
        false => found.unsafe_fix("write the section's name", edits),
    };
}

/// Lines that were meant to be a section's heading.
struct Lookalike {
    span: Span,
    /// What to write there.
    heading: String,
    /// Whether only the form of the heading differs, not its words.
    is_same_name: bool,
}

/// Finds `##Context`, `Context` underlined, `Context:` alone in a line, and headings with a name that is nearly it.
fn lookalike(text: &str, name: &str) -> Option<Lookalike> {
    let heading = format!("## {name}");
    let mut start = 0;
    let mut lines = text.split_inclusive('\n').peekable();
    while let Some(line) = lines.next() {
        let bare = line.trim_matches(['#', '*', ':', ' ', '\r', '\n']);
        let is_same_name = bare.eq_ignore_ascii_case(name);
        let underline = lines.peek().copied().unwrap_or_default();
        let marks = underline.trim_end();
        let underlined = marks.len() > 1
            && (marks.bytes().all(|b| b == b'-') || marks.bytes().all(|b| b == b'='));
        let is_near = line.starts_with('#') && nearest(bare, [name]).is_some();
        if is_same_name || is_near {
            let with_underline = is_same_name && underlined && !line.starts_with('#');
            let length = line.len() + if with_underline { underline.len() } else { 0 };
            let whole = &text[start..start + length];
            return Some(Lookalike {
                span: start..start + whole.trim_end().len(),
                heading,
                is_same_name,
            });
        }
        start += line.len();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_that_are_nearly_sections_are_found() {
        for (text, name, want) in [
            ("a\n##Context\nb", "Context", Some(("##Context", true))),
            ("Context\n---\n\nb", "Context", Some(("Context\n---", true))),
            ("context:\nb", "Context", Some(("context:", true))),
            (
                "## Acceptence criteria\n",
                "Acceptance criteria",
                Some(("## Acceptence criteria", false)),
            ),
            (
                "## Don't touch\n",
                "Do not touch",
                Some(("## Don't touch", false)),
            ),
            ("The context\n## Notes\n", "Context", None),
        ] {
            let found = lookalike(text, name);
            let found = found.map(|one| (&text[one.span], one.is_same_name));
            assert_eq!(found, want, "{text}");
        }
    }
}
