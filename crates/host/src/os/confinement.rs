//! Who is confined how: the user's word, the project's, and what the machine can.

use super::{Host, Os, temporary};
use crate::agent_settings;
use crate::external_files::WatchedPlaces;
use crate::isolation::{
    Access, Bounds, Layer, MovedPlaces, SlotSandbox, SlotStandIns, find_program,
};
use crate::process::CommandSpec;
use crate::state_repository::stamp_now;
use gatewalk_core::agents::{Agent, AgentSelection, CommandAgent, Login, SourcePlace};
use gatewalk_core::driver::driver_event::DriverEvent;
use gatewalk_core::driver::ports::{AgentJob, SlotId};
use gatewalk_core::error::{Error, Result};
use gatewalk_core::model::config::SandboxPolicy;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

impl Host {
    /// Returns how strictly attempts are confined. A project may only ask for more than the user does,
    /// unless the user said so for this very run.
    pub fn sandbox(&self, project: Option<SandboxPolicy>) -> SandboxPolicy {
        if let Some(own_choice) = self.sandbox_now {
            return own_choice;
        }
        let own = self.sandbox.unwrap_or(SandboxPolicy::Auto);
        match project {
            Some(SandboxPolicy::Require) => SandboxPolicy::Require,
            _ => own,
        }
    }
}

