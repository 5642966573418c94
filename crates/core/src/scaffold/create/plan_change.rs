//! A plan in the middle of being changed: the text so far and the files beside it.

use super::feature_directory::{self, FeatureDirectory};
use super::{closing_page, is_closing_id};
use crate::error::{Error, Result};
use crate::scaffold::graph::{self, GateLines, UnitLine};
use crate::scaffold::{Write, WriteMode, slug, template};

/// A plan in the middle of being changed: the text so far and the files beside it.
pub(super) struct PlanChange<'a> {
    pub(super) feature: &'a FeatureDirectory<'a>,
    /// The text of PLAN.md so far.
    pub(super) plan: String,
    /// What that text says.
    pub(super) gates: Vec<GateLines>,
    files: Vec<Write>,
}

/// A unit that ends a gate.
pub(super) struct ClosingUnit<'a> {
    pub(super) id: String,
    /// What its file is called behind the gate's number.
    pub(super) name: &'a str,
    pub(super) depends_on: Vec<String>,
    /// The template of its page.
    pub(super) page: &'a str,
}

impl<'a> PlanChange<'a> {
    pub(super) fn of(feature: &'a FeatureDirectory<'a>) -> Result<Self> {
        let plan = feature
            .text("PLAN.md")
            .ok_or_else(|| Error::plan(format!("`{}` has no PLAN.md", feature.dir)))?;
        Ok(PlanChange {
            feature,
            plan: plan.to_owned(),
            gates: graph::read(plan)?,
            files: Vec::new(),
        })
    }

    pub(super) fn reread(&mut self) -> Result<()> {
        self.gates = graph::read(&self.plan)?;
        Ok(())
    }

    pub(super) fn create(&mut self, file: &str, text: String) {
        self.files
            .push(Write::create(format!("{}/{file}", self.feature.dir), text));
    }

    /// Returns the next free unit of the feature; its file carries the same number as its id.
    pub(super) fn next_unit(&self, title: &str) -> UnitLine {
        let ids = self
            .gates
            .iter()
            .flat_map(|gate| &gate.units)
            .map(|unit| unit.id.as_str())
            .chain(self.feature.spent.iter().map(String::as_str));
        let numbered = ids.filter_map(|id| digits(id.rsplit_once("/T")?.1));
        // Files outside the graph count too: a number is never given twice. Closing units have
        // numbers of their own, from 90.
        let filed = self.feature.file_numbers().filter(|number| *number < 90);
        let number = numbered.chain(filed).max().unwrap_or(0) + 1;
        let slug = slug::of(title).unwrap_or_else(|| "unit".to_owned());
        UnitLine {
            id: format!("{}/T{number:02}", self.feature.id()),
            file: format!("WU-{number:02}-{slug}.md"),
            depends_on: Vec::new(),
        }
    }

    /// Returns the first closing unit of a gate.
    pub(super) fn closing(&self, gate: u32) -> Option<UnitLine> {
        let units = self
            .gates
            .iter()
            .filter(|line| line.gate == gate)
            .flat_map(|line| &line.units);
        units.clone().find(|unit| is_closing_id(&unit.id)).cloned()
    }

    /// Returns the ids of a gate's units that do the work.
    pub(super) fn substantive(&self, gate: u32) -> Vec<String> {
        let units = self
            .gates
            .iter()
            .filter(|line| line.gate == gate)
            .flat_map(|line| &line.units);
        units
            .filter(|unit| !is_closing_id(&unit.id))
            .map(|unit| unit.id.clone())
            .collect()
    }

    pub(super) fn add_closing(&mut self, gate: u32, new: ClosingUnit<'_>) -> Result<()> {
        let used = self
            .files
            .iter()
            .filter_map(|write| feature_directory::file_number(write.path.rsplit('/').next()?));
        let number = self
            .feature
            .file_numbers()
            .chain(used)
            .filter(|n| *n >= 90)
            .max()
            .map_or(90, |n| n + 1);
        let unit = UnitLine {
            id: new.id,
            file: format!("WU-{number:02}-gate-{gate}-{}.md", new.name),
            depends_on: new.depends_on,
        };
        let page = closing_page(new.page, &unit.id, self.feature.dir, gate);
        self.create(&unit.file, page);
        self.plan = graph::add_unit(&self.plan, gate, &unit, None)?;
        self.reread()
    }

    /// Takes a `close` unit out of a gate that is no longer the last, unless somebody worked on it.
    pub(super) fn drop_untouched_close(&mut self, gate: u32, close: &UnitLine) -> Result<()> {
        let text = self.feature.text(&close.file).unwrap_or_default();
        if text != closing_page(template::CLOSE, &close.id, self.feature.dir, gate) {
            return Err(Error::plan(format!("gate {gate} ends with `{}`, which was edited or armed", close.id))
                .hint("only the last gate has a `close` unit: remove it from the graph, or move it to the new gate by hand"));
        }
        self.files.push(Write {
            path: format!("{}/{}", self.feature.dir, close.file),
            content: text.to_owned(),
            mode: WriteMode::Remove,
        });
        self.plan = graph::remove_unit(&self.plan, &close.id)?;
        self.reread()
    }

    pub(super) fn writes(self) -> Vec<Write> {
        let mut writes = vec![Write::replace(
            format!("{}/PLAN.md", self.feature.dir),
            self.plan,
        )];
        writes.extend(self.files);
        writes
    }
}

fn digits(text: &str) -> Option<u32> {
    let end = text
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len());
    text[..end].parse().ok()
}
