//! Who a session pays and where its requests go, worked out as one thing.
//!
//! A key belongs to an address. Taking one away and leaving the other sends a credential to somebody it was
//! never meant for, so the two pass or are withheld together. Values are looked at only to know that they
//! are set, and of an address only its host is kept.

mod login;
mod program_settings;
mod provider_accounts;
mod provider_files;
mod provider_variables;
mod provider_yaml;

pub use login::Login;
pub(super) use login::SettingsFile;
pub use program_settings::ProgramSettings;
use program_settings::origin;
pub(super) use program_settings::{
    claude_settings, codex_settings, gemini_settings, qwen_settings,
};
pub use provider_accounts::{AccountSource, ProviderAccounts, SourcePlace};
pub(super) use provider_files::{
    cline_logins, copilot_provider, opencode_logins, opencode_settings,
};
pub(super) use provider_yaml::{
    aider_settings, continue_login, continue_settings, goose_settings, variables_file,
};

/// Another provider that a program turns to when a variable is set.
#[derive(Debug, Clone, Copy)]
pub(super) struct Provider {
    pub(super) name: &'static str,
    /// The variable that chooses it.
    pub(super) switch: &'static str,
    /// What its accounts need and nobody else does; a trailing `*` stands for any rest.
    pub(super) variables: &'static [&'static str],
    /// The variable that holds its address, where that is not its own.
    pub(super) address: &'static str,
}

/// What is known before a session about the accounts of its program.
#[derive(Debug, Clone, Default)]
pub struct AccountFacts {
    /// Whether the program keeps a login on disk.
    pub login_file: bool,
    /// Every variable that the user or the profile sets.
    pub variables: Vec<(String, String)>,
    /// Variables that the profile sets or names: they are one account with nothing from outside.
    pub profile: Vec<String>,
    /// What the program's own settings choose.
    pub settings: ProgramSettings,
    /// What its files hold, where it speaks to many providers.
    pub providers: ProviderAccounts,
    /// Whether the user lets everything pass.
    pub keep_all: bool,
}

/// Who pays for a session, as far as its settings show it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Payer {
    /// The login that the program keeps.
    Login,
    /// The login that it keeps for this provider.
    LoginFor(String),
    /// The account behind this variable.
    Variable(String),
    /// A key in the program's own settings.
    Settings,
    /// A provider that has its own accounts.
    Provider(String),
    /// No file and no variable shows it.
    Unknown,
}

/// Who pays, where requests go, and what follows for the variables of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Payment {
    /// Who pays for a session, as far as its settings show it.
    pub payer: Payer,
    /// The host that requests go to, where it is not the program's own.
    pub address: Option<String>,
    /// Variables of the user's that the session does not get.
    pub withheld: Vec<String>,
    /// Variables that pass besides those of the adapter; a trailing `*` stands for any rest.
    pub extra: Vec<String>,
}

/// How the names of variables end that hold a key, or the address it belongs to; the longer before the shorter.
const KEY_ENDS: &[&str] = &[
    "_API_KEY",
    "_AUTH_TOKEN",
    "_BEARER_TOKEN",
    "_AD_TOKEN",
    "_KEY",
    "_TOKEN",
];
const ADDRESS_ENDS: &[&str] = &[
    "_API_BASE_URL",
    "_BASE_URL",
    "_API_BASE",
    "_ENDPOINT",
    "_HOST",
];

/// What is in the name of a variable whose value is sent as it is, while other keys of a cloud only sign.
const BEARER: &str = "BEARER_TOKEN";

/// Returns whether one of these patterns, which may end in `*`, is the name's.
fn matches_any(patterns: &[&str], name: &str) -> bool {
    patterns
        .iter()
        .any(|pattern| match pattern.strip_suffix('*') {
            Some(start) => name.starts_with(start),
            None => name == *pattern,
        })
}

/// Returns what stands before such an end: whose key or address it is.
fn family<'a>(name: &'a str, ends: &[&str]) -> Option<&'a str> {
    ends.iter().find_map(|end| name.strip_suffix(end))
}

impl Payer {
    /// Returns the word for programs that read `--json`.
    pub fn word(&self) -> &'static str {
        match self {
            Payer::Login | Payer::LoginFor(_) => "login",
            Payer::Variable(_) => "variable",
            Payer::Settings => "settings",
            Payer::Provider(_) => "provider",
            Payer::Unknown => "unknown",
        }
    }
}

impl Payment {
    fn by(payer: Payer, address: Option<&str>) -> Payment {
        Payment {
            payer,
            address: address.map(origin),
            withheld: Vec::new(),
            extra: Vec::new(),
        }
    }
}

