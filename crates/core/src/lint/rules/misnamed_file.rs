//! `GW128`. See `misnamed_file.md`.

use crate::lint::context::WorkspaceCx;
use crate::lint::finding_sink::FindingSink;
use crate::model::layout;
use crate::path_names::file_name;

pub(super) fn check(cx: &WorkspaceCx<'_>, out: &mut FindingSink) {
    for misnamed in &cx.ws.misnamed {
        let is_of = |dir: &str| {
            let rest = misnamed.path.strip_prefix(dir);
            rest.is_some_and(|rest| rest.starts_with('/'))
        };
        let feature = cx.ws.features.iter().find(|feature| is_of(&feature.dir));
        // What is over is read by nobody anyway.
        if feature.is_some_and(|feature| feature.plan.status().is_over()) {
            continue;
        }
        let name = file_name(&misnamed.path);
        let message = format!(
            "`{name}` is read by nobody: the name is `{}`",
            misnamed.meant
        );
        let misleads = [
            layout::VERIFICATION,
            layout::CONFIG,
            layout::FEATURES,
            layout::PLAN,
        ];
        let found = out
            .at(&misnamed.path.as_str().into(), 0..0, message)
            .only_warn_if(misnamed.beside || !misleads.contains(&misnamed.meant.as_str()));
        found.help(match misnamed.beside {
            true => format!(
                "`{}` is there too: move what is meant into it",
                misnamed.meant
            ),
            false => format!("rename `{name}` to `{}`", misnamed.meant),
        });
    }
}
