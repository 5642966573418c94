//! A feature's branch and its lease on a remote: looked up, fetched and pushed by the user's own git, with their logins.
//!
//! A lease is a commit without files or history under `refs/gatewalk/leases/`; every push of one names the one it replaces.
//! What the remote answered is never read from git's words: the refs are looked up again.

use super::git::Git;
use super::lock::Holder;
use super::user_tool::{self, ToolCommand, ToolOutput};
use gatewalk_core::engine::evidence::sanitize;
use gatewalk_core::engine::feature_lease::FeatureLease;
use gatewalk_core::engine::oracle;
use gatewalk_core::error::{Error, Result};
use gatewalk_core::object_id::ObjectId;
use sha2::Digest;
use std::ffi::OsString;

/// Where leases are, on the remote and as last seen here.
const LEASES: &str = "refs/gatewalk/leases/";

/// Where the remote's branch is kept as last fetched; remote-tracking branches are the user's.
const FETCHED: &str = "refs/gatewalk/synced/";

/// A feature as a remote shares it.
pub struct SharedRemote<'a> {
    /// The clone that fetches and pushes.
    pub git: &'a Git,
    /// The environment that git's own programs for logins and keys need.
    pub env: &'a [(OsString, OsString)],
    /// The remote's name or address.
    pub remote: &'a str,
    /// The feature whose lease and branch these are.
    pub feature: &'a str,
    /// The feature's branch, without `refs/heads/`.
    pub branch: &'a str,
}

/// What the remote has.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RemoteState {
    /// Where the branch is on the remote; none where it is not there.
    pub tip: Option<ObjectId>,
    /// The lease, and the commit that holds it.
    pub lease: Option<(ObjectId, FeatureLease)>,
}

/// What is pushed in one transaction.
#[derive(Debug, Clone, Copy)]
pub struct RemotePush<'a> {
    /// What the branch becomes.
    pub tip: Option<ObjectId>,
    /// What the lease becomes.
    pub lease: &'a FeatureLease,
    /// The commit of the lease it replaces.
    pub replaces: Option<ObjectId>,
}

impl SharedRemote<'_> {
    fn call(&self, args: &[&str], input: &str) -> Result<ToolOutput> {
        user_tool::run(&ToolCommand {
            program: "git",
            args,
            input,
            cwd: self.git.work_tree(),
            env: self.env,
        })
    }

    fn lease_ref(&self) -> String {
        format!("{LEASES}{}", self.feature)
    }

    fn branch_ref(&self) -> String {
        format!("refs/heads/{}", self.branch)
    }

    /// Returns the error for a remote that nobody has added; an address needs none.
    fn unknown_remote(&self) -> Option<Error> {
        if self.remote.contains(['/', ':']) {
            return None;
        }
        let known = self.call(&["remote", "get-url", "--", self.remote], "");
        known.ok()?.ok("git remote get-url").err()?;
        let name = sanitize(self.remote);
        let error = Error::environment(format!("there is no remote `{name}`"));
        Some(error.hint("add it with `git remote add`, or name another with `--remote NAME`"))
    }

    /// Looks at the remote and fetches what it has.
    pub fn look(&self) -> Result<RemoteState> {
        let (branch, lease) = (self.branch_ref(), self.lease_ref());
        let listed = self
            .call(&["ls-remote", "--", self.remote, &branch, &lease], "")?
            .ok(&format!("git ls-remote {}", self.remote))
            .map_err(|error| self.unknown_remote().unwrap_or(error))
            .map_err(|error| error.hint("nothing was changed, here or there"))?;
        let value = |name: &str| {
            let mut rows = listed.lines().filter_map(|line| line.split_once('\t'));
            let (oid, _) = rows.find(|(_, found)| *found == name)?;
            ObjectId::parse(oid.as_bytes())
        };
        let (tip, held) = (value(&branch), value(&lease));
        let fetched = format!("+{branch}:{FETCHED}{}", self.feature);
        let leased = format!("+{lease}:{lease}");
        let mut specs = Vec::new();
        specs.extend(tip.map(|_| fetched.as_str()));
        specs.extend(held.map(|_| leased.as_str()));
        if !specs.is_empty() {
            let mut args = vec!["-c", "gc.auto=0", "fetch", "--no-tags", "--refmap="];
            args.extend(["--no-write-fetch-head", "--no-recurse-submodules", "--"]);
            args.push(self.remote);
            args.extend(specs);
            self.call(&args, "")?
                .ok(&format!("git fetch {}", self.remote))?;
        }
        if held.is_none() {
            self.forget_lease()?;
        }
        Ok(RemoteState {
            tip,
            lease: held.and_then(|oid| Some((oid, self.read_lease(oid).ok().flatten()?))),
        })
    }

    fn forget_lease(&self) -> Result<()> {
        let name = self.lease_ref();
        if let Some(old) = self.git.ref_value(&name)? {
            self.git.delete_ref(&name, old)?;
        }
        Ok(())
    }

    fn read_lease(&self, oid: ObjectId) -> Result<Option<FeatureLease>> {
        let read = self.git.read_commits(&[oid])?;
        let message = read.first().map(|commit| commit.message.as_str());
        Ok(message.and_then(FeatureLease::parse))
    }

    /// Pushes the branch and the lease, both or neither. `false`: the remote was not as it was seen, and is as it was.
    pub fn push(&self, push: &RemotePush<'_>) -> Result<bool> {
        let lease = self.write_lease(push.lease)?;
        let (name, branch) = (self.lease_ref(), self.branch_ref());
        let replaced = push.replaces.map(|oid| oid.hex()).unwrap_or_default();
        let expected = format!("--force-with-lease={name}:{replaced}");
        let mut specs = vec![format!("{lease}:{name}")];
        specs.extend(push.tip.map(|tip| format!("{tip}:{branch}")));
        let mut args = vec!["push", "--quiet", "--atomic", "--no-follow-tags"];
        args.extend(["--recurse-submodules=no", expected.as_str()]);
        if push.tip.is_none() {
            // The user's hook is about their commits, and there are none.
            args.push("--no-verify");
        }
        args.extend(["--", self.remote]);
        args.extend(specs.iter().map(String::as_str));
        let answer = self.call(&args, "")?;
        let now = self.look()?;
        let took = now.lease.as_ref().map(|(oid, _)| *oid) == Some(lease);
        if took && push.tip.is_none_or(|tip| now.tip == Some(tip)) {
            return Ok(true);
        }
        let same_lease = now.lease.as_ref().map(|(oid, _)| *oid) == push.replaces;
        let moved = push.tip.is_some_and(|tip| !self.has(tip, now.tip));
        match same_lease && !moved {
            // Nothing raced with it: the remote refuses, or a hook does.
            true => answer
                .ok(&format!("git push {} {}", self.remote, self.branch))
                .map(|_| false),
            false => Ok(false),
        }
    }

    fn has(&self, tip: ObjectId, other: Option<ObjectId>) -> bool {
        other.is_none_or(|other| self.git.is_ancestor(other, tip).unwrap_or(false))
    }

    /// Writes a lease as a commit without files or history.
    fn write_lease(&self, lease: &FeatureLease) -> Result<ObjectId> {
        let empty = self.call(&["mktree"], "")?.ok("git mktree")?;
        let args = ["-c", "commit.gpgSign=false", "commit-tree", empty.trim()];
        let made = self.call(&args, &lease.message())?.ok("git commit-tree")?;
        object_id(&made)
    }

    /// Writes a commit that joins two; no ref moves.
    pub fn write_merge(
        &self,
        tree: ObjectId,
        parents: [ObjectId; 2],
        message: &str,
    ) -> Result<ObjectId> {
        let (tree, ours, theirs) = (tree.hex(), parents[0].hex(), parents[1].hex());
        let mut args = vec!["commit-tree", &tree, "-p", &ours, "-p", &theirs];
        if self.git.signs() {
            args.push("-S");
        }
        let made = self.call(&args, message)?.ok("git commit-tree")?;
        object_id(&made)
    }
}

