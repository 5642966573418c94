//! List prices, for agents that count tokens and name no cost.
//!
//! The table is dated: a price that is not in it is unknown, never zero, and a cost that comes from
//! here says so. A file of the user's own goes before it. Subscriptions and discounts are the user's own affair.

use super::Usage;
use crate::model::yaml::{self, Entry, Node};
use jiff::civil::Date;

/// The day on which the prices were taken from the vendors' lists.
pub(crate) const DATE: Date = jiff::civil::date(2025, 11, 15);

/// Prices that are older than so many days may have changed.
const FRESH_DAYS: i32 = 180;

/// A list of prices: the user's own before the one that is built in.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PriceList {
    own: Vec<OwnPrice>,
}

#[derive(Debug, Clone, PartialEq)]
struct OwnPrice {
    model: String,
    date: Date,
    price: Rates,
}

/// US dollars a million tokens.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Rates {
    input: f64,
    cached: f64,
    written: f64,
    output: f64,
}

/// A cost by a list, not by the program.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// What it comes to, in US dollars.
    pub usd: f64,
    /// The day of the list.
    pub date: Date,
}

impl Estimate {
    /// Returns how many days old the list is, where that is so long that it may be wrong.
    pub fn days_stale(&self, today: Date) -> Option<i32> {
        let age = today.since(self.date).ok()?.get_days();
        (age > FRESH_DAYS).then_some(age)
    }
}

impl PriceList {
    /// Reads the user's own list: `date`, and `models` with `input`, `output`, `cached` and `written` each, in US dollars
    /// a million tokens.
    pub fn parse(text: &str) -> Result<PriceList, String> {
        let (root, errors) = yaml::parse(text, 0);
        if let Some(error) = errors.first() {
            return Err(error.message.to_string());
        }
        let Some(root) = root.filter(|root| !root.is_null()) else {
            return Ok(PriceList::default());
        };
        let date = root
            .get("date")
            .and_then(|entry| entry.value.as_str()?.parse().ok());
        let date: Date = date.ok_or("`date` is the day the prices are of, as in 2026-11-22")?;
        let models = root.get("models").map(|entry| entry.value.entries());
        let own = models.unwrap_or_default().iter().map(|entry| {
            Ok(OwnPrice {
                model: entry.key.to_lowercase(),
                date,
                price: rates(entry)?,
            })
        });
        Ok(PriceList {
            own: own.collect::<Result<_, String>>()?,
        })
    }

    /// Returns what `usage` costs on the list, or `None` if the model or the tokens are not known.
    ///
    /// A name that goes on after the one in the list must go on with a date or `-latest`: `gpt-5.1` and
    /// `gpt-5-pro` are models of their own, with prices of their own.
    pub fn cost(&self, model: &str, usage: &Usage) -> Option<Estimate> {
        let model = model.to_lowercase();
        let name = model.rsplit('/').next().unwrap_or(&model);
        let is = |listed: &str, name: &str| name.strip_prefix(listed).is_some_and(is_version);
        let own = self
            .own
            .iter()
            .find(|own| is(&own.model, &model) || is(&own.model, name));
        let own = own.map(|own| (own.price, own.date));
        let listed = || {
            let price = TABLE.iter().find(|price| is(price.model, name))?;
            Some((price.rates(), DATE))
        };
        let (price, date) = own.or_else(listed)?;
        let usd = price.cost(usage)?;
        Some(Estimate { usd, date })
    }
}

impl Rates {
    fn cost(&self, usage: &Usage) -> Option<f64> {
        let (input, output) = (usage.input_tokens?, usage.output_tokens?);
        let millions = |tokens: u64| tokens as f64 / 1e6;
        Some(
            millions(input) * self.input
                + usage.cache_read.map_or(0.0, millions) * self.cached
                + usage.cache_write.map_or(0.0, millions) * self.written
                + millions(output) * self.output,
        )
    }
}

/// Reads the prices of a model.
fn rates(model: &Entry) -> Result<Rates, String> {
    let number = |key: &str| -> Result<Option<f64>, String> {
        let value = |node: &Node| node.as_str().and_then(|text| text.parse::<f64>().ok());
        match model.value.get(key).map(|entry| value(&entry.value)) {
            Some(Some(price)) if price.is_finite() && price >= 0.0 => Ok(Some(price)),
            Some(_) => Err(format!(
                "`{key}` of `{}` is a number of US dollars",
                model.key
            )),
            None => Ok(None),
        }
    };
    let required = |key: &str| number(key)?.ok_or(format!("`{}` has no `{key}`", model.key));
    let input = required("input")?;
    Ok(Rates {
        input,
        output: required("output")?,
        cached: number("cached")?.unwrap_or(input),
        written: number("written")?.unwrap_or(input * WRITTEN),
    })
}

/// A cache is written at a quarter more than the price of input, where that costs anything.
const WRITTEN: f64 = 1.25;

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

impl Price {
    fn rates(&self) -> Rates {
        Rates {
            input: self.input,
            cached: self.cached,
            written: self.input * WRITTEN,
            output: self.output,
        }
    }
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
            ("gpt-5-mini", Some((0.7875, "2025-11-15"))),
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
}
