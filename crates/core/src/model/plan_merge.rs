//! A plan file that a user edited, with what a run wrote into it meanwhile.
//!
//! A key is taken where the user left it alone, lines of the body where theirs are others. Everything else stays
//! theirs, byte for byte. Deliberately absent: markers of conflicts, and reading or writing files.

use super::document::{Front, read_front};
use super::edit::{KeyEdit, edits};
use super::layout::{self, Layout};
use super::yaml::{Kind, Node, Style};
use crate::path_names::file_name;
use std::ops::Range;

/// Returns whether a file is one of a plan that runs write keys and lines into; its path is relative to the repository
/// root.
pub fn is_plan_file(path: &str) -> bool {
    let features = format!("{}/", layout::FEATURES);
    let written = |layout: Layout| {
        let name = path.strip_prefix(&layout.path(""));
        name.is_some_and(|name| name == layout::ROADMAP || name.starts_with(&features))
    };
    path.ends_with(".md") && Layout::ALL.into_iter().any(written)
}

/// Returns whether a text is the file of the unit whose file at a path was another text, whatever its name is now.
pub fn is_file_of_unit(text: &str, (path, was): (&str, &str)) -> bool {
    let id = |text: &str| {
        let front = read_front(text).0?;
        Some(front.root.get("id")?.value.as_str()?.to_owned())
    };
    layout::is_unit_file(file_name(path)) && id(was).is_some_and(|was| id(text) == Some(was))
}

/// Returns the user's version of a file with what changed from one version to another; nothing where it takes none of
/// that.
pub fn with_changes(old: &str, new: &str, user: &str) -> Option<String> {
    let [old, new, user] = [old, new, user].map(FileParts::of);
    let head = user.with_keys(&old, &new);
    let body = with_lines([old.body, new.body, user.body]);
    (head.is_some() || body.is_some()).then(|| {
        let head = head.as_deref().unwrap_or(user.head);
        format!("{head}{}", body.as_deref().unwrap_or(user.body))
    })
}

/// A file in two parts.
struct FileParts<'a> {
    /// Everything above the body, fences included.
    head: &'a str,
    body: &'a str,
    /// Absent where anything is wrong with it.
    front: Option<Front>,
}

impl FileParts<'_> {
    fn of(text: &str) -> FileParts<'_> {
        let (front, body, problems) = read_front(text);
        FileParts {
            head: &text[..body],
            body: &text[body..],
            front: front.filter(|_| problems.is_empty()),
        }
    }

    fn value(&self, key: &str) -> Option<&Node> {
        Some(&self.front.as_ref()?.root.get(key)?.value)
    }

    /// Returns the part above the body with the keys that are new or others than before; nothing where it takes none.
    fn with_keys(&self, old: &FileParts<'_>, new: &FileParts<'_>) -> Option<String> {
        let (was, is) = (old.front.as_ref()?, new.front.as_ref()?);
        let free = |key: &str| {
            let user = self.value(key);
            same(old.value(key), user) && !same(new.value(key), user)
        };
        let written = is.root.entries().iter().filter(|entry| free(&entry.key));
        let mut changes: Vec<(&str, KeyEdit<'_>)> = written
            .map(|entry| {
                (
                    &*entry.key,
                    self.key_edit(&entry.key, (&entry.value, new.head)),
                )
            })
            .collect();
        let removed = was.root.entries().iter();
        let removed = removed.filter(|entry| new.value(&entry.key).is_none() && free(&entry.key));
        changes.extend(removed.map(|entry| (&*entry.key, KeyEdit::Remove)));
        if changes.is_empty() {
            return None;
        }
        edits(self.head, &changes).ok()
    }

    /// Returns how a value of another file is written into this one: in the quotes that are there.
    fn key_edit<'v>(&self, key: &str, (value, text): (&'v Node, &'v str)) -> KeyEdit<'v> {
        let plain = |node: &Node| {
            let style = match &node.kind {
                Kind::Scalar { style, .. } => *style,
                _ => Style::Plain,
            };
            style == Style::Plain
        };
        match (&value.kind, self.value(key)) {
            (Kind::Scalar { text, .. }, Some(user)) if !plain(user) => KeyEdit::Scalar(text),
            _ => KeyEdit::Raw(&text[value.span.clone()]),
        }
    }
}

