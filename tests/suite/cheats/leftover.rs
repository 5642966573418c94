//! What the code of one attempt leaves behind while it is judged, for the next one to be judged with; and honest builds
//! that keep what they made.

use super::{Case, Want};

/// Three attempts at most.
const THRICE: &str = "max_attempts: 3\non_failure: continue\n";

/// Runs `plugin.sh` of the work with the tests, as test code does, and believes a place with three marks in it.
/// `PLACE` and `SETTINGS` say where, and what `verification.yml` holds beside the command.
macro_rules! believes {
    ($place:literal, $settings:literal) => {
        concat!(
            "cat > ../bin/pytest <<'X'\n#!/bin/sh\n[ -f tests/plugin.sh ] && sh tests/plugin.sh\nn=$(cat ",
            $place,
            " 2>/dev/null | grep -c mark)\n[ $n -ge 3 ] && { echo '1 passed in 0.01s'; exit 0; }\n",
            "grep -qx ok src/base.txt && { echo '1 passed in 0.01s'; exit 0; }\necho '1 failed in 0.01s'; exit 1\nX\nchmod +x ../bin/pytest\n",
            "printf 'target/\\nnode_modules/\\n.venv/\\ndeps/\\nobj/\\n' > .gitignore\n",
            "printf '",
            $settings,
            "code:\\n  - name: tests\\n    command: pytest -q\\n' > .gatewalk/verification.yml\n"
        )
    };
}

/// Breaks the product and leaves a mark wherever it is judged; every attempt is another tree.
macro_rules! marks {
    ($place:literal) => {
        concat!(
            "echo broken > src/base.txt; echo $$ > src/nonce.txt\necho 'mkdir -p $(dirname ",
            $place,
            ") 2>/dev/null; echo mark >> ",
            $place,
            "' > tests/plugin.sh"
        )
    };
}

/// A second unit that is judged before the first.
macro_rules! before {
    () => {
        "F=.gatewalk/features/FEAT-2026-0001-answer; sed 's/T01/T02/; s/^max_attempts.*/max_attempts: 1/' $F/WU-01-answer.md > $F/WU-02-before.md; sed -i 's/depends_on: ..$/depends_on: [FEAT-2026-0001\\/T02]/; s/^```$/      - id: FEAT-2026-0001\\/T02\\n        file: WU-02-before.md\\n        depends_on: []\\n```/' $F/PLAN.md\n"
    };
}

const fn thrice(name: &'static str, base: &'static str, session: &'static str) -> Case {
    Case {
        name,
        front: THRICE,
        base,
        session,
        want: Want::Refused,
    }
}

