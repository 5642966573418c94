//! `GW128`. See `misnamed_file.md`.

use crate::diagnostic::Severity;
use crate::lint::context::WorkspaceCx;
use crate::lint::finding_sink::FindingSink;
use crate::model::layout::{self, Layout};
use crate::model::unread_entry::UnreadEntry;
use crate::path_names::{file_name, is_below};
use std::sync::Arc;

/// What decides or bounds a run.
const DECISIVE: [&str; 4] = [
    layout::VERIFICATION,
    layout::CONFIG,
    layout::FEATURES,
    layout::PLAN,
];

pub(super) fn check(cx: &WorkspaceCx<'_>, out: &mut FindingSink) {
    for misnamed in &cx.ws.misnamed {
        if is_over(cx, &misnamed.path) {
            continue;
        }
        let name = file_name(&misnamed.path);
        let message = format!(
            "`{name}` is read by nobody: the name is `{}`",
            misnamed.meant
        );
        let found = out
            .at(&misnamed.path.as_str().into(), 0..0, message)
            .only_warn_if(misnamed.beside || !DECISIVE.contains(&misnamed.meant.as_str()));
        found.help(match misnamed.beside {
            true => format!(
                "`{}` is there too: move what is meant into it",
                misnamed.meant
            ),
            false => format!("rename `{name}` to `{}`", misnamed.meant),
        });
    }
    for (path, entry) in &cx.ws.unread {
        let severity = severity_of_unread(cx.ws.layout, path, *entry);
        let Some(severity) = severity.filter(|_| !is_over(cx, path)) else {
            continue;
        };
        let message = format!("`{}` is read by nobody: {}", file_name(path), entry.why());
        out.at(&Arc::from(path.as_str()), 0..0, message)
            .only_warn_if(severity == Severity::Warning)
            .help(entry.remedy());
    }
}

/// Returns how bad it is that an entry is not read; `None` where nobody would read one of that name.
fn severity_of_unread(layout: Layout, path: &str, entry: UnreadEntry) -> Option<Severity> {
    let is_directory = entry == UnreadEntry::Directory;
    if path == layout.dir() {
        return (!is_directory).then_some(Severity::Error);
    }
    let top = layout.path("");
    let parts: Vec<&str> = path.strip_prefix(&top)?.split('/').collect();
    let is_plan = |name: &str| {
        name == layout::PLAN || layout::is_unit_file(name) || layout::gate_number(name).is_some()
    };
    match parts[..] {
        [layout::VERIFICATION | layout::CONFIG] => Some(Severity::Error),
        [layout::FEATURES, _, name] if is_plan(name) => Some(Severity::Error),
        [layout::ROADMAP | layout::LEARNINGS] => Some(Severity::Warning),
        [layout::FEATURES] | [layout::FEATURES, _] if !is_directory => Some(Severity::Error),
        [layout::RULES | layout::RULES_LOCAL] if !is_directory => Some(Severity::Warning),
        [layout::RULES | layout::RULES_LOCAL, name] if name.ends_with(".md") => {
            Some(Severity::Warning)
        }
        _ => None,
    }
}

/// Returns whether a path is of a feature that is over: nobody reads that anyway.
fn is_over(cx: &WorkspaceCx<'_>, path: &str) -> bool {
    let mut features = cx.ws.features.iter();
    let feature = features.find(|feature| is_below(path, &feature.dir));
    feature.is_some_and(|feature| feature.plan.status().is_over())
}
