//! Work on a list shared among the cores: each takes one share after the other. And what threads share otherwise, locked.
//!
//! Invariant: where the system gives no thread, the caller does its part itself.
//!
//! Absent on purpose: a pool. What is shared here lasts milliseconds and is started once a command.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::{Builder, ScopedJoinHandle};

/// The most threads that are started, whatever the machine has.
const MOST: usize = 8;

/// Returns how many threads are worth starting; the system is asked once, for it answers from several files.
fn cores() -> usize {
    static CORES: OnceLock<usize> = OnceLock::new();
    *CORES.get_or_init(|| std::thread::available_parallelism().map_or(1, |n| n.get().min(MOST)))
}

/// Into how many shares the work of each thread is cut: who is done early takes another.
const SHARES_A_THREAD: usize = 4;

/// Locks what threads share. What is locked so is whole after every statement, or a cache: a panic of another thread, which is
/// reported where it came from, does not spoil it.
pub fn locked<T: ?Sized>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Calls `work` on shares of the items, side by side, and returns the results in the items' order.
///
/// Below `least` items a share, another thread costs more than it saves; one share is worked on by the caller itself.
/// A panic in a share is the caller's panic.
pub fn share<T: Sync, R: Send>(
    items: &[T],
    least: usize,
    work: impl Fn(&[T]) -> R + Sync,
) -> Vec<R> {
    let share = items.len().div_ceil(cores() * SHARES_A_THREAD).max(least);
    if cores() == 1 || items.len() <= share {
        return vec![work(items)];
    }
    let parts: Vec<&[T]> = items.chunks(share).collect();
    let next = AtomicUsize::new(0);
    let take = || {
        let mut done = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(part) = parts.get(at) else {
                return done;
            };
            done.push((at, work(part)));
        }
    };
    std::thread::scope(|scope| {
        let others = 1..cores().min(parts.len());
        let others: Vec<_> = others
            .filter_map(|_| Builder::new().spawn_scoped(scope, take).ok())
            .collect();
        let mut done = take();
        done.extend(others.into_iter().flat_map(joined));
        done.sort_unstable_by_key(|(at, _)| *at);
        done.into_iter().map(|(_, result)| result).collect()
    })
}

/// Calls two things side by side and returns what both return. A panic of either is the caller's panic.
pub fn beside<A: Send, B>(other: impl FnOnce() -> A + Send, own: impl FnOnce() -> B) -> (A, B) {
    let other = Mutex::new(Some(other));
    let start = || {
        let taken = locked(&other).take();
        taken.map(|work| work())
    };
    std::thread::scope(|scope| {
        let started = Builder::new().spawn_scoped(scope, start).ok();
        let own = own();
        let other = started.and_then(joined).or_else(start);
        (other.expect("it is called once, here or there"), own)
    })
}

fn joined<R>(thread: ScopedJoinHandle<'_, R>) -> R {
    match thread.join() {
        Ok(result) => result,
        Err(panic) => std::panic::resume_unwind(panic),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_the_items_order_whatever_the_shares() {
        for count in [0, 1, 2, 7, 100] {
            let items: Vec<usize> = (0..count).collect();
            for least in [1, 3, 1000] {
                let doubled = share(&items, least, |part| {
                    part.iter().map(|n| n * 2).collect::<Vec<_>>()
                });
                let want: Vec<usize> = items.iter().map(|n| n * 2).collect();
                assert_eq!(doubled.concat(), want, "{count} items, {least} a share");
            }
        }
    }

    #[test]
    fn both_are_called_once() {
        let (mut a, mut b) = (0, 0);
        let got = beside(
            || {
                a += 1;
                "other"
            },
            || {
                b += 1;
                "own"
            },
        );
        assert_eq!((got, a, b), (("other", "own"), 1, 1));
    }

    #[test]
    #[should_panic(expected = "in a share")]
    fn a_panic_is_the_callers() {
        share(&[1, 2, 3, 4], 1, |part| assert!(part[0] == 0, "in a share"));
    }
}
