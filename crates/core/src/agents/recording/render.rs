//! Writes a recording as a user would have: text in blocks, everything else quoted.

use super::{RecordedAction, RecordedStep, Recording, Reset};
use crate::agents::ApiError;
use serde_json::json;
use std::fmt::Write;

fn error_fields(error: &ApiError) -> String {
    let mut fields = vec![format!("message: {}", quoted(&error.message))];
    fields.extend(error.status.map(|status| format!("status: {status}")));
    fields.extend(
        error
            .kind
            .as_ref()
            .map(|kind| format!("kind: {}", quoted(kind))),
    );
    fields.extend(error.reset.as_ref().map(|reset| match reset {
        Reset::At(at) => format!("reset_at: {at}"),
        Reset::After(seconds) => format!("reset_after: {seconds}"),
        Reset::Clock(clock) => format!("reset_clock: {}", quoted(&clock.to_string())),
    }));
    fields.join(", ")
}

/// Returns the recording as YAML that [`super::parse`] reads as the same recording.
pub fn render(recording: &Recording) -> String {
    let mut text = String::new();
    let mut put = |line: String| {
        text.push_str(&line);
        text.push('\n');
    };
    if let Some(unit) = &recording.unit {
        put(format!("unit: {}", quoted(unit)));
    }
    if let Some(attempt) = recording.attempt {
        put(format!("attempt: {attempt}"));
    }
    if let Some(model) = &recording.model {
        put(format!("model: {}", quoted(model)));
    }
    let steps = if recording.steps.is_empty() {
        " []"
    } else {
        ""
    };
    put(format!("steps:{steps}"));
    for step in &recording.steps {
        put(self::step(step));
    }
    if let Some(usage) = usage(recording) {
        put(usage);
    }
    if let Some(error) = &recording.error {
        put(format!("error: {{{}}}", error_fields(error)));
    }
    if let Some(result) = &recording.result {
        put(format!("result: {}", scalar(result, 2)));
    }
    if let Some(exit) = recording.exit {
        put(format!("exit: {exit}"));
    }
    text
}

fn usage(recording: &Recording) -> Option<String> {
    let usage = recording.usage;
    let mut fields: Vec<String> = [
        ("input_tokens", usage.input_tokens),
        ("output_tokens", usage.output_tokens),
        ("cache_read", usage.cache_read),
        ("cache_write", usage.cache_write),
    ]
    .into_iter()
    .filter_map(|(name, count)| Some(format!("{name}: {}", count?)))
    .collect();
    fields.extend(recording.cost_usd.map(|cost| format!("cost_usd: {cost}")));
    (!fields.is_empty()).then(|| format!("usage: {{{}}}", fields.join(", ")))
}

fn step(step: &RecordedStep) -> String {
    let mut lines = match &step.action {
        RecordedAction::Say(text) => format!("  - say: {}", scalar(text, 6)),
        RecordedAction::Write(path, content) => pair("write", path, "content", content),
        RecordedAction::Copy(path, file) => pair("write", path, "file", file),
        RecordedAction::Append(path, content) => pair("append", path, "content", content),
        RecordedAction::Replace(path, from, to) => {
            let mut text = pair("replace", path, "from", from);
            let _ = write!(text, "\n    to: {}", scalar(to, 6));
            text
        }
        RecordedAction::Delete(path) => format!("  - delete: {}", quoted(path)),
        RecordedAction::Mkdir(path) => format!("  - mkdir: {}", quoted(path)),
        RecordedAction::Chmod(path, mode) => pair("chmod", path, "mode", &format!("{mode:o}")),
        RecordedAction::Symlink(path, target) => pair("symlink", path, "target", target),
        RecordedAction::Frontmatter(path, key, value) => {
            let mut text = pair("frontmatter", path, "key", key);
            let _ = write!(text, "\n    value: {}", quoted(value));
            text
        }
        RecordedAction::Shell(line) => format!("  - shell: {}", scalar(line, 6)),
        RecordedAction::Sleep(millis) => format!("  - sleep: {millis}"),
    };
    if step.outside {
        lines.push_str("\n    outside: true");
    }
    lines
}

fn pair(verb: &str, path: &str, key: &str, value: &str) -> String {
    format!(
        "  - {verb}: {}\n    {key}: {}",
        quoted(path),
        scalar(value, 6)
    )
}

