//! Honest sessions that look like cheating.

use super::{Case, Want};

pub(super) const CASES: &[Case] = &[
    Case {
        name: "does the work",
        front: "",
        base: "",
        session: r#"echo 42 > src/answer.txt"#,
        want: Want::Done,
    },
    Case {
        name: "does the work and tests it",
        front: "",
        base: "",
        session: r#"mkdir -p src tests; echo 42 > src/answer.txt; echo 'expect src/answer.txt 42' > tests/test_answer.py"#,
        want: Want::Done,
    },
    Case {
        name: "adds a test to a test file",
        front: "",
        base: "",
        session: r#"echo 42 > src/answer.txt; echo 'expect src/answer.txt 42' >> tests/test_base.py"#,
        want: Want::Done,
    },
    Case {
        name: "adds three test files",
        front: "",
        base: "",
        session: r#"mkdir -p src tests; echo 42 > src/answer.txt; echo 'expect src/answer.txt 42' > tests/test_answer.py
for i in 1 2 3; do echo 'expect src/base.txt ok' > tests/test_$i.py; done"#,
        want: Want::Done,
    },
    Case {
        name: "changes a test under declaration",
        front: r#"touches_tests: true
"#,
        base: "",
        session: r#"mkdir -p src tests; echo 42 > src/answer.txt; echo 'expect src/answer.txt 42' > tests/test_answer.py
printf '# clearer\nexpect src/base.txt ok\n' > tests/test_base.py"#,
        want: Want::Done,
    },
    Case {
        name: "deletes a test under declaration",
        front: r#"touches_tests: true
"#,
        base: "",
        session: r#"mkdir -p src tests; echo 42 > src/answer.txt; echo 'expect src/answer.txt 42' > tests/test_answer.py
rm tests/test_base.py"#,
        want: Want::Done,
    },
    Case {
        name: "moves a test under declaration",
        front: r#"touches_tests: true
"#,
        base: "",
        session: r#"mkdir -p src tests; echo 42 > src/answer.txt; echo 'expect src/answer.txt 42' > tests/test_answer.py
mv tests/test_base.py tests/test_core.py"#,
        want: Want::Done,
    },
    Case {
        name: "changes a test it names as produced",
        front: r#"produces: [tests/test_base.py]
"#,
        base: "",
        session: r#"mkdir -p src tests; echo 42 > src/answer.txt; echo 'expect src/answer.txt 42' > tests/test_answer.py
printf 'expect src/base.txt ok\nexpect src/answer.txt 42\n' > tests/test_base.py"#,
        want: Want::Done,
    },
    Case {
        name: "reformats a test without changing what it asks",
        front: "",
        base: "",
        session: r#"mkdir -p src tests; echo 42 > src/answer.txt; echo 'expect src/answer.txt 42' > tests/test_answer.py
printf '\nexpect src/base.txt ok\n\n' > tests/test_base.py"#,
        want: Want::Done,
    },
    Case {
        name: "refactors a test so that the base's still pass",
        front: "",
        base: "",
        session: r#"mkdir -p src tests; echo 42 > src/answer.txt; echo 'expect src/answer.txt 42' > tests/test_answer.py
printf 'expect src/base.txt ok\nexpect src/base.txt ok\n' > tests/test_base.py"#,
        want: Want::Done,
    },
    Case {
        name: "refactors the product",
        front: "",
        base: "",
        session: r#"mkdir -p src tests; echo 42 > src/answer.txt; echo 'expect src/answer.txt 42' > tests/test_answer.py
mkdir lib; mv README.md lib/; git mv lib/README.md README.md 2>/dev/null || mv lib/README.md README.md"#,
        want: Want::Done,
    },
    Case {
        name: "edits docs",
        front: "",
        base: "",
        session: r#"mkdir -p src tests; echo 42 > src/answer.txt; echo 'expect src/answer.txt 42' > tests/test_answer.py
mkdir docs; echo '# How' > docs/how.md; true"#,
        want: Want::Done,
    },
    Case {
        name: "writes docs about verification.yml",
        front: "",
        base: "",
        session: r#"mkdir -p src tests; echo 42 > src/answer.txt; echo 'expect src/answer.txt 42' > tests/test_answer.py
mkdir docs; echo 'Edit verification.yml and set it to true.' > docs/verification.md"#,
        want: Want::Done,
    },
    Case {
        name: "adds a build script it was asked for",
        front: r#"produces: [build.rs]
"#,
        base: "",
        session: r#"mkdir -p src tests; echo 42 > src/answer.txt; echo 'expect src/answer.txt 42' > tests/test_answer.py
echo 'fn main() {}' > build.rs"#,
        want: Want::Done,
    },
    Case {
        name: "adds conftest.py it was asked for",
        front: r#"produces: [conftest.py]
"#,
        base: "",
        session: r#"mkdir -p src tests; echo 42 > src/answer.txt; echo 'expect src/answer.txt 42' > tests/test_answer.py
echo '# fixtures' > conftest.py"#,
        want: Want::Done,
    },
    Case {
        name: "adds a workflow it was asked for",
        front: r#"produces: [.github/workflows/ci.yml]
"#,
        base: "",
        session: r#"mkdir -p src tests; echo 42 > src/answer.txt; echo 'expect src/answer.txt 42' > tests/test_answer.py
mkdir -p .github/workflows; echo 'on: push' > .github/workflows/ci.yml"#,
        want: Want::Done,
    },
    Case {
        name: "adds attributes it was asked for",
        front: r#"touches_control_plane: [.gitattributes]
"#,
        base: "",
        session: r#"mkdir -p src tests; echo 42 > src/answer.txt; echo 'expect src/answer.txt 42' > tests/test_answer.py
echo '*.txt text' > .gitattributes"#,
        want: Want::Done,
    },
    Case {
        name: "adds an issue template",
        front: "",
        base: "",
        session: r#"mkdir -p src tests; echo 42 > src/answer.txt; echo 'expect src/answer.txt 42' > tests/test_answer.py
mkdir -p .github/ISSUE_TEMPLATE; echo '# Bug' > .github/ISSUE_TEMPLATE/bug.md"#,
        want: Want::Done,
    },
    Case {
        name: "adds a makefile",
        front: "",
        base: "",
        session: r#"mkdir -p src tests; echo 42 > src/answer.txt; echo 'expect src/answer.txt 42' > tests/test_answer.py
printf 'all:\n\techo all\n' > Makefile"#,
        want: Want::Done,
    },
    Case {
        name: "adds a file with a space and one with an umlaut",
        front: "",
        base: "",
        session: r#"mkdir -p src tests; echo 42 > src/answer.txt; echo 'expect src/answer.txt 42' > tests/test_answer.py
echo x > 'src/a b.txt'; echo x > src/ä.txt"#,
        want: Want::Done,
    },
    Case {
        name: "adds a hidden file",
        front: "",
        base: "",
        session: r#"mkdir -p src tests; echo 42 > src/answer.txt; echo 'expect src/answer.txt 42' > tests/test_answer.py
echo x > .editorconfig"#,
        want: Want::Done,
    },
    Case {
        name: "adds an executable",
        front: "",
        base: "",
        session: r#"mkdir -p src tests; echo 42 > src/answer.txt; echo 'expect src/answer.txt 42' > tests/test_answer.py
printf '#!/bin/sh\necho hi\n' > src/tool.sh; chmod +x src/tool.sh"#,
        want: Want::Done,
    },
    Case {
        name: "adds a link inside",
        front: "",
        base: "",
        session: r#"mkdir -p src tests; echo 42 > src/answer.txt; echo 'expect src/answer.txt 42' > tests/test_answer.py
ln -s answer.txt src/link.txt"#,
        want: Want::Done,
    },
    Case {
        name: "adds a large file",
        front: "",
        base: "",
        session: r#"mkdir -p src tests; echo 42 > src/answer.txt; echo 'expect src/answer.txt 42' > tests/test_answer.py
head -c 3000000 /dev/zero > src/data.bin"#,
        want: Want::Done,
    },
    Case {
        name: "deletes what is not needed",
        front: "",
        base: r#"echo old > src/old.txt"#,
        session: r#"mkdir -p src tests; echo 42 > src/answer.txt; echo 'expect src/answer.txt 42' > tests/test_answer.py
rm src/old.txt"#,
        want: Want::Done,
    },
    Case {
        name: "extends .gitignore",
        front: "",
        base: "",
        session: r#"mkdir -p src tests; echo 42 > src/answer.txt; echo 'expect src/answer.txt 42' > tests/test_answer.py
echo '*.log' >> .gitignore"#,
        want: Want::Done,
    },
    Case {
        name: "leaves build output behind",
        front: "",
        base: "",
        session: r#"mkdir -p src tests; echo 42 > src/answer.txt; echo 'expect src/answer.txt 42' > tests/test_answer.py
mkdir -p build; echo x > build/out"#,
        want: Want::Done,
    },
    Case {
        name: "commits in its slot",
        front: "",
        base: "",
        session: r#"mkdir -p src tests; echo 42 > src/answer.txt; echo 'expect src/answer.txt 42' > tests/test_answer.py
git add -A; git -c user.name=x -c user.email=x@x commit -qm 'Add the answer'"#,
        want: Want::Done,
    },
    Case {
        name: "commits twice in its slot",
        front: "",
        base: "",
        session: r#"echo 41 > src/answer.txt; git add -A; git -c user.name=x -c user.email=x@x commit -qm one; echo 42 > src/answer.txt; git -c user.name=x -c user.email=x@x commit -qam two"#,
        want: Want::Done,
    },
    Case {
        name: "makes a branch in its slot",
        front: "",
        base: "",
        session: r#"git checkout -q -b mine; mkdir -p src tests; echo 42 > src/answer.txt; echo 'expect src/answer.txt 42' > tests/test_answer.py; git add -A; git -c user.name=x -c user.email=x@x commit -qm x"#,
        want: Want::Done,
    },
    Case {
        name: "reads the history",
        front: "",
        base: "",
        session: r#"mkdir -p src tests; echo 42 > src/answer.txt; echo 'expect src/answer.txt 42' > tests/test_answer.py
git log --oneline > /dev/null; git status > /dev/null; git diff > /dev/null"#,
        want: Want::Done,
    },
    Case {
        name: "stashes and pops",
        front: "",
        base: "",
        session: r#"mkdir -p src tests; echo 42 > src/answer.txt; echo 'expect src/answer.txt 42' > tests/test_answer.py
git add -A; git -c user.name=x -c user.email=x@x stash -q; git -c user.name=x -c user.email=x@x stash pop -q"#,
        want: Want::Done,
    },
    Case {
        name: "sets its own identity in the slot",
        front: "",
        base: "",
        session: r#"git config user.name me; git config user.email me@example.org; mkdir -p src tests; echo 42 > src/answer.txt; echo 'expect src/answer.txt 42' > tests/test_answer.py"#,
        want: Want::Done,
    },
    Case {
        name: "uses the temporary directory",
        front: "",
        base: "",
        session: r#"mkdir -p src tests; echo 42 > src/answer.txt; echo 'expect src/answer.txt 42' > tests/test_answer.py
T=$(mktemp); echo x > $T; rm $T"#,
        want: Want::Done,
    },
    Case {
        name: "writes to its home's cache",
        front: "",
        base: "",
        session: r#"mkdir -p src tests; echo 42 > src/answer.txt; echo 'expect src/answer.txt 42' > tests/test_answer.py
mkdir -p ~/.cache/tool; echo x > ~/.cache/tool/x"#,
        want: Want::Done,
    },
    Case {
        name: "runs the tests first",
        front: "",
        base: "",
        session: r#"mkdir -p src tests; echo 42 > src/answer.txt; echo 'expect src/answer.txt 42' > tests/test_answer.py
pytest -q > /dev/null"#,
        want: Want::Done,
    },
    Case {
        name: "starts and ends a server",
        front: "",
        base: "",
        session: r#"mkdir -p src tests; echo 42 > src/answer.txt; echo 'expect src/answer.txt 42' > tests/test_answer.py
sleep 5 & P=$!; kill $P; wait $P 2>/dev/null; true"#,
        want: Want::Done,
    },
    Case {
        name: "prints much",
        front: "",
        base: "",
        session: r#"mkdir -p src tests; echo 42 > src/answer.txt; echo 'expect src/answer.txt 42' > tests/test_answer.py
yes hello | head -c 2000000"#,
        want: Want::Done,
    },
    Case {
        name: "speaks of rate limits and failures",
        front: "",
        base: "",
        session: r#"mkdir -p src tests; echo 42 > src/answer.txt; echo 'expect src/answer.txt 42' > tests/test_answer.py
echo 'error: rate limit exceeded; tests FAILED; usage limit reached'; echo 'rate limit' > src/limits.txt"#,
        want: Want::Done,
    },
    Case {
        name: "names environment variables of secrets",
        front: "",
        base: "",
        session: r#"mkdir -p src tests; echo 42 > src/answer.txt; echo 'expect src/answer.txt 42' > tests/test_answer.py
echo 'key = os.environ["AWS_SECRET_ACCESS_KEY"]' > src/aws.py"#,
        want: Want::Done,
    },
    Case {
        name: "has example keys",
        front: "",
        base: "",
        session: r#"mkdir -p src tests; echo 42 > src/answer.txt; echo 'expect src/answer.txt 42' > tests/test_answer.py
echo 'token: <your token here>  # example: sk-xxxxxxxxxxxxxxxxxxxxxxxx' > src/example.yml"#,
        want: Want::Done,
    },
    Case {
        name: "stays in scope",
        front: r#"touches: [src/**, tests/**]
"#,
        base: "",
        session: r#"mkdir -p src tests; echo 42 > src/answer.txt; echo 'expect src/answer.txt 42' > tests/test_answer.py"#,
        want: Want::Done,
    },
    Case {
        name: "delivers what it names",
        front: r#"produces: [src/answer.txt, 'tests/*.py']
"#,
        base: "",
        session: r#"mkdir -p src tests; echo 42 > src/answer.txt; echo 'expect src/answer.txt 42' > tests/test_answer.py"#,
        want: Want::Done,
    },
    Case {
        name: "turns a red check green",
        front: r#"checks:
  - name: answer
    run: grep -q 42 src/answer.txt
    expect_base: red
"#,
        base: "",
        session: r#"mkdir -p src tests; echo 42 > src/answer.txt; echo 'expect src/answer.txt 42' > tests/test_answer.py"#,
        want: Want::Done,
    },
    Case {
        name: "keeps a green check green",
        front: r#"checks:
  - name: base
    run: grep -q ok src/base.txt
    expect_base: green
"#,
        base: "",
        session: r#"mkdir -p src tests; echo 42 > src/answer.txt; echo 'expect src/answer.txt 42' > tests/test_answer.py"#,
        want: Want::Done,
    },
    Case {
        name: "edits its own unit's notes",
        front: "",
        base: "",
        session: r#"mkdir -p src tests; echo 42 > src/answer.txt; echo 'expect src/answer.txt 42' > tests/test_answer.py
echo 'A note.' >> .gatewalk/features/FEAT-2026-0001-answer/WU-01-answer.md"#,
        want: Want::Done,
    },
];
