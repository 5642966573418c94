//! Every key that the reference documents does something: it is changed, and what the program does changes. A key without a row
//! here, and a row without an outcome, fails.

use super::sample::sample;
use super::world::{BRANCH, Unit, World, good, text, two_units_of};
use serde_json::{Value, json};
use std::collections::BTreeSet;

const FEATURE: &str = ".gatewalk/features/FEAT-2026-0001-greetings";
const ID: &str = "FEAT-2026-0001";

/// What is looked at after a change.
#[derive(Clone, Copy)]
enum Look {
    /// What a run does: its end, its events, what each attempt was and what landed.
    Walk,
    /// What a look at what no check sees finds, after a run.
    Witness,
    /// What a command prints.
    Prints(&'static [&'static str]),
}

use Look::{Prints, Walk, Witness};

const LINT: Look = Prints(&["lint", "--format", "json"]);
const DRY_RUN: Look = Prints(&[
    "loop",
    "--dry-run",
    "--json",
    "--feature",
    ".gatewalk/features/FEAT-2026-0001-greetings",
]);
const STATUS: Look = Prints(&["status", "--json"]);
const COVERAGE: Look = Prints(&["status", "--coverage", "--json"]);
const PROMPT: Look = Prints(&["prompt", "T01"]);

/// One key, a value for it, and the scene in which that value makes a difference.
struct KeyCase {
    key: &'static str,
    value: &'static str,
    look: Look,
    scene: Scene,
}

/// What is beside the key, with and without it.
#[derive(Clone, Copy)]
struct Scene {
    /// More frontmatter of the first unit.
    unit: &'static str,
    /// Files: a path and its text.
    files: &'static [(&'static str, &'static str)],
    /// What sessions of the first unit do, in place of writing its file.
    sessions: &'static [&'static str],
    /// A shell text after all that; `$D` is the feature's directory.
    script: &'static str,
}

const PLAIN: Scene = Scene {
    unit: "",
    files: &[],
    sessions: &[],
    script: "",
};

const fn key(key: &'static str, value: &'static str, look: Look) -> KeyCase {
    KeyCase {
        key,
        value,
        look,
        scene: PLAIN,
    }
}

const fn with(key: &'static str, value: &'static str, look: Look, scene: Scene) -> KeyCase {
    KeyCase {
        key,
        value,
        look,
        scene,
    }
}

const fn front(unit: &'static str) -> Scene {
    Scene { unit, ..PLAIN }
}

const fn files(files: &'static [(&'static str, &'static str)]) -> Scene {
    Scene { files, ..PLAIN }
}

const fn sessions(sessions: &'static [&'static str]) -> Scene {
    Scene { sessions, ..PLAIN }
}

const fn script(script: &'static str) -> Scene {
    Scene { script, ..PLAIN }
}

/// What a session does, as the fake agent reads it.
macro_rules! session {
    ($steps:literal) => {
        concat!(
            "steps:\n",
            $steps,
            "usage: {input_tokens: 1, output_tokens: 1, cost_usd: 0.01}\nresult: {status: complete, summary: x}\n"
        )
    };
}

/// A session that writes a file that is not whole.
const HALF: &str = session!("  - write: T01.txt\n    content: half\n");
/// Another one, that fails in another way.
const ODD: &str = session!("  - write: T09.txt\n    content: half\n");
const WHOLE: &str = session!("  - write: T01.txt\n    content: whole\n");
const SLOW: &str = session!("  - sleep: 2500\n  - write: T01.txt\n    content: whole\n");

const CLOSE: Scene = script(
    "sed -i 's/^type: implementation/type: close/' $D/WU-T02.md; sed -i 's#/T02#/G1-CLOSE#' $D/WU-T02.md $D/PLAN.md; printf 'doc:\\n  - {name: plan, command: test -d .gatewalk}\\n' >> .gatewalk/verification.yml",
);
const TWO_TRIES: Scene = sessions(&[HALF, ODD, WHOLE]);
const REQUIRED: Scene =
    script("sed -i 's/^# Files/# Files\\n\\n## Requirements\\n\\n- REQ-A-1: one\\n/' $D/PLAN.md");
