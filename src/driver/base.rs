//! The oracle on the base, before a session is spent. What was verified at a landing is known.

use super::machine::VERIFICATION_SLOTS;
use super::memo::base_key;
use super::news::News;
use super::run::Driver;
use super::said::evidence_text;
use super::verify::Bench;
use crate::engine::oracle::{OracleCommand, Source};
use crate::engine::secrets;
use crate::engine::snapshot::BaseReport;
use crate::error::Result;
use crate::model::config::{BaseCheck, FlakyPolicy};
use crate::model::unit::ExpectBase;

impl Driver<'_> {
    /// Runs a unit's oracle on the tip and keeps what it says.
    pub(super) fn check_base(&self, id: &str, slot: usize) -> Result<()> {
        let tip = self.tip()?;
        let plan = self.plan_at(&tip)?;
        let eager = plan.workspace.config.base_check() == BaseCheck::Eager;
        let asked: Vec<OracleCommand> = self
            .oracle_of(&plan, id)?
            .into_iter()
            .filter(|c| c.expect_base() != ExpectBase::Any)
            .filter(|c| eager || matches!(c.source, Source::Check(_)))
            .collect();
        let key = self.machine.tree_key(&plan.tree, self.layout.dir())?;
        let mut report = BaseReport::default();
        let bench = Bench {
            slot: VERIFICATION_SLOTS + slot,
            unit: id,
            number: 0,
            plan: &plan,
        };
        let mut prepared = false;
        let mut prepare = || -> Result<()> {
            if !std::mem::replace(&mut prepared, true) {
                self.tell(News::BaseCheck {
                    unit: id.to_owned(),
                });
                self.prepare_bench(&plan, bench.slot, &plan.tree)?;
            }
            Ok(())
        };
        let tree_key = key;
        for command in &asked {
            let key = base_key(&tree_key, &command.shell);
            // A remembered red one runs again when a person has to see what it says.
            let known = self.known(&key);
            let green = command.expect_base() == ExpectBase::Green;
            let said_before = self.memory().red.get(&key).filter(|_| green).cloned();
            let exit = match (said_before, known) {
                (Some((exit, evidence)), _) => {
                    report.evidence.extend(evidence);
                    exit
                }
                (None, Some(exit)) if exit == 0 || command.expect_base() == ExpectBase::Red => exit,
                _ => {
                    prepare()?;
                    let rerun = green && plan.workspace.config.flaky() == FlakyPolicy::Rerun;
                    let said = self.run_twice(&bench, command, rerun)?;
                    if self.machine.stopping() {
                        return Ok(());
                    }
                    if green && said.result.exit != Some(0) {
                        let evidence = said.evidence.as_ref().map(evidence_text);
                        report.evidence.extend(evidence.clone());
                        let exit = said.result.exit.unwrap_or(-1);
                        self.memory().red.insert(key.clone(), (exit, evidence));
                    }
                    let exit = said.result.exit.unwrap_or(-1);
                    self.learn(key, exit);
                    exit
                }
            };
            match command.expect_base() {
                ExpectBase::Green if exit != 0 => report.red.push(command.name.clone()),
                ExpectBase::Red if exit == 0 => report.vacuous.push(command.name.clone()),
                _ => {}
            }
        }
        if eager {
            self.try_hooks(&bench, &tree_key, &mut prepare, &mut report)?;
            if self.machine.stopping() {
                return Ok(());
            }
        }
        if !report.evidence.is_empty() {
            report.evidence = secrets::redact(&report.evidence);
            self.machine.keep(id, 0, "base.md", &report.evidence);
        }
        let mut memory = self.memory();
        // What other commits said is not asked for again.
        memory.base.retain(|(commit, _), _| *commit == tip);
        memory.base.insert((tip, id.to_owned()), report);
        Ok(())
    }
}