impl Os<'_> {
    /// Says how strictly this run is confined; an error when it has to be and cannot.
    pub fn require_isolation(&self, project: Option<SandboxPolicy>) -> Result<()> {
        let policy = self.host.sandbox(project);
        // Once a run.
        let _known = self.far.policy.set(policy);
        let layer = match policy {
            SandboxPolicy::Off => Layer::None("it is switched off".to_owned()),
            _ => Layer::probe(&self.host.env, &self.host.own_program),
        };
        if project == Some(SandboxPolicy::Off) {
            self.note("`sandbox: off` in the project's config.yml is not heeded: only your own configuration or `--sandbox` may say so".to_owned());
        }
        if let Layer::None(why) = &layer {
            if policy == SandboxPolicy::Require {
                return Err(Error::environment(format!(
                    "confinement is required and not to be had: {why}"
                ))
                .hint("install bubblewrap (`apt install bubblewrap`), or allow unprivileged user namespaces")
                .hint("nothing was started"));
            }
            self.note(format!(
                "isolation: none: sessions run unconfined as you ({why}); what they change outside is only detected"
            ));
        }
        // Asked once a run, before anything is started.
        drop(self.layer.set(layer));
        Ok(())
    }

    /// Returns what confines here; tried out on first use.
    pub(super) fn layer(&self) -> &Layer {
        self.layer.get_or_init(|| match self.host.sandbox(None) {
            SandboxPolicy::Off => Layer::None("it is switched off".to_owned()),
            _ => Layer::probe(&self.host.env, &self.host.own_program),
        })
    }

    /// Tries the user's signing out, where they sign.
    pub fn try_signing(&self, tip: gatewalk_core::object_id::ObjectId) -> Result<()> {
        self.git.try_signing(tip, stamp_now())
    }

    /// Removes everything in a slot, caches too.
    pub fn empty_slot(&self, slot: SlotId) -> Result<()> {
        let place = self.slot(slot)?;
        self.discard_setup(slot);
        match std::fs::remove_dir_all(place.dir()) {
            Err(e) if e.kind() != std::io::ErrorKind::NotFound => {
                Err(Error::io("remove", place.dir(), &e))
            }
            _ => Ok(()),
        }
    }

    pub(super) fn note(&self, text: String) {
        self.watcher.report(&DriverEvent::Note { text });
    }

    /// Returns the bounds every process of this repository's attempts has.
    pub(super) fn bounds(&self, slot: &Path, network: bool) -> Bounds {
        let temporary = self.host.var("TMPDIR").map(PathBuf::from);
        let mut bounds = Bounds::reading(network);
        bounds.add_common(self.moved_places(), temporary.as_deref());
        bounds.add_moved(self.moved_places());
        for path in [
            self.git.work_tree(),
            self.git.git_dir(),
            self.git.common_dir(),
        ] {
            bounds.add(path, Access::Read);
        }
        if let Some(own) = crate::user_config::path(&self.host.env)
            && let Some(directory) = own.parent()
        {
            bounds.add(directory, Access::Read);
        }
        // Other slots, of this and of other repositories, and what far ends keep.
        if let Some(all) = self.slots.parent() {
            bounds.add(all, Access::Read);
            bounds.add(&all.with_file_name("far"), Access::Read);
        }
        bounds.open_named(&self.host.writable);
        bounds.add(slot, Access::Write);
        if matches!(self.layer(), Layer::Landlock(_)) {
            let is_installed = |program: &str| {
                find_program(OsStr::new(program), &self.host.env, Path::new("/")).is_some()
            };
            bounds.make_caches(self.moved_places(), is_installed);
        }
        bounds
    }

    /// Returns a session's command, confined unless the user let its unit be.
    pub(super) fn confine_session(
        &self,
        spec: CommandSpec,
        own: &OwnAccount,
        job: &AgentJob,
    ) -> CommandSpec {
        let (unsandboxed, unit) = (job.unsandboxed, &job.unit);
        let layer = self.layer();
        if unsandboxed && layer.is_active() {
            if self.host.allow_unsandboxed {
                self.note(format!("{unit} runs unconfined, as it and you say"));
                return self.unconfined(spec);
            }
            self.note(format!(
                "{unit} asks for `unsandboxed`, which is not heeded: only `allow_unsandboxed: true` in your own configuration lets it"
            ));
        }
        if !layer.is_active() {
            return self.unconfined(spec);
        }
        let mut bounds = self.session_bounds(&spec.cwd, own);
        self.seal_features(job.slot, job.feature_dir.as_deref(), &mut bounds);
        bounds.hide_clouds(self.moved_places(), |keys| match keys {
            ".env" => own.keys_in_env,
            cloud => needs_cloud(cloud, &spec.env),
        });
        self.confine_in(spec, bounds)
    }

    /// Returns the bounds of a session of these agents, without those for keys of clouds.
    pub(super) fn session_bounds(&self, slot: &Path, own: &OwnAccount) -> Bounds {
        let mut bounds = self.bounds(slot, true);
        let moved = self.moved_places();
        let whole = matches!(self.layer(), Layer::Landlock(_));
        self.hide_logins(&mut bounds);
        bounds.hide_agents(moved, &own.state);
        bounds.open_agent(moved, &own.state);
        match whole {
            true => bounds.open_whole_state(moved, &own.state, &own.makes),
            false => bounds.layer_made(moved, &own.makes),
        }
        if let Some(directory) = &own.directory {
            bounds.add(directory, Access::Write);
            let kept = agent_settings::read_only().filter(|_| !whole);
            for path in kept.filter_map(|name| own.in_directory(name)) {
                bounds.add(&path, Access::Read);
            }
        }
        bounds
    }

    /// Returns a command of the oracle, confined; it sees no agent's login.
    pub(super) fn confine_command(
        &self,
        spec: CommandSpec,
        network: bool,
        (slot, feature_dir): (SlotId, Option<&str>),
    ) -> CommandSpec {
        if !self.layer().is_active() {
            return self.unconfined(spec);
        }
        let mut bounds = self.bounds(&spec.cwd, network);
        self.seal_features(slot, feature_dir, &mut bounds);
        let moved = self.moved_places();
        bounds.hide_agents(moved, &[]);
        bounds.hide_clouds(moved, |_| false);
        self.hide_logins(&mut bounds);
        self.confine_in(spec, bounds)
    }

    /// Hides the directories that variables and profiles name for agents' logins.
    fn hide_logins(&self, bounds: &mut Bounds) {
        for agent in gatewalk_core::agents::ALL {
            if let Some(directory) = login_directory(agent.login().as_ref(), &self.host) {
                bounds.add(&directory, Access::Hidden);
            }
        }
        for own in &self.host.agents {
            let login = gatewalk_core::agents::by_name(own.adapter).and_then(|agent| agent.login());
            let host = super::accounts::with_set(&self.host, own);
            if let Some(directory) = login_directory(login.as_ref(), &host) {
                bounds.add(&directory, Access::Hidden);
            }
        }
    }

    /// Returns where the things of the user's home are.
    pub(super) fn moved_places(&self) -> &MovedPlaces {
        self.moved.get_or_init(|| MovedPlaces::of(&self.host.env))
    }

    /// Returns what is looked at around sessions and commands.
    pub(super) fn watched_places(&self) -> &WatchedPlaces {
        self.watched_places.get_or_init(|| {
            let places = (&*self.slots, self.git.work_tree());
            WatchedPlaces::new(self.moved_places(), places, self.host.var("PATH"))
        })
    }

    /// Returns a command that nothing confines, with a directory of its slot's own for temporary files.
    fn unconfined(&self, spec: CommandSpec) -> CommandSpec {
        let own = self.temporary.of(&spec.cwd);
        temporary::with_tmpdir(spec, own.as_deref())
    }

    /// Confines a command, with a directory of its slot's own for temporary files.
    fn confine_in(&self, mut spec: CommandSpec, mut bounds: Bounds) -> CommandSpec {
        let own = self.temporary.of(&spec.cwd);
        if bounds.hide_accounts(self.moved_places()) {
            // npm refuses to start where it may not read its settings.
            let variable = "NPM_CONFIG_USERCONFIG";
            spec.env
                .retain(|(name, _)| !name.eq_ignore_ascii_case(variable));
            spec.env.push((variable.into(), "/dev/null".into()));
        }
        if crate::isolation::landlock_has().1 {
            bounds.scope_with(&self.host.own_program);
        }
        bounds.open_named(&self.host.writable);
        let mut slot = SlotSandbox {
            stand_ins: None,
            own_program: self.host.own_program.clone(),
            marker: self.marker("standby"),
            resources: self.host.resources,
        };
        match (self.layer(), own) {
            (Layer::Bubblewrap(_), Some(own)) => {
                bounds.show(&self.host.own_program);
                bounds.keep_private_in(&own);
                let below = self.temporary.of_run(&spec.cwd);
                slot.stand_ins = below.map(|below| SlotStandIns {
                    all: self.stand_ins.clone(),
                    below,
                });
            }
            (Layer::Landlock(_), Some(own)) => {
                bounds.add(&own, Access::Write);
                spec = temporary::with_tmpdir(spec, Some(&own));
            }
            _ => {}
        }
        self.layer().confine(spec, &bounds, (&self.standbys, slot))
    }

    /// Returns whether a session of a unit is confined.
    pub(super) fn is_confined(&self, unsandboxed: bool) -> bool {
        self.layer().is_active() && !(unsandboxed && self.host.allow_unsandboxed)
    }
}

