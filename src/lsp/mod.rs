//! SHELL. The language server: the same rules, on buffers that are not saved.
//!
//! One thread reads, answers and publishes, in order; nothing is debounced because a keystroke costs
//! milliseconds. Results are JSON written out here: the protocol is the contract, and what is sent
//! stands where it is made. Deliberately absent: anything that writes files; edits go through the
//! editor.

mod actions;
mod complete;
mod completion_item;
mod completion_values;
mod cursor;
pub(crate) mod editor_stream;
mod hover;
mod navigate;
mod open_repository;
mod positions;
mod rename;
mod state;
mod yaml_position;

use gatewalk_core::error::{Error, Result};
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use serde_json::{Value, json};
use state::State;
use std::path::PathBuf;

fn broken(source: impl std::error::Error + Send + Sync + 'static) -> Error {
    Error::environment("the editor's connection broke").with_source(source)
}

/// Serves one client until it says `exit`; returns whether it said `shutdown` before.
pub(crate) fn serve(connection: &Connection) -> Result<bool> {
    let (id, params) = connection.initialize_start().map_err(broken)?;
    let result = json!({
        "capabilities": capabilities(),
        "serverInfo": { "name": "gatewalk", "version": env!("CARGO_PKG_VERSION") },
    });
    connection.initialize_finish(id, result).map_err(broken)?;
    let mut server = Server {
        connection,
        state: State::new(&directories(&params), &params),
    };
    if params["capabilities"]["workspace"]["didChangeWatchedFiles"]["dynamicRegistration"]
        == json!(true)
    {
        server.watch_files();
    }
    server.publish();
    let mut is_shut_down = false;
    for message in &connection.receiver {
        match message {
            Message::Request(request) if is_shut_down => {
                server.refuse(
                    request.id,
                    ErrorCode::InvalidRequest,
                    "the server is shut down",
                );
            }
            Message::Request(request) => match request.method.as_str() {
                "shutdown" => {
                    is_shut_down = true;
                    server.send(Response::new_ok(request.id, ()));
                }
                "initialize" => {
                    let why = "the server is initialized already";
                    server.refuse(request.id, ErrorCode::InvalidRequest, why);
                }
                _ => server.answer(request),
            },
            Message::Notification(end) if end.method == "exit" => return Ok(is_shut_down),
            Message::Notification(_) if is_shut_down => {}
            Message::Notification(notification) => server.take(&notification),
            Message::Response(_) => {}
        }
    }
    // It is gone without a word, as an editor that was killed.
    Ok(true)
}

fn capabilities() -> Value {
    json!({
        "textDocumentSync": { "openClose": true, "change": 2, "save": { "includeText": false } },
        "completionProvider": { "triggerCharacters": [":", " ", "/", "[", "-", ","] },
        "hoverProvider": true,
        "definitionProvider": true,
        "referencesProvider": true,
        "renameProvider": { "prepareProvider": true },
        "documentSymbolProvider": true,
        "codeActionProvider": { "codeActionKinds": ["quickfix", "source.fixAll"] },
        "inlayHintProvider": true,
    })
}

fn directories(params: &Value) -> Vec<PathBuf> {
    let many = params["workspaceFolders"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|f| &f["uri"]);
    let uris = many.chain([&params["rootUri"]]).filter_map(Value::as_str);
    uris.filter_map(positions::path_of).collect()
}

struct Server<'c> {
    connection: &'c Connection,
    state: State,
}

impl Server<'_> {
    fn send(&self, message: impl Into<Message>) {
        // The editor is gone; the loop ends when its messages do.
        drop(self.connection.sender.send(message.into()));
    }

    fn watch_files(&self) {
        let watchers =
            [".gatewalk", ".specfuse"].map(|dir| json!({ "globPattern": format!("**/{dir}/**") }));
        let registration = json!({ "registrations": [{
            "id": "files", "method": "workspace/didChangeWatchedFiles", "registerOptions": { "watchers": watchers },
        }]});
        self.send(Request::new(
            0.into(),
            "client/registerCapability".to_owned(),
            registration,
        ));
    }

    fn take(&mut self, notification: &Notification) {
        let params = &notification.params;
        let document = &params["textDocument"];
        let uri = document["uri"].as_str().unwrap_or_default();
        match notification.method.as_str() {
            "textDocument/didOpen" => self
                .state
                .open(uri, document["text"].as_str().unwrap_or_default()),
            "textDocument/didChange" => {
                let changes = params["contentChanges"]
                    .as_array()
                    .cloned()
                    .unwrap_or_default();
                self.state.change(uri, &changes);
            }
            "textDocument/didClose" => self.state.close(uri),
            "workspace/didChangeWatchedFiles" | "textDocument/didSave" => self.state.reload(),
            _ => return,
        }
        self.publish();
    }

    fn publish(&mut self) {
        for (uri, diagnostics) in self.state.updates() {
            let params = json!({ "uri": uri, "diagnostics": diagnostics });
            self.send(Notification::new(
                "textDocument/publishDiagnostics".to_owned(),
                params,
            ));
        }
    }

    fn answer(&self, request: Request) {
        let params = &request.params;
        let state = &self.state;
        let result = match request.method.as_str() {
            "textDocument/completion" => Ok(complete::at(state, params)),
            "textDocument/hover" => Ok(hover::at(state, params)),
            "textDocument/definition" => Ok(navigate::definition(state, params)),
            "textDocument/references" => Ok(navigate::references(state, params)),
            "textDocument/documentSymbol" => Ok(navigate::symbols(state, params)),
            "textDocument/prepareRename" => Ok(rename::prepare(state, params)),
            "textDocument/rename" => rename::rename(state, params),
            "textDocument/codeAction" => Ok(actions::at(state, params)),
            "textDocument/inlayHint" => Ok(actions::hints(state, params)),
            method => {
                let why = format!("`{method}` is not supported");
                return self.refuse(request.id, ErrorCode::MethodNotFound, &why);
            }
        };
        match result {
            Ok(value) => self.send(Response::new_ok(request.id, value)),
            Err(why) => self.refuse(request.id, ErrorCode::InvalidParams, &why),
        }
    }

    fn refuse(&self, id: RequestId, code: ErrorCode, why: &str) {
        self.send(Response::new_err(id, code as i32, why.to_owned()));
    }
}
