//! A gate as a pull request: its text, what its end means, and which comments of it count. What a forge says is read, and
//! decided about here; nothing is asked of it.

use super::evidence::{one_line, sanitize};
use super::review_comments::LineComment;
use crate::error::{Error, Result};
use crate::model::config::ArmedBy;
use serde_json::Value;

/// The most characters of an unreadable answer that are shown.
const SHOWN_CHARS: usize = 80;

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
        /// The plan that it showed, where it says so.
        plan: Option<String>,
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

/// Begins the line that says which plan a pull request shows.
const PLAN_MARK: &str = "<!-- gatewalk: plan ";

/// Returns which plan the text of a pull request shows.
fn shown_plan(body: &str) -> Option<String> {
    let (_, rest) = body.split_once(PLAN_MARK)?;
    let (plan, _) = rest.split_once(" -->")?;
    Some(plan.trim().to_owned())
}

/// Returns the text of a gate's pull request: parts of its review as titles with lines, then the report's essence. `plan` stands
/// for the feature's files as they are shown.
pub fn body(
    (feature, gate, plan): (&str, u32, &str),
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
    let (essence, mark) = (essence.trim(), mark(feature, gate));
    format!("{text}\n{essence}\n\n{mark}\n{PLAN_MARK}{plan} -->\n")
}

/// Reads a list as the forge's program prints it: of many pages, older ones print a list each.
///
/// Anything else is an error of the environment, with its first line.
pub fn rows(printed: &str) -> Result<Vec<Value>> {
    let pages = serde_json::Deserializer::from_str(printed).into_iter::<Vec<Value>>();
    let pages = pages.collect::<std::result::Result<Vec<Vec<Value>>, _>>();
    match pages {
        Ok(pages) if !pages.is_empty() => Ok(pages.concat()),
        _ => {
            let first = printed.lines().next().unwrap_or_default();
            let shown: String = first.chars().take(SHOWN_CHARS).collect();
            let what = format!("gh answered with no list: `{}`", sanitize(&shown));
            Err(Error::environment(what))
        }
    }
}

/// Returns whether a request's commits come from the repository itself. A forge lists by a branch's name, which anybody may give
/// to a branch of their own copy; what they wrote, closed or had merged is no decision about a gate.
pub fn is_from_here(request: &Value) -> bool {
    request["isCrossRepository"] != true
}

/// Returns what becomes of a gate's pull request; `listed` is what the forge lists of the branch.
pub fn next(listed: &[Value], feature: &str, gate: u32, armed_by: ArmedBy) -> RequestStep {
    let mark = mark(feature, gate);
    let own = |request: &&Value| {
        let body = request["body"].as_str();
        is_from_here(request) && body.is_some_and(|body| body.contains(&mark))
    };
    let Some(request) = listed
        .iter()
        .filter(own)
        .max_by_key(|r| r["number"].as_u64())
    else {
        return RequestStep::Open;
    };
    let number = request["number"].as_u64().unwrap_or_default();
    let arm = || RequestStep::Arm {
        number,
        plan: request["body"].as_str().and_then(shown_plan),
    };
    let approved = request["reviewDecision"] == "APPROVED" && armed_by == ArmedBy::Approval;
    match request["state"].as_str() {
        Some("MERGED") => arm(),
        Some("CLOSED") => RequestStep::TakeComments { number },
        _ if approved => arm(),
        _ => RequestStep::Update { number },
    }
}

/// Returns where a remark stands that is on no line.
pub fn request_name(number: u64) -> String {
    format!("pull request {number}")
}

/// Who may write to the repository: what a stranger writes must not reach a session.
const WRITERS: [&str; 3] = ["OWNER", "MEMBER", "COLLABORATOR"];

/// Returns what people who may write to the repository remarked on no line of a pull request, as comments on the request
/// itself: reviews that ask for changes, and once it is closed the conversation too. `shown` is what the forge shows of it.
pub fn remarks(shown: &Value, number: u64, closed: bool) -> Vec<LineComment> {
    let of = |list: &str| shown[list].as_array().cloned().unwrap_or_default();
    let reviews = of("reviews")
        .into_iter()
        .filter(|review| match &review["state"] {
            Value::String(state) if state == "CHANGES_REQUESTED" => true,
            Value::String(state) => closed && state == "COMMENTED",
            _ => false,
        });
    let conversation = of("comments").into_iter().filter(|_| closed);
    let by_writers = reviews.chain(conversation).filter(|row| {
        let association = row["authorAssociation"].as_str().unwrap_or_default();
        WRITERS.contains(&association)
    });
    let texts = by_writers.map(|row| plain_line(row["body"].as_str().unwrap_or_default()));
    let comment = |text| LineComment {
        path: request_name(number),
        line: 1,
        attempt: None,
        text,
        quoted: None,
    };
    texts.filter(|text| !text.is_empty()).map(comment).collect()
}

/// Returns a text of several lines as one.
fn plain_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    one_line(&words.join(" "))
}

