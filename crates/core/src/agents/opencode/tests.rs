use super::*;
use crate::agents::Listener;

#[test]
fn the_headers_of_an_answer_tell_when_its_limit_ends() {
    for (headers, want) in [
        (
            r#"{"retry-after-ms":"90000","retry-after":"7"}"#,
            Some(Reset::After(90)),
        ),
        (r#"{"retry-after":"120"}"#, Some(Reset::After(120))),
        (
            r#"{"anthropic-ratelimit-unified-reset":"1795383000"}"#,
            Some(Reset::At(1_795_383_000)),
        ),
        (
            r#"{"x-ratelimit-reset-requests":"6m0s","x-ratelimit-remaining-requests":"0"}"#,
            Some(Reset::After(360)),
        ),
        (
            r#"{"x-ratelimit-reset-tokens":"1.5s","x-ratelimit-remaining-tokens":"0"}"#,
            Some(Reset::After(2)),
        ),
        (
            r#"{"x-ratelimit-reset-requests":"6m0s","x-ratelimit-remaining-requests":"3"}"#,
            None,
        ),
        ("{}", None),
        ("[]", None),
    ] {
        let line = format!(
            r#"{{"type":"error","sessionID":"s","error":{{"name":"APIError","data":{{"statusCode":429,"responseHeaders":{headers}}}}}}}"#
        );
        let mut listener = Listener::new(&OPENCODE);
        listener.line(line.as_bytes(), false);
        let seen = listener.end();
        let reset = seen.errors.back().and_then(|error| error.reset.clone());
        assert_eq!(reset, want, "{headers}");
    }
}

#[test]
fn a_fault_without_a_sentence_is_quoted_by_its_name() {
    let line = r#"{"type":"error","sessionID":"s","error":{"name":"ProviderModelNotFoundError","data":{"providerID":"a","modelID":"b"}}}"#;
    let mut listener = Listener::new(&OPENCODE);
    listener.line(line.as_bytes(), false);
    let seen = listener.end();
    let fault = seen.errors.back().expect("a fault");
    assert_eq!(fault.message, "ProviderModelNotFoundError a b");
    assert!(fault.is_unknown_model());
}
