//! Our side of the conversation: one session in the slot, one prompt, an answer to every request.

use super::{EFFORT, INITIALIZE, MODE, MODEL, PROMPT, SESSION, session_options};
use crate::agents::lenient_json::Field;
use crate::agents::{Conversation, Definition, Request, tool_servers};
use serde::Deserialize;
use serde_json::{Value, json};
use std::path::PathBuf;

/// The code of JSON-RPC for a method that is not offered.
const NO_METHOD: i32 = -32601;

/// What tells whether a line must be answered.
#[derive(Deserialize, Default)]
#[serde(default)]
struct MessageHead<'a> {
    #[serde(borrow)]
    id: Field<'a>,
    method: Field<'a>,
}

/// Asks one thing after the other, and answers what it is asked.
pub(super) struct Client {
    prompt: String,
    cwd: PathBuf,
    model: Option<String>,
    effort: Option<String>,
    tool_servers: Vec<Value>,
    session: Value,
    /// What is still to be chosen, the next last.
    choices: Vec<Vec<u8>>,
    leaves_out_effort: bool,
}

impl Client {
    /// Returns the client of one session.
    pub(super) fn new(request: &Request<'_>) -> Client {
        Client {
            prompt: request.prompt.to_owned(),
            cwd: request.slot.to_path_buf(),
            model: request.model.map(str::to_owned),
            effort: request.effort.map(str::to_owned),
            tool_servers: match request.definition {
                Some(Definition::Command(own)) => tool_servers::protocol(&own.tool_servers),
                _ => vec![],
            },
            session: Value::Null,
            choices: Vec::new(),
            leaves_out_effort: false,
        }
    }

    /// Notes what of a new session is to be chosen before the prompt.
    fn choose(&mut self, result: &Value) {
        let session = &self.session;
        let mode = session_options::mode(session, result).map(|asked| (MODE, asked));
        let model = self.model.as_deref();
        let model = model.map(|model| (MODEL, session_options::model(session, result, model)));
        let wanted = self.effort.as_deref();
        let effort = wanted.and_then(|effort| session_options::effort(session, result, effort));
        self.leaves_out_effort = wanted.is_some() && effort.is_none();
        let effort = effort.map(|asked| (EFFORT, asked));
        let asked = [mode, model, effort].into_iter().flatten().rev();
        self.choices = asked
            .map(|(id, (method, params))| request(id, method, &params))
            .collect();
    }

    /// Returns the next choice, or the prompt once all is chosen.
    fn go_on(&mut self) -> Vec<u8> {
        let choice = self.choices.pop();
        choice.unwrap_or_else(|| self.send_prompt())
    }

    fn send_prompt(&self) -> Vec<u8> {
        let prompt = json!([{"type": "text", "text": self.prompt}]);
        request(
            PROMPT,
            "session/prompt",
            &json!({"sessionId": self.session, "prompt": prompt}),
        )
    }
}

impl Conversation for Client {
    fn open(&mut self) -> Vec<u8> {
        let capabilities =
            json!({"fs": {"readTextFile": false, "writeTextFile": false}, "terminal": false});
        let info =
            json!({"name": "gatewalk", "title": "Gatewalk", "version": env!("CARGO_PKG_VERSION")});
        request(
            INITIALIZE,
            "initialize",
            &json!({"protocolVersion": 1, "clientCapabilities": capabilities, "clientInfo": info}),
        )
    }

    fn answer(&mut self, line: &[u8]) -> Vec<u8> {
        // Most lines are news: only what asks or answers is looked into.
        let Ok(MessageHead { id, method }) = serde_json::from_slice(line) else {
            return vec![];
        };
        if !id.is_some() {
            return vec![];
        }
        let Ok(message) = serde_json::from_slice::<Value>(line) else {
            return vec![];
        };
        if let Some(method) = method.text() {
            return reply(&method, &message);
        }
        let id = id.count();
        let Some(result) = message.get("result") else {
            self.leaves_out_effort |= id == Some(EFFORT);
            return match id {
                Some(MODE | EFFORT) => self.go_on(),
                _ => vec![],
            };
        };
        match id {
            Some(INITIALIZE) => {
                let session = json!({"cwd": self.cwd, "mcpServers": self.tool_servers});
                request(SESSION, "session/new", &session)
            }
            Some(SESSION) => {
                self.session = result["sessionId"].clone();
                self.choose(result);
                self.go_on()
            }
            Some(MODE | MODEL | EFFORT) => self.go_on(),
            _ => vec![],
        }
    }

