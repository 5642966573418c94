//! Where in a piece of YAML the cursor is, read from its lines alone: while somebody types, it
//! parses seldom.

/// The keys around the cursor.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct YamlPosition<'t> {
    /// The key of the cursor's own line, when the cursor is behind its colon.
    pub(super) key: Option<&'t str>,
    /// The keys the line stands under, outermost first.
    pub(super) parents: Vec<&'t str>,
}

/// A line: the column of its content, that of its dash, and the content.
struct YamlLine<'t> {
    column: usize,
    dash: Option<usize>,
    content: &'t str,
}

impl<'t> YamlLine<'t> {
    fn of(line: &'t str) -> YamlLine<'t> {
        let bare = line.trim_start();
        let indent = line.len() - bare.len();
        let is_item = bare == "-" || bare.starts_with("- ");
        let content = if is_item {
            bare[1..].trim_start()
        } else {
            bare
        };
        YamlLine {
            column: line.len() - content.len(),
            dash: is_item.then_some(indent),
            content,
        }
    }

    fn key(&self) -> Option<&'t str> {
        let (key, rest) = self.content.split_once(':')?;
        let ends = rest.is_empty() || rest.starts_with([' ', '\r']);
        (ends && !key.contains([' ', '[', '"', '#'])).then_some(key)
    }
}

/// Finds the place at the end of a text that starts where the YAML does.
pub(super) fn of(text: &str) -> YamlPosition<'_> {
    let mut lines = text.rsplit('\n');
    let own = YamlLine::of(lines.next().unwrap_or_default());
    // A list may stand at its key's own column; what is under a key must stand deeper.
    let mut limit = own.dash.map_or(own.column, |dash| dash + 1);
    let mut parents = Vec::new();
    for line in lines {
        let line = YamlLine::of(line.trim_end());
        let Some(key) = line.key().filter(|_| line.column < limit) else {
            continue;
        };
        if line.dash.is_some_and(|_| line.column + 1 == limit) {
            continue;
        }
        parents.push(key);
        limit = line.dash.map_or(line.column, |dash| dash + 1);
        if limit == 0 {
            break;
        }
    }
    parents.reverse();
    YamlPosition {
        key: own.key(),
        parents,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_keys_around_the_cursor_are_found_by_columns() {
        let rows: &[(&str, Option<&str>, &[&str])] = &[
            ("", None, &[]),
            ("sta", None, &[]),
            ("status: ", Some("status"), &[]),
            ("id: a\ncovers: [R-1, ", Some("covers"), &[]),
            ("covers:\n  - ", None, &["covers"]),
            ("covers:\n- ", None, &["covers"]),
            ("covers:\n  - R-1\n  - R", None, &["covers"]),
            ("checks:\n  - ", None, &["checks"]),
            ("checks:\n  - name: a\n    ", None, &["checks"]),
            (
                "checks:\n  - name: a\n    run: b\n  - na",
                None,
                &["checks"],
            ),
            (
                "checks:\n  - name: a\n    covers:\n      - ",
                None,
                &["checks", "covers"],
            ),
            (
                "checks:\n  - name: a\n    expect_base: ",
                Some("expect_base"),
                &["checks"],
            ),
            ("checks:\n  - name: a\nsta", None, &[]),
            (
                "gates:\n  - gate: 1\n    work_units:\n      - id: A\n        depends_on: [",
                Some("depends_on"),
                &["gates", "work_units"],
            ),
            (
                "gates:\n  - gate: 1\n    work_units:\n      - id: A\n        depends_on:\n          - ",
                None,
                &["gates", "work_units", "depends_on"],
            ),
            ("run: a:b\nx", None, &[]),
        ];
        for (text, key, parents) in rows {
            let want = YamlPosition {
                key: *key,
                parents: parents.to_vec(),
            };
            assert_eq!(of(text), want, "{text:?}");
        }
    }
}
