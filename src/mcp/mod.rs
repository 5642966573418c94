//! The Model Context Protocol on standard input and output: a coding agent reads plans, and proposes what only the user
//! may decide.
//!
//! Each tool is a command of this program, run as a process of its own, so that an agent gets what a terminal gets and
//! no second path to the files exists. A tool that decides something asks the user through the client first
//! (`elicitation/create`), and is refused where the client cannot ask. Deliberately absent: the loop, landing, and
//! anything that changes the oracle.
//!
//! One thread reads the client, each command has one, and this one answers: a ping, a cancellation and the user's answer
//! are heard while commands run. Format: JSON-RPC 2.0, one message a line, in the revisions of the protocol below.

mod asking;
mod batch_replies;
mod consent;
mod decision_subject;
mod message_lines;
mod replies;
mod result_pages;
mod revision;
mod tool_arguments;
mod tool_calls;
mod tools;

use consent::AskedCall;
use decision_subject::{SubjectReader, SubjectText};
use gatewalk_core::error::Result;
use gatewalk_host::own_program::{OwnProgram, OwnRunTerms, RunStop};
use message_lines::{ReadLine, next_line};
use replies::{Replies, RequestError, broken, printed, tool_result};
use result_pages::page_of;
use revision::Revision;
use serde_json::{Value, json};
use std::io::{BufRead, Write};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};
use tool_calls::{CallQueue, TakenBack, ToolCall};
use tools::{Consent, TOOLS, Tool};

/// A tool runs as if it were typed; a session that drafts takes its time.
const TERMS: OwnRunTerms = OwnRunTerms {
    limit: Duration::from_secs(3 * 3600),
    yields: false,
};
/// How often is looked whether progress is to be reported.
const TICK: Duration = Duration::from_secs(1);
/// How many lines of the client are read ahead.
const READ_AHEAD: usize = 16;

/// Where the tools run.
pub(crate) struct Place {
    /// This program, with the user's environment.
    pub(crate) program: OwnProgram,
    /// The directory the client started the server in.
    pub(crate) cwd: PathBuf,
}

/// What the server waits for.
enum Arrival {
    /// The client sent something; none when it closed the connection.
    Line(std::io::Result<Option<ReadLine>>),
    /// A command ended: its number, what it printed, and whether it failed.
    Ended(u64, String, bool),
    /// What a call is about was read: the call's number, and what it is where it could be read.
    Read(u64, Option<SubjectText>),
}

/// A conversation with one client.
pub(crate) struct PlanToolServer<W> {
    place: Place,
    client: Replies<W>,
    arrived: SyncSender<Arrival>,
    arrivals: Receiver<Arrival>,
    revision: Revision,
    can_ask: bool,
    asked: Vec<AskedCall>,
    consents: u64,
    calls: CallQueue<RunStop>,
}

impl<W: Write> PlanToolServer<W> {
    /// Returns a server that has not been spoken to.
    pub(crate) fn new(place: Place, output: W) -> Self {
        let (arrived, arrivals) = sync_channel(READ_AHEAD);
        PlanToolServer {
            place,
            client: Replies::new(output),
            arrived,
            arrivals,
            revision: Revision::newest(),
            can_ask: false,
            asked: Vec::new(),
            consents: 0,
            calls: CallQueue::new(),
        }
    }

