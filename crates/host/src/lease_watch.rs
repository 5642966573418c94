//! While a run goes on: its leases, each looked at again when it ends. A run whose lease is over ends, as by a signal.

use super::git::Git;
use super::shared_remote::last_seen;
use super::stop_flag::StopFlag;
use gatewalk_core::engine::feature_lease::{LeaseStand, stand};
use jiff::Timestamp;
use signal_hook::consts::SIGTERM;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

/// How long between two looks at most.
const LOOK: Duration = Duration::from_secs(20);

/// What a run does about its leases in between: it renews them and pushes what landed.
pub type Renewal = Box<dyn Fn() + Send>;

/// Watches until it is dropped.
pub struct LeaseWatch {
    stop: Option<Sender<()>>,
    watcher: Option<JoinHandle<()>>,
}

impl LeaseWatch {
    /// Starts watching the leases of features that this clone holds; `renew` is called at every look.
    pub fn start(
        git: &Git,
        clone: String,
        features: Vec<String>,
        (flag, renew): (StopFlag, Option<Renewal>),
    ) -> LeaseWatch {
        let (stop, over) = channel::<()>();
        let git = git.clone();
        let watcher = std::thread::spawn(move || {
            loop {
                let ends = features.iter().filter_map(|feature| {
                    let lease = last_seen(&git, feature).ok().flatten();
                    let now = Timestamp::now();
                    match stand(lease.as_ref(), &clone, now) {
                        LeaseStand::Own => lease.map(|l| l.until.duration_since(now)),
                        LeaseStand::Free | LeaseStand::Foreign => Some(jiff::SignedDuration::ZERO),
                    }
                });
                let left = ends.min().and_then(|left| Duration::try_from(left).ok());
                let left = left.unwrap_or(LOOK).min(LOOK);
                if left.is_zero() {
                    flag.request(SIGTERM);
                    return;
                }
                match over.recv_timeout(left) {
                    Err(RecvTimeoutError::Timeout) => {}
                    Ok(()) | Err(RecvTimeoutError::Disconnected) => return,
                }
                if let Some(renew) = &renew {
                    renew();
                }
            }
        });
        LeaseWatch {
            stop: Some(stop),
            watcher: Some(watcher),
        }
    }
}

impl Drop for LeaseWatch {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(watcher) = self.watcher.take() {
            // A renewal that hangs is bounded by its own timeout.
            drop(watcher.join());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gatewalk_core::engine::feature_lease::FeatureLease;
    use jiff::SignedDuration;
    use std::process::Command;

    const FEATURE: &str = "FEAT-2026-0001";

    fn git(root: &std::path::Path, args: &[&str]) -> String {
        let output = Command::new("git")
            .args(["-c", "user.name=a", "-c", "user.email=a@b", "-C"])
            .arg(root)
            .args(args)
            .output()
            .unwrap();
        assert!(output.status.success(), "git {args:?}");
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    /// Writes a lease that ends so many milliseconds from now, as it is fetched.
    fn hold(root: &std::path::Path, holder: &str, ends: i64) {
        let now = Timestamp::now();
        let lease = FeatureLease {
            feature: FEATURE.to_owned(),
            branch: "main".to_owned(),
            holder: holder.to_owned(),
            name: holder.to_owned(),
            since: now,
            until: now + SignedDuration::from_millis(ends),
        };
        let tree = git(root, &["mktree"]);
        let commit = git(root, &["commit-tree", &tree, "-m", &lease.message()]);
        git(
            root,
            &[
                "update-ref",
                &format!("refs/gatewalk/leases/{FEATURE}"),
                &commit,
            ],
        );
    }

    fn watched(
        holder: Option<(&str, i64)>,
        renew: Option<Renewal>,
    ) -> (tempfile::TempDir, LeaseWatch, StopFlag) {
        let dir = tempfile::tempdir().unwrap();
        git(dir.path(), &["init", "-q"]);
        if let Some((holder, ends)) = holder {
            hold(dir.path(), holder, ends);
        }
        let (watch, flag) = watch(dir.path(), renew);
        (dir, watch, flag)
    }

    fn watch(root: &std::path::Path, renew: Option<Renewal>) -> (LeaseWatch, StopFlag) {
        let flag = StopFlag::new().unwrap();
        let repository = Git::discover(root).unwrap();
        let features = vec![FEATURE.to_owned()];
        let watch = LeaseWatch::start(
            &repository,
            "mine".to_owned(),
            features,
            (flag.clone(), renew),
        );
        (watch, flag)
    }

    #[test]
    fn a_run_ends_with_its_lease_and_not_before() {
        let hour = 3_600_000;
        for held in [
            None,
            Some(("another", hour)),
            Some(("mine", 0)),
            Some(("mine", 300)),
        ] {
            let (_dir, _watch, flag) = watched(held, None);
            assert!(flag.sleep(Duration::from_secs(20)), "{held:?}");
            assert_eq!(flag.signal(), Some(SIGTERM), "{held:?}");
        }
        let (_dir, watch, flag) = watched(Some(("mine", hour)), None);
        drop(watch);
        assert_eq!(flag.signal(), None, "it ends with its run");
    }

    #[test]
    fn a_lease_that_is_renewed_in_time_ends_no_run() {
        let dir = tempfile::tempdir().unwrap();
        git(dir.path(), &["init", "-q"]);
        hold(dir.path(), "mine", 5_000);
        let (renewed, seen) = channel();
        let root = dir.path().to_owned();
        let renew: Renewal = Box::new(move || {
            hold(&root, "mine", 3_600_000);
            renewed.send(()).expect("the test waits for it");
        });
        let (watch, flag) = watch(dir.path(), Some(renew));
        seen.recv_timeout(Duration::from_secs(20))
            .expect("a look at its end");
        drop(watch);
        assert_eq!(flag.signal(), None);
    }
}
