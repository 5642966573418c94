use super::*;

fn shown(paths: &BTreeSet<String>) -> String {
    let all: Vec<&str> = paths.iter().map(String::as_str).collect();
    all.join(" ")
}

#[test]
fn places_of_tests_that_a_command_names_are_known() {
    for (command, want) in [
        (
            "python3 -m unittest discover -s checks -p '*_c.py'",
            "checks/**/*_c.py",
        ),
        ("python3 -m unittest discover -s tests -t . -v", ""),
        (
            "python3 -B -m unittest a.b.Case.test_x",
            "a/b.py a/b/Case.py a/b/Case/test_x.py",
        ),
        ("python3 -m unittest calc", ""),
        ("python3 -m unittest checks", "checks.py"),
        ("pytest -q checks/a.py::test_x src", "checks/a.py"),
        ("node --test checks/", "checks checks/**"),
        ("cd web && npx mocha checks src", "web/checks web/checks/**"),
        ("prove --ext .pl ./checks", "checks checks/**"),
        ("bats .", ""),
        ("cargo test", ""),
        ("grep mocha-like checks", ""),
    ] {
        assert_eq!(shown(&of_command(command).tests), want, "{command}");
    }
}

#[test]
fn what_is_run_by_another_name_than_its_path_is_known() {
    for (command, want) in [
        (
            "python3 -B -m app.selftest x",
            "app/selftest.py app/selftest/__init__.py app/selftest/__main__.py",
        ),
        ("python3 -W error checks", "checks/__main__.py"),
        (
            "node --no-warnings verify x",
            "verify verify.cjs verify.js verify.mjs verify/index.js",
        ),
        ("go run -race ./cmd/check all", "cmd/check/main.go"),
        ("go build ./cmd/check", ""),
        ("cargo xtask ci", "xtask/src/main.rs"),
        ("cd a; go run ./b", "a/b/main.go"),
        ("pytest -c other.ini", "other.ini"),
    ] {
        assert_eq!(shown(&of_command(command).runs), want, "{command}");
    }
    let packages = of_command("cargo run -q -p check -- all").runs;
    assert!(packages.contains("check/src/main.rs") && packages.contains("crates/check/src/lib.rs"));
}

#[test]
fn what_a_runner_loads_is_known() {
    for (command, want) in [
        (
            "pytest -p support.plug -p no:cacheprovider",
            "support/plug.py support/plug/__init__.py support/plug/__main__.py",
        ),
        ("node --require ./boot.js --test t", "boot.js"),
        ("node -r ./boot.js main.js", "boot.js"),
        (
            "cargo run --example smoke",
            "examples/smoke.rs examples/smoke/main.rs",
        ),
    ] {
        assert_eq!(shown(&of_command(command).loads), want, "{command}");
    }
}

#[test]
fn where_modules_are_imported_from_is_known() {
    for (command, want) in [
        ("PYTHONPATH=src:./more python3 -m unittest", "more src"),
        ("cd services/a && python3 -m pytest", "services/a"),
        ("python3 -m unittest discover -s checks", "checks"),
        ("python3 tools/run.py", "tools"),
        ("python3 checks", "checks"),
        ("sh tools/run.sh", ""),
    ] {
        assert_eq!(shown(&of_command(command).roots), want, "{command}");
    }
}

