//! A validator for the part of JSON Schema that the schemas in use need.

use serde_json::Value;

/// Returns what is wrong with a value, each with its place.
pub(crate) fn validate(schema: &Value, value: &Value) -> Vec<String> {
    let mut wrong = Vec::new();
    Check { root: schema }.value(schema, value, "$", &mut wrong);
    wrong
}

struct Check<'s> {
    root: &'s Value,
}

impl Check<'_> {
    fn value(&self, schema: &Value, value: &Value, at: &str, wrong: &mut Vec<String>) {
        if let Some(target) = schema["$ref"].as_str() {
            let found = self
                .root
                .pointer(target.trim_start_matches('#'))
                .unwrap_or_else(|| panic!("{target}"));
            return self.value(found, value, at, wrong);
        }
        self.kind(schema, value, at, wrong);
        if schema["enum"]
            .as_array()
            .is_some_and(|words| !words.contains(value))
        {
            wrong.push(format!("{at}: {value} is none of {}", schema["enum"]));
        }
        let matching = |list: &Value| {
            let fits = |s: &&Value| Check { root: self.root }.is_valid(s, value);
            list.as_array().map(|list| list.iter().filter(fits).count())
        };
        if matching(&schema["anyOf"]) == Some(0)
            || matching(&schema["oneOf"]).is_some_and(|count| count != 1)
        {
            wrong.push(format!("{at}: not one of the alternatives"));
        }
        match value {
            Value::Object(_) => self.object(schema, value, at, wrong),
            Value::Array(items) => self.array(schema, items, at, wrong),
            Value::String(text) => {
                if let Some(pattern) = schema["pattern"].as_str() {
                    // The regex crate has no look-ahead; the one in use only refuses an empty text.
                    let (plain, nonempty) =
                        (pattern.replace("(?=\\d)", ""), pattern.contains("(?=\\d)"));
                    let found = regex::Regex::new(&plain).unwrap().is_match(text)
                        && !(nonempty && text.is_empty());
                    if !found {
                        wrong.push(format!("{at}: `{text}` is not like {pattern}"));
                    }
                }
            }
            Value::Number(number) => {
                let number = number.as_f64().unwrap();
                if schema["minimum"].as_f64().is_some_and(|min| number < min)
                    || schema["maximum"].as_f64().is_some_and(|max| number > max)
                {
                    wrong.push(format!("{at}: {number} is out of range"));
                }
            }
            _ => {}
        }
    }

    fn is_valid(&self, schema: &Value, value: &Value) -> bool {
        let mut wrong = Vec::new();
        self.value(schema, value, "", &mut wrong);
        wrong.is_empty()
    }

    fn kind(&self, schema: &Value, value: &Value, at: &str, wrong: &mut Vec<String>) {
        let is = |word: &str| match word {
            "object" => value.is_object(),
            "array" => value.is_array(),
            "string" => value.is_string(),
            "boolean" => value.is_boolean(),
            "integer" => value.is_i64() || value.is_u64(),
            "number" => value.is_number(),
            "null" => value.is_null(),
            word => panic!("unknown type {word}"),
        };
        let fits = match &schema["type"] {
            Value::String(word) => is(word),
            Value::Array(words) => words.iter().filter_map(Value::as_str).any(is),
            _ => true,
        };
        if !fits {
            wrong.push(format!("{at}: {value} is not of type {}", schema["type"]));
        }
    }

    fn object(&self, schema: &Value, value: &Value, at: &str, wrong: &mut Vec<String>) {
        for key in schema["required"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
        {
            if value.get(key).is_none() {
                wrong.push(format!("{at}: `{key}` is missing"));
            }
        }
        for (key, inner) in value.as_object().into_iter().flatten() {
            let at = format!("{at}.{key}");
            match (&schema["properties"][key], &schema["additionalProperties"]) {
                (Value::Null, Value::Bool(false)) => wrong.push(format!("{at}: unknown")),
                (Value::Null, other @ Value::Object(_)) => self.value(other, inner, &at, wrong),
                (Value::Null, _) => {}
                (known, _) => self.value(known, inner, &at, wrong),
            }
        }
    }

    fn array(&self, schema: &Value, items: &[Value], at: &str, wrong: &mut Vec<String>) {
        if schema["minItems"]
            .as_u64()
            .is_some_and(|min| (items.len() as u64) < min)
        {
            wrong.push(format!("{at}: too few items"));
        }
        let repeats = items
            .iter()
            .enumerate()
            .any(|(i, item)| items[..i].contains(item));
        if schema["uniqueItems"] == Value::Bool(true) && repeats {
            wrong.push(format!("{at}: items repeat"));
        }
        if schema["items"].is_object() {
            for (index, item) in items.iter().enumerate() {
                self.value(&schema["items"], item, &format!("{at}[{index}]"), wrong);
            }
        }
    }
}

#[test]
fn the_validator_tells_wrong_from_right() {
    let schema = serde_json::json!({
        "type": "object", "required": ["a"], "additionalProperties": false,
        "properties": {
            "a": { "$ref": "#/definitions/small" },
            "b": { "type": "array", "uniqueItems": true, "minItems": 1, "items": { "enum": ["x", "y"] } },
            "c": { "anyOf": [{ "type": "string", "pattern": "^z" }, { "type": "null" }] },
        },
        "definitions": { "small": { "type": "integer", "minimum": 0, "maximum": 9 } },
    });
    for (text, ok) in [
        (r#"{"a": 1}"#, true),
        (r#"{"a": 1, "b": ["x", "y"], "c": "zz"}"#, true),
        (r#"{"a": 1, "c": null}"#, true),
        ("{}", false),
        (r#"{"a": 10}"#, false),
        (r#"{"a": -1}"#, false),
        (r#"{"a": "1"}"#, false),
        (r#"{"a": 1, "d": 1}"#, false),
        (r#"{"a": 1, "b": []}"#, false),
        (r#"{"a": 1, "b": ["x", "x"]}"#, false),
        (r#"{"a": 1, "b": ["w"]}"#, false),
        (r#"{"a": 1, "c": "a"}"#, false),
        ("[]", false),
    ] {
        let value = serde_json::from_str(text).unwrap();
        assert_eq!(validate(&schema, &value).is_empty(), ok, "{text}");
    }
}
