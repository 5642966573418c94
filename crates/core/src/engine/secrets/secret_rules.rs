//! The shapes that issuers give their secrets.

/// Each rule's name and pattern.
pub(super) const RULES: &[(&str, &str)] = &[
    (
        "private-key",
        r"-----BEGIN (?:[A-Z]+ )*PRIVATE KEY(?: BLOCK)?-----(?:\s|\\[nr])*[A-Za-z0-9+/=\r\n\\:, -]{40,}",
    ),
    ("aws-access-key", r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b"),
    ("github-token", r"\bgh[pousr]_[A-Za-z0-9]{36,255}\b"),
    (
        "github-fine-grained-token",
        r"\bgithub_pat_[A-Za-z0-9_]{60,255}\b",
    ),
    ("gitlab-token", r"\bglpat-[A-Za-z0-9_-]{20,}"),
    ("slack-token", r"\bxox[abcdeoprs]-[A-Za-z0-9%-]{20,}"),
    (
        "slack-webhook",
        r"https://hooks\.slack\.com/(?:services|workflows|triggers)/[TE][A-Z0-9]+/[A-Z0-9]+/(?:[0-9]+/)?[A-Za-z0-9]{20,}",
    ),
    ("stripe-key", r"\b[rs]k_live_[A-Za-z0-9]{20,}\b"),
    ("google-api-key", r"\bAIza[A-Za-z0-9_-]{35}"),
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
        r"\bxapp-[0-9]-[A-Z0-9]+-[0-9]+-[A-Za-z0-9]{32,}",
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
    ("google-oauth-secret", r"\bGOCSPX-[A-Za-z0-9_-]{28}"),
    // A value that ends in a dash ends no word.
    ("telegram-token", r"\b[0-9]{8,10}:AA[A-Za-z0-9_-]{33}"),
    (
        "discord-webhook",
        r"https://(?:\w+\.)?discord(?:app)?\.com/api/webhooks/[0-9]{17,20}/[A-Za-z0-9_-]{60,}",
    ),
    ("databricks-token", r"\bdapi[a-f0-9]{32}(?:-[0-9])?\b"),
    (
        "doppler-token",
        r"\bdp\.(?:pt|st|ct|sa|scim|audit)\.(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{40,44}\b",
    ),
    (
        "supabase-token",
        r"\bsbp_[a-f0-9]{40}\b|\bsb_secret_[A-Za-z0-9_-]{31,}",
    ),
    ("notion-secret", r"\bsecret_[A-Za-z0-9]{43}\b"),
    ("new-relic-key", r"\bNRAK-[A-Z0-9]{27}\b"),
    ("fly-token", r"\bFlyV1 fm[12][ar]?_[A-Za-z0-9+/=_-]{60,}"),
    ("netlify-token", r"\bnfp_[A-Za-z0-9]{36,}\b"),
    (
        "planetscale-token",
        r"\bpscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.=-]{32,}",
    ),
    ("airtable-token", r"\bpat[A-Za-z0-9]{14}\.[a-f0-9]{64}\b"),
    ("pulumi-token", r"\bpul-[a-f0-9]{40}\b"),
    (
        "dynatrace-token",
        r"\bdt0[cs]0[12]\.[A-Z0-9]{24}\.[A-Z0-9]{64}\b",
    ),
    ("circleci-token", r"\bCCIPAT_[A-Za-z0-9]{22}_[a-f0-9]{40}\b"),
    ("1password-token", r"\bops_eyJ[A-Za-z0-9+/_-]{100,}={0,3}"),
    ("nvidia-key", r"\bnvapi-[A-Za-z0-9_-]{60,}"),
    (
        "langsmith-key",
        r"\blsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}\b",
    ),
    (
        "pinecone-key",
        r"\bpcsk_[A-Za-z0-9]{5,6}_[A-Za-z0-9]{50,}\b",
    ),
    ("tavily-key", r"\btvly-(?:[a-z]{2,5}-)?[A-Za-z0-9-]{32,}\b"),
    ("webhook-secret", r"\bwhsec_[A-Za-z0-9+/]{32,}"),
    (
        "mapbox-token",
        r"\bsk\.eyJ[A-Za-z0-9_-]{30,}\.[A-Za-z0-9_-]{20,}",
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
