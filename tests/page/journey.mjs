// The whole journey in a real browser: a plan is seen and armed, walked while the page is open, a line is commented on, a
// question answered, the gate reached and passed, the report opened. Every page is looked at by axe, at the size of a phone and
// of a desktop, light and dark.
//
// usage: node journey.mjs PROGRAM EXAMPLE PICTURES [DOCS]
//
// CHROMIUM names the browser; with DOCS, the pictures that the documentation shows are written there anew.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { cpSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { chromium } from "playwright-core";
import { found, looker, serve } from "./looks.mjs";

const [program, example, pictures, docs] = process.argv.slice(2).map((path) => resolve(path));
const root = mkdtempSync(join(tmpdir(), "gatewalk-page-"));
const repo = join(root, "repo");
const FEATURE = "FEAT-2026-0001";
const plans = ".gatewalk/features/FEAT-2026-0001-greetings";
const env = {
  PATH: process.env.PATH, HOME: join(root, "home"), LC_ALL: "C.UTF-8", GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "Ada", GIT_AUTHOR_EMAIL: "ada@example.org", GIT_COMMITTER_NAME: "Ada", GIT_COMMITTER_EMAIL: "ada@example.org",
};
const git = (...words) => execFileSync("git", words, { cwd: repo, env, stdio: "pipe" });
const walk = (sessions) => new Promise((ended) => {
  const run = spawn(program, ["loop", "--agent", `script:${join(root, sessions)}`], { cwd: repo, env, stdio: "ignore" });
  run.on("exit", ended);
});

function prepare() {
  mkdirSync(join(root, "home/.config/gatewalk"), { recursive: true });
  writeFileSync(join(root, "home/.config/gatewalk/config.yml"), `sandbox_writable: ${root}\n`);
  cpSync(example, repo, { recursive: true });
  renameSync(join(repo, "sessions"), join(root, "sessions"));
  cpSync(join(root, "sessions"), join(root, "answered"), { recursive: true });
  // After the answer the recorded second session is what happens.
  copyFileSync(join(root, "answered/T03.2.yml"), join(root, "answered/T03.1.yml"));
  const unit = join(repo, plans, "WU-01-several-names.md");
  writeFileSync(unit, readFileSync(unit, "utf8").replace("status: pending", "status: draft"));
  git("init", "-q", "-b", "main");
  git("add", "-A");
  git("commit", "-qm", "start");
}

// What the documentation shows, and in which size.
const SHOWN = { "feature-gate": "desktop", "home-question": "phone" };
const errors = [];

const look = looker(pictures, async (page, name, label) => {
  if (docs && label.startsWith(SHOWN[name])) {
    await page.screenshot({ path: join(docs, `${name}-${label}.jpg`), type: "jpeg", quality: 82 });
  }
});

/// Clicks a link, and waits until the page behind it is there with all that it is drawn with.
async function follow(page, name, path) {
  await page.getByRole("link", { name }).first().click();
  await page.waitForURL((url) => url.pathname === path);
}

async function journey(page, base) {
  const unit = (id) => `${base}/unit?repo=repo&id=${FEATURE}/${id}`;
  // The plan is seen, and armed after its review was shown.
  await follow(page, "Greetings for everyone", "/feature");
  await look(page, "feature-planned");
  await follow(page, "Review and arm", "/review");
  await look(page, "review");
  await page.getByRole("button", { name: "Arm it" }).click();
  await page.getByText("Done", { exact: true }).waitFor();

  // It is walked while the first page is open, which shows by itself what needs the user.
  await page.goto(`${base}/`);
  const first = walk("sessions");
  await page.getByRole("heading", { name: "One thing needs you" }).waitFor({ timeout: 60_000 });
  assert.equal(await first, 11);
  await look(page, "home-question");

  // By the keyboard: to the unit, to a line of its diff, and a comment on it.
  await page.getByRole("link", { name: "Greet in French" }).first().focus();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Attempt 1", exact: true }).waitFor();
  await page.getByRole("link", { name: "Comment on line 2", exact: true }).first().focus();
  await page.keyboard.press("Enter");
  const comment = page.getByLabel("What the next session should read here");
  await comment.fill("Which locale wins when two disagree?");
  await look(page, "unit-comment");
  await page.getByRole("button", { name: "Comment" }).click();
  await page.getByText("Done", { exact: true }).waitFor();
  await page.getByLabel("Your answer").fill("LC_ALL wins over LANG");
  await page.getByRole("button", { name: "Answer" }).click();
  await page.getByText("is pending again").first().waitFor();

  // The comment reaches the prompt of the next attempt, and the gate is reached.
  await page.goto(`${base}/`);
  const second = walk("answered");
  await page.getByText("waits for your review").waitFor({ timeout: 60_000 });
  assert.equal(await second, 10);
  await page.goto(unit("T03"));
  await page.getByText("Its prompt, as sent").click();
  await page.getByText("Which locale wins when two disagree?").first().waitFor();
  await look(page, "unit-landed");
  await page.goto(`${base}/feature?repo=repo&id=${FEATURE}`);
  await look(page, "feature-gate");

  // The gate is passed, the feature finished, and its report opened.
  await follow(page, "Review and arm", "/review");
  const seen = page.getByLabel("I have seen it");
  if (await seen.count()) await seen.check();
  await page.getByRole("button", { name: "Arm it" }).click();
  await page.getByText("Done", { exact: true }).waitFor();
  await page.goto(`${base}/`);
  const third = walk("answered");
  assert.equal(await third, 0);
  await page.getByRole("heading", { name: "Nothing needs you" }).waitFor({ timeout: 60_000 });
  await look(page, "home-done");
  await page.goto(`${base}/feature?repo=repo&id=${FEATURE}`);
  await follow(page, "Report", "/report");
  await page.getByRole("heading", { name: "Time", exact: true }).waitFor();
  await look(page, "report");
}

prepare();
if (docs) mkdirSync(docs, { recursive: true });
const { server, link } = await serve(program, repo, env);
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox"] });
try {
  const page = await browser.newPage();
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  page.on("pageerror", (error) => errors.push(String(error)));
  page.setDefaultTimeout(20_000);
  await page.goto(link.href);
  await page.waitForURL(`${link.origin}/`);
  assert.ok(!page.url().includes("token"), "the secret is not in the address any more");
  try {
    await journey(page, link.origin);
  } catch (error) {
    console.log(`stopped at ${page.url()}:\n${await page.locator("main").innerText().catch(() => "")}`);
    throw error;
  }
  assert.deepEqual(errors, [], "the browser has nothing to complain about");
  assert.equal(found.serious, 0, "axe finds nothing serious");
  console.log("the journey is walked");
} finally {
  await browser.close();
  server.kill();
  rmSync(root, { recursive: true, force: true });
}
