//! The words of what happens in a run.

use super::session_lines;
use gatewalk_core::agents::SessionClass;
use gatewalk_core::driver::driver_event::DriverEvent;
use gatewalk_core::engine::action::BudgetScope;
use gatewalk_core::engine::evidence::{one_line, sanitize};
use gatewalk_core::model::id::short_id;
use gatewalk_core::model::money::{usd, usd_of_limit};

/// The shortest wait on a runner, in seconds, that is worth a word.
const QUEUED: f64 = 1.0;

/// Returns for how long and until when, by the user's clock.
fn wait(until: &str) -> String {
    let Ok(at) = until.parse::<jiff::Timestamp>() else {
        return format!("until {until}");
    };
    let seconds = at.duration_since(jiff::Timestamp::now()).as_secs_f64();
    let clock = at.to_zoned(jiff::tz::TimeZone::system());
    format!(
        "{}, until {}",
        session_lines::elapsed(seconds),
        clock.strftime("%H:%M:%S")
    )
}

fn waiting(how_long: &str, why: &str) -> String {
    let why = sanitize(why);
    format!("waiting {how_long}: {why} (Ctrl-C stops; the state is safe)")
}

/// Returns an event as one line, sometimes with details on further lines.
pub(super) fn line(event: &DriverEvent, full: bool) -> String {
    match event {
        DriverEvent::Started {
            feature,
            branch,
            tip,
        } => format!("running {feature} on `{branch}` from {}", tip.short()),
        DriverEvent::Recovered { what } => format!("recovered: {what}"),
        DriverEvent::Gate {
            feature,
            gate,
            status,
        } => format!("{}gate {gate} is {status}", of(feature, full)),
        DriverEvent::BroadCheck { feature, gate } => format!(
            "{}gate {gate}: running the broad commands on the tip",
            of(feature, full)
        ),
        DriverEvent::BudgetNear {
            feature,
            whose,
            spent_usd,
            budget_usd,
        } => budget_near(feature, *whose, (*spent_usd, *budget_usd)),
        DriverEvent::Collision { unit, with, paths } => {
            collision(name(unit, full), name(with, full), paths)
        }
        DriverEvent::Waiting { until, why } => waiting(&wait(until), why),
        DriverEvent::Note { text } => sanitize(text),
        DriverEvent::Dispatched { unit, .. }
        | DriverEvent::Doing { unit, .. }
        | DriverEvent::Silent { unit, .. }
        | DriverEvent::SessionEnded { unit, .. } => {
            format!("{}  {}", name(unit, full), session_text(event))
        }
        DriverEvent::CommandRunning { unit, .. } if unit.is_empty() => verdict_text(event),
        DriverEvent::BaseCheck { unit }
        | DriverEvent::BaseCommand { unit, .. }
        | DriverEvent::CommandRunning { unit, .. }
        | DriverEvent::Command { unit, .. }
        | DriverEvent::Failed { unit, .. }
        | DriverEvent::Landed { unit, .. }
        | DriverEvent::Parked { unit, .. }
        | DriverEvent::Witness { unit, .. }
        | DriverEvent::AutoClosed { unit } => {
            format!("{}  {}", name(unit, full), verdict_text(event))
        }
    }
}

/// Returns that most of a budget is used, in words.
pub(crate) fn budget_near(
    feature: &str,
    whose: BudgetScope,
    (spent, budget): (f64, f64),
) -> String {
    let (spent, budget) = usd_of_limit(spent, budget);
    let subject = match whose {
        BudgetScope::Gate(_) => format!("{whose} of {feature}"),
        BudgetScope::Feature => feature.to_owned(),
        BudgetScope::Run => whose.to_string(),
    };
    format!("{subject} has used {spent} of its {budget} budget")
}

/// Returns a unit's name, with its feature where several are under way.
pub(super) fn name(unit: &str, full: bool) -> &str {
    match full {
        true => unit,
        false => short_id(unit),
    }
}

fn of(feature: &str, full: bool) -> String {
    match full {
        true => format!("{feature}: "),
        false => String::new(),
    }
}

