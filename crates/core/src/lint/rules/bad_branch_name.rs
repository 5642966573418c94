//! `GW709`. See `bad_branch_name.md`.

use crate::lint::context::FeatureCx;
use crate::lint::finding_sink::FindingSink;

pub(super) fn check(cx: &FeatureCx<'_>, out: &mut FindingSink) {
    let front = &cx.feature.plan.front;
    for (key, value) in [("branch", &front.branch), ("base", &front.base)] {
        let Some(value) = value else { continue };
        if let Some(why) = refused(&value.value) {
            out.at(
                cx.plan_path(),
                value.span.clone(),
                format!("`{}` is no name for a branch: {why}", value.value),
            )
            .help(format!(
                "`{key}` is a name such as `feat/FEAT-2026-0042-user-export`"
            ))
            .only_warn_if(cx.is_settled());
        } else if key == "branch"
            && let Some(own) = of_a_remote(&value.value)
        {
            let remote = &value.value[..value.value.len() - own.len()];
            out.at(
                cx.plan_path(),
                value.span.clone(),
                format!("`{remote}` names a remote, and units land on a branch of this repository"),
            )
            .help(format!(
                "`{own}` is that branch here, once you have fetched it"
            ))
            .only_warn_if(true)
            .unsafe_fix(
                format!("write `{own}`"),
                vec![(value.span.clone(), own.to_owned())],
            );
        }
    }
}

/// Returns the rest of a name that begins with what remotes are called everywhere.
fn of_a_remote(name: &str) -> Option<&str> {
    let remotes = ["origin/", "upstream/", "remotes/"];
    let own = remotes
        .into_iter()
        .find_map(|remote| name.strip_prefix(remote))?;
    Some(own.strip_prefix("origin/").unwrap_or(own))
}

/// Why `git check-ref-format --branch` would say no.
fn refused(name: &str) -> Option<&'static str> {
    if name.is_empty() || name == "@" || name == "HEAD" {
        return Some("it is no name");
    }
    if name.starts_with('-') {
        return Some("it begins with `-`");
    }
    if name.starts_with("refs/") {
        return Some("it is the whole name of a ref, which would become `refs/heads/refs/…`");
    }
    if name.starts_with('/') || name.ends_with('/') || name.contains("//") {
        return Some("a part of it is empty");
    }
    if name
        .split('/')
        .any(|part| part.starts_with('.') || part.ends_with(".lock"))
    {
        return Some("a part of it begins with `.` or ends with `.lock`");
    }
    if name.contains("..") || name.contains("@{") || name.ends_with('.') {
        return Some("it has `..` or `@{`, or ends with `.`");
    }
    if name.split('/').any(|part| part.len() > 240) {
        return Some("a part of it is too long for the name of a file");
    }
    let forbidden = |c: char| c.is_ascii_control() || " ~^:?*[\\".contains(c);
    name.contains(forbidden)
        .then_some("it has a space, a control character or one of `~^:?*[\\`")
}

#[cfg(test)]
mod tests {
    use super::refused;

    #[test]
    fn names_are_judged_as_git_judges_them() {
        for (name, ok) in [
            ("main", true),
            ("feat/export", true),
            ("1.10", true),
            ("feat/ü", true),
            ("a@b", true),
            ("refs/heads/feat", false),
            ("reflog/x", true),
            ("-x", false),
            ("a..b", false),
            ("a b", false),
            ("a/", false),
            ("/a", false),
            ("a//b", false),
            (".a", false),
            ("a/.b", false),
            ("a.lock", false),
            ("a.lock/b", false),
            ("a.", false),
            ("@", false),
            ("a@{b", false),
            ("a~1", false),
            ("a^", false),
            ("a:b", false),
            ("a?", false),
            ("a*", false),
            ("a[", false),
            ("a\\b", false),
            ("", false),
            ("HEAD", false),
            ("a\u{7f}b", false),
        ] {
            assert_eq!(refused(name).is_none(), ok, "{name}");
        }
    }
}
