//! Lines that no check could see, whatever it is: blank ones, comments, documentation.

use crate::path_names::file_name;

/// How a kind of file marks a comment.
struct CommentMarks {
    extensions: &'static [&'static str],
    line: &'static [&'static str],
    /// What opens a comment of several lines, and what ends it.
    block: Option<(&'static str, &'static str)>,
}

const KINDS: &[CommentMarks] = &[
    CommentMarks {
        extensions: &[
            "rs", "c", "h", "cc", "cpp", "cxx", "hpp", "java", "kt", "kts", "js", "jsx", "mjs",
            "cjs", "ts", "tsx", "mts", "cts", "go", "swift", "scala", "cs", "dart", "zig", "proto",
            "groovy", "gradle", "css", "scss", "less", "php", "v", "m",
        ],
        line: &["//"],
        block: Some(("/*", "*/")),
    },
    CommentMarks {
        extensions: &[
            "py",
            "pyi",
            "sh",
            "bash",
            "zsh",
            "fish",
            "rb",
            "pl",
            "pm",
            "yml",
            "yaml",
            "toml",
            "mk",
            "makefile",
            "dockerfile",
            "r",
            "jl",
            "ex",
            "exs",
            "nim",
            "tf",
            "cmake",
            "ps1",
            "awk",
            "sed",
            "properties",
            "conf",
            "justfile",
        ],
        line: &["#"],
        block: None,
    },
    CommentMarks {
        extensions: &["sql", "lua", "hs", "elm", "adb", "ads"],
        line: &["--"],
        block: None,
    },
    CommentMarks {
        extensions: &["lisp", "clj", "cljs", "el", "scm", "rkt", "asm", "ini"],
        line: &[";"],
        block: None,
    },
    CommentMarks {
        extensions: &["tex", "erl", "hrl"],
        line: &["%"],
        block: None,
    },
    CommentMarks {
        extensions: &["html", "htm", "xml", "svg", "vue", "svelte"],
        line: &[],
        block: Some(("<!--", "-->")),
    },
];

/// Returns the word that says what kind of file a path is: its extension, or its name where it has none.
pub(super) fn kind_of(path: &str) -> String {
    let name = file_name(path);
    let kind = name.rsplit_once('.').map_or(name, |(_, kind)| kind);
    kind.to_ascii_lowercase()
}

/// Returns, of each line of a file, whether no check could see it.
pub(super) fn quiet(path: &str, lines: &[&str]) -> Vec<bool> {
    let kind = kind_of(path);
    let marks = KINDS.iter().find(|k| k.extensions.contains(&&*kind));
    let documents = matches!(&*kind, "py" | "pyi");
    let mut open: Option<&str> = None;
    let mut quiet = Vec::with_capacity(lines.len());
    for (at, line) in lines.iter().enumerate() {
        let text = line.trim();
        if let Some(end) = open {
            if text.contains(end) {
                open = None;
            }
            quiet.push(true);
            continue;
        }
        let documentation = documents.then(|| docstring(text)).flatten();
        let block = marks.and_then(|m| m.block);
        let opened = block.filter(|(start, _)| text.starts_with(start));
        let comment = marks.is_some_and(|m| m.line.iter().any(|mark| text.starts_with(mark)));
        // A first line names the interpreter.
        let runs = at == 0 && text.starts_with("#!");
        quiet.push(
            text.is_empty() || !runs && (comment || opened.is_some() || documentation.is_some()),
        );
        open = match (documentation, opened) {
            (Some(end), _) if !closes(text, end) => Some(end),
            (None, Some((start, end))) if !text[start.len()..].contains(end) => Some(end),
            _ => None,
        };
    }
    quiet
}

/// Returns the quotes of a string that is a statement of its own.
fn docstring(text: &str) -> Option<&'static str> {
    let text = text.trim_start_matches(['r', 'R', 'u', 'U']);
    ["\"\"\"", "'''"].into_iter().find(|q| text.starts_with(q))
}

fn closes(text: &str, quotes: &str) -> bool {
    text.find(quotes)
        .is_some_and(|at| text[at + quotes.len()..].contains(quotes))
}

/// Returns whether a line only ends what others began.
pub(super) fn only_closes(line: &str) -> bool {
    let text = line.trim();
    let words = [
        "end", "fi", "done", "esac", "endif", "endfor", "then", "do", "begin",
    ];
    !text.is_empty()
        && (words.contains(&text.trim_end_matches(';'))
            || text.chars().all(|c| "{}()[];,".contains(c)))
}
