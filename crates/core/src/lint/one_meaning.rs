//! What a value or a line that was written wrongly can only mean: for fixes that guess nothing.

use crate::diagnostic::Span;
use crate::model::frontmatter::parse_duration;
use crate::model::id::{FeatureId, UnitId};

/// Returns the duration that a number with a unit in words is: `30 minutes`, `1 hr`.
pub(super) fn duration(written: &str) -> Option<String> {
    let written = unquoted(written).to_lowercase();
    let mut rest = written.trim();
    let mut found = String::new();
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit())?;
        let (number, behind) = rest.split_at(digits);
        let behind = behind.trim_start();
        let end = behind.find(|c: char| !c.is_ascii_alphabetic());
        let (unit, more) = behind.split_at(end.unwrap_or(behind.len()));
        if matches!(unit, "d" | "day" | "days") {
            let hours = number.parse::<u32>().ok()?.checked_mul(24)?;
            found.push_str(&format!("{hours}h"));
            rest = more.trim_start();
            continue;
        }
        let unit = match unit {
            "s" | "sec" | "secs" | "second" | "seconds" => 's',
            "m" | "min" | "mins" | "minute" | "minutes" => 'm',
            "h" | "hr" | "hrs" | "hour" | "hours" => 'h',
            _ => return None,
        };
        found.push_str(number);
        found.push(unit);
        rest = more.trim_start();
    }
    parse_duration(&found).map(|_| found)
}

/// Returns the number that an amount with a sign of dollars is: `$2.50`, `3 USD`.
pub(super) fn dollars(written: &str) -> Option<String> {
    let written = unquoted(written).to_uppercase();
    let bare = written
        .trim_matches(|c: char| c == '$' || c.is_whitespace())
        .trim_start_matches("USD")
        .trim_end_matches("USD")
        .trim();
    let is_number = bare.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    (is_number && bare.parse::<f64>().is_ok()).then(|| bare.to_owned())
}

/// Returns the whole number that stands in quotes.
pub(super) fn digits(written: &str) -> Option<String> {
    let bare = unquoted(written).trim();
    let is_number = bare.bytes().all(|b| b.is_ascii_digit()) && bare.parse::<u32>().is_ok();
    is_number.then(|| bare.to_owned())
}

/// Returns a line of text in the quotes that YAML reads back as it stands.
pub(super) fn quoted(written: &str) -> Option<String> {
    let one_line = !written.contains(['\n', '\r']);
    one_line.then(|| format!("'{}'", written.replace('\'', "''")))
}

/// Returns the line for a shell that a list stands for: words of one command, or commands one after the other.
pub(super) fn joined(written: &str) -> Option<String> {
    let written = written.trim();
    let inner = written.strip_prefix('[').and_then(|w| w.strip_suffix(']'));
    let items: Vec<&str> = match inner {
        // A test of the shell is no list.
        Some(inner) if inner.starts_with(' ') && !inner.contains(',') => return None,
        Some(inner) => inner.split(',').map(unquoted).collect(),
        None => {
            let lines = written.lines().map(str::trim);
            let items = lines.map(|line| line.strip_prefix("- ").map(unquoted));
            items.collect::<Option<_>>()?
        }
    };
    let is_word = |item: &&str| !item.is_empty() && !item.contains([' ', '{', '[']);
    let are_words = inner.is_some() && items.iter().all(is_word);
    let line = items.join(if are_words { " " } else { " && " });
    (!line.is_empty() && !items.contains(&"") && !line.contains(": ")).then_some(line)
}

/// Returns the id of a feature that another spelling is: `feat-2026-0042`, `FEAT-2026-42`.
pub(super) fn feature_id(written: &str) -> Option<FeatureId> {
    let upper = written.trim().to_uppercase().replace(['_', ' '], "-");
    FeatureId::parse(&upper).or_else(|| {
        let (year, number) = upper.strip_prefix("FEAT-")?.split_once('-')?;
        let number: u16 = number.parse().ok()?;
        FeatureId::parse(&format!("FEAT-{year}-{number:04}"))
    })
}

/// Returns the id of a feature's unit that another spelling is: `T1`, `t01`, `FEAT-2026-0042-T01`.
pub(super) fn unit_id(written: &str, feature: &FeatureId) -> Option<UnitId> {
    let upper = written.trim().to_uppercase();
    let local = match upper.strip_prefix(feature.as_str()) {
        Some(rest) => rest.trim_start_matches(['/', '-', '_', '.', ' ', ':']),
        None => &upper,
    };
    feature.unit(local).or_else(|| {
        let number: u32 = local.strip_prefix('T')?.parse().ok()?;
        feature.unit(&format!("T{number:02}"))
    })
}

