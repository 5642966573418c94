//! What a unit will likely take, from the finished units of the same repository: attempts, money and time, each with the
//! range in which four of five such units ended.

use super::log_reader::Log;
use crate::model::feature::Feature;
use crate::model::layout;
use crate::model::status_machine::UnitStatus;
use crate::model::unit::{Unit, UnitType};
use serde::Serialize;
use std::collections::BTreeSet;

/// Fewer finished units than this say nothing.
pub const LEAST_HISTORY: usize = 8;

/// What one finished unit took.
#[derive(Debug, Clone, PartialEq)]
pub struct FinishedUnit {
    kind: UnitType,
    length: usize,
    criteria: usize,
    /// Of its first attempt, when named.
    model: Option<String>,
    attempts: f64,
    cost_usd: Option<f64>,
    seconds: f64,
}

/// Four of five values lie between the ends.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct LikelyRange {
    /// One of ten is below; the unit is that of what is forecast.
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
    /// Whether these were worked on the same model.
    pub same_model: bool,
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
            criteria: criteria(unit),
            model: own.first().and_then(|first| first.model.clone()),
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

/// Returns what a unit will likely take on a model: as the finished ones of its type did that are nearest in length and
/// criteria, those on the same model alone where there are enough; nothing where the history is too thin.
pub fn of_unit(unit: &Unit, model: Option<&str>, history: &[FinishedUnit]) -> Option<Forecast> {
    let mut alike: Vec<&FinishedUnit> = history
        .iter()
        .filter(|h| h.kind == unit.unit_type())
        .collect();
    let on_it = |h: &&FinishedUnit| model.is_some() && h.model.as_deref() == model;
    let same_model = alike.iter().copied().filter(on_it).count() >= LEAST_HISTORY;
    if same_model {
        alike.retain(on_it);
    }
    if alike.len() < LEAST_HISTORY {
        return None;
    }
    let (length, criteria) = (length(unit), criteria(unit));
    alike.sort_by(|a, b| {
        // A few bytes more or less say nothing.
        let distance =
            |h: &FinishedUnit| ratio(h.length / 100, length / 100) + ratio(h.criteria, criteria);
        distance(a).total_cmp(&distance(b))
    });
    alike.truncate(LEAST_HISTORY.max(alike.len() / 2));
    let costs: Vec<f64> = alike.iter().filter_map(|h| h.cost_usd).collect();
    Some(Forecast {
        units: alike.len(),
        same_model,
        attempts: range(alike.iter().map(|h| h.attempts).collect()),
        cost_usd: (costs.len() >= LEAST_HISTORY).then(|| range(costs)),
        seconds: range(alike.iter().map(|h| h.seconds).collect()),
    })
}

/// How far two sizes are apart: nothing where they are equal, alike for twice and for half as much.
fn ratio(one: usize, other: usize) -> f64 {
    ((one as f64 + 1.0) / (other as f64 + 1.0)).ln().abs()
}

/// What the work of a unit depends on.
#[derive(Debug, Clone, PartialEq)]
pub enum WorkDriver {
    /// How long its text is.
    Length,
    /// How many acceptance criteria it has.
    Criteria,
    /// That it is worked on this model, beside all the others.
    Model(String),
}

/// What one thing makes of the work: how much more the units with more of it took, in the middle, beside those with less.
#[derive(Debug, Clone, PartialEq)]
pub struct DriverEffect {
    /// The thing that there is more of.
    pub driver: WorkDriver,
    /// How many times the attempts.
    pub attempts: f64,
    /// How many times the money; nothing where too little is known of it.
    pub cost_usd: Option<f64>,
}

/// Returns what drives the work of a type, by the finished units: each where both sides are enough to say so.
pub fn drivers(kind: UnitType, history: &[FinishedUnit]) -> Vec<DriverEffect> {
    let alike: Vec<&FinishedUnit> = history.iter().filter(|h| h.kind == kind).collect();
    let models: BTreeSet<&str> = alike.iter().filter_map(|h| h.model.as_deref()).collect();
    let by_size = [
        (WorkDriver::Length, halves(&alike, |h| h.length)),
        (WorkDriver::Criteria, halves(&alike, |h| h.criteria)),
    ];
    let by_model = models.into_iter().map(|model| {
        let on_it = |h: &&FinishedUnit| h.model.as_deref() == Some(model);
        let (on, others) = alike.iter().copied().partition(on_it);
        (WorkDriver::Model(model.to_owned()), (others, on))
    });
    let all = by_size.into_iter().chain(by_model);
    all.filter_map(|(driver, sides)| effect(driver, &sides))
        .collect()
}

type Sides<'h> = (Vec<&'h FinishedUnit>, Vec<&'h FinishedUnit>);

/// Returns those with at most the middle size, and those with more.
fn halves<'h>(alike: &[&'h FinishedUnit], size: impl Fn(&FinishedUnit) -> usize) -> Sides<'h> {
    let mut sizes: Vec<usize> = alike.iter().map(|h| size(h)).collect();
    sizes.sort_unstable();
    let middle = sizes.get(sizes.len().saturating_sub(1) / 2).copied();
    let is_small = |h: &&FinishedUnit| Some(size(h)) <= middle;
    alike.iter().copied().partition(is_small)
}

