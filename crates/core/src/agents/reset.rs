//! When a limit ends, as programs state it: a moment, a wait, or what a clock will show.

mod clock_time;
mod other_languages;
mod reset_anchors;
mod words;

use self::reset_anchors::{ANCHORS, FILLERS};
pub use clock_time::ClockTime;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use words::words;

/// The longest window that a program was seen to name is a month; more is a misreading.
const LONGEST_WAIT: f64 = 32.0 * 86_400.0;

/// When a limit ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reset {
    /// At this moment, in seconds since 1970.
    At(i64),
    /// After this many seconds from when it was stated.
    After(u64),
    /// When a clock shows this.
    Clock(ClockTime),
}

/// Finds a time zone by its name, or the one of this machine where there is no name.
pub(crate) type FindZone<'a> = &'a dyn Fn(Option<&str>) -> Option<TimeZone>;

impl Reset {
    /// Returns how long it is until the limit ends; `None` where the zone that is named is not known.
    pub(crate) fn wait(&self, now: Timestamp, zone: FindZone<'_>) -> Option<SignedDuration> {
        let until = |at: i64| SignedDuration::from_secs(at.saturating_sub(now.as_second()).max(1));
        Some(match self {
            Reset::After(seconds) => {
                SignedDuration::from_secs(i64::try_from(*seconds).unwrap_or(i64::MAX).min(1 << 40))
            }
            Reset::At(at) => until(*at),
            Reset::Clock(clock) => until(clock.next(now, zone)?.as_second()),
        })
    }

    /// Returns the same as a machine states it whose clocks are so many minutes east of Greenwich: where no zone is named, that
    /// machine's is meant.
    #[must_use]
    pub fn stated_in_zone(self, minutes: i32) -> Reset {
        match self {
            Reset::Clock(clock) => Reset::Clock(clock.stated_in_zone(minutes)),
            Reset::At(_) | Reset::After(_) => self,
        }
    }

    /// Returns the moment that a `Retry-After` names, or a field like it: seconds, a date of HTTP or of
    /// RFC 3339, or seconds or milliseconds since 1970.
    pub(super) fn named(text: &str) -> Option<Reset> {
        const MILLISECONDS: f64 = 1e11;
        let text = text.trim();
        match text.parse::<f64>() {
            Ok(number) if number >= MILLISECONDS => Some(Reset::At((number / 1000.0) as i64)),
            Ok(number) if number >= LONG_AGO => Some(Reset::At(number as i64)),
            Ok(number) => (number >= 0.0).then(|| Reset::After(number.ceil() as u64)),
            Err(_) => moment(text).or_else(|| {
                let date = jiff::fmt::rfc2822::parse(text).ok()?;
                Some(Reset::At(date.timestamp().as_second()))
            }),
        }
    }

    /// Returns the end of a limit that a sentence states: `try again in 1h 20m`, `resets 3pm (Europe/Berlin)`.
    pub(super) fn in_text(text: &str) -> Option<Reset> {
        let text = text.to_lowercase();
        let text = other_languages::in_english(&text).unwrap_or(text);
        let mut places: Vec<(usize, usize)> = ANCHORS
            .iter()
            .flat_map(|anchor| text.match_indices(anchor).map(|(at, _)| (at, anchor.len())))
            .collect();
        // Of two that begin at one place the longer one is meant.
        places.sort_unstable_by_key(|(at, length)| (*at, usize::MAX - length));
        let mut places = places.into_iter();
        let stated = places.find_map(|(at, length)| after_anchor(&text[at + length..]));
        // A moment with its zone needs no word before it.
        stated.or_else(|| words(&text).iter().find_map(|word| moment(word)))
    }
}

/// Fewer seconds since 1970 are a wait, not a moment.
const LONG_AGO: f64 = 1e9;
/// More milliseconds since 1970 are no moment, but some id.
const TOO_FAR: f64 = 1e13;

/// Reads what follows an anchor.
fn after_anchor(rest: &str) -> Option<Reset> {
    let field = field(rest);
    let window: String = field.as_deref().unwrap_or(rest).chars().take(100).collect();
    let all = words(&window);
    let skipped = all.iter().take(9).take_while(|word| is_filler(word));
    let skipped = skipped.count();
    let rest = &all[skipped..];
    // A bare number is seconds only where a word says so.
    let before = skipped.checked_sub(1).and_then(|at| all.get(at));
    if before == Some(&"in")
        && let Some(wait) = rest.first().and_then(|word| stopwatch(trimmed(word)))
    {
        return Some(wait);
    }
    let counted = before.is_some_and(|word| {
        matches!(
            trimmed(word),
            "in" | "after"
                | "-after"
                | "_after"
                | "_after_seconds"
                | "delay"
                | "s_in_seconds"
                | "_in_seconds"
        )
    });
    wait(rest, counted)
        .or_else(|| duration(rest.first()?))
        .or_else(|| moment(rest.first()?))
        .or_else(|| {
            // `on 12/01` is a day, `2/5` is none.
            let from = skipped - usize::from(before == Some(&"on"));
            ClockTime::read(&all[from..]).map(Reset::Clock)
        })
}

/// Returns the rest of a field's name and its value, without the fields behind it: `_in_seconds": 4500, "plan": …`.
fn field(rest: &str) -> Option<String> {
    let of_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    let (name, after) = rest.split_at(rest.find(|c| !of_name(c))?);
    let after = after.trim_start_matches('\\').strip_prefix('"')?;
    let after = after.trim_start().strip_prefix(':')?.trim_start();
    let after = after.trim_start_matches('\\');
    let value = match after.strip_prefix('"') {
        Some(text) => text.split(['"', '\\']).next()?,
        None => after.split([',', '}', ']']).next()?,
    };
    Some(format!("{name} {value}"))
}

