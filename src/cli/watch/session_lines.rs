//! The lines that move: one a slot, below everything that has happened. Drawn on a terminal only.
//!
//! It is a value: events go in, lines come out; who prints them is elsewhere.

use super::event_lines::name;
use gatewalk_core::agents::SessionClass;
use gatewalk_core::driver::driver_event::DriverEvent;
use gatewalk_core::engine::evidence::sanitize;
use gatewalk_core::model::money::usd;
use std::collections::BTreeMap;

/// What is known of one session that runs, or whose work is being verified.
#[derive(Debug, Clone, Default, PartialEq)]
struct SessionRow {
    agent: String,
    what: String,
    seconds: f64,
    tokens: Option<u64>,
    cost_usd: Option<f64>,
    silent: bool,
}

impl SessionRow {
    fn starting(agent: &str) -> SessionRow {
        SessionRow {
            agent: agent.to_owned(),
            what: "starting".to_owned(),
            ..SessionRow::default()
        }
    }
}

impl SessionRow {
    /// Returns whether a command runs for a unit that has no session.
    fn is_of_command(&self) -> bool {
        self.agent.is_empty()
    }
}

#[derive(Debug, Default)]
pub(super) struct SessionLines {
    rows: BTreeMap<String, SessionRow>,
    /// Lines that stand on the terminal now.
    drawn: usize,
    names_features: bool,
}

impl SessionLines {
    /// Names each unit with its feature.
    pub(super) fn name_features(&mut self) {
        self.names_features = true;
    }

    pub(super) fn take(&mut self, event: &DriverEvent) {
        match event {
            DriverEvent::Dispatched { unit, agent, .. } => {
                self.forget_command("");
                self.rows.insert(unit.clone(), SessionRow::starting(agent));
            }
            DriverEvent::Doing {
                unit,
                what,
                seconds,
                cost_usd,
                output_tokens,
            } => {
                let row = self.rows.entry(unit.clone()).or_default();
                row.what = if what.is_empty() { "thinking" } else { what }.to_owned();
                (row.seconds, row.cost_usd) = (*seconds, *cost_usd);
                row.tokens = *output_tokens;
                row.silent = false;
            }
            DriverEvent::CommandRunning { unit, seconds, .. } => {
                let row = self.rows.entry(unit.clone()).or_default();
                row.what = running(event).unwrap_or_default();
                if row.is_of_command() {
                    row.seconds = *seconds;
                }
            }
            DriverEvent::BaseCommand { unit, .. } => self.forget_command(unit),
            DriverEvent::Silent { unit, .. } => self.change(unit, |row| row.silent = true),
            // Its work is captured and judged now; other ends are over.
            DriverEvent::SessionEnded { unit, class, .. } if *class == SessionClass::Worked => {
                self.change(unit, |row| row.what = "verifying".to_owned());
            }
            DriverEvent::Command {
                unit,
                name,
                verdict,
                ..
            } => {
                self.forget_command(unit);
                self.change(unit, |row| {
                    row.what = format!("verifying, {name}: {verdict}")
                });
            }
            DriverEvent::SessionEnded { unit, .. }
            | DriverEvent::Failed { unit, .. }
            | DriverEvent::Landed { unit, .. }
            | DriverEvent::Parked { unit, .. } => drop(self.rows.remove(unit)),
            _ => {}
        }
    }

    fn change(&mut self, unit: &str, with: impl FnOnce(&mut SessionRow)) {
        if let Some(row) = self.rows.get_mut(unit) {
            with(row);
        }
    }

    /// Takes a line away that was there for a command alone, without a session.
    fn forget_command(&mut self, unit: &str) {
        let of_command = self.rows.get(unit).is_some_and(SessionRow::is_of_command);
        if of_command {
            self.rows.remove(unit);
        }
    }

    /// Returns the text that takes the old lines away.
    pub(super) fn erase(&mut self) -> String {
        // Up to the first of them, then clear to the end of the screen.
        match std::mem::take(&mut self.drawn) {
            0 => String::new(),
            n => format!("\r\x1b[{n}A\x1b[J"),
        }
    }

    /// Returns the text that draws the lines, each cut to `width` columns.
    pub(super) fn draw(&mut self, width: usize) -> String {
        self.drawn = self.rows.len();
        self.rows
            .iter()
            .map(|(unit, row)| {
                format!(
                    "{}\n",
                    cut(&line(name(unit, self.names_features), row), width)
                )
            })
            .collect()
    }
}

/// Returns since when a command runs, how long it usually takes, and when it is ended.
pub(super) fn running(event: &DriverEvent) -> Option<String> {
    let DriverEvent::CommandRunning {
        name,
        seconds,
        usual_seconds,
        limit_seconds,
        ..
    } = event
    else {
        return None;
    };
    let usual = usual_seconds.map(|usual| format!(", usually {}", elapsed(usual)));
    Some(format!(
        "{name} runs for {}{}, is ended at {}",
        elapsed(*seconds),
        usual.unwrap_or_default(),
        elapsed(*limit_seconds)
    ))
}

/// Tool, file, elapsed, tokens, cost: in one line.
fn line(unit: &str, row: &SessionRow) -> String {
    let silent = if row.silent { " (silent)" } else { "" };
    let figures = figures(row.seconds, row.tokens, row.cost_usd);
    sanitize(&format!(
        "▸ {unit} {}  {figures}  {}{silent}",
        row.agent, row.what
    ))
    .replace('\n', " ")
}

