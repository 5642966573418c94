//! The units of a feature as a drawing: a column for each step of the longest chain, a band for each gate.

use super::attention::{list, text};
use super::page_facts::status_words;
use gatewalk_core::model::id::short_id;
use gatewalk_core::model::short_title::cut_to;
use maud::{Markup, html};
use serde_json::Value;
use std::collections::HashMap;

/// The size of a unit, and the space between two.
const WIDE: usize = 168;
const HIGH: usize = 44;
const GAP_X: usize = 36;
const GAP_Y: usize = 14;
/// The space above the units for a gate's name.
const HEAD: usize = 28;
/// A drawing of at most so many columns is made to fit a wide window; its words can still be read then.
const FITTING: usize = 7;
/// The most units of a drawing; more are only listed.
const MOST_UNITS: usize = 150;
/// The most characters of a title in a drawing.
const TITLE: usize = 21;
/// The most characters of an id in a drawing.
const ID: usize = 25;

/// Where a unit stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct GraphPlace {
    column: usize,
    row: usize,
}

impl GraphPlace {
    fn x(self) -> usize {
        GAP_X / 2 + self.column * (WIDE + GAP_X)
    }

    fn y(self) -> usize {
        HEAD + self.row * (HIGH + GAP_Y)
    }
}

/// Returns the places of units in list order: behind what they wait for, and behind the gates before theirs.
fn places(units: &[Value]) -> HashMap<&str, GraphPlace> {
    let mut placed: HashMap<&str, GraphPlace> = HashMap::new();
    let mut rows: HashMap<usize, usize> = HashMap::new();
    let mut gates: Vec<u64> = units.iter().filter_map(|u| u["gate"].as_u64()).collect();
    gates.dedup();
    let mut first = 0;
    for gate in gates {
        let own: Vec<&Value> = units.iter().filter(|u| u["gate"] == gate).collect();
        let mut columns: HashMap<&str, usize> = HashMap::new();
        // A chain is at most as long as its gate has units; a cycle ends there too.
        for _ in 0..own.len() {
            let before = columns.clone();
            for unit in &own {
                let edges = list(unit, "depends_on").iter().filter_map(Value::as_str);
                let behind = edges.filter_map(|id| columns.get(id)).max();
                let column = behind.map_or(first, |c| c + 1).min(first + own.len() - 1);
                columns.insert(text(unit, "id"), column);
            }
            if columns == before {
                break;
            }
        }
        for unit in &own {
            let column = columns[text(unit, "id")];
            let row = rows.entry(column).or_default();
            placed.insert(text(unit, "id"), GraphPlace { column, row: *row });
            *row += 1;
        }
        first = columns.values().max().map_or(first, |last| last + 1);
    }
    placed
}

/// Draws the units of a feature; `link` gives the address of one.
pub(super) fn draw(feature: &Value, link: impl Fn(&str) -> String) -> Markup {
    let units = list(feature, "units");
    if units.is_empty() || units.len() > MOST_UNITS {
        return html! {};
    }
    let placed = places(units);
    let columns = placed.values().map(|p| p.column + 1).max().unwrap_or(1);
    let rows = placed.values().map(|p| p.row + 1).max().unwrap_or(1);
    let (width, height) = (columns * (WIDE + GAP_X), HEAD + rows * (HIGH + GAP_Y));
    let view = format!("0 0 {width} {height}");
    html! {
        div .scroll tabindex="0" role="region" aria-label="Graph of the units" {
            svg .graph .fits[columns <= FITTING] viewBox=(view) width=(width) height=(height) role="group" aria-label="Units by what they wait for" {
                @for gate in list(feature, "gates") { (band(gate, units, &placed, height)) }
                @for unit in units {
                    @for edge in list(unit, "depends_on").iter().filter_map(Value::as_str) {
                        (arrow(placed.get(edge), placed.get(text(unit, "id"))))
                    }
                }
                @for unit in units { (node(unit, placed.get(text(unit, "id")), &link)) }
            }
        }
    }
}

