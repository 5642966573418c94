//! What the last run found red before any work: known here, and asked of no command again.

use super::base_check::cases_key;
use super::hooks::{LandingMessage, hook_key, red_hook};
use super::result_cache::{UNPROVEN, base_key};
use crate::engine::oracle::{self, CommandJudge, CommandSource, OracleCommand, OracleRequest};
use crate::engine::red_command::{RedCause, RedCommand};
use crate::model::config::{BaseCheck, HookPolicy};
use crate::model::feature::{Feature, PlannedUnit};
use crate::model::status_machine::FeatureStatus;
use crate::model::unit::{ExpectBase, Unit, UnitType};
use crate::model::workspace::Workspace;
use std::collections::HashMap;

/// What is kept of how commands and hooks ended on a product.
pub struct KeptEnds<'a> {
    /// Stands for the product's files.
    pub product: &'a str,
    /// The hooks that could judge, by the names that `expects_red` gives them.
    pub hooks: &'a [String],
    /// Whether the repository has a hook still.
    pub has_hook: &'a dyn Fn(&str) -> bool,
    /// Knows how one ended by the name its end is kept under.
    pub exit_of: &'a dyn Fn(&str) -> Option<i32>,
}

/// Returns the units that could start and whose commands or hooks were red before any work, each with what was.
///
/// A run asks again what was red.
pub fn known_red(
    workspace: &Workspace,
    feature: &Feature,
    kept: &KeptEnds<'_>,
) -> Vec<(String, Vec<RedCommand>)> {
    let active = feature.plan.status() == FeatureStatus::Active;
    let Some(gate) = feature.current_gate().filter(|_| active) else {
        return vec![];
    };
    // Units mostly share their commands, and each end is a file to look for.
    let mut ends: HashMap<String, Option<i32>> = HashMap::new();
    let mut end_of = |key: String| {
        let end = ends.entry(key);
        *end.or_insert_with_key(|key| (kept.exit_of)(key))
    };
    let asks_hooks = workspace.config.hooks() == HookPolicy::Run
        && workspace.config.base_check() == BaseCheck::Eager;
    let hooks = kept
        .hooks
        .iter()
        .filter(|hook| asks_hooks && (kept.has_hook)(hook));
    let hooks: Vec<&str> = hooks.map(String::as_str).collect();
    let mut of_unit = |m: &PlannedUnit<'_>| {
        let commands = asked_of_base(workspace, feature, m);
        let red = commands.iter().filter_map(|command| {
            let exit = end_of(key_of(kept.product, command))?;
            red_command(command, exit)
        });
        let mut red: Vec<RedCommand> = red.collect();
        if let Some(unit) = m
            .unit
            .filter(|u| !hooks.is_empty() && is_asked(u.unit_type()))
        {
            red.extend(red_hooks(unit, m.id(), (kept.product, &hooks), &mut end_of));
        }
        (m.id().to_owned(), red)
    };
    let ready = feature.frontier(gate);
    let all = ready.iter().map(&mut of_unit);
    all.filter(|(_, red)| !red.is_empty()).collect()
}

fn key_of(product: &str, command: &OracleCommand) -> String {
    match command.judge {
        CommandJudge::Exit => base_key(product, &command.identity()),
        CommandJudge::NewFailures(_) => cases_key(product, command),
    }
}

/// Returns the hooks that refused a harmless change, or what a unit's landing would say.
fn red_hooks(
    unit: &Unit,
    id: &str,
    (product, hooks): (&str, &[&str]),
    mut end_of: impl FnMut(String) -> Option<i32>,
) -> Vec<RedCommand> {
    let message = LandingMessage::of(unit, id);
    let expected = Unit::list(&unit.front.expects_red);
    let red = hooks.iter().filter(|hook| {
        let end = end_of(hook_key(product, hook, &message));
        end.is_some_and(|exit| exit != 0) && !expected.contains(hook)
    });
    red.map(|hook| red_hook(hook, &message, unit)).collect()
}

/// Returns whether the base is looked at for units of a type.
fn is_asked(unit_type: UnitType) -> bool {
    unit_type != UnitType::Human && !unit_type.is_closing()
}

/// Returns the commands that must be green before a session is spent on a unit, and whose ends are kept.
fn asked_of_base(
    workspace: &Workspace,
    feature: &Feature,
    member: &PlannedUnit<'_>,
) -> Vec<OracleCommand> {
    let Some(unit) = member.unit.filter(|unit| is_asked(unit.unit_type())) else {
        return vec![];
    };
    let found = oracle::resolve(&OracleRequest {
        verification: &workspace.verification,
        feature,
        gate: member.gate,
        unit,
        closing_gate: false,
    });
    let eager = workspace.config.base_check() == BaseCheck::Eager;
    // Without an oracle no run starts, and lint says so.
    let mut commands = found.unwrap_or_default();
    commands.retain(|c| {
        let is_check = matches!(c.source, CommandSource::Check(_));
        c.expect_base() == ExpectBase::Green && (eager || is_check)
    });
    commands
}

fn red_command(command: &OracleCommand, exit: i32) -> Option<RedCommand> {
    let cause = match exit {
        0 => return None,
        _ if command.judge != CommandJudge::Exit => {
            RedCause::Cases("by its cases, which a run names".to_owned())
        }
        UNPROVEN => RedCause::NoTest,
        _ => return Some(RedCommand::of_exit(&command.name, exit)),
    };
    Some(RedCommand {
        name: command.name.clone(),
        cause,
    })
}
