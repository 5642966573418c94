//! Where a user is on the board's screen, and what a key does there. Nothing here looks at the world.

use super::board_lines::{
    LineStyle, ScreenLine, columns, detail_lines, diff_lines, find, follow_lines, list_lines,
};
use super::terminal_keys::TerminalKey;
use crate::serve::attention::text;
use serde_json::Value;
use std::sync::Arc;

/// What the screen shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BoardPane {
    List,
    Detail,
    Follow,
    Diff,
    Help,
}

/// The screen of a board.
#[derive(Debug)]
pub(super) struct BoardView {
    pub(super) status: Arc<Value>,
    /// The last attempt of the unit whose id this is.
    pub(super) attempt: Option<(String, Arc<Value>)>,
    /// Why the last look failed.
    pub(super) trouble: Option<String>,
    pane: BoardPane,
    selected: Option<String>,
    /// The first line that is shown.
    top: usize,
    /// Whether the end is followed as it grows.
    follows_end: bool,
    /// Columns and rows of the terminal.
    size: (usize, usize),
}

impl BoardView {
    /// Returns the screen as it begins.
    pub(super) fn new() -> BoardView {
        BoardView {
            status: Arc::default(),
            attempt: None,
            trouble: None,
            pane: BoardPane::List,
            selected: None,
            top: 0,
            follows_end: false,
            size: (80, 24),
        }
    }

    /// Returns the unit whose last attempt is wanted: the one that is looked at, once it has one.
    pub(super) fn wanted(&self) -> Option<&str> {
        let id = self.selected.as_deref()?;
        let (_, unit) = find(&self.status, id)?;
        let tried = unit["attempts"].as_u64() > Some(0);
        (tried && !matches!(self.pane, BoardPane::List | BoardPane::Help)).then_some(id)
    }

    /// Does what a key means; returns whether the user goes.
    pub(super) fn press(&mut self, key: TerminalKey) -> bool {
        let page = self.size.1.saturating_sub(3).max(1);
        match key {
            TerminalKey::Quit => return true,
            TerminalKey::Back => match self.pane {
                BoardPane::List => {}
                BoardPane::Detail | BoardPane::Help => self.open(BoardPane::List),
                BoardPane::Follow | BoardPane::Diff => self.open(BoardPane::Detail),
            },
            TerminalKey::Open if self.pane == BoardPane::List => self.open(BoardPane::Detail),
            TerminalKey::Open => {}
            TerminalKey::Follow => self.open(BoardPane::Follow),
            TerminalKey::Diff => self.open(BoardPane::Diff),
            TerminalKey::Help => self.open(BoardPane::Help),
            TerminalKey::Up => self.scroll(|at| at.saturating_sub(1)),
            TerminalKey::Down => self.scroll(|at| at + 1),
            TerminalKey::PageUp => self.scroll(|at| at.saturating_sub(page)),
            TerminalKey::PageDown => self.scroll(|at| at + page),
            TerminalKey::Top => self.scroll(|_| 0),
            TerminalKey::Bottom => self.scroll(|_| usize::MAX),
        }
        false
    }

    fn open(&mut self, pane: BoardPane) {
        let needs_unit = !matches!(pane, BoardPane::List | BoardPane::Help);
        if needs_unit && self.selected.is_none() {
            return;
        }
        self.pane = pane;
        self.top = 0;
        self.follows_end = pane == BoardPane::Follow;
    }

    /// Moves the selection of the list, or the first line of another pane.
    fn scroll(&mut self, to: impl Fn(usize) -> usize) {
        if self.pane != BoardPane::List {
            let last = self.body().len().saturating_sub(self.room());
            self.top = to(self.top.min(last)).min(last);
            self.follows_end = self.pane == BoardPane::Follow && self.top == last;
            return;
        }
        let columns = columns(&self.status);
        let ids: Vec<&str> = columns
            .iter()
            .flat_map(|(_, units)| units.iter().map(|unit| text(unit, "id")))
            .collect();
        let now = self.selected.as_deref();
        let at = ids.iter().position(|id| Some(*id) == now).unwrap_or(0);
        let chosen = to(at).min(ids.len().saturating_sub(1));
        self.selected = ids.get(chosen).map(|id| (*id).to_owned());
    }

