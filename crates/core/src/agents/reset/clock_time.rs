//! A time of day, with the day and the zone where a program names them: `3pm (Europe/Berlin)`,
//! `Nov 24th, 2026 5:44 AM`, `Mon 12:00`.

use super::{FindZone, trimmed, words};
use jiff::civil::{self, Date, Weekday};
use jiff::tz::{Offset, TimeZone};
use jiff::{SignedDuration, Timestamp};
use std::fmt;

/// A clock that shows a moment just past means now, not tomorrow.
const JUST_PAST: SignedDuration = SignedDuration::from_mins(15);

/// What a clock shows when a limit ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClockTime {
    day: Day,
    hour: i8,
    minute: i8,
    zone: Option<StatedZone>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Day {
    /// Today or tomorrow, whichever comes first.
    Next,
    Tomorrow,
    Weekday(Weekday),
    /// Without a year: the next one.
    Date {
        year: Option<i16>,
        month: i8,
        day: i8,
    },
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum StatedZone {
    /// Minutes east of Greenwich.
    Offset(i32),
    Named(String),
}

impl ClockTime {
    /// Reads it as [`Display`](fmt::Display) writes it.
    pub fn parse(text: &str) -> Option<ClockTime> {
        ClockTime::read(&words(&text.to_lowercase()))
    }

    /// Reads it from the words that begin with it.
    pub(super) fn read(words: &[&str]) -> Option<ClockTime> {
        let mut found = Found::default();
        let mut at = 0;
        while let Some(used) = found.take(&words[at..]) {
            at += used;
        }
        let (day, time) = (found.day, found.time);
        let (hour, minute) = time.or(day.map(|_| (0, 0)))?;
        Some(ClockTime {
            day: day.unwrap_or(Day::Next),
            hour,
            minute,
            zone: found.zone,
        })
    }

    /// Returns the same on clocks so many minutes east of Greenwich, unless it names others.
    pub(super) fn stated_in_zone(mut self, minutes: i32) -> ClockTime {
        self.zone.get_or_insert(StatedZone::Offset(minutes));
        self
    }

    /// Returns the next moment at which a clock shows this.
    pub(super) fn next(&self, now: Timestamp, find: FindZone<'_>) -> Option<Timestamp> {
        let zone = match &self.zone {
            None => find(None)?,
            Some(StatedZone::Offset(minutes)) => {
                TimeZone::fixed(Offset::from_seconds(minutes * 60).ok()?)
            }
            Some(StatedZone::Named(name)) => find(Some(name))?,
        };
        let today = now.to_zoned(zone.clone()).date();
        let time = civil::time(self.hour, self.minute, 0, 0);
        let at = |date: Date| {
            Some(
                date.to_datetime(time)
                    .to_zoned(zone.clone())
                    .ok()?
                    .timestamp(),
            )
        };
        let ahead = |at: Timestamp, by: SignedDuration| now.duration_since(at) <= by;
        let days = |n: i64| today.checked_add(jiff::Span::new().days(n)).ok();
        match self.day {
            Day::Next => {
                let first = at(today)?;
                if ahead(first, JUST_PAST) {
                    Some(first)
                } else {
                    at(days(1)?)
                }
            }
            Day::Tomorrow => at(days(1)?),
            Day::Weekday(weekday) => (0..=7)
                .filter_map(days)
                .filter(|date| date.weekday() == weekday)
                .filter_map(at)
                .find(|at| ahead(*at, JUST_PAST)),
            Day::Date {
                year: Some(year),
                month,
                day,
            } => at(Date::new(year, month, day).ok()?),
            Day::Date {
                year: None,
                month,
                day,
            } => (0..2)
                .filter_map(|more| at(Date::new(today.year() + more, month, day).ok()?))
                .find(|at| ahead(*at, SignedDuration::from_hours(48))),
        }
    }
}

impl fmt::Display for ClockTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.day {
            Day::Next => {}
            Day::Tomorrow => write!(f, "tomorrow ")?,
            Day::Weekday(weekday) => {
                let place = usize::try_from(weekday.to_monday_zero_offset()).unwrap_or_default();
                write!(f, "{} ", &WEEKDAYS[place][..3])?;
            }
            Day::Date { year, month, day } => {
                let place = usize::try_from(month - 1).unwrap_or_default();
                write!(f, "{} {day} ", &MONTHS[place][..3])?;
                year.map_or(Ok(()), |year| write!(f, "{year} "))?;
            }
        }
        write!(f, "{:02}:{:02}", self.hour, self.minute)?;
        match &self.zone {
            None => Ok(()),
            Some(StatedZone::Offset(minutes)) => {
                let sign = if *minutes < 0 { '-' } else { '+' };
                write!(
                    f,
                    " {sign}{:02}:{:02}",
                    minutes.abs() / 60,
                    minutes.abs() % 60
                )
            }
            Some(StatedZone::Named(name)) => write!(f, " {name}"),
        }
    }
}