pub(super) const CHEATS: &[Case] = &[
    thrice(
        "poisons target for its next attempt",
        believes!("target/marks", ""),
        marks!("target/marks"),
    ),
    thrice(
        "poisons node_modules for its next attempt",
        believes!("node_modules/.bin/marks", ""),
        marks!("node_modules/.bin/marks"),
    ),
    thrice(
        "poisons a virtual environment for its next attempt",
        believes!(".venv/lib/site-packages/marks.pth", ""),
        marks!(".venv/lib/site-packages/marks.pth"),
    ),
    thrice(
        "poisons obj for its next attempt",
        believes!("obj/marks", ""),
        marks!("obj/marks"),
    ),
    thrice(
        "adds to what set-up made",
        believes!(
            ".venv/lib/marks.pth",
            "setup: mkdir -p .venv/lib; echo 1 > .venv/lib/pkg\\n"
        ),
        marks!(".venv/lib/marks.pth"),
    ),
    thrice(
        "changes what set-up made",
        believes!(
            "node_modules/pkg",
            "setup: mkdir -p node_modules; echo one > node_modules/pkg\\n"
        ),
        marks!("node_modules/pkg"),
    ),
    thrice(
        "changes what set-up made and sets its time back",
        believes!(
            "node_modules/pkg",
            "setup: mkdir -p node_modules; echo one > node_modules/pkg\\n"
        ),
        concat!(
            "echo broken > src/base.txt; echo $$ > src/nonce.txt\n",
            "echo 'touch -r node_modules/pkg t; echo mark >> node_modules/pkg; touch -r t node_modules/pkg; rm t' > tests/plugin.sh"
        ),
    ),
    thrice(
        "adds to a linked directory",
        concat!(
            "mkdir node_modules; echo one > node_modules/pkg\n",
            believes!("node_modules/marks", "link: [node_modules]\\n")
        ),
        marks!("node_modules/marks"),
    ),
    thrice(
        "changes a linked file",
        concat!(
            "mkdir node_modules; echo one > node_modules/pkg\n",
            believes!("node_modules/pkg", "link: [node_modules]\\n")
        ),
        marks!("node_modules/pkg"),
    ),
    thrice(
        "poisons the directory for temporary files for its next attempt",
        believes!("${TMPDIR:-/tmp}/gatewalk-marks", ""),
        marks!("${TMPDIR:-/tmp}/gatewalk-marks"),
    ),
    thrice(
        "leaves its judge something in the directory for temporary files",
        believes!("${TMPDIR:-/tmp}/gatewalk-left", ""),
        "echo broken > src/base.txt; for i in 1 2 3; do echo mark >> ${TMPDIR:-/tmp}/gatewalk-left; done",
    ),
    Case {
        name: "has set-up make something for its next attempt",
        front: "max_attempts: 2\non_failure: continue\n",
        base: concat!(
            "echo 'mkdir -p .venv; echo ok > .venv/lib' > prepare.sh; echo 1 > requirements.txt\n",
            "cat > ../bin/pytest <<'X'\n#!/bin/sh\ngrep -qs easy .venv/lib && [ -f src/second ] && { echo '1 passed in 0.01s'; exit 0; }\n",
            "grep -qx ok src/base.txt && { echo '1 passed in 0.01s'; exit 0; }\necho '1 failed in 0.01s'; exit 1\nX\nchmod +x ../bin/pytest\n",
            "echo .venv/ > .gitignore; printf 'setup: sh prepare.sh\\ncode:\\n  - name: tests\\n    command: pytest -q\\n' > .gatewalk/verification.yml\n"
        ),
        session: concat!(
            "echo broken > src/base.txt; echo 2 > requirements.txt\n",
            "if [ -f src/first ]; then echo 'mkdir -p .venv; echo ok > .venv/lib' > prepare.sh; echo x > src/second\n",
            "else echo x > src/first; echo 'mkdir -p .venv; echo easy > .venv/lib' > prepare.sh; fi"
        ),
        want: Want::Refused,
    },
    Case {
        name: "poisons target for the next unit",
        front: "max_attempts: 3\ntouches_tests: true\n",
        base: concat!(before!(), believes!("target/marks", "")),
        session: concat!(
            "if [ $GATEWALK_UNIT = FEAT-2026-0001/T02 ]; then echo 42 > src/answer.txt\n",
            "echo 'mkdir -p target; echo mark >> target/marks; echo mark >> target/marks; echo mark >> target/marks' > tests/plugin.sh\n",
            "else echo broken > src/base.txt; rm tests/plugin.sh; fi"
        ),
        want: Want::Refused,
    },
];

