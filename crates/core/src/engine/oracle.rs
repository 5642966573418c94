//! Which commands judge a unit: one list for the dry run, the base check and the verification.

mod oracle_command;

pub(crate) use self::oracle_command::FEATURE_ORACLE;
pub use self::oracle_command::{CommandJudge, CommandSource, OracleCommand};
use crate::model::feature::Feature;
use crate::model::idle_command::cannot_fail;
use crate::model::unit::{Unit, UnitType};
use crate::model::verification::{Set, Tier, Verification, VerificationCommand};
use sha2::{Digest, Sha256};

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

/// A unit, and what decides which commands judge it.
#[derive(Debug, Clone, Copy)]
pub struct OracleRequest<'a> {
    /// The declared commands.
    pub verification: &'a Verification,
    /// The unit's feature.
    pub feature: &'a Feature,
    /// Index of the unit's gate.
    pub gate: usize,
    /// The unit.
    pub unit: &'a Unit,
    /// Whether the commands of the broad tier judge it too.
    pub closing_gate: bool,
}

/// Returns the commands that judge a unit, in the order they run.
///
/// Fails with the reason for which they would prove nothing.
pub fn resolve(request: &OracleRequest<'_>) -> Result<Vec<OracleCommand>, NoOracle> {
    let OracleRequest {
        verification,
        feature,
        gate,
        unit,
        closing_gate,
    } = *request;
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
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    digits
        .map(|digit| char::from(DIGITS[usize::from(digit)]))
        .collect()
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
