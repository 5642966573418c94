//! Git, the repository, disk, locks, what an interrupted run left, and who could change what.

use super::run_leftovers::{disk, leftovers, lock};
use super::unusual_repository::out_of_the_ordinary;
use super::{Context, DoctorCheck, user_hooks};
use crate::cli::upgrade;
use gatewalk_core::error::{ErrorKind, Result};
use gatewalk_core::model::config::{HookPolicy, SandboxPolicy};
use gatewalk_core::model::layout::Layout;
use gatewalk_core::scaffold::file_upgrade::Upgrade;
use gatewalk_host::git::{self, Git};
use gatewalk_host::host::Host;
use gatewalk_host::isolation::{Layer, landlock_has};
use gatewalk_host::state_repository::Repository;
use gatewalk_host::{installed_programs, state_dir_reader, user_config};
use serde_json::json;

/// Looks at everything but the agents; returns the repository when there is one.
pub(super) fn examine(context: &Context) -> (Vec<DoctorCheck>, Option<Repository>) {
    let mut checks = vec![DoctorCheck::ok(
        "gatewalk",
        format!("{} on {}", env!("CARGO_PKG_VERSION"), std::env::consts::OS),
    )];
    let git = match Git::discover(&context.cwd) {
        Ok(git) => git,
        Err(error) => {
            checks.push(DoctorCheck::fail(
                "repository",
                error.to_string(),
                &error.hints.join("; "),
            ));
            checks.extend(own_configuration(&context.host()));
            return (checks, None);
        }
    };
    checks.push(version(&git));
    let repository = match Repository::open(&context.cwd) {
        Ok(repository) => {
            checks.push(place(&repository));
            Some(repository)
        }
        Err(error) => {
            let is_new = error.kind == ErrorKind::InvalidPlan
                && state_dir_reader::find_root(&context.cwd).is_none();
            let hints = error.hints.join("; ");
            checks.push(match is_new {
                true => DoctorCheck::warn("repository", error.to_string(), &hints),
                false => DoctorCheck::fail("repository", error.to_string(), &hints),
            });
            None
        }
    };
    checks.extend(scaffold(context));
    checks.push(identity(&git));
    checks.extend(operation(&git));
    checks.extend(repository.as_ref().and_then(out_of_the_ordinary));
    let host = context.host();
    checks.extend(repository.as_ref().and_then(|r| hooks(&git, r)));
    checks.extend(host.iter().map(|host| disk(&git, host)));
    checks.push(lock(&git));
    checks.push(leftovers(&git, context));
    checks.push(trust(&git));
    checks.extend(own_configuration(&host));
    checks.extend(host.iter().map(|host| isolation(host, repository.as_ref())));
    (checks, repository)
}

/// Compares the files that `init` wrote with what this version ships; nothing is reported where there are none.
fn scaffold(context: &Context) -> Option<DoctorCheck> {
    let (root, layout) = state_dir_reader::find_root(&context.cwd)?;
    if layout == Layout::Specfuse {
        return None;
    }
    let check = match upgrade::plan(&root, layout) {
        Err(error) => DoctorCheck::warn("scaffold", error.to_string(), ""),
        Ok(Upgrade {
            newer: Some(newer), ..
        }) => DoctorCheck::warn(
            "scaffold",
            format!("written by Gatewalk {newer}, which is newer than this program"),
            "install that version, as you installed this one",
        ),
        Ok(planned) if planned.updated.is_empty() && planned.added.is_empty() => DoctorCheck::ok(
            "scaffold",
            "as this version ships it, but for your own changes",
        ),
        Ok(planned) => DoctorCheck::warn(
            "scaffold",
            format!(
                "{} of its files have a newer text in this version",
                planned.updated.len() + planned.added.len()
            ),
            "`gatewalk upgrade --dry-run` shows them; files that you changed stay",
        ),
    };
    Some(check)
}

fn version(git: &Git) -> DoctorCheck {
    let version = git.version().unwrap_or_default();
    let (major, minor) = git::OLDEST;
    if git::is_old(&version) {
        let message = format!("{version} is too old");
        return DoctorCheck::fail(
            "git",
            message,
            &format!("install git {major}.{minor} or newer"),
        );
    }
    DoctorCheck::ok("git", version.clone()).with(json!({"version": version}))
}

