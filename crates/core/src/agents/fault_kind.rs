//! What kind of fault a typed word names: `rate_limit_error`, `DeploymentNotFound`, `RESOURCE_EXHAUSTED`. One list for
//! every provider and program, whatever it writes words with.

/// What was at fault, as far as a word of a program or server tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum FaultKind {
    /// The account must be paid for.
    NoCredit,
    /// The request will never fit, however long one waits.
    TooLarge,
    /// The model that was asked for is not there, or not for this account.
    NoModel,
    /// A filter let the request or its answer not through, whatever status says so.
    Content,
    /// A limit that ends by itself.
    Limit,
    /// Not logged in, or not allowed.
    NoAccess,
    /// The server is busy or broken.
    Server,
    /// The server was not reached, or broke off.
    Network,
    /// Something else about the request.
    Request,
}

/// Parts of words, in lower case and without what joins them; the first row with one that is in a word counts.
const WORDS: &[(FaultKind, &str)] = &[
    // A field that is too much, not a request that is not allowed.
    (FaultKind::Request, "extraforbidden"),
    (
        FaultKind::NoModel,
        "modelnotfound|modelnotexist|modelnotsupported|modeldecommissioned|modelaccessdenied|modelpermission|invalidmodel|unknownmodel|\
        endpointormodel|deploymentnotfound",
    ),
    (
        FaultKind::TooLarge,
        "requesttoolarge|prompttoolong|contextlength|contextwindow|contextlimit|contextoverflow|contextsize|\
        tokenslimitreached|stringabovemaxlength",
    ),
    (
        FaultKind::Content,
        "contentfilter|contentpolicy|inspectionfailed|policyviolation|moderation",
    ),
    (
        FaultKind::NoCredit,
        "quota|billing|credit|payment|arrear|overdue|usagenotincluded|insufficientbalance|budgetexceeded|nosubscription",
    ),
    (
        FaultKind::NoAccess,
        "auth|permission|forbidden|accessdenied|credential|apikey|expiredtoken|tokenexpired|sessionexpired|\
        unrecognizedclient|invalidsignature|onhold|deactivated|suspended|organizationrestricted|ineligible|verificationrequired|validationrequired",
    ),
    (
        FaultKind::Limit,
        "ratelimit|ratereached|limitrequests|requestlimit|toomanyrequests|toomanytokens|usagelimit|setlimit|resourceexhausted|throttl|slowdown|\
        limitburst|capacityexceeded|freeusage|concurrencylimit",
    ),
    (
        FaultKind::Server,
        "overload|modelcapacity|servererror|unavailable|internal|badgateway|notready|modelstreamerror|invalidstream|emptycompletion|toolusefailed",
    ),
    (
        FaultKind::Request,
        "invalid|notfound|toolarge|toolong|context|maxoutput|outputlength|badrequest|unprocessable|unsupported|validation",
    ),
    (
        FaultKind::Network,
        "connect|network|timeout|timedout|socket|dns|deadline|canceled|cancelled",
    ),
];

impl FaultKind {
    /// Returns the kind that a word names; `None` for one that is not known, or that is said of every fault.
    pub(crate) fn of_word(word: &str) -> Option<FaultKind> {
        // What Anthropic's servers call their own fault; other words with these letters are any fault of an API.
        if word.eq_ignore_ascii_case("api_error") {
            return Some(FaultKind::Server);
        }
        let mut word = word.to_ascii_lowercase();
        word.retain(|c| c.is_ascii_alphanumeric());
        if word == "modelerror" {
            return Some(FaultKind::NoModel);
        }
        let named = |parts: &str| parts.split('|').any(|part| word.contains(part));
        let row = WORDS.iter().find(|(_, parts)| named(parts));
        row.map(|(kind, _)| *kind)
    }

    /// Returns the word by which this program names it; [`FaultKind::of_word`] reads it back.
    pub(super) fn word(self) -> &'static str {
        match self {
            FaultKind::NoCredit => "insufficient_quota",
            FaultKind::TooLarge => "request_too_large",
            FaultKind::NoModel => "model_not_found",
            FaultKind::Content => "content_filter",
            FaultKind::Limit => "rate_limit",
            FaultKind::NoAccess => "authentication",
            FaultKind::Server => "overloaded",
            FaultKind::Network => "network",
            FaultKind::Request => "invalid_request",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use FaultKind::*;

    #[test]
    fn a_typed_word_names_its_kind_whatever_joins_its_parts() {
        for (word, want) in [
            ("rate_limit_error", Some(Limit)),
            ("RateLimitReached", Some(Limit)),
            ("RESOURCE_EXHAUSTED", Some(Limit)),
            ("service_tier_capacity_exceeded", Some(Limit)),
            ("limit_burst_rate", Some(Limit)),
            ("SetLimitExceeded", Some(Limit)),
            ("TerminalQuotaError", Some(NoCredit)),
            ("CreditsError", Some(NoCredit)),
            ("AccountOverdueError", Some(NoCredit)),
            ("usage_not_included", Some(NoCredit)),
            ("cloud_credential_error", Some(NoAccess)),
            ("account_on_hold", Some(NoAccess)),
            ("verification_required", Some(NoAccess)),
            ("ValidationRequiredError", Some(NoAccess)),
            ("UNAUTHENTICATED", Some(NoAccess)),
            ("DeploymentNotFound", Some(NoModel)),
            ("ProviderModelNotFoundError", Some(NoModel)),
            ("key_model_access_denied", Some(NoModel)),
            ("model_permission_blocked_org", Some(NoModel)),
            ("InsufficientModelCapacity", Some(Server)),
            ("ModelError", Some(NoModel)),
            ("ModelStreamErrorException", Some(Server)),
            ("InvalidStreamError", Some(Server)),
            ("exceed_context_size_error", Some(TooLarge)),
            ("InvalidSignatureException", Some(NoAccess)),
            ("limit_requests", Some(Limit)),
            ("MessageOutputLengthError", Some(Request)),
            ("ValidationException", Some(Request)),
            ("data_inspection_failed", Some(Content)),
            ("ResponsibleAIPolicyViolation", Some(Content)),
            ("extra_forbidden", Some(Request)),
            ("organization_restricted", Some(NoAccess)),
            ("NOT_FOUND", Some(Request)),
            ("api_error", Some(Server)),
            ("APIError", None),
            ("UNAVAILABLE", Some(Server)),
            ("DEADLINE_EXCEEDED", Some(Network)),
            ("CANCELLED", Some(Network)),
            ("TypeError", None),
            ("AI_APICallError", None),
            ("query", None),
            ("", None),
        ] {
            assert_eq!(FaultKind::of_word(word), want, "{word}");
        }
    }

    #[test]
    fn its_own_word_names_each_kind() {
        for kind in [
            NoCredit, TooLarge, NoModel, Content, Limit, NoAccess, Server, Network, Request,
        ] {
            assert_eq!(FaultKind::of_word(kind.word()), Some(kind));
        }
    }
}
