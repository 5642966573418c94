//! A scripted model server: Anthropic Messages, OpenAI Responses, OpenAI chat completions and Gemini's content, each
//! as a stream of server-sent events.
//!
//! A session is two turns: the model runs one shell command that writes `hello.txt`, then says that
//! it is done. Which turn a request is stands in the request itself, so clients may repeat them.

use crate::delegation;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

/// How the server behaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mood {
    /// It answers.
    Calm,
    /// Every request meets a rate limit.
    Limited,
    /// It answers the first turn and goes silent in the second, in the middle of the stream.
    HangsAfterTool,
    /// No key is good enough.
    RefusesKey,
    /// No key is good enough for the Anthropic protocol.
    RefusesAnthropic,
    /// Every request meets this fault.
    Fails(Fault),
    /// It closes the connection in the middle of every answer.
    Cuts,
    /// What it streams is not JSON.
    Garbage,
    /// It never answers.
    Silent,
    /// The model says this, and does nothing.
    Says(&'static str),
    /// The first request for work meets this fault.
    FailsOnce(Fault),
    /// The model lets a sub-agent do the work, where the client offers one.
    Delegates,
}

/// A refusal of the server's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) status: u16,
    pub(crate) kind: &'static str,
    pub(crate) message: &'static str,
    /// Seconds after which to come back.
    pub(crate) retry_after: Option<u32>,
}

struct State {
    mood: Mood,
    /// What the sessions write, in order; the last goes on.
    answers: Vec<String>,
    /// Whether an answer is the whole command instead of the text of `hello.txt`.
    commands: bool,
    sessions: usize,
    heard: Vec<String>,
    log: Vec<String>,
    /// The values of every header that pays.
    credentials: std::collections::BTreeSet<String>,
    /// How often what was served: statuses, and streams that did not end well.
    served: std::collections::BTreeMap<String, usize>,
    /// Tokens of whole answers to requests for work.
    tokens: u64,
    /// Whether the client has no tools: it reads files in the text of an answer.
    reads_text: bool,
    /// The model and the effort of every request for work.
    asked: std::collections::BTreeSet<(String, Option<String>)>,
}

/// The server; it lives as long as the test's process.
#[derive(Clone)]
pub(crate) struct Server {
    state: Arc<Mutex<State>>,
    port: u16,
}

