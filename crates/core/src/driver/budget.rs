//! What the sessions of a run spend while they run, counted together: each sees what the others have
//! spent of the gate's and the feature's budget.
//!
//! Invariant: what a session spent is always seen by the planner, here until it is settled and in its
//! attempt's record afterwards. Between the two it may be seen twice for a moment: too careful, never
//! too generous.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The sessions of one run.
#[derive(Debug, Default)]
pub(super) struct RunBudget {
    sessions: Arc<Mutex<Vec<SessionSpend>>>,
}

#[derive(Debug)]
struct SessionSpend {
    unit: String,
    cost_usd: f64,
    settled: bool,
}

/// One session's part: it reports what it has spent and learns when all of them are beyond the budget.
#[derive(Debug, Clone)]
pub struct SessionBudget {
    sessions: Arc<Mutex<Vec<SessionSpend>>>,
    mine: usize,
    /// What was left when it began, and what of the sum below was counted already.
    left_usd: Option<f64>,
    counted_usd: f64,
}

impl RunBudget {
    /// Returns what all sessions have spent so far, settled or not.
    pub(super) fn total(&self) -> f64 {
        total(&open(&self.sessions))
    }

    /// Returns, by unit, what is spent and in no record yet.
    pub(super) fn unsettled(&self) -> BTreeMap<String, f64> {
        let mut by_unit = BTreeMap::new();
        for spent in open(&self.sessions).iter().filter(|spent| !spent.settled) {
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
        let mut sessions = open(&self.sessions);
        sessions.push(SessionSpend {
            unit: unit.to_owned(),
            cost_usd: 0.0,
            settled: false,
        });
        SessionBudget {
            sessions: self.sessions.clone(),
            mine: sessions.len() - 1,
            left_usd,
            counted_usd,
        }
    }
}

impl SessionBudget {
    /// Records what the session has spent so far.
    pub fn record_spent(&self, cost_usd: f64) {
        let mut sessions = open(&self.sessions);
        let known = &mut sessions[self.mine].cost_usd;
        *known = known.max(cost_usd);
    }

    /// Returns whether the sessions together are beyond the budget they share.
    pub fn is_over(&self) -> bool {
        let spent = || total(&open(&self.sessions)) - self.counted_usd;
        // Sums of cents are not exact.
        self.left_usd.is_some_and(|left| spent() > left + 1e-9)
    }

    /// Records that the session's cost is in its record from now on, or that it has none.
    pub(super) fn settle(&self) {
        open(&self.sessions)[self.mine].settled = true;
    }
}

fn open(sessions: &Mutex<Vec<SessionSpend>>) -> MutexGuard<'_, Vec<SessionSpend>> {
    // A panic in another thread ends the run; the sums are whole all the same.
    sessions.lock().unwrap_or_else(PoisonError::into_inner)
}

fn total(sessions: &[SessionSpend]) -> f64 {
    sessions.iter().map(|spent| spent.cost_usd).sum()
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
}
