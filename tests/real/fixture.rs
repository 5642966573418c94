//! One test's world: a repository with a plan of one unit, a home of its own, a model server, and
//! the program's settings that point at it.

use crate::server::Server;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

const UNIT: &str = "FEAT-2026-0001/T01";
const DIRECTORY: &str = ".gatewalk/features/FEAT-2026-0001-hello";

pub(crate) struct AgentFixture {
    pub(crate) server: Server,
    pub(crate) agent: String,
    root: tempfile::TempDir,
    path: std::ffi::OsString,
    /// Variables in place of those of the same name in [`AgentFixture::env`]; an empty one is not set.
    pub(crate) account: Vec<(&'static str, String)>,
}

/// The agent that the user's own configuration defines, and its program.
pub(crate) const OWN: &str = "own-agent";
const OWN_PROGRAM: &str = "opencode";
/// The models that OpenCode knows by name: none, for what it knows of thousands takes seconds to read.
pub(crate) const MODELS: &str = "models.json";
/// For a program that lives for seconds: it neither tidies up its memory nor optimizes.
const BUN_LIGHTLY: &str = "BUN_JSC_useGC=0 BUN_JSC_useDFGJIT=0";
/// What Node compiled of the programs, for all their starts.
const COMPILED: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/compiled");

/// Returns the program of an agent.
fn program_of(agent: &str) -> &str {
    match agent {
        OWN => OWN_PROGRAM,
        "continue" => "cn",
        agent => agent,
    }
}

/// What one walk said.
pub(crate) struct Run {
    exit: Option<i32>,
    events: Vec<Value>,
    stderr: String,
    requests: String,
    /// Processor time of the walk and of what it started, but for what was killed.
    pub(crate) processor_seconds: f64,
}

impl std::fmt::Display for Run {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "exit {:?}", self.exit)?;
        self.events
            .iter()
            .try_for_each(|event| writeln!(f, "{event}"))?;
        write!(f, "{}\nrequests:\n{}", self.stderr, self.requests)
    }
}

impl Run {
    pub(crate) fn exit_code(&self) -> Option<i32> {
        self.exit
    }

    pub(crate) fn expect_exit(&self, code: i32) {
        assert_eq!(self.exit, Some(code), "{self}");
    }

    /// Returns the ends of the sessions, in order.
    pub(crate) fn ended(&self) -> Vec<&Value> {
        self.named("session_ended").collect()
    }

    pub(crate) fn count(&self, event: &str) -> usize {
        self.named(event).count()
    }

    fn named<'a>(&'a self, event: &'a str) -> impl Iterator<Item = &'a Value> {
        self.events.iter().filter(move |e| e["event"] == event)
    }
}

/// Makes a directory like another, of links to the same files.
fn link_tree(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a directory");
    for entry in std::fs::read_dir(from).into_iter().flatten().flatten() {
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        match entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            true => link_tree(&from, &to),
            false => std::fs::hard_link(from, to).expect("one file system"),
        }
    }
}

/// Returns the search path with the directory of the agents first, and whether it holds the program.
fn find(program: &str) -> Option<std::ffi::OsString> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let own = std::env::var_os("GATEWALK_AGENTS").map(PathBuf::from);
    let directories: Vec<PathBuf> = own
        .into_iter()
        .chain(std::env::split_paths(&path))
        .collect();
    directories
        .iter()
        .any(|directory| directory.join(program).is_file())
        .then(|| std::env::join_paths(&directories).expect("they come from a path"))
}

impl AgentFixture {
    /// Returns `None` where the program is not installed.
    pub(crate) fn new(agent: &str) -> Option<AgentFixture> {
        let path = find(program_of(agent))?;
        let root = tempfile::tempdir().expect("a temporary directory");
        for directory in ["home", "repo", "tmp"] {
            std::fs::create_dir(root.path().join(directory)).expect("a directory");
        }
        let fixture = AgentFixture {
            server: Server::start(),
            agent: agent.to_owned(),
            root,
            path,
            account: Vec::new(),
        };
        fixture.settle();
        match agent {
            "aider" => fixture.server.answer_in_text(),
            "copilot" => fixture.unpack_copilot(),
            _ => {}
        }
        Some(fixture)
    }

