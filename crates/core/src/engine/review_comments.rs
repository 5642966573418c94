//! What a user wrote on lines of an attempt's diff: a section of the unit's file, as a text editor would write it. The next
//! session reads it as evidence. It is no part of what arming freezes: a comment changes no contract.

use super::evidence::one_line;
use serde::Serialize;
use std::ops::Range;

/// The heading of the section.
pub(crate) const HEADING: &str = "## Review comments";

/// What a user wrote about a line of an attempt's diff.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LineComment {
    /// The file, from the root.
    pub path: String,
    /// The line, as the attempt left the file.
    pub line: u32,
    /// The number of the attempt on whose diff it stands.
    pub attempt: Option<u32>,
    /// The user's words, on one line.
    pub text: String,
    /// The line's own text at that time.
    pub quoted: Option<String>,
}

impl LineComment {
    /// Reads `- `path:line` (attempt N): text`, without its quote.
    fn parse(bullet: &str) -> Option<LineComment> {
        let (place, rest) = bullet.strip_prefix("- `")?.split_once('`')?;
        let (path, line) = place.rsplit_once(':')?;
        let line = line.parse().ok().filter(|n| *n > 0)?;
        let (number, text) = match rest.strip_prefix(" (attempt ") {
            Some(rest) => {
                let (number, text) = rest.split_once("):")?;
                (Some(number.parse().ok()?), text)
            }
            None => (None, rest.strip_prefix(':')?),
        };
        let text = text.trim();
        (!path.is_empty() && !text.is_empty()).then(|| LineComment {
            path: path.to_owned(),
            line,
            attempt: number,
            text: text.to_owned(),
            quoted: None,
        })
    }

    /// Returns its lines in the section.
    fn lines(&self) -> Vec<String> {
        let attempt = self.attempt.map(|n| format!(" (attempt {n})"));
        let (path, text) = (one_line(&self.path), one_line(&self.text));
        let first = format!(
            "- `{path}:{}`{}: {text}",
            self.line,
            attempt.unwrap_or_default()
        );
        let quoted = self
            .quoted
            .as_ref()
            .map(|line| format!("  > {}", one_line(line)));
        std::iter::once(first).chain(quoted).collect()
    }
}

/// Comments as they stand, and the lines of the section that are none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReviewComments {
    /// Those that can be read.
    pub comments: Vec<LineComment>,
    /// Where the others stand.
    pub(crate) malformed: Vec<Range<usize>>,
}

/// Returns where the section stands in a text: from its heading to the next of its level, or above.
fn section(text: &str) -> Option<Range<usize>> {
    let mut fenced = false;
    let mut at = 0;
    let mut start = None;
    for line in text.split_inclusive('\n') {
        let bare = line.trim_end();
        let opens = bare.trim_start().starts_with("```") || bare.trim_start().starts_with("~~~");
        fenced ^= opens;
        let is_heading = !fenced && (bare.starts_with("# ") || bare.starts_with("## "));
        match start {
            Some(start) if is_heading => return Some(start..at),
            None if is_heading && bare.eq_ignore_ascii_case(HEADING) => start = Some(at),
            _ => {}
        }
        at += line.len();
    }
    start.map(|start| start..at)
}

/// Returns the comments of a unit's text.
pub fn of_text(text: &str) -> ReviewComments {
    let mut found = ReviewComments::default();
    let Some(section) = section(text) else {
        return found;
    };
    let mut at = section.start;
    for line in text[section].split_inclusive('\n') {
        let span = at..at + line.trim_end().len();
        at += line.len();
        let bare = line.trim_end();
        if bare.is_empty() || bare.eq_ignore_ascii_case(HEADING) {
            continue;
        }
        let last = found.comments.last_mut();
        match (bare.strip_prefix("  "), last) {
            (Some(more), Some(last)) => match more.trim_start().strip_prefix('>') {
                Some(quote) => {
                    let quote = quote.strip_prefix(' ').unwrap_or(quote);
                    last.quoted = Some(quote.to_owned());
                }
                None => last.text = format!("{} {}", last.text, more.trim()),
            },
            _ => match LineComment::parse(bare) {
                Some(comment) => found.comments.push(comment),
                None => found.malformed.push(span),
            },
        }
    }
    found
}

/// Returns a unit's text without the section.
pub(crate) fn without(text: &str) -> String {
    match section(text) {
        Some(section) => format!("{}{}", &text[..section.start], &text[section.end..]),
        None => text.to_owned(),
    }
}

