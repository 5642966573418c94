//! `gatewalk lsp` from outside: a scripted client talks to the real program over its pipes.

use crate::lint::Place;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

const FEATURE: &str = ".gatewalk/features/FEAT-2026-0001-export";
const PLAN: &str = ".gatewalk/features/FEAT-2026-0001-export/PLAN.md";
const FIRST: &str = ".gatewalk/features/FEAT-2026-0001-export/WU-01-export.md";
const SECOND: &str = ".gatewalk/features/FEAT-2026-0001-export/WU-02-import.md";

/// A client: it keeps the texts of its buffers and the findings it was sent.
struct Editor {
    place: Place,
    server: Child,
    input: Option<ChildStdin>,
    messages: Receiver<Value>,
    found: BTreeMap<String, Vec<Value>>,
    asked: Vec<Value>,
    texts: BTreeMap<String, String>,
    last: u64,
    capabilities: Value,
}

fn read_messages(output: impl Read + Send + 'static) -> Receiver<Value> {
    let (send, receive) = mpsc::channel();
    std::thread::spawn(move || {
        let mut output = BufReader::new(output);
        loop {
            let mut length = 0;
            let mut line = String::new();
            while output.read_line(&mut line).is_ok_and(|n| n > 2) {
                if let Some(n) = line.strip_prefix("Content-Length: ") {
                    length = n.trim().parse().unwrap();
                }
                line.clear();
            }
            let mut body = vec![0; length];
            if length == 0 || output.read_exact(&mut body).is_err() {
                return;
            }
            if send.send(serde_json::from_slice(&body).unwrap()).is_err() {
                return;
            }
        }
    });
    receive
}

impl Editor {
    fn on(place: Place) -> Editor {
        let edit = json!({ "documentChanges": true, "resourceOperations": ["rename"] });
        Editor::that_can(place, &json!({ "workspace": { "workspaceEdit": edit } }))
    }

