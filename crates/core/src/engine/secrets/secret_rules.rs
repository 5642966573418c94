//! The shapes that issuers give their secrets, and what tells a secret of each shape from an example.

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

/// A rule's name and pattern, and what its values are.
type SecretRule = (&'static str, &'static str, ValueKind);

const fn issued(name: &'static str, pattern: &'static str) -> SecretRule {
    (name, pattern, ValueKind::Issued)
}

const fn rule(kind: ValueKind, name: &'static str, pattern: &'static str) -> SecretRule {
    (name, pattern, kind)
}

pub(super) const RULES: &[SecretRule] = &[
    rule(
        KeyBlock,
        "private-key",
        r"-----BEGIN (?:[A-Z]+ )*PRIVATE KEY(?: BLOCK)?-----(?:\s|\\[nr])*[A-Za-z0-9+/=\r\n\\:, -]{40,}",
    ),
    issued("aws-access-key", r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b"),
    issued("github-token", r"\bgh[pousr]_[A-Za-z0-9]{36,255}\b"),
    issued(
        "github-fine-grained-token",
        r"\bgithub_pat_[A-Za-z0-9_]{60,255}\b",
    ),
    issued("gitlab-token", r"\bglpat-[A-Za-z0-9_-]{20,}"),
    issued("slack-token", r"\bxox[abcdeoprs]-[A-Za-z0-9%-]{20,}"),
    issued(
        "slack-webhook",
        r"https://hooks\.slack\.com/(?:services|workflows|triggers)/[TE][A-Z0-9]+/[A-Z0-9]+/(?:[0-9]+/)?[A-Za-z0-9]{20,}",
    ),
    issued("stripe-key", r"\b[rs]k_live_[A-Za-z0-9]{20,}\b"),
    issued("google-api-key", r"\bAIza[A-Za-z0-9_-]{35}"),
    issued("anthropic-key", r"\bsk-ant-[A-Za-z0-9_-]{24,}"),
    issued(
        "openai-key",
        r"\bsk-(?:proj|svcacct|admin)-[A-Za-z0-9_-]{24,}|\bsk-[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}\b",
    ),
    issued("npm-token", r"\bnpm_[A-Za-z0-9]{36}\b"),
    issued("pypi-token", r"\bpypi-AgE[A-Za-z0-9_-]{50,}"),
    issued("crates-io-token", r"\bcio[A-Za-z0-9]{32}\b"),
    issued(
        "sendgrid-key",
        r"\bSG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}",
    ),
    issued("azure-storage-key", r"AccountKey=[A-Za-z0-9+/]{80,}={0,2}"),
    issued("hugging-face-token", r"\bhf_[A-Za-z0-9]{30,}\b"),
    issued("digitalocean-token", r"\bdo[oprt]_v1_[a-f0-9]{60,}\b"),
    issued("shopify-token", r"\bshp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}\b"),
    issued("docker-token", r"\bdckr_(?:pat|oat)_[A-Za-z0-9_-]{20,}"),
    issued("grafana-token", r"\bgl(?:sa|c)_[A-Za-z0-9_+/=]{32,}"),
    issued(
        "gitlab-other-token",
        r"\bgl(?:dt|rt|ptt|soat|cbt|ft|imt|agent)-[A-Za-z0-9_-]{20,}",
    ),
    issued(
        "slack-app-token",
        r"\bxapp-[0-9]-[A-Z0-9]+-[0-9]+-[A-Za-z0-9]{32,}",
    ),
    issued("rubygems-token", r"\brubygems_[a-f0-9]{48}\b"),
    issued("vault-token", r"\bhv[sbr]\.[A-Za-z0-9_-]{24,}"),
    issued(
        "terraform-token",
        r"\b[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_-]{60,}",
    ),
    issued("atlassian-token", r"\bATATT3[A-Za-z0-9_=-]{40,}"),
    issued("linear-key", r"\blin_api_[A-Za-z0-9]{36,}\b"),
    issued("notion-token", r"\bntn_[A-Za-z0-9]{40,}\b"),
    issued("figma-token", r"\bfigd_[A-Za-z0-9_-]{36,}"),
    issued("postman-key", r"\bPMAK-[a-f0-9]{24}-[a-f0-9]{34}\b"),
    issued("sentry-token", r"\bsntry[su]_[A-Za-z0-9_=+/-]{40,}"),
    issued("groq-key", r"\bgsk_[A-Za-z0-9]{48,}\b"),
    issued("xai-key", r"\bxai-[A-Za-z0-9]{60,}\b"),
    issued("perplexity-key", r"\bpplx-[A-Za-z0-9]{40,}\b"),
    issued("replicate-token", r"\br8_[A-Za-z0-9]{37}\b"),
    issued("openrouter-key", r"\bsk-or-v1-[a-f0-9]{60,}\b"),
    issued("age-key", r"\bAGE-SECRET-KEY-1[A-Z0-9]{50,}\b"),
    issued(
        "tailscale-key",
        r"\btskey-[a-z]+-[A-Za-z0-9]{8,}-[A-Za-z0-9]{20,}\b",
    ),
    issued("square-token", r"\bsq0(?:atp|csp)-[A-Za-z0-9_-]{22,}"),
    issued("twilio-key", r"\bSK[0-9a-f]{32}\b"),
    issued("mailgun-key", r"\bkey-[0-9a-f]{32}\b"),
    issued("brevo-key", r"\bxkeysib-[a-f0-9]{64}-[A-Za-z0-9]{16}\b"),
    issued("google-oauth-secret", r"\bGOCSPX-[A-Za-z0-9_-]{28}"),
    // A value that ends in a dash ends no word.
    issued("telegram-token", r"\b[0-9]{8,10}:AA[A-Za-z0-9_-]{33}"),
    issued(
        "discord-webhook",
        r"https://(?:\w+\.)?discord(?:app)?\.com/api/webhooks/[0-9]{17,20}/[A-Za-z0-9_-]{60,}",
    ),
    issued("databricks-token", r"\bdapi[a-f0-9]{32}(?:-[0-9])?\b"),
    issued(
        "doppler-token",
        r"\bdp\.(?:pt|st|ct|sa|scim|audit)\.(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{40,44}\b",
    ),
    rule(
        BehindWord,
        "supabase-token",
        r"\bsbp_[a-f0-9]{40}\b|\bsb_secret_[A-Za-z0-9_-]{31,}",
    ),
    rule(BehindWord, "notion-secret", r"\bsecret_[A-Za-z0-9]{43}\b"),
    issued("new-relic-key", r"\bNRAK-[A-Z0-9]{27}\b"),
    issued("fly-token", r"\bFlyV1 fm[12][ar]?_[A-Za-z0-9+/=_-]{60,}"),
    rule(BehindWord, "netlify-token", r"\bnfp_[A-Za-z0-9]{36,}\b"),
    rule(
        BehindWord,
        "planetscale-token",
        r"\bpscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.=-]{32,}",
    ),
    issued("airtable-token", r"\bpat[A-Za-z0-9]{14}\.[a-f0-9]{64}\b"),
    issued("pulumi-token", r"\bpul-[a-f0-9]{40}\b"),
    issued(
        "dynatrace-token",
        r"\bdt0[cs]0[12]\.[A-Z0-9]{24}\.[A-Z0-9]{64}\b",
    ),
    issued("circleci-token", r"\bCCIPAT_[A-Za-z0-9]{22}_[a-f0-9]{40}\b"),
    issued("1password-token", r"\bops_eyJ[A-Za-z0-9+/_-]{100,}={0,3}"),
    rule(BehindWord, "nvidia-key", r"\bnvapi-[A-Za-z0-9_-]{60,}"),
    issued(
        "langsmith-key",
        r"\blsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}\b",
    ),
    issued(
        "pinecone-key",
        r"\bpcsk_[A-Za-z0-9]{5,6}_[A-Za-z0-9]{50,}\b",
    ),
    rule(
        BehindWord,
        "tavily-key",
        r"\btvly-(?:[a-z]{2,5}-)?[A-Za-z0-9-]{32,}\b",
    ),
    rule(BehindWord, "webhook-secret", r"\bwhsec_[A-Za-z0-9+/]{32,}"),
    issued(
        "mapbox-token",
        r"\bsk\.eyJ[A-Za-z0-9_-]{30,}\.[A-Za-z0-9_-]{20,}",
    ),
    issued(
        "npm-auth",
        r"(?m):_(?:authToken|auth|password)\s*=\s*([A-Za-z0-9+/=_-]{12,})\s*$",
    ),
    rule(
        Plain,
        "plain-value",
        r"(?m)^[ \t]*(?:export[ \t]+|-[ \t]+)?(?i:[a-z0-9_.-]{0,40}(?:secret|token|passwd|password|api[_-]?key|access[_-]?key|private[_-]?key|credential)[a-z0-9_]{0,20})[ \t]{0,2}[:=][ \t]{0,2}([A-Za-z0-9+/_=!@#%^&*~-]{12,200})[ \t]*(?:#[^\n]*)?\r?$",
    ),
    rule(
        ShortPassword,
        "short-password",
        r#"(?i)\b[a-z0-9_.-]{0,40}(?:passwd|password|passphrase)["']?\s{0,4}(?:=>|:=|[:=])\s{0,4}["']([^\s"']{8,15})["']"#,
    ),
    rule(
        InUrl,
        "password-in-url",
        r"\b[a-z][a-z0-9+.-]{1,20}://[^\s/:@'\x22<>{}$]{1,64}:([^\s/:@'\x22<>{}$]{8,})@[A-Za-z0-9.-]+",
    ),
    rule(
        Quoted,
        "secret-value",
        r#"(?i)\b[a-z0-9_.-]{0,40}(?:secret|token|passwd|password|api[_-]?key|access[_-]?key|private[_-]?key|credential)[a-z0-9_]{0,20}["']?\s{0,4}(?:=>|:=|[:=])\s{0,4}["']([^\s"']{16,200})["']"#,
    ),
];