    /// Puts what Copilot's program unpacks at its first start into the home: 240 MB, which every session of a fresh home
    /// would write again.
    fn unpack_copilot(&self) {
        static UNPACKED: OnceLock<tempfile::TempDir> = OnceLock::new();
        const CACHE: &str = ".cache/copilot";
        let unpacked = UNPACKED.get_or_init(|| {
            let home = tempfile::tempdir().expect("a temporary directory");
            let version = Command::new("copilot")
                .arg("--version")
                .env_clear()
                .env("PATH", &self.path)
                .env("HOME", home.path())
                .stdin(Stdio::null())
                .output();
            assert!(version.is_ok_and(|out| out.status.success()));
            home
        });
        link_tree(&unpacked.path().join(CACHE), &self.home().join(CACHE));
    }

    /// Makes a failing bubblewrap the first on the search path, so that Landlock confines the sessions.
    pub(crate) fn without_bubblewrap(&mut self) {
        self.put_first("bwrap", "exit 1");
    }

    /// Halves what the start of a program costs: one that starts itself a second time, with other limits of memory, does
    /// without, one that is compiled at each start finds what was compiled before, and one that asks its vendor first, for
    /// seconds where there is no network, does not.
    pub(crate) fn start_lightly(&mut self) {
        let program = program_of(&self.agent).to_owned();
        let light = match &*program {
            "gemini" | "qwen" | "cn" => format!(
                "GEMINI_CLI_NO_RELAUNCH=true QWEN_CODE_NO_RELAUNCH=true NODE_COMPILE_CACHE='{COMPILED}'"
            ),
            "opencode" | "cline" => BUN_LIGHTLY.to_owned(),
            "droid" => format!("{BUN_LIGHTLY} FACTORY_AIRGAP_ENABLED=true"),
            _ => return,
        };
        let directories = std::env::split_paths(&self.path);
        let real = directories.map(|directory| directory.join(&program));
        let real = real
            .into_iter()
            .find(|path| path.is_file())
            .expect("it was found before");
        self.put_first(
            &program,
            &format!("{light} exec '{}' \"$@\"", real.display()),
        );
    }

