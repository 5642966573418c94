//! `GW906`. See `command_limit_under_median.md`.

use crate::diagnostic::Severity;
use crate::lint::context::WorkspaceCx;
use crate::lint::finding_sink::FindingSink;
use crate::model::frontmatter::{Spanned, show_duration};
use crate::model::unit::{Unit, UnitType};
use std::sync::Arc;
use std::time::Duration;

pub(super) fn check(cx: &WorkspaceCx<'_>, out: &mut FindingSink) {
    let verification = &cx.ws.verification;
    let mut limited = Vec::new();
    for set in &verification.sets {
        for command in set.commands.iter().map(|c| &c.value) {
            limited.extend(command.timeout.as_ref().map(|limit| LimitedCommand {
                set: &set.name.value,
                name: command.name(),
                limit,
                path: &verification.path,
            }));
        }
    }
    for command in limited.iter().filter(|c| c.limit.value.is_zero()) {
        let message = "`timeout` ends the command before it has begun";
        out.at(command.path, command.limit.span.clone(), message)
            .severity(Severity::Error)
            .help("leave it out for its default, 15m");
    }
    // The rest warns, and needs the log of every feature.
    if out.errors_only {
        return;
    }
    for command in &limited {
        command_limit(cx, command, out);
    }
    let features = cx.ws.features.iter();
    let features = features.filter(|f| !f.plan.status().is_over());
    for unit in features.flat_map(|f| f.units.particular()) {
        if !unit.status().is_settled() && unit.unit_type() != UnitType::Human {
            check_unit(cx, unit, out);
        }
    }
}

fn check_unit(cx: &WorkspaceCx<'_>, unit: &Unit, out: &mut FindingSink) {
    for check in unit.front.checks.iter().flat_map(|c| &c.value) {
        if let (Some(limit), Some(name)) = (&check.value.timeout, &check.value.name) {
            let command = LimitedCommand {
                set: "check",
                name: &name.value,
                limit,
                path: unit.path(),
            };
            command_limit(cx, &command, out);
        }
    }
    for limit in [&unit.front.timeout, &unit.front.idle_timeout]
        .into_iter()
        .flatten()
    {
        let slower = commands_of(cx, unit).find(|(_, median)| *median > limit.value.as_secs_f64());
        if let Some((name, median)) = slower {
            let message = format!(
                "the session may wait for `{name}`, which took {} in half of its runs",
                usual(median)
            );
            out.at(unit.path(), limit.span.clone(), message)
                .help("a session that is ended while its tests run is paid for and thrown away");
        }
    }
}

/// The commands that judge a unit, with what they usually take.
fn commands_of<'a>(
    cx: &'a WorkspaceCx<'_>,
    unit: &Unit,
) -> impl Iterator<Item = (&'a str, f64)> + use<'a> {
    let wanted = unit.unit_type().verification_set();
    let sets = cx.ws.verification.sets.iter();
    sets.filter(move |set| set.name.value == wanted)
        .flat_map(|set| {
            set.commands
                .iter()
                .map(move |c| (&set.name.value, c.value.name()))
        })
        .filter_map(|(set, name)| Some((name, cx.history().command_median(set, name)?)))
}

/// A command with a limit, and the file that has it.
struct LimitedCommand<'a> {
    set: &'a str,
    name: &'a str,
    limit: &'a Spanned<Duration>,
    path: &'a Arc<str>,
}

fn command_limit(cx: &WorkspaceCx<'_>, command: &LimitedCommand<'_>, out: &mut FindingSink) {
    let LimitedCommand { name, limit, .. } = command;
    let median = cx.history().command_median(command.set, name);
    if let Some(median) = median.filter(|median| *median > limit.value.as_secs_f64()) {
        let message = format!(
            "`{name}` took {} or longer in half of its recorded runs",
            usual(median)
        );
        out.at(command.path, limit.span.clone(), message)
            .help("a command that is ended too early fails work that is right: give it twice that");
    }
}

fn usual(seconds: f64) -> String {
    show_duration(Duration::from_secs(seconds as u64))
}