fn object_id(printed: &str) -> Result<ObjectId> {
    ObjectId::parse(printed.trim().as_bytes())
        .ok_or_else(|| Error::internal("commit-tree printed no object id"))
}

/// Returns the lease of a feature as this clone last saw it; it asks no remote.
pub fn last_seen(git: &Git, feature: &str) -> Result<Option<FeatureLease>> {
    let Some(oid) = git.ref_value(&format!("{LEASES}{feature}"))? else {
        return Ok(None);
    };
    let read = git.read_commits(&[oid])?;
    Ok(read.first().and_then(|c| FeatureLease::parse(&c.message)))
}

/// Returns the leases of some features as this clone last saw them, in the order asked; it asks no remote.
pub fn all_last_seen(git: &Git, features: &[String]) -> Result<Vec<Option<FeatureLease>>> {
    let names: Vec<String> = features.iter().map(|f| format!("{LEASES}{f}")).collect();
    let held = git.ref_values(&names)?;
    let read = git.read_commits(&held.iter().copied().flatten().collect::<Vec<_>>())?;
    let mut read = read.iter().map(|c| FeatureLease::parse(&c.message));
    let lease = |held: Option<ObjectId>| held.and_then(|_| read.next().flatten());
    Ok(held.into_iter().map(lease).collect())
}

/// Returns where the remote's branch is kept as last fetched.
pub fn fetched_ref(feature: &str) -> String {
    format!("{FETCHED}{feature}")
}

/// Returns what tells this clone from every other, where it drew its number already; nothing is written.
pub fn known_clone_id(git: &Git) -> Option<String> {
    let drawn = std::fs::read_to_string(drawn_number(git)).ok()?;
    (!drawn.trim().is_empty()).then(|| clone_of(git, drawn.trim()))
}

fn drawn_number(git: &Git) -> std::path::PathBuf {
    git.common_dir().join("gatewalk").join("clone-id")
}

/// Returns what tells this clone from every other: its place on its machine, and a number that it drew once.
pub fn clone_id(git: &Git) -> Result<String> {
    let path = drawn_number(git);
    let drawn = match std::fs::read_to_string(&path) {
        Ok(text) if !text.trim().is_empty() => text,
        _ => {
            let fresh = super::attempt_id::attempt_id();
            let dir = git.common_dir().join("gatewalk");
            std::fs::create_dir_all(&dir).map_err(|e| Error::io("create", &dir, &e))?;
            super::files::fill_runtime(&path, fresh.as_bytes())?;
            fresh
        }
    };
    Ok(clone_of(git, drawn.trim()))
}

fn clone_of(git: &Git, drawn: &str) -> String {
    let host = Holder::this("", "").host;
    let place = format!("{host}\0{}\0{drawn}", git.common_dir().display());
    let hash = oracle::hex(&sha2::Sha256::digest(place.as_bytes()));
    hash[..16].to_owned()
}

/// Returns what people call this clone.
pub fn clone_name(git: &Git) -> String {
    let who = git.identity().map(|i| i.committer.name).unwrap_or_default();
    let host = Holder::this("", "").host;
    format!("{who} on {host} in {}", git.work_tree().display()).replace(['\n', '\r'], " ")
}
