//! `GW101`. See `missing_frontmatter.md`.

use crate::lint::context::FileCx;
use crate::lint::finding_sink::FindingSink;
use crate::model::document::ProblemKind;

pub(super) fn check(file: &FileCx<'_>, out: &mut FindingSink) {
    for problem in file.doc.iter().flat_map(|d| &d.problems) {
        if problem.kind == ProblemKind::NoFrontmatter {
            let found = out.at(
                &file.path,
                problem.span.clone(),
                "no frontmatter: the first line is not `---`",
            );
            match almost(&file.text[problem.span.start..]) {
                Almost::BlankLines(bytes) => {
                    let start = problem.span.start;
                    found
                        .help("take out the blank lines before `---`")
                        .safe_fix(
                            "begin with the frontmatter",
                            vec![(start..start + bytes, String::new())],
                        );
                }
                Almost::Fence(mark) => {
                    found.help(format!("write `---`, three dashes, where `{mark}` stands"));
                }
                Almost::Below(line) => {
                    found.help(format!(
                        "move the frontmatter, which begins in line {line}, to the top of the file"
                    ));
                }
                Almost::Absent => {
                    found.help("start the file with `---`, the keys, and another `---`");
                }
            }
        }
    }
}

/// What there is instead of a frontmatter at the top.
#[derive(Debug, PartialEq, Eq)]
enum Almost<'a> {
    /// It begins behind so many bytes of nothing.
    BlankLines(usize),
    /// It is fenced by another mark.
    Fence(&'a str),
    /// It begins in this line.
    Below(usize),
    Absent,
}

fn almost(text: &str) -> Almost<'_> {
    let is_fence = |line: &str| line.trim_end() == "---";
    let rest = text.trim_start();
    let first = rest.lines().next().unwrap_or_default().trim_end();
    let is_mark = first.len() > 1 && (first.bytes().all(|b| b == b'-') || first == "+++");
    if is_fence(first) {
        return Almost::BlankLines(text.len() - rest.len());
    }
    if is_mark {
        return Almost::Fence(first);
    }
    // A rule between paragraphs is no frontmatter: the first key has to follow.
    let lines: Vec<&str> = text.lines().take(50).collect();
    let keys = |line: &str| {
        ["id:", "gate:", "feature_id:"]
            .iter()
            .any(|k| line.starts_with(k))
    };
    let pairs = lines.windows(2);
    let at = pairs
        .clone()
        .position(|pair| is_fence(pair[0]) && keys(pair[1]));
    at.map_or(Almost::Absent, |at| Almost::Below(at + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_at_the_top_says_what_went_wrong() {
        for (text, want) in [
            ("\n \n---\nid: x\n---\n", Almost::BlankLines(3)),
            ("----\nid: x\n----\n", Almost::Fence("----")),
            ("+++\nid = 1\n+++\n", Almost::Fence("+++")),
            ("# Title\n\n---\nid: x\n---\n", Almost::Below(3)),
            ("# Title\n\n---\n\nText.\n", Almost::Absent),
            ("", Almost::Absent),
        ] {
            assert_eq!(almost(text), want, "{text}");
        }
    }
}