impl Server {
    pub(crate) fn start() -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").expect("loopback");
        let port = listener.local_addr().expect("bound").port();
        let state = Arc::new(Mutex::new(State {
            mood: Mood::Calm,
            answers: vec!["right".into()],
            commands: false,
            sessions: 0,
            heard: Vec::new(),
            log: Vec::new(),
            credentials: std::collections::BTreeSet::new(),
            served: std::collections::BTreeMap::new(),
            tokens: 0,
            reads_text: false,
            asked: std::collections::BTreeSet::new(),
        }));
        let server = Server { state, port };
        let shared = server.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let server = shared.clone();
                // A client that goes away ends its own thread only.
                std::thread::spawn(move || drop(server.serve(stream)));
            }
        });
        server
    }

    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    pub(crate) fn answer(&self, answers: &[&str]) {
        self.lock().answers = answers.iter().map(|a| (*a).to_owned()).collect();
    }

    /// Lets each session run a command of its own, in order.
    pub(crate) fn commands(&self, commands: &[String]) {
        let mut state = self.lock();
        state.answers = commands.to_vec();
        state.commands = true;
    }

    pub(crate) fn mood(&self, mood: Mood) {
        self.lock().mood = mood;
    }

    /// Returns whether a later session's first request held this word in its failure evidence.
    pub(crate) fn heard(&self, word: &str) -> bool {
        self.lock()
            .heard
            .iter()
            .skip(1)
            .any(|body| body.contains(word))
    }

    /// Returns every credential that reached the server, each once.
    pub(crate) fn credentials(&self) -> Vec<String> {
        self.lock().credentials.iter().cloned().collect()
    }

    /// Answers in text, as a client without tools wants it.
    pub(crate) fn answer_in_text(&self) {
        self.lock().reads_text = true;
    }

    /// Returns what was served, and how often, and the output tokens of whole answers to requests for work.
    pub(crate) fn served(&self) -> (String, u64) {
        let state = self.lock();
        let each = state.served.iter().map(|(what, n)| format!("{what} x{n}"));
        (each.collect::<Vec<_>>().join(", "), state.tokens)
    }

    fn serves(&self, what: &str) {
        *self.lock().served.entry(what.to_owned()).or_default() += 1;
    }

    /// Returns the model and the effort that the sessions asked for, each pair once.
    pub(crate) fn asked(&self) -> Vec<(String, Option<String>)> {
        self.lock().asked.iter().cloned().collect()
    }

    pub(crate) fn log(&self) -> String {
        self.lock().log.join("\n")
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    fn serve(&self, stream: TcpStream) -> std::io::Result<()> {
        stream.set_read_timeout(Some(Duration::from_secs(600)))?;
        let mut reader = BufReader::new(stream.try_clone()?);
        while let Some(ClientRequest {
            method,
            path,
            body,
            credentials,
        }) = request(&mut reader)?
        {
            let mut state = self.lock();
            state.log.push(format!("{method} {path} {}", body.len()));
            state.credentials.extend(credentials);
            drop(state);
            let mut out = stream.try_clone()?;
            let body = serde_json::from_slice(&body).unwrap_or(Value::Null);
            self.note(&path, &body);
            self.reply(&method, &path, &body, &mut out)?;
        }
        Ok(())
    }

    fn reply(
        &self,
        method: &str,
        path: &str,
        body: &Value,
        out: &mut TcpStream,
    ) -> std::io::Result<()> {
        let path = path.split('?').next().unwrap_or_default();
        let protocol = match path {
            _ if method != "POST" => {
                return plain(
                    out,
                    200,
                    &[],
                    &json!({"object": "list", "data": [], "models": []}),
                );
            }
            p if p.ends_with("/count_tokens") => {
                return plain(out, 200, &[], &json!({"input_tokens": 10}));
            }
            p if p.ends_with("/messages") => Protocol::Anthropic,
            p if p.ends_with("/responses") => Protocol::Responses,
            p if p.ends_with("/chat/completions") => Protocol::Chat,
            p if p.ends_with("enerateContent") => Protocol::Gemini,
            p if p.ends_with(":countTokens") => {
                return plain(out, 200, &[], &json!({"totalTokens": 10}));
            }
            _ => return plain(out, 200, &[], &json!({})),
        };
        let mood = self.lock().mood;
        if let Some(fault) = self.fault(mood, protocol, body) {
            self.serves(&fault.status.to_string());
            let after = fault.retry_after.map(|n| format!("retry-after: {n}"));
            let headers: Vec<&str> = after.iter().map(String::as_str).collect();
            let body = protocol.error(fault.kind, fault.message);
            return plain(out, fault.status, &headers, &body);
        }
        if mood == Mood::Silent {
            self.serves("silence");
            return stream(out, &[String::new()], End::Silence);
        }
        let turn = match (mood, self.turn(protocol, body)) {
            (Mood::Says(text), Turn::Run { .. } | Turn::Write { .. } | Turn::Done) => {
                Turn::Says(text)
            }
            (_, turn) => turn,
        };
        let mut events = protocol.events(&turn, body);
        let end = match (mood, &turn) {
            (Mood::HangsAfterTool, Turn::Done) => End::Silence,
            (Mood::Cuts, _) => End::Cut,
            _ => End::Whole,
        };
        self.serves(match (end, mood) {
            (End::Silence, _) => "silence after a word",
            (End::Cut, _) => "200 and a cut",
            (End::Whole, Mood::Garbage) => "200 and garbage",
            (End::Whole, _) => "200",
        });
        if mood == Mood::Garbage {
            events.truncate(1);
            events.push("data: {\"type\": oops\n\n".to_owned());
        } else if end == End::Whole && !matches!(turn, Turn::Aside) {
            self.lock().tokens += OUTPUT_TOKENS;
        }
        stream(out, &events, end)
    }

    /// Returns the fault that a request meets.
    fn fault(&self, mood: Mood, protocol: Protocol, body: &Value) -> Option<Fault> {
        let refused = Fault {
            status: 401,
            kind: "authentication_error",
            message: "invalid x-api-key",
            retry_after: None,
        };
        match mood {
            Mood::RefusesKey => Some(refused),
            Mood::RefusesAnthropic => (protocol == Protocol::Anthropic).then_some(refused),
            Mood::Limited => Some(Fault {
                status: 429,
                kind: "rate_limit_error",
                message: "too many requests",
                retry_after: Some(1),
            }),
            Mood::Fails(fault) => Some(fault),
            Mood::FailsOnce(fault) => {
                let state = self.lock();
                let works = state.reads_text || protocol.shell(body).is_some();
                let met = state.served.contains_key(&fault.status.to_string());
                (works && !met).then_some(fault)
            }
            _ => None,
        }
    }

    /// Notes what a request for work asks for.
    fn note(&self, path: &str, body: &Value) {
        if body.get("tools").is_none() {
            return;
        }
        // One protocol names the model in the address.
        let named = path
            .split(&['/', ':'][..])
            .find(|part| part.starts_with("gemini-"));
        let model = body["model"].as_str().or(named).unwrap_or_default();
        let places = [
            "/reasoning/effort",
            "/reasoning_effort",
            "/output_config/effort",
        ];
        let effort = places
            .iter()
            .find_map(|place| body.pointer(place)?.as_str());
        let effort = effort.map(str::to_owned);
        self.lock().asked.insert((model.to_owned(), effort));
    }

    /// Returns what to say to a request.
    fn turn(&self, protocol: Protocol, body: &Value) -> Turn {
        let reads_text = self.lock().reads_text;
        let tool = protocol.shell(body);
        if tool.is_none() && !reads_text {
            return Turn::Aside;
        }
        if protocol.answered(body) {
            return Turn::Done;
        }
        let mood = self.lock().mood;
        if let Some(call) = (mood == Mood::Delegates)
            .then(|| delegation::of(body))
            .flatten()
        {
            return Turn::Delegate(call);
        }
        let mut state = self.lock();
        let last = state.answers.len().saturating_sub(1);
        let text = state.answers.get(state.sessions.min(last)).cloned();
        state.sessions += 1;
        state.heard.push(body.to_string());
        let text = text.unwrap_or_default();
        let Some(tool) = tool else {
            return Turn::Write { text };
        };
        let command = match state.commands {
            true => text,
            false => format!("printf '{text}\\n' > hello.txt"),
        };
        Turn::Run { tool, command }
    }
}

