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
        self.refs_again(&open.refs, &now.refs, unit)?;
        Ok(changed_meanwhile(&open.checkout, &now.checkout))
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

    fn refs_again(
        &self,
        had: &BTreeMap<String, Oid>,
        has: &BTreeMap<String, Oid>,
        unit: &str,
    ) -> Result<()> {
        let own = full(self.driven.get().map_or("", String::as_str));
        let landed = self
            .landed
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
            .clone();
        let mut changed = Vec::new();
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
                && forward
                && let (Some(old), Some(new)) = (old, new)
                && (landed.contains(new) || self.only_work(*old, *new)?)
            {
                // Another unit's landing, or the operator's own commit: merged and verified as such.
                continue;
            }
            // Only what was lost is put back; what was added stays for the person to look at.
            let lost = !forward && old.is_some() || *name == own;
            if let (true, Some(old)) = (lost, old) {
                if let Some(new) = new {
                    let aside = format!("refs/gatewalk/moved/{}", name.trim_start_matches("refs/"));
                    // One that is there already keeps what it holds; the reflog has the rest.
                    let _kept = self.git.cas_ref(&aside, *new, None)?;
                }
                self.git.cas_ref(name, *old, new.copied())?;
            }
            changed.push(sanitize(name));
        }
        if changed.is_empty() {
            return Ok(());
        }
        Err(Error::integrity(format!(
            "refs changed while the unconfined session of {unit} ran: {}",
            changed.join(", ")
        ))
        .hint("what was lost is back where it was; where they pointed meanwhile is under refs/gatewalk/moved/")
        .hint("what the session left is kept; if the change was yours, make it again and run again"))
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