const SETS: &str = "code:\n  - name: check\n    command: sh check.sh\nfast:\n  - {name: quick, command: sh -n check.sh}\n";

const AGENT: KeyCase = key("agent", "codex", DRY_RUN);
const MODEL: KeyCase = key("model", "other", DRY_RUN);
const EFFORT: KeyCase = key("effort", "high", Walk);
const NO_AUTO_CLOSE: KeyCase = with(
    "auto_close_disabled",
    "true",
    Prints(&["why", "G1-CLOSE"]),
    CLOSE,
);

const PLAN: &[KeyCase] = &[
    key("feature_id", "FEAT-2026-0002", LINT),
    key("title", "Others", STATUS),
    key("branch", "feat/other", STATUS),
    key("roadmap_goal", "Something else", PROMPT),
    key("status", "blocked", Walk),
    key("slug", "elsewhere", LINT),
    key("runners", "nowhere", Walk),
    key("base", "nowhere", Walk),
    key("root", "elsewhere", Walk),
    key("issue", "owner/repo#12", Prints(&["pr", "--feature", ID])),
    key("autonomy_default", "supervised", Walk),
    with(
        "planned_cost_usd",
        "9",
        LINT,
        Scene {
            unit: "planned_cost_usd: 0.5\n",
            script: "sed -i 's/^type: implementation/type: implementation\\nplanned_cost_usd: 0.5/' $D/WU-T02.md",
            ..PLAIN
        },
    ),
    key("budget_usd", "0.005", Walk),
    NO_AUTO_CLOSE,
    AGENT,
    MODEL,
    EFFORT,
];

const GATE: &[KeyCase] = &[
    key("gate", "2", LINT),
    key("status", "passed", LINT),
    key("cost_budget_usd", "0.005", Walk),
    key("feature_oracle", "test -e nothing", Walk),
    MODEL,
    EFFORT,
];

const UNIT: &[KeyCase] = &[
    key("id", "FEAT-2026-0001/T07", LINT),
    key("type", "human", Walk),
    key("status", "draft", Walk),
    AGENT,
    MODEL,
    EFFORT,
    with("ladder", "[{model: second}]", Walk, TWO_TRIES),
    with("max_attempts", "1", Walk, TWO_TRIES),
    with(
        "timeout",
        "1s",
        Walk,
        Scene {
            sessions: &[SLOW],
            unit: "max_attempts: 1\n",
            ..PLAIN
        },
    ),
    with(
        "idle_timeout",
        "1s",
        Walk,
        Scene {
            sessions: &[SLOW],
            unit: "max_attempts: 1\n",
            ..PLAIN
        },
    ),
    key("resources", "{cpus: 3}", DRY_RUN),
    with("budget_usd", "0.005", Walk, TWO_TRIES),
    key("planned_cost_usd", "7", LINT),
    key("produces", "other.txt", Walk),
    key("touches", "other/**", Walk),
    key("do_not_touch", "T01.txt", Walk),
    with("covers", "REQ-A-1", COVERAGE, REQUIRED),
    key("checks", "[{name: more, run: test -e more.txt}]", Walk),
    with(
        "extra_gates",
        "fast",
        Walk,
        files(&[(".gatewalk/verification.yml", SETS)]),
    ),
    with(
        "on_failure",
        "continue",
        Walk,
        Scene {
            unit: "max_attempts: 3\n",
            ..TWO_TRIES
        },
    ),
    with(
        "oracle_env",
        "macos_local",
        LINT,
        front("checks: [{name: app, run: xcodebuild test}]\n"),
    ),
    with(
        "generated_surfaces",
        "made.txt",
        Walk,
        files(&[
            ("made.txt", "one\n"),
            (
                ".gatewalk/verification.yml",
                "code:\n  - name: check\n    command: sh check.sh && echo two > made.txt\n",
            ),
        ]),
    ),
    key("unsandboxed", "true", LINT),
    with(
        "unsandboxed_rationale",
        "it needs the device",
        LINT,
        front("unsandboxed: true\n"),
    ),
    with(
        "human_only",
        "a user looks",
        LINT,
        script("sed -i 's/^1\\. .*/1. The page looks nice and feels fast./' $D/WU-T01.md"),
    ),
    with(
        "expects_red",
        "check",
        Walk,
        files(&[("T00.txt", "half\n")]),
    ),
    with(
        "touches_tests",
        "true",
        Walk,
        Scene {
            files: &[(
                "tests/a_test.sh",
                "grep -q one README.md\ngrep -q two README.md\n",
            )],
            sessions: &[session!(
                "  - write: T01.txt\n    content: whole\n  - write: tests/a_test.sh\n    content: |\n      grep -q one README.md\n"
            )],
            ..PLAIN
        },
    ),
    with(
        "touches_control_plane",
        "Jenkinsfile",
        Walk,
        Scene {
            unit: "max_attempts: 1\n",
            sessions: &[session!(
                "  - write: T01.txt\n    content: whole\n  - write: Jenkinsfile\n    content: x\n"
            )],
            ..PLAIN
        },
    ),
    key("verdict", "met", LINT),
    NO_AUTO_CLOSE,
];

