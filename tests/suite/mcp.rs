//! `gatewalk mcp` as a client sees it: what can be read, and that nothing is decided without the user.

use crate::world::{PROGRAM, Unit, World};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

struct Client {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    id: u64,
}

impl Client {
    fn new(world: &World, capabilities: &Value) -> Client {
        Client::speaking(world, "2025-06-18", capabilities)
    }

    fn speaking(world: &World, revision: &str, capabilities: &Value) -> Client {
        let mut command = world.command(PROGRAM);
        let mut child = command
            .arg("mcp")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut client = Client {
            input: child.stdin.take(),
            output: BufReader::new(child.stdout.take().unwrap()),
            child,
            id: 0,
        };
        let params = json!({"protocolVersion": revision, "capabilities": capabilities, "clientInfo": {"name": "t", "version": "1"}});
        let greeting = client.request("initialize", &params);
        assert_eq!(greeting["result"]["protocolVersion"], revision);
        client.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        client
    }

    fn send(&mut self, message: &Value) {
        self.raw(message.to_string().as_bytes());
    }

    fn raw(&mut self, line: &[u8]) {
        let input = self.input.as_mut().unwrap();
        input.write_all(line).unwrap();
        input.write_all(b"\n").unwrap();
        input.flush().unwrap();
    }

    fn receive(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or_else(|e| panic!("{e}: {line}"))
    }

    fn request(&mut self, method: &str, params: &Value) -> Value {
        self.start(method, params);
        let answer = self.receive();
        assert_eq!(answer["id"], self.id, "{answer}");
        answer
    }

    fn start(&mut self, method: &str, params: &Value) {
        self.id += 1;
        self.send(&json!({"jsonrpc": "2.0", "id": self.id, "method": method, "params": params}));
    }

    fn call(&mut self, tool: &str, arguments: &Value) -> (String, bool) {
        let answer = self.request("tools/call", &json!({"name": tool, "arguments": arguments}));
        text_of(&answer)
    }

    /// Closes the connection; the server ends by itself.
    fn end(mut self) {
        drop(self.input.take());
        assert!(self.child.wait().unwrap().success());
    }
}

fn text_of(answer: &Value) -> (String, bool) {
    let result = &answer["result"];
    let text = result["content"][0]["text"].as_str();
    (
        text.unwrap_or_else(|| panic!("{answer}")).to_owned(),
        result["isError"] == true,
    )
}

/// A draft in the open gate, which `arm` makes pending.
fn with_a_draft() -> World {
    let world = World::example();
    let unit = ".gatewalk/features/FEAT-2026-0001-greetings/WU-01-several-names.md";
    let text = world.read(unit).replace("status: pending", "status: draft");
    assert!(text.contains("status: draft"));
    world.write(unit, text);
    world.git(&["commit", "-qam", "A draft"]);
    world
}

#[test]
fn an_agent_reads_plans_as_a_terminal_does() {
    let world = World::example();
    let mut client = Client::new(&world, &json!({}));
    let tools = client.request("tools/list", &json!({}))["result"]["tools"].clone();
    assert!(tools.as_array().unwrap().len() >= 15, "{tools}");
    let (status, failed) = client.call("status", &json!({}));
    assert!(
        !failed && serde_json::from_str::<Value>(&status).is_ok(),
        "{status}"
    );
    let shown = world.run(&["prompt", "T01"]).stdout;
    let shown = String::from_utf8(shown).unwrap();
    assert_eq!(
        client.call("prompt", &json!({"unit": "T01"})),
        (shown, false)
    );
    let (why, failed) = client.call("why", &json!({"unit": "T99"}));
    assert!(failed && why.contains("T99"), "{why}");
    client.end();
}

