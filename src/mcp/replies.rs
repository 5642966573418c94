//! What the client is sent: answers, errors and requests of our own, a line each.

use super::batch_replies::BatchReplies;
use gatewalk_core::error::{Error, Result};
use gatewalk_host::own_program::OwnOutput;
use serde_json::{Value, json};
use std::io::Write;

/// Why a request has no result, by JSON-RPC's codes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RequestError {
    Unparsable = -32700,
    InvalidRequest = -32600,
    UnknownMethod = -32601,
    InvalidParams = -32602,
    TooManyCalls = -32000,
}

/// The way to the client.
pub(super) struct Replies<W> {
    output: W,
    batches: BatchReplies,
}

impl<W: Write> Replies<W> {
    pub(super) fn new(output: W) -> Self {
        Replies {
            output,
            batches: BatchReplies::default(),
        }
    }

    pub(super) fn send(&mut self, message: &Value) -> Result<()> {
        let mut line = message.to_string();
        line.push('\n');
        self.output
            .write_all(line.as_bytes())
            .and_then(|()| self.output.flush())
            .map_err(broken)
    }

    pub(super) fn reply(&mut self, id: &Value, result: &Value) -> Result<()> {
        self.respond(id, json!({ "jsonrpc": "2.0", "id": id, "result": result }))
    }

    pub(super) fn refuse(&mut self, id: &Value, error: RequestError, why: &str) -> Result<()> {
        let error = json!({ "code": error as i32, "message": why });
        self.respond(id, json!({ "jsonrpc": "2.0", "id": id, "error": error }))
    }

    /// Keeps the answers to requests with these ids until all are there.
    pub(super) fn expect_batch(&mut self, ids: Vec<Value>) {
        self.batches.expect(ids);
    }

    /// Notes that a request will have no answer.
    pub(super) fn give_up(&mut self, id: &Value) -> Result<()> {
        let now = self.batches.give_up(id);
        now.map_or(Ok(()), |now| self.send(&now))
    }

    fn respond(&mut self, id: &Value, response: Value) -> Result<()> {
        let now = self.batches.take(id, response);
        now.map_or(Ok(()), |now| self.send(&now))
    }
}

pub(super) fn broken(source: std::io::Error) -> Error {
    Error::environment("the client's connection broke").with_source(source)
}

/// Returns the result of a tool as the protocol has it.
pub(super) fn tool_result(text: &str, failed: bool) -> Value {
    json!({ "content": [{ "type": "text", "text": text }], "isError": failed })
}

/// Returns what a command printed, and whether it failed.
pub(super) fn printed(run: Result<OwnOutput>, is_lint: bool) -> (String, bool) {
    match run {
        // `lint` ends with 1 when it found something, which is an answer.
        Ok(done) if done.code == Some(0) || (done.code == Some(1) && is_lint) => {
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
