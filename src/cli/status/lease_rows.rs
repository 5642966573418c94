//! Who may walk the features that clones share, as this clone last saw it.

use crate::cli::shown_moment::whole_seconds;
use gatewalk_core::engine::evidence::sanitize;
use gatewalk_core::engine::feature_lease::{FeatureLease, LeaseStand, stand};
use gatewalk_host::shared_remote::{all_last_seen, known_clone_id};
use gatewalk_host::state_repository::{Repository, Selected};
use jiff::Timestamp;
use serde_json::{Value, json};

/// Returns what `status --json` says of the lease of each feature: nothing where there is none. It asks no remote.
pub(super) fn rows(repository: &Repository, shown: &[Selected]) -> Vec<Value> {
    let git = &repository.git;
    let names: Vec<String> = shown.iter().map(|s| s.feature().name()).collect();
    // Shown beside what was asked for: what cannot be read now is only not shown.
    let leases = all_last_seen(git, &names).unwrap_or_default();
    let clone = leases
        .iter()
        .any(Option::is_some)
        .then(|| known_clone_id(git));
    let clone = clone.flatten().unwrap_or_default();
    let row = |lease: FeatureLease| row(&lease, &clone, Timestamp::now());
    let mut rows: Vec<Value> = leases
        .into_iter()
        .map(|l| l.map_or(Value::Null, row))
        .collect();
    rows.resize(shown.len(), Value::Null);
    rows
}

fn row(lease: &FeatureLease, clone: &str, now: Timestamp) -> Value {
    let stand = stand(Some(lease), clone, now);
    json!({
        "holder": lease.holder, "name": lease.name, "since": lease.since.to_string(), "until": lease.until.to_string(),
        "own": stand == LeaseStand::Own, "held_by_another": stand == LeaseStand::Foreign,
    })
}

/// Returns the line of a lease that somebody holds.
pub(super) fn line(row: &Value) -> Option<String> {
    let text = |key: &str| sanitize(row[key].as_str().unwrap_or_default());
    match (&row["own"], &row["held_by_another"]) {
        (Value::Bool(true), _) => Some(format!(
            "  lease: this clone may walk it until {}",
            whole_seconds(&text("until"))
        )),
        (_, Value::Bool(true)) => Some(format!(
            "  lease: held by {} until {}; no run here walks it before that",
            text("name").replace('\n', " "),
            whole_seconds(&text("until"))
        )),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_holder_is_named_until_the_lease_is_over() {
        let at = |second| Timestamp::from_second(second).unwrap();
        let lease = FeatureLease {
            feature: "FEAT-2026-0001".to_owned(),
            branch: "feat/a".to_owned(),
            holder: "mine".to_owned(),
            name: "Ada on desk".to_owned(),
            since: at(0),
            until: at(1000),
        };
        for (clone, now, want) in [
            ("mine", 10, Some("this clone may walk it until 1970")),
            ("mine", 1000, None),
            ("", 10, Some("held by Ada on desk until 1970")),
            ("other", 1299, Some("held by Ada on desk until 1970")),
            ("other", 1300, None),
        ] {
            let found = line(&row(&lease, clone, at(now)));
            assert_eq!(
                found.is_some(),
                want.is_some(),
                "{clone} at {now}: {found:?}"
            );
            assert!(found.unwrap_or_default().contains(want.unwrap_or_default()));
        }
        assert_eq!(line(&Value::Null), None);
    }
}
