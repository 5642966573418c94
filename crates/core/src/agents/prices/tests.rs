use super::*;

fn check(model: &str, want: Option<f64>) {
    let usage = Usage {
        input_tokens: Some(1_000_000),
        output_tokens: Some(100_000),
        cache_read: Some(2_000_000),
        cache_write: None,
    };
    let got = PriceList::default()
        .cost(model, &usage)
        .map(|cost| cost.usd);
    match (got, want) {
        (Some(got), Some(want)) => assert!((got - want).abs() < 1e-9, "{model}: {got}"),
        _ => assert_eq!(got, want, "{model}"),
    }
}

#[test]
fn a_cost_is_on_the_list_or_unknown() {
    for (model, want) in [
        ("gpt-5-codex", Some(2.5)),
        ("openai/gpt-5", Some(2.5)),
        ("gpt-5-2025-08-07", Some(2.5)),
        ("claude-sonnet-4-5-20250929", Some(5.1)),
        ("Claude-Sonnet-4-5", Some(5.1)),
        ("gemini-2.5-flash-lite", Some(0.16)),
        ("gemini-2.5-flash-latest", Some(0.61)),
        ("claude-opus-5-5", Some(6.4)),
        ("gpt-5.6-sol", Some(6.8)),
        // Models of their own.
        ("gpt-5-pro", None),
        ("gpt-5.5-pro", None),
        ("claude-opus-5-1", None),
        ("my-gpt-5", None),
        ("fake-model", None),
        ("", None),
    ] {
        check(model, want);
    }
}

#[test]
fn unknown_tokens_cost_an_unknown_amount() {
    let only_output = Usage {
        output_tokens: Some(5),
        ..Usage::default()
    };
    let list = PriceList::default();
    assert_eq!(list.cost("gpt-5", &only_output), None);
    assert_eq!(list.cost("gpt-5", &Usage::default()), None);
}

#[test]
fn a_list_of_the_users_own_goes_first_and_has_its_own_date() {
    let list = "date: 2026-11-01\nmodels:\n  gpt-5: {input: 2, output: 20, cached: 1}\n  z-ai/glm-5: {input: 1, output: 2}\n";
    let list = PriceList::parse(list).unwrap();
    let usage = Usage {
        input_tokens: Some(1_000_000),
        output_tokens: Some(100_000),
        cache_read: Some(1_000_000),
        cache_write: Some(1_000_000),
    };
    for (model, want) in [
        ("gpt-5", Some((7.5, "2026-11-01"))),
        ("openai/gpt-5-2026-10-01", Some((7.5, "2026-11-01"))),
        ("z-ai/glm-5", Some((3.45, "2026-11-01"))),
        ("gpt-5-mini", Some((0.7875, "2026-11-22"))),
        ("glm-9", None),
    ] {
        let got = list.cost(model, &usage);
        let got = got.map(|cost| ((cost.usd * 1e6).round() / 1e6, cost.date.to_string()));
        assert_eq!(
            got,
            want.map(|(usd, date)| (usd, date.to_owned())),
            "{model}"
        );
    }
    assert_eq!(PriceList::parse(""), Ok(PriceList::default()));
    for (text, want) in [
        ("models: {}", "`date`"),
        ("date: soon", "`date`"),
        ("date: 2026-11-01\nmodels: {x: {input: 1}}", "no `output`"),
        (
            "date: 2026-11-01\nmodels: {x: {input: a, output: 1}}",
            "`input` of `x`",
        ),
        (
            "date: 2026-11-01\nmodels: {x: {input: -1, output: 1}}",
            "`input` of `x`",
        ),
        ("a: [", ""),
    ] {
        let error = PriceList::parse(text).unwrap_err();
        assert!(error.contains(want), "{text}: {error}");
    }
}

#[test]
fn a_list_that_is_half_a_year_old_is_stale() {
    let estimate = |date: &str| Estimate {
        usd: 1.0,
        date: date.parse().unwrap(),
    };
    let today = jiff::civil::date(2026, 11, 22);
    assert_eq!(estimate("2026-06-01").days_stale(today), None);
    assert_eq!(estimate("2026-05-26").days_stale(today), None);
    assert_eq!(estimate("2026-05-25").days_stale(today), Some(181));
    assert_eq!(estimate("2027-01-01").days_stale(today), None);
}

#[test]
fn no_entry_hides_another() {
    for (place, price) in TABLE.iter().enumerate() {
        let found = TABLE.iter().position(|other| {
            price
                .model
                .strip_prefix(other.model)
                .is_some_and(is_version)
        });
        assert_eq!(found, Some(place), "{}", price.model);
    }
}
