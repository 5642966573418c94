//! An issue of a forge as users write it: `owner/repo#12`.

/// Returns repository and number of `owner/repo#12`.
pub(crate) fn parse_issue(text: &str) -> Option<(&str, &str)> {
    let (repo, number) = text.rsplit_once('#')?;
    let (owner, name) = repo.split_once('/')?;
    let word = |w: &str| {
        !w.is_empty()
            && !w.starts_with('-')
            && w.bytes()
                .all(|b| b.is_ascii_alphanumeric() || b"-_.".contains(&b))
    };
    (word(owner) && word(name) && !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()))
        .then_some((repo, number))
}