    /// Answers until the client closes the connection and everything it asked for has an answer.
    pub(crate) fn serve(mut self, input: impl BufRead + Send + 'static) -> Result<()> {
        let lines = self.arrived.clone();
        std::thread::spawn(move || read_lines(input, &lines));
        let mut closed = false;
        while !(closed && self.calls.is_empty() && self.asked.is_empty()) {
            match self.arrivals.recv_timeout(TICK) {
                Ok(Arrival::Line(line)) => match line.map_err(broken)? {
                    Some(line) => self.take_line(&line)?,
                    None => {
                        closed = true;
                        self.refuse_unasked()?;
                    }
                },
                Ok(Arrival::Ended(number, text, failed)) => self.end_call(number, &text, failed)?,
                Ok(Arrival::Read(number, found)) => self.take_subject(number, found)?,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
            self.start_calls();
            self.report_progress()?;
        }
        Ok(())
    }

    fn take_line(&mut self, line: &ReadLine) -> Result<()> {
        let ReadLine::Text(line) = line else {
            let why = "a message of more than 4 MiB is not read";
            return self
                .client
                .refuse(&Value::Null, RequestError::InvalidRequest, why);
        };
        match serde_json::from_slice(line) {
            Ok(Value::Array(batch)) if self.revision.has_batches() && !batch.is_empty() => {
                let expecting = batch.iter().filter(|message| wants_reply(message));
                let ids = expecting.map(|message| id_of(message).clone());
                self.client.expect_batch(ids.collect());
                batch.iter().try_for_each(|message| self.answer(message))
            }
            Ok(message) => self.answer(&message),
            Err(e) => self.client.refuse(
                &Value::Null,
                RequestError::Unparsable,
                &format!("not JSON: {e}"),
            ),
        }
    }

    fn answer(&mut self, message: &Value) -> Result<()> {
        let Some(method) = message["method"].as_str() else {
            // An answer to nothing that is still asked needs none; anything else is no request.
            let is_answer = message.get("result").or(message.get("error")).is_some();
            return match is_answer {
                true => self.take_answer(message),
                false => self.client.refuse(
                    id_of(message),
                    RequestError::InvalidRequest,
                    "not a JSON-RPC request",
                ),
            };
        };
        if message["jsonrpc"] != "2.0" {
            return self.client.refuse(
                id_of(message),
                RequestError::InvalidRequest,
                "`jsonrpc` is not \"2.0\"",
            );
        }
        let Some(id) = message.get("id") else {
            return self.notice(method, &message["params"]);
        };
        // A fraction, or what is too large for a whole number, may come back as another.
        if !(id.is_string() || id.is_i64() || id.is_u64()) {
            let why = "`id` is neither text nor a whole number of 64 bits";
            return self
                .client
                .refuse(&Value::Null, RequestError::InvalidRequest, why);
        }
        self.perform(id, method, &message["params"])
    }

    fn perform(&mut self, id: &Value, method: &str, params: &Value) -> Result<()> {
        match method {
            "initialize" => self.initialize(id, params),
            "ping" => self.client.reply(id, &json!({})),
            "tools/list" if params.get("cursor").is_some_and(|c| !c.is_null()) => {
                self.client.refuse(
                    id,
                    RequestError::InvalidParams,
                    "there is no such cursor: the list has one page",
                )
            }
            "tools/list" => {
                let tools: Vec<Value> = TOOLS.iter().map(Tool::listed).collect();
                self.client.reply(id, &json!({ "tools": tools }))
            }
            "tools/call" => self.call(id, params),
            other => self.client.refuse(
                id,
                RequestError::UnknownMethod,
                &format!("there is no method `{other}`"),
            ),
        }
    }

    fn initialize(&mut self, id: &Value, params: &Value) -> Result<()> {
        self.revision = Revision::wanted(&params["protocolVersion"]);
        self.can_ask = consent::can_ask(&params["capabilities"]["elicitation"]);
        let result = json!({
            "protocolVersion": self.revision.name(),
            "capabilities": { "tools": {} },
            "serverInfo": { "name": "gatewalk", "version": env!("CARGO_PKG_VERSION") },
            "instructions": "Read plans with these tools, and edit plan files as text; run lint after each edit. A long result has pages: ask again with `page`. What decides (arm, unblock, answer, abandon) asks the user first.",
        });
        self.client.reply(id, &result)
    }

    /// Takes a notification. Of a cancelled request nobody waits for the answer, so it has none.
    fn notice(&mut self, method: &str, params: &Value) -> Result<()> {
        if method != "notifications/cancelled" {
            return Ok(());
        }
        let id = &params["requestId"];
        if !self.withdraw(id)? {
            match self.calls.cancel(id) {
                TakenBack::Nothing => return Ok(()),
                TakenBack::Waiting => {}
                TakenBack::Running(run) => run.stop(),
            }
        }
        self.client.give_up(id)
    }

    fn call(&mut self, id: &Value, params: &Value) -> Result<()> {
        let name = params["name"].as_str().unwrap_or_default();
        let Some(tool) = TOOLS.iter().find(|tool| tool.name == name) else {
            return self.client.refuse(
                id,
                RequestError::InvalidParams,
                &format!("there is no tool `{name}`"),
            );
        };
        let read = tool
            .page(&params["arguments"])
            .and_then(|(page, given)| Ok((page, tool.command_line(&given)?, given)));
        let (page, words, given) = match read {
            Ok(read) => read,
            Err(why) => return self.refuse_arguments(id, &why),
        };
        let call = ToolCall {
            id: id.clone(),
            words,
            page,
            changes: tool.changes(),
            progress: params["_meta"].get("progressToken").cloned(),
        };
        match tool.consent {
            Consent::NotNeeded => self.queue(call),
            Consent::OfTheUser(subject) if self.can_ask => self.ask(
                call,
                subject.map(|subject| SubjectReader { subject, given }),
            ),
            Consent::OfTheUser(_) => {
                let line = shell_line(&call.words);
                let text = format!(
                    "refused: this is the user's to decide, and this client cannot ask. The user can run: {line}"
                );
                self.client.reply(id, &tool_result(&text, true))
            }
        }
    }

    fn refuse_arguments(&mut self, id: &Value, why: &str) -> Result<()> {
        match self.revision.answers_wrong_arguments() {
            true => self.client.reply(id, &tool_result(why, true)),
            false => self.client.refuse(id, RequestError::InvalidParams, why),
        }
    }

    fn queue(&mut self, call: ToolCall) -> Result<()> {
        match self.calls.add(call) {
            Ok(()) => Ok(()),
            Err(id) => self
                .client
                .refuse(&id, RequestError::TooManyCalls, "too many calls wait"),
        }
    }

    /// Starts what may start, each on a thread of its own.
    fn start_calls(&mut self) {
        while let Some(call) = self.calls.startable() {
            let prepared = self
                .place
                .program
                .prepare(&self.place.cwd, &call.words, TERMS);
            let is_lint = call.words.first().is_some_and(|word| word == "lint");
            let number = self.calls.started(call, prepared.stopper());
            let arrived = self.arrived.clone();
            std::thread::spawn(move || {
                let (text, failed) = printed(prepared.run(), is_lint);
                // The server has ended where nobody hears it.
                drop(arrived.send(Arrival::Ended(number, text, failed)));
            });
        }
    }

    fn end_call(&mut self, number: u64, text: &str, failed: bool) -> Result<()> {
        let Some(call) = self.calls.ended(number) else {
            return Ok(());
        };
        match page_of(text, call.page) {
            Ok(text) => self.client.reply(&call.id, &tool_result(&text, failed)),
            Err(why) => self.refuse_arguments(&call.id, &why),
        }
    }

    fn report_progress(&mut self) -> Result<()> {
        for (token, seconds, name) in self.calls.progress(Instant::now()) {
            let message = format!("`gatewalk {name}` is at work");
            let params = json!({ "progressToken": token, "progress": seconds, "message": message });
            self.client.send(
                &json!({ "jsonrpc": "2.0", "method": "notifications/progress", "params": params }),
            )?;
        }
        Ok(())
    }
}

/// Hands on what the client sends, to its end.
fn read_lines(mut input: impl BufRead, lines: &SyncSender<Arrival>) {
    loop {
        let line = next_line(&mut input);
        let is_last = !matches!(line, Ok(Some(_)));
        if lines.send(Arrival::Line(line)).is_err() || is_last {
            return;
        }
    }
}

/// Returns whether a message is answered: a request is, and what is neither that nor an answer itself.
fn wants_reply(message: &Value) -> bool {
    let has = |name| message.get(name).is_some();
    match has("method") {
        true => has("id"),
        false => !(has("result") || has("error")),
    }
}

/// Returns the id to answer a message by: one that is no id is answered without.
fn id_of(message: &Value) -> &Value {
    match &message["id"] {
        id if id.is_string() || id.is_number() => id,
        _ => &Value::Null,
    }
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
