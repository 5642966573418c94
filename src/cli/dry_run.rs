//! `gatewalk loop --dry-run`: the run in dependency order, from the same planner the run uses.

mod asked_agents;

use super::stop_message::reason;
use super::watch::Printer;
use super::{Context, edits_in_effect};
use gatewalk_core::driver::feature_walk::RunEnd;
use gatewalk_core::driver::ports::SessionRunner as _;
use gatewalk_core::driver::unit_prompt::maps_of;
use gatewalk_core::engine::action::{Action, Step};
use gatewalk_core::engine::attempt_record::AttemptRecord;
use gatewalk_core::engine::broad_tier;
use gatewalk_core::engine::evidence::first_named;
use gatewalk_core::engine::oracle::{self, NoOracle, OracleCommand, OracleRequest};
use gatewalk_core::engine::runner_line::Demand;
use gatewalk_core::engine::session_prompt::{self, Prompt, PromptInput, PromptSection};
use gatewalk_core::engine::snapshot::{RunOptions, Snapshot};
use gatewalk_core::error::Result;
use gatewalk_core::exit::Exit;
use gatewalk_core::model::feature::PlannedUnit;
use gatewalk_core::model::frontmatter::{Spanned, show_duration};
use gatewalk_core::model::layout;
use gatewalk_core::model::money::usd;
use gatewalk_core::model::short_title::short_title;
use gatewalk_core::model::status_machine::{UnitStatus, Word as _};
use gatewalk_core::model::unit::{Unit, UnitType};
use gatewalk_host::git::GitPath;
use gatewalk_host::host::Host;
use gatewalk_host::os::Os;
use gatewalk_host::state_repository::{Repository, Selected};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// How many edited files are named.
const NAMED_FILES: usize = 5;

/// What a dry run looks at.
pub(crate) struct DryRun<'a> {
    pub(crate) context: &'a Context,
    pub(crate) repository: &'a Repository,
    pub(crate) selected: &'a Selected,
    pub(crate) host: Host,
    pub(crate) options: RunOptions,
    pub(crate) json: bool,
}

/// Prints what a run would do; writes nothing.
pub(crate) fn show(plan: &DryRun<'_>) -> Result<Exit> {
    let watcher = Printer::new(plan.context.out.clone(), false);
    let machine = Os::new(&plan.repository.git, plan.host.clone(), &watcher)?;
    let (snapshot, maps) = snapshot(plan, &machine)?;
    let mut rows = rows(plan, &snapshot, &maps);
    note_missing(&machine, &mut rows, plan.options.agent.is_some());
    let first = match gatewalk_core::engine::step::step(&snapshot) {
        Step::Do(actions) => actions.first().map(first_word).unwrap_or_default(),
        Step::Busy => "busy".to_owned(),
        Step::Stop(stop) => format!("stop: {}", reason(&RunEnd::Stopped(stop))),
    };
    if plan.json {
        plan.context.out.json(&json!({
            "feature": snapshot.feature.name(), "branch": plan.selected.branch, "branch_exists": plan.selected.exists, "not_in_effect": edits(plan)?,
            "lands_on_trunk": plan.repository.trunk_note(plan.selected).is_some(), "commit": snapshot.tip, "gate": snapshot.feature.current_gate().map(|g| snapshot.feature.gate_number(g)),
            "first": first, "units": rows, "broad": broad(&snapshot),
        }));
        return Ok(Exit::Success);
    }
    let edits = edits(plan)?;
    edits
        .into_iter()
        .for_each(|note| plan.context.out.note(note));
    print(plan, &snapshot, &rows);
    Ok(Exit::Success)
}

