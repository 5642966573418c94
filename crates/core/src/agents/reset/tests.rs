use super::*;

const NOW: &str = "2026-11-22T09:40:00Z";

/// The machine of these tests is two hours east of Greenwich, and knows Berlin and Los Angeles in winter.
fn zones(name: Option<&str>) -> Option<TimeZone> {
    let hours = match name {
        None => 2,
        Some("europe/berlin") => 1,
        Some("america/los_angeles") => -8,
        Some(_) => return None,
    };
    Some(TimeZone::fixed(jiff::tz::offset(hours)))
}

/// The moment a sentence states, seen at `NOW`; empty for none.
fn check(text: &str, want: &str) {
    let now: Timestamp = NOW.parse().unwrap();
    let got = Reset::in_text(text).and_then(|reset| reset.wait(now, &zones));
    let got = got.map(|wait| now.saturating_add(wait).unwrap().to_string());
    assert_eq!(got.unwrap_or_default(), want, "{text}");
}

#[test]
fn a_wait_is_read_in_every_form() {
    for (text, seconds) in [
        ("Please try again in 1.5s.", 2),
        ("Try again in 2 days 3 hours 5 minutes.", 183_900),
        ("try again in 2h 5m", 7500),
        ("Your quota will reset after 3h20m5s.", 12_005),
        ("Please retry in 18h2m5.25s.", 64_926),
        ("retry-after: 30", 30),
        ("retry after 30", 30),
        ("{\"retryDelay\":\"43s\"}", 43),
        ("{\"retry_after\":12}", 12),
        (
            "{\"type\":\"usage_limit_reached\",\"resets_in_seconds\":4500}",
            4500,
        ),
        (
            "{\"resets_in_seconds\": 4500, \"plan_type\": \"plus\"}",
            4500,
        ),
        (
            "{\\\"retry-after\\\":\\\"3600\\\",\\\"date\\\":\\\"x\\\"}",
            3600,
        ),
        ("retry in 1 hour, 4 minutes and 3 seconds", 3843),
        ("try again in an hour", 3600),
        ("try again in a minute.", 60),
        ("limit resets in ~45m", 2700),
        ("Your limit resets in 6 days", 518_400),
        ("retry after PT1H30M", 5400),
        ("Quota will be replenished in 01:23:45.", 5025),
        ("Quota will be replenished in 11.04:12:30.", 965_550),
        ("try again in 0:45", 2700),
    ] {
        assert_eq!(Reset::in_text(text), Some(Reset::After(seconds)), "{text}");
    }
}

#[test]
fn a_clock_is_read_with_and_without_its_day_and_its_zone() {
    for (text, want) in [
        // It is 11:40 on the machine's own clock.
        ("resets 24.11.2026 09:00", "2026-11-24T07:00:00Z"),
        ("resets 2026/11/24 09:00", "2026-11-24T07:00:00Z"),
        ("resets 11/24/2026 09:00", "2026-11-24T07:00:00Z"),
        ("resets on the 1st of December", "2026-11-30T22:00:00Z"),
        ("or try again at 5:44 AM.", "2026-11-23T03:44:00Z"),
        ("or try again at 5:44 PM.", "2026-11-22T15:44:00Z"),
        ("limit reached ∙ resets 3pm", "2026-11-22T13:00:00Z"),
        (
            "You've hit your limit · resets 3pm (America/Los_Angeles)",
            "2026-11-22T23:00:00Z",
        ),
        (
            "session limit · resets 5:30pm (Europe/Berlin)",
            "2026-11-22T16:30:00Z",
        ),
        ("resets 12am (Europe/Berlin)", "2026-11-22T23:00:00Z"),
        ("resets 12:30 p.m. PST", "2026-11-22T20:30:00Z"),
        ("try again at 15:04 UTC", "2026-11-22T15:04:00Z"),
        ("try again after 15:04 (UTC+2)", "2026-11-22T13:04:00Z"),
        ("available again at 9:00 -05:00", "2026-11-22T14:00:00Z"),
        // Just past is now; longer past is tomorrow.
        ("resets 9:35 UTC", "2026-11-22T09:40:01Z"),
        ("resets 9:20 UTC", "2026-11-23T09:20:00Z"),
        ("resets tomorrow at 8am UTC", "2026-11-23T08:00:00Z"),
        (
            "weekly limit reached, resets Mon 12:00 AM (UTC)",
            "2026-11-23T00:00:00Z",
        ),
        ("resets Sunday at 8:00 UTC", "2026-11-29T08:00:00Z"),
        (
            "or try again at Nov 24th, 2026 5:44 AM.",
            "2026-11-24T03:44:00Z",
        ),
        (
            "limit reached · resets Dec 9 at 3pm (UTC)",
            "2026-12-09T15:00:00Z",
        ),
        ("resets Nov 21 at 3pm (UTC)", "2026-11-22T09:40:01Z"),
        ("resets 2 January at 3pm (UTC)", "2027-01-02T15:00:00Z"),
        (
            "You will regain access on 2026-12-01 at 00:00 UTC.",
            "2026-12-01T00:00:00Z",
        ),
        (
            "Your usage limits will reset when your cycle ends; available on 12/3/2026",
            "2026-12-02T22:00:00Z",
        ),
        (
            "it resets at 2026-11-22T12:00:00+02:00.",
            "2026-11-22T10:00:00Z",
        ),
        ("until 2026-11-22t12:00:00z", "2026-11-22T12:00:00Z"),
        (
            "Claude AI usage limit reached|1795316400",
            "2026-11-22T09:40:01Z",
        ),
        ("resets at: 1795345200", "2026-11-22T11:00:00Z"),
        (
            "{\"type\":\"usage_limit_reached\",\"resets_at\":1795345200}",
            "2026-11-22T11:00:00Z",
        ),
    ] {
        check(text, want);
    }
}

