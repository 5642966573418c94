//! Which programs are on this machine, in which version, and what its directories allow.
//!
//! Invariants: nothing is written; only `ask_version` starts a program, all else reads files, and one that cannot be
//! read counts as absent.

use super::process::{self, CommandSpec, Marker, ProcessEnd, Stdin};
use gatewalk_core::error::Result;
use std::ffi::{OsStr, OsString};
use std::path::{Component, Path, PathBuf};
use std::time::Duration;

/// How long a program may take to print its version.
const TIMEOUT: Duration = Duration::from_secs(20);
/// The longest file that is looked into.
const FILE_CAP: u64 = 1 << 20;

/// Returns where a program is: a path relative to `cwd`, or the first on the `PATH` of `env`.
pub fn find(program: &str, env: &[(OsString, OsString)], cwd: &Path) -> Option<PathBuf> {
    let mut places = places(program, env, cwd).into_iter();
    places.find(|path| is_program(path))
}

/// Returns where a program of this name would be, in the order in which it is looked for.
pub(crate) fn places(program: &str, env: &[(OsString, OsString)], cwd: &Path) -> Vec<PathBuf> {
    if program.contains('/') {
        return vec![cwd.join(program)];
    }
    let path = env.iter().find(|(name, _)| name == "PATH");
    let dirs = path.map(|(_, dirs)| std::env::split_paths(dirs));
    let absolute = dirs.into_iter().flatten().filter(|dir| dir.is_absolute());
    absolute.map(|dir| dir.join(program)).collect()
}

fn is_program(path: &Path) -> bool {
    path.is_file() && rustix::fs::access(path, rustix::fs::Access::EXEC_OK).is_ok()
}

/// Returns the version of an installed program from the files around it: a package's description, the
/// directory of an installer, the metadata of a Python environment.
pub fn version_of(program: &Path) -> Option<String> {
    let real = std::fs::canonicalize(program).ok()?;
    of_npm_package(&real)
        .or_else(|| of_installer(&real))
        .or_else(|| of_python_package(program, &real))
}

/// Returns whether a program is compiled: no script that may be anyone's wrapper of it.
pub(crate) fn is_native(program: &Path) -> bool {
    use std::io::Read;
    let mut head = [0; 4];
    let read = std::fs::File::open(program).and_then(|mut file| file.read_exact(&mut head));
    read.is_ok() && &head == b"\x7fELF"
}

fn of_npm_package(real: &Path) -> Option<String> {
    let inside = |dir: &&Path| dir.components().any(|c| c.as_os_str() == "node_modules");
    real.ancestors()
        .skip(1)
        .take_while(inside)
        .filter(|dir| dir.file_name() != Some(OsStr::new("node_modules")))
        .find_map(|dir| {
            let package: serde_json::Value =
                serde_json::from_str(&read(&dir.join("package.json"))?).ok()?;
            let version = package.get("version")?.as_str()?;
            looks_like_version(version).then(|| version.to_owned())
        })
}

/// Installers that keep one file, or one directory of a cellar, a version.
fn of_installer(real: &Path) -> Option<String> {
    let names: Vec<&str> = real
        .components()
        .filter_map(|c| match c {
            Component::Normal(name) => name.to_str(),
            _ => None,
        })
        .collect();
    let last = names.last().filter(|name| looks_like_version(name));
    let cellar = names.iter().position(|name| *name == "Cellar");
    let brewed = cellar.and_then(|at| names.get(at + 2));
    last.or(brewed.filter(|name| looks_like_version(name)))
        .map(|version| (*version).to_owned())
}

/// Finds the package that declares a command of this name in the environment its script runs in.
fn of_python_package(program: &Path, real: &Path) -> Option<String> {
    let script = read(real)?;
    let python = script.lines().next()?.strip_prefix("#!")?.trim();
    let environment = Path::new(python.split_whitespace().next()?)
        .parent()?
        .parent()?;
    let command = program.file_name()?.to_str()?;
    for library in list(&environment.join("lib")) {
        for package in list(&library.join("site-packages")) {
            let Some(stem) = package
                .file_name()
                .and_then(OsStr::to_str)
                .and_then(|name| name.strip_suffix(".dist-info"))
            else {
                continue;
            };
            let declares = read(&package.join("entry_points.txt")).is_some_and(|points| {
                points
                    .lines()
                    .filter_map(|line| line.split_once('='))
                    .any(|(name, _)| name.trim() == command)
            });
            if declares && let Some((_, version)) = stem.rsplit_once('-') {
                return Some(version.to_owned());
            }
        }
    }
    None
}

