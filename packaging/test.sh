#!/usr/bin/env bash
# Builds every package of this platform, installs it in a scratch place, uses it, and removes it again.
#
# usage: packaging/test.sh PROGRAM      PROGRAM is a release build of this tree. Needs python3, npm and dpkg-deb; what is
# missing is skipped aloud.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
program=$(realpath "$1")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
version=$("$program" -V)
static="$(uname -m)-unknown-linux-musl"
export GIT_AUTHOR_NAME=T GIT_AUTHOR_EMAIL=t@example.invalid GIT_COMMITTER_NAME=T GIT_COMMITTER_EMAIL=t@example.invalid
passed=0

ok() { passed=$((passed + 1)); printf 'ok: %s\n' "$1"; }
fail() { printf 'FAILED: %s\n' "$1" >&2; exit 1; }
same() { [ "$2" = "$3" ] && ok "$1" || fail "$1: expected \`$3\`, got \`$2\`"; }
skip() { printf 'skipped: %s\n' "$1"; }

# A repository with plans: the worked example, committed.
plans() {
  mkdir -p "$1"
  cp -r "$root/examples/two-gates/." "$1/"
  rm -rf "$1/sessions"
  git -C "$1" init -q -b main
  # For those who pass on none of our variables.
  git -C "$1" config user.name T
  git -C "$1" config user.email t@example.invalid
  git -C "$1" add -A
  git -C "$1" commit -qm "Start"
}

wheel() {
  command -v python3 >/dev/null || { skip "no python3"; return; }
  python3 -m venv "$scratch/build" 2>/dev/null || { skip "python3 has no venv"; return; }
  "$scratch/build/bin/pip" install --quiet "maturin>=1.7,<2" || { skip "maturin could not be installed"; return; }
  case $program in
    # The static program is built already, as its wheel will: nothing is compiled again.
    */"$static"/release/*) PATH="$scratch/build/bin:$PATH" sh "$root/packaging/release/build_wheel.sh" "$static" "$scratch/wheel" ;;
    *) (cd "$root" && PATH="$scratch/build/bin:$PATH" maturin build --quiet --release --locked --out "$scratch/wheel") ;;
  esac
  python3 -m venv "$scratch/use"
  "$scratch/use/bin/pip" install --quiet --no-index "$scratch"/wheel/*.whl
  same "the wheel's program" "$("$scratch/use/bin/gatewalk" -V)" "$version"
  "$scratch/use/bin/gatewalk" --version | grep -q "^from a Python wheel: " && ok "it knows that it came from a wheel" || fail "$("$scratch/use/bin/gatewalk" --version)"
  "$scratch/use/bin/gatewalk" demo >"$scratch/demo.txt" 2>&1 && ok "demo from the wheel" || { cat "$scratch/demo.txt"; fail "demo from the wheel"; }
}

npm_packages() {
  command -v npm >/dev/null || { skip "no npm"; return; }
  mkdir -p "$scratch/npm/out" "$scratch/npm/use"
  node "$root/packaging/npm/build.mjs" "$program" "$scratch/npm/out" >/dev/null
  (cd "$scratch/npm/use" && npm init -y >/dev/null && npm install --silent --no-audit --no-fund --offline --omit=optional "$scratch"/npm/out/*.tgz)
  local run="$scratch/npm/use/node_modules/.bin/gatewalk" code=0
  same "the npm package's program" "$("$run" -V)" "$version"
  "$run" --version | grep -q "^from a project's npm packages: " && ok "it knows that it came from npm" || fail "$("$run" --version)"
  "$run" no-such-command >/dev/null 2>&1 || code=$?
  same "its exit code" "$code" 2
  # A program that a signal ends ended badly, whoever sent it.
  local inner signal ends=
  inner=$(echo "$scratch"/npm/use/node_modules/gatewalk-*/bin/gatewalk)
  # The two that nobody who starts this can have ignored.
  for signal in TERM KILL; do
    printf '#!/bin/sh\nkill -%s $$\n' "$signal" >"$inner"
    code=0; "$run" >/dev/null 2>&1 || code=$?
    ends="$ends $code"
  done
  same "it ends as its program does" "$ends" " 143 137"
}

