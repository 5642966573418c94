//! The words by which programs and servers tell a kind of fault, in lower case, each list parted by bars: data, and
//! nothing else.

use crate::agents::fault_kind::FaultKind;

/// Words that tell a kind, the most telling first.
pub(super) const KINDS: &[(FaultKind, &str)] = &[
    (FaultKind::TooLarge, TOO_LARGE),
    (FaultKind::NoCredit, NO_CREDIT),
    (FaultKind::Limit, QUOTA_THAT_RETURNS),
    (FaultKind::NoCredit, BILL),
    (FaultKind::Limit, RATE),
    (FaultKind::Network, NO_TUNNEL),
    (FaultKind::Network, UNREACHED),
    (FaultKind::Content, FILTERED),
    (FaultKind::NoAccess, NO_ACCOUNT),
    (FaultKind::Server, FAILING_SERVER),
    (FaultKind::Request, REFUSED),
    (FaultKind::Request, OLD_PROGRAM),
    (FaultKind::Network, NO_SERVER),
    (FaultKind::NoCredit, LESSER_PLAN),
];

/// It will never fit, however long one waits.
const TOO_LARGE: &str = "request too large|context length|context_length|context window|contextwindow|context limit|\
    prompt is too long|prompt as too long|input is too long|maximum length|maximum number of tokens|\
    conversation too long|conversation is too long|exceeds max length|truncated because it exceeded";

/// A quota that comes back by itself.
const QUOTA_THAT_RETURNS: &str = "daily quota|daily limit|weekly limit|monthly limit|monthly request limit|session limit|\
    usage limit|hour limit|extra usage|exhausted your capacity|allocated quota exceeded|\
    resource exhausted|resource has been exhausted|per day|per_day|perday|quota will reset|per minute|\
    per_minute|perminute|quota increase";

const BILL: &str = "exceeded your current quota|quota exceeded|quota_exceeded|quota exhausted|billing|add credits|\
    purchase credits|buy credits|top up";

const RATE: &str = "rate limit|ratelimit|rate_limit|rate-limit|too many request|too many tokens|request limit|\
    limit reached|limit exceeded|resource_exhausted|premium requests|throttl|concurrent|concurrency limit|\
    concurrency usage|\
    limiting requests|limiting sign-in attempts|free requests|out of requests|out of codex messages|\
    frequency has been limited|\
    / minute";

/// What a filter says of a request or an answer; some servers call that forbidden.
const FILTERED: &str = "content filter|content_filter|content policy|content management policy|\
    requires moderation|input was flagged|prompt was flagged|request was flagged|blocked due to|blocked finish reason|unsafe or sensitive";

const REFUSED: &str = "too large|output token maximum|usage policy|flagged for|flagged as|flagged by|invalid request|\
    invalid_request|badrequest|bad request|unsupported parameter|unsupported value|endpoint not found|\
    could not be verified|not represent a valid image|invalid image|max_output_tokens|1m context is not available|\
    does not support|unprocessable|tool use concurrency|invalid params| notfounderror|\
    .notfounderror";

/// A program that its server no longer serves: it is not a better plan that it is to upgrade to.
const OLD_PROGRAM: &str = "needs an update|out of date|newer version is required|no longer supported|to the latest version|\
    to a newer version|version is too old|is outdated|please update your|upgrade required|upgrade your client|\
    minimum supported version|minimum version|unsupported client version|client version is";

/// A plan that does not have it.
const LESSER_PLAN: &str = "upgrade to |upgrade your plan|recharge|not yet include|does not include|not included in|\
    upgrade plans";

/// A proxy that lets nothing through; its password is not the agent's.
const NO_TUNNEL: &str =
    "unsuccessful tunnel|http tunneling|proxy authentication|proxy authorization";

/// No server was reached, whatever name the program has for a fault of one.
pub(super) const UNREACHED: &str = "certificate_verify_failed|certificate verify failed|local issuer certificate|\
    self signed certificate|self-signed certificate|getaddrinfo";

/// The account must be topped up before anything goes on.
const NO_CREDIT: &str = "insufficient_quota|insufficient quota|credit balance|out of credits|no credits|credits_exhausted|\
    requires more credits|can only afford|payment required|payment method|spending limit|spend limit|\
    spend cap|spending cap|over budget|budget has been exceeded|budget_exceeded|billing_error|\
    billing hard limit|billing_hard_limit|in arrears|arrearage|overdue-payment|no active subscription|\
    key limit exceeded|\
    no quota|limit is set to $0|free allocated quota|request allowance|out of usage credits|included credits|\
    overdue balance|unpaid invoice|extra usage credits|freetieronly|free tier of the model|extra usage is required|paid credits|余额不足|欠费|残高が不足";

