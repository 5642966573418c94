//! What an attempt did not pass by, and what each command of its oracle came to.

use crate::agents::SessionClass;
use crate::model::recorded_word::RecordedWord;
use crate::model::status_machine::{Word, words};

/// What one command of the oracle came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CommandVerdict {
    /// It proves what it checks.
    Pass,
    /// It fails, or did not end in time.
    Fail,
    /// It exited with 0, and tested nothing.
    Unproven,
    /// It failed, then passed on the same tree.
    Flaky,
    /// It did not run: the diff touches nothing it is about, or another one had failed before.
    Skipped,
    /// It passed before on other files, and none of its inputs changed since.
    Reused,
}

words!(CommandVerdict {
    "pass" => CommandVerdict::Pass,
    "fail" => CommandVerdict::Fail,
    "unproven" => CommandVerdict::Unproven,
    "flaky" => CommandVerdict::Flaky,
    "skipped" => CommandVerdict::Skipped,
    "reused" => CommandVerdict::Reused,
});

/// What an attempt did not pass by: how its session ended, a guard, or its oracle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailureClass {
    /// The session says that it cannot go on.
    Blocked,
    /// The session was stopped at its time limit.
    TimedOut,
    /// The session was stopped for silence.
    Idle,
    /// The session used its budget up.
    Budget,
    /// A command of the oracle failed.
    Verification,
    /// No command proved anything.
    Unproven,
    /// Nothing can be held against its base, which shows no cases.
    BaseUnproven,
    /// The diff, or running it, changed what judges.
    OracleModified,
    /// It passes with its own tests only.
    TestsWeakened,
    /// A command reached for what it must leave alone.
    Tampering,
    /// No check sees some of it, and the project requires that one does.
    Unwitnessed,
    /// The slot's history does not descend from the base.
    HistoryRewritten,
    /// The session changed no file.
    EmptyDiff,
    /// A path outside `touches`, or inside `do_not_touch`.
    OutOfScope,
    /// Files inside a submodule, which a run cannot commit.
    SubmoduleChanged,
    /// What `produces` names is not there.
    MissingDeliverable,
    /// A file of git-lfs whose content is not on this machine.
    MissingLargeFile,
    /// What looks like a secret.
    Secret,
    /// The drafted plan does not lint.
    PlanInvalid,
    /// The planner changed gates that are behind.
    PassedGateChanged,
    /// The planner changed the plan's own frontmatter.
    PlanChanged,
    /// The planner drafted no unit.
    NothingDrafted,
    /// The planner left no review.
    MissingReview,
    /// The planner changed requirements.
    RequirementsChanged,
    /// The planner armed what it drafted.
    ArmedBySession,
    /// The planner moved a gate.
    GateMovedBySession,
    /// The closing session left no retrospective.
    MissingRetrospective,
    /// The closing session left no verdict.
    MissingVerdict,
    /// The verdict is not what the criteria say.
    VerdictContradicts,
    /// A requirement called met that nothing shows.
    RequirementNotCovered,
    /// The criteria are not those prepared.
    CriteriaChanged,
    /// A criterion without a state.
    CriteriaOpen,
    /// A criterion called met that names nothing.
    CriteriaUnproven,
    /// A criterion not met without a follow-up.
    MissingFollowUp,
}

words!(FailureClass {
    "blocked" => FailureClass::Blocked,
    "timed_out" => FailureClass::TimedOut,
    "idle" => FailureClass::Idle,
    "budget" => FailureClass::Budget,
    "verification" => FailureClass::Verification,
    "unproven" => FailureClass::Unproven,
    "base_unproven" => FailureClass::BaseUnproven,
    "oracle_modified" => FailureClass::OracleModified,
    "tests_weakened" => FailureClass::TestsWeakened,
    "tampering" => FailureClass::Tampering,
    "unwitnessed" => FailureClass::Unwitnessed,
    "history_rewritten" => FailureClass::HistoryRewritten,
    "empty_diff" => FailureClass::EmptyDiff,
    "out_of_scope" => FailureClass::OutOfScope,
    "submodule_changed" => FailureClass::SubmoduleChanged,
    "missing_deliverable" => FailureClass::MissingDeliverable,
    "missing_large_file" => FailureClass::MissingLargeFile,
    "secret" => FailureClass::Secret,
    "plan_invalid" => FailureClass::PlanInvalid,
    "passed_gate_changed" => FailureClass::PassedGateChanged,
    "plan_changed" => FailureClass::PlanChanged,
    "nothing_drafted" => FailureClass::NothingDrafted,
    "missing_review" => FailureClass::MissingReview,
    "requirements_changed" => FailureClass::RequirementsChanged,
    "armed_by_session" => FailureClass::ArmedBySession,
    "gate_moved_by_session" => FailureClass::GateMovedBySession,
    "missing_retrospective" => FailureClass::MissingRetrospective,
    "missing_verdict" => FailureClass::MissingVerdict,
    "verdict_contradicts" => FailureClass::VerdictContradicts,
    "requirement_not_covered" => FailureClass::RequirementNotCovered,
    "criteria_changed" => FailureClass::CriteriaChanged,
    "criteria_open" => FailureClass::CriteriaOpen,
    "criteria_unproven" => FailureClass::CriteriaUnproven,
    "missing_follow_up" => FailureClass::MissingFollowUp,
});

/// Returns the class of an attempt whose session ended so. The ends that are not the work's are charged to no attempt; in
/// the record of another version they stay the text they are.
pub(crate) fn of_session(class: &RecordedWord<SessionClass>) -> RecordedWord<FailureClass> {
    let text = class.text();
    FailureClass::from_word(text).map_or_else(
        || RecordedWord::Unknown(text.to_owned()),
        RecordedWord::Known,
    )
}
