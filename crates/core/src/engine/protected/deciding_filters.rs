//! Files that do nothing but decide how a command ends: what `jq` asks there is a judge whatever it is called.

use super::run_targets::joined;
use crate::path_names::file_name;

/// Returns the files with the questions that `jq` asks where it ends by the answer: they do nothing but decide.
pub(super) fn deciding_filters(shell: &str) -> impl Iterator<Item = String> + '_ {
    shell
        .split([';', '&', '|', '\n', '(', ')'])
        .filter_map(|command| {
            let words: Vec<&str> = command.split_whitespace().collect();
            let from = words.iter().position(|word| file_name(word) == "jq")? + 1;
            let given = |long: &str, letter: char| {
                let is_given = |word: &&str| {
                    let letters = word.strip_prefix('-').unwrap_or_default();
                    *word == long || !letters.starts_with('-') && letters.contains(letter)
                };
                words[from..].iter().position(is_given)
            };
            given("--exit-status", 'e')?;
            let at = from + given("--from-file", 'f')? + 1;
            let path = words.get(at)?.trim_matches(['"', '\'']);
            (!path.contains('$')).then(|| joined("", path))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_that_a_command_ends_by_are_known() {
        for (command, want) in [
            ("jq -e -f a/rules.jq data.json", "a/rules.jq"),
            (
                "cat a.json | jq --exit-status --from-file ./rules.jq",
                "rules.jq",
            ),
            ("jq -ef rules.jq a.json > out", "rules.jq"),
            ("jq -f rules.jq a.json", ""),
            ("jq -e .answer a.json", ""),
            ("grep -e -f x", ""),
        ] {
            let found: Vec<String> = deciding_filters(command).collect();
            assert_eq!(found.join(" "), want, "{command}");
        }
    }
}
