//! What a text calls what it has from other files, and which of its words mean that: of what a path or a member of something
//! else is called, nothing is known.

use crate::engine::protected::text_words::{hyphenated, is_of_word, words};
use crate::pattern::TextPattern;
use std::collections::HashSet;

/// What a text calls what it has from other files.
pub(super) struct ElsewhereNames {
    /// Names that it gives to them: `frames` in `from who import frames`.
    bound: HashSet<String>,
    /// Modules, of which it has what stands behind their names: `who` in `import who`, but not in `from who import frames`.
    modules: HashSet<String>,
    /// Words in quotes: of what they name it has what stands behind the quotes, as in `require('./who').frames`.
    quoted: HashSet<String>,
    /// Other names of it: `f` in `from who import frames as f`.
    renamed: Vec<(String, String)>,
}

impl ElsewhereNames {
    /// Reads what a text has from these modules. None where that can be any word, as with what is loaded whole, or where files
    /// need not name what they use.
    pub(super) fn of(
        language: &str,
        text: &str,
        modules: &HashSet<&str>,
    ) -> Option<ElsewhereNames> {
        // A module inside a file of Rust that uses what is around it.
        static PARTS_OF_ITSELF: TextPattern = TextPattern::new(
            r"\bmod\s+\w+\s*\{(?:\s*//[^\n]*|\s*#!?\[[^\]]*\]|\s*use\b[^;]*;)*?\s*use\s+super::\*;",
        );
        static OF_ANY_FILE: TextPattern =
            TextPattern::new(r"\b(?:super|crate|self)::(?:\{[^}]*)?\*|\{");
        let [whole, loaded] = loading_statements(language)?;
        let loads_one = |said: &&str| {
            let mut said = words(said).chain(hyphenated(said));
            said.any(|word| modules.contains(word))
        };
        let own = PARTS_OF_ITSELF.replace_all(text, "");
        let mut whole = whole.find_iter(&own).map(|found| found.as_str());
        if whole.any(|said| language != "rs" || OF_ANY_FILE.is_match(said) || loads_one(&said)) {
            return None;
        }
        let mut names = ElsewhereNames {
            bound: HashSet::new(),
            modules: ["crate", "super", "self"].map(str::to_owned).into(),
            quoted: HashSet::new(),
            renamed: vec![],
        };
        let statements = loaded.find_iter(text).map(|found| found.as_str());
        for statement in statements.filter(loads_one) {
            names.note(language, statement);
        }
        names.note_again(text);
        Some(names)
    }

    /// Notes what a text calls otherwise once more, or takes out of what it has.
    fn note_again(&mut self, text: &str) {
        static AGAIN: TextPattern = TextPattern::new(
            r"(?m)^\s*(?:(?:const|let|var)\s+)?(\{[^{}=]*\}|\w+)\s*=\s*(\w+)\s*;?\s*$",
        );
        for found in AGAIN.captures_iter(text) {
            if self.bound.contains(&found[2]) {
                self.note_renamed(&found[1]);
                let names = words_of(&found[1]).map(|(_, word)| word.to_owned());
                self.bound.extend(names);
            }
        }
    }

    fn note_renamed(&mut self, statement: &str) {
        static RENAMED: TextPattern = TextPattern::new(r"\b(\w+)(?:\s+as\s+|\s*:\s*)(\w+)");
        let pairs = RENAMED.captures_iter(statement);
        let pairs = pairs.map(|found| (found[1].to_owned(), found[2].to_owned()));
        self.renamed.extend(pairs);
    }

    /// Returns the other names of one that is from elsewhere.
    pub(super) fn other_names(&self, name: &str) -> impl Iterator<Item = &str> {
        let others = self.renamed.iter().filter(move |(given, _)| given == name);
        others.map(|(_, other)| other.as_str())
    }