const CHECKS: &[KeyCase] = &[
    key("name", "other", DRY_RUN),
    key("run", "test -e T01.txt", DRY_RUN),
    with("covers", "REQ-A-1", COVERAGE, REQUIRED),
    key("expect_base", "green", Walk),
    key("timeout", "7m", DRY_RUN),
];

const VERIFICATION: &[KeyCase] = &[
    key("name", "other", DRY_RUN),
    key("command", "sh -e check.sh", DRY_RUN),
    key("timeout", "7m", DRY_RUN),
    key("needs", "[last]", DRY_RUN),
    key("when", "[nothing/**]", Walk),
    key("tier", "broad", DRY_RUN),
    key("parallel", "true", DRY_RUN),
    key("inputs", "[src/**]", DRY_RUN),
    key("judge", "no_new_failures", LINT),
    key("report", "{format: tap}", LINT),
    key("known_failures", "[a]", LINT),
];

/// Three files, and a check that takes its time and looks at none of them.
const UNSEEN: &[&str] = &[session!(
    "  - write: a.sh\n    content: echo a\n  - write: b.sh\n    content: echo b\n  - write: c.sh\n    content: echo c\n"
)];
const WITH_REPORT: &str =
    "witness: {report: r.json}\ncode:\n  - {name: check, command: sh check.sh}\n";
const WITH_COMMAND: &str =
    "witness: {command: sh -c true}\ncode:\n  - {name: check, command: sh check.sh}\n";

const WITNESS: &[KeyCase] = &[
    with(
        "mode",
        "require",
        Walk,
        Scene {
            sessions: UNSEEN,
            unit: "max_attempts: 1\n",
            ..PLAIN
        },
    ),
    with(
        "budget",
        "1s",
        Witness,
        Scene {
            sessions: UNSEEN,
            files: &[(
                ".gatewalk/verification.yml",
                "code:\n  - {name: check, command: sleep 1; sh check.sh}\n",
            )],
            ..PLAIN
        },
    ),
    with(
        "command",
        "sh -c true",
        Witness,
        files(&[(".gatewalk/verification.yml", WITH_REPORT)]),
    ),
    with(
        "report",
        "r.json",
        Witness,
        files(&[(".gatewalk/verification.yml", WITH_COMMAND)]),
    ),
];