const NO_ACCOUNT: &str = "unauthorized|unauthorised|unauthenticated|authenticat|not authorized|invalid key|\
    invalid x-api-key|x-api-key header|invalid_api_key|api_key_invalid|not logged in|logged out|\
    auth method|auth type|auth credentials|/login|please log in|please login|log in again|\
    login required|sign in|signed in|refresh token|expiredtoken|invalid access token|invalid bearer|\
    invalid token|security token|bad credentials|forbidden|failed to login|be logged in|run /auth|\
    verify your account|invalid_grant|token refresh failed|only authorized for|\
    not enabled for this account|session expired|no credentials|credentials in the environment have expired|\
    credential may lack|available in your region|available in your country|invalid credentials|\
    could not load credentials|credentialsprovider|accessdenied|access denied|permission_denied|\
    denied on resource|user not found|not eligible|location is not supported|unsupported_country|\
    territory not supported|organization has been disabled|organization has disabled|\
    account has been disabled|account has been deactivated|account has been suspended|account is on hold|\
    account_deactivated|not configured any provider|no provider configured|refresh oauth token|\
    refresh your login|sso session|default credentials|login`|with /auth|must be verified|\
    verify your identity|insufficient permissions|missing scopes|member of an organization|\
    authorization not received|authorization required|keychain is locked|access keyring|secure storage|organization has been restricted|\
    has not been used in project|disabled in this account|valid license|license is required|not entitled";

const FAILING_SERVER: &str = "overloaded|high demand|at capacity|no capacity|[unavailable]|internal server error|internal error|\
    internalservererror|serviceunavailable|service unavailable|temporarily unavailable|\
    currently unavailable|high traffic|server error|server_error|bad gateway|gateway timeout|gateway time-out|\
    upstream error|upstream connect error|outage|provider returned error|\
    error while processing your request|error occurred while processing your request|\
    no output generated|unparsable response|json parsing failed|not valid json|invalid json|failed to parse|unexpected token '<'|\
    unexpected token <|unrecognized token '<'|in json at position|unexpected identifier \"html\"|high load";

const NO_SERVER: &str = "connection stalled|connection dropped|connection interrupted|connection aborted|stream disconnected|stream error|socket connection|socket hang up|connection refused|\
    connection reset|connection closed|connection error|connection failed|connection lost|\
    connection terminated|connectionerror|cannot connect|unable to connect|broken pipe|peer closed|\
    premature close|other side closed|unexpected eof|incomplete chunked read|\
    error decoding response body|error sending request|fetch failed|network error|zliberror|\
    network is unreachable|no route to host|econnrefused|econnreset|(enotfound| enotfound|enetunreach|\
    ehostunreach|epipe|eai_again|etimedout|und_err|timed out|timeout|request was aborted|\
    api error: terminated|dns error|getaddrinfo|name resolution|could not resolve host|\
    name or service not known|certificate|issuer_cert|tls handshake|tls connection was|err_tls|\
    err_ssl|err_http2|request failed and the interceptors|without a finish reason|stream ended|empty response|\
    failed to get response|typo in the url|api error: unexpected end of json|connect response|\
    failed to lookup address|dispatch failure|no running ollama server";

/// What an account pays with, and that there is none of it left.
pub(super) const MONEY: &str = "balance|credit|funds";
pub(super) const USED_UP: &str = "insufficient|depleted|exhausted|enough|low|negative|overdue";

/// What an account may use for a time, and that the time is over.
pub(super) const PLANS: &str = "trial|subscription";
pub(super) const OVER: &str = "expired|ended|lapsed|inactive|canceled|cancelled";

/// What an account has a share of, and that its share is used up.
pub(super) const SHARES: &str = "quota";
pub(super) const SPENT: &str = "exhausted|depleted|exceeded|replenished";

/// What answers, and that it has too much to do.
pub(super) const SERVERS: &str = "server|service|system|model";
pub(super) const BUSY: &str = "busy";

/// What an account is known by, and what may be wrong with it.
pub(super) const KEYS: &str = "api key|api-key|api_key|apikey|_token|access token|oauth token|environment variable|token is|\
    token has|credentials have been|token or|or token|your session|env var|bearer token";
pub(super) const LACKING: &str = "no|not|missing|must|please|required|specify|invalid|incorrect|wrong|expired|revoked|disabled|\
    denied|unset|requires";

/// What stands before the name of a limit that was met: `You've hit your Opus limit`.
pub(super) const LIMIT_VERBS: &str =
    "hit your|hit the|hit a|reached your|reached the|exceeded your";

/// What a sentence says of a model that is not there, or not for this account.
pub(super) const LACKS_MODEL: &str = "not found|not exist|is not supported|only supported in|not available|is not a valid|no access to|\
    not have access|n't have access|unknown model|invalid model|unsupported model|no such model|\
    requires a newer version|cannot use this model|been deprecated|been decommissioned|\
    no longer supported|no longer available|model not supported|identifier is invalid|model access denied|\
    model.accessdenied|could not be resolved|has been blocked by|has been disabled by";

/// What a sentence says of a model that will be there again.
pub(super) const PASSING: &str = "overload|demand|capacity|temporar|limit";

/// Whom else a line of standard error may be about: a tool server, a hook, a tool that the session called.
pub(super) const OTHERS: &str = "mcp|::tools::|tool failed| tool=|hook |extension";
