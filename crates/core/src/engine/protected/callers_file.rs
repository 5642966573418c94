//! Product that reads the file of whoever calls it: in a test that is the test, with all that it expects.

use crate::pattern::{self, TextPattern};
use std::collections::BTreeSet;

/// How a language says who calls, and how it reads a file.
struct CallersFile {
    endings: &'static [&'static str],
    /// A word that every text has which asks who calls; some say it in a file of their own.
    word: &'static str,
    /// What stands for the file of whoever calls.
    file: &'static str,
    /// What gives it a name.
    named: TextPattern,
    /// What stands ahead of a name where its value is meant, and what ahead of a file that is read.
    value: &'static str,
    reads: &'static str,
}

static LANGUAGES: [CallersFile; 3] = [
    CallersFile {
        endings: &["rs"],
        word: "Location",
        file: r"\w+(?:\(\))?\.file\(\)",
        named: TextPattern::new(r"\blet\s+(\w+)[^=\n]*=\s*[^\n;]*\.file\(\)"),
        value: "",
        reads: r"\b(?:read_to_string|read|File::open)\(\s*&?(?:(?:\w+::)*Location::)?",
    },
    CallersFile {
        endings: &["sh", "bash", ""],
        word: "BASH_SOURCE",
        file: r"\$\{BASH_SOURCE\[(?:[1-9]|-1)\]",
        named: TextPattern::new(r#"\b(\w+)=["']?\$\{BASH_SOURCE\[(?:[1-9]|-1)\]"#),
        value: r"\$\{?",
        reads: r#"(?:\b(?:sed|grep|egrep|awk|cat|head|tail|cut|tac)\b[^\n;]*\s|<\s*)["']?"#,
    },
    CallersFile {
        endings: &["c", "h", "cc", "cpp", "cxx", "hh", "hpp"],
        word: "line",
        file: r"__builtin_FILE\(\)",
        // What a macro hands on of where it is used comes with the line.
        named: TextPattern::new(
            r"\bconst\s+char\s*\*\s*(\w+)\s*,\s*(?:const\s+)?(?:int|unsigned|long|size_t)\s+\w*line\w*",
        ),
        value: "",
        reads: r"\b(?:f?open|ifstream\s+\w+)\(\s*",
    },
];

/// Returns how often a text does so.
pub(super) fn count(extension: &str, text: &str) -> usize {
    let mut languages = LANGUAGES.iter();
    let Some(language) = languages.find(|row| row.endings.contains(&extension)) else {
        return 0;
    };
    if !text.contains(language.word) {
        return 0;
    }
    let names = language.named.captures_iter(text);
    let names: BTreeSet<String> = names
        .map(|found| format!(r"{}{}\b", language.value, regex::escape(&found[1])))
        .collect();
    let files: Vec<&str> = std::iter::once(language.file)
        .chain(names.iter().map(String::as_str))
        .collect();
    let reads = format!("{}(?:{})", language.reads, files.join("|"));
    pattern::constant(&reads).find_iter(text).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_reads_its_callers_file_is_told_from_what_names_it() {
        for (extension, text, want) in [
            (
                "rs",
                "let at = Location::caller();\nlet text = std::fs::read_to_string(at.file()).unwrap();\n",
                1,
            ),
            (
                "rs",
                "let text = fs::read_to_string(std::panic::Location::caller().file());\n",
                1,
            ),
            (
                "rs",
                "let path = Location::caller().file();\nlet text = File::open(path);\n",
                1,
            ),
            ("rs", "write!(f, \"{}\", Location::caller().file())\n", 0),
            ("rs", "let text = fs::read_to_string(entry.file());\n", 0),
            (
                "sh",
                "double() { sed -n \"s/a/b/p\" \"${BASH_SOURCE[1]}\"; }\n",
                1,
            ),
            (
                "sh",
                "by=${BASH_SOURCE[1]}\nwhile read -r line; do :; done < \"$by\"\n",
                1,
            ),
            ("sh", "log() { echo \"${BASH_SOURCE[1]}: $1\"; }\n", 0),
            ("sh", "grep '^#' \"${BASH_SOURCE[0]}\"\n", 0),
            (
                "c",
                "int looked(const char *file, int line) {\n  FILE *f = fopen(file, \"r\");\n",
                1,
            ),
            (
                "c",
                "void fail(const char *file, int line) {\n  fprintf(stderr, \"%s:%d\\n\", file, line);\n",
                0,
            ),
            (
                "c",
                "int load(const char *path) {\n  /* by line */\n  FILE *f = fopen(path, \"r\");\n",
                0,
            ),
        ] {
            assert_eq!(count(extension, text), want, "{text}");
        }
    }
}
