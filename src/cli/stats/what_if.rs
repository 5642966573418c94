//! `gatewalk stats --what-if`: the recorded work under other policies, beside what happened.

use crate::cli::Out;
use gatewalk_core::engine::model_rates::ModelRates;
use gatewalk_core::engine::policy_replay::{ReplayPolicy, ReplayTotals, recorded_models, replay};
use gatewalk_core::error::{Error, Result};
use gatewalk_core::exit::Exit;
use gatewalk_core::model::money::usd;
use gatewalk_host::state_repository::Selected;
use serde_json::json;

/// Another policy for what is recorded.
#[derive(clap::Args)]
pub(super) struct WhatIf {
    /// Replay the recorded attempts under other policies
    #[arg(long)]
    what_if: bool,
    /// With `--what-if`: at most so many attempts a unit
    #[arg(long, value_name = "N", requires = "what_if", value_parser = clap::value_parser!(u32).range(1..))]
    attempts: Option<u32>,
    /// With `--what-if`: the model of each attempt of a unit, from the first on, as the logs name it
    #[arg(
        long,
        value_name = "MODEL,…",
        requires = "what_if",
        value_delimiter = ','
    )]
    ladder: Vec<String>,
    /// With `--what-if`: gates without a failed attempt close without a session
    #[arg(long, requires = "what_if")]
    mechanical_close: bool,
    /// With `--what-if`: work on so many features at once
    #[arg(long, value_name = "N", requires = "what_if", value_parser = clap::value_parser!(u32).range(1..))]
    wip: Option<u32>,
    /// With `--what-if`: so many slots
    #[arg(long, value_name = "N", requires = "what_if", value_parser = clap::value_parser!(u32).range(1..))]
    jobs: Option<u32>,
}

impl WhatIf {
    pub(super) fn is_asked(&self) -> bool {
        self.what_if
    }

    /// Refuses a model that no log names: nothing says what it costs.
    fn refuse_unknown_models(&self, models: &ModelRates) -> Result<()> {
        let known = models.names();
        let unknown = self.ladder.iter().find(|m| !known.contains(&m.as_str()));
        let Some(unknown) = unknown else {
            return Ok(());
        };
        let known = match &known[..] {
            [] => "no attempt in these logs has a model, tokens and a cost".to_owned(),
            known => format!("there are: {}", known.join(", ")),
        };
        Err(Error::usage(format!(
            "no attempt in these logs says what `{unknown}` costs"
        ))
        .hint(known))
    }

    /// Returns the policies to show: the one that was asked for, or those that are worth a look.
    fn policies(&self, models: &ModelRates) -> Vec<ReplayPolicy> {
        let asked = ReplayPolicy {
            attempts: self.attempts,
            ladder: self.ladder.clone(),
            mechanical_close: self.mechanical_close,
            wip: self.wip,
            jobs: self.jobs,
        };
        if asked != ReplayPolicy::default() {
            return vec![asked];
        }
        let beside = |wip, jobs| ReplayPolicy {
            wip: Some(wip),
            jobs: Some(jobs),
            ..ReplayPolicy::default()
        };
        let closing = ReplayPolicy {
            mechanical_close: true,
            ..ReplayPolicy::default()
        };
        let capped = |attempts| ReplayPolicy {
            attempts: Some(attempts),
            ..ReplayPolicy::default()
        };
        let climbing = models.usual_ladder().map(|ladder| ReplayPolicy {
            ladder,
            ..ReplayPolicy::default()
        });
        let mut policies = vec![capped(2), capped(1)];
        policies.extend(climbing);
        policies.extend([
            closing,
            beside(2, 2),
            beside(5, 4),
            ReplayPolicy {
                attempts: Some(2),
                mechanical_close: true,
                ..beside(5, 4)
            },
        ]);
        policies
    }
}

pub(super) fn show(asked: &WhatIf, out: &Out, shown: &[Selected], json: bool) -> Result<Exit> {
    let features = || shown.iter().map(Selected::feature);
    let models = recorded_models(features());
    asked.refuse_unknown_models(&models)?;
    let run = |policy: &ReplayPolicy| replay(features(), policy, &models);
    let recorded = run(&ReplayPolicy::default());
    let others = asked.policies(&models);
    let others: Vec<(ReplayPolicy, ReplayTotals)> =
        others.into_iter().map(|p| (p.clone(), run(&p))).collect();
    if json {
        let rows = others
            .iter()
            .map(|(policy, totals)| json!({"policy": policy, "totals": totals}));
        let rows: Vec<_> = rows.collect();
        out.json(&json!({"recorded": recorded, "policies": rows, "assumes": ASSUMES}));
        return Ok(Exit::Success);
    }
    let names: Vec<String> = others.iter().map(|(policy, _)| name(policy)).collect();
    let longest = names.iter().map(|name| name.chars().count()).max();
    let width = longest.unwrap_or_default().max(NARROWEST);
    out.line(format!(
        "{:<width$} {:>9} {:>7} {:>11} {:>9} {:>10}",
        "policy", "attempts", "landed", "cost", "agents", "waiting"
    ));
    out.line(row(("recorded", width), &recorded));
    for (name, (_, totals)) in names.iter().zip(&others) {
        out.line(row((name, width), totals));
    }
    for assumption in ASSUMES {
        out.note(format!("assumes that {assumption}"));
    }
    Ok(Exit::Success)
}

/// Columns of a policy's name at least.
const NARROWEST: usize = 58;

/// What a replay cannot know.
const ASSUMES: [&str; 5] = [
    "what a session came to does not depend on the policy, and a unit whose passing attempt falls away does not land",
    "on another model a session writes as many tokens, each at what that model's tokens cost in these logs",
    "the units of a feature run one after the other",
    "you take as long for each stop as you did",
    "waiting is the time in which nothing runs because every open feature waits for you",
];

fn name(policy: &ReplayPolicy) -> String {
    let parts = [
        policy.attempts.map(|n| match n {
            1 => "at most 1 attempt".to_owned(),
            n => format!("at most {n} attempts"),
        }),
        (!policy.ladder.is_empty()).then(|| format!("ladder {}", policy.ladder.join(", "))),
        policy
            .mechanical_close
            .then(|| "mechanical close".to_owned()),
        policy.wip.map(|n| format!("--all --wip {n}")),
        policy.jobs.map(|n| format!("--jobs {n}")),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

fn row((name, width): (&str, usize), totals: &ReplayTotals) -> String {
    let at_least = if totals.unknown_cost > 0 { "≥" } else { "" };
    format!(
        "{name:<width$} {:>9} {:>7} {:>11} {:>7.1} h {:>8.1} h",
        totals.attempts,
        totals.landed,
        format!("{at_least}{}", usd(totals.cost_usd)),
        totals.agent_seconds / 3600.0,
        totals.waiting_seconds / 3600.0
    )
}
