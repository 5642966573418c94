//! A line of a table on a terminal that is too narrow for it.

use unicode_width::UnicodeWidthStr;

/// Returns a line that fits: its columns closer together, else broken between words, what follows set in. A word that is
/// wider than the terminal stays whole, so that it can be copied.
pub(crate) fn folded(line: &str, width: usize) -> String {
    if columns(line) <= width {
        return line.to_owned();
    }
    let body = line.trim_start();
    let indent = " ".repeat(line.len() - body.len());
    let cells: Vec<&str> = body.split("  ").map(str::trim).collect();
    let cells = cells.into_iter().filter(|cell| !cell.is_empty());
    let close = cells.collect::<Vec<_>>().join("  ");
    let mut text = indent.clone();
    let mut used = columns(&indent);
    for (at, word) in close.split(' ').enumerate() {
        let own = columns(word);
        if at > 0 && used + 1 + own > width && own > 0 {
            text = format!("{}\n{indent}  ", text.trim_end());
            used = columns(&indent) + 2;
        } else if at > 0 {
            text.push(' ');
            used += 1;
        }
        text.push_str(word);
        used += own;
    }
    text
}

/// Returns how many columns a text takes, its colours none.
fn columns(text: &str) -> usize {
    anstream::adapter::strip_str(text).to_string().width()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_a_table_is_narrowed_before_it_is_broken_and_never_within_a_word() {
        for (line, want) in [
            ("a  b", "a  b"),
            ("a          b            c", "a  b  c"),
            ("  FEAT-1    done      2/2", "  FEAT-1  done  2/2"),
            (
                "  FEAT-2026-0001/T01   passed   cost unknown",
                "  FEAT-2026-0001/T01\n    passed  cost unknown",
            ),
            (
                "refs/gatewalk/attempts/FEAT-2026-0001 gone",
                "refs/gatewalk/attempts/FEAT-2026-0001\n  gone",
            ),
            (
                "\u{1b}[1ma\u{1b}[0m bbbb cccc dddd",
                "\u{1b}[1ma\u{1b}[0m bbbb cccc dddd",
            ),
        ] {
            assert_eq!(folded(line, 24), want, "{line}");
        }
    }

    #[test]
    fn no_line_of_words_is_wider_than_the_terminal() {
        let line = format!(
            "{:<28} #1  {:<24} {:>8.1}s  cost unknown  command:sh agent.sh",
            "FEAT-2026-0001/T01", "passed", 0.1
        );
        for width in [40, 60, 80, 100] {
            let text = folded(&line, width);
            assert!(text.lines().all(|l| columns(l) <= width), "{width}: {text}");
            let words = |text: &str| {
                text.split_whitespace()
                    .map(str::to_owned)
                    .collect::<Vec<_>>()
            };
            assert_eq!(words(&text), words(&line));
        }
    }
}