/// Returns elapsed time, tokens written and cost, as far as they are known.
pub(super) fn figures(seconds: f64, tokens: Option<u64>, cost_usd: Option<f64>) -> String {
    let mut text = elapsed(seconds);
    if let Some(tokens) = tokens {
        text += &match tokens {
            0..=999 => format!(", {tokens} tokens"),
            _ => format!(", {:.1}k tokens", tokens as f64 / 1000.0),
        };
    }
    if let Some(cost) = cost_usd {
        text += &format!(", {}", usd(cost));
    }
    text
}

/// Returns a span of time in its two largest units.
pub(super) fn elapsed(seconds: f64) -> String {
    let whole = seconds.max(0.0) as u64;
    match (whole / 3600, whole / 60 % 60, whole % 60) {
        (0, 0, s) => format!("{s}s"),
        (0, m, s) => format!("{m}m{s:02}s"),
        (h, m, _) => format!("{h}h{m:02}m"),
    }
}

/// Cuts a line to so many columns; what is not ASCII may take two.
fn cut(line: &str, width: usize) -> String {
    let mut room = width.saturating_sub(1).max(20);
    let mut kept = String::new();
    for c in line.chars() {
        let columns = if c.is_ascii() { 1 } else { 2 };
        if columns > room {
            kept.push('…');
            break;
        }
        room -= columns;
        kept.push(c);
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dispatched(unit: &str) -> DriverEvent {
        DriverEvent::Dispatched {
            unit: unit.into(),
            attempt: 1,
            of: 3,
            agent: "claude".into(),
            model: None,
            runner: None,
        }
    }

    fn doing(unit: &str, what: &str) -> DriverEvent {
        DriverEvent::Doing {
            unit: unit.into(),
            what: what.into(),
            seconds: 65.4,
            cost_usd: Some(0.123),
            output_tokens: Some(1234),
        }
    }

    fn ended(unit: &str, class: SessionClass) -> DriverEvent {
        DriverEvent::SessionEnded {
            unit: unit.into(),
            class: class.into(),
            seconds: 66.0,
            runner: None,
            queued_seconds: None,
            cost_usd: None,
            output_tokens: None,
            notes: vec![],
        }
    }

    /// What stands there after all of these.
    fn check(events: &[DriverEvent], width: usize, want: &str) {
        let mut drawn = SessionLines::default();
        events.iter().for_each(|event| drawn.take(event));
        assert_eq!(drawn.draw(width), want, "{events:?}");
        let lines = want.lines().count();
        let erased = drawn.erase();
        assert_eq!(erased.is_empty(), lines == 0);
        assert!(lines == 0 || erased.contains(&format!("[{lines}A")));
        assert_eq!(drawn.erase(), "", "nothing is erased twice");
    }

    #[test]
    fn one_line_a_slot_from_dispatch_to_verdict() {
        let (t1, t2) = ("FEAT-2026-0001/T01", "FEAT-2026-0001/T02");
        let figures = "▸ T01 claude  1m05s, 1.2k tokens, $0.12";
        check(&[], 80, "");
        check(&[dispatched(t1)], 80, "▸ T01 claude  0s  starting\n");
        check(
            &[dispatched(t1), dispatched(t2), doing(t1, "Edit src/lib.rs")],
            80,
            &format!("{figures}  Edit src/lib.rs\n▸ T02 claude  0s  starting\n"),
        );
        check(
            &[dispatched(t1), doing(t1, "")],
            80,
            &format!("{figures}  thinking\n"),
        );
        check(
            &[
                dispatched(t1),
                doing(t1, "Bash \x1b[31m\nrm"),
                ended(t1, SessionClass::Worked),
            ],
            80,
            &format!("{figures}  verifying\n"),
        );
        let mut drawn = SessionLines::default();
        drawn.name_features();
        drawn.take(&dispatched(t1));
        assert!(drawn.draw(80).starts_with(&format!("▸ {t1} claude")));
        for end in [
            SessionClass::Limit,
            SessionClass::Idle,
            SessionClass::Blocked,
        ] {
            check(&[dispatched(t1), ended(t1, end)], 80, "");
        }
        check(
            &[dispatched(t1), doing(t1, "Bash \x1b[31m")],
            80,
            &format!("{figures}  Bash \\u{{1b}}[31m\n"),
        );
        check(
            &[dispatched(t1), doing(t1, &"x".repeat(200))],
            30,
            "▸ T01 claude  1m05s, 1.2k to…\n",
        );
    }

    #[test]
    fn a_long_command_has_a_line_until_it_ends() {
        let event = DriverEvent::CommandRunning {
            unit: "FEAT-2026-0001/T01".into(),
            name: "tests".into(),
            seconds: 75.0,
            usual_seconds: Some(190.0),
            limit_seconds: 900.0,
        };
        let mut lines = SessionLines::default();
        lines.take(&event);
        let drawn = lines.draw(100);
        let want = "tests runs for 1m15s, usually 3m10s, is ended at 15m00s";
        assert!(drawn.contains(want), "{drawn}");
        lines.take(&DriverEvent::BaseCommand {
            unit: "FEAT-2026-0001/T01".into(),
            name: "tests".into(),
            seconds: 190.0,
        });
        assert_eq!(lines.draw(100), "");
    }
}
