//! The symbols and colours of what passed, failed and waits. The words beside them say the same: neither is needed.

use gatewalk_core::model::status_machine::{UnitStatus, Word};
use serde_json::Value;

/// How a line stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mark {
    Pass,
    Fail,
    /// It waits for you.
    NeedsYou,
    Wait,
    Work,
    None,
}

impl Mark {
    /// Returns how a unit stands, as `status --json` describes it.
    pub(crate) fn of_unit(unit: &Value) -> Mark {
        if unit["running"] == true {
            return Mark::Work;
        }
        match unit["status"].as_str().and_then(UnitStatus::from_word) {
            Some(UnitStatus::Done) => Mark::Pass,
            Some(UnitStatus::BlockedHuman) => Mark::NeedsYou,
            Some(UnitStatus::Pending) if unit["type"] == "human" => Mark::NeedsYou,
            Some(UnitStatus::Pending) => Mark::Wait,
            _ => Mark::None,
        }
    }

    fn symbol(self) -> &'static str {
        match self {
            Mark::Pass => "✓",
            Mark::Fail => "✗",
            Mark::NeedsYou => "!",
            Mark::Wait => "○",
            Mark::Work => "▸",
            Mark::None => " ",
        }
    }

    fn colour(self) -> anstyle::Style {
        let colour = match self {
            Mark::Pass => anstyle::AnsiColor::Green,
            Mark::Fail => anstyle::AnsiColor::Red,
            Mark::NeedsYou | Mark::Wait => anstyle::AnsiColor::Yellow,
            Mark::Work => anstyle::AnsiColor::Cyan,
            Mark::None => return anstyle::Style::new(),
        };
        colour.on_default()
    }
}

impl Mark {
    /// Returns the symbol where a user looks at it, and a space in its place for programs and files.
    pub(crate) fn shown(self, to_user: bool) -> String {
        if !to_user {
            return " ".to_owned();
        }
        let style = self.colour();
        format!("{style}{}{style:#}", self.symbol())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn each_state_has_a_symbol_of_its_own() {
        for (unit, want) in [
            (json!({"status": "done"}), "✓"),
            (json!({"status": "blocked_human"}), "!"),
            (json!({"status": "pending", "running": true}), "▸"),
            (json!({"status": "pending", "type": "human"}), "!"),
            (json!({"status": "pending"}), "○"),
            (json!({"status": "draft"}), " "),
            (json!({"status": "abandoned"}), " "),
        ] {
            let mark = Mark::of_unit(&unit);
            assert_eq!(mark.shown(false), " ");
            let shown = mark.shown(true);
            assert_eq!(anstream::adapter::strip_str(&shown).to_string(), want);
            assert_eq!(shown.contains('\x1b'), want != " ");
        }
    }
}