struct ClientRequest {
    method: String,
    path: String,
    body: Vec<u8>,
    credentials: Vec<String>,
}

/// One request; `None` at the end of the connection.
fn request(reader: &mut BufReader<TcpStream>) -> std::io::Result<Option<ClientRequest>> {
    let mut line = String::new();
    if reader.read_line(&mut line)? == 0 {
        return Ok(None);
    }
    let mut words = line.split_whitespace();
    let method = words.next().unwrap_or_default().to_owned();
    let path = words.next().unwrap_or_default().to_owned();
    let (mut length, mut chunked) = (0, false);
    let mut credentials = Vec::new();
    loop {
        let mut header = String::new();
        reader.read_line(&mut header)?;
        let header = header.trim().to_ascii_lowercase();
        let pays = [
            "authorization:",
            "x-api-key:",
            "x-goog-api-key:",
            "api-key:",
        ];
        if pays.iter().any(|name| header.starts_with(name)) {
            credentials.push(header.clone());
        }
        match header.split_once(':') {
            Some(("content-length", value)) => length = value.trim().parse().unwrap_or(0),
            Some(("transfer-encoding", value)) => chunked = value.contains("chunked"),
            _ if header.is_empty() => break,
            _ => {}
        }
    }
    let mut body = vec![0; length];
    if chunked {
        loop {
            let mut size = String::new();
            reader.read_line(&mut size)?;
            let size = usize::from_str_radix(size.trim(), 16).unwrap_or(0);
            let mut part = vec![0; size + 2];
            reader.read_exact(&mut part)?;
            if size == 0 {
                break;
            }
            body.extend_from_slice(&part[..size]);
        }
    } else {
        reader.read_exact(&mut body)?;
    }
    Ok(Some(ClientRequest {
        method,
        path,
        body,
        credentials,
    }))
}

fn plain(out: &mut TcpStream, status: u16, headers: &[&str], body: &Value) -> std::io::Result<()> {
    let body = body.to_string();
    let headers: String = headers.iter().map(|h| format!("{h}\r\n")).collect();
    let length = body.len();
    write!(
        out,
        "HTTP/1.1 {status} Status\r\ncontent-type: application/json\r\n{headers}content-length: {length}\r\n\r\n{body}"
    )
}

/// How a stream ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    Whole,
    /// After one event nothing more comes.
    Silence,
    /// After one event the connection is closed.
    Cut,
}

fn stream(out: &mut TcpStream, events: &[String], end: End) -> std::io::Result<()> {
    write!(
        out,
        "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"
    )?;
    let shown = if end == End::Whole { events.len() } else { 1 };
    for event in events[..shown].iter().filter(|event| !event.is_empty()) {
        write!(out, "{:x}\r\n{event}\r\n", event.len())?;
    }
    out.flush()?;
    if end == End::Cut {
        return out.shutdown(std::net::Shutdown::Both);
    }
    if end == End::Silence {
        // Until the client goes away: it sends nothing more on this connection.
        let mut rest = [0; 64];
        out.set_read_timeout(None)?;
        while out.read(&mut rest)? > 0 {}
        return Ok(());
    }
    write!(out, "0\r\n\r\n")
}

