//! Real plans, from a directory that `GATEWALK_PLANS` names: `features/`, a directory each, in the older layout. None has a
//! finding that is an error as it lies there, and each is set back to its beginning and driven in place to its end, its closing
//! units of every kind by recorded sessions; what is passed over says why. Such plans are not part of this repository; without
//! the variable nothing is run. `GATEWALK_PLANS_PART=2/4` takes the second of four parts.

use crate::world::{World, copy, text};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Output;

const STATE: &str = ".specfuse";

/// Keys that a run wrote.
const DRIVEN: [&str; 9] = [
    "attempts",
    "auto_close",
    "cost_usd",
    "cumulative",
    "duration",
    "escalation",
    "input_tokens",
    "output_tokens",
    "re_arm",
];

/// The oracle of every feature here: what sessions say they made is there, and the plan stays whole.
const VERIFICATION: &str = "code:\n  - {name: made, command: sh made.sh}\ndoc:\n  - {name: plan, command: test -s $GATEWALK_FEATURE_DIR/PLAN.md}\nplannext:\n  - {name: lint, command: '\"$GATEWALK_BIN\" lint --fail-on error'}\n";

/// Fills in what a closing session has to say, of the kinds that are now and of the older ones.
const CLOSING: &str = r#"
for f in "$D"/GATE-*-CRITERIA.md "$D"/GATE-*-REVIEW.md; do
  [ -e "$f" ] || continue
  sed -i 's/^- state:.*/- state: met/; s/^- shown by:.*/- shown by: sh made.sh/; s/<fill in: [^>]*>/nothing to doubt/g' "$f"
done
printf '\nIt went as planned, and the goal is met.\n' >> "$D/RETROSPECTIVE.md"
"#;

fn plans() -> Option<PathBuf> {
    let given = std::env::var_os("GATEWALK_PLANS").map(PathBuf::from);
    if given.is_none() {
        println!("GATEWALK_PLANS names no directory with real plans: not run");
    }
    given
}

fn features(plans: &Path) -> Vec<PathBuf> {
    let all = std::fs::read_dir(plans.join("features")).unwrap();
    let mut all: Vec<PathBuf> = all.map(|entry| entry.unwrap().path()).collect();
    all.sort();
    let Ok(part) = std::env::var("GATEWALK_PLANS_PART") else {
        return all;
    };
    let numbers = part.split_once('/').map(|(n, of)| (n.parse(), of.parse()));
    let Some((Ok(part @ 1..), Ok(of @ 1..))) = numbers else {
        panic!("GATEWALK_PLANS_PART={part} is not like 2/4");
    };
    let taken: Vec<PathBuf> = all.into_iter().skip(part - 1).step_by(of).collect();
    println!("part {part} of {of}: {} real features", taken.len());
    taken
}

fn name_of(feature: &Path) -> String {
    feature.file_name().unwrap().to_string_lossy().into_owned()
}

/// A repository with an oracle and these features.
fn repository(features: &[PathBuf]) -> World {
    let world = World::bare();
    for feature in features {
        let to = format!("{STATE}/features/{}", name_of(feature));
        copy(feature, &world.repo().join(to));
    }
    world.write(&format!("{STATE}/verification.yml"), VERIFICATION);
    world.write(
        "made.sh",
        "for f in $(cat made 2>/dev/null); do test -s \"$f\" || exit 1; done\n",
    );
    world.git(&["init", "-q", "-b", "main"]);
    world
}

#[test]
fn real_plans_have_no_error_as_they_lie_there() {
    let Some(plans) = plans() else { return };
    let all = features(&plans);
    let world = repository(&all);
    let said = world.run(&["lint", "--output-format", "concise"]);
    println!("{} real features linted", all.len());
    assert_eq!(said.status.code(), Some(0), "{}", text(&said));
}

