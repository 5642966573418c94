//! How many verifications run at once: more than there are processors make each other slower, and all of them late.

use crate::parallel::locked;
use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Who verifies, and who waits, in the order they came.
#[derive(Default)]
struct TurnState {
    active: usize,
    waiting: VecDeque<u64>,
    next: u64,
}

/// The turns of a run.
#[derive(Default)]
pub(super) struct VerificationTurns {
    state: Mutex<TurnState>,
    freed: Condvar,
}

/// The right to verify; it ends with the value.
pub(super) struct VerificationTurn<'t> {
    turns: &'t VerificationTurns,
}

impl VerificationTurns {
    /// Waits until fewer than so many verify, and it is the caller's turn.
    pub(super) fn wait(&self, most: usize) -> VerificationTurn<'_> {
        let mut state = self.state();
        let own = state.next;
        state.next += 1;
        state.waiting.push_back(own);
        let not_yet = |state: &mut TurnState| {
            state.active >= most.max(1) || state.waiting.front() != Some(&own)
        };
        let waited = self.freed.wait_while(state, not_yet);
        let mut state = waited.unwrap_or_else(PoisonError::into_inner);
        state.waiting.pop_front();
        state.active += 1;
        drop(state);
        // The next one may have its turn, too.
        self.freed.notify_all();
        VerificationTurn { turns: self }
    }

    fn state(&self) -> MutexGuard<'_, TurnState> {
        locked(&self.state)
    }
}

impl Drop for VerificationTurn<'_> {
    fn drop(&mut self) {
        self.turns.state().active -= 1;
        self.turns.freed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Barrier;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn so_many_verify_at_once_and_no_more() {
        for most in [1, 3] {
            let turns = VerificationTurns::default();
            let (now, top) = (AtomicUsize::new(0), AtomicUsize::new(0));
            // As many as may must meet inside, or nobody gets on.
            let inside = Barrier::new(most);
            std::thread::scope(|scope| {
                for _ in 0..most * 4 {
                    scope.spawn(|| {
                        let _turn = turns.wait(most);
                        top.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                        inside.wait();
                        now.fetch_sub(1, Ordering::SeqCst);
                    });
                }
            });
            assert_eq!(top.into_inner(), most);
            assert_eq!(turns.state().active, 0);
        }
    }

    #[test]
    fn there_is_always_one_turn() {
        let turns = VerificationTurns::default();
        drop(turns.wait(0));
        drop(turns.wait(0));
        assert!(turns.state().waiting.is_empty());
    }
}
