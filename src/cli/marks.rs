//! The symbols and colours of what passed, failed and waits. The words beside them say the same: neither is needed.

use gatewalk_core::model::status_machine::{UnitStatus, Word};
use serde_json::Value;

/// How a line stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum UnitMark {
    Pass,
    Fail,
    /// It waits for you.
    NeedsYou,
    Wait,
    Work,
    None,
}

impl UnitMark {
    /// Returns how a unit stands, as `status --json` describes it.
    pub(crate) fn of_unit(unit: &Value) -> UnitMark {
        if unit["running"] == true {
            return UnitMark::Work;
        }
        if unit["is_unreadable"] == true {
            return UnitMark::NeedsYou;
        }
        match unit["status"].as_str().and_then(UnitStatus::from_word) {
            Some(UnitStatus::Done) => UnitMark::Pass,
            Some(UnitStatus::BlockedHuman) => UnitMark::NeedsYou,
            Some(UnitStatus::Pending) if unit["type"] == "human" => UnitMark::NeedsYou,
            Some(UnitStatus::Pending) => UnitMark::Wait,
            _ => UnitMark::None,
        }
    }

    fn symbol(self) -> &'static str {
        match self {
            UnitMark::Pass => "✓",
            UnitMark::Fail => "✗",
            UnitMark::NeedsYou => "!",
            UnitMark::Wait => "○",
            UnitMark::Work => "▸",
            UnitMark::None => " ",
        }
    }

    fn colour(self) -> anstyle::Style {
        let colour = match self {
            UnitMark::Pass => anstyle::AnsiColor::Green,
            UnitMark::Fail => anstyle::AnsiColor::Red,
            UnitMark::NeedsYou | UnitMark::Wait => anstyle::AnsiColor::Yellow,
            UnitMark::Work => anstyle::AnsiColor::Cyan,
            UnitMark::None => return anstyle::Style::new(),
        };
        colour.on_default()
    }
}

impl UnitMark {
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
            let mark = UnitMark::of_unit(&unit);
            assert_eq!(mark.shown(false), " ");
            let shown = mark.shown(true);
            assert_eq!(anstream::adapter::strip_str(&shown).to_string(), want);
            assert_eq!(shown.contains('\x1b'), want != " ");
        }
    }
}
