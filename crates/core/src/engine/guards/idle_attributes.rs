//! Git attributes that git does nothing by: pages that show a repository go by them alone.

use crate::path_names::file_name;

/// Returns whether a path is that of git attributes, exactly as git asks for them.
pub(crate) fn is_attributes(path: &str) -> bool {
    file_name(path) == ".gitattributes"
}

/// Returns whether a change of git attributes leaves all that git goes by as it was. No file is an empty one.
pub(crate) fn are_idle(old: &[u8], new: &[u8]) -> bool {
    let (Ok(old), Ok(new)) = (std::str::from_utf8(old), std::str::from_utf8(new)) else {
        return false;
    };
    old.lines()
        .filter(|line| !is_idle(line))
        .eq(new.lines().filter(|line| !is_idle(line)))
}

/// Returns whether git does nothing by a line. A macro is a name that others may use, and a quoted pattern may hold anything.
fn is_idle(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let Some(pattern) = words.next().filter(|word| !word.starts_with('#')) else {
        return true;
    };
    let shown = |word: &str| {
        let name = word.trim_start_matches(['-', '!']);
        name.split('=')
            .next()
            .is_some_and(|name| name.starts_with("linguist-"))
    };
    !pattern.starts_with(['[', '"']) && words.all(shown)
}

#[cfg(test)]
mod tests {
    use super::are_idle;

    #[test]
    fn what_git_goes_by_is_told_from_what_pages_show_by() {
        for (old, new, want) in [
            ("", "*.js linguist-vendored\n", true),
            (
                "*.sh eol=lf\n",
                "# Made by a tool.\nmade.py linguist-generated=true\n*.sh eol=lf\n",
                true,
            ),
            ("a -linguist-generated !linguist-language\n", "", true),
            (
                "*.sh eol=lf\n",
                "*.sh eol=lf linguist-language=Bash\n",
                false,
            ),
            ("", "a.txt linguist-generated filter=x\n", false),
            ("", "a.txt export-ignore\n", false),
            ("", "[attr]binary linguist-generated\n", false),
            ("", "\"a b\" linguist-generated\n", false),
            ("a -diff\nb diff\n", "b diff\na -diff\n", false),
            ("* text\n", "", false),
        ] {
            assert_eq!(
                are_idle(old.as_bytes(), new.as_bytes()),
                want,
                "{old:?} {new:?}"
            );
        }
        assert!(!are_idle(b"", b"a linguist-generated\n\xff filter=x\n"));
    }
}
