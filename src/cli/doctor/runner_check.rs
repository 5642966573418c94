//! Proving a runner: it is asked what it is like, it does a one-file task through the real loop, and its connection is
//! killed to see what survives.

use super::{Context, DoctorCheck, Level, probe};
use gatewalk_core::engine::oracle::shell_quote;
use gatewalk_core::error::{Error, Result};
use gatewalk_host::git;
use gatewalk_host::host::Host;
use gatewalk_host::runner::{self, RunnerProof, RunnerReport};
use gatewalk_host::runner_definition::RunnerDefinition;
use serde_json::json;

/// A clock that is further off than this makes times in logs misleading.
const CLOCK_OFF_MS: i64 = 5_000;

/// Asks a runner's far end what it has, and proves it by a task where it answers.
pub(super) fn examine(
    name: &str,
    (agent, send): (Option<&str>, bool),
    context: &Context,
) -> Result<Vec<DoctorCheck>> {
    let host = context.host()?;
    let definition = host.runner(name)?;
    if send {
        context
            .out
            .note(format!("sending this program to {name} …"));
        let version = runner::send_program(&host, definition)?;
        let place = &definition.program;
        context.out.note(format!("{version} is in {place} there"));
    }
    let words = runner::command_line(definition);
    let words: Vec<String> = words.iter().map(|word| shell_quote(word)).collect();
    let line = words.join(" ");
    let wait = definition.wait.as_secs().div_ceil(60);
    context
        .out
        .note(format!("asking {name}, for {wait} min at most: {line} …"));
    let checks = match runner::report(&host, definition) {
        Ok(report) => prove((definition, &report), (name, agent), context)?,
        Err(error) => vec![unreachable(&error, &line)],
    };
    let faulty = checks.iter().filter(|check| check.level != Level::Ok);
    let faulty = faulty.map(|check| check.name.clone()).collect();
    let level = super::worst(&checks).word();
    runner::keep_proof(
        &host,
        definition,
        RunnerProof::now(definition, level, faulty),
    );
    Ok(checks)
}

/// Looks at a runner that answers.
fn prove(
    (definition, report): (&RunnerDefinition, &RunnerReport),
    (name, agent): (&str, Option<&str>),
    context: &Context,
) -> Result<Vec<DoctorCheck>> {
    let host = context.host()?;
    let mut checks = vec![reached(definition, report), version(report), git(report)];
    checks.extend(cache(report));
    checks.push(environment(report));
    checks.push(isolation(report));
    checks.push(clock(report));
    checks.push(agents(report));
    checks.push(probe::probe_on(agent, Some(name), context)?);
    context.out.note(format!(
        "killing the connection, and asking again in {} s …",
        definition.lease.as_secs() + 8
    ));
    checks.push(kill(&host, definition));
    Ok(checks)
}

fn unreachable(error: &Error, line: &str) -> DoctorCheck {
    let by_hand =
        format!("try the command by hand, where Enter is answered by `gatewalk far-end 1`: {line}");
    let mut remedies = error.hints.clone();
    remedies.push(by_hand);
    DoctorCheck::fail("runner", error.to_string(), &remedies.join("; "))
}

fn reached(definition: &RunnerDefinition, report: &RunnerReport) -> DoctorCheck {
    let far = &report.far;
    DoctorCheck::ok(
        "runner",
        format!(
            "{} answered after {:.1} s; {} slots, caches in {}",
            far.host,
            report.took.as_secs_f64(),
            definition.slots,
            far.cache
        ),
    )
    .with(json!({"host": far.host, "seconds": report.took.as_secs_f64()}))
}

fn version(report: &RunnerReport) -> DoctorCheck {
    let (there, here) = (&report.far.version, env!("CARGO_PKG_VERSION"));
    match there == here {
        true => DoctorCheck::ok("version", format!("gatewalk {there}, as here")),
        false => DoctorCheck::warn(
            "version",
            format!("gatewalk {there} there and {here} here; they speak the same protocol"),
            "install the same version on both, or send this one: `doctor --runner NAME --send`",
        ),
    }
}

fn git(report: &RunnerReport) -> DoctorCheck {
    match &report.far.git {
        Some(version) if git::is_old(version) => DoctorCheck::warn(
            "git",
            format!("{version} is older than any that runners are tried with"),
            "install git 2.38 or newer there",
        ),
        Some(version) => DoctorCheck::ok("git", version.clone()),
        None => DoctorCheck::fail("git", "there is none", "install git there"),
    }
}

