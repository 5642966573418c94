//! What a user sees while the driver works: one timestamped line an event, or one JSON object;
//! on a terminal, below them, one line a slot that moves.

mod event_lines;
mod session_lines;

use super::Out;
use super::marks::UnitMark;
pub(crate) use event_lines::budget_near;
use event_lines::line;
use gatewalk_core::driver::driver_event::{DriverEvent, Watcher};
use gatewalk_core::engine::failure_class::CommandVerdict;
use gatewalk_core::parallel::locked;
use session_lines::SessionLines;
use std::sync::Mutex;

/// Prints what the driver reports.
pub(crate) struct Printer {
    out: Out,
    json: bool,
    /// Whether a unit is named with its feature: several are under way.
    names_features: bool,
    /// The lines that move, where there is a terminal to move them on.
    lines: Option<Mutex<SessionLines>>,
}

impl Printer {
    pub(crate) fn new(out: Out, json: bool) -> Printer {
        let lines = (!json && out.columns().is_some()).then(Mutex::default);
        Printer {
            out,
            json,
            names_features: false,
            lines,
        }
    }

    /// Names each unit with its feature.
    pub(crate) fn naming_features(self) -> Printer {
        if let Some(lines) = &self.lines {
            let mut lines = locked(lines);
            lines.name_features();
        }
        Printer {
            names_features: true,
            ..self
        }
    }

    /// Takes the lines that move away, for good: other text follows.
    pub(crate) fn finish(&self) {
        if let Some(lines) = &self.lines {
            let mut lines = locked(lines);
            self.out.progress(&lines.erase());
        }
    }

    /// Prints what has happened above the lines that move, and draws them anew.
    fn redraw(&self, lines: &Mutex<SessionLines>, event: &DriverEvent) {
        let mut lines = locked(lines);
        let mut text = lines.erase();
        lines.take(event);
        // What a session or a command does shows in its own line.
        let moving = matches!(
            event,
            DriverEvent::Doing { .. } | DriverEvent::CommandRunning { .. }
        );
        if !moving {
            let line = format!("{}\n", stamped(event, self.names_features, true));
            text += &self.out.styled(&line);
        }
        text += &lines.draw(self.out.columns().unwrap_or(80));
        self.out.progress(&text);
    }
}

/// Returns an event with its time, and with its mark where a user looks.
fn stamped(event: &DriverEvent, full: bool, live: bool) -> String {
    let mark = match live {
        true => mark(event).shown(true) + " ",
        false => String::new(),
    };
    format!("{}  {mark}{}", now(), line(event, full))
}

fn mark(event: &DriverEvent) -> UnitMark {
    match event {
        DriverEvent::Command { verdict, .. } => match verdict.known() {
            Some(CommandVerdict::Pass | CommandVerdict::Reused) => UnitMark::Pass,
            Some(CommandVerdict::Skipped) => UnitMark::None,
            Some(CommandVerdict::Flaky | CommandVerdict::Unproven | CommandVerdict::Fail)
            | None => UnitMark::Fail,
        },
        DriverEvent::Landed { .. } | DriverEvent::AutoClosed { .. } => UnitMark::Pass,
        DriverEvent::Failed { .. } => UnitMark::Fail,
        DriverEvent::Parked { .. } => UnitMark::NeedsYou,
        DriverEvent::Waiting { .. } | DriverEvent::Silent { .. } => UnitMark::Wait,
        DriverEvent::Dispatched { .. }
        | DriverEvent::Doing { .. }
        | DriverEvent::BaseCheck { .. }
        | DriverEvent::BaseCommand { .. }
        | DriverEvent::CommandRunning { .. }
        | DriverEvent::BroadCheck { .. } => UnitMark::Work,
        _ => UnitMark::None,
    }
}

fn now() -> String {
    jiff::Zoned::now().strftime("%H:%M:%S").to_string()
}

impl Watcher for Printer {
    fn report(&self, event: &DriverEvent) {
        if self.json {
            self.out
                .json(&serde_json::to_value(event).expect("plain data"));
        } else if let Some(lines) = &self.lines {
            self.redraw(lines, event);
        } else {
            self.out.note(stamped(event, self.names_features, false));
        }
    }

    fn is_live(&self) -> bool {
        self.lines.is_some()
    }
}
