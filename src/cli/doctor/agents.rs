//! The agents: which are here, in which version, logged in how, and which the plans need.

use super::{Context, DoctorCheck, Level};
use gatewalk_core::agents::{self, Agent, CommandAgent, Outcome, Payer, Payment, Unready};
use gatewalk_core::engine::model_selection::DEFAULT_AGENT;
use gatewalk_core::model::agent_entry::AgentEntry;
use gatewalk_core::model::frontmatter::{OneOrMany, Spanned};
use gatewalk_core::model::status_machine::{FeatureStatus, UnitStatus};
use gatewalk_host::host::Host;
use gatewalk_host::installed_programs;
use gatewalk_host::os::{login_file, payment, unready};
use gatewalk_host::process::env::{allowed, matches};
use gatewalk_host::program_fault::startable;
use gatewalk_host::state_repository::Repository;
use serde_json::json;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// How a program is logged in, as far as its files and the environment show.
enum Account {
    /// A login is kept in this file.
    File(PathBuf),
    /// These variables hold a key.
    Keys(Vec<String>),
    /// No file and no variable shows a login.
    None,
    /// Only the program itself knows.
    Unknown,
}

/// What was found of one agent.
struct DetectedAgent {
    agent: &'static dyn Agent,
    path: Option<PathBuf>,
    account: Account,
    payment: Payment,
    check: DoctorCheck,
}

/// Looks at every agent; those that no plan needs and that are not here share a line.
pub(super) fn examine(
    ask: bool,
    context: &Context,
    repository: Option<&Repository>,
) -> Vec<DoctorCheck> {
    let host = host_of(context);
    let found = built_in(ask, &host);
    let chains = repository.map(chains).unwrap_or_default();
    let needed: BTreeSet<&str> = chains.iter().flatten().map(String::as_str).collect();
    let mut checks = Vec::new();
    let mut absent = Vec::new();
    for found in &found {
        let name = found.agent.name();
        if found.path.is_some() || needed.contains(name) {
            checks.push(found.check.clone());
        } else {
            absent.push(name);
        }
    }
    checks.extend(host.agents.iter().map(|own| own_agent(own, &host)));
    if !absent.is_empty() {
        let message = format!(
            "not here, and no open plan needs them: {}",
            absent.join(", ")
        );
        checks.push(DoctorCheck::ok("agents", message).with(json!({"absent": absent})));
    }
    checks.extend(
        chains
            .iter()
            .filter_map(|chain| dead_end(chain, &found, &host)),
    );
    checks
}

/// Returns one check for each agent, built in and the user's own; runs nothing.
pub(super) fn each(context: &Context) -> Vec<DoctorCheck> {
    let host = host_of(context);
    let built_in = built_in(false, &host).into_iter().map(|found| found.check);
    let own = host.agents.iter().map(|own| own_agent(own, &host));
    built_in.chain(own).collect()
}

fn host_of(context: &Context) -> Host {
    match context.host() {
        Ok(host) => host,
        // The configuration is broken; its own line says so.
        Err(_) => Host {
            env: std::env::vars_os().collect(),
            cwd: context.cwd.clone(),
            ..Host::default()
        },
    }
}

fn built_in(ask: bool, host: &Host) -> Vec<DetectedAgent> {
    let programs = agents::ALL.iter().filter(|agent| agent.probe().is_some());
    programs.map(|agent| look(*agent, ask, host)).collect()
}

/// Returns the chains of the units that are still to run, each once.
fn chains(repository: &Repository) -> BTreeSet<Vec<String>> {
    let mut chains = BTreeSet::new();
    for selected in repository.features().unwrap_or_default() {
        let feature = selected.feature();
        if !matches!(
            feature.plan.status(),
            FeatureStatus::Active | FeatureStatus::Planned
        ) {
            continue;
        }
        let open = |status| matches!(status, UnitStatus::Pending | UnitStatus::Draft);
        for unit in feature
            .members()
            .filter(|m| open(m.status()))
            .filter_map(|m| m.unit)
        {
            let named = [
                &unit.front.agent,
                &feature.plan.front.agent,
                &selected.workspace.config.front.agent,
            ];
            let chain = named
                .into_iter()
                .map(names)
                .find(|chain: &Vec<String>| !chain.is_empty());
            chains.insert(chain.unwrap_or_else(|| vec![DEFAULT_AGENT.to_owned()]));
        }
    }
    chains
}

/// Returns the names of the agents of a chain.
fn names(key: &Option<Spanned<OneOrMany<AgentEntry>>>) -> Vec<String> {
    let entries = key.iter().flat_map(|list| &list.value.0);
    entries.map(|entry| entry.value.agent.clone()).collect()
}

