#!/bin/sh
# Greets the person whose name is given.
set -eu

printf 'Hello, %s!\n' "${1:-world}"
