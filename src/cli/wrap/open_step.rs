//! What opening pull requests will do, in words: open those that are not there, update those that are.

use super::forge_requests::KnownRequest;

/// Returns what is done with a branch's request or with those of a stack, its last branch last; before the forge was asked
/// with nothing known.
pub(super) fn verb(known: Option<&[KnownRequest]>, requests: usize) -> String {
    let is_open = |known: &&KnownRequest| matches!(known, KnownRequest::Open { .. });
    let Some(known) = known else {
        return match requests {
            1 => "open or update a pull request".to_owned(),
            _ => format!("open or update {requests} pull requests"),
        };
    };
    // A merged one below the last is done with; the last is opened anew.
    let below = known.split_last().map_or(&[][..], |(_, below)| below);
    let merged = below.iter().filter(|k| **k == KnownRequest::Merged).count();
    let updated = known.iter().filter(is_open).count();
    let opened = known.len() - updated - merged;
    match (opened, updated) {
        (1, 0) => "open a pull request".to_owned(),
        (0, 1) => "update the open pull request".to_owned(),
        (_, 0) => format!("open {opened} pull requests"),
        (0, _) => format!("update {updated} pull requests"),
        _ => format!("open {opened} and update {updated} pull requests"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_open_is_updated_and_what_is_merged_is_left() {
        let known = |letters: &str| -> Vec<KnownRequest> {
            let of = |letter: char| match letter {
                'o' => KnownRequest::Open {
                    number: "1".to_owned(),
                    url: "u".to_owned(),
                },
                'm' => KnownRequest::Merged,
                _ => KnownRequest::Nothing,
            };
            letters.chars().map(of).collect()
        };
        for (letters, want) in [
            ("-", "open a pull request"),
            ("m", "open a pull request"),
            ("o", "update the open pull request"),
            ("---", "open 3 pull requests"),
            ("ooo", "update 3 pull requests"),
            ("oo-", "open 1 and update 2 pull requests"),
            ("mo-", "open 1 and update 1 pull requests"),
            ("mmo", "update the open pull request"),
        ] {
            assert_eq!(
                verb(Some(&known(letters)), letters.len()),
                want,
                "{letters}"
            );
        }
        assert_eq!(verb(None, 1), "open or update a pull request");
        assert_eq!(verb(None, 8), "open or update 8 pull requests");
    }
}