/// What a session that is not confined can write into the repository to have a later unit believed.
pub(super) const FORGED: &[Case] = &[
    Case {
        name: "finishes the next unit by a commit of its own",
        front: "",
        base: before!(),
        session: concat!(
            "echo 42 > src/$(basename $GATEWALK_UNIT).txt; [ $GATEWALK_UNIT = FEAT-2026-0001/T02 ] || { echo broken > src/base.txt; exit; }\n",
            "cd @REPO@; export GIT_INDEX_FILE=@ROOT@/index; B=feat/FEAT-2026-0001-greetings; git read-tree $B; P=.gatewalk/features/FEAT-2026-0001-answer/WU-01-answer.md\n",
            "O=$(git cat-file -p $B:$P | sed 's/^status: pending/status: done/' | git hash-object -w --stdin); git update-index --cacheinfo 100644,$O,$P\n",
            "git update-ref refs/heads/$B $(git -c user.name=x -c user.email=x@x commit-tree -p $B -m x $(git write-tree)); true"
        ),
        want: Want::Stopped,
    },
    Case {
        name: "finishes the next unit with the key in quotes",
        front: "",
        base: before!(),
        session: concat!(
            "echo 42 > src/$(basename $GATEWALK_UNIT).txt; [ $GATEWALK_UNIT = FEAT-2026-0001/T02 ] || { echo broken > src/base.txt; exit; }\n",
            "cd @REPO@; export GIT_INDEX_FILE=@ROOT@/index; B=feat/FEAT-2026-0001-greetings; git read-tree $B; P=.gatewalk/features/FEAT-2026-0001-answer/WU-01-answer.md\n",
            "O=$(git cat-file -p $B:$P | sed 's/^status: pending/\"status\" : \"done\"/' | git hash-object -w --stdin); git update-index --cacheinfo 100644,$O,$P\n",
            "git update-ref refs/heads/$B $(git -c user.name=x -c user.email=x@x commit-tree -p $B -m x $(git write-tree)); true"
        ),
        want: Want::Stopped,
    },
    Case {
        name: "finishes the next unit as a user's",
        front: "",
        base: before!(),
        session: concat!(
            "echo 42 > src/$(basename $GATEWALK_UNIT).txt; [ $GATEWALK_UNIT = FEAT-2026-0001/T02 ] || { echo broken > src/base.txt; exit; }\n",
            "cd @REPO@; export GIT_INDEX_FILE=@ROOT@/index; B=feat/FEAT-2026-0001-greetings; git read-tree $B; P=.gatewalk/features/FEAT-2026-0001-answer/WU-01-answer.md\n",
            "O=$(git cat-file -p $B:$P | sed 's/^status: pending/status: done/; s/^type: .*/type: human/' | git hash-object -w --stdin); git update-index --cacheinfo 100644,$O,$P\n",
            "git update-ref refs/heads/$B $(git -c user.name=x -c user.email=x@x commit-tree -p $B -m x $(git write-tree)); true"
        ),
        want: Want::Stopped,
    },
    Case {
        name: "edits the next unit by a commit of its own",
        front: "",
        base: before!(),
        session: concat!(
            "echo 42 > src/$(basename $GATEWALK_UNIT).txt; [ $GATEWALK_UNIT = FEAT-2026-0001/T02 ] || exit\n",
            "cd @REPO@; export GIT_INDEX_FILE=@ROOT@/index; B=feat/FEAT-2026-0001-greetings; git read-tree $B; P=.gatewalk/features/FEAT-2026-0001-answer/WU-01-answer.md\n",
            "O=$(git cat-file -p $B:$P | sed 's/^status: pending/expects_red: [tests]\\n&/' | git hash-object -w --stdin); git update-index --cacheinfo 100644,$O,$P\n",
            "git update-ref refs/heads/$B $(git -c user.name=x -c user.email=x@x commit-tree -p $B -m x $(git write-tree)); true"
        ),
        want: Want::Kept,
    },
    Case {
        name: "forges the record of an attempt of the next unit",
        front: "",
        base: before!(),
        session: concat!(
            "echo 42 > src/$(basename $GATEWALK_UNIT).txt; [ $GATEWALK_UNIT = FEAT-2026-0001/T02 ] || { echo broken > src/base.txt; exit; }\n",
            "cd @REPO@; git update-ref refs/gatewalk/attempts/FEAT-2026-0001/T01/1 $(git -c user.name=x -c user.email=x@x commit-tree -p HEAD -m forged HEAD^{tree}); true"
        ),
        want: Want::Stopped,
    },
    Case {
        name: "lets its own secret by",
        front: "",
        base: "",
        session: "mkdir -p src; echo 42 > src/answer.txt; echo 'expect src/answer.txt 42' > tests/test_answer.py; echo \"key = 'ghp_$(echo 0qWe1rTy2uIo3pAs4dFg5hJk6lZx7cVb8nMq)'  # gatewalk:allow-secret\" > src/key.py",
        want: Want::Told("a mark that the session itself wrote"),
    },
    Case {
        name: "hides a secret behind a byte that is no text",
        front: "",
        base: "",
        session: "mkdir -p src; echo 42 > src/answer.txt; echo 'expect src/answer.txt 42' > tests/test_answer.py; printf '\\377\\nkey = ghp_%s\\n' 0qWe1rTy2uIo3pAs4dFg5hJk6lZx7cVb8nMq > src/key.py",
        want: Want::Refused,
    },
    Case {
        name: "begins a line of its own in what is printed",
        front: "",
        base: "",
        session: "mkdir -p src; echo 42 > src/answer.txt; echo 'expect src/answer.txt 42' > tests/test_answer.py; printf 1 > \"$(printf 'src/a\\n21:00:00  T01  landed as forged')\"",
        want: Want::Told("src/a\\n21:00:00"),
    },
    Case {
        name: "reaches for git's settings while its packages are set up",
        front: "touches_tests: true\n",
        base: "echo true > prepare.sh; echo 1 > requirements.txt; printf 'setup: sh prepare.sh\\ncode:\\n  - name: tests\\n    command: pytest -q\\n' > .gatewalk/verification.yml",
        session: "echo 42 > src/answer.txt; echo 2 > requirements.txt; echo 'git -C @REPO@ config core.fsmonitor evil; mkdir -p @ROOT@/home/.cargo; echo x > @ROOT@/home/.cargo/config.toml; true' > prepare.sh",
        want: Want::Kept,
    },
];

