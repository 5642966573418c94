//! Every name on disk and in git: one definition, shared by lint, driver and commands.

/// Which of the two state directories a repository has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Layout {
    /// `.gatewalk/`
    Gatewalk,
    /// `.specfuse/`: the same layout and keys, driven in place.
    Specfuse,
}

impl Layout {
    /// Returns the state directory's name at the root of the work tree.
    pub const fn dir(self) -> &'static str {
        match self {
            Layout::Gatewalk => ".gatewalk",
            Layout::Specfuse => ".specfuse",
        }
    }

    /// Both layouts, the one that wins first.
    pub const ALL: [Layout; 2] = [Layout::Gatewalk, Layout::Specfuse];

    /// Returns the path of a file of the state directory, relative to the repository root.
    pub fn path(self, name: &str) -> String {
        format!("{}/{name}", self.dir())
    }
}

/// The oracle; only the user changes it.
pub const VERIFICATION: &str = "verification.yml";
/// Project settings; only the user changes them.
pub const CONFIG: &str = "config.yml";
/// One table row a feature.
pub const ROADMAP: &str = "roadmap.md";
/// Lessons for later sessions, written by closing sessions.
pub const LEARNINGS: &str = "LEARNINGS.md";
/// Binding rules every session is given.
pub const RULES: &str = "rules";
/// The user's own rules.
pub const RULES_LOCAL: &str = "rules-local";
/// Templates of PLAN, GATE and WU.
pub const TEMPLATES: &str = "templates";
/// One directory a feature.
pub const FEATURES: &str = "features";
/// The shape of a feature.
pub const PLAN: &str = "PLAN.md";
/// The append-only log of a feature.
pub const EVENTS: &str = "events.jsonl";
/// One section a gate.
pub const RETROSPECTIVE: &str = "RETROSPECTIVE.md";

/// What was shipped into a state directory, and as what.
pub const MANIFEST: &str = "manifest.json";

/// What the program itself reads at the top of a state directory; whatever else lies there is the project's own.
pub const READ_BY_RUNS: [&str; 9] = [
    VERIFICATION,
    CONFIG,
    ROADMAP,
    LEARNINGS,
    RULES,
    RULES_LOCAL,
    TEMPLATES,
    MANIFEST,
    FEATURES,
];

/// Every ref the driver makes begins with this.
pub const REFS: &str = "refs/gatewalk/";
/// Captured attempts: `<prefix><unit id>/<n>`.
pub const ATTEMPT_REFS: &str = "refs/gatewalk/attempts/";
/// Attempts that ended without being charged: interrupted, or failed for reasons outside the work.
pub const UNCHARGED_REFS: &str = "refs/gatewalk/uncharged/";

/// What an attempt left before it was merged with a branch that had moved.
pub const SUPERSEDED_REFS: &str = "refs/gatewalk/superseded/";

/// Returns the file name of a gate: `GATE-01.md`.
pub(crate) fn gate_file(number: u32) -> String {
    format!("GATE-{number:02}.md")
}

/// Returns the file name of the planner's findings for a gate: `GATE-02-REVIEW.md`.
pub fn review_file(number: u32) -> String {
    format!("GATE-{number:02}-REVIEW.md")
}

/// Returns true if the file name is that of a work unit: `WU-….md`.
pub fn is_unit_file(name: &str) -> bool {
    name.starts_with("WU-") && name.ends_with(".md")
}

/// Returns the gate number if the file name is exactly that of a gate file.
pub fn gate_number(name: &str) -> Option<u32> {
    let digits = name.strip_prefix("GATE-")?.strip_suffix(".md")?;
    digits
        .bytes()
        .all(|b| b.is_ascii_digit())
        .then(|| digits.parse().ok())
        .flatten()
}
