//! A feature written out from an outline: pages without a gap to fill, with ids, edges and closing units as `new` gives them.

use super::create::{self, FeatureDirectory, FeatureFile, NewFeature, NewUnit, ScaffoldTarget};
use super::{Write, WriteMode};
use crate::error::{Error, Result};
use crate::path_names::file_name;

/// A check that fails today and shows that a unit is done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutlinedCheck {
    /// What it is called.
    pub name: String,
    /// What `sh -c` is given.
    pub run: String,
}

/// A unit in few words.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UnitOutline {
    /// What it is called.
    pub title: String,
    /// What is known of it, word for word; it is quoted.
    pub text: String,
    /// What is true when it is done.
    pub criteria: Vec<String>,
    /// A check that shows that just this unit is done.
    pub check: Option<OutlinedCheck>,
    /// The units it waits for, by place in the outline.
    pub after: Vec<usize>,
    /// Globs its diff stays inside.
    pub touches: Vec<String>,
}

/// A feature in few words.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PlanOutline {
    /// What it is called.
    pub title: String,
    /// What is true when it is done, in one line.
    pub goal: String,
    /// Where it comes from: `a sentence`, `tasks.md`.
    pub source: String,
    /// What is known of it, word for word; it is quoted.
    pub text: String,
    /// The units, in order.
    pub units: Vec<UnitOutline>,
}

impl PlanOutline {
    /// Returns it with every text that a page shows cleaned: it may be a stranger's. The text of checks stays as it is.
    pub fn cleaned(mut self, clean: &dyn Fn(&str) -> String) -> PlanOutline {
        let own = [
            &mut self.title,
            &mut self.goal,
            &mut self.source,
            &mut self.text,
        ];
        own.into_iter().for_each(|text| *text = clean(text));
        for unit in &mut self.units {
            let own = [&mut unit.title, &mut unit.text];
            let all = own.into_iter().chain(&mut unit.criteria);
            all.for_each(|text| *text = clean(text));
        }
        self
    }
}

fn in_directory(writes: Vec<Write>, prefix: &str) -> Vec<FeatureFile> {
    let files = writes.into_iter().map(|w| FeatureFile {
        name: w.path[prefix.len()..].to_owned(),
        text: w.content,
    });
    files.collect()
}

fn add_unit(
    target: &ScaffoldTarget<'_>,
    directory: &FeatureDirectory<'_>,
    unit: &UnitOutline,
) -> Result<Vec<Write>> {
    let after: Vec<String> = unit.after.iter().map(|at| local_id(*at)).collect();
    let new = NewUnit {
        title: &unit.title,
        kind: "implementation",
        gate: None,
        depends_on: &after,
    };
    create::new_unit(target, directory, &new)
}

/// Plans the files of a feature: the roadmap, too.
///
/// Fails where there is no unit, or as [`create::new_feature`] does.
pub fn write_out(
    target: &ScaffoldTarget<'_>,
    new: &NewFeature<'_>,
    outline: &PlanOutline,
) -> Result<Vec<Write>> {
    let Some(first) = outline.units.first() else {
        return Err(Error::plan("there is nothing to plan"));
    };
    let writes = create::new_feature(
        target,
        &NewFeature {
            title: &outline.title,
            goal: Some(&outline.goal),
            unit: Some(&first.title),
            ..*new
        },
    )?;
    let plan = writes.iter().find(|w| w.path.ends_with("/PLAN.md"));
    let plan = plan.ok_or_else(|| Error::internal("a feature without a plan"))?;
    let dir = plan.path.trim_end_matches("/PLAN.md").to_owned();
    let name = file_name(&dir);
    let id = name.get(..14).unwrap_or_default().to_owned();
    let prefix = format!("{dir}/");
    let (own, others): (Vec<Write>, Vec<Write>) = writes
        .into_iter()
        .partition(|w| w.path.starts_with(&prefix));
    let mut files = in_directory(own, &prefix);
    for unit in &outline.units[1..] {
        let directory = FeatureDirectory {
            dir: &dir,
            feature_id: &id,
            files: &files,
            spent: &[],
        };
        let writes = add_unit(target, &directory, unit)?;
        take(&mut files, &prefix, writes);
    }
    fill_in(&mut files, &id, outline)?;
    let own = files
        .into_iter()
        .map(|file| Write::create(format!("{prefix}{}", file.name), file.text));
    Ok(own.chain(others).collect())
}

/// Puts what the outline says in place of what a template asks for.
fn fill_in(files: &mut [FeatureFile], feature_id: &str, outline: &PlanOutline) -> Result<()> {
    for file in files {
        let at = unit_at(&file.name).filter(|at| *at < outline.units.len());
        match (file.name.as_str(), at) {
            ("PLAN.md", _) => file.text = plan_page(&file.text, outline)?,
            ("GATE-01.md", _) => file.text = gate_page(outline),
            (_, Some(at)) => file.text = unit_page(feature_id, at, outline),
            _ => {}
        }
    }
    Ok(())
}

