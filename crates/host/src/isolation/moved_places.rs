//! Where the things below a home really are: tools follow variables before they look in the home.

use super::known_paths::MOVED;
use super::ruled_places::RuledPlaces;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// A home, and what the user's variables put elsewhere.
#[derive(Debug, Default)]
pub(crate) struct MovedPlaces {
    home: Option<PathBuf>,
    moved: Vec<(&'static str, PathBuf)>,
    env: Vec<(OsString, OsString)>,
    /// What has a rule there.
    ruled: RuledPlaces,
}

impl MovedPlaces {
    /// Reads the variables of an environment.
    pub(crate) fn of(env: &[(OsString, OsString)]) -> MovedPlaces {
        let named = |wanted: &str| env.iter().find(|(name, _)| name == wanted);
        let home = named("HOME").map(|(_, value)| PathBuf::from(value));
        let home = home.filter(|home| home.is_absolute());
        // One that holds the home, or everything, is no place of a tool's own; nor is a device: `KUBECONFIG=/dev/null` says
        // that there is none.
        let is_own = |path: &PathBuf| {
            let holds_home = home.as_ref().is_some_and(|home| home.starts_with(path));
            let is_system = ["/dev", "/proc", "/sys"]
                .iter()
                .any(|d| path.starts_with(d));
            path.is_absolute() && path.components().count() > 2 && !holds_home && !is_system
        };
        let moved = MOVED.iter().filter_map(|(variable, name)| {
            let (_, value) = named(variable)?;
            Some((*name, value))
        });
        let moved = moved
            .flat_map(|(name, value)| std::env::split_paths(value).map(move |path| (name, path)));
        let mut places = MovedPlaces {
            moved: moved.filter(|(_, path)| is_own(path)).collect(),
            home,
            env: env.to_vec(),
            ruled: RuledPlaces::default(),
        };
        let agents = gatewalk_core::agents::ALL.iter();
        let state = agents.flat_map(|agent| agent.state());
        let state = state.flat_map(|name| places.all(name)).collect();
        places.ruled = RuledPlaces::of(places.home(), state);
        places
    }

    /// Returns what has a rule there.
    pub(super) fn ruled(&self) -> &RuledPlaces {
        &self.ruled
    }

    /// Returns the user's home, wherever the environment moved it.
    pub(crate) fn home(&self) -> Option<&Path> {
        self.home.as_deref()
    }

    /// Returns where something of the home is, as variables have it.
    pub(crate) fn elsewhere(&self, name: &str) -> Vec<PathBuf> {
        let moved = self.moved.iter().filter_map(|(what, place)| {
            let (name, what) = (Path::new(name), Path::new(what));
            match name.strip_prefix(what) {
                Ok(rest) if rest.as_os_str().is_empty() => Some(place.clone()),
                Ok(rest) => Some(place.join(rest)),
                // A part of it is elsewhere.
                Err(_) => what.starts_with(name).then(|| place.clone()),
            }
        });
        moved.collect()
    }

    /// Likewise, and below the home.
    pub(crate) fn all(&self, name: &str) -> Vec<PathBuf> {
        let below = self.home.iter().map(|home| home.join(name));
        below.chain(self.elsewhere(name)).collect()
    }

    /// Returns the path of the socket that a variable names.
    pub(crate) fn socket(&self, variable: &str) -> Option<PathBuf> {
        let (_, value) = self.env.iter().find(|(name, _)| name == variable)?;
        let text = value.to_str()?;
        let path = text
            .strip_prefix("unix://")
            .or_else(|| text.strip_prefix("unix:path="));
        let path = path.unwrap_or(text).split([',', ';']).next()?;
        Some(PathBuf::from(path)).filter(|path| path.is_absolute())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(variables: &[(&str, &str)]) -> MovedPlaces {
        let variables = [&[("HOME", "/home/ada")], variables].concat();
        let env: Vec<_> = variables
            .iter()
            .map(|(n, v)| ((*n).into(), (*v).into()))
            .collect();
        MovedPlaces::of(&env)
    }

    #[test]
    fn what_a_variable_moves_is_found_there_and_in_the_home() {
        for (variables, name, want) in [
            (&[][..], ".cargo/registry", "/home/ada/.cargo/registry"),
            (
                &[("CARGO_HOME", "/data/cargo")],
                ".cargo/registry",
                "/home/ada/.cargo/registry /data/cargo/registry",
            ),
            (
                &[("XDG_CONFIG_HOME", "/data/conf")],
                ".config/gh",
                "/home/ada/.config/gh /data/conf/gh",
            ),
            (
                &[("CODEX_HOME", "/data/codex")],
                ".codex",
                "/home/ada/.codex /data/codex",
            ),
            (
                &[("KUBECONFIG", "/data/kube:/data/more")],
                ".kube",
                "/home/ada/.kube /data/kube /data/more",
            ),
            // What would open or hide everything is left alone.
            (&[("CARGO_HOME", "/")], ".cargo", "/home/ada/.cargo"),
            (
                &[("XDG_CACHE_HOME", "/home/ada")],
                ".cache",
                "/home/ada/.cache",
            ),
            (&[("GOPATH", "relative")], "go/pkg", "/home/ada/go/pkg"),
            // A device stands for nothing at all.
            (
                &[("HISTFILE", "/dev/null")],
                ".bash_history",
                "/home/ada/.bash_history",
            ),
            (
                &[("KUBECONFIG", "/dev/null:/data/kube")],
                ".kube",
                "/home/ada/.kube /data/kube",
            ),
            (
                &[("AWS_CONFIG_FILE", "/dev/null")],
                ".aws",
                "/home/ada/.aws",
            ),
            (
                &[("HF_HOME", "/data/hf")],
                ".cache/huggingface/token",
                "/home/ada/.cache/huggingface/token /data/hf/token",
            ),
            (
                &[("GOOGLE_APPLICATION_CREDENTIALS", "/data/key.json")],
                ".config/gcloud",
                "/home/ada/.config/gcloud /data/key.json",
            ),
        ] {
            let found = places(variables).all(name);
            let found: Vec<&str> = found.iter().map(|path| path.to_str().unwrap()).collect();
            assert_eq!(found.join(" "), want, "{name}");
        }
    }

    #[test]
    fn a_socket_is_read_from_each_way_to_write_it() {
        for (value, want) in [
            ("unix:///run/x.sock", Some("/run/x.sock")),
            ("unix:path=/run/bus,guid=1", Some("/run/bus")),
            ("/tmp/agent.1", Some("/tmp/agent.1")),
            ("tcp://127.0.0.1:2375", None),
        ] {
            let found = places(&[("DOCKER_HOST", value)]).socket("DOCKER_HOST");
            assert_eq!(found, want.map(PathBuf::from), "{value}");
        }
    }
}