const CONFIG: &[KeyCase] = &[
    key("sync", "origin", Walk),
    with(
        "severity",
        "{GW207: error}",
        LINT,
        files(&[(".gatewalk/roadmap.md", "# Roadmap\n")]),
    ),
    with("base_check", "lazy", Walk, files(&[("T00.txt", "half\n")])),
    with(
        "sandbox",
        "require",
        Walk,
        script("echo 'sandbox: off' > $HOME/.config/gatewalk/config.yml"),
    ),
    key("protect", "T01.txt", Walk),
    with(
        "protected_tests",
        "proof/**",
        Walk,
        Scene {
            files: &[("proof/a.txt", "one\n")],
            sessions: &[session!(
                "  - write: T01.txt\n    content: whole\n  - write: proof/a.txt\n    content: two\n"
            )],
            ..PLAIN
        },
    ),
    with(
        "flaky",
        "fail",
        Walk,
        Scene {
            unit: "max_attempts: 1\nexpects_red: check\n",
            files: &[(
                ".gatewalk/verification.yml",
                "code:\n  - name: check\n    command: sh check.sh && { test -e /tmp/PLACE || { touch /tmp/PLACE; exit 1; }; }\n",
            )],
            ..PLAIN
        },
    ),
    key("hooks", "skip", STATUS),
    key(
        "armed_by",
        "approval",
        Prints(&["review", "--json", "--feature", ID]),
    ),
    with(
        "network",
        "off",
        Walk,
        files(&[(
            ".gatewalk/verification.yml",
            "code:\n  - name: check\n    command: sh check.sh && test \"$(readlink /proc/self/ns/net)\" = NETWORK && git --version\n",
        )]),
    ),
    with(
        "cache",
        "kept",
        Walk,
        files(&[
            (".gitignore", "kept\n"),
            (
                ".gatewalk/verification.yml",
                "code:\n  - name: check\n    command: sh check.sh && test ! -e kept/x && mkdir -p kept && touch kept/x\n",
            ),
        ]),
    ),
    AGENT,
    MODEL,
    EFFORT,
    key("by_type", "[{type: implementation, model: other}]", DRY_RUN),
    key("gate_budget_usd", "0.005", Walk),
    key("prompt_tokens", "10", LINT),
];

/// The keys of the user's own file, and what the whole file is with each.
const OWN: &[KeyCase] = &[
    with(
        "agents",
        "{codex: {command: [no-such-program]}}",
        Prints(&["doctor"]),
        PLAIN,
    ),
    with("sandbox", "off", Walk, PLAIN),
    with(
        "sandbox_writable",
        "$ROOT",
        Walk,
        sessions(&[session!(
            "  - shell: 'echo x > $ROOT/beside || echo no > refused.txt'\n  - write: T01.txt\n    content: whole\n"
        )]),
    ),
    with(
        "allow_unsandboxed",
        "true",
        Walk,
        front("unsandboxed: true\nunsandboxed_rationale: it needs the device\n"),
    ),
    with("limits", "{file_gb: 0}", Walk, PLAIN),
    with("notify", "{command: 'cat > $ROOT/reported'}", Walk, PLAIN),
    with(
        "repositories",
        "/no/such/place",
        Prints(&["-C", "/", "serve"]),
        PLAIN,
    ),
];

/// A world of two units, one after the other.
fn world(scene: &Scene) -> World {
    let usual = good("T01");
    let sessions: Vec<String> = match scene.sessions {
        [] => vec![usual],
        own => own.iter().map(|text| (*text).to_owned()).collect(),
    };
    let sessions: Vec<&str> = sessions.iter().map(String::as_str).collect();
    let world = two_units_of(Unit {
        id: "T01",
        front: scene.unit,
        sessions: &sessions,
        ..Unit::default()
    });
    let root = world.root.display().to_string();
    for n in 1..=sessions.len() {
        let path = world.root.join(format!("sessions/T01.{n}.yml"));
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(path, text.replace("$ROOT", &root)).unwrap();
    }
    let network = std::fs::read_link("/proc/self/ns/net").unwrap();
    for (path, text) in scene.files {
        let text = text.replace("/tmp/PLACE", &format!("{root}/once"));
        world.write(path, text.replace("NETWORK", &network.to_string_lossy()));
    }
    let script = format!("D={FEATURE}\n{}", scene.script);
    let ran = world.command("sh").args(["-ec", &script]).output().unwrap();
    assert!(ran.status.success(), "{}", text(&ran));
    world
}