/// What a session does, from its start to its end.
fn session_text(event: &DriverEvent) -> String {
    match event {
        DriverEvent::Dispatched {
            attempt,
            of,
            agent,
            model,
            runner,
            ..
        } => format!(
            "attempt {attempt}/{of} with {agent}{}{}",
            optional(model.as_ref(), |m| format!(" ({m})")),
            optional(runner.as_ref(), |runner| format!(" on {runner}"))
        ),
        DriverEvent::Doing {
            what,
            seconds,
            cost_usd,
            output_tokens,
            ..
        } => format!(
            "… {} ({})",
            sanitize(what),
            session_lines::figures(*seconds, *output_tokens, *cost_usd)
        ),
        DriverEvent::Silent {
            seconds,
            limit_seconds,
            what,
            ..
        } => {
            let what = Some(sanitize(what)).filter(|w| !w.is_empty());
            let what = optional(what, |w| format!(" in {w}"));
            format!("silent for {seconds:.0}s{what}; ended after {limit_seconds:.0}s")
        }
        _ => ended_text(event),
    }
}

fn collision(unit: &str, with: &str, paths: &[String]) -> String {
    let paths = sanitize(&paths.join(", "));
    format!("{unit}  does not fit the work of {with}: both changed {paths}")
}

fn ended_text(event: &DriverEvent) -> String {
    let DriverEvent::SessionEnded {
        class,
        seconds,
        runner,
        queued_seconds,
        cost_usd,
        output_tokens,
        notes,
        ..
    } = event
    else {
        return String::new();
    };
    let there = optional(runner.as_ref(), |runner| format!(" on {runner}"));
    let waited = queued_seconds.filter(|queued| *queued >= QUEUED);
    let waited = optional(waited, |queued| format!(" (queued {queued:.0}s)"));
    let cost = optional(*cost_usd, |c| format!(", {}", usd(c)));
    let tokens = optional(*output_tokens, |t| format!(", {t} tokens out"));
    // Why a runner lost one is the note that follows.
    let shown = notes
        .iter()
        .filter(|_| class.known() != Some(SessionClass::RunnerLost));
    let notes: String = shown.map(|n| format!("; {}", one_line(n))).collect();
    format!("session {class}{there} after {seconds:.1}s{waited}{cost}{tokens}{notes}")
}

/// What the driver made of a unit's work.
fn verdict_text(event: &DriverEvent) -> String {
    match event {
        DriverEvent::BaseCheck { .. } => "verifying its checks on the base".to_owned(),
        DriverEvent::CommandRunning { .. } => session_lines::running(event).unwrap_or_default(),
        DriverEvent::BaseCommand { name, seconds, .. } => {
            format!("tried {name} on the base ({seconds:.1}s)")
        }
        DriverEvent::Command {
            name,
            verdict,
            seconds,
            ..
        } => format!("{verdict} {name} ({seconds:.1}s)"),
        DriverEvent::Failed {
            attempt,
            class,
            why,
            kept_at,
            ..
        } => {
            // A guard's finding begins with its class.
            let own = format!("{class}: ");
            let why = why.strip_prefix(&own).unwrap_or(why);
            let why = sanitize(why);
            format!("attempt {attempt} failed ({class}): {why}\n          kept at {kept_at}")
        }
        DriverEvent::Landed {
            commit, notices, ..
        } => {
            let notices: String = notices
                .iter()
                .map(|n| format!("\n          worth a look: {}", one_line(n)))
                .collect();
            format!("landed as {}{notices}", commit.short())
        }
        DriverEvent::Parked { why, .. } => format!("parked: {}", sanitize(why)),
        DriverEvent::Witness {
            asked,
            left,
            unwitnessed,
            ..
        } => format!(
            "taking lines back, to see what no check misses: {asked} asked, {left} to go, {unwitnessed} unwitnessed"
        ),
        DriverEvent::AutoClosed { .. } => "closed without a session, from its records".to_owned(),
        _ => String::new(),
    }
}

fn optional<T>(value: Option<T>, show: impl FnOnce(T) -> String) -> String {
    value.map(show).unwrap_or_default()
}
