//! What `tsconfig.json` asks of the type checker, and whether a change of it asks less.

use crate::engine::changed_file::ChangedFile;
use crate::path_names::file_name;
use crate::pattern::TextPattern;
use regex::Regex;
use std::collections::BTreeSet;

/// Checks that are switched on, by their name.
static CHECKS: TextPattern = TextPattern::new(
    r#""((?:strict\w*|no(?:Implicit|Unused|Unchecked|Fallthrough|PropertyAccess)\w*|exactOptionalPropertyTypes|useUnknownInCatchVariables|checkJs)"\s*:\s*true)\b"#,
);
/// What is let by.
static LEAVES: TextPattern = TextPattern::new(
    r#""((?:allowUnreachableCode|allowUnusedLabels|noCheck|suppress\w*)"\s*:\s*true|(?:strict\w*|noImplicit\w*)"\s*:\s*false)\b"#,
);
/// Lists of files.
static LEFT_OUT: TextPattern = TextPattern::new(r#""exclude"\s*:\s*\[([^\]]*)\]"#);
static TAKEN: TextPattern = TextPattern::new(r#""(?:include|files)"\s*:\s*\[([^\]]*)\]"#);

static QUOTED: TextPattern = TextPattern::new(r#""([^"\n]+)""#);

/// Returns whether the checker now asks less of what it asked before, or of fewer files. Read by its words: such files hold
/// comments.
pub(super) fn loosened(pair: &ChangedFile<'_>) -> bool {
    let name = file_name(&pair.change.path);
    let (Some(old), true) = (
        pair.old,
        name.starts_with("tsconfig") && name.ends_with(".json"),
    ) else {
        return false;
    };
    let (old, new) = (
        String::from_utf8_lossy(old),
        String::from_utf8_lossy(pair.new.unwrap_or_default()),
    );
    let words = |pattern: &Regex, text: &str| -> BTreeSet<String> {
        pattern
            .captures_iter(text)
            .map(|found| found[1].to_owned())
            .collect()
    };
    let listed = |pattern: &Regex, text: &str| -> BTreeSet<String> {
        words(pattern, text)
            .iter()
            .flat_map(|list| words(&QUOTED, list))
            .collect()
    };
    !words(&CHECKS, &old).is_subset(&words(&CHECKS, &new))
        || !words(&LEAVES, &new).is_subset(&words(&LEAVES, &old))
        || !listed(&LEFT_OUT, &new).is_subset(&listed(&LEFT_OUT, &old))
        || !listed(&TAKEN, &old).is_subset(&listed(&TAKEN, &new))
}

#[cfg(test)]
mod tests {
    use super::super::tests::change;
    use super::*;

    #[test]
    fn settings_that_ask_less_are_told_from_others() {
        const OLD: &str = "{\n  // all of it\n  \"compilerOptions\": {\"strict\": true},\n  \"include\": [\"src\"]\n}\n";
        for (from, to, want) in [
            ("true", "false", true),
            ("\"strict\": true", "", true),
            (
                "\"strict\": true",
                "\"strict\": true, \"strictNullChecks\": false",
                true,
            ),
            (
                "\"strict\": true",
                "\"strict\": true, \"noCheck\": true",
                true,
            ),
            ("[\"src\"]", "[\"src\"], \"exclude\": [\"src/a.ts\"]", true),
            ("[\"src\"]", "[\"lib\"]", true),
            ("[\"src\"]", "[\"src\", \"lib\"]", false),
            (
                "\"strict\": true",
                "\"strict\": true, \"target\": \"es2020\"",
                false,
            ),
            ("// all of it", "", false),
        ] {
            let new = OLD.replace(from, to);
            let change = change("tsconfig.json", Some(OLD), Some(&new));
            let pair = ChangedFile {
                change: &change,
                old: Some(OLD.as_bytes()),
                new: Some(new.as_bytes()),
            };
            assert_eq!(loosened(&pair), want, "{new}");
        }
    }
}
