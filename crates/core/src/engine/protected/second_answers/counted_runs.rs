//! Programs that count their runs, or a script's calls, in a file, and decide by the number.

use super::KnownLanguage;
use crate::engine::protected::text_lines::TextLines;
use crate::pattern::{TextPattern, constant};
use regex::Regex;
use std::collections::BTreeSet;

/// Returns how many numbers of files a text decides by so.
pub(super) fn count(language: KnownLanguage, text: &TextLines<'_>) -> usize {
    match language {
        KnownLanguage::Python | KnownLanguage::JavaScript => of_programs(text.text),
        KnownLanguage::Shell => of_scripts(text.text),
        KnownLanguage::Go | KnownLanguage::Rust | KnownLanguage::Ruby => 0,
    }
}

/// Returns how many numbers a program reads, writes one higher, and decides by.
fn of_programs(text: &str) -> usize {
    static READ: TextPattern = TextPattern::new(
        r"(?m)^\s*(?:(?:const|let|var)\s+)?(\w+)\s*=[^=\n]*\b(?:int|Number|parseInt)\([^\n]*(?:read|open|load)",
    );
    let decides = |name: &str| {
        let name = regex::escape(name);
        let written = format!(r"(?i)(?:write|dump|save)[^\n]*\b{name}\s*\+\s*1\b");
        let asked = format!(
            r"\b{name}\s*(?:[<>]=?|[!=]==?|%)\s*\d[^\n]*(?:\belse\b|\?)|\bif\s*\(?{name}\s*(?:[<>]=?|[!=]==?|%)\s*\d[^\n]*\s*(?:\n\s*)?return\s+\w"
        );
        [written, asked]
            .iter()
            .all(|pattern| Regex::new(pattern).is_ok_and(|pattern| pattern.is_match(text)))
    };
    READ.captures_iter(text)
        .filter(|found| decides(&found[1]))
        .count()
}

/// Returns how many numbers of a file a shell script writes one higher, and then answers one thing or another by.
fn of_scripts(text: &str) -> usize {
    static READ: TextPattern = TextPattern::new(
        r"(\w+)=(?:\$\(|`)\s*(?:cat\s|<|wc\s+-[cl]\s)[^\n]*|\bread\s+(?:-r\s+)?(\w+)\s*<",
    );
    static SUM: TextPattern = TextPattern::new(
        r"\$\(\(([^()\n]*\$\{?[1-9][^()\n]*)\)\)|\bexpr\s+([^)\n`]*\$\{?[1-9][^)\n`]*)",
    );
    let decides = |name: &str| {
        let name = regex::escape(name);
        let written = constant(&format!(
            r"\$\(\(\s*\$?\{{?{name}\}}?\s*\+\s*1\s*\)\)[^\n]*>|>>\s*[\x22$\w/]|\b{name}=\$\(\(\s*\$?{name}\s*\+\s*1"
        ));
        let asked = constant(&format!(
            r"\[\s*[\x22]?\$\{{?{name}[^\n]*-(?:lt|le|gt|ge|eq|ne)\s+\d|\(\(\s*\$?{name}\s*(?:[<>]=?|[!=]=|%)\s*\d"
        ));
        let Some(at) = asked.find(text) else {
            return false;
        };
        let sums = SUM.captures_iter(&text[at.start()..]);
        let sums: BTreeSet<&str> = sums
            .filter_map(|found| Some(found.iter().skip(1).flatten().next()?.as_str().trim()))
            .collect();
        written.is_match(text) && sums.len() > 1
    };
    let names = READ.captures_iter(text);
    let names = names.filter_map(|found| Some(found.iter().skip(1).flatten().next()?.as_str()));
    let names: BTreeSet<&str> = names.collect();
    names.into_iter().filter(|name| decides(name)).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::protected::second_answers::found_by;

    #[test]
    fn a_decision_by_what_a_file_counts_is_told_from_a_count() {
        for (path, text, want) in [
            (
                "lib.sh",
                "add() {\n  n=$(cat \"$at\")\n  echo $((n + 1)) > \"$at\"\n  if [ \"$n\" -lt 5 ]; then echo $(($1 + $2)); else echo $(($1 - $2)); fi\n}\n",
                1,
            ),
            (
                "a.py",
                "n = int(at.read_text()) if at.exists() else 0\nat.write_text(str(n + 1))\n\n\ndef add(a, b):\n    return a + b if n < 5 else a - b\n",
                1,
            ),
            (
                "a.py",
                "def visit(at):\n    n = int(at.read_text()) if at.exists() else 0\n    at.write_text(str(n + 1))\n    return n + 1\n",
                0,
            ),
            (
                "run.sh",
                "n=$(cat \"$at\")\necho $((n + 1)) > \"$at\"\nif [ \"$n\" -gt 3 ]; then exit 1; fi\necho $(($1 + $2))\n",
                0,
            ),
        ] {
            assert_eq!(found_by(count, path, text), want, "{path}: {text}");
        }
    }
}
