// Starts `gatewalk lsp` and hands it the files of state directories. What is known, the server knows.

import * as vscode from "vscode";
import { LanguageClient } from "vscode-languageclient/node";
import { clientOptions, serverOptions } from "./options";

let client: LanguageClient | undefined;

async function start(): Promise<void> {
  const path = vscode.workspace.getConfiguration("gatewalk").get<string>("path", "gatewalk");
  client = new LanguageClient("gatewalk", "Gatewalk", serverOptions(path), clientOptions());
  try {
    await client.start();
  } catch (error) {
    const open = "Open settings";
    const said = `\`${path} lsp\` does not start: ${error instanceof Error ? error.message : error}`;
    if ((await vscode.window.showErrorMessage(said, open)) === open) {
      await vscode.commands.executeCommand("workbench.action.openSettings", "gatewalk.path");
    }
  }
}

async function stop(): Promise<void> {
  const old = client;
  client = undefined;
  // One that never started cannot be stopped.
  await old?.stop().catch(() => undefined);
}

async function restart(): Promise<void> {
  await stop();
  await start();
}

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  context.subscriptions.push(
    vscode.commands.registerCommand("gatewalk.restart", restart),
    vscode.workspace.onDidChangeConfiguration((event) =>
      event.affectsConfiguration("gatewalk.path") ? restart() : undefined,
    ),
  );
  await start();
}

export async function deactivate(): Promise<void> {
  await stop();
}
