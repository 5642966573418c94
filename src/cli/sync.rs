//! `gatewalk sync`: a feature's branch and its lease, pushed to and fetched from a remote that several clones share.

mod joined_branch;
mod lease_renewal;
mod shared_feature;
mod synchronisation;

pub(crate) use lease_renewal::renew;
pub(crate) use shared_feature::{LeaseTerm, SharedFeature};

use super::Context;
use super::attempts::judgement_lines;
use super::unit_command::FeatureName;
use gatewalk_core::engine::evidence::{one_line, sanitize};
use gatewalk_core::engine::feature_lease::{BranchRelation, FeatureLease, LeaseStand};
use gatewalk_core::error::{Error, ErrorKind, Result};
use gatewalk_core::exit::Exit;
use gatewalk_core::model::frontmatter::parse_duration;
use gatewalk_core::object_id::ObjectId;
use gatewalk_host::shared_remote::{SharedRemote, fetched_ref};
use gatewalk_host::state_repository::{Repository, Selected, full};
use joined_branch::JoinEnd;
use serde_json::json;
use std::time::Duration;

/// The shortest lease: a clock that is off must not matter.
const SHORTEST: Duration = Duration::from_secs(60);

#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  gatewalk sync\n  gatewalk sync FEAT-2026-0042 --for 8h\n  gatewalk sync --release"
)]
pub(crate) struct Args {
    #[command(flatten)]
    feature: FeatureName,
    /// The remote; the one that `sync` in config.yml names when absent, else `origin`
    #[arg(long, value_name = "NAME")]
    remote: Option<String>,
    /// Hold the lease so long, `30m` or `8h`
    #[arg(long = "for", value_name = "DURATION", default_value = "1h", value_parser = term)]
    term: Duration,
    /// Give the lease back, so that another clone can go on at once
    #[arg(long, conflicts_with = "term")]
    release: bool,
    /// Show how things stand; change nothing but what was fetched
    #[arg(long)]
    dry_run: bool,
    /// Print what was done as JSON
    #[arg(long)]
    json: bool,
}

fn term(text: &str) -> std::result::Result<Duration, String> {
    let term = parse_duration(text).ok_or("it is no duration, such as `30m` or `8h`")?;
    let longest = Duration::from_secs(30 * 24 * 3600);
    match (SHORTEST..=longest).contains(&term) {
        true => Ok(term),
        false => Err("a lease is at least one minute and at most thirty days long".to_owned()),
    }
}

/// What a synchronisation came to.
pub(crate) struct SyncEnd {
    /// How the branch stood before.
    pub(crate) relation: BranchRelation,
    /// The lease, as it is now.
    pub(crate) lease: Option<FeatureLease>,
    /// Whose lease it is, as seen from this clone.
    pub(crate) stand: LeaseStand,
    /// Where the branch here was moved to.
    pub(crate) pulled: Option<ObjectId>,
    /// Where the branch there was moved to.
    pub(crate) pushed: Option<ObjectId>,
    /// How the two were joined, where both had gone on.
    pub(crate) joined: Option<JoinEnd>,
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let mut repository = Repository::open(&context.cwd)?;
    let selected = match repository.select_to_read(args.feature.get()) {
        Ok(selected) => selected,
        Err(unknown) => {
            let found = fetch_unknown(args, context, &repository)?;
            if !found {
                return Err(unknown);
            }
            repository = Repository::open(&context.cwd)?;
            repository.select_to_read(args.feature.get())?
        }
    };
    let shared = SharedFeature::of(context, &repository, &selected, args.remote.as_deref())?;
    if args.dry_run {
        let end = shared.preview()?;
        print(args, context, &shared, &end);
        return Ok(Exit::Success);
    }
    let term = match args.release {
        true => LeaseTerm::Over,
        false => LeaseTerm::For(args.term),
    };
    let end = shared.synchronise(term, false)?;
    print(args, context, &shared, &end);
    match (&end.joined, end.stand) {
        (_, LeaseStand::Foreign) => Ok(Exit::Locked),
        (Some(JoinEnd::Verified(_) | JoinEnd::Known(_)) | None, _) => Ok(Exit::Success),
        (Some(JoinEnd::Refused { .. }), _) => Ok(Exit::Findings),
        (Some(JoinEnd::Interrupted), _) => Ok(Exit::Interrupted),
        (Some(JoinEnd::Conflict(_) | JoinEnd::Twice(_)), _) => Ok(Exit::NeedsHuman),
    }
}

/// Fetches the branch of a feature that is named, and of which this clone has no plan: its lease names the branch.
fn fetch_unknown(args: &Args, context: &Context, repository: &Repository) -> Result<bool> {
    let Some(name) = args.feature.get() else {
        return Ok(false);
    };
    let is_id = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '/';
    if name.is_empty() || !name.chars().all(is_id) {
        return Ok(false);
    }
    let host = context.host()?;
    let remote = args.remote.as_deref().unwrap_or("origin");
    let shared = |branch| SharedRemote {
        git: &repository.git,
        env: &host.env,
        remote,
        feature: name,
        branch,
    };
    let Ok(found) = shared("HEAD").look() else {
        return Ok(false);
    };
    let Some((_, lease)) = found.lease else {
        return Ok(false);
    };
    let Some(tip) = shared(&lease.branch).look()?.tip else {
        return Ok(false);
    };
    let made = repository
        .git
        .fast_forward(&full(&lease.branch), None, tip)?;
    if made.is_some() {
        let branch = sanitize(&lease.branch);
        context.out.note(format!("made `{branch}` from `{remote}`"));
    }
    Ok(made.is_some())
}

