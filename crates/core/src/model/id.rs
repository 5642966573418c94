//! Feature and unit ids: the only place that knows their grammar.

use std::fmt;

/// The id of a feature: `FEAT-2026-0042`, or `INIT-2026-0001/F02`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FeatureId(String);

/// The id of a unit: its feature's id, a slash and a local part.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct UnitId {
    feature: FeatureId,
    local: String,
}

/// What the local part of a unit id says the unit is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LocalKind {
    /// `T01`
    Task(u32),
    /// `T01H`, `T01H2`: a hygiene unit.
    Hygiene(u32),
    /// `G1-CLOSE` and its relatives.
    Closing {
        /// The gate it closes.
        gate: u32,
        /// `RETRO`, `LESSONS`, `DOCS`, `PLAN`, `CLOSE-INTERMEDIATE` or `CLOSE`.
        what: &'static str,
    },
}

/// The closing words a unit id may end with, longest first where one begins with another.
const CLOSING: [&str; 6] = [
    "CLOSE-INTERMEDIATE",
    "CLOSE",
    "RETRO",
    "LESSONS",
    "DOCS",
    "PLAN",
];

fn digits(text: &str, exactly: usize) -> bool {
    text.len() == exactly && text.bytes().all(|b| b.is_ascii_digit())
}

fn dated(text: &str, prefix: &str) -> bool {
    text.strip_prefix(prefix)
        .and_then(|rest| rest.split_once('-'))
        .is_some_and(|(year, number)| digits(year, 4) && digits(number, 4))
}

impl FeatureId {
    /// Returns the id if the text is one.
    pub fn parse(text: &str) -> Option<FeatureId> {
        let ok = match text.split_once('/') {
            None => dated(text, "FEAT-"),
            Some((initiative, feature)) => {
                dated(initiative, "INIT-")
                    && feature.strip_prefix('F').is_some_and(|n| digits(n, 2))
            }
        };
        ok.then(|| FeatureId(text.to_owned()))
    }

    /// Returns the id as it is written.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the id as it stands at the head of a directory's name, where `/` cannot.
    pub(crate) fn directory_prefix(&self) -> String {
        self.0.replace('/', "-")
    }

    /// Returns the id of one of its units.
    pub fn unit(&self, local: &str) -> Option<UnitId> {
        UnitId::parse(&format!("{self}/{local}"))
    }
}

impl UnitId {
    /// Returns the id if the text is one.
    pub fn parse(text: &str) -> Option<UnitId> {
        let (feature, local) = text.rsplit_once('/')?;
        let feature = FeatureId::parse(feature)?;
        local_kind(local)?;
        Some(UnitId {
            feature,
            local: local.to_owned(),
        })
    }

    /// Returns the id of its feature.
    pub fn feature(&self) -> &FeatureId {
        &self.feature
    }

    /// Returns the part after the feature: `T01`, `G1-CLOSE`.
    pub(crate) fn local(&self) -> &str {
        &self.local
    }

    /// Returns what the local part says the unit is.
    pub fn kind(&self) -> LocalKind {
        local_kind(&self.local).expect("checked when parsed")
    }
}

/// Returns what of a unit's id people say beside its feature: what stands behind the last slash.
pub fn short_id(id: &str) -> &str {
    id.rsplit_once('/').map_or(id, |(_, local)| local)
}

fn local_kind(local: &str) -> Option<LocalKind> {
    let number = |text: &str| -> Option<u32> {
        (text.len() >= 2 && text.bytes().all(|b| b.is_ascii_digit())).then(|| text.parse().ok())?
    };
    if let Some(rest) = local.strip_prefix('T') {
        return match rest.split_once('H') {
            None => number(rest).map(LocalKind::Task),
            Some((n, again)) if again.bytes().all(|b| b.is_ascii_digit()) => {
                number(n).map(LocalKind::Hygiene)
            }
            Some(_) => None,
        };
    }
    let (gate, what) = local.strip_prefix('G')?.split_once('-')?;
    let gate = (!gate.is_empty() && gate.bytes().all(|b| b.is_ascii_digit()))
        .then(|| gate.parse().ok())??;
    let what = CLOSING.iter().find(|w| **w == what)?;
    Some(LocalKind::Closing { gate, what })
}

impl fmt::Display for FeatureId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Display for UnitId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.feature, self.local)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn feature_ids_follow_the_grammar() {
        for (text, ok) in [
            ("FEAT-2026-0042", true),
            ("INIT-2026-0001/F02", true),
            ("FEAT-2026-42", false),
            ("FEAT-2026-00421", false),
            ("feat-2026-0042", false),
            ("INIT-2026-0001", false),
            ("INIT-2026-0001/F2", false),
            ("FEAT-2026-0042/F02", false),
            ("FEAT-2026-004\u{0663}", false),
            ("", false),
        ] {
            assert_eq!(FeatureId::parse(text).is_some(), ok, "{text}");
        }
    }

    #[test]
    fn unit_ids_follow_the_grammar() {
        use LocalKind::{Closing, Hygiene, Task};
        for (text, want) in [
            ("FEAT-2026-0042/T01", Some(Task(1))),
            ("FEAT-2026-0042/T123", Some(Task(123))),
            ("FEAT-2026-0042/T1", None),
            ("FEAT-2026-0042/T01H", Some(Hygiene(1))),
            ("FEAT-2026-0042/T01H2", Some(Hygiene(1))),
            ("FEAT-2026-0042/T01Hx", None),
            ("INIT-2026-0001/F02/T03", Some(Task(3))),
            (
                "FEAT-2026-0042/G1-CLOSE",
                Some(Closing {
                    gate: 1,
                    what: "CLOSE",
                }),
            ),
            (
                "FEAT-2026-0042/G12-CLOSE-INTERMEDIATE",
                Some(Closing {
                    gate: 12,
                    what: "CLOSE-INTERMEDIATE",
                }),
            ),
            (
                "FEAT-2026-0042/G1-PLAN",
                Some(Closing {
                    gate: 1,
                    what: "PLAN",
                }),
            ),
            ("FEAT-2026-0042/G-PLAN", None),
            ("FEAT-2026-0042/G1-MERGE", None),
            ("T01", None),
            ("FEAT-2026-0042/T01/T02", None),
            ("FEAT-2026-0042/T01; rm -rf /", None),
        ] {
            assert_eq!(UnitId::parse(text).map(|id| id.kind()), want, "{text}");
        }
    }
}