    /// Makes a script the first program of this name on the search path.
    fn put_first(&mut self, program: &str, script: &str) {
        let bin = self.root.path().join("bin");
        std::fs::create_dir_all(&bin).expect("a directory");
        let program = bin.join(program);
        std::fs::write(&program, format!("#!/bin/sh\n{script}\n")).expect("writable");
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).expect("ours");
        let others = std::env::split_paths(&self.path).collect::<Vec<_>>();
        self.path = std::env::join_paths(std::iter::once(bin).chain(others)).expect("a path");
    }

    /// Returns the search path that finds the program.
    pub(crate) fn path(&self) -> &std::ffi::OsStr {
        &self.path
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.root.path().join("home")
    }

    pub(crate) fn repo(&self) -> PathBuf {
        self.root.path().join("repo")
    }

    /// Writes what the programs need in their home to speak to our server.
    fn settle(&self) {
        let codex = self.home().join(".codex");
        std::fs::create_dir(&codex).expect("a directory");
        let url = self.server.url();
        let config = format!(
            "model = \"gpt-5-codex\"\nmodel_provider = \"own\"\n\n[model_providers.own]\nname = \"own\"\n\
             base_url = \"{url}/v1\"\nenv_key = \"OPENAI_API_KEY\"\nwire_api = \"responses\"\n\
             request_max_retries = 1\nstream_max_retries = 0\n"
        );
        std::fs::write(codex.join("config.toml"), config).expect("writable");
        std::fs::write(self.home().join(MODELS), "{}").expect("writable");
        let own = self.home().join(".config/gatewalk");
        std::fs::create_dir_all(&own).expect("a directory");
        let config = format!(
            "sandbox_writable: {COMPILED}\nagents:\n  {OWN}: {{command: [{OWN_PROGRAM}, acp], speaks: acp, env: [\"OPENCODE_*\"]}}\n"
        );
        std::fs::create_dir_all(COMPILED).expect("a directory");
        std::fs::write(own.join("config.yml"), config).expect("writable");
        self.settle_agent(&url);
        if program_of(&self.agent) == OWN_PROGRAM {
            self.settle_settings();
        }
    }

    /// Makes OpenCode's settings and records as its first start leaves them: a session may not change settings, so it fetches nothing
    /// into them; records stay from a session to the next.
    /// Without them every session fetches a package that nothing here needs.
    fn settle_settings(&self) {
        let settings = self.home().join(".config/opencode");
        for directory in [&settings, &self.home().join(".local/share/opencode")] {
            std::fs::create_dir_all(directory).expect("a directory");
        }
        std::fs::write(settings.join(".gitignore"), "node_modules\n").expect("writable");
    }

    /// Writes what only this agent's program reads; where it can be told, it retries once, since a retry takes minutes.
    fn settle_agent(&self, url: &str) {
        let write = |path: &str, text: &str| {
            let path = self.home().join(path);
            std::fs::create_dir_all(path.parent().expect("below home")).expect("a directory");
            std::fs::write(path, text).expect("writable");
        };
        match self.agent.as_str() {
            "qwen" => write(
                ".qwen/settings.json",
                r#"{"security": {"auth": {"selectedType": "openai"}}, "general": {"disableAutoUpdate": true}, "model": {"generationConfig": {"maxRetries": 1}}, "privacy": {"usageStatisticsEnabled": false}}"#,
            ),
            "gemini" => write(
                ".gemini/settings.json",
                r#"{"security": {"auth": {"selectedType": "gemini-api-key"}}, "model": {"name": "gemini-2.5-flash"}, "general": {"enableAutoUpdate": false, "maxAttempts": 2}, "privacy": {"usageStatisticsEnabled": false}, "telemetry": {"enabled": false}}"#,
            ),
            "continue" => write(
                ".continue/config.yaml",
                &format!(
                    "name: own\nversion: 1.0.0\nschema: v1\nmodels:\n  - {{name: own, provider: openai, model: own, apiBase: {url}/v1, apiKey: made-up, roles: [chat], capabilities: [tool_use]}}\n"
                ),
            ),
            "droid" => write(
                ".factory/settings.json",
                &json!({"model": "custom:own-0", "customModels": [{"model": "own", "displayName": "own", "baseUrl": format!("{url}/v1"),
                    "apiKey": "made-up", "provider": "generic-chat-completion-api", "maxOutputTokens": 8192}]})
                .to_string(),
            ),
            // As its own `cline auth` writes it.
            "cline" => write(
                ".cline/data/settings/providers.json",
                &json!({"version": 1, "lastUsedProvider": "openai-compatible", "modes": {}, "providers": {
                    "openai-compatible": {"updatedAt": "2026-01-01T00:00:00.000Z", "tokenSource": "manual",
                        "settings": {"provider": "openai-compatible", "apiKey": "made-up", "model": "own",
                            "baseUrl": format!("{url}/v1")}}}})
                .to_string(),
            ),
            _ => {}
        }
    }

    /// Returns the account of the programs that find theirs in variables of their own.
    fn own_account(&self, url: &str) -> Vec<(&'static str, String)> {
        match self.agent.as_str() {
            "qwen" => vec![
                ("OPENAI_BASE_URL", format!("{url}/v1")),
                ("OPENAI_MODEL", "own".into()),
            ],
            "gemini" => vec![
                ("GOOGLE_GEMINI_BASE_URL", url.to_owned()),
                ("GEMINI_API_KEY", "made-up".into()),
            ],
            "copilot" => vec![
                ("COPILOT_PROVIDER_BASE_URL", format!("{url}/v1")),
                ("COPILOT_PROVIDER_API_KEY", "made-up".into()),
                ("COPILOT_MODEL", "own".into()),
                ("COPILOT_OFFLINE", "true".into()),
            ],
            "aider" => vec![
                ("OPENAI_API_BASE", format!("{url}/v1")),
                ("AIDER_MODEL", "openai/own".into()),
                ("ANTHROPIC_API_KEY", String::new()),
            ],
            // With this key its first run writes settings of its own.
            "continue" => vec![("ANTHROPIC_API_KEY", String::new())],
            _ => Vec::new(),
        }
    }

    /// The environment the user would have; the driver decides what of it passes.
    fn env(&self) -> Vec<(&'static str, String)> {
        let url = self.server.url();
        let opencode = json!({
            "model": "own/model", "small_model": "own/model", "autoupdate": false, "share": "disabled",
            "provider": {"own": {"npm": "@ai-sdk/openai-compatible", "name": "own",
                "options": {"baseURL": format!("{url}/v1"), "apiKey": "made-up"},
                "models": {"model": {"name": "Model", "reasoning": true, "limit": {"context": 200_000, "output": 8192},
                    "cost": {"input": 3, "output": 15}}}}},
        });
        let own = self.own_account(&url);
        let models = self.home().join(MODELS).display().to_string();
        let shared = vec![
            ("ANTHROPIC_BASE_URL", url),
            ("ANTHROPIC_API_KEY", "made-up".into()),
            ("OPENAI_API_KEY", "made-up".into()),
            ("OPENCODE_CONFIG_CONTENT", opencode.to_string()),
            ("OPENCODE_MODELS_PATH", models),
            ("OPENCODE_DISABLE_MODELS_FETCH", "1".into()),
            // Nothing is asked of these, and they are half of what a session costs.
            ("OPENCODE_DISABLE_DEFAULT_PLUGINS", "1".into()),
            ("OPENCODE_EXPERIMENTAL_DISABLE_FILEWATCHER", "1".into()),
            ("OPENCODE_DISABLE_FFF", "1".into()),
            // What a session inside a session would inherit: none of it may reach the agent.
            ("CLAUDECODE", "1".into()),
            ("CODEX_THREAD_ID", "outer".into()),
        ];
        shared.into_iter().chain(own).collect()
    }

    /// Takes away every account; a proxy that is not there stands for the rest of the network.
    pub(crate) fn log_out(&mut self) {
        let set = self.env();
        let names = set.iter().map(|(name, _)| *name);
        let of_account = names.filter(|name| !name.contains("DISABLE"));
        self.account
            .extend(of_account.map(|name| (name, String::new())));
        self.account.extend([
            ("HTTPS_PROXY", crate::accounts::NO_NETWORK.to_owned()),
            ("NO_PROXY", "127.0.0.1".to_owned()),
        ]);
        for path in [".codex/config.toml", ".continue", ".cline", ".factory"] {
            let path = self.home().join(path);
            drop(std::fs::remove_file(&path));
            drop(std::fs::remove_dir_all(&path));
        }
    }

    pub(crate) fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        command
            .current_dir(self.repo())
            .env_clear()
            .env("PATH", &self.path)
            .env("HOME", self.home())
            .env("TMPDIR", self.root.path().join("tmp"))
            .env("LANG", "C.UTF-8")
            .envs(self.env())
            .stdin(Stdio::null());
        for (name, value) in &self.account {
            match value.as_str() {
                "" => command.env_remove(name),
                value => command.env(name, value),
            };
        }
        command
    }

    pub(crate) fn git(&self, args: &[&str]) -> String {
        let out = self
            .command("git")
            .args(["-c", "user.name=Test", "-c", "user.email=test@example.org"])
            .args(args)
            .output()
            .expect("git runs");
        assert!(
            out.status.success(),
            "git {args:?}: {}",
            String::from_utf8_lossy(&out.stderr)
        );
        String::from_utf8(out.stdout).expect("UTF-8")
    }

    /// Writes and commits the plan; `keys` are added to the unit's frontmatter.
    fn plan(&self, keys: &str) {
        let repo = self.repo();
        let directory = repo.join(DIRECTORY);
        std::fs::create_dir_all(&directory).expect("a directory");
        let files: [(PathBuf, String); 5] = [
            (repo.join("README.md"), "# Hello\n".into()),
            (repo.join(".gatewalk/verification.yml"), VERIFICATION.into()),
            (directory.join("PLAN.md"), PLAN.into()),
            (directory.join("GATE-01.md"), GATE.into()),
            (
                directory.join("WU-01-hello.md"),
                UNIT_FILE.replace("KEYS\n", keys),
            ),
        ];
        for (path, text) in files {
            std::fs::write(path, text).expect("writable");
        }
        self.git(&["init", "-q", "-b", "main"]);
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "-m", "Plan it"]);
        self.git(&["config", "user.name", "Test"]);
        self.git(&["config", "user.email", "test@example.org"]);
    }

    pub(crate) fn walk(&self, keys: &str) -> Run {
        self.walk_until(keys, "never", |_| {})
    }

    /// Walks until it ends or waits; a wait is ended as Ctrl-C would.
    pub(crate) fn walk_to_wait(&self, keys: &str) -> Run {
        self.plan(keys);
        let mut child = self.start(&["--agent", &self.agent]);
        let pid = rustix::process::Pid::from_child(&child.0);
        let mut events = Vec::new();
        for line in BufReader::new(child.0.stdout.take().expect("piped")).lines() {
            let value: Value = serde_json::from_str(&line.expect("UTF-8")).expect("JSON");
            if value["event"] == "waiting" {
                rustix::process::kill_process(pid, rustix::process::Signal::INT).expect("alive");
            }
            events.push(value);
        }
        self.ended(child, events)
    }

    /// Walks with the sessions on a runner of the user's configuration.
    pub(crate) fn walk_on(&self, runner: &str, keys: &str) -> Run {
        self.plan(keys);
        let args = ["--agent", &self.agent, "--runner", runner];
        self.run(&args, "never", |_| {})
    }

    /// Walks with the agents that the plan names.
    pub(crate) fn walk_as(&self, keys: &str) -> Run {
        self.plan(keys);
        self.run(&[], "never", |_| {})
    }

    /// Walks; calls `then` once, when the driver says `event`.
    pub(crate) fn walk_until(&self, keys: &str, event: &str, then: impl FnOnce(&Server)) -> Run {
        self.plan(keys);
        self.run(&["--agent", &self.agent], event, then)
    }

    /// Starts a loop; returns it, and what reads its standard error.
    fn start(&self, args: &[&str]) -> (std::process::Child, std::thread::JoinHandle<String>) {
        let mut child = self
            .command(env!("CARGO_BIN_EXE_gatewalk"))
            .args(["loop", "--json"])
            .args(args)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("gatewalk runs");
        let errors = child.stderr.take().expect("piped");
        let errors =
            std::thread::spawn(move || std::io::read_to_string(errors).unwrap_or_default());
        (child, errors)
    }

    fn ended(
        &self,
        (mut child, errors): (std::process::Child, std::thread::JoinHandle<String>),
        events: Vec<Value>,
    ) -> Run {
        let pid = rustix::process::Pid::from_child(&child);
        let ended = rustix::process::WaitIdOptions::EXITED | rustix::process::WaitIdOptions::NOWAIT;
        rustix::process::waitid(rustix::process::WaitId::Pid(pid), ended).expect("it ends");
        let processor_seconds = processor_seconds(child.id());
        Run {
            processor_seconds,
            exit: child.wait().expect("it ends").code(),
            events,
            stderr: errors.join().expect("read"),
            requests: self.server.log(),
        }
    }

    fn run(&self, args: &[&str], event: &str, then: impl FnOnce(&Server)) -> Run {
        let mut child = self.start(args);
        let mut then = Some(then);
        let mut events = Vec::new();
        for line in BufReader::new(child.0.stdout.take().expect("piped")).lines() {
            let line = line.expect("UTF-8");
            let value: Value = serde_json::from_str(&line).expect("a JSON object a line");
            if value["event"] == event
                && let Some(then) = then.take()
            {
                then(&self.server);
            }
            events.push(value);
        }
        self.ended(child, events)
    }

    /// Lets the doctor probe the agent; returns its exit and what it said.
    pub(crate) fn probe(&self) -> (Option<i32>, Value) {
        let out = self
            .command(env!("CARGO_BIN_EXE_gatewalk"))
            .args(["doctor", "--json", "--probe", &self.agent])
            .output()
            .expect("gatewalk runs");
        let output = serde_json::from_slice(&out.stdout)
            .unwrap_or_else(|_| Value::String(String::from_utf8_lossy(&out.stderr).into_owned()));
        (out.status.code(), output)
    }

    /// Returns a file at the tip of the feature's branch.
    pub(crate) fn landed(&self, path: &str) -> Option<String> {
        let out = self
            .command("git")
            .args(["show", &format!("feat/hello:{path}")])
            .output()
            .expect("git runs");
        out.status
            .success()
            .then(|| String::from_utf8(out.stdout).expect("UTF-8"))
    }

    /// Returns how many attempts the unit was charged.
    pub(crate) fn attempts(&self) -> usize {
        let pins = self.git(&[
            "for-each-ref",
            "--format=%(refname)",
            "refs/gatewalk/attempts/",
        ]);
        let charged = pins.lines().filter(|name| {
            let number = name.rsplit('/').next().unwrap_or_default();
            name.contains(UNIT) && number.parse::<u32>().is_ok()
        });
        charged.count()
    }

    /// Asserts that nothing that was started here, and nothing that it started, is alive.
    pub(crate) fn expect_no_process(&self, run: &Run) {
        let alive: Vec<String> = alive(&self.home()).map(|(_, line)| line).collect();
        assert!(alive.is_empty(), "still alive: {alive:?}\n{run}");
    }

    /// Ends what was started here and is alive; returns how many processes that were.
    pub(crate) fn end_processes(&self) -> usize {
        let home = self.home();
        let pids = alive(&home).filter_map(|(pid, _)| rustix::process::Pid::from_raw(pid));
        let end = |pid| rustix::process::kill_process(pid, rustix::process::Signal::KILL);
        pids.filter(|pid| end(*pid).is_ok()).count()
    }
}

