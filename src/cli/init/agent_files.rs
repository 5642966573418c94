//! What `init --agent` gives an interactive agent: a block in the file it reads, and the skills.

use gatewalk_core::error::{Error, Result};
use gatewalk_core::scaffold::{Write, agent_instructions, agent_skills};
use std::path::Path;

/// The writes for the agents that the user named.
#[derive(Default)]
pub(super) struct AgentFiles {
    pub(super) writes: Vec<Write>,
    /// Skills that the user edited, which stay.
    pub(super) kept: Vec<String>,
}

/// Plans the files of the agents, each once whatever agents share it.
pub(super) fn plan(agents: &[String], root: &Path, state_dir: &str) -> Result<AgentFiles> {
    let mut planned = AgentFiles::default();
    let mut files: Vec<&str> = Vec::new();
    let mut directories: Vec<&str> = Vec::new();
    for agent in agents {
        let file = agent_instructions::file_of(agent).ok_or_else(|| {
            Error::usage(format!("no file is known that `{agent}` reads")).hint(format!(
                "known: {}",
                agent_instructions::agents().join(", ")
            ))
        })?;
        if !files.contains(&file) {
            files.push(file);
            planned.writes.extend(instructions(root, file, state_dir)?);
        }
        let directory = agent_skills::directory_of(agent);
        if let Some(directory) = directory.filter(|d| !directories.contains(d)) {
            directories.push(directory);
            let read = |path: &str| std::fs::read_to_string(root.join(path)).ok();
            let skills = agent_skills::plan(directory, &read);
            planned.writes.extend(skills.writes);
            planned.kept.extend(skills.kept);
        }
    }
    Ok(planned)
}

/// Plans the block in one file, unless it is there.
fn instructions(root: &Path, file: &str, state_dir: &str) -> Result<Option<Write>> {
    let path = root.join(file);
    let old = match std::fs::read_to_string(&path) {
        Ok(text) => Some(text),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => None,
        Err(e) => return Err(Error::io("read", &path, &e)),
    };
    let new = agent_instructions::with_block(old.as_deref(), state_dir);
    Ok(new.map(|new| match old {
        Some(_) => Write::replace(file, new),
        None => Write::create(file, new),
    }))
}