/// Reports a chain none of whose agents can work.
fn dead_end(chain: &[String], found: &[DetectedAgent], host: &Host) -> Option<DoctorCheck> {
    let usable = |name: &String| {
        if let Some(own) = host.agents.iter().find(|own| own.name == *name) {
            let whole = Some(own).filter(|own| own.lacking.is_none());
            return whole
                .and_then(CommandAgent::program)
                .is_some_and(|p| startable(p, &host.env, &host.cwd).is_ok());
        }
        let of_name = found.iter().find(|f| f.agent.name() == name);
        of_name.is_some_and(|f| f.path.is_some() && f.check.level != Level::Fail)
    };
    if chain.iter().any(usable) {
        return None;
    }
    let known = |name: &String| {
        agents::by_name(name).is_some() || host.agents.iter().any(|own| own.name == *name)
    };
    let unknown = chain.iter().filter(|name| !known(name));
    let near = unknown.filter_map(|name| agents::nearest(name)).next();
    let installs = chain
        .iter()
        .filter_map(|name| agents::by_name(name)?.remedy(&Outcome::Missing))
        .next()
        .unwrap_or("name one that is here, in the plan or with `--agent`");
    let remedy = near.map_or(installs.to_owned(), |near| {
        format!("did you mean `{near}`?")
    });
    Some(DoctorCheck::fail(
        "agents",
        format!(
            "an open plan asks for `{}`, which cannot work here",
            chain.join("`, then `")
        ),
        &remedy,
    ))
}

fn look(agent: &'static dyn Agent, ask: bool, host: &Host) -> DetectedAgent {
    let (program, version_args) = agent
        .probe()
        .expect("only agents with a program are looked at");
    let found = startable(program, &host.env, &host.cwd);
    let keep = variables(agent);
    let account = account(agent, &keep, host);
    let payment = payment(agent, &keep, host, None);
    let check = match &found {
        Err(fault) => {
            let installs = agent.remedy(&Outcome::Missing).unwrap_or_default();
            let remedy = fault.remedy().unwrap_or_else(|| installs.to_owned());
            DoctorCheck::warn(agent.name(), fault.to_string(), &remedy)
        }
        Ok(path) => {
            let installed = InstalledAgent { agent, path, host };
            let printed = ask.then(|| installed.ask_version(version_args, &keep));
            installed.check(printed, (&account, &payment))
        }
    };
    DetectedAgent {
        agent,
        path: found.ok(),
        account,
        payment,
        check,
    }
    .with_data()
}

impl DetectedAgent {
    fn with_data(mut self) -> DetectedAgent {
        let (login, where_) = match &self.account {
            Account::File(path) => ("file", json!(path)),
            Account::Keys(names) => ("key", json!(names)),
            Account::None => ("none", json!(null)),
            Account::Unknown => ("unknown", json!(null)),
        };
        let version = self.check.data.get("version").cloned().unwrap_or_default();
        self.check.data = json!({
            "agent": self.agent.name(),
            "installed": self.path.is_some(),
            "path": self.path,
            "version": version,
            "login": login,
            "login_from": where_,
            "pays": self.payment.payer.word(),
            "address": self.payment.address,
            "withheld": self.payment.withheld,
        });
        self
    }
}

/// An agent whose program is here.
struct InstalledAgent<'a> {
    agent: &'a dyn Agent,
    path: &'a Path,
    host: &'a Host,
}

impl InstalledAgent<'_> {
    /// Runs the program for its version; inside, why it prints none.
    fn ask_version(&self, args: &[&str], keep: &[String]) -> Result<String, String> {
        let keep: Vec<&str> = keep.iter().map(String::as_str).collect();
        let printed =
            installed_programs::ask_version(self.path, args, allowed(&self.host.env, &keep));
        printed.map_err(|error| error.to_string())?
    }

    /// Returns what is to be said of it, with the version that it printed, if it was asked.
    fn check(
        &self,
        printed: Option<Result<String, String>>,
        (account, payment): (&Account, &Payment),
    ) -> DoctorCheck {
        let name = self.agent.name();
        let version = match printed {
            Some(Ok(version)) => Some(version),
            Some(Err(why)) => {
                let message = format!("{} does not print its version: {why}", self.path.display());
                return DoctorCheck::fail(name, message, "run it by hand, or reinstall it")
                    .with(json!({"version": null}));
            }
            None => installed_programs::version_of(self.path),
        };
        let data = json!({"version": version});
        let version = version.unwrap_or_else(|| "version unknown (`--ask` runs it)".to_owned());
        let check = match unready(self.agent, None, self.path, self.host) {
            Some(why) => cannot_work(self.agent, name, &version, &why),
            None => logged_in(self.agent, &version, account, payment),
        };
        check.with(data)
    }
}

