use super::super::Declared;
use super::super::tests::change;
use super::*;
use crate::engine::changed_file::ChangedFile;

/// Returns what is asked of a file; the old text of one that is there.
fn asked(path: &str, old: Option<&str>) -> Option<ReferredFile> {
    let change = change(path, old, Some("new"));
    let pair = ChangedFile {
        change: &change,
        old: old.map(str::as_bytes),
        new: Some(b"new"),
    };
    ReferredFile::of(&Policy::new(&[], Declared::default(), &[]), &pair, true)
}

#[test]
fn it_matters_who_refers_to_data_helpers_settings_and_new_modules() {
    for (path, old, want) in [
        ("cases/one.json", Some("{}"), Some(ReferredKind::Data)),
        ("examples/sums.txt", Some("1"), Some(ReferredKind::Data)),
        ("data/sums.txt", Some("1"), Some(ReferredKind::Data)),
        ("docs/a.md", Some("x"), None),
        ("package.json", Some("{}"), None),
        ("requirements.txt", Some("x"), None),
        ("calc.py", Some("x"), None),
        (
            "lib/same.js",
            Some("assert.strictEqual(a, b)"),
            Some(ReferredKind::Helper),
        ),
        ("lib/same.js", Some("assert(a)"), None),
        (".lintallrc", None, Some(ReferredKind::Settings)),
        ("words.txt", None, None),
        ("syrupy/assertion.py", None, Some(ReferredKind::Shadow)),
        ("calc.js", None, None),
    ] {
        assert_eq!(asked(path, old).map(|file| file.kind), want, "{path}");
    }
}

#[test]
fn a_name_is_found_where_it_stands_for_the_file() {
    let (json, same) = (Some("{}"), Some("assert.equal(a)"));
    for (path, old, text, want) in [
        ("cases/one.json", json, "glob('cases/*.json')", true),
        ("cases/one.json", json, "Path('cases', name)", true),
        ("cases/one.json", json, "open('x/one.json')", true),
        ("cases/one.json", json, "in most cases it is", false),
        ("cases/one.json", json, "showcases/", false),
        ("lib/same.js", same, "require('../lib/same.js')", true),
        ("lib/same.js", same, "the same-origin", false),
        (".lintallrc", None, "[ -f .lintallrc ]", true),
        (
            "syrupy/assertion.py",
            None,
            "from syrupy.assertion import x",
            true,
        ),
        ("syrupy/assertion.py", None, "import re, syrupy", true),
        ("lib/Scalar/Util.pm", None, "use Scalar::Util;", true),
        ("lib/a/b.rb", None, "require 'a/b'", true),
        ("syrupy.py", None, "import syrupy_more", false),
    ] {
        let file = asked(path, old).unwrap();
        assert_eq!(file.is_named_in(text), want, "{path}: {text}");
    }
}

#[test]
fn what_a_test_names_alone_may_be_the_product() {
    let sources = ["calc.py".to_owned(), "main.py".to_owned()];
    let names = names_of(&sources);
    for (path, old, text, want) in [
        (
            "cases/one.txt",
            "1",
            "import calc\nopen('cases/one.txt')",
            true,
        ),
        (
            "cases/one.txt",
            "1",
            "import main\nopen('cases/one.txt')",
            false,
        ),
        ("cases/one.txt", "1", "expect cases/one.txt ok", false),
        (
            "src/one.txt",
            "1",
            "import calc\nopen('src/one.txt')",
            false,
        ),
        ("one.txt", "1", "import calc\nopen('one.txt')", false),
        ("checks.d/a", "[ -f x ]", "for f in checks.d/*", true),
    ] {
        let file = asked(path, Some(old));
        let judge = JudgeText {
            text,
            script: true,
            names_product: names_one(text, &names),
        };
        let judged = file.is_some_and(|file| file.is_judged_by(judge));
        assert_eq!(judged, want, "{path}: {text}");
    }
}

#[test]
fn a_module_where_tests_say_they_import_from_may_take_the_place_of_another() {
    let change = change("support/statistics.py", None, Some("new"));
    let pair = ChangedFile {
        change: &change,
        old: None,
        new: Some(b"new"),
    };
    let policy = Policy::new(&[], Declared::default(), &[]);
    let file = ReferredFile::placed(&policy, &pair, true).unwrap();
    for (text, placed) in [
        ("sys.path.insert(0, \"support\")", true),
        ("sys.path.append(os.path.join(HERE, 'support'))", true),
        ("open('support/a.txt')", false),
        ("sys.path.append('lib')", false),
    ] {
        assert_eq!(file.is_placed_in(text), placed, "{text}");
    }
    assert!(
        file.is_named_in("import statistics") && !file.is_named_in("import support.statistics")
    );
    let open = |path: &str| file.is_open_in(&[path.to_owned(), "calc.py".to_owned()]);
    assert!(
        open("support/other.py") && !open("support/__init__.py") && !open("support/statistics.py")
    );
}

#[test]
fn a_module_that_the_base_has_takes_nobodys_place() {
    let paths = |path: &str| vec![path.to_owned(), "tests/test_a.py".to_owned()];
    let file = asked("geo/shapes.py", None).unwrap();
    assert!(file.is_open_in(&paths("calc.py")));
    assert!(!file.is_open_in(&paths("geo/lines.py")) && !file.is_open_in(&paths("geo.py")));
}

#[test]
fn commands_compare_with_what_they_name_to_compare() {
    let text = comparisons("sh a.sh | diff - want.txt && diff b.txt c.txt; sha256sum -c SUMS");
    assert!(text.contains("want.txt") && text.contains("SUMS") && !text.contains("b.txt"));
}
