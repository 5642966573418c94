use super::*;
use crate::agents::class_of_error;
use crate::model::status_machine::Word;

fn check(message: &str, class: &str, reset: Option<u64>) {
    let error = ApiError::reported(None, None, message);
    assert_eq!(class_of_error(&error).class().word(), class, "{message}");
    assert_eq!(error.reset, reset.map(Reset::After), "{message}");
}

#[test]
fn a_sentence_tells_its_class_and_its_wait() {
    for (message, class, reset) in [
        (
            "unexpected status 401 Unauthorized: invalid x-api-key, url: http://127.0.0.1:44417/v1",
            "auth",
            None,
        ),
        (
            "exceeded retry limit, last status: 429 Too Many Requests, request id: r_1",
            "limit",
            None,
        ),
        (
            "Quota exceeded. Check your plan and billing details.",
            "quota",
            None,
        ),
        ("429 You exceeded your current quota", "quota", None),
        (
            "unexpected status 529 <unknown status code>: Overloaded",
            "overloaded",
            None,
        ),
        (
            "We’re currently experiencing high demand, which may cause temporary errors.",
            "overloaded",
            None,
        ),
        (
            "stream disconnected before completion: idle timeout waiting for SSE",
            "network",
            None,
        ),
        (
            "{\"error\":{\"code\":503,\"message\":\"busy\"}}",
            "overloaded",
            None,
        ),
        (
            "You've hit your usage limit. Try again in 2 days 3 hours 5 minutes.",
            "limit",
            Some(183_900),
        ),
        (
            "Rate limit reached for tokens. Please try again in 1.5s.",
            "limit",
            Some(2),
        ),
        ("rate limit; retry-after: 30", "limit", Some(30)),
        ("rate limit; try again in 900 days", "limit", None),
        (
            "usage limit reached, resets 3pm (Europe/Berlin)",
            "limit",
            None,
        ),
        (
            "litellm.AuthenticationError: AuthenticationError: OpenAIException - invalid",
            "auth",
            None,
        ),
        (
            "You have exhausted your capacity on this model. Your quota will reset after 3h20m5s.",
            "limit",
            Some(12_005),
        ),
        (
            "Quota exceeded for quota metric 'Requests' and limit 'Requests per day per user'",
            "limit",
            None,
        ),
        (
            "Please set an Auth method in your /home/user/.gemini/settings.json or specify GEMINI_API_KEY",
            "auth",
            None,
        ),
        (
            "No auth type is selected. Please configure an auth type",
            "auth",
            None,
        ),
        // Numbers that are no status, and words that tell nothing.
        ("wrote 404 lines", "crashed", None),
        ("listening on port 503", "crashed", None),
        ("something went wrong", "crashed", None),
    ] {
        check(message, class, reset);
    }
}

#[test]
fn a_moment_is_read_in_every_form_that_names_its_zone() {
    let at = Some(Reset::At(1_795_316_400));
    for (text, want) in [
        ("30", Some(Reset::After(30))),
        ("1.2", Some(Reset::After(2))),
        ("0", Some(Reset::After(0))),
        ("-5", None),
        ("nan", None),
        ("soon", None),
        ("", None),
        ("1795316400", at),
        ("1795316400000", at),
        ("Sun, 22 Nov 2026 03:00:00 GMT", at),
        ("2026-11-22T03:00:00Z", at),
        ("2026-11-22T05:00:00+02:00", at),
        ("2026-11-21T22:00:00.500-05:00", at),
        ("2026-11-22 03:00", None),
    ] {
        assert_eq!(reset_named(text), want, "{text}");
    }
    let told = "usage limit reached; it resets at 2026-11-22T05:00:00+02:00.";
    assert_eq!(ApiError::reported(None, None, told).reset, at);
}

#[test]
fn typed_fields_win_over_words_except_for_credit() {
    for (status, kind, message, class) in [
        (Some(500), "query", "see the rate limit page", "overloaded"),
        (
            Some(429),
            "rate_limit",
            "You exceeded your current quota",
            "quota",
        ),
        (Some(401), "authentication", "timeout", "auth"),
        (None, "unknown", "Overloaded", "overloaded"),
    ] {
        let error = ApiError::reported(status, Some(kind.into()), message);
        assert_eq!(class_of_error(&error).class().word(), class, "{message}");
    }
}

#[test]
fn the_last_telling_line_of_standard_error_counts() {
    let text =
        "loading\nError: 503 from proxy\n\nHTTP 401 from the server\n    at foo (bar.js:429:1)\n";
    let error = in_stderr(text).expect("a line tells");
    assert_eq!(class_of_error(&error).class().word(), "auth");
    assert_eq!(in_stderr("Working\n404 files\nDone\n"), None);
}
