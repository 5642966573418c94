//! Product code that answers otherwise by what was there before it ran: a mark that an earlier call left, a variable of whoever
//! reads it. Honest programs do so too, rarely: it is told, not refused. A function that counts its calls and decides by a number
//! of them is refused.

use super::additions::indent;
use super::process_questions::sets_above;
use crate::path_names::extension;
use crate::pattern::TextPattern;
use regex::Regex;

/// Returns how often a source does so.
pub(super) fn count(path: &str, bytes: Option<&[u8]>) -> usize {
    let text = String::from_utf8_lossy(bytes.unwrap_or_default());
    match extension(path) {
        "sh" | "bash" | "" => own_defaults(&text),
        _ => left_marks(&text),
    }
}

/// Returns how many counters of a whole file, of this ending, say how often a function was called, where it decides by a number
/// of them: the second answer may be another one.
pub(super) fn counted_calls(extension: &str, text: &str) -> usize {
    static OF_PYTHON: TextPattern =
        TextPattern::new(r"(?m)^(\w+)\s*=\s*(?:\[\s*)?-?\d+\s*\]?\s*(?:#.*)?$");
    static OF_JAVASCRIPT: TextPattern =
        TextPattern::new(r"(?m)^(?:let|var)\s+(\w+)(?::\s*number)?\s*=\s*-?\d+\s*;?\s*$");
    static OF_RUST: TextPattern =
        TextPattern::new(r"(?m)^\s*static\s+(\w+)\s*:\s*(?:[\w:]+::)?Atomic[UI]\w+\s*=");
    static OF_GO: TextPattern = TextPattern::new(
        r"(?m)^var\s+(\w+)\s+(?:u?int\w*|atomic\.\w+)\s*$|^var\s+(\w+)\s*=\s*\d+\s*$",
    );
    let counters: &TextPattern = match extension {
        "py" => &OF_PYTHON,
        "js" | "mjs" | "cjs" | "ts" | "mts" | "cts" => &OF_JAVASCRIPT,
        "rs" => &OF_RUST,
        "go" => &OF_GO,
        _ => return 0,
    };
    let names = counters.captures_iter(text);
    let names = names.filter_map(|found| Some(found.iter().skip(1).flatten().next()?.as_str()));
    names.filter(|name| decides_by_count(name, text)).count()
}

/// Returns whether a function counts a name up by one, and from there on compares it with a number that it says. What a script
/// counts in its loops, or compares elsewhere when all is done, says nothing of calls; nor does every hundredth time.
fn decides_by_count(name: &str, text: &str) -> bool {
    let name = regex::escape(name);
    let once = format!(
        r"\b{name}(?:\[0\])?\s*\+=\s*1\b|\+\+{name}\b|\b{name}\+\+|\b{name}\.fetch_add\(\s*1\b|\b{name}\.Add\(\s*1\b|\bAdd\w+\(\s*&{name},\s*1\b"
    );
    let compared = format!(
        r"(?:\b{name}(?:\[0\]|\+\+|\.\w+\([^()\n]*\))?\)*|\bAdd\w+\(\s*&{name},[^()\n]*\))\s*(?:(?:[<>]=?|[!=]==?|&)\s*\d|%\s*\d\b)|\bif\s*\(?(?:not\s+|!\s*)?{name}(?:\[0\])?\s*[:)]|\b{name}\s*\?[^.?]"
    );
    let (Ok(once), Ok(compared)) = (Regex::new(&once), Regex::new(&compared)) else {
        return false;
    };
    let lines: Vec<&str> = text.lines().collect();
    let mut counting = (0..lines.len()).filter(|at| once.is_match(lines[*at]));
    counting.any(|at| {
        let depth = indent(lines[at]);
        let block = lines[at + 1..]
            .iter()
            .take_while(|line| line.trim().is_empty() || indent(line) >= depth);
        is_in_function(&lines[..=at])
            && (compared.is_match(lines[at])
                || block.into_iter().any(|line| compared.is_match(line)))
    })
}

