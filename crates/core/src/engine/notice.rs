//! Notices to a user who is elsewhere: whether one is sent now, and what services are to read. Pure; who sends it is the
//! host's.

use crate::model::status_machine::Word;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Minutes of a day.
const DAY: u16 = 24 * 60;

/// A part of the day in which only what is urgent is sent; it may reach over midnight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QuietHours {
    from: u16,
    to: u16,
}

impl QuietHours {
    /// Reads hours such as `22:00-07:00`, over midnight too.
    pub fn parse(text: &str) -> Option<QuietHours> {
        let minutes = |text: &str| {
            let (hours, minutes) = text.trim().split_once(':')?;
            let (hours, minutes): (u16, u16) = (hours.parse().ok()?, minutes.parse().ok()?);
            let all = hours * 60 + minutes;
            (minutes < 60 && all <= DAY).then_some(all)
        };
        let (from, to) = text.split_once('-')?;
        Some(QuietHours {
            from: minutes(from)?,
            to: minutes(to)?,
        })
    }

    /// Returns whether a minute of the day is among them.
    pub(crate) fn contains(self, minute: u16) -> bool {
        match self.from <= self.to {
            true => (self.from..self.to).contains(&minute),
            false => minute >= self.from || minute < self.to,
        }
    }
}

/// What was sent about one thing, where it may have been sent.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SentNotice {
    /// Names what it said.
    pub digest: String,
    /// When it was sent first, in seconds since 1970.
    pub at: i64,
    /// Whether the reminder was sent.
    pub reminded: bool,
    /// The channels that took it.
    pub channels: BTreeSet<String>,
}

/// The moment at which a notice could be sent.
#[derive(Debug, Clone, Copy)]
pub struct NoticeMoment {
    /// Now, in seconds since 1970.
    pub now: i64,
    /// Minutes since midnight by the user's clock.
    pub minute_of_day: u16,
    /// When to be quiet.
    pub quiet: Option<QuietHours>,
    /// After how many seconds the same thing is said once more.
    pub remind_after: Option<i64>,
    /// Whether it is sent in quiet hours too.
    pub urgent: bool,
}

/// What is done with a notice now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoticeStep {
    /// Send it to the channels that did not take it yet.
    Send,
    /// Send it once more to all of them.
    Remind,
    /// Leave it: it was said, or it is for later.
    Silent,
}

/// Decides about a notice: each thing is said once, and once more as a reminder.
pub fn next(
    sent: Option<&SentNotice>,
    digest: &str,
    channels: &BTreeSet<String>,
    moment: &NoticeMoment,
) -> NoticeStep {
    let quiet = moment
        .quiet
        .is_some_and(|q| q.contains(moment.minute_of_day));
    if quiet && !moment.urgent {
        return NoticeStep::Silent;
    }
    let Some(sent) = sent.filter(|sent| sent.digest == digest) else {
        return NoticeStep::Send;
    };
    if !channels.is_subset(&sent.channels) {
        return NoticeStep::Send;
    }
    let due = moment
        .remind_after
        .is_some_and(|after| moment.now - sent.at >= after);
    match due && !sent.reminded {
        true => NoticeStep::Remind,
        false => NoticeStep::Silent,
    }
}

/// What a webhook reads.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum WebhookTemplate {
    /// The notice as it is.
    #[default]
    Json,
    /// `text`, as Slack and those that are like it read it.
    Slack,
    /// Plain text for a topic.
    Ntfy,
    /// Discord's: the text is under `content`.
    Discord,
}

impl Word for WebhookTemplate {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("json", WebhookTemplate::Json),
        ("slack", WebhookTemplate::Slack),
        ("ntfy", WebhookTemplate::Ntfy),
        ("discord", WebhookTemplate::Discord),
    ];
}

impl WebhookTemplate {
    /// Returns the body for a notice, and its content type.
    pub fn body(self, notice: &Value) -> (String, &'static str) {
        let json = "application/json";
        match self {
            WebhookTemplate::Json => (notice.to_string(), json),
            WebhookTemplate::Slack => (json!({"text": text(notice)}).to_string(), json),
            WebhookTemplate::Discord => {
                // A longer one is refused there.
                let text: String = text(notice).chars().take(1_900).collect();
                (json!({"content": text}).to_string(), json)
            }
            WebhookTemplate::Ntfy => (text(notice), "text/plain; charset=utf-8"),
        }
    }
}

