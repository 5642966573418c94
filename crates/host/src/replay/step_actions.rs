//! One step of a recording, done in the slot.

use gatewalk_core::agents::recording::{RecordedAction, RecordedStep};
use gatewalk_core::error::Result;
use gatewalk_core::model::edit;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Component, Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;
use std::{fs, io};

pub(super) fn act(step: &RecordedStep, directory: &Path, cwd: &Path) -> Result<(), String> {
    let through = |path: &str| resolve(cwd, path, step.outside, true);
    let itself = |path: &str| resolve(cwd, path, step.outside, false);
    let message = |error: io::Error| error.to_string();
    match &step.action {
        RecordedAction::Say(_) => Ok(()),
        RecordedAction::Write(path, content) => {
            write(&through(path)?, content.as_bytes()).map_err(message)
        }
        RecordedAction::Copy(path, file) => {
            let from = resolve(directory, file, false, true)?;
            let bytes = fs::read(&from).map_err(|e| format!("{}: {e}", from.display()))?;
            write(&through(path)?, &bytes).map_err(message)
        }
        RecordedAction::Append(path, content) => {
            let path = through(path)?;
            let mut bytes = read_if_there(&path).map_err(message)?;
            bytes.extend_from_slice(content.as_bytes());
            write(&path, &bytes).map_err(message)
        }
        RecordedAction::Replace(path, from, to) => rewrite(&through(path)?, |text| {
            match text.matches(from.as_str()).count() {
                1 => Ok(text.replacen(from, to, 1)),
                n => Err(format!("the text to replace is there {n} times, not once")),
            }
        }),
        RecordedAction::Delete(path) => delete(&itself(path)?).map_err(message),
        RecordedAction::Mkdir(path) => fs::create_dir_all(through(path)?).map_err(message),
        RecordedAction::Chmod(path, mode) => {
            fs::set_permissions(through(path)?, fs::Permissions::from_mode(*mode)).map_err(message)
        }
        RecordedAction::Symlink(path, target) => {
            let path = itself(path)?;
            make_parent(&path)
                .and_then(|()| symlink(target, &path))
                .map_err(message)
        }
        RecordedAction::Frontmatter(path, key, value) => rewrite(&through(path)?, |text| {
            edit::set_scalar(text, key, value).map_err(|error| error.to_string())
        }),
        RecordedAction::Shell(line) => shell(line, cwd),
        RecordedAction::Sleep(millis) => {
            std::thread::sleep(Duration::from_millis(*millis));
            Ok(())
        }
    }
}

/// Replaces a file's text by what `change` makes of it.
fn rewrite(path: &Path, change: impl FnOnce(&str) -> Result<String, String>) -> Result<(), String> {
    let text = fs::read_to_string(path).map_err(|error| error.to_string())?;
    write(path, change(&text)?.as_bytes()).map_err(|error| error.to_string())
}

fn delete(path: &Path) -> io::Result<()> {
    if fs::symlink_metadata(path)?.is_dir() {
        fs::remove_dir_all(path)
    } else {
        fs::remove_file(path)
    }
}

/// Runs a command line. Its output goes where the session's own goes, as that of a real agent's child.
fn shell(line: &str, cwd: &Path) -> Result<(), String> {
    let status = Command::new("sh")
        .arg("-c")
        .arg(line)
        .current_dir(cwd)
        .stdin(Stdio::null())
        .status();
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(status.to_string()),
        Err(error) => Err(error.to_string()),
    }
}

/// Returns where a step's path leads; `follow`: whether a symbolic link at its end is followed.
fn resolve(cwd: &Path, path: &str, outside: bool, follow: bool) -> Result<PathBuf, String> {
    let full = cwd.join(path);
    if outside {
        return Ok(full);
    }
    let inside = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
    if path.is_empty() || !Path::new(path).components().all(inside) {
        return Err("the path leads out of the slot".into());
    }
    let root = cwd.canonicalize().map_err(|error| error.to_string())?;
    // What is not there yet cannot be a link: the deepest part that is there decides.
    let start = if follow {
        Some(full.as_path())
    } else {
        full.parent()
    };
    let there = start
        .into_iter()
        .flat_map(Path::ancestors)
        .find(|part| fs::symlink_metadata(part).is_ok());
    match there.map(Path::canonicalize) {
        Some(Ok(real)) if real.starts_with(&root) => Ok(full),
        _ => Err("the path leads out of the slot, or through a broken link".into()),
    }
}

fn read_if_there(path: &Path) -> io::Result<Vec<u8>> {
    match fs::read(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        other => other,
    }
}

fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    make_parent(path)?;
    fs::write(path, bytes)
}

fn make_parent(path: &Path) -> io::Result<()> {
    path.parent().map_or(Ok(()), fs::create_dir_all)
}
