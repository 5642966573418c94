//! The lines of a text of code, each with the function that it stands in, by how far in it stands.

use super::deciding_places::LanguageFamily;
use crate::pattern::TextPattern;
use std::borrow::Cow;

/// A line that is no remark.
pub(super) struct CodeLine<'t> {
    pub(super) text: Cow<'t, str>,
    /// The functions around it, from outside, by the line they begin at.
    around: Vec<(usize, &'t str)>,
}

/// What the start of a program is called, and what reads how it was started.
static ENTRY: TextPattern = TextPattern::new(
    r"(?i)^(?:_*main|run|start|_*cli)\w*$|pars|arg[sv]|opts|option|usage|command|console|help|version",
);
/// What is written for those who read it, and what does so by its name.
static FOR_READERS: TextPattern = TextPattern::new(
    r"(?i)\b_?log(?:ger|ging)?\.(?:debug|info|warn\w*|error|exception|critical|log|fatal\w*|trace|print\w*)\b|\bwarnings?\.warn\b|\bstacklevel\b|\bconsole\.\w+\(|\bprint(?:ln|f)?!?\(|\beprint\w*!|\b(?:warn|debug|trace)!",
);
static READERS_OWN: TextPattern =
    TextPattern::new(r"(?i)log(?:s|g\w*)?(?:_|$)|^log|warn|deprecat|trace|debug|diagnos|profil");

/// Returns whether a file or a function of this name is there to tell readers.
pub(super) fn is_for_readers(name: &str) -> bool {
    READERS_OWN.is_match(name)
}
static FUNCTION: TextPattern = TextPattern::new(
    r#"(?x)\b(?:def|fn|func|function|sub|fun)\s+(?:\([^)]*\)\s*)?([\w.?!]+) | \b(?:(?:const|let|var)\s+|exports\.)(\w+)\s*=\s*(?:async\s*)?(?:function\b|\([^)]*\)\s*=>|\w+\s*=>) |
    ^\s*(?:function\s+)?([\w-]+)\s*\(\)\s*\{ | ^(?:[\w*&:<>]+\s+)+\*?(\w+)\s*\([^;{]*\)\s*\{ |
    ^\s*(?:unsafe\s+)?(impl\b(?:<[^{]*?>)?\s[^{;]*)\{ | \bif\s+(?:__name__)\s*(==) | \bif\s*\(?\s*usual_(main)\b"#,
);

/// How many lines one expression may have.
const LONGEST: usize = 12;

/// Returns the lines of a text; what one expression is spread over is one line.
pub(super) fn code_lines(text: &str, family: LanguageFamily) -> Vec<CodeLine<'_>> {
    let mut around: Vec<(usize, usize, &str)> = Vec::new();
    let mut lines = Vec::new();
    let all: Vec<&str> = text.lines().collect();
    let mut next = 0;
    while let Some(line) = all.get(next).copied() {
        let at = next;
        next += 1;
        let code = line.trim_start();
        if code.is_empty() || family.is_remark(code) {
            continue;
        }
        let depth = line.len() - code.len();
        // A brace that closes a function belongs to it.
        if !code.starts_with(['}', ')']) {
            around.retain(|(_, other, _)| *other < depth);
        }
        if let Some(found) = FUNCTION.captures(line) {
            let name = found.iter().skip(1).flatten().next();
            let name = name.map_or("", |name| name.as_str());
            around.push((at + 1, depth, if name == "==" { "main" } else { name }));
        }
        let end = end_of(&all, at, family);
        let whole: Cow<'_, str> = match end - at {
            1 => line.into(),
            _ => all[at..end].join(" ").into(),
        };
        next = end;
        let around: Vec<_> = around.iter().map(|(at, _, name)| (*at, *name)).collect();
        let mut push = |text| {
            lines.push(CodeLine {
                text,
                around: around.clone(),
            });
        };
        match family {
            LanguageFamily::Shell => line.split(';').for_each(|part| push(part.into())),
            // What a line gives a name to, it may ask further on.
            _ if end == at + 1 => line.split("; ").for_each(|part| push(part.into())),
            _ => push(whole),
        }
    }
    lines
}

/// Returns the line behind the end of the expression that begins at one.
fn end_of(lines: &[&str], at: usize, family: LanguageFamily) -> usize {
    let starts = [
        "if ",
        "if(",
        "while",
        "return",
        "switch",
        "} else if",
        "elif",
    ];
    let code = lines[at].trim_start();
    let spreads = match family {
        LanguageFamily::Python => true,
        LanguageFamily::Shell => false,
        _ => starts.iter().any(|start| code.starts_with(start)),
    };
    let mut open = 0;
    for (end, line) in lines.iter().enumerate().skip(at).take(LONGEST) {
        let opened = line.matches(['(', '[']).count();
        let closed = line.matches([')', ']']).count();
        open += i64::try_from(opened).unwrap_or(0) - i64::try_from(closed).unwrap_or(0);
        if open <= 0 {
            return end + 1;
        }
        if !spreads {
            break;
        }
    }
    at + 1
}

/// Returns whether a name around a line is what `impl` says, and no function's.
fn is_impl(name: &str) -> bool {
    name.starts_with("impl") && !name[4..].starts_with(|c: char| c.is_alphanumeric() || c == '_')
}

impl CodeLine<'_> {
    /// Returns whether it is part of what a program starts by.
    pub(super) fn is_in_entry(&self) -> bool {
        let mut functions = self.around.iter().filter(|(_, name)| !is_impl(name));
        functions.any(|(_, name)| ENTRY.is_match(name))
    }

    /// Returns whether it, or its function, writes to somebody who reads.
    pub(super) fn is_for_readers(&self) -> bool {
        FOR_READERS.is_match(&self.text) || self.function_name().is_some_and(is_for_readers)
    }

    /// Returns the innermost function.
    pub(super) fn scope(&self) -> Option<usize> {
        self.around.last().map(|(at, _)| *at)
    }

    /// Returns the type of Rust whose function it is in, as its `impl` names it.
    pub(super) fn type_name(&self) -> Option<&str> {
        static NAME: TextPattern =
            TextPattern::new(r"(?:\bfor\s+|^impl\b(?:<[^{]*?>)?\s+)&?(?:[\w]+::)*(\w+)[^{]*$");
        let outer = self.around.len().checked_sub(2)?;
        let (_, name) = self.around.get(outer)?;
        let found = NAME.captures(name)?.get(1)?;
        is_impl(name).then_some(found.as_str())
    }

    pub(super) fn function_name(&self) -> Option<&str> {
        let name = self.around.last().map(|(_, name)| *name);
        let name = name.filter(|name| !is_impl(name));
        name.map(|name| name.rsplit('.').next().unwrap_or(name))
    }
}
