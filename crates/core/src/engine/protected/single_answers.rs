//! Functions whose first answer is another one than the next: by a mark that they set as they answer, by what is done once, by
//! another function that they put in their own place, or by how often the program ran, as a file of its own says.

use super::additions::indent;
use super::functions::given_above;
use super::text_lines::TextLines;
use super::text_words::has_one_of;
use crate::pattern::TextPattern;
use regex::Regex;
use std::collections::BTreeSet;

/// Returns how often a text of this ending answers so.
pub(super) fn count(extension: &str, lines: &TextLines<'_>) -> usize {
    let text = lines.text;
    static OF_PYTHON: TextPattern =
        TextPattern::new(r"(?m)^(\w+)(?:\s*:\s*bool)?\s*=\s*(?:True|False|None)\s*(?:#.*)?$");
    static OF_JAVASCRIPT: TextPattern = TextPattern::new(
        r"(?m)^(?:let|var)\s+(\w+)(?::\s*boolean)?\s*(?:=\s*(?:true|false|null))?\s*;?\s*$",
    );
    static OF_GO: TextPattern = TextPattern::new(
        r"(?m)^(?:var\s+|\t)(\w+)\s+bool\s*$|^var\s+(\w+)\s*=\s*(?:true|false)\s*$",
    );
    static OF_RUST: TextPattern =
        TextPattern::new(r"(?m)^\s*static\s+(\w+)\s*:\s*(?:[\w:]+::)?AtomicBool\s*=");
    static OF_RUBY: TextPattern =
        TextPattern::new(r"(?m)^\s*(@@?\w+|\$\w+)\s*=\s*(?:true|false|nil)\s*$");
    let (marks, more): (&TextPattern, usize) = match extension {
        "py" => (&OF_PYTHON, own_places_of_python(text) + counted_runs(text)),
        "js" | "mjs" | "cjs" | "jsx" | "ts" | "mts" | "cts" | "tsx" => (
            &OF_JAVASCRIPT,
            own_places_of_javascript(text) + counted_runs(text),
        ),
        "go" => (&OF_GO, done_once(text)),
        "rs" => (&OF_RUST, swapped(text)),
        "rb" => (&OF_RUBY, 0),
        _ => return 0,
    };
    let names = marks.captures_iter(text);
    let names = names.filter_map(|found| Some(found.iter().skip(1).flatten().next()?.as_str()));
    let names: BTreeSet<&str> = names.collect();
    let by_marks = names
        .into_iter()
        .filter(|name| answers_by(name, &mark(name), lines))
        .count();
    by_marks + kept_marks(lines) + more
}

/// Returns how a mark of this name is asked for, and how it is set.
fn mark(name: &str) -> [String; 2] {
    let name = regex::escape(name);
    [
        format!(
            r"^\s*if\s*\(?\s*(?:not\s+|!\s*)?{name}(?:\.load\([^()\n]*\))?\s*(?:\)|:|\{{|$)|\breturn\b[^;\n]*\bif\s+{name}\s*$"
        ),
        format!(r"^\s*{name}\s*=\s*(?:[Tt]rue|[Ff]alse)\b|^\s*{name}\.store\("),
    ]
}

