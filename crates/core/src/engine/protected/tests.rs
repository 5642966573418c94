use super::*;

fn change(path: &str, old: Option<&str>, new: Option<&str>) -> ChangedPath {
    let kind = match (old, new) {
        (None, _) => ChangedPathKind::Added,
        (_, None) => ChangedPathKind::Deleted,
        _ => ChangedPathKind::Modified,
    };
    ChangedPath {
        path: path.to_owned(),
        kind,
        regular: new.is_some(),
    }
}

fn looked(declared: &[&str], files: &[(&str, Option<&str>, Option<&str>)]) -> TestChanges {
    let changes: Vec<ChangedPath> = files
        .iter()
        .map(|(p, old, new)| change(p, *old, *new))
        .collect();
    let pairs: Vec<ChangedFile<'_>> = files
        .iter()
        .zip(&changes)
        .map(|((_, old, new), change)| ChangedFile {
            change,
            old: old.map(str::as_bytes),
            new: new.map(str::as_bytes),
        })
        .collect();
    let all = declared == ["*all*"];
    look(
        &Policy::new(
            &["quality/**"],
            if all { &[] } else { declared },
            all,
            &["sh scripts/verify.sh && sh app.sh"],
        ),
        &pairs,
    )
}

#[test]
fn undeclared_changes_are_put_back_and_declared_ones_are_not() {
    let (a, b) = (Some("a"), Some("b"));
    for (path, old, new, back) in [
        ("tests/a.rs", a, b, true),
        ("tests/a.rs", a, None, true),
        ("tests/a.rs", None, b, false),
        ("pkg/sub/x_test.go", a, b, true),
        ("web/src/button.test.tsx", a, b, true),
        ("app/src/test/java/ATest.java", a, b, true),
        ("pkg/test_x.py", a, b, true),
        ("quality/rules.txt", a, b, true),
        ("scripts/verify.sh", a, b, true),
        ("scripts/other.sh", a, b, false),
        ("app.sh", a, b, false),
        ("src/lib.rs", a, b, false),
        ("src/latest.rs", a, b, false),
        ("docs/testing.md", a, b, false),
        ("src/contest/mod.rs", a, b, false),
        ("conftest.py", None, b, true),
        ("sub/sitecustomize.py", None, b, true),
        ("pytest.py", None, b, true),
        ("vendor/x.pth", None, b, true),
        ("jest.config.js", a, b, true),
        (".cargo/config.toml", None, b, true),
        ("bin/python3", None, b, true),
        ("node_modules/.bin/jest", None, b, true),
        ("cmd/test", None, b, false),
        (".npmrc", None, b, true),
        ("build.rs", None, b, false),
    ] {
        let undeclared = looked(&[], &[(path, old, new)]);
        assert_eq!(
            !undeclared.put_back.is_empty(),
            back,
            "{path} {old:?} {new:?}"
        );
        assert!(
            looked(&[path], &[(path, old, new)]).put_back.is_empty(),
            "{path}"
        );
        assert!(
            looked(&["*all*"], &[(path, old, new)]).put_back.is_empty(),
            "{path}"
        );
        if back {
            assert!(!undeclared.notices.is_empty(), "{path}");
        }
    }
}

