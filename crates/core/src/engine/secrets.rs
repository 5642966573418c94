//! Secrets: found by the shape their issuers give them, or by a telling name beside a value that
//! looks random. Reported by rule and place, never by value.
//!
//! Two ways out for a false alarm: `gatewalk:allow-secret` on the line, or a line of the baseline
//! file, which holds digests, not values. Deliberately absent: guessing from entropy alone, which
//! would report every hash and every lock file.

use regex::{Captures, Regex};
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
    /// Line, from 1.
    pub line: usize,
    /// First hex digits of the value's SHA-256, for the baseline.
    pub(crate) digest: String,
}

const RULES: &[(&str, &str)] = &[
    (
        "private-key",
        r"-----BEGIN (?:[A-Z]+ )*PRIVATE KEY(?: BLOCK)?-----\s*[A-Za-z0-9+/=\r\n:, -]{40,}",
    ),
    ("aws-access-key", r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b"),
    ("github-token", r"\bgh[pousr]_[A-Za-z0-9]{36,255}\b"),
    (
        "github-fine-grained-token",
        r"\bgithub_pat_[A-Za-z0-9_]{60,255}\b",
    ),
    ("gitlab-token", r"\bglpat-[A-Za-z0-9_-]{20,}"),
    ("slack-token", r"\bxox[abeprs]-[A-Za-z0-9-]{20,}"),
    (
        "slack-webhook",
        r"https://hooks\.slack\.com/services/T[A-Z0-9]+/B[A-Z0-9]+/[A-Za-z0-9]{20,}",
    ),
    ("stripe-key", r"\b[rs]k_live_[A-Za-z0-9]{20,}\b"),
    ("google-api-key", r"\bAIza[A-Za-z0-9_-]{35}\b"),
    ("anthropic-key", r"\bsk-ant-[A-Za-z0-9_-]{24,}"),
    (
        "openai-key",
        r"\bsk-(?:proj|svcacct|admin)-[A-Za-z0-9_-]{24,}|\bsk-[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}\b",
    ),
    ("npm-token", r"\bnpm_[A-Za-z0-9]{36}\b"),
    ("pypi-token", r"\bpypi-AgE[A-Za-z0-9_-]{50,}"),
    ("crates-io-token", r"\bcio[A-Za-z0-9]{32}\b"),
    (
        "sendgrid-key",
        r"\bSG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}",
    ),
    ("azure-storage-key", r"AccountKey=[A-Za-z0-9+/]{80,}={0,2}"),
    ("hugging-face-token", r"\bhf_[A-Za-z0-9]{30,}\b"),
    ("digitalocean-token", r"\bdo[oprt]_v1_[a-f0-9]{60,}\b"),
    ("shopify-token", r"\bshp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}\b"),
    ("docker-token", r"\bdckr_(?:pat|oat)_[A-Za-z0-9_-]{20,}"),
    ("grafana-token", r"\bgl(?:sa|c)_[A-Za-z0-9_+/=]{32,}"),
    (
        "gitlab-other-token",
        r"\bgl(?:dt|rt|ptt|soat|cbt|ft|imt|agent)-[A-Za-z0-9_-]{20,}",
    ),
    (
        "slack-app-token",
        r"\bxapp-[0-9]-[A-Z0-9]+-[0-9]+-[a-f0-9]{32,}",
    ),
    ("rubygems-token", r"\brubygems_[a-f0-9]{48}\b"),
    ("vault-token", r"\bhv[sbr]\.[A-Za-z0-9_-]{24,}"),
    (
        "terraform-token",
        r"\b[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_-]{60,}",
    ),
    ("atlassian-token", r"\bATATT3[A-Za-z0-9_=-]{40,}"),
    ("linear-key", r"\blin_api_[A-Za-z0-9]{36,}\b"),
    ("notion-token", r"\bntn_[A-Za-z0-9]{40,}\b"),
    ("figma-token", r"\bfigd_[A-Za-z0-9_-]{36,}"),
    ("postman-key", r"\bPMAK-[a-f0-9]{24}-[a-f0-9]{34}\b"),
    ("sentry-token", r"\bsntry[su]_[A-Za-z0-9_=+/-]{40,}"),
    ("groq-key", r"\bgsk_[A-Za-z0-9]{48,}\b"),
    ("xai-key", r"\bxai-[A-Za-z0-9]{60,}\b"),
    ("perplexity-key", r"\bpplx-[A-Za-z0-9]{40,}\b"),
    ("replicate-token", r"\br8_[A-Za-z0-9]{37}\b"),
    ("openrouter-key", r"\bsk-or-v1-[a-f0-9]{60,}\b"),
    ("age-key", r"\bAGE-SECRET-KEY-1[A-Z0-9]{50,}\b"),
    (
        "tailscale-key",
        r"\btskey-[a-z]+-[A-Za-z0-9]{8,}-[A-Za-z0-9]{20,}\b",
    ),
    ("square-token", r"\bsq0(?:atp|csp)-[A-Za-z0-9_-]{22,}"),
    ("twilio-key", r"\bSK[0-9a-f]{32}\b"),
    ("mailgun-key", r"\bkey-[0-9a-f]{32}\b"),
    ("brevo-key", r"\bxkeysib-[a-f0-9]{64}-[A-Za-z0-9]{16}\b"),
    ("google-oauth-secret", r"\bGOCSPX-[A-Za-z0-9_-]{28}\b"),
    ("telegram-token", r"\b[0-9]{8,10}:AA[A-Za-z0-9_-]{33}\b"),
    (
        "discord-webhook",
        r"https://(?:\w+\.)?discord(?:app)?\.com/api/webhooks/[0-9]{17,20}/[A-Za-z0-9_-]{60,}",
    ),
    (
        "npm-auth",
        r"(?m):_(?:authToken|auth|password)\s*=\s*([A-Za-z0-9+/=_-]{12,})\s*$",
    ),
    (
        "plain-value",
        r"(?m)^[ \t]*(?:export[ \t]+|-[ \t]+)?(?i:[a-z0-9_.-]{0,40}(?:secret|token|passwd|password|api[_-]?key|access[_-]?key|private[_-]?key|credential)[a-z0-9_]{0,20})[ \t]{0,2}[:=][ \t]{0,2}([A-Za-z0-9+/_=!@#%^&*~-]{12,200})[ \t]*(?:#[^\n]*)?\r?$",
    ),
    (
        "short-password",
        r#"(?i)\b[a-z0-9_.-]{0,40}(?:passwd|password|passphrase)["']?\s{0,4}(?:=>|:=|[:=])\s{0,4}["']([^\s"']{8,15})["']"#,
    ),
    (
        "password-in-url",
        r"\b[a-z][a-z0-9+.-]{1,20}://[^\s/:@'\x22<>{}$]{1,64}:([^\s/:@'\x22<>{}$]{8,})@[A-Za-z0-9.-]+",
    ),
    (
        "secret-value",
        r#"(?i)\b[a-z0-9_.-]{0,40}(?:secret|token|passwd|password|api[_-]?key|access[_-]?key|private[_-]?key|credential)[a-z0-9_]{0,20}["']?\s{0,4}(?:=>|:=|[:=])\s{0,4}["']([^\s"']{16,200})["']"#,
    ),
];

static PATTERNS: LazyLock<Vec<(&'static str, Regex)>> = LazyLock::new(|| {
    RULES
        .iter()
        .map(|(name, pattern)| (*name, compile(pattern)))
        .collect()
});

