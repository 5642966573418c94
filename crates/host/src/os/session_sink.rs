//! What listens to a running session: feeds the adapter, shows what it does, ends it when its budget
//! is used up, and distinguishes a silent session that works from one that hangs.
//!
//! Signs of life are output, a change of the slot's tree, work of the family's processes (asked
//! where it runs) and an open tool call inside the grace of its kind.

use super::agent_stdin::AgentStdin;
use super::slot_fingerprint::fingerprint;
use super::unread_output::unread;
use crate::process::{self, Flow, ProcessEnd, Sink, SinkStop};
use gatewalk_core::agents::prices::{Estimate, PriceList};
use gatewalk_core::agents::{
    Agent, AgentSelection, Listener, Session, end_with_futile_retry, futile_retry, grace,
};
use gatewalk_core::driver::budget::SessionBudget;
use gatewalk_core::driver::driver_event::{DriverEvent, Watcher};
use gatewalk_core::driver::ports::AgentJob;
use std::path::Path;
use std::time::{Duration, Instant, SystemTime};

/// How long a program may live on after it said that its session is over.
const AFTER_RESULT: Duration = Duration::from_secs(10);
/// How often a view that moves is reported again.
const REFRESH: Duration = Duration::from_secs(1);

/// Listens to one session.
pub(super) struct SessionSink<'a> {
    agent: &'static dyn Agent,
    listener: Listener,
    watcher: &'a dyn Watcher,
    job: &'a AgentJob,
    slot: &'a Path,
    shown: String,
    shown_at: Duration,
    over_since: Option<Instant>,
    last_sign: Instant,
    silence_reported: bool,
    /// The open tool call and since when it is.
    call: Option<(String, Instant)>,
    signs: u64,
    /// The files when they were last looked at; before that, what is newer than the session is its work.
    tree: Option<u64>,
    started: SystemTime,
    /// Our side, where the program must be answered.
    stdin: Option<AgentStdin>,
    effort_left_out: bool,
    /// What tokens cost, where the program names no cost.
    prices: PriceList,
    /// The model that the program's own settings choose.
    configured: Option<String>,
}

