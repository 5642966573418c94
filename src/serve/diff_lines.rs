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
    /// Its name as git shows it.
    pub(super) path: &'a str,
    /// Its name as a command takes it; none where no line of it can be named: of a link, of a repository, of odd bytes.
    pub(super) name: Option<String>,
    /// Whether it is gone, so that its lines are those from before.
    pub(super) removed: bool,
    pub(super) lines: Vec<DiffLine<'a>>,
}

impl FileDiff<'_> {
    /// Returns the number by which a comment names a line.
    pub(super) fn number(&self, line: &DiffLine<'_>) -> Option<u32> {
        match self.removed {
            true => line.old,
            false => line.new,
        }
    }

    /// Returns whether a line is one of git's about the file, and notes what it says.
    fn takes_header(&mut self, line: &str) -> bool {
        let deleted = line.starts_with("deleted file mode ");
        let starts = ["index ", "--- ", "+++ ", "new file mode "];
        if !deleted && !starts.iter().any(|start| line.starts_with(start)) {
            return false;
        }
        self.removed |= deleted;
        // A link, and a repository within the repository.
        if !line.starts_with(['-', '+'])
            && [" 120000", " 160000"]
                .iter()
                .any(|mode| line.ends_with(mode))
        {
            self.name = None;
        }
        true
    }

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
            let (path, name) = path_of(names);
            files.push(FileDiff {
                path,
                name,
                removed: false,
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
            } else if !file.takes_header(line) {
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

/// Returns the new path of `a/PATH b/PATH`, both being the same without renames: as shown, and as it is.
fn path_of(names: &str) -> (&str, Option<String>) {
    let half = names.len() / 2;
    let second = names.get(half + 1..).unwrap_or(names);
    if let Some(quoted) = second.strip_prefix("\"b/") {
        let path = quoted.strip_suffix('"').unwrap_or(quoted);
        return (path, unquoted(path));
    }
    let path = second.strip_prefix("b/").unwrap_or(second);
    (path, Some(path.to_owned()))
}

/// Undoes what git does to a name with quotes; `None` where the name holds what no form carries, such as a line end.
fn unquoted(path: &str) -> Option<String> {
    let mut plain = String::new();
    let mut characters = path.chars();
    while let Some(c) = characters.next() {
        plain.push(match c {
            '\\' => characters.next().filter(|c| matches!(c, '"' | '\\'))?,
            c => c,
        });
    }
    Some(plain)
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
    fn lines_are_named_as_commands_take_them_and_only_where_they_can_be() {
        for (head, path, name, removed) in [
            (
                "a/a.txt b/a.txt\nindex 1..2 100644",
                "a.txt",
                Some("a.txt"),
                false,
            ),
            ("a/é x b/é x\nindex 1..2 100644", "é x", Some("é x"), false),
            (
                r#""a/q\"\\ x" "b/q\"\\ x""#,
                r#"q\"\\ x"#,
                Some(r#"q"\ x"#),
                false,
            ),
            (r#""a/tab\t" "b/tab\t""#, r"tab\t", None, false),
            (r#""a/\001" "b/\001""#, r"\001", None, false),
            (
                "a/g b/g\ndeleted file mode 100644\nindex 1..0",
                "g",
                Some("g"),
                true,
            ),
            (
                "a/l b/l\nnew file mode 120000\nindex 0..1",
                "l",
                None,
                false,
            ),
            ("a/l b/l\nindex 0..1 120000", "l", None, false),
            ("a/m b/m\nindex 0..1 160000", "m", None, false),
            (
                "a/n 120000 b/n 120000\n+++ b/n 120000",
                "n 120000",
                Some("n 120000"),
                false,
            ),
        ] {
            let patch = format!("diff --git {head}\n@@ -1 +1,2 @@\n-a\n+b\n+c\n");
            let found = files(&patch);
            let file = &found[0];
            let shown = (file.path, file.name.as_deref(), file.removed);
            assert_eq!(shown, (path, name, removed), "{head}");
            let numbers: Vec<_> = file.lines[1..].iter().map(|l| file.number(l)).collect();
            let want = match removed {
                true => [Some(1), None, None],
                false => [None, Some(1), Some(2)],
            };
            assert_eq!(numbers, want, "{head}");
        }
    }

    #[test]
    fn what_is_no_patch_has_no_files() {
        assert!(files("").is_empty() && files("@@ -1 +1 @@\n-a\n+b\n").is_empty());
        assert_eq!(hunk("@@ -1 +2,0 @@"), Some(((1, 1), (2, 0))));
        assert_eq!(hunk("@@ nonsense"), None);
    }
}