    fn that_can(place: Place, capabilities: &Value) -> Editor {
        let mut server = Command::new(env!("CARGO_BIN_EXE_gatewalk"))
            .arg("lsp")
            .current_dir(place.dir.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut editor = Editor {
            input: server.stdin.take(),
            messages: read_messages(server.stdout.take().unwrap()),
            server,
            place,
            found: BTreeMap::new(),
            asked: vec![],
            texts: BTreeMap::new(),
            last: 0,
            capabilities: Value::Null,
        };
        let root = editor.uri("");
        let root = root.trim_end_matches('/');
        let params = json!({ "processId": null, "rootUri": root, "capabilities": capabilities });
        let answer = editor.ask("initialize", params).unwrap();
        editor.capabilities = answer["capabilities"].clone();
        editor.tell("initialized", json!({}));
        editor
    }

    fn uri(&self, file: &str) -> String {
        format!("file://{}", self.place.path(file).display())
    }

    fn send(&mut self, message: &Value) {
        let body = message.to_string();
        let input = self.input.as_mut().unwrap();
        write!(input, "Content-Length: {}\r\n\r\n{body}", body.len()).unwrap();
        input.flush().unwrap();
    }

    fn tell(&mut self, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// Sends a request and takes in everything up to its answer.
    fn ask(&mut self, method: &str, params: Value) -> Result<Value, String> {
        self.last += 1;
        let id = self.last;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        loop {
            let wait = Duration::from_secs(60);
            let message = self.messages.recv_timeout(wait).expect("an answer");
            if message["method"] == "textDocument/publishDiagnostics" {
                let found = message["params"]["diagnostics"].as_array().unwrap().clone();
                let uri = message["params"]["uri"].as_str().unwrap().to_owned();
                self.found.insert(uri, found);
            } else if message["method"].is_string() {
                self.asked.push(message);
            } else if message["id"] == json!(id) {
                return match message.get("error") {
                    Some(error) => Err(error["message"].as_str().unwrap().to_owned()),
                    None => Ok(message["result"].clone()),
                };
            }
        }
    }

    fn open(&mut self, file: &str) {
        let text = std::fs::read_to_string(self.place.path(file)).unwrap();
        let document =
            json!({ "uri": self.uri(file), "languageId": "markdown", "version": 1, "text": text });
        self.texts.insert(file.to_owned(), text);
        self.tell("textDocument/didOpen", json!({ "textDocument": document }));
    }

    /// Replaces one text in a buffer, as a keystroke does: by range.
    fn edit(&mut self, file: &str, from: &str, to: &str) {
        let text = self.texts[file].clone();
        let at = text
            .find(from)
            .unwrap_or_else(|| panic!("{file} has no {from:?}"));
        let range =
            json!({ "start": position(&text, at), "end": position(&text, at + from.len()) });
        let document = json!({ "uri": self.uri(file), "version": 2 });
        self.texts
            .insert(file.to_owned(), text.replacen(from, to, 1));
        let changes = json!([{ "range": range, "text": to }]);
        self.tell(
            "textDocument/didChange",
            json!({ "textDocument": document, "contentChanges": changes }),
        );
    }

    /// The place of `|` in the first text that is the needle without it.
    fn at(&self, file: &str, needle: &str) -> Value {
        let text = &self.texts[file];
        let bare = needle.replacen('|', "", 1);
        let start = text
            .find(&bare)
            .unwrap_or_else(|| panic!("{file} has no {bare:?}"));
        let at = start + needle.find('|').expect("a cursor");
        json!({ "textDocument": { "uri": self.uri(file) }, "position": position(text, at) })
    }

    fn complete(&mut self, file: &str, needle: &str) -> Vec<String> {
        let place = self.at(file, needle);
        let list = self.ask("textDocument/completion", place).unwrap();
        let label = |item: &Value| item["label"].as_str().unwrap().to_owned();
        list.as_array().unwrap().iter().map(label).collect()
    }

    fn hover(&mut self, file: &str, needle: &str) -> String {
        let place = self.at(file, needle);
        let answer = self.ask("textDocument/hover", place).unwrap();
        answer["contents"]["value"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    }

    /// Where an answer leads: file and the text of the range.
    fn places(&mut self, method: &str, file: &str, needle: &str) -> Vec<String> {
        let mut params = self.at(file, needle);
        params["context"] = json!({ "includeDeclaration": true });
        let answer = self.ask(method, params).unwrap();
        let list = match answer {
            Value::Array(list) => list,
            Value::Null => vec![],
            one => vec![one],
        };
        let show = |location: &Value| {
            let uri = location["uri"].as_str().unwrap();
            let start = &location["range"]["start"];
            format!(
                "{}:{}",
                uri.rsplit('/').next().unwrap(),
                start["line"].as_u64().unwrap() + 1
            )
        };
        list.iter().map(show).collect()
    }

    /// Codes found in a file, once everything sent before is dealt with.
    fn codes(&mut self, file: &str) -> Vec<String> {
        self.settle();
        let found = self.found.get(&self.uri(file)).cloned().unwrap_or_default();
        let code = |d: &Value| d["code"].as_str().unwrap().to_owned();
        let mut codes: Vec<String> = found.iter().map(code).collect();
        codes.sort();
        codes
    }

    /// The server answers in order: an answer means that all before it is done.
    fn settle(&mut self) {
        let nowhere = json!({ "textDocument": { "uri": "file:///nowhere" }, "position": { "line": 0, "character": 0 } });
        assert_eq!(self.ask("textDocument/hover", nowhere), Ok(Value::Null));
    }

    fn actions(&mut self, file: &str, needle: &str) -> Vec<Value> {
        self.settle();
        let mut params = self.at(file, needle);
        let at = params["position"].clone();
        let found = self.found.get(&self.uri(file)).cloned().unwrap_or_default();
        params["range"] = json!({ "start": at, "end": at });
        params["context"] = json!({ "diagnostics": found });
        let answer = self.ask("textDocument/codeAction", params).unwrap();
        answer.as_array().unwrap().clone()
    }

    /// Does to the buffers what an edit of the server says, as an editor would.
    fn apply(&mut self, edit: &Value) {
        let mut by_uri: Vec<(String, Vec<Value>)> = vec![];
        for (uri, list) in edit["changes"].as_object().into_iter().flatten() {
            by_uri.push((uri.clone(), list.as_array().unwrap().clone()));
        }
        for change in edit["documentChanges"].as_array().into_iter().flatten() {
            if let Some(uri) = change["textDocument"]["uri"].as_str() {
                by_uri.push((uri.to_owned(), change["edits"].as_array().unwrap().clone()));
            }
        }
        for (uri, mut edits) in by_uri {
            let file = uri.split_once(".gatewalk").unwrap().1;
            let file = format!(".gatewalk{file}");
            edits.sort_by_key(|e| {
                let start = &e["range"]["start"];
                std::cmp::Reverse((start["line"].as_u64(), start["character"].as_u64()))
            });
            if !self.texts.contains_key(&file) {
                self.open(&file);
            }
            for edit in &edits {
                let text = self.texts[&file].clone();
                let span =
                    offset(&text, &edit["range"]["start"])..offset(&text, &edit["range"]["end"]);
                let mut new = text.clone();
                new.replace_range(span, edit["newText"].as_str().unwrap());
                self.texts.insert(file.clone(), new);
                let document = json!({ "uri": self.uri(&file), "version": 3 });
                let changes = json!([{ "range": edit["range"], "text": edit["newText"] }]);
                self.tell(
                    "textDocument/didChange",
                    json!({ "textDocument": document, "contentChanges": changes }),
                );
            }
        }
    }

    fn shut_down(mut self) -> Option<i32> {
        assert_eq!(self.ask("shutdown", Value::Null), Ok(Value::Null));
        self.tell("exit", Value::Null);
        self.input = None;
        self.server.wait().unwrap().code()
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        drop(self.input.take());
        drop(self.server.kill());
        drop(self.server.wait());
    }
}

fn position(text: &str, at: usize) -> Value {
    let line = text[..at].matches('\n').count();
    let start = text[..at].rfind('\n').map_or(0, |n| n + 1);
    json!({ "line": line, "character": text[start..at].encode_utf16().count() })
}

fn offset(text: &str, position: &Value) -> usize {
    let line = position["line"].as_u64().unwrap() as usize;
    let column = position["character"].as_u64().unwrap() as usize;
    let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
    let mut units = 0;
    for (at, c) in text[start..].char_indices() {
        if units >= column {
            return start + at;
        }
        units += c.len_utf16();
    }
    text.len()
}

/// The clean feature, with a requirement and something in prose to find.
fn place() -> Place {
    let place = Place::clean();
    let edit = |file: &str, from: &str, to: &str| {
        let text = std::fs::read_to_string(place.path(file)).unwrap();
        assert!(text.contains(from), "{file} has no {from:?}: {text}");
        place.put(file, &text.replacen(from, to, 1));
    };
    edit(
        PLAN,
        "# Export\n",
        "# Export\n\n## Requirements\n\n- REQ-OUT-1: orders come out (ü𝄞)\n\n## Graph\n",
    );
    edit(
        FIRST,
        "status: pending\n",
        "status: pending\ncovers: [REQ-OUT-1]\n",
    );
    edit(
        SECOND,
        "## Context\n",
        "## Context\n\nWhat FEAT-2026-0001/T01 wrote; see T01 and T010.\n",
    );
    place.put("src/export.rs", "");
    place
}

#[test]
fn findings_follow_the_buffer_and_not_the_disk() {
    let mut editor = Editor::on(place());
    assert_eq!(
        editor.capabilities["renameProvider"]["prepareProvider"],
        json!(true)
    );
    let before = editor.codes(FIRST);
    assert!(!before.contains(&"GW105".to_owned()), "{before:?}");
    editor.open(FIRST);
    editor.open(PLAN);
    editor.edit(FIRST, "covers:", "covres:");
    assert!(editor.codes(FIRST).contains(&"GW105".to_owned()));
    editor.edit(FIRST, "covres:", "covers:");
    assert_eq!(editor.codes(FIRST), before);
    // An edit of the graph is felt in the plan, and what it says about units in theirs.
    editor.edit(PLAN, "FEAT-2026-0001/T02", "FEAT-2026-0001/T03");
    assert!(
        editor.codes(SECOND).contains(&"GW202".to_owned()),
        "{:?}",
        editor.found
    );
    // Closed without saving: the disk counts again.
    let document = json!({ "textDocument": { "uri": editor.uri(PLAN) } });
    editor.tell("textDocument/didClose", document);
    assert!(!editor.codes(SECOND).contains(&"GW202".to_owned()));
    // What other programs do on the disk is taken in.
    let orphan = format!("{FEATURE}/WU-05-orphan.md");
    let saved = json!({ "textDocument": { "uri": editor.uri(PLAN) } });
    editor
        .place
        .put(&orphan, "---\nid: FEAT-2026-0001/T05\n---\n");
    editor.tell("textDocument/didSave", saved.clone());
    assert!(editor.codes(&orphan).contains(&"GW313".to_owned()));
    std::fs::remove_file(editor.place.path(&orphan)).unwrap();
    editor.tell("textDocument/didSave", saved);
    assert!(editor.codes(&orphan).is_empty());
    assert_eq!(editor.shut_down(), Some(0));
}

#[test]
fn the_server_and_the_command_find_the_same() {
    let place = place();
    place.put(
        &format!("{FEATURE}/WU-03-orphan.md"),
        "---\nid: nonsense\ntyp: x\n---\n",
    );
    place.put(
        ".gatewalk/config.yml",
        "base_chek: eager\nseverity:\n  GW805: \"off\"\n",
    );
    let output = assert_cmd::Command::cargo_bin("gatewalk")
        .unwrap()
        .args(["lint", "--output-format", "json"])
        .current_dir(place.dir.path())
        .output()
        .unwrap();
    let said: Value = serde_json::from_slice(&output.stdout).unwrap();
    let place_of = |d: &Value| {
        let line = d["start"]["line"].as_u64().unwrap();
        let text = |key: &str| d[key].as_str().unwrap().to_owned();
        (text("path"), line, text("code"))
    };
    let mut want: Vec<_> = said["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(place_of)
        .collect();
    want.sort();
    let mut editor = Editor::on(place);
    editor.settle();
    let root = editor.uri("");
    let mut got = vec![];
    for (uri, found) in &editor.found {
        for d in found {
            let line = d["range"]["start"]["line"].as_u64().unwrap() + 1;
            let path = uri.strip_prefix(&root).unwrap().to_owned();
            got.push((path, line, d["code"].as_str().unwrap().to_owned()));
        }
    }
    got.sort();
    assert!(want.len() > 3, "{want:?}");
    assert_eq!(got, want);
}

#[test]
fn completion_knows_keys_words_ids_files_sets_and_requirements() {
    let mut editor = Editor::on(place());
    editor.open(FIRST);
    editor.open(PLAN);
    editor
        .place
        .put(".gatewalk/config.yml", "base_check: eager\n");
    let config = ".gatewalk/config.yml";
    editor.open(config);
    let verification = ".gatewalk/verification.yml";
    editor.open(verification);
    // What is typed over what, where the cursor is, and labels that must and must not be offered.
    type Row = (
        &'static str,
        &'static str,
        &'static str,
        &'static str,
        &'static [&'static str],
        &'static [&'static str],
    );
    let rows: &[Row] = &[
        (
            FIRST,
            "covers: [REQ-OUT-1]\n",
            "ma\n",
            "ma|\n",
            &["max_attempts", "covers", "do_not_touch"],
            &["status", "attempts", "touches"],
        ),
        (
            FIRST,
            "type: implementation",
            "type: ",
            "type: |",
            &["implementation", "human", "close"],
            &["pending"],
        ),
        (
            FIRST,
            "status: pending",
            "status: p",
            "status: p|",
            &["pending", "draft"],
            &["implementation"],
        ),
        (
            FIRST,
            "[REQ-OUT-1]",
            "[]",
            "covers: [|",
            &["REQ-OUT-1"],
            &["code"],
        ),
        (
            FIRST,
            "[REQ-OUT-1]",
            "\n  - ",
            "covers: \n  - |",
            &["REQ-OUT-1"],
            &[],
        ),
        (
            FIRST,
            "covers: [REQ-OUT-1]",
            "extra_gates: []",
            "extra_gates: [|",
            &["code"],
            &["tests"],
        ),
        (
            FIRST,
            "covers: [REQ-OUT-1]",
            "expects_red: []",
            "expects_red: [|",
            &["tests"],
            &["code"],
        ),
        (
            FIRST,
            "covers: [REQ-OUT-1]",
            "touches: [s",
            "touches: [s|",
            &["src/"],
            &[".gatewalk/"],
        ),
        (
            FIRST,
            "covers: [REQ-OUT-1]",
            "touches:\n  - src/",
            "  - src/|",
            &["src/export.rs"],
            &[],
        ),
        (
            FIRST,
            "covers: [REQ-OUT-1]",
            "checks:\n  - ",
            "checks:\n  - |",
            &["name", "run"],
            &["status"],
        ),
        (
            FIRST,
            "covers: [REQ-OUT-1]",
            "checks:\n  - name: a\n    expect_base: ",
            "expect_base: |",
            &["red", "any"],
            &[],
        ),
        (
            FIRST,
            "covers: [REQ-OUT-1]",
            "agent: ",
            "agent: |",
            &["claude", "codex"],
            &[],
        ),
        (
            FIRST,
            "## Context\n",
            "## Context\n\nstatus: \n",
            "status: |\n",
            &[],
            &["pending"],
        ),
        (
            FIRST,
            "## Context\n",
            "## Context\n\nSee FEAT-\n",
            "See FEAT-|",
            &["FEAT-2026-0001/T02"],
            &[],
        ),
        (
            FIRST,
            "## Context\n",
            "## Context\n\n<!-- gatewalk: allow GW8\n",
            "allow GW8|",
            &["GW805"],
            &[],
        ),
        (
            PLAN,
            "depends_on: []",
            "depends_on: [FEAT",
            "depends_on: [FEAT|",
            &["FEAT-2026-0001/T02"],
            &[],
        ),
        (
            PLAN,
            "depends_on: []",
            "depends_on: []",
            "depends_on: [|",
            &["FEAT-2026-0001/T02"],
            &["FEAT-2026-0001/T01"],
        ),
        (
            PLAN,
            "file: WU-02-import.md",
            "file: ",
            "file: |\n        depends_on",
            &["WU-02-import.md", "GATE-01.md"],
            &[],
        ),
        (
            PLAN,
            "status: active",
            "status: ",
            "status: |",
            &["planned", "active"],
            &["pending"],
        ),
        (
            PLAN,
            "status: active",
            "status: active\n",
            "status: active\n|",
            &["autonomy_default", "base"],
            &["title"],
        ),
        (
            config,
            "base_check: eager",
            "severity:\n  no-pl",
            "severity:\n  no-pl|",
            &["no-planned-cost"],
            &[],
        ),
        (
            config,
            "base_check: eager",
            "base_check: ",
            "base_check: |",
            &["eager", "lazy"],
            &[],
        ),
        (
            verification,
            "    command: cargo test\n",
            "    command: cargo test\n    \n",
            "cargo test\n    |",
            &["needs", "tier", "when"],
            &["code"],
        ),
        (
            verification,
            "    command: cargo test\n",
            "    command: cargo test\n    needs: [\n",
            "needs: [|",
            &["tests"],
            &[],
        ),
        (
            verification,
            "    command: cargo test\n",
            "    command: cargo test\n    tier: \n",
            "tier: |",
            &["narrow", "broad"],
            &[],
        ),
    ];
    for (file, from, to, cursor, some, none) in rows {
        let text = editor.texts[*file].clone();
        editor.edit(file, from, to);
        let offered = editor.complete(file, cursor);
        for label in *some {
            assert!(
                offered.contains(&(*label).to_owned()),
                "{to:?} lacks {label}: {offered:?}"
            );
        }
        for label in *none {
            assert!(
                !offered.contains(&(*label).to_owned()),
                "{to:?} offers {label}: {offered:?}"
            );
        }
        let whole = editor.texts[*file].clone();
        editor.edit(file, &whole, &text);
    }
}

#[test]
fn hover_definition_references_and_symbols_know_units_and_requirements() {
    let mut editor = Editor::on(place());
    editor.open(FIRST);
    editor.open(SECOND);
    editor.open(PLAN);
    for (file, cursor, says) in [
        (PLAN, "id: FEAT-2026-0001/T0|1", "pending, ready"),
        (PLAN, "id: FEAT-2026-0001/T0|2", "waits for"),
        (SECOND, "see T0|1", "FEAT-2026-0001/T01"),
        (FIRST, "sta|tus:", "Where it stands"),
        (FIRST, "[REQ-OUT|", "orders come out"),
        (PLAN, "GATE-0|1.md", "0 of 2 units settled"),
    ] {
        let page = editor.hover(file, cursor);
        assert!(page.contains(says), "{cursor}: {page:?}");
    }
    assert_eq!(
        editor.hover(SECOND, "What| FEAT"),
        "",
        "prose is not explained"
    );
    editor.edit(FIRST, "covers: [REQ-OUT-1]", "covers: [REQ-OUT-2]");
    assert!(
        editor
            .hover(FIRST, "[REQ-OUT-|2")
            .contains("unknown-requirement")
    );
    editor.edit(FIRST, "covers: [REQ-OUT-2]", "covers: [REQ-OUT-1]");

    for (file, cursor, want) in [
        (PLAN, "id: FEAT-2026-0001/T0|2", "WU-02-import.md:2"),
        (PLAN, "file: WU-0|1", "WU-01-export.md:2"),
        (SECOND, "see T0|1", "WU-01-export.md:2"),
        (PLAN, "GATE-0|1.md", "GATE-01.md:1"),
        (FIRST, "[REQ-OUT|", "PLAN.md:13"),
    ] {
        assert_eq!(
            editor.places("textDocument/definition", file, cursor),
            [want],
            "{cursor}"
        );
    }
    let found = editor.places("textDocument/references", FIRST, "id: FEAT-2026-0001/T0|1");
    // Graph, frontmatter, and twice in prose; `T010` is another one.
    let prose = found.iter().filter(|p| p.starts_with("WU-02")).count();
    assert_eq!(prose, 2, "{found:?}");
    assert!(found.contains(&"WU-01-export.md:2".to_owned()), "{found:?}");
    assert!(found.iter().any(|p| p.starts_with("PLAN.md")), "{found:?}");
    let found = editor.places("textDocument/references", PLAN, "- REQ-OUT|-1");
    assert_eq!(found, ["PLAN.md:13", "WU-01-export.md:5"]);

    let document = json!({ "textDocument": { "uri": editor.uri(PLAN) } });
    let symbols = editor
        .ask("textDocument/documentSymbol", document)
        .unwrap()
        .to_string();
    for name in [
        "\"frontmatter\"",
        "\"feature_id\"",
        "\"Requirements\"",
        "\"gate 1\"",
        "\"FEAT-2026-0001/T02\"",
    ] {
        assert!(symbols.contains(name), "{name} is not in {symbols}");
    }
}

#[test]
fn a_rename_reaches_every_file_and_the_files_own_name() {
    let mut editor = Editor::on(place());
    editor.open(PLAN);
    editor.open(SECOND);
    let mut params = editor.at(PLAN, "id: FEAT-2026-0001/T0|1");
    let prepared = editor
        .ask("textDocument/prepareRename", params.clone())
        .unwrap();
    assert_eq!(prepared["placeholder"], "FEAT-2026-0001/T01");
    for (name, says) in [
        ("T02", "taken"),
        ("x y", "not a unit id"),
        ("FEAT-2026-0009/T01", "not a unit id"),
    ] {
        params["newName"] = json!(name);
        let refused = editor
            .ask("textDocument/rename", params.clone())
            .unwrap_err();
        assert!(refused.contains(says), "{name}: {refused}");
    }
    params["newName"] = json!("T07");
    let edit = editor.ask("textDocument/rename", params).unwrap();
    editor.apply(&edit);
    assert!(editor.texts[PLAN].contains("id: FEAT-2026-0001/T07\n        file: WU-07-export.md"));
    assert!(editor.texts[FIRST].contains("id: FEAT-2026-0001/T07\n"));
    assert!(editor.texts[SECOND].contains("What FEAT-2026-0001/T07 wrote; see T07 and T010."));
    assert!(
        !editor
            .texts
            .values()
            .any(|text| text.contains("0001/T01\n"))
    );
    let moved = edit["documentChanges"]
        .as_array()
        .unwrap()
        .last()
        .unwrap()
        .clone();
    assert_eq!(moved["kind"], "rename");
    assert_eq!(moved["oldUri"], json!(editor.uri(FIRST)));
    assert_eq!(
        moved["newUri"],
        json!(editor.uri(&format!("{FEATURE}/WU-07-export.md")))
    );

    let mut params = editor.at(PLAN, "- REQ-OUT|-1");
    params["newName"] = json!("REQ-OUT-9");
    let edit = editor.ask("textDocument/rename", params).unwrap();
    editor.apply(&edit);
    assert!(editor.texts[FIRST].contains("covers: [REQ-OUT-9]"));
}

#[test]
fn a_feature_is_renamed_with_its_directory_until_it_has_been_worked_on() {
    let mut editor = Editor::on(place());
    let roadmap = ".gatewalk/roadmap.md";
    editor.place.put(
        roadmap,
        "| id | status |\n|---|---|\n| FEAT-2026-0001 | active |\n",
    );
    editor.open(roadmap);
    editor.open(PLAN);
    let mut params = editor.at(PLAN, "feature_id: FEAT-2026-0|001");
    let prepared = editor
        .ask("textDocument/prepareRename", params.clone())
        .unwrap();
    assert_eq!(prepared["placeholder"], "FEAT-2026-0001");
    params["newName"] = json!("export");
    let refused = editor
        .ask("textDocument/rename", params.clone())
        .unwrap_err();
    assert!(refused.contains("not a feature's id"), "{refused}");
    params["newName"] = json!("FEAT-2026-0044");
    let edit = editor.ask("textDocument/rename", params.clone()).unwrap();
    let moved = edit["documentChanges"].as_array().unwrap().last().unwrap();
    assert_eq!(moved["oldUri"], json!(editor.uri(FEATURE)));
    let directory = FEATURE.replace("0001", "0044");
    assert_eq!(moved["newUri"], json!(editor.uri(&directory)));
    editor.apply(&edit);
    assert!(editor.texts[PLAN].contains("id: FEAT-2026-0044/T02\n"));
    assert!(editor.texts[SECOND].contains("What FEAT-2026-0044/T01 wrote"));
    assert!(editor.texts[roadmap].contains("| FEAT-2026-0044 |"));
    assert!(
        !editor
            .texts
            .values()
            .any(|text| text.contains("FEAT-2026-0001"))
    );

    let mut editor = Editor::on({
        let place = place();
        place.put(&format!("{FEATURE}/events.jsonl"), "");
        place
    });
    editor.open(PLAN);
    let mut params = editor.at(PLAN, "feature_id: FEAT-2026-0|001");
    params["newName"] = json!("FEAT-2026-0044");
    let refused = editor.ask("textDocument/rename", params).unwrap_err();
    assert!(refused.contains("worked on"), "{refused}");
}

#[test]
fn a_unit_that_was_worked_on_keeps_its_id() {
    let mut editor = Editor::on({
        let place = place();
        let event = json!({"seq": 1, "correlation_id": "FEAT-2026-0001/T01"});
        place.put(&format!("{FEATURE}/events.jsonl"), &format!("{event}\n"));
        place
    });
    editor.open(PLAN);
    for (id, refused) in [("T0|1", true), ("T0|2", false)] {
        let mut params = editor.at(PLAN, &format!("id: FEAT-2026-0001/{id}"));
        params["newName"] = json!("T07");
        let answer = editor.ask("textDocument/rename", params);
        assert_eq!(answer.is_err(), refused, "{id}: {answer:?}");
    }
}

#[test]
fn after_shutdown_only_the_end_is_waited_for() {
    let mut editor = Editor::on(place());
    let twice = editor.ask("initialize", json!({})).unwrap_err();
    assert!(twice.contains("already"), "{twice}");
    editor.ask("shutdown", json!(null)).unwrap();
    editor.tell("textDocument/didClose", json!({}));
    let late = editor.ask("textDocument/hover", json!({})).unwrap_err();
    assert!(late.contains("shut down"), "{late}");
    editor.tell("exit", json!(null));
    assert_eq!(editor.server.wait().unwrap().code(), Some(0));
}

#[test]
fn columns_are_utf_16_and_lines_end_before_crlf() {
    let mut editor = Editor::on(place());
    let text = "---\r\nid: FEAT-2026-0001/T01\r\ntype: implementation\r\nstatus: pending\r\noracle_env: \u{1f600}\u{1f468}\u{200d}\u{1f469} # x\r\nstatsu: y\r\n---\r\n";
    editor.place.put(FIRST, text);
    editor.open(FIRST);
    editor.settle();
    let uri = editor.uri(FIRST);
    let hidden = editor.found[&uri]
        .iter()
        .find(|d| d["code"] == "GW105")
        .unwrap();
    assert_eq!(
        hidden["range"],
        json!({ "start": { "line": 5, "character": 0 }, "end": { "line": 5, "character": 6 } })
    );
    // A client that means \"to the end of the line\" gives a column far behind it; and one message may hold
    // several changes, each in the text the one before it left, also from the end to the beginning.
    let changes = json!([
        { "range": { "start": { "line": 5, "character": 6 }, "end": { "line": 5, "character": 999 } }, "text": ": z" },
        { "range": { "start": { "line": 4, "character": 14 }, "end": { "line": 4, "character": 19 } }, "text": "ok" },
        { "range": { "start": { "line": 5, "character": 0 }, "end": { "line": 5, "character": 9 } }, "text": "effort: high" },
    ]);
    let document = json!({ "uri": uri, "version": 2 });
    editor.tell(
        "textDocument/didChange",
        json!({ "textDocument": document, "contentChanges": changes }),
    );
    let codes = editor.codes(FIRST);
    assert!(
        !codes.contains(&"GW105".to_owned()) && !codes.contains(&"GW103".to_owned()),
        "{codes:?}"
    );
    // The columns of an emoji are two: the cursor behind it is behind the words that replaced the family.
    let params =
        json!({ "textDocument": { "uri": uri }, "position": { "line": 5, "character": 3 } });
    let hover = editor.ask("textDocument/hover", params).unwrap();
    assert!(hover.to_string().contains("thought"), "{hover}");
}

#[test]
fn a_file_that_is_renamed_outside_of_the_editor_is_found_under_its_new_name() {
    let mut editor = Editor::on(place());
    editor.settle();
    let other = format!("{FEATURE}/WU-01-other.md");
    std::fs::rename(editor.place.path(FIRST), editor.place.path(&other)).unwrap();
    editor.tell("workspace/didChangeWatchedFiles", json!({ "changes": [] }));
    assert!(editor.codes(&other).contains(&"GW313".to_owned()));
    assert!(editor.codes(PLAN).contains(&"GW306".to_owned()));
    std::fs::rename(editor.place.path(&other), editor.place.path(FIRST)).unwrap();
    editor.tell("workspace/didChangeWatchedFiles", json!({ "changes": [] }));
    assert_eq!(editor.codes(&other), [] as [&str; 0]);
    assert!(!editor.codes(PLAN).contains(&"GW306".to_owned()));
}

#[test]
fn two_state_directories_in_one_directory_are_two_repositories() {
    let mut editor = Editor::on(place());
    let nested = format!("packages/web/{FEATURE}/PLAN.md");
    let plan = std::fs::read_to_string(editor.place.path(PLAN)).unwrap();
    editor
        .place
        .put(&nested, &plan.replace("status: active", "status: activ"));
    editor.open(&nested);
    assert!(editor.codes(&nested).contains(&"GW108".to_owned()));
    assert!(!editor.codes(PLAN).contains(&"GW108".to_owned()));
}

#[test]
fn an_end_without_shutdown_exits_with_1() {
    let mut editor = Editor::on(place());
    editor.tell("$/cancelRequest", json!({ "id": 99 }));
    editor.tell("exit", Value::Null);
    assert_eq!(editor.server.wait().unwrap().code(), Some(1));
}

#[test]
fn an_editor_that_cannot_move_files_gets_plain_changes() {
    let mut editor = Editor::that_can(place(), &json!({}));
    editor.open(PLAN);
    let mut params = editor.at(PLAN, "id: FEAT-2026-0001/T0|1");
    params["newName"] = json!("T07");
    let edit = editor.ask("textDocument/rename", params).unwrap();
    assert!(edit["documentChanges"].is_null());
    editor.apply(&edit);
    assert!(editor.texts[PLAN].contains("id: FEAT-2026-0001/T07\n        file: WU-01-export.md"));
}

#[test]
fn fixes_and_comments_are_offered_and_do_what_they_say() {
    let mut editor = Editor::on(place());
    editor.open(FIRST);
    editor.edit(FIRST, "covers:", "covres:");
    let offered = editor.actions(FIRST, "cov|res");
    let titles: Vec<_> = offered
        .iter()
        .map(|a| a["title"].as_str().unwrap())
        .collect();
    assert_eq!(titles[0], "rename to `covers`", "{titles:?}");
    assert!(
        titles.contains(&"Allow GW105 here, with a reason"),
        "{titles:?}"
    );
    assert_eq!(offered[0]["diagnostics"][0]["code"], "GW105");
    let allow = offered
        .iter()
        .find(|a| a["title"].as_str().unwrap().starts_with("Allow"))
        .unwrap();
    editor.apply(&allow["edit"].clone());
    let codes = editor.codes(FIRST);
    assert!(
        !codes.contains(&"GW105".to_owned()),
        "{codes:?} in {}",
        editor.texts[FIRST]
    );
    assert!(
        !codes.contains(&"GW118".to_owned()) && !codes.contains(&"GW119".to_owned()),
        "{codes:?}"
    );
    let again = editor.actions(FIRST, "cov|res");
    assert!(again.iter().all(|a| a["kind"] != "quickfix"), "{again:?}");
    let comment = "# gatewalk: allow GW105 why this is right here\n";
    editor.edit(FIRST, comment, "");
    let fix = editor.actions(FIRST, "cov|res")[0]["edit"].clone();
    editor.apply(&fix);
    assert!(editor.texts[FIRST].contains("covers: [REQ-OUT-1]"));
    assert!(editor.codes(FIRST).iter().all(|code| code != "GW105"));

    editor.open(SECOND);
    editor.edit(SECOND, "## Context\n", "## Context\n\nhid\u{200b}den\n");
    assert!(editor.codes(SECOND).contains(&"GW113".to_owned()));
    let offered = editor.actions(SECOND, "h|id");
    let comment = offered
        .iter()
        .find(|a| a["title"].as_str().unwrap().starts_with("Allow"))
        .unwrap();
    editor.apply(&comment["edit"].clone());
    assert!(editor.texts[SECOND].contains("<!-- gatewalk: allow GW113 "));
    assert!(!editor.codes(SECOND).contains(&"GW113".to_owned()));
}

#[test]
fn inlay_hints_say_what_can_start() {
    let mut editor = Editor::on(place());
    editor.open(PLAN);
    let all =
        json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 999, "character": 0 } });
    let params = json!({ "textDocument": { "uri": editor.uri(PLAN) }, "range": all });
    let hints = editor.ask("textDocument/inlayHint", params).unwrap();
    let label = |h: &Value| h["label"].as_str().unwrap().trim().to_owned();
    let labels: Vec<String> = hints.as_array().unwrap().iter().map(label).collect();
    assert_eq!(labels, ["pending, ready", "pending, waits for T01"]);
}

