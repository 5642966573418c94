#!/bin/sh
# The table of docs/init.md: what `init` writes for packages as their registries publish them, and whether a first unit goes
# through `arm` and `loop` with nothing edited in between. Needs the network, cargo, npm and pip.
# usage: tests/first_loops.sh GATEWALK [PACKAGE…]   (rust:NAME@VERSION, npm:NAME@VERSION, pip:NAME==VERSION, make:, go:)
set -u
gatewalk=$(realpath "$1"); shift
[ $# -gt 0 ] || set -- rust:either@1.13.0 rust:fastrand@2.5.0 rust:semver@1.0.27 rust:itoa@1.0.18 \
    rust:hex@0.4.3 rust:scopeguard@1.2.0 rust:smallvec@1.13.2 rust:humantime@2.1.0 \
    rust:bitflags@2.6.0 rust:fnv@1.0.7 npm:concat-stream@2.0.0 npm:xtend@4.0.2 \
    pip:attrs==23.2.0 pip:wcwidth==0.2.13 pip:more-itertools==10.5.0 \
    npm:concat-map@0.0.1 npm:isarray@1.0.0 npm:minimist@1.2.0 npm:mitt@3.0.1 \
    npm:defined@1.0.0 npm:typedarray@0.0.6 npm:ms@2.1.3 npm:escape-html@1.0.3 \
    pip:tabulate==0.8.10 pip:toolz==0.12.1 pip:idna==2.10 pip:six==1.16.0 pip:iniconfig==2.0.0 make: go:
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM

# Leaves the package's files in $1.
fetch() {
    case $2 in
    rust:*)
        name=${2#rust:}; version=${name#*@}; name=${name%@*}
        mkdir -p "$work/probe/src" && : > "$work/probe/src/lib.rs"
        printf '[package]\nname = "probe"\nversion = "0.0.0"\nedition = "2021"\n[dependencies]\n%s = "=%s"\n' \
            "$name" "$version" > "$work/probe/Cargo.toml"
        (cd "$work/probe" && rm -f Cargo.lock && cargo vendor -q "$work/vendor" > /dev/null) &&
            cp -r "$work/vendor/$name" "$1" && rm -f "$1/.cargo-checksum.json" && rm -rf "$work/vendor" ;;
    npm:*)
        (cd "$work" && npm pack -s "${2#npm:}" > /dev/null && mkdir "$1" &&
            tar xzf ./*.tgz -C "$1" --strip-components 1 && rm ./*.tgz) ;;
    pip:*)
        (cd "$work" && python3 -m pip download -q --no-binary :all: --no-deps -d pip "${2#pip:}" > /dev/null 2>&1 &&
            mkdir "$1" && tar xzf pip/*.gz -C "$1" --strip-components 1; rm -rf pip; [ -d "$1" ]) ;;
    make:)
        mkdir "$1" && printf 'test:\n\ttest -s README\n\nlint:\n\ttest -f README\n' > "$1/Makefile" && echo words > "$1/README" ;;
    go:)
        mkdir "$1" && printf 'module example.org/add\n\ngo 1.21\n' > "$1/go.mod" &&
            printf 'package add\n\nfunc Add(a, b int) int { return a + b }\n' > "$1/add.go" &&
            printf 'package add\n\nimport "testing"\n\nfunc TestAdd(t *testing.T) {\n\tif Add(2, 3) != 5 {\n\t\tt.Fatal("no")\n\t}\n}\n' > "$1/add_test.go" ;;
    esac
}

# Plans one unit that adds a file, and fills in what a person would.
plan() {
    "$gatewalk" new feature "Add a note" > /dev/null 2>&1 || return 1
    unit=$(ls .gatewalk/features/*/WU-01-*.md)
    cat > "$unit" <<END
---
id: FEAT-$(date +%Y)-0001/T01
type: implementation
status: draft
produces: NOTE.txt
touches: NOTE.txt
checks:
  - name: the-note-is-there
    run: grep -q note NOTE.txt
---

# Add a note

## Context

There is no \`NOTE.txt\`.

## Acceptance criteria

1. \`NOTE.txt\` holds the word note.

## Do not touch

- Anything else.

## Verification

- \`grep -q note NOTE.txt\`

## Escalation triggers

- The file is there already.
END
    git add -A && git commit -qm "Plan"
}

row() {
    directory=$work/package; rm -rf "$directory"
    fetch "$directory" "$1" > /dev/null 2>&1 || { echo "| \`$1\` | could not be fetched | | |"; return; }
    cd "$directory" || return
    rm -rf .git
    git init -q -b main && git config user.name You && git config user.email you@example.org
    git add -A && git commit -qm "As published"
    "$gatewalk" init --try > "$work/init.log" 2>&1
    written=$(grep -E '^ +command:|^setup:' .gatewalk/verification.yml | grep -v GATEWALK_BIN | sed 's/^ *//' | tr '\n' ';')
    left=$(grep -cE '^ *# +.*command:' .gatewalk/verification.yml)
    git add -A && git commit -qm "Plans"
    mkdir -p "$work/sessions"
    printf 'steps:\n  - write: NOTE.txt\n    content: |\n      a note\nresult: complete\n' > "$work/sessions/T01.yml"
    loop=refused
    if plan && "$gatewalk" arm --all > "$work/arm.log" 2>&1 &&
        "$gatewalk" loop --agent "script:$work/sessions" > "$work/loop.log" 2>&1; then
        loop=passed
    fi
    echo "| \`$1\` | $written | $left left as a comment | $loop |"
    cd "$work" || return
}

echo "| package | written | left | first loop |"
echo "|---|---|---|---|"
for package in "$@"; do
    row "$package"
done
