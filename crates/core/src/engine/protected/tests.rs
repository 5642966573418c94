use super::*;
use crate::engine::changed_file::ChangedPath;

pub(super) fn change(path: &str, old: Option<&str>, new: Option<&str>) -> ChangedPath {
    let kind = match (old, new) {
        (None, _) => ChangedPathKind::Added,
        (_, None) => ChangedPathKind::Deleted,
        _ => ChangedPathKind::Modified,
    };
    ChangedPath {
        path: path.to_owned(),
        kind,
        regular: new.is_some(),
        unstartable: false,
    }
}

fn looked(declared: &[&str], files: &[(&str, Option<&str>, Option<&str>)]) -> JudgeChanges {
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
    let declared = Declared {
        globs: if all { &[] } else { declared },
        touches: &[],
        all,
    };
    let oracle = ["sh scripts/verify.sh && sh app.sh && make && pytest test_named.py"];
    look(
        &Policy::new(&["quality/**"], declared, &oracle),
        &pairs,
        &[],
    )
}

/// Returns what becomes of the only change, in a word.
fn role_of(declared: &[&str], file: (&str, Option<&str>, Option<&str>)) -> &'static str {
    let looked = looked(declared, &[file]);
    let many = [
        ("kept", !looked.kept.is_empty()),
        ("added", !looked.added.is_empty()),
        ("refused", !looked.refused.is_empty()),
        ("declared", !looked.declared.is_empty()),
    ];
    let found: Vec<&str> = many.iter().filter(|(_, is)| *is).map(|(w, _)| *w).collect();
    assert!(found.len() < 2, "{found:?}");
    found.first().copied().unwrap_or("product")
}

#[test]
fn undeclared_changes_are_kept_out_and_declared_ones_are_not() {
    let (a, b) = (Some("a"), Some("b"));
    for (path, old, new, want) in [
        ("tests/a.rs", a, b, "kept"),
        ("tests/a.rs", a, None, "kept"),
        ("tests/a.rs", None, b, "added"),
        ("pkg/sub/x_test.go", a, b, "kept"),
        ("web/src/button.test.tsx", a, b, "kept"),
        ("app/src/test/java/ATest.java", a, b, "kept"),
        ("pkg/test_x.py", a, b, "kept"),
        ("test.js", a, b, "kept"),
        ("test_x.c", a, None, "kept"),
        ("t/basic.t", a, b, "kept"),
        ("golden/out.txt", a, b, "kept"),
        ("src/fixtures/in.json", a, b, "kept"),
        ("quality/rules.txt", a, b, "kept"),
        ("scripts/verify.sh", a, b, "kept"),
        ("scripts/other.sh", a, b, "product"),
        ("app.sh", a, b, "product"),
        ("src/lib.rs", a, b, "product"),
        ("src/latest.rs", a, b, "product"),
        ("docs/testing.md", a, b, "product"),
        ("src/contest/mod.rs", a, b, "product"),
        ("conftest.py", None, b, "kept"),
        ("sub/sitecustomize.py", None, b, "kept"),
        ("pytest.py", None, b, "kept"),
        ("random.py", None, b, "kept"),
        ("random.py", a, b, "product"),
        ("src/app/random.py", None, b, "product"),
        ("__pycache__/x.cpython-312.pyc", None, b, "kept"),
        ("x.egg-info/entry_points.txt", None, b, "kept"),
        ("GNUmakefile", None, b, "kept"),
        ("rakefile", None, b, "kept"),
        ("Rakefile", None, b, "product"),
        ("Makefile", None, b, "product"),
        ("vendor/x.pth", None, b, "kept"),
        ("jest.config.js", a, b, "kept"),
        (".cargo/config.toml", None, b, "kept"),
        ("bin/python3", None, b, "kept"),
        ("node_modules/.bin/jest", None, b, "kept"),
        ("cmd/test", None, b, "product"),
        (".npmrc", None, b, "kept"),
        ("build.rs", None, b, "kept"),
        (
            "tox.ini",
            None,
            Some("[pytest]\naddopts = --co\n"),
            "refused",
        ),
        (
            "pyproject.toml",
            None,
            Some("[tool.pytest.ini_options]\nx = 1\n"),
            "refused",
        ),
        (
            "pyproject.toml",
            None,
            Some("[project]\nname = 'x'\n"),
            "product",
        ),
    ] {
        let file = (path, old, new);
        assert_eq!(role_of(&[], file), want, "{path} {old:?} {new:?}");
        for declared in [path, "*all*"] {
            let role = role_of(&[declared], file);
            assert!(matches!(role, "product" | "declared"), "{path}: {role}");
        }
        assert_eq!(
            want == "kept",
            !looked(&[], &[file]).notices.is_empty(),
            "{path}"
        );
    }
}

