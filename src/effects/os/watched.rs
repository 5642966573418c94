//! What a session must not have changed outside its slot: git's settings, refs, the operator's files.
//!
//! A confined session cannot; what changed meanwhile is then the operator's own doing and only told. An
//! unconfined one could: what decides what git runs is put back and the run stops.

use super::{Os, full, runtime};
use crate::driver::news::News;
use crate::effects::git::{GitPath, Oid};
use crate::effects::seal::{self, Seal};
use crate::engine::evidence::sanitize;
use crate::engine::guards;
use crate::error::{Error, Result};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// How things stood before a session.
pub(super) struct Watched {
    seal: Seal,
    /// None for a confined session, which cannot reach any of it.
    open: Option<Open>,
}

struct Open {
    refs: BTreeMap<String, Oid>,
    checkout: BTreeMap<GitPath, Option<std::time::SystemTime>>,
}

impl Os<'_> {
    /// Looks at what a session must leave alone.
    pub(super) fn watch(&self, confined: bool) -> Result<Watched> {
        let home = self.host.var("HOME").map(PathBuf::from);
        let own = crate::effects::person::path(&self.host.env);
        let places = seal::places(
            self.git.git_dir(),
            self.git.common_dir(),
            home.as_deref(),
            own.as_deref(),
        );
        let open = match confined {
            true => None,
            false => Some(self.open()?),
        };
        Ok(Watched {
            seal: Seal::take(places),
            open,
        })
    }

    /// Looks again; returns what a person should see.
    pub(super) fn look_again(&self, before: &Watched, unit: &str) -> Result<Vec<String>> {
        let broken = before.seal.broken();
        let list = broken
            .iter()
            .map(|p| sanitize(&p.to_string_lossy()))
            .collect::<Vec<_>>()
            .join(", ");
        let Some(open) = &before.open else {
            if !broken.is_empty() {
                self.watcher.tell(&News::Note {
                    text: format!(
                        "changed while {unit} ran, not by its session, which is confined: {list}"
                    ),
                });
            }
            return Ok(vec![]);
        };
        if !broken.is_empty() {
            let aside = self.state().join("tampered").join(runtime::attempt_id());
            let lost = before.seal.restore(&broken, &aside)?;
            let mut error = Error::integrity(format!(
                "what decides what git runs changed while the unconfined session of {unit} ran: {list}"
            ))
            .hint(format!(
                "it is as it was before; what stood there is in {}",
                aside.display()
            ));
            for path in lost {
                error = error.hint(format!("could not be put back: {}", path.display()));
            }
            return Err(error.hint("what the session left is kept; if the change was yours, make it again and run again"));
        }
        // Not before the seal was found whole: what git would run is decided there.
        let now = self.open()?;
        let mut seen = self.refs_again(&open.refs, &now.refs, unit)?;
        seen.extend(changed_meanwhile(&open.checkout, &now.checkout));
        Ok(seen)
    }

    /// Asks git twice, side by side.
    fn open(&self) -> Result<Open> {
        std::thread::scope(|scope| {
            let refs = scope.spawn(|| self.git.branches_and_tags());
            let checkout = self.checkout()?;
            match refs.join() {
                Ok(refs) => Ok(Open {
                    refs: refs?,
                    checkout,
                }),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        })
    }

    /// Puts back what was lost and stops; what was only added or moved on is told.
    fn refs_again(
        &self,
        had: &BTreeMap<String, Oid>,
        has: &BTreeMap<String, Oid>,
        unit: &str,
    ) -> Result<Vec<String>> {
        let own = full(self.driven.get().map_or("", String::as_str));
        let landed = self
            .landed
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
            .clone();
        let (mut lost, mut moved) = (Vec::new(), Vec::new());
        for name in had
            .keys()
            .chain(has.keys().filter(|n| !had.contains_key(*n)))
        {
            let (old, new) = (had.get(name), has.get(name));
            if old == new {
                continue;
            }
            let forward = match (old, new) {
                (Some(old), Some(new)) => self.git.is_ancestor(*old, *new).unwrap_or(false),
                _ => false,
            };
            if *name == own
                && let (Some(old), Some(new)) = (old, new)
                && (forward && (landed.contains(new) || self.only_work(*old, *new)?)
                    || !forward && self.rewrites_only_work(*old, *new)?)
            {
                // Another unit's landing, or the operator's own commit: merged and verified as such.
                continue;
            }
            if forward && *name != own || old.is_none() {
                moved.push(sanitize(name));
                continue;
            }
            if let Some(old) = old {
                self.put_ref_back(name, *old, new.copied())?;
            }
            lost.push(sanitize(name));
        }
        if lost.is_empty() {
            let what = "branches or tags were added or moved on while the unconfined session ran, by it or by you";
            let told = (!moved.is_empty()).then(|| format!("{what}: {}", moved.join(", ")));
            return Ok(told.into_iter().collect());
        }
        Err(Error::integrity(format!(
            "refs changed while the unconfined session of {unit} ran: {}",
            lost.join(", ")
        ))
        .hint("what was lost is back where it was; where they pointed meanwhile is under refs/gatewalk/moved/")
        .hint("what the session left is kept; if the change was yours, make it again and run again"))
    }

    /// Puts a ref back where it was; where it pointed meanwhile stays reachable, and a checkout of it follows.
    fn put_ref_back(&self, name: &str, old: Oid, new: Option<Oid>) -> Result<()> {
        if let Some(new) = new {
            let kept = name.trim_start_matches("refs/");
            let aside = format!("refs/gatewalk/moved/{}/{kept}", new.short());
            // One of that name holds the very same commit.
            let _kept = self.git.cas_ref(&aside, new, None)?;
        }
        if self.git.cas_ref(name, old, new)?
            && let Some(new) = new
        {
            // What it cannot bring along stays as it is, and `git status` shows it.
            let _followed = self.git.follow(name, new, old);
        }
        Ok(())
    }

    /// Returns whether commits on the driven branch leave alone what judges; the driver's own do not touch
    /// it either, but for the plan files it writes.
    fn only_work(&self, old: Oid, new: Oid) -> Result<bool> {
        let verification = |path: &str| {
            path.ends_with("/verification.yml")
                || path.ends_with("/config.yml")
                || path.contains("/rules/")
        };
        let state = |path: &str| path.starts_with(".gatewalk/") || path.starts_with(".specfuse/");
        Ok(self.git.diff(old, new)?.iter().all(|change| {
            let path = change.path.to_text();
            if state(&path) {
                !verification(&path)
            } else {
                !guards::is_control(&path)
            }
        }))
    }

    /// Returns whether a branch that was rewritten (an amended commit, a squash) still says the same about every
    /// unit and of what judges; one that was only cut short does not count, for that loses work.
    fn rewrites_only_work(&self, old: Oid, new: Oid) -> Result<bool> {
        let state = |path: &str| path.starts_with(".gatewalk/") || path.starts_with(".specfuse/");
        let harmless = |path: &str| !state(path) && !guards::is_control(path);
        Ok(!self.git.is_ancestor(new, old)?
            && self
                .git
                .diff(old, new)?
                .iter()
                .all(|change| harmless(&change.path.to_text())))
    }

    /// Returns the operator's edited and new files with their times.
    fn checkout(&self) -> Result<BTreeMap<GitPath, Option<std::time::SystemTime>>> {
        let status = self.git.status(&GitPath::new(Vec::new()))?;
        Ok(status
            .entries
            .into_iter()
            .map(|entry| {
                let path = self.git.work_tree().join(entry.path.as_path());
                let time = std::fs::symlink_metadata(path).and_then(|m| m.modified());
                (entry.path, time.ok())
            })
            .collect())
    }
}

/// Returns what a person should see of the files that differ between two looks.
fn changed_meanwhile(
    had: &BTreeMap<GitPath, Option<std::time::SystemTime>>,
    has: &BTreeMap<GitPath, Option<std::time::SystemTime>>,
) -> Vec<String> {
    let changed: Vec<String> = has
        .iter()
        .filter(|(path, time)| had.get(*path) != Some(*time))
        .map(|(path, _)| sanitize(&path.to_text()))
        .take(20)
        .collect();
    if changed.is_empty() {
        return vec![];
    }
    vec![format!(
        "files of your checkout changed while the unconfined session ran, by it or by you: {}",
        changed.join(", ")
    )]
}