/// Reads a wait as `2:13:05`, `0:45` or, with days, `11.04:12:30` shows it.
fn stopwatch(word: &str) -> Option<Reset> {
    let (days, clock) = word.split_once('.').unwrap_or(("0", word));
    let days: f64 = days.parse::<u32>().ok()?.into();
    let parts: Option<Vec<u32>> = clock.split(':').map(|part| part.parse().ok()).collect();
    let (hours, minutes, seconds) = match parts?[..] {
        [hours, minutes] => (hours, minutes, 0),
        [hours, minutes, seconds] => (hours, minutes, seconds),
        _ => return None,
    };
    let seconds = [(hours, 3600.0), (minutes, 60.0), (seconds, 1.0)]
        .iter()
        .fold(days * 86_400.0, |sum, (n, each)| sum + f64::from(*n) * each);
    (seconds <= LONGEST_WAIT).then_some(Reset::After(seconds as u64))
}

fn is_filler(word: &str) -> bool {
    FILLERS.contains(&trimmed(word))
}

fn trimmed(word: &str) -> &str {
    word.trim_matches([':', '=', '.', '~', '\''])
}

/// Reads `1h 20m`, `2 days, 3 hours and 5 minutes`, `18h2m5.5s`, an hour, and, where a bare number counts,
/// `30` or a moment in seconds since 1970.
fn wait(words: &[&str], counted: bool) -> Option<Reset> {
    let (part, words) = match words {
        ["half", rest @ ..] => (0.5, rest),
        words => (1.0, words),
    };
    if let ["a" | "an" | "one", unit, ..] = words {
        let seconds = unit_seconds(trimmed(unit))? * part;
        return Some(Reset::After(seconds.ceil() as u64));
    }
    let words: Vec<&str> = words.iter().map(|word| trimmed(word)).collect();
    let text = words.join(" ");
    let (mut rest, mut seconds, mut known) = (text.as_str(), 0f64, false);
    loop {
        rest = rest.trim_start_matches([' ', ',', '~']);
        rest = rest.strip_prefix("and ").filter(|_| known).unwrap_or(rest);
        let digits = rest.find(|c: char| !c.is_ascii_digit() && c != '.');
        let digits = digits.unwrap_or(rest.len());
        let Ok(number) = rest[..digits].trim_end_matches('.').parse::<f64>() else {
            break;
        };
        if number >= LONG_AGO && !known {
            return bare(number);
        }
        let after = rest[digits..].trim_start();
        let letters = after.find(|c: char| !c.is_ascii_alphabetic());
        let letters = letters.unwrap_or(after.len());
        let unit = unit_seconds(&after[..letters]).map(|unit| (unit, letters));
        let Some((unit, length)) = unit.or_else(|| chinese_unit(after)) else {
            // `5:44`, `3 pm` and `11/3/2025` are no waits.
            let alone = letters == 0 && !after.starts_with([':', '/', '-']);
            let counts = alone && !known && counted;
            return counts.then(|| bare(number)).flatten();
        };
        seconds += number * unit;
        known = true;
        rest = &after[length..];
    }
    (known && seconds <= LONGEST_WAIT).then(|| Reset::After(seconds.ceil() as u64))
}

fn bare(number: f64) -> Option<Reset> {
    match number {
        number if number >= TOO_FAR => None,
        number if number >= LONG_AGO => Reset::named(&number.to_string()),
        number => (number <= LONGEST_WAIT).then(|| Reset::After(number.ceil() as u64)),
    }
}

fn unit_seconds(unit: &str) -> Option<f64> {
    Some(match unit {
        "ms" | "msec" | "millisecond" | "milliseconds" => 0.001,
        "s" | "sec" | "secs" | "second" | "seconds" => 1.0,
        "m" | "min" | "mins" | "minute" | "minutes" => 60.0,
        "h" | "hr" | "hrs" | "hour" | "hours" => 3600.0,
        "d" | "day" | "days" => 86_400.0,
        "w" | "week" | "weeks" => 7.0 * 86_400.0,
        _ => return None,
    })
}

/// Returns the seconds of the unit that a text begins with, and its length; nothing parts it from what follows: `60 秒后重试`.
fn chinese_unit(text: &str) -> Option<(f64, usize)> {
    const UNITS: &[(&str, f64)] = &[
        ("秒", 1.0),
        ("分钟", 60.0),
        ("小时", 3600.0),
        ("天", 86_400.0),
    ];
    let unit = UNITS.iter().find(|(unit, _)| text.starts_with(unit));
    unit.map(|(unit, seconds)| (*seconds, unit.len()))
}

/// Reads a wait as ISO 8601 writes it: `PT1H30M`.
fn duration(text: &str) -> Option<Reset> {
    let span: SignedDuration = trimmed(text).to_uppercase().parse().ok()?;
    let seconds = u64::try_from(span.as_secs()).ok()?;
    (seconds as f64 <= LONGEST_WAIT && text.starts_with("pt")).then_some(Reset::After(seconds))
}

/// Returns a moment of RFC 3339, whose zone is named.
fn moment(text: &str) -> Option<Reset> {
    let moment: Timestamp = trimmed(text).to_uppercase().parse().ok()?;
    Some(Reset::At(moment.as_second()))
}

#[cfg(test)]
mod tests;
