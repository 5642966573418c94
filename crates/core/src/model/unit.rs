//! A work unit: frontmatter plus the prompt.

mod vocabulary;

use super::document::Document;
use super::frontmatter::{Note, OneOrMany, Raw, Spanned, front, table_from_yaml};
use super::id::UnitId;
use super::plan::Plan;
use super::status_machine::UnitStatus;
use crate::diagnostic::Span;
use crate::path_names::file_name;
use std::sync::Arc;
use std::time::Duration;
pub use vocabulary::{ExpectBase, OnFailure, ParkCause, UnitType, Verdict};

/// Attempts a unit gets when neither `max_attempts` nor the length of its `ladder` says. In recorded logs 17 % of third
/// attempts pass, at $2.60 each.
pub(crate) const DEFAULT_MAX_ATTEMPTS: u32 = 2;
/// Wall-clock limit of one session when the unit does not say.
pub(crate) const DEFAULT_TIMEOUT: Duration = Duration::from_secs(60 * 60);
/// Silence after which a session is ended when the unit does not say.
pub(crate) const DEFAULT_IDLE_TIMEOUT: Duration = Duration::from_secs(10 * 60);

/// The word of `touches` that sets no limit; a file of that name is `./any`.
pub(crate) const TOUCHES_ANY: &str = "any";

/// How every text that a user must still write begins. Lint reports what starts so: a warning
/// while the unit is a draft, an error once it could be dispatched.
pub const PLACEHOLDER_OPEN: &str = "<fill in:";

/// The sections every dispatchable unit must have, not empty.
pub(crate) const REQUIRED_SECTIONS: [&str; 5] = [
    "Context",
    "Acceptance criteria",
    "Do not touch",
    "Verification",
    "Escalation triggers",
];

front! {
    /// An executable acceptance criterion.
    pub struct Check keeps &[] => {
        /// What it is called in reports.
        name = "name": String [Author required],
        /// The shell command; exit 0 is green.
        run = "run": String [Author required],
        /// Requirement ids it proves.
        covers = "covers": OneOrMany<String> [Author],
        /// What it must say on the base: `red` (default), `green` or `any`.
        expect_base = "expect_base": ExpectBase [Author],
        /// Wall-clock limit; 15m when absent.
        timeout = "timeout": Duration [Author],
    }
}
table_from_yaml!(Check);

front! {
    /// What a retry is asked for in place of what the attempt before it had.
    pub struct RetryOverride keeps &[] => {
        /// The model, in the agent's own words.
        model = "model": super::agent_entry::ModelName [Author],
        /// How much thought the session is asked for.
        effort = "effort": super::agent_entry::Effort [Author],
    }
}
table_from_yaml!(RetryOverride);

front! {
    /// What the units of one type are asked for.
    pub struct TypeDefaults keeps &[] => {
        /// The type.
        unit_type = "type": UnitType [Author required],
        /// The model, in the agent's own words.
        model = "model": super::agent_entry::ModelName [Author],
        /// How much thought the session is asked for.
        effort = "effort": super::agent_entry::Effort [Author],
    }
}
table_from_yaml!(TypeDefaults);

/// Keys that older drivers wrote; read, kept, never a finding.
pub const KEPT_KEYS: &[&str] = &[
    "gate_set",
    "driver_version",
    "started_at",
    "produces_driver_helper",
    "folded_through_re_arm",
    "oracles",
    "historical_output_tokens",
    "historical_input_tokens",
    "historical_duration_seconds",
    "historical_cost_usd",
    "prior_attempts",
    "reproduced_signature",
    "re_arm_override",
    "provenance",
    "cumulative_attempts",
    "re_arm_reason",
];

