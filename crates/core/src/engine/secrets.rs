//! Secrets: found by the shape their issuers give them, or by a telling name beside a value that
//! looks random. Reported by rule and place, never by value.
//!
//! Two ways out for a false alarm: `gatewalk:allow-secret` on the line, or a line of the baseline
//! file, which holds digests, not values. Deliberately absent: guessing from entropy alone, which
//! would report every hash and every lock file.

mod secret_rules;

use self::secret_rules::{RULES, SecretRule, ValueKind};
use aho_corasick::AhoCorasick;
use regex::Captures;
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// Allows what stands on its line.
pub(crate) const ALLOWANCE: &str = "gatewalk:allow-secret";

/// The baseline's name in the state directory: `rule digest` a line; `#` starts a comment.
pub(crate) const BASELINE: &str = "secrets.baseline";

/// One finding. The value is deliberately not in it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Finding {
    pub(crate) rule: &'static str,
    /// Where it stands: the line, counted from 1.
    pub(crate) line: usize,
    /// First hex digits of the value's SHA-256, for the baseline.
    pub(crate) digest: String,
}

/// The hints of all rules as one matcher, and the rule of each.
static HINTS: LazyLock<(AhoCorasick, Vec<usize>)> = LazyLock::new(|| {
    let of_rule = |(at, rule): (usize, &SecretRule)| rule.hints.iter().map(move |hint| (*hint, at));
    let (hints, rules): (Vec<&str>, Vec<usize>) =
        RULES.iter().enumerate().flat_map(of_rule).unzip();
    let mut builder = AhoCorasick::builder();
    let matcher = builder.ascii_case_insensitive(true).build(hints);
    (matcher.expect("a hundred short words"), rules)
});

/// Returns the rules that may find something in a text: one look, and only these are compiled.
fn possible_rules(text: &str) -> impl Iterator<Item = &'static SecretRule> {
    let (matcher, rules) = &*HINTS;
    let hits = matcher.find_overlapping_iter(text);
    let possible: BTreeSet<usize> = hits.map(|hit| rules[hit.pattern().as_usize()]).collect();
    possible.into_iter().map(|at| &RULES[at])
}

/// Returns what looks like a secret in a text, in order.
pub fn find(text: &str) -> Vec<Finding> {
    let (found, _) = find_all(text);
    found
}

/// Returns what looks like a secret in a text, and what would but for the mark on its line, each in order.
pub(crate) fn find_all(text: &str) -> (Vec<Finding>, Vec<Finding>) {
    let (mut found, mut marked) = (Vec::new(), Vec::new());
    for rule in possible_rules(text) {
        for capture in rule.pattern.captures_iter(text) {
            let whole = capture.get(0).expect("the whole match");
            let value = value_of(&capture);
            if is_placeholder(rule.kind, value) {
                continue;
            }
            let list = match allowed(text, whole.start(), whole.end()) {
                true => &mut marked,
                false => &mut found,
            };
            list.push(Finding {
                rule: rule.name,
                line: text[..whole.start()].matches('\n').count() + 1,
                digest: digest(value),
            });
        }
    }
    for list in [&mut found, &mut marked] {
        list.sort();
        list.dedup_by(|a, b| a.line == b.line && a.digest == b.digest);
        list.sort_by_key(|f| f.line);
    }
    (found, marked)
}

/// Returns the findings that are not in the baseline.
pub(crate) fn outside<'f>(baseline: &str, findings: &'f [Finding]) -> Vec<&'f Finding> {
    let known: BTreeSet<(&str, &str)> = baseline
        .lines()
        .map(|line| line.split('#').next().unwrap_or_default())
        .filter_map(|line| line.trim().split_once(char::is_whitespace))
        .map(|(rule, digest)| (rule, digest.trim()))
        .collect();
    findings
        .iter()
        .filter(|f| !known.contains(&(f.rule, f.digest.as_str())))
        .collect()
}

/// Returns a text with every secret's value replaced by its rule's name.
pub fn redact(text: &str) -> String {
    let mut clean = text.to_owned();
    for rule in possible_rules(text) {
        let replaced = rule.pattern.replace_all(&clean, |capture: &Captures<'_>| {
            let value = value_of(capture);
            if is_placeholder(rule.kind, value) {
                capture[0].to_owned()
            } else {
                capture[0].replace(value, &format!("[{} withheld]", rule.name))
            }
        });
        clean = replaced.into_owned();
    }
    clean
}

