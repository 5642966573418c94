//! The files of a fresh state directory.
//!
//! `plan` answers with every file `init` writes, the sum of which a user can read in a few
//! minutes. `.gitignore` gets one marked block, and only where it would hide the state directory.
//! Deliberately not here: reading the repository, prompting, and overlaying newer files over an
//! existing scaffold.

use super::Write;
use super::stack::Stack;
use super::template::SHIPPED;
use crate::error::{Error, Result};
use crate::model::layout::MANIFEST;
use crate::path_names::file_name;
use globset::GlobBuilder;
use sha2::{Digest, Sha256};

/// Where a new state directory is made.
pub const STATE_DIR: &str = ".gatewalk";

/// Files that are the same in every repository, relative to the state directory. `verification.yml`
/// is not among them: it is made for the repository and belongs to the user from then on.
pub const SHIPPED_FILES: &[(&str, &str)] = &[
    (CONFIG, include_str!("../../assets/scaffold/config.yml")),
    (
        "roadmap.md",
        include_str!("../../assets/scaffold/roadmap.md"),
    ),
    (
        "LEARNINGS.md",
        include_str!("../../assets/scaffold/LEARNINGS.md"),
    ),
    (
        "rules/working.md",
        include_str!("../../assets/rules/working.md"),
    ),
    (
        "rules/scope.md",
        include_str!("../../assets/rules/scope.md"),
    ),
    (
        "rules/security.md",
        include_str!("../../assets/rules/security.md"),
    ),
    ("templates/PLAN.md", SHIPPED.plan),
    ("templates/GATE.md", SHIPPED.gate),
    ("templates/WU.md", SHIPPED.unit),
];

/// Returns the text of a shipped file; of one that is not shipped, nothing.
pub(super) fn shipped(name: &str) -> &'static str {
    SHIPPED_FILES
        .iter()
        .find(|(shipped, _)| *shipped == name)
        .map_or("", |(_, text)| text)
}

/// The project's settings: shipped, and with the caches of the repository's stack.
pub(super) const CONFIG: &str = "config.yml";

/// What `init` has to know.
pub struct InitInput<'a> {
    /// What the repository is built with.
    pub stack: &'a Stack,
    /// The text of the top-level `.gitignore`, if there is one.
    pub gitignore: Option<&'a str>,
    /// The version that goes into the manifest.
    pub version: &'a str,
    /// The agent that works where no plan names one, if the user chose one.
    pub agent: Option<&'a str>,
}

/// Refuses where a scaffold of this or of the supported older layout exists.
pub fn check_fresh(listing: &[String]) -> Result<()> {
    let existing = [STATE_DIR, ".specfuse"].into_iter().find(|dir| {
        listing
            .iter()
            .any(|entry| entry.trim_end_matches('/') == *dir)
    });
    match existing {
        None => Ok(()),
        Some(dir) => Err(
            Error::plan(format!("`{dir}/` exists already; nothing was written"))
                .hint("`gatewalk status` shows what it holds; it is read and driven as it is")
                .hint("to start over, move it away first"),
        ),
    }
}

/// Returns the files of a fresh state directory, in the order a user would read them.
pub fn plan(inputs: &InitInput<'_>) -> Vec<Write> {
    let in_state = |name: &str| format!("{STATE_DIR}/{name}");
    let mut writes = vec![Write::create(
        in_state("verification.yml"),
        inputs.stack.verification(),
    )];
    writes.extend(SHIPPED_FILES.iter().map(|(name, text)| match *name {
        CONFIG => {
            let text = inputs.stack.config(text);
            Write::create(in_state(name), with_agent(&text, inputs.agent))
        }
        _ => Write::create(in_state(name), *text),
    }));
    writes.push(Write::create(in_state(MANIFEST), manifest(inputs.version)));
    writes.extend(gitignore(inputs.gitignore, &inputs.stack.made));
    writes
}

