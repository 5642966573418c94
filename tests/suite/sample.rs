//! Long tables of slow rows: `cargo test` tries a few rows, the same ones every time and from the whole length of the table,
//! and all of them with `GATEWALK_SUITE=full`, or where `ONLY` names the ones that are wanted. So a table may grow, and
//! `cargo test` takes no longer. Of all, `GATEWALK_SHARE=1/2` tries one half and `GATEWALK_SHARE=0/2` the other.

/// Returns the rows to try, and prints how many of them that is.
pub(crate) fn sample<T>(what: &str, rows: impl IntoIterator<Item = T>, few: usize) -> Vec<T> {
    let rows: Vec<T> = rows.into_iter().collect();
    let all = rows.len();
    let tried = match is_full() {
        true => share(rows, std::env::var("GATEWALK_SHARE").ok().as_deref()),
        false => spread(rows, few),
    };
    println!("{what}: {} of {all} rows tried", tried.len());
    tried
}

/// Returns whether every row of the long tables is asked for.
pub(crate) fn is_full() -> bool {
    let size = std::env::var("GATEWALK_SUITE").unwrap_or_default();
    size == "full" || std::env::var_os("ONLY").is_some()
}

/// Returns so many of the rows, from the first on and equally far apart; all where there are no more.
pub(crate) fn spread<T>(rows: Vec<T>, few: usize) -> Vec<T> {
    let all = rows.len();
    let numbered = rows.into_iter().enumerate();
    let taken = numbered.filter(|(at, _)| at * few % all < few);
    taken.map(|(_, row)| row).collect()
}

/// Returns those of the rows that are `part` of `part/parts`, counted from 0; all of them where nothing is asked, or where there
/// are fewer rows than parts.
fn share<T>(rows: Vec<T>, asked: Option<&str>) -> Vec<T> {
    let Some(asked) = asked else { return rows };
    let numbers = asked.split_once('/');
    let numbers = numbers.and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)));
    let (part, parts): (usize, usize) = numbers.expect("GATEWALK_SHARE is a share such as 0/2");
    assert!(part < parts, "GATEWALK_SHARE: {asked} is no share");
    if rows.len() < parts {
        return rows;
    }
    let numbered = rows.into_iter().enumerate();
    let taken = numbered.filter(|(at, _)| at % parts == part);
    taken.map(|(_, row)| row).collect()
}

#[test]
fn every_row_is_in_one_share() {
    let rows: Vec<u32> = (0..7).collect();
    assert_eq!(share(rows.clone(), Some("0/2")), [0, 2, 4, 6]);
    assert_eq!(share(rows.clone(), Some("1/2")), [1, 3, 5]);
    assert_eq!(share(rows.clone(), None), rows);
    assert_eq!(share(vec![1], Some("1/2")), [1]);
}

#[test]
fn a_sample_has_as_many_rows_as_are_asked_for_from_all_over_the_table() {
    for (all, few, want) in [
        (0, 3, vec![]),
        (2, 3, vec![0, 1]),
        (3, 3, vec![0, 1, 2]),
        (10, 1, vec![0]),
        (10, 3, vec![0, 4, 7]),
        (10, 5, vec![0, 2, 4, 6, 8]),
    ] {
        assert_eq!(spread((0..all).collect(), few), want, "{few} of {all}");
    }
}
