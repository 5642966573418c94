//! `GW704`. See `bare_file_name.md`.

use crate::lint::context::UnitCx;
use crate::lint::finding_sink::FindingSink;
use crate::lint::paths;
use crate::model::layout;

/// Files that are at home at the root.
const AT_ROOT: [&str; 14] = [
    "README",
    "CHANGELOG",
    "LICENSE",
    "CONTRIBUTING",
    "ARCHITECTURE",
    "Makefile",
    "Dockerfile",
    "Cargo",
    "package",
    "pyproject",
    "go",
    "justfile",
    "tsconfig",
    "setup",
];

pub(super) fn check(cx: &UnitCx<'_>, out: &mut FindingSink) {
    if !cx.is_dispatchable() {
        return;
    }
    for named in paths::named("produces", &cx.unit.front.produces) {
        let path = named.path;
        if path.is_empty() || path.contains('/') || paths::is_glob(path) || path.starts_with('.') {
            continue;
        }
        let in_directory = path == layout::RETROSPECTIVE || cx.f.feature.others.contains_key(path);
        let stem = path.split('.').next().unwrap_or(path);
        if in_directory || !AT_ROOT.contains(&stem) {
            let help = if in_directory {
                format!("write `{}`", cx.f.feature.path(path))
            } else {
                "write its whole path, or `./` before it if it is meant".to_owned()
            };
            out.at(
                cx.path(),
                named.span.clone(),
                format!("`{path}` means a file at the root of the repository"),
            )
            .help(help);
        }
    }
}
