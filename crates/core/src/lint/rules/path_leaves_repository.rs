//! `GW702`. See `path_leaves_repository.md`.

use crate::lint::context::FeatureCx;
use crate::lint::finding_sink::FindingSink;
use crate::lint::paths;

pub(super) fn check(cx: &FeatureCx<'_>, out: &mut FindingSink) {
    for unit in cx.feature.units.values() {
        let settled = cx.is_settled() || unit.status().is_settled();
        for named in paths::of(unit)
            .into_iter()
            .filter(|n| paths::leaves(n.path))
        {
            out.at(
                unit.path(),
                named.span.clone(),
                format!("`{}` in `{}` leaves the repository", named.path, named.key),
            )
            .only_warn_if(settled);
        }
    }
    if let Some(root) = &cx.feature.plan.front.root
        && (paths::leaves(&root.value) || paths::is_absolute(&root.value))
    {
        let message = format!("`{}` in `root` leaves the repository", root.value);
        out.at(cx.plan_path(), root.span.clone(), message)
            .help("name a directory from the repository's root, such as `packages/api`")
            .only_warn_if(cx.is_settled());
    }
    absent_root(cx, out);
    let units = cx.members.iter().map(|m| &m.node.file);
    let gates = cx.feature.plan.gates.iter().filter_map(|g| g.file.as_ref());
    for file in units
        .chain(gates)
        .filter(|f| f.value.contains(['/', '\\']) || f.value == "..")
    {
        let name = file.value.rsplit(['/', '\\']).next().unwrap_or_default();
        let is_here = cx.feature.units.contains_key(name) || cx.feature.gates.contains_key(name);
        let found = out
            .at(
                cx.plan_path(),
                file.span.clone(),
                format!(
                    "`{}` is not the name of a file in the feature's directory",
                    file.value
                ),
            )
            .help("the graph names files of its own directory, without a path");
        if is_here {
            let edits = vec![(file.span.clone(), name.to_owned())];
            found.safe_fix(format!("write `{name}`"), edits);
        }
    }
}

/// A feature may make its directory itself, so that one which is not there is no error.
fn absent_root(cx: &FeatureCx<'_>, out: &mut FindingSink) {
    let (Some(root), Some(named)) = (cx.feature.plan.root(), &cx.feature.plan.front.root) else {
        return;
    };
    let Some(meant) = cx.ws.ws.absent_roots.get(root).filter(|_| !cx.is_settled()) else {
        return;
    };
    let message = format!("`{root}` in `root` is no directory of your checkout");
    let found = out.at(cx.plan_path(), named.span.clone(), message);
    let found = found.only_warn_if(true);
    match meant {
        Some(meant) => found.help(format!("did you mean `{meant}`?")),
        None => found.help(
            "name a directory from the repository's root; where the feature's first unit makes it, all is well",
        ),
    };
}
