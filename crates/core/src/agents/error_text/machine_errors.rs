//! Errors of the operating system: those of a connection are the network's, all others this machine's, whatever words
//! they share with an account's.

use crate::agents::fault_kind::FaultKind;

/// The numbers by which Linux, macOS and Windows call faults of a connection.
const OF_CONNECTIONS: &[u32] = &[
    32, 49, 50, 51, 53, 54, 57, 60, 61, 64, 65, 99, 100, 101, 102, 103, 104, 107, 110, 111, 112,
    113, 10051, 10053, 10054, 10060, 10061, 11001,
];

/// What a machine lacks, in lower case.
const SHORTAGES: &[&str] = &[
    "disk quota",
    "edquot",
    "enospc",
    "no space left",
    "disk is full",
    "storagefull",
    "eagain",
    "resource temporarily unavailable",
    "emfile",
    "enfile",
    "too many open files",
    "enomem",
    "cannot allocate memory",
    "read-only file system",
];

/// The user's own files, in lower case, and what is said of one that a program cannot read.
const SETTINGS: &[&str] = &[
    "settings file",
    "settings.json",
    "configuration file",
    "config file",
    "config.json",
    "config.toml",
    "config.yaml",
    "opencode.json",
];
const BROKEN: &[&str] = &[
    "not valid json",
    "invalid json",
    "failed to parse",
    "json at position",
    "unexpected token",
    "configuration is invalid",
    "corrupted",
];

/// A directory that the user did not vouch for: the way out that is named beside it is no account's.
const UNTRUSTED: &[&str] = &["trusted directory", "trusted folder", "trusted workspace"];

/// Returns what an error of the operating system is, where a text in lower case is one: the network, or nothing that a
/// server or an account could have caused.
pub(super) fn kind(text: &str) -> Option<Option<FaultKind>> {
    let has = |words: &[&str]| words.iter().any(|words| text.contains(words));
    if has(SHORTAGES) || has(UNTRUSTED) || has(SETTINGS) && has(BROKEN) {
        return Some(None);
    }
    // What looks up names numbers its faults below zero, and tells them in the user's language.
    if number_after(text, "[errno -").is_some() {
        return Some(Some(FaultKind::Network));
    }
    let number = number_after(text, "(os error ").or_else(|| number_after(text, "[errno "))?;
    let of_connection = OF_CONNECTIONS.contains(&number);
    Some(of_connection.then_some(FaultKind::Network))
}

fn number_after(text: &str, words: &str) -> Option<u32> {
    let (_, rest) = text.split_once(words)?;
    let end = rest.find(|c: char| !c.is_ascii_digit())?;
    rest[..end].parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_of_this_machine_is_no_servers_and_no_accounts() {
        for (text, want) in [
            ("disk quota exceeded (os error 122)", Some(None)),
            ("resource temporarily unavailable (os error 11)", Some(None)),
            ("[errno 28] kein platz", Some(None)),
            (
                "not running in a trusted directory; set the environment variable",
                Some(None),
            ),
            (
                "verbindung abgelehnt (os error 111)",
                Some(Some(FaultKind::Network)),
            ),
            ("[errno 110] zu spät", Some(Some(FaultKind::Network))),
            (
                "[errno -3] échec temporaire dans la résolution du nom",
                Some(Some(FaultKind::Network)),
            ),
            ("settings file is not valid json", Some(None)),
            (
                "configuration file at ~/.claude.json is corrupted: unexpected eof",
                Some(None),
            ),
            ("unexpected token '<' is not valid json", None),
            ("quota exceeded", None),
            ("(os error x)", None),
        ] {
            assert_eq!(kind(text), want, "{text}");
        }
    }
}
