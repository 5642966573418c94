//! Any program that speaks the Agent Client Protocol, version 1, over standard input and output:
//! `acp:opencode acp`, `acp:gemini --acp`, `acp:goose acp` …
//!
//! We are the client: one session in the slot, one prompt. What the program asks permission for it
//! gets, once; files and terminals of an editor it does not get, for it has the slot's own.
//!
//! A fault is the error of a response. Its text is read after the words of JSON-RPC itself are taken
//! off: "Internal error" there says nothing about the model's server.

use super::json::{Field, detail, fold_line};
use super::{Agent, AgentCommand, ApiError, Exit, Outcome, PromptVia, Request, Session, Talk, Usage};
use crate::error::Result;
use serde::Deserialize;
use serde_json::{Value, json};
use std::path::PathBuf;

/// The adapter.
pub(super) struct Acp;

/// The ids of our requests; `MODEL` comes before `PROMPT`, when one is asked for.
const INITIALIZE: u64 = 1;
const SESSION: u64 = 2;
const MODEL: u64 = 4;
const PROMPT: u64 = 3;

/// The code of JSON-RPC for a method that is not offered.
const NO_METHOD: i32 = -32601;
/// The protocol's code for a client that must log in first.
const AUTH_REQUIRED: i64 = -32000;

impl Agent for Acp {
    fn name(&self) -> &'static str {
        "acp"
    }

    fn probe(&self) -> Option<(&'static str, &'static [&'static str])> {
        None
    }

    fn takes_program(&self) -> bool {
        true
    }

    fn command(&self, request: &Request<'_>) -> Result<AgentCommand> {
        AgentCommand::defined(request, Some(PromptVia::Talk))
    }

    fn talk(&self, request: &Request<'_>) -> Option<Box<dyn Talk>> {
        Some(Box::new(Client {
            prompt: request.prompt.to_owned(),
            cwd: request.slot.to_path_buf(),
            model: request.model.map(str::to_owned),
            session: Value::Null,
        }))
    }

    fn read(&self, line: &[u8], seen: &mut Session) {
        fold_line(line, seen, |json, seen| {
            serde_json::from_str(json).is_ok_and(|message| fold(&message, seen))
        });
    }

    fn end(&self, seen: &mut Session) {
        seen.pause();
    }

    fn outcome(&self, exit: &Exit, seen: &Session) -> Outcome {
        match super::fallback_outcome(exit, seen) {
            // Nothing ends by itself here: a program that goes before it answered was cut short.
            Outcome::Worked if !seen.finished => Outcome::Protocol,
            outcome => outcome,
        }
    }

    fn remedy(&self, outcome: &Outcome) -> Option<&'static str> {
        match outcome {
            Outcome::Missing => Some("install the program, or mend its `command` in your configuration"),
            Outcome::Auth => Some("log in with the program itself, or keep its key with `env: [NAME]`"),
            Outcome::Quota => Some("add credit to the account, or name another agent"),
            Outcome::Protocol => {
                Some("see whether the program speaks the protocol: many need a switch such as `--acp`")
            }
            _ => None,
        }
    }
}

/// Our side: asks one thing after the other, and answers what it is asked.
struct Client {
    prompt: String,
    cwd: PathBuf,
    model: Option<String>,
    session: Value,
}