#[test]
fn malformed_messages_do_not_end_the_server() {
    let mut editor = Editor::on(place());
    assert!(
        editor
            .ask("no/such", json!({}))
            .unwrap_err()
            .contains("no/such")
    );
    editor.tell(
        "textDocument/didChange",
        json!({ "textDocument": { "uri": "untitled:1" }, "contentChanges": [{}] }),
    );
    editor.tell(
        "textDocument/didOpen",
        json!({ "textDocument": { "uri": "file:///%zz", "text": "x" } }),
    );
    for method in [
        "completion",
        "hover",
        "definition",
        "references",
        "documentSymbol",
        "codeAction",
        "inlayHint",
    ] {
        drop(editor.ask(&format!("textDocument/{method}"), json!({})));
    }
    editor.open(FIRST);
    // A buffer that is rubbish from end to end, and empty, and whole again.
    let text = editor.texts[FIRST].clone();
    for rubbish in [
        "---\n",
        "---\n[[[[{{{{",
        "",
        "\u{feff}---\r\nid: \"\u{0}\r\n",
    ] {
        let now = editor.texts[FIRST].clone();
        if !now.is_empty() {
            editor.edit(FIRST, &now, rubbish);
        }
        editor.settle();
    }
    let now = editor.texts[FIRST].clone();
    editor.edit(FIRST, &now, &text);
    assert!(!editor.codes(FIRST).contains(&"GW101".to_owned()));
    assert_eq!(editor.shut_down(), Some(0));
}

