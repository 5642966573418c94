//! `GW714`. See `control_plane_path.md`.

use crate::diagnostic::Severity;
use crate::engine::guards::{CONTROL_PLANE, PathGlobs, matches, may_be_declared, set};
use crate::lint::context::UnitCx;
use crate::lint::finding_sink::FindingSink;
use crate::lint::paths;
use crate::model::unit::{Unit, UnitType};
use std::sync::LazyLock;

static GUARDED: LazyLock<PathGlobs> = LazyLock::new(|| set(CONTROL_PLANE));

pub(super) fn check(cx: &UnitCx<'_>, out: &mut FindingSink) {
    if !cx.is_dispatchable() || cx.unit.unit_type() == UnitType::Human {
        return;
    }
    let state = format!("{}/", cx.f.ws.ws.layout.dir());
    let declared = Unit::list(&cx.unit.front.touches_control_plane);
    for named in paths::named("produces", &cx.unit.front.produces)
        .chain(paths::named("touches", &cx.unit.front.touches))
    {
        if named.path == ".git" || named.path.starts_with(".git/") {
            out.at(
                cx.path(),
                named.span.clone(),
                format!("`{}` is git's own, and never part of a diff", named.path),
            )
            .help("take it out: what a session writes there is not kept");
            continue;
        }
        let is_declared = declared.iter().any(|d| matches(d, named.path));
        let opened = is_declared && may_be_declared(cx.f.ws.ws.layout, named.path);
        let in_state =
            named.path.starts_with(&state) && !cx.unit.unit_type().is_closing() && !opened;
        let guarded = || {
            named.key == "touches"
                && !is_declared
                && !out.errors_only
                && GUARDED.is_match(named.path)
        };
        if in_state {
            in_state_directory(cx, &named, out);
        } else if guarded() {
            out.at(
                cx.path(),
                named.span.clone(),
                format!(
                    "`{}` decides how work is judged; an attempt that changes it fails",
                    named.path
                ),
            )
            .help("declare it in `touches_control_plane`: you see the change at the gate");
        }
    }
}

fn in_state_directory(cx: &UnitCx<'_>, named: &paths::UnitPath<'_>, out: &mut FindingSink) {
    let message = format!(
        "`{}` is in the state directory, which no session of this type may change",
        named.path
    );
    let found = out.at(cx.path(), named.span.clone(), message);
    let found = found.help(match may_be_declared(cx.f.ws.ws.layout, named.path) {
        true => "declare it in `touches_control_plane`: you see the change at the gate",
        false => "change it yourself, or leave it to a closing unit: plans, rules and verification are opened to no other",
    });
    // It must be in the diff and may not be: no session can pass.
    if named.key == "produces" {
        found.severity(Severity::Error);
    }
}
