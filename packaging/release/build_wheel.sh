#!/bin/sh
# Builds the wheel of one platform with maturin: sh build_wheel.sh TARGET OUT_DIRECTORY
#
# A static program runs with every C library, so its wheel says so: pip then takes it on Debian and on Alpine.
set -eu
[ $# = 2 ] || { echo "usage: sh build_wheel.sh TARGET OUT_DIRECTORY" >&2; exit 2; }
root=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$2"
out=$(cd "$2" && pwd)
GATEWALK_COMMIT=$(git -C "$root" rev-parse --short=12 HEAD)
export GATEWALK_COMMIT
case $1 in
  *-linux-musl) tags="--compatibility manylinux2014 musllinux_1_1 --auditwheel skip" ;;
  *) tags="" ;;
esac
command -v maturin >/dev/null || python3 -m pip install --quiet "maturin>=1.7,<2"
cd "$root"
# shellcheck disable=SC2086 # the options are words
exec maturin build --quiet --release --locked --target "$1" $tags --out "$out"