/// Returns the comments on lines by people who may write to the repository, and how many others there are. One on a whole
/// file, or on a line that the forge no longer knows, stands on the first line.
pub fn comments(listed: &[Value]) -> (Vec<LineComment>, usize) {
    let mut others = 0;
    let mut found = Vec::new();
    for comment in listed {
        let association = comment["author_association"].as_str().unwrap_or_default();
        if !WRITERS.contains(&association) {
            others += 1;
            continue;
        }
        let line = comment["line"]
            .as_u64()
            .or(comment["original_line"].as_u64());
        let line = line.and_then(|n| u32::try_from(n).ok()).unwrap_or(1).max(1);
        let path = comment["path"]
            .as_str()
            .unwrap_or_default()
            .trim()
            .to_owned();
        let says = plain_line(comment["body"].as_str().unwrap_or_default());
        let names = !path.is_empty() && !path.contains(['`', '\n']) && !says.is_empty();
        if names {
            found.push(LineComment {
                path,
                line,
                attempt: None,
                text: says,
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
        let own = body(("F", 1, "p1"), ArmedBy::Merge, &[], "");
        let arm = || Arm {
            number: 7,
            plan: Some("p1".to_owned()),
        };
        let request = |number: u64, state: &str, review: &str, body: &str| json!({"number": number, "state": state, "reviewDecision": review, "body": body});
        let stranger = |state: &str| {
            let mut of = request(9, state, "APPROVED", &own);
            of["isCrossRepository"] = json!(true);
            of
        };
        let rows = [
            (json!([]), ArmedBy::Merge, Open),
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
                arm(),
            ),
            (
                json!([request(7, "OPEN", "CHANGES_REQUESTED", &own)]),
                ArmedBy::Approval,
                Update { number: 7 },
            ),
            (
                json!([request(7, "MERGED", "", &own)]),
                ArmedBy::Merge,
                arm(),
            ),
            (
                json!([request(7, "CLOSED", "APPROVED", &own)]),
                ArmedBy::Approval,
                TakeComments { number: 7 },
            ),
            // A stranger's branch of the same name, whatever its text says.
            (
                json!([request(7, "MERGED", "", &own), stranger("CLOSED")]),
                ArmedBy::Merge,
                arm(),
            ),
            (json!([stranger("MERGED")]), ArmedBy::Merge, Open),
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
                    &body(("F", 2, "p1"), ArmedBy::Merge, &[], "")
                )]),
                ArmedBy::Merge,
                Open,
            ),
            (
                json!([request(
                    7,
                    "MERGED",
                    "",
                    &body(("F2", 1, "p1"), ArmedBy::Merge, &[], "")
                )]),
                ArmedBy::Merge,
                Open,
            ),
        ];
        for (listed, armed_by, want) in rows {
            let all = listed.as_array().unwrap();
            assert_eq!(next(all, "F", 1, armed_by), want, "{listed}");
        }
    }

    #[test]
    fn only_who_may_write_is_heard() {
        let comment = |who: &str, line: &Value| json!({"author_association": who, "path": "a.sh", "line": line, "original_line": 4, "body": " so\nit is "});
        let listed = json!([
            comment("MEMBER", &json!(3)), comment("OWNER", &json!(null)), comment("NONE", &json!(3)), comment("CONTRIBUTOR", &json!(3)),
            {"author_association": "OWNER", "path": "a`b", "line": 1, "body": "x"},
            {"author_association": "OWNER", "path": "a", "line": null, "original_line": null, "body": "x"},
            {"author_association": "OWNER", "path": "f", "subject_type": "file", "body": "all of it"},
        ]);
        let (found, others) = comments(listed.as_array().unwrap());
        let shown: Vec<_> = found.iter().map(|c| (&*c.path, c.line, &*c.text)).collect();
        let whole = ("f", 1, "all of it");
        assert_eq!(
            shown,
            [
                ("a.sh", 3, "so it is"),
                ("a.sh", 4, "so it is"),
                ("a", 1, "x"),
                whole
            ]
        );
        assert_eq!(others, 2);
    }

    #[test]
    fn a_list_of_several_pages_is_one_and_nothing_else_is_a_list() {
        let count = |printed: &str| rows(printed).ok().map(|all| all.len());
        for (printed, want) in [
            ("[]", Some(0)),
            ("[1, 2]", Some(2)),
            ("[1][2]\n[3]\n", Some(3)),
            ("", None),
            ("null", None),
            ("{}", None),
            ("[1]<html>", None),
        ] {
            assert_eq!(count(printed), want, "{printed}");
        }
    }

    #[test]
    fn what_asks_for_changes_is_heard_and_the_conversation_once_it_is_closed() {
        let row = |who: &str, state: &str, body: &str| json!({"authorAssociation": who, "state": state, "body": body});
        let shown = json!({
            "reviews": [
                row("OWNER", "CHANGES_REQUESTED", "rename\n it"), row("NONE", "CHANGES_REQUESTED", "stranger"),
                row("MEMBER", "APPROVED", "fine"), row("OWNER", "COMMENTED", "hm"), row("OWNER", "CHANGES_REQUESTED", " "),
            ],
            "comments": [row("COLLABORATOR", "", "not like this"), row("CONTRIBUTOR", "", "me too")],
        });
        for (closed, want) in [
            (false, vec!["rename it"]),
            (true, vec!["rename it", "hm", "not like this"]),
        ] {
            let found = remarks(&shown, 7, closed);
            let texts: Vec<_> = found.iter().map(|c| &*c.text).collect();
            assert_eq!(texts, want, "{closed}");
            assert!(
                found
                    .iter()
                    .all(|c| c.path == request_name(7) && c.line == 1)
            );
        }
        assert!(remarks(&json!(null), 7, true).is_empty());
    }

    #[test]
    fn the_text_is_the_review_then_the_report() {
        let parts = [("Cost".to_owned(), vec!["$1".to_owned(), "a\nb".to_owned()])];
        let text = body(("F", 1, "p1"), ArmedBy::Merge, &parts, "## Units\n");
        let at = |part: &str| text.find(part).unwrap_or_else(|| panic!("{part}: {text}"));
        assert!(at("## Cost\n\n- $1\n- a\\nb\n") < at("## Units"));
        assert!(text.ends_with("<!-- gatewalk: gate 1 of F -->\n<!-- gatewalk: plan p1 -->\n"));
    }
}