#[test]
fn neovim_completes_fixes_and_renames() {
    let nvim = Command::new("nvim").arg("--version").output();
    if !nvim.is_ok_and(|version| version.status.success()) {
        println!("skipped: nvim is not installed");
        return;
    }
    let place = place();
    let script = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/fixtures/editors/neovim.lua"
    );
    let output = Command::new("nvim")
        .args(["--headless", "-u", "NONE", "-i", "NONE", "-n", "-c"])
        .arg(format!("luafile {script}"))
        .current_dir(place.dir.path())
        .env("GATEWALK", env!("CARGO_BIN_EXE_gatewalk"))
        .env("ROOT", place.dir.path())
        .env("FEATURE", FEATURE)
        .env("HOME", place.dir.path())
        .env("XDG_STATE_HOME", place.path("state"))
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    let read =
        |name: &str| std::fs::read_to_string(place.path(&format!("{FEATURE}/{name}"))).unwrap();
    assert!(!place.path(FIRST).exists(), "{said}");
    let unit = read("WU-07-export.md");
    assert!(
        unit.contains("id: FEAT-2026-0001/T07\n") && unit.contains("effort: medium\n"),
        "{unit}"
    );
    let plan = read("PLAN.md");
    assert!(
        plan.contains("id: FEAT-2026-0001/T07\n        file: WU-07-export.md"),
        "{plan}"
    );
    assert!(read("WU-02-import.md").contains("What FEAT-2026-0001/T07 wrote; see T07 and T010."));
}

