//! roadmap.md: one table row a feature. Rows are found by the feature's id in any cell.

use crate::diagnostic::Span;

/// One row of the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoadmapEntry {
    /// The feature's id, as written.
    pub feature: String,
    /// The status cell's text, when the table has such a column.
    pub(crate) status: Option<String>,
    /// Bytes of the status cell's text.
    pub(crate) status_span: Option<Span>,
    /// The whole line, without its ending.
    pub(crate) span: Span,
}

/// Returns every row that names a feature.
pub fn rows(text: &str) -> Vec<RoadmapEntry> {
    let mut rows = Vec::new();
    let mut status_column = None;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let bare = line.trim_end_matches(['\n', '\r']);
        if bare.trim_start().starts_with('|') {
            let cells = cells(bare, start);
            if let Some(column) = cells
                .iter()
                .position(|(t, _)| t.eq_ignore_ascii_case("status"))
            {
                status_column = Some(column);
            } else if let Some(feature) = cells.iter().find_map(|(t, _)| feature_in(t)) {
                let status = status_column.and_then(|c| cells.get(c)).cloned();
                rows.push(RoadmapEntry {
                    feature,
                    status: status.as_ref().map(|(t, _)| t.clone()),
                    status_span: status.map(|(_, span)| span),
                    span: start..start + bare.len(),
                });
            }
        } else {
            status_column = None;
        }
        start += line.len();
    }
    rows
}

/// Returns the text with the status cell of a feature's row replaced, when there is one.
pub(crate) fn set_status(text: &str, feature: &str, status: &str) -> Option<String> {
    let row = rows(text).into_iter().find(|r| r.feature == feature)?;
    let span = row.status_span?;
    Some(format!(
        "{}{status}{}",
        &text[..span.start],
        &text[span.end..]
    ))
}

/// Returns the text with a feature's row moved under `## Archive`, the last section; nothing when it
/// has no row or is there already. The archive repeats the head of the table the row comes from.
pub fn archive(text: &str, feature: &str) -> Option<String> {
    let archive = text.find("\n## Archive").map(|at| at + 1);
    let row = rows(text).into_iter().find(|r| r.feature == feature)?;
    if archive.is_some_and(|at| row.span.start > at) {
        return None;
    }
    let end = if text[..row.span.start].ends_with("\r\n") {
        "\r\n"
    } else {
        "\n"
    };
    let line = text.get(row.span.clone())?.to_owned();
    let rest = &text[row.span.end..];
    let rest = rest.strip_prefix(end).unwrap_or(rest);
    let mut new = format!("{}{rest}", &text[..row.span.start]);
    if !new.ends_with('\n') {
        new.push_str(end);
    }
    if archive.is_none() {
        let head = head_of(text, row.span.start)?;
        new.push_str(&format!("{end}## Archive{end}{end}"));
        for one in head.lines() {
            new.push_str(one);
            new.push_str(end);
        }
        new.push_str(&line);
        new.push_str(end);
        return Some(new);
    }
    let from = new.find("\n## Archive")? + 1;
    let last = rows(&new).into_iter().rfind(|r| r.span.start > from);
    let at = last.map_or(new.len(), |r| r.span.end);
    let at = new[at..].find('\n').map_or(new.len(), |i| at + i + 1);
    new.insert_str(at, &format!("{line}{end}"));
    Some(new)
}

/// Returns head and rule of the table that a row stands in.
fn head_of(text: &str, row: usize) -> Option<&str> {
    let mut start = row;
    let mut lines: Vec<(usize, usize)> = Vec::new();
    while start > 0 {
        let begin = text[..start - 1].rfind('\n').map_or(0, |i| i + 1);
        if !text[begin..start].trim_start().starts_with('|') {
            break;
        }
        lines.push((begin, start));
        start = begin;
    }
    let first = lines.last()?.0;
    let second = lines.get(lines.len().checked_sub(2)?)?.1;
    text.get(first..second)
}

fn cells(line: &str, offset: usize) -> Vec<(String, Span)> {
    let first = line.find('|').map_or(0, |i| i + 1);
    let mut at = first;
    let mut cells = Vec::new();
    for cell in line[first..].split('|') {
        let trimmed = cell.trim();
        let lead = cell.len() - cell.trim_start().len();
        let start = offset + at + lead.min(cell.len());
        cells.push((trimmed.to_owned(), start..start + trimmed.len()));
        at += cell.len() + 1;
    }
    cells
}

/// Returns the feature id a cell holds, alone or inside a link or code.
fn feature_in(cell: &str) -> Option<String> {
    let start = cell.find("FEAT-").or_else(|| cell.find("INIT-"))?;
    let rest = &cell[start..];
    let end = rest
        .find(|c: char| !(c.is_ascii_alphanumeric() || c == '-' || c == '/'))
        .unwrap_or(rest.len());
    super::id::FeatureId::parse(&rest[..end]).map(|id| id.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_moves_to_the_archive_once() {
        let text = "# R\n\n| Feature | Status |\n|---|---|\n| FEAT-2026-0001 | done |\n| FEAT-2026-0002 | active |\n";
        let one = archive(text, "FEAT-2026-0001").unwrap();
        assert_eq!(
            one,
            "# R\n\n| Feature | Status |\n|---|---|\n| FEAT-2026-0002 | active |\n\n## Archive\n\n| Feature | Status |\n|---|---|\n| FEAT-2026-0001 | done |\n"
        );
        assert_eq!(archive(&one, "FEAT-2026-0001"), None);
        let two = archive(&one, "FEAT-2026-0002").unwrap();
        assert!(
            two.ends_with("| FEAT-2026-0001 | done |\n| FEAT-2026-0002 | active |\n"),
            "{two}"
        );
        assert_eq!(rows(&two).len(), 2);
        assert_eq!(archive(text, "FEAT-2026-0009"), None);
    }

    #[test]
    fn a_status_cell_is_replaced_and_nothing_else() {
        let text = "# Roadmap\r\n\r\n| Feature | Goal | Status |\r\n|---|---|---|\r\n| [FEAT-2026-0001](x) | a | active |\r\n| FEAT-2026-0002 | b |  planned|\r\n";
        assert_eq!(rows(text).len(), 2);
        let done = set_status(text, "FEAT-2026-0001", "done").unwrap();
        assert_eq!(done, text.replace("| active |", "| done |"));
        let two = set_status(text, "FEAT-2026-0002", "active").unwrap();
        assert_eq!(two, text.replace("|  planned|", "|  active|"));
        assert_eq!(set_status(text, "FEAT-2026-0003", "done"), None);
    }
}