/// Returns what a plain value goes up to, where it is all that stands behind its key or dash.
pub(super) fn rest_of_value(text: &str, at: usize) -> Option<Span> {
    let start = text[..at].rfind('\n').map_or(0, |n| n + 1);
    let before = &text[start..at];
    let is_alone = before.ends_with(": ") || before.trim_start() == "- ";
    let line = text[at..].lines().next()?;
    let line = line.split(" #").next()?.trim_end();
    let plain = is_alone && !before.contains(['[', '{', '"', '\'']);
    plain.then(|| at..at + line.len())
}

fn unquoted(written: &str) -> &str {
    written.trim().trim_matches(['"', '\''])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_feature_s_id_may_be_spelt_otherwise() {
        for (written, want) in [
            ("feat-2026-0042", Some("FEAT-2026-0042")),
            ("FEAT_2026_0042", Some("FEAT-2026-0042")),
            ("FEAT-2026-42", Some("FEAT-2026-0042")),
            ("init-2026-0001/f02", Some("INIT-2026-0001/F02")),
            ("FEAT-26-42", None),
            ("export", None),
        ] {
            let found = feature_id(written);
            assert_eq!(found.as_ref().map(FeatureId::as_str), want, "{written}");
        }
    }

    #[test]
    fn words_for_units_of_time_are_durations() {
        for (written, want) in [
            ("30 minutes", Some("30m")),
            ("30min", Some("30m")),
            ("1 hour 30 mins", Some("1h30m")),
            ("\"90 sec\"", Some("90s")),
            ("1d", Some("24h")),
            ("2 days", Some("48h")),
            ("1 day 30 minutes", Some("24h30m")),
            ("1 day 2 hours", None),
            ("999999999 days", None),
            ("30", None),
            ("00:30:00", None),
            ("two hours", None),
            ("30 minutes 1 hour", None),
            ("", None),
        ] {
            assert_eq!(duration(written).as_deref(), want, "{written}");
        }
    }

    #[test]
    fn a_list_for_a_shell_is_one_line() {
        for (written, want) in [
            ("[cargo, test, --locked]", Some("cargo test --locked")),
            (
                "[npm ci, \"npm run build\"]",
                Some("npm ci && npm run build"),
            ),
            ("- npm ci\n  - npm test", Some("npm ci && npm test")),
            ("[ -f a.txt ]", None),
            ("{a: b}", None),
            ("[]", None),
        ] {
            assert_eq!(joined(written).as_deref(), want, "{written}");
        }
    }

    #[test]
    fn a_sign_of_dollars_says_nothing_new() {
        for (written, want) in [
            ("$2.50", Some("2.50")),
            ("3 USD", Some("3")),
            ("usd 3", Some("3")),
            ("'4$'", Some("4")),
            ("2,50", None),
            ("€2", None),
            ("-1", None),
            ("$", None),
        ] {
            assert_eq!(dollars(written).as_deref(), want, "{written}");
        }
        assert_eq!(digits("\"3\"").as_deref(), Some("3"));
        assert_eq!(digits("three"), None);
    }

    #[test]
    fn ids_in_another_spelling_are_the_features_own() {
        let feature = FeatureId::parse("FEAT-2026-0042").expect("an id");
        for (written, want) in [
            ("T01", Some("FEAT-2026-0042/T01")),
            ("t1", Some("FEAT-2026-0042/T01")),
            ("FEAT-2026-0042-T12", Some("FEAT-2026-0042/T12")),
            ("feat-2026-0042/t01", Some("FEAT-2026-0042/T01")),
            ("g1-close", Some("FEAT-2026-0042/G1-CLOSE")),
            ("FEAT-2026-0041/T1", None),
            ("WU-01", None),
        ] {
            let found = unit_id(written, &feature).map(|id| id.to_string());
            assert_eq!(found.as_deref(), want, "{written}");
        }
    }

    #[test]
    fn a_value_goes_to_the_end_of_its_line_unless_it_is_part_of_a_list() {
        for (text, at, want) in [
            ("run: *x y # z\n", 5, Some("*x y")),
            ("a:\n  - **/*.sh\n", 7, Some("**/*.sh")),
            ("a: [*x, y]\n", 4, None),
            ("a: \"*x\"\n", 4, None),
        ] {
            let found = rest_of_value(text, at).map(|span| &text[span]);
            assert_eq!(found, want, "{text}");
        }
        assert_eq!(quoted("! grep 'a'").as_deref(), Some("'! grep ''a'''"));
        assert_eq!(quoted("a\nb"), None);
    }
}
