//! A unit's figures as its file has them: since it was armed, and over its life. Unknown stays unknown.

use crate::engine::attempt_record::AttemptRecord;
use crate::model::edit::KeyEdit;
use crate::model::frontmatter::Spanned;
use crate::model::unit::Unit;

/// A unit's figures since it was armed, and over its life when it was armed more than once.
pub(super) struct UnitFigures {
    attempts: String,
    pub(super) cost: Option<String>,
    input: Option<String>,
    output: Option<String>,
    duration: String,
    cumulative: Vec<(&'static str, String)>,
}

impl UnitFigures {
    pub(super) fn of(unit: &Unit, attempts: &[&AttemptRecord]) -> UnitFigures {
        let total = |f: &dyn Fn(&AttemptRecord) -> Option<f64>| {
            attempts.iter().map(|a| f(a)).fold(None, sum)
        };
        let tokens = |f: &dyn Fn(&AttemptRecord) -> Option<u64>| {
            attempts
                .iter()
                .map(|a| f(a))
                .fold(None, |acc: Option<u64>, v| sum(acc, v))
        };
        let cost = total(&|a| a.figures.cost_usd);
        let duration = total(&|a| Some(a.figures.duration_seconds)).unwrap_or(0.0);
        let input = tokens(&|a| a.figures.input_tokens);
        let output = tokens(&|a| a.figures.output_tokens);
        let f = &unit.front;
        let mut cumulative = Vec::new();
        if unit.re_arm_count() > 0 {
            let before = |key: &Option<Spanned<f64>>| key.as_ref().map(|v| v.value);
            let whole = |key: &Option<Spanned<u64>>| key.as_ref().map(|v| v.value);
            cumulative = [
                (
                    "cumulative_cost_usd",
                    sum(before(&f.cumulative_cost_usd), cost).map(money),
                ),
                (
                    "cumulative_duration_seconds",
                    sum(before(&f.cumulative_duration_seconds), Some(duration)).map(seconds),
                ),
                (
                    "cumulative_input_tokens",
                    sum(whole(&f.cumulative_input_tokens), input).map(|n| n.to_string()),
                ),
                (
                    "cumulative_output_tokens",
                    sum(whole(&f.cumulative_output_tokens), output).map(|n| n.to_string()),
                ),
            ]
            .into_iter()
            .filter_map(|(key, value)| Some((key, value?)))
            .collect();
        }
        UnitFigures {
            attempts: attempts.len().to_string(),
            cost: cost.map(money),
            input: input.map(|n| n.to_string()),
            output: output.map(|n| n.to_string()),
            duration: seconds(duration),
            cumulative,
        }
    }

    pub(super) fn changes(&self) -> Vec<(&'static str, KeyEdit<'_>)> {
        let mut changes = vec![
            ("attempts", KeyEdit::Raw(self.attempts.as_str())),
            ("duration_seconds", KeyEdit::Raw(self.duration.as_str())),
        ];
        for (key, value) in [
            ("cost_usd", &self.cost),
            ("input_tokens", &self.input),
            ("output_tokens", &self.output),
        ] {
            if let Some(value) = value {
                changes.push((key, KeyEdit::Raw(value)));
            }
        }
        changes.extend(
            self.cumulative
                .iter()
                .map(|(key, value)| (*key, KeyEdit::Raw(value.as_str()))),
        );
        changes
    }
}

/// Returns what the driver's figures add up to over all arms, as raw YAML.
pub(super) fn cumulative(unit: &Unit) -> Vec<(&'static str, String)> {
    let f = &unit.front;
    let float = |a: &Option<Spanned<f64>>, b: &Option<Spanned<f64>>| {
        most(a.as_ref().map(|v| v.value), b.as_ref().map(|v| v.value))
    };
    let whole = |a: &Option<Spanned<u64>>, b: &Option<Spanned<u64>>| {
        most(a.as_ref().map(|v| v.value), b.as_ref().map(|v| v.value))
    };
    [
        (
            "cumulative_cost_usd",
            float(&f.cumulative_cost_usd, &f.cost_usd).map(money),
        ),
        (
            "cumulative_duration_seconds",
            float(&f.cumulative_duration_seconds, &f.duration_seconds).map(seconds),
        ),
        (
            "cumulative_input_tokens",
            whole(&f.cumulative_input_tokens, &f.input_tokens).map(|n| n.to_string()),
        ),
        (
            "cumulative_output_tokens",
            whole(&f.cumulative_output_tokens, &f.output_tokens).map(|n| n.to_string()),
        ),
    ]
    .into_iter()
    .filter_map(|(key, value)| Some((key, value?)))
    .collect()
}

/// Returns the larger of what is known: what a parking added up already includes its own arm.
fn most<T: PartialOrd>(a: Option<T>, b: Option<T>) -> Option<T> {
    match (a, b) {
        (Some(a), Some(b)) => Some(if a < b { b } else { a }),
        (a, b) => a.or(b),
    }
}

/// Adds what is known; unknown stays unknown.
fn sum<T: std::ops::Add<Output = T>>(a: Option<T>, b: Option<T>) -> Option<T> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a + b),
        (a, b) => a.or(b),
    }
}

fn money(usd: f64) -> String {
    let text = format!("{usd:.6}");
    let text = text.trim_end_matches('0');
    if text.ends_with('.') {
        format!("{text}0")
    } else {
        text.to_owned()
    }
}

fn seconds(s: f64) -> String {
    format!("{s:.3}")
}