/// Returns a notice in words: what happened, and the first command that settles it.
pub fn text(notice: &Value) -> String {
    let what = notice["what"].as_str().unwrap_or_default();
    let again = if notice["reminder"] == true {
        "reminder: "
    } else {
        ""
    };
    match notice["next"][0].as_str() {
        Some(next) => format!("gatewalk: {again}{what}\nnext: {next}"),
        None => format!("gatewalk: {again}{what}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quiet_hours_may_reach_over_midnight() {
        for (text, minute, want) in [
            ("22:00-07:00", 23 * 60, Some(true)),
            ("22:00-07:00", 22 * 60, Some(true)),
            ("22:00-07:00", 6 * 60 + 59, Some(true)),
            ("22:00-07:00", 7 * 60, Some(false)),
            ("12:30-13:30", 12 * 60 + 29, Some(false)),
            ("12:30-13:30", 12 * 60 + 30, Some(true)),
            ("12:30-13:30", 13 * 60 + 30, Some(false)),
            ("00:00-24:00", 1439, Some(true)),
            ("10:00-10:00", 600, Some(false)),
            ("22-07", 0, None),
            ("24:01-07:00", 0, None),
            ("22:60-07:00", 0, None),
            ("22:00", 0, None),
        ] {
            let quiet = QuietHours::parse(text);
            assert_eq!(quiet.map(|q| q.contains(minute)), want, "{text} {minute}");
        }
    }

    #[test]
    fn each_thing_is_reported_once_and_once_more() {
        let set = |names: &[&str]| names.iter().map(|n| (*n).to_owned()).collect();
        let channels: BTreeSet<String> = set(&["command", "webhook"]);
        let sent = |digest: &str, names: &[&str], reminded| SentNotice {
            digest: digest.into(),
            at: 1_000,
            reminded,
            channels: set(names),
        };
        let both = ["command", "webhook"];
        let moment = |now, urgent, quiet: bool| NoticeMoment {
            now,
            minute_of_day: 0,
            quiet: quiet.then_some(QuietHours { from: 0, to: DAY }),
            remind_after: Some(60),
            urgent,
        };
        use NoticeStep::{Remind, Send, Silent};
        for (known, moment, want) in [
            (None, moment(1_000, false, false), Send),
            (None, moment(1_000, false, true), Silent),
            (None, moment(1_000, true, true), Send),
            (
                Some(sent("a", &both, false)),
                moment(1_059, false, false),
                Silent,
            ),
            (
                Some(sent("a", &both, false)),
                moment(1_060, false, false),
                Remind,
            ),
            (
                Some(sent("a", &both, false)),
                moment(1_060, false, true),
                Silent,
            ),
            (
                Some(sent("a", &both, true)),
                moment(9_000, false, false),
                Silent,
            ),
            (
                Some(sent("a", &["command"], false)),
                moment(1_000, false, false),
                Send,
            ),
            (
                Some(sent("b", &both, true)),
                moment(1_000, false, false),
                Send,
            ),
        ] {
            let got = next(known.as_ref(), "a", &channels, &moment);
            assert_eq!(got, want, "{known:?} {moment:?}");
        }
        let never = NoticeMoment {
            remind_after: None,
            ..moment(9_000, false, false)
        };
        let known = sent("a", &both, false);
        assert_eq!(next(Some(&known), "a", &channels, &never), Silent);
    }

    #[test]
    fn a_template_is_only_text() {
        let notice =
            json!({"what": "gate 1: review \"it\"", "next": ["gatewalk arm F"], "exit": 10});
        let words = "gatewalk: gate 1: review \"it\"\nnext: gatewalk arm F";
        let body = |template: WebhookTemplate| template.body(&notice).0;
        assert_eq!(body(WebhookTemplate::Json), notice.to_string());
        assert_eq!(body(WebhookTemplate::Ntfy), words);
        assert_eq!(
            body(WebhookTemplate::Slack),
            json!({"text": words}).to_string()
        );
        assert_eq!(
            body(WebhookTemplate::Discord),
            json!({"content": words}).to_string()
        );
        let again = json!({"what": "x", "reminder": true});
        assert_eq!(text(&again), "gatewalk: reminder: x");
    }
}
