//! What a unit's diff may touch: `touches` as its author wrote it, what lies outside, and the words that widen it.

use super::failure_class::FailureClass;
use super::guards::{Violation, exact_set};
use super::protected;
use crate::engine::changed_file::ChangedPath;
use crate::model::edit::quote_scalar;
use crate::model::layout::Layout;
use crate::model::unit::{TOUCHES_ANY, Unit};

/// Most paths that the words name one by one; more are named by their directories.
const NAMED: usize = 8;

/// How far a unit's diff may reach.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DiffScope<'a> {
    /// The unit does not say.
    Unstated,
    /// The unit says that its diff may be anywhere.
    Any,
    /// Only paths that one of these globs matches.
    Within(Vec<&'a str>),
}

impl DiffScope<'_> {
    /// Returns what a unit says, or its feature for it.
    pub fn of(unit: &Unit) -> DiffScope<'_> {
        let globs = Unit::list(&unit.front.touches);
        if globs.is_empty() {
            unit.root()
                .map_or(DiffScope::Unstated, |root| DiffScope::Within(vec![root]))
        } else if globs.contains(&TOUCHES_ANY) {
            DiffScope::Any
        } else {
            DiffScope::Within(globs)
        }
    }
}

/// Returns the paths of a diff outside its unit's `touches` and `produces`. `joins` are the tests that only joined: they
/// are inside unless `touches` says which tests it means.
pub(crate) fn outside(
    unit: &Unit,
    layout: Layout,
    changes: &[ChangedPath],
    joins: &[String],
) -> Vec<String> {
    let DiffScope::Within(touches) = DiffScope::of(unit) else {
        return vec![];
    };
    let names_tests = touches.iter().any(|glob| protected::is_test(glob));
    let globs: Vec<&str> = touches
        .into_iter()
        .chain(Unit::list(&unit.front.produces))
        .collect();
    let inside = exact_set(&globs);
    let state = format!("{}/", layout.dir());
    let paths = changes.iter().map(|c| &c.path);
    let left = paths.filter(|path| {
        let joined = !names_tests && joins.contains(path);
        !joined && !path.starts_with(&state) && !inside.is_match(path) && **path != **unit.path()
    });
    left.cloned().collect()
}

/// Returns the violation of a diff that is not inside, with the words that widen the scope.
pub(crate) fn violation(unit: &Unit, outside: Vec<String>) -> Option<Violation> {
    let DiffScope::Within(touches) = DiffScope::of(unit) else {
        return None;
    };
    if outside.is_empty() {
        return None;
    }
    let local = unit.id.as_ref().map_or_else(String::new, |id| {
        format!("; `gatewalk unblock {id} --reason \"…\" --widen` writes what a session asked for")
    });
    Some(Violation {
        class: FailureClass::OutOfScope,
        message: format!(
            "the unit may touch only {}. Leave the rest as it is, or ask for it with `widen_touches` in the result block. \
             A user widens it with `touches: {}`, or with `touches: {TOUCHES_ANY}`, in `{}`{local}. Outside",
            touches.join(", "),
            widened(&touches, &outside),
            unit.path(),
        ),
        paths: outside,
    })
}

/// Returns `touches` with more paths in it, as YAML on one line.
pub fn widened(touches: &[&str], more: &[String]) -> String {
    let mut globs: Vec<String> = touches.iter().map(|glob| (*glob).to_owned()).collect();
    for path in more {
        let glob = match path.rsplit_once('/') {
            Some((directory, _)) if more.len() > NAMED => format!("{directory}/**"),
            _ => path.clone(),
        };
        if !globs.contains(&glob) {
            globs.push(glob);
        }
    }
    as_yaml(&globs)
}

