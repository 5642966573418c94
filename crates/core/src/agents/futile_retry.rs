//! Retries that cannot help: some programs repeat for minutes what the server refuses for a reason that no wait changes.
//!
//! One refusal proves nothing: a program may renew its login and get on, and then thinks in silence.

use super::{Agent, ApiError, Outcome, Session, class_of_error};

/// A fault that a program repeats a request for, and how often it met one since it last got on.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct RepeatedFault {
    pub(super) fault: ApiError,
    pub(super) times: u64,
}

impl RepeatedFault {
    /// Returns what the events of a session tell.
    pub(super) fn of_events(seen: &Session) -> Option<RepeatedFault> {
        Some(RepeatedFault {
            fault: seen.retrying.clone()?,
            times: seen.retries_in_row,
        })
    }

    /// Returns what the lines of a log tell, each as the fault in it. A log does not say where the session got on between
    /// them, nor whether a sub-agent met them, so only one that did nothing yet is stuck.
    pub(super) fn of_log(
        seen: &Session,
        faults: impl Iterator<Item = ApiError>,
    ) -> Option<RepeatedFault> {
        if seen.tool_calls > 0 || !seen.text.as_str().is_empty() {
            return None;
        }
        let mut times = 0;
        let fault = faults.inspect(|_| times += 1).last()?;
        Some(RepeatedFault { fault, times })
    }
}

/// Returns the fault because of which a running session is better ended: nobody but a user can mend it, and the program
/// has met it again after a retry.
pub fn futile_retry(agent: &dyn Agent, seen: &Session) -> Option<ApiError> {
    const TIMES: u64 = 2;
    if seen.finished {
        return None;
    }
    let repeated = (agent.descriptor().repeated_fault)(seen)?;
    (repeated.times >= TIMES && is_lasting(&repeated.fault)).then_some(repeated.fault)
}

/// Records the fault because of which a session was ended as the one that it ended with.
pub fn end_with_futile_retry(agent: &dyn Agent, seen: &mut Session) {
    let Some(mut fault) = futile_retry(agent, seen) else {
        return;
    };
    if fault.message.is_empty() {
        let status = fault.status.map(|status| status.to_string());
        let parts: Vec<String> = status.into_iter().chain(fault.kind.clone()).collect();
        fault.message = parts.join(" ");
    }
    seen.fail_for_good(fault);
}

/// Returns whether only a user can mend a fault. With 429 a server may call a quota used up that comes back in a minute.
fn is_lasting(fault: &ApiError) -> bool {
    match class_of_error(fault) {
        Outcome::Auth => true,
        Outcome::Quota => fault.status != Some(429),
        Outcome::Protocol => fault.is_unknown_model() || fault.is_too_large(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::{Listener, by_name};

    const RETRY: &str =
        r#"{"type":"system","subtype":"api_retry","error_status":STATUS,"error":"KIND"}"#;

    fn retry(status: &str, kind: &str) -> String {
        RETRY.replace("STATUS", status).replace("KIND", kind)
    }

    /// Returns the status of the fault that ends a session which has printed this so far.
    fn ends(agent: &str, stdout: &[&str], stderr: &str) -> Option<String> {
        let agent = by_name(agent).unwrap();
        let mut listener = Listener::new(agent);
        stdout
            .iter()
            .for_each(|line| listener.line(line.as_bytes(), false));
        listener.stderr(stderr.as_bytes());
        let fault = futile_retry(agent, listener.session())?;
        Some(class_of_error(&fault).class().to_string())
    }

    #[test]
    fn a_fault_that_only_a_user_can_mend_ends_the_session_when_it_is_met_again() {
        let [refused, unpaid, busy, limited, spent] = [
            ("401", "authentication_failed"),
            ("400", "billing_error"),
            ("529", "overloaded"),
            ("429", "rate_limit"),
            ("429", "quota_exceeded"),
        ]
        .map(|(status, kind)| retry(status, kind));
        let thinks = r#"{"type":"assistant","message":{"id":"m","model":"x","content":[{"type":"thinking","thinking":"x"}]}}"#;
        let [refused, unpaid, busy, limited, spent] =
            [&refused, &unpaid, &busy, &limited, &spent].map(|s| &**s);
        for (stdout, want) in [
            (&[refused][..], None),
            (&[refused, refused], Some("auth")),
            (&[unpaid, unpaid], Some("quota")),
            (&[busy, refused], Some("auth")),
            (&[refused, busy], None),
            (&[busy, busy, busy], None),
            (&[limited, limited, limited], None),
            (&[spent, spent, spent], None),
            (&[refused, thinks], None),
            (&[refused, thinks, refused], None),
        ] {
            assert_eq!(ends("claude", stdout, "").as_deref(), want, "{stdout:?}");
        }
    }

    #[test]
    fn the_fault_is_the_one_that_the_session_ended_with() {
        let agent = by_name("claude").unwrap();
        let mut listener = Listener::new(agent);
        for _ in 0..2 {
            listener.line(retry("404", "model_not_found").as_bytes(), false);
        }
        let mut seen = listener.end();
        end_with_futile_retry(agent, &mut seen);
        let fault = seen.errors.back().unwrap();
        assert_eq!(fault.message, "404 model_not_found");
        assert!(fault.is_unknown_model());
    }

    #[test]
    fn what_only_a_log_tells_counts_as_much() {
        let log = |fault: &str| format!("level=ERROR message=x error.error=\"{fault}\"\n");
        let begun = r#"{"type":"step_start","sessionID":"s","part":{}}"#;
        let works = r#"{"type":"tool_use","sessionID":"s","part":{"tool":"bash","callID":"c","state":{"status":"completed"}}}"#;
        let twice = log("401 invalid key").repeat(2);
        let at_work = ends("opencode", &[begun, works], &twice);
        assert_eq!(
            at_work, None,
            "a session at work may have met it in a sub-agent"
        );
        for (agent, stderr, want) in [
            ("opencode", log("401 invalid key"), None),
            ("opencode", twice, Some("auth")),
            ("opencode", log("503 busy").repeat(3), None),
            (
                "gemini",
                "Attempt 1 failed with status 429. Retrying with backoff... ApiError: You exceeded your current quota, please check your plan and billing details\n".repeat(2),
                None,
            ),
            (
                "gemini",
                "Attempt 1 failed with status 401. Retrying with backoff... Error\n".repeat(2),
                Some("auth"),
            ),
            (
                "gemini",
                "Attempt 1 failed with status 503. Retrying with backoff... Error\n".repeat(2),
                None,
            ),
        ] {
            let got = ends(agent, &[begun], &stderr);
            assert_eq!(got.as_deref(), want, "{agent} {stderr}");
        }
    }
}