impl<'a> SessionSink<'a> {
    pub(super) fn new(
        choice: &AgentSelection,
        job: &'a AgentJob,
        slot: &'a Path,
        watcher: &'a dyn Watcher,
    ) -> SessionSink<'a> {
        SessionSink {
            agent: choice.agent,
            listener: Listener::new(choice.agent),
            watcher,
            job,
            slot,
            shown: String::new(),
            shown_at: Duration::ZERO,
            over_since: None,
            last_sign: Instant::now(),
            silence_reported: false,
            call: None,
            signs: 0,
            tree: None,
            started: SystemTime::now(),
            stdin: None,
            effort_left_out: false,
            prices: PriceList::default(),
            configured: None,
        }
    }

    /// Lets the session be priced, where its program only counts tokens.
    pub(super) fn priced(self, prices: &PriceList, configured: Option<String>) -> SessionSink<'a> {
        SessionSink {
            prices: prices.clone(),
            configured,
            ..self
        }
    }

    /// Returns the cost by the price list, where the program names none.
    fn estimate(&self, session: &Session) -> Option<Estimate> {
        let asked = session.model.as_deref().or(self.job.model.as_deref());
        let model = asked.or(self.configured.as_deref())?;
        self.prices.cost(model, &session.usage)
    }

    /// Lets the session be answered.
    pub(super) fn with_stdin(self, stdin: Option<AgentStdin>) -> SessionSink<'a> {
        SessionSink { stdin, ..self }
    }

    /// Ends the session's output; returns what is known, and what the evidence should say.
    pub(super) fn end(self, ran: &process::ProcessOutcome) -> (Session, Vec<String>) {
        let mut notes = Vec::new();
        let open = self
            .listener
            .session()
            .now()
            .map(|now| format!("{} {}", now.tool, now.detail).trim_end().to_owned());
        let mut this = self;
        let mut listener = std::mem::replace(&mut this.listener, Listener::new(this.agent));
        // Of one that ran elsewhere only the end is known.
        if listener.session().stderr.as_str().is_empty() {
            listener.stderr(&ran.stderr_tail);
        }
        let mut session = listener.end();
        if ran.ended == ProcessEnd::LimitHit(SinkStop::Futile) {
            end_with_futile_retry(this.agent, &mut session);
        }
        session.model = session.model.or_else(|| this.configured.clone());
        if ran.ended == ProcessEnd::IdleLimit {
            let silent = this.last_sign.elapsed().as_secs();
            let during = open.map_or("with no tool running".to_owned(), |what| {
                format!("while this was running: {what}")
            });
            notes.push(format!(
                "nothing was heard of it for {silent}s: no output, no change of a file, hardly any processor time, {during}"
            ));
        }
        if session.cost_usd.is_none()
            && let Some(estimate) = this.estimate(&session)
        {
            session.cost_usd = Some(estimate.usd);
            session.cost_estimated = true;
            notes.push(estimate.note(jiff::Zoned::now().date()));
        }
        if let Some(effort) = this.job.effort.as_ref().filter(|_| this.effort_left_out) {
            notes.push(format!(
                "the session offers no effort `{effort}`: it was left out"
            ));
        }
        notes.extend(unread(&session, &ran.ended));
        (session, notes)
    }

    /// Notes a sign of life that was seen elsewhere.
    pub(super) fn note_sign(&mut self) {
        self.last_sign = Instant::now();
        self.silence_reported = false;
    }

    /// Notes which tool call is open, and since when.
    fn track(&mut self) {
        let now = self.listener.session().now().map(|call| call.id.clone());
        if self.call.as_ref().map(|(id, _)| id) != now.as_ref() {
            self.call = now.map(|id| (id, Instant::now()));
        }
    }

    /// Says what the session has spent, and ends it when that is more than there is.
    fn check_budget(&self) -> Flow {
        let job = self.job;
        let (budget, share) = (job.budget_usd, job.share.as_ref());
        if budget.is_none() && share.is_none() {
            return Flow::Continue;
        }
        let session = self.listener.session();
        let cost = session
            .cost_usd
            .or_else(|| Some(self.estimate(session)?.usd));
        if let (Some(cost), Some(share)) = (cost, share) {
            share.record_spent(cost);
        }
        let own = cost.zip(budget).is_some_and(|(cost, budget)| cost > budget);
        let over = own || share.is_some_and(SessionBudget::is_over);
        match over && !session.finished {
            true => Flow::Stop(SinkStop::Budget),
            false => Flow::Continue,
        }
    }

    fn show(&mut self, elapsed: Duration) {
        let session = self.listener.session();
        let what = session.now().map_or(String::new(), |now| {
            // A user knows the files of the repository, not where the slot is.
            let slot = format!("{}/", self.slot.display());
            let detail = now.detail.replace(&slot, "");
            format!("{} {detail}", now.tool).trim_end().to_owned()
        });
        let changed = what != self.shown && !what.is_empty();
        let due = self.watcher.is_live() && elapsed >= self.shown_at + REFRESH;
        if changed || due {
            self.watcher.report(&DriverEvent::Doing {
                unit: self.job.unit.clone(),
                what: what.clone(),
                seconds: elapsed.as_secs_f64(),
                cost_usd: session
                    .cost_usd
                    .or_else(|| Some(self.estimate(session)?.usd)),
                output_tokens: session.usage.output_tokens,
            });
            self.shown = what;
            self.shown_at = elapsed;
        }
    }

    /// Reports, once for each silence, that half the time of it is over.
    fn report_silence(&mut self) {
        let silent = self.last_sign.elapsed();
        if self.silence_reported || silent < self.job.idle_timeout / 2 {
            return;
        }
        self.silence_reported = true;
        self.watcher.report(&DriverEvent::Silent {
            unit: self.job.unit.clone(),
            seconds: silent.as_secs_f64(),
            limit_seconds: self.job.idle_timeout.as_secs_f64(),
            what: self.shown.clone(),
        });
    }
}