impl std::fmt::Display for Payment {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.payer {
            Payer::Login => write!(f, "the program's login")?,
            Payer::LoginFor(provider) => write!(f, "the program's login for {provider}")?,
            Payer::Variable(name) => write!(f, "the account of {name}")?,
            Payer::Settings => write!(f, "the key in the program's settings")?,
            Payer::Provider(name) => write!(f, "the account at {name}")?,
            Payer::Unknown => write!(f, "an account that only the program knows")?,
        }
        match &self.address {
            Some(address) => write!(f, ", at {address}"),
            None => write!(f, ", at the provider's own address"),
        }
    }
}

impl Login {
    /// Returns whether a variable of this name holds something to pay with.
    pub fn is_key(name: &str) -> bool {
        family(name, KEY_ENDS).is_some()
    }

    /// Returns who pays for a session with these facts, and where.
    pub fn payment(&self, facts: &AccountFacts) -> Payment {
        let seen = Seen::new(self, facts);
        let mut payment = self
            .provider(&seen)
            .or_else(|| self.chosen(&seen))
            .unwrap_or_else(|| self.usual(&seen));
        if facts.keep_all {
            payment.withheld.clear();
        }
        payment.withheld.retain(|name| seen.is_set(name));
        payment
    }

    /// Returns the payment where a switch chooses a provider with accounts of its own.
    fn provider(&self, seen: &Seen<'_>) -> Option<Payment> {
        let value = |name: &str| seen.value(name).or(seen.settings().variable(name));
        let on = |switch| value(switch).is_some_and(|v| !matches!(v, "" | "0" | "false"));
        let provider = self.providers.iter().find(|p| on(p.switch))?;
        let address = value(provider.address);
        Some(Payment {
            extra: provider.variables.iter().map(|v| (*v).into()).collect(),
            withheld: seen.foreign_of(provider),
            ..Payment::by(Payer::Provider(provider.name.into()), address)
        })
    }

    /// Returns the payment where the program's settings name a provider, or one of its accounts.
    fn chosen(&self, seen: &Seen<'_>) -> Option<Payment> {
        let settings = seen.settings();
        let address = settings.address.as_deref();
        let all = || seen.all_but(&settings.variables);
        if let Some(name) = &settings.provider {
            let payer = match settings.variables.first() {
                _ if settings.uses_login => Payer::Login,
                _ if settings.has_key => Payer::Settings,
                Some(variable) => Payer::Variable(variable.clone()),
                None => Payer::Provider(name.clone()),
            };
            return Some(Payment {
                withheld: all(),
                extra: settings.variables.clone(),
                ..Payment::by(payer, address)
            });
        }
        (settings.uses_login && seen.login()).then(|| Payment {
            withheld: seen.all_but(self.tokens),
            ..Payment::by(Payer::Login, address)
        })
    }

    /// Returns the payment that login, keys and addresses make together.
    fn usual(&self, seen: &Seen<'_>) -> Payment {
        let settings = seen.settings();
        let inside = settings.address.as_deref();
        let outside = seen.address();
        // The program's settings win over the environment: its key would go to their address.
        let settled =
            settings.key_wins || inside.is_some() && (settings.has_key || outside.is_some());
        match seen.key().filter(|_| !settled) {
            Some(key) if inside.or(outside).is_some() => Payment {
                withheld: seen.credentials_but(key),
                ..Payment::by(Payer::Variable(key.into()), inside.or(outside))
            },
            // A program prefers such a key, where it gets both.
            Some(key) if seen.own || seen.facts.keep_all || !(seen.login() || settings.has_key) => {
                Payment {
                    withheld: seen.foreign_but(key),
                    ..Payment::by(Payer::Variable(key.into()), None)
                }
            }
            _ if settings.prints_key && inside.is_none() => Payment {
                withheld: seen.credentials_but(""),
                ..Payment::by(Payer::Settings, outside)
            },
            _ if settings.has_key => Payment {
                withheld: seen.all_but::<&str>(&[]),
                ..Payment::by(Payer::Settings, inside)
            },
            // An address without a key would be sent the login.
            _ => Payment {
                withheld: seen.all_but(self.tokens),
                ..Payment::by(
                    seen.own_account(),
                    inside.or(outside.filter(|_| seen.facts.keep_all)),
                )
            },
        }
    }

    /// Returns the address that a profile sets without a key that could go there.
    pub fn address_without_key(&self, names: &[String]) -> Option<&'static str> {
        let named = |list: &[&'static str]| {
            let found = list.iter().find(|name| names.iter().any(|n| n == *name));
            found.copied()
        };
        let key = named(self.keys).or_else(|| named(self.weak_keys));
        named(self.addresses).filter(|_| key.is_none())
    }
}

