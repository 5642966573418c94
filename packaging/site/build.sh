#!/bin/sh
# Builds the documentation site: sh build.sh PROGRAM OUT_DIRECTORY. Needs mdBook and python3; ends with 1 on a broken link.
set -eu
[ $# = 2 ] || { echo "usage: sh build.sh PROGRAM OUT_DIRECTORY" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$2"
python3 "$here/assemble.py" "$1" "$2/src"
cp "$here/book.toml" "$2/"
mdbook build "$2"
python3 "$here/check_links.py" "$2/book"
