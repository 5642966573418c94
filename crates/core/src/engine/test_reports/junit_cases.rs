//! JUnit's XML, as pytest, nextest, Jest, Gradle and many others write it.

use super::{CaseEnd, ReadReport, TestReport, unreadable};
use roxmltree::{Document, Node};

pub(super) fn read(text: &str) -> ReadReport {
    let document = match Document::parse(text) {
        Ok(document) => document,
        Err(error) => return unreadable(format!("the report is no whole XML: {error}")),
    };
    let root = document.root_element();
    if !matches!(root.tag_name().name(), "testsuites" | "testsuite") {
        let name = root.tag_name().name();
        return unreadable(format!(
            "the report is no JUnit XML: it begins with `{name}`"
        ));
    }
    let mut report = TestReport::default();
    for node in root.descendants().filter(Node::is_element) {
        match node.tag_name().name() {
            "testcase" => {
                let Some(name) = name_of(node) else {
                    return unreadable("the report has a case without a name");
                };
                report.add(name, end_of(node));
            }
            // What broke outside any case: an import, a build, the set-up of a suite.
            "testsuite" if fails(node) => {
                let name = node.attribute("name").unwrap_or("the suite");
                report.add(name, CaseEnd::Failed);
            }
            _ => {}
        }
    }
    match counted(root) {
        Some(failed) if failed > 0 && report.failed().is_empty() => unreadable(format!(
            "the report counts {failed} failures and names none of them"
        )),
        _ => Ok(report),
    }
}

fn name_of(case: Node<'_, '_>) -> Option<String> {
    let name = case.attribute("name").filter(|name| !name.is_empty())?;
    let class = case.attribute("classname").unwrap_or_default();
    Some(match class.is_empty() || class == name {
        true => name.to_owned(),
        false => format!("{class}::{name}"),
    })
}

fn has(node: Node<'_, '_>, names: &[&str]) -> bool {
    let mut inner = node.children().filter(Node::is_element);
    inner.any(|child| names.contains(&child.tag_name().name()))
}

fn fails(node: Node<'_, '_>) -> bool {
    has(node, &["failure", "error"])
}

fn end_of(case: Node<'_, '_>) -> CaseEnd {
    let status = case.attribute("status").unwrap_or_default();
    let left_out = has(case, &["skipped"]) || matches!(status, "notrun" | "disabled" | "skipped");
    // What is yet to be done may fail.
    let mut inner = case.children().filter(|n| n.has_tag_name("skipped"));
    let to_do = inner.any(|skipped| skipped.attribute("type") == Some("todo"));
    match (fails(case), left_out) {
        (true, _) if to_do => CaseEnd::Skipped,
        (true, _) => CaseEnd::Failed,
        (false, true) => CaseEnd::Skipped,
        (false, false) => CaseEnd::Passed,
    }
}

/// What the root counts as failed.
fn counted(root: Node<'_, '_>) -> Option<u64> {
    let count = |key: &str| root.attribute(key)?.trim().parse::<u64>().ok();
    match (count("failures"), count("errors")) {
        (None, None) => None,
        (failures, errors) => Some(failures.unwrap_or(0) + errors.unwrap_or(0)),
    }
}
