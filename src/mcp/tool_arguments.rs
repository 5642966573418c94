//! A tool as clients see it, and the command line that it becomes with what a client gave.

use super::tools::{Consent, Passing, Tool};
use serde_json::{Map, Value, json};

/// The most bytes of one word of a command that every system takes.
const LONGEST_WORD: usize = 100_000;

impl Tool {
    /// Returns the tool as clients are shown it.
    pub(super) fn listed(&self) -> Value {
        let mut properties: Map<String, Value> = self
            .arguments
            .iter()
            .map(|a| {
                (
                    a.name.to_owned(),
                    json!({ "type": "string", "description": a.about }),
                )
            })
            .collect();
        if self.reads() {
            let about = "Of a long result, which page; the result says how many it has";
            let page = json!({ "type": "integer", "minimum": 1, "description": about });
            properties.insert("page".to_owned(), page);
        }
        let required: Vec<&str> = self
            .arguments
            .iter()
            .filter(|a| a.required)
            .map(|a| a.name)
            .collect();
        json!({
            "name": self.name,
            "description": self.about,
            "inputSchema": {
                "type": "object",
                "properties": properties,
                "required": required,
                "additionalProperties": false,
            },
            "annotations": {
                "readOnlyHint": self.reads(),
                "openWorldHint": false,
            },
        })
    }

    /// Returns whether it only reads, so that its result may have pages.
    fn reads(&self) -> bool {
        !self.changes()
    }

    /// Returns whether it may change something.
    pub(super) fn changes(&self) -> bool {
        self.consent != Consent::NotNeeded || self.command[0] == "new"
    }

    /// Returns the page of the result that a client wants, and what else it gave.
    ///
    /// # Errors
    /// What is no page, in a sentence fragment.
    pub(super) fn page(&self, given: &Value) -> Result<(usize, Value), String> {
        let mut given = given.clone();
        let named = match given.as_object_mut() {
            Some(entries) if self.reads() => entries.shift_remove("page"),
            _ => None,
        };
        let number = match &named {
            None | Some(Value::Null) => Some(1),
            Some(Value::String(text)) => text.parse().ok(),
            // A client may write a whole number as `2.0`.
            Some(other) => other.as_u64().or(whole(other)),
        };
        let number = number.and_then(|number| usize::try_from(number).ok());
        match number.filter(|number| *number > 0) {
            Some(number) => Ok((number, given)),
            None => Err("`page` is not a number from 1".to_owned()),
        }
    }

    /// Returns the words of the command for what the client gave.
    ///
    /// # Errors
    /// What is missing, unknown or no text, in a sentence fragment.
    pub(super) fn command_line(&self, given: &Value) -> Result<Vec<String>, String> {
        let empty = Map::new();
        let given = match given {
            Value::Null => &empty,
            Value::Object(given) => given,
            _ => return Err("`arguments` is not an object".to_owned()),
        };
        if let Some(name) = given
            .keys()
            .find(|name| self.arguments.iter().all(|a| a.name != **name))
        {
            let known: Vec<&str> = self.arguments.iter().map(|a| a.name).collect();
            let known = match known.is_empty() {
                true => "it takes none".to_owned(),
                false => format!("it takes {}", known.join(", ")),
            };
            return Err(format!("`{}` has no argument `{name}`; {known}", self.name));
        }
        let mut line: Vec<String> = self.command.iter().map(|word| (*word).to_owned()).collect();
        let mut words = Vec::new();
        for argument in self.arguments {
            let text = match given.get(argument.name) {
                None | Some(Value::Null) if argument.required => {
                    return Err(format!("`{}` needs `{}`", self.name, argument.name));
                }
                None | Some(Value::Null) => continue,
                Some(Value::String(text)) => text.clone(),
                Some(Value::Number(number)) => number.to_string(),
                Some(_) => return Err(format!("`{}` is not text", argument.name)),
            };
            if text.contains('\0') || text.len() > LONGEST_WORD {
                let why = "holds a zero byte, or more text than a command takes";
                return Err(format!("`{}` {why}", argument.name));
            }
            match argument.passing {
                Passing::Word => words.push(text),
                Passing::Option(option) => line.push(format!("{option}={text}")),
            }
        }
        if !words.is_empty() {
            // What a client gives is never read as an option.
            line.push("--".to_owned());
            line.extend(words);
        }
        Ok(line)
    }
}

/// Returns a number that is written with a fraction and has none.
fn whole(number: &Value) -> Option<u64> {
    let number = number.as_f64()?;
    let fits = number.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&number);
    fits.then_some(number as u64)
}

#[cfg(test)]
mod tests {
    use super::super::tools::TOOLS;
    use super::*;

    #[test]
    fn a_page_is_a_number_from_one_and_only_reading_has_pages() {
        let page = |name: &str, given: Value| {
            let tool = TOOLS.iter().find(|tool| tool.name == name).expect(name);
            tool.page(&given)
        };
        assert_eq!(page("log", json!(null)), Ok((1, json!(null))));
        let given = json!({"page": 2, "last": "3"});
        assert_eq!(page("log", given), Ok((2, json!({"last": "3"}))));
        assert_eq!(page("log", json!({"page": "2"})), Ok((2, json!({}))));
        assert_eq!(page("log", json!({"page": 2.0})), Ok((2, json!({}))));
        for wrong in [
            json!(0),
            json!("x"),
            json!(-1),
            json!([1]),
            json!(1.5),
            json!(1e300),
        ] {
            assert!(page("log", json!({"page": wrong})).is_err());
        }
        let kept = json!({"page": 2});
        assert_eq!(page("arm", kept.clone()), Ok((1, kept)));
    }

    #[test]
    fn what_a_client_gives_becomes_words_and_never_options() {
        let line = |name: &str, given: Value| {
            let tool = TOOLS.iter().find(|tool| tool.name == name).expect(name);
            tool.command_line(&given)
                .map_or_else(|why| why, |words| words.join(" "))
        };
        let rows = [
            ("status", json!(null), "status --json"),
            (
                "status",
                json!({"feature": "--help"}),
                "status --json -- --help",
            ),
            (
                "why",
                json!({"unit": "T01", "feature": "F"}),
                "why --json --feature=F -- T01",
            ),
            ("why", json!({}), "`why` needs `unit`"),
            (
                "board",
                json!({"x": "1"}),
                "`board` has no argument `x`; it takes none",
            ),
            (
                "explain",
                json!({"code": "GW301"}),
                "`explain` has no argument `code`; it takes rule",
            ),
            (
                "answer",
                json!({"number": 1, "answer": "-x"}),
                "answer --json -- 1 -x",
            ),
            ("explain", json!({"rule": ["GW301"]}), "`rule` is not text"),
            ("board", json!([1]), "`arguments` is not an object"),
            ("status", json!({"feature": null}), "status --json"),
            ("why", json!({"unit": null}), "`why` needs `unit`"),
            (
                "why",
                json!({"unit": "a\0b"}),
                "`unit` holds a zero byte, or more text than a command takes",
            ),
            (
                "why",
                json!({"unit": "a".repeat(LONGEST_WORD + 1)}),
                "`unit` holds a zero byte, or more text than a command takes",
            ),
        ];
        for (name, given, want) in rows {
            assert_eq!(line(name, given.clone()), want, "{name} {given}");
        }
    }
}
