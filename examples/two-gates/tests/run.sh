#!/bin/sh
# Runs every tests/test_*.sh in the project's folder; fails if one fails or if there is none.
set -u
cd "$(dirname "$0")/.." || exit 1
LC_ALL=C
export LC_ALL

count=0 failed=0
for test in tests/test_*.sh; do
    [ -f "$test" ] || continue
    count=$((count + 1))
    if sh "$test"; then
        echo "ok $count - $test"
    else
        echo "not ok $count - $test"
        failed=$((failed + 1))
    fi
done
echo "$count tests, $failed failed"
[ "$count" -gt 0 ] && [ "$failed" -eq 0 ]
