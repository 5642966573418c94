//! Edits of the task graph in a PLAN that change nothing but what they add.
//!
//! Every edit finds its place by the spans of the parsed block, splices whole lines in the file's
//! own indentation and line endings, and reads the result back: a layout it cannot edit exactly is
//! refused with the advice to edit by hand, never reformatted. Deliberately not here: judging
//! whether the graph makes sense, which is lint's business.

use crate::diagnostic::Span;
use crate::error::{Error, Result};
use crate::model::document::{Document, line_end, line_start};
use crate::model::yaml::{self, Entry, Kind, Node};
use std::sync::Arc;

/// One unit as the graph lists it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct UnitLine {
    /// The unit's id in full.
    pub(crate) id: String,
    /// Its file, relative to the feature's directory.
    pub(crate) file: String,
    /// The ids it waits for.
    pub(crate) depends_on: Vec<String>,
}

/// One gate as the graph lists it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct GateLines {
    /// Its number, from 1.
    pub(crate) gate: u32,
    /// Its file, relative to the feature's directory.
    pub(crate) file: String,
    /// Its units in list order.
    pub(crate) units: Vec<UnitLine>,
}

/// Returns the gates of a PLAN.
pub(crate) fn read(plan: &str) -> Result<Vec<GateLines>> {
    gate_nodes(plan)?.iter().map(read_gate).collect()
}

/// Adds a unit to a gate: before the unit `before`, or as the gate's last.
pub(crate) fn add_unit(
    plan: &str,
    gate: u32,
    unit: &UnitLine,
    before: Option<&str>,
) -> Result<String> {
    let mut want = read(plan)?;
    let gates = gate_nodes(plan)?;
    let at = position(&want, gate)?;
    let list = gates[at].get("work_units").ok_or_else(by_hand)?;
    let end = line_ending(plan);
    let index = match before {
        Some(id) => want[at]
            .units
            .iter()
            .position(|u| u.id == id)
            .ok_or_else(by_hand)?,
        None => want[at].units.len(),
    };
    let text = match list.value.items() {
        // `work_units: []` or nothing at all: the list begins here.
        [] => {
            let indent = " ".repeat(column(plan, list.key_span.start) + 2);
            let lines = unit_lines(unit, &indent, end);
            splice(
                plan,
                &list.value.span,
                &format!("{end}{}", lines.trim_end()),
            )
        }
        items => {
            // Behind the unit before, so that a comment above the next one stays with it.
            let near = &items[index.saturating_sub(1)];
            let indent = dash_indent(plan, near)?;
            let place = match index {
                0 => line_start(plan, near.span.start),
                _ => line_end(plan, near.span.end),
            };
            splice_lines(plan, place, &unit_lines(unit, &indent, end))
        }
    };
    want[at].units.insert(index, unit.clone());
    checked(text, &want)
}

/// Adds a gate after the last one.
pub(crate) fn add_gate(plan: &str, gate: &GateLines) -> Result<String> {
    let mut want = read(plan)?;
    let nodes = gate_nodes(plan)?;
    let last = nodes.last().ok_or_else(by_hand)?;
    let (indent, end) = (dash_indent(plan, last)?, line_ending(plan));
    let mut lines = format!(
        "{indent}- gate: {}{end}{indent}  file: {}{end}{indent}  work_units:{end}",
        gate.gate, gate.file
    );
    for unit in &gate.units {
        lines.push_str(&unit_lines(unit, &format!("{indent}    "), end));
    }
    want.push(gate.clone());
    checked(
        splice_lines(plan, line_end(plan, last.span.end), &lines),
        &want,
    )
}

/// Makes a unit wait for one more.
pub(crate) fn add_edge(plan: &str, unit: &str, waits_for: &str) -> Result<String> {
    let mut want = read(plan)?;
    let nodes = gate_nodes(plan)?;
    let node = unit_node(&nodes, unit).ok_or_else(by_hand)?;
    let end = line_ending(plan);
    let text = match node.get("depends_on").map(|entry| &entry.value) {
        None => {
            let first = node.entries().first().ok_or_else(by_hand)?;
            let line = format!(
                "{}depends_on: [{waits_for}]{end}",
                " ".repeat(column(plan, first.key_span.start))
            );
            splice_lines(plan, line_end(plan, node.span.end), &line)
        }
        Some(list) if list.is_null() => {
            let gap = if list.span.is_empty() { " " } else { "" };
            splice(plan, &list.span, &format!("{gap}[{waits_for}]"))
        }
        Some(list) => match (list.items(), plan[list.span.clone()].starts_with('[')) {
            ([], _) => splice(plan, &list.span, &format!("[{waits_for}]")),
            ([.., last], true) => splice(
                plan,
                &(last.span.end..last.span.end),
                &format!(", {waits_for}"),
            ),
            ([.., last], false) => {
                let line = format!("{}- {waits_for}{end}", dash_indent(plan, last)?);
                splice_lines(plan, line_end(plan, last.span.end), &line)
            }
        },
    };
    for line in want
        .iter_mut()
        .flat_map(|gate| &mut gate.units)
        .filter(|line| line.id == unit)
    {
        line.depends_on.push(waits_for.to_owned());
    }
    checked(text, &want)
}