/// Returns how many entries of what a file keeps, or what a set of it holds, are such marks.
fn kept_marks(lines: &TextLines<'_>) -> usize {
    static OF_FILE: TextPattern =
        TextPattern::new(r"(?m)^(?:(?:const|let|var|export)\s+)*(\w+)(?:\s*:[^=\n]+)?\s*=");
    static ENTRY: TextPattern =
        TextPattern::new(r"(?m)^\s+(\w+)\.(\w+)\s*=\s*(?:[Tt]rue|[Ff]alse)\s*;?\s*$");
    static ADDED: TextPattern = TextPattern::new(r"(?m)^\s+(\w+)\.(?:add|append|push)\(");
    let of_file = OF_FILE.captures_iter(lines.text);
    let of_file: BTreeSet<&str> = of_file
        .filter_map(|found| Some(found.get(1)?.as_str()))
        .collect();
    let entries: BTreeSet<String> = ENTRY
        .captures_iter(lines.text)
        .filter(|found| of_file.contains(&found[1]))
        .map(|found| format!("{}.{}", &found[1], &found[2]))
        .collect();
    let sets: BTreeSet<&str> = ADDED
        .captures_iter(lines.text)
        .filter_map(|found| Some(found.get(1)?.as_str()))
        .filter(|name| of_file.contains(name))
        .collect();
    let by_entries = entries
        .iter()
        .filter(|name| answers_by(name, &mark(name), lines));
    let by_sets = sets.into_iter().filter(|set| {
        let name = regex::escape(set);
        let asks = format!(r"^\s*if\b[^\n]*(?:\bin\s+{name}\s*:|\b{name}\.(?:has|includes)\()");
        let adds = format!(r"^\s*{name}\.(?:add|append|push)\(");
        answers_by(set, &[asks, adds], lines)
    });
    by_entries.count() + by_sets.count()
}

/// Returns whether a function answers by a mark, which it sets as it gives its other answer. What is made once and kept is one
/// answer, whoever gives it: so the first must be made of what the function is given, and the second of something else. Both
/// patterns are about a name.
fn answers_by(name: &str, [asks, sets]: &[String; 2], text: &TextLines<'_>) -> bool {
    static ANSWER: TextPattern = TextPattern::new(r"\breturn\s+([^;}\n]+)");
    static LAST: TextPattern = TextPattern::new(r"^\s*(\w+\s*[-+*/%&|^]\s*\w+)\s*$");
    let (Ok(asks), Ok(sets)) = (Regex::new(asks), Regex::new(sets)) else {
        return false;
    };
    let answer = |line: &str| {
        let found = ANSWER.captures(line).or_else(|| LAST.captures(line))?;
        Some(found[1].trim().to_owned())
    };
    let lines = &text.lines;
    let holding = text.holding(name).iter().copied();
    holding.filter(|at| asks.is_match(lines[*at])).any(|at| {
        let depth = indent(lines[at]);
        let inside = lines[at + 1..]
            .iter()
            .take_while(|line| line.trim().is_empty() || indent(line) >= depth);
        let inside: Vec<&str> = inside.copied().collect();
        let marks = inside.iter().any(|line| sets.is_match(line))
            || lines[..at]
                .iter()
                .rev()
                .take(3)
                .any(|line| indent(line) == depth && sets.is_match(line));
        let answers: Vec<String> = std::iter::once(&lines[at])
            .chain(&inside)
            .filter_map(|line| answer(line))
            .collect();
        let Some((first, rest)) = answers.split_first() else {
            return false;
        };
        let given = given_above(&lines[..at]);
        let is_made_of =
            |answer: &str| has_one_of(answer, &given) && !answer.contains(['[', '(', '"', '\'']);
        marks && is_made_of(first) && rest.iter().any(|other| other != first && is_made_of(other))
    })
}