/// The facts, as the variables of one agent.
struct Seen<'a> {
    login: &'a Login,
    facts: &'a AccountFacts,
    /// Whether the profile brings an account: then nothing of the environment's is used.
    own: bool,
}

impl<'a> Seen<'a> {
    fn new(login: &'a Login, facts: &'a AccountFacts) -> Seen<'a> {
        let mut accounts = login.accounts();
        let own = accounts.any(|name| facts.profile.iter().any(|own| own == name));
        Seen { login, facts, own }
    }

    fn settings(&self) -> &'a ProgramSettings {
        &self.facts.settings
    }

    /// Returns whether the variable is there, whether it will be used or not.
    fn is_set(&self, name: &str) -> bool {
        let variables = &self.facts.variables;
        variables.iter().any(|(n, v)| n == name && !v.is_empty())
    }

    fn is_of_profile(&self, name: &str) -> bool {
        self.facts.profile.iter().any(|own| own == name)
    }

    /// Returns a variable that may be used: of the profile, where that brings an account.
    fn value(&self, name: &str) -> Option<&'a str> {
        let variables = &self.facts.variables;
        let found = variables.iter().find(|(n, v)| n == name && !v.is_empty());
        found
            .filter(|(name, _)| !self.own || self.is_of_profile(name))
            .map(|(_, value)| value.as_str())
    }

    fn first(&self, names: &'static [&'static str]) -> Option<&'static str> {
        let set = |name: &&&str| self.value(name).is_some();
        names.iter().find(set).copied()
    }

    fn login(&self) -> bool {
        let there = self.facts.login_file || self.first(self.login.tokens).is_some();
        there && !self.settings().ignores_login
    }

    fn own_account(&self) -> Payer {
        if self.login() {
            Payer::Login
        } else {
            Payer::Unknown
        }
    }

    /// Returns the key that the program would use.
    fn key(&self) -> Option<&'static str> {
        let strong = self.first(self.login.keys);
        strong.or_else(|| self.first(self.login.weak_keys).filter(|_| !self.login()))
    }

    fn address(&self) -> Option<&'a str> {
        self.value(self.first(self.login.addresses)?)
    }

    /// Returns what would change who pays or where, without `kept`.
    fn all_but<S: AsRef<str>>(&self, kept: &[S]) -> Vec<String> {
        let bound = self.address().map(|_| self.login.bound).unwrap_or_default();
        let names = self.login.accounts().chain(bound.iter().copied());
        let kept = |name: &&str| kept.iter().any(|kept| kept.as_ref() == *name);
        names
            .filter(|name| !kept(name))
            .map(str::to_owned)
            .collect()
    }

    /// Returns what the environment adds to the account at a provider that a profile brings: its address, or what is sent there.
    fn foreign_of(&self, provider: &Provider) -> Vec<String> {
        let of = family(provider.address, ADDRESS_ENDS);
        let is_of_account = |name: &str| {
            name == provider.address
                || family(name, KEY_ENDS) == of
                || name.contains(BEARER) && matches_any(provider.variables, name)
        };
        let names = self.facts.variables.iter().map(|(name, _)| name.clone());
        let (own, foreign): (Vec<String>, Vec<String>) = names
            .filter(|name| is_of_account(name))
            .partition(|name| self.is_of_profile(name));
        if own.is_empty() { own } else { foreign }
    }

    /// Returns every key and token but one: at an address, only what belongs there passes.
    fn credentials_but(&self, key: &str) -> Vec<String> {
        let credentials = self.login.credentials().filter(|name| *name != key);
        let mut withheld: Vec<String> = credentials.map(str::to_owned).collect();
        let foreign = self.foreign_but(key).into_iter();
        let addresses: Vec<String> = foreign.filter(|name| !withheld.contains(name)).collect();
        withheld.extend(addresses);
        withheld
    }

    /// Returns what the environment adds to the account that a profile brings.
    fn foreign_but(&self, key: &str) -> Vec<String> {
        let foreign = |name: &&str| self.own && *name != key && !self.is_of_profile(name);
        let names = self.login.accounts().filter(foreign);
        names.map(str::to_owned).collect()
    }
}

impl Login {
    /// Returns the variables that hold something to pay with.
    fn credentials(&self) -> impl Iterator<Item = &'static str> {
        let keys = self.keys.iter().chain(self.weak_keys);
        keys.chain(self.tokens).copied()
    }

    /// Returns the variables that decide who is paid, and where.
    fn accounts(&self) -> impl Iterator<Item = &'static str> {
        self.credentials().chain(self.addresses.iter().copied())
    }
}

#[cfg(test)]
mod tests;
