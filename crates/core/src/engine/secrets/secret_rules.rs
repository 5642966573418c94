//! The shapes that issuers give their secrets, and what tells a secret of each shape from an example.

use crate::pattern::TextPattern;
use ValueKind::{BehindWord, InUrl, KeyBlock, Plain, Quoted, ShortPassword};

/// What tells a value from an example of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ValueKind {
    /// Issued values are random; a run of one letter is somebody's example.
    Issued,
    /// What issuers put behind a word of ours is what tells it from a name.
    BehindWord,
    /// Nothing else looks so.
    KeyBlock,
    /// In quotes, behind a telling name.
    Quoted,
    /// Without quotes, behind a telling name.
    Plain,
    /// As people make them up, in quotes behind a telling name.
    ShortPassword,
    /// Before the host of an address.
    InUrl,
}

/// A shape of secrets.
#[derive(Debug)]
pub(super) struct SecretRule {
    pub(super) name: &'static str,
    /// One of them stands in whatever the pattern finds, in letters of any case: without one, nothing is compiled.
    pub(super) hints: &'static [&'static str],
    pub(super) pattern: TextPattern,
    pub(super) kind: ValueKind,
}

const fn issued(
    name: &'static str,
    hints: &'static [&'static str],
    pattern: &'static str,
) -> SecretRule {
    rule(ValueKind::Issued, name, hints, pattern)
}

const fn rule(
    kind: ValueKind,
    name: &'static str,
    hints: &'static [&'static str],
    pattern: &'static str,
) -> SecretRule {
    SecretRule {
        name,
        hints,
        pattern: TextPattern::new(pattern),
        kind,
    }
}

/// Names of what is secret.
const TELLING_NAMES: &[&str] = &[
    "secret",
    "token",
    "passwd",
    "password",
    "apikey",
    "api_key",
    "api-key",
    "accesskey",
    "access_key",
    "access-key",
    "privatekey",
    "private_key",
    "private-key",
    "credential",
];