/// What a session may see of agents' logins: those of its own.
#[derive(Debug, Default)]
pub(super) struct OwnAccount {
    /// Where its agents keep state, below the home.
    state: Vec<&'static str>,
    /// What else their programs make there.
    makes: Vec<&'static str>,
    /// Whether one of its agents looks for keys in the home's file of variables.
    keys_in_env: bool,
    /// The directory named for its login.
    directory: Option<PathBuf>,
    /// What that directory stands for below the home.
    stands_for: Option<&'static Path>,
}

impl OwnAccount {
    /// Returns what belongs to the agent of a session. A program of the user's has what the agents have that its command
    /// line names.
    pub(super) fn of(choice: &AgentSelection, host: &Host) -> OwnAccount {
        let own = choice.own();
        let named = own.into_iter().flat_map(CommandAgent::named_agents);
        let others = named.filter(|agent| agent.name() != choice.agent.name());
        let agents: Vec<_> = std::iter::once(choice.agent).chain(others).collect();
        let of_all = |of: fn(&dyn Agent) -> &'static [&'static str]| {
            agents
                .iter()
                .flat_map(|agent| of(*agent))
                .copied()
                .collect()
        };
        let set = own.map(|own| super::accounts::with_set(host, own));
        OwnAccount {
            state: of_all(|agent| agent.state()),
            makes: of_all(|agent| agent.makes()),
            keys_in_env: agents.iter().any(|agent| has_keys_in(*agent, ".env")),
            directory: login_directory(choice.agent.login().as_ref(), set.as_ref().unwrap_or(host)),
            stands_for: choice.agent.login().and_then(|login| {
                let file = Path::new(*login.files.first()?);
                file.parent()
            }),
        }
    }

    /// Returns the settings of its agents that are watched beside those of all: in the directory named for its login, and
    /// those that are left alone once they are there, and are not.
    pub(super) fn settings(&self, moved: &MovedPlaces) -> Vec<PathBuf> {
        let is_own = |name: &&str| {
            self.state
                .iter()
                .any(|own| Path::new(name).starts_with(own))
        };
        let below_home = agent_settings::only_read().filter(is_own);
        let below_home = below_home.flat_map(|name| moved.all(name));
        let named = agent_settings::only_read().filter_map(|name| self.in_directory(name));
        let absent = below_home.chain(named).filter(|path| !path.exists());
        let watched = agent_settings::put_back().filter_map(|name| self.in_directory(name));
        absent.chain(watched).collect()
    }

    /// Returns the files of its agents' state that name servers of tools.
    pub(super) fn naming_servers(&self, moved: &MovedPlaces) -> Vec<PathBuf> {
        let is_own = |name: &&&str| {
            self.state
                .iter()
                .any(|own| Path::new(name).starts_with(own))
        };
        let own = agent_settings::NAMING_SERVERS.iter().filter(is_own);
        own.flat_map(|name| moved.all(name).into_iter().chain(self.in_directory(name)))
            .collect()
    }

    /// Returns where something of the home is in the directory named for its login.
    fn in_directory(&self, name: &str) -> Option<PathBuf> {
        let inside = Path::new(name).strip_prefix(self.stands_for?).ok()?;
        Some(self.directory.as_ref()?.join(inside))
    }
}