/// Returns the project's settings with the agent in place of the comment that shows the key.
fn with_agent(config: &str, agent: Option<&str>) -> String {
    let Some(agent) = agent else {
        return config.to_owned();
    };
    let line = |line: &str| match line.starts_with(AGENT_EXAMPLE) {
        // A name of the user's own may be anything; JSON's text is YAML's too.
        true => format!("agent: {}\n", serde_json::json!(agent)),
        false => format!("{line}\n"),
    };
    config.lines().map(line).collect()
}

/// How the line of the shipped settings begins that shows the key `agent`.
const AGENT_EXAMPLE: &str = "# agent: ";

/// Returns the record of what this version shipped, so that a later one can tell an edited file
/// from an untouched one. Losing it loses nothing: every file then counts as edited.
pub(crate) fn manifest(version: &str) -> String {
    let files: serde_json::Map<String, serde_json::Value> = SHIPPED_FILES
        .iter()
        .map(|(name, text)| ((*name).to_owned(), hash(text).into()))
        .collect();
    let record = serde_json::json!({ "version": version, "files": files });
    format!("{record:#}\n")
}

/// Returns the SHA-256 of a text in hexadecimal.
pub(crate) fn hash(text: &str) -> String {
    Sha256::digest(text.as_bytes())
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// A path of every kind that must be tracked.
const TRACKED: &[&str] = &[
    ".gatewalk/verification.yml",
    ".gatewalk/roadmap.md",
    ".gatewalk/manifest.json",
    ".gatewalk/rules/working.md",
    ".gatewalk/rules-local/house.md",
    ".gatewalk/templates/PLAN.md",
    ".gatewalk/features/FEAT-2026-0001-x/PLAN.md",
    ".gatewalk/features/FEAT-2026-0001-x/events.jsonl",
];

/// Returns the `.gitignore` with the state directory taken out of what it ignores and with what
/// set-up makes, or nothing if neither is needed.
fn gitignore(old: Option<&str>, made: &[&str]) -> Option<Write> {
    let text = old.unwrap_or_default();
    let hidden = TRACKED.iter().any(|path| ignored(text, path));
    let mut lines = Vec::new();
    if hidden {
        lines.extend([
            "# >>> gatewalk: plans are tracked",
            "!/.gatewalk/",
            "!/.gatewalk/**",
            "# <<< gatewalk",
        ]);
    }
    if !made.is_empty() {
        lines.push("# >>> gatewalk: made by the set-up of verification.yml");
        lines.extend(made);
        lines.push("# <<< gatewalk");
    }
    if lines.is_empty() {
        return None;
    }
    let end = match text.contains("\r\n") {
        true => "\r\n",
        false => "\n",
    };
    let mut text = text.to_owned();
    if !text.is_empty() && !text.ends_with('\n') {
        text.push_str(end);
    }
    for line in lines {
        text.push_str(line);
        text.push_str(end);
    }
    Some(match old {
        Some(_) => Write::replace(".gitignore", text),
        None => Write::create(".gitignore", text),
    })
}

/// Tells whether the text of a top-level `.gitignore` ignores a path: the last pattern that matches
/// decides, and nothing inside an ignored directory can be taken out again.
pub fn ignored(gitignore: &str, path: &str) -> bool {
    let ends = path
        .match_indices('/')
        .map(|(at, _)| at)
        .chain([path.len()]);
    ends.map(|end| &path[..end]).any(|part| {
        let last = gitignore
            .lines()
            .rev()
            .find_map(|line| pattern_verdict(line, part));
        last == Some(true)
    })
}

/// Returns whether one line ignores (true) or takes out (false) a path, or says nothing about it.
fn pattern_verdict(line: &str, path: &str) -> Option<bool> {
    let line = line.trim_end();
    if line.is_empty() || line.starts_with('#') {
        return None;
    }
    let (ignores, pattern) = match line.strip_prefix('!') {
        Some(rest) => (false, rest),
        None => (true, line),
    };
    let pattern = pattern.trim_end_matches('/');
    let anchored = pattern.contains('/');
    let glob = GlobBuilder::new(pattern.trim_start_matches('/'))
        .literal_separator(true)
        .build()
        .ok()?;
    let subject = if anchored { path } else { file_name(path) };
    glob.compile_matcher().is_match(subject).then_some(ignores)
}

#[cfg(test)]
mod tests;
