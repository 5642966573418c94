use super::*;
use crate::agents::class_of_error;
use crate::model::status_machine::Word;
use jiff::Timestamp;
use jiff::tz::TimeZone;

const NOW: &str = "2026-11-22T09:40:00Z";

/// The machine of these sentences is in Paris, in winter.
fn zones(name: Option<&str>) -> Option<TimeZone> {
    let minutes = match name {
        None | Some("europe/paris") => 60,
        Some("europe/london") => 0,
        Some("europe/moscow") => 180,
        Some("america/new_york" | "america/lima") => -300,
        Some("america/los_angeles") => -480,
        Some("asia/dhaka") => 360,
        Some("asia/seoul") => 540,
        Some(_) => return None,
    };
    Some(TimeZone::fixed(
        jiff::tz::Offset::from_seconds(minutes * 60).ok()?,
    ))
}

/// Each line of the list is a class, when the limit ends, and a sentence; `GATEWALK_BLESS=1` writes the first two anew.
#[test]
fn every_sentence_of_the_list_shows_its_class_and_its_end() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../tests/fixtures/faults/sentences.tsv");
    let list = std::fs::read_to_string(&path).unwrap();
    let now: Timestamp = NOW.parse().unwrap();
    let mut read = String::new();
    for line in list.lines() {
        let sentence = line.splitn(3, '\t').nth(2).unwrap();
        let error = ApiError::reported(None, None, &sentence.replace("\\n", "\n"));
        let wait = error
            .reset
            .as_ref()
            .and_then(|reset| reset.wait(now, &zones));
        let end = wait.map(|wait| now.saturating_add(wait).unwrap().to_string());
        let end = end.unwrap_or_else(|| "-".into());
        read += &format!(
            "{}\t{end}\t{sentence}\n",
            class_of_error(&error).class().word()
        );
    }
    if std::env::var_os("GATEWALK_BLESS").is_some() {
        return std::fs::write(&path, read).unwrap();
    }
    let wrong: Vec<String> = std::iter::zip(list.lines(), read.lines())
        .filter(|(want, got)| want != got)
        .map(|(want, got)| format!("want {want}\n got {got}"))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(list.lines().count() > 140);
}

fn check(message: &str, class: &str, reset: Option<u64>) {
    let error = ApiError::reported(None, None, message);
    assert_eq!(class_of_error(&error).class().word(), class, "{message}");
    assert_eq!(error.reset, reset.map(Reset::After), "{message}");
}

#[test]
fn a_sentence_shows_its_class_and_its_wait() {
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
        ("You have reached your weekly limit", "limit", None),
        (
            "429 You exceeded your current quota, check your plan and billing details. Please retry in 18h2m5s.",
            "limit",
            Some(64_925),
        ),
        (
            "You have exhausted your daily quota on this model.",
            "limit",
            None,
        ),
        (
            "400 You have reached your specified API usage limits. You will regain access in 3 days.",
            "limit",
            Some(259_200),
        ),
        (
            "Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing",
            "quota",
            None,
        ),
        ("402 Payment Required", "quota", None),
        (
            "Error: 400 API key not valid. Please pass a valid API key.",
            "auth",
            None,
        ),
        (
            "Your access token could not be refreshed. Please log out and sign in again.",
            "auth",
            None,
        ),
        ("Missing environment variable: `FMS_KEY`.", "auth", None),
        (
            "The model `gpt-9` does not exist or you do not have access to it.",
            "protocol",
            None,
        ),
        (
            "[API Error: models/gemini-9 is not found for API version v1beta]",
            "protocol",
            None,
        ),
        ("Model 'fake-model' not found on provider", "protocol", None),
        (
            "The model is not available right now because of high demand",
            "overloaded",
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
        (None, "unknown", "something else", "crashed"),
        (
            Some(400),
            "invalid_request_error",
            "API key not valid",
            "auth",
        ),
        (
            Some(400),
            "invalid_request_error",
            "Credit balance is too low",
            "quota",
        ),
        (
            Some(400),
            "invalid_request_error",
            "prompt is too long",
            "protocol",
        ),
        (
            Some(500),
            "api_error",
            "the model does not exist",
            "overloaded",
        ),
        (Some(403), "permission_error", "model not found", "auth"),
    ] {
        let error = ApiError::reported(status, Some(kind.into()), message);
        assert_eq!(class_of_error(&error).class().word(), class, "{message}");
    }
}

#[test]
fn the_last_line_of_standard_error_that_shows_something_counts() {
    let text =
        "loading\nError: 503 from proxy\n\nHTTP 401 from the server\n    at foo (bar.js:429:1)\n";
    let error = in_stderr(text).expect("a line tells");
    assert_eq!(class_of_error(&error).class().word(), "auth");
    assert_eq!(in_stderr("Working\n404 files\nDone\n"), None);
}

#[test]
fn a_model_that_is_not_there_is_known_for_one() {
    for (status, kind, message, want) in [
        (Some(404), Some("not_found_error"), "model: claude-9", true),
        (Some(404), Some("model_not_found"), "whatever", true),
        (
            None,
            None,
            "The model `x` does not exist or you do not have access to it.",
            true,
        ),
        (None, None, "unexpected status 404: model_not_found", true),
        (
            None,
            None,
            "The 'gpt-9' model is not supported when using Codex with a ChatGPT account.",
            true,
        ),
        (Some(404), None, "file not found", false),
        (
            None,
            None,
            "This model's maximum context length is 8192 tokens",
            false,
        ),
    ] {
        let error = ApiError::reported(status, kind.map(str::to_owned), message);
        assert_eq!(error.is_unknown_model(), want, "{message}");
    }
}
