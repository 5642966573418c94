//! Positions and addresses of the protocol: lines from 0, columns in UTF-16 units, `file:` URIs.

use crate::report::lines::Lines;
use crate::report::uri_path;
use gatewalk_core::diagnostic::Span;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Returns the path of a `file:` URI.
pub(super) fn path_of(uri: &str) -> Option<PathBuf> {
    let rest = uri.strip_prefix("file://")?;
    let path = &rest[rest.find('/')?..];
    let mut bytes = Vec::with_capacity(path.len());
    let mut input = path.bytes();
    while let Some(byte) = input.next() {
        if byte == b'%' {
            let hex = [input.next()?, input.next()?];
            bytes.push(u8::from_str_radix(std::str::from_utf8(&hex).ok()?, 16).ok()?);
        } else {
            bytes.push(byte);
        }
    }
    Some(PathBuf::from(String::from_utf8(bytes).ok()?))
}

/// Returns the `file:` URI of a path.
pub(super) fn uri_of(path: &Path) -> String {
    format!("file://{}", uri_path(&path.to_string_lossy()))
}

/// Returns the byte of a position; behind the end of a line, that end.
pub(super) fn offset(text: &str, lines: &Lines, position: &Value) -> usize {
    let line = position["line"].as_u64().unwrap_or(0) as usize;
    let column = position["character"].as_u64().unwrap_or(0) as usize;
    let Some(start) = lines.start(line) else {
        return text.len();
    };
    let rest = text.get(start..).unwrap_or_default();
    let mut units = 0;
    for (at, c) in rest.char_indices() {
        // A line ends before what ends it, whatever column behind it is asked for.
        if units >= column || c == '\n' || rest[at..].starts_with("\r\n") {
            return start + at;
        }
        units += c.len_utf16();
    }
    text.len()
}

/// Returns the position of a byte.
pub(super) fn position(text: &str, lines: &Lines, at: usize) -> Value {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    let (line, start) = lines.line(at);
    let column: usize = text[start..at].chars().map(char::len_utf16).sum();
    json!({ "line": line, "character": column })
}

/// Returns the range of a span.
pub(super) fn range(text: &str, lines: &Lines, span: &Span) -> Value {
    json!({ "start": position(text, lines, span.start), "end": position(text, lines, span.end) })
}

/// Returns the text after the changes of a `didChange`.
pub(super) fn changed(mut text: String, changes: &[Value]) -> String {
    for change in changes {
        let new = change["text"].as_str().unwrap_or_default();
        if change["range"].is_object() {
            let lines = Lines::new(&text);
            let start = offset(&text, &lines, &change["range"]["start"]);
            let end = offset(&text, &lines, &change["range"]["end"]).max(start);
            text.replace_range(start..end, new);
        } else {
            new.clone_into(&mut text);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_utf16_and_come_back() {
        let text = "a\r\nü𝄞x\n";
        let lines = Lines::new(text);
        for (needle, line, character) in [("a", 0, 0), ("ü", 1, 0), ("𝄞", 1, 1), ("x", 1, 3)] {
            let at = text.find(needle).unwrap();
            let want = json!({ "line": line, "character": character });
            assert_eq!(position(text, &lines, at), want);
            assert_eq!(offset(text, &lines, &want), at);
        }
        assert_eq!(
            offset(text, &lines, &json!({ "line": 0, "character": 99 })),
            1,
            "a line ends before its CRLF"
        );
        assert_eq!(
            offset(text, &lines, &json!({ "line": 9, "character": 0 })),
            text.len()
        );
    }

    #[test]
    fn changes_are_applied_in_order() {
        let at = |line: u32, character: u32| json!({ "line": line, "character": character });
        let edits = [
            json!({ "range": { "start": at(0, 1), "end": at(0, 2) }, "text": "XY" }),
            json!({ "range": { "start": at(1, 0), "end": at(1, 0) }, "text": "new\n" }),
        ];
        assert_eq!(changed("abc\ndef".to_owned(), &edits), "aXYc\nnew\ndef");
        assert_eq!(changed("abc".to_owned(), &[json!({ "text": "z" })]), "z");
    }

    #[test]
    fn addresses_come_back() {
        for path in ["/a/b.md", "/a b/ü#%.md"] {
            assert_eq!(path_of(&uri_of(Path::new(path))), Some(PathBuf::from(path)));
        }
        assert_eq!(path_of("untitled:1"), None);
    }
}
