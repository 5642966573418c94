// Pages as nobody hopes to see them: nothing there yet, a plan that cannot be read, titles that are markup or have no end, what is
// not there, who was not let in, and pages that decide nothing.
//
// usage: node states.mjs PROGRAM EXAMPLE PICTURES
//
// CHROMIUM names the browser.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { chromium } from "playwright-core";
import { found, looker, serve } from "./looks.mjs";

const [program, example, pictures] = process.argv.slice(2).map((path) => resolve(path));
const root = mkdtempSync(join(tmpdir(), "gatewalk-states-"));
const MARKUP = `<img src=x onerror="document.title='broken in'"> & ${"word ".repeat(60)}${"x".repeat(300)}`;
const FEATURE = "FEAT-2026-0001";
const plans = ".gatewalk/features/FEAT-2026-0001-greetings";
const env = {
  PATH: process.env.PATH, HOME: root, LC_ALL: "C.UTF-8", GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "Ada", GIT_AUTHOR_EMAIL: "ada@example.org", GIT_COMMITTER_NAME: "Ada", GIT_COMMITTER_EMAIL: "ada@example.org",
};

/// Makes a repository of the example, changed; returns where it is.
function repository(name, change) {
  const repo = join(root, name);
  cpSync(example, repo, { recursive: true });
  change(repo);
  for (const words of [["init", "-q", "-b", "main"], ["add", "-A"], ["commit", "-qm", "start"]]) {
    execFileSync("git", words, { cwd: repo, env, stdio: "pipe" });
  }
  return repo;
}

const edited = (file, from, to) => writeFileSync(file, readFileSync(file, "utf8").replace(from, () => to));
const hostile = repository("hostile", (repo) => {
  const lines = Array.from({ length: 400 }, (_, at) => `  ${at === 0 ? MARKUP : `line ${at}`}`);
  edited(join(repo, plans, "PLAN.md"), /^title: .*$/m, `title: |\n${lines.join("\n")}`);
  edited(join(repo, plans, "WU-01-several-names.md"), /^# .*$/m, `# ${MARKUP}`);
});
const broken = repository("broken", (repo) => edited(join(repo, plans, "PLAN.md"), /^gates:/m, "gats:"));
const empty = repository("empty", (repo) => {
  rmSync(join(repo, ".gatewalk/features"), { recursive: true });
  mkdirSync(join(repo, ".gatewalk/features"));
});

// Units enough that a requirement has a row of links, and the drawing no room.
const crowded = repository("crowded", (repo) => {
  const unit = readFileSync(join(repo, plans, "WU-01-several-names.md"), "utf8");
  const numbers = Array.from({ length: 18 }, (_, at) => at + 10);
  for (const number of numbers) writeFileSync(join(repo, plans, `WU-${number}-more.md`), unit.replaceAll("/T01", `/T${number}`));
  const node = (number) => `      - id: ${FEATURE}/T${number}\n        file: WU-${number}-more.md\n        depends_on: []\n`;
  edited(join(repo, plans, "PLAN.md"), "    work_units:\n", `    work_units:\n${numbers.map(node).join("")}`);
});

const pages = [
  ["empty-home", empty, [], "", "No feature yet."],
  ["broken-home", broken, [], "", "its plan has errors"],
  ["broken-feature", broken, [], `feature?id=${FEATURE}`, "gatewalk lint"],
  ["hostile-home", hostile, [], "", "onerror"],
  ["hostile-feature", hostile, [], `feature?id=${FEATURE}`, "onerror"],
  ["hostile-unit", hostile, [], `unit?id=${FEATURE}/T01`, "word word"],
  ["crowded-feature", crowded, [], `feature?id=${FEATURE}`, "T27"],
  ["no-such-unit", hostile, [], `unit?id=${FEATURE}/T99`, "T99"],
  ["no-such-page", hostile, [], "nowhere", "no page"],
  ["decides-nothing", hostile, ["--read-only"], `feature?id=${FEATURE}`, "onerror"],
];

const look = looker(pictures);
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox"] });
try {
  for (const [name, repo, options, path, shown] of pages) {
    const { server, link } = await serve(program, repo, env, options);
    try {
      const page = await browser.newPage();
      page.setDefaultTimeout(20_000);
      await page.goto(`${link.origin}/`);
      if (name === "empty-home") await look(page, "not-let-in");
      await page.goto(link.href);
      await page.waitForURL(`${link.origin}/`);
      await page.goto(`${link.origin}/${path}`);
      await page.getByText(shown).first().waitFor();
      assert.notEqual(await page.title(), "broken in", `${name}: a title acted`);
      if (options.length) assert.equal(await page.locator("form").count(), 0, `${name}: it offers to decide`);
      await look(page, name);
      await page.close();
    } finally {
      server.kill();
    }
  }
  assert.equal(found.serious, 0, "axe finds nothing serious");
  console.log(`${pages.length + 1} states, ${found.looks} looks`);
} finally {
  await browser.close();
  rmSync(root, { recursive: true, force: true });
}