fn looks_like_version(word: &str) -> bool {
    let word = word.strip_prefix('v').unwrap_or(word);
    word.starts_with(|c: char| c.is_ascii_digit())
        && word.contains('.')
        && word.len() < 60
        && word
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '+' | '_'))
}

fn read(path: &Path) -> Option<String> {
    let meta = std::fs::metadata(path).ok()?;
    if !meta.is_file() || meta.len() > FILE_CAP {
        return None;
    }
    std::fs::read_to_string(path).ok()
}

fn list(dir: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(dir).into_iter().flatten();
    entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .collect()
}

/// Runs a program with the arguments that print its version; returns the first word that looks like
/// one, or why there is none.
pub fn ask_version(
    program: &Path,
    args: &[&str],
    env: Vec<(OsString, OsString)>,
) -> Result<std::result::Result<String, String>> {
    let spec = CommandSpec {
        program: program.as_os_str().to_owned(),
        args: args.iter().map(OsString::from).collect(),
        cwd: std::env::temp_dir(),
        env,
        stdin: Stdin::Null,
        marker: Marker::new("doctor", "version"),
        inherit: None,
        wrapper: None,
    };
    let ran = process::run_within(TIMEOUT, &spec)?;
    let text = ran.stdout.to_text();
    let version = text
        .split(|c: char| c.is_whitespace() || matches!(c, ',' | '(' | ')' | '/'))
        .map(|word| word.trim_end_matches('.'))
        .find(|word| looks_like_version(word));
    Ok(match version {
        Some(version) => Ok(version.trim_start_matches('v').to_owned()),
        None => {
            let aside = ran.stderr.to_text();
            let mut lines = aside.lines().chain(text.lines()).map(str::trim);
            let line = lines.find(|line| !line.is_empty());
            let complaint = line.map(|line| format!(", and says: {}", excerpt(line)));
            Err(how(&ran.outcome.ended) + &complaint.unwrap_or_default())
        }
    })
}

/// Returns how a program that was asked ended, in words.
fn how(ended: &ProcessEnd) -> String {
    match ended {
        ProcessEnd::Exited(code) => format!("it exits {code}"),
        ProcessEnd::Signaled(signal) => format!("it is ended by signal {signal}"),
        ProcessEnd::SpawnFailed { message, .. } => message.clone(),
        ProcessEnd::WallLimit
        | ProcessEnd::IdleLimit
        | ProcessEnd::LimitHit(_)
        | ProcessEnd::Cancelled => {
            format!("it does not end within {} seconds", TIMEOUT.as_secs())
        }
    }
}

/// Returns the beginning of a line that may be anything.
fn excerpt(line: &str) -> String {
    const LENGTH: usize = 80;
    let shown = line.chars().filter(|c| !c.is_control());
    let mut text: String = shown.clone().take(LENGTH).collect();
    if shown.count() > LENGTH {
        text.push('…');
    }
    text
}

/// Returns the bytes that are free for this user where a path is, or where it would be.
pub fn free_space(path: &Path) -> Option<u64> {
    let there = path.ancestors().find(|dir| dir.exists())?;
    let stat = rustix::fs::statvfs(there).ok()?;
    Some(stat.f_bavail.saturating_mul(stat.f_frsize))
}

/// Returns whether files can be made where a path is, or where it would be.
pub fn is_writable(path: &Path) -> bool {
    path.ancestors()
        .find(|dir| dir.exists())
        .is_some_and(|dir| rustix::fs::access(dir, rustix::fs::Access::WRITE_OK).is_ok())
}