/// What an agent that is installed lacks; `found` is what there is of it.
fn cannot_work(agent: &dyn Agent, name: &str, found: &str, why: &Unready) -> DoctorCheck {
    match why {
        Unready::TooOld { .. } | Unready::TooNew { .. } => {
            let remedy = agent.remedy(&Outcome::Missing).unwrap_or_default();
            DoctorCheck::fail(name, why.to_string(), remedy)
        }
        Unready::NoAccount | Unready::KeyRing(_) => {
            let remedy = agent.remedy(&Outcome::Auth);
            let remedy = remedy.unwrap_or("log in with the program itself");
            DoctorCheck::warn(name, format!("{found}, {why}"), remedy)
        }
    }
}

/// What an agent that is installed logs in with.
fn logged_in(
    agent: &dyn Agent,
    version: &str,
    account: &Account,
    payment: &Payment,
) -> DoctorCheck {
    let name = agent.name();
    let pays = match payment.withheld.as_slice() {
        [] => format!("will pay: {payment}"),
        names => format!(
            "will pay: {payment}; kept from sessions: {}",
            names.join(", ")
        ),
    };
    match account {
        Account::File(file) => {
            let file = file.display();
            DoctorCheck::ok(name, format!("{version}, logged in ({file}); {pays}"))
        }
        // A key in the program's own files is known by who is paid.
        _ if payment.payer != Payer::Unknown => DoctorCheck::ok(name, format!("{version}; {pays}")),
        Account::Keys(_) => DoctorCheck::ok(name, format!("{version}; {pays}")),
        Account::Unknown => DoctorCheck::ok(
            name,
            format!(
                "{version}; only a session shows whether it is logged in (`doctor --probe {name}`)"
            ),
        ),
        Account::None => DoctorCheck::warn(
            name,
            format!("{version}, no login and no key found"),
            agent
                .remedy(&Outcome::Auth)
                .unwrap_or("log in with the program itself"),
        ),
    }
}

fn account(agent: &dyn Agent, keep: &[String], host: &Host) -> Account {
    let login = agent.login();
    if let Some(file) = login.as_ref().and_then(|login| login_file(login, host)) {
        return Account::File(file);
    }
    let is_key = |name: &str| name.ends_with("_KEY") || name.ends_with("_TOKEN");
    let names: Vec<String> = host
        .env
        .iter()
        .filter(|(_, value)| !value.is_empty())
        .filter_map(|(name, _)| name.to_str())
        .filter(|name| is_key(name) && keep.iter().any(|k| matches(k, name.as_bytes())))
        .map(str::to_owned)
        .collect();
    if !names.is_empty() {
        Account::Keys(names)
    } else if login.is_some() && !cfg!(target_os = "macos") {
        Account::None
    } else {
        // Kept in a key ring, or in a form that only the program reads.
        Account::Unknown
    }
}

/// Returns the variables the adapter lets through: where its account is found.
fn variables(agent: &dyn Agent) -> Vec<String> {
    let names = agent.variables().iter();
    names.copied().map(String::from).collect()
}

/// A program of the user's own.
fn own_agent(own: &CommandAgent, host: &Host) -> DoctorCheck {
    let program = own.program().unwrap_or_default();
    let found = startable(program, &host.env, &host.cwd);
    let path = found.as_ref().ok();
    let data = json!({"agent": own.name, "installed": path.is_some(), "path": path});
    if let Some(why) = &own.lacking {
        let remedy = "set that variable where you start runs";
        return DoctorCheck::warn(&own.name, format!("your own: {why}"), remedy).with(data);
    }
    match found {
        Ok(path) => {
            let agent = agents::by_name(own.adapter).filter(|agent| !agent.takes_program());
            let found = format!("your own: {}", path.display());
            let lacks =
                agent.and_then(|agent| Some((agent, unready(agent, Some(own), &path, host)?)));
            if let Some((agent, why)) = lacks {
                return cannot_work(agent, &own.name, &found, &why).with(data);
            }
            let pays = agent.map(|agent| payment(agent, &variables(agent), host, Some(own)));
            let pays = pays.map_or_else(String::new, |pays| format!("; will pay: {pays}"));
            DoctorCheck::ok(&own.name, format!("{found}{pays}"))
        }
        Err(fault) => {
            let remedy = fault.remedy().unwrap_or_else(|| {
                "install it, or fix its `command` in your configuration".to_owned()
            });
            DoctorCheck::warn(&own.name, format!("your own: {fault}"), &remedy)
        }
    }
    .with(data)
}

#[cfg(test)]
mod tests;
