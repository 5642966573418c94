//! A patch as files and numbered lines, so that a page can show them and a comment can name one.

/// What a line of a diff is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LineKind {
    Added,
    Removed,
    Same,
    /// The head of a hunk, or a remark of git's.
    Remark,
}

/// A line of a patch, with its number on each side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct DiffLine<'a> {
    pub(super) kind: LineKind,
    /// Its number before; none where it was not there.
    pub(super) old: Option<u32>,
    /// Its number in the new file; none of a removed line.
    pub(super) new: Option<u32>,
    pub(super) text: &'a str,
}

/// What a patch changes in one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FileDiff<'a> {
    pub(super) path: &'a str,
    pub(super) lines: Vec<DiffLine<'a>>,
}

impl FileDiff<'_> {
    /// Returns how many lines came and went.
    pub(super) fn counts(&self) -> (usize, usize) {
        let of = |kind| self.lines.iter().filter(|line| line.kind == kind).count();
        (of(LineKind::Added), of(LineKind::Removed))
    }
}

/// Returns the files of a patch of git's; what stands before the first is left out.
pub(super) fn files(patch: &str) -> Vec<FileDiff<'_>> {
    let mut files: Vec<FileDiff<'_>> = Vec::new();
    let mut left = (0, 0);
    let mut at = (0, 0);
    for line in patch.lines() {
        if left == (0, 0)
            && let Some(names) = line.strip_prefix("diff --git ")
        {
            let path = path_of(names);
            files.push(FileDiff {
                path,
                lines: vec![],
            });
            continue;
        }
        let Some(file) = files.last_mut() else {
            continue;
        };
        if left == (0, 0) {
            if let Some((old, new)) = hunk(line) {
                (at, left) = ((old.0, new.0), (old.1, new.1));
                file.lines.push(remark(line));
            } else if !is_header(line) {
                file.lines.push(remark(line));
            }
            continue;
        }
        let mut shown = unnumbered(line);
        let kind = shown.kind;
        if kind == LineKind::Remark {
            file.lines.push(shown);
            continue;
        }
        if kind != LineKind::Added {
            shown.old = Some(at.0);
            at.0 += 1;
            left.0 = left.0.saturating_sub(1);
        }
        if kind != LineKind::Removed {
            shown.new = Some(at.1);
            at.1 += 1;
            left.1 = left.1.saturating_sub(1);
        }
        file.lines.push(shown);
    }
    files
}

/// Returns a line of a hunk; which it is of each side is not known yet.
fn unnumbered(line: &str) -> DiffLine<'_> {
    let (kind, text) = match line.as_bytes().first() {
        Some(b'+') => (LineKind::Added, &line[1..]),
        Some(b'-') => (LineKind::Removed, &line[1..]),
        Some(b'\\') => (LineKind::Remark, line),
        Some(b' ') => (LineKind::Same, &line[1..]),
        _ => (LineKind::Same, line),
    };
    DiffLine {
        kind,
        old: None,
        new: None,
        text,
    }
}

fn remark(text: &str) -> DiffLine<'_> {
    DiffLine {
        kind: LineKind::Remark,
        old: None,
        new: None,
        text,
    }
}

/// Returns the new path of `a/PATH b/PATH`, both being the same without renames.
fn path_of(names: &str) -> &str {
    let half = names.len() / 2;
    let second = names.get(half + 1..).unwrap_or(names);
    let path = second
        .strip_prefix("b/")
        .or_else(|| second.strip_prefix("\"b/"));
    path.unwrap_or(second).trim_end_matches('"')
}

fn is_header(line: &str) -> bool {
    [
        "index ",
        "--- ",
        "+++ ",
        "new file mode ",
        "deleted file mode ",
    ]
    .iter()
    .any(|start| line.starts_with(start))
}

/// Returns where a hunk starts and how many lines it has, before and after.
fn hunk(line: &str) -> Option<((u32, u32), (u32, u32))> {
    let mut parts = line.strip_prefix("@@ ")?.split(' ');
    let side = |text: &str, sign: char| -> Option<(u32, u32)> {
        let text = text.strip_prefix(sign)?;
        let (start, count) = text.split_once(',').unwrap_or((text, "1"));
        Some((start.parse().ok()?, count.parse().ok()?))
    };
    Some((side(parts.next()?, '-')?, side(parts.next()?, '+')?))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATCH: &str = " a.txt | 2 +-\n\ndiff --git a/a.txt b/a.txt\nindex 1..2 100644\n--- a/a.txt\n+++ b/a.txt\n@@ -3,3 +3,3 @@ head\n same\n-old\n+new\n+++ not a header\n last\n\\ No newline at end of file\ndiff --git a/dir/b b b/dir/b b\nnew file mode 100644\nBinary files differ\n";

    #[test]
    fn lines_have_the_numbers_they_have_in_their_files() {
        // The hunk says three lines after, so the fourth is not one of it.
        let patch = PATCH.replace("+3,3", "+3,4");
        let found = files(&patch);
        let shown: Vec<String> = found
            .iter()
            .flat_map(|f| f.lines.iter().map(move |l| (f.path, l)))
            .map(|(path, l)| {
                let number = |n: Option<u32>| n.map_or("-".to_owned(), |n| n.to_string());
                format!(
                    "{path} {} {} {:?} {}",
                    number(l.old),
                    number(l.new),
                    l.kind,
                    l.text
                )
            })
            .collect();
        assert_eq!(
            shown,
            [
                "a.txt - - Remark @@ -3,3 +3,4 @@ head",
                "a.txt 3 3 Same same",
                "a.txt 4 - Removed old",
                "a.txt - 4 Added new",
                "a.txt - 5 Added ++ not a header",
                "a.txt 5 6 Same last",
                "a.txt - - Remark \\ No newline at end of file",
                "dir/b b - - Remark Binary files differ",
            ]
        );
        assert_eq!(found[0].counts(), (2, 1));
    }

    #[test]
    fn what_is_no_patch_has_no_files() {
        assert!(files("").is_empty() && files("@@ -1 +1 @@\n-a\n+b\n").is_empty());
        assert_eq!(hunk("@@ -1 +2,0 @@"), Some(((1, 1), (2, 0))));
        assert_eq!(hunk("@@ nonsense"), None);
    }
}
