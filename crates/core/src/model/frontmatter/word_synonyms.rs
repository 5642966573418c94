//! What people and other tools write for a word of a closed set.

use super::nearest::nearest;

/// A word of ours, and what else is written for it. The first row that has both what is written and a word of the set wins.
const SAID_FOR: &[(&str, &[&str])] = &[
    // Statuses of units, gates and features.
    (
        "draft",
        &["todo", "to_do", "backlog", "new", "not_started", "proposed"],
    ),
    (
        "planned",
        &[
            "todo",
            "to_do",
            "backlog",
            "new",
            "not_started",
            "proposed",
            "draft",
            "pending",
            "ready",
        ],
    ),
    (
        "pending",
        &[
            "active", "armed", "doing", "in_work", "ongoing", "open", "planned", "queued", "retry",
            "running", "started", "wip",
        ],
    ),
    (
        "active",
        &[
            "armed",
            "doing",
            "in_progress",
            "in_work",
            "ongoing",
            "open",
            "running",
            "started",
            "wip",
        ],
    ),
    (
        "awaiting_review",
        &["review", "in_review", "needs_review", "ready", "waiting"],
    ),
    (
        "open",
        &[
            "active",
            "doing",
            "draft",
            "in_progress",
            "new",
            "pending",
            "planned",
            "todo",
            "to_do",
            "wip",
        ],
    ),
    (
        "done",
        &[
            "closed",
            "complete",
            "completed",
            "finished",
            "fixed",
            "landed",
            "merged",
            "ok",
            "passed",
            "resolved",
            "shipped",
        ],
    ),
    (
        "passed",
        &[
            "approved",
            "closed",
            "complete",
            "completed",
            "done",
            "finished",
            "reviewed",
        ],
    ),
    (
        "blocked_human",
        &[
            "failed",
            "needs_human",
            "needs_you",
            "on_hold",
            "parked",
            "stuck",
            "waiting",
        ],
    ),
    ("blocked", &["stuck", "waiting"]),
    (
        "deferred",
        &["later", "on_hold", "paused", "postponed", "put_off"],
    ),
    (
        "abandoned",
        &[
            "canceled",
            "cancelled",
            "dropped",
            "given_up",
            "obsolete",
            "rejected",
            "skipped",
            "superseded",
            "wont_do",
            "wont_fix",
            "wontfix",
        ],
    ),
    // Types of units.
    (
        "implementation",
        &[
            "bug", "bugfix", "chore", "code", "coding", "feat", "feature", "fix", "impl",
            "refactor", "task", "test", "tests",
        ],
    ),
    ("human", &["manual", "operator", "person", "user"]),
    ("close", &["closing", "closure", "final"]),
    ("plan-next", &["plan", "planning"]),
    ("docs", &["doc", "documentation"]),
    // What a command says, on the base and else.
    (
        "red",
        &[
            "fail", "failed", "failing", "fails", "failure", "broken", "error", "false",
        ],
    ),
    (
        "green",
        &[
            "ok", "pass", "passed", "passes", "passing", "success", "true",
        ],
    ),
    ("any", &["both", "either", "ignore", "skip", "unknown"]),
    ("met", &["done", "ok", "pass", "passed", "true", "yes"]),
    (
        "not_met",
        &["fail", "failed", "false", "no", "open", "partial", "partly"],
    ),
    // Choices of settings.
    ("narrow", &["fast", "quick", "small", "unit"]),
    (
        "broad",
        &["all", "e2e", "full", "integration", "slow", "wide"],
    ),
    (
        "restart",
        &["again", "clean", "discard", "fresh", "reset", "retry"],
    ),
    ("continue", &["keep", "resume"]),
    ("auto", &["automatic", "autonomous", "full"]),
    ("supervised", &["manual", "step"]),
    ("require", &["always", "mandatory", "required", "strict"]),
    ("show", &["auto", "on", "true", "warn", "yes"]),
    ("auto", &["default"]),
    ("on", &["allow", "always", "enabled", "full", "true", "yes"]),
    ("require", &["on", "true", "yes"]),
    (
        "off",
        &[
            "deny", "disable", "disabled", "false", "ignore", "never", "no", "none",
        ],
    ),
    ("rerun", &["again", "allow", "retry"]),
    ("skip", &["false", "ignore", "no", "off"]),
    ("run", &["on", "true", "yes"]),
    ("eager", &["always", "early", "first", "on", "true"]),
    ("lazy", &["late", "later", "off"]),
    ("merge", &["merged"]),
    ("approval", &["approve", "approved", "review"]),
    ("low", &["little", "min", "minimal", "minimum", "none"]),
    ("medium", &["auto", "default", "mid", "middle", "normal"]),
    ("xhigh", &["extra_high", "very_high"]),
    ("max", &["highest", "ultra"]),
    ("no_new_failures", &["cases", "no_new"]),
    ("exit", &["code", "exit_code", "exitcode", "status"]),
    ("error", &["deny", "fatal"]),
    ("warning", &["warn"]),
    ("info", &["hint", "note"]),
];

