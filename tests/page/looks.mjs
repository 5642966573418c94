// How a page is looked at: at the size of a phone and of a desktop, light and dark; nothing is cut off, axe finds nothing
// serious, a picture is kept.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
const LOOKS = [
  ["phone-light", 360, 740, "light"], ["phone-dark", 360, 740, "dark"],
  ["desktop-light", 1280, 860, "light"], ["desktop-dark", 1280, 860, "dark"],
];

/// What axe has found so far, of every page.
export const found = { serious: 0, looks: 0 };

/// Returns a function that looks at a page under a name; `keep` may do more with each look.
export function looker(pictures, keep = async () => {}) {
  mkdirSync(pictures, { recursive: true });
  return async (page, name) => {
    // A text can be there before the style sheet is, and then all of it is too small and too wide.
    await page.waitForLoadState("load");
    for (const [label, width, height, colorScheme] of LOOKS) {
      found.looks += 1;
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(over <= 0, `${name} ${label}: ${over} px wider than the window`);
      // The policy forbids foreign scripts, so axe comes in beside the page.
      const { violations } = await page.evaluate(`${axe}; axe.run(document, { runOnly: ${JSON.stringify(RULES)} })`);
      for (const { id, impact, nodes } of violations) {
        console.log(`${name} ${label}: ${impact} ${id}: ${nodes.map((n) => n.target).slice(0, 3).join(" ")}`);
        if (impact === "serious" || impact === "critical") found.serious += 1;
      }
      await page.screenshot({ path: join(pictures, `${name}-${label}.png`), fullPage: true });
      await keep(page, name, label);
    }
  };
}

/// Starts the pages of a repository; returns the process, and the link that it prints.
export function serve(program, cwd, env, options = []) {
  const server = spawn(program, ["serve", ...options], { cwd, env, stdio: ["ignore", "pipe", "ignore"] });
  return new Promise((started) => {
    server.stdout.once("data", (line) => started({ server, link: new URL(String(line).trim()) }));
  });
}
