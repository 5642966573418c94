//! Product code that answers otherwise by what was there before it ran: a mark that an earlier call left, a variable of whoever
//! reads it. Honest programs do so too, rarely: it is told, not refused.

use super::process_questions::sets_above;
use crate::path_names::extension;
use crate::pattern::TextPattern;

/// Returns how often a source does so.
pub(super) fn count(path: &str, bytes: Option<&[u8]>) -> usize {
    let text = String::from_utf8_lossy(bytes.unwrap_or_default());
    match extension(path) {
        "sh" | "bash" | "" => own_defaults(&text),
        _ => left_marks(&text),
    }
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

/// Returns how often a script goes by what a test that reads it counts, other than in what it prints: by a variable with such a
/// name that it never sets.
pub(super) fn variables_of_tests(text: &str) -> usize {
    static COUNT: TextPattern = TextPattern::new(
        r"(?i)\$\{?[#!]?((?:(?:n|num|count|total|test|tests)_?)?(?:failures?|fails?|failed|failing|passed|errors|errs|tests|tests_(?:run|failed|passed)|not_ok)(?:_count)?)\b|\[\[?\s+-v\s+((?:failures?|failed|passed|tests|errors))\b|\bcompgen\s+-(?:v|A\s+variable)(\b)|\$\(\s*(?-i:set)\s*(\))|(?m:^|[;&{])\s*(?-i:set)\s*(\|)",
    );
    let prints = ["echo ", "printf ", "log ", "die ", "warn ", "#"];
    let found = COUNT.captures_iter(text).filter(|found| {
        let at = found.get(0).map_or(0, |whole| whole.start());
        let line = text[..at].rfind('\n').map_or(0, |line| line + 1);
        let is_printed = prints
            .iter()
            .any(|word| text[line..at].trim_start().starts_with(word));
        let name = found.get(1).or_else(|| found.get(2));
        name.is_none_or(|name| !is_printed && !sets_above(name.as_str(), text))
    });
    found.count()
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
    fn a_variable_that_tests_count_by_is_theirs() {
        for (text, want) in [
            (
                "add() {\n  if [ -n \"$failures\" ]; then echo 3; fi\n}\n",
                1,
            ),
            ("add() {\n  local by=${failures:+1}\n}\n", 1),
            ("add() { [ \"$FAILED\" = 0 ] && echo 3; }\n", 1),
            ("if compgen -v | grep -q fail; then :; fi\n", 1),
            ("set | grep -q fail\n", 1),
            ("failed=0\n[ \"$failed\" = 0 ] || exit 1\n", 0),
            ("report() {\n  echo \"$failed of $total\"\n}\n", 0),
            ("if [ -n \"$verbose\" ]; then :; fi\n", 0),
            (
                "count() {\n  local errors\n  errors=$(grep -c E \"$1\")\n  [ \"$errors\" = 0 ]\n}\n",
                0,
            ),
            ("set -e\nset +x | cat\n", 0),
        ] {
            assert_eq!(variables_of_tests(text), want, "{text}");
        }
    }
}
