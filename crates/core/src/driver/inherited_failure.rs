//! Whose failure it is, where the base was not asked before the session: what is red there already is not the attempt's.

use super::base_check_run::BaseCheckRun;
use super::committed_plan::attempt_ref;
use super::driver_event::DriverEvent;
use super::run_loop::Driver;
use super::verification_request::VerificationSlot;
use crate::engine::attempt_record::{AttemptRecord, Judgement};
use crate::engine::evidence::one_line;
use crate::engine::oracle::{CommandSource, OracleCommand};
use crate::engine::red_command;
use crate::engine::snapshot::BaseReport;
use crate::error::Result;
use crate::model::config::BaseCheck;
use crate::model::unit::ExpectBase;

impl Driver<'_> {
    /// Returns what a failed attempt inherited: its failed commands that fail on the base, too. Nothing where it
    /// passed, where no command failed, and where the base is asked first.
    pub(super) fn inherited(
        &self,
        slot: VerificationSlot<'_>,
        commands: &[OracleCommand],
        judgement: &Judgement,
    ) -> Result<Option<BaseReport>> {
        let failed = |source: &str, name: &str| {
            let mut results = judgement.commands.iter();
            results.any(|c| c.source == source && !c.passed() && c.is_of(name))
        };
        let green = commands
            .iter()
            .filter(|c| c.expect_base() == ExpectBase::Green && failed(c.source.word(), &c.name));
        let suspects: Vec<&OracleCommand> = green.collect();
        let hook = CommandSource::Hook.word();
        let by_hook = judgement
            .commands
            .iter()
            .any(|c| c.source == hook && !c.passed());
        let lazy = slot.plan.workspace.config.base_check() == BaseCheck::Lazy;
        if judgement.passed() || !lazy || suspects.is_empty() && !by_hook {
            return Ok(None);
        }
        let mut trial = BaseCheckRun::new(self, slot)?;
        for command in suspects {
            if !self.try_on_base(&mut trial, command)? {
                return Ok(None);
            }
        }
        if by_hook {
            self.try_hooks(&mut trial)?;
        }
        let report = trial.report;
        Ok((!report.red.is_empty() && !self.machine.stopping()).then_some(report))
    }

    /// Keeps an attempt that failed by what it inherited, charged to nobody, with what the base says.
    pub(super) fn set_aside(
        &self,
        mut record: AttemptRecord,
        judgement: Judgement,
        report: BaseReport,
    ) -> Result<()> {
        let (unit, red) = (record.unit.clone(), red_command::listed(&report.red));
        let judged_on = judgement.base;
        record.judgement = Some(judgement);
        let number = self.pin_uncharged(&record, None)?.unwrap_or_default();
        self.machine.unpin(&attempt_ref(&unit, record.number))?;
        self.cache().attempts.discharge(&unit, record.number);
        self.keep_base_report(&judged_on, &unit, report);
        self.report(DriverEvent::Note {
            text: format!(
                "{unit}: {} fails on the base, too, so the attempt is charged nothing; its work is kept (`gatewalk attempts show {unit} --uncharged {number}`)",
                one_line(&red)
            ),
        });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::driver::committed_plan::{Attempts, attempt_ref, uncharged_ref};
    use crate::driver::ports::History;
    use crate::driver::test_machine::MemoryMachine;
    use crate::driver::test_run::{machine, run, story};
    use crate::engine::test_snapshot::id;

    const LAZY: &str = "G1: T01 max_attempts=2 | base_check=lazy";
    const BOTH: &str =
        "code:\n  - {name: own, command: lacks broken}\n  - {name: old, command: has old}\n";

    fn ran(machine: &MemoryMachine, shell: &str) -> usize {
        machine
            .world()
            .ran
            .iter()
            .filter(|(_, s)| s == shell)
            .count()
    }

    #[test]
    fn what_is_red_on_the_base_is_charged_to_nobody_and_stops_before_the_next_session() {
        for session in ["+a.txt", "+a.txt +broken"] {
            let machine = machine(LAZY, BOTH, &format!("{session};+old"));
            run(&machine).unwrap();
            assert!(
                story(&machine).starts_with("T01: old fails on the base, too"),
                "{session}"
            );
            machine.world().events.clear();
            let world = machine.world();
            assert!(!world.refs.contains_key(&attempt_ref(&id("T01"), 1)));
            assert!(world.refs.contains_key(&uncharged_ref(&id("T01"), 1)));
            assert_eq!(world.sessions.len(), 1);
            drop(world);
            let attempts = Attempts::from_pins(&machine.pins().unwrap());
            assert!(attempts.inherited.contains(&id("T01")));
            // The next run asks first: no second session is spent on the same base.
            run(&machine).unwrap();
            assert_eq!(machine.world().sessions.len(), 1, "{session}");
            machine.world().user_commits("old", "");
            machine.world().sessions = ["+b.txt".to_owned()].into();
            run(&machine).unwrap();
            assert_eq!(story(&machine), "landed T01, gate 1 passed", "{session}");
        }
    }

    #[test]
    fn what_only_the_attempt_breaks_is_its_own_and_costs_the_base_one_look() {
        let machine = machine(
            LAZY,
            "code:\n  - {name: own, command: lacks broken}\n",
            "+broken;+a.txt",
        );
        run(&machine).unwrap();
        assert_eq!(
            story(&machine),
            "failed T01#1 verification, landed T01, gate 1 passed"
        );
        // Twice for the attempt that failed, once for its base, once for the one that passed.
        assert_eq!(ran(&machine, "lacks broken"), 4);
    }

    #[test]
    fn an_eager_base_is_not_asked_again_and_a_passing_attempt_asks_nothing() {
        let lazy = machine(LAZY, BOTH, "+a.txt +old");
        run(&lazy).unwrap();
        assert_eq!(story(&lazy), "landed T01, gate 1 passed");
        assert_eq!(ran(&lazy, "has old"), 1);
        let expected = machine(
            "G1: T01 expects_red=[old] max_attempts=1 | base_check=lazy",
            BOTH,
            "+a.txt",
        );
        run(&expected).unwrap();
        assert_eq!(story(&expected), "failed T01#1 verification, parked T01");
    }
}
