//! Titles as short names for files and branches: lowercase ASCII words joined by dashes.

/// The longest slug; names stay readable in listings and far below any path limit.
const MAX: usize = 40;

/// Returns the slug of a title, or nothing if the title has no letter or digit that can be written
/// in ASCII.
pub(crate) fn of(title: &str) -> Option<String> {
    let mut slug = String::new();
    let mut gap = false;
    for part in title.chars().filter(|c| !is_silent(*c)).map(ascii) {
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
        c => LETTERS
            .iter()
            .find(|(letters, _)| letters.contains(c))
            .map_or("", |(_, plain)| plain),
    };
    plain.to_owned()
}

/// Returns whether a character neither stands for letters nor ends a word: an accent of its own, as some systems write names,
/// or a Cyrillic sign.
fn is_silent(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | 'ъ' | 'Ъ' | 'ь' | 'Ь')
}

/// Greek and Cyrillic letters, and how they are usually written in ASCII.
const LETTERS: &[(&str, &str)] = &[
    ("αάа", "a"),
    ("βб", "b"),
    ("ц", "ts"),
    ("ч", "ch"),
    ("δд", "d"),
    ("ђ", "dj"),
    ("џ", "dz"),
    ("εέеэ", "e"),
    ("φф", "f"),
    ("γгґ", "g"),
    ("х", "kh"),
    ("ηήιίϊΐиіїы", "i"),
    ("йј", "j"),
    ("ћ", "c"),
    ("κк", "k"),
    ("λл", "l"),
    ("љ", "lj"),
    ("μм", "m"),
    ("νн", "n"),
    ("њ", "nj"),
    ("οόωώо", "o"),
    ("πп", "p"),
    ("ψ", "ps"),
    ("ρр", "r"),
    ("σςс", "s"),
    ("ш", "sh"),
    ("щ", "shch"),
    ("τт", "t"),
    ("θ", "th"),
    ("уў", "u"),
    ("в", "v"),
    ("ξ", "x"),
    ("υύϋΰ", "y"),
    ("χ", "ch"),
    ("я", "ya"),
    ("є", "ye"),
    ("ё", "yo"),
    ("ю", "yu"),
    ("ζз", "z"),
    ("ж", "zh"),
];

/// Returns a path as one word of plain letters, digits and `._-`, in its own capitals; nothing where no letter of it can be
/// written so.
pub(super) fn word_of_path(path: &str) -> Option<String> {
    let plain = |c: char| match c {
        c if c.is_ascii_alphanumeric() || "._-".contains(c) => c.to_string(),
        c if c.is_alphanumeric() => ascii(c),
        _ => "-".to_owned(),
    };
    let word: String = path.chars().filter(|c| !is_silent(*c)).map(plain).collect();
    let word = word.trim_matches('-');
    (!word.is_empty()).then(|| word.to_owned())
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
            ("Экспорт в CSV", Some("eksport-v-csv")),
            ("Подъезд", Some("podezd")),
            ("Αγορά", Some("agora")),
            ("Ecole\u{301}s", Some("ecoles")),
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
