//! The agent that a word means here, and the model and effort it can be asked for.

use super::{Os, accounts};
use gatewalk_core::agents::{self, AgentSelection, UserAgents};
use gatewalk_core::driver::driver_event::DriverEvent;
use gatewalk_core::driver::ports::AgentJob;
use gatewalk_core::engine::model_selection::ChainLink;
use gatewalk_core::error::{Error, Result};
use gatewalk_core::parallel::locked;

impl Os<'_> {
    /// Returns the model that a session of an agent is asked for: its profile's own, else the plan's, where that was
    /// meant for the same program. A program of the user's own that they named for this run takes any.
    pub(super) fn model_of(&self, link: &ChainLink, by_user: bool) -> Option<String> {
        let Ok(choice) = self.choose(&link.agent, by_user) else {
            return link.model.clone();
        };
        if let Some(own) = choice.own().and_then(|own| own.model.clone()) {
            return Some(own);
        }
        let adapter = choice.agent.name();
        let is_meant = match &link.model_of {
            None => true,
            Some(_) if by_user && (choice.agent.takes_program() || adapter == "script") => true,
            Some(owner) => self
                .choose(owner, false)
                .is_ok_and(|owner| owner.agent.name() == adapter && !owner.agent.takes_program()),
        };
        link.model.clone().filter(|_| is_meant)
    }

    /// Returns the model that a program's own settings choose.
    pub(super) fn configured_model(&self, choice: &AgentSelection) -> Option<String> {
        let login = choice.agent.login()?;
        accounts::account(&login, &self.host, choice.own()).model
    }

    /// Reports once that a program has no switch for the effort it is asked for.
    pub(super) fn note_effort(&self, choice: &AgentSelection, job: &AgentJob) {
        let Some(effort) = job.effort.as_ref().filter(|_| !choice.agent.takes_effort()) else {
            return;
        };
        let mut reported = locked(&self.reported);
        if reported.insert(format!("effort of {}", choice.name)) {
            self.watcher.report(&DriverEvent::Note {
                text: format!(
                    "{}: it has no switch for effort; `{effort}` is left out",
                    choice.name
                ),
            });
        }
    }

    /// Returns the agent of a session; refuses a profile whose key is not here.
    pub(super) fn chosen(&self, job: &AgentJob) -> Result<AgentSelection> {
        let choice = self.choose(&job.agent, job.by_user)?;
        match choice.own().and_then(|own| own.lacking.as_ref()) {
            None => Ok(choice),
            Some(why) => Err(Error::environment(format!(
                "agent `{}`: {why}",
                choice.name
            ))),
        }
    }

    /// Returns the agent a word means: the user may define programs, a plan may only name.
    pub(super) fn choose(&self, word: &str, by_user: bool) -> Result<AgentSelection> {
        let user = UserAgents {
            defined: &self.host.agents,
            cwd: &self.host.cwd,
        };
        if by_user {
            agents::choose(word, &user)
        } else {
            agents::choose_planned(word, &user)
        }
    }
}