/// Returns globs as a YAML list on one line.
pub fn as_yaml(globs: &[String]) -> String {
    let quoted: Vec<String> = globs.iter().map(|glob| quote_scalar(glob)).collect();
    format!("[{}]", quoted.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::changed_file::ChangedPathKind;
    use crate::model::plan::Plan;
    use std::sync::Arc;

    fn unit(front: &str) -> Unit {
        let path = ".gatewalk/features/F/WU-01.md";
        let text = format!(
            "---\nid: FEAT-2026-0001/T01\ntype: implementation\nstatus: pending\n{front}---\n# A\n"
        );
        Unit::parse(Arc::from(path), text.as_bytes())
    }

    #[test]
    fn a_unit_without_touches_stays_inside_its_features_root() {
        for (root, front, paths, want) in [
            (
                "packages/api",
                "",
                "packages/api/a.rs packages/web/b.rs c",
                "packages/web/b.rs c",
            ),
            (
                "./packages/api/",
                "",
                "packages/api/a.rs packages/api2/b.rs",
                "packages/api2/b.rs",
            ),
            ("packages/api", "produces: c\n", "packages/api/a.rs c", ""),
            (
                "packages/api",
                "touches: [c]\n",
                "packages/api/a.rs c",
                "packages/api/a.rs",
            ),
            ("packages/api", "touches: any\n", "packages/api/a.rs c", ""),
            (".", "", "a c", ""),
        ] {
            let text = format!("---\nroot: {root}\n---\n");
            let plan = Plan::parse("PLAN.md".into(), text.as_bytes());
            let unit = unit(front).of_plan(&plan);
            let changes = added(paths);
            let left = outside(&unit, Layout::Gatewalk, &changes, &[]).join(" ");
            assert_eq!(left, want, "{root}, {front:?}: {paths}");
            let said = violation(&unit, vec!["c".into()]);
            let names_root = said.is_some_and(|v| v.message.contains("[packages/api, c]"));
            assert_eq!(
                names_root,
                root != "." && !front.starts_with("touches"),
                "{root}, {front:?}"
            );
        }
    }

    fn added(paths: &str) -> Vec<ChangedPath> {
        let added = |path: &str| ChangedPath {
            path: path.to_owned(),
            kind: ChangedPathKind::Added,
            regular: true,
            unstartable: false,
        };
        paths.split_whitespace().map(added).collect()
    }

    fn left(front: &str, paths: &str, joins: &str) -> String {
        let changes = added(paths);
        let joins: Vec<String> = joins.split_whitespace().map(str::to_owned).collect();
        outside(&unit(front), Layout::Gatewalk, &changes, &joins).join(" ")
    }

    #[test]
    fn a_diff_stays_inside_what_its_unit_may_touch() {
        for (front, paths, joins, want) in [
            ("", "a b/c", "", ""),
            ("touches: any\n", "a b/c", "", ""),
            ("touches: [any]\n", "a", "", ""),
            ("touches: ./any\n", "any", "", ""),
            ("touches: ./any\n", "a", "", "a"),
            ("touches: [src/**]\n", "src/a.rs", "", ""),
            ("touches: [src/**]\n", "src/a.rs docs/a", "", "docs/a"),
            ("touches: [src/**]\n", "SRC/a.rs", "", "SRC/a.rs"),
            ("touches: src\n", "src/a.rs", "", ""),
            ("touches: ./src/\n", "src/a.rs", "", ""),
            ("touches: src\nproduces: a.txt\n", "src/a.rs a.txt", "", ""),
            // Plan files have guards of their own.
            ("touches: src\n", ".gatewalk/LEARNINGS.md", "", ""),
            // Tests that only join are welcome, unless the unit says which tests it means.
            (
                "touches: src\n",
                "tests/a.rs tests/b.rs",
                "tests/a.rs",
                "tests/b.rs",
            ),
            (
                "touches: [src, tests/b.rs]\n",
                "tests/a.rs",
                "tests/a.rs",
                "tests/a.rs",
            ),
        ] {
            assert_eq!(left(front, paths, joins), want, "{front} {paths} {joins}");
        }
    }

    #[test]
    fn a_refusal_gives_the_words_that_widen_the_scope() {
        let unit = unit("touches: src/**\n");
        assert_eq!(violation(&unit, vec![]), None);
        let found = violation(&unit, vec!["docs/a.md".to_owned()]).unwrap();
        for words in [
            "may touch only src/**.",
            "`touches: [\"src/**\", docs/a.md]`",
            "`touches: any`",
            "in `.gatewalk/features/F/WU-01.md`",
            "`gatewalk unblock FEAT-2026-0001/T01 --reason \"…\" --widen`",
            "`widen_touches`",
        ] {
            assert!(found.message.contains(words), "{words}: {}", found.message);
        }
        assert_eq!(found.paths, ["docs/a.md"]);
        assert_eq!(found.class, FailureClass::OutOfScope);
    }

    #[test]
    fn many_paths_are_named_by_their_directories() {
        let many: Vec<String> = (0..9).map(|n| format!("docs/{n}.md")).collect();
        assert_eq!(widened(&["a"], &many[..8]).matches("docs/").count(), 8);
        assert_eq!(widened(&["a"], &many), "[a, \"docs/**\"]");
        let mut many = many;
        many.push("top.md".to_owned());
        assert_eq!(widened(&["top.md"], &many), "[top.md, \"docs/**\"]");
    }
}
