//! The first lines of a file's definitions, known by how a line begins: no parser, no model.

/// The most definitions that are shown of a file.
const SYMBOLS: usize = 12;

/// The longest definition line that is shown, in characters.
const LINE: usize = 96;

/// How a language begins a definition.
pub(super) struct Language {
    extensions: &'static [&'static str],
    begins: &'static [&'static str],
}

const LANGUAGES: &[Language] = &[
    Language {
        extensions: &["rs"],
        begins: &[
            "fn ",
            "pub fn ",
            "pub(crate) fn ",
            "async fn ",
            "pub async fn ",
            "struct ",
            "pub struct ",
            "enum ",
            "pub enum ",
            "trait ",
            "pub trait ",
            "impl",
            "mod ",
            "pub mod ",
            "macro_rules!",
        ],
    },
    Language {
        extensions: &["py", "pyi"],
        begins: &["def ", "class ", "async def "],
    },
    Language {
        extensions: &["js", "jsx", "ts", "tsx", "mjs", "cjs"],
        begins: &[
            "export ",
            "function ",
            "async function ",
            "class ",
            "interface ",
            "type ",
        ],
    },
    Language {
        extensions: &["go"],
        begins: &["func ", "type "],
    },
    Language {
        extensions: &["java", "kt", "cs", "scala", "swift", "php"],
        begins: &[
            "public ",
            "protected ",
            "class ",
            "interface ",
            "enum ",
            "fun ",
            "func ",
            "struct ",
            "object ",
            "record ",
            "function ",
        ],
    },
    Language {
        extensions: &["rb", "ex", "exs"],
        begins: &["def ", "class ", "module ", "defmodule "],
    },
    Language {
        extensions: &["c", "h", "cc", "cpp", "hpp"],
        begins: &[
            "struct ",
            "class ",
            "enum ",
            "typedef ",
            "namespace ",
            "template",
            "int ",
            "void ",
            "static ",
            "extern ",
        ],
    },
    Language {
        extensions: &["sh", "bash"],
        begins: &["function "],
    },
    Language {
        extensions: &["sql"],
        begins: &["CREATE ", "create "],
    },
];

pub(super) fn language(path: &str) -> Option<&'static Language> {
    let extension = path.rsplit('/').next()?.rsplit_once('.')?.1;
    LANGUAGES.iter().find(|l| l.extensions.contains(&extension))
}

/// Returns the first lines of a file's definitions.
pub(crate) fn symbols(path: &str, bytes: &[u8]) -> Vec<String> {
    let Some(language) = language(path) else {
        return vec![];
    };
    let text = String::from_utf8_lossy(bytes);
    let shell = language.extensions.contains(&"sh");
    let heads = text.lines().filter(|line| {
        let bare = line.trim_start();
        // Deeper than a method is inside something that is shown already.
        line.len() - bare.len() <= 4
            && (language.begins.iter().any(|b| bare.starts_with(b))
                || (shell
                    && bare
                        .split_once("()")
                        .is_some_and(|(n, _)| !n.is_empty() && !n.contains(' '))))
    });
    heads
        .take(SYMBOLS)
        .map(|line| {
            let line = line.trim().trim_end_matches(['{', ':', ' ']);
            let mut short: String = line
                .chars()
                .filter(|c| !c.is_control())
                .take(LINE)
                .collect();
            if short.len() < line.len() {
                short.push('…');
            }
            short
        })
        .collect()
}