/// Returns what is wrong with the place for what is kept there.
fn cache(report: &RunnerReport) -> Option<DoctorCheck> {
    let why = report.far.why_no_cache.as_ref()?;
    Some(DoctorCheck::fail(
        "cache",
        format!("nothing can be kept there: {why}"),
        "make room, or name a place that its user can write to: `env XDG_CACHE_HOME=/scratch/me {far}` in `command`",
    ))
}

fn environment(report: &RunnerReport) -> DoctorCheck {
    match report.far.has_homes_environment {
        true => DoctorCheck::warn(
            "environment",
            "the command hands your whole environment on, not only what `env` names, and its engine may record it",
            "have it hand on nothing else: srun takes `--export=HOME,PATH,USER`",
        ),
        false => DoctorCheck::ok(
            "environment",
            "nothing of yours goes there but what `env` names",
        ),
    }
}

fn isolation(report: &RunnerReport) -> DoctorCheck {
    let data = json!({"isolation": report.far.isolation});
    match &report.far.why_unconfined {
        None => DoctorCheck::ok("isolation", report.far.isolation.clone()),
        Some(why) => DoctorCheck::warn(
            "isolation",
            format!("none: sessions run there as its user ({why})"),
            "install bubblewrap there, or let the engine's own container confine them",
        ),
    }
    .with(data)
}

fn clock(report: &RunnerReport) -> DoctorCheck {
    let data = json!({"ahead_seconds": report.clock_ahead_ms as f64 / 1000.0});
    let off = clock_off(report.clock_ahead_ms);
    match report.clock_ahead_ms.abs() > CLOCK_OFF_MS {
        true => DoctorCheck::warn(
            "clock",
            off,
            "set the clock there: leases, limits and commits go by this machine's, but what is read in logs, an agent's login and the certificates of its server go by that one",
        ),
        false => DoctorCheck::ok("clock", off),
    }
    .with(data)
}

/// Returns by how much a clock is off, in words.
fn clock_off(ahead_ms: i64) -> String {
    if ahead_ms.abs() <= CLOCK_OFF_MS {
        return format!("{:+.1} s against this machine's", ahead_ms as f64 / 1000.0);
    }
    let seconds = ahead_ms.unsigned_abs() / 1000;
    let off = match seconds {
        0..120 => format!("{seconds} s"),
        120..7_200 => format!("{} min", seconds / 60),
        7_200..172_800 => format!("{} h", seconds / 3_600),
        _ => format!("{} days", seconds / 86_400),
    };
    let side = if ahead_ms > 0 { "ahead of" } else { "behind" };
    format!("{off} {side} this machine's")
}

fn agents(report: &RunnerReport) -> DoctorCheck {
    let word = |agent: &runner::FarAgent| {
        let version = agent.version.as_deref().unwrap_or("version unknown");
        let login = match agent.login {
            true => "login found",
            false => "no login file",
        };
        format!("{} ({version}, {login})", agent.name)
    };
    let found: Vec<String> = report.far.agents.iter().map(word).collect();
    match found.is_empty() {
        true => DoctorCheck::warn(
            "agents",
            "no program of a known agent is on the PATH there",
            "install one there and log in; the PATH is that of the runner's command, not of a login",
        ),
        false => DoctorCheck::ok("agents", found.join(", ")),
    }
}

fn kill(host: &Host, definition: &RunnerDefinition) -> DoctorCheck {
    match runner::survivors_of_a_kill(host, definition) {
        Ok((0, after)) => DoctorCheck::ok(
            "kill",
            format!(
                "the connection was killed; {:.0} s later nothing of what it had started was alive",
                after.as_secs_f64()
            ),
        )
        .with(json!({"survivors": 0})),
        Ok((left, _)) => DoctorCheck::fail(
            "kill",
            format!("{left} processes outlived the connection; they are ended now"),
            "let the engine end a whole job: a container, or Slurm with proctrack/cgroup",
        )
        .with(json!({"survivors": left})),
        Err(error) => DoctorCheck::fail("kill", error.to_string(), "look at the runner's own log"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_that_is_off_is_told_in_units_that_are_read() {
        for (ahead_ms, want) in [
            (0, "+0.0 s against this machine's"),
            (-5_000, "-5.0 s against this machine's"),
            (5_001, "5 s ahead of this machine's"),
            (-119_000, "119 s behind this machine's"),
            (120_000, "2 min ahead of this machine's"),
            (-18_000_000, "5 h behind this machine's"),
            (34_560_000_000, "400 days ahead of this machine's"),
        ] {
            assert_eq!(clock_off(ahead_ms), want);
        }
    }
}
