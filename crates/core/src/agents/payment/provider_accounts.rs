//! Who is paid by a program that speaks to many providers, each with a key and perhaps an address of its own.

use super::{ADDRESS_ENDS, AccountFacts, KEY_ENDS, Payer, Payment, family};

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
    fn obeys(&self, family: &str) -> bool {
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

impl Payment {
    /// Returns the payment of a program that speaks to many providers: of each, key and address pass together or not at
    /// all, and where its files hold a key, neither does.
    pub fn of_providers(facts: &AccountFacts, passes: impl Fn(&str) -> bool) -> Payment {
        let seen = ProviderVariables::new(facts, passes);
        let mut withheld = seen.parted();
        withheld.extend(seen.foreign());
        let accounts = &facts.providers.accounts;
        withheld.extend(accounts.iter().flat_map(|account| seen.replaced(account)));
        if facts.keep_all {
            withheld.clear();
        }
        let freed = if facts.keep_all {
            seen.whole()
        } else {
            Vec::new()
        };
        let named = accounts.iter().filter_map(|account| match &account.key {
            Some(HeldKey::Variable(name)) => Some(name.clone()),
            _ => None,
        });
        let (payer, address) = seen.payer(&withheld);
        let kept = |name: &&(String, String)| withheld.contains(&name.0.as_str());
        Payment {
            withheld: facts
                .variables
                .iter()
                .filter(kept)
                .map(|(n, _)| n.clone())
                .collect(),
            extra: named.chain(freed).collect(),
            ..Payment::by(payer, address)
        }
    }
}

/// The variables that hold keys and addresses of providers.
struct ProviderVariables<'a> {
    facts: &'a AccountFacts,
    /// Name, provider, and value of each that is set.
    keys: Vec<(&'a str, &'a str)>,
    addresses: Vec<(&'a str, &'a str, &'a str)>,
    /// Addresses that do not reach the session.
    absent: Vec<&'a str>,
}

impl<'a> ProviderVariables<'a> {
    fn new(facts: &'a AccountFacts, passes: impl Fn(&str) -> bool) -> ProviderVariables<'a> {
        let mut seen = ProviderVariables {
            facts,
            keys: Vec::new(),
            addresses: Vec::new(),
            absent: Vec::new(),
        };
        for (name, value) in facts
            .variables
            .iter()
            .filter(|(_, value)| !value.is_empty())
        {
            match (family(name, KEY_ENDS), family(name, ADDRESS_ENDS)) {
                (Some(of), _) if passes(name) => seen.keys.push((name, of)),
                (_, Some(of)) if passes(name) || facts.keep_all => {
                    seen.addresses.push((name, of, value))
                }
                (_, Some(of)) => seen.absent.push(of),
                _ => {}
            }
        }
        seen
    }

    fn names_of(&self, matching: impl Fn(&str, &str) -> bool) -> Vec<&'a str> {
        let addresses = self.addresses.iter().map(|(name, of, _)| (*name, *of));
        let all = self.keys.iter().copied().chain(addresses);
        all.filter(|(name, of)| matching(name, of))
            .map(|(name, _)| name)
            .collect()
    }

    /// Returns the addresses of the keys.
    fn whole(&self) -> Vec<String> {
        let of_key = |of: &str| self.keys.iter().any(|(_, own)| *own == of);
        let addresses = self.addresses.iter().filter(|(_, of, _)| of_key(of));
        addresses.map(|(name, ..)| (*name).to_owned()).collect()
    }

    /// Returns the keys whose address does not reach the session.
    fn parted(&self) -> Vec<&'a str> {
        let keys = self.keys.iter();
        keys.filter(|(_, of)| self.absent.contains(of))
            .map(|(name, _)| *name)
            .collect()
    }

    /// Returns what the environment adds to an account that the profile brings.
    fn foreign(&self) -> Vec<&'a str> {
        let own = |name: &str| self.facts.profile.iter().any(|own| own == name);
        let keys = self.keys.iter().copied();
        let all = keys.chain(self.addresses.iter().map(|(name, of, _)| (*name, *of)));
        let brought: Vec<&str> = all
            .filter(|(name, _)| own(name))
            .map(|(_, of)| of)
            .collect();
        self.names_of(|name, of| brought.contains(&of) && !own(name))
    }

    /// Returns what would change whom or where an account of the program's files pays.
    fn replaced(&self, account: &ProviderAccount) -> Vec<&'a str> {
        let addresses = self.addresses.iter().filter(|(_, of, _)| account.obeys(of));
        let addresses: Vec<&str> = addresses.map(|(name, ..)| *name).collect();
        let all = || self.names_of(|_, of| account.obeys(of));
        match &account.key {
            Some(HeldKey::Login | HeldKey::Settings) => all(),
            Some(HeldKey::Fallback) => match self.key_of(account) {
                Some(_) => Vec::new(),
                None => addresses,
            },
            // The files say which key it is, so an address from elsewhere is another's.
            Some(HeldKey::Variable(own)) => {
                let of_key = family(own, KEY_ENDS);
                let whole = account.address.is_none() && of_key.is_some_and(|of| account.obeys(of));
                let kept = |name: &&str| name != own && !(whole && addresses.contains(name));
                all().into_iter().filter(kept).collect()
            }
            None if account.address.is_some() && !addresses.is_empty() => all(),
            None => Vec::new(),
        }
    }

    /// Returns the variable that holds a key for this account's provider.
    fn key_of(&self, account: &ProviderAccount) -> Option<&'a str> {
        let mut keys = self.keys.iter();
        keys.find(|(_, of)| account.obeys(of))
            .map(|(name, _)| *name)
    }

    /// Returns who is paid, and where.
    fn payer(&self, withheld: &[&str]) -> (Payer, Option<&'a str>) {
        let files = &self.facts.providers;
        let chosen = |account: &&ProviderAccount| files.chosen.as_ref() == Some(&account.provider);
        let accounts = || files.accounts.iter();
        let account = accounts()
            .find(chosen)
            .or_else(|| accounts().find(|account| files.chosen.is_none() && account.key.is_some()));
        let mut keys = self
            .keys
            .iter()
            .filter(|(name, _)| !withheld.contains(name));
        let address = |of: &dyn Fn(&str) -> bool| {
            let mut passing = self
                .addresses
                .iter()
                .filter(|(name, ..)| !withheld.contains(name));
            passing.find(|(_, own, _)| of(own)).map(|(.., url)| *url)
        };
        let Some(account) = account else {
            let key = keys.next();
            let payer = key.map_or(Payer::Unknown, |(name, _)| Payer::Variable((*name).into()));
            return (payer, address(&|of| key.is_none_or(|(_, own)| *own == of)));
        };
        let own = account.address.as_deref();
        let at = own.or_else(|| address(&|of| account.obeys(of)));
        let payer = match &account.key {
            Some(HeldKey::Login) => Payer::LoginFor(account.provider.clone()),
            Some(HeldKey::Fallback) => match self.key_of(account) {
                Some(name) => Payer::Variable(name.into()),
                None => Payer::Settings,
            },
            Some(HeldKey::Settings) => Payer::Settings,
            Some(HeldKey::Variable(name)) => Payer::Variable(name.clone()),
            None => match keys.find(|(_, of)| account.obeys(of)) {
                Some((name, _)) => Payer::Variable((*name).into()),
                None => Payer::Unknown,
            },
        };
        (payer, at)
    }
}