#[test]
fn an_arming_that_the_log_lost_is_found_in_an_editor_too() {
    let place = Place::clean();
    let program = env!("CARGO_BIN_EXE_gatewalk");
    let script = format!(
        "git init -q -b main; git config user.name Ada; git config user.email ada@example.org
         sed -i 's/^status: pending/status: draft/' {FEATURE}/WU-*.md
         sed -i 's/^status: active/status: planned/' {FEATURE}/PLAN.md
         git add -A; git commit -qm plan; {program} arm; git checkout -q feat/export
         sed -i '/^armed: /d' {FEATURE}/WU-*.md; git commit -qam unmarked"
    );
    let sh = |script: &str| {
        let mut command = Command::new("sh");
        let command = command.args(["-ec", script]).current_dir(place.dir.path());
        let output = command.env("GIT_CONFIG_GLOBAL", "/dev/null").output();
        let output = output.unwrap();
        assert!(output.status.success(), "{}", crate::world::text(&output));
    };
    sh(&script);
    let has = |editor: &mut Editor| editor.codes(FIRST).contains(&"GW412".to_owned());
    let log = format!("{FEATURE}/events.jsonl");
    let kept = place.read(&log);
    sh(&format!("git rm -q {log}; git commit -qm lost"));
    let mut editor = Editor::on(place);
    assert!(has(&mut editor), "{:?}", editor.found);
    editor.place.put(&log, &kept);
    editor.tell("workspace/didChangeWatchedFiles", json!({ "changes": [] }));
    assert!(!has(&mut editor), "{:?}", editor.found);
}
