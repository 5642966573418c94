//! Titles as short names for files and branches: lowercase ASCII words joined by dashes.

/// The longest slug; names stay readable in listings and far below any path limit.
const MAX: usize = 40;

/// Returns the slug of a title, or nothing if the title has no letter or digit that can be written
/// in ASCII.
pub(crate) fn of(title: &str) -> Option<String> {
    let mut slug = String::new();
    let mut gap = false;
    for part in title.chars().map(ascii) {
        if part.is_empty() {
            gap = true;
            continue;
        }
        if gap && !slug.is_empty() {
            slug.push('-');
        }
        gap = false;
        slug.push_str(&part);
    }
    if slug.len() > MAX {
        // Cut between words where there is a word to keep.
        let cut = slug[..=MAX].rfind('-').unwrap_or(MAX);
        slug.truncate(cut);
    }
    (!slug.is_empty()).then_some(slug)
}

/// Returns a character as lowercase ASCII letters; nothing for what separates words.
fn ascii(c: char) -> String {
    let plain = match c.to_lowercase().next().unwrap_or(c) {
        c if c.is_ascii_alphanumeric() => return c.to_string(),
        'à' | 'á' | 'â' | 'ã' | 'å' | 'ā' | 'ă' | 'ą' => "a",
        'ä' | 'æ' => "ae",
        'ç' | 'ć' | 'č' | 'ĉ' | 'ċ' => "c",
        'ď' | 'đ' | 'ð' => "d",
        'è' | 'é' | 'ê' | 'ë' | 'ē' | 'ė' | 'ę' | 'ě' => "e",
        'ğ' | 'ģ' | 'ĝ' => "g",
        'ì' | 'í' | 'î' | 'ï' | 'ī' | 'į' | 'ı' => "i",
        'ķ' => "k",
        'ł' | 'ľ' | 'ļ' | 'ĺ' => "l",
        'ñ' | 'ń' | 'ň' | 'ņ' => "n",
        'ò' | 'ó' | 'ô' | 'õ' | 'ō' | 'ő' => "o",
        'ö' | 'ø' | 'œ' => "oe",
        'ř' | 'ŕ' => "r",
        'ß' => "ss",
        'ś' | 'š' | 'ş' | 'ș' => "s",
        'ť' | 'ţ' | 'ț' => "t",
        'þ' => "th",
        'ù' | 'ú' | 'û' | 'ū' | 'ů' | 'ű' | 'ų' => "u",
        'ü' => "ue",
        'ý' | 'ÿ' => "y",
        'ź' | 'ż' | 'ž' => "z",
        _ => "",
    };
    plain.to_owned()
}

#[cfg(test)]
mod tests {
    use super::of;

    #[test]
    fn titles_become_short_ascii_names() {
        let rows = [
            ("User export", Some("user-export")),
            ("  --Trim:  me!  ", Some("trim-me")),
            ("Grüße aus Łódź", Some("gruesse-aus-lodz")),
            ("ÉCOLE Œuvre", Some("ecole-oeuvre")),
            ("v2.0 (beta)", Some("v2-0-beta")),
            ("../../etc/passwd; rm -rf /", Some("etc-passwd-rm-rf")),
            ("line\nbreak\u{202e}", Some("line-break")),
            ("导出 CSV", Some("csv")),
            ("导出", None),
            ("🚀", None),
            ("", None),
            (
                "the quick brown fox jumps over the lazy dog",
                Some("the-quick-brown-fox-jumps-over-the-lazy"),
            ),
            (
                "exactly forty characters long, no more x",
                Some("exactly-forty-characters-long-no-more-x"),
            ),
            (
                "Donaudampfschifffahrtsgesellschaftskapitänsmütze",
                Some("donaudampfschifffahrtsgesellschaftskapit"),
            ),
            ("İstanbul", Some("istanbul")),
        ];
        for (title, want) in rows {
            assert_eq!(of(title).as_deref(), want, "{title:?}");
        }
    }
}
