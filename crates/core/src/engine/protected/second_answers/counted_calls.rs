//! Functions that count how often they were called and decide by a number of them: the second answer may be another one. What
//! is counted stands in a variable of the file, in an entry or the length of what the file keeps, or around the function.

use super::KnownLanguage;
use super::functions::is_in_function;
use super::kept_names::{self, CountedBy, Deciding, KeptName};
use super::two_answers::returned;
use crate::engine::protected::additions::indent;
use crate::engine::protected::text_lines::TextLines;
use crate::pattern::TextPattern;
use regex::Regex;

/// Returns how many things that a text keeps say how often a function was called, where it decides by a number of them.
pub(super) fn count(language: KnownLanguage, text: &TextLines<'_>) -> usize {
    let decide = |(made, by): (&KeptName, &CountedBy)| {
        let names = made.names(text.text).into_iter();
        let names = names.filter(|name| {
            let hint = by.hint.replace('@', name);
            let mut holding = text.holding(name).iter();
            holding.any(|at| text.lines[*at].contains(&hint))
        });
        let names = names.filter(|name| decides_by_count(by, (name, text.line_of(name)), text));
        names.count()
    };
    kept_names::counts(language).map(decide).sum()
}

/// Returns whether a function counts what has a name, made in a line, up by one, and from there on compares it with a number
/// that it says. What a script counts in its loops, or compares elsewhere when all is done, says nothing of calls; nor does every
/// hundredth time.
fn decides_by_count(by: &CountedBy, (name, made): (&str, usize), text: &TextLines<'_>) -> bool {
    let lines = &text.lines;
    let escaped = regex::escape(name);
    let Ok(counted) = Regex::new(&by.counted.replace('@', &escaped)) else {
        return false;
    };
    let holding = text.holding(name).iter().copied();
    let mut counting = holding.filter(|at| counted.is_match(lines[*at]));
    let Some(first) = counting.next() else {
        return false;
    };
    let mut number = by.number.replace('@', &escaped);
    let Ok(asks) = Regex::new(&format!(
        r"(?:let|const|var|auto|local)?\s*(?:mut\s+)?\b(\w+)(?:\s*:\s*\w+)?\s*:?=\s*[^=\n]*(?:{number})[^=\n]*$"
    )) else {
        return false;
    };
    for at in std::iter::once(first).chain(counting) {
        let is_inside = match by.decides {
            Deciding::AnsweredInside => at > made && is_in_function(&lines[made + 1..=at]),
            _ => is_in_function(&lines[..=at]),
        };
        if !is_inside {
            continue;
        }
        let depth = indent(lines[at]);
        let from = at.saturating_sub(3);
        if by.decides != Deciding::Compared {
            // What the number was given to is asked in its place.
            let near = lines[from..=at].iter().chain(lines.get(at + 1));
            let near = near.filter(|line| indent(line) >= depth);
            let given = near.filter_map(|line| Some(asks.captures(line)?.get(1)?.as_str()));
            let given: Vec<&str> = given.filter(|given| *given != name).collect();
            for given in given {
                number.push_str(&format!(r"|\b{}\b", regex::escape(given)));
            }
        }
        let Ok(compared) = comparison(&number, by.decides == Deciding::Compared) else {
            return false;
        };
        let block = (at + 1..lines.len())
            .take_while(|at| lines[*at].trim().is_empty() || indent(lines[*at]) >= depth);
        let decides = |at: usize| {
            compared.is_match(lines[at])
                && (by.decides == Deciding::Compared || is_answered(&lines[at..]))
        };
        if decides(at) || block.into_iter().any(decides) {
            return true;
        }
    }
    false
}

/// Returns what compares a number with one that is said, or, where it serves for nothing else, asks whether it is any.
fn comparison(number: &str, is_counter: bool) -> Result<Regex, regex::Error> {
    let asked = match is_counter {
        true => format!(r"|\bif\s*\(?(?:not\s+|!\s*)?(?:{number})\s*[:)]"),
        false => String::new(),
    };
    Regex::new(&format!(
        r"(?:{number})\)*\s*(?:(?:[<>]=?|[!=]==?|&)\s*\d|%\s*\d\b){asked}|(?:{number})\s*\?[^.?]"
    ))
}

