//! What only the user decides: the question that the client shows, and what counts as a yes.

use super::decision_subject::{SubjectReader, SubjectText};
use super::shell_line;
use super::tool_calls::ToolCall;
use gatewalk_core::engine::evidence::one_line;
use serde_json::{Value, json};

/// How far asking about a call is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum AskingStage {
    /// What it is about is read, so that it can be shown.
    Read,
    /// The user has the question.
    Asked,
    /// The user agreed; what it is about is read again.
    Agreed,
}

/// What follows once it is known what a call is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ConsentStep {
    /// The user is asked.
    Ask,
    /// It is what the user agreed to.
    Run,
    /// It is not any more.
    Refuse,
}

/// A call that the user is being asked about.
#[derive(Debug)]
pub(super) struct AskedCall {
    pub(super) number: u64,
    pub(super) call: ToolCall,
    reader: Option<SubjectReader>,
    stage: AskingStage,
    seen: Option<SubjectText>,
}

impl AskedCall {
    /// Returns a call to ask about, once what it is about was read.
    pub(super) fn new(number: u64, call: ToolCall, reader: Option<SubjectReader>) -> AskedCall {
        AskedCall {
            number,
            call,
            stage: match reader {
                Some(_) => AskingStage::Read,
                None => AskingStage::Asked,
            },
            reader,
            seen: None,
        }
    }

    /// Returns what reads what it is about, where that is to be read now.
    pub(super) fn to_read(&self) -> Option<SubjectReader> {
        self.reader
            .clone()
            .filter(|_| self.stage != AskingStage::Asked)
    }

    /// Notes what it is about.
    pub(super) fn learn(&mut self, found: Option<SubjectText>) -> ConsentStep {
        match self.stage {
            AskingStage::Read => {
                self.seen = found;
                self.stage = AskingStage::Asked;
                ConsentStep::Ask
            }
            AskingStage::Agreed if self.seen == found => ConsentStep::Run,
            AskingStage::Asked | AskingStage::Agreed => ConsentStep::Refuse,
        }
    }

    /// Notes that the user agreed.
    pub(super) fn agree(&mut self) {
        self.stage = AskingStage::Agreed;
    }

    pub(super) fn is_agreed(&self) -> bool {
        self.stage == AskingStage::Agreed
    }

    /// Returns the request that has the client ask. The agent wrote parts of the command: nothing in them moves or hides
    /// what the user reads.
    pub(super) fn question(&self) -> Value {
        let line = one_line(&shell_line(&self.call.words));
        let mut message = format!("The agent wants to run: {line}");
        if let Some(about) = &self.seen {
            message += &format!("\n\n{}", about.lines.join("\n"));
        }
        let params = json!({
            "message": message,
            "requestedSchema": {
                "type": "object",
                "properties": { "approve": { "type": "boolean", "title": "Run it" } },
                "required": ["approve"],
            },
        });
        json!({ "jsonrpc": "2.0", "id": self.question_id(), "method": "elicitation/create", "params": params })
    }

    fn question_id(&self) -> String {
        format!("consent-{}", self.number)
    }

    pub(super) fn is_answered_by(&self, message: &Value) -> bool {
        self.stage == AskingStage::Asked && message["id"] == *self.question_id()
    }

    /// Returns the notice that the question needs no answer any more, where the user has it.
    pub(super) fn withdrawal(&self) -> Option<Value> {
        let params = json!({ "requestId": self.question_id(), "reason": "the call was cancelled" });
        let notice =
            json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params });
        (self.stage == AskingStage::Asked).then_some(notice)
    }
}

/// Returns whether a client that announces this can show a form: one that only opens addresses cannot.
pub(super) fn can_ask(elicitation: &Value) -> bool {
    let has = |mode: &str| elicitation.get(mode).is_some();
    elicitation.is_object() && (has("form") || !has("url"))
}

/// Returns whether a client's message is the user's yes; one that speaks of an error as well is none.
pub(super) fn is_given(message: &Value) -> bool {
    let answer = &message["result"];
    message["error"].is_null()
        && answer["action"] == "accept"
        && answer["content"]["approve"] == true
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
            let mut message = json!({"result": answer});
            assert_eq!(is_given(&message), given, "{message}");
            message["error"] = json!({"code": -1, "message": "no"});
            assert!(!is_given(&message), "{message}");
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
        let asked = AskedCall::new(3, call, None);
        let question = asked.question();
        let shown = question["params"]["message"].as_str().unwrap();
        assert!(shown.starts_with("The agent wants to run: gatewalk abandon "));
        assert!(!shown.contains(['\n', '\u{202e}', '\u{1b}']), "{shown}");
        assert!(asked.is_answered_by(&json!({"id": "consent-3", "result": {}})));
        assert!(!asked.is_answered_by(&json!({"id": "consent-1", "result": {}})));
        let withdrawal = asked.withdrawal().unwrap();
        assert_eq!(withdrawal["params"]["requestId"], question["id"]);
    }
}
