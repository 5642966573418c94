//! Guards, then the oracle of the base, on exactly what an attempt left.

use super::closing;
use super::machine::{Oid, ShellEnd, ShellJob};
use super::news::News;
use super::plan::{PlanAt, attempt_ref};
use super::run::Driver;
use crate::engine::evidence::{self, Ended, Stream};
use crate::engine::guards::{self, Change, ChangeKind, Report, Subject};
use crate::engine::oracle::{self, OracleCommand};
use crate::engine::record::{AttemptRecord, CommandResult, Judgement};
use crate::error::{Error, Result};
use crate::model::unit::Unit;
use crate::model::workspace::Workspace;

/// Where and for whom a command of the oracle runs.
pub(super) struct Bench<'a> {
    /// The slot, already prepared.
    pub(super) slot: usize,
    /// The unit.
    pub(super) unit: &'a str,
    /// The attempt's number; 0 on the base.
    pub(super) number: u32,
    /// The feature's folder.
    pub(super) feature_dir: &'a str,
}

/// What one command said.
pub(super) struct Said {
    pub(super) result: CommandResult,
    pub(super) evidence: Option<evidence::Evidence>,
}

/// What all commands said.
struct Verified {
    commands: Vec<CommandResult>,
    failures: Vec<evidence::Evidence>,
}