    /// Returns how many lines there are between head and foot.
    fn room(&self) -> usize {
        self.size.1.saturating_sub(2).max(1)
    }

    /// Returns the lines between head and foot: a list's are looked over, those of other panes are read, so they are wrapped.
    fn body(&self) -> Vec<ScreenLine> {
        let lines = self.content();
        match self.pane {
            BoardPane::List => lines,
            _ => lines
                .into_iter()
                .flat_map(|line| line.wrapped(self.size.0))
                .collect(),
        }
    }

    fn content(&self) -> Vec<ScreenLine> {
        let id = self.selected.as_deref().unwrap_or_default();
        let own = self.attempt.as_ref().filter(|(unit, _)| unit == id);
        let attempt = own.map(|(_, attempt)| &**attempt);
        match self.pane {
            BoardPane::List => list_lines(&self.status, self.selected.as_deref()).0,
            BoardPane::Detail => detail_lines(&self.status, id, attempt),
            BoardPane::Follow => follow_lines(&self.status, id, attempt),
            BoardPane::Diff => diff_lines(attempt),
            BoardPane::Help => help(),
        }
    }

    /// Returns the screen's lines, as many as it has rows. `size` is columns and rows.
    pub(super) fn lines(&mut self, size: (usize, usize)) -> Vec<ScreenLine> {
        self.size = size;
        let is_gone = |id: &String| find(&self.status, id).is_none();
        if self.selected.as_ref().is_none_or(is_gone) && self.pane == BoardPane::List {
            self.selected = None;
            self.scroll(|at| at);
        }
        let body = self.body();
        let last = body.len().saturating_sub(self.room());
        if self.pane == BoardPane::List {
            let at = list_lines(&self.status, self.selected.as_deref()).1;
            // The heading above the first unit stays in sight with it.
            let first = if at <= 1 { 0 } else { at };
            let lowest = (at + 1).saturating_sub(self.room());
            self.top = self.top.clamp(lowest.min(first), first);
        }
        self.top = match self.follows_end {
            true => last,
            false => self.top.min(last),
        };
        let mut lines = vec![self.head()];
        lines.extend(body.into_iter().skip(self.top).take(self.room()));
        lines.resize(
            size.1.saturating_sub(1),
            ScreenLine::new(LineStyle::Plain, ""),
        );
        lines.push(self.foot());
        lines
    }

    fn head(&self) -> ScreenLine {
        let driver = &self.status["driver"];
        let run = match driver.is_object() {
            true => format!("a run is at work on {}", text(driver, "feature")),
            false => "no run is at work".to_owned(),
        };
        let about = match (self.pane, &self.selected) {
            (BoardPane::List, _) | (_, None) => "board".to_owned(),
            (BoardPane::Help, _) => "keys".to_owned(),
            (pane, Some(id)) => format!("{id}: {}", format!("{pane:?}").to_lowercase()),
        };
        let style = LineStyle::Heading;
        match &self.trouble {
            Some(trouble) => ScreenLine::new(LineStyle::Removed, trouble.clone()),
            None => ScreenLine::new(style, format!("gatewalk {about} · {run}")),
        }
    }

    fn foot(&self) -> ScreenLine {
        let keys: &[&str] = match self.pane {
            BoardPane::List => &["↑↓ choose", "⏎ open", "f follow", "d diff"],
            BoardPane::Detail => &["↑↓ scroll", "f follow", "d diff", "← back"],
            BoardPane::Follow | BoardPane::Diff | BoardPane::Help => {
                &["← back", "↑↓ scroll", "g top", "G end"]
            }
        };
        ScreenLine::new(LineStyle::Soft, named_keys(keys, self.size.0))
    }
}

