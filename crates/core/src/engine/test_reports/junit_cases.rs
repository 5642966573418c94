//! JUnit's XML, as pytest, nextest, Jest, Gradle and many others write it.

use super::{CaseEnd, ReadReport, TestReport, UnreadableReport, failed_or_broken, unreadable};
use crate::engine::test_reports::junit_dialects::{no_case, of_pytest, readable_xml};
use roxmltree::{Document, Node};
use std::collections::BTreeMap;

pub(super) fn read(text: &str) -> ReadReport {
    let text = readable_xml(text);
    let document = match Document::parse(&text) {
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
    take_cases(root, &mut report)?;
    for suite in root.descendants().filter(|n| n.has_tag_name("testsuite")) {
        take_suite(suite, &mut report)?;
    }
    let named = marks_in(root) as u64;
    match counted(root) {
        Some(failed) if failed > named && report.failed().is_empty() => unreadable(format!(
            "the report counts {failed} failures and names none of them"
        )),
        _ => Ok(report),
    }
}

fn take_cases(root: Node<'_, '_>, report: &mut TestReport) -> Result<(), UnreadableReport> {
    let has_cases = |n: &Node<'_, '_>| n.children().any(|c| c.has_tag_name("testcase"));
    for suite in root.descendants().filter(has_cases) {
        // pytest writes a case again for its teardown and for each time it ran.
        let again = of_pytest(suite);
        let mut cases: BTreeMap<String, CaseEnd> = BTreeMap::new();
        for case in suite.children().filter(|n| n.has_tag_name("testcase")) {
            let Some(name) = name_of(case) else {
                return unreadable("the report has a case without a name");
            };
            let end = failed_or_broken(&name, end_of(case));
            if again {
                let known = cases.entry(name).or_insert(end);
                if end == CaseEnd::Failed || *known == CaseEnd::Skipped {
                    *known = end;
                }
            } else {
                report.add(name, end);
            }
        }
        for (name, end) in cases {
            report.add(name, end);
        }
    }
    report.set_suites_apart();
    Ok(())
}

/// Adds what broke in a suite outside any case: an import, a build, the set-up. Some only count it.
fn take_suite(suite: Node<'_, '_>, report: &mut TestReport) -> Result<(), UnreadableReport> {
    let nested = |n: Node<'_, '_>| n.children().any(|c| c.has_tag_name("testsuite"));
    let counts = counted(suite).filter(|_| !nested(suite)).unwrap_or(0);
    let named = marks_in(suite) as u64;
    let name = suite.attribute("name").filter(|name| !name.is_empty());
    if fails(suite) || counts > 0 && named == 0 && name.is_some() {
        report.add(name.unwrap_or("the suite"), CaseEnd::Broken);
    } else if counts > named && named > 0 {
        return unreadable(format!(
            "the suite `{}` counts {counts} failures and names {named}",
            name.unwrap_or_default()
        ));
    }
    Ok(())
}

/// How many failures stand in a part of the report.
fn marks_in(node: Node<'_, '_>) -> usize {
    let marks = node.descendants().filter(|n| {
        let name = n.tag_name().name();
        // Runs of a case again, where the report keeps each.
        matches!(name, "failure" | "error") || name.starts_with("rerun")
    });
    marks.count()
}

/// The name of a case, with its class; where that names nothing, with the file and the suites it stands in.
fn name_of(case: Node<'_, '_>) -> Option<String> {
    let class = case.attribute("classname").unwrap_or_default();
    let Some(name) = case.attribute("name").filter(|name| !name.is_empty()) else {
        // Maven names a class alone where its set-up fails or all of it is left out.
        let alone = !class.is_empty() && end_of(case) != CaseEnd::Passed;
        return alone.then(|| class.to_owned());
    };
    if no_case(case) && class.is_empty() {
        return Some(name.to_owned());
    }
    // Node's runner gives every case this class.
    if !class.is_empty() && class != name && class != "test" {
        return Some(format!("{class}::{name}"));
    }
    let mut path: Vec<&str> = case
        .ancestors()
        .filter(|node| node.has_tag_name("testsuite"))
        .filter_map(|suite| suite.attribute("name"))
        .filter(|suite| !suite.is_empty())
        .collect();
    path.extend(case.attribute("file").filter(|file| !file.is_empty()));
    path.reverse();
    path.dedup();
    path.push(name);
    Some(path.join(" > "))
}

fn has(node: Node<'_, '_>, names: &[&str]) -> bool {
    let mut inner = node.children().filter(Node::is_element);
    inner.any(|child| names.contains(&child.tag_name().name()))
}

fn fails(node: Node<'_, '_>) -> bool {
    has(node, &["failure", "error"])
}

fn end_of(case: Node<'_, '_>) -> CaseEnd {
    let word = |key: &str| case.attribute(key).unwrap_or_default().to_ascii_lowercase();
    let (status, result) = (word("status"), word("result"));
    let any = |words: &[&str]| words.contains(&status.as_str()) || words.contains(&result.as_str());
    let left_out = has(case, &["skipped"])
        || any(&[
            "notrun",
            "disabled",
            "skipped",
            "ignored",
            "pending",
            "suppressed",
        ]);
    let failed = fails(case) || any(&["failed", "failure", "fail", "error", "broken"]);
    // What is yet to be done may fail.
    let mut inner = case.children().filter(|n| n.has_tag_name("skipped"));
    let to_do = inner.any(|skipped| skipped.attribute("type") == Some("todo"));
    match (failed, left_out) {
        (true, _) if to_do => CaseEnd::Skipped,
        (true, _) if no_case(case) => CaseEnd::Broken,
        (true, _) => CaseEnd::Failed,
        (false, true) => CaseEnd::Skipped,
        (false, false) => CaseEnd::Passed,
    }
}

/// What a suite, or the root, counts as failed.
fn counted(root: Node<'_, '_>) -> Option<u64> {
    let count = |key: &str| root.attribute(key)?.trim().parse::<u64>().ok();
    match (count("failures"), count("errors")) {
        (None, None) => None,
        (failures, errors) => Some(failures.unwrap_or(0) + errors.unwrap_or(0)),
    }
}
