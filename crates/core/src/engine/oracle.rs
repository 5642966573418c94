//! Which commands judge a unit: one list for the dry run, the base check and the verification.

use super::test_reports::case_comparison::CaseRules;
use crate::model::feature::Feature;
use crate::model::idle_command::cannot_fail;
use crate::model::report_settings::JudgeBy;
use crate::model::unit::{Check, ExpectBase, Unit, UnitType};
use crate::model::verification::{
    DEFAULT_COMMAND_TIMEOUT, Set, Tier, Verification, VerificationCommand,
};
use sha2::{Digest, Sha256};
use std::time::Duration;

/// Where a command of the oracle comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CommandSource {
    /// A set of verification.yml.
    Set(String),
    /// The gate's `feature_oracle`, for the whole feature.
    FeatureOracle,
    /// An executable acceptance criterion of the unit.
    Check(ExpectBase),
    /// A git hook of the user's own.
    Hook,
}

impl CommandSource {
    /// Returns its word in records.
    pub fn word(&self) -> &str {
        match self {
            CommandSource::Set(name) => name,
            CommandSource::FeatureOracle => "feature_oracle",
            CommandSource::Check(_) => "check",
            CommandSource::Hook => "hook",
        }
    }
}

/// What decides whether a command passes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CommandJudge {
    /// Its exit code.
    Exit,
    /// Its cases, held against those of the base.
    NewFailures(CaseRules),
}

/// The name of a gate's own command.
pub(crate) const FEATURE_ORACLE: &str = "feature-oracle";

/// One command that must exit 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OracleCommand {
    /// Its name; unique in the list.
    pub name: String,
    /// The shell text, `{feature_dir}` not yet replaced.
    pub shell: String,
    /// After this long it is ended, and has failed.
    pub timeout: Duration,
    /// Runs only when the diff touches one of these globs; empty for always.
    pub when: Vec<String>,
    /// Where it comes from.
    pub source: CommandSource,
    /// Red on the base by declaration: this unit turns it green.
    pub(crate) expects_red: bool,
    /// What decides whether it passes.
    pub(crate) judge: CommandJudge,
    /// Names of the commands of its set that run before it.
    pub(crate) needs: Vec<String>,
    /// Whether it may share its slot with others that run at the same time.
    pub parallel: bool,
    /// Globs of all that its outcome depends on; empty where that is not known.
    pub inputs: Vec<String>,
}

impl OracleCommand {
    /// Returns how it must end on the base.
    pub(crate) fn expect_base(&self) -> ExpectBase {
        match self.source {
            CommandSource::Check(expect) => expect,
            _ if self.expects_red => ExpectBase::Any,
            _ => ExpectBase::Green,
        }
    }

    /// Returns what its outcome on a tree is cached under, beside the tree: its text, and how it is judged.
    pub(crate) fn identity(&self) -> String {
        match &self.judge {
            CommandJudge::Exit => self.shell.clone(),
            CommandJudge::NewFailures(rules) => format!("{}\n{rules:?}", self.shell),
        }
    }
}

/// Why there is no oracle for a unit: unproven is not passed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoOracle {
    /// No command at all.
    Nothing {
        /// The set of the unit's type.
        set: String,
    },
    /// A set that is named does not exist.
    UnknownSet(String),
    /// A command that cannot fail proves nothing.
    CannotFail {
        /// Its own name, without that of its set.
        name: String,
    },
    /// The order inside a set has a cycle.
    NeedsCycle(String),
    /// A command is judged by cases that no report names, or where there is no base to hold them against.
    NoCases {
        /// Its own name, without that of its set.
        name: String,
    },
}

impl std::fmt::Display for NoOracle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NoOracle::Nothing { set } => write!(
                f,
                "no command in the set `{set}`: nothing would prove the unit"
            ),
            NoOracle::UnknownSet(set) => write!(f, "there is no verification set `{set}`"),
            NoOracle::CannotFail { name } => {
                write!(f, "the command `{name}` cannot fail, so it proves nothing")
            }
            NoOracle::NeedsCycle(set) => {
                write!(f, "the `needs` of the set `{set}` go round in a circle")
            }
            NoOracle::NoCases { name } => write!(
                f,
                "the command `{name}` is judged by `no_new_failures`, which needs a `report` with a `format`, and the narrow tier"
            ),
        }
    }
}

