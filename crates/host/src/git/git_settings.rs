//! The few settings, hooks and exclude files of the user's git configuration that matter here.

use super::Git;
use super::clean_filters::FilterSetting;
use super::git_command::{CommandScope, GitCommand};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;

/// The user's configuration, as far as it matters here: pairs of lower-case key and value, later ones winning.
#[derive(Debug, Default)]
pub(super) struct Settings {
    values: Vec<(String, String)>,
}

impl Settings {
    /// Returns the last value of a key that every call of ours sets itself: ours comes last.
    pub(super) fn overridden(&self, key: &str) -> Option<&str> {
        self.values
            .iter()
            .rev()
            .filter(|(name, _)| name == key)
            .nth(1)
            .map(|(_, value)| value.as_str())
    }

    /// Returns the filters that store files, or without which nothing may be committed.
    pub(super) fn filters(&self) -> BTreeMap<String, FilterSetting> {
        let mut filters: BTreeMap<String, FilterSetting> = BTreeMap::new();
        for (key, value) in &self.values {
            let Some((name, field)) = key
                .strip_prefix("filter.")
                .and_then(|rest| rest.rsplit_once('.'))
            else {
                continue;
            };
            let setting = filters.entry(name.to_owned()).or_default();
            match field {
                "required" => setting.required = is_true(value),
                "smudge" => {}
                _ => setting.cleans |= !value.is_empty(),
            }
        }
        filters.retain(|_, setting| setting.required || setting.cleans);
        filters
    }

    /// Returns the remote that has what a partial clone left out.
    pub(super) fn promisor(&self) -> Option<&str> {
        let named = self.values.iter().find_map(|(key, value)| {
            let remote = key.strip_prefix("remote.")?.strip_suffix(".promisor")?;
            is_true(value).then_some(remote)
        });
        named.or_else(|| self.get("extensions.partialclone"))
    }

    /// Returns whether git-lfs has programs that change what it stores.
    pub(super) fn has_lfs_extension(&self) -> bool {
        let mut keys = self.values.iter().map(|(key, _)| key);
        keys.any(|key| key.starts_with("lfs.extension."))
    }

    /// Returns the last value of a key.
    pub(super) fn get(&self, key: &str) -> Option<&str> {
        self.values
            .iter()
            .rev()
            .find(|(name, _)| name == key)
            .map(|(_, value)| value.as_str())
    }
}

fn is_true(value: &str) -> bool {
    matches!(&*value.to_lowercase(), "true" | "yes" | "on" | "1" | "")
}

/// Settings that record what the file system can do, or how the object store is shared: facts, which the trusted git directory needs too.
const FACTS: [&str; 5] = [
    "core.filemode",
    "core.symlinks",
    "core.ignorecase",
    "core.precomposeunicode",
    "core.sharedrepository",
];

/// The user's hooks that say whether a commit may be.
pub(crate) const JUDGING_HOOKS: [&str; 2] = ["pre-commit", "commit-msg"];

/// What else git would run where this program writes a commit, merges, moves a ref or updates a checkout.
const PASSED_OVER: [&str; 8] = [
    "pre-merge-commit",
    "prepare-commit-msg",
    "post-commit",
    "post-merge",
    "post-rewrite",
    "post-checkout",
    "post-index-change",
    "reference-transaction",
];

/// The user's own hooks, by name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OwnHooks {
    /// Those that judge as part of verification.
    pub judges: Vec<&'static str>,
    /// Those that nothing here runs.
    pub passed_over: Vec<&'static str>,
}

impl Git {
    /// Returns the user's settings, read once; without readable ones, none are set.
    pub(super) fn settings(&self) -> &Settings {
        self.shared.known.settings.get_or_init(|| {
            let wanted = "^((user|author|committer)\\.(name|email)\
                |commit\\.gpgsign|filter\\..*\\.(required|clean|smudge|process)|lfs\\.(storage|extension\\..*\\.clean)|extensions\\.(partialclone|compatobjectformat)|remote\\..*\\.promisor|core\\.(compression|loosecompression|hookspath|sharedrepository|filemode|symlinks|ignorecase|precomposeunicode|excludesfile|attributesfile|sparsecheckout|autocrlf|eol))$";
            let call = GitCommand::new(self, CommandScope::User(None), "config").args(["-z", "--get-regexp", wanted]);
            let Ok(output) = call.accept(&[0, 1]).run() else { return Settings::default() };
            let text = String::from_utf8_lossy(&output.stdout);
            let pairs = text.split('\0').filter_map(|pair| pair.split_once('\n'));
            Settings { values: pairs.map(|(key, value)| (key.to_owned(), value.to_owned())).collect() }
        })
    }