#[test]
fn an_end_is_read_in_other_languages() {
    for (text, want) in [
        (
            "Limite atteinte · réinitialisation à 15h",
            "2026-11-22T13:00:00Z",
        ),
        (
            "Limite atteinte · réinitialisation à 15h30 (Europe/Berlin)",
            "2026-11-22T14:30:00Z",
        ),
        (
            "Votre limite sera réinitialisée demain à 9 h 05.",
            "2026-11-23T07:05:00Z",
        ),
        ("Réessayez vers 15:04 UTC", "2026-11-22T15:04:00Z"),
        (
            "Réessayez dans 2 heures et 15 minutes.",
            "2026-11-22T11:55:00Z",
        ),
        (
            "Elle se réinitialise le 24 novembre à 15h.",
            "2026-11-24T13:00:00Z",
        ),
        ("Das Limit setzt um 15 Uhr zurück", "2026-11-22T13:00:00Z"),
        (
            "Das Limit wird um 15 Uhr 30 (Europe/Berlin) zurückgesetzt.",
            "2026-11-22T14:30:00Z",
        ),
        (
            "Am Montag gegen 9:00 Uhr wieder verfügbar",
            "2026-11-23T07:00:00Z",
        ),
        (
            "Versuchen Sie es in 3 Stunden erneut",
            "2026-11-22T12:40:00Z",
        ),
        ("Se restablece a las 15:00", "2026-11-22T13:00:00Z"),
        (
            "Tu límite se reinicia mañana a la 1:30",
            "2026-11-22T23:30:00Z",
        ),
        ("Inténtalo de nuevo en 45 minutos", "2026-11-22T10:25:00Z"),
        (
            "Se restablece el 24 de noviembre a las 8:00.",
            "2026-11-24T06:00:00Z",
        ),
        ("Das Limit wird zurückgesetzt", ""),
        ("Réessayez plus tard", ""),
        ("um 15 Uhr", ""),
    ] {
        check(text, want);
    }
}

#[test]
fn what_states_no_time_has_none() {
    for text in [
        "",
        "rate limit; try again in 900 days",
        "try again later",
        "Please try again in a few minutes.",
        "resets 3pm (Atlantis/Capital)",
        "resets 13pm",
        "resets at 25:00",
        "resets 3",
        "retry 2/5",
        "exceeded retry limit, last status: 429 Too Many Requests, request id: r_1",
        "retried 5 times (total retry wait time: 5.00 seconds)",
        "Attempt 3 failed with status 429. Retrying with backoff...",
        "the cache was reset; 404 files",
        "resets 2 frobs",
    ] {
        check(text, "");
    }
}

#[test]
fn a_moment_is_read_in_every_form_that_names_its_zone() {
    let at = Some(Reset::At(1_795_316_400));
    for (text, want) in [
        ("30", Some(Reset::After(30))),
        ("1.2", Some(Reset::After(2))),
        ("0", Some(Reset::After(0))),
        ("-5", None),
        ("nan", None),
        ("soon", None),
        ("", None),
        ("1795316400", at.clone()),
        ("1795316400000", at.clone()),
        ("Sun, 22 Nov 2026 03:00:00 GMT", at.clone()),
        ("2026-11-22T03:00:00Z", at.clone()),
        ("2026-11-22T05:00:00+02:00", at.clone()),
        ("2026-11-21T22:00:00.500-05:00", at.clone()),
        ("2026-11-22 03:00", None),
    ] {
        assert_eq!(Reset::named(text), want, "{text}");
    }
}

#[test]
fn what_a_clock_shows_is_written_as_it_is_read() {
    for text in [
        "05:44",
        "tomorrow 00:30",
        "mon 12:00 +00:00",
        "nov 24 2026 15:04 europe/berlin",
        "dec 9 03:00 -08:30",
    ] {
        let clock = ClockTime::parse(text).expect(text);
        assert_eq!(clock.to_string(), text);
    }
}

#[test]
fn a_clock_without_a_zone_is_that_of_the_machine_that_states_it() {
    let now = NOW.parse().unwrap();
    for (text, minutes, want) in [
        ("resets 3pm", 0, "resets 3pm (UTC+0)"),
        ("resets 3pm", -8 * 60, "resets 3pm (UTC-8)"),
        (
            "resets 3pm (Europe/Berlin)",
            0,
            "resets 3pm (Europe/Berlin)",
        ),
        ("try again in 2h", 0, "try again in 2h"),
    ] {
        let stated = Reset::in_text(text).unwrap().stated_in_zone(minutes);
        let want = Reset::in_text(want).unwrap();
        assert_eq!(stated.wait(now, &zones), want.wait(now, &zones), "{text}");
    }
}