front! {
    /// The frontmatter of a `WU-*.md` file.
    pub struct UnitFront keeps KEPT_KEYS => {
        /// The unit's id: its feature's id, `/`, and `T01` or a closing name.
        id = "id": String [Author required],
        /// What kind of work it is.
        unit_type = "type": UnitType [Author required],
        /// Where it stands; `ready` reads as `pending`.
        status = "status": UnitStatus [Author required],
        /// The agent, or a list of them: the fallback chain. An entry may name its model and effort: `{codex: gpt-5-codex, effort: high}`.
        agent = "agent": OneOrMany<super::agent_entry::AgentEntry> [Author],
        /// The model, in the agent's own words.
        model = "model": super::agent_entry::ModelName [Author],
        /// How much thought the session is asked for.
        effort = "effort": super::agent_entry::Effort [Author],
        /// Model and effort of the second attempt, the third and so on; the last stays.
        ladder = "ladder": Vec<Spanned<RetryOverride>> [Author],
        /// Attempts before the unit is parked; when absent 2, or as many as the `ladder` names.
        max_attempts = "max_attempts": u32 [Author],
        /// Wall-clock limit of one session; 60m when absent.
        timeout = "timeout": Duration [Author],
        /// Silence after which a session is ended; 10m when absent.
        idle_timeout = "idle_timeout": Duration [Author],
        /// What its sessions ask of a runner's machine: `{cpus: 4, memory: 8G, minutes: 120, gpu: 1}`.
        resources = "resources": super::unit_resources::UnitResources [Author],
        /// What the unit may cost over its life, in US dollars.
        budget_usd = "budget_usd": f64 [Author],
        /// What it is expected to cost, in US dollars.
        planned_cost_usd = "planned_cost_usd": f64 [Author],
        /// Paths or globs that must be in the unit's diff.
        produces = "produces": OneOrMany<String> [Author],
        /// Globs the diff must stay inside, but for tests that only join; `any` for no limit.
        touches = "touches": OneOrMany<String> [Author],
        /// Globs the diff must stay out of.
        do_not_touch = "do_not_touch": OneOrMany<String> [Author],
        /// Requirement ids the unit is for.
        covers = "covers": OneOrMany<String> [Author],
        /// Executable acceptance criteria.
        checks = "checks": Vec<Spanned<Check>> [Author],
        /// Verification sets added to the one of its type.
        extra_gates = "extra_gates": OneOrMany<String> [Author],
        /// Whether a retry starts afresh or from the failed tree.
        on_failure = "on_failure": OnFailure [Author],
        /// Where its oracle can run, when not everywhere.
        oracle_env = "oracle_env": String [Author],
        /// Generated files it refreshes.
        generated_surfaces = "generated_surfaces": OneOrMany<String> [Author],
        /// Runs the session without confinement; needs a rationale.
        unsandboxed = "unsandboxed": bool [Author],
        /// Why it cannot be confined.
        unsandboxed_rationale = "unsandboxed_rationale": String [Author],
        /// Its criteria need a user's eyes: why, or `true`. `false`, and what other readers of YAML take for it (`no`, `off`), is as if it were not there.
        human_only = "human_only": Raw [Author],
        /// Verification commands that are red on the base and that this unit turns green.
        expects_red = "expects_red": OneOrMany<String> [Author],
        /// Declares that the unit changes protected tests.
        touches_tests = "touches_tests": bool [Author],
        /// Control-plane paths the unit is meant to change; a user sees them at the gate.
        touches_control_plane = "touches_control_plane": OneOrMany<String> [Author],
        /// Closing units: what the session found, `met` or `not_met`.
        verdict = "verdict": Verdict [Session],
        /// What was done, by whom, for a human unit.
        evidence = "evidence": String [Driver],
        /// Attempts charged since it was armed last.
        attempts = "attempts": u32 [Driver],
        /// Cost of those attempts in US dollars; absent when unknown.
        cost_usd = "cost_usd": f64 [Driver],
        /// Input tokens of those attempts.
        input_tokens = "input_tokens": u64 [Driver],
        /// Output tokens of those attempts.
        output_tokens = "output_tokens": u64 [Driver],
        /// Seconds those attempts took.
        duration_seconds = "duration_seconds": f64 [Driver],
        /// Cost over all arms.
        cumulative_cost_usd = "cumulative_cost_usd": f64 [Driver],
        /// Input tokens over all arms.
        cumulative_input_tokens = "cumulative_input_tokens": u64 [Driver],
        /// Output tokens over all arms.
        cumulative_output_tokens = "cumulative_output_tokens": u64 [Driver],
        /// Seconds over all arms.
        cumulative_duration_seconds = "cumulative_duration_seconds": f64 [Driver],
        /// How often it was unblocked.
        re_arm_count = "re_arm_count": u32 [Driver],
        /// Why it was unblocked, each time.
        re_arm_history = "re_arm_history": Raw [Driver],
        /// What was armed: a hash of what you wrote in the unit, one of the requirements it covers, one of its gate and what it waits for, and one of what its gate and plan set for it.
        armed = "armed": String [Driver],
        /// Whether a closing unit was closed without a session.
        auto_close = "auto_close": Raw [Driver],
        /// What the predicate said, condition by condition.
        auto_close_reasons = "auto_close_reasons": Raw [Driver],
        /// Never close this gate without a session.
        auto_close_disabled = "auto_close_disabled": bool [Author],
        /// Why the unit was parked.
        escalation_reason = "escalation_reason": String [Driver],
        /// Class of the failure that parked it.
        escalation_failure_class = "escalation_failure_class": String [Driver],
        /// Fingerprint of the failure that parked it.
        escalation_failure_signature = "escalation_failure_signature": String [Driver],
    }
}