impl Client {
    fn set_model(&self, result: &Value, model: &str) -> Vec<u8> {
        let session = &self.session;
        let options = result.get("configOptions").and_then(Value::as_array);
        let option = options.and_then(|all| {
            let of_model = |o: &&Value| o["category"] == "model" || o["id"] == "model";
            all.iter().find(of_model)
        });
        match option {
            Some(option) => request(
                MODEL,
                "session/set_config_option",
                &json!({"sessionId": session, "configId": option["id"], "value": model}),
            ),
            None => request(
                MODEL,
                "session/set_model",
                &json!({"sessionId": session, "modelId": model}),
            ),
        }
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

impl Talk for Client {
    fn open(&mut self) -> Vec<u8> {
        let capabilities = json!({"fs": {"readTextFile": false, "writeTextFile": false}, "terminal": false});
        let info = json!({"name": "gatewalk", "title": "Gatewalk", "version": env!("CARGO_PKG_VERSION")});
        request(
            INITIALIZE,
            "initialize",
            &json!({"protocolVersion": 1, "clientCapabilities": capabilities, "clientInfo": info}),
        )
    }

    fn answer(&mut self, line: &[u8]) -> Vec<u8> {
        // Most lines are news: only what asks or answers is looked into.
        let Ok(Envelope { id, method, .. }) = serde_json::from_slice(line) else {
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
        let Some(result) = message.get("result") else {
            return vec![];
        };
        match id.count() {
            Some(INITIALIZE) => {
                let session = json!({"cwd": self.cwd, "mcpServers": []});
                request(SESSION, "session/new", &session)
            }
            Some(SESSION) => {
                self.session = result["sessionId"].clone();
                match self.model.take() {
                    Some(model) => self.set_model(result, &model),
                    None => self.send_prompt(),
                }
            }
            Some(MODEL) => self.send_prompt(),
            _ => vec![],
        }
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

#[derive(Deserialize, Default)]
#[serde(default)]
struct Envelope<'a> {
    #[serde(borrow)]
    id: Field<'a>,
    method: Field<'a>,
    params: Field<'a>,
    result: Field<'a>,
    error: Field<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Params<'a> {
    #[serde(borrow)]
    update: Field<'a>,
    #[serde(rename = "toolCall")]
    tool_call: Field<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Update<'a> {
    #[serde(borrow, rename = "sessionUpdate")]
    kind: Field<'a>,
    content: Field<'a>,
    #[serde(rename = "toolCallId")]
    call: Field<'a>,
    #[serde(rename = "kind")]
    tool: Field<'a>,
    title: Field<'a>,
    status: Field<'a>,
    locations: Field<'a>,
    #[serde(rename = "rawInput")]
    input: Field<'a>,
    cost: Field<'a>,
    #[serde(rename = "_meta")]
    meta: Field<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Answer<'a> {
    #[serde(borrow, rename = "agentInfo")]
    agent: Field<'a>,
    version: Field<'a>,
    #[serde(rename = "sessionId")]
    session: Field<'a>,
    #[serde(rename = "stopReason")]
    stop: Field<'a>,
    usage: Field<'a>,
    quota: Field<'a>,
    token_count: Field<'a>,
    #[serde(rename = "_meta")]
    meta: Field<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Piece<'a> {
    #[serde(borrow)]
    text: Field<'a>,
    path: Field<'a>,
    amount: Field<'a>,
    currency: Field<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Tokens<'a> {
    #[serde(borrow, rename = "inputTokens", alias = "input_tokens")]
    input: Field<'a>,
    #[serde(rename = "outputTokens", alias = "output_tokens")]
    output: Field<'a>,
    #[serde(rename = "totalTokens")]
    total: Field<'a>,
    #[serde(rename = "cachedReadTokens")]
    cache_read: Field<'a>,
    #[serde(rename = "cachedWriteTokens")]
    cache_write: Field<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Fault<'a> {
    #[serde(borrow)]
    code: Field<'a>,
    message: Field<'a>,
    data: Field<'a>,
    details: Field<'a>,
}

fn fold(message: &Envelope<'_>, seen: &mut Session) -> bool {
    let params = || message.params.read::<Params<'_>>().unwrap_or_default();
    match (message.method.text().as_deref(), message.id.count()) {
        (Some("session/update"), _) => update(&params().update.read().unwrap_or_default(), seen),
        // Some programs name a call here first.
        (Some("session/request_permission"), _) => {
            start(&params().tool_call.read().unwrap_or_default(), seen);
        }
        (Some(_), _) => seen.unknown_events += 1,
        (None, Some(id @ INITIALIZE..=MODEL)) if message.error.is_some() => {
            seen.fail_for_good(fault(message.error));
            seen.terminal_reason = Some(if id == MODEL { "model" } else { "error" }.to_owned());
            seen.finished = true;
        }
        (None, Some(id)) if message.result.is_some() => answer(id, message.result, seen),
        _ => return super::json::unknown(seen),
    }
    true
}

/// Folds the answer to one of our requests.
fn answer(id: u64, result: Field<'_>, seen: &mut Session) {
    let told: Answer<'_> = result.read().unwrap_or_default();
    match id {
        INITIALIZE => {
            let agent: Answer<'_> = told.agent.read().unwrap_or_default();
            seen.version = agent.version.short(100);
        }
        SESSION => seen.session_id = told.session.short(200),
        PROMPT => {
            let nested = |field: Field<'_>| field.is_some();
            let meta: Answer<'_> = told.meta.read().unwrap_or_default();
            let quota: Answer<'_> = meta.quota.read().unwrap_or_default();
            let figures = [told.usage, quota.token_count].into_iter().find(|f| nested(*f));
            if let Some(figures) = figures {
                seen.usage = tokens(figures);
            }
            seen.terminal_reason = told.stop.short(100);
            // Nobody here cancels: the program gave up, and does not say why.
            seen.is_error = Some(seen.terminal_reason.as_deref() == Some("cancelled"));
            seen.finished = true;
            seen.open.clear();
        }
        _ => {}
    }
}

fn update(update: &Update<'_>, seen: &mut Session) {
    match update.kind.text().as_deref() {
        Some("agent_message_chunk") => {
            let piece: Piece<'_> = update.content.read().unwrap_or_default();
            seen.say_piece(&piece.text.text().unwrap_or_default());
            let meta: Answer<'_> = update.meta.read().unwrap_or_default();
            if meta.usage.is_some() {
                seen.messages.add(tokens(meta.usage));
                seen.usage = seen.messages.total();
            }
        }
        Some("tool_call") => start(update, seen),
        Some("tool_call_update") => match update.status.text().as_deref() {
            Some("completed" | "failed") => {
                let id = update.call.short(200).unwrap_or_default();
                if !seen.open.iter().any(|call| call.id == id) {
                    start(update, seen);
                }
                seen.end_tool(&id);
                seen.pause();
            }
            _ => start(update, seen),
        },
        Some("usage_update") => {
            let cost: Piece<'_> = update.cost.read().unwrap_or_default();
            let in_dollars = cost.currency.text().is_some_and(|c| c == "USD");
            seen.cost_usd = cost.amount.number().filter(|_| in_dollars).or(seen.cost_usd);
        }
        Some(
            "user_message_chunk" | "agent_thought_chunk" | "plan" | "available_commands_update"
            | "current_mode_update" | "config_option_update" | "session_info_update",
        ) => {}
        _ => seen.unknown_events += 1,
    }
}

/// Notes a tool call that begins, or what has become known of it since.
fn start(call: &Update<'_>, seen: &mut Session) {
    let id = call.call.short(200).unwrap_or_default();
    if id.is_empty() {
        return;
    }
    let place = call.locations.list().first().copied().unwrap_or_default();
    let place: Piece<'_> = place.read().unwrap_or_default();
    let what = Some(detail(call.input))
        .filter(|text| !text.is_empty())
        .or_else(|| place.path.short(1000))
        .or_else(|| call.title.short(1000))
        .unwrap_or_default();
    if let Some(open) = seen.open.iter_mut().find(|open| open.id == id) {
        if what.len() > open.detail.len() {
            open.detail = what.lines().next().unwrap_or_default().chars().take(200).collect();
        }
        return;
    }
    seen.pause();
    let kind = call.tool.short(80);
    let tool = kind.or_else(|| call.title.short(80)).unwrap_or_default();
    seen.start_tool(&id, &tool, &what);
}

fn tokens(figures: Field<'_>) -> Usage {
    let tokens: Tokens<'_> = figures.read().unwrap_or_default();
    let usage = Usage {
        input_tokens: tokens.input.count(),
        output_tokens: tokens.output.count(),
        cache_read: tokens.cache_read.count(),
        cache_write: tokens.cache_write.count(),
    };
    // Some count cached tokens among the input, some apart: the total tells which.
    let (input, output) = (usage.input_tokens.unwrap_or(0), usage.output_tokens.unwrap_or(0));
    if tokens.total.count() == Some(input + output) {
        usage.without_cached()
    } else {
        usage
    }
}

/// Reads the error of a response: its code where that is a status, else its words.
fn fault(error: Field<'_>) -> ApiError {
    let fault: Fault<'_> = error.read().unwrap_or_default();
    let data: Fault<'_> = fault.data.read().unwrap_or_default();
    let message = fault.message.short(2000).unwrap_or_default();
    let own = message
        .strip_prefix("Internal error")
        .map_or(message.as_str(), |rest| rest.trim_start_matches(':').trim());
    let more = [data.details, data.message].into_iter().find_map(|f| f.short(2000));
    let text = match more {
        Some(more) if !own.contains(&more) => format!("{own} {more}"),
        _ => own.to_owned(),
    };
    let code = fault.code.read::<i64>().unwrap_or_default();
    let status = u16::try_from(code).ok().filter(|code| (400..600).contains(code));
    // Some begin their text with the status alone: `401 invalid key`.
    let first = text.split_whitespace().next().and_then(|word| word.parse::<u16>().ok());
    let status = status.or(first.filter(|code| (400..600).contains(code)));
    // What Node says of a connection that broke off.
    let kind = match text.trim() {
        _ if code == AUTH_REQUIRED => Some("authentication".to_owned()),
        "terminated" => Some("network".to_owned()),
        _ => None,
    };
    ApiError::told(status, kind, text.trim())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    fn client(model: Option<&str>) -> Box<dyn Talk> {
        let request = Request {
            prompt_file: Path::new("/log/prompt.md"),
            prompt: "do it",
            model,
            effort: None,
            unit: "FEAT-2026-0042/T01",
            attempt: 1,
            budget_usd: None,
            slot: Path::new("/slot"),
            definition: None,
            root: false,
            own_program: Path::new("/bin/gatewalk"),
        };
        Acp.talk(&request).unwrap()
    }

    /// What is heard, and the start of what is said to it.
    fn check(model: Option<&str>, rows: &[(&str, &str)]) {
        let mut client = client(model);
        let opening = String::from_utf8(client.open()).unwrap();
        assert!(opening.contains(r#""method":"initialize""#) && opening.ends_with('\n'));
        for (heard, want) in rows {
            let said = String::from_utf8(client.answer(heard.as_bytes())).unwrap();
            assert!(
                if want.is_empty() { said.is_empty() } else { said.contains(want) },
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
                (r#"{"jsonrpc":"2.0","id":3,"result":{"stopReason":"end_turn"}}"#, ""),
                ("not json", ""),
                (r#"{"jsonrpc":"2.0","method":"session/update","params":{}}"#, ""),
            ],
        );
    }

    #[test]
    fn a_model_is_set_before_the_prompt_and_a_refused_one_ends_the_session() {
        let options = r#"{"id":2,"result":{"sessionId":"s1","configOptions":[{"id":"m","category":"model"}]}}"#;
        let set = r#""params":{"sessionId":"s1","configId":"m","value":"big"}"#;
        check(Some("big"), &[(READY, "session/new"), (options, set), (r#"{"id":4,"result":{}}"#, "session/prompt")]);
        let refused = r#"{"id":4,"error":{"code":-32602,"message":"unknown model"}}"#;
        check(
            Some("big"),
            &[
                (READY, "session/new"),
                (r#"{"id":2,"result":{"sessionId":"s1"}}"#, r#""modelId":"big""#),
                (refused, ""),
            ],
        );
        let mut seen = Session::default();
        Acp.read(refused.as_bytes(), &mut seen);
        assert!(seen.finished && seen.is_error == Some(true));
    }

    #[test]
    fn what_it_asks_for_it_gets_once_and_nothing_else_is_offered() {
        let ask = |options: &str| {
            format!(r#"{{"id":"p-1","method":"session/request_permission","params":{{"options":[{options}]}}}}"#)
        };
        let option = |id: &str, kind: &str| format!(r#"{{"optionId":"{id}","kind":"{kind}"}}"#);
        let all = [option("a", "allow_always"), option("o", "allow_once"), option("r", "reject_once")].join(",");
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