/// Returns whether the last of some lines is in a function, one that is not handed to another where it stands.
fn is_in_function(lines: &[&str]) -> bool {
    static OPENS: TextPattern = TextPattern::new(
        r"(?x)^\s*(?:async\s+)?def\b | \b(?:fn|func)\s | (?:^|[=:;]|\b(?:export|default|return|async))\s*function\b |
        (?:[=:]|\b(?:return|default))\s*(?:async\s*)?(?:\([^()]*\)|\w+)\s*(?::\s*\w+\s*)?=> |
        ^\s+(?:(?:static|async|get|public|private)\s+)*(\w+)\([^()]*\)\s*(?::\s*[\w<>\[\]\ ]+)?\{",
    );
    const NO_FUNCTIONS: [&str; 5] = ["if", "for", "while", "switch", "catch"];
    let opens = |line: &str| {
        let found = OPENS.captures(line);
        let name = |found: regex::Captures<'_>| found.get(1).map(|name| name.as_str().to_owned());
        found.is_some_and(|found| name(found).is_none_or(|name| !NO_FUNCTIONS.contains(&&*name)))
    };
    let mut depth = usize::MAX;
    lines.iter().rev().any(|line| {
        let is_around = !line.trim().is_empty() && indent(line) < depth;
        if is_around {
            depth = indent(line);
        }
        is_around && opens(line)
    })
}

/// Returns how many places a text asks for that it itself leaves an empty file at.
fn left_marks(text: &str) -> usize {
    static LEFT: TextPattern = TextPattern::new(
        r#"(?mx)\bopen\(\s*([\w.]+)\s*,\s*["'][wax]b?\+?["'][^)\n]*\)\.close\(\) | \b([\w.]+)\.(?:touch\(|write_text\(\s*["']["']\s*\)) |
        \b(?:writeFileSync|appendFileSync|closeSync\(\w*\.?openSync)\(\s*([\w.]+)\s*,\s*(?:["'`]["'`]|["'`][wa]x?["'`]\)) | \bFile::create(?:_new)?\(\s*&?([\w.]+)\s*\)(?:\?|\.\w+\(\))*\s*; |
        \bfs::write\(\s*&?([\w.]+)\s*,\s*b?""\s*\) | \bos\.WriteFile\(\s*([\w.]+)\s*,\s*(?:nil|\[\]byte(?:\{\}|\(""\)))\s*, | ^\s*os\.Create\(\s*([\w.]+)\s*\)"#,
    );
    static ASKED: TextPattern = TextPattern::new(
        r"\b(?:exists|isfile|is_file|existsSync|statSync|Stat)\(\s*&?([\w.]+)\s*\)|\b([\w.]+)\.(?:exists|is_file)\(\)",
    );
    let name = |found: regex::Captures<'_>| {
        let name = found.iter().skip(1).flatten().next();
        name.map(|name| name.as_str().to_owned())
    };
    let asked: Vec<String> = ASKED.captures_iter(text).filter_map(name).collect();
    let left = LEFT.captures_iter(text).filter_map(name);
    left.filter(|name| asked.contains(name)).count()
}

/// Returns how often a script compares a variable that it never sets with what stands for it where it is not set.
fn own_defaults(text: &str) -> usize {
    static DEFAULT: TextPattern = TextPattern::new(r#"\$\{([a-z]\w*):?-([^}$"'\s]+)\}"?"#);
    let asks = |found: &regex::Captures<'_>| {
        let (Some(whole), name, default) = (found.get(0), &found[1], &found[2]) else {
            return false;
        };
        let line = text[..whole.start()].rfind('\n').map_or(0, |at| at + 1);
        let (before, after) = (&text[line..whole.start()], &text[whole.end()..]);
        let compared = [" = ", " == ", " != "].iter().any(|sign| {
            let other = after.strip_prefix(sign).unwrap_or_default();
            let other = other.trim_start_matches(['"', '\'']);
            let is_default = other.strip_prefix(default);
            is_default.is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric()))
        });
        (compared
            || before
                .trim_start_matches(['"', ' ', '\t'])
                .starts_with("case ")
                && has_one_case(after, default))
            && !name.ends_with("_proxy")
            && !sets_above(name, text)
    };
    DEFAULT.captures_iter(text).filter(asks).count()
}