/// Returns the commands that judge a unit, in the order they run.
///
/// `closing_gate` adds the commands of the broad tier.
pub fn resolve(
    verification: &Verification,
    feature: &Feature,
    gate: usize,
    unit: &Unit,
    closing_gate: bool,
) -> Result<Vec<OracleCommand>, NoOracle> {
    let type_set = unit.unit_type().verification_set();
    let mut commands: Vec<OracleCommand> = Vec::new();
    let extra_sets = Unit::list(&unit.front.extra_gates);
    for (index, name) in [type_set].into_iter().chain(extra_sets).enumerate() {
        let Some(set) = verification.set(name) else {
            if index > 0 {
                return Err(NoOracle::UnknownSet(name.to_owned()));
            }
            continue;
        };
        for command in ordered(set)? {
            let broad = command.tier() == Tier::Broad && !closing_gate;
            if !broad && commands.iter().all(|c| c.shell != command.shell()) {
                commands.push(OracleCommand::of_set(name, command, unit)?);
            }
        }
    }
    commands.extend(OracleCommand::of_gate(feature, gate));
    let checks = unit.front.checks.iter().flat_map(|c| &c.value);
    commands.extend(checks.filter_map(|check| OracleCommand::of_check(&check.value)));
    if let Some(idle) = commands.iter().find(|c| cannot_fail(&c.shell)) {
        return Err(NoOracle::CannotFail {
            name: idle.name.clone(),
        });
    }
    // A unit's own checks show its own work, not that the rest still works.
    let unguarded = unit.unit_type() == UnitType::Implementation
        && verification
            .set(type_set)
            .is_none_or(|set| set.commands.is_empty());
    if unguarded || commands.is_empty() {
        return Err(NoOracle::Nothing {
            set: type_set.to_owned(),
        });
    }
    Ok(commands)
}

/// Returns every command of verification.yml, in the order of the file, each once and whatever its diff.
pub(crate) fn every_command(verification: &Verification) -> Result<Vec<OracleCommand>, NoOracle> {
    let mut commands: Vec<OracleCommand> = Vec::new();
    for name in verification.set_names() {
        let Some(set) = verification.set(name) else {
            continue;
        };
        for command in ordered(set)? {
            if commands.iter().all(|c| c.shell != command.shell()) {
                let mut command = OracleCommand::declared(name, command)?;
                command.when.clear();
                commands.push(command);
            }
        }
    }
    if let Some(idle) = commands.iter().find(|c| cannot_fail(&c.shell)) {
        let name = idle.name.clone();
        return Err(NoOracle::CannotFail { name });
    }
    match commands.is_empty() {
        true => Err(NoOracle::Nothing {
            set: UnitType::Implementation.verification_set().to_owned(),
        }),
        false => Ok(commands),
    }
}

impl OracleCommand {
    fn of_set(
        set: &str,
        command: &VerificationCommand,
        unit: &Unit,
    ) -> Result<OracleCommand, NoOracle> {
        let mut command = OracleCommand {
            expects_red: Unit::list(&unit.front.expects_red).contains(&command.name()),
            ..OracleCommand::declared(set, command)?
        };
        if let CommandJudge::NewFailures(rules) = &mut command.judge {
            rules.may_vanish = unit.front.touches_tests.as_ref().is_some_and(|t| t.value);
        }
        Ok(command)
    }

    /// Returns a command of verification.yml.
    pub(crate) fn declared(
        set: &str,
        command: &VerificationCommand,
    ) -> Result<OracleCommand, NoOracle> {
        let texts = |list| Unit::list(list).into_iter().map(str::to_owned).collect();
        Ok(OracleCommand {
            name: command.name().to_owned(),
            shell: command.shell().to_owned(),
            timeout: command.timeout(),
            when: texts(&command.when),
            source: CommandSource::Set(set.to_owned()),
            expects_red: false,
            judge: judge_of(command)?,
            needs: texts(&command.needs),
            parallel: command.parallel.as_ref().is_some_and(|p| p.value),
            inputs: texts(&command.inputs),
        })
    }

    fn of_gate(feature: &Feature, gate: usize) -> Option<OracleCommand> {
        let shell = feature.gate(gate)?.front.feature_oracle.as_ref()?;
        Some(OracleCommand {
            name: FEATURE_ORACLE.to_owned(),
            shell: shell.value.clone(),
            timeout: DEFAULT_COMMAND_TIMEOUT,
            when: vec![],
            source: CommandSource::FeatureOracle,
            // The whole feature's oracle is green only when its last unit is in.
            expects_red: true,
            judge: CommandJudge::Exit,
            needs: vec![],
            parallel: false,
            inputs: vec![],
        })
    }

