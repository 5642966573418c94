//! A session: prompt, slot, agent, capture, pin. What it leaves is pinned before anything looks
//! at it, so that from there on no byte of it can be lost.

use super::agent_fault::ChainPlace;
use super::committed_plan::{CommittedPlan, attempt_ref, uncharged_ref};
use super::driver_event::DriverEvent;
use super::land;
use super::ports::{AgentEnd, AgentJob, InFlight, MergeOutcome, SlotContent, SlotId, TreeWrite};
use super::run_loop::Driver;
use super::session_record::{SessionRun, without_change};
use super::unit_prompt::{PromptFacts, continues};
use crate::agents::Outcome;
use crate::engine::attempt_record::AttemptRecord;
use crate::engine::runner_line::Demand;
use crate::engine::snapshot::Snapshot;
use crate::engine::{closing, model_selection};
use crate::error::Result;
use crate::model::edit::FileEdits;
use crate::model::status_machine::Word;
use crate::model::unit::Unit;
use crate::object_id::ObjectId;
use std::collections::BTreeSet;

/// Which session of a unit is to run.
pub(super) struct SessionOrder<'a> {
    pub(super) unit: &'a str,
    /// The attempt's number over the unit's life.
    pub(super) number: u32,
    /// The attempt since the unit was armed, from 1.
    pub(super) nth: u32,
    /// The agent's place in its chain.
    pub(super) agent: usize,
}

/// Where a session starts from.
struct SessionStart {
    tree: ObjectId,
    kept: bool,
}

