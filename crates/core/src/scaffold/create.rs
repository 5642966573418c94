//! New features, gates and units, with the next free ids and the closing units a plan needs.
//!
//! Every answer is a list of `Write`s that leave a plan without error findings; what a user must
//! still write stands there as `<fill in: …>`. Ids are never reused: the caller passes everything
//! that was ever taken, from other branches too if it looked. Deliberately not here: reading files,
//! arming, and moving units between gates.

use super::graph::{self, GateLines, UnitLine};
use super::roadmap_row::{self, RoadmapRow};
use super::template::{self, Templates, fill, one_line};
use super::{Write, WriteMode, initial_files, slug};
use crate::error::{Error, Result};

mod feature_directory;
mod plan_change;

pub use feature_directory::{FeatureDirectory, FeatureFile};
use plan_change::{ClosingUnit, PlanChange};

/// A feature with at most this many substantive units and one gate needs no closing unit.
const UNITS_WITHOUT_CEREMONY: usize = 4;

/// Where new files go and what they are made from.
#[derive(Debug, Clone, Copy)]
pub struct ScaffoldTarget<'a> {
    /// The state directory relative to the repository root: `.gatewalk` or `.specfuse`.
    pub state_dir: &'a str,
    /// The repository's templates, or [`template::SHIPPED`].
    pub templates: Templates<'a>,
}

/// What a new feature is to be.
#[derive(Debug, Clone, Copy)]
pub struct NewFeature<'a> {
    /// In words, for the plan and the roadmap.
    pub title: &'a str,
    /// Its short name; made from the title if absent.
    pub slug: Option<&'a str>,
    /// One line for the roadmap: what is true when it is done.
    pub goal: Option<&'a str>,
    /// The title of its first unit; the feature's own if absent.
    pub unit: Option<&'a str>,
    /// Today's year, for the id.
    pub year: u16,
    /// Every feature id that was ever taken.
    pub taken: &'a [String],
    /// The text of `roadmap.md`, if there is one.
    pub roadmap: Option<&'a str>,
}

/// What a new unit is to be.
#[derive(Debug, Clone, Copy)]
pub struct NewUnit<'a> {
    /// Its title in words; its file is named after it.
    pub title: &'a str,
    /// `implementation` or `human`; closing units come with gates.
    pub kind: &'a str,
    /// The gate it joins; the last one if absent.
    pub gate: Option<u32>,
    /// Ids it waits for, in full or as `T01`.
    pub depends_on: &'a [String],
}

/// Plans a feature with one gate and one unit.
///
/// Fails where the title is empty, the slug is not one, or every id of the year is taken.
pub fn new_feature(place: &ScaffoldTarget<'_>, new: &NewFeature<'_>) -> Result<Vec<Write>> {
    let title = titled(new.title)?;
    let slug = slug_of(new.slug, &title)?;
    let id = next_feature_id(new.year, new.taken)?;
    let directory = format!("{id}-{slug}");
    let dir = format!("{}/features/{directory}", place.state_dir);
    let area = slug.split('-').next().unwrap_or("A").to_uppercase();
    let requirement = format!("REQ-{area}-1");
    let unit_title = new.unit.map(titled).transpose()?;
    let own_slug = unit_title.as_ref().map(|title| slug_of(None, title));
    let unit_slug = own_slug.transpose()?.unwrap_or_else(|| slug.clone());
    let unit = UnitLine {
        id: format!("{id}/T01"),
        file: format!("WU-01-{unit_slug}.md"),
        depends_on: Vec::new(),
    };
    let plan_words = [
        ("feature_id", &*id),
        ("title", &title),
        ("slug", &slug),
        ("branch", &format!("feat/{directory}")),
        ("goal", &new.goal.map_or_else(open_goal, one_line)),
        ("requirement", &requirement),
        ("unit_id", &unit.id),
        ("unit_file", &unit.file),
    ];
    let plan = fill(place.templates.plan, &plan_words);
    let unit_words = [
        ("id", &*unit.id),
        ("type", "implementation"),
        ("title", unit_title.as_ref().unwrap_or(&title)),
        ("covers", &requirement),
    ];
    let unit_page = fill(place.templates.unit, &unit_words);
    let unit_path = format!("{dir}/{}", unit.file);
    refuse_other_graph(&plan, unit)?;
    let row = RoadmapRow {
        id: &id,
        title: &title,
        status: "planned",
        directory: &directory,
    };
    Ok(vec![
        Write::create(format!("{dir}/PLAN.md"), plan),
        Write::create(format!("{dir}/GATE-01.md"), gate_page(place, 1, &title)),
        Write::create(unit_path, unit_page),
        roadmap_with(place, new.roadmap, &row),
    ])
}

fn open_goal() -> String {
    format!(
        "{} what is true when this is done>",
        super::PLACEHOLDER_OPEN
    )
}

