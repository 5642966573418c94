use super::blocks::NumberedLines;
use super::quiet_lines::quiet;
use super::*;

fn file(path: &str, old: &str, new: &str) -> ChangedText {
    ChangedText {
        path: path.to_owned(),
        old: old.to_owned(),
        new: new.to_owned(),
        judging: vec![],
    }
}

/// Searches to the end; the checks miss what holds one of `needed`, each of which must be in the text.
fn search(files: Vec<ChangedText>, needed: &[&str]) -> (WitnessSearch, Vec<String>) {
    let whole: String = files.iter().map(|f| f.new.as_str()).collect();
    let needed: Vec<&&str> = needed.iter().filter(|n| whole.contains(**n)).collect();
    let mut search = WitnessSearch::new(files.clone());
    while let Some(probe) = search.next() {
        let texts = search.texts_without(&probe);
        let text_of = |file: &ChangedText| {
            let changed = texts.iter().find(|(path, _)| *path == file.path);
            changed.map_or(file.new.clone(), |(_, text)| text.clone())
        };
        let left: String = files.iter().map(text_of).collect();
        let missed = needed.iter().any(|n| !left.contains(**n));
        search.answer(probe, missed);
        assert!(search.asked < 200, "it ends");
    }
    assert_eq!(search.left(), 0);
    let found = search
        .unwitnessed()
        .iter()
        .map(ToString::to_string)
        .collect();
    (search, found)
}

#[test]
fn lines_that_nobody_misses_are_found_as_large_as_they_are() {
    for (path, old, new, needed, want) in [
        // Nothing is seen, everything is.
        ("a.py", "", "x = 1\n", &[][..], &["a.py:1: x = 1"][..]),
        ("a.py", "", "x = 1\n", &["x"], &[]),
        // A new file of two functions, of which one is tested.
        (
            "a.py",
            "",
            "def seen():\n    return 1\n\n\ndef unseen():\n    return 2\n",
            &["def seen", "return 1"],
            &["a.py:5-6: def unseen():"],
        ),
        // A branch inside a function that is tested.
        (
            "a.rs",
            "",
            "fn f(n: i32) -> i32 {\n    if n < 0 {\n        return 0;\n    }\n    n + 1\n}\n",
            &["fn f(n: i32) -> i32 {\n", "n + 1\n}"],
            &["a.rs:2-4: if n < 0 {"],
        ),
        // The inside only: the condition is needed, what it guards is not.
        (
            "a.js",
            "",
            "if (x) {\n  log(x)\n}\ngo(x)\n",
            &["if (x) {", "go(x)"],
            &["a.js:2: log(x)"],
        ),
        // A changed line goes back to what it was.
        ("a.c", "a\nb\nc\n", "a\nB\nc\n", &["a", "c"], &["a.c:2: B"]),
        ("a.c", "a\nb\nc\n", "a\nB\nc\n", &["B"], &[]),
        // Lines that are gone come back.
        (
            "a.c",
            "a\nb\nc\n",
            "a\nc\n",
            &["a", "c"],
            &["a.c:1 (1 line removed): b"],
        ),
        (
            "a.c",
            "x\nb\nc\n",
            "c\n",
            &["c"],
            &["a.c:1 (2 lines removed): x"],
        ),
        // Two places that touch are one.
        ("a.c", "", "a;\nb;\nc;\nd;\n", &["a", "d"], &["a.c:2-3: b;"]),
        // What has no lines to be seen is not asked.
        ("a.py", "", "# a comment\n\n", &[], &[]),
        ("README.md", "", "words\n", &[], &[]),
        ("docs/LICENSE", "", "words\n", &[], &[]),
        ("a.c", "f(a,b)\n", "f(a,\n  b)\n", &[], &[]),
        (
            "a.py",
            "if a:\n    b\nc\n",
            "if a:\n    b\n    c\n",
            &["if a", "b"],
            &["a.py:3: c"],
        ),
        ("a.c", "// one\na\n", "// two\na\n", &[], &[]),
        // A comment that hides code is a change.
        ("a.c", "f();\n", "// f();\n", &[], &["a.c:1: // f();"]),
    ] {
        let (_, found) = search(vec![file(path, old, new)], needed);
        assert_eq!(found, want, "{path}: {old:?} to {new:?}");
    }
}

