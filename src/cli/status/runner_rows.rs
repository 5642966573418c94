//! The user's runners in `status`: what proving each came to.

use crate::cli::Context;
use gatewalk_core::engine::evidence::sanitize;
use gatewalk_host::runner::{self, RunnerProof};
use gatewalk_host::runner_definition::RunnerDefinition;
use serde_json::{Value, json};

/// Returns a row for each runner of the user's configuration; `at_work` has the runner of each session that is on one, and
/// whether it waits there.
pub(super) fn rows(context: &Context, at_work: &[(String, bool)]) -> Vec<Value> {
    // Shown beside what was asked for: what cannot be read now is only not shown.
    let Ok(host) = context.host() else {
        return vec![];
    };
    if host.runners.is_empty() {
        return vec![];
    }
    let proofs = runner::proofs(&host);
    let count = |name: &str, queued| {
        let of = at_work
            .iter()
            .filter(|own| own.0 == name && own.1 == queued);
        of.count()
    };
    let of = |runner: &RunnerDefinition| {
        let mut row = row(runner, proofs.get(&runner.name));
        row["working"] = count(&runner.name, false).into();
        row["queued"] = count(&runner.name, true).into();
        row
    };
    host.runners.iter().map(of).collect()
}

fn row(runner: &RunnerDefinition, proof: Option<&RunnerProof>) -> Value {
    let verdict = match proof {
        None => "unproven",
        Some(proof) if !proof.is_of(runner) => "changed",
        Some(proof) => &proof.level,
    };
    json!({
        "runner": runner.name,
        "slots": runner.slots,
        "judges": runner.judges,
        "verdict": verdict,
        "proven_at": proof.map(|proof| &proof.at),
        "to_mend": proof.map(|proof| &proof.to_mend),
    })
}

/// Returns a line for each row.
pub(super) fn lines(rows: &[Value]) -> Vec<String> {
    rows.iter().map(line).collect()
}

fn line(row: &Value) -> String {
    let text = |key: &str| sanitize(row[key].as_str().unwrap_or_default());
    let name = text("runner");
    let again = format!("gatewalk doctor --runner {name}");
    let mend: Vec<&str> = row["to_mend"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let mend = sanitize(&mend.join(", "));
    let at = text("proven_at");
    let day = at.get(..10).unwrap_or(&at);
    let says = match row["verdict"].as_str() {
        Some("ok") => format!("proven on {day}"),
        Some("warn") => format!("proven on {day}; to know: {mend}"),
        Some("fail") => format!("to mend since {day}: {mend}; {again}"),
        Some("changed") => format!("its command is another than was proven; {again}"),
        _ => format!("not proven yet; {again}"),
    };
    let number = |key: &str| row[key].as_u64().filter(|n| *n > 0);
    let working = number("working").map(|n| format!("{n} at work; "));
    let queued = number("queued").map(|n| format!("{n} in its queue; "));
    let [working, queued] = [working, queued].map(Option::unwrap_or_default);
    format!("runner {name:<10} {working}{queued}{says}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_verdict_has_its_line() {
        let row = |verdict: &str, mend: &[&str]| json!({"runner": "big", "verdict": verdict, "proven_at": "2026-01-02T03:04:05Z", "to_mend": mend});
        let rows = [
            (row("ok", &[]), "proven on 2026-01-02"),
            (row("warn", &["clock"]), "to know: clock"),
            (
                row("fail", &["git", "kill"]),
                "to mend since 2026-01-02: git, kill; gatewalk doctor --runner big",
            ),
            (row("changed", &[]), "is another than was proven"),
            (
                row("unproven", &[]),
                "not proven yet; gatewalk doctor --runner big",
            ),
            (
                json!({"runner": "big", "verdict": "ok", "proven_at": "2026-01-02T03:04:05Z", "to_mend": [], "working": 2, "queued": 7}),
                "2 at work; 7 in its queue; proven on",
            ),
        ];
        for (row, want) in rows {
            let line = lines(&[row]).remove(0);
            assert!(
                line.starts_with("runner big ") && line.contains(want),
                "{line}"
            );
        }
    }
}
