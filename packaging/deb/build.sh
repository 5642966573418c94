#!/bin/sh
# Builds a Debian package of a program that is already built: sh build.sh PROGRAM OUT_DIRECTORY
set -eu
[ $# = 2 ] || { echo "usage: sh build.sh PROGRAM OUT_DIRECTORY" >&2; exit 2; }
program=$1 out=$2
root=$(cd "$(dirname "$0")/../.." && pwd)
version=$(sed -n 's/^version = "\(.*\)"$/\1/p' "$root/Cargo.toml" | head -n 1)
architecture=$(dpkg --print-architecture)
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
chmod 755 "$tree"

install -Dm755 "$program" "$tree/usr/bin/gatewalk"
mkdir -p "$tree/usr/share/doc/gatewalk"
cat > "$tree/usr/share/doc/gatewalk/copyright" <<'COPYRIGHT'
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: gatewalk

Files: *
Copyright: 2026 Gatewalk maintainers
License: Apache-2.0
 The whole license is in /usr/share/common-licenses/Apache-2.0.
COPYRIGHT
gzip -9nc "$root/CHANGELOG.md" > "$tree/usr/share/doc/gatewalk/changelog.gz"
mkdir -p "$tree/usr/share/man/man1" "$tree/DEBIAN"
"$program" man-pages "$tree/usr/share/man/man1"
gzip -9n "$tree"/usr/share/man/man1/*.1
completion() { mkdir -p "$tree/$(dirname "$2")"; "$program" completions "$1" > "$tree/$2"; }
completion bash usr/share/bash-completion/completions/gatewalk
completion zsh usr/share/zsh/vendor-completions/_gatewalk
completion fish usr/share/fish/vendor_completions.d/gatewalk.fish

# The oldest C library that has every symbol the program asks for; a static program needs none.
libc=$(objdump -T "$program" 2>/dev/null | sed -n 's/.*GLIBC_\([0-9.]*\).*/\1/p' | sort -Vu | tail -n 1)
depends=git
if ldd "$program" 2>/dev/null | grep -q 'libc\.so'; then depends="libc6${libc:+ (>= $libc)}, git"; fi
(cd "$tree" && find usr -type f -exec md5sum {} + > DEBIAN/md5sums)
cat > "$tree/DEBIAN/control" <<CONTROL
Package: gatewalk
Version: $version
Architecture: $architecture
Maintainer: Gatewalk maintainers <maintainers@gatewalk.invalid>
Installed-Size: $(du -sk "$tree/usr" | cut -f 1)
Depends: $depends
Recommends: bubblewrap
Section: devel
Priority: optional
Description: plain-Markdown gate-cycle driver with a linter
 You plan work as Markdown; Gatewalk hands each unit to a coding agent,
 runs your commands on what it left, and lands what passes, a commit a unit.
CONTROL
mkdir -p "$out"
dpkg-deb --root-owner-group --build "$tree" "$out/gatewalk_${version}_${architecture}.deb" >/dev/null
echo "$out/gatewalk_${version}_${architecture}.deb"
