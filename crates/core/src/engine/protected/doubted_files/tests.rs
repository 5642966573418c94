use super::super::Declared;
use super::super::tests::change;
use super::*;
use crate::engine::changed_file::ChangedFile;

fn doubted(path: &str, old: &str) -> Option<DoubtedFile> {
    let change = change(path, Some(old), Some("new"));
    let pair = ChangedFile {
        change: &change,
        old: Some(old.as_bytes()),
        new: Some(b"new"),
    };
    DoubtedFile::of(&Policy::new(&[], Declared::default(), &[]), &pair)
}

#[test]
fn what_may_judge_although_no_name_says_so_is_known() {
    let of = |path: &str, old: &str| doubted(path, old).map(|file| file.kind);
    for (path, old, want) in [
        ("vectors/sums.v1", "1", Some(DoubtKind::PlacedData)),
        ("steps/one", "pass", Some(DoubtKind::PlacedData)),
        ("all.lst", "a", Some(DoubtKind::RootData)),
        ("VERSION", "1.2", None),
        ("pkg/tsconfig.build.json", "{}", None),
        ("config/limits.toml", "a = 1", Some(DoubtKind::ProductData)),
        ("src/sums.csv", "1,2,3", Some(DoubtKind::ProductData)),
        ("docs/limits.md", "a = 1", None),
        ("bin/app", "#!/bin/sh\n", None),
        ("lib/add.zig", "fn add() void {}\n", None),
        ("db/0001.sql", "x", None),
        ("proofs/a.sh", "[ x = y ]\n", Some(DoubtKind::Script)),
        ("bin/a.sh", "[ x = y ]\n", None),
        ("main.sh", "[ x = y ] || exit 1\n", None),
        (
            "same.py",
            "if a != b:\n    raise AssertionError(a)\n",
            Some(DoubtKind::Helper),
        ),
        ("sums.py", "SUMS = [(1, 2, 3)]\n", Some(DoubtKind::Helper)),
        (
            "given.py",
            "def cases():\n    return [(1, 2, 3)]\n",
            Some(DoubtKind::Helper),
        ),
        (
            "given.js",
            "exports.cases = () => [[1, 2, 3]];\n",
            Some(DoubtKind::Helper),
        ),
        ("_version.py", "VALUE = '1.2'\n", None),
        (
            "table.go",
            "package calc\n\nvar sums = [][3]int{{1, 2, 3}}\n",
            Some(DoubtKind::Helper),
        ),
        ("calc.py", "def add(a, b):\n    return a + b\n", None),
    ] {
        assert_eq!(of(path, old), want, "{path}");
    }
}

#[test]
fn data_that_joined_is_asked_about_beside_data_that_no_changed_source_reads() {
    let paths = ["cases/a.json".to_owned(), "calc.py".to_owned()];
    let policy = Policy::new(&[], Declared::default(), &[]);
    for (path, source, want) in [
        ("cases/b.json", "x = 1\n", true),
        ("cases/b.json", "x = open('cases/b.json')\n", false),
        ("cases/b.toml", "x = 1\n", false),
        ("other/b.json", "x = 1\n", false),
    ] {
        let changes = [
            change(path, None, Some("1")),
            change("calc.py", Some(""), Some(source)),
        ];
        let pairs = [("1", &changes[0]), (source, &changes[1])].map(|(new, change)| ChangedFile {
            change,
            old: None,
            new: Some(new.as_bytes()),
        });
        let mut asked = vec![DoubtedFile::of(&policy, &pairs[0]).unwrap()];
        keep_those_of_old_kinds(&mut asked, &paths, (&policy, &pairs));
        assert_eq!(!asked.is_empty(), want, "{path}: {source}");
    }
}

#[test]
fn a_source_that_an_import_may_now_find_stands_in_for_another() {
    let paths = [
        "calc/index.js",
        "src/a.ts",
        "src/b.js",
        "lib/d.py",
        "e.py",
        "Makefile",
    ]
    .map(str::to_owned);
    let policy = Policy::new(&[], Declared::default(), &[]);
    let touches = ["src/named.js", "src/a.mjs"];
    for (path, touches, want) in [
        ("calc.js", &[][..], true),
        ("src/a.mjs", &[], true),
        ("src/a.mjs", &touches, false),
        ("src/a.d.ts", &[], false),
        ("src/c.js", &[], false),
        ("src/b", &[], true),
        ("calc/index", &[], true),
        ("src/c", &[], false),
        ("src/e", &[], false),
        ("lib/d/__init__.py", &[], true),
        ("lib/e/__init__.py", &[], false),
        ("lib/d/part.py", &[], false),
        ("lib/d.cpython-311-x86_64-linux-gnu.so", &[], true),
        ("e.pyd", &[], true),
        ("lib/e.so", &[], false),
        ("tests/calc/index.js", &[], false),
    ] {
        let change = change(path, None, Some("1"));
        let pair = ChangedFile {
            change: &change,
            old: None,
            new: Some(b"1"),
        };
        let new = may_stand_in(&policy, &[pair], touches);
        assert_eq!(
            !standing_in(new, &[pair], &paths).is_empty(),
            want,
            "{path}"
        );
    }
}

#[test]
fn what_a_file_of_go_holds_goes_by_its_names() {
    let file = doubted(
        "table.go",
        "package calc\n\nvar sums = [][3]int{{1, 2, 3}}\nvar (\n\tmore = 1\n)\n",
    );
    let file = file.unwrap();
    for (text, want) in [
        ("for _, s := range sums {", true),
        ("more + 1", true),
        ("table", false),
    ] {
        assert_eq!(file.is_named_in(text), want, "{text}");
        assert_eq!(
            file.reads.is_read_in(&ProductText::new("a.go", text)),
            want,
            "{text}"
        );
    }
    assert!(!file.names_other(&BTreeSet::from(["calc", "table"])));
}

#[test]
fn what_judges_by_a_directory_runs_what_is_in_it() {
    let file = doubted("proofs/a.sh", "[ x = y ]\n").unwrap();
    for (chain, want) in [
        ("for f in proofs/*.sh; do", true),
        ("find proofs -name x", true),
        ("sh proofs/b.sh", false),
        ("waterproofs/*", false),
    ] {
        assert_eq!(file.is_run_beside(chain), want, "{chain}");
    }
}
