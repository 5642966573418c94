//! What the last run found red before any work: known here, and asked of no command again.

use super::result_cache::{UNPROVEN, base_key};
use crate::engine::oracle::{self, CommandJudge, CommandSource, OracleCommand, OracleRequest};
use crate::engine::red_command::{RedCause, RedCommand};
use crate::model::config::BaseCheck;
use crate::model::feature::{Feature, PlannedUnit};
use crate::model::status_machine::FeatureStatus;
use crate::model::unit::{ExpectBase, UnitType};
use crate::model::workspace::Workspace;
use std::collections::HashMap;

/// Returns the units that could start and whose commands were red on a product (as its key stands for it), each with what was;
/// `exit_of` knows how a command ended by the name its end is kept under.
///
/// A run asks again what was red. What a hook refused, and what was judged by its cases, is not kept.
pub fn known_red(
    workspace: &Workspace,
    feature: &Feature,
    product: &str,
    exit_of: impl Fn(&str) -> Option<i32>,
) -> Vec<(String, Vec<RedCommand>)> {
    let active = feature.plan.status() == FeatureStatus::Active;
    let Some(gate) = feature.current_gate().filter(|_| active) else {
        return vec![];
    };
    // Units mostly share their commands, and each end is a file to look for.
    let mut ends: HashMap<String, Option<i32>> = HashMap::new();
    let mut of_unit = |m: &PlannedUnit<'_>| {
        let commands = asked_of_base(workspace, feature, m);
        let red = commands.iter().filter_map(|command| {
            let end = ends.entry(command.identity());
            let end = end.or_insert_with_key(|shell| exit_of(&base_key(product, shell)));
            end.and_then(|exit| red_command(&command.name, exit))
        });
        (m.id().to_owned(), red.collect::<Vec<_>>())
    };
    let ready = feature.frontier(gate);
    let all = ready.iter().map(&mut of_unit);
    all.filter(|(_, red)| !red.is_empty()).collect()
}

/// Returns the commands that must be green before a session is spent on a unit, and whose ends are kept.
fn asked_of_base(
    workspace: &Workspace,
    feature: &Feature,
    member: &PlannedUnit<'_>,
) -> Vec<OracleCommand> {
    let asked = |unit_type: UnitType| unit_type != UnitType::Human && !unit_type.is_closing();
    let Some(unit) = member.unit.filter(|unit| asked(unit.unit_type())) else {
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
        c.judge == CommandJudge::Exit && c.expect_base() == ExpectBase::Green && (eager || is_check)
    });
    commands
}

fn red_command(name: &str, exit: i32) -> Option<RedCommand> {
    match exit {
        0 => None,
        UNPROVEN => Some(RedCommand {
            name: name.to_owned(),
            cause: RedCause::NoTest,
        }),
        _ => Some(RedCommand::of_exit(name, exit)),
    }
}