/// Returns the word of a set that something written means: what others write for it, or the nearest.
pub(in crate::model) fn meant_word<'a>(written: &str, words: &[&'a str]) -> Option<&'a str> {
    let plain = written.trim().to_lowercase().replace(['-', ' '], "_");
    let spelled = || {
        let same = |word: &&&str| word.to_lowercase().replace('-', "_") == plain;
        words.iter().find(same).copied()
    };
    let said = || {
        let rows = SAID_FOR.iter();
        let mut said = rows.filter(|(_, others)| others.contains(&&*plain));
        said.find_map(|(ours, _)| words.iter().find(|word| *word == ours).copied())
    };
    spelled()
        .or_else(said)
        .or_else(|| nearest(written, words.iter().copied()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::agent_entry::Effort;
    use crate::model::config::{
        self, ArmedBy, BaseCheck, FlakyPolicy, HookPolicy, NetworkPolicy, SandboxPolicy,
    };
    use crate::model::plan::Autonomy;
    use crate::model::report_settings::JudgeBy;
    use crate::model::status_machine::{FeatureStatus, GateStatus, UnitStatus, Word};
    use crate::model::unit::{ExpectBase, OnFailure, UnitType, Verdict};
    use crate::model::verification::Tier;
    use crate::model::witness_settings::WitnessMode;

    #[test]
    fn a_word_of_others_means_ours_where_the_set_has_it() {
        const UNIT: &[&str] = &["draft", "pending", "done", "blocked_human", "abandoned"];
        const GATE: &[&str] = &["open", "awaiting_review", "passed"];
        const BASE: &[&str] = &["red", "green", "any"];
        for (written, words, want) in [
            ("Done", UNIT, Some("done")),
            ("blocked-human", UNIT, Some("blocked_human")),
            ("blocked", UNIT, Some("blocked_human")),
            ("panding", UNIT, Some("pending")),
            ("To Do", UNIT, Some("draft")),
            ("completed", UNIT, Some("done")),
            ("completed", GATE, Some("passed")),
            ("wip", GATE, Some("open")),
            ("fail", BASE, Some("red")),
            ("passing", BASE, Some("green")),
            ("purple", BASE, None),
            ("warn", &["error", "warning", "off"], Some("warning")),
            ("fail", UNIT, None),
        ] {
            assert_eq!(meant_word(written, words), want, "{written} of {words:?}");
        }
    }

    #[test]
    fn every_row_is_of_a_set_and_names_a_word_once() {
        let all = [
            UnitStatus::words(),
            GateStatus::words(),
            FeatureStatus::words(),
            UnitType::words(),
            Effort::words(),
            OnFailure::words(),
            Verdict::words(),
            ExpectBase::words(),
            Tier::words(),
            Autonomy::words(),
            BaseCheck::words(),
            SandboxPolicy::words(),
            FlakyPolicy::words(),
            HookPolicy::words(),
            NetworkPolicy::words(),
            ArmedBy::words(),
            JudgeBy::words(),
            WitnessMode::words(),
            config::SEVERITIES.to_vec(),
        ]
        .concat();
        for (at, (ours, others)) in SAID_FOR.iter().enumerate() {
            let mut sorted = others.to_vec();
            sorted.sort_unstable();
            sorted.dedup();
            assert_eq!(sorted.len(), others.len(), "row {at}, {ours}");
            assert!(!others.contains(ours), "row {at}, {ours}");
            assert!(all.contains(ours), "row {at}, {ours}");
        }
    }
}
