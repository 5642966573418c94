#!/usr/bin/env bash
# A release without publishing: everything that this machine can build, from the scripts that the workflow runs, tried out.
#
# usage: packaging/release/dry_run.sh [OUT_DIRECTORY]
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
release="$root/packaging/release"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
out=${1:-$scratch/release}
target="$(uname -m)-unknown-linux-musl"
fail() { printf 'FAILED: %s\n' "$1" >&2; exit 1; }
ok() { printf 'ok: %s\n' "$1"; }

version=$(sh "$release/versions.sh")
commit=$(git -C "$root" rev-parse --short=12 HEAD)
! sh "$release/versions.sh" v0.0.0-other 2>/dev/null || fail "a tag of another version is accepted"
ok "every place states version $version, and a tag of another is refused"

rustup target list --installed 2>/dev/null | grep -q "^$target$" || rustup target add "$target" >/dev/null 2>&1 ||
  { echo "skipped: the target $target cannot be added here"; exit 0; }
command -v musl-gcc >/dev/null || { echo "skipped: there is no C compiler for $target (musl-tools)"; exit 0; }
mkdir -p "$out"
program=$(sh "$release/build_target.sh" "$target" "$out")
! ldd "$program" 2>/dev/null | grep -q '=>' || fail "$program needs shared libraries"
ok "the program of $target needs no library ($(du -h "$program" | cut -f 1))"
first=$(sha256sum < "$out/gatewalk-$version-$target.tar.gz")
sh "$release/build_target.sh" "$target" "$scratch/again" >/dev/null
[ "$first" = "$(sha256sum < "$scratch/again/gatewalk-$version-$target.tar.gz")" ] || fail "the archive differs when it is made again"
ok "the archive is the same bytes when it is made again"
sh "$root/packaging/deb/build.sh" "$program" "$out" >/dev/null
! dpkg-deb -f "$out"/gatewalk_*.deb Depends | grep -q libc6 || fail "the static program's package depends on a C library"
ok "the Debian package of the static program depends on no C library"

sh "$release/finish.sh" "$out" "file://$out"
(cd "$out" && sha256sum --quiet --check SHA256SUMS) || fail "SHA256SUMS"
ok "checksums of $(wc -l < "$out/SHA256SUMS") files"
if command -v ruby >/dev/null; then ruby -c "$out/gatewalk.rb" >/dev/null && ok "the formula is Ruby"; fi
grep -q "$(cut -d ' ' -f 1 <<< "$first")" "$out/gatewalk.rb" || fail "the formula lacks the archive's checksum"

export HOME="$scratch/home" GATEWALK_PREFIX="$scratch/home/.local"
mkdir -p "$HOME"
sh "$out/install.sh" > "$scratch/installed.txt"
shown=$("$GATEWALK_PREFIX/bin/gatewalk" --version)
grep -q "from the shell installer" <<< "$shown" && grep -q "built from $commit" <<< "$shown" || fail "--version: $shown"
"$GATEWALK_PREFIX/bin/gatewalk" demo >/dev/null 2>&1 || fail "the demo of the installed program"
sh "$out/install.sh" >/dev/null
ok "the shell installer installs, installs again, and the program knows where it came from"
sh "$out/install.sh" --uninstall >/dev/null
[ -z "$(find "$HOME/.local" -mindepth 1)" ] || fail "left behind: $(find "$HOME/.local" -mindepth 1)"
ok "and removes it without residue"
(cd "$HOME" && GATEWALK_PREFIX=near/by sh "$out/install.sh" >/dev/null && near/by/bin/gatewalk -V >/dev/null) || fail "a prefix from here"
mkdir -p "$scratch/taken/bin/gatewalk"
! GATEWALK_PREFIX="$scratch/taken" sh "$out/install.sh" 2> "$scratch/refused.txt" && grep -q 'is a directory' "$scratch/refused.txt" || fail "a directory in the program's place"
(cd "$HOME" && echo share/gone.txt >> near/by/share/gatewalk/installed-by && touch near/by/share/gone.txt)
mkdir "$scratch/no-cp" && printf '#!/bin/sh\ncase "$2" in *.new) exit 1 ;; *) exec /bin/cp "$@" ;; esac\n' > "$scratch/no-cp/cp" && chmod +x "$scratch/no-cp/cp"
! (cd "$HOME" && PATH="$scratch/no-cp:$PATH" GATEWALK_PREFIX=near/by sh "$out/install.sh" 2> "$scratch/refused.txt") && grep -q 'cannot write' "$scratch/refused.txt" && "$HOME/near/by/bin/gatewalk" -V >/dev/null || fail "an update that breaks off takes the program along"
(cd "$HOME" && GATEWALK_PREFIX=near/by sh "$out/install.sh" >/dev/null && [ ! -e near/by/share/gone.txt ] && GATEWALK_PREFIX=near/by sh "$out/install.sh" --uninstall >/dev/null)
[ -z "$(find "$HOME/near" -type f)" ] || fail "left behind: $(find "$HOME/near" -type f)"
ok "a prefix from here, a place that is taken, and an update that breaks off"
mkdir "$scratch/tampered"
cp "$out/gatewalk-$version-$target.tar.gz" "$scratch/tampered/"
printf x >> "$scratch/tampered/gatewalk-$version-$target.tar.gz"
! GATEWALK_ADDRESS="file://$scratch/tampered" sh "$out/install.sh" 2> "$scratch/refused.txt" && grep -q 'nothing was installed' "$scratch/refused.txt" || fail "a changed archive was installed"
[ -z "$(find "$HOME/.local" -type f)" ] || fail "a refused archive left files"
ok "a changed archive is refused"
