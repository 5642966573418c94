//! Snapshots written as one line, so that a table of tests reads as the specification.
//!
//! `|` stands between the feature, each gate and the run; `;` between the units of a gate:
//!
//! ```text
//! active budget_usd=9 | G1 open: T01 done; T02 pending after=T01 tried=fail,fail:x@t$2 | jobs=2 running=T02
//! ```
//!
//! A word left out is the usual one: an active feature, an open gate, a pending unit of implementation,
//! a base that is fit. `key=value` is a line of the file's frontmatter, unless it is one of these:
//!
//! - a unit: `after=T01,T02` its edges; `tried=…` its attempts; `on=T01#1` the attempt its own stands on; `base=unasked|red:a,b~127,c~hook|vacuous:c`; `check=c` an
//!   acceptance check; `ladder=m1,m2` models of its retries; `uncharged=2` dollars; `next=1`, `tries=0`, `wait=10`, `why=…` its agents' trouble;
//! - an attempt: `open`, `pass`, `fail` or `blocked:why`, then `:signature` (`:-` for none), `@tree`,
//!   `%base` (`%tip`: the present tip), `$dollars`, `^re_arm`; what is left out differs from attempt to attempt;
//! - the feature: `requires=REQ-A-1` a requirement;
//! - the run: `jobs`, `run_budget_usd`, `run_cost_usd`, `running`, `landed=T01` in this run, `inherited=T01` whose failed attempt blamed the base, `with=agent`, `full-close`, `optimistic`, `missing=path`, `broad=green|a,b`, `REQ-A-1=passes|fails|unasked|unnamed`;
//!   anything else is a line of config.yml.

use super::attempt_record::AttemptRecord;
use super::broad_report::BroadReport;
use super::coverage::{CheckResult, Proof, RequirementCoverage};
use super::red_command::{RedCause, RedCommand};
use super::snapshot::{AgentTrouble, BaseReport, Snapshot};
use crate::model::layout::Layout;
use crate::model::workspace::{FileSet, Workspace};
use crate::object_id::ObjectId;
use std::fmt::Write;
use std::sync::Arc;

/// The feature of every snapshot.
pub(crate) const FEATURE: &str = "FEAT-2026-0001";
/// Its directory.
pub(crate) const DIR: &str = ".gatewalk/features/FEAT-2026-0001-x";

/// The present of every snapshot, in seconds since 1970.
const NOW: i64 = 1000;

/// Returns the id that a short name stands for.
pub(crate) fn id(short: &str) -> String {
    format!("{FEATURE}/{short}")
}

/// Returns the object id that a short name stands for.
pub(crate) fn object(short: &str) -> ObjectId {
    let hex: String = short.bytes().map(|byte| format!("{byte:02x}")).collect();
    ObjectId::parse(format!("{hex:0<40}").as_bytes()).expect("forty digits")
}

/// Returns the files of a repository; `verification` is the text of verification.yml.
pub(crate) fn files(text: &str, verification: &str) -> FileSet {
    Sketch::of(text, verification).files
}

/// The parts of a line: what is in files, and what only a snapshot knows.
struct Sketch<'a> {
    files: FileSet,
    units: Vec<UnitWords<'a>>,
    runs: Vec<&'a str>,
}

