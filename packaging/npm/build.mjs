// Writes the npm packages of one platform: `gatewalk`, a launcher, and `gatewalk-<os>-<cpu>`, the program.
//
// usage: node build.mjs PROGRAM OUT_DIRECTORY [PLATFORM]      PLATFORM is linux-x64, linux-arm64, darwin-x64 or darwin-arm64
import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const PLATFORMS = ["linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64"];
const [program, out, platform = `${process.platform}-${process.arch}`] = process.argv.slice(2);
if (!program || !out || !PLATFORMS.includes(platform)) {
  console.error(`usage: node build.mjs PROGRAM OUT_DIRECTORY [${PLATFORMS.join("|")}]`);
  process.exit(2);
}

const here = dirname(fileURLToPath(import.meta.url));
const version = readFileSync(join(here, "../../Cargo.toml"), "utf8").match(/^version = "(.+)"$/m)[1];
const common = {
  version,
  description: "A plain-Markdown gate-cycle driver with a linter: plans in, verified commits out",
  license: "Apache-2.0",
  // The registry holds a package's provenance against this; only a pipeline knows it.
  ...(process.env.GITHUB_REPOSITORY && {
    repository: { type: "git", url: `git+${process.env.GITHUB_SERVER_URL}/${process.env.GITHUB_REPOSITORY}.git` },
  }),
};

function write(name, manifest, files) {
  const directory = join(out, name);
  mkdirSync(join(directory, "bin"), { recursive: true });
  writeFileSync(join(directory, "package.json"), `${JSON.stringify({ name, ...common, ...manifest }, null, 2)}\n`);
  copyFileSync(join(here, "../../LICENSE"), join(directory, "LICENSE"));
  for (const [from, to] of files) {
    copyFileSync(from, join(directory, to));
    if (to.startsWith("bin/")) chmodSync(join(directory, to), 0o755);
  }
  execFileSync("npm", ["pack", "--silent", "--pack-destination", out, directory], { stdio: ["ignore", "inherit", "inherit"] });
}

const [os, cpu] = platform.split("-");
write(`gatewalk-${platform}`, { os: [os], cpu: [cpu], files: ["bin"], preferUnplugged: true }, [[program, "bin/gatewalk"]]);
write(
  "gatewalk",
  {
    bin: { gatewalk: "bin/gatewalk.cjs" },
    files: ["bin"],
    engines: { node: ">=18" },
    optionalDependencies: Object.fromEntries(PLATFORMS.map((p) => [`gatewalk-${p}`, version])),
  },
  [
    [join(here, "launcher.cjs"), "bin/gatewalk.cjs"],
    [join(here, "../../README.md"), "README.md"],
  ],
);