impl Driver<'_> {
    /// Runs one session of a unit in a slot and pins what it leaves.
    pub(super) fn dispatch(&self, order: &SessionOrder<'_>, slot: SlotId) -> Result<()> {
        let id = order.unit;
        // Read before the snapshot: what is spent between the two counts twice, not never.
        let counted = self.budget.total();
        let snapshot = self.observe(&BTreeSet::new())?;
        let plan = self.plan_at(&snapshot.tip)?;
        let (member, unit) = plan.unit(id)?;
        let failed = snapshot.attempts_of(id, unit);
        let start = self.start(&plan, (member.gate, unit), failed.last().copied())?;
        self.machine.prepare_slot(&SlotContent {
            slot,
            commit: plan.commit,
            tree: start.tree,
            branch: &self.branch,
        })?;
        self.set_up(&plan, slot, &start.tree)?;
        let set_aside = self.set_aside_before(&failed, id);
        let facts = PromptFacts {
            failed: &failed,
            set_aside: set_aside.as_ref().filter(|aside| aside.belongs_to(unit)),
            tree_kept: start.kept,
            requirements: &self.requirements_section(&plan, unit.unit_type(), Some(slot))?,
        };
        let prompt = self.prompt(&plan, id, &facts)?.text();
        self.refuse_secrets(&plan, id, &prompt)?;
        self.machine
            .keep_log((id, order.number), "prompt.md", &prompt);
        let shared = model_selection::shared_budget_left(&snapshot, id);
        let share = self.budget.share(id, shared, counted);
        let mut job = self.job(&snapshot, unit, (order, slot));
        job.prompt = prompt;
        job.share = Some(share.clone());
        let place = ChainPlace {
            agent: order.agent,
            agents: model_selection::chain_length(&snapshot, unit),
            model: job.model.clone(),
        };
        let (record, end) = self.run_session(unit, &job, (&plan.commit, &start.tree))?;
        let settled = self.settle(&record, &start.tree, &end);
        if settled.is_ok() {
            self.note_fault(&record, &end, &place);
        }
        let settled = settled.and_then(|()| self.machine.clear_in_flight(slot));
        share.settle();
        settled
    }

    /// Notes what kept a session from its work, for who is asked next and when.
    fn note_fault(&self, record: &AttemptRecord, end: &AgentEnd, place: &ChainPlace) {
        match end.outcome {
            Outcome::Cancelled => {}
            _ if !end.outcome.is_infra() => {}
            _ if self.is_fault_of_runner(record, end) => self.note_lost(record, end, place),
            _ => self.note_trouble(record, end, place),
        }
    }

    /// Runs a session to its end and captures what it left, noted so that nothing is lost if the driver dies meanwhile.
    fn run_session(
        &self,
        unit: &Unit,
        job: &AgentJob,
        (base, tree): (&ObjectId, &ObjectId),
    ) -> Result<(AttemptRecord, AgentEnd)> {
        let note = InFlight {
            slot: job.slot,
            unit: job.unit.clone(),
            number: job.number,
            base: *base,
            tree: *tree,
            agent: job.agent.clone(),
            started_at: self.machine.now().to_string(),
            runner: self.runner_of(job.slot).map(str::to_owned),
        };
        self.machine.note_in_flight(&note)?;
        self.report(DriverEvent::Dispatched {
            unit: job.unit.clone(),
            attempt: job.nth,
            of: unit.max_attempts(),
            agent: job.agent.clone(),
            model: job.model.clone(),
            runner: note.runner.clone(),
        });
        let mut end = self.machine.run_session(job)?;
        let captured = self.machine.capture(job.slot, base)?;
        if captured.tree == *tree {
            end.outcome = without_change(&end).unwrap_or(end.outcome);
        }
        self.report_session(&job.unit, &end);
        let ran = SessionRun {
            attempt_id: self.machine.attempt_id(),
            isolation: match &end.place {
                Some(place) => place.isolation.clone(),
                None => self.machine.isolation(job.unsandboxed),
            },
            re_arm: unit.re_arm_count(),
            armed: unit.armed().to_owned(),
            captured,
        };
        Ok((ran.record(note, job, &end), end))
    }

    /// Pins what a session left, charged or not.
    fn settle(
        &self,
        record: &AttemptRecord,
        started_from: &ObjectId,
        end: &AgentEnd,
    ) -> Result<()> {
        if end.outcome.is_infra() {
            let pinned = self.pin_uncharged(record, Some(started_from))?;
            // One that only cost something is pinned too, and left nothing.
            if let Some(number) = pinned.filter(|_| record.tree != *started_from) {
                let unit = &record.unit;
                self.report(DriverEvent::Note {
                    text: format!("{unit}: what the session left is kept, uncharged; `gatewalk attempts show {unit} --uncharged {number}` shows it"),
                });
            }
        } else {
            let name = attempt_ref(&record.unit, record.number);
            land::pin_record(self, &name, record)?;
            let now = self.machine.now();
            let mut cache = self.cache();
            cache.trouble.remove(&record.unit);
            self.agents().worked(&record.agent, now);
            if let Some(runner) = &record.runner {
                self.agents().runners.remove(runner);
            }
            cache.attempts.charge(record.clone());
            drop(cache);
            self.probe_collisions(record)?;
        }
        Ok(())
    }

    /// Pins an attempt that costs none of its unit's tries, unless it left nothing at all. Returns its number among those.
    pub(super) fn pin_uncharged(
        &self,
        record: &AttemptRecord,
        started_from: Option<&ObjectId>,
    ) -> Result<Option<u32>> {
        if Some(&record.tree) == started_from && record.figures.cost_usd.is_none() {
            return Ok(None);
        }
        let number = self
            .cache()
            .attempts
            .uncharged
            .get(&record.unit)
            .map_or(1, |n| n + 1);
        let name = uncharged_ref(&record.unit, number);
        land::pin_record(self, &name, record)?;
        self.cache().attempts.add_uncharged(record);
        Ok(Some(number))
    }

    /// Returns the tree a session starts from: the base, or what the last attempt left.
    fn start(
        &self,
        plan: &CommittedPlan,
        (gate, unit): (usize, &Unit),
        last: Option<&AttemptRecord>,
    ) -> Result<SessionStart> {
        let continues = continues(unit);
        let prepared = closing::skeletons(plan.feature(), gate, unit);
        let fresh = SessionStart {
            tree: self.with_files(&plan.tree, prepared)?,
            kept: false,
        };
        let Some(last) = last.filter(|_| continues) else {
            return Ok(fresh);
        };
        // What stood on other work has that in it.
        let judged = last.judgement.as_ref().filter(|j| j.onto.is_none());
        let (left, base) = judged.map_or((&last.tree, &last.base), |j| (&j.tree, &j.base));
        if *base == plan.commit {
            return Ok(SessionStart {
                tree: *left,
                kept: true,
            });
        }
        Ok(match self.machine.merge(base, &plan.commit, left)? {
            MergeOutcome::Clean(tree) => SessionStart { tree, kept: true },
            MergeOutcome::Conflict(_) => fresh,
        })
    }

    /// Returns a tree with files put into it.
    fn with_files(&self, tree: &ObjectId, files: FileEdits) -> Result<ObjectId> {
        if files.is_empty() {
            return Ok(*tree);
        }
        let edits: Vec<TreeWrite> = files
            .into_iter()
            .map(|(path, text)| (path, Some(text.into_bytes().into())))
            .collect();
        self.machine.edit_tree(tree, &edits)
    }

    /// Returns a session as it is ordered, without its prompt.
    fn job(
        &self,
        s: &Snapshot,
        unit: &Unit,
        (order, slot): (&SessionOrder<'_>, SlotId),
    ) -> AgentJob {
        let by_user = s.options.agent.is_some();
        let chain = model_selection::chain(s, unit, order.nth);
        let link = chain.into_iter().nth(order.agent).unwrap_or_default();
        AgentJob {
            slot,
            unit: order.unit.to_owned(),
            nth: order.nth,
            number: order.number,
            by_user,
            prompt: String::new(),
            model: self.machine.asked_model(&link, by_user),
            effort: link.effort.map(|e| e.word().to_owned()),
            agent: link.agent,
            demand: Demand::of(unit),
            timeout: unit.timeout(),
            idle_timeout: unit.idle_timeout(),
            budget_usd: model_selection::budget_left(s, order.unit, unit),
            share: None,
            unsandboxed: unit.front.unsandboxed.as_ref().is_some_and(|u| u.value),
            feature_dir: keeps_to_its_feature(unit).then(|| self.feature_dir.clone()),
        }
    }

    fn report_session(&self, id: &str, end: &AgentEnd) {
        self.report(DriverEvent::SessionEnded {
            unit: id.to_owned(),
            class: end.outcome.class().into(),
            seconds: end.duration.as_secs_f64(),
            runner: end.place.as_ref().map(|place| place.runner.clone()),
            queued_seconds: end.place.as_ref().map(|place| place.waited.as_secs_f64()),
            cost_usd: end.session.cost_usd,
            output_tokens: end.session.usage.output_tokens,
            notes: end.notes.clone(),
        });
    }
}

/// Returns whether a unit declares nothing beside a plan, which may be another feature's.
fn keeps_to_its_feature(unit: &Unit) -> bool {
    unit.front.touches_control_plane.is_none()
}