    /// Notes the names in a statement that loads something.
    fn note(&mut self, language: &str, statement: &str) {
        // Of `from who import frames` nothing is called `who`.
        let statement = match language {
            "py" if statement.trim_start().starts_with("from") => {
                let named = statement.split_once("import");
                named.map_or(statement, |(_, names)| names)
            }
            _ => statement,
        };
        self.note_renamed(statement);
        let mut quote: Option<char> = None;
        let mut end = 0;
        for (at, word) in words_of(statement) {
            for c in statement[end..at].chars() {
                quote = match quote {
                    Some(open) if open == c => None,
                    None if matches!(c, '\'' | '"' | '`') => Some(c),
                    open => open,
                };
            }
            end = at + word.len();
            let leads_on = statement[end..].starts_with("::");
            let names = match quote {
                Some(_) => &mut self.quoted,
                None if leads_on => &mut self.modules,
                None => &mut self.bound,
            };
            names.insert(word.to_owned());
        }
    }

    /// Returns the words of a text that can mean something of elsewhere.
    pub(super) fn words<'t>(&self, text: &'t str) -> HashSet<&'t str> {
        let is_from_elsewhere = |(at, word): &(usize, &str)| self.means(&text[..*at], word);
        let words = words_of(text).filter(is_from_elsewhere);
        words.map(|(_, word)| word).collect()
    }

    /// Returns whether a word behind a text is one that is from elsewhere: it stands alone and was given to it, or behind a module.
    pub(super) fn means(&self, before: &str, word: &str) -> bool {
        let before = before.trim_end();
        let member = [".", "::", "?.", "->", "['", "[\""]
            .into_iter()
            .find_map(|sign| {
                let before = before.strip_suffix(sign)?;
                Some((sign, before.strip_suffix('?').unwrap_or(before)))
            });
        let Some((sign, owner)) = member else {
            return self.bound.contains(word);
        };
        let unquoted = owner.trim_end_matches(['\'', '"', '`', ')']);
        let is_quoted = owner[unquoted.len()..].contains(['\'', '"', '`']);
        let start = unquoted.trim_end_matches(is_of_word).len();
        let (before, owner) = (&unquoted[..start], &unquoted[start..]);
        if is_quoted {
            return self.quoted.contains(owner);
        }
        // What a member of it has is not of the module, unless that is a module, too.
        self.bound.contains(owner)
            || self.modules.contains(owner)
            || sign == "::" && !owner.is_empty() && self.means(before, owner)
    }
}

/// Returns what loads something whole in a language, and what loads something and names it; nothing for one in which files use
/// what they do not name.
fn loading_statements(language: &str) -> Option<&'static [TextPattern; 2]> {
    static OF_PYTHON: [TextPattern; 2] = [
        TextPattern::new(r"(?m)^\s*from\s.*\bimport\s+\*|\bimportlib\b"),
        TextPattern::new(r"(?m)^\s*(?:from|import)\b[^\n(]*(?:\([^)]*\))?"),
    ];
    static OF_JAVASCRIPT: [TextPattern; 2] = [
        TextPattern::new(r"\bexport\s*\*|\bglobalThis\b"),
        TextPattern::new(
            r#"(?x)\b(?:import|export)\b[^;'"]*\bfrom\b[^;\n]* | \b(?:require|import)\([^()\n]*\) |
            \b(?:const|let|var)\b[^;=()]*=\s*(?:await\s+)?(?:require|import)\b[^;\n]* |
            \b\w+\s*[:=]\s*(?:await\s+)?(?:require|import)\([^;\n]*"#,
        ),
    ];
    static OF_RUST: [TextPattern; 2] = [
        TextPattern::new(r"\buse\b[^;{]*(?:\{[^}]*)?::\*"),
        TextPattern::new(r"\buse\b[^;]*;"),
    ];
    match language {
        "py" => Some(&OF_PYTHON),
        "js" => Some(&OF_JAVASCRIPT),
        "rs" => Some(&OF_RUST),
        _ => None,
    }
}

/// Returns the words of a text, each with where it begins.
fn words_of(text: &str) -> impl Iterator<Item = (usize, &str)> {
    // Each is a part of the text.
    words(text).map(|word| (word.as_ptr().addr() - text.as_ptr().addr(), word))
}
