//! `GW708`. See `shell_metacharacter.md`.

use crate::lint::context::FeatureCx;
use crate::lint::finding_sink::FindingSink;

pub(super) fn check(cx: &FeatureCx<'_>, out: &mut FindingSink) {
    let front = &cx.feature.plan.front;
    for (key, value) in [
        ("slug", &front.slug),
        ("branch", &front.branch),
        ("base", &front.base),
    ] {
        let Some(value) = value else { continue };
        if let Some(c) = dangerous(&value.value, key == "slug") {
            out.at(
                cx.plan_path(),
                value.span.clone(),
                format!(
                    "`{key}` has a `{}`, which a shell does not take as text",
                    c.escape_default()
                ),
            )
            .help("use letters, digits, `-`, `_`, `.` and `/`");
        }
    }
    for member in &cx.members {
        if let Some(c) = dangerous(&member.node.file.value, true) {
            out.at(
                cx.plan_path(),
                member.node.file.span.clone(),
                format!(
                    "the file's name has a `{}`, which a shell does not take as text",
                    c.escape_default()
                ),
            );
        }
    }
}

fn dangerous(text: &str, is_name: bool) -> Option<char> {
    text.chars()
        .find(|c| "$`\"'\\;&|<>(){}*?!#\n\r\t".contains(*c) || (is_name && *c == ' '))
}