/// Compiles a constant. Word boundaries are those of ASCII: those of Unicode make every text with one other letter slow.
fn compile(pattern: &str) -> Regex {
    Regex::new(&pattern.replace(r"\b", r"(?-u:\b)"))
        .expect("a constant pattern, compiled by the tests")
}

/// One cheap look that most texts fail.
static ANY: LazyLock<Regex> = LazyLock::new(|| {
    compile(concat!(
        r"(?i)PRIVATE KEY|AKIA|ASIA|gh[pousr]_|github_pat_|glpat-|xox[abeprs]-|hooks\.slack|k_live_|AIza|sk-|npm_|pypi-",
        r"|\bcio|SG\.|AccountKey=|://[^\s/]+@|secret|token|passw|passphrase|api.?key|access.?key|credential",
        r"|hf_|_v1_|shp\w\w_|dckr_|gl\w+[_-]|xapp-|rubygems_|hv[sbr]\.|atlasv1|ATATT3|lin_api_|ntn_|figd_|PMAK-|sntry",
        r"|gsk_|xai-|pplx-|r8_|AGE-SEC|tskey-|sq0|\bSK[0-9a-f]|key-[0-9a-f]|xkeysib|GOCSPX|:AA|api/webhooks|:_auth|:_pass",
    ))
});