    /// Returns the user's own hook of a name, if there is one that git would run.
    pub(crate) fn hook(&self, name: &str) -> Option<PathBuf> {
        use std::os::unix::fs::PermissionsExt;
        let directory = match self.settings().overridden("core.hookspath") {
            None | Some("") => self.common_dir().join("hooks"),
            Some(path) => match (path.strip_prefix("~/"), std::env::var_os("HOME")) {
                (Some(rest), Some(home)) => PathBuf::from(home).join(rest),
                _ => self.work_tree().join(path),
            },
        };
        let hook = directory.join(name);
        let runs = std::fs::metadata(&hook)
            .is_ok_and(|m| m.is_file() && m.permissions().mode() & 0o111 != 0);
        runs.then_some(hook)
    }

    /// Returns the user's own hooks of those that git runs when it commits, merges or moves a branch.
    pub fn own_hooks(&self) -> OwnHooks {
        let there = |name: &&str| self.hook(name).is_some();
        OwnHooks {
            judges: JUDGING_HOOKS.iter().copied().filter(there).collect(),
            passed_over: PASSED_OVER.iter().copied().filter(there).collect(),
        }
    }

    /// Returns whether the checkout leaves out files by design.
    pub fn is_sparse(&self) -> bool {
        self.settings().get("core.sparsecheckout") == Some("true")
    }

    /// Returns whether the user signs their commits.
    pub(crate) fn signs(&self) -> bool {
        let signing = self.settings().overridden("commit.gpgsign");
        signing.is_some_and(is_true)
    }

    /// Returns the settings that describe the file system, for `-c`.
    pub(super) fn file_system_settings(&self) -> Vec<String> {
        let settings = self.settings();
        FACTS
            .iter()
            .filter_map(|key| Some(format!("{key}={}", settings.get(key)?)))
            .collect()
    }

    /// Returns the patterns of the user's own exclude files: the global one, then the repository's.
    pub(crate) fn user_excludes(&self) -> Vec<u8> {
        let mut rules = Vec::new();
        let files = [
            self.global_excludes(),
            Some(self.common_dir().join("info/exclude")),
        ];
        for file in files.into_iter().flatten() {
            // Git too treats an unreadable exclude file as an empty one.
            if let Ok(bytes) = std::fs::read(&file) {
                rules.extend_from_slice(&bytes);
                rules.push(b'\n');
            }
        }
        rules
    }

    /// Returns the user's own files of attributes: the global one, then the repository's.
    pub(super) fn user_attributes(&self) -> Vec<PathBuf> {
        let own = self.common_dir().join("info/attributes");
        let global = self.global_file("core.attributesfile", "git/attributes");
        global.into_iter().chain([own]).collect()
    }

    fn global_excludes(&self) -> Option<PathBuf> {
        self.global_file("core.excludesfile", "git/ignore")
    }

    /// Returns the file that a setting names, or the one git reads where none does.
    fn global_file(&self, key: &str, otherwise: &str) -> Option<PathBuf> {
        let variable = |name: &str| {
            self.shared
                .environment
                .iter()
                .find(|(key, _)| key == name)
                .map(|(_, v)| v)
        };
        let home = variable("HOME").map(PathBuf::from);
        if let Some(configured) = self.settings().get(key) {
            return match (configured.strip_prefix("~/"), home) {
                (Some(rest), Some(home)) => Some(home.join(rest)),
                _ => Some(self.work_tree().join(configured)),
            };
        }
        let config = variable("XDG_CONFIG_HOME")
            .filter(|value: &&OsString| !value.is_empty())
            .map(PathBuf::from);
        Some(
            config
                .or_else(|| Some(home?.join(".config")))?
                .join(otherwise),
        )
    }
}