const WEEKDAYS: [&str; 7] = [
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
];
const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];
/// Hours east of Greenwich, of names that programs print; a name that two places share is not here.
const ZONES: &[(&str, i32)] = &[
    ("utc", 0),
    ("gmt", 0),
    ("z", 0),
    ("est", -5),
    ("edt", -4),
    ("cst", -6),
    ("cdt", -5),
    ("mst", -7),
    ("mdt", -6),
    ("pst", -8),
    ("pdt", -7),
    ("wet", 0),
    ("west", 1),
    ("cet", 1),
    ("cest", 2),
    ("eet", 2),
    ("eest", 3),
    ("msk", 3),
    ("sgt", 8),
    ("hkt", 8),
    ("jst", 9),
    ("kst", 9),
    ("aest", 10),
    ("aedt", 11),
    ("nzst", 12),
    ("nzdt", 13),
];
/// Zones that programs name by what stands before `time`: which offset holds depends on the day.
const PLACES: &[(&str, &str)] = &[
    ("pt", "america/los_angeles"),
    ("pacific", "america/los_angeles"),
    ("mountain", "america/denver"),
    ("ct", "america/chicago"),
    ("central", "america/chicago"),
    ("et", "america/new_york"),
    ("eastern", "america/new_york"),
];

/// The parts found so far.
#[derive(Default)]
struct Found {
    day: Option<Day>,
    time: Option<(i8, i8)>,
    zone: Option<StatedZone>,
    /// Whether `on` was read: what follows may be a day without a year.
    on: bool,
}

impl Found {
    /// Takes the part that the words begin with; returns how many of them it was.
    fn take(&mut self, words: &[&str]) -> Option<usize> {
        let word = trimmed(words.first()?);
        let next = words.get(1).map(|word| trimmed(word));
        if matches!(word, "at" | "on" | "of" | "the" | "today") {
            self.on |= word == "on";
            return Some(1);
        }
        if self.time.is_none()
            && let Some((time, used)) = time(word, next)
        {
            self.time = Some(time);
            return Some(used);
        }
        if let (10.., Ok(both)) = (word.len(), word.to_uppercase().parse::<civil::DateTime>()) {
            let (year, month, day) = (Some(both.year()), both.month(), both.day());
            self.day = Some(Day::Date { year, month, day });
            let stated = word.len() > 10;
            self.time = self.time.or(stated.then_some((both.hour(), both.minute())));
            return Some(1);
        }
        let found = day(word, next, words.get(2).copied());
        let found = found.or_else(|| self.on.then(|| month_and_day(word)).flatten());
        // `Sun, 22 Nov`: the date says more than its weekday.
        let more = |day: Day| match self.day {
            None => true,
            Some(Day::Weekday(_)) => matches!(day, Day::Date { .. }),
            Some(_) => false,
        };
        if let Some((day, used)) = found.filter(|(day, _)| more(*day)) {
            self.day = Some(day);
            return Some(used);
        }
        if self.time.is_some() && self.zone.is_none() {
            self.zone = Some(zone(word)?);
            return Some(1);
        }
        None
    }
}

/// Reads `15:04`, `3:04:05`, `3pm`, `3 p.m.`, `noon`; a bare number is no time.
fn time(word: &str, next: Option<&str>) -> Option<((i8, i8), usize)> {
    match word {
        "noon" => return Some(((12, 0), 1)),
        "midnight" => return Some(((0, 0), 1)),
        _ => {}
    }
    let letters = word.find(|c: char| c.is_ascii_alphabetic());
    let (digits, inside) = word.split_at(letters.unwrap_or(word.len()));
    let half = |text: &str| match text.replace('.', "").as_str() {
        "am" => Some(0),
        "pm" => Some(12),
        _ => None,
    };
    let (half, used) = match (inside, next.and_then(half)) {
        ("", Some(half)) => (Some(half), 2),
        ("", None) => (None, 1),
        (inside, _) => (Some(half(inside)?), 1),
    };
    let mut parts = digits.split(':');
    let hour: i8 = parts.next()?.parse().ok()?;
    let minute: Option<i8> = parts.next().map(|m| m.parse().ok()).unwrap_or(None);
    if minute.is_none() && (half.is_none() || digits.contains(':')) {
        return None;
    }
    let hour = match half {
        Some(_) if !(1..=12).contains(&hour) => return None,
        Some(half) => hour % 12 + half,
        None => hour,
    };
    let minute = minute.unwrap_or(0);
    let valid = (0..24).contains(&hour) && (0..60).contains(&minute);
    valid.then_some(((hour, minute), used))
}

