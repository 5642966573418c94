//! How paths are spelt: what a user, or another file system, takes for something else.

/// Returns a path as the most forgiving file system would read it: no case, no invisible characters.
pub(super) fn folded(path: &str) -> String {
    path.chars()
        .filter(|c| !matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'))
        .map(plain_letter)
        .flat_map(char::to_lowercase)
        .collect()
}

/// Letters of other scripts that are read as a Latin one, in the order of [`READ_AS`].
const LOOK_ALIKE: &str = "аеорсухіјѕһԁԛԝɡγικνορτυχϲαβАВЕКМНОРСТУХІЈЅΑΒΕΗΙΚΜΝΟΡΤΥΧΖւօսℓⅼ․∕⁄";

/// What they are read as.
const READ_AS: &str = "aeopcyxijshdqwgyiknoptuxcabABEKMHOPCTYXIJSABEHIKMNOPTYXZuosll.//";

/// Returns the Latin letter a user reads here, or the letter itself.
fn plain_letter(c: char) -> char {
    if c.is_ascii() {
        return c;
    }
    if let Some(ascii) = u32::from(c).checked_sub(0xfee0).and_then(char::from_u32)
        && ascii.is_ascii_graphic()
    {
        return ascii;
    }
    let at = LOOK_ALIKE.chars().position(|l| l == c);
    at.and_then(|at| READ_AS.chars().nth(at)).unwrap_or(c)
}

/// Returns whether a part of a path mixes Latin letters with others that are read as such, or holds characters nobody sees.
pub(super) fn misleads(path: &str) -> bool {
    let hidden = |c: char| {
        c.is_control()
            || matches!(c, '\u{ad}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
    };
    let mixed = |part: &str| {
        part.chars().any(|c| c.is_ascii_alphabetic()) && part.chars().any(|c| plain_letter(c) != c)
    };
    path.chars().any(hidden) || path.split(['/', '.', '-', '_', ' ']).any(mixed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_look_alike_has_its_letter_and_only_mixed_words_mislead() {
        assert_eq!(LOOK_ALIKE.chars().count(), READ_AS.chars().count());
        for (path, want) in [
            ("src/bаse.txt", true),
            ("src/a\u{202e}txt.exe", true),
            ("src/a\u{200b}b", true),
            ("документы/план.md", false),
            ("docs/план-v2.md", false),
            ("docs/über 中文 🚀.md", false),
            ("αβγ/readme.md", false),
            ("src/a.rs", false),
        ] {
            assert_eq!(misleads(path), want, "{path}");
        }
    }
}