/// Puts a key into the file of its table.
fn set(world: &World, file: &str, key: &str, value: &str) {
    let flow = |path: &str, near: &str, entry: &str| {
        let text = world.read(path);
        assert!(text.contains(near), "{text}");
        world.write(path, text.replacen(near, entry, 1));
    };
    let front = |path: &str| {
        let text = world.read(path);
        let line = format!("{key}: {value}");
        let mut lines: Vec<&str> = text.lines().collect();
        let end = lines.iter().skip(1).position(|l| *l == "---").unwrap() + 1;
        let own = lines[..end]
            .iter()
            .position(|l| l.starts_with(&format!("{key}: ")));
        match own {
            Some(at) => lines[at] = &line,
            None => lines.insert(end, &line),
        }
        world.write(path, lines.join("\n") + "\n");
    };
    match file {
        "PLAN.md" => front(&format!("{FEATURE}/PLAN.md")),
        "GATE-NN.md" => front(&format!("{FEATURE}/GATE-01.md")),
        "WU-NN-slug.md" => {
            let closing = world
                .read(&format!("{FEATURE}/PLAN.md"))
                .contains("G1-CLOSE");
            let unit = if closing { "T02" } else { "T01" };
            front(&format!("{FEATURE}/WU-{unit}.md"));
        }
        "checks" => {
            let path = format!("{FEATURE}/WU-T01.md");
            let base = [("name", "there"), ("run", "test -s T01.txt")];
            let entry = entry_of(&base, key, value);
            flow(&path, "{name: there, run: test -s T01.txt}", &entry);
        }
        "verification.yml" => {
            let base = [("name", "check"), ("command", "sh check.sh")];
            let entry = entry_of(&base, key, value);
            flow(
                ".gatewalk/verification.yml",
                "{name: check, command: sh check.sh}",
                &entry,
            );
        }
        "witness" => {
            let path = ".gatewalk/verification.yml";
            let text = world.read(path);
            let entry = format!("witness: {{{key}: {value}, ");
            let text = match text.contains("witness: {") {
                true => text.replacen("witness: {", &entry, 1),
                false => format!("{}}}\n{text}", entry.trim_end_matches(", ")),
            };
            world.write(path, text);
        }
        "config.yml" => {
            let text = world.read(".gatewalk/config.yml");
            world.write(".gatewalk/config.yml", format!("{text}{key}: {value}\n"));
        }
        "own" => {
            let value = value.replace("$ROOT", &world.root.display().to_string());
            own_file(world, &format!("{key}: {value}\n"));
        }
        other => panic!("no file for {other}"),
    }
}

fn entry_of(base: &[(&str, &str)], key: &str, value: &str) -> String {
    let mut pairs: Vec<(&str, &str)> = base.to_vec();
    match pairs.iter_mut().find(|(name, _)| *name == key) {
        Some(pair) => pair.1 = value,
        None => pairs.push((key, value)),
    }
    let pairs: Vec<String> = pairs.iter().map(|(k, v)| format!("{k}: {v}")).collect();
    format!("{{{}}}", pairs.join(", "))
}

fn own_file(world: &World, text: &str) {
    std::fs::write(world.root.join("home/.config/gatewalk/config.yml"), text).unwrap();
}

/// Returns the scene of a key, without the key.
fn without(file: &str, case: &KeyCase) -> World {
    let world = world(&case.scene);
    match file {
        "checks" => set(&world, "WU-NN-slug.md", "checks", "[{name: there, run: test -s T01.txt}]"),
        "verification.yml" => world.write(
            ".gatewalk/verification.yml",
            "code:\n  - {name: check, command: sh check.sh}\n  - {name: last, command: sh -n check.sh}\n",
        ),
        "own" => own_file(&world, ""),
        _ => {}
    }
    world
}

/// Returns what can be seen of a scene, without what is different each time.
fn seen(world: &World, look: Look) -> Value {
    world.git(&["add", "-A"]);
    world.git(&["commit", "-qm", "as it is", "--allow-empty"]);
    match look {
        Walk => walked(world),
        Witness => {
            let walk = walked(world);
            let output = world.run(&["witness", "T01", "--feature", ID, "--json"]);
            let found: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
            let found = &found["witness"];
            json!([
                walk["exit"],
                found["by"],
                found["asked"],
                found["unwitnessed"]
            ])
        }
        Prints(args) => {
            let output = world.run(args);
            let said = text(&output).replace(&world.root.display().to_string(), "ROOT");
            let ids = regex::Regex::new(r"[0-9a-f]{7,64}|\d+ bytes|\d+\.\d+ ?s\b").unwrap();
            let said = ids.replace_all(&said, "X").into_owned();
            let lines: Vec<&str> = said.lines().collect();
            json!(lines)
        }
    }
}