fn band(
    gate: &Value,
    units: &[Value],
    placed: &HashMap<&str, GraphPlace>,
    height: usize,
) -> Markup {
    let own = units.iter().filter(|u| u["gate"] == gate["gate"]);
    let columns: Vec<usize> = own
        .filter_map(|u| Some(placed.get(text(u, "id"))?.column))
        .collect();
    let (Some(first), Some(last)) = (columns.iter().min(), columns.iter().max()) else {
        return html! {};
    };
    let x = first * (WIDE + GAP_X) + GAP_X / 4;
    let width = (last - first + 1) * (WIDE + GAP_X) - GAP_X / 2;
    html! {
        rect .band x=(x) y="0" width=(width) height=(height) rx="6" {}
        text .gate x=(x + 10) y="19" { "Gate " (gate["gate"]) " · " (text(gate, "status").replace('_', " ")) }
    }
}

fn arrow(from: Option<&GraphPlace>, to: Option<&GraphPlace>) -> Markup {
    let (Some(from), Some(to)) = (from, to) else {
        return html! {};
    };
    let (x1, y1) = (from.x() + WIDE, from.y() + HIGH / 2);
    let (x2, y2) = (to.x(), to.y() + HIGH / 2);
    let bend = GAP_X / 2;
    let path = format!(
        "M{x1} {y1} C{} {y1} {} {y2} {x2} {y2}",
        x1 + bend,
        x2.saturating_sub(bend)
    );
    html! { path .edge d=(path) {} }
}

fn node(unit: &Value, place: Option<&GraphPlace>, link: &impl Fn(&str) -> String) -> Markup {
    let Some(place) = place else { return html! {} };
    let (id, status) = (text(unit, "id"), state(unit));
    let short = short_id(id);
    let title = text(unit, "title");
    let words = status_words(status);
    html! {
        a href=(link(id)) {
            g .node .(status) {
                rect x=(place.x()) y=(place.y()) width=(WIDE) height=(HIGH) rx="5" {}
                svg x=(place.x() + 10) y=(place.y()) width=(WIDE - 16) height=(HIGH) {
                    text .id y="18" { (cut_to(short, ID)) }
                    text y="35" { (cut_to(title, TITLE)) }
                }
                title { (title) " · " (words) }
            }
        }
    }
}

/// Returns the status of a unit as it is shown: what runs is running.
pub(super) fn state(unit: &Value) -> &str {
    match unit["running"] == true {
        true => "running",
        false => text(unit, "status"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_unit_stands_behind_what_it_waits_for_and_behind_earlier_gates() {
        let unit = |id: &str, gate: u64, after: &[&str]| json!({"id": id, "gate": gate, "depends_on": after, "status": "pending"});
        let units = [
            unit("A", 1, &[]),
            unit("B", 1, &["A"]),
            unit("C", 1, &["A"]),
            unit("D", 2, &[]),
            // A cycle, and an edge to nothing, still have places.
            unit("E", 2, &["F"]),
            unit("F", 2, &["E", "none"]),
        ];
        let placed = places(&units);
        let at = |id: &str| (placed[id].column, placed[id].row);
        assert_eq!(
            ["A", "B", "C", "D"].map(at),
            [(0, 0), (1, 0), (1, 1), (2, 0)]
        );
        assert!(["E", "F"].iter().all(|id| placed[id].column <= 4));
        let drawn = draw(
            &json!({"units": units, "gates": [{"gate": 1, "status": "open"}]}),
            |id| format!("/unit?id={id}"),
        );
        assert_eq!(drawn.into_string().matches("<path").count(), 4);
    }

    #[test]
    fn many_units_are_not_drawn() {
        let units: Vec<Value> = (0..151)
            .map(|n| json!({"id": n.to_string(), "gate": 1}))
            .collect();
        assert_eq!(
            draw(&json!({"units": units}), |_| String::new()).into_string(),
            ""
        );
    }
}
