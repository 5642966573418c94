//! What test runners keep of earlier runs: a verdict that another tree got is none of the one that is there now.
//!
//! Of the tools that come with a language Go alone does so without being asked. It knows which files a test opened itself, and neither what the test read before its
//! run began nor what the programs that it started read.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

const FLAGS: &str = "GOFLAGS";

/// Has tests run in this environment whatever was kept.
pub(crate) fn ask_for_none(env: &mut Vec<(OsString, OsString)>) {
    let given = match value(env, FLAGS) {
        Some(given) => Some(given.to_owned()),
        // What is in the environment goes before the user's settings, and replaces them.
        None => settings(env).and_then(|path| flags_in(&path)),
    };
    let given = given.unwrap_or_default();
    let anew = match given.is_empty() {
        true => OsString::from("-count=1"),
        false if given.to_string_lossy().contains("-count=") => return,
        false => {
            let mut all = given;
            all.push(" -count=1");
            all
        }
    };
    env.retain(|(name, _)| name != FLAGS);
    env.push((FLAGS.into(), anew));
}

fn value<'e>(env: &'e [(OsString, OsString)], name: &str) -> Option<&'e OsStr> {
    let mut found = env.iter().filter(|(own, _)| own == name);
    let value = found.next().map(|(_, value)| value.as_os_str());
    value.filter(|value| !value.is_empty())
}

/// Returns where Go keeps the user's settings.
fn settings(env: &[(OsString, OsString)]) -> Option<PathBuf> {
    let below = match cfg!(target_os = "macos") {
        true => "Library/Application Support",
        false => ".config",
    };
    let config = value(env, "XDG_CONFIG_HOME").filter(|_| !cfg!(target_os = "macos"));
    let config = config.map(PathBuf::from);
    let config = config.or_else(|| Some(Path::new(value(env, "HOME")?).join(below)))?;
    Some(config.join("go/env"))
}

fn flags_in(path: &Path) -> Option<OsString> {
    let text = std::fs::read_to_string(path).ok()?;
    let mut flags = text
        .lines()
        .filter_map(|line| line.strip_prefix("GOFLAGS="));
    // The last one counts.
    let flags = flags.next_back()?;
    Some(flags.trim().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_of_go_are_run_anew_with_the_flags_that_the_user_has() {
        let home = tempfile::tempdir().unwrap();
        let env_of_home = [(OsString::from("HOME"), home.path().into())];
        let settings = settings(&env_of_home).unwrap();
        std::fs::create_dir_all(settings.parent().unwrap()).unwrap();
        for (kept, given, want) in [
            (None, None, "-count=1"),
            (None, Some("-mod=mod"), "-mod=mod -count=1"),
            (
                Some("GOFLAGS=-v\nGOPROXY=off\nGOFLAGS=-mod=vendor\n"),
                None,
                "-mod=vendor -count=1",
            ),
            (Some("GOFLAGS=-mod=vendor\n"), Some("-v"), "-v -count=1"),
            (Some("GOPROXY=off\n"), Some(""), "-count=1"),
            (None, Some("-count=2"), "-count=2"),
        ] {
            match kept {
                Some(text) => std::fs::write(&settings, text).unwrap(),
                None => drop(std::fs::remove_file(&settings)),
            }
            let mut env = vec![(OsString::from("HOME"), home.path().into())];
            env.extend(given.map(|given| (OsString::from(FLAGS), OsString::from(given))));
            ask_for_none(&mut env);
            let found: Vec<_> = env.iter().filter(|(name, _)| name == FLAGS).collect();
            assert_eq!(found.len(), 1);
            assert_eq!(found[0].1, want, "{kept:?} {given:?}");
        }
    }
}
