//! Strings as YAML scalars that YAML 1.1 and 1.2 readers alike take for strings.

use std::fmt::Write;

/// Writes a string as a YAML scalar: plain if every reader takes that for a string, otherwise in
/// double quotes, always on one line.
pub(crate) fn quote_scalar(value: &str) -> String {
    if plain_ok(value) {
        value.to_owned()
    } else {
        double_quoted(value)
    }
}

/// Whether a string can stand without quotes for YAML 1.1 and 1.2 readers alike.
fn plain_ok(value: &str) -> bool {
    const WORDS: [&str; 10] = [
        "y", "n", "yes", "no", "on", "off", "true", "false", "null", "nan",
    ];
    let first = value.chars().next();
    first.is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && value
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "_./ +@%-".contains(c))
        && !value.ends_with(' ')
        && !WORDS.iter().any(|word| value.eq_ignore_ascii_case(word))
}

/// Whether a string can stand in single quotes on one line.
pub(super) fn single_ok(value: &str) -> bool {
    !value.chars().any(needs_escape)
}

fn needs_escape(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}')
        || matches!(u32::from(c) & 0xffff, 0xfffe | 0xffff)
}

pub(super) fn double_quoted(value: &str) -> String {
    let mut out = String::with_capacity(value.len() + 2);
    out.push('"');
    for c in value.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if needs_escape(c) => {
                let code = u32::from(c);
                let width = if code > 0xffff { 'U' } else { 'u' };
                let digits = if code > 0xffff { 8 } else { 4 };
                // Writing to a string cannot fail.
                let _ = write!(out, "\\{width}{code:0digits$x}");
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
