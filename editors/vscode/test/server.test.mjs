// The bundle loads with a stand-in for the editor, starts the real server through the real client
// library's transport, and gets findings for a buffer.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

const require = createRequire(import.meta.url);
const rpc = require("vscode-jsonrpc/node");
const here = dirname(fileURLToPath(import.meta.url));
const built = join(here, "../../../target/debug/gatewalk");
const program = process.env.GATEWALK ?? (existsSync(built) ? built : "gatewalk");
const missing = spawnSync(program, ["--version"]).status !== 0 && `${program} does not start`;

test("the manifest names what the bundle needs", () => {
  const manifest = JSON.parse(readFileSync(join(here, "../package.json"), "utf8"));
  assert.ok(existsSync(join(here, "..", manifest.main)), "the bundle is built");
  const bundle = readFileSync(join(here, "..", manifest.main), "utf8");
  for (const { command } of manifest.contributes.commands) {
    assert.ok(bundle.includes(`"${command}"`), `${command} is registered`);
  }
  assert.match(bundle, /args: \["lsp"\]/);
  assert.match(bundle, /\{\.gatewalk,\.specfuse\}/);
});

test("the server answers over standard input and output", { skip: missing }, async () => {
  const root = mkdtempSync(join(tmpdir(), "gatewalk-vscode-"));
  const folder = join(root, ".gatewalk/features/FEAT-2026-0001-export");
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "PLAN.md");
  writeFileSync(file, "");
  const server = spawn(program, ["lsp"], { stdio: ["pipe", "pipe", "inherit"] });
  const connection = rpc.createMessageConnection(
    new rpc.StreamMessageReader(server.stdout),
    new rpc.StreamMessageWriter(server.stdin),
  );
  try {
    connection.listen();
    const uri = pathToFileURL(file).href;
    const found = new Promise((resolve) => {
      connection.onNotification("textDocument/publishDiagnostics", (params) => {
        const unknown = params.diagnostics.find((d) => d.code === "GW105");
        if (params.uri === uri && unknown) resolve(unknown);
      });
    });
    const { capabilities } = await connection.sendRequest("initialize", {
      processId: process.pid,
      rootUri: pathToFileURL(root).href,
      capabilities: {},
    });
    assert.ok(capabilities.completionProvider && capabilities.renameProvider.prepareProvider);
    await connection.sendNotification("initialized", {});
    const text = "---\nfeature_id: FEAT-2026-0001\nstatsu: active\n---\n";
    await connection.sendNotification("textDocument/didOpen", {
      textDocument: { uri, languageId: "markdown", version: 1, text },
    });
    const unknown = await found;
    assert.match(unknown.message, /statsu/);
    assert.deepEqual(unknown.range.start, { line: 2, character: 0 });
    await connection.sendRequest("shutdown");
    await connection.sendNotification("exit");
    const code = await new Promise((resolve) => server.once("exit", resolve));
    assert.equal(code, 0);
  } finally {
    connection.dispose();
    server.kill();
    rmSync(root, { recursive: true, force: true });
  }
});