fn place(repository: &Repository) -> DoctorCheck {
    let branch = repository.head.branch.as_deref().unwrap_or("no branch");
    let features = repository.features().map_or(0, |all| all.len());
    DoctorCheck::ok(
        "repository",
        format!(
            "{} on {}, {features} feature{} in {}/",
            repository.git.work_tree().display(),
            branch.trim_start_matches("refs/heads/"),
            if features == 1 { "" } else { "s" },
            repository.layout.dir()
        ),
    )
}

fn identity(git: &Git) -> DoctorCheck {
    match git.identity() {
        Ok(identity) => DoctorCheck::ok(
            "identity",
            format!(
                "commits are by {} <{}>",
                identity.committer.name, identity.committer.email
            ),
        ),
        Err(error) => DoctorCheck::fail("identity", error.to_string(), &error.hints.join("; ")),
    }
}

fn hooks(git: &Git, repository: &Repository) -> Option<DoctorCheck> {
    // A setting that cannot be read is the linter's to say.
    let plans = repository.workspace_at(repository.commit).ok();
    user_hooks::check(git, plans.map_or(HookPolicy::Run, |w| w.config.hooks()))
}

fn operation(git: &Git) -> Option<DoctorCheck> {
    let operation = git.operation()?.command();
    Some(DoctorCheck::warn(
        "checkout",
        format!(
            "you are in the middle of `{operation}`; work lands, but your checkout does not follow"
        ),
        &format!("finish it, or `{operation} --abort`"),
    ))
}

/// Who else could change what is run here.
fn trust(git: &Git) -> DoctorCheck {
    for path in [git.work_tree(), git.git_dir(), git.common_dir()] {
        if let Some(why) = installed_programs::is_open_to_others(path) {
            return DoctorCheck::warn(
                "trust",
                format!("others could change `{}`: {why}", path.display()),
                "the plan's commands run as you: make it yours, and writable for you alone",
            );
        }
    }
    DoctorCheck::ok("trust", "only you can change the repository")
}

/// The user's own configuration: it may name programs, so it must be theirs alone. What rests on it is looked at only where
/// it can be read.
fn own_configuration(host: &Result<Host>) -> Option<DoctorCheck> {
    let env: Vec<_> = std::env::vars_os().collect();
    let path = user_config::path(&env)?;
    if !path.exists() {
        return None;
    }
    if let Some(why) = installed_programs::is_open_to_others(&path) {
        let message = format!("others could change `{}`: {why}", path.display());
        return Some(DoctorCheck::fail(
            "config",
            message,
            "chmod 600, and make it yours: it names programs",
        ));
    }
    Some(match host {
        Ok(host) => DoctorCheck::ok(
            "config",
            format!("{} defines {} agent(s)", path.display(), host.agents.len()),
        ),
        Err(error) => {
            let remedy = error.hints.join("; ");
            let remedy = if remedy.is_empty() {
                "mend the file"
            } else {
                &remedy
            };
            DoctorCheck::fail("config", error.to_string(), remedy)
        }
    })
}

/// What confines sessions and verification here, tried out as a walk would.
fn isolation(host: &Host, repository: Option<&Repository>) -> DoctorCheck {
    let project = repository
        .and_then(|r| r.workspace_at(r.commit).ok())
        .and_then(|w| w.config.front.sandbox.map(|s| s.value));
    let policy = host.sandbox(project);
    let layer = match policy {
        SandboxPolicy::Off => Layer::None("it is switched off".to_owned()),
        _ => Layer::probe(&host.env, &host.own_program),
    };
    let data = json!({"isolation": layer.word()});
    let remedy =
        "install bubblewrap (`apt install bubblewrap`), or allow unprivileged user namespaces";
    match &layer {
        Layer::Bubblewrap(path) => {
            DoctorCheck::ok("isolation", format!("bubblewrap ({})", path.display()))
        }
        Layer::Landlock(_) => {
            let (network, scopes) = landlock_has();
            let mut has = vec!["files"];
            has.extend(network.then_some("the network of commands that need none (TCP)"));
            has.extend(scopes.then_some("signals and abstract sockets"));
            DoctorCheck::ok("isolation", format!("Landlock: {}", has.join("; ")))
        }
        Layer::None(why) if policy == SandboxPolicy::Require => DoctorCheck::fail(
            "isolation",
            format!("required, and not to be had: {why}"),
            remedy,
        ),
        Layer::None(why) => DoctorCheck::warn(
            "isolation",
            format!("none: sessions run as you ({why}); what they change outside is only detected"),
            remedy,
        ),
    }
    .with(data)
}