/// Returns what looks like a secret in a text, in order.
pub fn find(text: &str) -> Vec<Finding> {
    let (found, _) = find_all(text);
    found
}

/// Returns what looks like a secret in a text, and what would but for the mark on its line, each in order.
pub(crate) fn find_all(text: &str) -> (Vec<Finding>, Vec<Finding>) {
    let (mut found, mut marked) = (Vec::new(), Vec::new());
    if !ANY.is_match(text) {
        return (found, marked);
    }
    for (rule, pattern) in PATTERNS.iter() {
        for capture in pattern.captures_iter(text) {
            let whole = capture.get(0).expect("the whole match");
            let value = value_of(&capture);
            if is_placeholder(rule, value) {
                continue;
            }
            let list = match allowed(text, whole.start(), whole.end()) {
                true => &mut marked,
                false => &mut found,
            };
            list.push(Finding {
                rule,
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
pub fn outside<'f>(baseline: &str, findings: &'f [Finding]) -> Vec<&'f Finding> {
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
    if !ANY.is_match(text) {
        return clean;
    }
    for (rule, pattern) in PATTERNS.iter() {
        let replaced = pattern.replace_all(&clean, |capture: &Captures<'_>| {
            let value = value_of(capture);
            if is_placeholder(rule, value) {
                capture[0].to_owned()
            } else {
                capture[0].replace(value, &format!("[{rule} withheld]"))
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

/// Returns whether a value is an example, a reference to a variable, or simply a word.
fn is_placeholder(rule: &str, value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    let example = [
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
    if example.iter().any(|word| lower.contains(word)) {
        return true;
    }
    match rule {
        "secret-value" => {
            value.contains(['$', '<', '{', '(', '%', '/']) && !value.contains('+')
                || !value.bytes().any(|b| b.is_ascii_digit())
                || !value.bytes().any(|b| b.is_ascii_alphabetic())
                || entropy(value) < 3.6
        }
        "plain-value" => !is_random(value) || value.len() < 16 && entropy(value) < 3.3,
        "short-password" => {
            let ordinary = [
                "test", "pass", "pwd", "secret", "admin", "user", "foo", "bar", "demo", "sample",
                "qwert", "abc", "hunter", "letmein", "welcome", "token", "key", "dev", "local",
                "fake", "mock", "hash", "invalid", "wrong", "new", "old", "correct", "monkey",
                "dragon", "hello", "world", "root", "12345", "value", "string", "text", "name",
                "alice",
            ];
            value.contains(['$', '<', '{', '(', '%', '/', '[', '.'])
                || ordinary.iter().any(|word| lower.contains(word))
                || !is_random(value)
        }
        "password-in-url" => {
            matches!(&*lower, "password" | "secret" | "postgres") || entropy(value) < 2.5
        }
        "private-key" => false,
        // Issued values are random; a run of one letter is somebody's example.
        _ => entropy(value) < 3.0,
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
