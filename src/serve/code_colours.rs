//! The words of a line of code by kind: comments, texts, numbers, keywords. No grammar of any language: what most have in
//! common, a line at a time, which is enough to read a diff by and can neither fail nor take long.

/// What a part of a line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WordKind {
    Plain,
    Comment,
    Text,
    Number,
    Keyword,
}

/// The longest line that is coloured.
const LONGEST: usize = 1000;

/// What starts a comment in a language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CodeLanguage {
    comment: &'static str,
    /// Whether a single quote may stand alone, as before a lifetime.
    lone_quotes: bool,
}

/// File endings, by what starts a comment.
const LANGUAGES: [(&str, &[&str]); 4] = [
    (
        "//",
        &[
            "c", "cc", "cpp", "cs", "cts", "dart", "go", "h", "hpp", "java", "js", "jsx", "kt",
            "kts", "mjs", "mts", "php", "proto", "rs", "scala", "scss", "swift", "ts", "tsx",
            "zig",
        ],
    ),
    (
        "#",
        &[
            "bash", "cfg", "conf", "ex", "exs", "jl", "mk", "nix", "pl", "py", "pyi", "r", "rb",
            "sh", "tf", "toml", "yaml", "yml", "zsh",
        ],
    ),
    ("--", &["elm", "hs", "lua", "sql"]),
    (";", &["clj", "el", "ini", "lisp", "scm"]),
];

/// What most languages keep for themselves, sorted.
const KEYWORDS: &[&str] = &[
    "abstract",
    "and",
    "as",
    "async",
    "await",
    "begin",
    "bool",
    "boolean",
    "break",
    "case",
    "catch",
    "char",
    "class",
    "const",
    "continue",
    "crate",
    "def",
    "default",
    "defer",
    "del",
    "do",
    "done",
    "double",
    "elif",
    "else",
    "end",
    "enum",
    "esac",
    "except",
    "export",
    "extends",
    "extern",
    "false",
    "fi",
    "final",
    "finally",
    "float",
    "fn",
    "for",
    "foreach",
    "from",
    "func",
    "function",
    "go",
    "if",
    "impl",
    "implements",
    "import",
    "in",
    "instanceof",
    "int",
    "interface",
    "is",
    "lambda",
    "let",
    "local",
    "long",
    "loop",
    "match",
    "mod",
    "module",
    "move",
    "mut",
    "namespace",
    "new",
    "nil",
    "none",
    "not",
    "null",
    "or",
    "override",
    "package",
    "pass",
    "private",
    "protected",
    "pub",
    "public",
    "raise",
    "ref",
    "require",
    "return",
    "select",
    "self",
    "static",
    "str",
    "struct",
    "super",
    "switch",
    "then",
    "this",
    "throw",
    "trait",
    "true",
    "try",
    "type",
    "typeof",
    "undefined",
    "unsafe",
    "use",
    "val",
    "var",
    "void",
    "where",
    "while",
    "with",
    "yield",
];

/// Returns the language of a path; none where its lines are text.
pub(super) fn language_of(path: &str) -> Option<CodeLanguage> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let comment = match name {
        "Makefile" | "Dockerfile" | "Justfile" => "#",
        _ => {
            let (_, ending) = name.rsplit_once('.')?;
            let mut rows = LANGUAGES.iter();
            rows.find(|(_, endings)| endings.contains(&ending))?.0
        }
    };
    Some(CodeLanguage {
        comment,
        lone_quotes: matches!(comment, "--" | ";") || name.ends_with(".rs"),
    })
}

/// Returns the parts of a line; together they are the line.
pub(super) fn words_of(line: &str, language: CodeLanguage) -> Vec<(WordKind, &str)> {
    if line.len() > LONGEST {
        return vec![(WordKind::Plain, line)];
    }
    let mut words: Vec<(WordKind, &str)> = Vec::new();
    let mut plain = 0;
    let mut at = 0;
    while at < line.len() {
        let (kind, length) = word_at(line, at, language);
        if kind != WordKind::Plain {
            if plain < at {
                words.push((WordKind::Plain, &line[plain..at]));
            }
            words.push((kind, &line[at..at + length]));
            plain = at + length;
        }
        at += length;
    }
    if plain < line.len() {
        words.push((WordKind::Plain, &line[plain..]));
    }
    words
}

