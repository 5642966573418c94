//! Sources whose first lines name an encoding in which letters of ASCII are written as others: what such a file says is not
//! what stands there, so nothing that looks at its text sees it.

use crate::pattern::TextPattern;

/// What names the encoding of a source of Python, in its first or second line (PEP 263).
static NAMED: TextPattern = TextPattern::new(r"^[ \t\f]*#.*?coding[:=][ \t]*([-_.a-zA-Z0-9]+)");

/// Encodings in which each letter of ASCII is itself.
static PLAIN: TextPattern = TextPattern::new(
    r"(?x)^(?:
    utf-?8(?:-.*)? | u8 | latin-?1(?:-.*)? | l1 | iso-?(?:ir-)?(?:8859|latin)[-\d]* | ascii | us-ascii | 646 |
    (?:cp|windows-?)?(?:125\d|437|720|737|775|8[56]\d|87[49]|932|936|949|950|1361?) | koi8-[rut] |
    euc-?\w+ | gb-?(?:k|2312|18030)[-\d]* | big5.* | s(?:hift-?)?jis.* | mac-?\w+ | tis-?620 | johab | kz1048 )$",
);

/// Returns whether a source of Python is in an encoding that hides what it says.
pub(super) fn hides(text: &str) -> bool {
    let text = text.trim_start_matches('\u{feff}');
    let lines = text.split(['\n', '\r']).take(2);
    // The second line counts only below one without code.
    let code = |line: &str| !line.trim().is_empty() && !line.trim_start().starts_with('#');
    let mut named = None;
    for line in lines {
        named = NAMED.captures(line);
        if named.is_some() || code(line) {
            break;
        }
    }
    named.is_some_and(|found| {
        let name = found[1].to_ascii_lowercase().replace('_', "-");
        !PLAIN.is_match(&name)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_encoding_in_which_letters_are_not_themselves_is_told_from_others() {
        for (text, want) in [
            ("# coding: utf-7\n+AGk-mport x\n", true),
            (
                "#!/usr/bin/python3\n# -*- coding: unicode_escape -*-\n",
                true,
            ),
            ("# vim: set fileencoding=raw_unicode_escape :\n", true),
            ("\u{feff}# coding=U7\n", true),
            ("# coding: cp037\n", true),
            ("# -*- coding: utf-8 -*-\n", false),
            ("# coding: UTF_8\n", false),
            ("# -*- coding: utf-8-unix -*-\n", false),
            ("# -*- coding: latin-1 -*-\n", false),
            ("# coding: iso-8859-15\n", false),
            ("# coding: cp1252\n", false),
            ("# coding: koi8-r\n", false),
            ("# coding: euc_jp\n", false),
            ("# coding: shift_jis\n", false),
            ("import x\n# coding: utf-7\n", false),
            ("\n\n# coding: utf-7\n", false),
            ("# In which encoding it is: see below\nx = 1\n", false),
            ("x = 'coding: utf-7'\n", false),
        ] {
            assert_eq!(hides(text), want, "{text:?}");
        }
    }
}
