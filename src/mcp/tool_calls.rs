//! The calls under way: what reads runs beside everything, what changes something runs one at a time, in the order it came.

use serde_json::Value;
use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// The most commands that run at once.
const MOST_AT_ONCE: usize = 4;
/// The most calls that wait.
const MOST_WAITING: usize = 256;
/// How often a client that wants to hear of progress does.
const PROGRESS_EVERY: Duration = Duration::from_secs(5);

/// A call whose arguments are good, and which the user agreed to where that is needed.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ToolCall {
    /// The id of the request.
    pub(super) id: Value,
    /// The words of the command.
    pub(super) words: Vec<String>,
    /// Which page of its result is wanted.
    pub(super) page: usize,
    /// Whether it may change something.
    pub(super) changes: bool,
    /// By which the client knows notices of its progress.
    pub(super) progress: Option<Value>,
}

/// A call whose command runs; `S` ends it.
#[derive(Debug)]
struct RunningCall<S> {
    number: u64,
    call: ToolCall,
    stop: S,
    began: Instant,
    reported: Duration,
    cancelled: bool,
}

/// What was taken back.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum TakenBack<'q, S> {
    /// Nothing: there is no such call, or it has ended.
    Nothing,
    /// A call that now never runs.
    Waiting,
    /// A call that runs, with what ends it.
    Running(&'q S),
}

/// The calls that wait and those that run.
#[derive(Debug)]
pub(super) struct CallQueue<S> {
    waiting: VecDeque<ToolCall>,
    running: Vec<RunningCall<S>>,
    started: u64,
}

impl<S> CallQueue<S> {
    pub(super) fn new() -> Self {
        CallQueue {
            waiting: VecDeque::new(),
            running: Vec::new(),
            started: 0,
        }
    }

    /// Takes a call.
    ///
    /// # Errors
    /// The id of the request, where too many wait.
    pub(super) fn add(&mut self, call: ToolCall) -> Result<(), Value> {
        if self.waiting.len() >= MOST_WAITING {
            return Err(call.id);
        }
        self.waiting.push_back(call);
        Ok(())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty() && self.running.is_empty()
    }

    /// Takes the next call that may start.
    pub(super) fn startable(&mut self) -> Option<ToolCall> {
        if self.running.len() >= MOST_AT_ONCE {
            return None;
        }
        let changing = self.running.iter().any(|running| running.call.changes);
        let next = self.waiting.iter().position(|c| !(c.changes && changing))?;
        self.waiting.remove(next)
    }

    /// Notes that a call runs; returns the number by which its end is known.
    pub(super) fn started(&mut self, call: ToolCall, stop: S) -> u64 {
        self.started += 1;
        self.running.push(RunningCall {
            number: self.started,
            call,
            stop,
            began: Instant::now(),
            reported: Duration::ZERO,
            cancelled: false,
        });
        self.started
    }

    /// Takes a call that ended; none where nobody waits for its result any more.
    pub(super) fn ended(&mut self, number: u64) -> Option<ToolCall> {
        let place = self.running.iter().position(|r| r.number == number)?;
        let ended = self.running.swap_remove(place);
        (!ended.cancelled).then_some(ended.call)
    }

    /// Takes back the request of an id.
    pub(super) fn cancel(&mut self, id: &Value) -> TakenBack<'_, S> {
        if let Some(place) = self.waiting.iter().position(|call| call.id == *id) {
            self.waiting.remove(place);
            return TakenBack::Waiting;
        }
        let mut running = self.running.iter_mut();
        match running.find(|r| r.call.id == *id && !r.cancelled) {
            None => TakenBack::Nothing,
            Some(found) => {
                found.cancelled = true;
                TakenBack::Running(&found.stop)
            }
        }
    }

    /// Returns the calls whose progress is to be reported at a moment: the token, the seconds, and the command's name.
    pub(super) fn progress(&mut self, now: Instant) -> Vec<(Value, u64, String)> {
        let mut due = Vec::new();
        for running in self.running.iter_mut().filter(|r| !r.cancelled) {
            let Some(token) = &running.call.progress else {
                continue;
            };
            let took = now.saturating_duration_since(running.began);
            if took >= running.reported + PROGRESS_EVERY {
                running.reported = took;
                let name = running.call.words.first().cloned().unwrap_or_default();
                due.push((token.clone(), took.as_secs(), name));
            }
        }
        due
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn call(id: u32, changes: bool) -> ToolCall {
        ToolCall {
            id: json!(id),
            words: vec!["status".to_owned()],
            page: 1,
            changes,
            progress: None,
        }
    }

    /// Starts what may start; returns the ids.
    fn start(queue: &mut CallQueue<&'static str>) -> Vec<u64> {
        let mut ids = Vec::new();
        while let Some(call) = queue.startable() {
            ids.push(call.id.as_u64().unwrap());
            queue.started(call, "stop");
        }
        ids
    }

    #[test]
    fn reading_runs_beside_everything_and_changes_run_one_by_one() {
        let mut queue = CallQueue::new();
        for (id, changes) in [
            (1, true),
            (2, true),
            (3, false),
            (4, false),
            (5, false),
            (6, true),
        ] {
            queue.add(call(id, changes)).unwrap();
        }
        assert_eq!(start(&mut queue), [1, 3, 4, 5]);
        assert_eq!(queue.ended(2).unwrap().id, 3);
        assert_eq!(start(&mut queue), [] as [u64; 0]);
        assert_eq!(queue.ended(1).unwrap().id, 1);
        assert_eq!(start(&mut queue), [2]);
        assert!(queue.ended(99).is_none());
        for number in [3, 4, 5] {
            assert!(queue.ended(number).is_some());
        }
        assert!(!queue.is_empty());
        assert_eq!(start(&mut queue), [6]);
        assert!(queue.ended(6).is_some() && queue.is_empty());
    }

    #[test]
    fn what_is_cancelled_never_starts_or_is_ended_and_has_no_result() {
        let mut queue = CallQueue::new();
        for id in 1..=2 {
            queue.add(call(id, true)).unwrap();
        }
        start(&mut queue);
        assert_eq!(queue.cancel(&json!(2)), TakenBack::Waiting);
        assert_eq!(queue.cancel(&json!(1)), TakenBack::Running(&"stop"));
        assert_eq!(queue.cancel(&json!(1)), TakenBack::Nothing);
        assert_eq!(queue.cancel(&json!(7)), TakenBack::Nothing);
        assert!(queue.ended(1).is_none() && queue.is_empty());
        for id in 0..MOST_WAITING as u32 {
            queue.add(call(id, false)).unwrap();
        }
        assert!(queue.add(call(999, false)).is_err());
    }

    #[test]
    fn progress_is_reported_to_who_wants_it_every_few_seconds() {
        let mut queue = CallQueue::new();
        queue.started(call(1, false), "stop");
        let progress = Some(json!("t"));
        let wanted = ToolCall {
            progress,
            ..call(2, false)
        };
        queue.started(wanted, "stop");
        let at = |seconds| Instant::now() + Duration::from_secs(seconds);
        assert!(queue.progress(at(1)).is_empty());
        assert_eq!(
            queue.progress(at(6)),
            [(json!("t"), 6, "status".to_owned())]
        );
        assert!(queue.progress(at(8)).is_empty());
        assert_eq!(queue.progress(at(12)).len(), 1);
        queue.cancel(&json!(2));
        assert!(queue.progress(at(60)).is_empty());
    }
}
