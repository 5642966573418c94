//! The body of a server's answer inside a sentence: `429 {"error":{"type":"rate_limit_error",…}}`. Its typed fields
//! tell more than the words around it.

use serde_json::{Map, Value};

/// A body that wraps a body that wraps a body is what gateways make of an answer; more is no answer.
const DEEPEST: usize = 6;
/// A typed word is no sentence.
const LONGEST_WORD: usize = 60;

/// Where a body names the kind of a fault.
const WORD_KEYS: [&str; 7] = [
    "type",
    "code",
    "status",
    "reason",
    "__type",
    "name",
    "error_code",
];
/// Where it holds another.
const INNER_KEYS: [&str; 9] = [
    "error", "errors", "message", "detail", "details", "cause", "raw", "metadata", "data",
];

/// What the typed fields of a body tell.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct ErrorBody {
    pub(super) status: Option<u16>,
    words: Vec<String>,
}

impl ErrorBody {
    /// Reads the first JSON object or list of a text.
    pub(super) fn within(text: &str) -> ErrorBody {
        let mut body = ErrorBody::default();
        let starts = text.match_indices(['{', '[']).take(4);
        let values = starts.filter_map(|(at, _)| {
            let mut values = serde_json::Deserializer::from_str(&text[at..]).into_iter::<Value>();
            values.next()?.ok()
        });
        let first = values
            .into_iter()
            .find(|value| value.is_object() || value.get(0).is_some_and(Value::is_object));
        first.iter().for_each(|value| body.add(value, DEEPEST));
        body
    }

    /// Returns the words for its kind, the outermost first.
    pub(super) fn words(&self) -> impl Iterator<Item = &str> {
        self.words.iter().map(String::as_str)
    }

    fn add(&mut self, value: &Value, deep: usize) {
        let Some(deeper) = deep.checked_sub(1) else {
            return;
        };
        match value {
            Value::Object(fields) => self.add_object(fields, deeper),
            Value::Array(values) => values.iter().for_each(|value| self.add(value, deeper)),
            // A body as text within a body.
            Value::String(text) if text.trim_start().starts_with(['{', '[']) => {
                let inner = serde_json::from_str(text.trim()).unwrap_or(Value::Null);
                self.add(&inner, deeper);
            }
            _ => {}
        }
    }

    fn add_object(&mut self, fields: &Map<String, Value>, deeper: usize) {
        for key in WORD_KEYS {
            match fields.get(key) {
                Some(Value::String(word)) => self.add_word(word),
                Some(number) if matches!(key, "code" | "status") => self.add_status(number),
                _ => {}
            }
        }
        let status = ["statusCode", "status_code"].map(|key| fields.get(key));
        status
            .into_iter()
            .flatten()
            .for_each(|n| self.add_status(n));
        for key in INNER_KEYS {
            match fields.get(key) {
                Some(Value::String(word)) if key == "error" && !word.contains([' ', '{']) => {
                    self.add_word(word);
                }
                inner => inner.into_iter().for_each(|inner| self.add(inner, deeper)),
            }
        }
    }

    fn add_word(&mut self, word: &str) {
        match word.parse::<u16>() {
            Ok(number) => self.know_status(u64::from(number)),
            Err(_) if word.len() <= LONGEST_WORD && !word.contains(' ') => {
                self.words.push(word.to_owned());
            }
            Err(_) => {}
        }
    }

    fn add_status(&mut self, number: &Value) {
        number
            .as_u64()
            .into_iter()
            .for_each(|n| self.know_status(n));
    }

    fn know_status(&mut self, number: u64) {
        let status = u16::try_from(number).ok();
        self.status = self
            .status
            .or(status.filter(|status| (400..600).contains(status)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_typed_fields_of_a_body_are_found_wherever_they_are() {
        for (text, status, words) in [
            ("no body", None, &[][..]),
            ("{broken", None, &[]),
            ("see [1] and {x}", None, &[]),
            (
                r#"429 {"type":"error","error":{"type":"rate_limit_error","message":"x"}}"#,
                None,
                &["error", "rate_limit_error"],
            ),
            (
                r#"[{"error":{"code":404,"status":"NOT_FOUND"}}]"#,
                Some(404),
                &["NOT_FOUND"],
            ),
            (
                r#"{"error":{"code":"400","details":[{"reason":"SERVICE_DISABLED"}]}}"#,
                Some(400),
                &["SERVICE_DISABLED"],
            ),
            (
                r#"{"error":{"message":"{\"error\":{\"code\":\"too_deep\"}}","code":429}}"#,
                Some(429),
                &["too_deep"],
            ),
            (r#"{"error":"invalid_grant"}"#, None, &["invalid_grant"]),
            (r#"{"error":"Too many of them"}"#, None, &[]),
            (r#"{"statusCode":503,"name":"x y"}"#, Some(503), &[]),
            (r#"{"code":1113,"param":"quota"}"#, None, &[]),
        ] {
            let body = ErrorBody::within(text);
            assert_eq!(body.status, status, "{text}");
            assert_eq!(body.words, words, "{text}");
        }
    }

    #[test]
    fn a_body_in_a_body_is_read_to_a_bound() {
        let nested = |depth: usize| {
            format!(
                "{}{{\"type\":\"x\"}}{}",
                "{\"error\":".repeat(depth),
                "}".repeat(depth)
            )
        };
        assert_eq!(ErrorBody::within(&nested(5)).words, ["x"]);
        assert!(ErrorBody::within(&nested(6)).words.is_empty());
    }
}