fn print(args: &Args, context: &Context, shared: &SharedFeature<'_>, end: &SyncEnd) {
    let (out, name) = (&context.out, shared.name());
    if args.json {
        let lease = end.lease.as_ref().map(
            |l| json!({"holder": l.holder, "name": l.name, "since": l.since.to_string(), "until": l.until.to_string()}),
        );
        let joined = end.joined.as_ref();
        out.json(&json!({
            "feature": name, "branch": shared.branch(), "remote": shared.remote(),
            "relation": end.relation.word(), "lease": lease, "own": end.stand == LeaseStand::Own,
            "held_by_another": end.stand == LeaseStand::Foreign, "pulled": end.pulled,
            "pushed": end.pushed, "joined": joined.map(JoinEnd::word),
            "conflicts": joined.map(JoinEnd::conflicts), "dry_run": args.dry_run,
        }));
        return;
    }
    let (branch, remote) = (shared.branch(), shared.remote());
    match (end.relation, end.pulled, end.pushed) {
        _ if args.dry_run => out.line(format!("`{branch}` is {} `{remote}`", stands(end.relation))),
        (_, None, None) if end.joined.is_none() => {
            out.line(format!("`{branch}` has nothing to push or to fetch"));
        }
        (_, pulled, pushed) => {
            if let Some(commit) = pulled {
                out.line(format!("`{branch}` here is at {}", commit.short()));
            }
            if let Some(commit) = pushed {
                out.line(format!("`{branch}` on `{remote}` is at {}", commit.short()));
            }
        }
    }
    if let Some(joined) = &end.joined {
        print_join(context, shared, joined);
    }
    match (&end.lease, end.stand) {
        (Some(lease), LeaseStand::Own) => out.line(format!(
            "this clone may walk {name} until {:.0}; `gatewalk sync` renews that, `--release` gives it back",
            lease.until
        )),
        (Some(lease), LeaseStand::Foreign) => held(&name, lease).report(context),
        _ => out.line(format!("no clone holds {name}")),
    }
}

fn stands(relation: BranchRelation) -> &'static str {
    match relation {
        BranchRelation::Same => "the same as on",
        BranchRelation::Ahead => "ahead of",
        BranchRelation::Behind => "behind",
        BranchRelation::Diverged => "diverged from",
    }
}

fn print_join(context: &Context, shared: &SharedFeature<'_>, joined: &JoinEnd) {
    let (out, branch) = (&context.out, shared.branch());
    match joined {
        JoinEnd::Verified(commit) => {
            out.line(format!(
                "merged both sides, and verified that: {}",
                commit.short()
            ));
        }
        JoinEnd::Known(commit) => out.line(format!(
            "merged both sides; only one of them changed files outside the plans: {}",
            commit.short()
        )),
        JoinEnd::Interrupted => out.line("interrupted; nothing was moved"),
        JoinEnd::Conflict(paths) => {
            let paths: Vec<String> = paths.iter().map(|path| one_line(path)).collect();
            out.line(format!("both sides changed {}", paths.join(", ")));
        }
        JoinEnd::Twice(units) => {
            out.line(format!("landed on both sides: {}", units.join(", ")));
        }
        JoinEnd::Refused { judgement, .. } => {
            judgement_lines(judgement)
                .into_iter()
                .for_each(|line| out.line(line));
            out.line("both sides merge, and what comes of it does not pass; nothing was moved");
        }
    }
    if matches!(
        joined,
        JoinEnd::Conflict(_) | JoinEnd::Twice(_) | JoinEnd::Refused { .. }
    ) {
        let theirs = fetched_ref(&shared.name());
        out.note(format!(
            "nothing is lost: `{branch}` is as it was, and the other side is {theirs}"
        ));
        out.note(format!("next: git switch {branch} && git merge {theirs}, settle it, commit, then `gatewalk sync`"));
    }
}

/// A feature that another clone holds.
pub(crate) struct HeldElsewhere {
    message: String,
    hint: String,
}

impl HeldElsewhere {
    fn report(&self, context: &Context) {
        context.out.line(&self.message);
        context.out.note(&self.hint);
    }

    /// As the end of a command that would walk it.
    pub(crate) fn refusal(self) -> Error {
        Error::new(ErrorKind::Locked, self.message)
            .hint(self.hint)
            .hint("nothing was started and nothing was touched")
    }
}

/// Says that another clone holds a feature.
pub(crate) fn held(name: &str, lease: &FeatureLease) -> HeldElsewhere {
    let holder = one_line(&sanitize(&lease.name));
    HeldElsewhere {
        message: format!(
            "{name} is held by another clone until {:.0}: {holder}",
            lease.until
        ),
        hint: format!(
            "`gatewalk sync {name}` again, once it is given back there (`gatewalk sync --release`) or some minutes after that"
        ),
    }
}

/// Returns the feature's name where it can be one of a ref.
fn shareable(selected: &Selected) -> Result<String> {
    let name = selected.feature().name();
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '/';
    match name.chars().all(fits) && selected.feature().plan.id.is_some() {
        true => Ok(name),
        false => Err(
            Error::plan(format!("{name} has no id by which clones could share it"))
                .hint("`gatewalk lint` shows what its `feature_id` lacks"),
        ),
    }
}
