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
    let tool =
        tools(body).find(|tool| tool["name"].as_str().is_some_and(|n| TOOLS.contains(&n)))?;
    let schemas = ["input_schema", "parameters", "parametersJsonSchema"];
    let schema = schemas.iter().find_map(|key| tool[key].as_object())?;
    // Droid's work in a daemon of its own, which asks for its vendor's account.
    if schema.get("properties")?.get("await").is_some() {
        return None;
    }
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
            argument(name, property, kind_in(tool, body)),
        )
    });
    Some((tool["name"].as_str()?.to_owned(), arguments.collect()))
}

/// Returns the call without which a sub-agent's work does not count as done, where its client wants one.
pub(crate) fn last_call(body: &Value) -> Option<(&'static str, String)> {
    const LAST: &str = "complete_task";
    tools(body).find(|tool| tool["name"] == LAST)?;
    let arguments = json!({"result": {"response": "hello.txt is written."}});
    Some((LAST, arguments.to_string()))
}

/// Returns the tools that a request offers, whatever its protocol.
fn tools(body: &Value) -> impl Iterator<Item = &Value> {
    let listed = body["tools"].as_array().into_iter().flatten();
    let declared = |tool: &&Value| tool["functionDeclarations"].is_array();
    let (groups, single): (Vec<&Value>, Vec<&Value>) = listed.partition(declared);
    let declared = groups
        .into_iter()
        .filter_map(|group| group["functionDeclarations"].as_array())
        .flatten();
    single
        .into_iter()
        .chain(declared)
        .map(|tool| match &tool["function"] {
            Value::Null => tool,
            function => function,
        })
}

/// Returns the general one of the sub-agents that the tool, or what the model is told of it elsewhere, names.
fn kind_in(tool: &Value, body: &Value) -> Option<&'static str> {
    let tool = tool.to_string();
    let mut kinds = ["general-purpose", "generalist", "general"].into_iter();
    let elsewhere = || {
        body.to_string()
            .contains("generalist")
            .then_some("generalist")
    };
    kinds.find(|kind| tool.contains(kind)).or_else(elsewhere)
}

/// Returns what a required argument of such a tool is.
fn argument(name: &str, property: &Value, known: Option<&str>) -> Value {
    let choices = property["enum"].as_array();
    let chosen = choices.and_then(|all| {
        let general = all
            .iter()
            .find(|kind| known.is_some_and(|known| kind.as_str() == Some(known)));
        general.or(all.first())
    });
    match name {
        _ if chosen.is_some() => chosen.cloned().unwrap_or_default(),
        _ if name.contains("type") || name.contains("agent") => json!(known.unwrap_or("general")),
        _ if property["type"] == "boolean" => json!(false),
        "description" | "name" => json!("write-hello"),
        _ => json!(format!("Write hello.txt ({MARK}).")),
    }
}