impl<'a> Sketch<'a> {
    fn of(text: &'a str, verification: &str) -> Sketch<'a> {
        let mut files = FileWriter::default();
        let (mut units, mut runs) = (vec![], vec![]);
        for (index, part) in text.split(" | ").enumerate() {
            match part.split_once(':') {
                Some((head, members)) if part.starts_with('G') => {
                    units.extend(files.gate(head, members));
                }
                _ if index == 0 => files.feature(part),
                _ => runs.push(part),
            }
        }
        files.finish(&runs, verification);
        let files = files.set;
        Sketch { files, units, runs }
    }
}

/// Reads a snapshot; `verification` is the text of verification.yml.
pub(crate) fn snapshot_with(text: &str, verification: &str) -> Snapshot {
    let Sketch { files, units, runs } = Sketch::of(text, verification);
    let workspace = Workspace::parse(Layout::Gatewalk, &files);
    let feature = workspace.features[0].clone();
    let mut snapshot = Snapshot {
        feature,
        verification: workspace.verification.clone(),
        config: workspace.config.clone(),
        tip: object("tip"),
        attempts: Default::default(),
        uncharged_cost: Default::default(),
        run_cost_usd: 0.0,
        inherited: Default::default(),
        landed: Arc::default(),
        stands_on: std::collections::BTreeMap::new(),
        running: Default::default(),
        base: Default::default(),
        trouble: Default::default(),
        missing_deliverables: vec![],
        broad: None,
        requirements: vec![],
        options: Default::default(),
        now: jiff::Timestamp::from_second(NOW).unwrap(),
    };
    snapshot.options.jobs = 1;
    for unit in &units {
        around_unit(&mut snapshot, unit);
    }
    for part in runs {
        for word in part.split_whitespace() {
            around_run(&mut snapshot, word);
        }
    }
    snapshot
}

/// Reads a snapshot of a project whose oracle is one command.
pub(crate) fn snapshot(text: &str) -> Snapshot {
    snapshot_with(
        text,
        "code:\n  - name: tests\n    command: cargo test --offline\n",
    )
}

/// The words of one unit.
struct UnitWords<'a> {
    id: String,
    words: Vec<&'a str>,
}

#[derive(Default)]
struct FileWriter {
    set: FileSet,
    front: String,
    requirements: String,
    gates: String,
    gate_count: usize,
    unit_count: usize,
}

impl FileWriter {
    fn put(&mut self, name: &str, text: String) {
        self.set
            .insert(format!("{DIR}/{name}"), text.into_bytes().into());
    }

    fn feature(&mut self, part: &str) {
        for word in part.split_whitespace() {
            match word.split_once('=') {
                Some(("requires", ids)) => {
                    for id in ids.split(',') {
                        writeln!(self.requirements, "- {id}: wanted").unwrap();
                    }
                }
                Some((key, value)) => writeln!(self.front, "{key}: {value}").unwrap(),
                None => writeln!(self.front, "status: {word}").unwrap(),
            }
        }
    }

    fn gate<'a>(&mut self, head: &str, members: &'a str) -> Vec<UnitWords<'a>> {
        self.gate_count += 1;
        let number = self.gate_count;
        let mut front = format!("gate: {number}\n");
        let mut status = "open";
        for word in head.split_whitespace().skip(1) {
            match word.split_once('=') {
                Some((key, value)) => writeln!(front, "{key}: {value}").unwrap(),
                None => status = word,
            }
        }
        if status != "nofile" {
            self.put(
                &format!("GATE-{number:02}.md"),
                format!("---\n{front}status: {status}\n---\n"),
            );
        }
        write!(
            self.gates,
            "  - gate: {number}\n    file: GATE-{number:02}.md\n    work_units:\n"
        )
        .unwrap();
        let listed: Vec<&str> = members
            .split(';')
            .map(str::trim)
            .filter(|m| !m.is_empty())
            .collect();
        listed.into_iter().map(|m| self.unit(m)).collect()
    }

    fn unit<'a>(&mut self, text: &'a str) -> UnitWords<'a> {
        self.unit_count += 1;
        let file = format!("WU-{:02}.md", self.unit_count);
        let mut words = text.split_whitespace();
        let id = id(words.next().unwrap());
        let (mut status, mut kind) = ("pending", "implementation");
        let (mut front, mut edges, mut rest) = (String::new(), vec![], vec![]);
        for word in words {
            match word.split_once('=') {
                Some(("after", on)) => edges = on.split(',').map(self::id).collect(),
                Some(("check", name)) => {
                    write!(front, "checks:\n  - name: {name}\n    run: check-{name}\n").unwrap()
                }
                Some(("ladder", models)) => {
                    front.push_str("ladder:\n");
                    for model in models.split(',') {
                        writeln!(front, "  - model: {model}").unwrap();
                    }
                }
                Some((
                    "tried" | "on" | "base" | "uncharged" | "next" | "tries" | "wait" | "why",
                    _,
                )) => rest.push(word),
                Some((key, value)) => writeln!(front, "{key}: {value}").unwrap(),
                None if matches!(
                    word,
                    "implementation"
                        | "human"
                        | "close"
                        | "close-intermediate"
                        | "plan-next"
                        | "docs"
                ) =>
                {
                    kind = word;
                }
                None => status = word,
            }
        }
        if status == "blocked" {
            status = "blocked_human";
        }
        if status != "nofile" {
            self.put(
                &file,
                format!("---\nid: {id}\ntype: {kind}\nstatus: {status}\n{front}---\n"),
            );
        }
        writeln!(
            self.gates,
            "      - {{id: {id}, file: {file}, depends_on: [{}]}}",
            edges.join(", ")
        )
        .unwrap();
        UnitWords { id, words: rest }
    }

    fn finish(&mut self, runs: &[&str], verification: &str) {
        let status = if self.front.contains("status:") {
            ""
        } else {
            "status: active\n"
        };
        let plan = format!(
            "---\nfeature_id: {FEATURE}\ntitle: X\nbranch: x\nroadmap_goal: x\n{status}{}---\n\n## Requirements\n\n{}\n```yaml\ngates:\n{}```\n",
            self.front, self.requirements, self.gates
        );
        self.put("PLAN.md", plan);
        let mut config = String::new();
        for word in runs.iter().flat_map(|part| part.split_whitespace()) {
            if let Some((key, value)) = word.split_once('=')
                && !is_of_the_run(key)
            {
                writeln!(config, "{key}: {value}").unwrap();
            }
        }
        for (name, text) in [
            ("config.yml", config.as_str()),
            ("verification.yml", verification),
        ] {
            let bytes = text.as_bytes().to_vec();
            self.set.insert(format!(".gatewalk/{name}"), bytes.into());
        }
    }
}