/// Whether two values say the same, quotes aside.
fn same(one: Option<&Node>, other: Option<&Node>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => match (one.as_str(), other.as_str()) {
            (Some(one), Some(other)) => one == other,
            _ => one.same(other),
        },
        (one, other) => one.is_none() && other.is_none(),
    }
}

/// Returns the user's lines with those that changed between two other versions; nothing where none did, or the user
/// changed the same ones.
fn with_lines([old, new, user]: [&str; 3]) -> Option<String> {
    let [old, new, user] =
        [old, new, user].map(|text| text.split_inclusive('\n').collect::<Vec<_>>());
    let (of_run, lines) = changed_lines(&old, &new);
    let (of_user, theirs) = changed_lines(&old, &user);
    let both_insert = of_run.is_empty() && of_user == of_run;
    let at = match () {
        () if lines.is_empty() && of_run.is_empty() || both_insert && !theirs.is_empty() => {
            return None;
        }
        () if of_run.end <= of_user.start => of_run,
        () if of_user.end <= of_run.start => {
            let moved = |at: usize| at + theirs.len() - of_user.len();
            moved(of_run.start)..moved(of_run.end)
        }
        () => return None,
    };
    let line_end = match user.first().is_some_and(|line| line.ends_with("\r\n")) {
        true => "\r\n",
        false => "\n",
    };
    let written = new[lines].iter().map(|line| match line.strip_suffix('\n') {
        Some(line) => format!("{}{line_end}", line.trim_end_matches('\r')),
        None => (*line).to_owned(),
    });
    Some(
        [
            user[..at.start].concat(),
            written.collect(),
            user[at.end..].concat(),
        ]
        .concat(),
    )
}

/// Returns the lines of a version from the first to the last that another one has not, and what is there instead.
fn changed_lines(old: &[&str], new: &[&str]) -> (Range<usize>, Range<usize>) {
    let same = |(one, other): &(&&str, &&str)| {
        one.trim_end_matches(['\r', '\n']) == other.trim_end_matches(['\r', '\n'])
    };
    let before = old.iter().zip(new).take_while(same).count();
    let (old_rest, new_rest) = (&old[before..], &new[before..]);
    let behind = old_rest
        .iter()
        .rev()
        .zip(new_rest.iter().rev())
        .take_while(same)
        .count();
    (before..old.len() - behind, before..new.len() - behind)
}

#[cfg(test)]
mod tests {
    use super::{is_file_of_unit, is_plan_file, with_changes};