fn value_of<'t>(capture: &Captures<'t>) -> &'t str {
    capture
        .get(1)
        .or_else(|| capture.get(0))
        .map_or("", |m| m.as_str())
}

fn digest(value: &str) -> String {
    super::oracle::hex(&Sha256::digest(value.as_bytes()))[..16].to_owned()
}

/// Returns whether the line a finding begins on, or its last one, allows it.
fn allowed(text: &str, start: usize, end: usize) -> bool {
    let from = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let to = text[end..].find('\n').map_or(text.len(), |at| end + at);
    text[from..to].contains(ALLOWANCE)
}

/// What examples of a value are called.
const EXAMPLE_WORDS: [&str; 11] = [
    "example",
    "changeme",
    "change-me",
    "placeholder",
    "redacted",
    "dummy",
    "your",
    "xxxx",
    "withheld",
    "0000000",
    "1234567",
];

/// What stands in a short password that is nobody's.
const ORDINARY_WORDS: [&str; 38] = [
    "test", "pass", "pwd", "secret", "admin", "user", "foo", "bar", "demo", "sample", "qwert",
    "abc", "hunter", "letmein", "welcome", "token", "key", "dev", "local", "fake", "mock", "hash",
    "invalid", "wrong", "new", "old", "correct", "monkey", "dragon", "hello", "world", "root",
    "12345", "value", "string", "text", "name", "alice",
];

/// Returns whether a value is an example, a reference to a variable, or simply a word.
fn is_placeholder(kind: ValueKind, value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    // In a long random value such a word appears by chance, in letters of both sizes.
    let in_a_name = match kind {
        ValueKind::Quoted | ValueKind::Plain | ValueKind::ShortPassword | ValueKind::InUrl => true,
        ValueKind::Issued | ValueKind::BehindWord | ValueKind::KeyBlock => false,
    };
    let says = |word: &&str| {
        let capital = format!("{}{}", word[..1].to_ascii_uppercase(), &word[1..]);
        value.contains(word)
            || value.contains(&word.to_ascii_uppercase())
            || value.contains(&capital)
    };
    if EXAMPLE_WORDS
        .iter()
        .any(|word| in_a_name && lower.contains(word) || says(word))
    {
        return true;
    }
    match kind {
        ValueKind::Quoted => {
            value.contains(['$', '<', '{', '(', '%', '/']) && !value.contains('+')
                || !value.bytes().any(|b| b.is_ascii_digit())
                || !value.bytes().any(|b| b.is_ascii_alphabetic())
                || entropy(value) < 3.6
        }
        ValueKind::Plain => !is_random(value) || value.len() < 16 && entropy(value) < 3.3,
        ValueKind::ShortPassword => {
            value.contains(['$', '<', '{', '(', '%', '/', '[', '.'])
                || ORDINARY_WORDS.iter().any(|word| lower.contains(word))
                || !is_random(value)
        }
        ValueKind::InUrl => {
            matches!(&*lower, "password" | "secret" | "postgres") || entropy(value) < 2.5
        }
        ValueKind::KeyBlock => false,
        ValueKind::BehindWord => !is_random(value),
        ValueKind::Issued => entropy(value) < 3.0,
    }
}

/// Returns whether a value looks made by a machine: small and large letters, with figures here and there among them.
fn is_random(value: &str) -> bool {
    let has = |is: fn(&u8) -> bool| value.bytes().any(|b| is(&b));
    let kinds = [
        u8::is_ascii_lowercase,
        u8::is_ascii_uppercase,
        u8::is_ascii_digit,
    ];
    let mixed = kinds.iter().all(|kind| has(*kind)) || value.len() >= 20 && has(u8::is_ascii_digit);
    let bytes = value.as_bytes().windows(2);
    let changes = bytes
        .filter(|pair| pair[0].is_ascii_digit() != pair[1].is_ascii_digit())
        .count();
    mixed && changes >= 4 && has(u8::is_ascii_alphabetic) && entropy(value) >= 2.9
}

/// Returns bits a character of a text, by its own frequencies.
fn entropy(text: &str) -> f64 {
    let mut counts = [0u32; 256];
    text.bytes().for_each(|b| counts[usize::from(b)] += 1);
    let length = text.len() as f64;
    counts
        .iter()
        .filter(|&&n| n > 0)
        .map(|&n| f64::from(n) / length)
        .map(|p| -p * p.log2())
        .sum()
}

#[cfg(test)]
mod tests;