fn is_of_the_run(key: &str) -> bool {
    matches!(key, "jobs" | "running" | "with" | "missing") || key.starts_with("REQ-")
}

fn around_unit(s: &mut Snapshot, unit: &UnitWords<'_>) {
    let id = unit.id.clone();
    let mut trouble = AgentTrouble::default();
    let mut base = Some(BaseReport::default());
    for word in &unit.words {
        let (key, value) = word.split_once('=').unwrap();
        match key {
            "tried" => {
                let each = value.split(',').enumerate();
                let records = each.map(|(i, text)| record(&id, i as u32 + 1, text));
                let records: Vec<AttemptRecord> = records.collect();
                Arc::make_mut(&mut s.attempts).insert(id.as_str().into(), records.into());
            }
            "on" => {
                let (ahead, number) = value.split_once('#').unwrap();
                let ahead = (self::id(ahead), number.parse().unwrap());
                s.stands_on.insert(id.clone(), ahead);
            }
            "uncharged" => {
                s.uncharged_cost.insert(id.clone(), value.parse().unwrap());
            }
            "base" => base = base_report(value),
            "next" => trouble.next = value.parse().unwrap(),
            "tries" => trouble.tries = value.parse().unwrap(),
            "wait" => {
                let second = NOW + value.parse::<i64>().unwrap();
                trouble.wait_until = Some(jiff::Timestamp::from_second(second).unwrap());
            }
            _ => trouble.why = value.to_owned(),
        }
    }
    if let Some(base) = base {
        s.base.insert(id.clone(), base);
    }
    if trouble != AgentTrouble::default() {
        s.trouble.insert(id, trouble);
    }
}

fn base_report(text: &str) -> Option<BaseReport> {
    let mut report = BaseReport::default();
    for part in text.split('+') {
        match part.split_once(':') {
            Some(("red", list)) => report.red = list.split(',').map(red_command).collect(),
            Some(("vacuous", list)) => {
                report.vacuous = list.split(',').map(str::to_owned).collect();
            }
            _ => return None,
        }
    }
    Some(report)
}

fn red_command(text: &str) -> RedCommand {
    match text.split_once('~') {
        None => RedCommand::of_exit(text, 1),
        Some((name, "hook")) => RedCommand {
            name: name.to_owned(),
            cause: RedCause::Hook,
        },
        Some((name, exit)) => RedCommand::of_exit(name, exit.parse().unwrap()),
    }
}

