//! In which order commands judge: what the log says they cost, cheapest first, so that a failure shows soon; and which are
//! not worth their time once one has failed.

use super::log_reader::Log;
use super::oracle::{CommandSource, OracleCommand};
use serde_json::Value;
use std::collections::BTreeMap;

/// How many outcomes of the log are looked at, the newest first.
const OUTCOMES: usize = 20;

/// How many times dearer than a failed command one must be to be skipped.
pub(crate) const DEARER: f64 = 10.0;

/// Seconds below which it makes no difference what a command takes: not for its place, nor for skipping it.
const WORTH: f64 = 1.0;

/// What commands usually take, in seconds, by set and name.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct CommandCosts(BTreeMap<(String, String), f64>);

impl CommandCosts {
    /// Reads the newest outcomes of a log: the median of what each command took.
    pub(crate) fn of(log: &[u8]) -> CommandCosts {
        let mut seconds: BTreeMap<(String, String), Vec<f64>> = BTreeMap::new();
        for event in newest(log) {
            let rows = event.get("commands").and_then(Value::as_array);
            for row in rows.into_iter().flatten() {
                let text = |key: &str| row[key].as_str().map(str::to_owned);
                let ran = matches!(row["verdict"].as_str(), Some("pass" | "fail" | "unproven"));
                if let (Some(set), Some(name), Some(took), true) =
                    (text("set"), text("name"), row["seconds"].as_f64(), ran)
                {
                    seconds.entry((set, name)).or_default().push(took);
                }
            }
        }
        let median = |mut all: Vec<f64>| {
            all.sort_by(f64::total_cmp);
            all[all.len() / 2]
        };
        CommandCosts(
            seconds
                .into_iter()
                .map(|(key, all)| (key, median(all)))
                .collect(),
        )
    }

    /// Returns what a command usually takes.
    pub(crate) fn of_command(&self, command: &OracleCommand) -> Option<f64> {
        let key = (command.source.word().to_owned(), command.name.clone());
        self.0.get(&key).copied()
    }
}

/// The payloads of the newest outcomes; a long log is not read to its beginning.
fn newest(log: &[u8]) -> Vec<Value> {
    let mut found = Vec::new();
    let mut end = log.len();
    while end > 0 && found.len() < OUTCOMES {
        let start = log[..end]
            .iter()
            .rposition(|b| *b == b'\n')
            .map_or(0, |at| at + 1);
        found.extend(
            Log::select(&log[start..end], &["attempt_outcome"])
                .into_iter()
                .map(|event| event.payload),
        );
        end = start.saturating_sub(1);
    }
    found
}

/// Returns commands in the order they run: each after those it needs, and else the cheapest first. One of unknown cost comes
/// before those that are known to take time, so that its cost is learned. Nothing overtakes a command of its set that builds.
pub(crate) fn order<'c>(
    commands: &'c [OracleCommand],
    costs: &CommandCosts,
) -> Vec<&'c OracleCommand> {
    let mut left: Vec<&OracleCommand> = commands.iter().collect();
    let mut ordered = Vec::new();
    while !left.is_empty() {
        let ready = |at: &usize| {
            !left
                .iter()
                .enumerate()
                .any(|(i, c)| holds(c, left[*at], i < *at))
        };
        let cost = |at: &usize| costs.of_command(left[*at]).map_or(WORTH, |c| c.max(WORTH));
        let mut cheapest: Option<usize> = None;
        for at in (0..left.len()).filter(ready) {
            if cheapest.is_none_or(|best| cost(&at) < cost(&best)) {
                cheapest = Some(at);
            }
        }
        // A circle is refused where the oracle is resolved.
        ordered.push(left.remove(cheapest.unwrap_or(0)));
    }
    ordered
}

/// Whether a command must run before another one; `ahead` when it is declared so.
fn holds(command: &OracleCommand, other: &OracleCommand, ahead: bool) -> bool {
    let one_set = |c: &OracleCommand| matches!(c.source, CommandSource::Set(_));
    let same = command.source == other.source && one_set(command);
    same && (other.needs.contains(&command.name) || ahead && builds(command))
}

/// Words of a command that makes what others may use.
const BUILDING: &[&str] = &[
    "build", "compile", "install", "generate", "codegen", "bundle", "prepare", "setup", "migrate",
];

fn builds(command: &OracleCommand) -> bool {
    let words = |text: &str| -> Vec<String> {
        let cut = text.split(|c: char| !c.is_ascii_alphanumeric());
        cut.map(str::to_ascii_lowercase).collect()
    };
    let all = [words(&command.name), words(&command.shell)].concat();
    all.iter().any(|word| BUILDING.contains(&word.as_str()))
}