/// Returns what lies in the checkout otherwise than it is shown here.
fn edits(plan: &DryRun<'_>) -> Result<Vec<String>> {
    // A log that the checkout has stale is put back by the run itself.
    let log = format!("{}/{}", plan.selected.dir, layout::EVENTS);
    let edited = plan.repository.uncommitted(&plan.selected.dir)?;
    let edited = edited.iter().map(GitPath::to_text);
    let edited: Vec<_> = edited.filter(|path| *path != log).collect();
    let first = (!edited.is_empty()).then(|| {
        format!(
            "a run would stop: the plan has uncommitted edits, which are not shown: {}; `--commit-plan` commits them first",
            first_named(&edited, NAMED_FILES)
        )
    });
    let unwritable = plan.repository.unwritable();
    let unwritable = unwritable.map(|why| format!("a run would stop: {why}"));
    let settings = edits_in_effect::not_in_effect(plan.repository, Some(plan.selected))?;
    Ok(unwritable
        .into_iter()
        .chain(first)
        .chain(settings)
        .collect())
}

/// Returns what the runners of this run would not be sent.
fn unsent(plan: &DryRun<'_>) -> Option<String> {
    let far = !plan.options.runners.is_empty();
    // What cannot be read is the run's to say.
    far.then(|| plan.repository.git.unsent(plan.selected.commit).ok())??
}

/// Returns an action as its word and the unit it works on.
fn first_word(action: &Action) -> String {
    match action.unit() {
        Some(unit) => format!("{} {unit}", action.word()),
        None => action.word().to_owned(),
    }
}

/// Returns what `step` would look at: read from the tip when the branch exists, else from its start.
/// With it comes every unit's map of the repository.
fn snapshot(plan: &DryRun<'_>, machine: &Os<'_>) -> Result<(Snapshot, BTreeMap<String, String>)> {
    let driver = machine.driver(plan.repository.layout, plan.selected, plan.options.clone());
    let commit = plan.selected.commit;
    driver.knows(&commit, &plan.selected.workspace)?;
    let snapshot = driver.snapshot_at(&commit)?;
    let gate = snapshot.feature.current_gate();
    let units = gate.into_iter().flat_map(|g| snapshot.feature.walk(g));
    let units: Vec<_> = units
        .filter_map(|m| Some((m.id().to_owned(), m.unit?)))
        .collect();
    let maps = maps_of(machine, &commit, &units)?;
    Ok((snapshot, maps))
}

fn rows(plan: &DryRun<'_>, s: &Snapshot, maps: &BTreeMap<String, String>) -> Vec<Value> {
    let Some(gate) = s.feature.current_gate() else {
        return vec![];
    };
    let walk = s.feature.walk(gate);
    let last = walk.len().saturating_sub(1);
    let rows = walk.iter().enumerate().map(|(at, member)| {
        let map = maps.get(member.id()).map_or("", String::as_str);
        row(plan, s, member, (at == last, map))
    });
    rows.collect()
}

/// Notes in the rows of units that can still run why their agents cannot work here, as far as that shows without starting one.
fn note_missing(machine: &Os<'_>, rows: &mut [Value], by_user: bool) {
    let mut known: BTreeMap<String, Option<String>> = BTreeMap::new();
    for row in rows {
        let is_open = row["status"] == UnitStatus::Pending.word();
        let agents = row["agent"].as_array().filter(|_| is_open);
        let missing = agents.into_iter().flatten().filter_map(|agent| {
            let agent = text(agent);
            let look = || machine.missing_agent(agent, by_user);
            known.entry(agent.to_owned()).or_insert_with(look).clone()
        });
        row["cannot_start"] = missing.collect();
    }
}

/// Returns what a unit asks of the place where it runs.
fn asked_row(unit: &Unit) -> Option<Value> {
    let asks = unit.front.resources.is_some().then(|| Demand::of(unit))?;
    Some(json!({
        "cpus": asks.cpus, "memory_mb": asks.memory_mb, "minutes": asks.minutes, "gpu": asks.gpu,
    }))
}

