//! What the driver found out about an attempt's work, as it is recorded.

use super::command_result::CommandResult;
use super::witness_report::WitnessReport;
use crate::engine::failure_class::FailureClass;
use crate::engine::plan_revision::PlanRevision;
use crate::engine::secrets;
use crate::model::recorded_word::RecordedWord;
use crate::object_id::ObjectId;
use serde::{Deserialize, Serialize};

/// Whether the work of an attempt may land.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(from = "VerdictRecord", into = "VerdictRecord")]
pub(crate) enum AttemptVerdict {
    /// It may.
    Passed,
    /// It may not, or nothing was asked about it yet.
    Refused(WorkRefusal),
}

/// Why the work of an attempt does not land; empty where nothing was asked about it yet.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct WorkRefusal {
    /// What it did not pass by.
    class: Option<RecordedWord<FailureClass>>,
    /// The failure made comparable.
    signature: Option<String>,
    /// What to show of it.
    excerpt: Option<String>,
    /// What the next session is shown.
    evidence: Option<String>,
}

impl WorkRefusal {
    pub(crate) fn new(
        class: impl Into<RecordedWord<FailureClass>>,
        signature: String,
        excerpt: String,
        evidence: String,
    ) -> WorkRefusal {
        WorkRefusal {
            class: Some(class.into()),
            signature: Some(signature),
            excerpt: Some(excerpt),
            evidence: Some(evidence),
        }
    }

    /// Returns a refusal that tells the user and the next session the same.
    pub(crate) fn told_alike(
        class: impl Into<RecordedWord<FailureClass>>,
        signature: String,
        why: String,
    ) -> WorkRefusal {
        WorkRefusal::new(class, signature, why.clone(), why)
    }

    /// Changes what a user and the next session are told.
    fn each_text(&mut self, change: impl Fn(&mut String)) {
        let texts = [&mut self.evidence, &mut self.excerpt];
        texts.into_iter().flatten().for_each(change);
    }
}

/// A verdict as records have it.
#[derive(Serialize, Deserialize)]
struct VerdictRecord {
    passed: bool,
    failure_class: Option<RecordedWord<FailureClass>>,
    failure_signature: Option<String>,
    failure_excerpt: Option<String>,
    evidence: Option<String>,
}

impl From<VerdictRecord> for AttemptVerdict {
    fn from(record: VerdictRecord) -> AttemptVerdict {
        match record.passed {
            true => AttemptVerdict::Passed,
            false => AttemptVerdict::Refused(WorkRefusal {
                class: record.failure_class,
                signature: record.failure_signature,
                excerpt: record.failure_excerpt,
                evidence: record.evidence,
            }),
        }
    }
}

impl From<AttemptVerdict> for VerdictRecord {
    fn from(verdict: AttemptVerdict) -> VerdictRecord {
        let passed = verdict == AttemptVerdict::Passed;
        let refusal = match verdict {
            AttemptVerdict::Passed => WorkRefusal::default(),
            AttemptVerdict::Refused(refusal) => refusal,
        };
        VerdictRecord {
            passed,
            failure_class: refusal.class,
            failure_signature: refusal.signature,
            failure_excerpt: refusal.excerpt,
            evidence: refusal.evidence,
        }
    }
}

