// The parts that need no editor, bundled apart: the tree from the real program's answer, finding the program, running it. And
// the whole bundle with a stand-in for the editor: what it registers, and what its commands ask before they decide.

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { buildSync } from "esbuild";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire, Module } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";

const require = createRequire(import.meta.url);
const here = dirname(fileURLToPath(import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), "gatewalk-view-"));
after(() => rmSync(scratch, { recursive: true, force: true }));

function bundled(name) {
  const outfile = join(scratch, `${name}.cjs`);
  buildSync({ entryPoints: [join(here, `../src/${name}.ts`)], bundle: true, outfile, format: "cjs", platform: "node" });
  return require(outfile);
}

const built = join(here, "../../../target/debug/gatewalk");
const program = process.env.GATEWALK ?? (existsSync(built) ? built : "gatewalk");
const missing = spawnSync(program, ["--version"]).status !== 0 && `${program} does not start`;
const { rows, waiting } = bundled("statusTree");
const { find, installers, run } = bundled("program");

/** The worked example, with its first units landed and the third one parked. */
function walked() {
  const root = join(scratch, "walked");
  if (existsSync(root)) return root;
  cpSync(join(here, "../../../examples/two-gates"), root, { recursive: true });
  const sessions = join(scratch, "sessions");
  cpSync(join(root, "sessions"), sessions, { recursive: true });
  rmSync(join(root, "sessions"), { recursive: true });
  const git = (...args) => execFileSync("git", ["-c", "user.name=T", "-c", "user.email=t@localhost", ...args], { cwd: root });
  git("init", "-q", "-b", "main");
  git("config", "user.name", "T");
  git("config", "user.email", "t@localhost");
  git("add", "-A");
  git("commit", "-qm", "Start");
  const env = { ...process.env, HOME: scratch };
  assert.equal(spawnSync(program, ["loop", "--agent", `script:${sessions}`], { cwd: root, env }).status, 11);
  return root;
}

test("the tree shows what stands where, and what can be decided", { skip: missing }, async () => {
  const outcome = await run(program, ["status", "--json"], walked());
  assert.equal(outcome.code, 0, outcome.stderr);
  const all = rows(JSON.parse(outcome.stdout));
  assert.equal(all.length, 1);
  const [feature] = all;
  assert.match(feature.description, /^FEAT-2026-0001, active$/);
  const units = feature.children.flatMap((gate) => gate.children);
  const unit = (id) => units.find((row) => row.id.endsWith(id));
  assert.deepEqual([unit("T01").icon, unit("T01").decision], ["pass", "none"]);
  assert.match(unit("T02").description, /^done, 2 attempts, \$0\.12$/);
  assert.deepEqual([unit("T03").icon, unit("T03").decision], ["warning", "unblock"]);
  assert.match(unit("T03").tooltip, /blocked/);
  assert.equal(unit("T04").decision, "arm");
  assert.equal(waiting(all), 1);
});

test("the program is found by path, on PATH, and where installers put it", () => {
  const home = join(scratch, "home");
  mkdirSync(join(home, ".local/bin"), { recursive: true });
  const own = join(home, ".local/bin/gatewalk-of-the-test");
  writeFileSync(own, "#!/bin/sh\n", { mode: 0o755 });
  assert.equal(find(own, "", home), own);
  assert.equal(find("~/.local/bin/gatewalk-of-the-test", "", home), own);
  assert.equal(find("gatewalk-of-the-test", "", home), own);
  assert.equal(find("gatewalk-of-the-test", "/elsewhere", join(scratch, "nobody")), undefined);
  writeFileSync(join(home, ".local/bin/not-a-program"), "", { mode: 0o644 });
  assert.equal(find("not-a-program", "", home), undefined);
  // A directory of the workspace on PATH names no program.
  assert.equal(find("gatewalk-of-the-test", "relative:.", join(scratch, "nobody")), undefined);
  writeFileSync(join(home, ".local/bin/pipx"), "#!/bin/sh\n", { mode: 0o755 });
  assert.deepEqual(installers(join(home, ".local/bin")).map(({ tool }) => tool), ["pipx"]);
});

test("a program that is not there is an outcome, not a crash", async () => {
  const outcome = await run(join(scratch, "nothing"), ["status"], scratch);
  assert.equal(outcome.code, -1);
  assert.match(outcome.stderr, /ENOENT/);
});

