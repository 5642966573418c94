//! A marked block for the file in which an interactive agent looks for a repository's instructions.
//!
//! One block, between two markers; everything outside them is the user's and stays byte for byte.

const OPEN: &str = "<!-- >>> gatewalk -->";
const CLOSE: &str = "<!-- <<< gatewalk -->";

/// The file of each agent that has one of its own; every other agent reads `AGENTS.md`.
const FILES: &[(&str, &str)] = &[
    ("claude", "CLAUDE.md"),
    ("gemini", "GEMINI.md"),
    ("qwen", "QWEN.md"),
    ("copilot", ".github/copilot-instructions.md"),
    ("goose", ".goosehints"),
    ("aider", "CONVENTIONS.md"),
];

/// Agents that read `AGENTS.md`.
const SHARED: &[&str] = &["codex", "opencode", "amp", "cline", "cursor", "agents"];

/// Returns the names that [`file_of`] knows.
pub fn agents() -> Vec<&'static str> {
    FILES
        .iter()
        .map(|(name, _)| *name)
        .chain(SHARED.iter().copied())
        .collect()
}

/// Returns the file an agent reads.
pub fn file_of(agent: &str) -> Option<&'static str> {
    let own = FILES
        .iter()
        .find(|(name, _)| *name == agent)
        .map(|(_, file)| *file);
    own.or_else(|| SHARED.contains(&agent).then_some("AGENTS.md"))
}

/// Returns the file with the block in it; nothing when it is there already.
pub fn with_block(old: Option<&str>, state_dir: &str) -> Option<String> {
    let old = old.unwrap_or_default();
    let end = if old.contains("\r\n") { "\r\n" } else { "\n" };
    let block = block(state_dir).replace('\n', end);
    let new = match (old.find(OPEN), old.find(CLOSE)) {
        (Some(from), Some(to)) if from < to => {
            format!("{}{block}{}", &old[..from], &old[to + CLOSE.len()..])
        }
        _ if old.is_empty() => format!("{block}{end}"),
        _ => format!(
            "{}{end}{end}{block}{end}",
            old.trim_end_matches(['\r', '\n'])
        ),
    };
    (new != old).then_some(new)
}

fn block(state_dir: &str) -> String {
    format!(
        "{OPEN}\n## Plans\n\nWork in this repository is planned in `{state_dir}/`: features, gates and units as Markdown.\n\n\
         - Before you write or change a plan, read `{state_dir}/rules/` and, if it is there, `{state_dir}/rules-local/`.\n\
         - After you edited anything in `{state_dir}/`, run `gatewalk lint` and mend what it says.\n\
         - Never write a `status:` yourself: a user does it with `gatewalk arm`, `unblock`, `done` and `abandon`.\n{CLOSE}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_one_block_and_everything_else_stays() {
        let fresh = with_block(None, ".gatewalk").expect("new");
        for (old, want) in [
            (String::new(), fresh.clone()),
            ("# House\n".to_owned(), format!("# House\n\n{fresh}")),
            (
                format!("# House\n\n{OPEN}\nold\n{CLOSE}\n\nMore.\n"),
                format!("# House\n\n{}\n\nMore.\n", fresh.trim_end()),
            ),
        ] {
            let new = with_block(Some(&old), ".gatewalk").expect("changed");
            assert_eq!(new, want);
            assert_eq!(
                with_block(Some(&new), ".gatewalk"),
                None,
                "a second time nothing changes"
            );
        }
        let windows = with_block(Some("# House\r\n"), ".gatewalk").expect("changed");
        assert!(!windows.replace("\r\n", "").contains('\n'));
    }

    #[test]
    fn every_known_agent_has_a_file() {
        assert_eq!(file_of("claude"), Some("CLAUDE.md"));
        assert_eq!(file_of("codex"), Some("AGENTS.md"));
        assert_eq!(file_of("nobody"), None);
        assert!(agents().iter().all(|a| file_of(a).is_some()));
    }
}
