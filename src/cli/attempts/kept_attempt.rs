//! Finding an attempt by unit and number: charged ones, and those that cost their unit nothing.

use crate::cli::made_elsewhere::{fetch_them, made_elsewhere};
use crate::cli::unit_command::OpenFeature;
use gatewalk_core::driver::committed_plan::attempt_ref;
use gatewalk_core::engine::attempt_record::AttemptRecord;
use gatewalk_core::error::{Error, Result};
use gatewalk_core::model::feature::Feature;
use gatewalk_core::model::layout;

/// Which attempt is meant; the last when no number says.
#[derive(Debug, Clone, Copy)]
pub(super) enum AttemptNumber {
    Charged(Option<u32>),
    Uncharged(Option<u32>),
}

/// An attempt and the ref that keeps what it left.
pub(super) struct KeptAttempt {
    pub(super) record: AttemptRecord,
    /// Its number among those of its kind.
    pub(super) number: u32,
    pub(super) kept_at: String,
    pub(super) charged: bool,
}

impl KeptAttempt {
    /// Returns what people call it.
    pub(super) fn name(&self) -> String {
        match self.charged {
            true => format!("attempt {}", self.number),
            false => format!("uncharged attempt {}", self.number),
        }
    }
}

/// Returns the uncharged attempts of a feature's units, oldest first.
pub(super) fn uncharged(opened: &OpenFeature<'_>, feature: &Feature) -> Result<Vec<KeptAttempt>> {
    let pins = opened.repository.git.list_pins(layout::UNCHARGED_REFS)?;
    let mut found: Vec<KeptAttempt> = pins
        .into_iter()
        .filter_map(|pin| {
            let record = AttemptRecord::from_message(&pin.message)?;
            feature.member(&record.unit)?;
            let number = pin.name.rsplit('/').next()?.parse().ok()?;
            Some(KeptAttempt {
                record,
                number,
                kept_at: pin.name,
                charged: false,
            })
        })
        .collect();
    found.sort_by(|a, b| (&a.record.unit, a.number).cmp(&(&b.record.unit, b.number)));
    Ok(found)
}

/// Finds an attempt. Where a unit has none that was charged and no number is given, its last uncharged one is meant.
pub(super) fn find(
    opened: &OpenFeature<'_>,
    unit: &str,
    wanted: AttemptNumber,
) -> Result<(String, KeptAttempt)> {
    let member = opened.unit(unit)?;
    let id = member.id().to_owned();
    let attempts = opened.attempts()?;
    let all = attempts
        .charged
        .get(id.as_str())
        .map_or(&[][..], |all| all.as_slice());
    let mut free = uncharged(opened, opened.feature())?;
    free.retain(|kept| kept.record.unit == id);
    let charged = match wanted {
        AttemptNumber::Charged(Some(n)) => all.iter().find(|a| a.number == n),
        AttemptNumber::Charged(None) => all.last(),
        AttemptNumber::Uncharged(_) => None,
    };
    if let Some(record) = charged {
        let kept = KeptAttempt {
            record: record.clone(),
            number: record.number,
            kept_at: attempt_ref(&id, record.number),
            charged: true,
        };
        return Ok((id, kept));
    }
    let numbers = |numbers: Vec<u32>| -> String {
        let words: Vec<String> = numbers.iter().map(u32::to_string).collect();
        words.join(", ")
    };
    let known = numbers(all.iter().map(|a| a.number).collect());
    let free_known = numbers(free.iter().map(|a| a.number).collect());
    let found = match wanted {
        AttemptNumber::Charged(Some(_)) => None,
        AttemptNumber::Uncharged(Some(n)) => free.into_iter().find(|a| a.number == n),
        AttemptNumber::Charged(None) | AttemptNumber::Uncharged(None) => free.pop(),
    };
    match found {
        Some(kept) => Ok((id, kept)),
        None => Err(match made_elsewhere(member.unit, all) {
            Some(made) => Error::plan(format!("{id} has {made}")).hint(fetch_them()),
            None => no_such_attempt(&id, &known, &free_known),
        }),
    }
}

/// Names the attempts that there are: the charged ones, and the `free` ones.
fn no_such_attempt(id: &str, charged: &str, free: &str) -> Error {
    let mut error = Error::plan(format!("{id} has no such attempt"));
    error = match charged.is_empty() {
        true => {
            let feature = id.rsplit_once('/').map_or(id, |(feature, _)| feature);
            error.hint(format!(
                "`gatewalk attempts list --feature {feature}` lists those there are"
            ))
        }
        false => error.hint(format!("its attempts: {charged}")),
    };
    if !free.is_empty() {
        error = error.hint(format!("uncharged ones, with `--uncharged`: {free}"));
    }
    error
}