/// Returns why other users of this machine could change a file or directory, if they could.
pub fn is_open_to_others(path: &Path) -> Option<String> {
    use std::os::unix::fs::MetadataExt;
    let meta = std::fs::metadata(path).ok()?;
    let own = rustix::process::geteuid().as_raw();
    if meta.uid() != own && meta.uid() != 0 {
        return Some(format!("it belongs to user {}", meta.uid()));
    }
    (meta.mode() & 0o002 != 0).then(|| "everybody may write to it".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_files::write_program;

    fn write(root: &Path, path: &str, text: &str) -> PathBuf {
        let path = root.join(path);
        write_program(&path, text);
        path
    }

    #[test]
    fn versions_are_read_from_the_files_around_a_program() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        // A package, reached through a link, with the script in a directory of its own.
        let script = write(
            &root,
            "lib/node_modules/@a/tool/bin/tool.js",
            "#!/usr/bin/env node\n",
        );
        write(
            &root,
            "lib/node_modules/@a/tool/package.json",
            r#"{"version": "1.2.3"}"#,
        );
        std::fs::create_dir(root.join("bin")).unwrap();
        std::os::unix::fs::symlink(&script, root.join("bin/tool")).unwrap();
        // A project is not a package: its version is not that of a script in it.
        write(&root, "project/package.json", r#"{"version": "9.9.9"}"#);
        let own = write(&root, "project/bin/own", "#!/bin/sh\n");
        let native = write(&root, "share/agent/versions/2.1.329", "binary");
        let brewed = write(&root, "Cellar/agent/0.9.1/bin/agent", "binary");
        let under_python = write(&root, "versions/3.12.1/bin/plain", "#!/bin/sh\n");
        let python = format!("#!{}/venv/bin/python\n", root.display());
        let aider = write(&root, "venv/bin/aider", &python);
        write(
            &root,
            "venv/lib/python3.12/site-packages/aider_chat-0.86.2.dist-info/entry_points.txt",
            "[console_scripts]\naider = aider.main:main\n",
        );
        for (path, want) in [
            (root.join("bin/tool"), Some("1.2.3")),
            (own, None),
            (native, Some("2.1.329")),
            (brewed, Some("0.9.1")),
            (under_python, None),
            (aider, Some("0.86.2")),
        ] {
            assert_eq!(version_of(&path).as_deref(), want, "{}", path.display());
        }
    }

    #[test]
    fn only_files_that_can_be_run_are_programs() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        write(root, "b/tool", "");
        std::fs::create_dir_all(root.join("a/tool")).unwrap();
        std::fs::create_dir(root.join("c")).unwrap();
        std::fs::write(root.join("c/plain"), "").unwrap();
        let path = std::env::join_paths(["a", "b", "c"].map(|d| root.join(d))).unwrap();
        let env = [(OsString::from("PATH"), path)];
        assert_eq!(find("tool", &env, root), Some(root.join("b/tool")));
        assert_eq!(find("plain", &env, root), None, "nobody may run it");
        assert_eq!(find("./b/tool", &env, root), Some(root.join("./b/tool")));
        assert_eq!(find("other", &env, root), None);
    }

    #[test]
    fn a_program_prints_its_version_or_the_reason_is_given() {
        let dir = tempfile::tempdir().unwrap();
        let env = || vec![(OsString::from("PATH"), std::env::var_os("PATH").unwrap())];
        for (script, want) in [
            ("echo 'codex-cli 0.169.0'", Ok("0.169.0")),
            ("echo 'v22.3.1'", Ok("22.3.1")),
            ("echo 'The CLI 1.0.102.'", Ok("1.0.102")),
            ("echo '2.1.329 (Some Code)'", Ok("2.1.329")),
            (
                "echo 'node 22 is needed' >&2; exit 1",
                Err("it exits 1, and says: node 22 is needed"),
            ),
        ] {
            let program = write(dir.path(), "tool", &format!("#!/bin/sh\n{script}\n"));
            let got = ask_version(&program, &["--version"], env()).unwrap();
            assert_eq!(
                got.as_ref().map(String::as_str).map_err(String::as_str),
                want,
                "{script}"
            );
        }
    }
}
