#!/usr/bin/env node
// Starts the program of this platform's package, and ends as it ends.
"use strict";
const { spawn } = require("node:child_process");

const platform = `${process.platform}-${process.arch}`;
let program;
try {
  program = require.resolve(`gatewalk-${platform}/bin/gatewalk`);
} catch {
  console.error(`gatewalk: there is no program for ${platform} here; install without --omit=optional, or build it with cargo`);
  process.exit(5);
}
const child = spawn(program, process.argv.slice(2), { stdio: "inherit" });
// What is sent to the launcher alone is handed on; the program takes a wish that reaches it twice for one.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("error", (error) => {
  console.error(`gatewalk: cannot start ${program}: ${error.message}`);
  process.exit(5);
});
child.on("exit", (code, signal) => {
  if (!signal) process.exit(code);
  // While somebody listens, a signal ends nothing, and the launcher would end as if all were well.
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});
