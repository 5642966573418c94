//! The agents that could work here, for whoever has to choose one.

use super::{Context, DoctorCheck, Level, agents, probe};
use gatewalk_core::error::Result;

/// An agent, and whether it can work here.
pub(crate) struct KnownAgent {
    pub(crate) name: String,
    /// Whether it is installed and nothing is known that would stop it.
    pub(crate) usable: bool,
    /// What was found: version and login, or what is missing.
    pub(crate) message: String,
    pub(crate) remedy: Option<String>,
}

impl KnownAgent {
    fn of(check: DoctorCheck) -> KnownAgent {
        let installed = check.data["installed"] != false;
        KnownAgent {
            usable: installed && check.level != Level::Fail,
            name: check.name,
            message: check.message,
            remedy: check.remedy,
        }
    }
}

/// Looks at every agent, built in and the user's own; runs nothing.
pub(crate) fn known_agents(context: &Context) -> Vec<KnownAgent> {
    let checks = agents::each(context);
    checks.into_iter().map(KnownAgent::of).collect()
}

/// Lets an agent do a one-file task in a throwaway repository.
pub(crate) fn try_agent(name: &str, context: &Context) -> Result<KnownAgent> {
    probe::probe_on(Some(name), None, context).map(KnownAgent::of)
}