impl Sink for SessionSink<'_> {
    fn stdout_line(&mut self, line: &[u8], truncated: bool) -> Flow {
        self.listener.line(line, truncated);
        if let Some(stdin) = self.stdin.as_mut().filter(|_| !truncated) {
            stdin.answer(line);
            self.effort_left_out = stdin.leaves_out_effort();
        }
        self.note_sign();
        self.track();
        self.check_budget()
    }

    fn stderr(&mut self, bytes: &[u8]) {
        self.listener.stderr(bytes);
        self.note_sign();
    }

    fn tick(&mut self, elapsed: Duration) -> Flow {
        self.show(elapsed);
        self.report_silence();
        // Others spend of the same budget.
        if let stop @ Flow::Stop(_) = self.check_budget() {
            return stop;
        }
        if let Some(stdin) = &mut self.stdin {
            stdin.flush();
        }
        if futile_retry(self.agent, self.listener.session()).is_some() {
            return Flow::Stop(SinkStop::Futile);
        }
        if self.listener.session().finished {
            // At the end of its input the program exits.
            self.stdin = None;
            let since = *self.over_since.get_or_insert_with(Instant::now);
            if since.elapsed() > AFTER_RESULT {
                return Flow::Stop(SinkStop::Done);
            }
        }
        Flow::Continue
    }

    fn activity(&mut self) -> u64 {
        let (tree, newest) = fingerprint(self.slot);
        let changed = match self.tree.replace(tree) {
            Some(before) => before != tree,
            None => newest > self.started,
        };
        if changed {
            self.signs += 1;
            self.note_sign();
        }
        let call = self.listener.session().now();
        let open = self.call.as_ref().map(|(_, since)| since.elapsed());
        if let (Some(call), Some(open)) = (call, open)
            && open < grace(call)
        {
            self.signs += 1;
        }
        self.signs
    }

    fn at_work(&mut self) {
        self.note_sign();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gatewalk_core::agents::{UserAgents, choose};
    use std::sync::Mutex;

    #[derive(Default)]
    struct RecordedEvents(Mutex<Vec<DriverEvent>>);

    impl Watcher for RecordedEvents {
        fn report(&self, event: &DriverEvent) {
            self.0.lock().unwrap().push(event.clone());
        }
    }

    fn job(idle: Duration, budget: Option<f64>) -> AgentJob {
        AgentJob {
            slot: gatewalk_core::driver::ports::SlotId::Session(0),
            unit: "FEAT-2026-0001/T01".into(),
            nth: 1,
            number: 1,
            by_user: false,
            agent: "codex".into(),
            prompt: String::new(),
            model: Some("gpt-5-codex".into()),
            effort: None,
            demand: gatewalk_core::engine::runner_line::Demand::default(),
            timeout: Duration::from_secs(60),
            idle_timeout: idle,
            budget_usd: budget,
            share: None,
            unsandboxed: false,
            feature_dir: None,
        }
    }

    fn codex() -> AgentSelection {
        let user = UserAgents {
            defined: &[],
            cwd: Path::new("/"),
        };
        choose("codex", &user).unwrap()
    }

    fn begin(command: &str) -> String {
        format!(
            r#"{{"type":"item.started","item":{{"id":"i","type":"command_execution","command":"{command}"}}}}"#
        )
    }

    #[test]
    fn what_could_not_be_read_is_told_with_its_reason() {
        let cut = "its output breaks off before its last event: it ended without waiting until all of it was read, so what it used is not known";
        for (events, noise, long, finished, code, want) in [
            (true, 0, 0, false, 0, ""),
            (true, 1, 0, true, 0, "1 line of its output was no event"),
            (
                true,
                2,
                1,
                true,
                0,
                "2 lines of its output were no events|1 line of its output was too long to be read",
            ),
            (
                true,
                0,
                3,
                false,
                1,
                "3 lines of its output were too long to be read",
            ),
            (true, 1, 0, false, 1, "1 line of its output was no event"),
            (true, 0, 1, false, 0, cut),
            (true, 1, 0, false, 0, cut),
            // What prints text has no last event.
            (
                false,
                0,
                1,
                false,
                0,
                "1 line of its output was too long to be read",
            ),
        ] {
            let session = Session {
                structured: events,
                noise_lines: noise,
                truncated_lines: long,
                finished,
                ..Session::default()
            };
            let told = unread(&session, &ProcessEnd::Exited(code)).join("|");
            assert_eq!(told, want, "{events} {noise} {long} {finished} {code}");
        }
    }

    #[test]
    fn a_change_in_the_tree_and_a_long_call_are_signs_of_life() {
        let slot = tempfile::tempdir().unwrap();
        let last_sign = RecordedEvents::default();
        let job = job(Duration::from_secs(60), None);
        let choice = codex();
        let mut sink = SessionSink::new(&choice, &job, slot.path(), &last_sign);
        let quiet = sink.activity();
        assert_eq!(sink.activity(), quiet, "nothing happened");
        std::fs::create_dir(slot.path().join(".git")).unwrap();
        let marked = sink.activity();
        std::fs::write(slot.path().join(".git/HEAD"), "x").unwrap();
        assert_eq!(sink.activity(), marked, "the git directory does not count");
        std::fs::write(slot.path().join("a"), "x").unwrap();
        assert!(sink.activity() > marked, "a file was written");
        let written = sink.activity();
        sink.stdout_line(begin("sleep 4").as_bytes(), false);
        assert_eq!(sink.activity(), written, "a short command has no grace");
        sink.stdout_line(begin("cargo test").as_bytes(), false);
        assert!(sink.activity() > written, "a test run has");
    }

    #[test]
    fn the_budget_ends_a_session_by_the_price_list() {
        // Each turn reports the sum of the thread so far.
        let line = |turns: u32| {
            format!(
                r#"{{"type":"turn.completed","usage":{{"input_tokens":{turns}000000,"cached_input_tokens":0,"output_tokens":{turns}00000}}}}"#
            )
        };
        let slot = tempfile::tempdir().unwrap();
        let last_sign = RecordedEvents::default();
        let job = job(Duration::from_secs(60), Some(3.0));
        let choice = codex();
        let mut sink = SessionSink::new(&choice, &job, slot.path(), &last_sign);
        let first = sink.stdout_line(line(1).as_bytes(), false);
        assert_eq!(first, Flow::Continue);
        sink.stdout_line(line(2).as_bytes(), false);
        let done = sink.listener.session();
        let cost = sink.estimate(done).unwrap().usd;
        assert!((cost - 4.5).abs() < 1e-9, "{cost}");
        // A turn that goes on is ended; a session that is over is not.
        assert!(done.finished);
    }

    #[test]
    fn a_retry_that_cannot_help_ends_the_session() {
        let refused = r#"{"type":"error","message":"unexpected status 401 Unauthorized: expired"}"#;
        let slot = tempfile::tempdir().unwrap();
        let last_sign = RecordedEvents::default();
        let job = job(Duration::from_secs(60), None);
        let choice = codex();
        let mut sink = SessionSink::new(&choice, &job, slot.path(), &last_sign);
        for want in [Flow::Continue, Flow::Stop(SinkStop::Futile)] {
            sink.stdout_line(refused.as_bytes(), false);
            assert_eq!(sink.tick(Duration::ZERO), want);
        }
    }

    #[test]
    fn a_silence_is_reported_once() {
        let slot = tempfile::tempdir().unwrap();
        let last_sign = RecordedEvents::default();
        let job = job(Duration::ZERO, None);
        let choice = codex();
        let mut sink = SessionSink::new(&choice, &job, slot.path(), &last_sign);
        sink.tick(Duration::ZERO);
        sink.tick(Duration::ZERO);
        let reported = last_sign.0.lock().unwrap().len();
        assert_eq!(reported, 1);
    }
}
