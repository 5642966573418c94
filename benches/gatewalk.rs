//! The figures of docs/benchmarks.md: each printed beside its target, those of a unit as ratios to bare git and to a plain
//! script in the same run. `cargo bench --bench gatewalk`; `GATEWALK_BENCH_ROUNDS` sets the repetitions.
#![allow(missing_docs, clippy::unwrap_used, clippy::print_stdout)]

#[path = "parts/far_slots.rs"]
mod far_slots;
#[path = "parts/guards.rs"]
mod guards;
#[path = "parts/new_files.rs"]
mod new_files;
#[path = "parts/page_times.rs"]
mod page_times;
#[path = "parts/read_commands.rs"]
mod read_commands;
#[path = "parts/scale_curve.rs"]
mod scale_curve;
mod soak;
#[path = "parts/unit_cost.rs"]
mod unit_cost;
#[path = "parts/unit_counts.rs"]
mod unit_counts;
#[path = "parts/unit_growth.rs"]
mod unit_growth;
#[path = "parts/units_beside.rs"]
mod units_beside;
#[path = "parts/walk_beside_page.rs"]
mod walk_beside_page;
#[path = "parts/walks.rs"]
mod walks;

use serde_json::json;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

const BINARY: &str = env!("CARGO_BIN_EXE_gatewalk");

fn rounds() -> usize {
    std::env::var("GATEWALK_BENCH_ROUNDS")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(15)
}