impl Driver<'_> {
    /// Judges one attempt and keeps the judgement with its tree.
    pub(super) fn judge(&self, id: &str, number: u32, slot: usize) -> Result<()> {
        let record = self.memory().attempts.get(id, number).cloned();
        let mut record =
            record.ok_or_else(|| Error::internal(format!("no attempt {number} of {id}")))?;
        let plan = self.plan_at(&record.base)?;
        let (member, unit) = plan.unit(id)?;
        let commands = self.oracle_of(&plan, id)?;
        let tree = self.judged_tree(&plan, unit, &record)?;
        let changes = self.machine.diff(&plan.tree, &tree)?;
        let protect = Unit::list(&plan.workspace.config.front.protect);
        let subject = Subject {
            layout: self.layout,
            feature: plan.feature(),
            gate: member.gate,
            unit,
            protect: &protect,
        };
        let mut report = guards::inspect(&subject, &changes, record.history_ok);
        self.look_at_closing(&plan, (member.gate, unit), &tree, &mut report)?;
        let mut judgement = Judgement {
            passed: false,
            failure_class: None,
            failure_signature: None,
            failure_excerpt: None,
            evidence: None,
            commands: vec![],
            files_touched: changes.iter().map(|c| c.path.clone()).collect(),
            notices: report.notices.clone(),
            oracle: oracle::hash(&commands),
            tree: tree.clone(),
            base: record.base.clone(),
            at: String::new(),
        };
        if record.session.class != "worked" {
            session_failed(&mut judgement, &record);
        } else if !report.violations.is_empty() {
            guards_failed(&mut judgement, &report);
        } else {
            self.machine
                .prepare_slot(slot, &plan.commit, &tree, &self.branch)?;
            self.set_up(&plan, slot, &tree)?;
            let bench = Bench {
                slot,
                unit: id,
                number,
                feature_dir: &plan.feature().dir,
            };
            let verified = self.verify(&bench, &commands, &changes)?;
            if self.machine.stopping() {
                // What was cut short says nothing; the next run judges again.
                return Ok(());
            }
            self.remember_verified(&tree, &verified)?;
            commands_said(&mut judgement, verified);
        }
        judgement.at = self.machine.now().to_string();
        if !judgement.passed {
            self.tell_failure(&record, &judgement);
        }
        record.judgement = Some(judgement);
        let name = attempt_ref(id, number);
        self.machine
            .pin(&name, &record.tree, &record.base, &record.to_message())?;
        self.memory().attempts.charge(record);
        Ok(())
    }

    /// Returns the commands that judge a unit, by the plan of a commit.
    pub(super) fn oracle_of(&self, plan: &PlanAt, id: &str) -> Result<Vec<OracleCommand>> {
        let (member, unit) = plan.unit(id)?;
        let others_settled = plan
            .feature()
            .members_of(member.gate)
            .all(|m| m.id() == id || m.status().is_settled());
        let closing = unit.unit_type().is_closing() || others_settled;
        oracle::resolve(
            &plan.workspace.verification,
            plan.feature(),
            member.gate,
            unit,
            closing,
        )
        .map_err(|why| {
            Error::plan(format!("{id}: {why}"))
                .hint(format!("see `{}`", plan.workspace.verification.path))
        })
    }

    /// Returns the captured tree with the unit's own file put back: what a session writes there is
    /// taken only where its type says so, and never judged.
    fn judged_tree(&self, plan: &PlanAt, unit: &Unit, record: &AttemptRecord) -> Result<Oid> {
        if unit.unit_type().is_closing() {
            return Ok(record.tree.clone());
        }
        let path = unit.path().to_string();
        let before = self.machine.file_at(&plan.tree, &path)?;
        if self.machine.file_at(&record.tree, &path)? == before {
            return Ok(record.tree.clone());
        }
        self.machine.edit_tree(&record.tree, &[(path, before)])
    }

    /// Looks at what a closing session left, all of it at once; a plan it drafted must lint.
    fn look_at_closing(
        &self,
        plan: &PlanAt,
        (gate, unit): (usize, &Unit),
        tree: &Oid,
        report: &mut Report,
    ) -> Result<()> {
        if !unit.unit_type().is_closing() {
            return Ok(());
        }
        let files = self.machine.state_files(tree, self.layout)?;
        let workspace = Workspace::parse(self.layout, &files);
        let own = files.get(&**unit.path());
        let own = own.map_or_else(String::new, |b| String::from_utf8_lossy(b).into_owned());
        let looked = closing::inspect(&workspace, plan.feature(), gate, unit, &own);
        report.violations.extend(looked.violations);
        report.notices.extend(looked.notices);
        Ok(())
    }

    fn verify(
        &self,
        bench: &Bench<'_>,
        commands: &[OracleCommand],
        changes: &[Change],
    ) -> Result<Verified> {
        let mut verified = Verified {
            commands: vec![],
            failures: vec![],
        };
        for command in commands {
            let applies = command.when.is_empty()
                || changes.iter().any(|c| {
                    command
                        .when
                        .iter()
                        .any(|glob| guards::matches(glob, &c.path))
                });
            let said = if applies {
                self.run_command(bench, command)?
            } else {
                Said {
                    result: skipped(command),
                    evidence: None,
                }
            };
            if self.machine.stopping() {
                break;
            }
            self.tell(News::Command {
                unit: bench.unit.to_owned(),
                name: said.result.name.clone(),
                verdict: said.result.verdict.clone(),
                seconds: said.result.seconds,
            });
            verified.commands.push(said.result);
            verified.failures.extend(said.evidence);
        }
        Ok(verified)
    }

    /// Runs one command of the oracle in a prepared slot.
    pub(super) fn run_command(&self, bench: &Bench<'_>, command: &OracleCommand) -> Result<Said> {
        let end = self.machine.run_shell(&ShellJob {
            slot: bench.slot,
            unit: bench.unit.to_owned(),
            number: bench.number,
            name: command.name.clone(),
            shell: command.shell.clone(),
            feature_dir: bench.feature_dir.to_owned(),
            timeout: command.timeout,
        })?;
        let passed = end.exit == Some(0);
        let evidence = (!passed).then(|| distil(command, &end));
        Ok(Said {
            result: CommandResult {
                name: command.name.clone(),
                source: command.source.word().to_owned(),
                command: command.shell.clone(),
                exit: end.exit,
                seconds: (end.duration.as_secs_f64() * 1000.0).round() / 1000.0,
                verdict: if passed { "pass" } else { "fail" }.to_owned(),
                note: end.why.clone(),
            },
            evidence,
        })
    }

    /// What passed on this tree is the next unit's base for free.
    fn remember_verified(&self, tree: &Oid, verified: &Verified) -> Result<()> {
        let key = self.machine.tree_key(tree, self.layout.dir())?;
        for command in verified.commands.iter().filter(|c| c.exit == Some(0)) {
            self.machine.remember(&base_key(&key, &command.command), 0);
        }
        Ok(())
    }

    fn tell_failure(&self, record: &AttemptRecord, judgement: &Judgement) {
        self.tell(News::Failed {
            unit: record.unit.clone(),
            attempt: record.number,
            class: judgement.failure_class.clone().unwrap_or_default(),
            why: judgement
                .failure_excerpt
                .as_deref()
                .unwrap_or_default()
                .lines()
                .next()
                .unwrap_or_default()
                .to_owned(),
            kept_at: attempt_ref(&record.unit, record.number),
        });
    }
}

/// Returns the name under which a command's result on a tree is remembered.
pub(super) fn base_key(tree_key: &str, shell: &str) -> String {
    use sha2::{Digest, Sha256};
    let hash = oracle::hex(&Sha256::digest(shell.as_bytes()));
    format!("{tree_key}-{}", &hash[..24])
}

fn skipped(command: &OracleCommand) -> CommandResult {
    CommandResult {
        name: command.name.clone(),
        source: command.source.word().to_owned(),
        command: command.shell.clone(),
        exit: None,
        seconds: 0.0,
        verdict: "skipped".to_owned(),
        note: Some("the diff touches nothing it is about".to_owned()),
    }
}