/// One work unit as its file says it.
#[derive(Debug, Clone, PartialEq)]
pub struct Unit {
    /// Its file as parsed.
    pub doc: Document,
    /// Its frontmatter, each key as its type; apart, for it is large, and maps of units have room for many.
    pub front: Box<UnitFront>,
    /// The id, when it is well formed.
    pub(crate) id: Option<UnitId>,
    /// Its feature's `root`.
    root: Option<Arc<str>>,
    /// What did not fit.
    pub(crate) notes: Vec<Note>,
}

impl Unit {
    /// Reads a unit file; never fails.
    pub fn parse(path: Arc<str>, bytes: &[u8]) -> Unit {
        let doc = Document::parse(path, bytes);
        let mut notes = Vec::new();
        let front = doc.front.as_ref();
        let front = front.map(|front| Box::new(UnitFront::read(&front.root, &mut notes)));
        let front = front.unwrap_or_default();
        let id = front.id.as_ref().and_then(|id| UnitId::parse(&id.value));
        Unit {
            doc,
            front,
            id,
            root: None,
            notes,
        }
    }

    /// Returns the path of its file, relative to the repository root.
    pub fn path(&self) -> &Arc<str> {
        &self.doc.path
    }

    /// Returns its status; a file without a readable one is a draft, which is never dispatched.
    pub fn status(&self) -> UnitStatus {
        self.front
            .status
            .as_ref()
            .map_or(UnitStatus::Draft, |s| s.value)
    }

    /// Returns what stands in place of a status, where it is none; empty where nothing does.
    pub fn unread_status(&self) -> Option<&str> {
        let is_read = self.front.status.is_some();
        (!is_read).then(|| self.doc.front_text("status"))
    }

    /// Returns whether something was left in its file to be filled in: as work it would stop every run.
    pub fn is_unfilled(&self) -> bool {
        self.doc.text.contains(PLACEHOLDER_OPEN)
    }

    /// Returns whether its criteria need a user's eyes, as far as a word of YAML 1.1 does not say that they do not.
    pub(crate) fn is_human_only(&self) -> bool {
        let written = self.front.human_only.as_ref().map(|raw| &raw.value.0);
        let says_no = |text: &str| {
            let no = ["false", "no", "off", "n"];
            no.iter().any(|word| text.eq_ignore_ascii_case(word))
        };
        written.is_some_and(|node| !node.is_null() && !node.as_str().is_some_and(says_no))
    }

    /// Returns its type; a file without a readable one counts as work on the product.
    pub fn unit_type(&self) -> UnitType {
        self.front
            .unit_type
            .as_ref()
            .map_or(UnitType::Implementation, |t| t.value)
    }