/// Returns what a process that has ended used, the children it waited for included.
fn processor_seconds(pid: u32) -> f64 {
    const TICKS_A_SECOND: f64 = 100.0;
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    // The name before may hold anything; behind it, its own time is the twelfth field.
    let (_, fields) = stat.rsplit_once(')').unwrap_or_default();
    let times = fields.split_whitespace().skip(11).take(4);
    let ticks = times.filter_map(|field| field.parse::<f64>().ok());
    ticks.sum::<f64>() / TICKS_A_SECOND
}

/// Returns the processes whose environment names this home, each with its command line.
fn alive(home: &Path) -> impl Iterator<Item = (i32, String)> {
    let home = home.to_string_lossy().into_owned();
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(move |entry| {
        let pid = entry.file_name().to_str()?.parse().ok()?;
        let environ = std::fs::read(entry.path().join("environ")).unwrap_or_default();
        let ours = String::from_utf8_lossy(&environ).contains(&home);
        let line = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
        ours.then(|| (pid, String::from_utf8_lossy(&line).replace('\0', " ")))
    })
}

const VERIFICATION: &str =
    "code:\n  - name: readme\n    command: \"test -s README.md\"\n    timeout: 1m\n";

const PLAN: &str = r#"---
feature_id: FEAT-2026-0001
title: Say hello
slug: hello
branch: feat/hello
roadmap_goal: a file says hello
status: active
---

# Say hello

A file says hello.

## Task graph

```yaml
gates:
  - gate: 1
    file: GATE-01.md
    work_units:
      - id: FEAT-2026-0001/T01
        file: WU-01-hello.md
        depends_on: []
```
"#;

const GATE: &str = r"---
gate: 1
status: open
---

# Gate 1: It says hello

## Definition of done

- `hello.txt` is there.
";

const UNIT_FILE: &str = r"---
id: FEAT-2026-0001/T01
type: implementation
status: pending
KEYS
produces: hello.txt
checks:
  - name: hello
    run: grep -qx right hello.txt || { cat hello.txt; exit 1; }
    expect_base: red
---

# Write hello.txt

## Objective

A file says hello.

## Context

Nothing is there yet.

## Acceptance criteria

1. `hello.txt` holds what the check asks for.

## Do not touch

- `README.md`.

## Verification

- The check `hello`.

## Escalation triggers

- The file cannot be written.
";
