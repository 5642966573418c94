//! The roadmap's table: one row per feature, added without touching any other byte.

use super::template::one_line;

/// What a row says; columns the table does not have are left out, others get a dash.
pub struct RoadmapRow<'a> {
    /// The feature's id in full.
    pub id: &'a str,
    /// Its title; `|` in it is escaped.
    pub title: &'a str,
    /// Its status, as in its plan.
    pub status: &'a str,
    /// The name of its directory below `features/`.
    pub directory: &'a str,
}

/// Returns the roadmap with a row behind the last one of its feature table. A roadmap without such
/// a table gets one at its end.
pub fn add_row(roadmap: &str, row: &RoadmapRow<'_>) -> String {
    let end = if roadmap.contains("\r\n") {
        "\r\n"
    } else {
        "\n"
    };
    let Some((header, at)) = feature_table(roadmap) else {
        let gap = if roadmap.is_empty() || roadmap.ends_with(&format!("{end}{end}")) {
            ""
        } else {
            end
        };
        let header = "| Feature | Title | Status | Directory |";
        let table = format!(
            "{gap}{header}{end}|---|---|---|---|{end}{}{end}",
            cells(header, row)
        );
        return insert(roadmap, roadmap.len(), &table, end);
    };
    insert(roadmap, at, &format!("{}{end}", cells(header, row)), end)
}

/// Inserts whole lines; a last line without a newline gets one first.
fn insert(text: &str, at: usize, lines: &str, end: &str) -> String {
    let (before, after) = text.split_at(at);
    let joint = if before.is_empty() || before.ends_with('\n') {
        ""
    } else {
        end
    };
    format!("{before}{joint}{lines}{after}")
}

/// Returns the header line of the first table whose first column is the feature, and the offset
/// behind the table's last line.
fn feature_table(text: &str) -> Option<(&str, usize)> {
    let mut at = 0;
    let mut header = None;
    for line in text.split_inclusive('\n') {
        let row = line.trim_start().starts_with('|');
        match header {
            None if row
                && columns(line)
                    .next()
                    .is_some_and(|name| name.to_lowercase().starts_with("feature")) =>
            {
                header = Some(line);
            }
            Some(header) if !row => return Some((header, at)),
            _ => {}
        }
        at += line.len();
    }
    header.map(|header| (header, at))
}

fn columns(line: &str) -> impl Iterator<Item = &str> {
    line.trim()
        .trim_start_matches('|')
        .trim_end_matches('|')
        .split('|')
        .map(str::trim)
}

fn cells(header: &str, row: &RoadmapRow<'_>) -> String {
    let cells = columns(header).map(|name| match name.to_lowercase().as_str() {
        name if name.starts_with("feature") => row.id.to_owned(),
        "title" => one_line(row.title).replace('|', "\\|"),
        "status" => row.status.to_owned(),
        "directory" | "folder" => format!("[{0}](features/{0}/PLAN.md)", row.directory),
        _ => "—".to_owned(),
    });
    format!("| {} |", cells.collect::<Vec<_>>().join(" | "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_goes_behind_the_last_one_and_nothing_else_changes() {
        let new = "| FEAT-2026-0002 | A \\| b | planned | [f](features/f/PLAN.md) |";
        let table = "| Feature | Title | Status | Directory |\n|---|---|---|---|\n";
        let rows = [
            (format!("# R\n\n{table}"), format!("# R\n\n{table}{new}\n")),
            (format!("{table}| x | y | done | z |\n\n## Notes\n"), format!("{table}| x | y | done | z |\n{new}\n\n## Notes\n")),
            (format!("{table}| x | y | done | z |"), format!("{table}| x | y | done | z |\n{new}\n")),
            (
                "| Other |\n|---|\n\n| Feature ID | Status | Detail |\n|:--|--|--|\ntext\n".to_owned(),
                "| Other |\n|---|\n\n| Feature ID | Status | Detail |\n|:--|--|--|\n| FEAT-2026-0002 | planned | — |\ntext\n".to_owned(),
            ),
            ("# R\n".to_owned(), format!("# R\n\n{table}{new}\n")),
            (String::new(), format!("{table}{new}\n")),
            (table.replace('\n', "\r\n"), format!("{table}{new}\n").replace('\n', "\r\n")),
        ];
        for (before, want) in rows {
            let row = RoadmapRow {
                id: "FEAT-2026-0002",
                title: "A | b",
                status: "planned",
                directory: "f",
            };
            assert_eq!(add_row(&before, &row), want, "{before:?}");
        }
    }
}
