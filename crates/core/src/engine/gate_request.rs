//! A gate as a pull request: its text, what its end means, and which comments of it count. What a forge says is read, and
//! decided about here; nothing is asked of it.

use super::evidence::one_line;
use super::review_comments::LineComment;
use crate::model::config::ArmedBy;
use serde_json::Value;

/// What becomes of a gate's pull request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RequestStep {
    /// There is none for this gate yet.
    Open,
    /// It is open: it gets the newest text, and its comments are read.
    Update {
        /// Its number.
        number: u64,
    },
    /// It was merged, or approved: the gate is armed.
    Arm {
        /// Its number.
        number: u64,
    },
    /// It was closed: its comments are read, and the gate stays.
    TakeComments {
        /// Its number.
        number: u64,
    },
}

/// A line that says of which gate a pull request is; it shows nowhere.
fn mark(feature: &str, gate: u32) -> String {
    format!("<!-- gatewalk: gate {gate} of {feature} -->")
}

/// Returns the text of a gate's pull request: parts of its review as titles with lines, then the report's essence.
pub fn body(
    (feature, gate): (&str, u32),
    armed_by: ArmedBy,
    parts: &[(String, Vec<String>)],
    essence: &str,
) -> String {
    let what = match armed_by {
        ArmedBy::Merge => "Merging",
        ArmedBy::Approval => "Approving or merging",
    };
    let mut text = format!(
        "Gate {gate} of {feature} waits for review. {what} arms what comes next; comments on lines reach the sessions.\n"
    );
    for (title, lines) in parts {
        let lines: Vec<String> = lines
            .iter()
            .map(|line| format!("- {}\n", one_line(line)))
            .collect();
        text.push_str(&format!("\n## {}\n\n{}", one_line(title), lines.concat()));
    }
    format!("{text}\n{}\n\n{}\n", essence.trim(), mark(feature, gate))
}

/// Returns what becomes of a gate's pull request; `listed` is what the forge lists of the branch, the newest first.
pub fn next(listed: &Value, feature: &str, gate: u32, armed_by: ArmedBy) -> RequestStep {
    let mark = mark(feature, gate);
    let all = listed.as_array().into_iter().flatten();
    let own = |request: &&Value| {
        request["body"]
            .as_str()
            .is_some_and(|body| body.contains(&mark))
    };
    let Some(request) = all.filter(own).max_by_key(|r| r["number"].as_u64()) else {
        return RequestStep::Open;
    };
    let number = request["number"].as_u64().unwrap_or_default();
    let approved = request["reviewDecision"] == "APPROVED" && armed_by == ArmedBy::Approval;
    match request["state"].as_str() {
        Some("MERGED") => RequestStep::Arm { number },
        Some("CLOSED") => RequestStep::TakeComments { number },
        _ if approved => RequestStep::Arm { number },
        _ => RequestStep::Update { number },
    }
}

/// Returns the comments on lines by people who may write to the repository, and how many others there are: what a stranger
/// writes must not reach a session.
pub fn comments(listed: &Value) -> (Vec<LineComment>, usize) {
    let mut others = 0;
    let mut found = Vec::new();
    for comment in listed.as_array().into_iter().flatten() {
        let association = comment["author_association"].as_str().unwrap_or_default();
        if !["OWNER", "MEMBER", "COLLABORATOR"].contains(&association) {
            others += 1;
            continue;
        }
        let line = comment["line"]
            .as_u64()
            .or(comment["original_line"].as_u64());
        let line = line.and_then(|n| u32::try_from(n).ok()).filter(|n| *n > 0);
        let text = |key: &str| comment[key].as_str().unwrap_or_default().trim().to_owned();
        let (path, says) = (text("path"), text("body"));
        let names = !path.is_empty() && !path.contains(['`', '\n']) && !says.is_empty();
        if let Some(line) = line.filter(|_| names) {
            let words: Vec<&str> = says.split_whitespace().collect();
            found.push(LineComment {
                path,
                line,
                attempt: None,
                text: one_line(&words.join(" ")),
                quoted: None,
            });
        }
    }
    (found, others)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_end_of_a_gate_s_own_request_decides_and_no_other_s() {
        use RequestStep::{Arm, Open, TakeComments, Update};
        let own = body(("F", 1), ArmedBy::Merge, &[], "");
        let request = |number: u64, state: &str, review: &str, body: &str| json!({"number": number, "state": state, "reviewDecision": review, "body": body});
        let rows = [
            (json!([]), ArmedBy::Merge, Open),
            (json!(null), ArmedBy::Merge, Open),
            (
                json!([request(7, "OPEN", "", &own)]),
                ArmedBy::Merge,
                Update { number: 7 },
            ),
            (
                json!([request(7, "OPEN", "APPROVED", &own)]),
                ArmedBy::Merge,
                Update { number: 7 },
            ),
            (
                json!([request(7, "OPEN", "APPROVED", &own)]),
                ArmedBy::Approval,
                Arm { number: 7 },
            ),
            (
                json!([request(7, "OPEN", "CHANGES_REQUESTED", &own)]),
                ArmedBy::Approval,
                Update { number: 7 },
            ),
            (
                json!([request(7, "MERGED", "", &own)]),
                ArmedBy::Merge,
                Arm { number: 7 },
            ),
            (
                json!([request(7, "CLOSED", "APPROVED", &own)]),
                ArmedBy::Approval,
                TakeComments { number: 7 },
            ),
            (
                json!([request(7, "CLOSED", "", &own), request(9, "OPEN", "", &own)]),
                ArmedBy::Merge,
                Update { number: 9 },
            ),
            (
                json!([request(
                    7,
                    "MERGED",
                    "",
                    &body(("F", 2), ArmedBy::Merge, &[], "")
                )]),
                ArmedBy::Merge,
                Open,
            ),
            (
                json!([request(
                    7,
                    "MERGED",
                    "",
                    &body(("F2", 1), ArmedBy::Merge, &[], "")
                )]),
                ArmedBy::Merge,
                Open,
            ),
        ];
        for (listed, armed_by, want) in rows {
            assert_eq!(next(&listed, "F", 1, armed_by), want, "{listed}");
        }
    }

    #[test]
    fn only_who_may_write_is_heard() {
        let comment = |who: &str, line: &Value| json!({"author_association": who, "path": "a.sh", "line": line, "original_line": 4, "body": " so\nit is "});
        let listed = json!([
            comment("MEMBER", &json!(3)), comment("OWNER", &json!(null)), comment("NONE", &json!(3)), comment("CONTRIBUTOR", &json!(3)),
            {"author_association": "OWNER", "path": "a`b", "line": 1, "body": "x"},
            {"author_association": "OWNER", "path": "a", "body": "x"},
        ]);
        let (found, others) = comments(&listed);
        let shown: Vec<_> = found.iter().map(|c| (&*c.path, c.line, &*c.text)).collect();
        assert_eq!(shown, [("a.sh", 3, "so it is"), ("a.sh", 4, "so it is")]);
        assert_eq!(others, 2);
    }

    #[test]
    fn the_text_is_the_review_then_the_report() {
        let parts = [("Cost".to_owned(), vec!["$1".to_owned(), "a\nb".to_owned()])];
        let text = body(("F", 1), ArmedBy::Merge, &parts, "## Units\n");
        let at = |part: &str| text.find(part).unwrap_or_else(|| panic!("{part}: {text}"));
        assert!(at("## Cost\n\n- $1\n- a\\nb\n") < at("## Units"));
        assert!(text.ends_with("<!-- gatewalk: gate 1 of F -->\n"));
    }
}
