//! Colours and the like in what a program prints: no JSON holds them as they are, and no sentence needs them.

const ESCAPE: char = '\u{1b}';

/// Returns the text without the sequences that steer a terminal.
pub(super) fn without_codes(text: &str) -> String {
    let mut parts = text.split(ESCAPE);
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        plain.push_str(&part[end_of_code(part).unwrap_or(part.len())..]);
    }
    plain
}

/// Returns where a sequence begins that the text cuts off.
pub(super) fn open_code(text: &str) -> Option<usize> {
    let at = text.rfind(ESCAPE)?;
    end_of_code(&text[at + 1..]).is_none().then_some(at)
}

/// Returns where the sequence ends that follows an escape; nothing where its end is missing.
fn end_of_code(rest: &str) -> Option<usize> {
    let after = |found: Option<(usize, char)>| found.map(|(at, c)| at + c.len_utf8());
    match rest.chars().next()? {
        // Colours, movements: parameters, then one letter.
        '[' => {
            let mut inside = rest.char_indices().skip(1);
            after(inside.find(|(_, c)| ('@'..='~').contains(c)))
        }
        // Titles, links: up to a bell; what ends them otherwise is an escape of its own.
        ']' => after(rest.char_indices().find(|(_, c)| *c == '\u{7}')).or(Some(rest.len())),
        '(' | ')' | '#' => after(rest.char_indices().nth(1)),
        first => Some(first.len_utf8()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steers_a_terminal_is_left_out() {
        for (text, want) in [
            ("plain", "plain"),
            ("\u{1b}[31mred\u{1b}[0m", "red"),
            ("\u{1b}[2K\u{1b}[1G{\"a\":1}", "{\"a\":1}"),
            ("\u{1b}]0;title\u{7}x", "x"),
            ("\u{1b}]8;;http://x\u{1b}\\link\u{1b}]8;;\u{1b}\\", "link"),
            ("\u{1b}(Bx\u{1b}7é", "xé"),
            ("cut\u{1b}[3", "cut"),
            ("cut\u{1b}", "cut"),
        ] {
            assert_eq!(without_codes(text), want, "{text:?}");
        }
    }

    #[test]
    fn a_sequence_that_is_cut_off_is_known() {
        for (text, want) in [
            ("", None),
            ("a\u{1b}[31mb", None),
            ("a\u{1b}[3", Some(1)),
            ("a\u{1b}[1m\u{1b}", Some(5)),
        ] {
            assert_eq!(open_code(text), want, "{text:?}");
        }
    }
}
