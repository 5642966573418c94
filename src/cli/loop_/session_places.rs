//! Where the sessions of a run go: to the runners the user names, else to those that plans name, else here.

use super::Args;
use gatewalk_core::engine::runner_slots::{RunnerSlots, SessionPlaces, far_slots};
use gatewalk_core::engine::snapshot::RunOptions;
use gatewalk_core::error::{Error, Result};
use gatewalk_host::host::Host;
use gatewalk_host::state_repository::Selected;

/// Returns the slots on the runners that a run of these features is to use.
pub(super) fn runner_slots(
    args: &Args,
    host: &Host,
    features: &[Selected],
) -> Result<Vec<RunnerSlots>> {
    let mut slots: Vec<RunnerSlots> = Vec::new();
    let mut add = |name: &str| -> Result<()> {
        let runner = host.runner(name)?;
        if slots.iter().all(|own| own.runner != *name) {
            slots.push(RunnerSlots {
                runner: name.to_owned(),
                slots: runner.slots,
                judges: runner.judges,
            });
        }
        Ok(())
    };
    for name in &args.runner {
        add(name)?;
    }
    for feature in features.iter().filter(|_| args.runner.is_empty()) {
        for name in named(feature) {
            add(name).map_err(|error| undefined(name, feature, &error))?;
        }
    }
    Ok(slots)
}

/// Returns the runners that a feature's plan names.
fn named(feature: &Selected) -> Vec<&str> {
    let named = &feature.feature().plan.front.runners;
    let all = named.iter().flat_map(|list| &list.value.0);
    all.map(|name| name.value.as_str()).collect()
}

/// Returns the error for a runner that a plan names and the user's configuration does not define.
fn undefined(name: &str, feature: &Selected, error: &Error) -> Error {
    let feature = feature.feature().name();
    Error::environment(format!("the plan of {feature} names the runner `{name}`: {error}"))
        .hint("a plan names runners and cannot define them: do that in your own config.yml, as docs/runners.md shows")
        .hint("or choose for this run: gatewalk loop --runner NAME")
}

/// Returns what the user asked of a run of these features, for one of them. Without a word, runners take the place of this
/// machine, unless one of the features is left without one.
pub(super) fn options(
    args: &Args,
    runners: Vec<RunnerSlots>,
    (own, all): (&Selected, &[Selected]),
) -> RunOptions {
    let there = far_slots(&runners);
    let by_plan = args.runner.is_empty() && there > 0;
    let some_here = by_plan && all.iter().any(|feature| named(feature).is_empty());
    let here = args.jobs.unwrap_or(u16::from(there == 0 || some_here));
    let named: Vec<String> = named(own).into_iter().map(str::to_owned).collect();
    RunOptions {
        jobs: there + usize::from(here),
        places: match (by_plan, named.is_empty()) {
            (false, _) => SessionPlaces::Anywhere,
            (true, true) => SessionPlaces::Here,
            (true, false) => SessionPlaces::Runners(named),
        },
        runners,
        agent: args.agent.clone(),
        force_full_close: args.force_full_close,
        optimistic: args.optimistic,
        budget_usd: args.budget_usd,
    }
}
