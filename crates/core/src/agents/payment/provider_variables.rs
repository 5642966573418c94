//! The variables by which agents reach several providers, as a session sees them.

use super::provider_accounts::{HeldKey, ProviderAccount};
use super::{ADDRESS_ENDS, AccountFacts, KEY_ENDS, Payer, Payment, family};

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
