//! The name that was meant by a misspelt one.

/// Returns the candidate nearest to a name, if one is near enough to be meant.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = (name.chars().count() / 3).clamp(1, 3);
    // `cost_budget` means `cost_budget_usd`, however much is missing.
    let begins = |c: &str| {
        let ends = c.strip_suffix(name).is_some_and(|head| head.ends_with('_'));
        name.len() >= 5 && (c.starts_with(name) || name.starts_with(c) || ends)
    };
    // Names whose lengths differ by more cannot be near; most are set apart by that.
    let length = name.chars().count();
    candidates
        .into_iter()
        .filter(|c| c.chars().count().abs_diff(length) <= limit || begins(c))
        .map(|c| (distance(name, c), c))
        .filter(|(d, c)| *d <= limit || begins(c))
        .min_by_key(|(d, _)| *d)
        .map(|(_, c)| c)
}

/// What other tools call a key of ours.
const ALSO_CALLED: [(&str, &str); 14] = [
    ("command", "run"),
    ("cmd", "run"),
    ("script", "run"),
    ("run", "command"),
    ("cmd", "command"),
    ("script", "command"),
    ("depends", "depends_on"),
    ("blocked_by", "depends_on"),
    ("dependencies", "depends_on"),
    ("needs", "depends_on"),
    ("after", "depends_on"),
    ("requires", "depends_on"),
    ("path", "file"),
    ("units", "work_units"),
];

/// Returns the candidate that a name means: the nearest, or the one that other tools call so.
pub(in crate::model) fn meant<'a>(
    name: &str,
    candidates: impl Iterator<Item = &'a str> + Clone,
) -> Option<&'a str> {
    nearest(name, candidates.clone()).or_else(|| {
        let mut candidates = candidates;
        candidates.find(|candidate| ALSO_CALLED.contains(&(name, candidate)))
    })
}

/// Levenshtein distance by characters, with adjacent swaps counted once.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (
        a.to_lowercase().chars().collect(),
        b.to_lowercase().chars().collect(),
    );
    let mut before = Vec::new();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for i in 0..a.len() {
        let mut next = vec![i + 1];
        for j in 0..b.len() {
            let change = row[j] + usize::from(a[i] != b[j]);
            let mut best = change.min(row[j + 1] + 1).min(next[j] + 1);
            if i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j] {
                let swapped: &Vec<usize> = &before;
                best = best.min(swapped[j - 1] + 1);
            }
            next.push(best);
        }
        before = std::mem::replace(&mut row, next);
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_of_another_tool_means_ours_where_we_have_it() {
        for (name, keys, want) in [
            ("command", ["name", "run"], Some("run")),
            ("run", ["name", "command"], Some("command")),
            ("run", ["name", "timeout"], None),
            ("nmae", ["name", "run"], Some("name")),
        ] {
            assert_eq!(meant(name, keys.into_iter()), want, "{name}");
        }
    }

    #[test]
    fn a_misspelt_name_finds_its_neighbour() {
        let names = ["status", "max_attempts", "timeout", "type", "id"];
        for (name, want) in [
            ("staus", Some("status")),
            ("max_atempts", Some("max_attempts")),
            ("tiemout", Some("timeout")),
            ("tpye", Some("type")),
            ("colour", None),
            ("attempts", Some("max_attempts")),
            ("tempts", None),
        ] {
            assert_eq!(nearest(name, names), want, "{name}");
        }
    }
}