fn distil(command: &OracleCommand, end: &ShellEnd) -> evidence::Evidence {
    let how = match (end.exit, &end.why) {
        (Some(code), _) => Ended::Code(code),
        (None, Some(why)) if why.starts_with("signal") => {
            Ended::Signal(why.trim_start_matches("signal ").parse().unwrap_or(0))
        }
        _ => Ended::TimedOut,
    };
    let stdout = Stream {
        head: &end.stdout_head,
        tail: &end.stdout_tail,
        omitted: end.stdout_omitted,
    };
    let stderr = Stream {
        head: &end.stderr_head,
        tail: &end.stderr_tail,
        omitted: end.stderr_omitted,
    };
    evidence::distill(&command.shell, how, &stdout, &stderr)
}

fn session_failed(judgement: &mut Judgement, record: &AttemptRecord) {
    let class = &record.session.class;
    let why = match &record.session.blocked_reason {
        Some(reason) => format!(
            "the session says it is blocked: {}",
            evidence::sanitize(reason)
        ),
        None => format!(
            "the session ended as {}: it was stopped before it said it was done",
            class.replace('_', " ")
        ),
    };
    judgement.failure_class = Some(class.clone());
    judgement.failure_signature = Some(format!("session:{class}"));
    judgement.failure_excerpt = Some(why.clone());
    judgement.evidence = Some(why);
}

fn guards_failed(judgement: &mut Judgement, report: &Report) {
    let lines: Vec<String> = report
        .violations
        .iter()
        .map(|v| {
            let paths: Vec<_> = v
                .paths
                .iter()
                .map(|p| format!("`{}`", evidence::sanitize(p)))
                .collect();
            let colon = if paths.is_empty() { "" } else { ": " };
            format!("- {}: {}{colon}{}", v.class, v.message, paths.join(", "))
        })
        .collect();
    judgement.failure_class = report.violations.first().map(|v| v.class.to_owned());
    let mut signature: Vec<String> = report
        .violations
        .iter()
        .map(|v| format!("{}:{}", v.class, v.paths.join(",")))
        .collect();
    signature.sort();
    judgement.failure_signature = Some(format!("guards:{}", signature.join(";")));
    judgement.failure_excerpt = Some(lines.join("\n").trim_start_matches("- ").to_owned());
    judgement.evidence = Some(format!(
        "No command was run: the diff itself is refused.\n\n{}",
        lines.join("\n")
    ));
}

fn commands_said(judgement: &mut Judgement, verified: Verified) {
    judgement.commands = verified.commands;
    if verified.failures.is_empty() {
        judgement.passed = judgement.commands.iter().any(|c| c.verdict == "pass");
        if !judgement.passed {
            judgement.failure_class = Some("unproven".to_owned());
            judgement.failure_signature = Some("unproven".to_owned());
            let why = "no command of the oracle applied to this diff, so nothing proves it";
            judgement.failure_excerpt = Some(why.to_owned());
            judgement.evidence = Some(why.to_owned());
        }
        return;
    }
    let mut fingerprints: Vec<&str> = verified
        .failures
        .iter()
        .map(|f| f.fingerprint.as_str())
        .collect();
    fingerprints.sort_unstable();
    judgement.failure_class = Some("verification".to_owned());
    judgement.failure_signature = Some(fingerprints.join("+"));
    let first = &verified.failures[0];
    let line = first
        .error_lines
        .first()
        .map_or_else(|| first.tail.lines().last().unwrap_or(""), String::as_str);
    judgement.failure_excerpt = Some(format!("`{}` {}: {line}", first.command, first.ended));
    judgement.evidence = Some(
        verified
            .failures
            .iter()
            .map(evidence_text)
            .collect::<Vec<_>>()
            .join("\n\n"),
    );
}

/// Returns what the next session is told of a failed command.
pub(super) fn evidence_text(e: &evidence::Evidence) -> String {
    let mut text = format!("## `{}` ended with {}\n", e.command, e.ended);
    let block =
        |title: &str, body: &str| format!("\n{title}:\n\n````text\n{}\n````\n", body.trim_end());
    if !e.error_lines.is_empty() {
        text.push_str(&block(
            "Lines that name what is wrong",
            &e.error_lines.join("\n"),
        ));
    }
    if !e.head.is_empty() {
        text.push_str(&block("How the output begins", &e.head));
    }
    if !e.tail.trim().is_empty() {
        text.push_str(&block("How the output ends", &e.tail));
    }
    text
}

/// Returns true when a diff changes anything outside the state directory.
pub(super) fn changes_product(changes: &[Change], state_dir: &str) -> bool {
    let inside = |c: &Change| {
        c.path
            .strip_prefix(state_dir)
            .is_some_and(|rest| rest.starts_with('/'))
    };
    changes
        .iter()
        .any(|c| !inside(c) || c.kind == ChangeKind::Deleted && !inside(c))
}