fn main() {
    // `cargo test` may start a bench target with `--test`: there is nothing to check in one.
    if std::env::args().any(|a| a == "--test") {
        return;
    }
    println!("{:<52} {:>12} {:>14}  verdict", "what", "median", "target");
    let named: Vec<String> = std::env::args()
        .skip(1)
        .filter(|a| !a.starts_with('-'))
        .collect();
    type Part = (&'static str, fn());
    let parts: [Part; 23] = [
        ("start", start_up),
        ("keystroke", keystrokes),
        ("lint", lint),
        ("refuse", refuse),
        ("status", read_commands::status_and_dry_run),
        ("why", read_commands::why),
        ("many", read_commands::at_many_features),
        ("unit", unit_cost::unit_cost),
        ("growth", unit_growth::unit_growth),
        ("beside", units_beside::units_beside),
        ("counts", unit_counts::unit_counts),
        ("far", far_slots::far_slots),
        ("far-large", far_slots::large_repository),
        ("scale", scale_curve::scale_curve),
        ("new-files", new_files::new_files),
        ("guards", guards::guards),
        ("sandbox", sandbox_start),
        ("parsers", parsers),
        ("pages", page_times::page_times),
        ("page-load", walk_beside_page::walk_beside_page),
        ("memory", memory),
        ("size", size),
        ("soak", soak::soak),
    ];
    for (name, part) in parts {
        if named.is_empty() || named.iter().any(|n| n == name) {
            part();
        }
    }
}

/// Prints a figure beside its target.
fn row(what: &str, figure: f64, unit: &str, target: f64) {
    let verdict = if figure <= target { "ok" } else { "MISSED" };
    println!("{what:<52} {figure:>9.2} {unit:<2} {target:>11.2} {unit:<2}  {verdict}");
}

fn median(mut times: Vec<Duration>) -> f64 {
    times.sort();
    times[times.len() / 2].as_secs_f64() * 1000.0
}

fn time(mut work: impl FnMut()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

/// A command with an environment of its own: nothing of the user's configuration counts.
fn command(program: &str, cwd: &Path) -> Command {
    let mut command = Command::new(program);
    let home = cwd
        .ancestors()
        .find(|p| p.join("home").is_dir())
        .unwrap()
        .join("home");
    command.current_dir(cwd).env_clear().stdin(Stdio::null());
    command
        .env("PATH", std::env::var_os("PATH").unwrap())
        .env("HOME", &home);
    command
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1");
    for role in ["AUTHOR", "COMMITTER"] {
        command
            .env(format!("GIT_{role}_NAME"), "Bench")
            .env(format!("GIT_{role}_EMAIL"), "bench@localhost");
    }
    command
}

fn run(program: &str, args: &[&str], cwd: &Path) -> Output {
    command(program, cwd).args(args).output().unwrap()
}

fn ok(program: &str, args: &[&str], cwd: &Path) {
    let output = run(program, args, cwd);
    assert!(
        output.status.success(),
        "{program} {args:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
}

/// A temporary directory with `home` and `repo` in it.
struct Lab {
    root: tempfile::TempDir,
}

/// Entries of a lab's home: an empty one is nobody's.
const HOME_ENTRIES: usize = 100;

impl Lab {
    fn new() -> Lab {
        Lab::new_in(&std::env::temp_dir())
    }

    /// Returns a lab on some disk.
    fn new_in(place: &Path) -> Lab {
        let root = tempfile::tempdir_in(place).unwrap();
        for entry in 0..HOME_ENTRIES {
            fs::create_dir_all(root.path().join(format!("home/entry-{entry}"))).unwrap();
        }
        fs::create_dir_all(root.path().join("repo/.gatewalk/features")).unwrap();
        let lab = Lab { root };
        lab.write(".gatewalk/verification.yml", "code:\n  - {name: tests, command: \"test -f README\"}\ndoc:\n  - {name: tests, command: \"test -f README\"}\nplannext:\n  - {name: tests, command: \"test -f README\"}\n");
        lab.write("README", "bench\n");
        lab
    }

    fn repo(&self) -> PathBuf {
        self.root.path().join("repo")
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.repo().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Writes the agent: it writes its unit's file at once, after what it does first.
    fn agent(&self, first: &str) {
        let script = format!(
            "#!/bin/sh\ncat >/dev/null\n{first}\nmkdir -p out\nn=${{GATEWALK_UNIT##*/T}}; n=${{n#0}}\nif [ -z \"$n\" ]; then n=1; while [ -e out/$n.txt ]; do n=$((n+1)); done; fi\necho work $n > out/$n.txt\n"
        );
        fs::write(self.root.path().join("agent.sh"), script).unwrap();
    }

    fn commit(&self) {
        ok("git", &["init", "-q", "-b", "main"], &self.repo());
        ok("git", &["add", "-A"], &self.repo());
        ok("git", &["commit", "-qm", "start"], &self.repo());
    }

    /// Writes a feature of one gate with so many units, chained or not.
    fn feature(&self, number: usize, units: usize, status: &str, unit_status: &str) {
        let id = format!("FEAT-2026-{number:04}");
        let dir = format!(".gatewalk/features/{id}-bench");
        let mut graph =
            String::from("gates:\n  - gate: 1\n    file: GATE-01.md\n    work_units:\n");
        for unit in 1..=units {
            graph.push_str(&format!("      - id: {id}/T{unit:02}\n        file: WU-{unit:02}-work.md\n        depends_on: []\n"));
            self.write(
                &format!("{dir}/WU-{unit:02}-work.md"),
                &unit_file(&id, unit, unit_status),
            );
        }
        let gate_status = if status == "done" { "passed" } else { "open" };
        self.write(
            &format!("{dir}/GATE-01.md"),
            &format!("---\ngate: 1\nstatus: {gate_status}\n---\n\n# Gate 1\n"),
        );
        self.write(
            &format!("{dir}/PLAN.md"),
            &format!("---\nfeature_id: {id}\ntitle: Bench\nslug: bench\nbranch: feat/{id}-bench\nroadmap_goal: Measure.\nstatus: {status}\n---\n\n# Plan\n\n```yaml\n{graph}```\n"),
        );
    }
}

fn unit_file(id: &str, unit: usize, status: &str) -> String {
    let prose = "Some words about the work that a user wrote for a session to read. ".repeat(12);
    format!(
        "---\nid: {id}/T{unit:02}\ntype: implementation\nstatus: {status}\nplanned_cost_usd: 1.00\nproduces: out/{unit}.txt\n---\n\n# Unit {unit}\n\n## Context\n\n{prose}\n\n## Acceptance criteria\n\n1. out/{unit}.txt exists.\n\n## Do not touch\n\nEverything else.\n\n## Verification\n\nThe code set.\n\n## Escalation triggers\n\nNone expected; block when unsure.\n"
    )
}

fn start_up() {
    let lab = Lab::new();
    let times = (0..rounds() * 3)
        .map(|_| time(|| ok(BINARY, &["--version"], &lab.repo())))
        .collect();
    row("--version", median(times), "ms", 5.0);
}

fn lint() {
    let mut of_size = Vec::new();
    for units in [1_000usize, 10_000] {
        let lab = Lab::new();
        for feature in 1..=units / 50 {
            lab.feature(feature, 50, "planned", "draft");
        }
        lab.commit();
        drop(run(BINARY, &["lint"], &lab.repo()));
        let times = (0..rounds())
            .map(|_| time(|| drop(run(BINARY, &["lint"], &lab.repo()))))
            .collect();
        of_size.push(median(times));
    }
    row("lint, 1,000 unit files", of_size[0], "ms", 50.0);
    row(
        "lint, 10,000 unit files against ten times that",
        of_size[1],
        "ms",
        of_size[0] * 10.0 * 1.2,
    );
}

/// What nobody wrote by hand: refused, or read no further than it is worth.
fn refuse() {
    const MEGABYTES: usize = 2 << 20;
    let unit = "---\nid: FEAT-2026-0001/T01\ntype: implementation\nstatus: pending\n---\n\n";
    let body = |text: &str| format!("{unit}{}", text.repeat((480 << 10) / text.len()));
    let front = |text: String| format!("---\n{text}\n---\n");
    let list = |of: &str| {
        (0..90_000)
            .map(|n| format!("{of}{n}, "))
            .collect::<String>()
    };
    let graph = |text: String| format!("{}\n```yaml\n{text}\n```\n", front("title: x".into()));
    let (wu, plan) = ("WU-01-work.md", "PLAN.md");
    let rows = [
        ("100 MB of text", wu, "word\n".repeat(20_000_000)),
        (
            "200,000 open brackets",
            wu,
            front(format!("id: {}", "[".repeat(200_000))),
        ),
        ("200,000 dashes", wu, front("- ".repeat(200_000))),
        (
            "20,000 keys",
            wu,
            front((0..20_000).map(|n| format!("k{n}: 1\n")).collect()),
        ),
        (
            "20,000 anchors and aliases",
            wu,
            front(
                (0..20_000)
                    .map(|n| format!("k{n}: &a{n} [*a{n}]\n"))
                    .collect(),
            ),
        ),
        (
            "a list of 90,000 globs",
            wu,
            front(format!("produces: [{}]", list("a/*"))),
        ),
        (
            "a graph of 100,000 units",
            plan,
            graph(format!(
                "gates:\n  - work_units:\n{}",
                "    - {id: a, file: b}\n".repeat(100_000)
            )),
        ),
        (
            "a unit with 50,000 edges",
            plan,
            graph(format!(
                "gates: [{{work_units: [{{id: a, depends_on: [{}]}}]}}]",
                &list("T")[..400_000]
            )),
        ),
        (
            "9,000 gates",
            plan,
            graph(format!(
                "gates:\n{}",
                (0..9_000)
                    .map(|n| format!("  - {{gate: {n}, file: G{n}, work_units: []}}\n"))
                    .collect::<String>()
            )),
        ),
        (
            "a million lines",
            wu,
            format!("{unit}{}", "a\n".repeat(1_000_000)),
        ),
        ("one line of half a megabyte", wu, body("x")),
        ("100,000 headings", wu, body("# a\n")),
        ("brackets that never close", wu, body("[a](")),
        ("100,000 bullets", wu, body("- a\n")),
        ("invisible characters only", wu, body("\u{200b}")),
        ("bytes that are zero", wu, "\0".repeat(MEGABYTES / 5)),
        (
            "10,000 suppressions",
            wu,
            body("<!-- gatewalk: allow GW803 long -->\n"),
        ),
        (
            "20,000 requirements",
            plan,
            graph("gates: []".into())
                + "## Requirements\n"
                + &(0..20_000)
                    .map(|n| format!("- REQ-{n}: a\n"))
                    .collect::<String>(),
        ),
    ];
    for (what, file, text) in rows {
        let lab = Lab::new();
        lab.feature(1, 1, "active", "pending");
        lab.write(
            &format!(".gatewalk/features/FEAT-2026-0001-bench/{file}"),
            &text,
        );
        let times = (0..rounds().div_ceil(3))
            .map(|_| time(|| drop(run(BINARY, &["lint"], &lab.repo()))))
            .collect();
        row(&format!("lint, {what}"), median(times), "ms", 100.0);
    }
}

/// A keystroke costs what it changes, whatever there is beside it.
/// So many that the median says something of half a millisecond.
const KEYSTROKES: usize = 200;

fn keystrokes() {
    let few = keystroke(20, 50);
    keystroke(1, 1_000);
    let many = keystroke(200, 50);
    row(
        "lsp, 10,000 units, of 1,000 in features of 50",
        many / few,
        "x",
        1.2,
    );
}

/// From a changed buffer to the server being done with it, findings sent: a request behind the change is
/// answered when they are.
fn keystroke(features: usize, units: usize) -> f64 {
    let lab = Lab::new();
    for feature in 1..=features {
        lab.feature(feature, units, "planned", "draft");
    }
    let mut server = command(BINARY, &lab.repo())
        .arg("lsp")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = server.stdin.take().unwrap();
    let mut output = BufReader::new(server.stdout.take().unwrap());
    let root = format!("file://{}", lab.repo().display());
    let file = "FEAT-2026-0001-bench/WU-07-work.md";
    let uri = format!("{root}/.gatewalk/features/{file}");
    let text = unit_file("FEAT-2026-0001", 7, "draft");
    let mut send = |message: serde_json::Value| {
        let body = message.to_string();
        write!(input, "Content-Length: {}\r\n\r\n{body}", body.len()).unwrap();
        input.flush().unwrap();
    };
    let mut ask = |send: &mut dyn FnMut(serde_json::Value), id: usize, method: &str, params| {
        send(json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        loop {
            let mut length = 0;
            let mut line = String::new();
            while output.read_line(&mut line).unwrap() > 2 {
                if let Some(n) = line.strip_prefix("Content-Length: ") {
                    length = n.trim().parse().unwrap();
                }
                line.clear();
            }
            let mut body = vec![0; length];
            output.read_exact(&mut body).unwrap();
            if serde_json::from_slice::<serde_json::Value>(&body).unwrap()["id"] == json!(id) {
                return;
            }
        }
    };
    ask(
        &mut send,
        0,
        "initialize",
        json!({ "rootUri": root, "capabilities": {} }),
    );
    send(json!({ "jsonrpc": "2.0", "method": "initialized", "params": {} }));
    let document = json!({ "uri": uri, "languageId": "markdown", "version": 1, "text": text });
    send(
        json!({ "jsonrpc": "2.0", "method": "textDocument/didOpen", "params": { "textDocument": document } }),
    );
    let times = (1..=KEYSTROKES)
        .map(|id| {
            let typed = text.replacen("produces:", &format!("{}:", &"producesx"[..8 + id % 2]), 1);
            let change = json!({ "textDocument": { "uri": uri, "version": id }, "contentChanges": [{ "text": typed }] });
            let nowhere = json!({ "textDocument": { "uri": "file:///" }, "position": { "line": 0, "character": 0 } });
            time(|| {
                send(json!({ "jsonrpc": "2.0", "method": "textDocument/didChange", "params": change }));
                ask(&mut send, id, "textDocument/hover", nowhere.clone());
            })
        })
        .collect();
    drop(input);
    server.wait().unwrap();
    let what = format!("lsp, a keystroke, {features} x {units} units");
    let figure = median(times);
    row(&what, figure, "ms", 20.0);
    figure
}

fn make_executable(path: &Path) {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// What confinement adds to a command: the namespaces alone, with the network shut.
fn sandbox_start() {
    let path = std::env::var_os("PATH").unwrap();
    if !std::env::split_paths(&path).any(|dir| dir.join("bwrap").is_file()) {
        println!(
            "{:<52} not measured: bubblewrap is not here",
            "sandbox start"
        );
        return;
    }
    let lab = Lab::new();
    let args = [
        "--die-with-parent",
        "--unshare-pid",
        "--unshare-ipc",
        "--unshare-net",
        "--cap-drop",
        "ALL",
    ];
    let args = [
        &args[..],
        &[
            "--ro-bind",
            "/",
            "/",
            "--dev",
            "/dev",
            "--proc",
            "/proc",
            "--",
            "true",
        ],
    ]
    .concat();
    let confined = (0..rounds())
        .map(|_| time(|| ok("bwrap", &args, &lab.repo())))
        .collect();
    let bare = (0..rounds())
        .map(|_| time(|| ok("true", &[], &lab.repo())))
        .collect();
    row("sandbox start", median(confined) - median(bare), "ms", 50.0);
}

/// Returns the time this thread was at work, where the system counts it: what else the machine does
/// meanwhile is not the work's.
fn time_at_work(work: impl FnMut()) -> Duration {
    let counted = || -> Option<Duration> {
        let told = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        Some(Duration::from_nanos(told.split(' ').next()?.parse().ok()?))
    };
    let before = counted();
    let elapsed = time(work);
    match before.zip(counted()) {
        Some((before, after)) if after > before => after - before,
        _ => elapsed,
    }
}

/// What each adapter makes of its own program's output, recorded, over and over: a session of hours.
fn parsers() {
    use gatewalk_core::agents::{ALL, Listener};
    const BYTES: usize = 32 << 20;
    let recordings = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/transcripts");
    for agent in ALL {
        let directory = recordings.join(agent.name()).join("ok");
        let Some(text) = ["stdout.jsonl", "stdout.txt"]
            .iter()
            .find_map(|name| fs::read(directory.join(name)).ok())
        else {
            continue;
        };
        let lines: Vec<&[u8]> = text.split(|byte| *byte == b'\n').collect();
        let times = rounds().div_ceil(3);
        let repeats = BYTES.div_ceil(text.len());
        let taken = (0..times)
            .map(|_| {
                let mut listener = Listener::new(*agent);
                time_at_work(|| {
                    for _ in 0..repeats {
                        lines.iter().for_each(|line| listener.line(line, false));
                    }
                })
            })
            .min()
            .unwrap_or_default();
        let megabytes = (repeats * text.len()) as f64 / 1e6;
        let rate = megabytes / taken.as_secs_f64();
        let verdict = if rate >= 200.0 { "ok" } else { "MISSED" };
        let what = format!("events of {}, read", agent.name());
        println!("{what:<52} {rate:>9.0} MB/s    >= 200 MB/s  {verdict}");
    }
}

/// Peak memory of the driver while an agent prints 600 MB: text, and events that are understood.
fn memory() {
    let text = "head -c 600000000 /dev/zero | tr '\\0' 'x' | fold -w 4000";
    let events = r#"echo '{"type":"system","subtype":"init","session_id":"s","model":"m"}'
n=0; block=$(head -c 60000 /dev/zero | tr '\0' 'y')
while [ $n -lt 10000 ]; do n=$((n + 1)); echo '{"type":"assistant","message":{"id":"m'$n'","usage":{"input_tokens":5,"output_tokens":7},"content":[{"type":"tool_use","id":"t'$n'","name":"Write","input":{"file_path":"out/'$n'","content":"'$block'"}}]}}'; done
echo '{"type":"result","is_error":false,"usage":{"input_tokens":5,"output_tokens":7},"result":"done"}'"#;
    for (what, prints) in [("text", text), ("events", events)] {
        let lab = Lab::new();
        let bin = lab.root.path().join("bin");
        fs::create_dir(&bin).unwrap();
        let agent = bin.join("claude");
        let script =
            format!("#!/bin/sh\ncat >/dev/null\n{prints}\nmkdir -p out\necho work > out/1.txt\n");
        fs::write(&agent, script).unwrap();
        make_executable(&agent);
        lab.feature(1, 1, "active", "pending");
        lab.commit();
        let word = if what == "text" {
            format!("command:{}", agent.display())
        } else {
            "claude".to_owned()
        };
        row(
            &format!("peak memory, 600 MB of an agent's {what}"),
            peak(&lab, &bin, &word),
            "MB",
            64.0,
        );
    }
}

/// The driver's own peak in MiB over a whole walk; its children are not counted.
fn peak(lab: &Lab, bin: &Path, agent: &str) -> f64 {
    let told = lab.root.path().join("peak");
    let script = format!(
        "PATH='{}':$PATH; '{BINARY}' loop --agent '{agent}' 2>/dev/null & p=$!; top=0; while kill -0 $p 2>/dev/null; do v=$(awk '/VmHWM/ {{print $2}}' /proc/$p/status 2>/dev/null); [ \"${{v:-0}}\" -gt $top ] && top=$v; sleep 0.05; done; echo $top > '{}'",
        bin.display(),
        told.display()
    );
    ok("bash", &["-c", &script], &lab.repo());
    let kib: f64 = fs::read_to_string(&told).unwrap().trim().parse().unwrap();
    kib / 1024.0
}

fn size() {
    let bytes = fs::metadata(BINARY).unwrap().len() as f64;
    row("binary", bytes / 1e6, "MB", 12.0);
}
