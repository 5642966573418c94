//! What sessions on a model cost, by the log's own figures: US dollars for each token that they wrote.

use super::log_reader::LoggedAttempt;
use std::collections::BTreeMap;

/// The models of recorded attempts.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ModelRates {
    models: BTreeMap<String, ModelUse>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct ModelUse {
    attempts: u32,
    cost_usd: f64,
    output_tokens: u64,
}

impl ModelRates {
    /// Adds up attempts; one whose model, cost or tokens are not known says nothing.
    pub(crate) fn of<'a>(attempts: impl Iterator<Item = &'a LoggedAttempt>) -> ModelRates {
        let mut rates = ModelRates::default();
        for attempt in attempts {
            let known = (&attempt.model, attempt.cost_usd, attempt.output_tokens);
            if let (Some(model), Some(cost_usd), Some(tokens)) = known {
                let of_model = rates.models.entry(model.clone()).or_default();
                of_model.attempts += 1;
                of_model.cost_usd += cost_usd;
                of_model.output_tokens += tokens;
            }
        }
        rates
    }

    /// Returns the models whose cost is known, the most used one first.
    pub fn names(&self) -> Vec<&str> {
        let known = self
            .models
            .keys()
            .filter(|model| self.rate(model).is_some());
        let mut names: Vec<&str> = known.map(String::as_str).collect();
        names.sort_by_key(|name| std::cmp::Reverse(self.models[*name].attempts));
        names
    }

    /// Returns the ladder that is worth a look: the two models most used, the cheaper one first; nothing where there is
    /// only one.
    pub fn usual_ladder(&self) -> Option<Vec<String>> {
        let mut two: Vec<&str> = self.names().into_iter().take(2).collect();
        two.sort_by(|a, b| {
            self.rate(a)
                .unwrap_or(0.0)
                .total_cmp(&self.rate(b).unwrap_or(0.0))
        });
        (two.len() == 2).then(|| two.into_iter().map(str::to_owned).collect())
    }

    /// Returns what an attempt would have cost on another model; as it is where one of the two rates is not known.
    pub(crate) fn cost_on(&self, attempt: &LoggedAttempt, model: &str) -> Option<f64> {
        let cost = attempt.cost_usd?;
        let own = attempt.model.as_deref().and_then(|own| self.rate(own));
        Some(match own.zip(self.rate(model)) {
            Some((own, other)) => cost * other / own,
            None => cost,
        })
    }

    fn rate(&self, model: &str) -> Option<f64> {
        let used = self.models.get(model)?;
        let known = used.cost_usd > 0.0 && used.output_tokens > 0;
        known.then(|| used.cost_usd / used.output_tokens as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::log_reader::Log;
    use serde_json::json;

    /// Returns attempts: model, cost, tokens written.
    fn attempts(rows: &[(&str, Option<f64>, u64)]) -> Vec<LoggedAttempt> {
        let lines = rows.iter().map(|(model, cost, tokens)| {
            let line = json!({
                "timestamp": "t", "correlation_id": "F/T01", "event_type": "attempt_outcome",
                "payload": {"outcome": "passed", "model": model, "cost_usd": cost, "output_tokens": tokens},
            });
            format!("{line}\n")
        });
        Log::parse(lines.collect::<String>().as_bytes()).attempts()
    }

    #[test]
    fn an_attempt_costs_on_another_model_what_its_tokens_cost_there() {
        let all = attempts(&[
            ("small", Some(1.0), 100),
            ("small", Some(3.0), 100),
            ("big", Some(10.0), 100),
            ("odd", None, 100),
            ("free", Some(0.0), 100),
            ("", Some(5.0), 100),
        ]);
        let rates = ModelRates::of(all.iter());
        assert_eq!(rates.names(), ["small", "big"]);
        assert_eq!(rates.usual_ladder().unwrap(), ["small", "big"]);
        for (at, model, want) in [
            (0, "big", Some(5.0)),
            (0, "small", Some(1.0)),
            (2, "small", Some(2.0)),
            (2, "unheard", Some(10.0)),
            (3, "big", None),
            (4, "big", Some(0.0)),
            (5, "big", Some(5.0)),
        ] {
            assert_eq!(rates.cost_on(&all[at], model), want, "{at} {model}");
        }
    }

    #[test]
    fn the_usual_ladder_climbs_from_the_cheaper_of_the_two_most_used() {
        let all = attempts(&[
            ("big", Some(9.0), 10),
            ("big", Some(9.0), 10),
            ("tiny", Some(1.0), 100),
            ("small", Some(1.0), 10),
            ("small", Some(1.0), 10),
        ]);
        let rates = ModelRates::of(all.iter());
        assert_eq!(rates.usual_ladder().unwrap(), ["small", "big"]);
        assert_eq!(ModelRates::of(all[..2].iter()).usual_ladder(), None);
    }
}