    /// Returns its title: the first heading, or the file's name.
    pub fn title(&self) -> String {
        let name = || file_name(&self.doc.path).to_owned();
        self.doc.title().map_or_else(name, |(title, _)| title)
    }

    /// Returns how many attempts its file counts. A file written by hand may count none.
    pub fn attempts_counted(&self) -> u32 {
        self.front.attempts.as_ref().map_or(0, |count| count.value)
    }

    /// Returns how many attempts it gets.
    pub fn max_attempts(&self) -> u32 {
        if let Some(named) = &self.front.max_attempts {
            return named.value.max(1);
        }
        // A ladder names the attempts from the second on.
        let rungs = self.front.ladder.as_ref().map_or(0, |l| l.value.len());
        DEFAULT_MAX_ATTEMPTS
            .max(u32::try_from(rungs).map_or(u32::MAX, |rungs| rungs.saturating_add(1)))
    }

    /// Returns the wall-clock limit of a session.
    pub fn timeout(&self) -> Duration {
        self.front
            .timeout
            .as_ref()
            .map_or(DEFAULT_TIMEOUT, |d| d.value)
    }

    /// Returns the silence after which a session is ended.
    pub fn idle_timeout(&self) -> Duration {
        self.front
            .idle_timeout
            .as_ref()
            .map_or(DEFAULT_IDLE_TIMEOUT, |d| d.value)
    }

    /// Returns how often it was sent back to work.
    pub fn re_arm_count(&self) -> u32 {
        self.front.re_arm_count.as_ref().map_or(0, |n| n.value)
    }

    /// Returns what it was armed as; empty when it never was.
    pub(crate) fn armed(&self) -> &str {
        self.front.armed.as_ref().map_or("", |a| &a.value)
    }

    /// Returns what it cost over all its arms, as far as is known.
    pub fn lifetime_cost_usd(&self) -> Option<f64> {
        let value = |key: &Option<Spanned<f64>>| key.as_ref().map(|c| c.value);
        let (life, arm) = (
            value(&self.front.cumulative_cost_usd),
            value(&self.front.cost_usd),
        );
        life.zip(arm).map(|(a, b)| a.max(b)).or(life).or(arm)
    }

    /// Returns the directory its work lies in by its feature's word: its own is `touches`.
    pub(crate) fn root(&self) -> Option<&str> {
        let root = self.root.as_deref();
        root.filter(|_| Unit::list(&self.front.touches).is_empty())
    }

    /// Returns it as a unit of the feature with this plan.
    pub(crate) fn of_plan(mut self, plan: &Plan) -> Unit {
        self.root = plan.root().map(Arc::from);
        self
    }

    /// Returns the values of a one-or-many key.
    pub fn list(key: &Option<Spanned<OneOrMany<String>>>) -> Vec<&str> {
        key.iter()
            .flat_map(|l| &l.value.0)
            .map(|s| s.value.as_str())
            .collect()
    }

    /// Returns where a key's value stands, or the head of the file.
    pub fn span_of(&self, key: &str) -> Span {
        self.doc.key_span(key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::gate::Gate;

    #[test]
    fn a_unit_is_for_a_users_eyes_unless_a_word_of_some_yaml_says_that_it_is_not() {
        for (written, want) in [
            ("", false),
            ("human_only: true\n", true),
            ("human_only: on\n", true),
            ("human_only: a user looks\n", true),
            ("human_only: {by: me}\n", true),
            ("human_only: false\n", false),
            ("human_only: No\n", false),
            ("human_only: OFF\n", false),
            ("human_only: n\n", false),
            ("human_only:\n", false),
        ] {
            let text = format!("---\nid: x\n{written}---\n");
            let unit = Unit::parse("WU-01.md".into(), text.as_bytes());
            assert_eq!(unit.is_human_only(), want, "{written}");
        }
    }

    #[test]
    fn a_unit_and_a_gate_are_small_where_many_lie_side_by_side() {
        // A map has room for eleven in each of its nodes, however few there are.
        for bytes in [size_of::<Unit>(), size_of::<Gate>()] {
            assert!(bytes <= 384, "{bytes} bytes");
        }
    }
}
