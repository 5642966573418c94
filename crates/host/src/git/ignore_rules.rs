//! Whether a path may be ignored. Asked before git is, which takes longer to start than the answer takes; where it may, git
//! decides.
//!
//! Invariant: what git ignores may be ignored (gitignore(5)). The reverse need not hold: here a class stands for any byte,
//! and a star for slashes too. A library that decides would have to do so exactly as git does.

/// A piece of a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RulePiece {
    Byte(u8),
    AnyByte,
    Anything,
}

/// Returns whether a file of rules may have git ignore a path, which begins where that file lies.
pub(super) fn may_ignore(rules: &[u8], path: &[u8]) -> bool {
    let rules = rules.strip_prefix("\u{feff}".as_bytes()).unwrap_or(rules);
    rules
        .split(|b| *b == b'\n')
        .any(|line| may_match(line, path))
}

fn may_match(line: &[u8], path: &[u8]) -> bool {
    // A comment, or what is not to be ignored after all.
    if line.starts_with(b"#") || line.starts_with(b"!") {
        return false;
    }
    let mut rule = line.trim_ascii_end();
    while let Some(shorter) = rule.strip_suffix(b"/") {
        rule = shorter;
    }
    let is_anchored = rule.contains(&b'/');
    let Some(pattern) = pieces(rule.strip_prefix(b"/").unwrap_or(rule)) else {
        return true;
    };
    if pattern.is_empty() {
        return false;
    }
    if !is_anchored {
        let mut parts = path.split(|b| *b == b'/');
        return parts.any(|part| matches(&pattern, part));
    }
    let ends = memchr::memchr_iter(b'/', path).chain([path.len()]);
    ends.into_iter().any(|end| matches(&pattern, &path[..end]))
}

/// Returns the pieces of a pattern; nothing where it is not well formed.
fn pieces(mut rest: &[u8]) -> Option<Vec<RulePiece>> {
    let mut pieces = Vec::new();
    while let Some((first, behind)) = rest.split_first() {
        rest = behind;
        pieces.push(match first {
            b'*' => {
                // Directories that may also be none.
                rest = rest.strip_prefix(b"*/").unwrap_or(rest);
                RulePiece::Anything
            }
            b'?' => RulePiece::AnyByte,
            b'[' => {
                rest = behind_class(rest)?;
                RulePiece::AnyByte
            }
            b'\\' => {
                let (escaped, behind) = rest.split_first()?;
                rest = behind;
                RulePiece::Byte(*escaped)
            }
            byte => RulePiece::Byte(*byte),
        });
    }
    Some(pieces)
}

/// Returns what stands behind a class of characters, whose first bracket was read. Where names of classes or escapes stand in
/// it, its end is not looked for.
fn behind_class(class: &[u8]) -> Option<&[u8]> {
    let negated = class.first().filter(|first| matches!(first, b'!' | b'^'));
    let from = usize::from(negated.is_some());
    // A bracket that comes first stands for itself.
    let end = from + 1 + memchr::memchr(b']', class.get(from + 1..)?)?;
    let is_simple = !class[..end].iter().any(|byte| matches!(byte, b'[' | b'\\'));
    is_simple.then(|| &class[end + 1..])
}

fn matches(pattern: &[RulePiece], text: &[u8]) -> bool {
    let (mut at, mut read) = (0, 0);
    // Where the last star stands, and up to where it reaches so far.
    let mut star = None;
    while read < text.len() {
        match pattern.get(at) {
            Some(RulePiece::Anything) => {
                star = Some((at, read));
                at += 1;
            }
            Some(RulePiece::AnyByte) => (at, read) = (at + 1, read + 1),
            Some(RulePiece::Byte(byte)) if *byte == text[read] => (at, read) = (at + 1, read + 1),
            _ => {
                let Some((star_at, reached)) = star else {
                    return false;
                };
                star = Some((star_at, reached + 1));
                (at, read) = (star_at + 1, reached + 1);
            }
        }
    }
    pattern[at..]
        .iter()
        .all(|piece| *piece == RulePiece::Anything)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    const RULES: [&str; 30] = [
        "target/",
        "/build",
        "*.log",
        "*.py[cod]",
        "doc/*.txt",
        "**/foo",
        "a/**/b",
        "abc/**",
        "foo*bar",
        "[Bb]in/",
        "x?z",
        "\\#*\\#",
        "!keep",
        "# comment",
        "",
        " lead",
        "trail   ",
        "esc\\ ",
        "**",
        "*",
        "[!a]b",
        "[]x]y",
        "unclosed[",
        "a//",
        "/",
        "dir/sub/",
        "[[:alpha:]]q",
        "end\\",
        "*/deep",
        "**foo",
    ];
    const PATHS: [&str; 26] = [
        "target/x",
        "src/target/y",
        "build/z",
        "a/build",
        "x.log",
        "l/x.log/y",
        "m.pyc",
        "m.py",
        "doc/a.txt",
        "doc/b/a.txt",
        "foo",
        "p/q/foo",
        "a/b",
        "a/x/y/b",
        "abc/d/e",
        "foo-bar",
        "Bin/tool",
        "xyz",
        "keep",
        " lead",
        "trail",
        "#save#",
        "cb",
        "]y",
        "dir/sub/f",
        "one/deep/f",
    ];

    #[test]
    fn whatever_git_ignores_may_be_ignored() {
        let repo = tempfile::tempdir().unwrap();
        let git = |args: &[&str]| {
            let mut git = Command::new("git");
            git.args(args).current_dir(repo.path());
            git.env("GIT_CONFIG_GLOBAL", "/dev/null");
            git
        };
        assert!(git(&["init", "-q"]).status().unwrap().success());
        let mut spared = 0;
        for rule in RULES {
            let rules = format!("{rule}\n");
            std::fs::write(repo.path().join(".gitignore"), &rules).unwrap();
            let mut asked = git(&["check-ignore", "--no-index", "-z", "--stdin"]);
            let paths: Vec<u8> = PATHS.join("\0").into_bytes();
            let input = tempfile::NamedTempFile::new().unwrap();
            std::fs::write(input.path(), paths).unwrap();
            let answer = asked.stdin(input.reopen().unwrap()).output().unwrap();
            let ignored: Vec<&[u8]> = answer.stdout.split(|b| *b == 0).collect();
            for path in PATHS {
                let may = may_ignore(rules.as_bytes(), path.as_bytes());
                assert!(
                    may || !ignored.contains(&path.as_bytes()),
                    "`{rule}` and `{path}`"
                );
                spared += usize::from(!may);
            }
        }
        // It is of use where it says no.
        assert!(spared > RULES.len() * PATHS.len() / 2, "{spared}");
    }

    #[test]
    fn what_is_far_from_every_rule_is_not_ignored() {
        let rules =
            b"target/\n*.py[cod]\n/build\n\\#*\\#\n.env\n*.sw?\nnode_modules/\n__pycache__/\n";
        for (path, may) in [
            ("src/main.py", false),
            ("src/main.pyc", true),
            ("docs/build/x", false),
            ("build/x", true),
            ("src/.env", true),
            ("a/node_modules/b/c.js", true),
        ] {
            assert_eq!(may_ignore(rules, path.as_bytes()), may, "{path}");
        }
    }
}