deb() {
  command -v dpkg-deb >/dev/null || { skip "no dpkg-deb"; return; }
  local package
  package=$(sh "$root/packaging/deb/build.sh" "$program" "$scratch/deb")
  mkdir "$scratch/deb/files"
  dpkg-deb -x "$package" "$scratch/deb/files"
  local file
  (cd "$scratch/deb/files" && dpkg-deb -I "$package" md5sums | md5sum --quiet --check) || fail "the package's checksums"
  for file in usr/bin/gatewalk usr/share/doc/gatewalk/copyright usr/share/man/man1/gatewalk.1.gz usr/share/man/man1/gatewalk-lint.1.gz \
    usr/share/bash-completion/completions/gatewalk usr/share/zsh/vendor-completions/_gatewalk; do
    [ -s "$scratch/deb/files/$file" ] || fail "the package has no $file"
  done
  ok "program, manual pages and completions are in the Debian package"
  [ "$(id -u)" = 0 ] && [ ! -e /usr/bin/gatewalk ] || { skip "installing the Debian package: not root, or one is installed"; return; }
  dpkg -i "$package" >/dev/null || fail "dpkg -i"
  same "the installed program" "$(/usr/bin/gatewalk -V)" "$version"
  /usr/bin/gatewalk --version | grep -q "^from the Debian package: " && ok "it knows that it came from Debian's" || fail "$(/usr/bin/gatewalk --version)"
  dpkg -L gatewalk | while read -r path; do [ -d "$path" ] || echo "$path"; done >"$scratch/deb/list"
  dpkg --purge gatewalk >/dev/null 2>&1
  while read -r path; do [ ! -e "$path" ] || fail "$path is left after the removal"; done <"$scratch/deb/list"
  ok "removed without residue ($(wc -l <"$scratch/deb/list") files)"
}

# pre-commit's own program. The hook's environment is the wheel that was just built, so that nothing is compiled twice.
pre_commit() {
  [ -x "$scratch/build/bin/pip" ] || { skip "pre-commit: no wheel was built"; return; }
  "$scratch/build/bin/pip" install --quiet pre-commit || { skip "pre-commit could not be installed"; return; }
  mkdir "$scratch/hook"
  cp "$root/.pre-commit-hooks.yaml" "$scratch/hook/"
  cp "$scratch"/wheel/*.whl "$scratch/hook/"
  # What the index of packages would serve by name is the file here.
  printf '[build-system]\nrequires = ["setuptools"]\nbuild-backend = "setuptools.build_meta"\n[project]\nname = "hook"\nversion = "0"\ndependencies = ["gatewalk @ file://%s"]\n[tool.setuptools]\npy-modules = []\n' \
    "$(echo "$scratch"/wheel/*.whl)" >"$scratch/hook/pyproject.toml"
  git -C "$scratch/hook" init -q && git -C "$scratch/hook" add -A && git -C "$scratch/hook" commit -qm "Hook"
  plans "$scratch/with-hook"
  cd "$scratch/with-hook"
  printf 'repos:\n- repo: %s\n  rev: %s\n  hooks: [{id: gatewalk-lint}]\n' "$scratch/hook" "$(git -C "$scratch/hook" rev-parse HEAD)" >.pre-commit-config.yaml
  export PRE_COMMIT_HOME="$scratch/pre-commit"
  git add -A
  "$scratch/build/bin/pre-commit" run --all-files >"$scratch/hook.txt" 2>&1 && ok "pre-commit passes sound plans" || { cat "$scratch/hook.txt"; fail "pre-commit refuses sound plans"; }
  sed -i 's/^status: .*/status: finished/' .gatewalk/features/*/WU-01-*.md
  git add -A
  ! "$scratch/build/bin/pre-commit" run --all-files >"$scratch/hook.txt" 2>&1 && grep -q 'GW1' "$scratch/hook.txt" && ok "and refuses a broken one" || { cat "$scratch/hook.txt"; fail "pre-commit lets a broken plan pass"; }
  cd "$root"
}

