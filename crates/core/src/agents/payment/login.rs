//! What is data about an agent's accounts.

use super::{ProgramSettings, Provider};

/// What an agent's accounts are: its login, and the variables and settings that decide otherwise.
///
/// [`Login::payment`] makes one answer of it. A variable that is in none of these lists changes neither
/// who pays nor where requests go.
#[derive(Debug, Clone, Copy)]
pub struct Login {
    /// The variable that names the program's own directory in place of the first part of `files`.
    pub home: Option<&'static str>,
    /// The login, relative to the home directory; any of them.
    pub files: &'static [&'static str],
    /// Variables that hold a login in place of a file.
    pub(in crate::agents) tokens: &'static [&'static str],
    /// Keys that the program prefers to its login, the one it uses first.
    pub(in crate::agents) keys: &'static [&'static str],
    /// Keys that it uses only without a login.
    pub(in crate::agents) weak_keys: &'static [&'static str],
    /// Variables that name where requests go, whatever key or login goes with them.
    pub(in crate::agents) addresses: &'static [&'static str],
    /// Variables that make sense only at such an address: headers, names of models.
    pub(in crate::agents) bound: &'static [&'static str],
    /// Providers with accounts of their own.
    pub(in crate::agents) providers: &'static [Provider],
    /// The program's own settings.
    pub settings: Option<SettingsFile>,
    /// Whether a login is nowhere but in `files`, unless the settings name a key ring.
    pub file_only: bool,
}

impl Login {
    /// What holds where an adapter states nothing else.
    pub(in crate::agents) const BASE: Login = Login {
        home: None,
        files: &[],
        tokens: &[],
        keys: &[],
        weak_keys: &[],
        addresses: &[],
        bound: &[],
        providers: &[],
        settings: None,
        file_only: false,
    };
}

/// A file of a program's own settings.
#[derive(Debug, Clone, Copy)]
pub struct SettingsFile {
    /// Relative to the home directory.
    pub path: &'static str,
    /// Reads what concerns accounts; what it cannot read is not there.
    pub read: fn(&str) -> ProgramSettings,
}
