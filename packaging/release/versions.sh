#!/bin/sh
# Every place that states the version states the same one: sh versions.sh [TAG]. Prints it.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
version=$(sed -n 's/^version = "\(.*\)"$/\1/p' "$root/Cargo.toml" | head -n 1)
same() { [ "$2" = "$version" ] || { echo "$1 has version $2, Cargo.toml has $version" >&2; exit 1; }; }
json() { sed -n 's/^ *"version": "\(.*\)",*$/\1/p' "$root/$1" | head -n 1; }
same plugin/.claude-plugin/plugin.json "$(json plugin/.claude-plugin/plugin.json)"
same editors/vscode/package.json "$(json editors/vscode/package.json)"
same editors/zed/extension.toml "$(sed -n 's/^version = "\(.*\)"$/\1/p' "$root/editors/zed/extension.toml")"
if [ $# = 1 ]; then
  same "the tag $1" "${1#v}"
  grep -q "^## \[*${version}\]*" "$root/CHANGELOG.md" || { echo "CHANGELOG.md has no section for $version" >&2; exit 1; }
fi
echo "$version"
