//! Sub-agents: how a model hands work to one, whatever tool the client offers for that.

use serde_json::{Value, json};

/// Stands in the request of a sub-agent, and in no other.
const MARK: &str = "delegated-to-a-sub-agent";

/// Tools that start a sub-agent and wait for it.
const TOOLS: &[&str] = &[
    "Agent",
    "Task",
    "task",
    "agent",
    "invoke_agent",
    "generalist",
    "Subagent",
];

/// Returns the call that hands a request's work on, unless it was handed on already or the client has no such tool.
pub(crate) fn of(body: &Value) -> Option<(String, Value)> {
    if body.to_string().contains(MARK) {
        return None;
    }
    let listed = body["tools"].as_array()?;
    let declared = listed
        .iter()
        .filter_map(|tool| tool["functionDeclarations"].as_array())
        .flatten();
    let mut tools = listed
        .iter()
        .chain(declared)
        .map(|tool| match &tool["function"] {
            Value::Null => tool,
            function => function,
        });
    let tool = tools.find(|tool| tool["name"].as_str().is_some_and(|n| TOOLS.contains(&n)))?;
    let schemas = ["input_schema", "parameters", "parametersJsonSchema"];
    let schema = schemas.iter().find_map(|key| tool[key].as_object())?;
    let required: Vec<&str> = schema
        .get("required")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let arguments = required.iter().map(|name| {
        let property = &schema["properties"][name];
        (
            (*name).to_owned(),
            argument(name, property, &tool.to_string()),
        )
    });
    Some((tool["name"].as_str()?.to_owned(), arguments.collect()))
}

/// Returns what a required argument of such a tool is.
fn argument(name: &str, property: &Value, tool: &str) -> Value {
    let kinds = ["general-purpose", "generalist", "general"];
    let known = kinds.iter().find(|kind| tool.contains(**kind));
    let choices = property["enum"].as_array();
    let chosen = choices.and_then(|all| {
        let general = all
            .iter()
            .find(|kind| known.is_some_and(|known| kind.as_str() == Some(known)));
        general.or(all.first())
    });
    match name {
        _ if chosen.is_some() => chosen.cloned().unwrap_or_default(),
        _ if name.contains("type") || name.contains("agent") => json!(known.unwrap_or(&"general")),
        _ if property["type"] == "boolean" => json!(false),
        "description" | "name" => json!("write-hello"),
        _ => json!(format!("Write hello.txt ({MARK}).")),
    }
}