#[test]
fn settings_of_runners_name_tests_and_what_is_loaded() {
    for (name, text, tests, loads) in [
        (
            "pytest.ini",
            "[pytest]\npython_files = *_c.py test_*.py\n",
            "a/**/*_c.py a/**/test_*.py",
            "",
        ),
        (
            "pyproject.toml",
            "python_files = [\n  \"*_c.py\",\n]\nx = \"y\"\n",
            "a/**/*_c.py",
            "",
        ),
        ("pytest.ini", "python_files = *.py\n", "", ""),
        (
            "package.json",
            "{\"jest\": {\"testMatch\": [\"<rootDir>/checks/*.js\"]}, \"files\": [\"lib\"]}",
            "a/checks/*.js",
            "",
        ),
        (
            "jest.config.js",
            "module.exports = { testMatch: ['src/**'] }",
            "",
            "",
        ),
        (
            ".mocharc.json",
            "{\"spec\": \"checks/**\", \"require\": [\"./boot.js\", \"chai\"]}",
            "a/checks/**",
            "a/boot.js",
        ),
        (
            "Cargo.toml",
            "[package]\nbuild = \"gen/make.rs\"\n",
            "",
            "a/gen/make.rs",
        ),
        (
            "package.json",
            "{\"jest\": {\"transform\": {\"js$\": \"./tools/t.js\"}}}",
            "",
            "a/tools/t.js",
        ),
        (
            "eslint.config.js",
            "const own = require('./rules/own.js'); const all = require('eslint'); require('./package.json');",
            "",
            "a/rules/own.js",
        ),
        (
            "Cargo.toml",
            "[[test]]\nname = \"x\"\npath = \"checks/it.rs\"\n[[bin]]\npath = \"src/b.rs\"\n",
            "a/checks/it.rs",
            "",
        ),
        (
            "jest.config.js",
            "testRegex: 'checks/.*[.]js$'",
            "a/checks/**",
            "",
        ),
        (
            "CMakeLists.txt",
            "add_executable(x y.c)\nadd_test(NAME a COMMAND sh ${CMAKE_SOURCE_DIR}/run/a.sh)\n",
            "a/run/a.sh",
            "",
        ),
        (
            "meson.build",
            "executable('x', 'src/x.c')\ntest('a', find_program('run/a'))\n",
            "a/run/a",
            "",
        ),
        (
            "tox.ini",
            "[testenv]\ncommands =\n    python tools/t.py\n    ruff check src/a.py\n",
            "",
            "a/tools/t.py",
        ),
    ] {
        let found = of_settings(("a", name), text);
        assert_eq!(shown(&found.tests), tests, "{name}: {text}");
        let loads: BTreeSet<String> = loads.split_whitespace().map(str::to_owned).collect();
        assert!(loads.is_subset(&found.loads), "{name}: {:?}", found.loads);
        assert_eq!(
            loads.is_empty(),
            found.loads.is_empty(),
            "{name}: {:?}",
            found.loads
        );
    }
    let found = of_settings(
        ("", "conftest.py"),
        "pytest_plugins = [\"support.plug\"]\nx = \"a.b\"\n",
    );
    assert_eq!(
        shown(&found.loads),
        "support/plug.py support/plug/__init__.py support/plug/__main__.py"
    );
}

#[test]
fn a_pattern_that_names_the_product_too_names_no_tests() {
    for (pattern, want) in [
        ("src/**", true),
        ("src/**/*.ts", true),
        ("**/*.js", true),
        ("*.py", true),
        ("!**/x.js", true),
        ("**/checks/*.js", false),
        ("checks/*.js", false),
        ("src/**/*.check.ts", false),
        ("**/*_c.py", false),
    ] {
        assert_eq!(may_be_product(pattern), want, "{pattern}");
    }
}

#[test]
fn a_page_that_a_source_includes_holds_examples() {
    let text =
        "#![doc = include_str!(\"../README.md\")]\nconst X: &str = include_str!(\"x.txt\");\n";
    assert_eq!(included_pages("a/src", text), ["a/README.md"]);
}

#[test]
fn scripts_that_are_run_for_their_end_are_known() {
    for (command, want) in [
        ("sh run.sh", "run.sh"),
        ("A=1 python3 -B tools/doit.py x", "tools/doit.py"),
        ("./bin/all --fast && node verify.js", "bin/all verify.js"),
        ("cd a && perl probe.pl", "a/probe.pl"),
        ("sh add.sh 1 2 | awk -f sum.awk", "sum.awk"),
        ("sh add.sh 1 2 | grep -x 3", ""),
        ("test \"$(sh add.sh 1 2)\" = 3", ""),
        ("sh add.sh > out; diff out want", ""),
        ("python3 -m pytest", ""),
        ("sh -n greet.sh && node --check a.js", ""),
        ("sh greet.sh --shout; test $? -eq 2", ""),
        ("for f in proofs/*; do sh $f; done", ""),
    ] {
        assert_eq!(shown(&run_for_their_end(command)), want, "{command}");
    }
}