# The steps of action.yml in this directory, with further inputs.
run_action() {
  HOME=$scratch/home PATH="$scratch/bin:$PATH" "$scratch/build/bin/python" "$root/packaging/run_action.py" "$root/action.yml" "$@"
}

# What asks for nothing that can be done is red, and says why: `refused MESSAGE INPUT...`.
refused() {
  local code=0
  (cd "$scratch/action" && run_action "${@:2}") >"$scratch/refused.txt" 2>&1 || code=$?
  [ "$code" = 2 ] && grep -qF "$1" "$scratch/refused.txt" || { cat "$scratch/refused.txt"; fail "action.yml with ${*:2} ended with $code"; }
}

# Every step of action.yml, run as its runner would; it and the release workflow against the schemas of their kind.
action() {
  [ -x "$scratch/build/bin/pip" ] || { skip "action.yml: no python environment"; return; }
  if "$scratch/build/bin/pip" install --quiet check-jsonschema; then
    "$scratch/build/bin/check-jsonschema" -q --builtin-schema vendor.github-actions "$root/action.yml" || fail "action.yml against its schema"
    "$scratch/build/bin/check-jsonschema" -q --builtin-schema vendor.github-workflows "$root/.github/workflows/release.yml" || fail "release.yml against its schema"
    ok "action.yml and the release workflow fit their schemas"
  else
    skip "the schemas of actions and workflows: the checker could not be installed"
  fi
  "$scratch/build/bin/pip" install --quiet pyyaml || { skip "action.yml: no YAML reader"; return; }
  plans "$scratch/action"
  mkdir -p "$scratch/bin" "$scratch/home" && ln -sf "$program" "$scratch/bin/gatewalk"
  # Two units land, a third asks a question: exit 11.
  local base code=0
  base=$(git -C "$scratch/action" rev-parse HEAD)
  (cd "$scratch/action" && HOME=$scratch/home "$program" loop --agent "script:$root/examples/two-gates/sessions" >"$scratch/loop.txt" 2>&1) || code=$?
  [ "$code" = 11 ] || { cat "$scratch/loop.txt"; fail "the example's loop ended with $code"; }
  local command
  for command in lint verify check loop; do
    (cd "$scratch/action" && run_action \
      "command=$command" "sarif=made for/found.sarif" "junit=made for/check.xml" "agent=script:$root/examples/two-gates/sessions" "base=$base") >"$scratch/$command.txt" 2>&1 || { cat "$scratch/$command.txt"; fail "action.yml with command: $command"; }
    ok "action.yml with command: $command"
  done
  same "what the pull request landed is verified" "$(tail -n 1 "$scratch/verify.txt")" "verified 2 landed units"
  python3 -c 'import json,sys; assert json.load(open(sys.argv[1]))["version"] == "2.1.0"' "$scratch/action/made for/found.sarif" && ok "its SARIF reads"
  python3 -c 'import sys, xml.etree.ElementTree as e; assert e.parse(sys.argv[1]).getroot().iter("testcase")' "$scratch/action/made for/check.xml" && ok "its JUnit reads"
  refused 'not `verfy`' command=verfy
  refused 'name the commit' command=verify
  refused 'fetch-depth: 0' command=verify base=0123456789
  ok "action.yml refuses a command, a base and a history that are not there"
  # Where the program is not there it comes from the index of packages, which is a directory here.
  (cd "$scratch/action" && rm "$scratch/bin/gatewalk" && PIP_NO_INDEX=1 PIP_FIND_LINKS="$scratch/wheel" run_action command=lint) >"$scratch/lint.txt" 2>&1 || { cat "$scratch/lint.txt"; fail "action.yml where the program is not there"; }
  ln -sf "$program" "$scratch/bin/gatewalk"
  ok "action.yml installs the program, into an environment of its own"
}

# The set-ups that the page on editors prints.
editor_pages() {
  python3 -c 'import tomllib' 2>/dev/null || { skip "the page on editors: no python3 that reads TOML"; return; }
  python3 "$root/packaging/check_editor_pages.py" "$root/docs/editors.md" || fail "a set-up on the page on editors"
  ok "the set-ups on the page on editors read"
}