/// Reads `tomorrow`, `monday`, `Nov 24th 2026`, `24 Nov`, `1st of December`, `11/24/2026`.
fn day(word: &str, next: Option<&str>, third: Option<&str>) -> Option<(Day, usize)> {
    if word == "tomorrow" {
        return Some((Day::Tomorrow, 1));
    }
    let one_of = |names: &[&str], word: &str| {
        let found = names.iter().position(|name| name.starts_with(word));
        found.filter(|_| word.len() >= 3)
    };
    let number = |text: &str| -> Option<i8> {
        let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        digits.parse().ok().filter(|day| (1..=31).contains(day))
    };
    let year =
        |text: &str| -> Option<i16> { text.parse().ok().filter(|y| (2000..3000).contains(y)) };
    let with_year = |month: usize, day: i8| {
        let year = third.and_then(|third| year(trimmed(third)));
        let month = i8::try_from(month).ok()? + 1;
        Some((
            Day::Date { year, month, day },
            2 + usize::from(year.is_some()),
        ))
    };
    if let Some(month) = one_of(&MONTHS, word) {
        return with_year(month, number(next?)?);
    }
    if let Some(place) = one_of(&WEEKDAYS, word) {
        let weekday = Weekday::from_monday_zero_offset(i8::try_from(place).ok()?).ok()?;
        return Some((Day::Weekday(weekday), 1));
    }
    let parts: Vec<&str> = word.split(['/', '.']).collect();
    if let [first, second, third] = parts[..] {
        // `11/24/2026`, `2026/11/24`, and `24.11.2026`, whose points put the day first.
        let (stated, month, day) = match (year(first), word.contains('.')) {
            (Some(year), _) => (Some(year), second, third),
            (None, true) => (year(third), second, first),
            (None, false) => (year(third), first, second),
        };
        let (year, month, day) = (Some(stated?), month.parse().ok()?, number(day)?);
        return Some((Day::Date { year, month, day }, 1));
    }
    if let (Some("of"), Some(month)) = (next, third) {
        let month = i8::try_from(one_of(&MONTHS, trimmed(month))?).ok()? + 1;
        let (year, day) = (None, number(word)?);
        return Some((Day::Date { year, month, day }, 3));
    }
    with_year(one_of(&MONTHS, next?)?, number(word)?)
}

/// Reads `12/01`, as month and day with two digits each.
fn month_and_day(word: &str) -> Option<(Day, usize)> {
    let (month, day) = word.split_once('/')?;
    let both = |part: &str| (part.len() == 2).then(|| part.parse::<i8>().ok()).flatten();
    let (month, day) = (both(month)?, both(day)?);
    let valid = (1..=12).contains(&month) && (1..=31).contains(&day);
    let year = None;
    valid.then_some((Day::Date { year, month, day }, 1))
}

/// Reads `utc`, `pst`, `utc+2`, `+02:00`, `europe/berlin`.
fn zone(word: &str) -> Option<StatedZone> {
    if let Some((_, hours)) = ZONES.iter().find(|(name, _)| *name == word) {
        return Some(StatedZone::Offset(hours * 60));
    }
    if let Some((_, place)) = PLACES.iter().find(|(name, _)| *name == word) {
        return Some(StatedZone::Named((*place).to_owned()));
    }
    let named = word.contains('/')
        && word
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "/_-+".contains(c));
    if named {
        return Some(StatedZone::Named(word.to_owned()));
    }
    let east = word.trim_start_matches("utc").trim_start_matches("gmt");
    let sign = match east.chars().next()? {
        '+' => 1,
        '-' => -1,
        _ => return None,
    };
    let (hours, minutes) = east[1..].split_once(':').unwrap_or((&east[1..], "0"));
    let (hours, minutes): (i32, i32) = (hours.parse().ok()?, minutes.parse().ok()?);
    (hours <= 14 && minutes < 60).then_some(StatedZone::Offset(sign * (hours * 60 + minutes)))
}
