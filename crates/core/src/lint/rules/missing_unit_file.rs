//! `GW306`. See `missing_unit_file.md`.

use crate::lint::context::FeatureCx;
use crate::lint::finding_sink::FindingSink;
use crate::model::frontmatter::nearest;

pub(super) fn check(cx: &FeatureCx<'_>, out: &mut FindingSink) {
    for member in cx.members.iter().filter(|m| m.unit.is_none()) {
        let file = &member.node.file;
        if cx.has_link_at(&file.value) {
            continue;
        }
        // What the graph has already is another unit's.
        let free = cx.feature.units.keys().map(String::as_str);
        let free = free.filter(|name| cx.member_of_file(name).is_none());
        let near = nearest(&file.value, free);
        let found = out
            .at(
                cx.plan_path(),
                file.span.clone(),
                format!("`{}` is in the graph but not in the directory", file.value),
            )
            .help(near.map_or_else(
                || {
                    match namesake(cx, &file.value) {
                        Some(other) => {
                            format!(
                                "the directory has `{other}`: rename that to `{}`",
                                file.value
                            )
                        }
                        None => {
                            "write it (`gatewalk upgrade --show templates/WU.md` prints its shape), or take it out of the graph"
                                .to_owned()
                        }
                    }
                },
                |near| format!("did you mean `{near}`?"),
            ))
            .only_warn_if(cx.is_on_hold());
        if let Some(near) = near {
            found.unsafe_fix(
                format!("write `{near}`"),
                vec![(file.span.clone(), near.to_owned())],
            );
        }
    }
}

/// Returns a file of the directory that differs in capitals or in its ending only.
fn namesake<'a>(cx: &FeatureCx<'a>, name: &str) -> Option<&'a str> {
    let stem = |name: &str| {
        let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        stem.to_lowercase()
    };
    let mut others = cx.feature.others.keys().map(String::as_str);
    others.find(|other| stem(other) == stem(name))
}