#[test]
fn what_could_not_be_seen_is_counted() {
    let hunks = |path: &str, old: &str, new: &str| {
        let search = WitnessSearch::new(vec![file(path, old, new)]);
        (search.hunks(), search.not_asked)
    };
    for stub in ["a.md", "a.pyi", "src/a.d.ts"] {
        assert_eq!(hunks(stub, "", "x\n"), (0, 1), "{stub}");
    }
    assert_eq!(hunks("src/a.ts", "", "x\n"), (1, 0));
    assert_eq!(hunks("a.c", "a\n", "// x\na\nb\n"), (1, 1));
    assert_eq!(hunks("a.c", "a\nb\n", "c\na\nb\nd\n"), (2, 0));
    assert_eq!(hunks("a.c", "a\n", "a\n"), (0, 0));
    assert_eq!(hunks("a.c", "", &"a;\n".repeat(20_001)), (0, 1));
    assert_eq!(hunks("a.c", "", &"a;\n".repeat(19_999)), (1, 0));
}

#[test]
fn tests_inside_a_source_file_are_not_taken_back() {
    let new = "fn a() {}\nmod tests {\n    fn t() {}\n}\nfn b() {}\n";
    let mut text = file("a.rs", "", new);
    let start = new.find("mod").unwrap();
    text.judging.push(start..new.find("fn b").unwrap());
    let (search, found) = search(vec![text.clone()], &[]);
    assert_eq!(search.hunks(), 2);
    assert_eq!(found, ["a.rs:1: fn a() {}", "a.rs:5: fn b() {}"]);
    // A hunk of nothing else is none.
    text.judging.push(0..new.len());
    let none = WitnessSearch::new(vec![text]);
    assert_eq!((none.hunks(), none.not_asked), (0, 1));
}

#[test]
fn many_hunks_are_taken_back_in_groups_first() {
    let old: String = (0..20).map(|n| format!("{n}\n")).collect();
    let new: String = (0..20).map(|n| format!("{n}\nx{n};\n")).collect();
    let run = |needed: &[&str]| {
        let (search, found) = search(vec![file("a.c", &old, &new)], needed);
        (search.asked, found.len())
    };
    // Nobody misses any of them: two probes.
    assert_eq!(run(&[]), (2, 20));
    // One of twenty is missed: its half, its quarter, its group, itself and its line.
    let (asked, found) = run(&["x3;"]);
    assert_eq!(found, 19);
    assert!(asked < 15, "{asked}");
    let few: String = (0..7).map(|n| format!("{n}\nx{n};\n")).collect();
    let base: String = (0..7).map(|n| format!("{n}\n")).collect();
    let (search, found) = search(vec![file("a.c", &base, &few)], &[]);
    assert_eq!((search.asked, found.len()), (7, 7));
}

#[test]
fn two_files_are_taken_back_together_and_shown_apart() {
    let many = |mark: &str| -> String { (0..5).map(|n| format!("{n}\n{mark}{n};\n")).collect() };
    let base: String = (0..5).map(|n| format!("{n}\n")).collect();
    let files = vec![
        file("a.c", &base, &many("x")),
        file("b.c", &base, &many("y")),
    ];
    let (search, found) = search(files, &["x0;"]);
    assert_eq!(search.hunks(), 10);
    assert_eq!(found.len(), 9);
    assert_eq!(found[0], "a.c:4: x1;");
    assert_eq!(found[8], "b.c:10: y4;");
}

#[test]
fn secrets_are_not_shown() {
    let line = format!("key = \"ghp_{}\"\n", "a1B2c3D4e5".repeat(4));
    let (_, found) = search(vec![file("a.py", "", &line)], &[]);
    assert!(!found[0].contains("a1B2c3D4e5"), "{found:?}");
}

