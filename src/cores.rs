//! Work on a list shared among the cores: each takes one share, in order.
//!
//! Absent on purpose: a pool. What is shared here lasts milliseconds and is started once a command.

use std::sync::OnceLock;

/// The most threads that are started, whatever the machine has.
const MOST: usize = 8;

/// Returns how many threads are worth starting; the system is asked once, for it answers from several files.
fn cores() -> usize {
    static CORES: OnceLock<usize> = OnceLock::new();
    *CORES.get_or_init(|| std::thread::available_parallelism().map_or(1, |n| n.get().min(MOST)))
}

/// Calls `work` on shares of the items, side by side, and returns the results in the items' order.
///
/// Below `least` items a share, another thread costs more than it saves; one share is worked on by the caller itself.
/// A panic in a share is the caller's panic.
pub(crate) fn share<T: Sync, R: Send>(
    items: &[T],
    least: usize,
    work: impl Fn(&[T]) -> R + Sync,
) -> Vec<R> {
    let share = items.len().div_ceil(cores()).max(least);
    if items.len() <= share {
        return vec![work(items)];
    }
    std::thread::scope(|scope| {
        let work = &work;
        let (own, others) = items.split_at(share);
        let others: Vec<_> = others
            .chunks(share)
            .map(|part| scope.spawn(move || work(part)))
            .collect();
        let mut results = vec![work(own)];
        for other in others {
            match other.join() {
                Ok(result) => results.push(result),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        results
    })
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
    #[should_panic(expected = "in a share")]
    fn a_panic_is_the_callers() {
        share(&[1, 2, 3, 4], 1, |part| assert!(part[0] == 0, "in a share"));
    }
}
