//! List prices, for agents that count tokens and name no cost.
//!
//! The table is dated: a price that is not in it is unknown, never zero, and a cost that comes from
//! here says so. A file of the user's own goes before it. Subscriptions and discounts are the user's own affair.

mod price_table;

use super::Usage;
use crate::model::yaml::{self, Entry, Node};
use jiff::civil::Date;
use price_table::{DATE, Price, TABLE};

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
    pub(crate) date: Date,
}

/// How every note of an estimate begins.
const ESTIMATED: &str = "its cost is an estimate by the price list of ";

impl Estimate {
    /// Returns what a user should know of it.
    pub fn note(&self, today: Date) -> String {
        let stale = self.days_stale(today).map_or_else(String::new, |days| {
            format!(", which is {days} days old; newer prices go into `prices.yml` beside your configuration")
        });
        format!("{ESTIMATED}{}{stale}", self.date)
    }

    /// Returns whether a recorded note is one of [`Estimate::note`].
    pub(crate) fn is_note(text: &str) -> bool {
        text.starts_with(ESTIMATED)
    }

    /// Returns how many days old the list is, where that is so long that it may be wrong.
    fn days_stale(&self, today: Date) -> Option<i32> {
        let age = today.since(self.date).ok()?.get_days();
        (age > FRESH_DAYS).then_some(age)
    }
}

impl PriceList {
    /// Reads the user's own list: `date`, and `models` with `input`, `output`, `cached` and `written` each, in US dollars
    /// a million tokens.
    ///
    /// Fails, with what a user can mend, on text that is no YAML, a missing day and a price that is no number.
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
mod tests;
