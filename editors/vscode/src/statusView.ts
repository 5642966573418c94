// The view of features, gates and units. It asks the program and shows the answer; it decides nothing.

import * as vscode from "vscode";
import { run } from "./program";
import { rows, waiting, type Row, type Status } from "./statusTree";

export class StatusView implements vscode.TreeDataProvider<Row> {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.changed.event;
  private all: Row[] = [];
  view: vscode.TreeView<Row> | undefined;

  constructor(
    private readonly program: () => string | undefined,
    private readonly root: string,
  ) {}

  async refresh(): Promise<void> {
    const program = this.program();
    if (!program) return;
    const outcome = await run(program, ["status", "--json"], this.root);
    try {
      this.all = rows(JSON.parse(outcome.stdout) as Status);
    } catch {
      // No plans yet, or none that can be read: the linter says why.
      this.all = [];
    }
    const count = waiting(this.all);
    if (this.view) {
      this.view.badge = count === 0 ? undefined : { value: count, tooltip: `${count} wait for you` };
    }
    this.changed.fire();
  }

  getChildren(row?: Row): Row[] {
    return row ? row.children : this.all;
  }

  getTreeItem(row: Row): vscode.TreeItem {
    const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
    const open = row.kind === "feature" || waiting([row]) > 0 ? Expanded : Collapsed;
    const item = new vscode.TreeItem(row.label, row.children.length === 0 ? None : open);
    item.description = row.description;
    item.tooltip = row.tooltip;
    item.iconPath = new vscode.ThemeIcon(row.icon);
    item.contextValue = `${row.kind}.${row.decision}`;
    return item;
  }
}
