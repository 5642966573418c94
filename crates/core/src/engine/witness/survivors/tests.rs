use super::*;
use serde_json::json;

#[test]
fn survivors_on_the_changed_lines_are_read_from_both_kinds_of_report() {
    let span = |first: u32, last: u32| json!({"start": {"line": first, "column": 1}, "end": {"line": last, "column": 9}});
    let outcome = |first: u32, summary: &str, replacement: &str| {
        json!({"summary": summary, "scenario": {"Mutant": {
            "file": "src/a.rs", "span": span(first, first + 1), "replacement": replacement,
            "function": {"function_name": "f"},
        }}})
    };
    let cargo = json!({"outcomes": [
        {"summary": "Success", "scenario": "Baseline"},
        outcome(3, "MissedMutant", "0"),
        outcome(4, "CaughtMutant", "1"),
        outcome(5, "Timeout", "1"),
        outcome(6, "Unviable", "1"),
        outcome(1, "MissedMutant", ""),
        outcome(90, "MissedMutant", "1"),
    ]});
    let mutant = |first: u32, status: &str| json!({"status": status, "location": span(first, first), "mutatorName": "Block"});
    let schema = json!({"files": {
        "src/a.rs": {"mutants": [mutant(3, "Survived"), mutant(4, "Killed"), mutant(5, "NoCoverage"), mutant(6, "CompileError"), mutant(90, "Survived")]},
        "src/b.rs": {"mutants": [mutant(3, "Survived")]},
    }});
    let changed =
        |path: &str, first: u32, last: u32| path == "src/a.rs" && first <= 10 && last >= 1;
    let of = |report: &serde_json::Value| {
        let found = read(report.to_string().as_bytes(), &changed)?;
        let shown: Vec<String> = found.survived.iter().map(ToString::to_string).collect();
        Some((found.tried, shown))
    };
    let want = [
        "src/a.rs:1-2: removed in f",
        "src/a.rs:3-4: replaced by 0 in f",
    ];
    assert_eq!(of(&cargo), Some((4, want.map(str::to_owned).to_vec())));
    let want = ["src/a.rs:3: Block", "src/a.rs:5: Block"];
    assert_eq!(of(&schema), Some((3, want.map(str::to_owned).to_vec())));
    let broken = json!({"outcomes": [{"summary": "Failure", "scenario": "Baseline"}]});
    for none in [json!({}), json!([]), broken] {
        assert_eq!(of(&none), None);
    }
    assert_eq!(read(b"{", &changed), None);
}
