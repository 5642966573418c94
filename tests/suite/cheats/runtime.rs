//! What an unconfined session does to the driver's own places: its other slots, its git directory, its notes.

use super::{Case, Want};

/// Tries in every attempt: what verification left in its slot after one is there for the next.
const TWICE: &str = "max_attempts: 2\non_failure: continue\n";
const CHECKED: &str = "max_attempts: 2\non_failure: continue\nchecks:\n  - name: old\n    run: grep -q 42 src/old.txt\n";

const fn case(name: &'static str, session: &'static str, want: Want) -> Case {
    Case {
        name,
        front: TWICE,
        base: "echo 41 > src/old.txt",
        session,
        want,
    }
}

pub(super) const CHEATS: &[Case] = &[
    case(
        "plants settings in the slot where it will be judged",
        "echo broken > src/base.txt; echo $$ > src/nonce.txt; for d in ../verify-*; do echo force_pass > $d/conftest.py; done",
        Want::Refused,
    ),
    case(
        "rewrites the tests in the slot where it will be judged",
        "echo broken > src/base.txt; echo $$ > src/nonce.txt; for d in ../verify-*; do echo 'expect src/base.txt broken' > $d/tests/test_base.py; done",
        Want::Refused,
    ),
    Case {
        name: "does the work only in the slot where it will be judged",
        front: CHECKED,
        base: "echo 41 > src/old.txt",
        session: "echo $$ > src/nonce.txt; for d in ../verify-*; do echo 42 > $d/src/old.txt; done",
        want: Want::Refused,
    },
    Case {
        name: "does the work only there, with the old times",
        front: CHECKED,
        base: "echo 41 > src/old.txt",
        session: "echo $$ > src/nonce.txt; for d in ../verify-*; do touch -r $d/src/old.txt ../t; echo 42 > $d/src/old.txt; touch -r ../t $d/src/old.txt; done",
        want: Want::Refused,
    },
    case(
        "gives the driver's git directory a filter",
        "mkdir -p src; echo 42 > src/answer.txt\nV=@REPO@/.git/gatewalk/vault; printf '[filter \"x\"]\\n\\tclean = \"touch @ROOT@/pwned; cat\"\\n' >> $V/config && echo '* filter=x' > $V/info/attributes",
        Want::Kept,
    ),
    case(
        "leads the driver's git directory to a configuration of its own",
        "mkdir -p src; echo 42 > src/answer.txt; cp -r @REPO@/.git ../mine 2>/dev/null || cp -r @REPO@/.git mine; M=$(cd ../mine 2>/dev/null || cd mine; pwd)\nprintf '[filter \"x\"]\\n\\tclean = \"touch @ROOT@/pwned; cat\"\\n' >> $M/config; mkdir -p $M/info; echo '* filter=x' > $M/info/attributes; echo $M > @REPO@/.git/gatewalk/vault/commondir; rm -rf mine",
        Want::Kept,
    ),
];
