//! What the sessions of a run spend while they run, counted together: each sees what the others have
//! spent of the gate's, the feature's and the run's budget.
//!
//! Invariant: what a session spent is always seen by the planner, here until it is settled and in its
//! attempt's record afterwards. Between the two it may be seen twice for a moment: too careful, never
//! too generous.

use crate::parallel::locked;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

/// The sessions of one run, seen by one of its features.
#[derive(Debug, Default)]
pub(super) struct RunBudget {
    ledger: Arc<Mutex<SpendLedger>>,
    feature: String,
    /// What the whole run may cost.
    limit_usd: Option<f64>,
}

/// What all features of a run spend.
#[derive(Debug, Default)]
struct SpendLedger {
    sessions: Vec<SessionSpend>,
    /// Whether it was reported that the run's budget is nearly used up.
    near: bool,
}

#[derive(Debug)]
struct SessionSpend {
    feature: String,
    unit: String,
    cost_usd: f64,
    settled: bool,
}

/// One session's part: it reports what it has spent and learns when all of them are beyond the budget.
#[derive(Debug, Clone)]
pub struct SessionBudget {
    ledger: Arc<Mutex<SpendLedger>>,
    mine: usize,
    /// What was left when it began, and what of the sum below was counted already.
    left_usd: Option<f64>,
    counted_usd: f64,
    /// What the whole run may cost.
    limit_usd: Option<f64>,
}

impl SpendLedger {
    fn of_feature(&self, feature: &str) -> f64 {
        let own = self.sessions.iter().filter(|s| s.feature == feature);
        own.map(|s| s.cost_usd).sum()
    }

    fn of_run(&self) -> f64 {
        self.sessions.iter().map(|s| s.cost_usd).sum()
    }
}

impl RunBudget {
    /// Returns the budget of a run of one feature.
    pub(super) fn new(feature: &str, limit_usd: Option<f64>) -> RunBudget {
        RunBudget {
            ledger: Arc::default(),
            feature: feature.to_owned(),
            limit_usd,
        }
    }

    /// Returns it as one of a run with other features.
    pub(super) fn beside(self, other: &RunBudget) -> RunBudget {
        RunBudget {
            ledger: other.ledger.clone(),
            ..self
        }
    }

    /// Returns what all sessions of the feature have spent so far, settled or not.
    pub(super) fn total(&self) -> f64 {
        locked(&self.ledger).of_feature(&self.feature)
    }

    /// Returns what all sessions of the run have spent so far.
    pub(super) fn run_total(&self) -> f64 {
        locked(&self.ledger).of_run()
    }

    /// Notes that the run's budget is nearly used up; returns whether that is news.
    pub(super) fn note_near(&self) -> bool {
        !std::mem::replace(&mut locked(&self.ledger).near, true)
    }

    /// Returns, by unit, what the feature has spent that is in no record yet.
    pub(super) fn unsettled(&self) -> BTreeMap<String, f64> {
        let mut by_unit = BTreeMap::new();
        let ledger = locked(&self.ledger);
        // Of a long run nearly all are settled.
        let unsettled = ledger.sessions.iter().filter(|spent| !spent.settled);
        for spent in unsettled.filter(|spent| spent.feature == self.feature) {
            *by_unit.entry(spent.unit.clone()).or_default() += spent.cost_usd;
        }
        by_unit
    }

    /// Opens a session's part; `left_usd` is what the budgets that it shares left when [`RunBudget::total`]
    /// was `counted_usd`.
    pub(super) fn share(
        &self,
        unit: &str,
        left_usd: Option<f64>,
        counted_usd: f64,
    ) -> SessionBudget {
        let mut ledger = locked(&self.ledger);
        ledger.sessions.push(SessionSpend {
            feature: self.feature.clone(),
            unit: unit.to_owned(),
            cost_usd: 0.0,
            settled: false,
        });
        SessionBudget {
            ledger: self.ledger.clone(),
            mine: ledger.sessions.len() - 1,
            left_usd,
            counted_usd,
            limit_usd: self.limit_usd,
        }
    }
}

impl SessionBudget {
    /// Records what the session has spent so far.
    pub fn record_spent(&self, cost_usd: f64) {
        let mut ledger = locked(&self.ledger);
        let known = &mut ledger.sessions[self.mine].cost_usd;
        *known = known.max(cost_usd);
    }

    /// Returns whether the sessions together are beyond a budget they share.
    pub fn is_over(&self) -> bool {
        let ledger = locked(&self.ledger);
        let spent = ledger.of_feature(&ledger.sessions[self.mine].feature) - self.counted_usd;
        // Sums of cents are not exact.
        let over = |spent: f64, limit: Option<f64>| limit.is_some_and(|left| spent > left + 1e-9);
        over(spent, self.left_usd) || over(ledger.of_run(), self.limit_usd)
    }

    /// Records that the session's cost is in its record from now on, or that it has none.
    pub(super) fn settle(&self) {
        locked(&self.ledger).sessions[self.mine].settled = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_sees_what_the_others_spend_while_they_do() {
        let budget = RunBudget::default();
        let first = budget.share("T01", Some(10.0), budget.total());
        first.record_spent(6.0);
        // The second begins with what the first has left: the planner saw the 6 it has spent.
        assert_eq!(budget.unsettled()["T01"], 6.0);
        let second = budget.share("T02", Some(4.0), budget.total());
        second.record_spent(3.0);
        assert!(!first.is_over() && !second.is_over());
        first.record_spent(7.0);
        assert!(
            !first.is_over() && !second.is_over(),
            "all of it is not more"
        );
        first.record_spent(7.5);
        assert!(first.is_over() && second.is_over());
        first.record_spent(1.0);
        assert!(second.is_over(), "what is spent stays spent");
        // What is in the record is not counted a second time.
        first.settle();
        assert_eq!(budget.unsettled().keys().collect::<Vec<_>>(), ["T02"]);
        let third = budget.share("T03", Some(0.0), budget.total());
        assert!(!third.is_over());
        third.record_spent(0.1);
        assert!(third.is_over());
        assert!(!budget.share("T04", None, 0.0).is_over(), "no budget");
    }

    #[test]
    fn features_of_a_run_share_its_budget_and_no_other() {
        let first = RunBudget::new("first", Some(5.0));
        let second = RunBudget::new("second", Some(5.0)).beside(&first);
        let one = first.share("T01", Some(3.0), first.total());
        one.record_spent(2.0);
        let other = second.share("T01", Some(4.0), second.total());
        other.record_spent(3.0);
        assert_eq!((first.total(), second.total()), (2.0, 3.0));
        assert_eq!((first.run_total(), second.run_total()), (5.0, 5.0));
        assert_eq!(second.unsettled()["T01"], 3.0, "a unit of the same name");
        assert!(!one.is_over() && !other.is_over(), "all of it is not more");
        other.record_spent(3.5);
        assert!(one.is_over() && other.is_over(), "the run is over");
        assert!(first.note_near() && !second.note_near(), "reported once");
        let free = RunBudget::new("third", None);
        let third = free.share("T01", None, 0.0);
        third.record_spent(100.0);
        assert!(!third.is_over() && free.note_near());
    }
}