#[test]
fn only_what_joins_a_test_file_is_an_addition() {
    const OLD: &str = "import x\n\ndef test_a():\n    assert x.f() == 1\n\ndef test_b():\n    assert x.g() == 2\n";
    for (path, new, want) in [
        (
            "t/test_a.py",
            format!("{OLD}\ndef test_c():\n    assert x.h() == 3\n"),
            "added",
        ),
        (
            "t/test_a.py",
            OLD.replace(
                "def test_b",
                "def test_c():\n    assert 1 == x.h()\n\ndef test_b",
            ),
            "added",
        ),
        (
            "t/test_a.py",
            OLD.replace("import x\n", "import x\nimport y\n"),
            "added",
        ),
        (
            "t/test_a.py",
            // What comes last ends as the base does, and something joined further up.
            format!(
                "{}\ndef test_c():\n    with x.y():\n        pass\n    assert x.g() == 2\n",
                OLD.replace("import x\n", "import x\nimport y\n")
            ),
            "added",
        ),
        ("t/test_a.py", OLD.replace("\n\n", "\n\n\n"), "added"),
        (
            "t/test_a.py",
            OLD.replace("    assert x.f", "    return\n    assert x.f"),
            "kept",
        ),
        (
            "t/test_a.py",
            OLD.replace("def test_b", "@pytest.mark.skip\ndef test_b"),
            "kept",
        ),
        (
            "t/test_a.py",
            OLD.replace("def test_b", "@never\ndef test_b"),
            "kept",
        ),
        ("t/test_a.py", OLD.replace("== 2", "== 3"), "kept"),
        (
            "t/test_a.py",
            format!("{OLD}\ndef test_a():\n    pass\n"),
            "kept",
        ),
        ("t/test_a.py", format!("{OLD}\ntest_a = None\n"), "kept"),
        ("t/test_a.py", format!("{OLD}\nx.f = lambda: 1\n"), "kept"),
        ("t/test_a.py", format!("{OLD}\npytestmark = skip\n"), "kept"),
        (
            "t/test_a.py",
            format!("{OLD}\n@pytest.fixture(autouse=True)\ndef f():\n    pass\n"),
            "kept",
        ),
        (
            "t/test_a.py",
            format!("{OLD}\nimport os\nos._exit(0)\n"),
            "kept",
        ),
    ] {
        assert_eq!(role_of(&[], (path, Some(OLD), Some(&new))), want, "{new}");
    }
    for (path, new, want) in [
        (
            "tests/test_new.py",
            "import x\n\ndef test_new():\n    x.y = 3\n",
            "added",
        ),
        ("tests/test_new.py", "import x\nx.y = lambda: 3\n", "kept"),
        (
            "tests/test_new.py",
            "import sys\nsys.modules['x'] = None\n",
            "kept",
        ),
        (
            "test/new.test.js",
            "const x = require('x')\nmodule.exports = {}\n",
            "added",
        ),
        (
            "test/new.test.js",
            "const x = require('x')\nx.f = () => 3\n",
            "kept",
        ),
        (
            "test/new.test.js",
            "Object.defineProperty(require('x'), 'f', {})\n",
            "kept",
        ),
    ] {
        assert_eq!(role_of(&[], (path, None, Some(new))), want, "{new}");
    }
}

