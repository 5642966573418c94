//! What a user sees while the driver works: one timestamped line a happening, or one JSON object;
//! on a terminal, below them, one line a slot that moves.

mod live_board;

use super::Out;
use gatewalk_core::driver::driver_event::{DriverEvent, Watcher};
use gatewalk_core::engine::evidence::{one_line, sanitize};
use live_board::Board;
use std::sync::{Mutex, PoisonError};

/// Prints the driver's news.
pub(crate) struct Printer {
    out: Out,
    json: bool,
    /// The lines that move, where there is a terminal to move them on.
    board: Option<Mutex<Board>>,
}

impl Printer {
    pub(crate) fn new(out: Out, json: bool) -> Printer {
        let board = (!json && out.columns().is_some()).then(Mutex::default);
        Printer { out, json, board }
    }

    /// Takes the lines that move away, for good: other text follows.
    pub(crate) fn finish(&self) {
        if let Some(board) = &self.board {
            let mut board = board.lock().unwrap_or_else(PoisonError::into_inner);
            self.out.progress(&board.erase());
        }
    }

    /// Prints what has happened above the lines that move, and draws them anew.
    fn redraw(&self, board: &Mutex<Board>, news: &DriverEvent) {
        let mut board = board.lock().unwrap_or_else(PoisonError::into_inner);
        let mut text = board.erase();
        board.take(news);
        // What a session does shows in its own line.
        let moving = matches!(news, DriverEvent::Doing { .. });
        if let Some(line) = line(news).filter(|_| !moving) {
            text += &format!("{}  {line}\n", now());
        }
        text += &board.draw(self.out.columns().unwrap_or(80));
        self.out.progress(&text);
    }
}

fn now() -> String {
    jiff::Zoned::now().strftime("%H:%M:%S").to_string()
}

impl Watcher for Printer {
    fn tell(&self, news: &DriverEvent) {
        if self.json {
            self.out
                .json(&serde_json::to_value(news).expect("plain data"));
        } else if let Some(board) = &self.board {
            self.redraw(board, news);
        } else if let Some(line) = line(news) {
            self.out.note(format!("{}  {line}", now()));
        }
    }

    fn is_live(&self) -> bool {
        self.board.is_some()
    }
}

/// Returns for how long and until when, by the user's clock.
fn wait(until: &str) -> String {
    let Ok(at) = until.parse::<jiff::Timestamp>() else {
        return format!("until {until}");
    };
    let seconds = at.duration_since(jiff::Timestamp::now()).as_secs_f64();
    let clock = at.to_zoned(jiff::tz::TimeZone::system());
    format!(
        "{}, until {}",
        live_board::elapsed(seconds),
        clock.strftime("%H:%M:%S")
    )
}

/// Returns a happening as one line.
fn line(news: &DriverEvent) -> Option<String> {
    let local = |unit: &str| unit.rsplit('/').next().unwrap_or(unit).to_owned();
    Some(match news {
        DriverEvent::Started {
            feature,
            branch,
            tip,
        } => {
            format!(
                "walking {feature} on `{branch}` from {}",
                gatewalk_core::driver::land::commit_name(tip)
            )
        }
        DriverEvent::Recovered { what } => format!("recovered: {what}"),
        DriverEvent::BaseCheck { unit } => {
            format!("{}  trying its checks on the base", local(unit))
        }
        DriverEvent::Dispatched {
            unit,
            attempt,
            of,
            agent,
            model,
        } => {
            let model = model
                .as_ref()
                .map(|m| format!(" ({m})"))
                .unwrap_or_default();
            format!(
                "{}  attempt {attempt}/{of} with {agent}{model}",
                local(unit)
            )
        }
        DriverEvent::Doing {
            unit,
            what,
            seconds,
            cost_usd,
            output_tokens,
        } => {
            let figures = live_board::figures(*seconds, *output_tokens, *cost_usd);
            format!("{}  … {} ({figures})", local(unit), sanitize(what))
        }
        DriverEvent::Silent {
            unit,
            seconds,
            limit_seconds,
            what,
        } => {
            let what = match what.as_str() {
                "" => String::new(),
                what => format!(" in {}", sanitize(what)),
            };
            format!(
                "{}  silent for {seconds:.0}s{what}; ended after {limit_seconds:.0}s",
                local(unit)
            )
        }
        DriverEvent::SessionEnded {
            unit,
            class,
            seconds,
            cost_usd,
            output_tokens,
            notes,
        } => {
            let cost = cost_usd.map(|c| format!(", ${c:.2}")).unwrap_or_default();
            let tokens = output_tokens
                .map(|t| format!(", {t} tokens out"))
                .unwrap_or_default();
            let notes: String = notes.iter().map(|n| format!("; {}", one_line(n))).collect();
            format!(
                "{}  session {class} after {seconds:.1}s{cost}{tokens}{notes}",
                local(unit)
            )
        }
        DriverEvent::Command {
            unit,
            name,
            verdict,
            seconds,
        } => {
            format!("{}  {verdict} {name} ({seconds:.1}s)", local(unit))
        }
        DriverEvent::Failed {
            unit,
            attempt,
            class,
            why,
            kept_at,
        } => {
            format!(
                "{}  attempt {attempt} failed ({class}): {}\n          kept at {kept_at}",
                local(unit),
                sanitize(why)
            )
        }
        DriverEvent::Landed {
            unit,
            commit,
            notices,
            ..
        } => {
            let notices: String = notices
                .iter()
                .map(|n| format!("\n          see at the gate: {}", one_line(n)))
                .collect();
            format!(
                "{}  landed as {}{notices}",
                local(unit),
                gatewalk_core::driver::land::commit_name(commit)
            )
        }
        DriverEvent::Parked { unit, why } => format!("{}  parked: {}", local(unit), sanitize(why)),
        DriverEvent::AutoClosed { unit } => format!(
            "{}  closed without a session: the gate is clean",
            local(unit)
        ),
        DriverEvent::Gate { gate, status } => format!("gate {gate} is {status}"),
        DriverEvent::Waiting { until, why } => {
            format!(
                "waiting {}: {} (Ctrl-C stops; the state is safe)",
                wait(until),
                sanitize(why)
            )
        }
        DriverEvent::Note { text } => sanitize(text),
    })
}
