//! Servers of tools that a session names in its agent's state for later sessions to start. The file is its agent's own and
//! changes all the time, so only what names servers is put back.

use serde_json::{Map, Value};
use std::path::{Path, PathBuf};

/// The largest state that is read, in bytes.
const MOST_BYTES: u64 = 32 << 20;

/// The key below which servers stand, at the top and in each project.
const SERVERS: &str = "mcpServers";

/// Which servers stood in files of agents' state.
pub(super) struct NamedServers(Vec<AgentState>);

/// One such file as it was.
struct AgentState {
    path: PathBuf,
    /// Which file that really was, if there was one: a session may leave a link instead.
    real: Option<PathBuf>,
    state: Value,
}

impl NamedServers {
    /// Reads these files; what is not there, or no JSON, names none.
    pub(super) fn read(files: impl Iterator<Item = PathBuf>) -> NamedServers {
        let read = |path: PathBuf| AgentState {
            state: state_at(&path).unwrap_or_default(),
            real: path.canonicalize().ok(),
            path,
        };
        NamedServers(files.map(read).collect())
    }

    /// Puts back the servers of the files that somebody changed; returns those files.
    pub(super) fn put_back(&self) -> Vec<PathBuf> {
        let changed = |AgentState { path, real, state }: &&AgentState| {
            state_at(path).is_some_and(|mut now| {
                let changed = take_servers(&mut now, state);
                let text = serde_json::to_vec_pretty(&now).unwrap_or_default();
                // In place: the file may be the user's own link, and what may read it stays as it is.
                let is_own = match real {
                    Some(real) => path.canonicalize().is_ok_and(|now| now == *real),
                    None => !path.is_symlink(),
                };
                changed
                    && match is_own {
                        true => std::fs::write(path, &text).is_ok(),
                        false => std::fs::remove_file(path).is_ok(),
                    }
            })
        };
        let changed = self.0.iter().filter(changed);
        changed.map(|file| file.path.clone()).collect()
    }
}

fn state_at(path: &Path) -> Option<Value> {
    let meta = std::fs::metadata(path).ok()?;
    if !meta.is_file() || meta.len() > MOST_BYTES {
        return None;
    }
    serde_json::from_slice(&std::fs::read(path).ok()?).ok()
}

/// Gives a state the servers of another one; returns whether it had others.
fn take_servers(now: &mut Value, before: &Value) -> bool {
    let mut changed = take_own(now, before);
    if let Some(Value::Object(projects)) = now.get_mut("projects") {
        for (name, project) in projects {
            let before = before.get("projects").and_then(|all| all.get(name));
            changed |= take_own(project, before.unwrap_or(&Value::Null));
        }
    }
    changed
}

fn take_own(now: &mut Value, before: &Value) -> bool {
    let none = Value::Object(Map::new());
    let of = |state: &Value| state.get(SERVERS).unwrap_or(&none).clone();
    let (had, has) = (of(before), of(now));
    let Some(state) = now.as_object_mut().filter(|_| had != has) else {
        return false;
    };
    state.insert(SERVERS.to_owned(), had);
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn servers_are_as_they_were_and_the_rest_as_it_is() {
        for (before, now, want) in [
            (
                "{}",
                r#"{"n":2,"mcpServers":{"x":{}}}"#,
                Some(r#"{"n":2,"mcpServers":{}}"#),
            ),
            (
                r#"{"mcpServers":{"mine":{}}}"#,
                r#"{"n":2}"#,
                Some(r#"{"n":2,"mcpServers":{"mine":{}}}"#),
            ),
            (
                "{}",
                r#"{"projects":{"/r":{"mcpServers":{"x":{}},"n":1}}}"#,
                Some(r#"{"projects":{"/r":{"mcpServers":{},"n":1}}}"#),
            ),
            ("{}", r#"{"projects":{"/r":{"mcpServers":{}}},"n":3}"#, None),
            ("{}", "no JSON", None),
        ] {
            let dir = tempfile::tempdir().unwrap();
            let path = dir.path().join("state.json");
            std::fs::write(&path, before).unwrap();
            let servers = NamedServers::read([path.clone()].into_iter());
            std::fs::write(&path, now).unwrap();
            let changed = servers.put_back();
            assert_eq!(changed.len(), usize::from(want.is_some()), "{now}");
            if let Some(want) = want {
                let want: Value = serde_json::from_str(want).unwrap();
                assert_eq!(state_at(&path), Some(want));
            }
        }
    }
}
