//! Exit codes, the contract with shells and CI. `docs/cli.md` prints this table.

/// What the process tells its parent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Exit {
    /// Did what was asked (for `loop`: the feature is complete, or the dry run ended).
    Success,
    /// `lint`: findings at or above the threshold; `check`, `land`: the work did not pass.
    Findings,
    /// The command line is wrong.
    Usage,
    /// The plan or the configuration is invalid.
    InvalidPlan,
    /// Another driver holds the lock.
    Locked,
    /// Agent missing, not logged in or out of quota; git, disk, required sandbox.
    Environment,
    /// Tampering, a ref that moved during the run, a damaged repository.
    Integrity,
    /// At a gate: a user reviews and arms.
    AtGate,
    /// A unit needs a user.
    NeedsHuman,
    /// A budget is used up.
    BudgetReached,
    /// A bug in Gatewalk itself.
    Internal,
    /// Interrupted (Ctrl-C); state saved.
    Interrupted,
    /// Terminated (SIGTERM, SIGHUP); state saved.
    Terminated,
    /// The exit code a replayed session is to have; not one of the driver's own.
    Session(u8),
}

impl Exit {
    /// Every code with its meaning, in numeric order: the documented table.
    pub const TABLE: [(Exit, &'static str); 13] = [
        (
            Exit::Success,
            "did what you asked (for `loop`: the feature is complete, or the dry run ended)",
        ),
        (
            Exit::Findings,
            "`lint`: findings at or above the threshold; `check`, `land`: the work did not pass",
        ),
        (Exit::Usage, "usage"),
        (Exit::InvalidPlan, "plan or configuration invalid"),
        (Exit::Locked, "another driver holds the lock"),
        (
            Exit::Environment,
            "environment: agent missing, not logged in or out of quota; git, disk, required sandbox",
        ),
        (
            Exit::Integrity,
            "integrity stop: tampering, a ref that moved during the run, damaged repository",
        ),
        (Exit::AtGate, "at a gate: review it and arm the next"),
        (Exit::NeedsHuman, "a unit needs you"),
        (Exit::BudgetReached, "budget reached"),
        (Exit::Internal, "a bug in Gatewalk; please report it"),
        (Exit::Interrupted, "interrupted; state saved"),
        (Exit::Terminated, "terminated; state saved"),
    ];

    /// Returns the number the shell sees.
    pub const fn code(self) -> u8 {
        match self {
            Exit::Success => 0,
            Exit::Findings => 1,
            Exit::Usage => 2,
            Exit::InvalidPlan => 3,
            Exit::Locked => 4,
            Exit::Environment => 5,
            Exit::Integrity => 6,
            Exit::AtGate => 10,
            Exit::NeedsHuman => 11,
            Exit::BudgetReached => 12,
            Exit::Internal => 70,
            Exit::Interrupted => 130,
            Exit::Terminated => 143,
            Exit::Session(code) => code,
        }
    }
}

impl From<Exit> for std::process::ExitCode {
    fn from(exit: Exit) -> Self {
        std::process::ExitCode::from(exit.code())
    }
}
