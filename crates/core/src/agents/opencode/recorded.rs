//! What sub-agents used: OpenCode prints the events of the main session alone, and keeps the sums of all in its records.

use crate::agents::{Session, Usage};
use serde::Deserialize;

/// The sums of a session and of all that it began.
#[derive(Deserialize)]
struct Recorded {
    input: Option<u64>,
    output: Option<u64>,
    cache_read: Option<u64>,
    cache_write: Option<u64>,
    cost: Option<f64>,
}

/// Returns the arguments that print the sums, where a sub-agent worked.
pub(super) fn question(seen: &Session) -> Option<Vec<String>> {
    let id = seen.session_id.as_deref().filter(|_| seen.delegated)?;
    // It becomes part of a query.
    let plain = id.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let query = format!(
        "with recursive own(id) as (select '{id}' union select s.id from session s join own on s.parent_id = own.id) \
         select json_object('input', sum(tokens_input), 'output', sum(tokens_output) + sum(tokens_reasoning), \
         'cache_read', sum(tokens_cache_read), 'cache_write', sum(tokens_cache_write), 'cost', sum(cost)) as sums \
         from session where id in (select id from own)"
    );
    let words = ["db", &query, "--format", "tsv", "--pure"];
    plain.then(|| words.map(str::to_owned).to_vec())
}

/// Takes the sums of a line; they hold what the events told, and more.
pub(super) fn read(line: &str, seen: &mut Session) {
    let Ok(sums) = serde_json::from_str::<Recorded>(line) else {
        return;
    };
    if sums.output < seen.usage.output_tokens {
        return;
    }
    seen.usage = Usage {
        input_tokens: sums.input,
        output_tokens: sums.output,
        cache_read: sums.cache_read,
        cache_write: sums.cache_write,
    };
    if !seen.cost_estimated {
        seen.cost_usd = sums.cost.or(seen.cost_usd);
    }
    seen.delegated = false;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::{Listener, by_name};

    #[test]
    fn the_sums_of_the_records_are_asked_for_where_a_sub_agent_worked() {
        let task = |tool: &str| {
            format!(
                r#"{{"type":"tool_use","sessionID":"ses_1","part":{{"tool":"{tool}","callID":"c","state":{{"status":"completed"}}}}}}"#
            )
        };
        let step = r#"{"type":"step_finish","sessionID":"ses_1","part":{"reason":"stop","cost":0.5,"tokens":{"input":10,"output":5,"reasoning":0,"cache":{"read":0,"write":0}}}}"#;
        let seen = |tool: &str, id: &str| {
            let mut listener = Listener::new(by_name("opencode").unwrap());
            for line in [task(tool), step.to_owned()] {
                listener.line(line.replace("ses_1", id).as_bytes(), false);
            }
            listener.end()
        };
        assert_eq!(question(&seen("bash", "ses_1")), None);
        assert_eq!(question(&seen("task", "ses_1' or 1")), None);
        let mut session = seen("task", "ses_1");
        let asked = question(&session).expect("a sub-agent worked");
        assert!(asked[1].contains("select 'ses_1' union"), "{asked:?}");
        for line in ["sums", r#"{"input":1,"output":1,"cost":0.1}"#] {
            read(line, &mut session);
            assert_eq!(session.usage.output_tokens, Some(5), "{line}");
        }
        read(
            r#"{"input":30,"output":25,"cache_read":1,"cache_write":0,"cost":1.5}"#,
            &mut session,
        );
        assert_eq!(session.usage.output_tokens, Some(25));
        assert_eq!(session.cost_usd, Some(1.5));
        assert_eq!(question(&session), None);
    }
}