/// Returns why a command is not run once another one has failed, where it is that much dearer.
pub(crate) fn not_worth(
    (red, took): (&str, f64),
    command: &OracleCommand,
    costs: &CommandCosts,
) -> Option<String> {
    let usual = costs.of_command(command)?;
    (usual >= WORTH && usual >= took * DEARER).then(|| {
        format!("`{red}` failed in {took:.1}s; this one usually takes {usual:.0}s and was not run")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::oracle::CommandJudge;
    use std::time::Duration;

    fn command(set: &str, name: &str, needs: &[&str]) -> OracleCommand {
        OracleCommand {
            name: name.to_owned(),
            shell: format!("sh {name}.sh"),
            timeout: Duration::from_secs(60),
            when: vec![],
            source: CommandSource::Set(set.to_owned()),
            expects_red: false,
            judge: CommandJudge::Exit,
            needs: needs.iter().map(|n| (*n).to_owned()).collect(),
            parallel: false,
            inputs: vec![],
        }
    }

    fn line(verdict: &str, took: &[(&str, f64)]) -> String {
        let rows: Vec<String> = took
            .iter()
            .map(|(name, seconds)| {
                format!("{{\"name\":\"{name}\",\"set\":\"code\",\"verdict\":\"{verdict}\",\"seconds\":{seconds}}}")
            })
            .collect();
        format!(
            "{{\"timestamp\":\"x\",\"correlation_id\":\"u\",\"event_type\":\"attempt_outcome\",\"payload\":{{\"commands\":[{}]}}}}\n",
            rows.join(",")
        )
    }

    fn ordered(commands: &[OracleCommand], log: &str) -> String {
        let costs = CommandCosts::of(log.as_bytes());
        let names: Vec<&str> = order(commands, &costs)
            .iter()
            .map(|c| c.name.as_str())
            .collect();
        names.join(" ")
    }

    #[test]
    fn the_cheapest_runs_first_but_after_what_it_needs_and_what_builds() {
        let log = line(
            "pass",
            &[
                ("slow", 60.0),
                ("lint", 2.0),
                ("unit", 5.0),
                ("build", 30.0),
            ],
        );
        for (commands, want) in [
            (
                vec![command("code", "slow", &[]), command("code", "lint", &[])],
                "lint slow",
            ),
            (
                vec![
                    command("code", "slow", &[]),
                    command("code", "lint", &["slow"]),
                ],
                "slow lint",
            ),
            (
                vec![
                    command("code", "lint", &["unit"]),
                    command("code", "slow", &[]),
                    command("code", "unit", &[]),
                ],
                "unit lint slow",
            ),
            (
                vec![
                    command("code", "lint", &[]),
                    command("code", "build", &[]),
                    command("code", "unit", &[]),
                ],
                "lint build unit",
            ),
            // What stands before a build may go before it, and after it.
            (
                vec![command("code", "slow", &[]), command("code", "build", &[])],
                "build slow",
            ),
            (
                vec![command("code", "slow", &[]), command("code", "new", &[])],
                "new slow",
            ),
            (
                vec![command("doc", "build", &[]), command("code", "lint", &[])],
                "build lint",
            ),
        ] {
            assert_eq!(ordered(&commands, &log), want);
            let declared: Vec<&str> = commands.iter().map(|c| c.name.as_str()).collect();
            let unknown = ordered(&commands, "");
            if commands.iter().all(|c| c.needs.is_empty()) {
                assert_eq!(unknown, declared.join(" "));
            }
        }
    }

    #[test]
    fn a_cost_is_the_median_of_the_newest_runs_that_ran() {
        let old: String = (0..40).map(|_| line("pass", &[("slow", 1.0)])).collect();
        let log = old
            + &line("skipped", &[("slow", 0.0)]).repeat(5)
            + &line("pass", &[("slow", 50.0)]).repeat(15);
        let costs = CommandCosts::of(log.as_bytes());
        assert_eq!(costs.of_command(&command("code", "slow", &[])), Some(50.0));
        assert_eq!(costs.of_command(&command("doc", "slow", &[])), None);
        let torn = format!("{}torn {{", line("fail", &[("slow", 3.0)]));
        let costs = CommandCosts::of(torn.as_bytes());
        assert_eq!(costs.of_command(&command("code", "slow", &[])), Some(3.0));
        assert_eq!(CommandCosts::of(b""), CommandCosts::default());
    }

    #[test]
    fn what_is_ten_times_dearer_than_a_failure_is_not_worth_it() {
        let costs = CommandCosts::of(line("pass", &[("slow", 20.0), ("quick", 0.5)]).as_bytes());
        let slow = command("code", "slow", &[]);
        for (took, want) in [(2.0, true), (2.1, false), (0.0, true)] {
            let why = not_worth(("lint", took), &slow, &costs);
            assert_eq!(why.is_some(), want, "{took}");
        }
        let why = not_worth(("lint", 2.0), &slow, &costs).unwrap();
        assert_eq!(
            why,
            "`lint` failed in 2.0s; this one usually takes 20s and was not run"
        );
        // What takes no time is not skipped, and neither is what nobody knows.
        assert_eq!(
            not_worth(("lint", 0.0), &command("code", "quick", &[]), &costs),
            None
        );
        assert_eq!(
            not_worth(("lint", 0.0), &command("code", "new", &[]), &costs),
            None
        );
    }
}
