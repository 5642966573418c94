//! Why a program that somebody named cannot be started, as far as files show.

use super::installed_programs::{find, places};
use std::ffi::OsString;
use std::fmt;
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// The longest first line of a script that is looked at.
const FIRST_LINE: u64 = 256;

/// Why a program cannot be started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProgramFault {
    /// There is none of that name.
    Absent(String),
    /// It is there, and may not be executed.
    NotExecutable(PathBuf),
    /// Its first line names an interpreter that is not here.
    NoInterpreter {
        /// The script.
        script: PathBuf,
        /// What it names.
        interpreter: String,
    },
}

impl ProgramFault {
    /// Returns what mends it, where the files show that.
    pub fn remedy(&self) -> Option<String> {
        match self {
            ProgramFault::Absent(program) => {
                let mut words = program.split_whitespace();
                let first = words.next()?;
                let rest: Vec<&str> = words.collect();
                let list = [&[first], &rest[..]].concat().join(", ");
                (!rest.is_empty()).then(|| format!("write a word each: `command: [{list}]`"))
            }
            ProgramFault::NotExecutable(path) => Some(format!("chmod +x {}", path.display())),
            ProgramFault::NoInterpreter { .. } => {
                Some("correct that line, or install what it names".to_owned())
            }
        }
    }
}

impl fmt::Display for ProgramFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProgramFault::Absent(program) if program.contains('/') => {
                write!(f, "`{program}` is not here")
            }
            ProgramFault::Absent(program) => write!(f, "`{program}` is not on PATH"),
            ProgramFault::NotExecutable(path) => {
                let path = path.display();
                write!(f, "`{path}` is there, but may not be executed")
            }
            ProgramFault::NoInterpreter {
                script,
                interpreter,
            } => {
                let script = script.display();
                write!(
                    f,
                    "`{script}` begins with `#!{interpreter}`, which is not here"
                )
            }
        }
    }
}

/// Returns where a program is, or why it cannot be started: a path relative to `cwd`, or a name on the `PATH` of `env`.
pub fn startable(
    program: &str,
    env: &[(OsString, OsString)],
    cwd: &Path,
) -> Result<PathBuf, ProgramFault> {
    let Some(path) = find(program, env, cwd) else {
        let mut places = places(program, env, cwd).into_iter();
        let there = places.find(|path| path.is_file());
        return Err(there.map_or_else(
            || ProgramFault::Absent(program.to_owned()),
            ProgramFault::NotExecutable,
        ));
    };
    let Some(interpreter) = interpreter(&path) else {
        return Ok(path);
    };
    let mut words = interpreter.split_whitespace();
    let first = words.next().unwrap_or_default();
    let asked = words.find(|word| !word.starts_with('-') && !word.contains('='));
    let is_here = |program: &str| find(program, env, cwd).is_some();
    let by_env = first.ends_with("/env");
    match is_here(first) && asked.filter(|_| by_env).is_none_or(is_here) {
        true => Ok(path),
        false => Err(ProgramFault::NoInterpreter {
            script: path,
            interpreter,
        }),
    }
}

/// Returns what a script's first line names.
fn interpreter(path: &Path) -> Option<String> {
    let mut head = Vec::new();
    let file = std::fs::File::open(path).ok()?;
    file.take(FIRST_LINE).read_to_end(&mut head).ok()?;
    let line = head.strip_prefix(b"#!")?.split(|b| *b == b'\n').next()?;
    let line = std::str::from_utf8(line).ok()?.trim_ascii();
    (!line.is_empty()).then(|| line.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_files::write_with_mode;

    #[test]
    fn what_keeps_a_program_from_starting_is_named() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        let write = |name: &str, text: &str, mode| write_with_mode(&root.join(name), text, mode);
        write("sound", "#!/bin/sh\n", 0o755);
        write("plain", "#!/bin/sh\n", 0o644);
        write("lost", "#!/no/such/sh -e\n", 0o755);
        write("by-env", "#!/usr/bin/env -S no-such-program x\n", 0o755);
        write("in-env", "#!/usr/bin/env sh\n", 0o755);
        write("binary", "\u{7f}ELF", 0o755);
        let path = std::env::join_paths([root.clone(), "/usr/bin".into(), "/bin".into()]).unwrap();
        let env = [(OsString::from("PATH"), path)];
        for (program, want, remedy) in [
            ("sound", "", ""),
            ("in-env", "", ""),
            ("binary", "", ""),
            ("./sound", "", ""),
            ("plain", "is there, but may not be executed", "chmod +x"),
            (
                "lost",
                "begins with `#!/no/such/sh -e`",
                "correct that line",
            ),
            (
                "by-env",
                "-S no-such-program x`, which is not here",
                "install",
            ),
            ("none", "`none` is not on PATH", ""),
            ("./none", "`./none` is not here", ""),
            (
                "sound --loud",
                "is not on PATH",
                "write a word each: `command: [sound, --loud]`",
            ),
        ] {
            let found = startable(program, &env, &root).err();
            let said = found.as_ref().map(ToString::to_string).unwrap_or_default();
            assert_eq!(said.is_empty(), want.is_empty(), "{program}: {said}");
            assert!(said.contains(want), "{program}: {said}");
            let said = found.and_then(|f| f.remedy()).unwrap_or_default();
            assert!(said.contains(remedy), "{program}: {said}");
        }
    }
}