fn around_run(s: &mut Snapshot, word: &str) {
    match word.split_once('=') {
        None if word == "full-close" => s.options.force_full_close = true,
        None if word == "optimistic" => s.options.optimistic = true,
        Some(("run_budget_usd", usd)) => s.options.budget_usd = Some(usd.parse().unwrap()),
        Some(("run_cost_usd", usd)) => s.run_cost_usd = usd.parse().unwrap(),
        Some(("jobs", n)) => s.options.jobs = n.parse().unwrap(),
        Some(("inherited", list)) => s.inherited = list.split(',').map(id).collect(),
        Some(("landed", list)) => {
            s.landed = Arc::new(list.split(',').map(|of| id(of).into()).collect())
        }
        Some(("running", list)) => s.running = list.split(',').map(id).collect(),
        Some(("with", name)) => s.options.agent = Some(name.to_owned()),
        Some(("broad", red)) => {
            let names = red.split(',').filter(|name| *name != "green");
            s.broad = Some(BroadReport {
                red: names.map(str::to_owned).collect(),
                evidence: String::new(),
            });
        }
        Some(("missing", path)) => s.missing_deliverables.push(path.to_owned()),
        Some((requirement, result)) if requirement.starts_with("REQ-") => {
            s.requirements.push(requirement_row(requirement, result));
        }
        Some(_) => {}
        None => panic!("unknown word {word}"),
    }
}

fn requirement_row(requirement: &str, result: &str) -> RequirementCoverage {
    let result = match result {
        "passes" => Some(CheckResult::Passes),
        "fails" => Some(CheckResult::Fails),
        "unasked" => Some(CheckResult::NotRun),
        "unnamed" => None,
        other => panic!("unknown word {other}"),
    };
    let proof = result.map(|result| Proof {
        unit: id("T01"),
        status: "done".to_owned(),
        check: "c".to_owned(),
        run: "check-c".to_owned(),
        result,
        last: None,
    });
    RequirementCoverage {
        requirement: requirement.to_owned(),
        text: "wanted".to_owned(),
        units: vec![id("T01")],
        covered: result == Some(CheckResult::Passes),
        proofs: proof.into_iter().collect(),
    }
}

/// Reads one attempt: a word, then marks in any order; `+` stands before what it asks for.
pub(crate) fn record(unit: &str, number: u32, text: &str) -> AttemptRecord {
    let end = text
        .find([':', '@', '$', '^', '%', '+'])
        .unwrap_or(text.len());
    let (word, mut marks) = text.split_at(end);
    let (mut signature, mut tree) = (Some(format!("s{number}")), format!("t{number}"));
    let (mut cost, mut re_arm, mut reason) = (None, 0, None);
    let (mut base, mut asked) = ("b".to_owned(), String::new());
    while let Some(mark) = marks.chars().next() {
        let rest = &marks[1..];
        let end = rest
            .find([':', '@', '$', '^', '%', '+'])
            .unwrap_or(rest.len());
        let value = rest[..end].to_owned();
        marks = &rest[end..];
        match mark {
            ':' if word == "blocked" => reason = Some(value),
            '+' => asked = value,
            ':' => signature = Some(value).filter(|v| v != "-"),
            '@' => tree = value,
            '%' => base = value,
            '$' => cost = Some(value.parse::<f64>().unwrap()),
            _ => re_arm = value.parse().unwrap(),
        }
    }
    let passed = match word {
        "open" => None,
        "pass" => Some(true),
        "fail" | "blocked" | "outside" => Some(false),
        other => panic!("unknown attempt {other}"),
    };
    let class = if word == "blocked" {
        "blocked"
    } else {
        "worked"
    };
    let failed = passed == Some(false);
    let failure = match word {
        "fail" if failed => "verification",
        "outside" => "out_of_scope",
        _ => class,
    };
    let judgement = passed.map(|passed| {
        serde_json::json!({
            "passed": passed,
            "failure_class": failed.then_some(failure),
            "failure_signature": signature.filter(|_| failed),
            "commands": [], "files_touched": [], "notices": [],
            "oracle": "o", "tree": object(&tree), "base": object(&base), "at": "1970-01-01T00:00:00Z",
        })
    });
    let json = serde_json::json!({
        "format": 1, "unit": unit, "number": number, "attempt_id": format!("a{number}"),
        "re_arm": re_arm, "base": object(&base), "tree": object(&tree), "history_ok": true,
        "agent": "script", "isolation": "none", "started_at": "1970-01-01T00:00:00Z",
        "figures": {"duration_seconds": 1.0, "cost_usd": cost},
        "session": {
            "class": class, "blocked_reason": reason, "notes": [],
            "widen_touches": asked.split_whitespace().collect::<Vec<_>>(),
        },
        "judgement": judgement,
    });
    serde_json::from_value(json).unwrap()
}
