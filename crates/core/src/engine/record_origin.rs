//! Who kept a feature's record: only one that this program kept from the start is held against its units.

use super::events::begins_here;
use crate::model::feature::Feature;
use crate::model::layout::{self, Layout};
use crate::model::unit::{KEPT_KEYS, Unit};

/// Who kept a feature's record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RecordOrigin {
    /// This program, from the first event on; or it should have, and the log is not there.
    Here,
    /// Another driver, which did not write every landing down, or kept no log at all.
    Elsewhere,
}

/// Returns who kept a feature's record.
pub(crate) fn of(feature: &Feature, layout: Layout) -> RecordOrigin {
    let here = match log(feature) {
        Some(log) => begins_here(&String::from_utf8_lossy(log)),
        None if feature.units.values().any(|u| !u.armed().is_empty()) => true,
        None => layout == Layout::Gatewalk && !feature.units.values().any(has_kept_key),
    };
    match here {
        true => RecordOrigin::Here,
        false => RecordOrigin::Elsewhere,
    }
}

/// Returns a feature's log, unless it is missing or empty.
pub(crate) fn log(feature: &Feature) -> Option<&[u8]> {
    let log = feature.others.get(layout::EVENTS)?;
    (!log.trim_ascii().is_empty()).then_some(&**log)
}

/// Whether a unit's file has a key that only other drivers wrote.
fn has_kept_key(unit: &Unit) -> bool {
    let mut entries = unit.doc.front.iter().flat_map(|f| f.root.entries());
    entries.any(|entry| KEPT_KEYS.contains(&entry.key.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::events::{append, verb};
    use crate::engine::test_snapshot::snapshot;

    #[test]
    fn a_record_is_held_against_its_units_only_where_it_was_kept_here() {
        let ours = append("", &[verb("x", "t", "gate_armed", serde_json::json!({}))]);
        let theirs = "{\"event_type\":\"task_started\"}\n";
        let both = format!("{theirs}{ours}");
        use {Layout::*, RecordOrigin::*};
        for (unit, log, layout, want) in [
            ("", Some(&*ours), Gatewalk, Here),
            ("", Some(&*ours), Specfuse, Here),
            ("", Some(theirs), Gatewalk, Elsewhere),
            ("armed=x", Some(&*both), Gatewalk, Elsewhere),
            ("", None, Gatewalk, Here),
            ("", Some(" \n"), Gatewalk, Here),
            ("driver_version=0.29", None, Gatewalk, Elsewhere),
            ("driver_version=0.29 armed=x", None, Gatewalk, Here),
            ("", None, Specfuse, Elsewhere),
            ("", Some(""), Specfuse, Elsewhere),
            ("armed=x", None, Specfuse, Here),
        ] {
            let snapshot = snapshot(&format!("active | G1: T01 {unit}"));
            let mut feature = (*snapshot.feature).clone();
            if let Some(log) = log {
                feature
                    .others
                    .insert(layout::EVENTS.to_owned(), log.as_bytes().into());
            }
            assert_eq!(of(&feature, layout), want, "{unit} {log:?} {layout:?}");
        }
    }
}