fn walked(world: &World) -> Value {
    let mut driver = world.driver(&world.root.join("sessions"));
    let output = driver
        .args(["--json", "--feature", FEATURE])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let last: Value = said
        .lines()
        .last()
        .and_then(|line| serde_json::from_str(line).ok())
        .unwrap_or_default();
    let tip = world
        .try_git(&["rev-parse", "-q", "--verify", BRANCH])
        .map_or("HEAD", |_| BRANCH);
    let log = world.try_git(&["show", &format!("{tip}:{FEATURE}/events.jsonl")]);
    let attempts: Vec<Value> = log
        .unwrap_or_default()
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .filter(|event| event["event_type"] == "attempt_outcome")
        .map(|event| {
            let p = &event["payload"];
            let commands = p["commands"].as_array().into_iter().flatten();
            let commands: Vec<Value> = commands.map(|c| json!([c["name"], c["verdict"]])).collect();
            json!([
                event["correlation_id"],
                p["outcome"],
                p["failure_class"],
                p["model"],
                p["effort"],
                p["isolation"],
                p["unusual"],
                commands
            ])
        })
        .collect();
    let files = world.git(&["ls-tree", "-r", "--name-only", tip]);
    let files: Vec<&str> = files
        .lines()
        .filter(|f| !f.starts_with(".gatewalk/"))
        .collect();
    let kept = world.git(&["for-each-ref", "--format=%(refname)", "refs/gatewalk"]);
    let beside: BTreeSet<String> = std::fs::read_dir(&world.root)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    json!({"exit": output.status.code(), "reason": last["reason"], "attempts": attempts, "files": files, "kept": kept, "beside": beside})
}

/// A world in which the driver wrote every key of its own: a unit that landed, one parked and sent back and parked again,
/// one that a user handed in, and a gate that closed itself.
fn written_by_the_driver() -> BTreeSet<String> {
    let mut keys = BTreeSet::new();
    let mut read = |world: &World| {
        for unit in ["T01", "T02"] {
            let text = world.git(&["show", &format!("{BRANCH}:{FEATURE}/WU-{unit}.md")]);
            let front = text.split("---\n").nth(1).unwrap().to_owned();
            keys.extend(
                front
                    .lines()
                    .filter_map(|l| Some(l.split_once(':')?.0.to_owned())),
            );
        }
    };
    let closing = world(&CLOSE);
    closing.git(&["commit", "-qam", "closes"]);
    assert_eq!(closing.walk().status.code(), Some(0));
    read(&closing);
    let human = Scene {
        script: "sed -i 's/^type: implementation/type: human/' $D/WU-T02.md; sed -i 's/^status: pending/status: draft/' $D/WU-T01.md",
        sessions: &[HALF, HALF, HALF, HALF],
        ..PLAIN
    };
    let parked = world(&human);
    parked.git(&["commit", "-qam", "human"]);
    let done = |args: &[&str]| {
        let output = parked.run(args);
        assert!(output.status.success(), "{args:?}: {}", text(&output));
    };
    done(&["arm", ID]);
    assert_eq!(parked.walk().status.code(), Some(11));
    done(&["unblock", "T01", "--reason", "so", "--changed", "so"]);
    assert_eq!(parked.walk().status.code(), Some(11));
    read(&parked);
    std::fs::write(parked.root.join("sessions/T01.4.yml"), WHOLE).unwrap();
    std::fs::write(parked.root.join("sessions/T01.5.yml"), WHOLE).unwrap();
    done(&["unblock", "T01", "--reason", "so", "--changed", "so"]);
    assert_eq!(parked.walk().status.code(), Some(11));
    done(&["done", "T02", "--evidence", "seen"]);
    read(&parked);
    keys
}