/// Returns the commands that judge a unit, `last` of its gate or not.
fn commands(
    s: &Snapshot,
    (gate, unit): (usize, &Unit),
    last: bool,
) -> Result<Vec<OracleCommand>, NoOracle> {
    oracle::resolve(&OracleRequest {
        verification: &s.verification,
        feature: &s.feature,
        gate,
        unit,
        closing_gate: unit.unit_type().is_closing() || last,
    })
}

/// Returns the parts of a prompt, each with its size.
fn section_rows(prompt: &Prompt) -> Vec<Value> {
    let sections = prompt.sections.iter();
    let row = |p: &PromptSection| json!({"name": p.name, "tokens": p.text.len().div_ceil(session_prompt::BYTES_PER_TOKEN)});
    sections.map(row).collect()
}

/// Returns the prompt of a unit's next session.
fn prompt(
    plan: &DryRun<'_>,
    s: &Snapshot,
    (gate, unit): (usize, &Unit),
    (oracle, failed, map): (&[OracleCommand], &[&AttemptRecord], &str),
) -> Prompt {
    session_prompt::build(&PromptInput {
        workspace: &plan.selected.workspace,
        feature: &s.feature,
        gate,
        unit,
        oracle,
        failed,
        set_aside: None,
        tree_kept: false,
        map,
        requirements: "",
    })
}

/// Returns what is shown of a unit; `last` of its gate, it is judged by every command.
fn row(
    plan: &DryRun<'_>,
    s: &Snapshot,
    member: &PlannedUnit<'_>,
    (last, map): (bool, &str),
) -> Value {
    let Some(unit) = member.unit else {
        return json!({"unit": member.id(), "status": member.status().to_string(), "problem": "its file is missing"});
    };
    let (commands, problem) = match commands(s, (member.gate, unit), last) {
        Ok(commands) => (commands, None),
        Err(why) => (vec![], Some(why.to_string())),
    };
    let failed = s.attempts_of(member.id(), unit);
    let prompt = prompt(plan, s, (member.gate, unit), (&commands, &failed, map));
    let nth = u32::try_from(failed.len() + 1).unwrap_or(1);
    let profiles = &plan.host.agents;
    let links = asked_agents::chain(s, unit, profiles, nth);
    let commands = commands.iter().map(command_row);
    let usd = |key: &Option<Spanned<f64>>| key.as_ref().map(|b| b.value);
    json!({
        "unit": member.id(),
        "title": unit.title(),
        "type": unit.unit_type().to_string(),
        "status": member.status().to_string(),
        "depends_on": member.node.depends_on.iter().map(|d| &d.value).collect::<Vec<_>>(),
        "agent": if unit.unit_type() == UnitType::Human { vec![] } else { links.iter().map(|link| link.agent.as_str()).collect() },
        "model": links.first().and_then(|link| link.model.as_deref()),
        "chain": asked_agents::rows_of(&links),
        "retries": asked_agents::retries(s, unit, profiles, nth),
        "attempts_used": failed.len(),
        "max_attempts": unit.max_attempts(),
        "timeout": show_duration(unit.timeout()),
        "idle_timeout": show_duration(unit.idle_timeout()),
        "asks": asked_row(unit),
        "budget_usd": usd(&unit.front.budget_usd),
        "planned_cost_usd": usd(&unit.front.planned_cost_usd),
        "prompt_bytes": prompt.text().len(),
        "prompt_tokens": prompt.tokens(),
        "prompt_sections": section_rows(&prompt),
        "produces": Unit::list(&unit.front.produces),
        "commands": commands.collect::<Vec<_>>(),
        "problem": problem,
    })
}

/// Returns the commands that run once before the gate's end.
fn broad(s: &Snapshot) -> Vec<Value> {
    let gate = s.feature.current_gate();
    let all = gate.and_then(|gate| broad_tier::commands(&s.verification, &s.feature, gate).ok());
    all.unwrap_or_default().iter().map(command_row).collect()
}

