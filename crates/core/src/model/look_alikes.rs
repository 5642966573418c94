//! Characters that look like the plain ones that YAML knows, and are none of them.

/// Those that a word processor, a web page or another keyboard writes, each with the plain one it looks like.
const LOOK_ALIKES: [(char, &str); 9] = [
    ('\u{a0}', " "),
    ('\u{2003}', " "),
    ('\u{2009}', " "),
    ('\u{202f}', " "),
    ('\u{3000}', " "),
    ('\u{200b}', ""),
    ('\u{feff}', ""),
    ('\u{ff1a}', ":"),
    ('\u{fe55}', ":"),
];

fn plain_of(c: char) -> Option<&'static str> {
    let found = LOOK_ALIKES.iter().find(|(like, _)| *like == c);
    found.map(|(_, plain)| *plain)
}

/// Returns a text in which such characters are named by their numbers where they would be seen as nothing or a space.
pub(crate) fn shown(text: &str) -> String {
    let mut shown = String::new();
    for c in text.chars() {
        match plain_of(c) {
            Some(plain) if plain != ":" => shown.push_str(&format!("<{}>", number(c))),
            _ => shown.push(c),
        }
    }
    shown
}

/// Returns what to write in place of the first such character of a line, and where it is.
pub(crate) fn advice(line: &str) -> Option<String> {
    let (at, c, plain) = line
        .chars()
        .enumerate()
        .find_map(|(at, c)| Some((at + 1, c, plain_of(c)?)))?;
    let number = number(c);
    Some(match plain {
        " " => format!("write a plain space for the {number} in column {at}, which looks like one"),
        "" => format!("take out the {number} in column {at}, which nobody sees"),
        plain => format!("write a plain `{plain}` for `{c}` ({number}) in column {at}"),
    })
}

fn number(c: char) -> String {
    format!("U+{:04X}", u32::from(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_only_looks_plain_is_named_with_its_column() {
        for (line, want) in [
            (
                "status：pending",
                Some("write a plain `:` for `：` (U+FF1A) in column 7"),
            ),
            (
                "status:\u{a0}pending",
                Some("write a plain space for the U+00A0 in column 8, which looks like one"),
            ),
            (
                "sta\u{200b}tus: x",
                Some("take out the U+200B in column 4, which nobody sees"),
            ),
            ("status: pending", None),
        ] {
            assert_eq!(advice(line).as_deref(), want, "{line}");
        }
        assert_eq!(shown("status\u{a0}"), "status<U+00A0>");
        assert_eq!(shown("a：b"), "a：b");
    }
}