    /// Name, before, as the run wrote it, as the user has it, and both; nothing where it is the user's alone.
    const ROWS: &[(&str, &str, &str, &str, Option<&str>)] = &[
        (
            "a key changed, prose added",
            "---\ns: a\n---\nx\n",
            "---\ns: b\n---\nx\n",
            "---\ns: a\n---\nx\ny\n",
            Some("---\ns: b\n---\nx\ny\n"),
        ),
        (
            "a key added, another added",
            "---\ns: a\n---\n",
            "---\ns: a\nq: 1\n---\n",
            "---\ns: a\nm: 2\n---\n",
            Some("---\ns: a\nm: 2\nq: 1\n---\n"),
        ),
        (
            "a key removed, another changed",
            "---\ns: a\nq: 1\n---\n",
            "---\ns: a\n---\n",
            "---\ns: b\nq: 1\n---\n",
            Some("---\ns: b\n---\n"),
        ),
        (
            "the same key, one more",
            "---\ns: a\n---\n",
            "---\ns: b\nq: 1\n---\n",
            "---\ns: c\n---\n",
            Some("---\ns: c\nq: 1\n---\n"),
        ),
        (
            "the same key alone",
            "---\ns: a\n---\n",
            "---\ns: b\n---\n",
            "---\ns: c\n---\n",
            None,
        ),
        (
            "the key that the user took away",
            "---\ns: a\nt: 1\n---\n",
            "---\ns: b\nt: 1\n---\n",
            "---\nt: 1\n---\n",
            None,
        ),
        (
            "the value that is there already",
            "---\ns: a\n---\n",
            "---\ns: b\n---\n",
            "---\ns: b\n---\nx\n",
            None,
        ),
        (
            "quotes",
            "---\ns: a\n---\n",
            "---\ns: b\n---\n",
            "---\ns: 'a' # why\n---\n",
            Some("---\ns: 'b' # why\n---\n"),
        ),
        (
            "a figure",
            "---\ns: a\n---\n",
            "---\ns: a\nc: 0.25\n---\n",
            "---\r\ns: a\r\n---\r\n",
            Some("---\r\ns: a\r\nc: 0.25\r\n---\r\n"),
        ),
        (
            "a list",
            "---\ns: a\n---\n",
            "---\ns: a\nl: [x, 1]\n---\n",
            "---\ns: a\n---\nx\n",
            Some("---\ns: a\nl: [x, 1]\n---\nx\n"),
        ),
        (
            "a byte order mark",
            "---\ns: a\n---\n",
            "---\ns: b\n---\n",
            "\u{feff}---\ns: a\n---\n",
            Some("\u{feff}---\ns: b\n---\n"),
        ),
        (
            "frontmatter that nobody can read",
            "---\ns: a\n---\n",
            "---\ns: b\n---\n",
            "---\ns: [\n---\n",
            None,
        ),
        (
            "no frontmatter",
            "---\ns: a\n---\n",
            "---\ns: b\n---\n",
            "x\n",
            None,
        ),
        (
            "nothing",
            "---\ns: a\n---\nx\n",
            "---\ns: b\n---\nx\n",
            "",
            None,
        ),
        (
            "lines apart",
            "1\n2\n3\n",
            "1\n2\n3\n4\n",
            "0\n1\n2\n3\n",
            Some("0\n1\n2\n3\n4\n"),
        ),
        (
            "lines side by side",
            "1\n2\n",
            "1\nb\n",
            "1\n2\n3\n",
            Some("1\nb\n3\n"),
        ),
        (
            "lines side by side, the other way",
            "1\n2\n",
            "1\n2\n3\n",
            "1\nb\n",
            Some("1\nb\n3\n"),
        ),
        ("the same line", "1\n2\n", "1\nb\n", "1\nc\n", None),
        ("both at the end", "1\n", "1\n2\n", "1\n3\n", None),
        (
            "no last line end",
            "1\n2",
            "1\nb",
            "0\n1\n2",
            Some("0\n1\nb"),
        ),
        (
            "line ends of another kind",
            "1\n2\n",
            "1\n2\n3\n",
            "0\r\n1\r\n2\r\n",
            Some("0\r\n1\r\n2\r\n3\r\n"),
        ),
        (
            "lines that the run took away",
            "1\n2\n3\n",
            "1\n3\n",
            "1\n2\n3\n4\n",
            Some("1\n3\n4\n"),
        ),
        ("nothing written", "1\n", "1\n", "2\n", None),
    ];

    #[test]
    fn what_a_run_wrote_goes_beside_what_the_user_wrote() {
        for (name, old, new, user, want) in ROWS {
            assert_eq!(with_changes(old, new, user).as_deref(), *want, "{name}");
            assert_eq!(
                with_changes(old, old, user),
                None,
                "{name}: nothing written"
            );
            let unedited = with_changes(old, new, old);
            let want = (old != new).then_some(*new);
            assert_eq!(unedited.as_deref(), want, "{name}: not edited");
        }
    }

    #[test]
    fn plan_files_are_told_by_path_and_unit() {
        for (path, want) in [
            (".gatewalk/features/FEAT-2026-0001-a/PLAN.md", true),
            (".specfuse/roadmap.md", true),
            (".gatewalk/features/FEAT-2026-0001-a/events.jsonl", false),
            (".gatewalk/rules/mine.md", false),
            ("docs/features/PLAN.md", false),
            (".gatewalkfeatures/PLAN.md", false),
        ] {
            assert_eq!(is_plan_file(path), want, "{path}");
        }
        let was = ("d/WU-01.md", "---\nid: F/T01\n---\n");
        assert!(is_file_of_unit("---\nid: 'F/T01'\n---\nx\n", was));
        assert!(!is_file_of_unit("---\nid: F/T02\n---\n", was));
        assert!(!is_file_of_unit("", (was.0, "")));
        assert!(!is_file_of_unit(was.1, ("d/GATE-01.md", was.1)));
    }
}