/// Returns whether an agent's program looks for its keys in a file of the home.
fn has_keys_in(agent: &dyn Agent, name: &str) -> bool {
    let mut files = agent.needs().account_files.unwrap_or_default().iter();
    let is_there = |place: SourcePlace| matches!(place, SourcePlace::File { otherwise: "", path, .. } if path == name);
    files.any(|file| file.path == name)
        || agent.accounts().iter().any(|source| is_there(source.place))
}

/// Returns whether a session reaches its model by an account of a cloud.
fn needs_cloud(cloud: &str, env: &[(OsString, OsString)]) -> bool {
    let words: &[&str] = match cloud {
        ".aws" => &["bedrock", "aws_profile"],
        ".config/gcloud" => &["vertex", "google_cloud", "google_application"],
        _ => &["azure"],
    };
    env.iter().any(|(name, value)| {
        let text = format!("{}={}", name.to_string_lossy(), value.to_string_lossy());
        let text = text.to_lowercase();
        !value.is_empty()
            && words.iter().any(|word| text.contains(word))
            && !text.starts_with("path=")
    })
}

/// Returns the directory the user named for an agent's login, when they did.
pub(super) fn login_directory(login: Option<&Login>, host: &Host) -> Option<PathBuf> {
    login
        .and_then(|l| l.home)
        .and_then(|name| host.var(name))
        .map(PathBuf::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_who_looks_for_keys_in_the_homes_variables_is_given_them() {
        for (name, want) in [
            ("aider", true),
            ("gemini", true),
            ("qwen", true),
            ("claude", false),
            ("codex", false),
        ] {
            let agent = gatewalk_core::agents::by_name(name).expect("a known agent");
            assert_eq!(has_keys_in(agent, ".env"), want, "{name}");
        }
    }
}