enum Turn {
    /// A title or a summary on the side.
    Aside,
    /// Run a command with the tool of this name.
    Run { tool: String, command: String },
    /// Write `hello.txt` in the text of the answer.
    Write { text: String },
    /// Let a sub-agent work.
    Delegate((String, Value)),
    /// Say the last word.
    Done,
    /// Say this instead.
    Says(&'static str),
}

/// What every answer says of its own length.
const OUTPUT_TOKENS: u64 = 50;

const DONE: &str = "Done.\n\n```result\nstatus: complete\nsummary: wrote hello.txt\n```\n";

#[derive(Clone, Copy, PartialEq, Eq)]
enum Protocol {
    Anthropic,
    Responses,
    Chat,
    Gemini,
}

impl Protocol {
    fn error(self, kind: &str, message: &str) -> Value {
        match self {
            Protocol::Anthropic => {
                json!({"type": "error", "error": {"type": kind, "message": message}})
            }
            Protocol::Gemini => json!({"error": {"message": message, "status": kind}}),
            _ => json!({"error": {"message": message, "type": kind, "param": null, "code": kind}}),
        }
    }

    /// Returns the name of the client's shell tool; a request without one is none of ours.
    fn shell(self, body: &Value) -> Option<String> {
        const NAMES: &[&str] = &[
            "Bash",
            "bash",
            "exec_command",
            "shell_command",
            "run_shell_command",
            "run_commands",
            "shell",
            "Execute",
        ];
        let tools = body["tools"].as_array()?;
        // One protocol has a level more.
        let declared = tools
            .iter()
            .filter_map(|tool| tool["functionDeclarations"].as_array())
            .flatten();
        tools
            .iter()
            .chain(declared)
            .filter_map(|tool| {
                tool["name"]
                    .as_str()
                    .or_else(|| tool["function"]["name"].as_str())
            })
            .find(|name| NAMES.contains(name))
            .map(str::to_owned)
    }

    /// Returns whether the conversation holds the answer to a tool call.
    fn answered(self, body: &Value) -> bool {
        let any = |list: &Value, test: &dyn Fn(&Value) -> bool| {
            list.as_array().is_some_and(|items| items.iter().any(test))
        };
        match self {
            Protocol::Anthropic => any(&body["messages"], &|message| {
                any(&message["content"], &|block| block["type"] == "tool_result")
            }),
            Protocol::Responses => any(&body["input"], &|item| {
                item["type"]
                    .as_str()
                    .is_some_and(|kind| kind.ends_with("call_output"))
            }),
            Protocol::Chat => any(&body["messages"], &|message| message["role"] == "tool"),
            Protocol::Gemini => any(&body["contents"], &|content| {
                any(&content["parts"], &|part| {
                    part["functionResponse"].is_object()
                })
            }),
        }
    }

    fn events(self, turn: &Turn, body: &Value) -> Vec<String> {
        let model = body["model"].as_str().unwrap_or("model").to_owned();
        let written;
        let (text, call) = match turn {
            Turn::Aside => ("A title", None),
            Turn::Done => (DONE, delegation::last_call(body)),
            Turn::Says(text) => (*text, None),
            Turn::Write { text } => {
                // No result: it would be read as one file more.
                written = format!("Here it is.\n\nhello.txt\n```\n{text}\n```\n");
                (written.as_str(), None)
            }
            Turn::Delegate((tool, arguments)) => (
                "Another shall do it.",
                Some((tool.as_str(), arguments.to_string())),
            ),
            Turn::Run { tool, command } => {
                let arguments = match tool.as_str() {
                    "exec_command" => json!({"cmd": command}),
                    "shell" => json!({"command": ["bash", "-lc", command]}),
                    "run_commands" => json!({"commands": [command]}),
                    "Execute" => json!({"command": command, "summary": "Write the file"}),
                    "run_shell_command" => {
                        json!({"command": command, "description": "Write the file", "is_background": false})
                    }
                    _ => json!({"command": command, "description": "Write the file"}),
                };
                (
                    "I write the file.",
                    Some((tool.as_str(), arguments.to_string())),
                )
            }
        };
        match self {
            Protocol::Anthropic => anthropic(&model, text, call),
            Protocol::Responses => responses(text, call),
            Protocol::Chat => chat(&model, text, call),
            Protocol::Gemini => gemini(text, call),
        }
    }
}

type Call<'a> = Option<(&'a str, String)>;