pub(super) static RULES: [SecretRule; 70] = [
    rule(
        KeyBlock,
        "private-key",
        &["private key"],
        r"-----BEGIN (?:[A-Z]+ )*PRIVATE KEY(?: BLOCK)?-----(?:\s|\\[nr])*[A-Za-z0-9+/=\r\n\\:, -]{40,}",
    ),
    issued(
        "aws-access-key",
        &["akia", "asia"],
        r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b",
    ),
    issued(
        "github-token",
        &["ghp_", "gho_", "ghu_", "ghs_", "ghr_"],
        r"\bgh[pousr]_[A-Za-z0-9]{36,255}\b",
    ),
    issued(
        "github-fine-grained-token",
        &["github_pat_"],
        r"\bgithub_pat_[A-Za-z0-9_]{60,255}\b",
    ),
    issued("gitlab-token", &["glpat-"], r"\bglpat-[A-Za-z0-9_-]{20,}"),
    issued(
        "slack-token",
        &["xox"],
        r"\bxox[abcdeoprs]-[A-Za-z0-9%-]{20,}",
    ),
    issued(
        "slack-webhook",
        &["hooks.slack"],
        r"https://hooks\.slack\.com/(?:services|workflows|triggers)/[TE][A-Z0-9]+/[A-Z0-9]+/(?:[0-9]+/)?[A-Za-z0-9]{20,}",
    ),
    issued(
        "stripe-key",
        &["k_live_"],
        r"\b[rs]k_live_[A-Za-z0-9]{20,}\b",
    ),
    issued("google-api-key", &["aiza"], r"\bAIza[A-Za-z0-9_-]{35}"),
    issued(
        "anthropic-key",
        &["sk-ant-"],
        r"\bsk-ant-[A-Za-z0-9_-]{24,}",
    ),
    issued(
        "openai-key",
        &["sk-"],
        r"\bsk-(?:proj|svcacct|admin)-[A-Za-z0-9_-]{24,}|\bsk-[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}\b",
    ),
    issued("npm-token", &["npm_"], r"\bnpm_[A-Za-z0-9]{36}\b"),
    issued("pypi-token", &["pypi-"], r"\bpypi-AgE[A-Za-z0-9_-]{50,}"),
    issued("crates-io-token", &["cio"], r"\bcio[A-Za-z0-9]{32}\b"),
    issued(
        "sendgrid-key",
        &["sg."],
        r"\bSG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}",
    ),
    issued(
        "azure-storage-key",
        &["accountkey="],
        r"AccountKey=[A-Za-z0-9+/]{80,}={0,2}",
    ),
    issued("hugging-face-token", &["hf_"], r"\bhf_[A-Za-z0-9]{30,}\b"),
    issued(
        "digitalocean-token",
        &["_v1_"],
        r"\bdo[oprt]_v1_[a-f0-9]{60,}\b",
    ),
    issued(
        "shopify-token",
        &["shpat_", "shpca_", "shppa_", "shpss_"],
        r"\bshp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}\b",
    ),
    issued(
        "docker-token",
        &["dckr_"],
        r"\bdckr_(?:pat|oat)_[A-Za-z0-9_-]{20,}",
    ),
    issued(
        "grafana-token",
        &["glsa_", "glc_"],
        r"\bgl(?:sa|c)_[A-Za-z0-9_+/=]{32,}",
    ),
    issued(
        "gitlab-other-token",
        &[
            "gldt-", "glrt-", "glptt-", "glsoat-", "glcbt-", "glft-", "glimt-", "glagent-",
        ],
        r"\bgl(?:dt|rt|ptt|soat|cbt|ft|imt|agent)-[A-Za-z0-9_-]{20,}",
    ),
    issued(
        "slack-app-token",
        &["xapp-"],
        r"\bxapp-[0-9]-[A-Z0-9]+-[0-9]+-[A-Za-z0-9]{32,}",
    ),
    issued(
        "rubygems-token",
        &["rubygems_"],
        r"\brubygems_[a-f0-9]{48}\b",
    ),
    issued(
        "vault-token",
        &["hvs.", "hvb.", "hvr."],
        r"\bhv[sbr]\.[A-Za-z0-9_-]{24,}",
    ),
    issued(
        "terraform-token",
        &[".atlasv1."],
        r"\b[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_-]{60,}",
    ),
    issued(
        "atlassian-token",
        &["atatt3"],
        r"\bATATT3[A-Za-z0-9_=-]{40,}",
    ),
    issued("linear-key", &["lin_api_"], r"\blin_api_[A-Za-z0-9]{36,}\b"),
    issued("notion-token", &["ntn_"], r"\bntn_[A-Za-z0-9]{40,}\b"),
    issued("figma-token", &["figd_"], r"\bfigd_[A-Za-z0-9_-]{36,}"),
    issued(
        "postman-key",
        &["pmak-"],
        r"\bPMAK-[a-f0-9]{24}-[a-f0-9]{34}\b",
    ),
    issued(
        "sentry-token",
        &["sntrys_", "sntryu_"],
        r"\bsntry[su]_[A-Za-z0-9_=+/-]{40,}",
    ),
    issued("groq-key", &["gsk_"], r"\bgsk_[A-Za-z0-9]{48,}\b"),
    issued("xai-key", &["xai-"], r"\bxai-[A-Za-z0-9]{60,}\b"),
    issued("perplexity-key", &["pplx-"], r"\bpplx-[A-Za-z0-9]{40,}\b"),
    issued("replicate-token", &["r8_"], r"\br8_[A-Za-z0-9]{37}\b"),
    issued(
        "openrouter-key",
        &["sk-or-v1-"],
        r"\bsk-or-v1-[a-f0-9]{60,}\b",
    ),
    issued(
        "age-key",
        &["age-secret-key-"],
        r"\bAGE-SECRET-KEY-1[A-Z0-9]{50,}\b",
    ),
    issued(
        "tailscale-key",
        &["tskey-"],
        r"\btskey-[a-z]+-[A-Za-z0-9]{8,}-[A-Za-z0-9]{20,}\b",
    ),
    issued(
        "square-token",
        &["sq0atp-", "sq0csp-"],
        r"\bsq0(?:atp|csp)-[A-Za-z0-9_-]{22,}",
    ),
    issued("twilio-key", &["sk"], r"\bSK[0-9a-f]{32}\b"),
    issued("mailgun-key", &["key-"], r"\bkey-[0-9a-f]{32}\b"),
    issued(
        "brevo-key",
        &["xkeysib-"],
        r"\bxkeysib-[a-f0-9]{64}-[A-Za-z0-9]{16}\b",
    ),
    issued(
        "google-oauth-secret",
        &["gocspx-"],
        r"\bGOCSPX-[A-Za-z0-9_-]{28}",
    ),
    // A value that ends in a dash ends no word.
    issued(
        "telegram-token",
        &[":aa"],
        r"\b[0-9]{8,10}:AA[A-Za-z0-9_-]{33}",
    ),
    issued(
        "discord-webhook",
        &["/api/webhooks/"],
        r"https://(?:\w+\.)?discord(?:app)?\.com/api/webhooks/[0-9]{17,20}/[A-Za-z0-9_-]{60,}",
    ),
    issued(
        "databricks-token",
        &["dapi"],
        r"\bdapi[a-f0-9]{32}(?:-[0-9])?\b",
    ),
    issued(
        "doppler-token",
        &["dp."],
        r"\bdp\.(?:pt|st|ct|sa|scim|audit)\.(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{40,44}\b",
    ),
    rule(
        BehindWord,
        "supabase-token",
        &["sbp_", "sb_secret_"],
        r"\bsbp_[a-f0-9]{40}\b|\bsb_secret_[A-Za-z0-9_-]{31,}",
    ),
    rule(
        BehindWord,
        "notion-secret",
        &["secret_"],
        r"\bsecret_[A-Za-z0-9]{43}\b",
    ),
    issued("new-relic-key", &["nrak-"], r"\bNRAK-[A-Z0-9]{27}\b"),
    issued(
        "fly-token",
        &["flyv1 "],
        r"\bFlyV1 fm[12][ar]?_[A-Za-z0-9+/=_-]{60,}",
    ),
    rule(
        BehindWord,
        "netlify-token",
        &["nfp_"],
        r"\bnfp_[A-Za-z0-9]{36,}\b",
    ),
    rule(
        BehindWord,
        "planetscale-token",
        &["pscale_"],
        r"\bpscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.=-]{32,}",
    ),
    issued(
        "airtable-token",
        &["pat"],
        r"\bpat[A-Za-z0-9]{14}\.[a-f0-9]{64}\b",
    ),
    issued("pulumi-token", &["pul-"], r"\bpul-[a-f0-9]{40}\b"),
    issued(
        "dynatrace-token",
        &["dt0c", "dt0s"],
        r"\bdt0[cs]0[12]\.[A-Z0-9]{24}\.[A-Z0-9]{64}\b",
    ),
    issued(
        "circleci-token",
        &["ccipat_"],
        r"\bCCIPAT_[A-Za-z0-9]{22}_[a-f0-9]{40}\b",
    ),
    issued(
        "1password-token",
        &["ops_eyj"],
        r"\bops_eyJ[A-Za-z0-9+/_-]{100,}={0,3}",
    ),
    rule(
        BehindWord,
        "nvidia-key",
        &["nvapi-"],
        r"\bnvapi-[A-Za-z0-9_-]{60,}",
    ),
    issued(
        "langsmith-key",
        &["lsv2_"],
        r"\blsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}\b",
    ),
    issued(
        "pinecone-key",
        &["pcsk_"],
        r"\bpcsk_[A-Za-z0-9]{5,6}_[A-Za-z0-9]{50,}\b",
    ),
    rule(
        BehindWord,
        "tavily-key",
        &["tvly-"],
        r"\btvly-(?:[a-z]{2,5}-)?[A-Za-z0-9-]{32,}\b",
    ),
    rule(
        BehindWord,
        "webhook-secret",
        &["whsec_"],
        r"\bwhsec_[A-Za-z0-9+/]{32,}",
    ),
    issued(
        "mapbox-token",
        &["sk.eyj"],
        r"\bsk\.eyJ[A-Za-z0-9_-]{30,}\.[A-Za-z0-9_-]{20,}",
    ),
    issued(
        "npm-auth",
        &[":_auth", ":_pass"],
        r"(?m):_(?:authToken|auth|password)\s*=\s*([A-Za-z0-9+/=_-]{12,})\s*$",
    ),
    rule(
        Plain,
        "plain-value",
        TELLING_NAMES,
        r"(?m)^[ \t]*(?:export[ \t]+|-[ \t]+)?(?i:[a-z0-9_.-]{0,40}(?:secret|token|passwd|password|api[_-]?key|access[_-]?key|private[_-]?key|credential)[a-z0-9_]{0,20})[ \t]{0,2}[:=][ \t]{0,2}([A-Za-z0-9+/_=!@#%^&*~-]{12,200})[ \t]*(?:#[^\n]*)?\r?$",
    ),
    rule(
        ShortPassword,
        "short-password",
        &["passwd", "password", "passphrase"],
        r#"(?i)\b[a-z0-9_.-]{0,40}(?:passwd|password|passphrase)["']?\s{0,4}(?:=>|:=|[:=])\s{0,4}["']([^\s"']{8,15})["']"#,
    ),
    rule(
        InUrl,
        "password-in-url",
        &["://"],
        r"\b[a-z][a-z0-9+.-]{1,20}://[^\s/:@'\x22<>{}$]{1,64}:([^\s/:@'\x22<>{}$]{8,})@[A-Za-z0-9.-]+",
    ),
    rule(
        Quoted,
        "secret-value",
        TELLING_NAMES,
        r#"(?i)\b[a-z0-9_.-]{0,40}(?:secret|token|passwd|password|api[_-]?key|access[_-]?key|private[_-]?key|credential)[a-z0-9_]{0,20}["']?\s{0,4}(?:=>|:=|[:=])\s{0,4}["']([^\s"']{16,200})["']"#,
    ),
];
