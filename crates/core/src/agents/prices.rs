//! List prices, for agents that count tokens and name no cost.
//!
//! The table is dated: a price that is not in it is unknown, never zero, and a cost that comes from
//! here says so. Subscriptions and discounts are the user's own affair.

use super::Usage;

/// The day on which the prices were taken from the vendors' lists.
pub const DATE: &str = "2025-11-15";

/// US dollars a million tokens: input, cached input, output.
struct Price {
    /// The model's name up to its version or date.
    model: &'static str,
    input: f64,
    cached: f64,
    output: f64,
}

const fn price(model: &'static str, input: f64, cached: f64, output: f64) -> Price {
    Price {
        model,
        input,
        cached,
        output,
    }
}

/// Longer names first: the first that begins the model's name counts.
const TABLE: &[Price] = &[
    price("claude-opus-4-1", 15.0, 1.5, 75.0),
    price("claude-sonnet-4-5", 3.0, 0.3, 15.0),
    price("claude-sonnet-4", 3.0, 0.3, 15.0),
    price("claude-haiku-4-5", 1.0, 0.1, 5.0),
    price("gpt-5-mini", 0.25, 0.025, 2.0),
    price("gpt-5-nano", 0.05, 0.005, 0.4),
    price("gpt-5-codex", 1.25, 0.125, 10.0),
    price("gpt-5", 1.25, 0.125, 10.0),
    price("gpt-4.1-mini", 0.4, 0.1, 1.6),
    price("gpt-4.1", 2.0, 0.5, 8.0),
    price("gemini-2.5-flash-lite", 0.1, 0.01, 0.4),
    price("gemini-2.5-flash", 0.3, 0.03, 2.5),
    price("gemini-2.5-pro", 1.25, 0.125, 10.0),
];

/// Returns what `usage` costs on the list, or `None` if the model or the tokens are not known.
///
/// A name that goes on after the one in the table must go on with a date or `-latest`: `gpt-5.1` and
/// `gpt-5-pro` are models of their own, with prices of their own.
pub fn cost(model: &str, usage: &Usage) -> Option<f64> {
    let name = model.rsplit('/').next().unwrap_or(model).to_lowercase();
    let price = TABLE
        .iter()
        .find(|price| name.strip_prefix(price.model).is_some_and(is_version))?;
    let (input, output) = (usage.input_tokens?, usage.output_tokens?);
    let millions = |tokens: u64| tokens as f64 / 1e6;
    // A cache is written at a quarter more than the price of input, where that costs anything.
    let written = usage.cache_write.map_or(0.0, millions) * price.input * 1.25;
    Some(
        millions(input) * price.input
            + usage.cache_read.map_or(0.0, millions) * price.cached
            + written
            + millions(output) * price.output,
    )
}

fn is_version(rest: &str) -> bool {
    let dated = |rest: &str| {
        rest.starts_with('-')
            && rest.len() >= 9
            && rest.chars().all(|c| c == '-' || c.is_ascii_digit())
    };
    rest.is_empty() || rest == "-latest" || dated(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(model: &str, want: Option<f64>) {
        let usage = Usage {
            input_tokens: Some(1_000_000),
            output_tokens: Some(100_000),
            cache_read: Some(2_000_000),
            cache_write: None,
        };
        let got = cost(model, &usage);
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
            // Models of their own.
            ("gpt-5-pro", None),
            ("gpt-5.1", None),
            ("gpt-5.1-codex", None),
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
        assert_eq!(cost("gpt-5", &only_output), None);
        assert_eq!(cost("gpt-5", &Usage::default()), None);
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
}