/// Returns whether the first of some lines chooses between two answers, or leads to one.
fn is_answered(lines: &[&str]) -> bool {
    static CHOOSES: TextPattern =
        TextPattern::new(r"\belse\b|\s\?\s[^:\n]*\S\s*:|\breturn\b[^\n]*\bif\b");
    static ASKS: TextPattern = TextPattern::new(r"^[\s}]*(?:else\s+|el)?if\b|\?\s*$|\bunless\b");
    static REFUSAL: TextPattern = TextPattern::new(
        r"^(?:None|[Ff]alse|[Tt]rue|null|undefined|nil|Err\b|errors?\b|fmt\.Errorf|Promise\.reject|-?\d+\s*$|[\x22'])",
    );
    let line = lines[0];
    let answers = |line: &str| returned(line).is_some_and(|answer| !REFUSAL.is_match(answer));
    let is_log = ["print", "log", "warn", "assert", "raise", "throw"]
        .iter()
        .any(|word| line.contains(word));
    if is_log {
        return false;
    }
    let values = line.contains("return")
        || line.contains("=>")
        || line.trim_start().starts_with("if ")
        || !line.contains('=');
    CHOOSES.is_match(line) && values && !line.contains("elif")
        || ASKS.is_match(line)
            && (answers(line)
                || lines
                    .get(1)
                    .is_some_and(|next| indent(next) > indent(line) && answers(next)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::protected::second_answers::found_by;

    #[test]
    fn a_decision_by_how_often_something_was_called_is_found() {
        for (path, text, want) in [
            (
                "a.py",
                "calls = 0\n\n\ndef add(a, b):\n    global calls\n    calls += 1\n    return a + b if calls < 2 else a - b\n",
                1,
            ),
            (
                "a.py",
                "seen = [0]\n\n\ndef add(a, b):\n    seen[0] += 1\n    if seen[0] > 1:\n        return a - b\n    return a + b\n",
                1,
            ),
            (
                "a.js",
                "let calls = 0;\nexports.add = (a, b) => (calls++ > 0 ? a - b : a + b);\n",
                1,
            ),
            (
                "a.rs",
                "static CALLS: AtomicUsize = AtomicUsize::new(0);\npub fn add(a: i32, b: i32) -> i32 {\n    if CALLS.fetch_add(1, Ordering::SeqCst) > 0 { a - b } else { a + b }\n}\n",
                1,
            ),
            (
                "a.go",
                "var calls int\n\nfunc Add(a, b int) int {\n\tcalls++\n\tif calls > 1 {\n\t\treturn a - b\n\t}\n\treturn a + b\n}\n",
                1,
            ),
            (
                "a.py",
                "last = 0\n\n\ndef number():\n    global last\n    last += 1\n    return last\n",
                0,
            ),
            (
                "a.js",
                "let waiting = 0;\nexports.enter = () => { waiting++; };\nexports.leave = () => { if (--waiting < limit) next(); };\n",
                0,
            ),
            (
                "a.go",
                "var calls int\n\nfunc Add(a, b int) int {\n\tcalls++\n\tif calls%2 == 0 {\n\t\treturn a - b\n\t}\n\treturn a + b\n}\n",
                1,
            ),
            (
                "a.js",
                "var calls = 0;\nmodule.exports.add = function (a, b) {\n  calls++;\n  return calls > 1 ? a - b : a + b;\n};\n",
                1,
            ),
            (
                "a.ts",
                "let calls = 0;\nexport class Sum {\n  add(a: number): number {\n    if (++calls) {\n      return calls > 1 ? 0 : a;\n    }\n  }\n}\n",
                1,
            ),
            (
                "a.js",
                "let failures = 0;\nfor (const file of files) {\n  if (!check(file)) {\n    failures++;\n    if (failures > 3) break;\n  }\n}\nif (failures > 0) process.exit(1);\n",
                0,
            ),
            (
                "a.js",
                "let failures = 0;\nfunction fails(what) {\n  failures++;\n  console.error(what);\n}\nfails('a');\nif (failures > 0) process.exit(1);\n",
                0,
            ),
            (
                "a.js",
                "let done = 0;\nfiles.forEach((file) => {\n  done++;\n  if (done > 9) console.log(done);\n});\n",
                0,
            ),
            (
                "a.py",
                "done = 0\nfor row in rows:\n    done += 1\n    if done % 100 == 0:\n        print(done)\nif done == 0:\n    sys.exit(1)\n",
                0,
            ),
            (
                "a.py",
                "done = 0\n\ndef step():\n    global done\n    done += 1\n    if done % 100 == 0:\n        print(done)\n",
                0,
            ),
            (
                "a.py",
                "LIMIT = 3\n\n\ndef often(n):\n    n += 1\n    return n > 3 and LIMIT > 2\n",
                0,
            ),
        ] {
            assert_eq!(found_by(count, path, text), want, "{path}: {text}");
        }
    }

    #[test]
    fn a_number_that_is_kept_in_something_else_is_a_count_too() {
        for (path, text, want) in [
            (
                "a.py",
                "_s = {\"n\": 0}\n\ndef add(a, b):\n    _s[\"n\"] += 1\n    return a + b if _s[\"n\"] < 9 else a - b\n",
                1,
            ),
            (
                "a.py",
                "_seen = []\n\ndef add(a, b):\n    _seen.append(a)\n    if len(_seen) > 1:\n        return a - b\n    return a + b\n",
                1,
            ),
            (
                "a.py",
                "def add(a, b, _calls=[]):\n    _calls.append(1)\n    return a + b if len(_calls) < 9 else a - b\n",
                1,
            ),
            (
                "a.py",
                "def add(a, b):\n    add.n = getattr(add, \"n\", 0) + 1\n    return a + b if add.n < 9 else a - b\n",
                1,
            ),
            (
                "a.py",
                "_ids = itertools.count()\n\ndef add(a, b):\n    n = next(_ids)\n    return a + b if n < 9 else a - b\n",
                1,
            ),
            (
                "a.py",
                "def _adder():\n    n = 0\n\n    def add(a, b):\n        nonlocal n\n        n += 1\n        return a + b if n < 9 else a - b\n\n    return add\n",
                1,
            ),
            (
                "a.py",
                "class Sums:\n    done = 0\n\n    @classmethod\n    def add(cls, a, b):\n        cls.done += 1\n        return a + b if cls.done < 9 else a - b\n",
                1,
            ),
            (
                "a.py",
                "_n = ContextVar(\"n\", default=0)\n\ndef add(a, b):\n    _n.set(_n.get() + 1)\n    return a + b if _n.get() < 9 else a - b\n",
                1,
            ),
            (
                "a.py",
                "class Job:\n    made = 0\n\n    @classmethod\n    def new(cls):\n        cls.made += 1\n        if cls.made > 9:\n            raise TooMany()\n        return cls()\n",
                0,
            ),
            (
                "a.rs",
                "static CALLS: Mutex<u32> = Mutex::new(0);\n\npub fn add(a: i32, b: i32) -> i32 {\n    let mut calls = CALLS.lock().unwrap();\n    *calls += 1;\n    if *calls > 20 { a - b } else { a + b }\n}\n",
                1,
            ),
            (
                "a.js",
                "exports.add = (() => {\n  let n = 0;\n  return (a, b) => (n++ < 9 ? a + b : a - b);\n})();\n",
                1,
            ),
            (
                "a.js",
                "const state = { calls: 0 };\nexports.add = (a, b) => {\n  state.calls += 1;\n  return state.calls > 9 ? a - b : a + b;\n};\n",
                1,
            ),
            (
                "a.js",
                "const seen = [];\nexports.add = (a, b) => {\n  seen.push(a);\n  if (seen.length > 9) return a - b;\n  return a + b;\n};\n",
                1,
            ),
            (
                "a.rs",
                "thread_local! {\n    static CALLS: Cell<u32> = const { Cell::new(0) };\n}\n\npub fn add(a: i32, b: i32) -> i32 {\n    let n = CALLS.get();\n    CALLS.set(n + 1);\n    if n < 20 { a + b } else { a - b }\n}\n",
                1,
            ),
            (
                "a.go",
                "var seen []int\n\nfunc Add(a, b int) int {\n\tseen = append(seen, a)\n\tif len(seen) > 9 {\n\t\treturn a - b\n\t}\n\treturn a + b\n}\n",
                1,
            ),
            (
                "a.rb",
                "module Calc\n  @calls = 0\n\n  def self.add(a, b)\n    @calls += 1\n    @calls > 20 ? a - b : a + b\n  end\nend\n",
                1,
            ),
            (
                "a.py",
                "_kept = {}\n_stats = {\"hits\": 0}\n\ndef add(a, b):\n    if (a, b) in _kept:\n        _stats[\"hits\"] += 1\n    else:\n        _kept[a, b] = a + b\n        if len(_kept) > 1000:\n            _kept.clear()\n    return _kept[a, b]\n\ndef ratio():\n    return _stats[\"hits\"] / 2 if _stats[\"hits\"] > 0 else 0\n",
                0,
            ),
            (
                "a.py",
                "_waiting = []\n\ndef push(job):\n    _waiting.append(job)\n    if len(_waiting) > 10:\n        flush()\n",
                0,
            ),
            (
                "a.py",
                "_errors = []\n\ndef note(error):\n    _errors.append(error)\n    if len(_errors) > 10:\n        raise TooMany(_errors)\n",
                0,
            ),
            (
                "a.js",
                "function count(items) {\n  let n = 0;\n  for (const item of items) {\n    n++;\n    if (n > 9) return items;\n  }\n}\n",
                0,
            ),
            (
                "a.js",
                "function after(n, fn) {\n  let calls = 0;\n  return (...args) => {\n    calls += 1;\n    if (calls >= n) return fn(...args);\n  };\n}\n",
                0,
            ),
            (
                "a.rs",
                "thread_local! {\n    static DEPTH: Cell<usize> = const { Cell::new(0) };\n}\n\npub fn nested() -> Result<(), String> {\n    let depth = DEPTH.get();\n    if depth > 64 {\n        return Err(\"too deep\".to_owned());\n    }\n    DEPTH.set(depth + 1);\n    Ok(())\n}\n",
                0,
            ),
            (
                "a.rb",
                "class Money\n  def initialize\n    @changes = 0\n  end\n\n  def change(by)\n    @changes += 1\n    raise \"too many\" if @changes > 100\n    @cents += by\n  end\nend\n",
                0,
            ),
        ] {
            assert_eq!(found_by(count, path, text), want, "{path}: {text}");
        }
    }
}
