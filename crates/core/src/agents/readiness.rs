//! What shows before a first session of an agent that it would be dead: a program that is too old to be driven, or one
//! that works with no account and has none.

use std::fmt;

/// What an agent's program needs before a session can work.
#[derive(Debug, Clone, Copy)]
pub struct Needs {
    /// The first version that understands how it is started, where that is known.
    pub(super) since: Option<&'static str>,
    /// The first version that is built otherwise, and what of it keeps a session from working.
    pub(super) before: Option<(&'static str, &'static str)>,
    /// Where an account shows, besides in a variable that reaches the session; `None` where the program works without
    /// one, or may have it where nobody can look.
    pub account_files: Option<&'static [AccountFile]>,
    /// Variables that hold or choose an account, or say that these files are elsewhere; the others that reach the
    /// session tell nothing of one.
    pub account_variables: &'static [&'static str],
    /// How its login is kept in a file, where it is in a key ring otherwise.
    pub login_in_file: &'static str,
}

impl Needs {
    /// What holds where an adapter states nothing else.
    pub(super) const BASE: Needs = Needs {
        since: None,
        before: None,
        account_files: None,
        account_variables: &[],
        login_in_file: "keep it in a file",
    };
}

/// A file that may show an account of a program.
#[derive(Debug, Clone, Copy)]
pub struct AccountFile {
    /// Below the home directory; read below the checkout as well, as programs do.
    pub path: &'static str,
    /// Words of which it holds one where there is an account; with none, that it exists is enough.
    pub(super) tells: &'static [&'static str],
    /// Words by which it says that the login is in a key ring.
    pub(super) key_ring: KeyRingWords,
}

/// The words by which a file says that a login is in a key ring.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum KeyRingWords {
    /// One of them is enough.
    Any(&'static [&'static str]),
    /// One of them, and nothing that tells of an account in the file itself.
    WithoutAccount(&'static [&'static str]),
}

impl AccountFile {
    pub(super) const fn any(path: &'static str) -> AccountFile {
        AccountFile::telling(path, &[])
    }

    pub(super) const fn telling(path: &'static str, tells: &'static [&'static str]) -> AccountFile {
        AccountFile {
            path,
            tells,
            key_ring: KeyRingWords::Any(&[]),
        }
    }

    pub(super) const fn or_key_ring(self, key_ring: KeyRingWords) -> AccountFile {
        AccountFile { key_ring, ..self }
    }

    /// Returns whether a file with this text shows an account.
    pub fn shows_account(&self, text: &str) -> bool {
        self.tells(text) && !self.names_key_ring(text)
    }

    fn tells(&self, text: &str) -> bool {
        self.tells.is_empty() || self.tells.iter().any(|word| text.contains(word))
    }

    /// Returns whether a file with this text keeps the login in a key ring.
    pub fn names_key_ring(&self, text: &str) -> bool {
        let named = |words: &[&str]| words.iter().any(|word| text.contains(word));
        match self.key_ring {
            KeyRingWords::Any(words) => named(words),
            KeyRingWords::WithoutAccount(words) => named(words) && !self.tells(text),
        }
    }
}

/// Why an installed program cannot work.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unready {
    /// It does not understand how it is started.
    TooOld {
        /// The one that is installed.
        version: String,
        /// The first that does.
        since: &'static str,
    },
    /// It is built otherwise than the one that is driven.
    TooNew {
        /// The one that is installed.
        version: String,
        /// The first that is.
        before: &'static str,
        /// What of it keeps a session from working.
        why: &'static str,
    },
    /// Neither a login nor a key was found.
    NoAccount,
    /// Its login is where no session can reach it; how it is kept in a file instead.
    KeyRing(&'static str),
}

impl fmt::Display for Unready {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unready::TooOld { version, since } => {
                write!(
                    f,
                    "version {version} cannot be driven, {since} is the first that can"
                )
            }
            Unready::TooNew {
                version,
                before,
                why,
            } => write!(
                f,
                "version {version} cannot be driven, only those before {before}: {why}"
            ),
            Unready::NoAccount => f.write_str("no login and no key was found"),
            Unready::KeyRing(in_file) => write!(
                f,
                "its login is in a key ring, which no session can reach; {in_file}, or set a key"
            ),
        }
    }
}

