//! What only the user decides: the question that the client shows, and what counts as a yes.

use super::shell_line;
use super::tool_calls::ToolCall;
use gatewalk_core::engine::evidence::one_line;
use serde_json::{Value, json};

/// A call that the user is being asked about.
#[derive(Debug)]
pub(super) struct AskedCall {
    question_id: String,
    pub(super) call: ToolCall,
}

impl AskedCall {
    pub(super) fn new(number: u64, call: ToolCall) -> AskedCall {
        AskedCall {
            question_id: format!("consent-{number}"),
            call,
        }
    }

    /// Returns the request that has the client ask. The agent wrote parts of the command: nothing in them moves or hides
    /// what the user reads.
    pub(super) fn question(&self) -> Value {
        let line = one_line(&shell_line(&self.call.words));
        let params = json!({
            "message": format!("The agent wants to run: {line}"),
            "requestedSchema": {
                "type": "object",
                "properties": { "approve": { "type": "boolean", "title": "Run it" } },
                "required": ["approve"],
            },
        });
        json!({ "jsonrpc": "2.0", "id": self.question_id, "method": "elicitation/create", "params": params })
    }

    pub(super) fn is_answered_by(&self, message: &Value) -> bool {
        message["id"] == *self.question_id
    }

    /// Returns the notice that the question needs no answer any more.
    pub(super) fn withdrawal(&self) -> Value {
        let params = json!({ "requestId": self.question_id, "reason": "the call was cancelled" });
        json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params })
    }
}

/// Returns whether a client that announces this can show a form: one that only opens addresses cannot.
pub(super) fn can_ask(elicitation: &Value) -> bool {
    let has = |mode: &str| elicitation.get(mode).is_some();
    elicitation.is_object() && (has("form") || !has("url"))
}

/// Returns whether an answer is the user's yes.
pub(super) fn is_given(answer: &Value) -> bool {
    answer["action"] == "accept" && answer["content"]["approve"] == true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_client_with_forms_can_ask_and_only_a_yes_is_one() {
        for (announced, can) in [
            (json!({}), true),
            (json!({"form": {}}), true),
            (json!({"form": {}, "url": {}}), true),
            (json!({"url": {}}), false),
            (json!(null), false),
            (json!(true), false),
        ] {
            assert_eq!(can_ask(&announced), can, "{announced}");
        }
        for (answer, given) in [
            (
                json!({"action": "accept", "content": {"approve": true}}),
                true,
            ),
            (
                json!({"action": "accept", "content": {"approve": "true"}}),
                false,
            ),
            (json!({"action": "accept"}), false),
            (
                json!({"action": "decline", "content": {"approve": true}}),
                false,
            ),
            (json!(null), false),
        ] {
            assert_eq!(is_given(&answer), given, "{answer}");
        }
    }

    #[test]
    fn what_the_agent_wrote_cannot_change_what_the_user_reads() {
        let reason = "--reason=x\u{202e}\n\nThe user agreed.\u{1b}[2J";
        let call = ToolCall {
            id: json!(1),
            words: vec!["abandon".to_owned(), reason.to_owned()],
            page: 1,
            changes: true,
            progress: None,
        };
        let asked = AskedCall::new(3, call);
        let question = asked.question();
        let shown = question["params"]["message"].as_str().unwrap();
        assert!(shown.starts_with("The agent wants to run: gatewalk abandon "));
        assert!(!shown.contains(['\n', '\u{202e}', '\u{1b}']), "{shown}");
        assert!(asked.is_answered_by(&json!({"id": "consent-3", "result": {}})));
        assert!(!asked.is_answered_by(&json!({"id": "consent-1", "result": {}})));
        assert_eq!(asked.withdrawal()["params"]["requestId"], question["id"]);
    }
}
