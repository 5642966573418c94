//! Who is paid by a program that speaks to many providers, each with a key and perhaps an address of its own.

/// An account at one provider that a program's own files hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct ProviderAccount {
    /// The provider, as the program names it.
    pub(super) provider: String,
    /// Whose variables the requests obey, where the files say that it is not the provider's.
    pub(super) speaks: Option<&'static str>,
    pub(super) key: Option<HeldKey>,
    /// Where requests go, whatever the environment says.
    pub(super) address: Option<String>,
}

/// How a program's files hold a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum HeldKey {
    Login,
    Settings,
    /// One that counts only where the environment has none.
    Fallback,
    /// They name the variable that holds it.
    Variable(String),
}

/// What all of a program's files say about its accounts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProviderAccounts {
    pub(super) accounts: Vec<ProviderAccount>,
    /// The provider of the model that they choose.
    pub(super) chosen: Option<String>,
}

/// Where a program that speaks to many providers keeps accounts.
#[derive(Debug, Clone, Copy)]
pub struct AccountSource {
    /// Where the text is.
    pub place: SourcePlace,
    /// Reads the accounts; what it cannot read is not there.
    pub read: fn(&str) -> ProviderAccounts,
}

/// Where a text with accounts is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SourcePlace {
    /// A file below the directory that the variable names, or else below this directory of the home directory.
    File {
        /// The variable, where there is one.
        root: Option<&'static str>,
        /// Relative to the home directory.
        otherwise: &'static str,
        /// Below either.
        path: &'static str,
    },
    /// The file that this variable names.
    Named(&'static str),
    /// The value of this variable.
    Value(&'static str),
    /// A file of the checkout, which is not to decide who is paid or where.
    Checkout(&'static str),
}

/// Providers whose variables are not named after them.
const OTHER_NAMES: &[(&str, &[&str])] = &[
    ("google", &["GOOGLE_GENERATIVE_AI", "GEMINI", "GOOGLE"]),
    ("gemini", &["GEMINI", "GOOGLE"]),
    ("openai-native", &["OPENAI"]),
];

impl ProviderAccount {
    fn of(provider: &str) -> ProviderAccount {
        ProviderAccount {
            provider: provider.to_owned(),
            ..ProviderAccount::default()
        }
    }

    /// Returns whether a variable whose name begins so is one of this provider's.
    pub(super) fn obeys(&self, family: &str) -> bool {
        let other = OTHER_NAMES.iter().find(|(name, _)| *name == self.provider);
        let spoken = self.speaks.filter(|_| self.address.is_none());
        let named = match other {
            Some((_, names)) => names.contains(&family),
            None => self.provider.to_uppercase().replace('-', "_") == family,
        };
        named || spoken == Some(family)
    }
}

impl ProviderAccounts {
    /// Adds what a later file says; it wins over an earlier one.
    pub fn add(&mut self, later: ProviderAccounts) {
        self.chosen = later.chosen.or(self.chosen.take());
        for account in later.accounts {
            let own = self.of(&account.provider);
            own.speaks = account.speaks.or(own.speaks);
            own.key = account.key.or(own.key.take());
            own.address = account.address.or(own.address.take());
        }
    }

    /// Returns whether they decide who is paid, or where requests go.
    pub fn decides(&self) -> bool {
        let decides =
            |account: &ProviderAccount| account.key.is_some() || account.address.is_some();
        self.accounts.iter().any(decides)
    }

    pub(super) fn of(&mut self, provider: &str) -> &mut ProviderAccount {
        let at = self
            .accounts
            .iter()
            .position(|own| own.provider == provider);
        let at = at.unwrap_or_else(|| {
            self.accounts.push(ProviderAccount::of(provider));
            self.accounts.len() - 1
        });
        &mut self.accounts[at]
    }
}