fn command_row(c: &OracleCommand) -> Value {
    json!({
        "name": c.name, "source": c.source.word(), "command": c.shell,
        "timeout": show_duration(c.timeout), "when": c.when, "parallel": c.parallel, "inputs": c.inputs,
    })
}

fn text(v: &Value) -> &str {
    v.as_str().unwrap_or_default()
}

fn print(plan: &DryRun<'_>, s: &Snapshot, rows: &[Value]) {
    let out = &plan.context.out;
    let name = s.feature.name();
    let Some(gate) = s.feature.current_gate() else {
        out.line(format!("{name}: every gate is passed; nothing to do"));
        return;
    };
    let exists = if plan.selected.exists {
        ""
    } else {
        " (would be created)"
    };
    out.line(format!(
        "{name}  gate {}  branch {}{exists}  from {}",
        s.feature.gate_number(gate),
        plan.selected.branch,
        s.tip.short(),
    ));
    if let Some(note) = plan.repository.trunk_note(plan.selected) {
        out.line(format!("  {note}"));
    }
    if let Some(note) = unsent(plan) {
        out.line(format!("  {note}; what they do is judged here"));
    }
    if rows.is_empty() {
        out.line("  nothing is left to run in this gate");
    }
    for (index, row) in rows.iter().enumerate() {
        out.line(format!(
            "\n{}. {}  [{}]  {}",
            index + 1,
            text(&row["unit"]),
            text(&row["status"]),
            short_title(text(&row["title"]))
        ));
        for line in details(row) {
            out.line(format!("   {line}"));
        }
    }
    for command in &broad(s) {
        out.line(format!(
            "\nbefore the gate ends, on the tip: {} ({}): {}",
            text(&command["name"]),
            text(&command["timeout"]),
            text(&command["command"])
        ));
    }
    out.line("\nNothing was written, and only git was run.");
}

/// What a unit waits for, who works on it, within which limits, and what judges it.
fn details(row: &Value) -> Vec<String> {
    let array = |key: &str| row[key].as_array().into_iter().flatten();
    let list = |key: &str, between: &str| array(key).map(text).collect::<Vec<_>>().join(between);
    let mut lines = Vec::new();
    if !row["problem"].is_null() {
        lines.push(format!("problem: {}", text(&row["problem"])));
    }
    let after = list("depends_on", ", ");
    if !after.is_empty() {
        lines.push(format!("after: {after}"));
    }
    if row["type"] == "human" {
        lines.push("for you: the run stops here until `gatewalk done`".to_owned());
        return lines;
    }
    lines.push(format!("agent: {}", asked_agents::shown(&row["chain"])));
    lines.extend(array("retries").map(|later| {
        let chain = asked_agents::shown(&later["chain"]);
        format!("from attempt {} on: {chain}", later["attempt"])
    }));
    lines.extend(array("cannot_start").map(|why| format!("cannot start: {}", text(why))));
    lines.push(format!(
        "prompt: about {} tokens ({} bytes)",
        row["prompt_tokens"], row["prompt_bytes"]
    ));
    let budget = row["budget_usd"].as_f64().map_or("none".to_owned(), usd);
    lines.push(format!(
        "limits: {} of {} attempts used, {} per session, {} of silence, budget {budget}",
        row["attempts_used"],
        row["max_attempts"],
        text(&row["timeout"]),
        text(&row["idle_timeout"]),
    ));
    if let Some(asks) = row["asks"].as_object() {
        let named = asks.iter().filter(|(_, value)| !value.is_null());
        let named: Vec<String> = named
            .map(|(name, value)| format!("{name} {value}"))
            .collect();
        lines.push(format!("asks of a runner: {}", named.join(", ")));
    }
    lines.extend(array("commands").map(|command| {
        let [name, timeout, shell] = ["name", "timeout", "command"].map(|key| text(&command[key]));
        format!("runs: {name} ({timeout}): {shell}")
    }));
    lines
}