#[test]
#[ignore = "long"]
fn every_documented_key_that_the_driver_writes_is_written() {
    let written = written_by_the_driver();
    let wanted: Vec<String> = documented()
        .into_iter()
        .filter(|(.., by_driver)| *by_driver)
        .map(|(_, key, _)| key)
        .collect();
    let never: Vec<&String> = wanted
        .iter()
        .filter(|key| !written.contains(*key))
        .collect();
    println!("{} keys are written by the driver", wanted.len());
    assert!(wanted.len() >= 18, "{wanted:?}");
    assert!(never.is_empty(), "never written: {never:?}");
}

/// Returns the documented keys: the table, the key, and whether it is written by the driver.
fn documented() -> Vec<(String, String, bool)> {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = std::fs::read_to_string(root.join("docs/files.md")).unwrap();
    let mut table = String::new();
    let mut found = Vec::new();
    for line in page.lines() {
        if let Some(name) = line.strip_prefix("<!-- table: ") {
            table = name.trim_end_matches(" -->").to_owned();
        } else if line == "## Your own configuration" {
            table = "own".to_owned();
        } else if line == "<!-- end -->" || line.starts_with("```") {
            table.clear();
        } else if let (false, Some(row)) = (table.is_empty(), line.strip_prefix("| `")) {
            let key = row.split('`').next().unwrap().to_owned();
            found.push((table.clone(), key, row.contains("| the driver |")));
        }
    }
    found
}

/// Keys whose outcome is seen only where sessions can be confined whole.
const CONFINING: [&str; 4] = [
    "network",
    "sandbox",
    "sandbox_writable",
    "allow_unsandboxed",
];

const TABLES: [(&str, &[KeyCase]); 8] = [
    ("PLAN.md", PLAN),
    ("GATE-NN.md", GATE),
    ("WU-NN-slug.md", UNIT),
    ("checks", CHECKS),
    ("verification.yml", VERIFICATION),
    ("witness", WITNESS),
    ("config.yml", CONFIG),
    ("own", OWN),
];

#[test]
#[ignore = "long"]
fn every_documented_key_that_a_user_writes_changes_an_outcome() {
    let wanted: Vec<(String, String)> = documented()
        .into_iter()
        .filter(|(.., by_driver)| !by_driver)
        .map(|(table, key, _)| (table, key))
        .collect();
    let cases: Vec<(&str, &KeyCase)> = TABLES
        .iter()
        .flat_map(|(table, cases)| cases.iter().map(move |case| (*table, case)))
        .collect();
    let has = |table: &str, key: &str| cases.iter().any(|(t, c)| *t == table && c.key == key);
    let missing: Vec<_> = wanted.iter().filter(|(t, k)| !has(t, k)).collect();
    assert!(missing.is_empty(), "no row for {missing:?}");
    let confined = text(&world(&PLAIN).run(&["doctor"])).contains("bubblewrap");
    let cases = cases
        .into_iter()
        .filter(|(_, case)| confined || !CONFINING.contains(&case.key));
    let cases = sample("documented keys", cases, 12);
    for look in [Walk, LINT, DRY_RUN, STATUS, PROMPT] {
        // The same twice looks the same: what differs below comes from the key.
        assert_eq!(seen(&world(&PLAIN), look), seen(&world(&PLAIN), look));
    }
    let next = std::sync::atomic::AtomicUsize::new(0);
    let work = || {
        let mut dead = Vec::new();
        loop {
            let at = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            let Some((table, case)) = cases.get(at) else {
                return dead;
            };
            let (base, changed) = (without(table, case), without(table, case));
            set(&changed, table, case.key, case.value);
            let (before, after) = (seen(&base, case.look), seen(&changed, case.look));
            if before == after {
                dead.push(format!("{table} `{}`: {after:#}", case.key));
            }
        }
    };
    let dead = std::thread::scope(|scope| {
        let others: Vec<_> = (0..2).map(|_| scope.spawn(work)).collect();
        others
            .into_iter()
            .flat_map(|t| t.join().unwrap())
            .collect::<Vec<_>>()
    });
    println!(
        "{} documented keys changed an outcome",
        cases.len() - dead.len()
    );
    assert!(
        dead.is_empty(),
        "{} without an outcome:\n{}",
        dead.len(),
        dead.join("\n")
    );
}
