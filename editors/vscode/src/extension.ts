// Starts `gatewalk lsp`, shows `gatewalk status`, and offers the user's decisions. What is known, the program knows.

import * as vscode from "vscode";
import { LanguageClient } from "vscode-languageclient/node";
import * as decisions from "./decisions";
import { clientOptions, serverOptions } from "./options";
import { find, installers } from "./program";
import type { Row } from "./statusTree";
import { StatusView } from "./statusView";

let client: LanguageClient | undefined;

function setting(): string {
  return vscode.workspace.getConfiguration("gatewalk").get<string>("path", "gatewalk");
}

/** Offers to install the program: the command is typed into a terminal, and the user runs it. */
async function offer(): Promise<void> {
  const ways = installers();
  const settings = "Choose the program…";
  const titles = ways.map(({ tool }) => `Install with ${tool}`);
  const message = `\`${setting()}\` is not here. Gatewalk's view and findings need it.`;
  const chosen = await vscode.window.showWarningMessage(message, ...titles, settings);
  if (chosen === settings) {
    await vscode.commands.executeCommand("workbench.action.openSettings", "gatewalk.path");
  }
  const way = ways[titles.indexOf(chosen ?? "")];
  if (way) {
    const terminal = vscode.window.createTerminal("Install Gatewalk");
    terminal.show();
    terminal.sendText(way.command, false);
  }
}

async function start(): Promise<void> {
  const program = find(setting());
  if (!program) {
    await offer();
    return;
  }
  client = new LanguageClient("gatewalk", "Gatewalk", serverOptions(program), clientOptions());
  try {
    await client.start();
  } catch (error) {
    const open = "Open settings";
    const said = `\`${program} lsp\` does not start: ${error instanceof Error ? error.message : error}`;
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

/** Registers the view and the commands of the first directory that has plans. */
function showStatus(context: vscode.ExtensionContext, root: string): StatusView {
  const status = new StatusView(() => find(setting()), root);
  const refresh = () => void status.refresh();
  status.view = vscode.window.createTreeView("gatewalk.status", { treeDataProvider: status });
  type Decision = (place: decisions.Place, row: Row | undefined) => Promise<void>;
  const command = (name: string, decision: Decision) =>
    vscode.commands.registerCommand(name, (row?: Row) => {
      const program = find(setting());
      return program ? decision({ program, root, done: refresh }, row) : offer();
    });
  const plans = vscode.workspace.createFileSystemWatcher(
    new vscode.RelativePattern(root, "{.gatewalk,.specfuse}/**"),
  );
  const heartbeat = vscode.workspace.createFileSystemWatcher(
    new vscode.RelativePattern(root, ".git/gatewalk/heartbeat"),
  );
  for (const watcher of [plans, heartbeat]) {
    watcher.onDidChange(refresh);
    watcher.onDidCreate(refresh);
    watcher.onDidDelete(refresh);
  }
  context.subscriptions.push(
    status.view,
    plans,
    heartbeat,
    vscode.commands.registerCommand("gatewalk.refresh", refresh),
    command("gatewalk.review", decisions.review),
    command("gatewalk.arm", decisions.arm),
    command("gatewalk.unblock", decisions.unblock),
    command("gatewalk.why", decisions.why),
    vscode.window.onDidChangeWindowState((state) => (state.focused ? refresh() : undefined)),
  );
  return status;
}

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  const status = root ? showStatus(context, root) : undefined;
  const restart = async () => {
    await stop();
    await start();
    await status?.refresh();
  };
  context.subscriptions.push(
    vscode.commands.registerCommand("gatewalk.restart", restart),
    vscode.workspace.onDidChangeConfiguration((event) =>
      event.affectsConfiguration("gatewalk.path") ? restart() : undefined,
    ),
  );
  await start();
  await status?.refresh();
}

export async function deactivate(): Promise<void> {
  await stop();
}