/// Returns a unit's text with one more comment; every other byte stays.
pub fn with_comment(text: &str, comment: &LineComment) -> String {
    let end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let lines = comment.lines().join(end);
    match section(text) {
        Some(section) => {
            let at = section.start + text[section].trim_end().len();
            let gap = match text[..at].ends_with(|c: char| c != '\n') {
                true if of_text(text).comments.is_empty() => format!("{end}{end}"),
                _ => end.to_owned(),
            };
            format!("{}{gap}{lines}{}", &text[..at], &text[at..])
        }
        None => {
            let gap = match text.ends_with('\n') {
                true => end.to_owned(),
                false => format!("{end}{end}"),
            };
            format!("{text}{gap}{HEADING}{end}{end}{lines}{end}")
        }
    }
}

/// Returns what a session reads of the comments; empty without any.
pub(crate) fn prompt_section(text: &str) -> String {
    let found = of_text(text).comments;
    if found.is_empty() {
        return String::new();
    }
    let lines: Vec<String> = found.iter().flat_map(LineComment::lines).collect();
    format!(
        "# What the user wrote on lines of earlier work\n\nMeet each of these. Line numbers are those of that attempt; the line itself is quoted.\n\n{}\n",
        lines.join("\n")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn comment(path: &str, line: u32) -> LineComment {
        LineComment {
            path: path.to_owned(),
            line,
            attempt: Some(2),
            text: "use `printf`: it is\nportable".to_owned(),
            quoted: Some("    echo \"$x\"".to_owned()),
        }
    }

    #[test]
    fn a_comment_is_read_back_as_it_was_written_whatever_stands_around_it() {
        for text in [
            "# Unit\n\n## Context\n\nx\n",
            "# Unit\n\n## Context\n\nx",
            "# Unit\r\n\r\n## Context\r\n\r\nx\r\n",
            "# Unit\n\n## Review comments\n\n## Verification\n\nx\n",
            "# Unit\n\n```md\n## Review comments\n```\n",
            "",
        ] {
            let once = with_comment(text, &comment("a b.sh", 7));
            let twice = with_comment(&once, &comment("c:d.sh", 9));
            let found = of_text(&twice);
            assert!(found.malformed.is_empty(), "{twice:?}");
            let shown: Vec<_> = found
                .comments
                .iter()
                .map(|c| (&*c.path, c.line, c.attempt))
                .collect();
            assert_eq!(
                shown,
                [("a b.sh", 7, Some(2)), ("c:d.sh", 9, Some(2))],
                "{twice:?}"
            );
            assert_eq!(found.comments[0].text, "use `printf`: it is\\nportable");
            assert_eq!(found.comments[0].quoted.as_deref(), Some("    echo \"$x\""));
            assert_eq!(twice.contains("\r\n"), text.contains("\r\n"));
            assert_eq!(
                twice.matches("\r\n").count(),
                if text.contains("\r\n") {
                    twice.matches('\n').count()
                } else {
                    0
                }
            );
            if !text.contains("## Review comments\n\n##") {
                assert_eq!(without(&twice).trim_end(), text.trim_end());
            }
            let whole = without(&twice);
            assert!(
                !whole.contains("a b.sh") && whole.contains("# Unit") == text.contains("# Unit")
            );
        }
    }

    #[test]
    fn what_a_user_types_by_hand_is_read_too() {
        let text = "## review comments\n\n- `a.sh:3`: short\n- `b.sh:4` (attempt 1): long\n  and longer\n  > quoted\n- nonsense\n- `c.sh:0`: no line\n- `d.sh:1`:\nprose\n\n# Next\n- `e.sh:1`: outside\n";
        let found = of_text(text);
        let shown: Vec<_> = found
            .comments
            .iter()
            .map(|c| format!("{}:{} {:?} {}", c.path, c.line, c.attempt, c.text))
            .collect();
        assert_eq!(
            shown,
            ["a.sh:3 None short", "b.sh:4 Some(1) long and longer"]
        );
        assert_eq!(found.comments[1].quoted.as_deref(), Some("quoted"));
        let wrong: Vec<&str> = found
            .malformed
            .iter()
            .map(|span| &text[span.clone()])
            .collect();
        assert_eq!(
            wrong,
            ["- nonsense", "- `c.sh:0`: no line", "- `d.sh:1`:", "prose"]
        );
        assert!(without(text).starts_with("# Next"));
    }

    #[test]
    fn a_session_reads_the_comments_and_nothing_without_any() {
        assert_eq!(prompt_section("# Unit\n"), "");
        let text = with_comment("# Unit\n", &comment("a.sh", 7));
        let shown = prompt_section(&text);
        assert!(
            shown.contains("- `a.sh:7` (attempt 2): use `printf`"),
            "{shown}"
        );
        assert!(shown.contains("  >     echo"), "{shown}");
    }
}