fn slug_of(given: Option<&str>, title: &str) -> Result<String> {
    match given {
        None => Ok(slug::of(title).unwrap_or_else(|| "feature".to_owned())),
        Some(given) if slug::of(given).as_deref() == Some(given) => Ok(given.to_owned()),
        Some(_) => Err(Error::usage(
            "a slug is lowercase ASCII letters and digits joined by single dashes, at most 40 characters",
        )),
    }
}

/// Refuses a plan whose task graph is not one gate with that unit: the template is the user's own.
fn refuse_other_graph(plan: &str, unit: UnitLine) -> Result<()> {
    let want = [GateLines {
        gate: 1,
        file: "GATE-01.md".to_owned(),
        units: vec![unit],
    }];
    if graph::read(plan)? == want {
        return Ok(());
    }
    let what = "`templates/PLAN.md` does not give the task graph of a new feature";
    Err(Error::plan(what)
        .hint("it must list gate 1 with {{unit_id}} and {{unit_file}}; the shipped one shows how"))
}

fn roadmap_with(place: &ScaffoldTarget<'_>, old: Option<&str>, row: &RoadmapRow<'_>) -> Write {
    let (text, mode) = match old {
        Some(text) => (text, WriteMode::Replace),
        None => (initial_files::shipped("roadmap.md"), WriteMode::Create),
    };
    Write {
        path: format!("{}/roadmap.md", place.state_dir),
        content: roadmap_row::add_row(text, row),
        mode,
    }
}

/// Returns the next free id of a year: one more than the highest ever taken.
fn next_feature_id(year: u16, taken: &[String]) -> Result<String> {
    let prefix = format!("FEAT-{year:04}-");
    let numbers = taken
        .iter()
        .filter_map(|id| id.strip_prefix(&prefix)?.get(..4)?.parse::<u32>().ok());
    match numbers.max().unwrap_or(0) + 1 {
        number @ ..=9999 => Ok(format!("{prefix}{number:04}")),
        _ => Err(Error::plan(format!(
            "every id of {year} is taken: FEAT-{year:04}-9999 is the last one"
        ))),
    }
}

/// Plans a gate behind the last one, with its first unit and the closing units that both gates
/// then need.
///
/// Fails where the feature has ended or its graph is laid out in a way that is not edited.
pub fn new_gate(
    place: &ScaffoldTarget<'_>,
    feature: &FeatureDirectory<'_>,
    title: &str,
) -> Result<Vec<Write>> {
    let title = titled(title)?;
    feature.refuse_if_ended()?;
    let mut change = PlanChange::of(feature)?;
    let last = change.gates.last().map_or(0, |gate| gate.gate);
    let number = last + 1;
    if last > 0 && feature.gate_status(&change.gates, last) == Some("open") {
        close_intermediate(&mut change, last)?;
    }
    let unit = change.next_unit(&title);
    let page = unit_page(place, "implementation", &unit.id, &title)?;
    change.create(&unit.file, page);
    let file = format!("GATE-{number:02}.md");
    change.plan = graph::add_gate(
        &change.plan,
        &GateLines {
            gate: number,
            file: file.clone(),
            units: vec![unit],
        },
    )?;
    change.create(&file, gate_page(place, number, &title));
    change.reread()?;
    close_feature(&mut change, number)?;
    Ok(change.writes())
}

/// A gate takes no unit once its closing one has run.
fn refuse_closing(feature: &FeatureDirectory<'_>, gate: u32, closing: &UnitLine) -> Result<()> {
    let status = feature.unit_key(&closing.file, "status");
    match status.as_deref() {
        Some("draft" | "pending" | "ready") => Ok(()),
        _ => Err(gate_is_full(format!(
            "gate {gate} is already closing: `{}` has run",
            closing.id
        ))),
    }
}

/// Plans a unit at the end of a gate's substantive ones.
///
/// Fails where the gate takes no more units, an edge leads nowhere, or the graph is laid out in a way that is not edited.
pub fn new_unit(
    place: &ScaffoldTarget<'_>,
    feature: &FeatureDirectory<'_>,
    new: &NewUnit<'_>,
) -> Result<Vec<Write>> {
    let title = titled(new.title)?;
    feature.refuse_if_ended()?;
    let mut change = PlanChange::of(feature)?;
    let gate = new
        .gate
        .or(change.gates.last().map(|gate| gate.gate))
        .unwrap_or(1);
    if let Some(status) = feature
        .gate_status(&change.gates, gate)
        .filter(|s| *s != "open")
    {
        return Err(gate_is_full(format!(
            "gate {gate} is `{status}`: it takes no more units"
        )));
    }
    let mut unit = change.next_unit(&title);
    unit.depends_on = edges(&change.gates, feature.id(), gate, new.depends_on)?;
    let page = unit_page(place, new.kind, &unit.id, &title)?;
    change.create(&unit.file, page);
    let closing = change.closing(gate);
    if let Some(first) = &closing {
        refuse_closing(feature, gate, first)?;
    }
    change.plan = graph::add_unit(
        &change.plan,
        gate,
        &unit,
        closing.as_ref().map(|first| first.id.as_str()),
    )?;
    if let Some(first) = &closing {
        change.plan = graph::add_edge(&change.plan, &first.id, &unit.id)?;
    }
    change.reread()?;
    let ceremony =
        change.gates.len() > 1 || change.substantive(gate).len() > UNITS_WITHOUT_CEREMONY;
    let terminal = change.gates.last().is_some_and(|last| last.gate == gate);
    if ceremony && terminal && closing.is_none() {
        close_feature(&mut change, gate)?;
    }
    Ok(change.writes())
}

