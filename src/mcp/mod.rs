//! The Model Context Protocol on standard input and output: a coding agent reads plans, and proposes what only the user
//! may decide.
//!
//! Each tool is a command of this program, run as a process of its own, so that an agent gets what a terminal gets and
//! no second path to the files exists. A tool that decides something asks the user through the client first
//! (`elicitation/create`), and is refused where the client cannot ask. Deliberately absent: the loop, landing, and
//! anything that changes the oracle.
//!
//! Format: JSON-RPC 2.0, one message a line, as the protocol's revision 2025-06-18 has it.

mod result_pages;
mod tools;

use gatewalk_core::error::{Error, Result};
use gatewalk_host::own_program::{OwnProgram, OwnRunTerms};
use result_pages::page_of;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::io::{BufRead, Read, Write};
use std::path::PathBuf;
use std::time::Duration;
use tools::{Consent, TOOLS, Tool};

/// The protocol's revisions that are spoken, the newest first.
const REVISIONS: &[&str] = &["2025-06-18", "2025-03-26", "2024-11-05"];

/// The longest message that is read, in bytes.
const LONGEST: u64 = 4 << 20;

/// A tool runs as if it were typed; a session that drafts takes its time.
const TERMS: OwnRunTerms = OwnRunTerms {
    limit: Duration::from_secs(3 * 3600),
    yields: false,
};

/// JSON-RPC's codes for what cannot be answered.
const PARSE_ERROR: i32 = -32700;
const INVALID_REQUEST: i32 = -32600;
const METHOD_NOT_FOUND: i32 = -32601;
const INVALID_PARAMS: i32 = -32602;

/// Where the tools run.
pub(crate) struct Place {
    /// This program, with the user's environment.
    pub(crate) program: OwnProgram,
    /// The directory the client started the server in.
    pub(crate) cwd: PathBuf,
}

/// A conversation with one client.
pub(crate) struct PlanToolServer<R, W> {
    place: Place,
    input: R,
    output: W,
    /// What arrived while the user was being asked.
    waiting: VecDeque<Value>,
    can_ask: bool,
    consents: u64,
}

impl<R: BufRead, W: Write> PlanToolServer<R, W> {
    /// Returns a server that has not been spoken to.
    pub(crate) fn new(place: Place, input: R, output: W) -> Self {
        PlanToolServer {
            place,
            input,
            output,
            waiting: VecDeque::new(),
            can_ask: false,
            consents: 0,
        }
    }

    /// Answers until the client closes the connection.
    pub(crate) fn serve(mut self) -> Result<()> {
        while let Some(message) = self.next()? {
            self.answer(&message)?;
        }
        Ok(())
    }

    fn next(&mut self) -> Result<Option<Value>> {
        if let Some(message) = self.waiting.pop_front() {
            return Ok(Some(message));
        }
        self.read()
    }

    /// Reads the next message; what is not JSON is answered as such, and passed over.
    fn read(&mut self) -> Result<Option<Value>> {
        loop {
            let mut line = Vec::new();
            let read = self
                .input
                .by_ref()
                .take(LONGEST)
                .read_until(b'\n', &mut line);
            if read.map_err(broken)? == 0 {
                return Ok(None);
            }
            if line.trim_ascii().is_empty() {
                continue;
            }
            if line.len() as u64 == LONGEST && line.last() != Some(&b'\n') {
                return Err(Error::environment(
                    "the client sent a message of more than 4 MiB",
                ));
            }
            match serde_json::from_slice(&line) {
                Ok(message) => return Ok(Some(message)),
                Err(e) => self.refuse(&Value::Null, PARSE_ERROR, &format!("not JSON: {e}"))?,
            }
        }
    }

    fn send(&mut self, message: &Value) -> Result<()> {
        let mut line = message.to_string();
        line.push('\n');
        self.output
            .write_all(line.as_bytes())
            .and_then(|()| self.output.flush())
            .map_err(broken)
    }

