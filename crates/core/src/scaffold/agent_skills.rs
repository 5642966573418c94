//! Skills for interactive agents, in the common form of Agent Skills: a directory a skill with a `SKILL.md` in it.
//!
//! They are the skills of the plugin under names of their own, because a repository's skills share one list. Each records
//! the hash of its text, so that a newer version replaces what nobody edited and leaves the rest alone. None of them arms,
//! lands or loosens anything.

use super::Write;
use super::initial_files::hash;

/// Every skill: its name in the plugin, and its text.
const SKILLS: &[(&str, &str)] = &[
    (
        "answer",
        include_str!("../../../../plugin/skills/answer/SKILL.md"),
    ),
    (
        "plan",
        include_str!("../../../../plugin/skills/plan/SKILL.md"),
    ),
    (
        "refine",
        include_str!("../../../../plugin/skills/refine/SKILL.md"),
    ),
    (
        "review",
        include_str!("../../../../plugin/skills/review/SKILL.md"),
    ),
    (
        "unblock",
        include_str!("../../../../plugin/skills/unblock/SKILL.md"),
    ),
    (
        "why",
        include_str!("../../../../plugin/skills/why/SKILL.md"),
    ),
];

/// Where each agent finds a repository's skills; an agent that is not listed reads none.
const DIRECTORIES: &[(&str, &str)] = &[
    ("claude", ".claude/skills"),
    ("copilot", ".github/skills"),
    ("qwen", ".qwen/skills"),
    ("codex", SHARED),
    ("opencode", SHARED),
    ("gemini", SHARED),
    ("amp", SHARED),
    ("cursor", SHARED),
    ("goose", SHARED),
    ("agents", SHARED),
];

/// The directory that agents share.
const SHARED: &str = ".agents/skills";

const HASH_KEY: &str = "metadata:\n  gatewalk: ";

/// What installing the skills comes to.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct SkillInstall {
    /// The files to write.
    pub writes: Vec<Write>,
    /// Files that somebody edited, which stay as they are.
    pub kept: Vec<String>,
}

/// Returns the directory in which an agent finds a repository's skills.
pub fn directory_of(agent: &str) -> Option<&'static str> {
    let row = DIRECTORIES.iter().find(|(name, _)| *name == agent);
    row.map(|(_, directory)| *directory)
}

/// Plans the skills of one directory; `read` returns a file's text if it is there.
pub fn plan(directory: &str, read: &dyn Fn(&str) -> Option<String>) -> SkillInstall {
    let mut install = SkillInstall::default();
    for (name, text) in SKILLS {
        let path = format!("{directory}/gatewalk-{name}/SKILL.md");
        let new = installed(name, text);
        match read(&path) {
            None => install.writes.push(Write::create(path, new)),
            Some(old) if old == new => {}
            Some(old) if is_untouched(&old) => install.writes.push(Write::replace(path, new)),
            Some(_) => install.kept.push(path),
        }
    }
    install
}

/// Returns a skill under its own name, with the hash of its text.
fn installed(name: &str, text: &str) -> String {
    let text = text.replacen(
        &format!("name: {name}\n"),
        &format!("name: gatewalk-{name}\n"),
        1,
    );
    let record = format!("\n{HASH_KEY}{}\n---\n", hash(&text));
    text.replacen("\n---\n", &record, 1)
}

/// Returns whether a skill is as some version of the program wrote it.
fn is_untouched(text: &str) -> bool {
    let Some((before, rest)) = text.split_once(HASH_KEY) else {
        return false;
    };
    let Some((recorded, after)) = rest.split_once('\n') else {
        return false;
    };
    hash(&format!("{before}{after}")) == recorded
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scaffold::WriteMode;

    #[test]
    fn every_skill_has_the_name_of_its_directory_and_says_when_to_use_it() {
        let plan = plan(".claude/skills", &|_| None);
        assert_eq!(plan.writes.len(), SKILLS.len());
        for write in &plan.writes {
            let directory = write.path.rsplit('/').nth(1).expect("a directory");
            assert!(
                write
                    .content
                    .starts_with(&format!("---\nname: {directory}\n")),
                "{}",
                write.content
            );
            assert!(write.content.contains(" Use when "), "{}", write.content);
            assert!(
                write.content.matches("\n---\n").count() == 1,
                "{}",
                write.content
            );
            let armed = ["gatewalk arm", "gatewalk land", "gatewalk loop"];
            assert!(
                armed.iter().all(|words| !write.content.contains(words)),
                "{}",
                write.content
            );
        }
    }

    #[test]
    fn a_second_time_nothing_changes_and_what_was_edited_stays() {
        let fresh = plan(".agents/skills", &|_| None);
        let text = |path: &str| {
            let write = fresh
                .writes
                .iter()
                .find(|w| w.path == path)
                .expect("written");
            write.content.clone()
        };
        assert_eq!(
            plan(".agents/skills", &|path| Some(text(path))),
            SkillInstall::default()
        );
        let edited = plan(".agents/skills", &|path| {
            Some(text(path).replace("gatewalk lint", "make lint"))
        });
        assert!(
            !edited.kept.is_empty() && edited.writes.is_empty(),
            "{edited:?}"
        );
        let foreign = plan(".agents/skills", &|_| {
            Some("---\nname: mine\n---\n".to_owned())
        });
        assert_eq!(foreign.kept.len(), SKILLS.len());
    }

    #[test]
    fn an_older_text_that_nobody_edited_is_replaced() {
        let older = installed(
            "why",
            "---\nname: why\ndescription: Older.\n---\n\nOlder.\n",
        );
        let plan = plan(".agents/skills", &|_| Some(older.clone()));
        assert_eq!(plan.writes.len(), SKILLS.len());
        assert!(plan.writes.iter().all(|w| w.mode == WriteMode::Replace));
    }

    #[test]
    fn agents_share_a_directory_unless_they_have_one_of_their_own() {
        assert_eq!(directory_of("claude"), Some(".claude/skills"));
        assert_eq!(directory_of("copilot"), Some(".github/skills"));
        assert_eq!(directory_of("qwen"), Some(".qwen/skills"));
        for agent in ["codex", "opencode", "gemini"] {
            assert_eq!(directory_of(agent), Some(".agents/skills"), "{agent}");
        }
        assert_eq!(directory_of("aider"), None);
    }
}