#[test]
fn a_long_result_comes_in_pages_that_are_json() {
    let ids: Vec<String> = (1..=400).map(|n| format!("T{n:03}")).collect();
    let units: Vec<Unit<'_>> = ids.iter().map(|id| Unit::with(id, &[])).collect();
    let world = World::with_units(&units);
    let mut client = Client::new(&world, &json!({}));
    let mut seen = Vec::new();
    let mut number = 1;
    loop {
        let (text, failed) = client.call("status", &json!({"page": number}));
        assert!(!failed && text.len() < 70_000, "{} bytes", text.len());
        let page: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(page["page"]["number"], number, "{}", page["page"]);
        let units = page["features"][0]["units"].as_array().unwrap();
        seen.extend(
            units
                .iter()
                .map(|unit| unit["id"].as_str().unwrap().to_owned()),
        );
        if page["page"]["of"] == number {
            break;
        }
        number += 1;
    }
    assert!(number > 1);
    let want: Vec<String> = ids
        .iter()
        .map(|id| format!("FEAT-2026-0001/{id}"))
        .collect();
    assert_eq!(seen, want);
    let past = client.request(
        "tools/call",
        &json!({"name": "status", "arguments": {"page": 99}}),
    );
    assert_eq!(past["error"]["code"], -32602, "{past}");
    let (inbox, failed) = client.call("inbox", &json!({}));
    assert!(!failed && inbox.contains("items"), "{inbox}");
    client.end();
}