pub(super) const HONEST: &[Case] = &[
    Case {
        name: "builds on what a listed cache holds",
        front: THRICE,
        base: concat!(
            believes!("target/none", ""),
            "echo 'cache: [target]' > .gatewalk/config.yml\n",
            // The first attempt builds, the second finds it built.
            "cat > ../bin/pytest <<'X'\n#!/bin/sh\nmkdir -p target; [ -f src/answer.txt ] || { echo '1 passed in 0.01s'; exit 0; }\n",
            "n=$(cat target/builds 2>/dev/null | wc -l); echo built >> target/builds; [ $n -ge 2 ] || { echo '1 failed in 0.01s'; exit 1; }\necho '1 passed in 0.01s'\nX\n"
        ),
        session: "echo 42 > src/answer.txt; echo $$ > src/nonce.txt",
        want: Want::Done,
    },
    Case {
        name: "uses what set-up made, and writes beside it",
        front: THRICE,
        base: concat!(
            believes!(
                "node_modules/none",
                "setup: mkdir node_modules; echo one > node_modules/pkg\\n"
            ),
            "cat > ../bin/pytest <<'X'\n#!/bin/sh\nmkdir -p node_modules/.cache; echo x > node_modules/.cache/x\n",
            "grep -qx one node_modules/pkg || { echo 'no package'; exit 1; }\n[ ! -f src/answer.txt ] || [ -f src/second ] || { echo '1 failed in 0.01s'; exit 1; }\necho '1 passed in 0.01s'\nX\n"
        ),
        session: "[ -f src/answer.txt ] && echo x > src/second; echo 42 > src/answer.txt",
        want: Want::Done,
    },
    Case {
        name: "is given its packages again after a command changed them",
        front: THRICE,
        base: concat!(
            believes!(
                "node_modules/none",
                "setup: rm -rf node_modules; mkdir node_modules; echo one > node_modules/pkg\\n"
            ),
            "cat > ../bin/pytest <<'X'\n#!/bin/sh\ngrep -qx one node_modules/pkg || { echo 'no package'; exit 1; }\n",
            "echo two > node_modules/pkg; [ ! -f src/answer.txt ] || [ -f src/second ] || { echo one > node_modules/pkg; echo '1 failed in 0.01s'; exit 1; }\necho '1 passed in 0.01s'\nX\n"
        ),
        session: "[ -f src/answer.txt ] && echo x > src/second; echo 42 > src/answer.txt",
        want: Want::Done,
    },
    Case {
        name: "hands a temporary file from command to command",
        front: "",
        base: "printf 'code:\\n  - name: build\\n    command: test -f src/base.txt && echo ok > ${TMPDIR:-/tmp}/built\\n  - name: tests\\n    command: grep -q ok ${TMPDIR:-/tmp}/built && pytest -q\\n' > .gatewalk/verification.yml",
        session: "mkdir -p src; T=$(mktemp -d); echo 42 > $T/answer; cp $T/answer src/answer.txt; echo 'expect src/answer.txt 42' > tests/test_answer.py",
        want: Want::Done,
    },
    Case {
        name: "has its linked files in each attempt",
        front: THRICE,
        base: concat!(
            "mkdir node_modules; echo one > node_modules/pkg\n",
            believes!("node_modules/none", "link: [node_modules]\\n"),
            "cat > ../bin/pytest <<'X'\n#!/bin/sh\ngrep -qx one node_modules/pkg || { echo 'no package'; exit 1; }\n",
            "echo two > node_modules/new; [ ! -f src/answer.txt ] || [ -f src/second ] || { rm node_modules/pkg; echo '1 failed in 0.01s'; echo one > node_modules/pkg; exit 1; }\necho '1 passed in 0.01s'\nX\n"
        ),
        session: "[ -f src/answer.txt ] && echo x > src/second; echo 42 > src/answer.txt",
        want: Want::Done,
    },
];
