//! `GW626`. See `idle_glob.md`.

use super::invalid_glob::{has_backslashes, several};
use crate::engine::guards;
use crate::lint::context::WorkspaceCx;
use crate::lint::finding_sink::FindingSink;
use crate::lint::paths::{self, UnitPath};

/// Names that are near to others and meant as they are: what they name need not be on every machine.
const ITS_OWN_NAME: [&str; 4] = [".env", ".venv", "env", "venv"];

pub(super) fn check(cx: &WorkspaceCx<'_>, out: &mut FindingSink) {
    let verification = &cx.ws.verification;
    let commands = verification.sets.iter().flat_map(|set| &set.commands);
    for command in commands.map(|command| &command.value) {
        let when = paths::named("when", &command.when);
        for named in when.chain(paths::named("inputs", &command.inputs)) {
            report(cx, (&verification.path, &named), out);
        }
    }
    for path in &verification.link {
        let takes_nothing = format!("`{}` in `link` takes nothing along", path.value);
        let span = path.span.clone();
        if let Some((why, help)) = why_unlinked(&path.value) {
            let message = format!("{takes_nothing}: {why}");
            out.at(&verification.path, span, message).help(help);
        } else if let Some(Some(meant)) = cx.ws.absent_paths.get(&path.value)
            && !ITS_OWN_NAME.contains(&path.value.as_str())
        {
            let message = format!("{takes_nothing}: your checkout does not have it");
            let found = out.at(&verification.path, span, message);
            found
                .only_warn_if(true)
                .help(format!("did you mean `{meant}`?"));
        }
    }
    let config = &cx.ws.config;
    let protect = paths::named("protect", &config.front.protect);
    for named in protect.chain(paths::named(
        "protected_tests",
        &config.front.protected_tests,
    )) {
        report(cx, (&config.path, &named), out);
    }
}

fn report(
    cx: &WorkspaceCx<'_>,
    (file, named): (&std::sync::Arc<str>, &UnitPath<'_>),
    out: &mut FindingSink,
) {
    let (key, path) = (named.key, named.path);
    if let Some((why, help)) = why_idle(path) {
        let message = format!("`{path}` in `{key}` matches nothing: {why}");
        out.at(file, named.span.clone(), message).help(help);
    } else if let Some(meant) = cx.ws.absent_paths.get(path)
        && !is_made(cx, path)
    {
        let message = format!("`{path}` in `{key}` matches nothing in your checkout");
        let found = out.at(file, named.span.clone(), message);
        found.only_warn_if(true).help(match meant {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => "paths are relative to the repository's root".to_owned(),
        });
    }
}

/// Whether a unit that is to be done makes what a path names.
fn is_made(cx: &WorkspaceCx<'_>, path: &str) -> bool {
    let place = path.split(['*', '?', '[', '{']).next().unwrap_or_default();
    let place = place.trim_start_matches("./").trim_end_matches('/');
    let open = cx.ws.features.iter();
    let open = open.filter(|feature| !feature.plan.status().is_over());
    let mut units = open.flat_map(|feature| feature.units.values());
    units.any(|unit| {
        let made = paths::named("produces", &unit.front.produces);
        let mut made = made.chain(paths::named("touches", &unit.front.touches));
        made.any(|made| made.path.trim_start_matches("./").starts_with(place))
    })
}

/// Returns why a slot can take nothing of that name from the checkout, and what to write.
fn why_unlinked(path: &str) -> Option<(&'static str, &'static str)> {
    const RELATIVE: &str =
        "paths are relative to the repository's root, such as `.env` or `node_modules`";
    Some(match path {
        _ if path.trim().is_empty() => ("it is empty", RELATIVE),
        "." | "./" => ("it is all of the checkout", RELATIVE),
        _ if paths::is_absolute(path) => ("it is absolute", RELATIVE),
        _ if paths::leaves(path) => ("it leaves the repository", RELATIVE),
        _ if paths::is_glob(path) => ("it is no path", "no glob is read here: list the paths"),
        _ => return None,
    })
}

/// Returns why no path of a repository can match, and what to write.
fn why_idle(path: &str) -> Option<(&'static str, &'static str)> {
    const RELATIVE: &str = "paths are relative to the repository's root, with `/`";
    Some(match path {
        _ if path.trim().is_empty() => ("it is empty", RELATIVE),
        "." | "./" => ("no path is called that", "everything is `**`"),
        _ if path.starts_with('!') => ("no glob says what is left out", "list what is meant"),
        _ if paths::is_absolute(path) => ("it is absolute", RELATIVE),
        _ if paths::leaves(path) => ("it leaves the repository", RELATIVE),
        _ if several(path).is_some() => (
            "it is one path with a comma in it",
            "write a list: `[one, two]`",
        ),
        _ if has_backslashes(path) => ("it has backslashes, which git's paths do not", RELATIVE),
        _ if guards::glob(path).is_none() => (
            "it is no glob",
            "brackets and braces need their other half; `*` stays in a directory, `**` goes below",
        ),
        _ => return None,
    })
}