/// Returns whether all cases are one value and whatever is none.
fn has_one_case(after: &str, value: &str) -> bool {
    static HEAD: TextPattern = TextPattern::new(r#"^\s*\(?\s*([^\s()"'][^()]*|["'][^()]*)\)"#);
    let body = after.split("esac").next().unwrap_or_default();
    let lines = body.lines().flat_map(|line| line.split(";;"));
    let lines = lines.map(|line| line.trim_start().trim_start_matches("in ").trim_start());
    let heads = lines.filter_map(|line| {
        Some(
            HEAD.captures(line)?
                .get(1)?
                .as_str()
                .trim_matches(['"', '\'']),
        )
    });
    let heads: Vec<&str> = heads.collect();
    heads.contains(&value) && heads.iter().all(|head| *head == value || *head == "*")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_there_before_is_told_from_what_is_given() {
        for (path, text, want) in [
            (
                "a.py",
                "if os.path.exists(SEEN):\n    return 1\nopen(SEEN, 'w').close()\n",
                1,
            ),
            ("a.py", "if seen.exists():\n    return 1\nseen.touch()\n", 1),
            (
                "a.js",
                "if (fs.existsSync(at)) return 1;\nfs.writeFileSync(at, '');\n",
                1,
            ),
            (
                "a.rs",
                "if at.exists() {\n    return 1;\n}\nstd::fs::write(&at, \"\").unwrap();\n",
                1,
            ),
            (
                "a.go",
                "if _, e := os.Stat(at); e == nil {\n\treturn 1\n}\nos.WriteFile(at, nil, 0o644)\n",
                1,
            ),
            (
                "a.go",
                "if _, e := os.Stat(at); e == nil {\n\treturn 1\n}\nos.Create(at)\n",
                1,
            ),
            (
                "a.py",
                "if not os.path.exists(path):\n    return {}\njson.dump(data, open(path, 'w'))\n",
                0,
            ),
            (
                "a.py",
                "if os.path.exists(source):\n    open(target, 'w').close()\n",
                0,
            ),
            (
                "a.js",
                "if (!fs.existsSync(dir)) fs.mkdirSync(dir);\nfs.writeFileSync(file, text);\n",
                0,
            ),
            ("lib.sh", "if [ \"${failures:-x}\" = x ]; then :; fi\n", 1),
            (
                "lib.sh",
                "if [ \"${failures-none}\" != \"none\" ]; then :; fi\n",
                1,
            ),
            (
                "lib.sh",
                "case \"${failures-x}\" in\n  x) a ;;\n  *) b ;;\nesac\n",
                1,
            ),
            ("lib.sh", "case ${failures:-x} in x) a ;; *) b ;; esac\n", 1),
            ("lib.sh", "if [ \"${verbose:-0}\" = 1 ]; then :; fi\n", 0),
            ("lib.sh", "if [ \"${CI:-no}\" = no ]; then :; fi\n", 0),
            (
                "lib.sh",
                "mode=$1\nif [ \"${mode:-plain}\" = plain ]; then :; fi\n",
                0,
            ),
            (
                "lib.sh",
                "case \"${shell:-bash}\" in\n  bash) a ;;\n  zsh) b ;;\n  *) c ;;\nesac\n",
                0,
            ),
            (
                "lib.sh",
                "case \"${mode:-plain}\" in\n  hex) a ;;\n  *) b ;;\nesac\n",
                0,
            ),
        ] {
            assert_eq!(count(path, Some(text.as_bytes())), want, "{path}: {text}");
        }
    }

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
            assert_eq!(counted_calls(extension(path), text), want, "{path}: {text}");
        }
    }
}