/// Returns what stands at a place, and how many bytes it takes: at least one letter.
fn word_at(line: &str, at: usize, language: CodeLanguage) -> (WordKind, usize) {
    let rest = &line[at..];
    let is_comment = rest.starts_with(language.comment)
        && (language.comment != "#" || at == 0 || line[..at].ends_with(char::is_whitespace));
    if is_comment || (language.comment == "//" && rest.starts_with("/*")) {
        let end = rest.find("*/").filter(|_| rest.starts_with("/*"));
        return (WordKind::Comment, end.map_or(rest.len(), |at| at + 2));
    }
    let first = rest.chars().next().unwrap_or(' ');
    let word = |takes: fn(char) -> bool| rest.find(|c| !takes(c)).unwrap_or(rest.len());
    match first {
        '"' | '\'' | '`' => match text_length(rest, first) {
            Some(length) if first != '\'' || !language.lone_quotes || length <= 4 => {
                (WordKind::Text, length)
            }
            _ => (WordKind::Plain, 1),
        },
        '0'..='9' => (
            WordKind::Number,
            word(|c| c.is_alphanumeric() || matches!(c, '.' | '_')),
        ),
        c if c.is_alphabetic() || c == '_' => {
            let length = word(|c| c.is_alphanumeric() || c == '_');
            let lower = rest[..length].to_ascii_lowercase();
            let kind = match KEYWORDS.binary_search(&&*lower) {
                Ok(_) => WordKind::Keyword,
                Err(_) => WordKind::Plain,
            };
            (kind, length)
        }
        other => (WordKind::Plain, other.len_utf8()),
    }
}

/// Returns the length of a text with its quotes, where it ends on its line.
fn text_length(rest: &str, quote: char) -> Option<usize> {
    let mut is_escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            c if c == quote => return Some(at + 1),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(path: &str, line: &str) -> String {
        let Some(language) = language_of(path) else {
            return "text".to_owned();
        };
        let words = words_of(line, language);
        assert_eq!(
            words.iter().map(|(_, text)| *text).collect::<String>(),
            line
        );
        let marked = words.iter().map(|(kind, text)| match kind {
            WordKind::Plain => (*text).to_owned(),
            WordKind::Comment => format!("[c {text}]"),
            WordKind::Text => format!("[t {text}]"),
            WordKind::Number => format!("[n {text}]"),
            WordKind::Keyword => format!("[k {text}]"),
        });
        marked.collect()
    }

    #[test]
    fn a_line_of_code_is_its_words_and_nothing_of_it_is_lost() {
        for (path, line, want) in [
            (
                "a.rs",
                "let x = 0x1f; // é",
                "[k let] x = [n 0x1f]; [c // é]",
            ),
            (
                "a.rs",
                "fn a<'a>(c: char) {}",
                "[k fn] a<'a>(c: [k char]) {}",
            ),
            ("a.rs", r"let c = '\n';", r"[k let] c = [t '\n'];"),
            ("a.rs", "a /* b */ c", "a [c /* b */] c"),
            (
                "a/b.py",
                "x = 'it\\'s' # note",
                "x = [t 'it\\'s'] [c # note]",
            ),
            ("b.py", "a#b \"open", "a#b \"open"),
            ("c.sql", "SELECT 1 -- all", "[k SELECT] [n 1] [c -- all]"),
            ("Makefile", "# é", "[c # é]"),
            ("a.go", "", ""),
            (
                "a.go",
                "\u{1f600}\"\u{1f600}\"",
                "\u{1f600}[t \"\u{1f600}\"]",
            ),
            ("notes.md", "if this", "text"),
            ("LICENSE", "if this", "text"),
            (".py", "if", "[k if]"),
        ] {
            assert_eq!(shown(path, line), want, "{path} {line}");
        }
        let long = "if ".repeat(LONGEST);
        assert_eq!(shown("a.c", &long), long);
    }

    #[test]
    fn keywords_are_sorted_so_that_they_are_found() {
        assert!(KEYWORDS.is_sorted());
    }
}