fn effect(driver: WorkDriver, (less, more): &Sides<'_>) -> Option<DriverEffect> {
    let mean = |values: Vec<f64>| {
        let enough = values.len() >= LEAST_HISTORY;
        enough.then(|| values.iter().sum::<f64>() / values.len() as f64)
    };
    let times = |value: &dyn Fn(&FinishedUnit) -> Option<f64>| {
        let of = |side: &[&FinishedUnit]| mean(side.iter().filter_map(|h| value(h)).collect());
        let (less, more) = (of(less)?, of(more)?);
        (less > 0.0).then(|| more / less)
    };
    Some(DriverEffect {
        driver,
        attempts: times(&|h| Some(h.attempts))?,
        cost_usd: times(&|h| h.cost_usd),
    })
}

/// Returns what several units will likely take together, when each is independent of the others.
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

fn criteria(unit: &Unit) -> usize {
    let items = unit.doc.bullets_under("Acceptance criteria");
    items.iter().filter(|item| item.depth == 1).count()
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
            criteria: 1,
            model: None,
            attempts: 1.0 + (index % 3) as f64,
            cost_usd: *cost_usd,
            seconds: 60.0 * index as f64,
        };
        costs.iter().enumerate().map(one).collect()
    }

    #[test]
    fn a_thin_history_predicts_nothing() {
        let unit = unit();
        assert_eq!(of_unit(&unit, None, &history(&[Some(1.0); 7])), None);
        let mut other = history(&[Some(1.0); 9]);
        other.iter_mut().for_each(|h| h.kind = UnitType::Close);
        assert_eq!(of_unit(&unit, None, &other), None);
        assert_eq!(of_type(&unit, &other), 0);
        assert_eq!(of_type(&unit, &history(&[Some(1.0); 7])), 7);
    }

    #[test]
    fn units_of_its_length_predict_what_it_will_take() {
        let costs: Vec<Option<f64>> = (1..=30).map(|n| Some(f64::from(n))).collect();
        let found = of_unit(&unit(), None, &history(&costs)).unwrap();
        // The unit of a snapshot is short: the shorter half counts.
        assert_eq!(found.units, 15);
        let cost = found.cost_usd.unwrap();
        assert_eq!((cost.low, cost.middle, cost.high), (2.0, 8.0, 14.0));
        assert_eq!((found.attempts.low, found.attempts.high), (1.0, 3.0));
        let unknown = of_unit(&unit(), None, &history(&[None; 8])).unwrap();
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

    #[test]
    fn units_on_the_same_model_predict_better_where_there_are_enough_of_them() {
        let costs: Vec<Option<f64>> = (1..=20).map(|n| Some(f64::from(n))).collect();
        for (on_it, same_model, units) in [(8, true, 8), (7, false, 10), (20, true, 10)] {
            let mut all = history(&costs);
            let named = all.iter_mut().rev().take(on_it);
            named.for_each(|h| h.model = Some("big".to_owned()));
            let found = of_unit(&unit(), Some("big"), &all).unwrap();
            assert_eq!(
                (found.same_model, found.units),
                (same_model, units),
                "{on_it}"
            );
            let other = of_unit(&unit(), Some("small"), &all).unwrap();
            assert!(!other.same_model, "{on_it}");
            assert!(!of_unit(&unit(), None, &all).unwrap().same_model);
        }
    }

    #[test]
    fn criteria_count_as_much_as_length_for_what_is_alike() {
        // Half of them have as many criteria as the unit of a snapshot has, and are as long as the others.
        let mut all = history(&[Some(1.0); 20]);
        let own = criteria(&unit());
        for (index, finished) in all.iter_mut().enumerate() {
            finished.length = 1000;
            finished.criteria = own + 20 * (index % 2);
            finished.cost_usd = Some(if index % 2 == 0 { 1.0 } else { 9.0 });
        }
        let found = of_unit(&unit(), None, &all).unwrap();
        assert_eq!(found.cost_usd.unwrap().high, 1.0);
    }

    #[test]
    fn what_drives_the_work_is_reported_where_both_sides_are_enough() {
        let mut all = history(&[Some(1.0); 16]);
        for (index, finished) in all.iter_mut().enumerate() {
            let big = index >= 8;
            finished.attempts = if big { 3.0 } else { 2.0 };
            finished.cost_usd = Some(if big { 4.0 } else { 1.0 });
            finished.criteria = 1;
            finished.model = Some(if index % 2 == 0 { "even" } else { "odd" }.to_owned());
        }
        let said = |all: &[FinishedUnit]| -> Vec<(WorkDriver, f64, Option<f64>)> {
            let all = drivers(UnitType::Implementation, all).into_iter();
            all.map(|e| (e.driver, e.attempts, e.cost_usd)).collect()
        };
        // As many criteria everywhere say nothing.
        assert_eq!(
            said(&all),
            [
                (WorkDriver::Length, 1.5, Some(4.0)),
                (WorkDriver::Model("even".to_owned()), 1.0, Some(1.0)),
                (WorkDriver::Model("odd".to_owned()), 1.0, Some(1.0)),
            ]
        );
        all[0].cost_usd = None;
        assert_eq!(said(&all)[0], (WorkDriver::Length, 1.5, None));
        assert_eq!(said(&all[1..]), [], "seven and eight");
        assert_eq!(drivers(UnitType::Close, &all), []);
        all.iter_mut().for_each(|h| h.criteria = h.length);
        assert_eq!(said(&all)[1], (WorkDriver::Criteria, 1.5, None));
    }
}