    fn leaves_out_effort(&self) -> bool {
        self.leaves_out_effort
    }
}

fn request(id: u64, method: &str, params: &Value) -> Vec<u8> {
    line(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))
}

fn line(message: &Value) -> Vec<u8> {
    let mut line = message.to_string().into_bytes();
    line.push(b'\n');
    line
}

/// Answers a request of the program's.
fn reply(method: &str, message: &Value) -> Vec<u8> {
    let id = &message["id"];
    if method != "session/request_permission" {
        let error = json!({"code": NO_METHOD, "message": format!("`{method}` is not offered")});
        return line(&json!({"jsonrpc": "2.0", "id": id, "error": error}));
    }
    let options = message.pointer("/params/options").and_then(Value::as_array);
    let of_kind = |kind: &str| {
        let mut all = options.into_iter().flatten();
        all.find(|option| option["kind"] == kind)
    };
    // Once rather than always: an "always" may be written into the program's own settings.
    let outcome = match of_kind("allow_once").or_else(|| of_kind("allow_always")) {
        Some(option) => json!({"outcome": "selected", "optionId": option["optionId"]}),
        None => json!({"outcome": "cancelled"}),
    };
    line(&json!({"jsonrpc": "2.0", "id": id, "result": {"outcome": outcome}}))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::acp::Acp;
    use crate::agents::{Agent, Session};
    use std::path::Path;

    fn client(model: Option<&str>) -> Box<dyn Conversation> {
        client_of(model, None)
    }

    fn client_of(model: Option<&str>, effort: Option<&str>) -> Box<dyn Conversation> {
        let request = Request {
            prompt_file: Path::new("/log/prompt.md"),
            prompt: "do it",
            model,
            effort,
            unit: "FEAT-2026-0042/T01",
            attempt: 1,
            budget_usd: None,
            slot: Path::new("/slot"),
            definition: None,
            root: false,
            own_program: Path::new("/bin/gatewalk"),
        };
        Acp.conversation(&request).unwrap()
    }

    /// What is heard, and the start of what is said to it.
    fn check(model: Option<&str>, rows: &[(&str, &str)]) {
        let mut client = client(model);
        let opening = String::from_utf8(client.open()).unwrap();
        assert!(opening.contains(r#""method":"initialize""#) && opening.ends_with('\n'));
        for (heard, want) in rows {
            let said = String::from_utf8(client.answer(heard.as_bytes())).unwrap();
            assert!(
                if want.is_empty() {
                    said.is_empty()
                } else {
                    said.contains(want)
                },
                "to {heard} it said {said}, not {want}"
            );
            assert!(said.is_empty() || said.ends_with('\n') && said.lines().count() == 1);
        }
    }

    const READY: &str = r#"{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1}}"#;

    #[test]
    fn one_session_in_the_slot_and_one_prompt() {
        check(
            None,
            &[
                (READY, r#""params":{"cwd":"/slot","mcpServers":[]}"#),
                (
                    r#"{"jsonrpc":"2.0","id":2,"result":{"sessionId":"s1"}}"#,
                    r#"{"sessionId":"s1","prompt":[{"type":"text","text":"do it"}]}"#,
                ),
                (
                    r#"{"jsonrpc":"2.0","id":3,"result":{"stopReason":"end_turn"}}"#,
                    "",
                ),
                ("not json", ""),
                (
                    r#"{"jsonrpc":"2.0","method":"session/update","params":{}}"#,
                    "",
                ),
            ],
        );
    }

    #[test]
    fn an_effort_that_is_not_offered_or_refused_is_left_out() {
        let offers = r#"{"id":2,"result":{"sessionId":"s","configOptions":[{"id":"t","category":"thought_level","options":[{"value":"high"}]}]}}"#;
        for (effort, heard, want) in [
            (Some("high"), &[offers][..], false),
            (Some("low"), &[offers], true),
            (
                Some("high"),
                &[r#"{"id":2,"result":{"sessionId":"s"}}"#],
                true,
            ),
            (
                Some("high"),
                &[offers, r#"{"id":6,"error":{"code":-32602}}"#],
                true,
            ),
            (None, &[offers], false),
        ] {
            let mut client = client_of(None, effort);
            heard
                .iter()
                .for_each(|line| drop(client.answer(line.as_bytes())));
            assert_eq!(client.leaves_out_effort(), want, "{effort:?} {heard:?}");
        }
    }

    #[test]
    fn a_model_is_set_before_the_prompt_and_a_refused_one_ends_the_session() {
        let options = r#"{"id":2,"result":{"sessionId":"s1","configOptions":[{"id":"m","category":"model"}]}}"#;
        let set = r#""params":{"sessionId":"s1","configId":"m","value":"big"}"#;
        check(
            Some("big"),
            &[
                (READY, "session/new"),
                (options, set),
                (r#"{"id":4,"result":{}}"#, "session/prompt"),
            ],
        );
        let refused = r#"{"id":4,"error":{"code":-32602,"message":"unknown model"}}"#;
        check(
            Some("big"),
            &[
                (READY, "session/new"),
                (
                    r#"{"id":2,"result":{"sessionId":"s1"}}"#,
                    r#""modelId":"big""#,
                ),
                (refused, ""),
            ],
        );
        let mut seen = Session::default();
        Acp.read(refused.as_bytes(), &mut seen);
        assert!(seen.finished && seen.is_error == Some(true));
    }

    #[test]
    fn a_mode_that_may_write_is_chosen_first_and_one_that_is_refused_ends_nothing() {
        let new = r#"{"id":2,"result":{"sessionId":"s1","modes":{"currentModeId":"read-only","availableModes":[{"id":"read-only"},{"id":"auto"}]}}}"#;
        let set = r#""method":"session/set_mode","params":{"sessionId":"s1","modeId":"auto"}"#;
        for answer in [
            r#"{"id":5,"result":{}}"#,
            r#"{"id":5,"error":{"code":-32602,"message":"no such mode"}}"#,
        ] {
            check(
                Some("big"),
                &[
                    (READY, "session/new"),
                    (new, set),
                    (answer, r#""modelId":"big""#),
                    (r#"{"id":4,"result":{}}"#, "session/prompt"),
                ],
            );
            check(
                None,
                &[
                    (READY, "session/new"),
                    (new, set),
                    (answer, "session/prompt"),
                ],
            );
            let mut seen = Session::default();
            Acp.read(answer.as_bytes(), &mut seen);
            assert!(!seen.finished, "{answer}");
        }
    }

    #[test]
    fn what_it_asks_for_it_gets_once_and_nothing_else_is_offered() {
        let ask = |options: &str| {
            format!(
                r#"{{"id":"p-1","method":"session/request_permission","params":{{"options":[{options}]}}}}"#
            )
        };
        let option = |id: &str, kind: &str| format!(r#"{{"optionId":"{id}","kind":"{kind}"}}"#);
        let all = [
            option("a", "allow_always"),
            option("o", "allow_once"),
            option("r", "reject_once"),
        ]
        .join(",");
        check(
            None,
            &[
                (&ask(&all), r#""id":"p-1""#),
                (&ask(&all), r#"{"outcome":"selected","optionId":"o"}"#),
                (&ask(&option("a", "allow_always")), r#""optionId":"a""#),
                (&ask(&option("r", "reject_once")), "cancelled"),
                (&ask(""), "cancelled"),
                (
                    r#"{"id":7,"method":"fs/read_text_file","params":{"path":"/etc/passwd"}}"#,
                    "-32601",
                ),
            ],
        );
    }
}
