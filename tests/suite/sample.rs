//! Long tables of slow rows: `cargo test` tries a few rows, the same ones every time and from the whole length of the table,
//! and all of them with `GATEWALK_SUITE=full`, or where `ONLY` names the ones that are wanted. So a table may grow, and
//! `cargo test` takes no longer. Of all, `GATEWALK_SHARE=1/4` tries the second of four parts.

/// Returns the rows to try, and prints how many of them that is.
pub(crate) fn sample<T>(what: &str, rows: impl IntoIterator<Item = T>, few: usize) -> Vec<T> {
    let rows: Vec<T> = rows.into_iter().collect();
    let all = rows.len();
    let tried = match is_full() {
        true => asked_share(rows),
        false => spread(rows, few),
    };
    println!("{what}: {} of {all} rows tried", tried.len());
    tried
}

/// Returns the rows of the part that is asked for, all of them where none is.
pub(crate) fn asked_share<T>(rows: Vec<T>) -> Vec<T> {
    match Share::of_variable("GATEWALK_SHARE") {
        Some(share) => share.of(rows),
        None => rows,
    }
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

/// One part of so many equal ones of a long list.
#[derive(Clone, Copy)]
pub(crate) struct Share {
    /// Counted from 0.
    part: usize,
    parts: usize,
}

impl Share {
    pub(crate) fn first_of(parts: usize) -> Share {
        Share { part: 0, parts }
    }

    /// Returns what a variable asks for: `1/4` the second of four parts, `4` the first of four, `full` everything.
    pub(crate) fn of_variable(name: &str) -> Option<Share> {
        let asked = std::env::var(name).ok()?;
        let share = Share::of_text(&asked);
        Some(share.unwrap_or_else(|| panic!("{name}: {asked} is no share such as 0/2")))
    }

    fn of_text(asked: &str) -> Option<Share> {
        let (part, parts) = match asked {
            "full" => (0, 1),
            _ => match asked.split_once('/') {
                Some((part, parts)) => (part.parse().ok()?, parts.parse().ok()?),
                None => (0, asked.parse().ok()?),
            },
        };
        (part < parts).then_some(Share { part, parts })
    }

    /// Returns the rows of this part; all of them where there are fewer than parts.
    pub(crate) fn of<T>(self, rows: Vec<T>) -> Vec<T> {
        if rows.len() < self.parts {
            return rows;
        }
        rows.into_iter()
            .skip(self.part)
            .step_by(self.parts)
            .collect()
    }
}

#[test]
fn every_row_is_in_one_share() {
    let of = |asked: &str, rows: u32| Share::of_text(asked).map(|it| it.of((0..rows).collect()));
    assert_eq!(of("0/2", 7), Some(vec![0, 2, 4, 6]));
    assert_eq!(of("1/2", 7), Some(vec![1, 3, 5]));
    assert_eq!(of("3", 7), Some(vec![0, 3, 6]));
    assert_eq!(of("full", 3), Some(vec![0, 1, 2]));
    assert_eq!(of("1/2", 1), Some(vec![0]));
    for no in ["2/2", "0", "0/0", "half", "1/", ""] {
        assert_eq!(of(no, 7), None, "{no}");
    }
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
