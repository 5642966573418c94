//! `GW306`. See `missing_unit_file.md`.

use crate::engine::oracle::shell_quote;
use crate::engine::top_path::GIT_AT_TOP;
use crate::lint::context::FeatureCx;
use crate::lint::finding_sink::FindingSink;
use crate::model::frontmatter::nearest;
use crate::path_names::file_name;

pub(super) fn check(cx: &FeatureCx<'_>, out: &mut FindingSink) {
    for member in cx.members.iter().filter(|m| m.unit.is_none()) {
        let file = &member.node.file;
        if cx.has_unread_at(&file.value) {
            continue;
        }
        // What the graph has already is another unit's.
        let free = cx.feature.units.keys();
        let free = free.filter(|name| cx.member_of_file(name).is_none());
        let near = nearest(&file.value, free).map(|near| (near, format!("did you mean `{near}`?")));
        let meant = near.or_else(|| {
            let moved = moved_to(cx, &member.node.id.value)?;
            Some((
                moved,
                format!("`{moved}` has its id: name that file in the graph"),
            ))
        });
        let help = meant.as_ref().map(|(_, help)| help.clone());
        let found = out
            .at(
                cx.plan_path(),
                file.span.clone(),
                format!("`{}` is in the graph but not in the directory", file.value),
            )
            .help(help.unwrap_or_else(|| without_another(cx, &file.value)))
            .only_warn_if(cx.is_on_hold());
        if let Some((meant, _)) = meant {
            found.unsafe_fix(
                format!("write `{meant}`"),
                vec![(file.span.clone(), meant.to_owned())],
            );
        }
    }
}

/// Returns what to do where no other unit's file can be meant.
fn without_another(cx: &FeatureCx<'_>, name: &str) -> String {
    if let Some(deeper) = in_a_directory(cx, name) {
        let dir = &cx.feature.dir;
        let [from, to] = [deeper, name].map(|name| shell_quote(&format!("{dir}/{name}")));
        return format!(
            "units lie beside PLAN.md, and this one lies below: `{GIT_AT_TOP} mv {from} {to}`"
        );
    }
    match namesake(cx, name) {
        Some(other) => format!("the directory has `{other}`: rename that to `{name}`"),
        None => {
            "write it (`gatewalk upgrade --show templates/WU.md` prints its shape), or take it out of the graph"
                .to_owned()
        }
    }
}

/// Returns the file that has a unit's id and is not in the graph: the unit's own was renamed.
fn moved_to<'a>(cx: &FeatureCx<'a>, id: &str) -> Option<&'a str> {
    let mut units = cx.feature.units.iter();
    let (file, _) = units.find(|(file, unit)| {
        let own = unit.front.id.as_ref();
        own.is_some_and(|own| own.value == id) && cx.member_of_file(file).is_none()
    })?;
    Some(file)
}

/// Returns the file of that name in a directory below.
fn in_a_directory<'a>(cx: &FeatureCx<'a>, name: &str) -> Option<&'a str> {
    let mut others = cx.feature.others.keys().map(String::as_str);
    others.find(|other| *other != name && file_name(other) == name)
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