    fn of_check(check: &Check) -> Option<OracleCommand> {
        let timeout = check.timeout.as_ref();
        let expect_base = check.expect_base.as_ref();
        Some(OracleCommand {
            name: check.name.as_ref()?.value.clone(),
            shell: check.run.as_ref()?.value.clone(),
            timeout: timeout.map_or(DEFAULT_COMMAND_TIMEOUT, |t| t.value),
            when: vec![],
            source: CommandSource::Check(expect_base.map_or(ExpectBase::Red, |e| e.value)),
            expects_red: false,
            judge: CommandJudge::Exit,
            needs: vec![],
            parallel: false,
            inputs: vec![],
        })
    }
}

/// Returns what decides whether a command passes. On the tip before a gate's end there is nothing to hold cases against.
fn judge_of(command: &VerificationCommand) -> Result<CommandJudge, NoOracle> {
    if command.judge() == JudgeBy::Exit {
        return Ok(CommandJudge::Exit);
    }
    let report = command.report.as_ref().map(|r| &r.value);
    let format = report.and_then(|r| r.format.as_ref());
    let (Some(report), Some(format), Tier::Narrow) = (report, format, command.tier()) else {
        let name = command.name().to_owned();
        return Err(NoOracle::NoCases { name });
    };
    let known = command.known_failures.as_ref();
    Ok(CommandJudge::NewFailures(CaseRules {
        shell: command.shell().to_owned(),
        format: format.value,
        path: report.path.as_ref().map(|path| path.value.clone()),
        known: known.map(|list| list.value.0.iter().map(|case| case.value.clone()).collect()),
        may_vanish: false,
    }))
}

/// Returns a set's commands so that each comes after those it needs.
pub(crate) fn ordered(set: &Set) -> Result<Vec<&VerificationCommand>, NoOracle> {
    let mut left: Vec<&VerificationCommand> = set.commands.iter().map(|c| &c.value).collect();
    let mut order: Vec<&VerificationCommand> = Vec::new();
    while !left.is_empty() {
        let names: Vec<&str> = left.iter().map(|c| c.name()).collect();
        let ready = left.iter().position(|c| {
            Unit::list(&c.needs)
                .iter()
                .all(|need| !names.contains(need))
        });
        match ready {
            Some(index) => order.push(left.remove(index)),
            None => return Err(NoOracle::NeedsCycle(set.name.value.clone())),
        }
    }
    Ok(order)
}

/// Returns the hash that names an oracle in trailers and records.
pub fn hash(commands: &[OracleCommand]) -> String {
    let mut hasher = Sha256::new();
    for c in commands {
        let source = c.source.word();
        for part in [&c.name, &c.shell, source] {
            hasher.update((part.len() as u64).to_le_bytes());
            hasher.update(part.as_bytes());
        }
        for glob in &c.when {
            hasher.update(glob.as_bytes());
            hasher.update([0]);
        }
        if c.judge != CommandJudge::Exit {
            hasher.update(c.identity().as_bytes());
        }
    }
    hex(&hasher.finalize())
}

/// Returns bytes as lower-case hexadecimal.
pub fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write;
    bytes
        .iter()
        .fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
            write!(text, "{byte:02x}").expect("writing to a string");
            text
        })
}

/// Replaces `{feature_dir}` by the shell-quoted path, so that no name in it is ever run.
pub fn substitute(shell: &str, feature_dir: &str) -> String {
    shell.replace("{feature_dir}", &shell_quote(feature_dir))
}

/// Quotes a word for `sh`.
pub fn shell_quote(word: &str) -> String {
    let plain = !word.is_empty()
        && word
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b"/._-+=:@%".contains(&b));
    if plain {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// Returns a path, as `git` shows it, as a word that any shell takes for exactly that path.
pub(crate) fn shell_path(shown: &str) -> String {
    let escaped = shown.strip_prefix('"').and_then(|s| s.strip_suffix('"'));
    match escaped {
        // What stands there is what `printf` reads, but for its own mark and the quote around it.
        Some(text) => {
            let text = text.replace('%', "%%").replace('\'', "\\047");
            format!("\"$(printf '{text}')\"")
        }
        None => shell_quote(shown),
    }
}

#[cfg(test)]
mod tests;
