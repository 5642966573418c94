//! The end of a limit in French, German and Spanish, put as English puts it: `réinitialisation à 15h`, `setzt um 15 Uhr
//! zurück`, `se restablece mañana a las 9:00`. The rest of such a sentence says nothing that is read.

use super::{trimmed, words};

/// Stems of words that tell of a limit's end, and of which language a text is.
const STEMS: &[&str] = &[
    "réinitialis",
    "réessay",
    "de nouveau disponible",
    "zurück",
    "erneut",
    "wieder verfügbar",
    "restablec",
    "reinici",
    "renueva",
    "intentar",
    "inténta",
    "inténte",
    "nuevo disponible",
];
/// Words before a time of day, and before a wait.
const AT: &[&str] = &["à", "vers", "um", "gegen", "las", "la"];
const IN: &[&str] = &["dans", "in", "en"];
/// Days and months, as English has them.
const DAYS: &[(&str, &str)] = &[
    ("demain|morgen|mañana", "tomorrow"),
    ("lundi|montag|lunes", "monday"),
    ("mardi|dienstag|martes", "tuesday"),
    ("mercredi|mittwoch|miércoles", "wednesday"),
    ("jeudi|donnerstag|jueves", "thursday"),
    ("vendredi|freitag|viernes", "friday"),
    ("samedi|samstag|sábado", "saturday"),
    ("dimanche|sonntag|domingo", "sunday"),
];
const MONTHS: &[(&str, &str)] = &[
    ("janvier|januar|enero", "january"),
    ("février|februar|febrero", "february"),
    ("mars|märz|marzo", "march"),
    ("avril|april|abril", "april"),
    ("mai|mayo", "may"),
    ("juin|juni|junio", "june"),
    ("juillet|juli|julio", "july"),
    ("août|august|agosto", "august"),
    ("septembre|september|septiembre", "september"),
    ("octobre|oktober|octubre", "october"),
    ("novembre|november|noviembre", "november"),
    ("décembre|dezember|diciembre", "december"),
];
const UNITS: &[(&str, &str)] = &[
    (
        "s|seconde|secondes|sekunde|sekunden|segundo|segundos",
        "seconds",
    ),
    ("min|minute|minutes|minuten|minuto|minutos", "minutes"),
    ("h|heure|heures|stunde|stunden|std|hora|horas", "hours"),
    ("j|jour|jours|tag|tage|tagen|día|días", "days"),
];

/// Returns what a text in small letters says of a limit's end; nothing where it is in none of these languages, or says
/// nothing.
pub(super) fn in_english(text: &str) -> Option<String> {
    if !STEMS.iter().any(|stem| text.contains(stem)) {
        return None;
    }
    let words: Vec<&str> = words(text).into_iter().map(trimmed).collect();
    let places = || (0..words.len()).map(|at| &words[at..]);
    let day = places().find_map(day).unwrap_or_default();
    let stated = places().find_map(clock).map(|(time, rest)| {
        let zone = rest.iter().find(|word| word.contains('/') || is_zone(word));
        format!("resets {day} at {time} {}", zone.unwrap_or(&""))
    });
    let stated = stated.or_else(|| {
        let wait = places().find_map(wait)?;
        Some(format!("resets in {wait}"))
    });
    stated.or_else(|| (!day.is_empty()).then(|| format!("resets on {day}")))
}

fn is_zone(word: &str) -> bool {
    ["utc", "gmt", "cet", "cest"].contains(&word)
}

fn translated<'t>(table: &'t [(&str, &str)], word: &str) -> Option<&'t str> {
    let names = |all: &str| all.split('|').any(|own| own == word);
    table
        .iter()
        .find(|(all, _)| names(all))
        .map(|(_, own)| *own)
}

/// Reads `demain`, `montag`, `24 novembre`, `24 de noviembre`.
fn day(words: &[&str]) -> Option<String> {
    if let Some(day) = translated(DAYS, words[0]) {
        return Some(day.to_owned());
    }
    let number: u8 = words[0].parse().ok()?;
    let month = words
        .get(1)
        .filter(|word| **word != "de")
        .or(words.get(2))?;
    Some(format!("{number} {}", translated(MONTHS, month)?))
}

/// Reads `à 15h30`, `um 15 uhr`, `a las 15:00`; returns what follows as well.
fn clock<'w>(words: &'w [&'w str]) -> Option<(String, &'w [&'w str])> {
    let (before, rest) = words.split_first()?;
    let (first, rest) = rest.split_first().filter(|_| AT.contains(before))?;
    let (hour, minute) = match first.split_once([':', 'h']) {
        Some((hour, minute)) => (hour, minute),
        None => (*first, ""),
    };
    let named = rest.first().filter(|word| ["uhr", "h"].contains(*word));
    let behind = named
        .and_then(|_| rest.get(1))
        .filter(|_| minute.is_empty());
    let behind = behind.and_then(|word| word.parse::<u8>().ok());
    let hour: u8 = hour.parse().ok().filter(|hour| *hour < 24)?;
    let minute: u8 = match minute {
        "" => behind.unwrap_or(0),
        minute => minute.parse().ok()?,
    };
    Some((format!("{hour}:{minute:02}"), rest))
}

/// Reads `dans 2 heures et 15 minutes`, `in 3 stunden`.
fn wait(words: &[&str]) -> Option<String> {
    let (_, rest) = words
        .split_first()
        .filter(|(before, _)| IN.contains(before))?;
    let mut parts = Vec::new();
    let mut rest = rest
        .iter()
        .filter(|word| !["et", "und", "y"].contains(word));
    while let (Some(number), Some(unit)) = (rest.next(), rest.next()) {
        let (Ok(number), Some(unit)) = (number.parse::<u32>(), translated(UNITS, unit)) else {
            break;
        };
        parts.push(format!("{number} {unit}"));
    }
    (!parts.is_empty()).then(|| parts.join(" "))
}