/// Renders events that carry their type in the name and in the data.
fn named(events: Vec<Value>) -> Vec<String> {
    events
        .into_iter()
        .map(|event| {
            format!(
                "event: {}\ndata: {event}\n\n",
                event["type"].as_str().unwrap_or_default()
            )
        })
        .collect()
}

fn anthropic(model: &str, text: &str, call: Call<'_>) -> Vec<String> {
    let mut events = vec![
        json!({"type": "message_start", "message": {"id": "msg_1", "type": "message", "role": "assistant", "model": model,
            "content": [], "stop_reason": null, "stop_sequence": null, "usage": {"input_tokens": 1000, "output_tokens": 1}}}),
        json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}),
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": text}}),
        json!({"type": "content_block_stop", "index": 0}),
    ];
    let reason = if call.is_some() {
        "tool_use"
    } else {
        "end_turn"
    };
    if let Some((tool, arguments)) = call {
        events.extend([
            json!({"type": "content_block_start", "index": 1, "content_block": {"type": "tool_use", "id": "toolu_1", "name": tool, "input": {}}}),
            json!({"type": "content_block_delta", "index": 1, "delta": {"type": "input_json_delta", "partial_json": arguments}}),
            json!({"type": "content_block_stop", "index": 1}),
        ]);
    }
    events.extend([
        json!({"type": "message_delta", "delta": {"stop_reason": reason, "stop_sequence": null}, "usage": {"output_tokens": 50}}),
        json!({"type": "message_stop"}),
    ]);
    named(events)
}

fn responses(text: &str, call: Call<'_>) -> Vec<String> {
    let mut events = vec![
        json!({"type": "response.created", "response": {"id": "resp_1"}}),
        json!({"type": "response.output_item.done", "output_index": 0, "item": {"type": "message", "id": "msg_1", "role": "assistant",
            "content": [{"type": "output_text", "text": text}]}}),
    ];
    if let Some((tool, arguments)) = call {
        events.push(json!({"type": "response.output_item.done", "output_index": 1,
            "item": {"type": "function_call", "id": "fc_1", "call_id": "call_1", "name": tool, "arguments": arguments}}));
    }
    events.push(
        json!({"type": "response.completed", "response": {"id": "resp_1", "usage": {
        "input_tokens": 1000, "input_tokens_details": {"cached_tokens": 0}, "output_tokens": 50,
        "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": 1050}}}),
    );
    named(events)
}

fn gemini(text: &str, call: Call<'_>) -> Vec<String> {
    let frame = |parts: Value, reason: Value| {
        json!({"candidates": [{"content": {"role": "model", "parts": parts}, "index": 0, "finishReason": reason}],
            "usageMetadata": {"promptTokenCount": 1000, "candidatesTokenCount": 50, "totalTokenCount": 1050},
            "modelVersion": "gemini-2.5-flash", "responseId": "response-1"})
    };
    let last = call.map_or(json!([{"text": ""}]), |(tool, arguments)| {
        let arguments: Value = serde_json::from_str(&arguments).unwrap_or_default();
        json!([{"functionCall": {"id": "call_1", "name": tool, "args": arguments}}])
    });
    [
        frame(json!([{"text": text}]), Value::Null),
        frame(last, json!("STOP")),
    ]
    .iter()
    .map(|event| format!("data: {event}\n\n"))
    .collect()
}

fn chat(model: &str, text: &str, call: Call<'_>) -> Vec<String> {
    let chunk = |delta: Value, reason: Value| {
        json!({"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": model,
            "choices": [{"index": 0, "delta": delta, "finish_reason": reason}]})
    };
    let mut events = vec![chunk(
        json!({"role": "assistant", "content": text}),
        Value::Null,
    )];
    let reason = if call.is_some() { "tool_calls" } else { "stop" };
    if let Some((tool, arguments)) = call {
        events.push(chunk(
            json!({"tool_calls": [{"index": 0, "id": "call_1", "type": "function", "function": {"name": tool, "arguments": arguments}}]}),
            Value::Null,
        ));
    }
    events.push(chunk(json!({}), json!(reason)));
    events.push(json!({"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": model, "choices": [],
        "usage": {"prompt_tokens": 1000, "completion_tokens": 50, "total_tokens": 1050}}));
    let mut lines: Vec<String> = events
        .into_iter()
        .map(|event| format!("data: {event}\n\n"))
        .collect();
    lines.push("data: [DONE]\n\n".into());
    lines
}
