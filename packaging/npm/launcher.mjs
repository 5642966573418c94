#!/usr/bin/env node
// Starts the program of this platform's package, and ends as it ends.
import { spawn } from "node:child_process";
import { createRequire } from "node:module";

const platform = `${process.platform}-${process.arch}`;
let program;
try {
  program = createRequire(import.meta.url).resolve(`gatewalk-${platform}/bin/gatewalk`);
} catch {
  console.error(`gatewalk: there is no program for ${platform} here; install without --omit=optional, or build it with cargo`);
  process.exit(5);
}
const child = spawn(program, process.argv.slice(2), { stdio: "inherit" });
// Ctrl-C reaches the program by itself; what is sent to the launcher alone is handed on.
process.on("SIGINT", () => {});
for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("error", (error) => {
  console.error(`gatewalk: cannot start ${program}: ${error.message}`);
  process.exit(5);
});
child.on("exit", (code, signal) => {
  if (signal) process.kill(process.pid, signal);
  else process.exit(code);
});
