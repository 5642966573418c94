//! The worked example: a tiny real project with a feature of two gates, and the sessions that play
//! it through. `demo` makes a throwaway repository of it; the tests drive the same files.
//!
//! Its story: T01 passes at once; T02 fails a check and passes on the retry; T03 asks a question,
//! is parked, and passes once a user has answered; gate 1 stops for a review; gate 2 is armed,
//! T04 passes, and the feature closes itself. Rules and templates are not repeated here: `init`
//! has them.

macro_rules! embed {
    ($($path:literal),* $(,)?) => {
        &[$(($path, include_str!(concat!("../../../../examples/two-gates/", $path)))),*]
    };
}

/// The repository: paths relative to its root, and contents.
pub const FILES: &[(&str, &str)] = embed![
    "README.md",
    "greet.sh",
    "tests/run.sh",
    "tests/test_one_name.sh",
    ".gatewalk/verification.yml",
    ".gatewalk/roadmap.md",
    ".gatewalk/LEARNINGS.md",
    ".gatewalk/features/FEAT-2026-0001-greetings/PLAN.md",
    ".gatewalk/features/FEAT-2026-0001-greetings/GATE-01.md",
    ".gatewalk/features/FEAT-2026-0001-greetings/GATE-02.md",
    ".gatewalk/features/FEAT-2026-0001-greetings/WU-01-several-names.md",
    ".gatewalk/features/FEAT-2026-0001-greetings/WU-02-unknown-options.md",
    ".gatewalk/features/FEAT-2026-0001-greetings/WU-03-french.md",
    ".gatewalk/features/FEAT-2026-0001-greetings/WU-04-help.md",
    ".gatewalk/features/FEAT-2026-0001-greetings/WU-90-gate-1-close.md",
    ".gatewalk/features/FEAT-2026-0001-greetings/WU-91-gate-1-plan-next.md",
    ".gatewalk/features/FEAT-2026-0001-greetings/WU-92-gate-2-close.md",
];

/// What the `script` agent plays: a directory of recordings that stays outside the repository.
pub const SESSIONS: &[(&str, &str)] = embed![
    "sessions/T01.yml",
    "sessions/T02.1.yml",
    "sessions/T02.2.yml",
    "sessions/T03.1.yml",
    "sessions/T03.2.yml",
    "sessions/T04.yml",
    "sessions/G1-CLOSE-INTERMEDIATE.yml",
    "sessions/G1-PLAN.yml",
    "sessions/G2-CLOSE.yml",
];

/// The id of the example's feature.
pub const FEATURE: &str = "FEAT-2026-0001";

/// The unit that is parked, and what the user answers when sending it back to work.
pub const PARKED: (&str, &str) = (
    "FEAT-2026-0001/T03",
    "LC_ALL wins over LANG, as for every other program",
);

#[cfg(test)]
mod tests;
