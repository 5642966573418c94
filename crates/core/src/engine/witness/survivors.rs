//! Reports of mutation testers: which changes of the changed lines no test saw.

use crate::engine::attempt_record::witness_report::UnwitnessedLines;
use crate::engine::evidence::one_line;
use serde_json::Value;

/// What a tester found on the lines that were asked about.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct SurvivorReport {
    /// Mutants on those lines that could be tried.
    pub(crate) tried: u32,
    /// Those that no test saw.
    pub(crate) survived: Vec<UnwitnessedLines>,
}

/// What became of a mutant.
enum Fate {
    Seen,
    Survived,
    /// It could not be tried.
    Untried,
}

/// Reads a report of cargo-mutants (`outcomes.json`) or of the common schema (`mutation.json`); nothing where it is neither.
/// `is_changed` says whether lines of a path, from and to, are asked about.
pub(crate) fn read(
    report: &[u8],
    is_changed: &dyn Fn(&str, u32, u32) -> bool,
) -> Option<SurvivorReport> {
    let report: Value = serde_json::from_slice(report).ok()?;
    let mut found = SurvivorReport::default();
    let mut add = |fate: Fate, lines: UnwitnessedLines| {
        if !is_changed(&lines.path, lines.first, lines.last) {
            return;
        }
        match fate {
            Fate::Untried => {}
            Fate::Seen => found.tried += 1,
            Fate::Survived => {
                found.tried += 1;
                found.survived.push(lines);
            }
        }
    };
    if let Some(outcomes) = report.get("outcomes").and_then(Value::as_array) {
        let broken = |o: &Value| {
            let baseline = o.get("scenario").and_then(Value::as_str) == Some("Baseline");
            baseline && o.get("summary").and_then(Value::as_str) != Some("Success")
        };
        if outcomes.iter().any(broken) {
            return None;
        }
        for outcome in outcomes {
            if let Some((fate, lines)) = of_cargo(outcome) {
                add(fate, lines);
            }
        }
    } else {
        for (path, file) in report.get("files").and_then(Value::as_object)? {
            let mutants = file.get("mutants").and_then(Value::as_array);
            for mutant in mutants.into_iter().flatten() {
                if let Some((fate, lines)) = of_schema(path, mutant) {
                    add(fate, lines);
                }
            }
        }
    }
    found
        .survived
        .sort_by(|a, b| (&a.path, a.first).cmp(&(&b.path, b.first)));
    Some(found)
}

fn of_cargo(outcome: &Value) -> Option<(Fate, UnwitnessedLines)> {
    let mutant = outcome.get("scenario")?.get("Mutant")?;
    let fate = match outcome.get("summary")?.as_str()? {
        "MissedMutant" => Fate::Survived,
        "CaughtMutant" | "Timeout" => Fate::Seen,
        _ => Fate::Untried,
    };
    let text = |key: &str| mutant.get(key).and_then(Value::as_str);
    let replacement = match text("replacement") {
        Some("") => "removed".to_owned(),
        Some(with) => format!("replaced by {with}"),
        None => "changed".to_owned(),
    };
    let function = mutant
        .pointer("/function/function_name")
        .and_then(Value::as_str);
    let function = function.map_or_else(String::new, |f| format!(" in {f}"));
    let lines = lines_at(
        text("file")?,
        mutant.get("span")?,
        &format!("{replacement}{function}"),
    )?;
    Some((fate, lines))
}

fn of_schema(path: &str, mutant: &Value) -> Option<(Fate, UnwitnessedLines)> {
    let fate = match mutant.get("status")?.as_str()? {
        "Survived" | "NoCoverage" => Fate::Survived,
        "Killed" | "Timeout" => Fate::Seen,
        _ => Fate::Untried,
    };
    let text = |key: &str| mutant.get(key).and_then(Value::as_str);
    let what = match (text("replacement"), text("mutatorName")) {
        (Some(with), _) => format!("replaced by {with}"),
        (None, Some(name)) => name.to_owned(),
        (None, None) => "changed".to_owned(),
    };
    let lines = lines_at(path, mutant.get("location")?, &what)?;
    Some((fate, lines))
}

fn lines_at(path: &str, span: &Value, what: &str) -> Option<UnwitnessedLines> {
    let line = |end: &str| -> Option<u32> { span.get(end)?.get("line")?.as_u64()?.try_into().ok() };
    let (first, last) = (line("start")?, line("end")?);
    Some(UnwitnessedLines {
        path: path.trim_start_matches("./").to_owned(),
        first,
        last: last.max(first),
        added: last.saturating_sub(first) + 1,
        removed: 0,
        text: one_line(what),
    })
}

#[cfg(test)]
mod tests;