fn take(files: &mut Vec<FeatureFile>, prefix: &str, writes: Vec<Write>) {
    for write in writes {
        let Some(name) = write.path.strip_prefix(prefix).map(str::to_owned) else {
            continue;
        };
        files.retain(|file| file.name != name);
        if write.mode != WriteMode::Remove {
            files.push(FeatureFile {
                name,
                text: write.content,
            });
        }
    }
}

fn local_id(at: usize) -> String {
    format!("T{:02}", at + 1)
}

/// The place in the outline of a unit's file: closing ones are numbered from 90.
fn unit_at(name: &str) -> Option<usize> {
    let number: usize = name.strip_prefix("WU-")?.split('-').next()?.parse().ok()?;
    (1..90).contains(&number).then(|| number - 1)
}

/// Text of any kind, so that no heading, fence or frontmatter of it begins one of the page's.
fn quoted(text: &str) -> String {
    let lines = text.trim().lines();
    lines
        .map(|line| match line.trim_end() {
            "" => ">\n".to_owned(),
            line => format!("> {line}\n"),
        })
        .collect()
}

/// Text as a YAML string.
fn yaml(text: &str) -> String {
    let json = serde_json::to_string(text).expect("a string");
    let escape = |c: char| match c {
        '\u{7f}'..='\u{9f}' | '\u{2028}' | '\u{2029}' | '\u{feff}' => {
            format!("\\u{:04x}", c as u32)
        }
        c => c.to_string(),
    };
    json.chars().map(escape).collect()
}

fn plan_page(scaffolded: &str, outline: &PlanOutline) -> Result<String> {
    let lost = || Error::internal("a plan without frontmatter and graph");
    let front = scaffolded.find("\n---\n").ok_or_else(lost)? + "\n---\n".len();
    let graph = scaffolded.find("```yaml\ngates:").ok_or_else(lost)?;
    let title = line_of(&outline.title);
    let known = match outline.text.trim() {
        "" => String::new(),
        text => format!("From {}:\n\n{}\n", line_of(&outline.source), quoted(text)),
    };
    Ok(format!(
        "{}\n# {title}\n\n{}\n\n{known}## Task graph\n\n{}",
        &scaffolded[..front],
        line_of(&outline.goal),
        &scaffolded[graph..]
    ))
}

fn gate_page(outline: &PlanOutline) -> String {
    format!(
        "---\ngate: 1\nstatus: open\n---\n\n# Gate 1: {}\n\n## Definition of done\n\n- Every unit of this gate has landed: {}\n\n## Reflection notes\n\nFor the user who reviews the gate: what surprised you, what the next gate should know.\n",
        line_of(&outline.title),
        line_of(&outline.goal)
    )
}

fn unit_page(feature: &str, at: usize, outline: &PlanOutline) -> String {
    let unit = &outline.units[at];
    let mut front = format!(
        "id: {feature}/{}\ntype: implementation\nstatus: draft\n",
        local_id(at)
    );
    if !unit.touches.is_empty() {
        let globs: Vec<String> = unit.touches.iter().map(|glob| yaml(glob)).collect();
        front.push_str(&format!("touches: [{}]\n", globs.join(", ")));
    }
    if let Some(check) = &unit.check {
        let (name, run) = (yaml(&check.name), yaml(&check.run));
        front.push_str(&format!(
            "checks:\n  - name: {name}\n    run: {run}\n    expect_base: red\n"
        ));
    }
    let title = line_of(&unit.title);
    let known = match unit.text.trim() {
        "" => format!("The outline says no more than: {title}"),
        text => format!("From {}:\n\n{}", line_of(&outline.source), quoted(text)),
    };
    let mut criteria: Vec<String> = unit.criteria.iter().map(|c| line_of(c)).collect();
    if let Some(check) = &unit.check {
        let name = line_of(&check.name);
        criteria.push(format!(
            "The check `{name}` ends with exit 0; today it does not."
        ));
    }
    if criteria.is_empty() {
        criteria.push("The commands of `verification.yml` end with exit 0.".to_owned());
    }
    let criteria: Vec<String> = criteria
        .iter()
        .enumerate()
        .map(|(n, text)| format!("{}. {text}\n", n + 1))
        .collect();
    let own = match &unit.check {
        Some(check) => format!("- The check `{}`.\n", line_of(&check.name)),
        None => String::new(),
    };
    format!(
        "---\n{front}---\n\n# {title}\n\n## Objective\n\n{title}\n\n## Context\n\n{}\n\n## Acceptance criteria\n\n{}\n## Do not touch\n\n- Nothing beyond the rules.\n\n## Verification\n\n{own}- The commands of verification.yml, which the driver runs in any case.\n\n## Escalation triggers\n\n- Stop if what stands above contradicts the code.\n",
        known.trim_end(),
        criteria.concat()
    )
}

fn line_of(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests;