/// What the driver found after the session.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Judgement {
    /// Whether the work may land, and if not, why.
    #[serde(flatten)]
    pub(crate) verdict: AttemptVerdict,
    /// Every command that ran.
    pub commands: Vec<CommandResult>,
    /// Paths the attempt changed.
    pub files_touched: Vec<String>,
    /// What a user should see at the gate although it passed.
    pub notices: Vec<String>,
    /// Those of them about the work and its judging: they hold the gate until the user accepts them.
    #[serde(default)]
    pub(crate) unusual: Vec<String>,
    /// Tests that only joined, without a declaration.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) joined: Vec<String>,
    /// Sources that only tests use and that changed, without a declaration.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) aids: Vec<String>,
    /// What judges and changed as the unit declares.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) declared: Vec<String>,
    /// Those of them about what a planner did to what had been planned before.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) revisions: Vec<PlanRevision>,
    /// What no check sees, where the project requires that this is known before a landing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) witness: Option<WitnessReport>,
    /// The runner that its commands ran on, if not the user's machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judged_on: Option<String>,
    /// Hash of the oracle that judged.
    pub oracle: String,
    /// Stands for the product's files that the commands ran on; absent where none ran, and in older records.
    #[serde(default)]
    pub(crate) product_tree: Option<String>,
    /// The tree that was judged: the captured one, with the agent's edits of plan files put back.
    pub tree: ObjectId,
    /// The commit the judged tree stands on.
    pub base: ObjectId,
    /// The tree it was compared with, where work was ahead of it that had not landed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) onto: Option<ObjectId>,
    /// When it was judged.
    pub(crate) at: String,
}

impl Judgement {
    /// Returns the judgement of work that nothing was asked about yet.
    pub(crate) fn unproven(tree: ObjectId, base: ObjectId, oracle: String) -> Judgement {
        Judgement {
            verdict: AttemptVerdict::Refused(WorkRefusal::default()),
            commands: vec![],
            files_touched: vec![],
            notices: vec![],
            unusual: vec![],
            joined: vec![],
            aids: vec![],
            declared: vec![],
            revisions: vec![],
            witness: None,
            judged_on: None,
            oracle,
            product_tree: None,
            tree,
            base,
            onto: None,
            at: String::new(),
        }
    }

    /// Takes what looks like a secret out of what is kept.
    pub(crate) fn redact(&mut self) {
        if let AttemptVerdict::Refused(refusal) = &mut self.verdict {
            refusal.each_text(|text| *text = secrets::redact(text));
        }
    }

    /// Says of work that does not land what may be behind it; a command that failed, failed by that. Lists show the first line
    /// of what failed alone: there it is said in short.
    pub(crate) fn add_cause(&mut self, class: FailureClass, why: &str, in_short: &str) {
        let AttemptVerdict::Refused(refusal) = &mut self.verdict else {
            return;
        };
        if refusal.class == Some(FailureClass::Verification.into()) {
            refusal.class = Some(class.into());
        }
        if let Some(excerpt) = &mut refusal.excerpt {
            let end = excerpt.find('\n').unwrap_or(excerpt.len());
            excerpt.insert_str(end, &format!(" ({in_short})"));
        }
        refusal.each_text(|text| text.push_str(&format!("\n\n{why}")));
    }

    /// Returns whether the work may land.
    pub fn passed(&self) -> bool {
        self.verdict == AttemptVerdict::Passed
    }

    /// Returns what it did not pass by.
    pub fn failure_class(&self) -> Option<&RecordedWord<FailureClass>> {
        self.refusal()?.class.as_ref()
    }

    /// Returns the failure made comparable.
    pub(crate) fn failure_signature(&self) -> Option<&str> {
        self.refusal()?.signature.as_deref()
    }

    /// Returns what to show of the failure.
    pub fn failure_excerpt(&self) -> Option<&str> {
        self.refusal()?.excerpt.as_deref()
    }

    /// Returns what the next session is shown of the failure.
    pub fn evidence(&self) -> Option<&str> {
        self.refusal()?.evidence.as_deref()
    }

    /// Says that the work does not land.
    pub(crate) fn refuse(&mut self, refusal: WorkRefusal) {
        self.verdict = AttemptVerdict::Refused(refusal);
    }

    fn refusal(&self) -> Option<&WorkRefusal> {
        match &self.verdict {
            AttemptVerdict::Passed => None,
            AttemptVerdict::Refused(refusal) => Some(refusal),
        }
    }
}

#[cfg(test)]
mod tests;