#[test]
fn a_run_of_lines_falls_into_its_blocks_and_a_block_into_its_inside() {
    let parts = |text: &str| -> Vec<String> {
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let quiet = quiet("a.rs", &lines);
        let numbered = NumberedLines {
            text: &lines,
            quiet: &quiet,
        };
        let parts = numbered.parts(&(0..lines.len()));
        parts
            .iter()
            .map(|p| format!("{}-{}", p.start + 1, p.end))
            .collect()
    };
    for (text, want) in [
        ("a\n", &[][..]),
        ("\n\n", &[]),
        ("a\nb\n", &["1-1", "2-2"]),
        ("a\nb\nc\n", &["1-1", "2-3"]),
        ("f {\n  a\n}\n", &["2-2"]),
        ("f {\n}\n", &["1-1"]),
        ("f\nend\nend\n", &["1-1"]),
        ("end\n", &[]),
        ("f {\n  a\n}\ng {\n  b\n}\n", &["1-3", "4-6"]),
        ("if a {\n  b\n} else {\n  c\n}\n", &["2-2", "4-4"]),
        (
            "if a:\n  b\nelif c:\n  d\nelse:\n  e\n",
            &["2-2", "4-4", "6-6"],
        ),
        ("#[x]\nf {\n  a\n}\n", &["3-3"]),
        ("// says\nf {\n  a\n}\n\n@y\ng {\n  b\n}\n", &["1-5", "6-9"]),
        ("\tf\n\t\ta\n", &["2-2"]),
        ("f(\n  a,\n)\n", &["2-2"]),
        ("a\n// only\n", &[]),
    ] {
        assert_eq!(parts(text), want, "{text:?}");
    }
}

#[test]
fn comments_are_known_by_the_kind_of_file() {
    let of = |path: &str, text: &str| -> String {
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let marks = quiet(path, &lines);
        marks.iter().map(|q| if *q { '-' } else { 'x' }).collect()
    };
    for (path, text, want) in [
        ("a.rs", "// a\nb\n\n/* c\nd\n*/ e\nf\n", "-x----x"),
        ("a.rs", "/* a */\nb\n#[c]\n", "-xx"),
        ("a.py", "#!/usr/bin/python\n# a\nb # c\n", "x-x"),
        ("a.py", "def f():\n    \"\"\"One.\"\"\"\n    x\n", "x-x"),
        (
            "a.py",
            "\"\"\"One.\n\nTwo.\n\"\"\"\nx = \"\"\"a\nb\"\"\"\n",
            "----xx",
        ),
        ("a.rb", "\"\"\"a\"\"\"\n", "x"),
        ("a.sql", "-- a\nb\n", "-x"),
        ("a.html", "<!-- a\nb -->\n<p>\n", "--x"),
        ("a.ini", "; a\nb\n", "-x"),
        ("a.tex", "% a\nb\n", "-x"),
        ("Makefile", "# a\nb:\n", "-x"),
        ("a.unknown", "# a\n// b\n", "xx"),
    ] {
        assert_eq!(of(path, text), want, "{path}: {text:?}");
    }
}

#[test]
fn a_tester_is_given_the_diff_and_asked_about_its_lines() {
    let files = [
        file("a.c", "a\nb\nc\n", "a\nB\nc\nd\ne\n"),
        file("new.c", "", "x\n"),
    ];
    assert_eq!(changed_lines(&files[0]), [2..3, 4..6]);
    assert_eq!(changed_lines(&files[1]).len(), 1);
    assert_eq!(changed_lines(&file("a.c", "a\nb\n", "a\n")), []);
    let diff = unified_diff(&files);
    assert!(
        diff.starts_with("diff --git a/a.c b/a.c\n--- a/a.c\n+++ b/a.c\n@@ "),
        "{diff}"
    );
    assert!(diff.contains("-b\n+B\n"), "{diff}");
    assert!(diff.contains("--- /dev/null\n+++ b/new.c\n"), "{diff}");
}