fn gate_is_full(why: String) -> Error {
    Error::plan(why).hint("`gatewalk new gate \"TITLE\"` plans another one behind it")
}

/// Gives a gate that is no longer the last one its `close-intermediate` and `plan-next` units.
fn close_intermediate(change: &mut PlanChange<'_>, gate: u32) -> Result<()> {
    if let Some(close) = change.closing(gate) {
        if change.feature.unit_key(&close.file, "type").as_deref() != Some("close") {
            return Ok(());
        }
        change.drop_untouched_close(gate, &close)?;
    }
    let id = format!("{}/G{gate}-CLOSE-INTERMEDIATE", change.feature.id());
    let plan_id = format!("{}/G{gate}-PLAN", change.feature.id());
    let close = ClosingUnit {
        id: id.clone(),
        name: "close",
        depends_on: change.substantive(gate),
        page: template::CLOSE_INTERMEDIATE,
    };
    change.add_closing(gate, close)?;
    let plan_next = ClosingUnit {
        id: plan_id,
        name: "plan-next",
        depends_on: vec![id],
        page: template::PLAN_NEXT,
    };
    change.add_closing(gate, plan_next)
}

/// Gives the last gate its `close` unit.
fn close_feature(change: &mut PlanChange<'_>, gate: u32) -> Result<()> {
    let close = ClosingUnit {
        id: format!("{}/G{gate}-CLOSE", change.feature.id()),
        name: "close",
        depends_on: change.substantive(gate),
        page: template::CLOSE,
    };
    change.add_closing(gate, close)
}

fn is_closing_id(id: &str) -> bool {
    id.rsplit_once('/')
        .is_some_and(|(_, last)| last.starts_with('G'))
}

/// Returns the edges in full, refusing what is unknown or lies in a later gate.
fn edges(gates: &[GateLines], feature: &str, gate: u32, given: &[String]) -> Result<Vec<String>> {
    let mut full = Vec::new();
    let own = graph::position(gates, gate)?;
    for id in given {
        let id = if id.contains('/') {
            id.clone()
        } else {
            format!("{feature}/{id}")
        };
        let home = gates
            .iter()
            .position(|line| line.units.iter().any(|unit| unit.id == id));
        match home {
            None => {
                let known: Vec<&str> = gates
                    .iter()
                    .flat_map(|g| &g.units)
                    .map(|unit| unit.id.as_str())
                    .collect();
                return Err(Error::plan(format!("no unit `{id}` in this plan"))
                    .hint(format!("its units: {}", known.join(", "))));
            }
            Some(home) if home > own => {
                return Err(Error::plan(format!(
                    "`{id}` is in a later gate; a unit cannot wait for it"
                )));
            }
            Some(_) if is_closing_id(&id) && home == Some(own) => {
                return Err(Error::plan(format!(
                    "`{id}` closes gate {gate}; it runs after every other unit there"
                )));
            }
            Some(_) if !full.contains(&id) => full.push(id),
            Some(_) => {}
        }
    }
    Ok(full)
}

fn titled(title: &str) -> Result<String> {
    match one_line(title) {
        title if title.is_empty() => Err(Error::usage("a title is needed")),
        title => Ok(title),
    }
}

fn gate_page(place: &ScaffoldTarget<'_>, gate: u32, title: &str) -> String {
    fill(
        place.templates.gate,
        &[("gate", &gate.to_string()), ("title", title)],
    )
}

fn unit_page(place: &ScaffoldTarget<'_>, kind: &str, id: &str, title: &str) -> Result<String> {
    let values = [("id", id), ("type", kind), ("title", title), ("covers", "")];
    match kind {
        "implementation" => Ok(fill(place.templates.unit, &values)),
        "human" => Ok(fill(template::HUMAN, &values)),
        other => Err(Error::usage(format!(
            "a new unit is `implementation` or `human`, not `{other}`"
        ))
        .hint("closing units come with `gatewalk new gate`")),
    }
}

fn closing_page(page: &str, id: &str, dir: &str, gate: u32) -> String {
    let (this, next) = (gate.to_string(), (gate + 1).to_string());
    let next_file = format!("{:02}", gate + 1);
    fill(
        page,
        &[
            ("id", id),
            ("feature_dir", dir),
            ("gate", &this),
            ("next_gate", &next),
            ("next_gate_file", &next_file),
        ],
    )
}

#[cfg(test)]
mod tests;
