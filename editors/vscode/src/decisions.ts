// The commands by which a user decides. Each shows what it is about, asks, and then runs one command of the program.

import * as vscode from "vscode";
import { run, type Outcome } from "./program";
import type { Row } from "./statusTree";

/** Where commands run, and what happens after one. */
export interface Place {
  program: string;
  root: string;
  done: () => void;
}

/** Shows a text that the program printed, beside the plan. */
async function show(title: string, outcome: Outcome): Promise<void> {
  const content = `${title}\n\n${outcome.stdout}${outcome.stderr}`;
  const document = await vscode.workspace.openTextDocument({ content, language: "plaintext" });
  await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preview: true });
}

async function decide(place: Place, args: string[]): Promise<void> {
  const outcome = await run(place.program, args, place.root);
  const text = `${outcome.stdout}${outcome.stderr}`.trim();
  if (outcome.code === 0) void vscode.window.showInformationMessage(text);
  else void vscode.window.showErrorMessage(text, { modal: true });
  place.done();
}

export async function review(place: Place, row: Row | undefined): Promise<void> {
  const args = ["review", ...(row ? [row.id.split("/")[0]] : [])];
  await show(`gatewalk ${args.join(" ")}`, await run(place.program, args, place.root));
}

export async function why(place: Place, row: Row | undefined): Promise<void> {
  if (row) await show(`gatewalk why ${row.id}`, await run(place.program, ["why", row.id], place.root));
}

/** Arms after the review was shown and the user agreed. */
export async function arm(place: Place, row: Row | undefined): Promise<void> {
  await review(place, row);
  const what = row?.id ?? "every draft of the current gate";
  const detail = "Drafts become work: the next run gives them to an agent. The review is shown beside.";
  const agreed = await vscode.window.showWarningMessage(`Arm ${what}?`, { modal: true, detail }, "Arm");
  if (agreed === "Arm") await decide(place, ["arm", ...(row ? [row.id] : [])]);
}

/** Sends a parked unit back to work, with the user's reason. */
export async function unblock(place: Place, row: Row | undefined): Promise<void> {
  if (!row) return;
  await why(place, row);
  const reason = await vscode.window.showInputBox({
    title: `Send ${row.id} back to work`,
    prompt: "Why it can go on now, for the next session and the record",
    ignoreFocusOut: true,
    validateInput: (text) => (text.trim() === "" ? "A reason is needed" : undefined),
  });
  if (reason) await decide(place, ["unblock", row.id, "--reason", reason]);
}