/// Sets one key of some frontmatter, which has it.
fn set(front: &mut String, key: &str, value: &str) {
    let pattern = regex::Regex::new(&format!("(?m)^{key}:.*$")).unwrap();
    *front = pattern
        .replace(front, format!("{key}: {value}"))
        .into_owned();
}

/// Takes what a run wrote out of some frontmatter, with the lines that belong to it.
fn without_driven(front: &str) -> String {
    let mut is_out = false;
    let mut kept = String::new();
    for line in front.lines() {
        let is_key = line.starts_with(|c: char| c.is_ascii_lowercase());
        if is_key {
            let key = line.split(':').next().unwrap_or_default();
            let is_driven = DRIVEN.iter().any(|driven| key.starts_with(driven));
            is_out = is_driven && key != "auto_close_disabled" || key == "verdict";
        }
        if !is_out {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    kept
}

/// Takes the gates that nobody planned out of a plan: they are not part of the beginning.
fn without_unplanned(plan: &str) -> String {
    let gate = r"(?m)^  - gate: \d+\n    file: .*\n    work_units: \[\].*\n";
    let gate = regex::Regex::new(gate).unwrap();
    gate.replace_all(plan, "").into_owned()
}

/// Whether a page was written by the closing of a gate.
fn is_closing_page(page: &str) -> bool {
    let ends = ["-REVIEW.md", "-CRITERIA.md"];
    ends.iter().any(|end| page.ends_with(end)) || page == "RETROSPECTIVE.md"
}

/// Returns the paths that units of a feature produce although only a user changes them, when nothing else keeps it from
/// running.
fn users_paths(refused: &str) -> Option<String> {
    let errors = refused.lines().filter(|line| line.contains(": error["));
    let paths = errors.map(|line| line.split_once("error[GW714]: `")?.1.split('`').next());
    let paths: Vec<&str> = paths.collect::<Option<_>>()?;
    (!paths.is_empty()).then(|| paths.join(", "))
}

/// Whether a gate without units is in the middle of a plan: a session would have to write units of its own for it.
fn is_unplanned_inside(feature: &Path) -> bool {
    let plan = std::fs::read_to_string(feature.join("PLAN.md")).unwrap();
    let plan = without_unplanned(&plan);
    let gate = regex::Regex::new(r"(?m)^  - gate: (\d+)$").unwrap();
    let numbers = gate
        .captures_iter(&plan)
        .map(|found| found[1].parse().unwrap());
    let numbers: Vec<usize> = numbers.collect();
    numbers.last().is_some_and(|last| *last != numbers.len())
}

/// A page in its frontmatter and the rest.
fn split(page: &str) -> (String, String) {
    let rest = page.strip_prefix("---\n").unwrap();
    let (front, body) = rest.split_once("\n---\n").unwrap();
    (format!("{front}\n"), body.to_owned())
}

/// One feature as it was before its first session: the first gate armed, the later ones drafts.
struct Start {
    world: World,
    name: String,
    id: String,
    /// How many units of each type it has.
    types: Vec<String>,
}

impl Start {
    fn of(feature: &Path) -> Start {
        let world = repository(&[feature.to_owned()]);
        let name = name_of(feature);
        let id = name.splitn(4, '-').take(3).collect::<Vec<_>>().join("-");
        let mut start = Start {
            world,
            name,
            id,
            types: Vec::new(),
        };
        let dir = start.dir();
        drop(std::fs::remove_file(
            start.world.repo().join(&dir).join("events.jsonl"),
        ));
        start.edit("PLAN.md", |front| set(front, "status", "active"));
        let path = format!("{dir}/PLAN.md");
        let plan = without_unplanned(&start.world.read(&path));
        start.world.write(&path, &plan);
        let first = plan
            .split("- gate: 2")
            .next()
            .unwrap_or_default()
            .to_owned();
        std::fs::create_dir(start.world.root.join("sessions")).unwrap();
        let pages = std::fs::read_dir(start.world.repo().join(&dir)).unwrap();
        let names = pages.map(|page| page.unwrap().file_name().into_string().unwrap());
        let is_gate = regex::Regex::new(r"^GATE-\d+\.md$").unwrap();
        for page in names.collect::<Vec<_>>() {
            let is_unplanned = is_gate.is_match(&page) && !plan.contains(&page);
            if is_unplanned || is_closing_page(&page) {
                std::fs::remove_file(start.world.repo().join(&dir).join(page)).unwrap();
            } else if is_gate.is_match(&page) {
                start.edit(&page, |front| set(front, "status", "open"));
            } else if page.starts_with("WU-") {
                let status = if first.contains(&page) {
                    "pending"
                } else {
                    "draft"
                };
                start.begin_unit(&page, status);
            }
        }
        start.world.git(&["add", "-A"]);
        start.world.git(&["commit", "-qm", "start"]);
        start
    }

    fn dir(&self) -> String {
        format!("{STATE}/features/{}", self.name)
    }

    fn edit(&self, page: &str, change: impl FnOnce(&mut String)) {
        let path = format!("{}/{page}", self.dir());
        let (mut front, body) = split(&self.world.read(&path));
        change(&mut front);
        self.world.write(&path, format!("---\n{front}---\n{body}"));
    }

    /// Sets a unit back, and writes down what its session does.
    fn begin_unit(&mut self, page: &str, status: &str) {
        let path = format!("{}/{page}", self.dir());
        let (front, _) = split(&self.world.read(&path));
        let value = |key: &str| {
            let line = front
                .lines()
                .find_map(|l| l.strip_prefix(&format!("{key}:")));
            line.unwrap_or_default().trim().to_owned()
        };
        let (id, kind) = (value("id"), value("type"));
        let is_users = |path: &String| path.ends_with("/verification.yml");
        let (users, made): (Vec<String>, _) = produced(&front).into_iter().partition(is_users);
        let inside: Vec<&String> = made.iter().filter(|path| path.starts_with('.')).collect();
        self.edit(page, |front| {
            *front = without_driven(front);
            set(front, "status", status);
            // Only a user changes the oracle: linting says so before anything runs.
            for path in users {
                *front = front.replace(&format!("  - {path}\n"), "");
            }
            if !inside.is_empty() && !front.contains("\ntouches_control_plane") {
                let _ = writeln!(front, "touches_control_plane: {inside:?}");
            }
        });
        let short = id.rsplit('/').next().unwrap();
        self.record(short, &kind, &format!("{}/{page}", self.dir()), &made);
        self.types.push(kind);
    }

    fn record(&self, short: &str, kind: &str, page: &str, made: &[String]) {
        let mut shell = format!("set -e\nD={}\n", self.dir());
        match kind {
            "implementation" => {
                let own = format!("work/{short}.txt");
                let all = made.iter().cloned().chain([own]);
                for path in all {
                    let _ = writeln!(
                        shell,
                        "mkdir -p \"$(dirname '{path}')\"; echo '# {short}' >> '{path}'; echo '{path}' >> made"
                    );
                }
            }
            _ => {
                shell.push_str(CLOSING);
                for path in made {
                    let _ = writeln!(shell, "echo '# {short}' >> '{path}'");
                }
            }
        }
        if kind.starts_with("close") {
            let _ = writeln!(
                shell,
                "sed -i '0,/^status:/s//verdict: met\\nstatus:/' '{page}'"
            );
        }
        let shell = serde_json::to_string(&shell).unwrap();
        let usage = "usage: {input_tokens: 900, output_tokens: 90, cost_usd: 0.02}";
        let recording = format!(
            "steps:\n  - shell: {shell}\n{usage}\nresult: {{status: complete, summary: done}}\n"
        );
        std::fs::write(
            self.world
                .root
                .join("sessions")
                .join(format!("{short}.yml")),
            recording,
        )
        .unwrap();
    }

    /// Drives it to its end as a user would, arming each gate; returns how many runs it took, or what went wrong.
    fn drive(&self) -> Result<usize, String> {
        let sessions = self.world.root.join("sessions");
        for run in 1..20 {
            let mut driver = self.world.driver(&sessions);
            driver.args(["--feature", &self.id, "--force-full-close"]);
            let out = driver.output().unwrap();
            match out.status.code() {
                Some(0) => return self.is_done().map(|()| run),
                Some(10) => self.expect(&["arm", &self.id, "--all", "--accept"])?,
                _ => return Err(format!("{}: {}", self.name, text(&out))),
            }
        }
        Err(format!("{}: no end after 19 runs", self.name))
    }

    fn expect(&self, args: &[&str]) -> Result<(), String> {
        let out: Output = self.world.run(args);
        let well = out.status.success();
        well.then_some(())
            .ok_or_else(|| format!("{}: {args:?}: {}", self.name, text(&out)))
    }

    /// Whether nothing is left to do, in the plan and for the linter.
    fn is_done(&self) -> Result<(), String> {
        let branch = self
            .world
            .git(&["for-each-ref", "--format=%(refname:short)", "refs/heads"]);
        let branch = branch
            .lines()
            .find(|name| *name != "main")
            .unwrap_or("main");
        self.world.git(&["switch", "-q", branch]);
        let left = self.world.try_git(&[
            "grep",
            "-lE",
            "^status: (pending|draft|active|open)",
            "--",
            &self.dir(),
        ]);
        if let Some(left) = left {
            return Err(format!("{}: not done: {left}", self.name));
        }
        self.expect(&["lint", "--fail-on", "error"])
    }
}

/// Returns the paths behind `produces`, one or a list.
fn produced(front: &str) -> Vec<String> {
    let Some((_, rest)) = format!("\n{front}")
        .split_once("\nproduces:")
        .map(|(a, b)| (a.to_owned(), b.to_owned()))
    else {
        return Vec::new();
    };
    let mut lines = rest.lines();
    let own = lines.next().unwrap_or_default().trim().to_owned();
    let items = lines.take_while(|line| line.trim_start().starts_with("- "));
    let items = items.map(|line| line.trim_start()[2..].to_owned());
    let all = match own.is_empty() {
        true => items.collect::<Vec<_>>(),
        false => own
            .trim_matches(['[', ']'])
            .split(',')
            .map(str::to_owned)
            .collect(),
    };
    all.iter()
        .map(|path| path.trim().trim_matches(['"', '\'']).to_owned())
        .collect()
}

#[test]
fn real_plans_are_driven_in_place_from_their_start_to_their_end() {
    let Some(plans) = plans() else { return };
    let all = features(&plans);
    let mut types = std::collections::BTreeMap::new();
    let (mut ended, mut passed_over, mut wrong) = (0, 0, Vec::new());
    for feature in &all {
        if is_unplanned_inside(feature) {
            println!(
                "{}: passed over: a gate in its middle has no units",
                name_of(feature)
            );
            passed_over += 1;
            continue;
        }
        let start = Start::of(feature);
        match start.drive() {
            Ok(runs) => {
                println!(
                    "{}: done after {runs} runs, {} units",
                    start.name,
                    start.types.len()
                );
                start
                    .types
                    .iter()
                    .for_each(|kind| *types.entry(kind.clone()).or_insert(0) += 1);
                ended += 1;
            }
            Err(why) => match users_paths(&why) {
                Some(paths) => {
                    let name = &start.name;
                    println!(
                        "{name}: passed over: before a session, as only a user changes {paths}"
                    );
                    passed_over += 1;
                }
                None => {
                    println!("{why}");
                    wrong.push(why);
                }
            },
        }
    }
    println!(
        "{ended} of {} real features driven to their end, {passed_over} passed over: {types:?}",
        all.len()
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}