#[test]
fn what_is_no_request_is_answered_and_the_next_one_works() {
    let world = World::example();
    let mut client = Client::new(&world, &json!({}));
    let rows: &[(&[u8], i64)] = &[
        (b"{not json", -32700),
        (b"\xff\xfe", -32700),
        (b"[1]", -32600),
        (br#"{"id":7,"method":"ping"}"#, -32600),
        (br#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32600),
        (br#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#, -32600),
        (br#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, -32600),
        (br#"{"jsonrpc":"2.0","id":1000000000000000000000000000001,"method":"ping"}"#, -32600),
        (br#"{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{"cursor":"x"}}"#, -32602),
        (br#"{"jsonrpc":"2.0","id":7,"method":"no/such"}"#, -32601),
        (br#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"loop"}}"#, -32602),
        (br#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"status","arguments":{"x":"y"}}}"#, -32602),
    ];
    for (line, code) in rows {
        client.raw(line);
        assert_eq!(
            client.receive()["error"]["code"],
            *code,
            "{}",
            String::from_utf8_lossy(line)
        );
    }
    client.raw(&vec![b'x'; 5 << 20]);
    assert_eq!(client.receive()["error"]["code"], -32600);
    assert_eq!(client.request("ping", &json!({}))["result"], json!({}));
    client.end();
}

#[test]
fn several_requests_in_one_message_are_answered_in_one() {
    let world = World::example();
    let mut client = Client::speaking(&world, "2025-03-26", &json!({}));
    client.raw(
        br#"[{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"board"}},
            {"jsonrpc":"2.0","method":"notifications/x"},5,{"jsonrpc":"2.0","id":2,"method":"ping"}]"#
            .iter()
            .map(|byte| if *byte == b'\n' { b' ' } else { *byte })
            .collect::<Vec<_>>()
            .as_slice(),
    );
    let answers = client.receive();
    let mut ids: Vec<String> = (answers.as_array().unwrap().iter())
        .map(|answer| answer["id"].to_string())
        .collect();
    ids.sort();
    assert_eq!(ids, ["\"a\"", "2", "null"], "{answers}");
    client.end();
}

#[test]
fn a_question_of_a_cancelled_call_is_withdrawn_and_a_late_yes_does_nothing() {
    let world = with_a_draft();
    let tip = world.git(&["rev-parse", "HEAD"]);
    let mut client = Client::new(&world, &json!({"elicitation": {}}));
    let arm = json!({"name": "arm", "arguments": {"name": "T01"}});
    client.start("tools/call", &arm);
    let question = client.receive();
    client.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": client.id}}));
    let withdrawn = client.receive();
    assert_eq!(withdrawn["method"], "notifications/cancelled");
    assert_eq!(withdrawn["params"]["requestId"], question["id"]);
    let yes = json!({"action": "accept", "content": {"approve": true}});
    client.send(&json!({"jsonrpc": "2.0", "id": question["id"], "result": yes}));
    assert_eq!(client.request("ping", &json!({}))["result"], json!({}));
    client.end();
    assert_eq!(world.git(&["rev-parse", "HEAD"]), tip);
}

#[test]
fn nothing_is_armed_where_the_client_cannot_ask() {
    let world = with_a_draft();
    let tip = world.git(&["rev-parse", "HEAD"]);
    for capabilities in [json!({}), json!({"elicitation": null})] {
        let mut client = Client::new(&world, &capabilities);
        let (text, failed) = client.call("arm", &json!({"name": "T01"}));
        assert!(
            failed && text.contains("gatewalk arm --json -- T01"),
            "{text}"
        );
        client.end();
    }
    assert_eq!(world.git(&["rev-parse", "HEAD"]), tip);
}

#[test]
#[ignore = "long"]
fn the_user_is_asked_and_only_a_yes_arms() {
    let yes = json!({"action": "accept", "content": {"approve": true}});
    let approved = |word: Value| json!({"action": "accept", "content": {"approve": word}});
    let answers = [
        (json!({"result": {"action": "decline"}}), false),
        (json!({"result": {"action": "cancel"}}), false),
        (json!({"result": {"action": "accept"}}), false),
        (json!({"result": approved(json!(false))}), false),
        (json!({"result": approved(json!("true"))}), false),
        (json!({"result": "accept"}), false),
        (json!({"error": {"code": -1, "message": "no"}}), false),
        (
            json!({"result": yes, "error": {"code": -1, "message": "no"}}),
            false,
        ),
        (json!({"result": yes}), true),
    ];
    for (mut answer, armed) in answers {
        let world = with_a_draft();
        let tip = world.git(&["rev-parse", "HEAD"]);
        let mut client = Client::new(&world, &json!({"elicitation": {}}));
        client.start(
            "tools/call",
            &json!({"name": "arm", "arguments": {"name": "T01"}}),
        );
        let call = client.id;
        let question = client.receive();
        assert_eq!(question["method"], "elicitation/create");
        assert!(
            question["params"]["message"]
                .as_str()
                .unwrap()
                .contains("gatewalk arm"),
            "{question}"
        );
        // What arrives while the user thinks is answered meanwhile.
        assert_eq!(client.request("ping", &json!({}))["result"], json!({}));
        let (board, failed) = client.call("board", &json!({}));
        assert!(!failed, "{board}");
        answer["jsonrpc"] = json!("2.0");
        answer["id"] = question["id"].clone();
        client.send(&answer);
        let done = client.receive();
        assert_eq!(done["id"], call);
        let (text, failed) = text_of(&done);
        assert_eq!(failed, !armed, "{answer}: {text}");
        client.end();
        assert_eq!(
            world.git(&["rev-parse", "HEAD"]) != tip,
            armed,
            "{answer}: {text}"
        );
    }
}

#[test]
fn the_user_sees_what_is_armed_and_a_yes_is_to_nothing_else() {
    let world = with_a_draft();
    let unit = ".gatewalk/features/FEAT-2026-0001-greetings/WU-01-several-names.md";
    let mut client = Client::new(&world, &json!({"elicitation": {}}));
    let arm = json!({"name": "arm", "arguments": {"name": "T01"}});
    let yes = json!({"action": "accept", "content": {"approve": true}});
    let agree = |client: &mut Client, meanwhile: &dyn Fn()| {
        client.start("tools/call", &arm);
        let question = client.receive();
        let message = question["params"]["message"].as_str().unwrap();
        assert!(message.contains("\n  T01 "), "{message}");
        meanwhile();
        client.send(&json!({"jsonrpc": "2.0", "id": question["id"], "result": yes}));
        text_of(&client.receive())
    };
    let changed = || {
        world.write(unit, world.read(unit) + "\nOnly while the user reads.\n");
        world.git(&["commit", "-qam", "Meanwhile"]);
    };
    let (text, failed) = agree(&mut client, &changed);
    assert!(failed && text.contains("changed meanwhile"), "{text}");
    assert!(world.read(unit).contains("status: draft"));
    let (text, failed) = agree(&mut client, &|| {});
    assert!(!failed, "{text}");
    client.end();
}
