//! Text in the columns of a screen: cut where a list is looked over, wrapped where something is read.

use unicode_width::UnicodeWidthChar;

/// How a tab is shown, whose stops a scrolled screen does not have.
const TAB: &str = "    ";

/// Returns how many columns a character takes as it is shown.
fn columns(c: char) -> usize {
    match c {
        '\t' => TAB.len(),
        c => c.width().unwrap_or(0),
    }
}

/// Adds a character as it is shown; one that would act on the terminal is not.
fn push(shown: &mut String, c: char) {
    match c {
        '\t' => shown.push_str(TAB),
        c if c.is_control() => {}
        c => shown.push(c),
    }
}

/// Returns so much of a line as the terminal has room for, its tabs as spaces.
pub(super) fn fitted(line: &str, width: usize) -> String {
    let mut shown = String::new();
    let mut used = 0;
    for c in line.chars() {
        if used + columns(c) > width {
            return cut(shown, width, used);
        }
        push(&mut shown, c);
        used += columns(c);
    }
    shown
}

/// Ends a line with the sign that it goes on.
fn cut(mut shown: String, width: usize, mut used: usize) -> String {
    while used >= width
        && let Some(last) = shown.pop()
    {
        used -= columns(last);
    }
    shown.push('…');
    shown
}

/// Returns a text in lines that fit, each broken after a word where it has one to break after; of what is there only a space at
/// a break is left out.
pub(super) fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = text.lines().flat_map(|l| broken(l, width)).collect();
    if lines.is_empty() {
        lines.push(String::new());
    }
    lines
}

fn broken(line: &str, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut rest = line;
    while let Some(end) = end_of_room(rest, width) {
        let (now, later) = rest.split_at(end);
        // What begins further to the left than half of the screen would leave more room than it fills.
        let word = now.rfind(' ').filter(|at| *at >= now.len() / 2);
        let (now, later) = match word {
            Some(at) if !later.starts_with(' ') => rest.split_at(at + 1),
            _ => (now, later),
        };
        lines.push(now.to_owned());
        rest = later.strip_prefix(' ').unwrap_or(later);
    }
    lines.push(rest.to_owned());
    lines
}

/// Returns where the part of a line ends that fits; nothing where all of it does.
fn end_of_room(line: &str, width: usize) -> Option<usize> {
    let mut used = 0;
    for (at, c) in line.char_indices() {
        used += columns(c);
        if used > width && at > 0 {
            return Some(at);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_takes_no_more_columns_than_there_are() {
        for (line, width, want) in [
            ("short", 10, "short"),
            ("exactly", 7, "exactly"),
            ("longer than that", 7, "longer…"),
            ("日本語", 6, "日本語"),
            ("日本語です", 6, "日本…"),
            ("a\tb", 20, "a    b"),
            ("a\u{1b}[2J\r\nb", 20, "a[2Jb"),
            ("", 5, ""),
        ] {
            assert_eq!(fitted(line, width), want, "{line:?}");
        }
    }

    #[test]
    fn what_is_read_is_wrapped_and_whole() {
        for (text, width, want) in [
            ("", 5, &[""][..]),
            ("exactly", 7, &["exactly"]),
            ("one two three", 9, &["one two ", "three"]),
            ("one two three", 8, &["one two ", "three"]),
            ("one two three", 7, &["one two", "three"]),
            (
                "refs/gatewalk/attempts",
                10,
                &["refs/gatew", "alk/attemp", "ts"],
            ),
            ("a refs/gatewalk", 10, &["a refs/gat", "ewalk"]),
            ("first\nsecond line", 8, &["first", "second ", "line"]),
            ("日本語です", 6, &["日本語", "です"]),
            ("日本", 1, &["日", "本"]),
            ("\tdeep\tdown", 9, &["\tdeep", "\tdown"]),
        ] {
            assert_eq!(wrapped(text, width), want, "{text:?} in {width}");
        }
    }
}
