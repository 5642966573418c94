//! Settings of npm: those that only say how packages are saved, checked and shown steer no run.

use crate::engine::changed_file::{ChangedFile, ChangedPathKind};
use crate::path_names::file_name;
use std::collections::BTreeSet;

/// Keys by which no script runs otherwise and no package comes from elsewhere.
const ASIDE: [&str; 16] = [
    "audit",
    "color",
    "commit-hooks",
    "fund",
    "git-tag-version",
    "init-author-email",
    "init-author-name",
    "init-license",
    "init-version",
    "message",
    "progress",
    "save-exact",
    "save-prefix",
    "sign-git-tag",
    "tag-version-prefix",
    "update-notifier",
];

/// Returns whether a change of npm's settings is only about such keys.
pub(crate) fn steer_nothing(pair: &ChangedFile<'_>) -> bool {
    // What is too large to be looked at is not let by.
    let joins = pair.change.kind == ChangedPathKind::Added;
    let old = if joins { Some(&b""[..]) } else { pair.old };
    let sides = (old.and_then(steering), pair.new.and_then(steering));
    file_name(&pair.change.path) == ".npmrc"
        && pair.change.regular
        && matches!(sides, (Some(old), Some(new)) if old == new)
}

/// Returns the lines of all other keys, in their order; nothing where the text is none.
fn steering(bytes: &[u8]) -> Option<Vec<&str>> {
    let aside = BTreeSet::from(ASIDE);
    let text = std::str::from_utf8(bytes).ok()?;
    // As npm reads them: a carriage return alone ends a line, too.
    let lines = text.split(['\r', '\n']).map(str::trim);
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with(['#', ';']));
    let steers = |line: &&str| {
        let key = line.split('=').next().unwrap_or_default();
        !aside.contains(key.trim())
    };
    Some(lines.filter(steers).collect())
}

#[cfg(test)]
mod tests {
    use super::super::tests::change;
    use super::*;

    #[test]
    fn settings_of_npm_that_steer_a_run_are_told_from_others() {
        for (path, old, new, want) in [
            (
                ".npmrc",
                None,
                Some("fund=false\nsave-exact = true\n"),
                true,
            ),
            (
                "web/.npmrc",
                Some("fund=false\n"),
                Some("# For all.\naudit=false\n"),
                true,
            ),
            (
                ".npmrc",
                Some("registry=x\n"),
                Some("registry=x\nfund=false\n"),
                true,
            ),
            (
                ".npmrc",
                None,
                Some("fund=false\rscript-shell=/bin/true\n"),
                false,
            ),
            (".npmrc", None, Some("engine-strict=false\n"), false),
            (".npmrc", Some("fund=false\n"), None, false),
            (".npmrc", None, Some("ignore-scripts=true\n"), false),
            (
                ".npmrc",
                None,
                Some("fund=false\nscript-shell=true\n"),
                false,
            ),
            (".npmrc", Some("registry=x\n"), Some("registry=y\n"), false),
            (".npmrc", Some("ignore-scripts=true\n"), None, false),
            (".npmrc", None, Some("[scripts]\nfund=false\n"), false),
            (".yarnrc", None, Some("fund=false\n"), false),
        ] {
            let change = change(path, old, new);
            let pair = ChangedFile {
                change: &change,
                old: old.map(str::as_bytes),
                new: new.map(str::as_bytes),
            };
            assert_eq!(steer_nothing(&pair), want, "{path}: {new:?}");
        }
    }
}