# The tool server and the plugin in sessions of the real agents, against a model server on loopback.
agents() {
  local installed=${GATEWALK_AGENTS:-$root/target/agents/node_modules/.bin}
  command -v python3 >/dev/null || { skip "sessions of agents: no python3"; return; }
  plans "$scratch/sessions"
  python3 "$root/packaging/agent_sessions.py" "$scratch/bin/gatewalk" "$installed" "$scratch/sessions" | tee "$scratch/sessions.txt" || fail "a session of an agent"
  passed=$((passed + $(grep -c '^ok: ' "$scratch/sessions.txt" || true)))
}

# The documentation site: every page, each rule's own, and no link that leads nowhere.
site() {
  command -v mdbook >/dev/null || cargo install --quiet --locked --no-default-features --features search mdbook ||
    { skip "the site: mdBook is not installed and could not be"; return; }
  sh "$root/packaging/site/build.sh" "$program" "$scratch/site" >"$scratch/site.txt" 2>&1 || { tail -n 20 "$scratch/site.txt"; fail "the site"; }
  ok "the site: $(tail -n 1 "$scratch/site.txt")"
  [ -s "$scratch/site/book/docs/rules/GW301.html" ] && ls "$scratch"/site/book/searchindex*.js >/dev/null && ok "rules have pages, and it can be searched" || fail "the site lacks a rule's page or its search"
}

# The hook of the plugin, and the plugin by the validator of the program it is for, where that is installed.
plugin() {
  local code=0 repo="$scratch/plugin"
  export PATH="$scratch/bin:$PATH"
  mkdir -p "$scratch/bin" "$scratch/bare" && ln -sf "$program" "$scratch/bin/gatewalk"
  same "the plugin's version" "gatewalk $(sed -n 's/.*"version": "\(.*\)",/\1/p' "$root/plugin/.claude-plugin/plugin.json")" "$version"
  same "the hook is silent without plans" "$(CLAUDE_PROJECT_DIR=$scratch/bare sh "$root/plugin/hooks/lint.sh" 2>&1)" ""
  plans "$repo"
  same "and when all is well" "$(CLAUDE_PROJECT_DIR=$repo sh "$root/plugin/hooks/lint.sh" 2>&1)" ""
  sed -i 's/^status: .*/status: finished/' "$repo"/.gatewalk/features/*/WU-01-*.md
  CLAUDE_PROJECT_DIR=$repo sh "$root/plugin/hooks/lint.sh" 2>"$scratch/hook.txt" || code=$?
  same "a broken edit goes back to the agent" "$code $(grep -c 'WU-01' "$scratch/hook.txt" | sed 's/^[1-9].*/named/')" "2 named"
  local claude=${GATEWALK_AGENTS:-$root/target/agents/node_modules/.bin}/claude
  [ -x "$claude" ] || { skip "the plugin's validator is not installed"; return; }
  local directory
  for directory in "$root/plugin" "$root"; do
    HOME=$scratch timeout 60 "$claude" plugin validate "$directory" >"$scratch/validate.txt" 2>&1 || { cat "$scratch/validate.txt"; fail "claude plugin validate $directory"; }
  done
  ok "claude plugin validate accepts the plugin and the marketplace"
}

# The tool server, by the protocol's own client.
tool_server() {
  [ -x "$scratch/build/bin/pip" ] || { skip "the tool server: no python environment"; return; }
  "$scratch/build/bin/pip" install --quiet "mcp>=2,<3" || { skip "the tool server: no client"; return; }
  plans "$scratch/tools"
  "$scratch/build/bin/python" "$root/packaging/mcp_client.py" "$program" "$scratch/tools" || fail "the tool server"
  ok "an independent client reads, is refused without consent, and decides with it"
}

wheel
npm_packages
deb
pre_commit
action
plugin
tool_server
editor_pages
agents
site
printf '%s passed, 0 failed\n' "$passed"
