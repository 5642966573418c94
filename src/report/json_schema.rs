//! JSON Schemas of every kind of frontmatter and of the YAML files, made from the tables of keys
//! that reading, completion and hover use.

use gatewalk_core::model::agent_entry::Effort;
use gatewalk_core::model::config::ConfigFront;
use gatewalk_core::model::frontmatter::{FromYaml, Key, Owner, Shape};
use gatewalk_core::model::gate::{self, GateFront};
use gatewalk_core::model::plan::{self, PlanFront};
use gatewalk_core::model::status_machine::Word as _;
use gatewalk_core::model::unit::{self, UnitFront};
use gatewalk_core::model::verification::VerificationCommand;
use gatewalk_core::model::witness_settings::{WitnessMode, WitnessSettings};
use serde_json::{Map, Value, json};

/// The schemas, by name.
pub(crate) const KINDS: [&str; 6] = ["plan", "graph", "gate", "unit", "verification", "config"];

const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";
const FEATURE_ID: &str = r"^(FEAT-\d{4}-\d{4}|INIT-\d{4}-\d{4}/F\d{2})$";
const UNIT_ID: &str = r"^(FEAT-\d{4}-\d{4}|INIT-\d{4}-\d{4}/F\d{2})/(T\d{2,}(H\d*)?|G\d+-(RETRO|LESSONS|DOCS|PLAN|CLOSE-INTERMEDIATE|CLOSE))$";

/// Returns the schema of that name.
pub(crate) fn of(kind: &str) -> Option<Value> {
    let value = match kind {
        "plan" => with_pattern(
            table(PlanFront::KEYS, plan::KEPT_KEYS),
            "feature_id",
            FEATURE_ID,
        ),
        "gate" => table(GateFront::KEYS, gate::KEPT_KEYS),
        "unit" => with_pattern(table(UnitFront::KEYS, unit::KEPT_KEYS), "id", UNIT_ID),
        "config" => table(ConfigFront::KEYS, &["version"]),
        "verification" => verification(),
        "graph" => graph(),
        _ => return None,
    };
    let title = match kind {
        "plan" => "Frontmatter of PLAN.md",
        "graph" => "The task graph of PLAN.md",
        "gate" => "Frontmatter of GATE-NN.md",
        "unit" => "Frontmatter of WU-*.md",
        "verification" => "verification.yml",
        _ => "config.yml",
    };
    let mut schema = Map::new();
    schema.insert("$schema".into(), json!(DIALECT));
    schema.insert("title".into(), json!(title));
    if let Value::Object(value) = value {
        schema.extend(value);
    }
    Some(Value::Object(schema))
}

/// Returns the schema of that name as it is checked in.
pub(crate) fn text(kind: &str) -> Option<String> {
    let mut text = serde_json::to_string_pretty(&of(kind)?).unwrap_or_default();
    text.push('\n');
    Some(text)
}

fn table(keys: &[Key], kept: &[&str]) -> Value {
    let mut properties = Map::new();
    for key in keys {
        let mut value = shape(&key.shape);
        let owner = match key.owner {
            Owner::Author => "",
            Owner::Session => " Written by the session.",
            Owner::Driver => " Written by the driver.",
        };
        value["description"] = json!(format!("{}{owner}", key.doc));
        properties.insert(key.name.to_owned(), value);
    }
    for name in kept {
        properties
            .entry(*name)
            .or_insert_with(|| json!({ "description": "Of an older driver: kept, not used." }));
    }
    let required: Vec<&str> = keys.iter().filter(|k| k.required).map(|k| k.name).collect();
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}

fn with_pattern(mut schema: Value, key: &str, pattern: &str) -> Value {
    schema["properties"][key]["pattern"] = json!(pattern);
    schema
}

fn shape(shape_of: &Shape) -> Value {
    match shape_of {
        Shape::Text => json!({ "type": ["string", "number", "boolean"] }),
        Shape::Integer => json!({ "type": "integer", "minimum": 0 }),
        Shape::Number => json!({ "type": "number", "minimum": 0 }),
        Shape::Bool => json!({ "type": "boolean" }),
        Shape::Duration => json!({ "type": "string", "pattern": r"^(?=\d)(\d+h)?(\d+m)?(\d+s)?$" }),
        Shape::OneOf(words) => json!({ "enum": words() }),
        Shape::List(item) => json!({ "type": "array", "items": shape(item) }),
        Shape::OneOrMany(item) => {
            json!({ "anyOf": [shape(item), { "type": "array", "items": shape(item) }] })
        }
        Shape::Table(keys) => table(keys(), &[]),
        Shape::Map(value) => json!({ "type": "object", "additionalProperties": shape(value) }),
        Shape::Agent => json!({ "anyOf": [{ "type": "string" }, {
            "type": "object",
            "minProperties": 1,
            "maxProperties": 3,
            "properties": {
                "agent": { "type": "string" },
                "model": shape(&Shape::Text),
                "effort": shape(&Effort::SHAPE),
            },
            "additionalProperties": { "type": ["string", "number", "null"] },
        }] }),
        Shape::Any => json!({}),
    }
}

fn verification() -> Value {
    let set = json!({ "type": ["array", "null"], "items": table(VerificationCommand::KEYS, &[]) });
    let described = |text: &str| {
        let mut set = set.clone();
        set["description"] = json!(text);
        set
    };
    json!({
        "type": "object",
        "properties": {
            "setup": { "type": "string", "description": "Runs once a slot, and again when a lock file changes." },
            "link": {
                "anyOf": [{ "type": "string" }, { "type": "array", "items": { "type": "string" } }],
                "description": "Ignored paths a slot takes from the checkout.",
            },
            "witness": {
                "anyOf": [{ "enum": WitnessMode::words() }, table(WitnessSettings::KEYS, &[])],
                "description": "Whether and how it is found out which changes no check sees.",
            },
            "code": described("Judges implementation units."),
            "doc": described("Judges closing units."),
            "plannext": described("Judges plan-next units."),
        },
        "additionalProperties": set,
    })
}

fn graph() -> Value {
    json!({
        "type": "object",
        "properties": { "gates": { "type": "array", "minItems": 1, "items": {
            "type": "object",
            "properties": {
                "gate": { "type": "integer", "minimum": 0, "description": "The gate's number." },
                "file": { "type": "string", "description": "Its file in the feature's directory." },
                "work_units": { "type": ["array", "null"], "items": {
                    "type": "object",
                    "properties": {
                        "id": { "type": "string", "pattern": UNIT_ID, "description": "The unit's id." },
                        "file": { "type": "string", "description": "Its file in the feature's directory." },
                        "depends_on": { "type": ["array", "null"], "items": { "type": "string", "pattern": UNIT_ID }, "description": "Ids it waits for." },
                    },
                    "required": ["id", "file"],
                    "additionalProperties": false,
                }},
            },
            "required": ["gate", "file", "work_units"],
            "additionalProperties": false,
        }}},
        "required": ["gates"],
    })
}
