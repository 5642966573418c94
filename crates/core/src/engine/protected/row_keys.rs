//! The keys of tables of tests: of two that are one key the last counts, so none may come again, however it is spelt.

use super::additions::indent;
use std::collections::HashSet;
use std::iter::Peekable;
use std::str::CharIndices;

/// Returns whether rows have no key, or such that no row of the base has and none of their own twice. `is_script` says that a
/// name is one, too, where it stands alone or before brackets; otherwise it stands for any value.
pub(super) fn are_new(rows: &str, there: &[&str], is_script: bool) -> bool {
    let Some(keys) = keys(rows, is_script) else {
        return false;
    };
    if keys.is_empty() {
        return true;
    }
    let mut known: HashSet<String> = there.iter().flat_map(|line| spelt(line)).collect();
    keys.into_iter().all(|key| known.insert(key))
}

/// Returns the lines of a text that may be rows beside others: those of the same table, and those that stand as far in.
pub(super) fn beside<'t>((old, at): (&[&'t str], usize), level: usize) -> Vec<&'t str> {
    let outside = |line: &&str| indent(line) < level;
    let from = old[..at].iter().rposition(outside).map_or(0, |at| at + 1);
    let to = old[at..].iter().position(outside);
    let to = to.map_or(old.len(), |to| at + to);
    let inside = |(n, line): &(usize, &&str)| (from..to).contains(n) || indent(line) == level;
    let lines = old.iter().enumerate().filter(inside);
    lines.map(|(_, line)| *line).collect()
}

/// Returns the keys of rows that stand outside of brackets; nothing where one may be equal to any other.
fn keys(rows: &str, is_script: bool) -> Option<Vec<String>> {
    let mut found = Vec::new();
    for token in tokens(rows) {
        match token {
            RowToken { depth: 1.., .. } => {}
            RowToken {
                key: RowKey::Bracketed,
                ..
            } => return None,
            RowToken {
                key: RowKey::Word(word),
                before: '(',
                ..
            } if is_script => found.push(word),
            RowToken {
                before: ':', key, ..
            } => found.push(plain(key, is_script)?),
            RowToken { .. } => {}
        }
    }
    Some(found)
}

/// Returns a key as it is where it is one value and no other.
fn plain(key: RowKey, is_script: bool) -> Option<String> {
    match key {
        RowKey::Text(text) => {
            let mut escapes = text.split('\\').skip(1);
            let usual =
                |rest: &str| rest.is_empty() || rest.starts_with(['n', 'r', 't', '"', '\'']);
            escapes.all(usual).then_some(text)
        }
        RowKey::Word(word) if word.starts_with(|c: char| c.is_ascii_digit()) => {
            let is_whole = word.chars().all(|c| c.is_ascii_digit());
            (is_whole && (word == "0" || !word.starts_with('0'))).then_some(word)
        }
        RowKey::Word(word) => is_script.then_some(word),
        RowKey::Joined | RowKey::Bracketed => None,
    }
}

/// Returns all that may be a key in a line of the base, without its quotes.
fn spelt(line: &str) -> Vec<String> {
    let all = tokens(line)
        .into_iter()
        .filter_map(|token| match token.key {
            RowKey::Text(text) | RowKey::Word(text) if matches!(token.before, ':' | '(' | ',') => {
                Some(text)
            }
            _ => None,
        });
    all.collect()
}

/// What may be a key.
enum RowKey {
    /// What a string says.
    Text(String),
    /// A name or a number.
    Word(String),
    /// Several strings beside one another.
    Joined,
    /// What is worked out in brackets.
    Bracketed,
}

struct RowToken {
    key: RowKey,
    /// How many brackets it stands in.
    depth: usize,
    /// What comes after it.
    before: char,
}

fn tokens(text: &str) -> Vec<RowToken> {
    let (mut all, mut depth) = (Vec::<RowToken>::new(), 0_usize);
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let key = match c {
            '"' | '\'' | '`' => RowKey::Text(string(&mut chars, c)),
            c if is_word(c) => RowKey::Word(word(&mut chars, &text[at..])),
            '(' | '[' | '{' => {
                depth += 1;
                continue;
            }
            ')' | ']' | '}' => {
                depth = depth.saturating_sub(1);
                if next_of(text, &mut chars) != ':' {
                    continue;
                }
                RowKey::Bracketed
            }
            _ => continue,
        };
        let before = next_of(text, &mut chars);
        let follows = all.last().is_some_and(|last| {
            matches!(last.key, RowKey::Text(_) | RowKey::Joined)
                && matches!(last.before, '"' | '\'' | '`')
        });
        let is_text = matches!(key, RowKey::Text(_));
        let key = if follows && is_text {
            RowKey::Joined
        } else {
            key
        };
        all.push(RowToken { key, depth, before });
    }
    all
}

/// Returns what comes next that is not blank; of `::` and `:=` another sign.
fn next_of(text: &str, chars: &mut Peekable<CharIndices<'_>>) -> char {
    let rest = chars.peek().map_or("", |(at, _)| &text[*at..]).trim_start();
    match rest.starts_with("::") || rest.starts_with(":=") {
        true => '=',
        false => rest.chars().next().unwrap_or(','),
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$' | '.')
}

fn word(chars: &mut Peekable<CharIndices<'_>>, from: &str) -> String {
    let word: String = from.chars().take_while(|c| is_word(*c)).collect();
    for _ in word.chars().skip(1) {
        chars.next();
    }
    word
}

/// Returns what a string says, up to its end.
fn string(chars: &mut Peekable<CharIndices<'_>>, quote: char) -> String {
    let mut text = String::new();
    while let Some((_, c)) = chars.next() {
        match c {
            '\\' => {
                text.push(c);
                text.extend(chars.next().map(|(_, c)| c));
            }
            c if c == quote => break,
            c => text.push(c),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_comes_once_however_it_is_spelt() {
        let there = [
            "const all = {",
            "  'a': 1,",
            "  b: [1], \"c\": { d: 1 },",
            "};",
        ];
        for (rows, is_script, want) in [
            ("  'e': 1,", false, true),
            ("  'e': 1, 'f': [2],", false, true),
            ("  { 'a': 1 },", false, true),
            ("  [a, 1],", false, true),
            ("  e: 1,", true, true),
            ("  'a\\n': 1,", false, true),
            ("  7: [1],", false, true),
            ("  'a': 2,", false, false),
            ("  \"a\": 2,", false, false),
            ("  a: 2,", true, false),
            ("  a() { throw 1 },", true, false),
            ("  'e': [1], 'a': [2],", false, false),
            ("  'e': [1], 'e': [2],", false, false),
            ("  'e': [\n    1,\n  ], c: [2],", true, false),
            ("  ['a']: 2,", true, false),
            ("  '\\x61': 2,", true, false),
            ("  '' 'a': 2,", false, false),
            ("  'a' '': 2,", false, false),
            ("  KEY: 2,", false, false),
            ("  1.0: 2,", false, false),
            ("  ('a'): (2),", false, false),
        ] {
            assert_eq!(are_new(rows, &there, is_script), want, "{rows}");
        }
    }

    #[test]
    fn rows_are_beside_those_of_their_table_wherever_these_stand() {
        let old = ["a = {", "    'x': 1,", "}", "  'y': 1,", "b = 1"];
        assert_eq!(beside((&old, 1), 2), ["    'x': 1,", "  'y': 1,"]);
    }
}