/// Returns the names of so many keys as there is room for; the way out and to the others is always among them.
fn named_keys(keys: &[&str], width: usize) -> String {
    let all = |kept: usize| [&keys[..kept], &["? keys", "q quit"]].concat().join("  ");
    let fits = |kept: &usize| all(*kept).chars().count() <= width;
    all((0..=keys.len()).rev().find(fits).unwrap_or(0))
}

fn help() -> Vec<ScreenLine> {
    let rows = [
        "↑ ↓  k j        choose a unit, or scroll a line",
        "space b         scroll a page; PgDn PgUp, Ctrl-D Ctrl-U too",
        "g G             to the beginning, to the end; Home End too",
        "⏎ → l           open the unit: why it stands where it stands, what to do",
        "f               follow what its session says and does",
        "d               the diff of its last attempt",
        "← h Esc         back",
        "q Ctrl-C        quit; a run goes on",
    ];
    let plain = |text: &&str| ScreenLine::new(LineStyle::Plain, *text);
    rows.iter().map(plain).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn view(units: usize) -> BoardView {
        let unit = |n: usize| {
            let status = if n == 2 { "blocked_human" } else { "pending" };
            json!({"id": format!("F/T{n:02}"), "title": format!("Unit {n}"), "status": status, "type": "implementation",
                "gate": 1, "attempts": u64::from(n == 2), "waiting_for": [], "running": n == 3, "message": "red", "cost_usd": 0.5})
        };
        let units: Vec<Value> = (1..=units).map(unit).collect();
        let session = json!({"unit": "F/T03", "attempt": 1, "agent": "a", "tool": "Edit", "detail": "x.rs", "seconds": 7,
            "output_tokens": 9, "last_lines": ["one", "two"]});
        let status = json!({"driver": {"feature": "G"}, "sessions": [session],
            "features": [{"feature": "F", "status": "active", "gates": [], "units": units, "next": "gatewalk why F/T02", "next_steps": ["gatewalk unblock F/T02 --reason \"…\""]}]});
        let mut view = BoardView::new();
        view.status = Arc::new(status);
        view
    }

    fn shown(view: &mut BoardView, rows: usize) -> Vec<String> {
        let lines = view.lines((80, rows));
        assert_eq!(lines.len(), rows);
        let text = |line: ScreenLine| match line.style {
            LineStyle::Selected => format!("> {}", line.text.trim_end()),
            _ => line.text.trim_end().to_owned(),
        };
        lines.into_iter().map(text).collect()
    }

    #[test]
    fn what_needs_the_user_is_chosen_first_and_keys_lead_on_and_back() {
        let mut view = view(4);
        let list = shown(&mut view, 12);
        assert_eq!(list[0], "gatewalk board · a run is at work on G");
        assert_eq!(list[1], "needs you (1)");
        assert!(
            list[2].starts_with("> ") && list[2].contains("F/T02"),
            "{list:?}"
        );
        assert_eq!(view.wanted(), None);
        assert!(!view.press(TerminalKey::Open));
        assert_eq!(view.wanted(), Some("F/T02"));
        let detail = shown(&mut view, 12).join("\n");
        for part in [
            "F/T02  Unit 2",
            "red",
            "attempts 1, cost $0.50",
            "next: gatewalk unblock F/T02",
        ] {
            assert!(detail.contains(part), "{part}: {detail}");
        }
        let record = json!({"number": 1, "agent": "a", "judgement": {"passed": false, "failure_class": "verification",
            "commands": [{"name": "tests", "verdict": "fail"}], "evidence": "exit 1"}, "diff": {"text": "diff --git a/x b/x\n+new", "cut": true}});
        view.attempt = Some(("F/T02".to_owned(), Arc::new(record)));
        let detail = shown(&mut view, 20).join("\n");
        for part in [
            "Attempt 1 with a, failed: verification",
            "fail     tests",
            "exit 1",
        ] {
            assert!(detail.contains(part), "{part}: {detail}");
        }
        view.press(TerminalKey::Diff);
        let diff = shown(&mut view, 12);
        assert_eq!(diff[1..3], ["diff --git a/x b/x", "+new"]);
        assert!(diff[3].contains("goes on"), "{diff:?}");
        view.press(TerminalKey::Back);
        assert!(shown(&mut view, 12)[0].contains("detail"));
        view.press(TerminalKey::Back);
        view.press(TerminalKey::Down);
        view.press(TerminalKey::Follow);
        assert_eq!(shown(&mut view, 6)[1..3], ["one", "two"]);
        view.press(TerminalKey::Help);
        assert!(
            shown(&mut view, 20)
                .iter()
                .any(|line| line.contains("a run goes on"))
        );
        assert!(view.press(TerminalKey::Quit));
    }

    #[test]
    fn what_is_read_is_whole_on_a_narrow_screen_and_the_way_out_is_named() {
        let mut view = view(4);
        let mut status = (*view.status).clone();
        status["features"][0]["units"][1]["message"] = json!("which one\nof the two?");
        view.status = Arc::new(status);
        view.lines((20, 30));
        view.press(TerminalKey::Open);
        let lines = view.lines((20, 30));
        let text: Vec<&str> = lines.iter().map(|line| line.text.trim_end()).collect();
        assert_eq!(text[1], "F/T02  Unit 2");
        let asked = text
            .windows(2)
            .any(|two| two == ["which one", "of the two?"]);
        assert!(asked, "{text:?}");
        let shown = text.join("").replace(' ', "");
        assert!(
            shown.contains("next:gatewalkunblockF/T02--reason"),
            "{text:?}"
        );
        for (width, want) in [
            (200, "↑↓ scroll  f follow  d diff  ← back  ? keys  q quit"),
            (40, "↑↓ scroll  f follow  ? keys  q quit"),
            (20, "? keys  q quit"),
            (4, "? keys  q quit"),
        ] {
            assert_eq!(view.lines((width, 5))[4].text, want);
        }
    }

    #[test]
    fn a_plan_with_errors_is_listed_though_it_shows_no_unit() {
        let mut view = BoardView::new();
        view.status = Arc::new(json!({"features": [
            {"feature": "F", "status": "planned", "gates": [], "units": [], "next": "gatewalk lint f", "next_steps": ["gatewalk lint f"]}]}));
        let list = shown(&mut view, 6);
        assert_eq!(
            list[1..3],
            ["F: its plan has errors", "  next: gatewalk lint f"]
        );
    }

    #[test]
    fn the_chosen_unit_stays_in_sight_and_an_end_is_followed() {
        let mut view = view(60);
        assert!(shown(&mut BoardView::new(), 10)[1].starts_with("reading"));
        shown(&mut view, 10);
        view.press(TerminalKey::Bottom);
        assert!(
            shown(&mut view, 10)[8].contains("> ! F/T60")
                || shown(&mut view, 10)[8].contains("F/T60")
        );
        view.press(TerminalKey::PageUp);
        let list = shown(&mut view, 10);
        assert!(list.iter().any(|line| line.starts_with("> ")), "{list:?}");
        view.press(TerminalKey::Top);
        assert_eq!(shown(&mut view, 10)[1], "needs you (1)");
        // A unit that is gone is no longer chosen; none at all is no trouble.
        view.status = Arc::new(json!({"features": []}));
        assert!(shown(&mut view, 10)[1].contains("no feature"));
        view.press(TerminalKey::Open);
        assert!(shown(&mut view, 10)[0].contains("board"));
        view.trouble = Some("no repository".to_owned());
        assert_eq!(shown(&mut view, 4)[0], "no repository");
    }
}
