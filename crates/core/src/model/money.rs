//! US dollars as people read them: unknown is never zero, and a sum is not rounded away from its limit.

/// Most decimals of an amount.
const MOST_DECIMALS: usize = 6;

/// Returns an amount: two decimals, more only where a positive one would look like nothing.
pub fn usd(amount: f64) -> String {
    let enough = |decimals: &usize| amount == 0.0 || rounded(amount, *decimals) != 0.0;
    let decimals = (2..=MOST_DECIMALS).find(enough).unwrap_or(2);
    with_decimals(amount, decimals)
}

/// Returns an amount, or that it is unknown.
pub fn usd_or_unknown(amount: Option<f64>) -> String {
    amount.map_or_else(|| "unknown".to_owned(), usd)
}

/// Returns an amount and its limit with so many decimals that they differ on paper as they do in fact.
pub fn usd_of_limit(amount: f64, limit: f64) -> (String, String) {
    let honest = |decimals: &usize| {
        let (a, l) = (rounded(amount, *decimals), rounded(limit, *decimals));
        let same_order = a.partial_cmp(&l) == amount.partial_cmp(&limit);
        let shown = rounded(a - l, *decimals);
        same_order && shown == rounded(amount - limit, *decimals)
    };
    let decimals = (2..=MOST_DECIMALS).find(honest).unwrap_or(2);
    (
        with_decimals(amount, decimals),
        with_decimals(limit, decimals),
    )
}

fn rounded(amount: f64, decimals: usize) -> f64 {
    let unit = 10f64.powi(decimals as i32);
    (amount * unit).round() / unit
}

fn with_decimals(amount: f64, decimals: usize) -> String {
    // Adding zero turns a negative zero, which is what nothing sums up to, into zero.
    format!("${:.decimals$}", rounded(amount, decimals) + 0.0)
}

/// A sum of costs of which some may be unknown.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct KnownCost {
    /// The sum of those that are known; none when none is.
    pub usd: Option<f64>,
    /// How many are unknown.
    pub unknown: usize,
}

impl KnownCost {
    /// Adds up what is known, and counts what is not.
    pub fn sum(costs: impl IntoIterator<Item = Option<f64>>) -> KnownCost {
        let mut sum = KnownCost::default();
        for cost in costs {
            match cost {
                Some(cost) => sum.usd = Some(sum.usd.unwrap_or(0.0) + cost),
                None => sum.unknown += 1,
            }
        }
        sum
    }

    /// Returns true when nothing was added up.
    pub fn is_empty(&self) -> bool {
        self.usd.is_none() && self.unknown == 0
    }
}

impl std::fmt::Display for KnownCost {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.usd, self.unknown) {
            (None, 0) => f.write_str("–"),
            (None, _) => f.write_str("unknown"),
            (Some(sum), 0) => f.write_str(&usd(sum)),
            (Some(sum), _) => write!(f, "≥{}", usd(sum)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_amount_is_neither_nothing_nor_negative_nothing_when_it_is_something() {
        for (amount, wanted) in [
            (0.0, "$0.00"),
            (-0.0, "$0.00"),
            (-0.001, "$-0.001"),
            (0.004, "$0.004"),
            (0.00042, "$0.0004"),
            (0.01, "$0.01"),
            (12.345, "$12.35"),
        ] {
            assert_eq!(usd(amount), wanted);
        }
        assert_eq!(usd_or_unknown(None), "unknown");
    }

    #[test]
    fn an_amount_is_rounded_with_its_limit() {
        for (amount, limit, wanted) in [
            (2.0, 2.0, ("$2.00", "$2.00")),
            (4.015, 4.0149, ("$4.0150", "$4.0149")),
            (4.0151, 4.0149, ("$4.0151", "$4.0149")),
            (4.014, 4.015, ("$4.014", "$4.015")),
            (5.25, 5.0, ("$5.25", "$5.00")),
            (0.1 + 0.2, 0.3, ("$0.30", "$0.30")),
        ] {
            let (a, l) = usd_of_limit(amount, limit);
            assert_eq!((a.as_str(), l.as_str()), wanted);
        }
    }

    #[test]
    fn a_sum_shows_what_it_does_not_know() {
        for (costs, wanted) in [
            (vec![], "–"),
            (vec![None, None], "unknown"),
            (vec![Some(1.0), None], "≥$1.00"),
            (vec![Some(0.0)], "$0.00"),
            (vec![Some(1.0), Some(0.5)], "$1.50"),
        ] {
            assert_eq!(KnownCost::sum(costs).to_string(), wanted);
        }
    }
}