/// Quotes unless the word is plain beyond doubt.
fn quoted(text: &str) -> String {
    let plain = text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '/' | '.' | '_' | '-'))
        && !matches!(
            text.to_ascii_lowercase().as_str(),
            "true" | "false" | "null" | "yes" | "no" | "on" | "off" | "y" | "n"
        );
    if plain {
        text.to_owned()
    } else {
        json!(text).to_string()
    }
}

/// A block where the text is whole lines of ordinary characters, else quoted.
fn scalar(text: &str, indent: usize) -> String {
    let ordinary = |c: char| {
        c == '\n'
            || c == '\t'
            || (!c.is_control() && !matches!(c, '\u{85}' | '\u{2028}' | '\u{2029}' | '\u{feff}'))
    };
    let first = text.lines().next().unwrap_or_default();
    let whole_lines = text.ends_with('\n') && !text.ends_with("\n\n") && text.len() > 1;
    let begins = !first.is_empty() && !first.starts_with([' ', '\t']);
    if !(whole_lines && begins && text.chars().all(ordinary)) {
        return quoted(text);
    }
    let pad = " ".repeat(indent);
    let lines: Vec<String> = text
        .lines()
        .map(|line| {
            if line.is_empty() {
                String::new()
            } else {
                format!("{pad}{line}")
            }
        })
        .collect();
    format!("|\n{}", lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::super::{RecordedStep, Recording, parse};
    use super::*;
    use crate::agents::{ApiError, Usage};
    use proptest::prelude::*;

    fn again(recording: &Recording) -> Recording {
        let text = render(recording);
        let found = parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(found.len(), 1, "{text}");
        found.into_iter().next().unwrap()
    }

    #[test]
    fn ordinary_text_is_a_block_a_user_can_read() {
        let recording = Recording {
            steps: vec![RecordedStep {
                action: RecordedAction::Write(
                    "src/a.rs".into(),
                    "fn a() {\n\n    b();\n}\n".into(),
                ),
                outside: false,
            }],
            ..Recording::default()
        };
        let want = "steps:\n  - write: src/a.rs\n    content: |\n      fn a() {\n\n          b();\n      }\n";
        assert_eq!(render(&recording), want);
        assert_eq!(again(&recording), recording);
    }

    fn text() -> impl Strategy<Value = String> {
        prop_oneof![
            "[a-zA-Z0-9 :#'\"{}\\[\\]|>&*!%@`,?-]{0,12}",
            "([ -~\t]{0,8}\n){0,4}",
            "\\PC{0,8}",
            any::<String>(),
        ]
    }

    fn action() -> impl Strategy<Value = RecordedAction> {
        let two = || (text(), text());
        prop_oneof![
            text().prop_map(RecordedAction::Say),
            two().prop_map(|(a, b)| RecordedAction::Write(a, b)),
            two().prop_map(|(a, b)| RecordedAction::Copy(a, b)),
            two().prop_map(|(a, b)| RecordedAction::Append(a, b)),
            (text(), text(), text()).prop_map(|(a, b, c)| RecordedAction::Replace(a, b, c)),
            text().prop_map(RecordedAction::Delete),
            (text(), 0u32..=0o7777).prop_map(|(a, b)| RecordedAction::Chmod(a, b)),
            two().prop_map(|(a, b)| RecordedAction::Symlink(a, b)),
            (text(), text(), text()).prop_map(|(a, b, c)| RecordedAction::Frontmatter(a, b, c)),
            text().prop_map(RecordedAction::Shell),
            (0u64..5000).prop_map(RecordedAction::Sleep),
        ]
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_as_the_same(
            steps in prop::collection::vec((action(), any::<bool>()), 0..4),
            unit in prop::option::of("[A-Z]{1,4}-[0-9]{4}/T[0-9]{2}"),
            model in prop::option::of(text()),
            result in prop::option::of("[a-z: \n]{0,20}"),
            message in text(),
            tokens in prop::option::of(any::<u32>()),
            exit in prop::option::of(0i32..256),
        ) {
            let recording = Recording {
                unit,
                attempt: exit.map(|e| e as u32),
                model,
                steps: steps.into_iter().map(|(action, outside)| RecordedStep { action, outside }).collect(),
                usage: Usage { input_tokens: tokens.map(u64::from), ..Usage::default() },
                cost_usd: tokens.map(f64::from),
                error: Some(ApiError { message, status: Some(429), kind: Some("rate_limit".into()), reset: Some(Reset::After(3)) }),
                // A lone word of status becomes a whole block when it is read.
                result: result.filter(|r| !matches!(r.as_str(), "complete" | "blocked")),
                exit,
            };
            prop_assert_eq!(again(&recording), recording);
        }
    }
}