    fn reply(&mut self, id: &Value, result: &Value) -> Result<()> {
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "result": result }))
    }

    fn refuse(&mut self, id: &Value, code: i32, why: &str) -> Result<()> {
        let error = json!({ "code": code, "message": why });
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "error": error }))
    }

    fn answer(&mut self, message: &Value) -> Result<()> {
        let Some(method) = message["method"].as_str() else {
            // An answer to nothing that is still asked needs none; anything else is no request.
            let is_answer = message.get("result").or(message.get("error")).is_some();
            return match is_answer {
                true => Ok(()),
                false => self.refuse(&message["id"], INVALID_REQUEST, "not a JSON-RPC request"),
            };
        };
        let Some(id) = message.get("id") else {
            return Ok(());
        };
        match method {
            "initialize" => {
                self.can_ask = message["params"]["capabilities"]["elicitation"].is_object();
                self.reply(
                    id,
                    &initialize_result(&message["params"]["protocolVersion"]),
                )
            }
            "ping" => self.reply(id, &json!({})),
            "tools/list" => {
                let tools: Vec<Value> = TOOLS.iter().map(Tool::listed).collect();
                self.reply(id, &json!({ "tools": tools }))
            }
            "tools/call" => self.call(id, &message["params"]),
            other => self.refuse(
                id,
                METHOD_NOT_FOUND,
                &format!("there is no method `{other}`"),
            ),
        }
    }

    fn call(&mut self, id: &Value, params: &Value) -> Result<()> {
        let name = params["name"].as_str().unwrap_or_default();
        let Some(tool) = TOOLS.iter().find(|tool| tool.name == name) else {
            return self.refuse(id, INVALID_PARAMS, &format!("there is no tool `{name}`"));
        };
        let read = tool
            .page(&params["arguments"])
            .and_then(|(page, given)| Ok((page, tool.command_line(&given)?)));
        let (page, words) = match read {
            Ok(read) => read,
            Err(why) => return self.refuse(id, INVALID_PARAMS, &why),
        };
        if tool.consent == Consent::OfTheUser {
            let line = shell_line(&words);
            if !self.can_ask {
                let text = format!(
                    "refused: this is the user's to decide, and this client cannot ask. The user can run: {line}"
                );
                return self.reply(id, &result(&text, true));
            }
            if !self.ask(&line)? {
                return self.reply(id, &result("refused: the user did not agree", true));
            }
        }
        let (text, failed) = self.run(&words);
        match page_of(&text, page) {
            Ok(text) => self.reply(id, &result(&text, failed)),
            Err(why) => self.refuse(id, INVALID_PARAMS, &why),
        }
    }

    /// Asks the user through the client; messages that arrive meanwhile are answered afterwards.
    fn ask(&mut self, line: &str) -> Result<bool> {
        self.consents += 1;
        let id = json!(format!("consent-{}", self.consents));
        let params = json!({
            "message": format!("The agent wants to run: {line}"),
            "requestedSchema": {
                "type": "object",
                "properties": { "approve": { "type": "boolean", "title": "Run it" } },
                "required": ["approve"],
            },
        });
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": "elicitation/create", "params": params }))?;
        while let Some(message) = self.read()? {
            if message["id"] == id && message.get("method").is_none() {
                let answer = &message["result"];
                return Ok(answer["action"] == "accept" && answer["content"]["approve"] == true);
            }
            if message["method"] == "ping" {
                self.answer(&message)?;
            } else {
                self.waiting.push_back(message);
            }
        }
        Ok(false)
    }

    /// Runs a command of this program; returns what it printed, and whether it failed.
    fn run(&self, words: &[String]) -> (String, bool) {
        match self.place.program.run(&self.place.cwd, words, TERMS) {
            // `lint` ends with 1 when it found something, which is an answer.
            Ok(done) if done.code == Some(0) || (done.code == Some(1) && words[0] == "lint") => {
                (String::from_utf8_lossy(&done.stdout).into_owned(), false)
            }
            Ok(done) => {
                let printed = String::from_utf8_lossy(&done.stdout);
                let end = done.code.map_or("ended by a signal".to_owned(), |code| {
                    format!("exit {code}")
                });
                (format!("{printed}{}({end})", done.stderr), true)
            }
            Err(error) => (error.to_string(), true),
        }
    }
}

fn broken(source: std::io::Error) -> Error {
    Error::environment("the client's connection broke").with_source(source)
}

fn initialize_result(version: &Value) -> Value {
    let supported = REVISIONS.iter().find(|revision| *version == **revision);
    json!({
        "protocolVersion": supported.unwrap_or(&REVISIONS[0]),
        "capabilities": { "tools": {} },
        "serverInfo": { "name": "gatewalk", "version": env!("CARGO_PKG_VERSION") },
        "instructions": "Read plans with these tools, and edit plan files as text; run lint after each edit. A long result has pages: ask again with `page`. What decides (arm, unblock, answer, abandon) asks the user first.",
    })
}

fn result(text: &str, failed: bool) -> Value {
    json!({ "content": [{ "type": "text", "text": text }], "isError": failed })
}

/// Returns a command of this program as it is typed.
pub(crate) fn shell_line(words: &[String]) -> String {
    let quoted = words
        .iter()
        .map(|word| gatewalk_core::engine::oracle::shell_quote(word));
    std::iter::once("gatewalk".to_owned())
        .chain(quoted)
        .collect::<Vec<_>>()
        .join(" ")
}