#[test]
fn a_test_joins_at_the_end_of_its_group_and_in_a_file_that_a_command_names() {
    const CLASSES: &str = "import unittest\n\nclass A(unittest.TestCase):\n    def test_a(self):\n        pass\n\nclass B(unittest.TestCase):\n    def test_b(self):\n        pass\n\nif __name__ == '__main__':\n    unittest.main()\n";
    const RUBY: &str = "class A < Minitest::Test\n  def test_a\n    assert f(1)\n  end\nend\n";
    const GO: &str = "func TestA(t *testing.T) {\n\tcheck(1)\n}\n\n// It is as it was.\nfunc TestB(t *testing.T) {\n}\n";
    const NODE: &str =
        "it('a', () => {\n  f(1);\n});\n\n/**\n * It is as it was.\n */\nit('b', () => {\n});\n";
    let method = "    def test_c(self):\n        self.assertEqual(f(2), 2)\n\n";
    for (path, old, before, added, want) in [
        ("t/test_a.py", CLASSES, "class B", method, "added"),
        ("t/test_a.py", CLASSES, "if __name__", method, "added"),
        (
            "t/test_a.py",
            CLASSES,
            "if __name__",
            "class C(unittest.TestCase):\n    pass\n\n",
            "added",
        ),
        (
            "t/test_a.py",
            CLASSES,
            "class A",
            "SIZE = f(3)\n\nclass Kept(list):\n    def __init__(self):\n        self.kept = []\n\n",
            "added",
        ),
        (
            "t/test_a.py",
            CLASSES,
            "class B",
            "    def __init__(self, name):\n        self.kept = []\n\n",
            "kept",
        ),
        ("test_named.py", CLASSES, "class B", method, "added"),
        ("test_named.py", CLASSES, "class B", "A = None\n", "kept"),
        (
            "t/test_a.py",
            CLASSES,
            "class B",
            "    def test_a(self):\n        pass\n\n",
            "kept",
        ),
        (
            "t/test_a.py",
            CLASSES,
            "if __name__",
            "unittest = None\n",
            "kept",
        ),
        (
            "test/test_a.rb",
            RUBY,
            "end\n\u{0}",
            "\n  def test_b\n    assert f(2)\n  end\n",
            "added",
        ),
        (
            "a_test.go",
            GO,
            "// It",
            "func TestC(t *testing.T) {\n\tcheck(2)\n}\n\n",
            "added",
        ),
        (
            "test/a.test.js",
            NODE,
            "/**",
            "it('c', () => {\n  f(2);\n});\n\n",
            "added",
        ),
    ] {
        let text = format!("{old}\u{0}");
        let new = text.replacen(before, &format!("{added}{before}"), 1);
        let new = new.trim_end_matches('\u{0}');
        assert_eq!(
            role_of(&[], (path, Some(old), Some(new))),
            want,
            "{path}: {new}"
        );
    }
}