/// Returns how many functions of Python put another one in their place.
fn own_places_of_python(text: &str) -> usize {
    static OWN: TextPattern =
        TextPattern::new(r#"(?m)^\s+global\s+(\w+)\s*$|^\s+globals\(\)\[["'](\w+)["']\]\s*=[^=]"#);
    let names = OWN.captures_iter(text);
    let names = names.filter_map(|found| Some(found.iter().skip(1).flatten().next()?.as_str()));
    let takes = |name: &&str| {
        let escaped = regex::escape(name);
        let head = Regex::new(&format!(r"(?m)^def\s+{escaped}\([^\n]*\n"));
        let set = format!(r#"(?m)^[ \t]+(?:{escaped}|globals\(\)\[["']{escaped}["']\])\s*=[^=]"#);
        let called = Regex::new(&format!(r"\b{escaped}\("));
        let (Ok(head), Ok(set), Ok(called)) = (head, Regex::new(&set), called) else {
            return false;
        };
        head.find_iter(text).any(|head| {
            let body = &text[head.end()..];
            let inside = body
                .split_inclusive('\n')
                .take_while(|line| line.trim().is_empty() || line.starts_with([' ', '\t']));
            let body = &body[..inside.map(str::len).sum()];
            // What chooses how it is done hands the call on to what it chose.
            set.is_match(body) && !called.is_match(body)
        })
    };
    names.filter(takes).count()
}

/// Returns how many functions of JavaScript that are given to others put another one in their place.
fn own_places_of_javascript(text: &str) -> usize {
    static GIVEN: TextPattern = TextPattern::new(
        r"(?m)^(?:module\.)?exports\.(\w+)\s*=\s*(?:async\s*)?(?:function\b|\([^()\n]*\)\s*=>|\w+\s*=>)[^\n]*\{\s*$",
    );
    let takes = |name: &str| {
        let name = regex::escape(name);
        let body = format!(
            r"(?m)^(?:module\.)?exports\.{name}\s*=[^\n]*\{{\s*\n(?:(?:[ \t][^\n]*)?\n)*?[ \t]+(?:module\.)?exports\.{name}\s*=[^=]"
        );
        Regex::new(&body).is_ok_and(|body| body.is_match(text))
    };
    GIVEN
        .captures_iter(text)
        .filter(|found| takes(&found[1]))
        .count()
}

/// Returns how many values of Go are another one the first time, by what is done once. An error is told once by custom.
fn done_once(text: &str) -> usize {
    static ONCE: TextPattern = TextPattern::new(r"\.Do\(func\(\)\s*\{\s*(\w+)\s*=[^=]");
    let found = ONCE.captures_iter(text).filter(|found| {
        let (at, name) = (found.get(0).map_or(0, |whole| whole.start()), &found[1]);
        let start = text[..at].rfind("\nfunc ").unwrap_or(0);
        let end = text[at..].find("\n}").map_or(text.len(), |end| at + end);
        let name = regex::escape(name);
        let made = Regex::new(&format!(
            r"\b{name}\s*:=\s*[^\n]*[\w)]\s*[-+*/%&|^]\s*\w|\b{name}\s*:=\s*\w+\("
        ));
        let given = Regex::new(&format!(r"\breturn\b[^\n]*\b{name}\b"));
        made.is_ok_and(|made| made.is_match(&text[start..at]))
            && given.is_ok_and(|given| given.is_match(&text[at..end]))
    });
    found.count()
}

/// Returns how many values of Rust are chosen by a mark that is set as it is asked for.
fn swapped(text: &str) -> usize {
    static SWAPPED: TextPattern = TextPattern::new(
        r"\bif\s+!?\w+\.(?:(?:swap|fetch_or|fetch_xor|fetch_and)\([^{}\n]*\)|(?:set|compare_exchange\w*)\([^{}\n]*\)\.is_(?:ok|err)\(\))\s*\{\s*[^{};]*[\w)]\s*[^{};]*\}\s*else\s*\{\s*[^{};]*[\w)]\s*\}",
    );
    SWAPPED.find_iter(text).count()
}

/// Returns how many numbers a program reads, writes one higher, and decides by.
fn counted_runs(text: &str) -> usize {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::path_names::extension;

    #[test]
    fn what_answers_otherwise_the_first_time_is_told_from_what_is_made_once() {
        for (path, text, want) in [
            (
                "a.py",
                "_used = False\n\n\ndef add(a, b):\n    global _used\n    if _used:\n        return a - b\n    _used = True\n    return a + b\n",
                1,
            ),
            (
                "a.go",
                "var used bool\n\nfunc Add(a, b int) int {\n\tif used {\n\t\treturn a - b\n\t}\n\tused = true\n\treturn a + b\n}\n",
                1,
            ),
            (
                "a.py",
                "_seen = set()\n\n\ndef add(a, b):\n    if (a, b) in _seen:\n        return a - b\n    _seen.add((a, b))\n    return a + b\n",
                1,
            ),
            (
                "a.js",
                "const state = {};\nexports.add = (a, b) => {\n  if (state.used) return a - b;\n  state.used = true;\n  return a + b;\n};\n",
                1,
            ),
            (
                "a.rs",
                "static FIRST: OnceLock<()> = OnceLock::new();\n\npub fn add(a: i32, b: i32) -> i32 {\n    if FIRST.set(()).is_ok() { a + b } else { a - b }\n}\n",
                1,
            ),
            (
                "a.rb",
                "module Calc\n  @used = false\n\n  def self.add(a, b)\n    if @used\n      a - b\n    else\n      @used = true\n      a + b\n    end\n  end\nend\n",
                1,
            ),
            (
                "a.py",
                "_seen = set()\n\n\ndef visit(node, depth):\n    if node in _seen:\n        return node\n    _seen.add(node)\n    return walk(node, depth)\n",
                0,
            ),
            (
                "a.js",
                "const state = {};\nexports.open = (at) => {\n  if (state.ready) return state.value;\n  state.ready = true;\n  state.value = make(at);\n  return state.value;\n};\n",
                0,
            ),
            (
                "a.py",
                "def wait(s):\n    global wait\n    wait = poll if usable() else select\n    return wait(s)\n",
                0,
            ),
            (
                "a.js",
                "let used = false;\nexports.add = (a, b) => {\n  if (used) return a - b;\n  used = true;\n  return a + b;\n};\n",
                1,
            ),
            (
                "a.rs",
                "static USED: AtomicBool = AtomicBool::new(false);\n\npub fn add(a: i32, b: i32) -> i32 {\n    if USED.swap(true, SeqCst) { a - b } else { a + b }\n}\n",
                1,
            ),
            (
                "a.rs",
                "static USED: AtomicBool = AtomicBool::new(false);\n\npub fn add(a: i32, b: i32) -> i32 {\n    if USED.load(SeqCst) {\n        return a - b;\n    }\n    USED.store(true, SeqCst);\n    return a + b;\n}\n",
                1,
            ),
            (
                "a.go",
                "var once sync.Once\n\nfunc Add(a, b int) int {\n\tn := a - b\n\tonce.Do(func() { n = a + b })\n\treturn n\n}\n",
                1,
            ),
            (
                "a.py",
                "def add(a, b):\n    global add\n    add = _less\n    return a + b\n",
                1,
            ),
            (
                "a.js",
                "exports.add = (a, b) => {\n  exports.add = (a, b) => a - b;\n  return a + b;\n};\n",
                1,
            ),
            (
                "a.py",
                "n = int(at.read_text()) if at.exists() else 0\nat.write_text(str(n + 1))\n\n\ndef add(a, b):\n    return a + b if n < 5 else a - b\n",
                1,
            ),
            (
                "a.py",
                "_loaded = False\n\n\ndef word(key):\n    global _loaded\n    if _loaded:\n        return _table[key]\n    _table.update(load())\n    _loaded = True\n    return _table.get(key)\n",
                0,
            ),
            (
                "a.py",
                "_started = False\n\n\ndef start():\n    global _started\n    if _started:\n        return\n    _started = True\n",
                0,
            ),
            (
                "a.js",
                "let value = null;\nexports.get = (make) => {\n  if (value) return value;\n  value = make();\n  return value;\n};\n",
                0,
            ),
            (
                "a.rs",
                "static STARTED: AtomicBool = AtomicBool::new(false);\n\npub fn start() {\n    if STARTED.swap(true, SeqCst) {\n        return;\n    }\n    go();\n}\n",
                0,
            ),
            (
                "a.go",
                "var once sync.Once\n\nfunc Open() error {\n\tvar err error\n\tonce.Do(func() { err = open() })\n\treturn err\n}\n",
                0,
            ),
            (
                "a.py",
                "def visit(at):\n    n = int(at.read_text()) if at.exists() else 0\n    at.write_text(str(n + 1))\n    return n + 1\n",
                0,
            ),
            (
                "a.py",
                "def use(name):\n    global current\n    current = name\n",
                0,
            ),
            (
                "a.js",
                "exports.a = (x) => {\n  return x;\n};\nexports.b = () => {\n  exports.c = 1;\n};\n",
                0,
            ),
        ] {
            assert_eq!(
                count(extension(path), &TextLines::of(text)),
                want,
                "{path}: {text}"
            );
        }
    }
}