/** A stand-in for the editor: it records what is registered, and answers questions as the test says. */
function editor(root, path, answers) {
  const shown = { commands: new Map(), messages: [], documents: [], views: [], typed: [] };
  const disposable = { dispose() {} };
  const watcher = { onDidChange() {}, onDidCreate() {}, onDidDelete() {}, ...disposable };
  const message = async (text, ...rest) => {
    shown.messages.push(text);
    const labels = rest.filter((item) => typeof item === "string");
    return labels.find((label) => answers.buttons?.includes(label));
  };
  class Anything {
    constructor(...args) {
      this.args = args;
    }
    event = () => disposable;
    fire() {}
    dispose() {}
  }
  const known = {
    workspace: {
      workspaceFolders: root ? [{ uri: { fsPath: root } }] : undefined,
      getConfiguration: () => ({ get: (_, other) => path ?? other }),
      onDidChangeConfiguration: () => disposable,
      createFileSystemWatcher: () => watcher,
      openTextDocument: async ({ content }) => shown.documents.push(content) && content,
    },
    window: {
      createTreeView: (id, options) => {
        const view = { id, ...options, ...disposable };
        shown.views.push(view);
        return view;
      },
      showTextDocument: async () => undefined,
      showInformationMessage: message,
      showWarningMessage: message,
      showErrorMessage: message,
      showInputBox: async () => answers.input,
      createTerminal: () => ({ show() {}, sendText: (text, enter) => shown.typed.push([text, enter]) }),
      onDidChangeWindowState: () => disposable,
    },
    commands: {
      registerCommand: (name, action) => shown.commands.set(name, action) && disposable,
      executeCommand: async () => undefined,
    },
    TreeItemCollapsibleState: { None: 0, Collapsed: 1, Expanded: 2 },
    ViewColumn: { Beside: -2 },
    ThemeIcon: Anything,
    EventEmitter: Anything,
    RelativePattern: Anything,
    TreeItem: Anything,
    version: "1.82.0",
  };
  // What the client library takes from the editor beyond that is a class to extend or a table to read.
  const rest = new Proxy(Anything, { get: (target, name) => (name in target ? target[name] : Anything) });
  return { shown, api: new Proxy(known, { get: (target, name) => target[name] ?? rest }) };
}

/** Loads the bundle in an editor, without its language server. */
async function started(root, path, answers = {}) {
  const { shown, api } = editor(root, path, answers);
  const source = readFileSync(join(here, "../src/extension.ts"), "utf8");
  const stand_in = join(scratch, "client.js");
  writeFileSync(stand_in, "exports.LanguageClient = class { async start() {} async stop() {} };\n");
  assert.match(source, /vscode-languageclient\/node/);
  const outfile = join(scratch, `extension-${Math.random()}.cjs`);
  buildSync({
    entryPoints: [join(here, "../src/extension.ts")],
    bundle: true,
    outfile,
    format: "cjs",
    platform: "node",
    external: ["vscode"],
    alias: { "vscode-languageclient/node": stand_in },
  });
  const load = Module._load;
  Module._load = (name, ...more) => (name === "vscode" ? api : load(name, ...more));
  const context = { subscriptions: [] };
  try {
    await require(outfile).activate(context);
  } finally {
    Module._load = load;
  }
  return shown;
}

test("every command of the manifest is registered, and the view shows the feature", { skip: missing }, async () => {
  const manifest = JSON.parse(readFileSync(join(here, "../package.json"), "utf8"));
  const shown = await started(walked(), program);
  for (const { command } of manifest.contributes.commands) {
    assert.ok(shown.commands.has(command), `${command} is registered`);
  }
  const [view] = shown.views;
  assert.equal(view.id, manifest.contributes.views.gatewalk[0].id);
  assert.equal(view.treeDataProvider.getChildren().length, 1);
  assert.equal(view.badge.value, 1);
});

test("nothing is armed or unblocked before the user agreed", { skip: missing }, async () => {
  const root = walked();
  const head = () => execFileSync("git", ["rev-parse", "HEAD"], { cwd: root }).toString();
  const before = head();
  const parked = { id: "FEAT-2026-0001/T03" };
  const refusing = await started(root, program);
  await refusing.commands.get("gatewalk.arm")({ id: "FEAT-2026-0001" });
  await refusing.commands.get("gatewalk.unblock")(parked);
  assert.equal(head(), before);
  assert.ok(refusing.messages.includes("Arm FEAT-2026-0001?"));
  assert.ok(refusing.documents.some((text) => text.startsWith("gatewalk review FEAT-2026-0001")));
  assert.ok(refusing.documents.some((text) => text.startsWith("gatewalk why FEAT-2026-0001/T03")));
  const agreeing = await started(root, program, { input: "LC_ALL wins" });
  await agreeing.commands.get("gatewalk.unblock")(parked);
  assert.notEqual(head(), before, agreeing.messages.join("\n"));
});

test("where the program is missing, installing it is offered and not done", async () => {
  const path = process.env.PATH;
  const tools = join(scratch, "tools");
  mkdirSync(tools, { recursive: true });
  writeFileSync(join(tools, "uv"), "#!/bin/sh\n", { mode: 0o755 });
  process.env.PATH = tools;
  try {
    const shown = await started(scratch, join(scratch, "nothing"), { buttons: ["Install with uv"] });
    assert.match(shown.messages[0], /is not here/);
    assert.deepEqual(shown.typed, [["uv tool install gatewalk", false]]);
  } finally {
    process.env.PATH = path;
  }
});