#[test]
fn a_judging_part_of_a_manifest_is_refused_and_any_other_is_the_products() {
    const MAKE: &str = "X = 1\nall:\n\tcc a.c\ntest: all\n\t./a\n";
    for (path, old, new, want) in [
        (
            "package.json",
            r#"{"scripts":{"test":"jest"}}"#,
            r#"{"scripts":{"test":"exit 0"}}"#,
            "refused",
        ),
        (
            "package.json",
            r#"{"scripts":{"test":"jest"}}"#,
            r#"{"scripts":{"test":"jest","pretest":"rm"}}"#,
            "refused",
        ),
        (
            "package.json",
            r#"{"scripts":{"test":"jest"}}"#,
            r#"{"scripts":{"test":"jest","dev":"vite"},"dependencies":{"a":"1"}}"#,
            "product",
        ),
        (
            "package.json",
            r#"{"a":1}"#,
            r#"{"a":1,"jest":{"testMatch":[]}}"#,
            "refused",
        ),
        (
            "package.json",
            r#"{"jest":{"verbose":true}}"#,
            r#"{"jest":{"verbose":true,"collectCoverageFrom":["src/*.js"]}}"#,
            "product",
        ),
        (
            "package.json",
            r#"{"jest":{}}"#,
            r#"{"jest":{"collectCoverageFrom":[],"testMatch":[]}}"#,
            "refused",
        ),
        (
            "package.json",
            r#"{"jest":{"coverageThreshold":{}}}"#,
            r#"{"jest":{"coverageThreshold":{},"collectCoverageFrom":[]}}"#,
            "refused",
        ),
        (
            "package.json",
            r#"{"a":1}"#,
            "\u{feff}{\"a\":1,\"jest\":{}}",
            "refused",
        ),
        (
            "package.json",
            r#"{"a":1}"#,
            "\u{feff}{\"a\":1,\"b\":2}",
            "product",
        ),
        ("package.json", r#"{"a":1}"#, "{", "refused"),
        (
            "package.json",
            r#"{"a":1}"#,
            r##"{"a":1,"imports":{"#pad":"./vendor/pad.js"}}"##,
            "product",
        ),
        (
            "package.json",
            r##"{"imports":{"#lib/*":"./lib/*"}}"##,
            r##"{"imports":{"#lib/*":"./lib/*","#lib/a":"./b.js"}}"##,
            "refused",
        ),
        (
            "package.json",
            r#"{"a":1}"#,
            r##"{"a":1,"imports":{"#pad":{"test":"./a.js","default":"./b.js"}}}"##,
            "refused",
        ),
        (
            "package.json",
            r#"{"config":{"at":{"dir":"tests"}},"scripts":{"test":"node --test $npm_package_config_at_dir"}}"#,
            r#"{"config":{"at":{"dir":"none"}},"scripts":{"test":"node --test $npm_package_config_at_dir"}}"#,
            "refused",
        ),
        (
            "package.json",
            r#"{"scripts":{"test":"node --test ${npm_package_config_dir:-tests}"}}"#,
            r#"{"config":{"dir":"none"},"scripts":{"test":"node --test ${npm_package_config_dir:-tests}"}}"#,
            "refused",
        ),
        (
            "package.json",
            r#"{"config":{"port":1,"dir":"tests"},"scripts":{"test":"node --test $npm_package_config_dir"}}"#,
            r#"{"config":{"port":2,"dir":"tests"},"scripts":{"test":"node --test $npm_package_config_dir"}}"#,
            "product",
        ),
        (
            "package.json",
            r#"{"workspaces":["a","b"]}"#,
            r#"{"workspaces":["a"]}"#,
            "refused",
        ),
        (
            "pyproject.toml",
            "[project]\nname = \"a\"\n[tool.pytest.ini_options]\nx = 1\n",
            "[project]\nname = \"b\"\n[tool.pytest.ini_options]\naddopts = \"-k no\"\n",
            "refused",
        ),
        (
            "pyproject.toml",
            "[project]\nname = \"a\"\n",
            "[project]\nname = \"b\"\n",
            "product",
        ),
        (
            "pyproject.toml",
            "[tool.pytest.ini_options]\ntestpaths = [\"tests\"]\n",
            "[tool.pytest.ini_options]\ntestpaths = [\"tests\"]\nmarkers = [\"slow: takes a while\"]\n",
            "product",
        ),
        (
            "pyproject.toml",
            "[tool.pytest.ini_options]\ntestpaths = [\"tests\"]\n",
            "[tool.pytest.ini_options]\ntestpaths = [\"tests\"]\nmarkers = [\n    \"slow: takes a while\",\n    \"net\",\n]\n",
            "product",
        ),
        (
            "pyproject.toml",
            "[tool.pytest.ini_options]\ntestpaths = [\"tests\"]\n",
            "[tool.pytest.ini_options]\ntestpaths = [\"tests\"]\nmarkers = [\"\"\"slow\", \"]\"]\naddopts = \"--co\"\n",
            "refused",
        ),
        (
            "pyproject.toml",
            "[tool.pytest.ini_options]\ntestpaths = [\"tests\"]\n",
            "[tool.pytest.ini_options]\ntestpaths = [\"tests\"]\nmarkers = [\"slow\"]\naddopts = \"-m slow\"\n",
            "refused",
        ),
        (
            "pyproject.toml",
            "[tool.poe.tasks]\n",
            "[tool.poe.tasks]\nmarkers = [\"slow\"]\n",
            "refused",
        ),
        (
            "pyproject.toml",
            "[project]\n",
            "[project]\n[ tool.\"pytest\".ini_options ]\naddopts = \"-k no\"\n",
            "refused",
        ),
        (
            "pyproject.toml",
            "[project]\n",
            "[project]\n[tool]\npytest.ini_options.addopts = \"-k no\"\n",
            "refused",
        ),
        (
            "setup.cfg",
            "[metadata]\n",
            "[metadata]\n[options.entry_points]\npytest11 =\n  x = x\n",
            "refused",
        ),
        (
            "Cargo.toml",
            "[package]\n",
            "[package]\nautotests = false\n",
            "refused",
        ),
        (
            "Cargo.toml",
            "[features]\ndefault = [\"a\"]\na = []\n",
            "[features]\ndefault = []\na = []\n",
            "refused",
        ),
        (
            "Cargo.toml",
            "[features]\ndefault = []\nquick = []\n",
            "[features]\ndefault = [\"quick\"]\nquick = []\n",
            "refused",
        ),
        (
            "Cargo.toml",
            "[features]\ndefault = [\"a\"]\na = []\n",
            "[features]\ndefault = [\"a\", \"b\"]\na = []\nb = []\n",
            "product",
        ),
        (
            "Cargo.toml",
            "[package]\n",
            "[package]\n[lib]\npath = \"fake.rs\"\n",
            "refused",
        ),
        (
            "Cargo.toml",
            "[workspace]\nmembers = [\"a\", \"b\"]\n",
            "[workspace]\nmembers = [\"a\"]\n",
            "refused",
        ),
        (
            "Cargo.toml",
            "[workspace]\nmembers = [\"a\"]\n",
            "[workspace]\nmembers = [\"a\", \"b\"]\n",
            "product",
        ),
        (
            "Cargo.toml",
            "[[test]]\nname = \"x\"\n",
            "[dependencies]\n",
            "refused",
        ),
        (
            "Cargo.toml",
            "[package]\n",
            "[package]\n[dependencies]\nx = \"1\"\n",
            "product",
        ),
        (
            "Makefile",
            MAKE,
            "X = 1\nall:\n\tcc a.c b.c\ntest:\n\ttrue\n",
            "refused",
        ),
        (
            "Makefile",
            MAKE,
            "X = 1\nall:\n\tcc a.c b.c\ntest: all\n\t./a\n",
            "product",
        ),
        (
            "Makefile",
            MAKE,
            "X = 1\nX = 2\nall:\n\tcc a.c\ntest: all\n\t./a\n",
            "refused",
        ),
        (
            "Makefile",
            MAKE,
            "Y = 2\nX = 1\nall:\n\tcc a.c\ntest: all\n\t./a\n",
            "product",
        ),
        (
            "Makefile",
            MAKE,
            "X = 1\nall:\n\tcc a.c\ntest: all\n\t./a\ntest:\n\ttrue\n",
            "refused",
        ),
        (
            "src/a.js",
            "let a;\nif (import.meta.vitest) {\n  t(a, 1);\n}\n",
            "let b;\nif (import.meta.vitest) {\n  t(1, 1);\n}\n",
            "refused",
        ),
        (
            "src/a.js",
            "let a;\nif (import.meta.vitest) {\n  t(a, 1);\n}\n",
            "let b;\nif (import.meta.vitest) {\n  t(a, 1);\n  t(b, 1);\n}\n",
            "product",
        ),
        (
            "Makefile",
            MAKE,
            "X = 1\ninclude more.mk\nall:\n\tcc a.c\ntest: all\n\t./a\n",
            "refused",
        ),
        (
            "Makefile",
            MAKE,
            "X = 1\nall:\n\tcc a.c\ntest: all\n\t./a\n\ndocs:\n\techo\n",
            "product",
        ),
    ] {
        assert_eq!(
            role_of(&[], (path, Some(old), Some(new))),
            want,
            "{path}: {new}"
        );
    }
}

#[test]
fn what_cannot_be_read_is_not_let_by() {
    let bytes: &[u8] = b"[tool.pytest.ini_options]\n# \xe9\n";
    for (path, old, new, refused) in [
        (
            "pyproject.toml",
            Some(&b"[project]\n"[..]),
            Some(bytes),
            true,
        ),
        ("src/lib.rs", Some(&b"fn a() {}\n"[..]), None, true),
        ("src/data.txt", Some(&b"x"[..]), None, false),
        ("src/data.txt", Some(&b"x"[..]), Some(bytes), false),
    ] {
        let change = change(path, Some(""), Some(""));
        let pair = ChangedFile {
            change: &change,
            old,
            new,
        };
        let looked = look(&Policy::new(&[], Declared::default(), &[]), &[pair], &[]);
        assert_eq!(!looked.refused.is_empty(), refused, "{path}");
    }
}

#[test]
fn tests_in_a_rust_file_stay_as_they_are() {
    const OLD: &str = "fn a() {}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn a() { x(\"}\", '}', r#\"\"}\"#); /* } */ }\n}\n";
    const MADE: &str = "macro_rules! t {\n    ($n:ident, $a:expr) => {\n        #[test]\n        fn $n() { assert!($a) }\n    };\n}\n";
    const TOP: &str = "/// ```\n/// a();\n/// ```\nfn a() {}\n#[test]\nfn t() { a() }\n#[cfg(test)]\nmod tests;\n";
    for (old, new, want) in [
        (OLD, OLD.replace("fn a() {}\n\n", "fn b() {}\n"), Some(None)),
        (
            OLD,
            format!(
                "{OLD}\npub fn b() {{}}\n#[cfg(test)]\nmod b_tests {{ #[test] fn b() {{}} }}\n"
            ),
            Some(None),
        ),
        (
            OLD,
            OLD.replace("    #[test]", "    #[test]\n    fn c() {}\n    #[test]"),
            Some(None),
        ),
        (
            OLD,
            OLD.replace("    #[test]", "    #[test]\n    #[ignore]"),
            Some(Some(OLD.to_owned())),
        ),
        (
            OLD,
            OLD.replace("x(\"}\"", "return; x(\"}\""),
            Some(Some(OLD.to_owned())),
        ),
        (
            OLD,
            OLD.replace("#[cfg(test)]", "#[cfg(any())]"),
            Some(Some(OLD.to_owned())),
        ),
        (OLD, "fn a() {}\n".to_owned(), Some(Some(OLD.to_owned()))),
        (TOP, TOP.replace("{ a() }", "{ }"), None),
        (TOP, TOP.replace("mod tests;", ""), None),
        (
            TOP,
            TOP.replace("mod tests;", "#[path = \"none.rs\"]\nmod tests;"),
            None,
        ),
        (
            TOP,
            TOP.replace("/// ```\n/// a", "/// ```ignore\n/// a"),
            None,
        ),
        (TOP, TOP.replace("/// a", "/// # return;\n/// a"), None),
        (TOP, TOP.replace("/// a", "/// /*\n/// a"), None),
        (TOP, TOP.replace("/// a", "/// # if false {\n/// a"), None),
        (
            TOP,
            TOP.replace("/// ```\nfn", "/// b();\n/// ```\nfn"),
            Some(None),
        ),
        (
            TOP,
            TOP.replace("fn a() {}", "fn a() { b() }\nfn b() {}"),
            Some(None),
        ),
        (MADE, MADE.replace("assert!($a)", ""), None),
        (MADE, format!("{MADE}fn a() {{}}\n"), Some(None)),
    ] {
        let looked = looked(&[], &[("src/a.rs", Some(old), Some(&new))]);
        assert_eq!(looked.refused.is_empty(), want.is_some(), "{new}");
        let kept: Vec<_> = want
            .flatten()
            .map(|t| ("src/a.rs".to_owned(), Restoration::Text(t)))
            .into_iter()
            .collect();
        assert_eq!(looked.kept, kept, "{new}");
    }
}

#[test]
fn rust_tests_may_move_to_a_file_of_their_own() {
    const OLD: &str = "fn a() {}\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n    #[test]\n    fn a() {}\n}\n";
    const NEW: &str = "fn a() {}\n\n#[cfg(test)]\nmod tests;\n";
    let moved = "use super::*;\n#[test]\nfn a() {}\n";
    for (file, fine) in [
        ("src/a/tests.rs", true),
        ("src/tests.rs", true),
        ("lib/tests.rs", false),
    ] {
        let files = [
            ("src/a.rs", Some(OLD), Some(NEW)),
            (file, None, Some(moved)),
        ];
        let looked = looked(&[], &files);
        assert_eq!(
            looked.kept.is_empty() && looked.refused.is_empty(),
            fine,
            "{file}"
        );
    }
    let files = [
        ("src/a.rs", Some(OLD), Some(NEW)),
        ("src/a/tests.rs", None, Some("use super::*;\n")),
    ];
    assert!(!looked(&[], &files).kept.is_empty());
    let gone = [("src/a.rs", Some(OLD), None), ("src/b.rs", None, Some(OLD))];
    assert!(looked(&[], &gone).refused.is_empty());
    assert!(!looked(&[], &gone[..1]).refused.is_empty());
}

#[test]
fn a_moved_test_is_not_there_twice() {
    let got = looked(
        &[],
        &[
            ("tests/a.py", Some("same"), None),
            ("tests/b/a.py", None, Some("same")),
            ("tests/c.py", None, Some("new")),
        ],
    );
    let paths: Vec<&str> = got.kept.iter().map(|(p, _)| p.as_str()).collect();
    assert_eq!(paths, ["tests/a.py", "tests/b/a.py"]);
    assert_eq!(got.separable(), ["tests/c.py"]);
}

#[test]
fn a_glob_of_touches_declares_tests_only_where_it_points_at_tests() {
    for (touches, path, want) in [
        ("tests/**", "tests/a.py", "declared"),
        ("tests/a.py", "tests/a.py", "declared"),
        ("src/**", "src/a.test.js", "kept"),
        ("**", "tests/a.py", "kept"),
        ("any", "tests/a.py", "kept"),
    ] {
        let change = change(path, Some("a"), Some("b"));
        let pair = ChangedFile {
            change: &change,
            old: Some(b"a"),
            new: Some(b"b"),
        };
        let declared = Declared {
            touches: &[touches],
            ..Declared::default()
        };
        let looked = look(&Policy::new(&[], declared, &[]), &[pair], &[]);
        assert_eq!(looked.declared.is_empty(), want == "kept", "{touches}");
        assert_eq!(looked.kept.is_empty(), want != "kept", "{touches}");
    }
}

#[test]
fn fewer_tests_and_more_skips_are_reported() {
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

#[test]
fn build_files_decide_what_is_tested_and_where_dependencies_come_from() {
    let json = |text: &str| format!("{{\"name\": \"x\", {text}}}");
    let base = json("\"scripts\": {\"test\": \"t\"}, \"devDependencies\": {\"jest\": \"^29\"}");
    let script = |name: &str| base.replace("\"test\":", &format!("\"{name}\": \"x\", \"test\":"));
    for (path, old, new, want) in [
        ("package.json", &*base, &*script("postinstall"), "refused"),
        ("package.json", &base, &script("start"), "product"),
        (
            "package.json",
            &base,
            &base.replace("^29", "file:./fake"),
            "refused",
        ),
        (
            "package.json",
            &base,
            &base.replace("^29", "^30"),
            "product",
        ),
        (
            "package.json",
            &base,
            &base.replace("\"name\"", "\"overrides\": {\"jest\": \"1\"}, \"name\""),
            "refused",
        ),
        (
            "Cargo.toml",
            "[dev-dependencies]\nproptest = \"1\"\n",
            "[dev-dependencies]\nproptest = { path = \"fake\" }\n",
            "refused",
        ),
        (
            "Cargo.toml",
            "[dev-dependencies]\n",
            "[dev-dependencies]\nx = { path = \".\", features = [\"exact\"] }\n",
            "refused",
        ),
        (
            "Cargo.toml",
            "[dev-dependencies]\n",
            "[dev-dependencies.x]\npath = \".\"\nfeatures = [\"exact\"]\n",
            "refused",
        ),
        (
            "Cargo.toml",
            "[dev-dependencies]\n",
            "[dependencies]\nx = { path = \"x\", features = [\"exact\"] }\n[dev-dependencies]\n",
            "product",
        ),
        (
            "Cargo.toml",
            "[dependencies]\na = \"1\"\n",
            "[dependencies]\na = { version = \"1\", features = [\"x\"] }\n",
            "product",
        ),
        (
            "Cargo.toml",
            "[dependencies]\na = \"1\"\n",
            "[dependencies]\na = \"1\"\nb = { path = \"b\" }\n",
            "product",
        ),
        (
            "pyproject.toml",
            "[project]\nname = \"x\"\n",
            "[project]\nname = \"x\"\n[tool.uv.sources]\npytest = { path = \"f\" }\n",
            "refused",
        ),
        (
            "go.mod",
            "module x\n",
            "module x\nreplace a => ./b\n",
            "refused",
        ),
        (
            "go.mod",
            "module x\n",
            "module x\nrequire a v1\n",
            "product",
        ),
        (
            "pom.xml",
            "<a>\n</a>\n",
            "<a>\n<skipTests>true</skipTests>\n</a>\n",
            "refused",
        ),
        (
            "pom.xml",
            "<a>\n</a>\n",
            "<a>\n<version>1</version>\n</a>\n",
            "product",
        ),
        ("build.gradle.kts", "useJUnitPlatform()\n", "\n", "refused"),
        (
            "build.gradle",
            "a\n",
            "a\ntest { ignoreFailures = true }\n",
            "refused",
        ),
        (
            "CMakeLists.txt",
            "add_test(a a)\n",
            "add_test(a true)\n",
            "refused",
        ),
        (
            "CMakeLists.txt",
            "add_test(a a)\n",
            "add_test(a a)\nadd_test(b b)\n",
            "product",
        ),
        (
            "vite.config.ts",
            "export default {}\n",
            "export default { test: { include: [] } }\n",
            "refused",
        ),
        (
            "vite.config.ts",
            "export default {}\n",
            "export default { plugins: [{ transform: (code) => plain(code) }] }\n",
            "refused",
        ),
        (
            "vite.config.ts",
            "export default {}\n",
            "export default { base: 1 }\n",
            "product",
        ),
        (
            "requirements-dev.txt",
            "pytest==8\n",
            "pytest @ file:///fake\n",
            "refused",
        ),
        ("requirements.txt", "a==1\n", "a==2\n", "product"),
        (
            "Taskfile.yml",
            "tasks:\n  test: x\n",
            "tasks:\n  test: y\n",
            "refused",
        ),
    ] {
        let got = role_of(&[], (path, Some(old), Some(new)));
        assert_eq!(got, want, "{path}: {new}");
        assert_ne!(
            role_of(&["*all*"], (path, Some(old), Some(new))),
            "refused",
            "{path}: {new}"
        );
    }
}

#[test]
fn what_is_pinned_changes_only_with_what_is_asked_for() {
    let (a, b) = (Some("a"), Some("b"));
    let alone = looked(&[], &[("Cargo.lock", a, b), ("src/a.rs", a, b)]);
    assert_eq!(alone.kept, [("Cargo.lock".to_owned(), Restoration::Base)]);
    assert!(
        alone.notices.is_empty() && alone.shown.len() == 1,
        "{alone:?}"
    );
    let manifest = ("sub/Cargo.toml", Some("[a]\n"), Some("[b]\n"));
    assert_eq!(looked(&[], &[("Cargo.lock", a, b), manifest]).kept, []);
    assert_eq!(looked(&["Cargo.lock"], &[("Cargo.lock", a, b)]).kept, []);
    assert_eq!(looked(&[], &[("Cargo.lock", None, b)]).kept, []);
    for (path, kept) in [("vendor/a.org/same/same.go", 1), ("vendor/assets/a.js", 0)] {
        assert_eq!(looked(&[], &[(path, a, b)]).kept.len(), kept, "{path}");
        assert_eq!(looked(&[], &[(path, a, b), ("go.mod", a, b)]).kept, []);
    }
}

#[test]
fn an_address_that_nothing_is_installed_from_is_no_source() {
    let old = "{\"dependencies\": {\"a\": \"1\"}}";
    for (new, odd) in [
        (
            "{\"dependencies\": {\"a\": \"1\"}, \"homepage\": \"https://a.b\", \"repository\": {\n\"url\": \"git://a.b\"}}",
            false,
        ),
        ("{\"dependencies\": {\"a\": \"1\", \"b\": \"2\"}}", false),
        (
            "{\"dependencies\": {\"a\": \"1\",\n\"b\": \"https://a.b/b.tgz\"}}",
            true,
        ),
        (
            "{\"dependencies\": {\"a\": \"1\"}, \"devDependencies\": {\"b\": \"file:b\"}}",
            true,
        ),
    ] {
        let looked = looked(&[], &[("package.json", Some(old), Some(new))]);
        assert_eq!(!looked.notices.is_empty(), odd, "{new}: {looked:?}");
    }
}
