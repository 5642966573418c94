//! What a unit will likely take, from the finished units of the same repository: attempts, money and time, each with the
//! range in which four of five such units ended.

use super::log_reader::Log;
use crate::model::feature::Feature;
use crate::model::layout;
use crate::model::status_machine::UnitStatus;
use crate::model::unit::{Unit, UnitType};
use serde::Serialize;

/// Fewer finished units than this say nothing.
pub const LEAST_HISTORY: usize = 8;

/// What one finished unit took.
#[derive(Debug, Clone, PartialEq)]
pub struct FinishedUnit {
    kind: UnitType,
    length: usize,
    attempts: f64,
    cost_usd: Option<f64>,
    seconds: f64,
}

/// Four of five values lie between the ends.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct LikelyRange {
    /// One of ten is below.
    pub low: f64,
    /// As many are below as above.
    pub middle: f64,
    /// One of ten is above.
    pub high: f64,
}

/// What a unit will likely take.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Forecast {
    /// How many finished units it is made from.
    pub units: usize,
    /// How many sessions there will likely be.
    pub attempts: LikelyRange,
    /// US dollars; none where too few units have a known cost.
    pub cost_usd: Option<LikelyRange>,
    /// How long they will likely take, together.
    pub seconds: LikelyRange,
}

/// Returns what the finished units of a feature took, by its log.
pub fn finished(feature: &Feature) -> Vec<FinishedUnit> {
    let log = feature.others.get(layout::EVENTS);
    let attempts = log.map_or_else(Vec::new, |bytes| Log::parse(bytes).attempts());
    let done = feature.members().filter(|m| m.status() == UnitStatus::Done);
    let units = done.filter_map(|m| {
        let unit = m.unit?;
        let own: Vec<_> = attempts.iter().filter(|a| a.unit == m.id()).collect();
        let costs: Option<Vec<f64>> = own.iter().map(|a| a.cost_usd).collect();
        (!own.is_empty()).then(|| FinishedUnit {
            kind: m.unit_type(),
            length: length(unit),
            attempts: own.len() as f64,
            cost_usd: costs.map(|all| all.iter().sum()),
            seconds: own.iter().filter_map(|a| a.seconds).sum(),
        })
    });
    units.collect()
}

/// Returns how many finished units there are of a unit's type.
pub fn of_type(unit: &Unit, history: &[FinishedUnit]) -> usize {
    let alike = history.iter().filter(|h| h.kind == unit.unit_type());
    alike.count()
}

/// Returns what a unit will likely take: as the finished ones of its type did that are nearest in length; nothing where
/// the history is too thin.
pub fn of_unit(unit: &Unit, history: &[FinishedUnit]) -> Option<Forecast> {
    let mut alike: Vec<&FinishedUnit> = history
        .iter()
        .filter(|h| h.kind == unit.unit_type())
        .collect();
    if alike.len() < LEAST_HISTORY {
        return None;
    }
    let own = length(unit);
    alike.sort_by_key(|h| h.length.abs_diff(own));
    alike.truncate(LEAST_HISTORY.max(alike.len() / 2));
    let costs: Vec<f64> = alike.iter().filter_map(|h| h.cost_usd).collect();
    Some(Forecast {
        units: alike.len(),
        attempts: range(alike.iter().map(|h| h.attempts).collect()),
        cost_usd: (costs.len() >= LEAST_HISTORY).then(|| range(costs)),
        seconds: range(alike.iter().map(|h| h.seconds).collect()),
    })
}

/// Returns what several units will likely cost together, when each is independent of the others.
pub fn together(each: &[LikelyRange]) -> Option<LikelyRange> {
    if each.is_empty() {
        return None;
    }
    let middle: f64 = each.iter().map(|r| r.middle).sum();
    let spread = |side: &dyn Fn(&LikelyRange) -> f64| {
        each.iter().map(|r| side(r).powi(2)).sum::<f64>().sqrt()
    };
    Some(LikelyRange {
        low: (middle - spread(&|r| r.middle - r.low)).max(0.0),
        middle,
        high: middle + spread(&|r| r.high - r.middle),
    })
}

fn length(unit: &Unit) -> usize {
    unit.doc.text.len()
}

fn range(mut values: Vec<f64>) -> LikelyRange {
    values.sort_by(f64::total_cmp);
    let at = |part: usize| values[(values.len() - 1) * part / 10];
    LikelyRange {
        low: at(1),
        middle: at(5),
        // The upper ends are rounded up: too much is said rather than too little.
        high: values[((values.len() - 1) * 9).div_ceil(10)],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::test_snapshot::snapshot;

    fn unit() -> Unit {
        let s = snapshot("G1: T01");
        s.feature.members().next().unwrap().unit.unwrap().clone()
    }

    fn history(costs: &[Option<f64>]) -> Vec<FinishedUnit> {
        let one = |(index, cost_usd): (usize, &Option<f64>)| FinishedUnit {
            kind: UnitType::Implementation,
            length: 100 * index,
            attempts: 1.0 + (index % 3) as f64,
            cost_usd: *cost_usd,
            seconds: 60.0 * index as f64,
        };
        costs.iter().enumerate().map(one).collect()
    }

    #[test]
    fn a_thin_history_says_nothing() {
        let unit = unit();
        assert_eq!(of_unit(&unit, &history(&[Some(1.0); 7])), None);
        let mut other = history(&[Some(1.0); 9]);
        other.iter_mut().for_each(|h| h.kind = UnitType::Close);
        assert_eq!(of_unit(&unit, &other), None);
        assert_eq!(of_type(&unit, &other), 0);
        assert_eq!(of_type(&unit, &history(&[Some(1.0); 7])), 7);
    }

    #[test]
    fn units_of_its_length_say_what_it_will_take() {
        let costs: Vec<Option<f64>> = (1..=30).map(|n| Some(f64::from(n))).collect();
        let found = of_unit(&unit(), &history(&costs)).unwrap();
        // The unit of a snapshot is short: the shorter half counts.
        assert_eq!(found.units, 15);
        let cost = found.cost_usd.unwrap();
        assert_eq!((cost.low, cost.middle, cost.high), (2.0, 8.0, 14.0));
        assert_eq!((found.attempts.low, found.attempts.high), (1.0, 3.0));
        let unknown = of_unit(&unit(), &history(&[None; 8])).unwrap();
        assert_eq!((unknown.cost_usd, unknown.units), (None, 8));
    }

    #[test]
    fn what_is_independent_spreads_less_together() {
        let one = LikelyRange {
            low: 1.0,
            middle: 4.0,
            high: 8.0,
        };
        let four = together(&[one; 4]).unwrap();
        assert_eq!((four.low, four.middle, four.high), (10.0, 16.0, 24.0));
        assert_eq!(together(&[]), None);
    }
}
