// Finding the program, and running it; apart from the editor, so that it can be tried without one.

import { execFile } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, isAbsolute, join } from "node:path";

/** Ways to install it, as a user would type them; the first one whose tool is here is offered first. */
export const INSTALLERS = [
  { tool: "uv", command: "uv tool install gatewalk" },
  { tool: "pipx", command: "pipx install gatewalk" },
  { tool: "npm", command: "npm install --global gatewalk" },
  { tool: "brew", command: "brew install gatewalk" },
];

function runs(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function onPath(name: string, path: string): string | undefined {
  return path
    .split(delimiter)
    .filter((directory) => isAbsolute(directory))
    .map((directory) => join(directory, name))
    .find(runs);
}

/**
 * The program that a setting names: a path, or a name on PATH. A name that is not there is looked for where installers put
 * programs, because an editor started from a desktop often has a shorter PATH than a shell.
 */
export function find(setting: string, path = process.env.PATH ?? "", home = homedir()): string | undefined {
  if (setting.includes("/") || setting.includes("\\")) {
    const expanded = setting.startsWith("~/") ? join(home, setting.slice(2)) : setting;
    return runs(expanded) ? expanded : undefined;
  }
  const usual = [".local/bin", ".cargo/bin", ".npm-global/bin"].map((directory) => join(home, directory));
  const system = ["/usr/local/bin", "/opt/homebrew/bin", "/usr/bin"];
  return onPath(setting, path) ?? onPath(setting, [...usual, ...system].join(delimiter));
}

/** The installers whose tool is here. */
export function installers(path = process.env.PATH ?? ""): { tool: string; command: string }[] {
  return INSTALLERS.filter(({ tool }) => onPath(tool, path));
}

/** What a command came to. */
export interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs a command of the program in a repository; its input is closed. */
export function run(program: string, args: string[], cwd: string): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = execFile(program, args, { cwd, maxBuffer: 16 * 1024 * 1024 }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === "number" ? error.code : -1;
      resolve({ code, stdout, stderr: code === -1 ? `${stderr}${error?.message ?? ""}` : stderr });
    });
    child.stdin?.end();
  });
}