#[test]
fn only_the_judging_part_of_a_manifest_is_put_back() {
    for (path, old, new, back) in [
        (
            "package.json",
            r#"{"scripts":{"test":"jest"}}"#,
            r#"{"scripts":{"test":"exit 0"},"dependencies":{"a":"1"}}"#,
            Some(r#"{"scripts":{"test":"jest"},"dependencies":{"a":"1"}}"#),
        ),
        (
            "package.json",
            r#"{"scripts":{"test":"jest"}}"#,
            r#"{"scripts":{"test":"jest","pretest":"rm -r tests"}}"#,
            Some(r#"{"scripts":{"test":"jest"}}"#),
        ),
        (
            "package.json",
            r#"{"scripts":{"test":"jest"}}"#,
            r#"{"scripts":{"test":"jest","dev":"vite"},"dependencies":{"a":"1"}}"#,
            None,
        ),
        (
            "package.json",
            r#"{"a":1}"#,
            r#"{"a":1,"jest":{"testMatch":[]}}"#,
            Some(r#"{"a":1}"#),
        ),
        (
            "pyproject.toml",
            "[project]\nname = \"a\"\n[tool.pytest.ini_options]\nx = 1\n",
            "[project]\nname = \"b\"\n[tool.pytest.ini_options]\naddopts = \"-k no\"\n",
            Some("[project]\nname = \"b\"\n[tool.pytest.ini_options]\nx = 1\n"),
        ),
        (
            "pyproject.toml",
            "[project]\nname = \"a\"\n",
            "[project]\nname = \"b\"\n",
            None,
        ),
        (
            "pyproject.toml",
            "[project]\n",
            "[project]\n[tool.pytest.ini_options]\naddopts = \"-k no\"\n",
            Some("[project]\n"),
        ),
        (
            "Cargo.toml",
            "[package]\n",
            "[package]\nautotests = false\n[dependencies]\nx = \"1\"\n",
            Some("[package]\n[dependencies]\nx = \"1\"\n"),
        ),
        (
            "Cargo.toml",
            "[package]\n",
            "[package]\n[dependencies]\nx = \"1\"\n",
            None,
        ),
        (
            "Makefile",
            "all:\n\tcc a.c\ntest: all\n\t./a\n",
            "all:\n\tcc a.c b.c\ntest:\n\ttrue\n",
            Some("all:\n\tcc a.c b.c\ntest: all\n\t./a\n"),
        ),
        (
            "Makefile",
            "all:\n\tcc a.c\ntest: all\n\t./a\n",
            "all:\n\tcc a.c b.c\ntest: all\n\t./a\n",
            None,
        ),
        (
            "src/a.rs",
            "fn a() {}\n\n#[cfg(test)]\nmod tests {\n#[test]\nfn a() { x() }\n}\n",
            "fn b() {}\n\n#[cfg(test)]\nmod tests {\n}\n",
            Some("fn b() {}\n\n#[cfg(test)]\nmod tests {\n#[test]\nfn a() { x() }\n}\n"),
        ),
        (
            "src/a.rs",
            "fn a() {}\n#[cfg(test)]\nmod tests {\n#[test]\nfn a() {}\n}\n",
            "fn b() {}\n#[cfg(test)]\nmod tests {\n#[test]\nfn a() {}\n#[test]\nfn b() {}\n}\n",
            None,
        ),
        (
            "src/a.rs",
            "fn a() {}\n#[cfg(test)]\nmod tests {\n#[test]\nfn a() {}\n}\n",
            "fn b() {}\n#[cfg(test)]\nmod tests {\n#[test]\n#[ignore]\nfn a() {}\n}\n",
            Some("fn b() {}\n#[cfg(test)]\nmod tests {\n#[test]\nfn a() {}\n}\n"),
        ),
        (
            "src/a.rs",
            "fn a() {}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn a() { x(\"}\", '}', r#\"\"}\"#); /* } */ }\n}\n",
            "fn a() {}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn a() { x(\"}\", '}', r#\"\"}\"#); /* } */ }\n}\n\npub fn b() {}\n#[cfg(test)]\nmod b_tests { #[test] fn b() {} }\n",
            None,
        ),
        (
            "src/a.rs",
            "#[cfg(test)]\nmod tests {\nfn help() {\n}\n#[test]\nfn a() { assert!(x()) }\n}\nfn a() {}\n",
            "#[cfg(test)]\nmod tests {\nfn help() {\n}\n#[test]\nfn a() { assert!(true) }\n}\nfn b() {}\n",
            Some(
                "#[cfg(test)]\nmod tests {\nfn help() {\n}\n#[test]\nfn a() { assert!(x()) }\n}\nfn b() {}\n",
            ),
        ),
        (
            "src/a.rs",
            "mod one {\n    #[cfg(test)]\n    mod tests { fn a<'a>() {} }\n}\nmod two {\n    #[cfg(test)]\n    mod tests { fn b() {} }\n}\n",
            "mod one {\n    #[cfg(test)]\n    mod tests { fn a<'a>() {} }\n}\nmod two {\n    #[cfg(any())]\n    mod tests { fn b() {} }\n}\n",
            Some(
                "mod one {\n    #[cfg(test)]\n    mod tests { fn a<'a>() {} }\n}\nmod two {\n    #[cfg(test)]\n    mod tests { fn b() {} }\n}\n",
            ),
        ),
        (
            "src/a.rs",
            "fn a() {}\n#[cfg(test)] mod tests { fn a() {} }\n",
            "fn b() {}\n",
            Some("fn b() {}\n\n#[cfg(test)] mod tests { fn a() {} }\n"),
        ),
        (
            "src/a.rs",
            "fn a() {}\n#[cfg(test)]\nmod tests;\n",
            "fn b() {}\n#[cfg(test)]\nmod tests;\n",
            None,
        ),
    ] {
        let got = looked(&[], &[(path, Some(old), Some(new))]).put_back;
        let want: Vec<_> = back
            .map(|t| (path.to_owned(), Restoration::Text(t.to_owned())))
            .into_iter()
            .collect();
        assert_eq!(got, want, "{path}: {new}");
    }
}

#[test]
fn new_tests_leave_with_new_settings_and_a_moved_test_is_not_there_twice() {
    let got = looked(
        &[],
        &[
            ("conftest.py", None, Some("x")),
            ("tests/test_new.py", None, Some("y")),
            ("src/a.py", None, Some("z")),
        ],
    );
    let paths: Vec<&str> = got.put_back.iter().map(|(p, _)| p.as_str()).collect();
    assert_eq!(paths, ["conftest.py", "tests/test_new.py"]);
    let got = looked(
        &[],
        &[
            ("tests/a.py", Some("same"), None),
            ("tests/b/a.py", None, Some("same")),
            ("tests/c.py", None, Some("new")),
        ],
    );
    let paths: Vec<&str> = got.put_back.iter().map(|(p, _)| p.as_str()).collect();
    assert_eq!(paths, ["tests/a.py", "tests/b/a.py"]);
}

#[test]
fn fewer_tests_and_more_skips_are_told() {
    for (path, old, new, told) in [
        (
            "src/a.rs",
            "#[test]\nfn a(){}\n#[test]\nfn b(){}",
            "#[test]\nfn a(){}",
            "fewer tests",
        ),
        (
            "x/a.py",
            "def test_a(): pass",
            "@pytest.mark.skip\ndef test_a(): pass",
            "skipped",
        ),
        ("x/a.ts", "it('a', f)", "it.only('a', f)", "run alone"),
        (
            "x/a.go",
            "func TestA(t *T) {}",
            "func TestA(t *T) { t.Skip() }",
            "skipped",
        ),
        (
            "x/A.java",
            "@Test void a(){}",
            "@Disabled @Test void a(){}",
            "skipped",
        ),
        (
            "x/a.bats",
            "@test \"a\" {",
            "@test \"a\" {\n  skip",
            "skipped",
        ),
        (
            "src/a.rs",
            "#[test]\nfn a(){}",
            "#[test]\nfn a(){}\n#[test]\nfn b(){}",
            "",
        ),
    ] {
        let notices = looked(&["*all*"], &[(path, Some(old), Some(new))])
            .notices
            .join("\n");
        assert_eq!(
            notices.contains("fewer") || notices.contains("skipped"),
            !told.is_empty(),
            "{path}: {notices}"
        );
        assert!(notices.contains(told), "{path}: {notices}");
    }
}