/// Takes a unit's lines out of the graph; every edge to it must be gone before.
///
/// Fails where the graph is laid out in a way that is not edited.
pub fn remove_unit(plan: &str, unit: &str) -> Result<String> {
    let mut want = read(plan)?;
    let nodes = gate_nodes(plan)?;
    let node = unit_node(&nodes, unit).ok_or_else(by_hand)?;
    dash_indent(plan, node)?;
    let text = splice(
        plan,
        &(line_start(plan, node.span.start)..line_end(plan, node.span.end)),
        "",
    );
    for gate in &mut want {
        gate.units.retain(|line| line.id != unit);
    }
    checked(text, &want)
}

/// The last resort of every edit: the file is right as it is, only not of a shape edited here.
fn by_hand() -> Error {
    Error::plan("the task graph of this PLAN is not laid out as one list item per unit; nothing was written")
        .hint("add the unit to the `gates:` block by hand, then run `gatewalk lint`")
}

/// Returns the items below `gates:` of the one graph block, spans in the whole file.
fn gate_nodes(plan: &str) -> Result<Vec<Node>> {
    let document = Document::parse(Arc::from("PLAN.md"), plan.as_bytes());
    let mut graphs = Vec::new();
    for block in document.fenced("yaml") {
        if let (Some(root), problems) = yaml::parse(&block.text, block.span.start) {
            match root.get("gates") {
                Some(entry) if problems.is_empty() => graphs.push(entry.value.items().to_vec()),
                Some(_) => return Err(by_hand()),
                None => {}
            }
        }
    }
    match <[Vec<Node>; 1]>::try_from(graphs) {
        Ok([gates]) => Ok(gates),
        Err(graphs) => Err(Error::plan(format!(
            "PLAN.md has {} yaml blocks with `gates:`, it must have one",
            graphs.len()
        ))
        .hint("`gatewalk lint` says where")),
    }
}

fn read_gate(node: &Node) -> Result<GateLines> {
    let text =
        |node: &Node, key: &str| scalar(node.get(key)).map(str::to_owned).ok_or_else(by_hand);
    let units = node
        .get("work_units")
        .map(|entry| entry.value.items())
        .unwrap_or_default();
    let units = units.iter().map(|unit| {
        let edges = unit
            .get("depends_on")
            .map(|entry| entry.value.items())
            .unwrap_or_default();
        Ok(UnitLine {
            id: text(unit, "id")?,
            file: text(unit, "file")?,
            depends_on: edges
                .iter()
                .filter_map(Node::as_str)
                .map(str::to_owned)
                .collect(),
        })
    });
    Ok(GateLines {
        gate: text(node, "gate")?.parse().map_err(|_| by_hand())?,
        file: text(node, "file")?,
        units: units.collect::<Result<_>>()?,
    })
}

fn scalar(entry: Option<&Entry>) -> Option<&str> {
    entry
        .filter(|entry| matches!(entry.value.kind, Kind::Scalar { .. }))
        .and_then(|entry| entry.value.as_str())
}

/// Returns where a gate stands in the list.
pub(super) fn position(gates: &[GateLines], gate: u32) -> Result<usize> {
    gates
        .iter()
        .position(|line| line.gate == gate)
        .ok_or_else(|| {
            let known: Vec<String> = gates.iter().map(|line| line.gate.to_string()).collect();
            Error::plan(format!("the plan has no gate {gate}"))
                .hint(format!("its gates: {}", known.join(", ")))
        })
}

fn unit_node<'a>(gates: &'a [Node], unit: &str) -> Option<&'a Node> {
    let lists = gates.iter().filter_map(|gate| gate.get("work_units"));
    lists
        .flat_map(|list| list.value.items())
        .find(|node| scalar(node.get("id")) == Some(unit))
}

fn unit_lines(unit: &UnitLine, indent: &str, end: &str) -> String {
    let edges = unit.depends_on.join(", ");
    format!(
        "{indent}- id: {}{end}{indent}  file: {}{end}{indent}  depends_on: [{edges}]{end}",
        unit.id, unit.file
    )
}

/// Returns the text if it reads as intended; an edit that does not is worth nothing.
fn checked(text: String, want: &[GateLines]) -> Result<String> {
    match read(&text) {
        Ok(got) if got == want => Ok(text),
        _ => Err(by_hand()),
    }
}

/// Returns the indentation of a list item's dash, if the item begins its line.
fn dash_indent(text: &str, item: &Node) -> Result<String> {
    let before = &text[line_start(text, item.span.start)..item.span.start];
    let indent = before.trim_end().strip_suffix('-').ok_or_else(by_hand)?;
    if indent.chars().all(|c| c == ' ') {
        Ok(indent.to_owned())
    } else {
        Err(by_hand())
    }
}

fn column(text: &str, at: usize) -> usize {
    at - line_start(text, at)
}

/// Returns the line ending that the file uses.
fn line_ending(text: &str) -> &'static str {
    if text.contains("\r\n") { "\r\n" } else { "\n" }
}

fn splice(text: &str, span: &Span, with: &str) -> String {
    format!("{}{with}{}", &text[..span.start], &text[span.end..])
}

fn splice_lines(text: &str, at: usize, lines: &str) -> String {
    splice(text, &(at..at), lines)
}

#[cfg(test)]
mod tests;
