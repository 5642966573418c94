#!/bin/sh
# Builds one platform's program and its archive: sh build_target.sh TARGET OUT_DIRECTORY. Prints the path of the program.
#
# The archive is the same bytes for the same program: names sorted, times and owners fixed.
set -eu
[ $# = 2 ] || { echo "usage: sh build_target.sh TARGET OUT_DIRECTORY" >&2; exit 2; }
target=$1 out=$2
root=$(cd "$(dirname "$0")/../.." && pwd)
version=$(sh "$root/packaging/release/versions.sh")
GATEWALK_COMMIT=$(git -C "$root" rev-parse --short=12 HEAD)
export GATEWALK_COMMIT
(cd "$root" && cargo build --quiet --release --locked --target "$target" --bin gatewalk)
program="${CARGO_TARGET_DIR:-$root/target}/$target/release/gatewalk"

name="gatewalk-$version-$target"
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree/$name/share/man/man1" "$tree/$name/share/bash-completion/completions" "$tree/$name/share/zsh/site-functions" "$tree/$name/share/fish/vendor_completions.d"
install -m755 "$program" "$tree/$name/gatewalk"
install -m644 "$root/LICENSE" "$root/README.md" "$tree/$name/"
"$program" man-pages "$tree/$name/share/man/man1"
"$program" completions bash > "$tree/$name/share/bash-completion/completions/gatewalk"
"$program" completions zsh > "$tree/$name/share/zsh/site-functions/_gatewalk"
"$program" completions fish > "$tree/$name/share/fish/vendor_completions.d/gatewalk.fish"
mkdir -p "$out"
# GNU tar and the tar of macOS have different names for the same wishes.
if tar --version | grep -q GNU; then
  tar -C "$tree" --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner -cf - "$name" | gzip -9n > "$out/$name.tar.gz"
else
  find "$tree" -exec touch -t 197001010000 {} +
  tar -C "$tree" --uid 0 --gid 0 -cf - "$name" | gzip -9n > "$out/$name.tar.gz"
fi
echo "$program"
