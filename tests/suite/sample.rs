//! Long tables of slow rows: `cargo test` tries one row in so many, and all of them with `GATEWALK_SUITE=full`, or where
//! `ONLY` names the ones that are wanted.

/// Returns the rows to try, and prints how many of them that is.
pub(crate) fn sample<T>(what: &str, rows: impl IntoIterator<Item = T>, every: usize) -> Vec<T> {
    let size = std::env::var("GATEWALK_SUITE").unwrap_or_default();
    let is_full = size == "full" || std::env::var_os("ONLY").is_some();
    let (mut all, mut tried) = (0, vec![]);
    for row in rows {
        if is_full || all % every == 0 {
            tried.push(row);
        }
        all += 1;
    }
    println!("{what}: {} of {all} rows tried", tried.len());
    tried
}