impl Needs {
    /// Returns why a version of the program cannot be driven.
    pub fn other_version(&self, version: &str) -> Option<Unready> {
        let own = numbers(version)?;
        let old = self.since.filter(|since| numbers(since) > Some(own));
        let new = self
            .before
            .filter(|(before, _)| numbers(before) <= Some(own));
        let version = version.to_owned();
        match (old, new) {
            (Some(since), _) => Some(Unready::TooOld { version, since }),
            (None, Some((before, why))) => Some(Unready::TooNew {
                version,
                before,
                why,
            }),
            (None, None) => None,
        }
    }
}

/// Returns the three numbers that a version begins with.
fn numbers(version: &str) -> Option<[u64; 3]> {
    let mut parts = version.trim_start_matches('v').splitn(3, '.');
    let mut next = || {
        let part = parts.next()?;
        let end = part.find(|c: char| !c.is_ascii_digit());
        part[..end.unwrap_or(part.len())].parse().ok()
    };
    Some([next()?, next()?, next().unwrap_or(0)])
}

#[cfg(test)]
mod tests {
    use crate::agents::by_name;

    #[test]
    fn a_version_that_understands_other_switches_is_not_driven() {
        for (agent, version, other) in [
            ("codex", "0.43.9", true),
            ("codex", "0.44.0", false),
            ("codex", "0.169.0", false),
            ("codex", "1.0.0", false),
            ("gemini", "0.38.2", true),
            ("gemini", "0.39.1-preview.2", false),
            ("gemini", "v0.5", true),
            ("copilot", "0.0.421", true),
            ("copilot", "0.0.422", false),
            ("codex", "nightly", false),
            // Nobody knows since when.
            ("droid", "0.0.1", false),
            ("qwen", "0.1.4", true),
            ("qwen", "0.5.0", false),
            ("cline", "2.18.0", true),
            ("cline", "3.0.57", false),
            ("aider", "0.63.2", true),
            ("aider", "0.64.0", false),
            ("aider", "0.86.2", false),
            ("opencode", "1.0.1", false),
            ("opencode", "1.18.33", false),
            ("opencode", "2.0.0-beta.1", true),
            ("opencode", "2.2.5", true),
            ("opencode", "10.0.0", true),
        ] {
            let found = by_name(agent).unwrap().needs().other_version(version);
            assert_eq!(found.is_some(), other, "{agent} {version}");
        }
        let found = by_name("codex").unwrap().needs().other_version("0.30.0");
        assert_eq!(
            found.unwrap().to_string(),
            "version 0.30.0 cannot be driven, 0.44.0 is the first that can"
        );
    }

    #[test]
    fn settings_that_tell_of_no_account_show_none() {
        for (agent, path, text, shows) in [
            (
                "gemini",
                ".gemini/settings.json",
                r#"{"ui": {"theme": "dark"}}"#,
                false,
            ),
            (
                "gemini",
                ".gemini/settings.json",
                r#"{"security": {"auth": {"selectedType": "vertex-ai"}}}"#,
                true,
            ),
            (
                "gemini",
                ".gemini/settings.json",
                r#"{"security": {"auth": {"selectedType": "gemini-api-key"}}}"#,
                false,
            ),
            ("gemini", ".env", "DATABASE_URL=postgres://x\n", false),
            ("gemini", ".env", "GEMINI_API_KEY=x\n", true),
            ("qwen", ".env", "OPENAI_MODEL=x\n", false),
            ("qwen", ".qwen/.env", "OPENAI_API_KEY=x\n", true),
            ("continue", ".env", "PORT=1\n", false),
            (
                "copilot",
                ".copilot/config.json",
                "// User settings belong in settings.json.\n{\"firstLaunchAt\": \"x\"}",
                false,
            ),
            (
                "copilot",
                ".copilot/config.json",
                r#"{"loggedInUsers": [{"login": "x"}]}"#,
                false,
            ),
            (
                "copilot",
                ".copilot/config.json",
                r#"{"loggedInUsers": [{"login": "x"}], "copilotTokens": {"https://github.com:x": "gho_x"}}"#,
                true,
            ),
        ] {
            let files = by_name(agent).unwrap().needs().account_files.unwrap();
            let file = files.iter().find(|file| file.path == path).unwrap();
            assert_eq!(file.shows_account(text), shows, "{agent} {text}");
        }
        // It works without an account.
        assert!(by_name("opencode").unwrap().needs().account_files.is_none());
    }
}
